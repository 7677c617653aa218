use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, hex, proof, set32};
use proptest::prelude::*;

use super::*;

proof! {
    Vhv {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_vhv(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("version", 4), ("checksum", 4), ("vertex flags", 4), ("vertex size", 4), ("vertex count", 4), ("mesh count", 4), ("header", 16)]),
            RecordPlace::from_fields(40, [("mesh lod", 4), ("mesh vertex count", 4), ("mesh offset", 4), ("mesh", 16)]),
        ],
    }
}

const MESH_1: usize = 40 + 28;

/// Two meshes of two vertices and one, of two levels of detail.
fn hand_typed() -> Vec<u8> {
    hex(
        "02 00 00 00 78 56 34 12 04 00 00 00 04 00 00 00 03 00 00 00 02 00 00 00 \
         00 00 00 00 00 00 00 00 00 00 00 00 0D 00 00 00 \
         00 00 00 00 02 00 00 00 60 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
         01 00 00 00 01 00 00 00 68 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 \
         10 20 30 FF 40 50 60 FE \
         70 80 90 FD",
    )
}

/// The same with three colors a vertex: one vertex and none.
fn three_colors() -> Vec<u8> {
    let mut file = hand_typed();
    set32(&mut file, 12, 12);
    set32(&mut file, 40 + 4, 1);
    set32(&mut file, MESH_1 + 4, 0);
    file
}

fn facts() -> Vec<Fact<Vhv>> {
    vec![
        Fact::from_bytes("one color a vertex", hand_typed()),
        Fact::from_bytes("three colors a vertex", three_colors()),
    ]
}

#[test]
fn fields_stand_where_the_document_says() {
    let vhv = Vhv::read(&hand_typed()).unwrap();
    assert_eq!(vhv.checksum, 0x1234_5678);
    assert_eq!((vhv.vertex_flags, vhv.n_vertices), (4, 3));
    assert_eq!(vhv.unknown_18[12], 0x0D);
    assert_eq!(vhv.n_colors_per_vertex(), 1);
    let [first, second] = &vhv.meshes[..] else {
        panic!("two meshes");
    };
    assert_eq!((first.lod, second.lod), (0, 1));
    let colors = [
        Bgra([0x10, 0x20, 0x30, 0xFF]),
        Bgra([0x40, 0x50, 0x60, 0xFE]),
    ];
    assert_eq!(first.colors[..], colors);
    assert_eq!(second.colors[..], [Bgra([0x70, 0x80, 0x90, 0xFD])]);
    assert_eq!((first.unknown_0c[0], second.unknown_0c[15]), (1, 2));
    assert_eq!(vhv.check(), []);
}

#[test]
fn colors_are_linear_light() {
    let [r, g, b] = Bgra([0, 255, 51, 9]).linear();
    assert!((r - 0.4_f32.powf(2.2)).abs() < 1e-6);
    assert!((g - 2.0_f32.powf(2.2)).abs() < 1e-5);
    assert_eq!(b, 0.0);
}

#[test]
fn three_colors_a_vertex_are_read_together() {
    let vhv = Vhv::read(&three_colors()).unwrap();
    assert_eq!(vhv.n_colors_per_vertex(), 3);
    assert_eq!(vhv.meshes[0].colors.len(), 3);
    assert_eq!(vhv.check().len(), 1, "the header states 3 vertices");
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 6] = [
        (|f| set32(f, 0, 1), "version", 0),
        (|f| set32(f, 12, 8), "vertex size", 12),
        (|f| set32(f, 20, 5), "meshes", 20),
        (|f| set32(f, 20, u32::MAX), "meshes", 20),
        (|f| set32(f, 44, 4), "mesh vertex count", 44),
        (
            |f| set32(f, MESH_1 + 8, 1 << 31),
            "mesh vertex count",
            MESH_1 as u64 + 4,
        ),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

/// Colors are changed, never added: a file keeps its tables where they are.
fn any_vhv() -> impl Strategy<Value = Vhv> {
    any::<([[u8; 4]; 3], u32)>().prop_map(|(colors, checksum)| {
        let mut vhv = Vhv::read(&hand_typed()).unwrap();
        vhv.checksum = checksum;
        let [first, second, third] = colors.map(Bgra);
        vhv.meshes[0].colors.copy_from_slice(&[first, second]);
        vhv.meshes[1].colors[0] = third;
        vhv.image = vhv.write().unwrap();
        vhv
    })
}
