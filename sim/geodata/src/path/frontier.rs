//! What a search looks at next: the least estimate first, of equals the latest.
//!
//! Estimates never fall and never rise by more than [`MAX_RISE`] at a step, so a ring of lists replaces a heap.

/// Most by which a step may raise the estimate: a diagonal step away from the goal, at the greatest factor.
pub(super) const MAX_RISE: u32 = (RING as u32) - 1;

const RING: usize = 256;

/// A ring of lists, one for each estimate that can be open at a time.
#[derive(Debug, Clone)]
pub(super) struct Frontier {
    lists: Vec<Vec<(u32, u32)>>,
    least: u32,
    len: usize,
}

impl Default for Frontier {
    fn default() -> Self {
        Self {
            lists: vec![Vec::new(); RING],
            least: 0,
            len: 0,
        }
    }
}

impl Frontier {
    /// Empties it for a search whose first estimate is `least`.
    pub(super) fn begin(&mut self, least: u32) {
        self.lists.iter_mut().for_each(Vec::clear);
        self.least = least;
        self.len = 0;
    }

    /// Adds a node with its estimate and its cost.
    #[inline]
    pub(super) fn push(&mut self, estimate: u32, node: u32, cost: u32) {
        debug_assert!(estimate >= self.least && estimate - self.least <= MAX_RISE);
        self.lists[estimate as usize % RING].push((node, cost));
        self.len += 1;
    }

    /// Takes a node of the least estimate, with its cost.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        loop {
            if let Some(entry) = self.lists[self.least as usize % RING].pop() {
                return Some(entry);
            }
            self.least += 1;
        }
    }
}
