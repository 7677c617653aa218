//! Damage to files: the same for the same seed.

use ironlands_query_bench::random::Random;

/// Words that counts, offsets and numbers are damaged with.
const WORDS: [u32; 14] = [
    0,
    1,
    2,
    0x7F,
    0xFFFF,
    0x1_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    u32::MAX,
    0x7FC0_0000, // no number
    0x7F80_0000, // infinity
    0x7F7F_FFFF, // the largest
    0x0000_0001, // the smallest
    0x6000_0000,
];
/// Bytes that mean something in texts and names.
const BYTES: [u8; 16] = [
    0, 1, b'\n', b'\r', b' ', b'"', b',', b'-', b'.', b'/', b'=', b'[', b'\\', b'{', 0x98, 0xFF,
];

/// A damaged copy of a file. One in three has a word set, at each place in turn; others have one to three random changes.
pub fn mutant(good: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut data = good.to_vec();
    if seed.is_multiple_of(3) {
        let at = (seed / 3 * 4) as usize % good.len().max(1);
        put_word(&mut data, at, random.pick(&WORDS));
        return data;
    }
    for _ in 0..=random.index(3) {
        change(&mut data, &mut random);
    }
    data
}

fn change(data: &mut Vec<u8>, random: &mut Random) {
    if data.is_empty() {
        return;
    }
    let at = random.index(data.len());
    match random.index(16) {
        0..=3 => data[at] ^= 1 << random.index(8),
        4..=6 => data[at] = random.pick(&BYTES),
        7..=9 => put_word(data, at & !3, random.pick(&WORDS)),
        10 => put_word(data, at, random.bits() as u32),
        11 => {
            let n = random.index(32).min(data.len() - at);
            let from = random.index(data.len() - n + 1);
            data.copy_within(from..from + n, at);
        }
        12 => {
            let noise = random.bits().to_le_bytes();
            let n = random.index(noise.len());
            data.splice(at..at, noise[..n].iter().copied());
        }
        13 => {
            let n = random.index(16).min(data.len() - at);
            data.drain(at..at + n);
        }
        14 => data.truncate(at),
        // What lies near the end: directories of archives, the last row of a table.
        _ => {
            let at = data.len() - 1 - random.index(data.len().min(256));
            data[at] = random.bits() as u8;
        }
    }
}

fn put_word(data: &mut [u8], at: usize, word: u32) {
    for (target, byte) in data.iter_mut().skip(at).zip(word.to_le_bytes()) {
        *target = byte;
    }
}
