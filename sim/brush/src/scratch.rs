//! Memory that questions need and that is used again and again.

use super::tree::Span;
use std::cell::RefCell;

/// What one thread needs to ask a brush world: make one, and use it for all questions. It grows to what the largest
/// world needs; from then on questions allocate nothing.
#[derive(Debug, Clone, Default)]
pub struct CastScratch {
    /// What is still to be visited of the tree.
    pub(super) spans: Vec<Span>,
    /// For each brush the last question that tested it.
    stamps: Vec<u32>,
    query: u32,
}

impl CastScratch {
    /// Before each question to a world of so many brushes.
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

    /// Whether this question comes to a brush for the first time.
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
    /// Lends the one that this thread keeps, for callers that have none. Not to be asked for again inside of `work`.
    pub fn with_thread_scratch<Answer>(work: impl FnOnce(&mut Self) -> Answer) -> Answer {
        OF_THREAD.with_borrow_mut(work)
    }
}
