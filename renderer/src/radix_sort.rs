//! Sorting of a frame's own lists: numbers with 32-bit keys, in time by their count alone.

/// Bits of a key that a round looks at; three rounds see all 32.
const DIGIT_BITS: u32 = 11;
const N_DIGITS: usize = 1 << DIGIT_BITS;
const N_ROUNDS: usize = 3;

/// Numbers whose upper 32 bits are the key; kept between frames for its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct RadixSort {
    items: Vec<u64>,
    sorted: Vec<u64>,
}

impl RadixSort {
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Adds a value with a key.
    pub fn push(&mut self, key: u32, value: u32) {
        self.items.push(u64::from(key) << 32 | u64::from(value));
    }

    /// Lets keys rise; values of equal keys stay in their order.
    pub fn sort(&mut self) {
        let mut counts = [[0u32; N_DIGITS]; N_ROUNDS];
        for item in &self.items {
            for (round, counts) in counts.iter_mut().enumerate() {
                counts[digit(*item, round)] += 1;
            }
        }
        self.sorted.resize(self.items.len(), 0);
        for (round, counts) in counts.iter_mut().enumerate() {
            let n_items = self.items.len() as u32;
            if counts.contains(&n_items) {
                continue; // one digit for all: in order already
            }
            let mut next = 0;
            for count in counts.iter_mut() {
                next += std::mem::replace(count, next);
            }
            for item in &self.items {
                let place = &mut counts[digit(*item, round)];
                self.sorted[*place as usize] = *item;
                *place += 1;
            }
            std::mem::swap(&mut self.items, &mut self.sorted);
        }
    }

    /// Values in the order of the list.
    pub fn values(&self) -> impl ExactSizeIterator<Item = u32> {
        self.items.iter().map(|item| *item as u32)
    }

    /// How many keys at the beginning of a sorted list are smaller.
    pub fn n_below(&self, key: u32) -> usize {
        self.items
            .partition_point(|item| (*item >> 32) < key.into())
    }
}

fn digit(item: u64, round: usize) -> usize {
    (item >> (32 + round as u32 * DIGIT_BITS)) as usize % N_DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(keys: &[u32]) -> RadixSort {
        let mut sort = RadixSort::default();
        for (value, key) in (0..).zip(keys) {
            sort.push(*key, value);
        }
        sort.sort();
        sort
    }

    #[test]
    fn any_keys_are_sorted_as_a_stable_sort_does_it() {
        let mut bits = 1u32;
        for n_keys in [0, 1, 2, 17, 1000, 5000] {
            for mask in [u32::MAX, 0xF000_000F, 0x7FF, 0] {
                let keys: Vec<u32> = (0..n_keys)
                    .map(|_| {
                        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (bits ^ bits >> 15) & mask
                    })
                    .collect();
                let mut expected: Vec<u32> = (0..n_keys).collect();
                expected.sort_by_key(|value| keys[*value as usize]);
                let found: Vec<_> = sorted(&keys).values().collect();
                assert_eq!(found, expected, "{n_keys} keys of {mask:#x}");
            }
        }
    }

    #[test]
    fn keys_below_another_are_counted() {
        let sort = sorted(&[5, 1, 5, u32::MAX]);
        let below = [0, 1, 2, 5, 6, u32::MAX].map(|key| sort.n_below(key));
        assert_eq!(below, [0, 0, 1, 1, 3, 3]);
    }
}
