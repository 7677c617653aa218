//! The committed yard of materials keeps the rules of its format and shows what it promises.

use std::collections::BTreeSet;
use std::path::Path;

use ironlands_assets_source::bsp::{BspFile, FaceSet, LumpId, Map};
use ironlands_assets_source::lightmap::light_blocks;
use ironlands_assets_source::pakfile::Pakfile;
use ironlands_assets_source::vmt::material_path;
use ironlands_assets_source::vtf::Vtf;

/// The only material that is meant to be missing.
const LOST: &str = "shading/lost_glass";

fn file() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA/SOURCE/shading.bsp");
    std::fs::read(path).unwrap()
}

#[test]
fn the_yard_breaks_no_rule_and_is_small() {
    let bytes = file();
    assert!(bytes.len() < 2_000_000, "{}", bytes.len());
    let map = Map::read(&BspFile::read(&bytes).unwrap()).unwrap();
    assert_eq!(map.check(), []);
    assert!(map.check_limits(19).is_empty());
    let (blocks, _, findings) = light_blocks(&map, FaceSet::Ldr);
    assert_eq!(findings, []);
    let with_directions = blocks.iter().flatten().filter(|it| it.n_planes == 4);
    assert!(with_directions.count() >= 4, "panels with bump maps");
}

#[test]
fn its_pakfile_has_all_materials_but_the_lost_one_and_a_cubemap_for_each_place() {
    let bsp = BspFile::read(&file()).unwrap();
    let map = Map::read(&bsp).unwrap();
    let pakfile = Pakfile::read(bsp.lump(LumpId::Pakfile)).unwrap();
    let used = (0..map.texinfos.len() as i32).filter_map(|it| map.texture_name(it));
    let used: BTreeSet<String> = used.map(|it| it.into_owned()).collect();
    let missing: Vec<_> = used
        .iter()
        .filter(|name| !name.starts_with("tools/") && pakfile.find(&material_path(name)).is_none())
        .collect();
    assert_eq!(missing, [LOST]);
    assert_eq!(map.cubemaps.len(), 2);
    for cubemap in &map.cubemaps {
        let [x, y, z] = cubemap.origin;
        let path = format!("materials/maps/shading/c{x}_{y}_{z}.vtf");
        let texture = Vtf::read(&pakfile.open(&path).unwrap().unwrap()).unwrap();
        assert_eq!((texture.n_faces(), texture.width), (6, 32));
        for face in 0..6 {
            let pixels = texture.decode_rgba8(0, 0, face).unwrap();
            assert!(
                pixels.iter().any(|it| *it > 60 && *it < 255),
                "{path}: {face}"
            );
        }
    }
}
