//! At most 256 colors for the pixels of a picture: exact where they suffice, else by median cut.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "sums of pixels in memory; nothing here comes from a file"
)]

use std::collections::{BTreeMap, HashMap};

use super::pixels::Rgba;

const MAX_COLORS: usize = 256;

/// A palette, and the way from any color to its nearest entry.
pub(super) struct Quantizer {
    colors: Vec<Rgba>,
    /// Cached results: pictures repeat their colors.
    known: HashMap<Rgba, u8>,
}

impl Quantizer {
    /// The palette of the pixels; the same pixels in any order give the same palette.
    pub(super) fn new(pixels: impl Iterator<Item = Rgba>) -> Self {
        let mut counts = BTreeMap::<Rgba, u64>::new();
        for pixel in pixels {
            *counts.entry(pixel).or_default() += 1;
        }
        let colors = if counts.len() <= MAX_COLORS {
            counts.into_keys().collect()
        } else {
            median_cut(counts.into_iter().collect())
        };
        Self {
            colors,
            known: HashMap::new(),
        }
    }

    /// The palette, at most 256 colors.
    pub(super) fn colors(&self) -> &[Rgba] {
        &self.colors
    }

    /// Index of the nearest color; the first of equally near ones.
    pub(super) fn nearest(&mut self, pixel: Rgba) -> u8 {
        let colors = &self.colors;
        *self.known.entry(pixel).or_insert_with(|| {
            let distance = |color: &Rgba| -> u32 {
                let channels = color.iter().zip(&pixel);
                channels
                    .map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2))
                    .sum()
            };
            let nearest = (0..=u8::MAX)
                .zip(colors)
                .min_by_key(|(_, color)| distance(color));
            nearest.map_or(0, |(index, _)| index)
        })
    }
}

/// Distinct colors and how many pixels have each.
type Colors = Vec<(Rgba, u64)>;

/// Splits the box of all colors at its median until there are 256 boxes; the mean of each.
fn median_cut(colors: Colors) -> Vec<Rgba> {
    let mut boxes = vec![colors];
    while boxes.len() < MAX_COLORS {
        let widest = (0..boxes.len()).max_by_key(|idx| widest_channel(&boxes[*idx]).1);
        let Some(idx) = widest else { break };
        let (channel, 1..) = widest_channel(&boxes[idx]) else {
            break;
        };
        let upper = split_at_median(&mut boxes[idx], channel);
        boxes.push(upper);
    }
    boxes.iter().map(mean).collect()
}

/// The channel in which the colors differ most, and by how much.
fn widest_channel(colors: &Colors) -> (usize, u8) {
    let extent = |channel: usize| {
        let values = || colors.iter().map(|(color, _)| color[channel]);
        let (min, max) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        (channel, max - min)
    };
    (0..4)
        .map(extent)
        .max_by_key(|(_, extent)| *extent)
        .unwrap_or((0, 0))
}

/// Keeps the lower half of the pixels by one channel, returns the upper; neither is empty.
fn split_at_median(colors: &mut Colors, channel: usize) -> Colors {
    colors.sort_by_key(|(color, _)| (color[channel], *color));
    let n_pixels: u64 = colors.iter().map(|(_, count)| count).sum();
    let mut below = 0;
    let median = colors.iter().position(|(_, count)| {
        below += count;
        below * 2 >= n_pixels
    });
    let n_lower = (median.unwrap_or(0) + 1).clamp(1, colors.len() - 1);
    colors.split_off(n_lower)
}

fn mean(colors: &Colors) -> Rgba {
    let n_pixels: u64 = colors.iter().map(|(_, count)| count).sum();
    std::array::from_fn(|channel| {
        let sum: u64 = colors
            .iter()
            .map(|(color, count)| u64::from(color[channel]) * count)
            .sum();
        ((sum + n_pixels / 2) / n_pixels) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_stay_exact() {
        let colors: Vec<Rgba> = (0..=255).map(|v| [v, 255 - v, v / 2, 255]).collect();
        let mut quantizer = Quantizer::new(colors.iter().rev().copied());
        assert_eq!(quantizer.colors().len(), 256);
        for color in &colors {
            let index = quantizer.nearest(*color);
            assert_eq!(quantizer.colors()[usize::from(index)], *color);
        }
    }

    #[test]
    fn many_colors_stay_near() {
        // A smooth picture of 4096 colors in two channels: 256 boxes are 16 x 16, so no color is far.
        let colors: Vec<Rgba> = (0..64 * 64)
            .map(|i| [(i % 64) as u8, (i / 64) as u8, 0, 255])
            .collect();
        let mut quantizer = Quantizer::new(colors.iter().copied());
        assert_eq!(quantizer.colors().len(), 256);
        for color in &colors {
            let index = quantizer.nearest(*color);
            let near = quantizer.colors()[usize::from(index)];
            let farthest = (0..4).map(|c| near[c].abs_diff(color[c])).max();
            assert!(farthest <= Some(4), "{color:?} became {near:?}");
        }
    }
}
