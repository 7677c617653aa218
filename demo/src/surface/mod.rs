//! The ground as triangles: which there are, and what covers each. Still no bytes and no vertex numbers.
//!
//! In: a [`Landscape`]. Out: [`Facet`]s for each tile, at both levels of detail. Points lie on a grid of half
//! quads, so that neighbors share them exactly; no facet crosses the border between two covers or two tiles.

mod coarse;
mod cover;
mod fine;

pub use coarse::coarse_facets;
pub use cover::{Cover, Surface};
pub use fine::{Refinement, fine_facets};

use crate::landscape::{HeightField, Landscape, Link};

/// A point on the half-quad grid, counted from the south-west corner of the level.
pub type GridPoint = [u16; 2];

/// A triangle of ground or water, counter-clockwise from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facet {
    /// Its corners.
    pub points: [GridPoint; 3],
    /// What covers it.
    pub cover: Cover,
}

/// Facets of each tile; tiles are x-major, as the format numbers them.
pub type TileFacets = Vec<Vec<Facet>>;

/// World z of the ground at a point.
pub fn ground_z(land: &Landscape, [x, y]: GridPoint) -> f64 {
    const STEPS: usize = HeightField::STEPS_PER_QUAD / 2;
    land.heights
        .at(usize::from(x) * STEPS, usize::from(y) * STEPS)
}

/// The south-west quad of a tile.
fn first_quad(land: &Landscape, tile: usize) -> [usize; 2] {
    let (n_tiles, per_tile) = (land.plan.n_tiles, land.plan.quads_per_tile);
    [tile / n_tiles * per_tile, tile % n_tiles * per_tile]
}

/// The quads of a tile, column by column.
fn quads_of(land: &Landscape, tile: usize) -> impl Iterator<Item = [usize; 2]> + use<> {
    let [qx, qy] = first_quad(land, tile);
    let per_tile = land.plan.quads_per_tile;
    (0..per_tile * per_tile).map(move |i| [qx + i / per_tile, qy + i % per_tile])
}

/// Corners of a square of quads, counter-clockwise from the south-west.
fn square([qx, qy]: [usize; 2], n_quads: usize) -> [GridPoint; 4] {
    let at = |x: usize, y: usize| [2 * x as u16, 2 * y as u16];
    let (ex, ey) = (qx + n_quads, qy + n_quads);
    [at(qx, qy), at(ex, qy), at(ex, ey), at(qx, ey)]
}

/// The one cover of a tile, or `None` if it has several.
fn single_cover(land: &Landscape, tile: usize) -> Option<Cover> {
    let mut covers = quads_of(land, tile).map(|quad| Cover::from_quad(land, quad));
    let first = covers.next()?;
    covers.all(|cover| cover == first).then_some(first)
}

/// Whether a tile is open sea: its floor is deep and of one material.
fn is_open_sea(land: &Landscape, tile: usize) -> bool {
    let depth = land.plan.water_level - highest(land, tile);
    depth > 4.0 && single_cover(land, tile).is_some()
}

/// Lowest ground of a tile, world z.
fn lowest(land: &Landscape, tile: usize) -> f64 {
    tile_heights(land, tile).fold(f64::MAX, f64::min)
}

fn highest(land: &Landscape, tile: usize) -> f64 {
    tile_heights(land, tile).fold(f64::MIN, f64::max)
}

fn tile_heights(land: &Landscape, tile: usize) -> impl Iterator<Item = f64> + '_ {
    const STEPS: usize = HeightField::STEPS_PER_QUAD;
    let [qx, qy] = first_quad(land, tile);
    let n = land.plan.quads_per_tile * STEPS + 1;
    (0..n * n).map(move |i| land.heights.at(qx * STEPS + i % n, qy * STEPS + i / n))
}

/// Two triangles for a convex quadrilateral of ground; the diagonal is the one that follows the terrain better.
fn two_facets(land: &Landscape, corners: [GridPoint; 4], cover: Cover) -> [Facet; 2] {
    let [a, b, c, d] = corners;
    let rising = flat_error(land, [a, b, c]) + flat_error(land, [a, c, d]);
    let falling = flat_error(land, [a, b, d]) + flat_error(land, [b, c, d]);
    let pair = if rising <= falling {
        [[a, b, c], [a, c, d]]
    } else {
        [[a, b, d], [b, c, d]]
    };
    pair.map(|points| Facet { points, cover })
}

/// How far the ground departs from a triangle: the sum over its samples of the squared height difference.
fn flat_error(land: &Landscape, points: [GridPoint; 3]) -> f64 {
    const STEPS: i32 = HeightField::STEPS_PER_QUAD as i32 / 2;
    let [a, b, c] = points.map(|p| [i32::from(p[0]) * STEPS, i32::from(p[1]) * STEPS]);
    let cross = |p: [i32; 2], q: [i32; 2], r: [i32; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let area = cross(a, b, c);
    let z = points.map(|p| ground_z(land, p));
    let range = |axis: usize| {
        let values = [a[axis], b[axis], c[axis]];
        values.into_iter().min().unwrap_or(0)..=values.into_iter().max().unwrap_or(0)
    };
    let mut sum = 0.0;
    for y in range(1) {
        for x in range(0) {
            let p = [x, y];
            let weights = [cross(b, c, p), cross(c, a, p), cross(a, b, p)];
            if weights.iter().all(|w| *w >= 0) {
                let flat: f64 =
                    (0..3).map(|k| f64::from(weights[k]) * z[k]).sum::<f64>() / f64::from(area);
                let difference = land.heights.at(x as usize, y as usize) - flat;
                sum += difference * difference;
            }
        }
    }
    sum
}

/// Triangles around the middle of a quad, by the points on its sides, counter-clockwise.
fn fan(center: GridPoint, rim: &[GridPoint], cover: Cover) -> Vec<Facet> {
    (0..rim.len())
        .map(|i| Facet {
            points: [center, rim[i], rim[(i + 1) % rim.len()]],
            cover,
        })
        .collect()
}

/// The triangles of a quad that a road runs through: a fan with a point at each side that it crosses, and at those that
/// `is_split` says. Where the road turns, it takes the straight way between two sides. `None` without a road.
fn road_facets(
    land: &Landscape,
    quad @ [qx, qy]: [usize; 2],
    is_split: impl Fn(GridPoint) -> bool,
) -> Option<Vec<Facet>> {
    let link = land.roads.link(qx, qy)?;
    let cover = Cover::from_quad(land, quad);
    let corners = square(quad, 1);
    let mid = |k: usize| middle(corners[k], corners[(k + 1) % 4]);
    // Corners go around from the south-west, sides begin at them.
    const SIDES: [usize; 4] = [Link::SOUTH, Link::EAST, Link::NORTH, Link::WEST];
    let mut rim = Vec::new();
    let mut facets = Vec::new();
    for k in 0..4 {
        let before = (k + 3) % 4;
        if link.is_bend() && link.has(SIDES[before]) && link.has(SIDES[k]) {
            let points = [mid(before), corners[k], mid(k)];
            facets.push(Facet { points, cover });
        } else {
            rim.push(corners[k]);
        }
        if link.has(SIDES[k]) || is_split(mid(k)) {
            rim.push(mid(k));
        }
    }
    let center = middle(corners[0], corners[2]);
    facets.extend(fan(center, &rim, cover));
    Some(facets)
}

fn middle(a: GridPoint, b: GridPoint) -> GridPoint {
    [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}

/// The water over a tile, if any of its ground lies below the sea: a square of two facets.
fn water_facets(land: &Landscape, tile: usize) -> Vec<Facet> {
    if lowest(land, tile) >= land.plan.water_level {
        return Vec::new();
    }
    let [a, b, c, d] = square(first_quad(land, tile), land.plan.quads_per_tile);
    [[a, b, c], [a, c, d]]
        .map(|points| Facet {
            points,
            cover: Cover::Water,
        })
        .to_vec()
}
