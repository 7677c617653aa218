//! What the tests of every reader share: random damage, and proof that memory stays in proportion.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ironlands_assets_core::bytes::FormatError;

mod disk;
mod prove;
mod trace;

pub use self::disk::{folder_with, put_file};
pub use self::prove::{
    Also, Change, Damage, Fact, Mend, Mutations, OfBytes, RecordPlace, Truncations, prove_damage,
    prove_facts, prove_mutations, prove_records, prove_tolerantly_read, prove_truncations,
    prove_value,
};
pub use self::trace::Trace;
pub use proptest;

/// Fixed-seed generator (xorshift64*), so that every failure repeats.
pub struct Rng(u64);

impl Rng {
    /// A generator whose sequence the seed decides.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number in `0..limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next_u64()) * limit as u128) >> 64) as usize
    }

    /// One of the choices, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// Asserts that `read` returns a value or a typed error for each of `runs` damaged copies of `good`:
/// no panic, and no more memory at once than `max_growth` times the input plus a mebibyte.
pub fn assert_survives_mutations(
    good: &[u8],
    runs: u64,
    max_growth: usize,
    read: impl Fn(&[u8]) -> Result<(), FormatError>,
) {
    for run in 0..runs {
        let damaged = mutate(good, &mut Rng::new(run + 1));
        let before = start_peak();
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&damaged)));
        let grown = peak().saturating_sub(before);
        assert!(outcome.is_ok(), "mutation {run} made the reader panic");
        let allowed = damaged.len() * max_growth + (1 << 20);
        assert!(
            grown <= allowed,
            "mutation {run}: {grown} bytes taken at once for {} of input",
            damaged.len()
        );
    }
}

/// Asserts that every proper prefix of `good` is refused.
pub fn assert_refuses_every_truncation(
    good: &[u8],
    read: impl Fn(&[u8]) -> Result<(), FormatError>,
) {
    for len in 0..good.len() {
        assert!(
            read(&good[..len]).is_err(),
            "the first {len} of {} bytes were accepted",
            good.len()
        );
    }
}

/// A damaged copy of `good`, the same for the same seed.
pub fn mutant(good: &[u8], seed: u64) -> Vec<u8> {
    mutate(good, &mut Rng::new(seed))
}

/// One to four random changes: flipped bits, hostile words, cuts, insertions and copies.
fn mutate(good: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len());
        match rng.below(8) {
            0..=2 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
            3 | 4 => {
                let len = bytes.len() as u32;
                let words = [
                    0,
                    1,
                    len,
                    len + 1,
                    0x7FFF_FFFF,
                    0x8000_0000,
                    u32::MAX,
                    u32::MAX / 3,
                ];
                let word = words[rng.below(words.len())].to_le_bytes();
                let at = at & !3;
                for (target, byte) in bytes.iter_mut().skip(at).zip(word) {
                    *target = byte;
                }
            }
            5 => bytes.truncate(at),
            6 => {
                let n = rng.below(16);
                let noise: Vec<u8> = (0..n).map(|_| rng.next_u64() as u8).collect();
                bytes.splice(at..at, noise);
            }
            _ => {
                let from = rng.below(bytes.len());
                let n = rng.below(32).min(bytes.len() - from.max(at));
                bytes.copy_within(from..from + n, at);
            }
        }
    }
    bytes
}

/// Whitespace-separated hex bytes.
pub fn hex(text: &str) -> Vec<u8> {
    (text.split_whitespace())
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

/// Overwrites two bytes.
pub fn set16(file: &mut [u8], at: usize, value: u16) {
    file[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

/// Overwrites four bytes.
pub fn set32(file: &mut [u8], at: usize, value: u32) {
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

/// What `run` gives, and how many bytes it took on this thread while it ran, given back or not: a measure of its work
/// that is the same in every run.
pub fn taken_by<T>(run: impl FnOnce() -> T) -> (T, usize) {
    start_peak();
    let before = TAKEN.get();
    let value = run();
    (value, TAKEN.get().wrapping_sub(before))
}

/// What `run` gives, and how many more bytes than before were live at once on this thread while it ran.
pub fn peak_of<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = start_peak();
    let value = run();
    (value, peak().saturating_sub(before))
}

/// Begins a measurement; returns the bytes that are live now on this thread.
fn start_peak() -> usize {
    let before = TAKEN.get();
    drop(std::hint::black_box(Box::new(0_u8)));
    assert_ne!(TAKEN.get(), before, "the binary lacks count_memory!()");
    let live = LIVE.get();
    PEAK.set(live);
    live
}

/// The most bytes that were live at once on this thread since [`start_peak`].
fn peak() -> usize {
    PEAK.get()
}

/// Counts the live bytes of each thread; everything else is the system allocator's.
#[derive(Debug)]
pub struct CountingAllocator;

/// Lets this crate count what a test binary allocates. Stands once in each, and never in the program.
#[macro_export]
macro_rules! count_memory {
    () => {
        #[global_allocator]
        static ALLOCATOR: $crate::CountingAllocator = $crate::CountingAllocator;
    };
}

fn count(grown: usize, shrunk: usize) {
    // A thread that is being torn down has no cells any more; its last blocks are not counted.
    let _ = LIVE.try_with(|live| {
        let now = live.get().saturating_add(grown).saturating_sub(shrunk);
        live.set(now);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now)));
        let _ = TAKEN.try_with(|taken| taken.set(taken.get().wrapping_add(grown)));
    });
}

#[expect(
    unsafe_code,
    reason = "GlobalAlloc is an unsafe trait; test builds only, forwards to System"
)]
// SAFETY: every call goes to `System` unchanged; the counters never allocate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the pointer came from `System` by `alloc` or `realloc`, with this layout, as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size, layout.size());
        // SAFETY: as in `dealloc`; the caller promises a size that is not zero.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    count_memory!();

    #[test]
    fn a_greedy_reader_is_caught() {
        let greedy = |_: &[u8]| {
            std::hint::black_box(Vec::<u8>::with_capacity(64 << 20));
            Ok(())
        };
        let caught = catch_unwind(|| assert_survives_mutations(&[0; 64], 1, 4, greedy));
        assert!(caught.is_err());
    }

    #[test]
    fn mutations_repeat_by_seed() {
        let good: Vec<u8> = (0..=255).collect();
        assert_eq!(
            mutate(&good, &mut Rng::new(7)),
            mutate(&good, &mut Rng::new(7))
        );
        assert_ne!(mutate(&good, &mut Rng::new(7)), good);
    }
}
