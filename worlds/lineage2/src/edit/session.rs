//! Region files that are edited, with every change to undo and redo.

mod unsaved;

use super::area::{Area, AreaTooLarge};
use super::journal::{Journal, JournalError, JournalRecord};
use super::operation::{Edit, LayerChoice, Selection, smoothed, stored_height};
use super::patch::BlockPatch;
use ironlands_assets_lineage2::{
    Block, Cell, FolderError, GeoCell, MAX_LAYERS, Multilayer, Nswe, RegionFile, RegionId,
};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use thiserror::Error;

/// Cells of a block.
const N_CELLS: usize = 64;

/// A block before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockChange {
    /// Its region.
    pub region: RegionId,
    /// Its number there.
    pub index: u16,
    /// Before.
    pub before: Block,
    /// After.
    pub after: Block,
}

/// What differs from the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EditCounts {
    /// Regions with a block that differs.
    pub n_regions: usize,
    /// Blocks.
    pub n_blocks: usize,
    /// Cells with a layer that differs, or more or less of them.
    pub n_cells: usize,
}

/// Why an edit was not made. What was before is as it was.
#[derive(Debug, Error)]
pub enum EditError {
    /// Its area cannot be edited.
    #[error(transparent)]
    Area(#[from] AreaTooLarge),
    /// None of its cells has a region.
    #[error("no region is there")]
    NoRegion,
    /// A cell cannot have more layers.
    #[error("a cell would have more than {MAX_LAYERS} layers")]
    TooManyLayers,
    /// A fill reaches more layers than it may have.
    #[error("the fill has more than {limit} layers")]
    FillTooLarge {
        /// Layers that it may have.
        limit: usize,
    },
    /// A block is not what a patch expects.
    #[error(
        "block {index} of region {region} is neither what the patch expects nor what it makes of it"
    )]
    Conflict {
        /// Its region.
        region: RegionId,
        /// Its number there.
        index: u16,
    },
    /// There is nothing to undo or redo.
    #[error("nothing to {0}")]
    Nothing(&'static str),
    /// A region has a format whose diagonals an edit would leave behind.
    #[error("region {0} stores diagonals, which edits do not change; convert it to l2j first")]
    Diagonals(RegionId),
    /// A region cannot be read.
    #[error("a region cannot be read")]
    Folder(#[from] FolderError),
    /// The journal cannot be written.
    #[error("the journal cannot be written")]
    Journal(#[from] JournalError),
}

/// Loads the file of a region; `None` if there is none.
type LoadRegion<'a> = dyn FnMut(RegionId) -> Result<Option<RegionFile>, FolderError> + Send + 'a;
/// Layers of the cells of a block, from high to low.
type Columns = Vec<Vec<Cell>>;
/// A block by its region and number.
type BlockKey = (RegionId, u16);

/// Regions that are loaded when an edit reaches them, and what was done to them.
pub struct EditSession<'a> {
    load: Box<LoadRegion<'a>>,
    files: BTreeMap<RegionId, Option<RegionFile>>,
    /// Blocks that were changed at some time, as the files have them.
    originals: BTreeMap<BlockKey, Block>,
    done: Vec<Vec<BlockChange>>,
    undone: Vec<Vec<BlockChange>>,
    journal: Option<Journal>,
}

impl<'a> EditSession<'a> {
    /// Nothing is loaded or changed yet. With a journal every change is on the disk before it is made.
    pub fn new(
        load: impl FnMut(RegionId) -> Result<Option<RegionFile>, FolderError> + Send + 'a,
        journal: Option<Journal>,
    ) -> Self {
        Self {
            load: Box::new(load),
            files: BTreeMap::new(),
            originals: BTreeMap::new(),
            done: Vec::new(),
            undone: Vec::new(),
            journal,
        }
    }

    /// Makes an edit, and returns how many blocks it changed. What was undone cannot be redone then.
    ///
    /// # Errors
    /// Any [`EditError`] but `Nothing`.
    pub fn apply(&mut self, edit: &Edit) -> Result<usize, EditError> {
        let columns = self.edited(edit)?;
        let mut changes = Vec::new();
        for ((region, index), columns) in columns {
            let before = self.block((region, index))?.ok_or(EditError::NoRegion)?;
            if columns_of(before) == columns {
                continue;
            }
            let before = before.clone();
            let after = block_of(columns).ok_or(EditError::TooManyLayers)?;
            changes.push(BlockChange {
                region,
                index,
                before,
                after,
            });
        }
        self.make(changes)
    }

    /// Puts a block in place of the one that a patch expects, whose layers count, and returns whether that changes it.
    /// A block that is what the patch makes of it stays. What was undone cannot be redone then.
    ///
    /// # Errors
    /// If there is no region, or another block.
    pub fn patch(&mut self, patch: &BlockPatch) -> Result<bool, EditError> {
        let BlockPatch { region, index, .. } = *patch;
        let before = self.block((region, index))?.ok_or(EditError::NoRegion)?;
        let changes = if *before == patch.after {
            Vec::new()
        } else if columns_of(before) == columns_of(&patch.before) {
            vec![BlockChange {
                region,
                index,
                before: before.clone(),
                after: patch.after.clone(),
            }]
        } else {
            return Err(EditError::Conflict { region, index });
        };
        Ok(self.make(changes)? > 0)
    }

    /// Makes changes as one edit.
    fn make(&mut self, changes: Vec<BlockChange>) -> Result<usize, EditError> {
        self.write_journal(&changes, |change| &change.after)?;
        self.set(&changes, |change| &change.after);
        let n_blocks = changes.len();
        self.done.push(changes);
        self.undone.clear();
        Ok(n_blocks)
    }

    /// Takes the last edit back.
    ///
    /// # Errors
    /// If there is none, or the journal cannot be written.
    pub fn undo(&mut self) -> Result<(), EditError> {
        let changes = self.done.pop().ok_or(EditError::Nothing("undo"))?;
        if let Err(error) = self.write_journal(&changes, |change| &change.before) {
            self.done.push(changes);
            return Err(error);
        }
        self.set(&changes, |change| &change.before);
        self.undone.push(changes);
        Ok(())
    }

    /// Makes the last edit again that was taken back.
    ///
    /// # Errors
    /// If there is none, or the journal cannot be written.
    pub fn redo(&mut self) -> Result<(), EditError> {
        let changes = self.undone.pop().ok_or(EditError::Nothing("redo"))?;
        if let Err(error) = self.write_journal(&changes, |change| &change.after) {
            self.undone.push(changes);
            return Err(error);
        }
        self.set(&changes, |change| &change.after);
        self.done.push(changes);
        Ok(())
    }

    /// Makes the changes of a journal again, as one edit. Blocks that the files have already stay as they are.
    ///
    /// # Errors
    /// If a region cannot be read or is not there.
    pub fn recover(&mut self, records: &[JournalRecord]) -> Result<usize, EditError> {
        let mut last = BTreeMap::new();
        for record in records {
            for (region, index, block) in &record.blocks {
                last.insert((*region, *index), block);
            }
        }
        let mut changes = Vec::new();
        for ((region, index), after) in last {
            let before = self.block((region, index))?.ok_or(EditError::NoRegion)?;
            if before != after {
                changes.push(BlockChange {
                    region,
                    index,
                    before: before.clone(),
                    after: after.clone(),
                });
            }
        }
        self.set(&changes, |change| &change.after);
        let n_blocks = changes.len();
        self.done.push(changes);
        Ok(n_blocks)
    }

    /// The files that differ from what was loaded.
    pub fn changed_files(&self) -> impl Iterator<Item = (RegionId, &RegionFile)> {
        let files = self.files.iter();
        let files = files.filter_map(|(id, file)| Some((*id, file.as_ref()?)));
        files.filter(|(id, _)| self.is_changed(*id))
    }

    /// The layers of a cell as they are now, from high to low; `None` where no region is.
    ///
    /// # Errors
    /// If its region cannot be read.
    pub fn column(&mut self, cell: GeoCell) -> Result<Option<Vec<Cell>>, EditError> {
        let block = self.block((cell.region(), cell.block_index()))?;
        Ok(block.map(|block| column_of(block, usize::from(cell.cell_index()))))
    }

    /// The cells of an area, x-major; of a fill those that it reaches.
    ///
    /// # Errors
    /// If the area cannot be edited, or a region of a fill cannot be read.
    pub fn cells(&mut self, area: &Area) -> Result<Vec<GeoCell>, EditError> {
        Ok(self.select(area, LayerChoice::All)?.cells())
    }

    fn write_journal<'b>(
        &mut self,
        changes: &'b [BlockChange],
        which: impl Fn(&'b BlockChange) -> &'b Block,
    ) -> Result<(), EditError> {
        if let Some(journal) = &mut self.journal {
            let blocks = changes.iter();
            let blocks = blocks.map(|change| (change.region, change.index, which(change)));
            journal.append(blocks)?;
        }
        Ok(())
    }

    fn set<'b>(
        &mut self,
        changes: &'b [BlockChange],
        which: impl Fn(&'b BlockChange) -> &'b Block,
    ) {
        for change in changes {
            if let Some(Some(file)) = self.files.get_mut(&change.region) {
                let key = (change.region, change.index);
                self.originals
                    .entry(key)
                    .or_insert_with(|| file.region().blocks()[usize::from(change.index)].clone());
                file.set_block(change.index, which(change).clone());
            }
        }
    }

    fn loaded(&self, (region, index): BlockKey) -> Option<&Block> {
        let file = self.files.get(&region)?.as_ref()?;
        file.region().blocks().get(usize::from(index))
    }

    /// A block, whose region is loaded if it was not.
    fn block(&mut self, key: BlockKey) -> Result<Option<&Block>, EditError> {
        if let Entry::Vacant(place) = self.files.entry(key.0) {
            let file = (self.load)(key.0)?;
            if file.as_ref().is_some_and(RegionFile::has_diagonals) {
                return Err(EditError::Diagonals(key.0));
            }
            place.insert(file);
        }
        Ok(self.loaded(key))
    }

    fn select(&mut self, area: &Area, layers: LayerChoice) -> Result<Selection, EditError> {
        let Area::Fill(fill) = area else {
            return Ok(Selection::Cells(area.cells()?, layers));
        };
        let first = GeoCell::from_point(fill.from.0, fill.from.1).map_err(AreaTooLarge::from)?;
        let layers = fill.layers(first, |cell| self.column(cell))?;
        Ok(Selection::Layers(layers))
    }

    /// The columns of all blocks that an edit touches, as they are after it.
    fn edited(&mut self, edit: &Edit) -> Result<BTreeMap<BlockKey, Columns>, EditError> {
        let selection = self.select(edit.area(), edit.layers())?;
        let mut columns = BTreeMap::<BlockKey, Columns>::new();
        if let Edit::Paste { to, .. } = edit {
            for (cell, column) in self.moved(&selection.cells(), *to)? {
                self.change(&mut columns, cell, |_| Ok(Some(column)))?;
            }
        } else {
            for cell in selection.cells() {
                let smooth = match edit {
                    Edit::Smooth { .. } => self.smooth(cell, &selection)?,
                    _ => None,
                };
                self.change(&mut columns, cell, |before| match smooth {
                    Some(column) => Ok(Some(column)),
                    None => changed(edit, &selection.places(cell, before), before),
                })?;
            }
        }
        match columns.is_empty() {
            true => Err(EditError::NoRegion),
            false => Ok(columns),
        }
    }

    /// The columns of cells, with the cells that they are copied to: the corner with the lowest x and y goes to a point.
    fn moved(
        &mut self,
        cells: &[GeoCell],
        to: (i32, i32),
    ) -> Result<Vec<(GeoCell, Vec<Cell>)>, EditError> {
        let target = GeoCell::from_point(to.0, to.1).map_err(AreaTooLarge::from)?;
        let low = |of: fn(&GeoCell) -> u16| cells.iter().map(of).min().unwrap_or_default();
        let (low_x, low_y) = (low(|cell| cell.x), low(|cell| cell.y));
        let along = |at: u16, from: u16, to: u16| to.checked_add(at - from);
        let mut moved = Vec::new();
        for cell in cells {
            let x = along(cell.x, low_x, target.x);
            let y = along(cell.y, low_y, target.y);
            if let (Some(column), Some(x), Some(y)) = (self.column(*cell)?, x, y) {
                moved.push((GeoCell { x, y }, column));
            }
        }
        Ok(moved)
    }

    /// Changes the column of a cell among those of its block.
    fn change(
        &mut self,
        columns: &mut BTreeMap<BlockKey, Columns>,
        cell: GeoCell,
        change: impl FnOnce(&[Cell]) -> Result<Option<Vec<Cell>>, EditError>,
    ) -> Result<(), EditError> {
        let key = (cell.region(), cell.block_index());
        let block = match columns.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => match self.block(key)? {
                Some(block) => place.insert(columns_of(block)),
                None => return Ok(()),
            },
        };
        let column = &mut block[usize::from(cell.cell_index())];
        if let Some(mut changed) = change(column)? {
            changed.sort_by_key(|layer| std::cmp::Reverse(layer.height));
            changed.dedup_by_key(|layer| layer.height);
            if changed.len() > MAX_LAYERS {
                return Err(EditError::TooManyLayers);
            }
            *column = changed;
        }
        Ok(())
    }

    fn smooth(
        &mut self,
        cell: GeoCell,
        selection: &Selection,
    ) -> Result<Option<Vec<Cell>>, EditError> {
        let Some(mut column) = self.column(cell)? else {
            return Ok(None);
        };
        let mut failure = None;
        for at in selection.places(cell, &column) {
            let mut column_of = |cell| match self.column(cell) {
                Ok(column) => column,
                Err(error) => {
                    failure = Some(error);
                    None
                }
            };
            column[at].height = smoothed(cell, column[at].height, &mut column_of);
        }
        match failure {
            Some(error) => Err(error),
            None => Ok(Some(column)),
        }
    }
}

/// A column after an edit of the layers at some places; `None` if it stays.
fn changed(edit: &Edit, places: &[usize], before: &[Cell]) -> Result<Option<Vec<Cell>>, EditError> {
    let mut column = before.to_vec();
    match edit {
        Edit::Raise { by, .. } => {
            for &at in places {
                column[at].height = stored_height(i32::from(before[at].height).saturating_add(*by));
            }
        }
        Edit::Level { height, .. } => {
            for &at in places {
                column[at].height = stored_height(*height);
            }
        }
        Edit::AddLayer { height, sides, .. } => {
            let height = stored_height(*height);
            if before.iter().any(|layer| layer.height == height) {
                return Ok(None);
            }
            column.push(Cell::new(height, *sides));
        }
        Edit::RemoveLayer { .. } => {
            let mut at = 0..;
            column.retain(|_| !at.next().is_some_and(|at| places.contains(&at)));
            if column.is_empty() {
                // Of all, the lowest stays.
                column.extend(before.last());
            }
        }
        Edit::Open { sides, .. } => {
            for &at in places {
                column[at].nswe |= *sides;
            }
        }
        Edit::Close { sides, .. } => {
            for &at in places {
                column[at].nswe -= *sides;
            }
        }
        Edit::Smooth { .. } | Edit::Paste { .. } => return Ok(None),
    }
    Ok(Some(column))
}

fn columns_of(block: &Block) -> Columns {
    (0..N_CELLS).map(|cell| column_of(block, cell)).collect()
}

/// Layers of a cell from high to low, as queries see them.
fn column_of(block: &Block, cell: usize) -> Vec<Cell> {
    let mut column = match block {
        Block::Flat(flat) => vec![Cell::new(flat.high(), Nswe::ALL_SIDES)],
        Block::Complex(cells) => cells.get(cell).copied().into_iter().collect(),
        Block::Multilayer(multilayer) => multilayer.layers(cell).to_vec(),
    };
    column.sort_by_key(|layer| std::cmp::Reverse(layer.height));
    column
}

/// The block of columns; `None` if a cell has no layer or too many.
fn block_of(columns: Columns) -> Option<Block> {
    let block = Multilayer::new(columns.iter().map(Vec::as_slice))?;
    Some(
        match <Box<[Cell; N_CELLS]>>::try_from(block.all_layers().to_vec()) {
            Ok(cells) => Block::Complex(cells),
            Err(_) => Block::Multilayer(Box::new(block)),
        },
    )
}
