//! Areal maps for tests, and plain geometry.

use glam::{DVec2, Vec2};
use ironlands_assets_parkan::land_map::{Areal, EdgeLink, LandMap};
use ironlands_assets_parkan::land_msh::LandMsh;
use ironlands_assets_parkan::nres::NRes;
use ironlands_sim_areal::ArealIndex;
use proptest::prelude::*;
use std::path::Path;

pub const NO_LINK: EdgeLink = EdgeLink::NONE;

/// An unlinked areal of class 0 at height 0.
pub fn areal(outline: &[[f32; 2]]) -> Areal {
    Areal {
        anchor: [0.0; 3],
        reserved_0c: 0.0,
        area_metric: 0.0,
        normal: [0.0, 0.0, 1.0],
        logic_flag: 0,
        reserved_24: 0,
        class_id: 0,
        reserved_2c: 0,
        vertices: outline.iter().map(|&[x, y]| [x, y, 0.0]).collect(),
        edge_links: vec![NO_LINK; outline.len()],
        polygons: Vec::new(),
    }
}

/// A map whose one cell lists the areals in the given order.
pub fn map(areals: Vec<Areal>, listed: &[u16]) -> LandMap {
    LandMap {
        areals,
        cells_x: 1,
        cells_y: 1,
        cells: vec![listed.to_vec()],
        container: NRes::new(),
    }
}

pub fn index(areals: Vec<Areal>) -> ArealIndex {
    ArealIndex::new(&map(areals, &[]), None).expect("the map is sound")
}

pub fn rectangle(min: [f32; 2], max: [f32; 2]) -> Areal {
    areal(&[min, [max[0], min[1]], max, [min[0], max[1]]])
}

/// Links edge `edge_a` of `a` with edge `edge_b` of `b`, both ways.
pub fn link(areals: &mut [Areal], (a, edge_a): (usize, usize), (b, edge_b): (usize, usize)) {
    areals[a].edge_links[edge_a] = EdgeLink {
        areal: b as i32,
        edge: edge_b as i32,
    };
    areals[b].edge_links[edge_b] = EdgeLink {
        areal: a as i32,
        edge: edge_a as i32,
    };
}

/// Links all edges that two areals run along in opposite directions, where `is_open`.
pub fn link_equal_edges(areals: &mut [Areal], is_open: impl Fn(usize, usize) -> bool) {
    let ends = |areal: &Areal, edge: usize| {
        let vertex = |i: usize| areal.vertices[i % areal.vertices.len()];
        (vertex(edge), vertex(edge + 1))
    };
    for a in 0..areals.len() {
        for b in 0..a {
            for edge_a in 0..areals[a].vertices.len() {
                for edge_b in 0..areals[b].vertices.len() {
                    let (from, to) = ends(&areals[a], edge_a);
                    let is_shared = ends(&areals[b], edge_b) == (to, from);
                    if is_shared && is_open(b, a) {
                        link(areals, (a, edge_a), (b, edge_b));
                    }
                }
            }
        }
    }
}

/// Squares of side 10 in a field of `n_x` by `n_y`, linked where `is_open`; areal `x * n_y + y`.
pub fn field(n_x: usize, n_y: usize, is_open: impl Fn(usize, usize) -> bool) -> Vec<Areal> {
    let corner = |x: usize, y: usize| [x as f32 * 10.0, y as f32 * 10.0];
    let squares =
        (0..n_x).flat_map(|x| (0..n_y).map(move |y| rectangle(corner(x, y), corner(x + 1, y + 1))));
    let mut areals: Vec<_> = squares.collect();
    link_equal_edges(&mut areals, is_open);
    areals
}

/// A field of quads with bent inner corners, some of which are arrowheads, linked where `is_open`. `bends` has one
/// entry a corner, from -8 to 8 quarters of a unit a coordinate are sure to leave the quads simple.
pub fn bent_field(
    n_x: usize,
    n_y: usize,
    bends: &[[i32; 2]],
    is_open: impl Fn(usize, usize) -> bool,
) -> Vec<Areal> {
    let corner = |x: usize, y: usize| {
        let [bend_x, bend_y] = bends[x * (n_y + 1) + y];
        [
            x as f32 * 10.0 + bend_x as f32 * 0.25,
            y as f32 * 10.0 + bend_y as f32 * 0.25,
        ]
    };
    let quad = |x, y| {
        areal(&[
            corner(x, y),
            corner(x + 1, y),
            corner(x + 1, y + 1),
            corner(x, y + 1),
        ])
    };
    let mut areals: Vec<_> = (0..n_x)
        .flat_map(|x| (0..n_y).map(move |y| (x, y)))
        .map(|(x, y)| quad(x, y))
        .collect();
    link_equal_edges(&mut areals, is_open);
    areals
}

pub fn plan(areal: &Areal) -> Vec<Vec2> {
    let vertices = areal.vertices.iter();
    vertices.map(|&[x, y, _]| Vec2::new(x, y)).collect()
}

/// Edges as pairs of points.
pub fn edges(outline: &[Vec2]) -> Vec<[DVec2; 2]> {
    let n = outline.len();
    (0..n)
        .map(|i| [outline[i].as_dvec2(), outline[(i + 1) % n].as_dvec2()])
        .collect()
}

/// Distance from a point to a segment, by its parts.
pub fn plain_distance(p: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let along = b - a;
    if along.length() == 0.0 {
        return p.distance(a);
    }
    let direction = along.normalize();
    let along_it = (p - a).dot(direction);
    if along_it <= 0.0 {
        p.distance(a)
    } else if along_it >= along.length() {
        p.distance(b)
    } else {
        (p - a).perp_dot(direction).abs()
    }
}

/// Sum of the angles under which a point sees the edges, in turns; by its parity a point is inside. Not for points
/// on the border.
pub fn plain_turns(outline: &[Vec2], point: Vec2) -> i32 {
    let p = point.as_dvec2();
    let angles = edges(outline)
        .into_iter()
        .map(|[a, b]| (a - p).angle_to(b - p));
    (angles.sum::<f64>() / std::f64::consts::TAU).round() as i32
}

/// The areals of a demo level, and its map.
pub fn level(name: &str) -> (ArealIndex, LandMap) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../DATA/MAPS")
        .join(name);
    let read = |file: &str| std::fs::read(folder.join(file)).expect("the demo level is there");
    let map = LandMap::read(&read("Land.map")).expect("its areals are sound");
    let land = LandMsh::read(&read("Land.msh")).expect("its terrain is sound");
    let corners = || land.header.corners.iter().map(|&[x, y, _]| Vec2::new(x, y));
    let bounds = corners().reduce(Vec2::min).zip(corners().reduce(Vec2::max));
    let index = ArealIndex::new(&map, bounds).expect("its areals are sound");
    (index, map)
}

/// Points over a level and a little beyond it, from a fixed seed.
pub fn random_points(index: &ArealIndex, n: usize) -> Vec<Vec2> {
    let vertices = || {
        (0..index.n_areals() as u32)
            .flat_map(|areal| index.outline(areal))
            .map(|v| v.truncate())
    };
    let min = vertices().fold(Vec2::INFINITY, Vec2::min) - 50.0;
    let max = vertices().fold(Vec2::NEG_INFINITY, Vec2::max) + 50.0;
    let mut state = 20_261_122_u64;
    let mut share = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    (0..n)
        .map(|_| min + (max - min) * Vec2::new(share(), share()))
        .collect()
}

pub fn point(range: f32) -> impl Strategy<Value = Vec2> {
    [0.0..range, 0.0..range].prop_map(Vec2::from)
}
