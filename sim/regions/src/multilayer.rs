//! Blocks with several grounds above each other. Dossier section 2.2.

use super::cell::Cell;
use super::region::CELLS_PER_BLOCK;

/// The layers of the 64 cells of a block, borrowed: of a [`Multilayer`], or of a file while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns<'a> {
    ends: &'a [u16; CELLS_PER_BLOCK],
    layers: &'a [Cell],
}

impl<'a> Columns<'a> {
    /// From parts that a reader has checked: `ends` rise, and the last is the number of layers.
    pub fn from_checked_parts(ends: &'a [u16; CELLS_PER_BLOCK], layers: &'a [Cell]) -> Self {
        debug_assert_eq!(ends.last().map(|&end| usize::from(end)), Some(layers.len()));
        Self { ends, layers }
    }

    /// Where the layers of each cell end among [`all_layers`](Self::all_layers).
    pub fn ends(&self) -> &'a [u16; CELLS_PER_BLOCK] {
        self.ends
    }

    /// All layers, cell after cell; those of a cell in the order of the file, highest first in nearly all files.
    pub fn all_layers(&self) -> &'a [Cell] {
        self.layers
    }

    /// A block that owns them.
    pub fn to_multilayer(self) -> Multilayer {
        Multilayer {
            ends: *self.ends,
            layers: self.layers.to_vec(),
        }
    }
}

/// 64 cells with one or more layers each, in the order of the file they came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Multilayer {
    /// Where the layers of each cell end.
    ends: [u16; CELLS_PER_BLOCK],
    layers: Vec<Cell>,
}

impl Multilayer {
    /// Builds a block from the layers of its cells, of which each has 1 to 255; `None` if one has not, or there are
    /// not 64.
    pub fn new<'a>(columns: impl IntoIterator<Item = &'a [Cell]>) -> Option<Self> {
        let mut ends = [0; CELLS_PER_BLOCK];
        let mut layers = Vec::with_capacity(CELLS_PER_BLOCK);
        let mut columns = columns.into_iter();
        for end in &mut ends {
            let column = columns.next()?;
            if column.is_empty() || column.len() > usize::from(u8::MAX) {
                return None;
            }
            layers.extend_from_slice(column);
            *end = u16::try_from(layers.len()).ok()?;
        }
        columns.next().is_none().then_some(Self { ends, layers })
    }

    /// The same, borrowed.
    pub fn borrowed(&self) -> Columns<'_> {
        Columns {
            ends: &self.ends,
            layers: &self.layers,
        }
    }

    /// Layers of a cell in the order of the file, highest first in nearly all files; empty for a cell from 64 on.
    #[inline]
    pub fn layers(&self, cell: usize) -> &[Cell] {
        let Some(&end) = self.ends.get(cell) else {
            return &[];
        };
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.layers[usize::from(start)..usize::from(end)]
    }

    /// The layers of each cell in turn.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &[Cell]> {
        (0..CELLS_PER_BLOCK).map(|cell| self.layers(cell))
    }

    /// All layers, cell after cell.
    pub fn all_layers(&self) -> &[Cell] {
        &self.layers
    }

    /// All layers, to be changed; their number stays.
    pub fn all_layers_mut(&mut self) -> &mut [Cell] {
        &mut self.layers
    }

    /// Whether all cells have one layer, which a complex block could hold as well.
    pub fn is_single_layered(&self) -> bool {
        self.layers.len() == CELLS_PER_BLOCK
    }

    /// The same with the layers of each cell from high to low; equal heights keep their order.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        let mut start = 0;
        for end in self.ends {
            let column = &mut self.layers[usize::from(start)..usize::from(end)];
            if !column.is_sorted_by(|a, b| a.height >= b.height) {
                column.sort_by_key(|layer| std::cmp::Reverse(layer.height));
            }
            start = end;
        }
        self
    }
}
