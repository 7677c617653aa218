//! A whole level of one tile, small and valid, for tests that need files which fit together.
#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::new_without_default,
    reason = "fixtures say by their names what they are"
)]

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::build_dat::{BuildDat, Category, Section};
use super::face_mask::FaceFlags;
use super::land_map::{Areal, EdgeLink, LandMap};
use super::land_msh::{
    Face, FaceKey, KEY_FLAGS_BATCH_START, LandMsh, NO_MATERIAL, NONE, Node, Slot, SlotHeader,
};
use super::mat0::{self, Mat0, Phase};
use super::nres::{Entry, NRes};
use super::texm::{self, MipChain, Texm, TexmFormat};
use super::wear::{Wear, WearRow};

const MIN: [f32; 3] = [0.0, 0.0, 0.0];
const MAX: [f32; 3] = [8.0, 8.0, 1.0];

/// A level on disk under a game root; the folder goes when this is dropped.
pub struct SampleLevel {
    pub dir: TempDir,
}

impl SampleLevel {
    /// The files of a faultless level, in retail's layout.
    pub fn new() -> Self {
        let level = Self {
            dir: TempDir::new().unwrap(),
        };
        fs::create_dir_all(level.folder()).unwrap();
        level.put("DATA/MAPS/Map01/Land.msh", &terrain().write().unwrap());
        level.put("DATA/MAPS/Map01/Land.map", &areals().write().unwrap());
        level.put(
            "DATA/MAPS/Map01/Land1.wea",
            &table(&["GRASS", "PATH", "ROCK"], Some("LIGHT.0")),
        );
        level.put("DATA/MAPS/Map01/Land2.wea", &table(&["GRASS"], None));
        let materials = [
            ("DEFAULT", ""),
            ("GRASS", "GRASS.0"),
            ("PATH", "PATH.0"),
            ("ROCK", "ROCK.0"),
        ];
        level.put(
            "Material.lib",
            &library(&materials.map(|(name, texture)| material(name, texture))),
        );
        level.put(
            "Textures.lib",
            &library(&["GRASS.0", "PATH.0", "ROCK.0"].map(texture)),
        );
        level.put("LightMap.lib", &library(&["LIGHT.0"].map(texture)));
        level.put("BuildDat.lst", &build_dat());
        level
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn folder(&self) -> PathBuf {
        self.root().join("DATA/MAPS/Map01")
    }

    pub fn put(&self, name: &str, data: &[u8]) {
        fs::write(self.root().join(name), data).unwrap();
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.root().join(name)).unwrap();
    }
}

/// One tile of two faces, both on row 0, the first with row 1 over it.
pub fn terrain() -> LandMsh {
    let face = |vertices, neighbors, edge_classes, second_material| {
        let face = Face {
            flags: match second_material {
                NO_MATERIAL => FaceFlags::empty(),
                _ => FaceFlags::SECOND_MATERIAL,
            },
            first_material: 0,
            second_material,
            unknown_06: 0xFFFF,
            vertices,
            neighbors,
            normal: [0, 0, 32767],
            edge_class: 0,
            unknown_1b: 0,
        };
        face.with_edge_classes(edge_classes)
    };
    let mut slots = [NONE; 15];
    slots[0] = 0;
    let [x, y, z] = MAX;
    LandMsh {
        cells_x: 1,
        nodes: vec![Node {
            header: [0, NONE, NONE, NONE],
            slots,
        }],
        header: SlotHeader::from_box(MIN, MAX),
        slots: vec![Slot::from_box(0, 2, MIN, MAX)],
        positions: vec![MIN, [x, 0.0, 0.0], [x, y, z], [0.0, y, z]],
        normals: vec![[0, 0, 127, 0]; 4],
        uv0: vec![[0; 2]; 4],
        micro_uv: vec![[0; 2]; 4],
        second_weights: Some(vec![0.0, 1.0, 0.0, 1.0]),
        face_keys: (0..2)
            .map(|face| FaceKey {
                face,
                flags: KEY_FLAGS_BATCH_START,
                unknown_3: 0,
            })
            .collect(),
        faces: vec![
            face([0, 1, 2], [NONE, NONE, 1], [3, 3, 0], 1),
            face([0, 2, 3], [0, NONE, NONE], [2, 3, 3], NO_MATERIAL),
        ],
        container: LandMsh::new_container(),
    }
}

fn areals() -> LandMap {
    let [x, y, _] = MAX;
    let square = Areal {
        anchor: [4.0, 4.0, 0.0],
        reserved_0c: 0.0,
        area_metric: x * y,
        normal: [0.0, 0.0, 1.0],
        logic_flag: 0,
        reserved_24: 0,
        class_id: 0,
        reserved_2c: 0,
        vertices: vec![[0.0; 3], [x, 0.0, 0.0], [x, y, 0.0], [0.0, y, 0.0]],
        edge_links: vec![EdgeLink::NONE; 4],
        polygons: Vec::new(),
    };
    LandMap {
        areals: vec![square],
        cells_x: 1,
        cells_y: 1,
        cells: vec![vec![0]],
        container: LandMap::new_container(),
    }
}

/// A material table of these names.
pub fn table(names: &[&str], lightmap: Option<&str>) -> Vec<u8> {
    let row = |name: &&str| WearRow {
        legacy_id: 0,
        name: name.as_bytes().to_vec(),
    };
    let lightmaps = lightmap.map(|name| vec![row(&name)]);
    Wear::new(names.iter().map(row).collect(), lightmaps)
        .write()
        .unwrap()
}

/// An entry of `Material.lib` with one phase.
pub fn material(name: &str, texture: &str) -> Entry {
    let mut field = [0; 16];
    field[..texture.len()].copy_from_slice(texture.as_bytes());
    let value = Mat0 {
        version: 6,
        class: 0xFF,
        unknown_05: 0xFF,
        speed_factor: 1.0,
        damage_per_sec: 0.0,
        phases: vec![Phase {
            ambient: [0, 0, 0, 100],
            diffuse: [255; 4],
            specular: [0; 4],
            emissive: [0; 4],
            power: 0,
            cell: -1,
            texture: field,
        }],
        tracks: Vec::new(),
    };

    Entry::new(mat0::TYPE_ID, 0, 6, 0, name, value.write().unwrap()).unwrap()
}

fn texture(name: &str) -> Entry {
    let pixels = [0x80; 8 * 8 * 4];
    let value = Texm::from_rgba8(TexmFormat::Rgb565, 8, 8, &pixels, MipChain::Full).unwrap();
    Entry::new(texm::TYPE_ID, 0, 0, 0, name, value.write().unwrap()).unwrap()
}

/// The bytes of an archive.
pub fn library(entries: &[Entry]) -> Vec<u8> {
    NRes::from_entries(entries.to_vec()).write().unwrap()
}

fn build_dat() -> Vec<u8> {
    let section = |category| Section {
        category,
        paths: vec![r"UNITS\BUILDS\a.dat".to_owned()],
    };
    BuildDat::new(Category::ALL.map(section).to_vec())
        .write()
        .unwrap()
}
