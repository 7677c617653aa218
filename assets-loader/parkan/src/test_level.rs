//! A small level, built by our writers: what the tests of everything above the formats share.
#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::new_without_default,
    reason = "fixtures say by their names what they are"
)]

use std::path::{Path, PathBuf};

use super::build_dat::{BuildDat, Category, Section};
use super::face_mask::FaceFlags;
use super::land_map::{Areal, EdgeLink, LandMap};
use super::land_msh::{
    Face, FaceKey, KEY_FLAGS, KEY_FLAGS_BATCH_START, LandMsh, NO_MATERIAL, NONE, Node, Slot,
    SlotHeader, pack_uv,
};
use super::mat0::{Mat0, Phase, Track, TrackKey};
use super::msh::{DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft, Msh};
use super::nres::{Entry, NRes};
use super::texm::{MipChain, Texm, TexmFormat};
use super::wear::{Wear, WearRow};
use ironlands_assets_core::text::fixed_name;

/// Tiles in x and in y.
pub const TILES: usize = 3;
/// World units of a tile.
pub const TILE_SIZE: f32 = 32.0;
/// Quads along a tile at the finest; the coarse level is one quad.
const QUADS: usize = 2;
/// Vertices along the level.
pub const SIDE: usize = TILES * QUADS + 1;
/// Faces of a tile at the finest.
pub const FINE_FACES: usize = QUADS * QUADS * 2;
/// Texture repeats per world unit.
pub const UV_PER_UNIT: f32 = 0.125;

/// Rows of both tables that [`TestLevel`] has.
pub const GRASS: u8 = 1;
pub const WATER: u8 = 2;
pub const EDGE: u8 = 3;

/// Ground of 3 x 3 tiles of grass with heights in world units, without second materials and flags.
pub fn land(height: impl Fn(f32, f32) -> f32) -> LandMsh {
    let step = TILE_SIZE / QUADS as f32;
    let positions: Vec<[f32; 3]> = (0..SIDE * SIDE)
        .map(|vertex| {
            let (x, y) = ((vertex / SIDE) as f32 * step, (vertex % SIDE) as f32 * step);
            [x, y, height(x, y)]
        })
        .collect();
    let mut land = LandMsh {
        cells_x: TILES as u32,
        nodes: Vec::new(),
        header: SlotHeader::from_box([0.0; 3], [0.0; 3]),
        slots: Vec::new(),
        normals: vec![[0, 0, 127, 0]; positions.len()],
        uv0: positions
            .iter()
            .map(|[x, y, _]| pack_uv([x * UV_PER_UNIT, y * UV_PER_UNIT]))
            .collect(),
        micro_uv: vec![[512, 256]; positions.len()],
        second_weights: None,
        face_keys: Vec::new(),
        faces: Vec::new(),
        container: LandMsh::new_container(),
        positions,
    };
    for quads_per_tile in [QUADS, 1] {
        for tile in 0..TILES * TILES {
            add_slot(&mut land, tile, quads_per_tile);
        }
    }
    for tile in 0..(TILES * TILES) as u16 {
        let mut slots = [NONE; 15];
        slots[0] = tile;
        slots[1] = (TILES * TILES) as u16 + tile;
        land.nodes.push(Node {
            header: [0, NONE, NONE, NONE],
            slots,
        });
    }
    land.recompute_bounds();
    land
}

fn add_slot(land: &mut LandMsh, tile: usize, quads_per_tile: usize) {
    let first = land.faces.len();
    let stride = QUADS / quads_per_tile;
    let corner = [(tile / TILES) * QUADS, (tile % TILES) * QUADS];
    for quad in 0..quads_per_tile * quads_per_tile {
        let x = corner[0] + quad / quads_per_tile * stride;
        let y = corner[1] + quad % quads_per_tile * stride;
        let vertex = |dx: usize, dy: usize| ((x + dx * stride) * SIDE + y + dy * stride) as u16;
        for vertices in [
            [vertex(0, 0), vertex(1, 0), vertex(1, 1)],
            [vertex(0, 0), vertex(1, 1), vertex(0, 1)],
        ] {
            let key = land.faces.len();
            let flags = if key == first {
                KEY_FLAGS_BATCH_START
            } else {
                KEY_FLAGS
            };
            land.face_keys.push(FaceKey {
                face: key as u16,
                flags,
                unknown_3: 0,
            });
            land.faces.push(Face {
                flags: FaceFlags::empty(),
                first_material: GRASS,
                second_material: NO_MATERIAL,
                unknown_06: NONE,
                vertices,
                neighbors: [NONE; 3],
                normal: [0, 0, 32767],
                edge_class: 0x3F,
                unknown_1b: 0,
            });
        }
    }
    let n_faces = (land.faces.len() - first) as u16;
    // The bounds follow when all vertices are known.
    land.slots
        .push(Slot::from_box(first as u16, n_faces, [0.0; 3], [0.0; 3]));
}

/// Changes the faces of a tile at both levels of detail.
pub fn edit_tile(land: &mut LandMsh, tile: usize, edit: impl Fn(&mut Face)) {
    for lod in 0..2 {
        let slot = *land.tile_slot(tile, lod).unwrap();
        let range = land.slot_face_range(&slot);
        land.faces[range].iter_mut().for_each(&edit);
    }
}

/// A material of one phase with a texture; empty = none.
pub fn material(texture: &str) -> Mat0 {
    Mat0 {
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
            texture: fixed_name(texture.as_bytes(), 16).unwrap(),
        }],
        tracks: Vec::new(),
    }
}

/// A track with this head, of phases and when they end.
pub fn track(head: u32, keys: &[(u16, u16)]) -> Track {
    let keys = keys.iter().map(|&(phase, end_ms)| TrackKey {
        phase,
        end_ms,
        unknown_4: 0,
    });
    Track {
        head,
        keys: keys.collect(),
    }
}

/// A square areal of 8 x 8 units at height 0; `links` are those of its lower, right, upper and left edge.
pub fn areal(corner: [f32; 2], class_id: u32, links: [EdgeLink; 4]) -> Areal {
    let [x, y] = corner;
    Areal {
        anchor: [x + 4.0, y + 4.0, 0.0],
        reserved_0c: 0.0,
        area_metric: 64.0,
        normal: [0.0, 0.0, 1.0],
        logic_flag: 0,
        reserved_24: 0,
        class_id,
        reserved_2c: 0,
        vertices: vec![
            [x, y, 0.0],
            [x + 8.0, y, 0.0],
            [x + 8.0, y + 8.0, 0.0],
            [x, y + 8.0, 0.0],
        ],
        edge_links: links.to_vec(),
        polygons: Vec::new(),
    }
}

/// An areal map of one cell.
pub fn land_map(areals: Vec<Areal>) -> LandMap {
    LandMap {
        cells_x: 1,
        cells_y: 1,
        cells: vec![(0..areals.len() as u16).collect()],
        container: LandMap::new_container(),
        areals,
    }
}

/// A whole level with its game root, as files.
pub struct TestLevel {
    pub land: LandMsh,
    pub map: LandMap,
    pub surfaces: Wear,
    pub microtextures: Wear,
    pub materials: Vec<(&'static str, Mat0)>,
    pub textures: Vec<(&'static str, Texm)>,
}

impl TestLevel {
    /// Tile 4 in the middle has a second material; the last column of tiles is water at height 0.
    pub fn new() -> Self {
        let mut land = land(|x, y| if x >= 64.0 { 0.0 } else { 10.0 + 0.1 * y });
        edit_tile(&mut land, 4, |face| {
            face.second_material = EDGE;
            face.flags = FaceFlags::SECOND_MATERIAL;
        });
        for tile in 6..9 {
            edit_tile(&mut land, tile, |face| {
                face.first_material = WATER;
                face.flags = FaceFlags::WATER;
            });
        }
        let gray = |format, alpha| {
            let pixels = [128, 128, 128, alpha].repeat(16);
            Texm::from_rgba8(format, 4, 4, &pixels, MipChain::Full).unwrap()
        };
        let mut water = material("WATER.0");
        water.phases[0].ambient[3] = 50;
        Self {
            land,
            map: land_map(vec![areal([0.0; 2], 1, [EdgeLink::NONE; 4])]),
            surfaces: wear(&["DEFAULT", "GRASS", "WATER", "EDGE"]),
            microtextures: wear(&["DEFAULT", "GRASS", "WATER", "EDGE"]),
            materials: vec![
                ("DEFAULT", material("")),
                ("EDGE", material("EDGE.0")),
                ("GRASS", material("GRASS.0")),
                ("WATER", water),
            ],
            textures: vec![
                ("EDGE.0", gray(TexmFormat::Argb4444, 128)),
                ("GRASS.0", gray(TexmFormat::Rgb565, 255)),
                ("WATER.0", gray(TexmFormat::Argb8888, 255)),
            ],
        }
    }

    /// Writes `DATA/MAPS/Map01` and the libraries beside `DATA`; the level's folder.
    pub fn write(&self, root: &Path) -> PathBuf {
        let folder = root.join("DATA/MAPS/Map01");
        std::fs::create_dir_all(&folder).unwrap();
        let put = |path: PathBuf, bytes: Vec<u8>| std::fs::write(path, bytes).unwrap();
        put(folder.join("Land.msh"), self.land.write().unwrap());
        put(folder.join("Land.map"), self.map.write().unwrap());
        put(folder.join("Land1.wea"), self.surfaces.write().unwrap());
        put(
            folder.join("Land2.wea"),
            self.microtextures.write().unwrap(),
        );
        let materials = self.materials.iter().map(|(name, material)| {
            entry(*b"MAT0", material.version, name, material.write().unwrap())
        });
        put(root.join("Material.lib"), library(materials));
        let textures = self
            .textures
            .iter()
            .map(|(name, texm)| entry(*b"Texm", 0, name, texm.write().unwrap()));
        put(root.join("Textures.lib"), library(textures));
        let sections = Category::ALL.map(|category| Section {
            category,
            paths: Vec::new(),
        });
        let build_dat = BuildDat::new(sections.to_vec());
        put(root.join("BuildDat.lst"), build_dat.write().unwrap());
        folder
    }
}

/// A model of one triangle.
pub fn triangle() -> Msh {
    let corner = |x: f32, y: f32| DraftVertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..DraftVertex::default()
    };
    let batch = DraftBatch {
        triangles: vec![[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]],
        ..DraftBatch::default()
    };
    let piece = DraftPiece {
        batches: vec![batch],
        ..DraftPiece::default()
    };
    let key = DraftKey {
        time: 0.0,
        position: [0.0; 3],
        rotation: [1.0, 0.0, 0.0, 0.0],
    };
    let node = DraftNode {
        keys: vec![key],
        pieces: vec![piece],
        ..DraftNode::default()
    };
    ModelDraft {
        nodes: vec![node],
        ..ModelDraft::default()
    }
    .build()
    .unwrap()
}

pub fn wear(names: &[&str]) -> Wear {
    let rows = (0..).zip(names).map(|(legacy_id, name)| WearRow {
        legacy_id,
        name: name.as_bytes().to_vec(),
    });
    Wear::new(rows.collect(), None)
}

pub fn entry(fourcc: [u8; 4], attr2: u32, name: &str, data: Vec<u8>) -> Entry {
    Entry::new(u32::from_le_bytes(fourcc), 0, attr2, 0, name, data).unwrap()
}

pub fn library(entries: impl Iterator<Item = Entry>) -> Vec<u8> {
    NRes::from_entries(entries.collect()).write().unwrap()
}
