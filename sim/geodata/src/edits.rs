//! Doors, walls and other edits: blocks that differ from those of the pack. Dossier section 6.5.
//!
//! An edited block is a record of its own, made of the block below it and of all objects over it, in the order in
//! which they came. Queries read it instead; the pack never changes.

use super::pack::{BlockView, RegionPack, record_of};
use ironlands_sim_regions::{
    Block, CELL_SIZE, Cell, GeoCell, Multilayer, N_BLOCKS, Nswe, RegionId,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Layers that are farther from an object than this are left alone.
const DOOR_REACH: i32 = 48;
const WALL_REACH: i32 = 192;

/// Cells along a side of an object, at most: those of a region.
const MAX_SIDE: u16 = 2048;

/// What is kept free below the next layer when a cell is lifted.
const HEADROOM: i16 = 48;

/// Where a cell is looked at, from its middle, to see whether an object covers a part of it.
const SAMPLES: std::ops::RangeInclusive<i32> = -3..=3;
const SAMPLE_STEP: i32 = 2;

/// What an object does to a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ObjectCell {
    /// Nothing.
    #[default]
    Unchanged,
    /// It stands in it: all sides are closed, and its ground is the object's top.
    Inside,
    /// These sides are closed, others stay.
    Closed(Nswe),
}

/// How near the ground must be to an object for its cells to be in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ObjectKind {
    /// Within 48 points.
    #[default]
    Door,
    /// Within 192 points, as the walls of castles.
    Wall,
}

/// Something on the ground that can come and go: a rectangle of cells and what it does to each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeoObject {
    first: GeoCell,
    /// Cells in x and y.
    size: (u16, u16),
    /// Bottom and top, in points.
    bottom: i16,
    top: i16,
    kind: ObjectKind,
    /// x-major.
    cells: Vec<ObjectCell>,
}

/// Which sides of a cell lead to a neighbor.
const NEIGHBORS: [(i32, i32, Nswe); 4] = [
    (1, 0, Nswe::EAST),
    (-1, 0, Nswe::WEST),
    (0, 1, Nswe::SOUTH),
    (0, -1, Nswe::NORTH),
];

impl GeoObject {
    /// What a prism over an outline does: the cells that it covers, even in part, are inside; those around lose the
    /// sides that face it. `outline` is in world points, in either direction.
    ///
    /// `None` for less than three points, a top below the bottom, or an outline that leaves the grid of regions or
    /// is longer than a region.
    pub fn from_outline(
        outline: &[(i32, i32)],
        bottom: i16,
        top: i16,
        kind: ObjectKind,
    ) -> Option<Self> {
        if outline.len() < 3 || top < bottom {
            return None;
        }
        let xs = || outline.iter().map(|point| point.0);
        let ys = || outline.iter().map(|point| point.1);
        // One cell more all around loses sides.
        let first = GeoCell::from_point(
            xs().min()?.checked_sub(CELL_SIZE)?,
            ys().min()?.checked_sub(CELL_SIZE)?,
        );
        let last = GeoCell::from_point(
            xs().max()?.checked_add(CELL_SIZE)?,
            ys().max()?.checked_add(CELL_SIZE)?,
        );
        let (first, last) = (first.ok()?, last.ok()?);
        let n_cells = |first: u16, last: u16| {
            let n = last.checked_sub(first)?.checked_add(1)?;
            (n <= MAX_SIDE).then_some(n)
        };
        let size = (n_cells(first.x, last.x)?, n_cells(first.y, last.y)?);
        let is_inside = |x: i32, y: i32| {
            let cell = GeoCell {
                x: u16::try_from(i32::from(first.x).checked_add(x)?).ok()?,
                y: u16::try_from(i32::from(first.y).checked_add(y)?).ok()?,
            };
            covers(outline, cell).then_some(())
        };
        let is_inside = |x, y| is_inside(x, y).is_some();
        let mut cells = Vec::new();
        for x in 0..i32::from(size.0) {
            for y in 0..i32::from(size.1) {
                if is_inside(x, y) {
                    cells.push(ObjectCell::Inside);
                    continue;
                }
                let mut closed = Nswe::empty();
                for (dx, dy, side) in NEIGHBORS {
                    closed.set(side, is_inside(x.saturating_add(dx), y.saturating_add(dy)));
                }
                cells.push(match closed.is_empty() {
                    true => ObjectCell::Unchanged,
                    false => ObjectCell::Closed(closed),
                });
            }
        }
        Some(Self {
            first,
            size,
            bottom,
            top,
            kind,
            cells,
        })
    }

    /// What it does to a cell.
    pub fn at(&self, cell: GeoCell) -> ObjectCell {
        let place = |at: u16, first: u16, size: u16| at.checked_sub(first).filter(|&at| at < size);
        let x = place(cell.x, self.first.x, self.size.0);
        let y = place(cell.y, self.first.y, self.size.1);
        match (x, y) {
            (Some(x), Some(y)) => {
                let place = usize::from(x).saturating_mul(self.size.1.into());
                let place = place.saturating_add(y.into());
                self.cells.get(place).copied().unwrap_or_default()
            }
            _ => ObjectCell::Unchanged,
        }
    }

    /// The blocks that its rectangle touches, by region.
    pub fn blocks(&self) -> BTreeMap<RegionId, Vec<u16>> {
        let mut blocks = BTreeMap::<_, Vec<_>>::new();
        let last = |first: u16, size: u16| first.saturating_add(size.saturating_sub(1));
        for x in self.first.x >> 3..=last(self.first.x, self.size.0) >> 3 {
            for y in self.first.y >> 3..=last(self.first.y, self.size.1) >> 3 {
                let cell = GeoCell {
                    x: x << 3,
                    y: y << 3,
                };
                blocks
                    .entry(cell.region())
                    .or_default()
                    .push(cell.block_index());
            }
        }
        blocks
    }

    /// Changes the layers of a cell, which go from high to low. `before` are those without any object.
    fn apply(&self, cell: GeoCell, before: &[Cell], layers: &mut [Cell]) {
        let what = self.at(cell);
        let reach = match (what, self.kind) {
            (ObjectCell::Unchanged, _) => return,
            (ObjectCell::Closed(_), _) | (_, ObjectKind::Door) => DOOR_REACH,
            (ObjectCell::Inside, ObjectKind::Wall) => WALL_REACH,
        };
        let distance = |layer: &Cell| i32::from(layer.height.abs_diff(self.bottom));
        let nearest = before
            .iter()
            .enumerate()
            .min_by_key(|(_, layer)| distance(layer));
        let Some((index, ground)) = nearest.filter(|(_, layer)| distance(layer) <= reach) else {
            return;
        };
        // A cell that was lifted is inside of another object already.
        let layer = layers.get_mut(index);
        let Some(layer) = layer.filter(|layer| layer.height == ground.height) else {
            return;
        };
        match what {
            ObjectCell::Unchanged => {}
            ObjectCell::Closed(sides) => layer.nswe.remove(sides),
            ObjectCell::Inside => {
                let above = index.checked_sub(1).and_then(|above| before.get(above));
                let ceiling = above.map(|above| above.height.saturating_sub(HEADROOM));
                let top = ceiling.map_or(self.top, |ceiling| self.top.min(ceiling));
                *layer = Cell::new(top.max(ground.height), Nswe::empty());
            }
        }
    }
}

/// Whether a part of a cell lies in an outline.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "points of the grid of regions, which are far from the ends of 32 bits"
)]
fn covers(outline: &[(i32, i32)], cell: GeoCell) -> bool {
    let (x, y) = cell.center();
    let mut samples = SAMPLES.flat_map(|in_x| SAMPLES.map(move |in_y| (in_x, in_y)));
    samples.any(|(in_x, in_y)| holds(outline, (x + in_x * SAMPLE_STEP, y + in_y * SAMPLE_STEP)))
}

/// Whether a point lies in an outline, by the number of edges to its east.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "points of the grid of regions, whose products fit 64 bits"
)]
fn holds(outline: &[(i32, i32)], (x, y): (i32, i32)) -> bool {
    let mut is_inside = false;
    let Some(&(mut before)) = outline.last() else {
        return false;
    };
    for &at in outline {
        if (before.1 > y) != (at.1 > y) {
            let (dx, dy) = (
                i64::from(at.0) - i64::from(before.0),
                i64::from(at.1) - i64::from(before.1),
            );
            let (px, py) = (
                i64::from(x) - i64::from(before.0),
                i64::from(y) - i64::from(before.1),
            );
            // Where the edge is at this y, compared without a division.
            let side = px * dy - dx * py;
            is_inside ^= (side < 0) == (dy > 0);
        }
        before = at;
    }
    is_inside
}

/// Edited blocks of a region.
#[derive(Debug, Clone)]
pub(super) struct RegionEdits {
    /// A bit a block, so that the others are recognized without a search.
    marks: Box<[u64]>,
    blocks: HashMap<u16, Arc<EditedBlock>>,
}

#[derive(Debug, Clone)]
struct EditedBlock {
    /// In place of the pack's own.
    replacement: Option<Block>,
    /// In the order in which they came.
    objects: Vec<(u64, Arc<GeoObject>)>,
    record: Box<[u8]>,
}

impl Default for RegionEdits {
    fn default() -> Self {
        Self {
            marks: vec![0; N_BLOCKS / 64].into(),
            blocks: HashMap::new(),
        }
    }
}

impl RegionEdits {
    #[inline]
    pub(super) fn block(&self, index: u16) -> Option<BlockView<'_>> {
        let marks = self.marks.get(usize::from(index >> 6))?;
        if marks & mark_of(index) == 0 {
            return None;
        }
        let edited = self.blocks.get(&index)?;
        Some(BlockView::from_record(&edited.record, &[]))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(super) fn has(&self, id: u64) -> bool {
        let mut blocks = self.blocks.values();
        blocks.any(|block| block.objects.iter().any(|(own, _)| *own == id))
    }

    pub(super) fn n_bytes(&self) -> usize {
        let blocks = self.blocks.values();
        let n_bytes = blocks.map(|block| size_of_val(&**block).saturating_add(block.record.len()));
        n_bytes.fold(size_of_val(&*self.marks), usize::saturating_add)
    }

    pub(super) fn replace(
        &mut self,
        pack: &RegionPack,
        region: RegionId,
        index: u16,
        block: Block,
    ) {
        let objects = self
            .blocks
            .get(&index)
            .map_or_else(Vec::new, |edited| edited.objects.clone());
        // Compared as queries see them: files say some blocks in several ways.
        let is_packed = record_of(&block) == record_of(&pack.block(index).to_block());
        let replacement = Some(block).filter(|_| !is_packed);
        match replacement.is_none() && objects.is_empty() {
            true => self.forget(index),
            false => self.put(pack, region, index, replacement, objects),
        }
    }

    /// The block is as the pack has it.
    fn forget(&mut self, index: u16) {
        self.blocks.remove(&index);
        if let Some(marks) = self.marks.get_mut(usize::from(index >> 6)) {
            *marks &= !mark_of(index);
        }
    }

    pub(super) fn add(
        &mut self,
        pack: &RegionPack,
        region: RegionId,
        index: u16,
        id: u64,
        object: &Arc<GeoObject>,
    ) {
        let edited = self.blocks.get(&index);
        let replacement = edited.and_then(|edited| edited.replacement.clone());
        let mut objects = edited.map_or_else(Vec::new, |edited| edited.objects.clone());
        objects.push((id, object.clone()));
        self.put(pack, region, index, replacement, objects);
    }

    pub(super) fn remove(&mut self, pack: &RegionPack, region: RegionId, id: u64) {
        let has = |block: &EditedBlock| block.objects.iter().any(|(own, _)| *own == id);
        let touched: Vec<u16> = self
            .blocks
            .iter()
            .filter(|(_, block)| has(block))
            .map(|(&index, _)| index)
            .collect();
        for index in touched {
            let Some(edited) = self.blocks.get(&index).cloned() else {
                continue;
            };
            self.forget(index);
            let mut objects = edited.objects.clone();
            objects.retain(|(own, _)| *own != id);
            if edited.replacement.is_some() || !objects.is_empty() {
                self.put(pack, region, index, edited.replacement.clone(), objects);
            }
        }
    }

    fn put(
        &mut self,
        pack: &RegionPack,
        region: RegionId,
        index: u16,
        replacement: Option<Block>,
        objects: Vec<(u64, Arc<GeoObject>)>,
    ) {
        let base = replacement
            .clone()
            .unwrap_or_else(|| pack.block(index).to_block());
        let block = with_objects(&base, region, index, &objects);
        let edited = EditedBlock {
            replacement,
            objects,
            record: record_of(&block),
        };
        self.blocks.insert(index, Arc::new(edited));
        if let Some(marks) = self.marks.get_mut(usize::from(index >> 6)) {
            *marks |= mark_of(index);
        }
    }
}

/// The bit of a block among the 64 of its word.
fn mark_of(index: u16) -> u64 {
    1 << (index & 63)
}

/// A block with all objects over it.
fn with_objects(
    base: &Block,
    region: RegionId,
    index: u16,
    objects: &[(u64, Arc<GeoObject>)],
) -> Block {
    let columns: Vec<Vec<Cell>> = (0..64_u8)
        .map(|cell| {
            let before = column_of(base, usize::from(cell));
            let mut layers = before.clone();
            for (_, object) in objects {
                object.apply(
                    GeoCell::in_region(region, index, cell),
                    &before,
                    &mut layers,
                );
            }
            layers
        })
        .collect();
    let is_unchanged = columns
        .iter()
        .enumerate()
        .all(|(cell, column)| *column == column_of(base, cell));
    if is_unchanged {
        return base.clone();
    }
    let block = Multilayer::new(columns.iter().map(Vec::as_slice));
    let block = block.expect("as many layers as the block had").sorted();
    match Box::try_from(block.all_layers().to_vec()) {
        Ok(cells) => Block::Complex(cells),
        Err(_) => Block::Multilayer(Box::new(block)),
    }
}

/// Layers of a cell from high to low, without diagonals.
fn column_of(block: &Block, cell: usize) -> Vec<Cell> {
    let mut column = match block {
        Block::Flat(flat) => vec![Cell::new(flat.high(), Nswe::ALL_SIDES)],
        Block::Complex(cells) => cells.get(cell).copied().into_iter().collect(),
        Block::Multilayer(multilayer) => multilayer.layers(cell).to_vec(),
    };
    column.sort_by_key(|layer| std::cmp::Reverse(layer.height));
    column
}
