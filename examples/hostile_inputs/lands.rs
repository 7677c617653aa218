//! Terrains, models and geodata whose parts all refer to the same things, or are as many as can be.

use ironlands::worlds::lineage2::formats::Multilayer;
use ironlands::worlds::lineage2::formats::l2j::L2j;
use ironlands::worlds::lineage2::formats::{Block, Cell, FlatRule, Nswe, Region, RegionId};
use ironlands::worlds::parkan::formats::land_map::{EdgeLink, LandMap};
use ironlands::worlds::parkan::formats::land_msh::LandMsh;
use ironlands::worlds::parkan::formats::msh::Msh;
use ironlands::worlds::parkan::formats::nres::NRes;

use crate::{LOOK, MAX_BYTES, RENDER, Row};

const OF_REGION: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["convert", "{}", "--format", "conv.dat", "--to", "{to}"],
    &["convert", "{}", "--format", "l2d", "--to", "{to}"],
    &["convert", "{}", "--format", "path.txt", "--to", "{to}"],
    &["geodata", "map", "{}", "--to", "{to}.png"],
    &["geodata", "diff", "{}", "{}"],
    &["export", "{}", "--to", "{to}.glb"],
    RENDER,
];
const OF_MODEL: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["export", "{}", "--to", "{to}.glb"],
    &[
        "--model",
        "{}",
        "--software",
        "--size",
        "64x36",
        "--render",
        "{to}.png",
    ],
];

pub const CASES: &[Row] = &[
    ("terrain/Land.msh", LOOK, terrain),
    ("areals/Land.map", LOOK, areals),
    ("cells/Land.map", LOOK, cells),
    ("slots.msh", OF_MODEL, slots),
    ("batches.msh", OF_MODEL, batches),
    ("layers/20_18.l2j", OF_REGION, layers),
    ("complex/20_18.l2j", OF_REGION, complex),
    ("lines/20_18_path.txt", LOOK, || {
        b"0 0 0\n".repeat(MAX_BYTES / 6)
    }),
];

const LAND_MSH: &[u8] = include_bytes!("../../DATA/MAPS/Map01/Land.msh");
const LAND_MAP: &[u8] = include_bytes!("../../DATA/MAPS/Map01/Land.map");
const BASES: &[u8] = include_bytes!("../../DATA/bases.rlb");

/// Slots that each have all faces.
fn terrain() -> Vec<u8> {
    let mut land = LandMsh::read(LAND_MSH).expect("the demo's");
    let mut slot = land.slots[0];
    (slot.tri_start, slot.tri_count) = (0, land.faces.len().min(usize::from(u16::MAX)) as u16);
    land.slots = vec![slot; 45_000];
    land.write().expect("sound links")
}

/// Areals whose edges all lead to the first edge of the first.
fn areals() -> Vec<u8> {
    let mut map = LandMap::read(LAND_MAP).expect("the demo's");
    let mut areal = map.areals[0].clone();
    areal.edge_links.fill(EdgeLink { areal: 0, edge: 0 });
    map.areals = vec![areal; 15_000];
    map.write().expect("sound links")
}

/// Cells that each list as many areals as one can.
fn cells() -> Vec<u8> {
    let mut map = LandMap::read(LAND_MAP).expect("the demo's");
    let n_ids = map.areals.len().min(1023) as u16;
    (map.cells_x, map.cells_y) = (40, 40);
    map.cells = vec![(0..n_ids).collect(); 1600];
    map.write().expect("sound links")
}

fn walker() -> Msh {
    let bases = NRes::read(BASES).expect("the demo's");
    let model = bases
        .entries
        .iter()
        .find_map(|entry| Msh::read(&entry.data).ok());
    model.expect("the demo's")
}

/// Slots that each have all batches and triangles.
fn slots() -> Vec<u8> {
    let mut model = walker();
    let mut slot = model.slots[0];
    slot.tri_count = model.triangles.as_ref().map_or(0, Vec::len) as u16;
    (slot.tri_start, slot.batch_start) = (0, 0);
    slot.batch_count = model.batches.len() as u16;
    model.slots = vec![slot; 55_000];
    model.write().expect("sound links")
}

/// Batches that each have all indices.
fn batches() -> Vec<u8> {
    let mut model = walker();
    let mut batch = model.batches[0];
    model.indices = vec![0; 3 * 21_000];
    (batch.index_start, batch.index_count, batch.base_vertex) = (0, 63_000, 0);
    model.batches = vec![batch; 60_000];
    let mut slot = model.slots[0];
    (slot.tri_start, slot.tri_count, slot.batch_start) = (0, 0, 0);
    slot.batch_count = 60_000;
    model.slots.fill(slot);
    model.write().expect("sound links")
}

fn region(n_blocks: usize, block: Block) -> Vec<u8> {
    let id = RegionId::new(20, 18).expect("a region of the world");
    let mut region = Region::flat(id, 0);
    region.blocks_mut()[..n_blocks].fill(block);
    L2j::from_region(&region, FlatRule::Max)
        .write()
        .expect("few layers")
}

/// Blocks of as many layers as there can be.
fn layers() -> Vec<u8> {
    let layers: Vec<Cell> = (0..125)
        .rev()
        .map(|layer| Cell::new(64 * layer - 8000, Nswe::ALL_SIDES))
        .collect();
    let columns = vec![layers; 64];
    let block =
        Multilayer::new(columns.iter().map(|column| &column[..])).expect("up to 125 layers");
    region(118, Block::Multilayer(Box::new(block)))
}

/// Blocks whose cells are all walls.
fn complex() -> Vec<u8> {
    let cells = std::array::from_fn(|at| {
        Cell::new(if at % 2 == at / 8 % 2 { 0 } else { 8000 }, Nswe::empty())
    });
    region(31_000, Block::Complex(Box::new(cells)))
}
