use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, proof};
use proptest::prelude::*;

use super::*;
use crate::bsp::BspFile;

proof! {
    PatchFile {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_patch(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("lump offset", 4), ("lump id", 4), ("lump version", 4), ("lump length", 4), ("map revision", 4)]),
        ],
    }
}

const TYPED: &[u8] = b"\x14\0\0\0\x00\0\0\0\x03\0\0\0\x05\0\0\0\x2A\0\0\0{}\n\n\0";

fn typed() -> PatchFile {
    PatchFile {
        id: LumpId::Entities,
        version: 3,
        map_revision: 42,
        data: b"{}\n\n\0".to_vec(),
    }
}

fn facts() -> Vec<Fact<PatchFile>> {
    vec![Fact::new("entities", typed(), TYPED)]
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 3] = [
        (|f| f[0] = 1, "lump offset", 0),
        (|f| f[5] = 1, "lump id", 4),
        (|f| f[13] = 1, "lump", 20),
    ];
    Damage::from_changes(TYPED, changes)
}

fn any_patch() -> impl Strategy<Value = PatchFile> {
    let id = prop::sample::select(LumpId::ALL.as_slice());
    let data = prop::collection::vec(any::<u8>(), 0..40);
    (id, any::<(u32, i32)>(), data).prop_map(|(id, (version, map_revision), data)| PatchFile {
        id,
        version,
        map_revision,
        data,
    })
}

#[test]
fn patch_files_replace_a_lump_of_their_revision() {
    let patch = typed();
    let mut file = BspFile::new(20);
    file.map_revision = 42;
    file.apply(patch.clone()).unwrap();
    assert_eq!(file.lump(LumpId::Entities), patch.data);
    assert_eq!(file.lump_version(LumpId::Entities), 3);
    file.map_revision = 41;
    let error = file.apply(patch).unwrap_err();
    assert_eq!((error.field.as_ref(), error.offset), ("map revision", 16));
}
