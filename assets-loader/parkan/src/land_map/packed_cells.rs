//! The grid as the original holds it at run time: one word a cell into one pool of ids (dossier section 5.4).

use thiserror::Error;

use super::MAX_CELL_IDS;

/// Bits of a cell's word that hold its start.
const START_BITS: u32 = 22;

/// Largest start of a cell.
const MAX_START: u32 = 4_194_303;

/// All cells packed: `count << 22 | start` for each, and the ids of all in one pool.
///
/// A start counts from 1: element 0 of the pool is not used, and an empty cell has start 0 and count 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedCells {
    words: Vec<u32>,
    pool: Vec<u16>,
}

/// Why cells cannot be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CellPackError {
    /// A cell lists more areals than ten bits count.
    #[error("cell {cell} lists {count} areals, the packed form holds at most {MAX_CELL_IDS}")]
    CellTooLong {
        /// Index of the cell.
        cell: usize,
        /// How many areals it lists.
        count: usize,
    },
    /// A cell would begin beyond what twenty-two bits reach.
    #[error("cell {cell} begins at id {start}, the packed form reaches {MAX_START}")]
    PoolTooLong {
        /// Index of the cell.
        cell: usize,
        /// Where its ids would begin, counted from 1.
        start: usize,
    },
}

impl PackedCells {
    /// Packs the id lists of all cells, in cell order.
    pub fn from_cells(cells: &[Vec<u16>]) -> Result<Self, CellPackError> {
        let mut words = Vec::with_capacity(cells.len());
        let mut pool = vec![0];
        for (cell, ids) in cells.iter().enumerate() {
            words.push(packed_word(cell, ids.len(), pool.len())?);
            pool.extend(ids);
        }
        Ok(Self { words, pool })
    }

    /// The word of each cell, `count << 22 | start` with start counted from 1.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The ids of all cells; element 0 is not used.
    pub fn pool(&self) -> &[u16] {
        &self.pool
    }

    /// The ids of a cell; `None` for a cell that does not exist.
    pub fn ids(&self, cell: usize) -> Option<&[u16]> {
        let word = *self.words.get(cell)?;
        let start = (word & MAX_START) as usize;
        let end = start.checked_add((word >> START_BITS) as usize)?;
        self.pool.get(start..end)
    }

    /// The id lists of all cells again.
    pub fn to_cells(&self) -> Vec<Vec<u16>> {
        let cells = (0..self.words.len()).filter_map(|cell| self.ids(cell));
        cells.map(<[u16]>::to_vec).collect()
    }
}

fn packed_word(cell: usize, count: usize, start: usize) -> Result<u32, CellPackError> {
    if count == 0 {
        return Ok(0);
    }
    let count_bits = u32::try_from(count).ok().filter(|_| count <= MAX_CELL_IDS);
    let start_bits = u32::try_from(start)
        .ok()
        .filter(|start| *start <= MAX_START);
    match (count_bits, start_bits) {
        (None, _) => Err(CellPackError::CellTooLong { cell, count }),
        (_, None) => Err(CellPackError::PoolTooLong { cell, start }),
        (Some(count), Some(start)) => Ok(count << START_BITS | start),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_is_count_and_one_based_start() {
        let packed = PackedCells::from_cells(&[vec![7], vec![], vec![8, 9, 10]]).unwrap();
        assert_eq!(packed.words(), [0x0040_0001, 0, 0x00C0_0002]);
        assert_eq!(packed.pool(), [0, 7, 8, 9, 10]);
        assert_eq!(packed.ids(1), Some(&[][..]));
        assert_eq!(packed.ids(2), Some(&[8, 9, 10][..]));
        assert_eq!(packed.ids(3), None);
    }

    #[test]
    fn a_cell_holds_1023_ids_and_no_more() {
        let packed = PackedCells::from_cells(&[vec![1; 1023]]).unwrap();
        assert_eq!(packed.words(), [0xFFC0_0001]);
        let error = PackedCells::from_cells(&[vec![], vec![1; 1024]]).unwrap_err();
        let expected = CellPackError::CellTooLong {
            cell: 1,
            count: 1024,
        };
        assert_eq!(error, expected);
        assert_eq!(
            error.to_string(),
            "cell 1 lists 1024 areals, the packed form holds at most 1023"
        );
    }

    #[test]
    fn a_cell_begins_at_4194303_and_no_later() {
        // 4,100 cells of 1,023 ids end before id 4,194,301; two more ids lead to the last start.
        let mut cells = vec![vec![5u16; 1023]; 4100];
        cells.push(vec![6, 7]);
        cells.push(vec![8]);
        let packed = PackedCells::from_cells(&cells).unwrap();
        assert_eq!(packed.words()[4101], 0x007F_FFFF);
        assert_eq!(packed.ids(4101), Some(&[8][..]));
        cells.push(vec![]);
        assert!(PackedCells::from_cells(&cells).is_ok(), "nothing to reach");
        cells.push(vec![9]);
        let expected = CellPackError::PoolTooLong {
            cell: 4103,
            start: 4_194_304,
        };
        assert_eq!(PackedCells::from_cells(&cells), Err(expected));
    }

    proptest! {
        #[test]
        fn cells_survive_packing(cells in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..5), 0..30)) {
            prop_assert_eq!(PackedCells::from_cells(&cells).unwrap().to_cells(), cells);
        }
    }
}
