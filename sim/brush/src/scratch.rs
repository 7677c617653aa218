//! Scratch memory of queries, which is reused.

use super::tree::Span;
use std::cell::RefCell;

/// Scratch memory of one thread for queries of a brush world: make one, and use it for all queries. It grows to what
/// the largest world needs; from then on queries allocate nothing.
#[derive(Debug, Clone, Default)]
pub struct CastScratch {
    /// What is still to be visited of the tree.
    pub(super) spans: Vec<Span>,
    /// For each brush the last query that tested it.
    stamps: Vec<u32>,
    query: u32,
}

impl CastScratch {
    /// To call before each query of a world with this number of brushes.
    pub(super) fn begin(&mut self, n_brushes: usize) {
        self.spans.clear();
        if self.stamps.len() < n_brushes {
            self.stamps.resize(n_brushes, 0);
        }
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.stamps.fill(0);
            self.query = 1;
        }
    }

    /// Whether this query visits a brush for the first time.
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; `begin` makes a stamp for each brush of the file, and leaves name no others"
    )]
    #[inline(always)]
    pub(super) fn is_first_visit(&mut self, brush: usize) -> bool {
        std::mem::replace(&mut self.stamps[brush], self.query) != self.query
    }
}

thread_local! {
    static OF_THREAD: RefCell<CastScratch> = RefCell::default();
}

impl CastScratch {
    /// Runs `work` with the scratch memory of this thread, for callers that have none. Must not be called again inside
    /// of `work`.
    pub fn with_thread_scratch<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        OF_THREAD.with_borrow_mut(work)
    }
}
