//! From tiles to slots to faces, and the grid that the tiles stand in (dossier sections 4.5 and 4.9).

use std::ops::Range;

use super::{Face, FaceKey, LandMsh, NO_WATER_LEVEL, NONE, Slot};
use crate::face_mask::FaceFlags;

/// Where the tiles of a terrain lie: equal cells, x-major, `tile = cx * cells_y + cy`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TileGrid {
    /// Smallest x and y of the grid, in world units: corner 0 of the type 2 header.
    pub origin: [f32; 2],
    /// Width and depth of one cell in world units: the xy extent of slot 0.
    pub cell_size: [f32; 2],
    /// Number of cells in x and y.
    pub cells: [u32; 2],
}

impl TileGrid {
    /// The cell of a point, `None` outside the grid, for a non-finite point and where cells have no extent.
    pub fn cell_at(&self, [x, y]: [f32; 2]) -> Option<[u32; 2]> {
        let [origin_x, origin_y] = self.origin;
        let [width, depth] = self.cell_size;
        let [cells_x, cells_y] = self.cells;
        // The original multiplies by the inverse; near a border that decides the cell.
        let cx = cell_index((x - origin_x) * (1.0 / width), cells_x)?;
        let cy = cell_index((y - origin_y) * (1.0 / depth), cells_y)?;
        Some([cx, cy])
    }

    /// Smallest and largest corner of a cell, in world units.
    pub fn cell_bounds(&self, [cx, cy]: [u32; 2]) -> ([f32; 2], [f32; 2]) {
        let [origin_x, origin_y] = self.origin;
        let [width, depth] = self.cell_size;
        let corner = |x: f32, y: f32| [origin_x + x * width, origin_y + y * depth];
        let (x, y) = (cx as f32, cy as f32);
        (corner(x, y), corner(x + 1.0, y + 1.0))
    }
}

fn cell_index(cell: f32, n_cells: u32) -> Option<u32> {
    let cell = cell.floor();
    (cell >= 0.0 && cell < n_cells as f32).then_some(cell as u32)
}

fn count_up(count: Option<&mut u32>) {
    if let Some(count) = count {
        *count = count.saturating_add(1);
    }
}

impl LandMsh {
    /// Number of tiles in y; 0 for a terrain without tiles or with `cells_x` 0.
    pub fn cells_y(&self) -> u32 {
        let n_tiles = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        n_tiles.checked_div(self.cells_x).unwrap_or(0)
    }

    /// The grid of the tiles; `None` without slot 0, which defines the size of a cell.
    pub fn grid(&self) -> Option<TileGrid> {
        let slot = self.slots.first()?;
        let [[origin_x, origin_y, _], ..] = self.header.corners;
        let [min_x, min_y, _] = slot.aabb_min;
        let [max_x, max_y, _] = slot.aabb_max;
        Some(TileGrid {
            origin: [origin_x, origin_y],
            cell_size: [max_x - min_x, max_y - min_y],
            cells: [self.cells_x, self.cells_y()],
        })
    }

    /// The slot of a tile at a level of detail, 0 = finest; `None` where the tile has none.
    pub fn tile_slot(&self, tile: usize, lod: usize) -> Option<&Slot> {
        let word = *self.nodes.get(tile)?.slots.get(lod)?;
        if word == NONE {
            return None;
        }
        self.slots.get(usize::from(word))
    }

    /// Indices of a slot's faces; empty if the slot reaches outside the faces.
    pub fn slot_face_range(&self, slot: &Slot) -> Range<usize> {
        let range = slot.tri_range();
        if range.end > self.faces.len() {
            return 0..0;
        }
        range
    }

    /// The faces of a slot.
    pub fn slot_faces(&self, slot: &Slot) -> &[Face] {
        self.faces
            .get(self.slot_face_range(slot))
            .unwrap_or_default()
    }

    /// The type 11 records of a slot, one per face; as many as there are if the chunk ends early.
    pub fn slot_face_keys(&self, slot: &Slot) -> &[FaceKey] {
        let Range { start, end } = self.slot_face_range(slot);
        let end = end.min(self.face_keys.len());
        self.face_keys.get(start..end).unwrap_or_default()
    }

    /// Indices of all faces of the finest level of detail, in file order, each once. Queries see these faces
    /// only.
    pub fn lod0_face_indices(&self) -> impl Iterator<Item = usize> {
        // All tiles of a broken file may name all faces: only where ranges begin and end is noted of each.
        let mut begun = vec![0u32; self.faces.len()];
        let mut ended = vec![0u32; self.faces.len()];
        let slots = (0..self.nodes.len()).filter_map(|tile| self.tile_slot(tile, 0));
        for Range { start, end } in slots.map(|slot| self.slot_face_range(slot)) {
            if start < end {
                count_up(begun.get_mut(start));
                count_up(ended.get_mut(end));
            }
        }
        let changes = begun.into_iter().zip(ended).enumerate();
        let mut n_open = 0u32;
        changes.filter_map(move |(face, (begun, ended))| {
            n_open = n_open.saturating_add(begun).saturating_sub(ended);
            (n_open > 0).then_some(face)
        })
    }

    /// Height of the water: z of the first vertex of the first face, in file order, that is water;
    /// [`NO_WATER_LEVEL`] if none is.
    pub fn water_level(&self) -> f32 {
        self.faces
            .iter()
            .find(|face| face.flags.contains(FaceFlags::WATER))
            .and_then(|face| {
                let [first, ..] = face.vertices;
                self.positions.get(usize::from(first))
            })
            .map_or(NO_WATER_LEVEL, |[_, _, z]| *z)
    }
}
