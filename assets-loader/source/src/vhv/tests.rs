use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    assert_refuses_every_truncation, assert_survives_mutations, hex, set32,
};

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

#[test]
fn reader_and_writer_agree_with_the_facts() {
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
    assert_eq!(vhv.write(), Ok(hand_typed()));
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
    let mut file = hand_typed();
    set32(&mut file, 12, 12);
    set32(&mut file, 40 + 4, 1);
    set32(&mut file, MESH_1 + 4, 0);
    let vhv = Vhv::read(&file).unwrap();
    assert_eq!(vhv.n_colors_per_vertex(), 3);
    assert_eq!(vhv.meshes[0].colors.len(), 3);
    assert_eq!(vhv.check().len(), 1, "the header tells of 3 vertices");
    assert_eq!(vhv.write(), Ok(file));
}

/// What is changed, the field that must be named, where it stands.
type Damage = (fn(&mut [u8]), &'static str, usize);

#[test]
fn damage_is_named_where_it_stands() {
    let damages: [Damage; 6] = [
        (|f| set32(f, 0, 1), "version", 0),
        (|f| set32(f, 12, 8), "vertex size", 12),
        (|f| set32(f, 20, 5), "meshes", 20),
        (|f| set32(f, 20, u32::MAX), "meshes", 20),
        (|f| set32(f, 44, 4), "mesh vertex count", 44),
        (
            |f| set32(f, MESH_1 + 8, 1 << 31),
            "mesh vertex count",
            MESH_1 + 4,
        ),
    ];
    for (change, field, offset) in damages {
        let mut file = hand_typed();
        change(&mut file);
        let error = Vhv::read(&file).unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, offset as u64),
            "{error}"
        );
    }
}

#[test]
fn every_truncation_is_refused() {
    assert_refuses_every_truncation(&hand_typed(), |data| Vhv::read(data).map(drop));
}

proptest! {
    #[test]
    fn any_colors_survive_writing(colors in any::<[[u8; 4]; 3]>(), checksum in any::<u32>()) {
        let mut vhv = Vhv::read(&hand_typed()).unwrap();
        vhv.checksum = checksum;
        vhv.meshes[0].colors.copy_from_slice(&[Bgra(colors[0]), Bgra(colors[1])]);
        vhv.meshes[1].colors[0] = Bgra(colors[2]);
        let file = vhv.write().unwrap();
        let again = Vhv::read(&file).unwrap();
        prop_assert_eq!(&again.meshes, &vhv.meshes);
        prop_assert_eq!(again.checksum, checksum);
        prop_assert_eq!(again.write().unwrap(), file);
    }
}

fn survive(runs: u64) {
    assert_survives_mutations(&hand_typed(), runs, 64, |data| {
        let vhv = Vhv::read(data)?;
        assert_eq!(vhv.write().as_deref(), Ok(data));
        vhv.check();
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
