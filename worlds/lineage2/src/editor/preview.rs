//! Cells that an edit would change or has changed, on the land as it is drawn.

use crate::GeodataWorld;
use crate::edit::LayerChoice;
use glam::Vec3;
use ironlands_assets_lineage2::{CELL_SIZE, Cell, GeoCell};
use ironlands_scene::{OverlayVertex, TileShape};
use ironlands_sim_geodata::land::TileSurface;
use std::collections::HashMap;

/// Cells beyond this many are not highlighted.
const MAX_HIGHLIGHTED: usize = 1 << 14;
/// End points of lines beyond this many are left out.
const MAX_LINE_ENDS: usize = 1 << 17;
/// Lines are drawn so far above the ground, points.
pub const LIFT: f32 = 5.0;

const YELLOW: [u8; 4] = [255, 226, 60, 255];
const MAGENTA: [u8; 4] = [255, 70, 220, 255];

/// The sides of a cell as steps to the neighbor, and the corners that they are between: south-west, south-east,
/// north-west, north-east.
const SIDES: [((i32, i32), [usize; 2]); 4] = [
    ((1, 0), [1, 3]),
    ((-1, 0), [0, 2]),
    ((0, 1), [0, 1]),
    ((0, -1), [2, 3]),
];

/// Triangles over the layers of cells that are chosen.
pub fn highlight(
    world: &GeodataWorld,
    cells: &[GeoCell],
    layers: LayerChoice,
    shape: TileShape,
) -> Vec<[Vec3; 3]> {
    let mut drawn = TileSurface::new(world.land(), shape);
    let mut triangles = Vec::new();
    for cell in cells.iter().take(MAX_HIGHLIGHTED) {
        for layer in chosen_layers(world, *cell, layers) {
            if let Some([a, b, c, d]) = drawn.square(*cell, layer) {
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
    triangles
}

/// Triangles at a height over cells.
pub fn level_highlight(cells: &[GeoCell], z: i32) -> Vec<[Vec3; 3]> {
    let squares = cells.iter().take(MAX_HIGHLIGHTED).map(|cell| {
        let (x, y) = cell.corner();
        [(0, 1), (1, 1), (0, 0), (1, 0)].map(|(dx, dy)| {
            let (x, y) = (x + dx * CELL_SIZE, y + dy * CELL_SIZE);
            Vec3::new(x as f32, -(y as f32), z as f32)
        })
    });
    squares
        .flat_map(|[a, b, c, d]| [[a, b, c], [b, d, c]])
        .collect()
}

/// A line around cells, each on its layer nearest to a height.
pub fn outline(
    world: &GeodataWorld,
    cells: &HashMap<GeoCell, i16>,
    shape: TileShape,
    color: OutlineColor,
) -> Vec<OverlayVertex> {
    let mut drawn = TileSurface::new(world.land(), shape);
    let mut lines = Vec::new();
    for (cell, z) in cells {
        let sides = SIDES.iter().filter(|(step, _)| {
            let beside = neighbor(*cell, *step);
            !beside.is_some_and(|beside| cells.contains_key(&beside))
        });
        let mut sides = sides.peekable();
        if sides.peek().is_none() || lines.len() >= MAX_LINE_ENDS {
            continue;
        }
        let layer = world.land().geodata().nearest_layer(*cell, i32::from(*z));
        let square = layer
            .ok()
            .and_then(|layer| drawn.square(*cell, layer.index));
        let Some(corners) = square else {
            continue;
        };
        for (_, ends) in sides {
            lines.extend(ends.map(|end| OverlayVertex {
                position: (corners[end] + Vec3::Z * LIFT).to_array(),
                color: color.rgba(),
            }));
        }
    }
    lines
}

/// What a line is around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutlineColor {
    /// What a stroke would change.
    Stroke,
    /// What differs from the files.
    Unsaved,
}

impl OutlineColor {
    fn rgba(self) -> [u8; 4] {
        match self {
            Self::Stroke => YELLOW,
            Self::Unsaved => MAGENTA,
        }
    }
}

/// The numbers of chosen layers, from the ground up.
fn chosen_layers(world: &GeodataWorld, cell: GeoCell, layers: LayerChoice) -> Vec<u8> {
    let ground = world.land().geodata().layers(cell).unwrap_or_default();
    // The choice is made among stored layers, from high to low.
    let stored = ground.iter().rev();
    let stored = stored.map(|layer| Cell::new(layer.z as i16, layer.nswe));
    let stored: Vec<Cell> = stored.collect();
    let chosen = layers.of(&stored).into_iter();
    chosen.map(|at| (stored.len() - 1 - at) as u8).collect()
}

fn neighbor(cell: GeoCell, (dx, dy): (i32, i32)) -> Option<GeoCell> {
    let beside = |at: u16, step: i32| u16::try_from(i32::from(at) + step).ok();
    Some(GeoCell {
        x: beside(cell.x, dx)?,
        y: beside(cell.y, dy)?,
    })
}
