//! The tiles of a terrain: which faces each draws at each level of detail, and their outlines.

use std::ops::Range;

use super::FORMAT;
use super::borders::{BorderEdge, GroundFace, border_edges};
use super::surfaces::Surfaces;
use crate::land_msh::LandMsh;
use ironlands_assets_core::bytes::{Finding, Severity};

pub(super) struct Tile {
    /// Cell of the tile grid.
    pub cell: [i32; 2],
    /// Levels of detail, finest first; one or two.
    pub lods: Vec<TileLod>,
}

/// A tile at one level of detail.
pub(super) struct TileLod {
    pub faces: Vec<GroundFace>,
    pub border: Vec<BorderEdge>,
}

/// The positions; `None` for those that are not finite.
pub(super) fn finite_positions(land: &LandMsh) -> Vec<Option<[f32; 3]>> {
    let is_finite = |position: &[f32; 3]| position.iter().all(|v| v.is_finite());
    let positions = land.positions.iter().copied();
    positions
        .map(|position| Some(position).filter(is_finite))
        .collect()
}

/// The tiles, x-major as in the file, each with the levels of detail that differ.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots name faces that exist; tiles are counted in memory"
)]
pub(super) fn collect_tiles(
    land: &LandMsh,
    positions: &[Option<[f32; 3]>],
    surfaces: &Surfaces<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Tile> {
    let cells_y = land.cells_y() as usize;
    if cells_y == 0 {
        return Vec::new();
    }
    let finite: Vec<[f32; 3]> = positions.iter().map(|p| p.unwrap_or_default()).collect();
    let mut drawn = [vec![false; land.faces.len()], vec![false; land.faces.len()]];
    let mut n_repeated = 0;
    let mut tiles = Vec::with_capacity(land.nodes.len());
    for tile in 0..land.nodes.len() {
        let mut slots = [0, 1].map(|lod| land.tile_slot(tile, lod));
        if let [Some(fine), Some(coarse)] = slots
            && land.slot_face_range(fine) == land.slot_face_range(coarse)
        {
            slots[1] = None;
        }
        let lods = slots
            .into_iter()
            .zip(&mut drawn)
            .filter_map(|(slot, drawn)| {
                let mut places = land.slot_face_range(slot?);
                // Each face is one tile's; a broken file must not draw all of them with every tile.
                if drawn[places.clone()].contains(&true) {
                    n_repeated += 1;
                    places = 0..0;
                }
                drawn[places.clone()].fill(true);
                let faces = drawn_faces(land, places, positions, surfaces);
                let border = border_edges(&faces, &finite);
                Some(TileLod { faces, border })
            });
        tiles.push(Tile {
            cell: [(tile / cells_y) as i32, (tile % cells_y) as i32],
            lods: lods.collect(),
        });
    }
    if n_repeated > 0 {
        let message = format!("{n_repeated} slots name faces of another tile; they are not drawn");
        findings.push(Finding::new(Severity::Error, FORMAT, message));
    }
    tiles
}

/// The faces that type 11 records name: a key that is no face index stands for its own place (Q-M8).
fn drawn_faces(
    land: &LandMsh,
    places: Range<usize>,
    positions: &[Option<[f32; 3]>],
    surfaces: &Surfaces<'_>,
) -> Vec<GroundFace> {
    let faces = places.filter_map(|place| {
        let key = land
            .face_keys
            .get(place)
            .map(|record| usize::from(record.face));
        let by_key = key.and_then(|key| land.faces.get(key));
        by_key.or_else(|| land.faces.get(place))
    });
    faces
        .map(|face| GroundFace {
            vertices: face.vertices.map(u32::from),
            surface: surfaces.of_face(face),
        })
        .filter(|GroundFace { vertices, .. }| {
            let [a, b, c] = *vertices;
            let exists = |vertex: u32| positions.get(vertex as usize).is_some_and(Option::is_some);
            a != b && b != c && c != a && [a, b, c].into_iter().all(exists)
        })
        .collect()
}

/// The up to eight tiles around a tile.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a tile of the list, whose cells were counted from it"
)]
pub(super) fn neighbors_of(tiles: &[Tile], tile_idx: usize, cells_y: usize) -> Vec<&Tile> {
    let [cx, cy] = tiles[tile_idx].cell;
    let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [cx + dx, cy + dy]));
    around
        .filter(|cell| *cell != [cx, cy])
        .filter_map(|[x, y]| {
            let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
            (y < cells_y).then(|| tiles.get(x * cells_y + y)).flatten()
        })
        .collect()
}
