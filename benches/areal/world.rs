//! Areals and the queries to them.

use glam::Vec2;
use ironlands::worlds::parkan::formats::land_map::LandMap;
use ironlands::worlds::parkan::formats::land_msh::LandMsh;
use ironlands::worlds::parkan::{areal_map, terrain};
use ironlands_query_bench::random::Random;
use ironlands_sim::areal::{Areal, ArealIndex, ArealMap, EdgeLink, RouteRequest};
use std::path::Path;

const SEED: u64 = 0x1F0D_1A2D_5EED_0003;
const N_POINTS: usize = 16_384;
const N_OUTSIDE: usize = 1024;
const N_PAIRS: usize = 512;
/// How far beyond the level points outside of all areals may lie, in its extents.
const BEYOND: f32 = 0.1;
/// Areals along one side of the synthetic field, and the side of each, world units.
const N_SIDE: usize = 64;
const CELL: f32 = 32.0;
/// How far corners are moved, in sides.
const MOVED: f32 = 0.2;

/// The areals of one level.
pub struct World {
    pub name: &'static str,
    pub index: ArealIndex,
    /// Anywhere over the level.
    pub points: Vec<Vec2>,
    /// In no areal: between them, and around the level.
    pub outside: Vec<Vec2>,
    /// From where to where, straight or by a route.
    pub pairs: Vec<RouteRequest>,
}

impl World {
    /// Those of a demo level.
    pub fn level(name: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("DATA/MAPS")
            .join(name);
        let read = |file: &str| {
            let path = folder.join(file);
            std::fs::read(&path).unwrap_or_else(|e| {
                panic!("this bench reads the demo levels: {}: {e}", path.display())
            })
        };
        let land = LandMsh::read(&read("Land.msh")).expect("the demo level's Land.msh is valid");
        let map = LandMap::read(&read("Land.map")).expect("the demo level's Land.map is valid");
        let faces = terrain::index(&land).expect("the demo level's faces are valid");
        let (min, max) = faces.bounds();
        Self::new(name, &areal_map(&map), (min.truncate(), max.truncate()))
    }

    /// Squares with moved corners, each linked with the four beside it; a fifth of them is closed.
    pub fn field() -> Self {
        let mut random = Random(SEED);
        let corners: Vec<Vec2> = (0..(N_SIDE + 1) * (N_SIDE + 1))
            .map(|k| {
                let (x, y) = (k % (N_SIDE + 1), k / (N_SIDE + 1));
                let is_inner = |k: usize| k > 0 && k < N_SIDE;
                let by = random.point(Vec2::splat(-MOVED), Vec2::splat(MOVED));
                let inner = Vec2::new(is_inner(x).into(), is_inner(y).into());
                (Vec2::new(x as f32, y as f32) + by * inner) * CELL
            })
            .collect();
        let is_open: Vec<bool> = (0..N_SIDE * N_SIDE).map(|_| random.below(5) > 0).collect();
        let areals = (0..N_SIDE * N_SIDE).map(|k| square(k, &corners, &is_open));
        let map = ArealMap {
            areals: areals.collect(),
            cells_x: N_SIDE as u32,
            cells_y: N_SIDE as u32,
            cells: (0..N_SIDE * N_SIDE).map(beside).collect(),
        };
        let side = N_SIDE as f32 * CELL;
        Self::new("field", &map, (Vec2::ZERO, Vec2::splat(side)))
    }

    fn new(name: &'static str, map: &ArealMap, (min, max): (Vec2, Vec2)) -> Self {
        let mut random = Random(SEED);
        println!("{name}: {} areals, {min} to {max}", map.areals.len());
        let index = ArealIndex::new(map, Some((min, max))).expect("valid areals");
        let points = (0..N_POINTS).map(|_| random.point(min, max)).collect();
        let pairs = (0..N_PAIRS).map(|_| RouteRequest {
            from: random.point(min, max),
            to: random.point(min, max),
        });
        let pairs = pairs.collect();
        let beyond = (max - min) * BEYOND;
        let outside = std::iter::repeat_with(|| random.point(min - beyond, max + beyond))
            .filter(|&point| index.areal_at(point).is_none())
            .take(N_OUTSIDE)
            .collect();
        Self {
            name,
            index,
            points,
            outside,
            pairs,
        }
    }
}

/// Areal `k`, row by row; its edges look to -y, +x, +y, -x.
fn square(k: usize, corners: &[Vec2], is_open: &[bool]) -> Areal {
    let (x, y) = (k % N_SIDE, k / N_SIDE);
    let corner = |x: usize, y: usize| corners[y * (N_SIDE + 1) + x];
    let outline = [
        corner(x, y),
        corner(x + 1, y),
        corner(x + 1, y + 1),
        corner(x, y + 1),
    ];
    let sides = [
        (y > 0).then(|| k - N_SIDE),
        (x + 1 < N_SIDE).then(|| k + 1),
        (y + 1 < N_SIDE).then(|| k + N_SIDE),
        (x > 0).then(|| k - 1),
    ];
    let links = sides.into_iter().enumerate().map(|(edge, other)| {
        let open = other.filter(|&other| is_open[k] && is_open[other]);
        open.map_or(EdgeLink::NONE, |other| EdgeLink {
            areal: other as i32,
            edge: ((edge + 2) % 4) as i32,
        })
    });
    Areal {
        vertices: outline.map(|v| v.extend(0.0).to_array()).to_vec(),
        edge_links: links.collect(),
        class_id: 0,
        logic_flag: 0,
    }
}

/// Areals that may reach into the square where areal `k` would lie unmoved: itself and those around it.
fn beside(k: usize) -> Vec<u16> {
    let around = |at: usize| at.saturating_sub(1)..=(at + 1).min(N_SIDE - 1);
    let rows = around(k / N_SIDE);
    rows.flat_map(|y| around(k % N_SIDE).map(move |x| (y * N_SIDE + x) as u16))
        .collect()
}
