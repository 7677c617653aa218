use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    UnitDat {
        facts: facts(),
        damage: damage(),
        // A file may end between records; where it may not has a test of its own.
        truncations: Truncations::Valid,
        values: any_unit(),
        growth: 16,
        runs: 2_000,
        records: [RecordPlace::new::<UnitRecord>(HEAD_SIZE, ())],
        also: |unit, _| drop(unit.parents()),
    }
}

/// A chassis with one child, and a turret without.
fn unit() -> UnitDat {
    let mut chassis = UnitRecord::new("bases.rlb", "r_h_01", ComponentType::Chassis).unwrap();
    chassis.n_children = 1;
    let mut turret = UnitRecord::new("objects.rlb", "r_tur_01", ComponentType::Turret).unwrap();
    turret.archive_field[15] = 0xCD;
    turret.attach_idx = 3;
    turret.description_field = [0xC0; 32];
    UnitDat {
        unknown_02: [0x12, 0x34],
        scheme: 0x0100_8000,
        records: vec![chassis, turret],
    }
}

fn field(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    bytes.resize(32, 0);
    bytes
}

fn facts() -> Vec<Fact<UnitDat>> {
    let head = b"\xF1\xF0\x12\x34\0\x80\0\x01";
    let records = [
        field(b"bases.rlb"),
        field(b"r_h_01"),
        b"\x01\0\0\0\0\0\0\0".to_vec(),
        field(b""),
        b"\0\0\0\0\x01\0\0\0".to_vec(),
        field(b"objects.rlb\0\0\0\0\xCD"),
        field(b"r_tur_01"),
        b"\x01\0\0\0\x03\0\0\0".to_vec(),
        vec![0xC0; 32],
        b"\x01\0\0\0\0\0\0\0".to_vec(),
    ];
    let empty = UnitDat {
        records: Vec::new(),
        ..unit()
    };
    let bytes = [&head[..], &records.concat()].concat();
    vec![
        Fact::new("a head alone", empty, head),
        Fact::new("two records", unit(), bytes),
    ]
}

#[test]
fn texts_end_at_nul_or_fill_the_field() {
    let unit = unit();
    let turret = &unit.records[1];
    assert_eq!(turret.archive(), b"objects.rlb");
    assert_eq!(turret.resource(), b"r_tur_01");
    assert_eq!(turret.description(), "А".repeat(32));
    assert_eq!(turret.component_type(), Some(ComponentType::Turret));
    for word in -1..=5 {
        let record = UnitRecord {
            component_word: word,
            ..turret.clone()
        };
        assert_eq!(record.component_type().map(ComponentType::word), Some(word));
    }
    assert_eq!(
        UnitRecord::new(&"x".repeat(33), "", ComponentType::None),
        None
    );
}

#[test]
fn schemes_have_the_names_of_the_original() {
    assert_eq!(scheme_name(0x8001_0000), Some("Bunker_Small"));
    assert_eq!(scheme_name(0x8000_0400), Some("Institute"));
    assert_eq!(scheme_name(0x0100_8000), Some("Battleunit"));
    assert_eq!(scheme_name(0x2000_0000), Some("ClassAnimal"));
    assert_eq!(scheme_name(1), None);
}

fn with_children(counts: &[u32]) -> UnitDat {
    let record = |n_children: &u32| UnitRecord {
        n_children: *n_children,
        ..UnitRecord::new("a", "b", ComponentType::Part).unwrap()
    };
    UnitDat {
        records: counts.iter().map(record).collect(),
        ..unit()
    }
}

#[test]
fn children_follow_their_parents() {
    let rows: [(&[u32], &[Option<usize>]); 6] = [
        (&[], &[]),
        (&[0], &[None]),
        (&[2, 1, 0, 0], &[None, Some(0), Some(1), Some(0)]),
        (&[1, 2, 0, 0], &[None, Some(0), Some(1), Some(1)]),
        (
            &[3, 0, 1, 0, 0],
            &[None, Some(0), Some(0), Some(2), Some(0)],
        ),
        (&[1, 0, 1, 0], &[None, Some(0), None, Some(2)]),
    ];
    for (counts, parents) in rows {
        assert_eq!(
            with_children(counts).parents().as_deref(),
            Ok(parents),
            "{counts:?}"
        );
    }
}

#[test]
fn children_that_are_missing_are_an_error_at_their_count() {
    let rows: [(&[u32], u64); 4] = [
        (&[1], 8 + 108),
        (&[1, 1], 8 + 112 + 108),
        (&[3, 0, 0], 8 + 108),
        (&[0, u32::MAX, 0], 8 + 112 + 108),
    ];
    for (counts, offset) in rows {
        let error = with_children(counts).parents().unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            ("child count", offset),
            "{counts:?}"
        );
    }
}

fn damage() -> Vec<Damage> {
    let good = unit().write().unwrap();
    let mut longer = good.clone();
    longer.push(0);
    let rows: [(&str, &[u8], &str, u64); 5] = [
        ("no bytes", b"", "magic", 0),
        ("another mark", b"\xF0\xF1\0\0\0\0\0\0", "magic", 0),
        ("a head cut short", b"\xF1\xF0\0\0\0", "scheme type", 4),
        (
            "a record cut short",
            &good[..good.len() - 1],
            "child count",
            8 + 112 + 108,
        ),
        ("a byte too many", &longer, "archive", 8 + 2 * 112),
    ];
    let damaged = rows.map(|(name, bytes, field, offset)| Damage::new(name, bytes, field, offset));
    damaged.into()
}

#[test]
fn a_file_that_is_cut_is_refused_unless_between_records() {
    let good = unit().write().unwrap();
    assert_eq!(good.len(), 8 + 2 * 112);
    for len in 0..good.len() {
        let is_whole = len == 8 || len == 8 + 112;
        assert_eq!(UnitDat::read(&good[..len]).is_ok(), is_whole, "{len}");
    }
}

fn reported(findings: &[Finding]) -> Vec<(Severity, Option<u64>)> {
    findings.iter().map(|f| (f.severity, f.offset)).collect()
}

#[test]
fn broken_rules_are_found() {
    assert_eq!(unit().check(), [], "a description without NUL is legal");
    let mut bad = unit();
    bad.scheme = 7;
    bad.records[0].kind = 2;
    bad.records[0].n_children = 0;
    bad.records[1].component_word = 6;
    bad.records[1].resource_field = [0; 32];
    use Severity::{Error, Note, Warning};
    let second = 8 + 112;
    let expected = [
        (Warning, Some(4)),
        (Warning, Some(second + 104)),
        (Note, Some(8 + 64)),
        (Warning, Some(second)),
        (Warning, Some(second + 108)),
    ];
    assert_eq!(reported(&bad.check()), expected, "{:#?}", bad.check());
    bad = unit();
    bad.records[1].n_children = 1;
    assert_eq!(reported(&bad.check()), [(Error, Some(second + 108))]);
    bad.records.clear();
    assert_eq!(reported(&bad.check()), [(Warning, None)]);
}

prop_compose! {
    fn any_record()(
        texts in any::<[[u8; 32]; 3]>(),
        numbers in any::<[i32; 3]>(),
        n_children in any::<u32>(),
    ) -> UnitRecord {
        let [archive_field, resource_field, description_field] = texts;
        let [kind, attach_idx, component_word] = numbers;
        UnitRecord {
            archive_field, resource_field, kind, attach_idx, description_field, component_word, n_children,
        }
    }
}

prop_compose! {
    fn any_unit()(
        unknown_02 in any::<[u8; 2]>(),
        scheme in any::<u32>(),
        records in prop::collection::vec(any_record(), 0..5),
    ) -> UnitDat {
        UnitDat { unknown_02, scheme, records }
    }
}

proptest! {
    /// Each record has as many children as it says, and a parent stands before its children.
    #[test]
    fn parents_have_their_children(counts in prop::collection::vec(0u32..4, 0..20)) {
        if let Ok(parents) = with_children(&counts).parents() {
            for (idx, count) in counts.iter().enumerate() {
                let n_children = parents.iter().filter(|parent| **parent == Some(idx)).count();
                prop_assert_eq!(n_children, *count as usize);
            }
            prop_assert!(parents.iter().enumerate().all(|(idx, p)| p.is_none_or(|p| p < idx)));
        }
    }
}
