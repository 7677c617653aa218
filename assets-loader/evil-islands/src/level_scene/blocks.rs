//! Pictures to blocks of 4x4 pixels (DXT1), fast: the land of a zone is packed each time that it is opened.
//!
//! End points are the two colors of a block that are farthest apart along the box's diagonal. Blocks that were
//! unpacked before have their colors on a line, and come out as they went in or close to it; the packer of textures
//! that are written to files takes its time instead.

/// The blocks of a picture, row after row. `pixels` must be as many as the sides multiplied; blocks at the edges
/// repeat the last row and column. Alpha counts for nothing: everything is opaque.
pub(super) fn pack(pixels: &[[u8; 4]], [width, height]: [usize; 2]) -> Vec<u8> {
    let mut blocks = Vec::with_capacity(width.div_ceil(4) * height.div_ceil(4) * 8);
    for top in (0..height).step_by(4) {
        for left in (0..width).step_by(4) {
            let block: [[u8; 4]; 16] = std::array::from_fn(|at| {
                let row = (top + at / 4).min(height - 1);
                let column = (left + at % 4).min(width - 1);
                pixels[row * width + column]
            });
            blocks.extend(pack_block(&block));
        }
    }
    blocks
}

fn pack_block(pixels: &[[u8; 4]; 16]) -> [u8; 8] {
    let colors = pixels.map(|[r, g, b, _]| [r, g, b].map(i32::from));
    let axis = axis_of(&colors);
    let along = |color: &[i32; 3]| -> i32 { (0..3).map(|i| axis[i] * color[i]).sum() };
    let first = colors.iter().max_by_key(|it| along(it));
    let last = colors.iter().min_by_key(|it| along(it));
    let ends = [first, last].map(|end| word_of(*end.unwrap_or(&[0; 3])));
    // Only where the first is larger are there four colors, none of them a hole.
    let [first, last] = [ends[0].max(ends[1]), ends[0].min(ends[1])];
    let mut bytes = [0; 8];
    bytes[..2].copy_from_slice(&first.to_le_bytes());
    bytes[2..4].copy_from_slice(&last.to_le_bytes());
    if first == last {
        return bytes; // the first color, everywhere
    }
    let [a, b] = [first, last].map(color_of);
    let between = |near: [i32; 3], far: [i32; 3]| -> [i32; 3] {
        std::array::from_fn(|i| (2 * near[i] + far[i]) / 3)
    };
    let palette = [a, b, between(a, b), between(b, a)];
    let codes = colors.iter().enumerate().fold(0u32, |codes, (at, color)| {
        codes | nearest(&palette, *color) << (2 * at)
    });
    bytes[4..].copy_from_slice(&codes.to_le_bytes());
    bytes
}

/// Along which the colors differ most: the diagonal of the box around them that they lie along.
fn axis_of(colors: &[[i32; 3]; 16]) -> [i32; 3] {
    let range = |channel: usize| {
        let values = colors.iter().map(|color| color[channel]);
        let [low, high] = [values.clone().min(), values.max()].map(|it| it.unwrap_or(0));
        [low, high]
    };
    let ranges = [range(0), range(1), range(2)];
    let widest = (0..3)
        .max_by_key(|i| ranges[*i][1] - ranges[*i][0])
        .unwrap_or(0);
    let middle = ranges.map(|[low, high]| low + high);
    std::array::from_fn(|channel| {
        // Whether it rises or falls with the channel that differs most.
        let agreement: i32 = (colors.iter())
            .map(|it| (2 * it[channel] - middle[channel]) * (2 * it[widest] - middle[widest]))
            .sum();
        (ranges[channel][1] - ranges[channel][0]) * agreement.signum()
    })
}

/// A color in 5, 6 and 5 bits, rounded.
fn word_of([r, g, b]: [i32; 3]) -> u16 {
    let narrow = |value: i32, max: i32| ((value * max * 2 + 255) / 510) as u16;
    narrow(r, 31) << 11 | narrow(g, 63) << 5 | narrow(b, 31)
}

/// A color of 5, 6 and 5 bits, as decoders widen it.
fn color_of(word: u16) -> [i32; 3] {
    let [r, g, b] = [word >> 11 & 31, word >> 5 & 63, word & 31].map(i32::from);
    [
        (r * 527 + 23) >> 6,
        (g * 259 + 33) >> 6,
        (b * 527 + 23) >> 6,
    ]
}

fn nearest(palette: &[[i32; 3]; 4], color: [i32; 3]) -> u32 {
    let distance = |shown: &[i32; 3]| -> i32 { (0..3).map(|i| (shown[i] - color[i]).pow(2)).sum() };
    let codes = 0u32..;
    let best = codes.zip(palette).min_by_key(|(_, shown)| distance(shown));
    best.map_or(0, |(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironlands_assets_proof::Rng;
    use ironlands_scene::{PixelFormat, Texture};

    fn unpack(blocks: Vec<u8>, [width, height]: [u32; 2]) -> Vec<[u8; 4]> {
        let texture = Texture {
            width,
            height,
            format: PixelFormat::Bc1,
            n_layers: 1,
            mips: vec![blocks],
            ..Texture::default()
        };
        let pixels = texture.rgba8(0, 0).unwrap();
        pixels.as_chunks::<4>().0.to_vec()
    }

    #[test]
    fn plain_colors_stay_what_they_are() {
        for color in [
            [0, 0, 0, 255],
            [255, 255, 255, 255],
            [255, 0, 0, 255],
            [132, 130, 132, 255],
        ] {
            let blocks = pack(&[color; 25], [5, 5]);
            assert_eq!(blocks.len(), 4 * 8);
            assert_eq!(unpack(blocks, [5, 5]), [color; 25]);
        }
    }

    #[test]
    fn blocks_that_show_their_end_points_come_out_as_they_went_in() {
        let mut rng = Rng::new(3);
        for _ in 0..500 {
            let bytes = rng.next_u64().to_le_bytes();
            let [a, b] = [[bytes[0], bytes[1]], [bytes[2], bytes[3]]].map(u16::from_le_bytes);
            let ends = [a.max(b).max(1), a.min(b)].map(u16::to_le_bytes).concat();
            // Of the first two pixels one is the first end point, one the last.
            let codes = [bytes[4] & 0xF0 | 0b0100, bytes[5], bytes[6], bytes[7]];
            let before = unpack([ends, codes.to_vec()].concat(), [4, 4]);
            let after = unpack(pack(&before, [4, 4]), [4, 4]);
            assert_eq!(before, after);
        }
    }

    #[test]
    fn other_blocks_come_out_near() {
        let mut rng = Rng::new(4);
        for _ in 0..500 {
            // A line of colors, and up to 8 of noise.
            let ends: [[u8; 3]; 2] = [(); 2].map(|()| [(); 3].map(|()| rng.below(248) as u8));
            let before: [[u8; 4]; 16] = std::array::from_fn(|_| {
                let part = rng.below(256) as i32;
                let color: [u8; 3] = std::array::from_fn(|i| {
                    let [a, b] = ends.map(|end| i32::from(end[i]));
                    (a + (b - a) * part / 255 + rng.below(8) as i32) as u8
                });
                [color[0], color[1], color[2], 0]
            });
            let after = unpack(pack(&before, [4, 4]), [4, 4]);
            let spread = (0..3)
                .map(|i| ends[0][i].abs_diff(ends[1][i]))
                .max()
                .unwrap();
            for (before, after) in before.iter().zip(&after) {
                assert_eq!(after[3], 255, "whatever the alpha was");
                // Half of a third of the way, half a step of five bits, and the noise at the color and the end points.
                let allowed = spread / 6 + 5 + 2 * 8;
                let error = (0..3).map(|i| before[i].abs_diff(after[i])).max().unwrap();
                assert!(error <= allowed, "{error} of {allowed}");
            }
        }
    }
}
