//! The finest level of detail: two triangles a quad, more where the ground is rough, fewer on the floor of the
//! open sea.

use rayon::prelude::*;

use super::{
    Cover, Facet, GridPoint, TileFacets, fan, first_quad, flat_error, is_open_sea, middle,
    quads_of, road_facets, square, two_facets, water_facets,
};
use crate::landscape::Landscape;

/// All quads, those first that gain the most from more triangles.
pub struct Refinement {
    order: Vec<[usize; 2]>,
    open_sea: Vec<bool>,
}

impl Refinement {
    /// Ranks the quads of a level.
    pub fn rank(land: &Landscape) -> Self {
        let n_tiles = land.plan.n_tiles * land.plan.n_tiles;
        let open_sea: Vec<bool> = (0..n_tiles).map(|tile| is_open_sea(land, tile)).collect();
        let mut ranked: Vec<(f64, [usize; 2])> = (0..n_tiles)
            .into_par_iter()
            .filter(|tile| !open_sea[*tile])
            .flat_map_iter(|tile| quads_of(land, tile))
            .map(|quad| (gain(land, quad), quad))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Self {
            order: ranked.into_iter().map(|(_, quad)| quad).collect(),
            open_sea,
        }
    }

    /// How many quads can be refined.
    pub fn len(&self) -> usize {
        self.order.len()
    }
}

fn gain(land: &Landscape, quad: [usize; 2]) -> f64 {
    let corners = square(quad, 1);
    let cover = Cover::from_quad(land, quad);
    let error: f64 = two_facets(land, corners, cover)
        .map(|facet| flat_error(land, facet.points))
        .iter()
        .sum();
    let heights = corners.map(|p| super::ground_z(land, p));
    let top = heights.into_iter().fold(f64::MIN, f64::max);
    let bottom = heights.into_iter().fold(f64::MAX, f64::min);
    match land.plan.water_level {
        water if top < water => error * 0.05,
        water if bottom < water => error + SHORE_GAIN,
        _ => error,
    }
}

/// Added where the waterline runs: its bends are seen from far, however even the ground is.
const SHORE_GAIN: f64 = 1000.0;

/// Which points of the half-quad grid carry a vertex beyond the quad corners.
struct Points {
    side: usize,
    split: Vec<bool>,
}

impl Points {
    fn mark(&mut self, [x, y]: GridPoint) {
        self.split[usize::from(y) * self.side + usize::from(x)] = true;
    }

    fn is_split(&self, [x, y]: GridPoint) -> bool {
        self.split[usize::from(y) * self.side + usize::from(x)]
    }
}

/// Facets of all tiles with the `n_refined` roughest quads refined.
pub fn fine_facets(land: &Landscape, refinement: &Refinement, n_refined: usize) -> TileFacets {
    let side = 2 * land.plan.n_quads() + 1;
    let mut points = Points {
        side,
        split: vec![false; side * side],
    };
    for quad in refinement.order.iter().take(n_refined) {
        let [a, b, c, d] = square(*quad, 1);
        for (p, q) in [(a, b), (b, c), (c, d), (d, a), (a, c)] {
            points.mark(middle(p, q));
        }
    }
    (0..land.plan.n_tiles * land.plan.n_tiles)
        .into_par_iter()
        .map(|tile| {
            let mut facets = if refinement.open_sea[tile] {
                sea_floor(land, refinement, &points, tile)
            } else {
                quads_of(land, tile)
                    .flat_map(|quad| quad_facets(land, &points, quad))
                    .collect()
            };
            facets.extend(water_facets(land, tile));
            facets
        })
        .collect()
}

/// The triangles of one quad, by how many of its sides carry a middle point.
fn quad_facets(land: &Landscape, points: &Points, quad: [usize; 2]) -> Vec<Facet> {
    if let Some(facets) = road_facets(land, quad, |point| points.is_split(point)) {
        return facets;
    }
    let cover = Cover::from_quad(land, quad);
    let corners = square(quad, 1);
    let center = middle(corners[0], corners[2]);
    let split_side = |k: &usize| points.is_split(middle(corners[*k], corners[(*k + 1) % 4]));
    let n_split = (0..4).filter(split_side).count();
    if !points.is_split(center) && n_split == 0 {
        return two_facets(land, corners, cover).to_vec();
    }
    if !points.is_split(center) && n_split == 1 {
        let k = (0..4).find(split_side).unwrap_or(0);
        let at = |i: usize| corners[(k + i) % 4];
        let mid = middle(at(0), at(1));
        return [
            [mid, at(1), at(2)],
            [mid, at(2), at(3)],
            [mid, at(3), at(0)],
        ]
        .map(|points| Facet { points, cover })
        .to_vec();
    }
    let mut rim = Vec::new();
    for k in 0..4 {
        rim.push(corners[k]);
        let mid = middle(corners[k], corners[(k + 1) % 4]);
        if points.is_split(mid) {
            rim.push(mid);
        }
    }
    fan(center, &rim, cover)
}

/// The floor of an open-sea tile: a fan around its middle that meets its neighbors point by point.
fn sea_floor(
    land: &Landscape,
    refinement: &Refinement,
    points: &Points,
    tile: usize,
) -> Vec<Facet> {
    let n = land.plan.quads_per_tile;
    let corners = square(first_quad(land, tile), n);
    let Some(cover) = super::single_cover(land, tile) else {
        return Vec::new();
    };
    let (tile_x, tile_y) = (
        (tile / land.plan.n_tiles) as i32,
        (tile % land.plan.n_tiles) as i32,
    );
    let mut rim = Vec::new();
    for (k, (dx, dy)) in [(0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().enumerate() {
        let plain = open_sea_at(land, refinement, tile_x + dx, tile_y + dy);
        let (from, to) = (corners[k], corners[(k + 1) % 4]);
        for i in 0..2 * n as u16 {
            let along = |axis: usize| {
                let (from, to) = (i32::from(from[axis]), i32::from(to[axis]));
                (from + (to - from).signum() * i32::from(i)) as u16
            };
            let point = [along(0), along(1)];
            let is_corner = i % 2 == 0;
            if i == 0 || (is_corner && !plain) || (!is_corner && points.is_split(point)) {
                rim.push(point);
            }
        }
    }
    fan(middle(corners[0], corners[2]), &rim, cover)
}

/// Whether a neighboring tile needs no points along the shared side: open sea, or outside the level.
fn open_sea_at(land: &Landscape, refinement: &Refinement, tile_x: i32, tile_y: i32) -> bool {
    let n = land.plan.n_tiles as i32;
    let inside = (0..n).contains(&tile_x) && (0..n).contains(&tile_y);
    !inside || refinement.open_sea[(tile_x * n + tile_y) as usize]
}
