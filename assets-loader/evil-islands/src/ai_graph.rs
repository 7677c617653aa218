//! The graph by which units find their way: a record for each cell of 4 m, in a MOB file.
//!
//! Document: Evil Islands dossier, section 11.5. What the records mean is not known; they are carried as they are.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::record::Codec;

/// Side of a cell, meters.
pub const CELL_SIZE: f32 = 4.0;
/// Cells along each side of a sector.
pub const CELLS_PER_SECTOR: u32 = 8;
/// Bytes of the record of a cell.
pub const RECORD_SIZE: usize = 152;

/// What a cell holds: 76 numbers of 16 bits, as bytes.
pub type AiRecord = [u8; RECORD_SIZE];

/// The records of all cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AiGraph {
    width: u32,
    height: u32,
    /// Row by row, `records[y * width + x]`.
    records: Vec<AiRecord>,
}

impl AiGraph {
    /// A graph of `width` by `height` cells, row by row; `None` if there are more or fewer records.
    pub fn new(width: u32, height: u32, records: Vec<AiRecord>) -> Option<Self> {
        let n_cells = u64::from(width).checked_mul(u64::from(height))?;
        (n_cells == records.len() as u64).then_some(Self {
            width,
            height,
            records,
        })
    }

    /// Cells along x: eight a sector.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Cells along y: eight a sector.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All records, row by row.
    pub fn records(&self) -> &[AiRecord] {
        &self.records
    }

    /// The record of a cell; `None` outside of the graph.
    pub fn record(&self, x: u32, y: u32) -> Option<&AiRecord> {
        self.records.get(self.idx(x, y)?)
    }

    /// The record of a cell, to be changed; `None` outside of the graph.
    pub fn record_mut(&mut self, x: u32, y: u32) -> Option<&mut AiRecord> {
        let idx = self.idx(x, y)?;
        self.records.get_mut(idx)
    }

    fn idx(&self, x: u32, y: u32) -> Option<usize> {
        let is_inside = x < self.width && y < self.height;
        let idx = u64::from(y)
            .checked_mul(u64::from(self.width))?
            .checked_add(u64::from(x))?;
        is_inside.then(|| usize::try_from(idx).ok()).flatten()
    }

    /// Reads or writes the payload of the node, which errors call `field`, up to its last record.
    pub(super) fn walk(
        &mut self,
        c: &mut impl Codec,
        field: &'static str,
    ) -> Result<(), FormatError> {
        c.field(field, &mut self.width)?;
        c.field(field, &mut self.height)?;
        // Two numbers of 32 bits have a product of 64.
        let n_cells = u64::from(self.width).saturating_mul(u64::from(self.height));
        c.fields(field, &mut self.records, n_cells)
    }
}
