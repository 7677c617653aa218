use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, hex, proof, set32};
use proptest::prelude::*;

use super::*;

proof! {
    Ani {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_ani(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("magic", 4), ("version", 4), ("checksum and name", 68), ("file length", 4)]),
        ],
    }
}

fn hand_typed() -> Vec<u8> {
    let mut file = hex("49 44 41 47 30 00 00 00");
    file.extend([0; 68]);
    file.extend(hex("53 00 00 00 01 02 03"));
    file
}

fn value() -> Ani {
    Ani {
        version: 48,
        unknown_08: [0; 68],
        data: vec![1, 2, 3],
    }
}

fn facts() -> Vec<Fact<Ani>> {
    vec![Fact::new("three bytes of blocks", value(), hand_typed())]
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 3] = [
        (|f| f[3] = b'P', "magic", 0),
        (|f| set32(f, 4, 43), "version", 4),
        (|f| set32(f, 76, 0x54), "file length", 76),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

fn any_ani() -> impl Strategy<Value = Ani> {
    let data = prop::collection::vec(any::<u8>(), 0..40);
    (44..=49_i32, data).prop_map(|(version, data)| Ani {
        version,
        data,
        ..value()
    })
}
