//! Scratch memory of queries, which is reused.

use super::tree::Span;
use std::cell::RefCell;

/// Scratch memory of one thread for queries of a brush world: make one, and use it for all queries. It grows to what
/// the largest world needs; from then on queries allocate nothing.
#[derive(Debug, Clone, Default)]
pub struct CastScratch {
    /// What is still to be visited of the tree.
    pub(super) spans: Vec<Span>,
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
