//! The committed garden keeps the rules of its format and has what it promises.

use std::path::Path;

use ironlands_assets_source::bsp::game_lump::{DetailObject, GameLump};
use ironlands_assets_source::bsp::{BspFile, FaceSet, LumpId, Map};
use ironlands_assets_source::color_lookup::ColorLookup;
use ironlands_assets_source::lightmap::light_blocks;
use ironlands_assets_source::pakfile::Pakfile;

fn file() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA/SOURCE/garden.bsp");
    std::fs::read(path).unwrap()
}

#[test]
fn the_garden_breaks_no_rule_and_is_small() {
    let bytes = file();
    assert!(bytes.len() < 512_000, "{}", bytes.len());
    let map = Map::read(&BspFile::read(&bytes).unwrap()).unwrap();
    assert_eq!(map.check(), []);
    assert!(map.check_limits(20).is_empty());
    for set in [FaceSet::Ldr, FaceSet::Hdr] {
        let (blocks, _, findings) = light_blocks(&map, set);
        assert_eq!(findings, []);
        assert!(blocks.iter().flatten().count() > 20, "{set:?}");
    }
}

#[test]
fn it_has_detail_props_of_all_kinds_in_leaves_that_hold_them() {
    let bsp = BspFile::read(&file()).unwrap();
    let map = Map::read(&bsp).unwrap();
    let lump = GameLump::read(
        bsp.lump(LumpId::GameLump),
        bsp.lump_offset(LumpId::GameLump).into(),
    )
    .unwrap();
    let detail = lump.detail_props().unwrap().unwrap();
    for kind in [
        DetailObject::MODEL,
        DetailObject::SPRITE,
        DetailObject::CROSS,
        DetailObject::TRIANGLE,
    ] {
        let n = detail.objects.iter().filter(|it| it.kind == kind).count();
        assert!(n >= 3, "{n} of kind {kind}");
    }
    for object in &detail.objects {
        let leaf = &map.leaves[usize::from(object.leaf)];
        for axis in 0..3 {
            let place = object.origin[axis] + if axis == 2 { 1.0 } else { 0.0 };
            let range = leaf.mins[axis] - 1.0..=leaf.maxs[axis] + 1.0;
            assert!(range.contains(&place), "{object:?} in {leaf:?}");
        }
    }
}

#[test]
fn its_table_of_colors_is_one() {
    let bsp = BspFile::read(&file()).unwrap();
    let pakfile = Pakfile::read(bsp.lump(LumpId::Pakfile)).unwrap();
    let table = pakfile.open("materials/correction/evening.raw").unwrap();
    let table = ColorLookup::read(&table.unwrap()).unwrap();
    assert_eq!(table.check(), []);
}
