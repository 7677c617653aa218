//! Pixels of any format as plain 8-bit ones.

use std::borrow::Cow;

use half::f16;

use crate::{PixelFormat, Texture};

/// A function of `bcdec_rs`: a block, 16 pixels, and the bytes from a row of these to the next.
type DecodeBlock = fn(&[u8], &mut [u8], usize);

/// Bytes of a pixel that was decoded.
const PIXEL: usize = 4;

impl Texture {
    /// A level of a layer as [`PixelFormat::Rgba8`]: blocks decoded; linear light cut off at 1 and encoded. `None` if
    /// there is no such level or layer, or if its bytes do not fill its size.
    pub fn rgba8(&self, level: u32, layer: u32) -> Option<Cow<'_, [u8]>> {
        let bytes = self.layer(level, layer)?;
        let size = self.level_size(level);
        Some(match self.format {
            PixelFormat::Rgba8 => Cow::Borrowed(bytes),
            PixelFormat::Rgba16Float => Cow::Owned(encode_halves(bytes)),
            PixelFormat::Bc1 => Cow::Owned(decode_blocks(bytes, size, 8, bcdec_rs::bc1)),
            PixelFormat::Bc2 => Cow::Owned(decode_blocks(bytes, size, 16, bcdec_rs::bc2)),
            PixelFormat::Bc3 => Cow::Owned(decode_blocks(bytes, size, 16, bcdec_rs::bc3)),
        })
    }

    /// The bytes of one picture. `None` as for [`Self::rgba8`].
    pub fn layer(&self, level: u32, layer: u32) -> Option<&[u8]> {
        let n_bytes = usize::try_from(self.format.n_bytes(self.level_size(level))).ok()?;
        let start = n_bytes.checked_mul(layer as usize)?;
        let is_there = n_bytes > 0 && layer < self.n_layers;
        let bytes = self.mips.get(level as usize).filter(|_| is_there)?;
        bytes.get(start..start.checked_add(n_bytes)?)
    }
}

fn encode_halves(bytes: &[u8]) -> Vec<u8> {
    let (pixels, _) = bytes.as_chunks::<8>();
    let pixels = pixels.iter().flat_map(|pixel| {
        let value = |at: usize| f16::from_le_bytes([pixel[2 * at], pixel[2 * at + 1]]).to_f32();
        let [r, g, b] = [0, 1, 2].map(|channel| display_from_linear(value(channel)));
        [r, g, b, value(3)].map(|value| (value * 255.0).round() as u8)
    });
    pixels.collect()
}

/// The sRGB curve; below 0 and above 1 it is cut off.
fn display_from_linear(linear: f32) -> f32 {
    let linear = linear.clamp(0.0, 1.0);
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

fn decode_blocks(
    bytes: &[u8],
    [width, height]: [u32; 2],
    block_size: usize,
    decode: DecodeBlock,
) -> Vec<u8> {
    let [width, height] = [width as usize, height as usize];
    let mut pixels = vec![0; width * height * PIXEL];
    let blocks_per_row = width.div_ceil(4);
    for (index, block) in bytes.chunks_exact(block_size).enumerate() {
        let [left, top] = [index % blocks_per_row * 4, index / blocks_per_row * 4];
        let mut decoded = [0; 16 * PIXEL];
        decode(block, &mut decoded, 4 * PIXEL);
        // The last blocks reach over the edge.
        let n_columns = (width - left).min(4);
        for row in 0..(height - top).min(4) {
            let to = ((top + row) * width + left) * PIXEL;
            let from = row * 4 * PIXEL;
            pixels[to..to + n_columns * PIXEL]
                .copy_from_slice(&decoded[from..from + n_columns * PIXEL]);
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Addressing;

    fn texture(format: PixelFormat, [width, height]: [u32; 2], mips: Vec<Vec<u8>>) -> Texture {
        Texture {
            name: "test".to_owned(),
            width,
            height,
            format,
            n_layers: 1,
            mips,
            addressing: Addressing::Repeat,
        }
    }

    #[test]
    fn blocks_reach_over_the_edge_of_odd_sizes() {
        // Two end points, red and blue in 565; the low two bits of each row's byte choose that of its first column.
        let left = [0x00, 0xF8, 0x1F, 0x00, 0b01, 0b00, 0b01, 0b00];
        let right = [0x1F, 0x00, 0x00, 0xF8, 0b00, 0b00, 0b00, 0b00];
        let blocks = [left, right].concat();
        let pixels = texture(PixelFormat::Bc1, [5, 3], vec![blocks]);
        let pixels = pixels.rgba8(0, 0).unwrap();
        const RED: [u8; 4] = [255, 0, 0, 255];
        const BLUE: [u8; 4] = [0, 0, 255, 255];
        let row = |first| [first, RED, RED, RED, BLUE];
        let expected = [row(BLUE), row(RED), row(BLUE)];
        assert_eq!(pixels.as_chunks().0, expected.as_flattened());
    }

    #[test]
    fn alpha_comes_before_colors() {
        let red = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0];
        // DXT3: 4 bits a pixel; DXT5: 255 and 0 in eight steps, index 1 = 0.
        let explicit = [0x0F, 0, 0, 0, 0, 0, 0, 0];
        let interpolated = [255, 0, 0b001_000, 0, 0, 0, 0, 0];
        for (format, alpha) in [
            (PixelFormat::Bc2, explicit),
            (PixelFormat::Bc3, interpolated),
        ] {
            let block = [alpha, red].concat();
            let pixels = texture(format, [2, 1], vec![block]);
            assert_eq!(
                *pixels.rgba8(0, 0).unwrap(),
                [255, 0, 0, 255, 255, 0, 0, 0],
                "{format:?}"
            );
        }
    }

    #[test]
    fn linear_light_is_encoded_and_cut_off() {
        let halves = [0.5, 4.0, -1.0, 1.0].map(|value| f16::from_f32(value).to_le_bytes());
        let pixels = texture(
            PixelFormat::Rgba16Float,
            [1, 1],
            vec![halves.as_flattened().to_vec()],
        );
        assert_eq!(*pixels.rgba8(0, 0).unwrap(), [188, 255, 0, 255]);
    }

    #[test]
    fn layers_lie_one_after_the_other_in_each_level() {
        let mut layered = texture(
            PixelFormat::Rgba8,
            [2, 1],
            vec![(0..16).collect(), (16..24).collect()],
        );
        layered.n_layers = 2;
        assert_eq!(layered.layer(0, 1).unwrap(), [8, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(layered.layer(1, 1).unwrap(), [20, 21, 22, 23]);
        assert_eq!(layered.layer(0, 2), None);
        assert_eq!(layered.layer(2, 0), None);
    }
}
