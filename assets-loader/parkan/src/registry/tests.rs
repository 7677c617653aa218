use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    Prototype {
        facts: facts(),
        damage: damage(),
        // A payload may end between references; where it may not has a test of its own.
        truncations: Truncations::Valid,
        values: any_prototype(),
        growth: 16,
        runs: 2_000,
        records: [RecordPlace::new::<ObjectRef>(0, ())],
    }
}

fn field(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    bytes.resize(32, 0);
    bytes
}

fn two_references() -> (Prototype, Vec<u8>) {
    let mut inherited = ObjectRef::new("objects.rlb", "r_h_02").unwrap();
    inherited.resource_field[31] = 0xCD;
    let mesh = ObjectRef::new("bases.rlb", "r_h_02.msh").unwrap();
    let mut resource = field(b"r_h_02");
    resource[31] = 0xCD;
    let bytes = [
        field(b"objects.rlb"),
        resource,
        field(b"bases.rlb"),
        field(b"r_h_02.msh"),
    ];
    let refs = vec![inherited, mesh];
    (Prototype { refs }, bytes.concat())
}

fn facts() -> Vec<Fact<Prototype>> {
    let (value, bytes) = two_references();
    vec![
        Fact::new("nothing", Prototype::default(), []),
        Fact::new("two references", value, bytes),
    ]
}

#[test]
fn names_end_at_nul_and_fit_their_fields() {
    let (value, _) = two_references();
    assert_eq!(value.refs[0].archive(), b"objects.rlb");
    assert_eq!(value.refs[0].resource(), b"r_h_02");
    assert_eq!(ObjectRef::new("a", &"x".repeat(33)), None);
}

fn damage() -> Vec<Damage> {
    let (_, good) = two_references();
    let rows = [
        ("no whole archive", 64 + 31, "archive", 64),
        ("no resource", 64 + 32, "resource", 96),
        ("no whole resource", 64 + 63, "resource", 96),
    ];
    let cut = rows.map(|(name, len, field, offset)| Damage::new(name, &good[..len], field, offset));
    cut.into()
}

#[test]
fn a_payload_that_is_cut_is_refused_unless_between_references() {
    let (_, good) = two_references();
    for len in 0..good.len() {
        assert_eq!(
            Prototype::read(&good[..len]).is_ok(),
            len % 64 == 0,
            "{len}"
        );
    }
}

#[test]
fn references_to_nothing_are_found() {
    let (good, _) = two_references();
    assert_eq!(good.check(), []);
    assert_eq!(Prototype::default().check()[0].severity, Severity::Note);
    let mut bad = good;
    bad.refs[1] = ObjectRef::new("bases.rlb", "").unwrap();
    let findings = bad.check();
    assert_eq!(findings.len(), 1);
    assert_eq!(
        (findings[0].severity, findings[0].offset),
        (Severity::Warning, Some(64))
    );
}

prop_compose! {
    fn any_prototype()(refs in prop::collection::vec(any::<[[u8; 32]; 2]>(), 0..5)) -> Prototype {
        let object_ref = |[archive_field, resource_field]: [[u8; 32]; 2]| ObjectRef { archive_field, resource_field };
        Prototype { refs: refs.into_iter().map(object_ref).collect() }
    }
}
