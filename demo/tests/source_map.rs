//! The compiled demo map keeps the rules of its format, and what its tree, its sight and its light say is true of the
//! brushes that it was made from.

#[path = "source_map/brushes.rs"]
mod brushes;
#[path = "source_map/light.rs"]
mod light;
#[path = "source_map/sight.rs"]
mod sight;

use std::sync::OnceLock;

use ironlands_assets_source::bsp::{BspFile, LumpId, Map};
use ironlands_assets_source::pakfile::Pakfile;
use ironlands_demo::source_map;

type Vec3 = [f64; 3];

/// The demo map as it comes out of its file.
fn demo_map() -> &'static Map {
    static MAP: OnceLock<Map> = OnceLock::new();
    MAP.get_or_init(|| Map::read(&demo_file()).unwrap())
}

fn demo_file() -> BspFile {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| source_map::demo_file().unwrap());
    BspFile::read(bytes).unwrap()
}

/// Numbers from 0 to 1 without a pattern.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 24)
    }

    /// A point in a box.
    fn point(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        [0, 1, 2].map(|k| low[k] + (high[k] - low[k]) * self.unit())
    }
}

#[test]
fn demo_map_breaks_no_rule_of_the_format() {
    assert_eq!(demo_map().check(), []);
    assert!(demo_map().check_limits(19).is_empty());
}

#[test]
fn demo_map_has_what_a_newcomer_should_see() {
    let map = demo_map();
    assert_eq!(demo_file().version, 19);
    assert_eq!(
        map.models.len(),
        6,
        "the world, a trigger, a gate, a lift and two buttons"
    );
    assert_eq!(
        map.areas.len(),
        4,
        "solid, the level, the 3D skybox and the store"
    );
    assert_eq!(map.area_portals.len(), 3, "none, and both sides of one");
    assert_eq!(map.disp_infos.len(), 5);
    assert_eq!(map.leaf_water.len(), 1);
    assert_eq!(map.leaf_water[0].surface_z, -12.0);
    let has_style = |style: u8| map.faces.iter().any(|face| face.styles.contains(&style));
    assert!(has_style(6) && has_style(10), "two lights are not steady");
    assert!(has_style(32), "one is switched");
    let n_tessellated = map
        .faces
        .iter()
        .filter(|face| face.n_primitives > 0)
        .count();
    assert!(
        n_tessellated > 50,
        "{n_tessellated} faces have straight corners"
    );
}

#[test]
fn every_texture_of_a_drawn_face_is_in_the_pakfile() {
    let map = demo_map();
    let pak = Pakfile::read(demo_file().lump(LumpId::Pakfile)).unwrap();
    let mut names: Vec<String> = Vec::new();
    for face in &map.faces {
        let flags = map.texinfos[face.texinfo as usize].flags;
        if ironlands_assets_source::bsp::SurfaceFlags::from_bits_retain(flags).is_visible() {
            names.push(map.texture_name(face.texinfo).unwrap().into_owned());
        }
    }
    names.sort();
    names.dedup();
    assert!(names.len() >= 14, "{names:?}");
    for name in names {
        let material = pak.open(&format!("materials/{name}.vmt")).unwrap();
        let text = String::from_utf8(material.unwrap_or_else(|| panic!("{name}"))).unwrap();
        let textures = text.lines().filter(|line| line.contains("$basetexture"));
        for line in textures {
            let texture = line.split('"').nth(3).unwrap();
            assert!(
                pak.find(&format!("materials/{texture}.vtf")).is_some(),
                "{texture}"
            );
        }
    }
    for side in ["rt", "lf", "bk", "ft", "up", "dn"] {
        let name = format!("materials/skybox/demo_day{side}.vtf");
        assert!(pak.find(&name).is_some(), "{name}");
    }
}
