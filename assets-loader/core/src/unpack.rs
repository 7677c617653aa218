//! How much a file may unpack to: one budget for everything in it.
//!
//! In: the number of bytes read from disk. Out: permission to unpack some more, or an error at the place that requested it.
//!
//! A format first refuses what it cannot hold: a size that its packed bytes cannot come to, an entry beyond the
//! largest of any game. Each such limit holds for one entry; a file can have thousands, can nest them, and can let
//! them share one payload. Hence a [`Budget`] that all entries of an opened file spend from, whichever code unpacks them.
//!
//! What is spent does not come back, so that time is bounded as well as memory.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bytes::{FormatError, FormatErrorKind, Reader};

/// Any file may unpack to this much: a small map of plain textures unpacks to some ten megabytes. What is made of it in
/// memory may be several times as large.
pub const DEFAULT_LIMIT: u64 = 96 << 20;
/// Bytes that may come of one byte read. The game files at hand come to at most 12.
const MAX_RATIO: u64 = 64;

/// See [`set_limit`].
static LIMIT: AtomicU64 = AtomicU64::new(DEFAULT_LIMIT);

/// Lets every file that is opened from now on unpack to `n_bytes`, or to more if it is large.
///
/// For the whole process, as a program's option: [`DEFAULT_LIMIT`] before.
pub fn set_limit(n_bytes: u64) {
    LIMIT.store(n_bytes, Ordering::Relaxed);
}

/// What an opened file may still unpack to. Clones spend from the same budget.
///
/// Budgets are all equal: they do not make the values that hold them differ. The default one has no limit; it is that
/// of values that were not read from a file.
#[derive(Debug, Clone, Default)]
pub struct Budget(Option<Arc<Account>>);

/// A [`Budget`] that does not suffice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverBudget {
    /// Bytes that are left.
    pub left: u64,
    /// All bytes.
    pub limit: u64,
}

#[derive(Debug)]
struct Account {
    /// Whatever was read may come to this much.
    least: u64,
    n_read: AtomicU64,
    n_unpacked: AtomicU64,
}

impl Budget {
    /// The budget of a file of this many bytes.
    pub fn from_file_size(n_bytes: usize) -> Self {
        Self::with_limit(LIMIT.load(Ordering::Relaxed), n_bytes as u64)
    }

    /// A budget of at least `least` bytes for `n_read` bytes read.
    pub fn with_limit(least: u64, n_read: u64) -> Self {
        Self(Some(Arc::new(Account {
            least,
            n_read: AtomicU64::new(n_read),
            n_unpacked: AtomicU64::new(0),
        })))
    }

    /// Raises the budget because more bytes were read from disk, as those of another file of the same level.
    pub fn add_read(&self, n_bytes: usize) {
        if let Some(account) = &self.0 {
            add(&account.n_read, n_bytes as u64);
        }
    }

    /// Spends `n_bytes` on what is going to be unpacked, before it is. `field` and `at` are the place that requests it.
    ///
    /// # Errors
    /// [`FormatErrorKind::OverBudget`]; then nothing is spent.
    pub fn spend(
        &self,
        at: &Reader<'_>,
        field: impl Into<Cow<'static, str>>,
        n_bytes: u64,
    ) -> Result<(), FormatError> {
        self.take(n_bytes).map_err(|OverBudget { left, limit }| {
            let kind = FormatErrorKind::OverBudget {
                needed: n_bytes,
                left,
                limit,
            };
            at.error(field, kind)
        })
    }

    /// As [`spend`](Self::spend), for what is at no place of a file.
    ///
    /// # Errors
    /// There is less left; then nothing is spent.
    pub fn take(&self, n_bytes: u64) -> Result<(), OverBudget> {
        let Some(account) = &self.0 else {
            return Ok(());
        };
        let limit = account.limit();
        let within = |spent: u64| spent.checked_add(n_bytes).filter(|sum| *sum <= limit);
        let spent = (account.n_unpacked).fetch_update(Ordering::Relaxed, Ordering::Relaxed, within);
        spent.map(drop).map_err(|spent| OverBudget {
            left: limit.saturating_sub(spent),
            limit,
        })
    }
}

impl Account {
    fn limit(&self) -> u64 {
        let of_read = self
            .n_read
            .load(Ordering::Relaxed)
            .saturating_mul(MAX_RATIO);
        of_read.max(self.least)
    }
}

fn add(counter: &AtomicU64, n: u64) {
    let sum = |before: u64| Some(before.saturating_add(n));
    // The closure always gives a sum.
    let _ = counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
}

impl PartialEq for Budget {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Budget {}
