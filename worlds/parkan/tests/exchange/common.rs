//! A small model that has something of everything.

use ironlands_assets_parkan::msh::{
    Batch, BatchFlags, Msh, NONE, Node, NodeFlags, NodeTable, Slot, SlotHeader,
};
use ironlands_assets_parkan::msh_animation::{AnimKey, MshAnimation};
use ironlands_assets_parkan::nres::NRes;
use ironlands_assets_parkan::wear::{Wear, WearRow};
use ironlands_scene::{
    Addressing, Blend, Material, MaterialIdx, Pass, PassKind, PixelFormat, Texture, TextureIdx,
};
use ironlands_world_parkan::exchange::ModelSource;

/// A model and its look.
pub struct Walker {
    pub msh: Msh,
    pub wear: Wear,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
}

/// The names of the WEAR rows: an opaque one that shines, one with holes, one that is seen through.
pub const ROWS: [&str; 3] = ["HULL", "GRATE", "GLASS"];

const ROWS_OF_MATERIALS: [MaterialIdx; 3] = [MaterialIdx(0), MaterialIdx(1), MaterialIdx(2)];

impl Walker {
    pub fn source(&self) -> ModelSource<'_> {
        ModelSource {
            name: "walker",
            msh: &self.msh,
            wear: Some(&self.wear),
            rows: &ROWS_OF_MATERIALS,
            materials: &self.materials,
            textures: &self.textures,
        }
    }
}

/// Three nodes: `base` stands, `arm` moves on it, and a socket without a name hangs on the arm. The base has a quad
/// of two batches, a coarser triangle at LOD 1 and the arm's triangle when destroyed; the arm shows nothing then.
pub fn walker() -> Walker {
    let row = |name: &str| WearRow {
        legacy_id: 0,
        name: name.as_bytes().to_vec(),
    };
    Walker {
        msh: msh(),
        wear: Wear::new(ROWS.map(row).to_vec(), Some(vec![row("LIGHT")])),
        materials: materials(),
        textures: vec![
            texture("HULL.0", [200, 40, 40, 255]),
            texture("GRATE.0", [40, 200, 40, 0]),
        ],
    }
}

fn materials() -> Vec<Material> {
    let material = |name: &str, pass| Material {
        name: name.to_owned(),
        passes: vec![pass],
    };
    let hull = Pass {
        texture: Some(TextureIdx(0)),
        diffuse: [0.5, 1.0, 1.0, 1.0],
        emissive: [0.25, 0.0, 0.0],
        ..Pass::default()
    };
    let grate = Pass {
        texture: Some(TextureIdx(1)),
        alpha_test: Some(0.5),
        ..Pass::default()
    };
    let glass = Pass {
        kind: PassKind::Translucent,
        texture: Some(TextureIdx(1)),
        diffuse: [1.0, 1.0, 1.0, 0.5],
        blend: Some(Blend::ALPHA),
        depth_write: false,
        ..Pass::default()
    };
    vec![
        material("hull", hull),
        material("grate", grate),
        material("glass", glass),
    ]
}

fn texture(name: &str, color: [u8; 4]) -> Texture {
    Texture {
        format: PixelFormat::Rgba8,
        n_layers: 1,
        name: name.to_owned(),
        width: 4,
        height: 2,
        mips: vec![color.repeat(8)],
        addressing: Addressing::Repeat,
    }
}

fn msh() -> Msh {
    let slot = |batch_start, batch_count| Slot {
        batch_start,
        batch_count,
        ..Slot::from_box(0, 0, [0.0; 3], [2.0, 2.0, 1.0])
    };
    let batch = |flags, wear_row, index_start, base_vertex| Batch {
        flags,
        material_02: 0,
        wear_row,
        lightmap_row: 0,
        beyond_portal: NONE,
        index_count: 3,
        index_start,
        n_vertices: if matches!(index_start, 3 | 6) { 4 } else { 3 },
        base_vertex,
    };
    let node = |parent, map_start, fallback_key, words: &[(usize, u16)]| {
        let mut slots = [NONE; 15];
        words.iter().for_each(|(at, slot)| slots[*at] = *slot);
        Node {
            flags: NodeFlags::NO_SHADOW,
            parent,
            map_start,
            fallback_key,
            slots,
        }
    };
    let lit = BatchFlags::LIGHTMAP | BatchFlags::TWO_SIDED;
    let mut msh = Msh {
        nodes: NodeTable::Nodes(vec![
            node(NONE, NONE, 0, &[(0, 0), (1, 1), (5, 2)]),
            node(0, 0, 3, &[(0, 2), (5, 3)]),
            node(1, NONE, 4, &[]),
        ]),
        header: SlotHeader::from_box([0.0; 3], [2.0, 2.0, 6.0]),
        slots: vec![slot(0, 2), slot(2, 1), slot(3, 1), slot(0, 0)],
        positions: vec![
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.25],
            [2.0, 2.0, 0.0],
            [0.0, 2.0, 0.1],
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
        ],
        normals: Some(vec![
            [0, 0, 127, 0],
            [73, 73, 74, 0],
            [-128, 0, 0, 0],
            [0; 4],
            [0, -127, 0, 0],
            [0, -127, 0, 0],
            [0, -127, 0, 0],
        ]),
        uv0: Some((0..7).map(|k| [k * 300, 1024 - k * 100]).collect()),
        indices: vec![0, 1, 2, 0, 2, 3, 0, 1, 3, 0, 1, 2],
        triangles: None,
        animation: animation(),
        names: Some(vec![b"base".to_vec(), b"\xD0\xF3\xEA\xE0".to_vec(), vec![]]),
        batches: vec![
            batch(lit, 0, 0, 0),
            batch(BatchFlags::empty(), 1, 3, 0),
            batch(lit, 0, 6, 0),
            batch(BatchFlags::MATERIAL_PHASES, 2, 9, 4),
        ],
        unknown_15: None,
        tangents: None,
        // Only the first four vertices have a lightmap.
        lightmap_uv: Some(
            (0..7)
                .map(|k| match k {
                    0..4 => [256 + k * 9, 512 + k],
                    _ => [0; 2],
                })
                .collect(),
        ),
        probes: None,
        container: NRes::new(),
        quaternions: None,
    };
    msh.recompute_slot_bounds();
    msh
}

/// The arm turns a quarter about +Z in two frames and rises in three more.
fn animation() -> MshAnimation {
    let key = |position, time, rotation| AnimKey {
        position,
        time,
        rotation,
    };
    // Half of a quarter turn: sine and cosine of 45 degrees.
    let q = 23170;
    MshAnimation {
        keys: vec![
            key([0.0; 3], 0.0, [32767, 0, 0, 0]),
            key([0.0, 0.0, 5.0], 0.0, [32767, 0, 0, 0]),
            key([0.0, 0.0, 5.0], 2.0, [q, 0, 0, -q]),
            key([0.0, 0.0, 6.0], 5.0, [q, 0, 0, -q]),
            key([1.0, 0.0, 0.0], 0.0, [32767, 0, 0, 0]),
        ],
        map: vec![1, 1, 2, 2, 2, 3],
        frame_count: 6,
    }
}
