//! Radix sort, which distributes keys into buckets by a few bits at a time.

use rayon::prelude::*;

/// Bits of one pass: their buckets fit the L1 cache.
const DIGIT_BITS: u32 = 12;
const N_PILES: usize = 1 << DIGIT_BITS;

/// Sorts keys by `n_bits` of their bits, from `first_bit` on; keys that are equal there keep their order.
pub(super) fn sort_from_bit(mut keys: Vec<u64>, first_bit: u32, n_bits: u32) -> Vec<u64> {
    let mut dealt = vec![0; keys.len()];
    for shift in (first_bit..first_bit + n_bits).step_by(DIGIT_BITS as usize) {
        let n_digit_bits = DIGIT_BITS.min(first_bit + n_bits - shift);
        let digit_of = |key: u64| (key >> shift) as usize & ((1 << n_digit_bits) - 1);
        let mut ends = [0_u32; N_PILES];
        for &key in &keys {
            ends[digit_of(key)] += 1;
        }
        // From the size of each pile to where it begins.
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        for &key in &keys {
            let end = &mut ends[digit_of(key)];
            dealt[*end as usize] = key;
            *end += 1;
        }
        std::mem::swap(&mut keys, &mut dealt);
    }
    keys
}

/// Keys are dealt by this many bits to be sorted on all threads.
const DEALT_BITS: u32 = 4;

/// [`sort_from_bit`] of parts of the keys, one after the other, on all threads if there are several. Of [`DEALT_BITS`]
/// at least.
pub(super) fn sort_parts(mut parts: Vec<Vec<u64>>, first_bit: u32, n_bits: u32) -> Vec<u64> {
    if parts.len() <= 1 {
        return sort_from_bit(parts.pop().unwrap_or_default(), first_bit, n_bits);
    }
    const N_PILES: usize = 1 << DEALT_BITS;
    let n_sorted_bits = n_bits - DEALT_BITS;
    let dealt = parts.into_par_iter().map(|keys| {
        let mut piles = [const { Vec::new() }; N_PILES];
        for key in keys {
            piles[(key >> (first_bit + n_sorted_bits)) as usize % N_PILES].push(key);
        }
        piles
    });
    let dealt: Vec<[Vec<u64>; N_PILES]> = dealt.collect();
    let sorted = (0..N_PILES).into_par_iter().map(|pile| {
        let keys: Vec<_> = dealt.iter().map(|piles| &*piles[pile]).collect();
        sort_from_bit(keys.concat(), first_bit, n_sorted_bits)
    });
    sorted.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_a_sort_that_compares(
            keys in proptest::collection::vec(any::<u64>(), 0..300),
            first_bit in 0_u32..40,
            n_bits in 1_u32..24,
        ) {
            let digits = |key: &u64| (key >> first_bit) & ((1 << n_bits) - 1);
            let mut expected = keys.clone();
            expected.sort_by_key(digits);
            prop_assert_eq!(sort_from_bit(keys, first_bit, n_bits), expected);
        }

        #[test]
        fn parts_are_sorted_as_a_whole(
            parts in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..90), 0..5),
            first_bit in 0_u32..40,
            n_bits in DEALT_BITS..24,
        ) {
            let whole = sort_from_bit(parts.concat(), first_bit, n_bits);
            prop_assert_eq!(sort_parts(parts, first_bit, n_bits), whole);
        }
    }
}
