//! The second level of detail: few triangles where a tile has one cover, two a quad where covers meet.

use super::{
    Facet, GridPoint, TileFacets, first_quad, is_open_sea, quads_of, single_cover, square,
    two_facets, water_facets,
};
use crate::landscape::Landscape;
use crate::surface::Cover;

/// Coarse facets of all tiles.
pub fn coarse_facets(land: &Landscape) -> TileFacets {
    (0..land.plan.n_tiles * land.plan.n_tiles)
        .map(|tile| {
            let mut facets = ground(land, tile);
            facets.extend(water_facets(land, tile));
            facets
        })
        .collect()
}

fn ground(land: &Landscape, tile: usize) -> Vec<Facet> {
    let corners = square(first_quad(land, tile), land.plan.quads_per_tile);
    match single_cover(land, tile) {
        Some(cover) if is_open_sea(land, tile) => two_facets(land, corners, cover).to_vec(),
        Some(cover) => quarters(land, corners, cover),
        None => quads_of(land, tile)
            .flat_map(|quad| two_facets(land, square(quad, 1), Cover::of_quad(land, quad)))
            .collect(),
    }
}

/// Four squares of two triangles each.
fn quarters(land: &Landscape, corners: [GridPoint; 4], cover: Cover) -> Vec<Facet> {
    let middle = |p: GridPoint, q: GridPoint| [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    let [a, b, c, d] = corners;
    let (ab, bc, cd, da, m) = (
        middle(a, b),
        middle(b, c),
        middle(c, d),
        middle(d, a),
        middle(a, c),
    );
    [
        [a, ab, m, da],
        [ab, b, bc, m],
        [m, bc, c, cd],
        [da, m, cd, d],
    ]
    .into_iter()
    .flat_map(|square| two_facets(land, square, cover))
    .collect()
}
