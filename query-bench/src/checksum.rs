//! One number for many results, which shows whether two runs did the same work.

use crate::Found;
use std::fmt;

/// FNV-1a over words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Checksum {
    /// The checksum of what each result adds.
    pub fn from_results<A>(results: &[A], add: impl Fn(&A, &mut Self)) -> Self {
        let mut sum = Self::default();
        results.iter().for_each(|result| add(result, &mut sum));
        sum
    }

    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3);
    }

    /// Adds a triangle and all bits of where it is.
    pub fn add_found(found: &Option<Found>, sum: &mut Self) {
        sum.add(found.map_or(u32::MAX, |found| found.triangle));
        sum.add(found.map_or(0, |found| found.at.to_bits()));
    }

    /// Adds whether something is there.
    pub fn add_flag(&is_there: &bool, sum: &mut Self) {
        sum.add(is_there.into());
    }

    /// Adds an index or other word, all ones for none.
    pub fn add_index(index: &Option<u32>, sum: &mut Self) {
        sum.add(index.unwrap_or(u32::MAX));
    }

    /// Adds number and sum of the triangles, whose order no library promises.
    pub fn add_list(list: &[u32], sum: &mut Self) {
        count_and_sum(list)
            .into_iter()
            .for_each(|word| sum.add(word));
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Number of triangles, and the sum of their indices mod 2^32.
pub fn count_and_sum(list: &[u32]) -> [u32; 2] {
    let sum = list
        .iter()
        .fold(0_u32, |sum, &triangle| sum.wrapping_add(triangle));
    [list.len() as u32, sum]
}
