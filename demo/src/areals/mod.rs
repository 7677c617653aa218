//! The areal map: convex polygons over the ground that can be walked, linked edge to edge, and the grid that finds
//! them.
//!
//! In: a [`Landscape`]. Out: the content of `Land.map`. Every quad is cut into four triangles; triangles of one class
//! are merged as long as the union stays convex and compact.

mod classify;

use ironlands_assets_parkan::land_draft::{ArealDraft, convex_polygons};
use ironlands_assets_parkan::land_map::LandMap;

use crate::DemoError;
use crate::landscape::Landscape;
use crate::surface::{GridPoint, ground_z};

/// Builds the areal map.
pub fn land_map(land: &Landscape) -> Result<LandMap, DemoError> {
    let last = 2 * land.plan.n_quads() as u16;
    let draft = ArealDraft {
        polygons: &convex_polygons(classify::triangles(land), max_area(land)),
        position: &|point| position(land, point),
        height: &|[x, y]| land.heights.sample(x, y),
        last: [last, last],
    };
    Ok(draft.build()?)
}

/// Largest area of an areal in quarters of a quad: about 130 world units square.
fn max_area(land: &Landscape) -> i64 {
    let quads = 130.0 / land.plan.quad_size();
    (4.0 * quads * quads) as i64
}

/// A grid point on the ground, as the terrain's vertices have it.
fn position(land: &Landscape, point: GridPoint) -> [f32; 3] {
    let n_half_quads = (2 * land.plan.n_quads()) as f64;
    let [x, y] = point.map(|p| (f64::from(p) * land.plan.world_size() / n_half_quads) as f32);
    [x, y, ground_z(land, point) as f32]
}
