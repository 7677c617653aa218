//! The newest geodata for many threads, while one edits.

use super::world::Geodata;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Where the newest [`Geodata`] is. Readers keep their own and look only at a counter; a lock is taken once for each
/// change that a reader has not seen.
#[derive(Debug, Default)]
pub struct SharedGeodata {
    newest: RwLock<Geodata>,
    n_changes: AtomicU64,
}

/// A thread's own view of a [`SharedGeodata`].
#[derive(Debug, Clone)]
pub struct GeodataReader {
    shared: Arc<SharedGeodata>,
    seen: Geodata,
    n_changes: u64,
}

impl SharedGeodata {
    /// Hands out what is loaded.
    pub fn new(geodata: Geodata) -> Arc<Self> {
        Arc::new(Self {
            newest: RwLock::new(geodata),
            n_changes: AtomicU64::new(0),
        })
    }

    /// The newest one, which costs a lock and a counter.
    pub fn newest(&self) -> Geodata {
        let newest = self.newest.read().unwrap_or_else(PoisonError::into_inner);
        newest.clone()
    }

    /// Runs a short query on the newest one. Edits wait for it: a long one should take [`newest`](Self::newest).
    #[inline]
    pub fn with<T>(&self, query: impl FnOnce(&Geodata) -> T) -> T {
        query(&self.newest.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes it. Queries in progress continue with the geodata that they have.
    pub fn edit(&self, change: impl FnOnce(&Geodata) -> Geodata) {
        let mut newest = self.newest.write().unwrap_or_else(PoisonError::into_inner);
        *newest = change(&newest);
        // A reader that sees the new number finds the new geodata behind the lock.
        self.n_changes.fetch_add(1, Ordering::Release);
    }

    /// A view for a thread.
    pub fn reader(self: &Arc<Self>) -> GeodataReader {
        // Counted first: a change between the two is seen again, never missed.
        let n_changes = self.n_changes.load(Ordering::Acquire);
        GeodataReader {
            shared: self.clone(),
            seen: self.newest(),
            n_changes,
        }
    }
}

impl GeodataReader {
    /// The newest geodata; without a change since the last call it costs one read.
    pub fn get(&mut self) -> &Geodata {
        let n_changes = self.shared.n_changes.load(Ordering::Acquire);
        if n_changes != self.n_changes {
            self.seen = self.shared.newest();
            self.n_changes = n_changes;
        }
        &self.seen
    }
}
