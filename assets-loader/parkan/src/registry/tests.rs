use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::assert_survives_mutations;

fn field(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    bytes.resize(32, 0);
    bytes
}

fn facts() -> Vec<(&'static str, Prototype, Vec<u8>)> {
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
    vec![
        ("nothing", Prototype::default(), Vec::new()),
        ("two references", Prototype { refs }, bytes.concat()),
    ]
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    for (name, value, bytes) in facts() {
        assert_eq!(Prototype::read(&bytes).as_ref(), Ok(&value), "{name}");
        assert_eq!(value.write().as_ref(), Ok(&bytes), "{name}");
    }
    let (_, value, _) = facts().pop().unwrap();
    assert_eq!(value.refs[0].archive(), b"objects.rlb");
    assert_eq!(value.refs[0].resource(), b"r_h_02");
    assert_eq!(ObjectRef::new("a", &"x".repeat(33)), None);
}

#[test]
fn damage_is_named_where_it_stands() {
    let (_, _, good) = facts().pop().unwrap();
    let rows = [
        ("no whole archive", 64 + 31, "archive", 64),
        ("no resource", 64 + 32, "resource", 96),
        ("no whole resource", 64 + 63, "resource", 96),
    ];
    for (name, len, field, offset) in rows {
        let error = Prototype::read(&good[..len]).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, offset), "{name}");
    }
}

#[test]
fn a_payload_that_is_cut_is_refused_unless_between_references() {
    let (_, _, good) = facts().pop().unwrap();
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
    let (_, good, _) = facts().pop().unwrap();
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

proptest! {
    #[test]
    fn any_prototype_survives_writing(refs in prop::collection::vec(any::<[[u8; 32]; 2]>(), 0..5)) {
        let object_ref = |[archive_field, resource_field]: [[u8; 32]; 2]| ObjectRef { archive_field, resource_field };
        let prototype = Prototype { refs: refs.into_iter().map(object_ref).collect() };
        prop_assert_eq!(Prototype::read(&prototype.write().unwrap()), Ok(prototype));
    }
}

fn survive(runs: u64) {
    let (_, _, good) = facts().pop().unwrap();
    assert_survives_mutations(&good, runs, 16, |data| {
        let prototype = Prototype::read(data)?;
        assert_eq!(prototype.write().as_deref(), Ok(data));
        prototype.check();
        Ok(())
    });
}

#[test]
fn damage_never_panics() {
    survive(2_000);
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn damage_never_panics_at_length() {
    survive(100_000);
}
