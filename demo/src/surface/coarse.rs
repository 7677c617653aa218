//! The second level of detail: two triangles a quad where covers meet, fewer where plain ground allows it.
//!
//! Each tile starts as two triangles a quad and loses corners of quads, those first whose loss changes the ground
//! the least. A corner that a second surface touches stays: it must not be seen outside its quads.

use rayon::prelude::*;

use super::{
    Cover, Facet, GridPoint, TileFacets, first_quad, flat_error, ground_z, is_open_sea, quads_of,
    road_facets, single_cover, square, two_facets, water_facets,
};
use crate::landscape::Landscape;

/// A side of a tile may be this far, in world units, above or below the corners that it loses: what is between it
/// and the finer neighbor is seen as a wall.
const SIDE_TOLERANCE: f64 = 0.7;

/// A corner goes if the sum of squared height differences (see [`flat_error`]) grows by less than this.
const TOLERANCE: f64 = 5000.0;

/// Coarse facets of all tiles.
pub fn coarse_facets(land: &Landscape) -> TileFacets {
    (0..land.plan.n_tiles * land.plan.n_tiles)
        .into_par_iter()
        .map(|tile| {
            let mut facets = ground(land, tile);
            facets.extend(water_facets(land, tile));
            facets
        })
        .collect()
}

fn ground(land: &Landscape, tile: usize) -> Vec<Facet> {
    let n = land.plan.quads_per_tile;
    let corners = square(first_quad(land, tile), n);
    if let Some(cover) = single_cover(land, tile).filter(|_| is_open_sea(land, tile)) {
        return two_facets(land, corners, cover).to_vec();
    }
    let mut facets: Vec<Facet> = quads_of(land, tile)
        .flat_map(|quad| {
            let road = road_facets(land, quad, |_| false);
            road.unwrap_or_else(|| {
                two_facets(land, square(quad, 1), Cover::from_quad(land, quad)).to_vec()
            })
        })
        .collect();
    let [west, south] = corners[0];
    let mut points: Vec<(f64, GridPoint)> = (0..(n + 1) * (n + 1))
        .map(|i| {
            [
                west + 2 * (i % (n + 1)) as u16,
                south + 2 * (i / (n + 1)) as u16,
            ]
        })
        .filter(|point| !corners.contains(point))
        .filter_map(|point| Some((Removal::new(land, &facets, point)?.cost, point)))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (_, point) in points {
        // What went before may have changed the facets around this point.
        if let Some(removal) = Removal::new(land, &facets, point).filter(|r| r.cost < TOLERANCE) {
            facets.retain(|facet| !facet.points.contains(&point));
            facets.extend(removal.facets);
        }
    }
    facets
}

/// What takes the place of the facets around a point that goes.
struct Removal {
    facets: Vec<Facet>,
    /// By how much the ground is drawn worse.
    cost: f64,
}

impl Removal {
    /// `None` if the point must stay: covers meet there, or no triangles fill the hole.
    fn new(land: &Landscape, facets: &[Facet], point: GridPoint) -> Option<Self> {
        let around: Vec<&Facet> = facets
            .iter()
            .filter(|facet| facet.points.contains(&point))
            .collect();
        let cover = around.first()?.cover;
        let plain = matches!(cover, Cover::Ground { second: None, .. });
        if !plain || around.iter().any(|facet| facet.cover != cover) {
            return None;
        }
        let outline = outline(&around, point)?;
        let (first, last) = (*outline.first()?, *outline.last()?);
        if turn(first, last, point) == 0 && bend(land, first, last) > SIDE_TOLERANCE {
            return None;
        }
        let facets: Vec<Facet> = triangulate(land, outline)?
            .into_iter()
            .map(|points| Facet { points, cover })
            .collect();
        let error = |facet: &Facet| flat_error(land, facet.points);
        let before: f64 = around.into_iter().map(error).sum();
        let cost = facets.iter().map(error).sum::<f64>() - before;
        Some(Self { facets, cost })
    }
}

/// The outline of the facets around a point, counter-clockwise; a point on a tile's side lies on it and is left out.
fn outline(around: &[&Facet], point: GridPoint) -> Option<Vec<GridPoint>> {
    let opposite = |facet: &Facet| {
        let k = facet.points.iter().position(|p| *p == point)?;
        Some((facet.points[(k + 1) % 3], facet.points[(k + 2) % 3]))
    };
    let sides: Vec<(GridPoint, GridPoint)> =
        around.iter().map(|f| opposite(f)).collect::<Option<_>>()?;
    let is_first = |side: &&(GridPoint, GridPoint)| sides.iter().all(|(_, end)| *end != side.0);
    let first = sides.iter().find(is_first).or(sides.first())?.0;
    let mut outline = vec![first];
    while let Some((_, end)) = sides
        .iter()
        .find(|(start, _)| outline.last() == Some(start))
    {
        if *end == first {
            break;
        }
        outline.push(*end);
    }
    Some(outline)
}

/// How far the ground at the corners of quads departs from a straight line between two points of a tile's side.
fn bend(land: &Landscape, from: GridPoint, to: GridPoint) -> f64 {
    let n_steps = from[0].abs_diff(to[0]).max(from[1].abs_diff(to[1]));
    let (start, end) = (ground_z(land, from), ground_z(land, to));
    let difference = |i: u16| {
        let part = f64::from(i) / f64::from(n_steps);
        let point = [0, 1].map(|k| {
            let (from, to) = (i32::from(from[k]), i32::from(to[k]));
            (from + (to - from).signum() * i32::from(i)) as u16
        });
        (ground_z(land, point) - (start + (end - start) * part)).abs()
    };
    (2..n_steps).step_by(2).map(difference).fold(0.0, f64::max)
}

/// Cuts ears off a polygon, of all possible ones that which follows the ground best.
fn triangulate(land: &Landscape, mut outline: Vec<GridPoint>) -> Option<Vec<[GridPoint; 3]>> {
    let mut triangles = Vec::new();
    while outline.len() >= 3 {
        let n = outline.len();
        let ear = |k: usize| [outline[(k + n - 1) % n], outline[k], outline[(k + 1) % n]];
        let best = (0..n)
            .filter(|k| is_ear(ear(*k), &outline))
            .map(|k| (flat_error(land, ear(k)), k))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?
            .1;
        triangles.push(ear(best));
        outline.remove(best);
    }
    Some(triangles)
}

/// Whether three neighbors on an outline turn left and no other point of it lies in their triangle or on its sides.
fn is_ear(ear: [GridPoint; 3], outline: &[GridPoint]) -> bool {
    let [a, b, c] = ear;
    let within = |p: GridPoint| turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
    turn(a, b, c) > 0 && !outline.iter().any(|p| !ear.contains(p) && within(*p))
}

/// Twice the area of a triangle; above 0 if its corners turn left.
fn turn(a: GridPoint, b: GridPoint, c: GridPoint) -> i32 {
    let to = |p: GridPoint| [0, 1].map(|k| i32::from(p[k]) - i32::from(a[k]));
    let (u, v) = (to(b), to(c));
    u[0] * v[1] - u[1] * v[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::{archipelago, bay};

    #[test]
    fn coarse_tiles_are_covered_once_and_second_surfaces_stay_within_their_quad() {
        for plan in [bay(), archipelago()] {
            let land = Landscape::new(plan);
            let side = 2 * land.plan.quads_per_tile as i32;
            for (tile, facets) in coarse_facets(&land).iter().enumerate() {
                let ground = facets.iter().filter(|facet| facet.cover != Cover::Water);
                let mut area = 0;
                for Facet { points, cover } in ground {
                    let [a, b, c] = *points;
                    assert!(turn(a, b, c) > 0, "tile {tile}: {points:?}");
                    area += turn(a, b, c);
                    let spread = |k: usize| {
                        let ends = points.map(|p| p[k]);
                        ends.iter().max().unwrap() - ends.iter().min().unwrap()
                    };
                    let plain = matches!(cover, Cover::Ground { second: None, .. });
                    assert!(
                        plain || spread(0).max(spread(1)) <= 2,
                        "tile {tile}: {points:?}"
                    );
                }
                assert_eq!(area, 2 * side * side, "tile {tile}");
            }
        }
    }

    #[test]
    fn a_point_on_an_outline_forbids_the_ear_that_would_pass_it() {
        // A square with a point in the middle of its first side.
        let outline = [[0, 0], [2, 0], [4, 0], [4, 4], [0, 4]];
        assert!(is_ear([[2, 0], [4, 0], [4, 4]], &outline));
        assert!(
            !is_ear([[0, 0], [4, 0], [4, 4]], &outline),
            "passes a point"
        );
        assert!(!is_ear([[0, 0], [2, 0], [4, 0]], &outline), "has no area");
    }
}
