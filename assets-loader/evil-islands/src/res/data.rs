//! Content of an entry: a range of the file that it was read from, or bytes of its own. Copies share the bytes.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The bytes of an entry. A copy costs nothing; entries that share one range of a file share it here as well.
#[derive(Debug, Clone)]
pub struct ResData {
    bytes: Arc<[u8]>,
    range: Range<usize>,
}

impl ResData {
    /// A range of a file. The caller has checked that it lies in there; one that does not is empty.
    pub(super) fn from_file(file: &Arc<[u8]>, range: Range<usize>) -> Self {
        Self {
            bytes: Arc::clone(file),
            range,
        }
    }

    /// Whether both are the very same range of the same bytes, not only equal.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes) && self.range == other.range
    }

    /// Differs for contents that are not [the same](Self::is_same).
    pub(super) fn key(&self) -> (usize, usize, usize) {
        let bytes = self.bytes.as_ptr() as usize;
        (bytes, self.range.start, self.range.end)
    }

    /// Where the range begins in the archive that it was read from; 0 for new bytes.
    pub fn offset(&self) -> u64 {
        self.range.start as u64
    }
}

impl Deref for ResData {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }
}

impl From<Vec<u8>> for ResData {
    fn from(bytes: Vec<u8>) -> Self {
        Self {
            range: 0..bytes.len(),
            bytes: Arc::from(bytes),
        }
    }
}

impl PartialEq for ResData {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for ResData {}

impl Hash for ResData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}
