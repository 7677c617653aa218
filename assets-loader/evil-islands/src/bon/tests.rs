use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{assert_survives_mutations, hex};

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

/// Name, value, bytes typed from the dossier's table.
fn facts() -> Vec<(&'static str, Bon, Vec<u8>)> {
    let short = "00 00 00 00 B0 01 B9 BE D1 23 8E 3F ".repeat(4);
    let tall = "BD 37 86 35 7B 4C 3C BF 50 AB 10 40 ".repeat(4);
    vec![
        (
            "one state",
            single(),
            hex("00 00 80 3F 00 00 00 C0 00 00 00 3F"),
        ),
        ("eight states", troll_head(), hex(&format!("{short}{tall}"))),
    ]
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    for (name, value, bytes) in facts() {
        assert_eq!(Bon::read(&bytes).as_ref(), Ok(&value), "{name}");
        assert_eq!(value.write().as_ref(), Ok(&bytes), "{name}");
        assert_eq!(value.check(), [], "{name}");
    }
}

#[test]
fn damage_is_named_where_it_stands() {
    let rows: [(&str, usize, &str, u64); 5] = [
        ("nothing", 0, "offsets", 0),
        ("two points", 24, "offsets", 0),
        ("nine points", 108, "offsets", 0),
        ("a point and a byte", 13, "after the last offset", 12),
        ("eight points and a byte", 97, "after the last offset", 96),
    ];
    for (name, len, field, offset) in rows {
        let error = Bon::read(&vec![0; len]).unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, offset),
            "{name}: {error}"
        );
        let read = Bon::read_with(&vec![0; len], Tolerance::all()).unwrap();
        assert_eq!(read.offsets.len(), len / 12, "{name}");
        assert_eq!(read.write(), Ok(vec![0; len]), "{name}");
    }
}

/// A single point is a file of its own, so that its length alone is allowed.
#[test]
fn every_truncation_but_that_to_one_point_is_refused() {
    let good = troll_head().write().unwrap();
    for len in 0..good.len() {
        assert_eq!(Bon::read(&good[..len]).is_ok(), len == 12, "{len} bytes");
    }
}

#[test]
fn offsets_are_mixed_and_told_by_state() {
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
    let told: Vec<_> = findings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(told.len(), 2);
    assert!(told[0].contains("9 points"), "{told:?}");
    assert!(told[1].contains("state 8"), "{told:?}");
}

#[test]
fn mutations_never_panic() {
    assert_survives_mutations(&troll_head().write().unwrap(), 2000, 4, |data| {
        Bon::read_with(data, Tolerance::all()).map(|bon| assert_eq!(bon.write().unwrap(), data))
    });
}

proptest! {
    #[test]
    fn any_offsets_survive(bits: [[u32; 3]; 8], tail in prop::collection::vec(0u8.., 0..12)) {
        let offsets = bits.map(|point| point.map(f32::from_bits)).to_vec();
        let bytes = Bon { offsets, tail }.write().unwrap();
        let read = Bon::read_with(&bytes, Tolerance::all()).unwrap();
        prop_assert_eq!(read.offsets.as_flattened().iter().map(|v| v.to_bits()).collect::<Vec<_>>(), bits.as_flattened());
        prop_assert_eq!(read.write().unwrap(), bytes);
    }
}
