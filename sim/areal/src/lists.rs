//! Many lists end to end: list `i` is `items[starts[i]..starts[i + 1]]`.

use std::ops::Range;

/// Items of a list that is there.
#[expect(
    clippy::indexing_slicing,
    reason = "hot; starts rise, and the last one is the number of items"
)]
#[inline]
pub(super) fn list_of<'a, T>(items: &'a [T], starts: &[u32], list: usize) -> &'a [T] {
    &items[range_of(starts, list)]
}

/// Places of its items.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; there is one start more than there are lists"
)]
#[inline]
pub(super) fn range_of(starts: &[u32], list: usize) -> Range<usize> {
    starts[list] as usize..starts[list + 1] as usize
}
