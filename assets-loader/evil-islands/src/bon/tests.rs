use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read,
};

proof! {
    Bon {
        facts: facts(),
        damage: damage(),
        // A single point is a file of its own.
        truncations: Truncations::ValidIf(|cut| cut.len() == 12),
        values: any_states(),
        growth: 4,
        runs: 1_000,
        records: facts().iter().map(record).collect::<Vec<_>>(),
        of_bytes: prove_tolerantly_read::<Bon>,
    }
}

/// Offsets whose bits are easy to type: 1.0 is `00 00 80 3F`.
fn single() -> Bon {
    Bon {
        offsets: vec![[1.0, -2.0, 0.5]],
        tail: Vec::new(),
    }
}

/// The head of a troll (dossier section 9.3).
fn troll_head() -> Bon {
    let short = [0.0, -0.361_341, 1.110_468];
    let tall = [0.000_001, -0.735_542, 2.260_456];
    Bon {
        offsets: [[short; 4], [tall; 4]].concat(),
        tail: Vec::new(),
    }
}

fn record(fact: &Fact<Bon>) -> RecordPlace {
    let mut bon = fact.value.clone().unwrap();
    RecordPlace::from_walk(&fact.bytes, 0, |c| bon.walk(c, 0))
}

/// Typed from the dossier's table.
fn facts() -> Vec<Fact<Bon>> {
    let short = "00 00 00 00 B0 01 B9 BE D1 23 8E 3F ".repeat(4);
    let tall = "BD 37 86 35 7B 4C 3C BF 50 AB 10 40 ".repeat(4);
    let one = hex("00 00 80 3F 00 00 00 C0 00 00 00 3F");
    vec![
        Fact::new("one state", single(), one),
        Fact::new("eight states", troll_head(), hex(&format!("{short}{tall}"))),
    ]
}

fn damage() -> Vec<Damage> {
    let rows = [
        ("nothing", 0, "offsets", 0),
        ("two points", 24, "offsets", 0),
        ("nine points", 108, "offsets", 0),
        ("a point and a byte", 13, "after the last offset", 12),
        ("eight points and a byte", 97, "after the last offset", 96),
    ];
    let rows =
        rows.map(|(name, len, field, offset)| Damage::new(name, vec![0; len], field, offset));
    rows.to_vec()
}

#[test]
fn any_number_of_points_is_read_tolerantly() {
    for Damage { name, bytes, .. } in damage() {
        let read = Bon::read_with(&bytes, Tolerance::all()).unwrap();
        assert_eq!(read.offsets.len(), bytes.len() / 12, "{name}");
        assert_eq!(read.write(), Ok(bytes), "{name}");
    }
    for fact in facts() {
        assert_eq!(fact.value.unwrap().check(), [], "{}", fact.name);
    }
}

#[test]
fn offsets_are_mixed_and_reported_by_state() {
    let head = troll_head();
    let [x, y, z] = head.offset([0.7, 0.2, 0.5]);
    assert!((x - 0.000_000_5).abs() < 1e-9, "{x}");
    assert!((y + 0.548_441_5).abs() < 1e-6, "{y}");
    assert!((z - 1.685_462).abs() < 1e-6, "{z}");
    assert_eq!(head.state(3), [0.0, -0.361_341, 1.110_468]);
    assert_eq!(head.state(4), [0.000_001, -0.735_542, 2.260_456]);
    assert_eq!(single().state(7), [1.0, -2.0, 0.5]);
    assert_eq!(single().offset([9.0; 3]), [1.0, -2.0, 0.5]);
    assert_eq!(Bon::default().offset([1.0; 3]), [0.0; 3]);
}

#[test]
fn odd_numbers_are_findings() {
    let mut bon = troll_head();
    bon.offsets.push([f32::NAN; 3]);
    let findings = bon.check();
    let reported: Vec<_> = findings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(reported.len(), 2);
    assert!(reported[0].contains("9 points"), "{reported:?}");
    assert!(reported[1].contains("state 8"), "{reported:?}");
}

fn any_states() -> impl Strategy<Value = Bon> {
    any::<[[u32; 3]; 8]>().prop_map(|bits| Bon {
        offsets: bits.map(|point| point.map(f32::from_bits)).to_vec(),
        tail: Vec::new(),
    })
}

proptest! {
    #[test]
    fn any_offsets_survive_with_what_follows(bits: [[u32; 3]; 8], tail in prop::collection::vec(0u8.., 0..12)) {
        let offsets = bits.map(|point| point.map(f32::from_bits)).to_vec();
        let bytes = Bon { offsets, tail }.write().unwrap();
        let read = Bon::read_with(&bytes, Tolerance::all()).unwrap();
        prop_assert_eq!(read.offsets.as_flattened().iter().map(|v| v.to_bits()).collect::<Vec<_>>(), bits.as_flattened());
        prop_assert_eq!(read.write().unwrap(), bytes);
    }
}
