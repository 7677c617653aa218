//! The largest index of any range, fast enough for files whose batches all name the same long range.

use std::ops::Range;

/// Indices that are summed up together.
const BLOCK: usize = 256;

/// Largest values of the blocks of a list.
pub(super) struct RangeMax<'a> {
    values: &'a [u16],
    block_maxima: Vec<u16>,
}

impl<'a> RangeMax<'a> {
    pub(super) fn new(values: &'a [u16]) -> Self {
        Self {
            values,
            block_maxima: values.chunks(BLOCK).filter_map(largest).collect(),
        }
    }

    /// The largest value of a range; `None` if the range is empty or leaves the list.
    pub(super) fn of(&self, range: Range<usize>) -> Option<u16> {
        let whole = range.start.div_ceil(BLOCK)..range.end.checked_div(BLOCK)?;
        if whole.is_empty() {
            return largest(self.values.get(range)?);
        }
        let head_end = whole.start.saturating_mul(BLOCK);
        let tail_start = whole.end.saturating_mul(BLOCK);
        let parts = [
            largest(self.values.get(range.start..head_end)?),
            largest(self.block_maxima.get(whole)?),
            largest(self.values.get(tail_start..range.end)?),
        ];
        parts.into_iter().flatten().max()
    }
}

fn largest(values: &[u16]) -> Option<u16> {
    values.iter().copied().max()
}
