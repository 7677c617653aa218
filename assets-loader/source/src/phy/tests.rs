use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, hex, proof, set32};
use proptest::prelude::*;

use super::*;
use crate::collision::sample::tetrahedron;

proof! {
    Phy {
        facts: facts(),
        damage: damage(),
        // Nothing says how long the text is; a file may have none.
        truncations: Truncations::RefusedBeyond(6),
        values: any_phy(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("header size", 4), ("id", 4), ("solid count", 4), ("checksum", 4), ("solid size", 4)]),
        ],
    }
}

/// Two solids of four bytes and of none, then text.
fn hand_typed() -> Vec<u8> {
    hex("10 00 00 00 00 00 00 00 02 00 00 00 78 56 34 12 \
         04 00 00 00 56 50 48 59 \
         00 00 00 00 \
         73 6F 6C 69 64 00")
}

fn value() -> Phy {
    Phy {
        unknown_04: 0,
        checksum: 0x1234_5678,
        solids: vec![b"VPHY".to_vec(), Vec::new()],
        text: b"solid\0".to_vec(),
    }
}

fn facts() -> Vec<Fact<Phy>> {
    vec![Fact::new("two solids and text", value(), hand_typed())]
}

#[test]
fn usual_files_have_no_findings() {
    let usual = Phy {
        solids: vec![tetrahedron(0x100), tetrahedron(0x101)],
        ..value()
    };
    assert_eq!(usual.check(), []);
    // Neither of these is a solid.
    assert_eq!(value().check().len(), 2);
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 4] = [
        (|f| set32(f, 0, 20), "header size", 0),
        (|f| set32(f, 8, u32::MAX), "solid count", 8),
        (|f| set32(f, 16, u32::MAX), "solid size", 16),
        (|f| set32(f, 24, 7), "solid size", 24),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

#[test]
fn every_truncation_is_refused_or_found() {
    let whole = hand_typed();
    for len in 0..whole.len() {
        match Phy::read(&whole[..len]) {
            Err(_) => {}
            // Nothing says how long the text is; a file may have none.
            Ok(phy) => {
                let findings = phy.check();
                let is_found = findings.iter().any(|it| it.message.contains("NUL"));
                assert!(phy.text.is_empty() || is_found, "{len}");
            }
        }
    }
}

fn any_phy() -> impl Strategy<Value = Phy> {
    let solids = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 0..4);
    let text = prop::collection::vec(any::<u8>(), 0..9);
    (any::<[u32; 2]>(), solids, text).prop_map(|(numbers, solids, text)| Phy {
        unknown_04: numbers[0],
        checksum: numbers[1],
        solids,
        text,
    })
}
