use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, hex, proof, set32};
use proptest::prelude::*;

use super::*;
use crate::studio_model::sample::sample_files;

proof! {
    Vvd {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_vvd(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("magic", 4), ("version", 4), ("checksum", 4), ("lod count", 4), ("lod vertex counts", 32), ("fixup count", 4), ("fixups", 4), ("vertices", 4), ("tangents", 4)]),
            RecordPlace::new::<Fixup>(FIXUPS, ()),
            RecordPlace::new::<VvdVertex>(VERTICES, ()),
        ],
    }
}

const FIXUPS: usize = 64;
const VERTICES: usize = FIXUPS + 2 * 12;
const TANGENTS: usize = VERTICES + 2 * 48;

/// Two vertices in two levels of detail: the coarse one has the second only, which the fine one has first.
fn hand_typed() -> Vec<u8> {
    hex("49 44 53 56  04 00 00 00  78 56 34 12  02 00 00 00 \
         02 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
         02 00 00 00  40 00 00 00  58 00 00 00  B8 00 00 00 \
         01 00 00 00 01 00 00 00 01 00 00 00 \
         00 00 00 00 00 00 00 00 01 00 00 00 \
         00 00 80 3F 00 00 00 00 00 00 00 00  01 02 03 01  00 00 80 3F 00 00 00 40 00 00 40 40 \
         00 00 00 00 00 00 00 00 00 00 80 3F  00 00 00 3F 00 00 80 3E \
         00 00 80 3F 00 00 00 00 00 00 00 00  00 00 00 01  00 00 80 BF 00 00 00 C0 00 00 40 C0 \
         00 00 80 3F 00 00 00 00 00 00 00 00  00 00 80 3F 00 00 00 00 \
         00 00 80 3F 00 00 00 00 00 00 00 00 00 00 80 3F \
         00 00 00 00 00 00 80 3F 00 00 00 00 00 00 80 BF")
}

/// The same without fixups and tangents.
fn plain() -> Vec<u8> {
    let mut file = hand_typed();
    set32(&mut file, 48, 0);
    set32(&mut file, 60, 0);
    file.truncate(TANGENTS);
    file
}

fn facts() -> Vec<Fact<Vvd>> {
    vec![
        Fact::from_bytes("two levels of detail", hand_typed()),
        Fact::from_bytes("without fixups and tangents", plain()),
        Fact::from_bytes("the sample model", sample_files().vvd),
    ]
}

#[test]
fn fields_stand_where_the_document_says() {
    let vvd = Vvd::read(&hand_typed()).unwrap();
    assert_eq!((vvd.checksum, vvd.n_lods), (0x1234_5678, 2));
    assert_eq!(vvd.lod_vertex_counts, [2, 1, 0, 0, 0, 0, 0, 0]);
    let fixup = |lod, source_vertex, n_vertices| Fixup {
        lod,
        source_vertex,
        n_vertices,
    };
    assert_eq!(vvd.fixups[..], [fixup(1, 1, 1), fixup(0, 0, 1)]);
    let first = VvdVertex {
        weights: [1.0, 0.0, 0.0],
        bones: [1, 2, 3],
        n_bones: 1,
        position: [1.0, 2.0, 3.0],
        normal: [0.0, 0.0, 1.0],
        uv: [0.5, 0.25],
    };
    assert_eq!(vvd.vertices[0], first);
    assert_eq!(vvd.vertices[1].position, [-1.0, -2.0, -3.0]);
    assert_eq!(
        vvd.tangents[..],
        [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, -1.0]]
    );
    assert_eq!(vvd.vertices_of_lod(0), [1, 0]);
    assert_eq!(vvd.vertices_of_lod(1), [1]);
    assert_eq!(vvd.vertices_of_lod(8), [0; 0]);
    assert_eq!(vvd.check(), []);
}

#[test]
fn a_file_without_fixups_and_tangents_begins_with_what_is_used() {
    let vvd = Vvd::read(&plain()).unwrap();
    assert_eq!(vvd.vertices_of_lod(0), [0, 1]);
    assert_eq!(vvd.vertices_of_lod(1), [0]);
    assert!(vvd.tangents.is_empty());
}

#[test]
fn edits_are_written_where_they_were_read() {
    let mut vvd = Vvd::read(&hand_typed()).unwrap();
    vvd.vertices[1].uv = [2.0, 4.0];
    vvd.checksum = 1;
    let file = vvd.write().unwrap();
    let n_changed = file
        .iter()
        .zip(hand_typed())
        .filter(|(a, b)| **a != *b)
        .count();
    assert_eq!(Vvd::read(&file).unwrap().vertices, vvd.vertices);
    // Four bytes of the checksum, 0x3F80_0000 to 0x4000_0000, 0 to 0x4080_0000.
    assert_eq!(n_changed, 4 + 2 + 2);
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 10] = [
        (|f| f[0] = 0, "magic", 0),
        (|f| set32(f, 4, 5), "version", 4),
        (|f| set32(f, 12, 9), "lod count", 12),
        (|f| set32(f, 16, u32::MAX), "vertices", 16),
        (|f| set32(f, 16, 1 << 30), "vertices", 16),
        (|f| set32(f, 48, 1 << 30), "fixups", 48),
        (|f| set32(f, 52, 4096), "fixups", 48),
        (|f| set32(f, 60, 1 << 31), "tangents", 16),
        (|f| set32(f, FIXUPS + 4, 2), "fixup", 64),
        (|f| set32(f, FIXUPS + 20, 2), "fixup", 64 + 12),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

#[test]
fn wrong_counts_of_levels_are_found() {
    let mut file = hand_typed();
    set32(&mut file, 20, 2);
    assert_eq!(Vvd::read(&file).unwrap().check().len(), 1);
}

/// Vertices are changed, never added: a file keeps its tables where they are.
fn any_vvd() -> impl Strategy<Value = Vvd> {
    let position = prop::array::uniform3(prop::num::f32::NORMAL);
    let uv = prop::array::uniform2(prop::num::f32::NORMAL);
    (position, uv, any::<[u8; 3]>()).prop_map(|(position, uv, bones)| {
        let mut vvd = Vvd::read(&hand_typed()).unwrap();
        vvd.vertices[0] = VvdVertex {
            position,
            uv,
            bones,
            ..vvd.vertices[0]
        };
        vvd.image = vvd.write().unwrap();
        vvd
    })
}
