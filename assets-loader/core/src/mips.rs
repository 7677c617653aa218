//! Levels of a texture: their sizes, and new ones by box filter.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "pixels are counted at the door, and none come from a file"
)]

/// Which levels a new texture gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MipChain {
    /// The given pixels only.
    LevelZero,
    /// All levels down to one pixel, each a box filter of the one before.
    Full,
}

/// The levels of a picture of red, green, blue, alpha, the picture itself first.
///
/// `pixels` must be as many as the two sides, width and height, multiplied.
pub fn levels(pixels: &[[u8; 4]], [width, height]: [u32; 2], chain: MipChain) -> Vec<Vec<[u8; 4]>> {
    let n_levels = match chain {
        MipChain::LevelZero => 1,
        MipChain::Full => full_chain(width, height),
    };
    let mut levels = vec![pixels.to_vec()];
    for level in 1..n_levels {
        let from = level_size(width, height, level.saturating_sub(1));
        let to = level_size(width, height, level);
        let smaller = levels.last().map(|larger| halve(larger, from, to));
        levels.extend(smaller);
    }
    levels
}

/// Number of levels down to a single pixel.
pub fn full_chain(width: u32, height: u32) -> u32 {
    u32::BITS.saturating_sub(width.max(height).leading_zeros())
}

/// Width and height of a level of a texture whose first has this size.
pub fn level_size(width: u32, height: u32, level: u32) -> [u32; 2] {
    [width, height].map(|side| side.checked_shr(level).unwrap_or(0).max(1))
}

/// A level of half the size: each pixel is the mean of those that it covers, colors weighted by alpha.
///
/// The weights keep the color of invisible pixels from bleeding into visible ones.
fn halve(larger: &[[u8; 4]], from: [u32; 2], to: [u32; 2]) -> Vec<[u8; 4]> {
    let covered = |axis: usize, at: u32| {
        let edge = |at: u32| u64::from(at) * u64::from(from[axis]) / u64::from(to[axis]);
        edge(at) as usize..edge(at + 1) as usize
    };
    let row_len = from[0] as usize;
    let mut smaller = Vec::with_capacity(to[0] as usize * to[1] as usize);
    for y in 0..to[1] {
        for x in 0..to[0] {
            let box_pixels = covered(1, y)
                .flat_map(|row| covered(0, x).map(move |column| larger[row * row_len + column]));
            smaller.push(mean(box_pixels));
        }
    }
    smaller
}

fn mean(pixels: impl Iterator<Item = [u8; 4]> + Clone) -> [u8; 4] {
    let n_pixels = pixels.clone().count() as u64;
    let alpha_sum: u64 = pixels.clone().map(|pixel| u64::from(pixel[3])).sum();
    let rounded = |sum: u64, weight: u64| ((sum + weight / 2) / weight) as u8;
    std::array::from_fn(|channel| {
        let values = pixels
            .clone()
            .map(|pixel| (u64::from(pixel[channel]), u64::from(pixel[3])));
        match (channel, alpha_sum) {
            (3, _) => rounded(alpha_sum, n_pixels),
            (_, 0) => rounded(values.map(|(value, _)| value).sum(), n_pixels),
            _ => rounded(values.map(|(value, alpha)| value * alpha).sum(), alpha_sum),
        }
    })
}
