//! Areal maps for tests.

use glam::Vec2;
use ironlands_sim_areal::{Areal, ArealIndex, ArealMap, EdgeLink};
use proptest::prelude::*;

pub const NO_LINK: EdgeLink = EdgeLink::NONE;

/// An unlinked areal of class 0 at height 0.
pub fn areal(outline: &[[f32; 2]]) -> Areal {
    Areal {
        vertices: outline.iter().map(|&[x, y]| [x, y, 0.0]).collect(),
        edge_links: vec![NO_LINK; outline.len()],
        class_id: 0,
        logic_flag: 0,
    }
}

/// A map whose one cell lists the areals in the given order.
pub fn map(areals: Vec<Areal>, listed: &[u16]) -> ArealMap {
    ArealMap {
        areals,
        cells_x: 1,
        cells_y: 1,
        cells: vec![listed.to_vec()],
    }
}

pub fn index(areals: Vec<Areal>) -> ArealIndex {
    ArealIndex::new(&map(areals, &[]), None).expect("the map is valid")
}

pub fn rectangle(min: [f32; 2], max: [f32; 2]) -> Areal {
    areal(&[min, [max[0], min[1]], max, [min[0], max[1]]])
}

/// Links edge `edge_a` of `a` with edge `edge_b` of `b`, in both directions.
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

pub fn point(range: f32) -> impl Strategy<Value = Vec2> {
    [0.0..range, 0.0..range].prop_map(Vec2::from)
}
