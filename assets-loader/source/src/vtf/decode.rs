//! Stored pixels to red, green, blue, alpha.
#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "pixels and blocks come in arrays of their size"
    )
)]

use half::f16;

use super::codec::{unexpected, unsupported};
use super::format::Unit;
use super::{FORMAT, ImageFormat, Vtf};
use ironlands_assets_core::bytes::{FormatError, Reader};

/// What high dynamic range was divided by to fit into integers.
const INTEGER_RANGE: f32 = 16.0;
/// Linear light to display space.
const ENCODING_GAMMA: f32 = 1.0 / 2.2;
/// Where the header says how pixels are stored.
const AT_FORMAT: u64 = 52;

type Rgba = [u8; 4];

pub(super) fn rgba8(vtf: &Vtf, mip: u32, frame: u32, face: u32) -> Result<Vec<u8>, FormatError> {
    let bytes = picture(vtf, mip, frame, face)?;
    let [width, height, _] = vtf.mip_size(mip);
    pixels(vtf.format, bytes, [width, height])
}

pub(super) fn thumbnail(vtf: &Vtf) -> Result<Option<Vec<u8>>, FormatError> {
    let Some(format) = vtf.thumbnail_format else {
        return Ok(None);
    };
    let range = vtf.layout()?.thumbnail;
    match vtf.body_range(range).unwrap_or_default() {
        [] => Ok(None),
        bytes => pixels(format, bytes, vtf.thumbnail_size.map(u32::from)).map(Some),
    }
}

pub(super) fn rgba16f(vtf: &Vtf, mip: u32, frame: u32, face: u32) -> Result<Vec<u8>, FormatError> {
    let bytes = picture(vtf, mip, frame, face)?;
    if vtf.format == ImageFormat::Rgba16161616F {
        return Ok(bytes.to_vec());
    }
    let halves = |color: [f32; 4]| color.map(|value| f16::from_f32(value).to_le_bytes());
    let colors: Vec<_> = match vtf.format {
        ImageFormat::R32F | ImageFormat::Rgb323232F | ImageFormat::Rgba32323232F => {
            float_colors(vtf.format, bytes).map(halves).collect()
        }
        ImageFormat::Bgra8888 => {
            let (pixels, _) = bytes.as_chunks::<4>();
            let wide = pixels.iter().map(|pixel| {
                let [b, g, r, a] = pixel.map(|value| f32::from(value) / 255.0);
                let scale = a * INTEGER_RANGE;
                halves([r * scale, g * scale, b * scale, 1.0])
            });
            wide.collect()
        }
        ImageFormat::Rgba16161616 => {
            let (pixels, _) = bytes.as_chunks::<8>();
            let wide = pixels.iter().map(|pixel| {
                let [r, g, b, a] = words(pixel).map(|value| f32::from(value) / 65535.0);
                [r * INTEGER_RANGE, g * INTEGER_RANGE, b * INTEGER_RANGE, a]
            });
            wide.map(halves).collect()
        }
        other => {
            let expected = "a format of high dynamic range";
            return Err(unexpected(
                "image format",
                AT_FORMAT,
                expected,
                other.number(),
            ));
        }
    };
    Ok(colors.into_iter().flatten().flatten().collect())
}

fn picture(vtf: &Vtf, mip: u32, frame: u32, face: u32) -> Result<&[u8], FormatError> {
    vtf.picture(mip, frame, face).ok_or_else(|| {
        let expected = format!(
            "one of {} mips, {} frames, {} faces",
            vtf.n_mips,
            vtf.n_frames,
            vtf.n_faces()
        );
        let found = format!("mip {mip}, frame {frame}, face {face}");
        Reader::new(FORMAT, &[]).unexpected("picture", expected, found)
    })
}

/// Pixels of pictures of one size, one after the other.
fn pixels(format: ImageFormat, bytes: &[u8], size: [u32; 2]) -> Result<Vec<u8>, FormatError> {
    if format == ImageFormat::P8 {
        return Err(unsupported(
            "image format",
            AT_FORMAT,
            "a palette outside of the file",
        ));
    }
    if format.is_float() {
        let colors = float_colors(format, bytes);
        return Ok(colors.flat_map(encoded).collect());
    }
    match format.unit() {
        Unit::Pixel(n) => {
            let pixels = bytes.chunks_exact(n.into());
            Ok(pixels.flat_map(|pixel| color(format, pixel)).collect())
        }
        Unit::Block(n) => Ok(blocks(format, bytes, size, n.into())),
    }
}

/// A pixel of integers.
fn color(format: ImageFormat, pixel: &[u8]) -> Rgba {
    use ImageFormat as F;
    let at = |index: usize| pixel.get(index).copied().unwrap_or(0);
    let word = u16::from_le_bytes([at(0), at(1)]);
    match format {
        F::Rgba8888 => [at(0), at(1), at(2), at(3)],
        F::Abgr8888 => [at(3), at(2), at(1), at(0)],
        F::Argb8888 => [at(1), at(2), at(3), at(0)],
        F::Bgra8888 => [at(2), at(1), at(0), at(3)],
        F::Bgrx8888 | F::Bgr888 => [at(2), at(1), at(0), 255],
        F::Rgb888 => [at(0), at(1), at(2), 255],
        F::Rgb888Bluescreen => keyed([at(0), at(1), at(2)]),
        F::Bgr888Bluescreen => keyed([at(2), at(1), at(0)]),
        F::Rgb565 => [
            field(word, 0, 5),
            field(word, 5, 6),
            field(word, 11, 5),
            255,
        ],
        F::Bgr565 => [
            field(word, 11, 5),
            field(word, 5, 6),
            field(word, 0, 5),
            255,
        ],
        F::Bgrx5551 => [
            field(word, 10, 5),
            field(word, 5, 5),
            field(word, 0, 5),
            255,
        ],
        F::Bgra5551 => [
            field(word, 10, 5),
            field(word, 5, 5),
            field(word, 0, 5),
            field(word, 15, 1),
        ],
        F::Bgra4444 => [
            field(word, 8, 4),
            field(word, 4, 4),
            field(word, 0, 4),
            field(word, 12, 4),
        ],
        F::I8 => [at(0), at(0), at(0), 255],
        F::Ia88 => [at(0), at(0), at(0), at(1)],
        F::A8 => [0, 0, 0, at(0)],
        F::Uv88 => [unsigned(at(0)), unsigned(at(1)), 0, 255],
        F::Uvwq8888 => [at(0), at(1), at(2), at(3)].map(unsigned),
        F::Uvlx8888 => [unsigned(at(0)), unsigned(at(1)), at(2), 255],
        F::Rgba16161616 => [at(1), at(3), at(5), at(7)],
        F::P8
        | F::Dxt1
        | F::Dxt3
        | F::Dxt5
        | F::Dxt1OneBitAlpha
        | F::Rgba16161616F
        | F::R32F
        | F::Rgb323232F
        | F::Rgba32323232F
        | F::Ati2n
        | F::Ati1n => [0; 4], // no pixels of integers
    }
}

/// Pure blue is a hole.
fn keyed([r, g, b]: [u8; 3]) -> Rgba {
    match [r, g, b] {
        [0, 0, 255] => [0; 4],
        _ => [r, g, b, 255],
    }
}

/// -1..1 in a signed byte to 0..1 in an unsigned one.
fn unsigned(value: u8) -> u8 {
    value ^ 0x80
}

/// A field of a word, widened to eight bits, rounded.
fn field(word: u16, shift: u32, n_bits: u32) -> u8 {
    let max = (1u32 << n_bits).saturating_sub(1);
    let value = u32::from(word).checked_shr(shift).unwrap_or(0) & max;
    let rounded = value
        .saturating_mul(255)
        .saturating_add(max / 2)
        .checked_div(max);
    u8::try_from(rounded.unwrap_or(0)).unwrap_or(255)
}

fn words(pixel: &[u8; 8]) -> [u16; 4] {
    std::array::from_fn(|channel| {
        let start = channel.saturating_mul(2);
        u16::from_le_bytes([pixel[start], pixel[start.saturating_add(1)]])
    })
}

/// Pixels of floating-point numbers. Of a single channel it is red.
fn float_colors(format: ImageFormat, bytes: &[u8]) -> impl Iterator<Item = [f32; 4]> {
    let n_bytes = match format.unit() {
        Unit::Pixel(n) | Unit::Block(n) => usize::from(n),
    };
    bytes.chunks_exact(n_bytes).map(move |pixel| {
        let (quads, _) = pixel.as_chunks::<4>();
        let float = |index: usize| {
            quads
                .get(index)
                .map_or(0.0, |quad| f32::from_le_bytes(*quad))
        };
        match format {
            ImageFormat::R32F => [float(0), 0.0, 0.0, 1.0],
            ImageFormat::Rgb323232F => [float(0), float(1), float(2), 1.0],
            ImageFormat::Rgba32323232F => [float(0), float(1), float(2), float(3)],
            _ => {
                let (pairs, _) = pixel.as_chunks::<2>();
                let half = |pair: Option<&[u8; 2]>| {
                    pair.map_or(0.0, |pair| f16::from_le_bytes(*pair).to_f32())
                };
                std::array::from_fn(|channel| half(pairs.get(channel)))
            }
        }
    })
}

/// Linear light to display space; alpha stays as it is. NaN is 0.
fn encoded([r, g, b, a]: [f32; 4]) -> Rgba {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    let [r, g, b] = [r, g, b].map(|value| byte(value.clamp(0.0, 1.0).powf(ENCODING_GAMMA)));
    [r, g, b, byte(a)]
}

/// Pixels of pictures in blocks of 4x4; what blocks hold beyond the edges is left out.
fn blocks(format: ImageFormat, bytes: &[u8], size: [u32; 2], block_size: usize) -> Vec<u8> {
    let [width, height] = size.map(|side| side as usize);
    let slice_size = usize::try_from(format.n_bytes(size)).unwrap_or(usize::MAX);
    let row_size = width.div_ceil(4).saturating_mul(block_size);
    let mut out = Vec::new();
    for slice in bytes.chunks_exact(slice_size.max(1)) {
        let mut rows_left = height;
        for block_row in slice.chunks_exact(row_size.max(1)) {
            let colors: Vec<[Rgba; 16]> = block_row
                .chunks_exact(block_size)
                .map(|block| block_colors(format, block))
                .collect();
            for row in 0..rows_left.min(4) {
                let first = row.saturating_mul(4);
                let of_block = |block: &[Rgba; 16]| {
                    block
                        .iter()
                        .skip(first)
                        .take(4)
                        .copied()
                        .collect::<Vec<_>>()
                };
                out.extend(colors.iter().flat_map(of_block).take(width).flatten());
            }
            rows_left = rows_left.saturating_sub(4);
        }
    }
    out
}

/// The sixteen pixels of a block, row after row.
fn block_colors(format: ImageFormat, block: &[u8]) -> [Rgba; 16] {
    let mut rgba = [0; 64];
    const PITCH: usize = 16;
    match format {
        ImageFormat::Dxt3 => bcdec_rs::bc2(block, &mut rgba, PITCH),
        ImageFormat::Dxt5 => bcdec_rs::bc3(block, &mut rgba, PITCH),
        ImageFormat::Ati1n => {
            let mut values = [0; 16];
            bcdec_rs::bc4(block, &mut values, PITCH / 4, false);
            return values.map(|value| [value, value, value, 255]);
        }
        ImageFormat::Ati2n => {
            let mut values = [0; 32];
            bcdec_rs::bc5(block, &mut values, PITCH / 2, false);
            let (pairs, _) = values.as_chunks::<2>();
            return std::array::from_fn(|pixel| normal(pairs[pixel]));
        }
        _ => bcdec_rs::bc1(block, &mut rgba, PITCH),
    }
    let (pixels, _) = rgba.as_chunks::<4>();
    std::array::from_fn(|pixel| pixels[pixel])
}

/// A unit normal of which x and y are stored.
fn normal([x, y]: [u8; 2]) -> Rgba {
    let [nx, ny] = [x, y].map(|value| f32::from(value) / 127.5 - 1.0);
    let nz = (1.0 - nx * nx - ny * ny).max(0.0).sqrt();
    [x, y, ((nz + 1.0) * 127.5).round() as u8, 255]
}
