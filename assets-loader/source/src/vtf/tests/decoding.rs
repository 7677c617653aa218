//! Pixels of every format, typed by hand; blocks against a decoder that follows the definition in plain f64.

use half::f16;

use super::super::*;
use super::plain;
use ironlands_assets_core::bytes::FormatErrorKind;
use ironlands_assets_proof::Rng;

/// A texture of one pixel, or one block.
fn texture(format: ImageFormat, size: [u16; 2], body: &[u8]) -> Vtf {
    let [width, height] = size;
    Vtf {
        format,
        width,
        height,
        body: body.to_vec(),
        ..plain()
    }
}

#[test]
fn pixels_of_integers_come_out_as_their_name_says() {
    use ImageFormat as F;
    // Words: the first channel of the name has the lowest bits.
    let rows: [(F, &[u8], [u8; 4]); 25] = [
        (F::Rgba8888, &[1, 2, 3, 4], [1, 2, 3, 4]),
        (F::Abgr8888, &[4, 3, 2, 1], [1, 2, 3, 4]),
        (F::Rgb888, &[1, 2, 3], [1, 2, 3, 255]),
        (F::Bgr888, &[3, 2, 1], [1, 2, 3, 255]),
        (F::Rgb565, &[0x1F, 0], [255, 0, 0, 255]),
        (F::Rgb565, &[0xE0, 0x07], [0, 255, 0, 255]),
        // 16 of 31 and 32 of 63: (16 * 255 + 15) / 31 = 132, (32 * 255 + 31) / 63 = 130.
        (
            F::Bgr565,
            &(16u16 << 11 | 32 << 5 | 1).to_le_bytes(),
            [132, 130, 8, 255],
        ),
        (F::I8, &[9], [9, 9, 9, 255]),
        (F::Ia88, &[9, 7], [9, 9, 9, 7]),
        (F::A8, &[7], [0, 0, 0, 7]),
        (F::Rgb888Bluescreen, &[1, 2, 3], [1, 2, 3, 255]),
        (F::Rgb888Bluescreen, &[0, 0, 255], [0, 0, 0, 0]),
        (F::Bgr888Bluescreen, &[255, 0, 0], [0, 0, 0, 0]),
        (F::Argb8888, &[4, 1, 2, 3], [1, 2, 3, 4]),
        (F::Bgra8888, &[3, 2, 1, 4], [1, 2, 3, 4]),
        (F::Bgrx8888, &[3, 2, 1, 4], [1, 2, 3, 255]),
        (
            F::Bgrx5551,
            &(31u16 << 10 | 1).to_le_bytes(),
            [255, 0, 8, 255],
        ),
        (
            F::Bgra5551,
            &(31u16 << 10 | 1).to_le_bytes(),
            [255, 0, 8, 0],
        ),
        (
            F::Bgra5551,
            &(1u16 << 15 | 31 << 5).to_le_bytes(),
            [0, 255, 0, 255],
        ),
        (F::Bgra4444, &0x8F1Au16.to_le_bytes(), [255, 17, 170, 136]),
        (F::Uv88, &[0x80, 0x7F], [0, 255, 0, 255]),
        (F::Uvwq8888, &[0, 1, 0xFF, 0x7F], [128, 129, 127, 255]),
        (F::Uvlx8888, &[0, 1, 0xFF, 0x7F], [128, 129, 255, 255]),
        (F::Rgba16161616, &[0, 1, 0, 2, 0xFF, 3, 0, 4], [1, 2, 3, 4]),
        (F::Ati1n, &[9, 9, 0, 0, 0, 0, 0, 0], [9, 9, 9, 255]),
    ];
    for (format, bytes, expected) in rows {
        let rgba = texture(format, [1, 1], bytes).decode_rgba8(0, 0, 0);
        assert_eq!(rgba, Ok(expected.to_vec()), "{format:?} {bytes:?}");
    }
    let by_palette = texture(ImageFormat::P8, [1, 1], &[1]).decode_rgba8(0, 0, 0);
    let kind = by_palette.unwrap_err().kind;
    assert!(matches!(kind, FormatErrorKind::Unsupported { .. }));
}

#[test]
fn normals_of_two_channels_get_their_third() {
    let block = |x: u8, y: u8| [x, x, 0, 0, 0, 0, 0, 0, y, y, 0, 0, 0, 0, 0, 0];
    let normal = |x, y| texture(ImageFormat::Ati2n, [1, 1], &block(x, y)).decode_rgba8(0, 0, 0);
    assert_eq!(normal(255, 128), Ok(vec![255, 128, 128, 255]));
    // Straight up but for rounding: sqrt(1 - 2 * (1 / 255)^2) is 1 to 4 digits.
    assert_eq!(normal(128, 128), Ok(vec![128, 128, 255, 255]));
    // sqrt(1 - 0.6^2) = 0.8 at x = 204: (0.8 + 1) * 127.5 = 229.5, and y is 1 / 255 off the middle.
    assert!(matches!(
        normal(204, 127).as_deref(),
        Ok([204, 127, 229 | 230, 255])
    ));
}

fn halves(bytes: &[u8]) -> Vec<f32> {
    let halves = bytes
        .chunks(2)
        .map(|pair| f16::from_le_bytes([pair[0], pair[1]]));
    halves.map(f16::to_f32).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

#[test]
fn light_comes_out_as_half_floats() {
    use ImageFormat as F;
    let own: Vec<u8> = [2.0, 0.5, -1.0, 1.0]
        .iter()
        .flat_map(|v| f16::from_f32(*v).to_le_bytes())
        .collect();
    let rows: [(F, Vec<u8>, [f32; 4]); 6] = [
        (F::Rgba16161616F, own, [2.0, 0.5, -1.0, 1.0]),
        (F::R32F, floats(&[2.5]), [2.5, 0.0, 0.0, 1.0]),
        (
            F::Rgb323232F,
            floats(&[1.0, 2.0, 4.0]),
            [1.0, 2.0, 4.0, 1.0],
        ),
        (
            F::Rgba32323232F,
            floats(&[1.0, 2.0, 4.0, 8.0]),
            [1.0, 2.0, 4.0, 8.0],
        ),
        // 255 of 255 and 51 of 255, times 255 of 255, times 16.
        (F::Bgra8888, vec![255, 51, 0, 255], [0.0, 3.2, 16.0, 1.0]),
        // 0x1000 is 1 of 16 but for a 65535th.
        (
            F::Rgba16161616,
            vec![0xFF, 0xFF, 0, 0x10, 0, 0, 0xFF, 0xFF],
            [16.0, 1.0, 0.0, 1.0],
        ),
    ];
    for (format, bytes, expected) in rows {
        let found = texture(format, [1, 1], &bytes)
            .decode_rgba16f(0, 0, 0)
            .unwrap();
        for (found, expected) in halves(&found).into_iter().zip(expected) {
            // A half float has 11 bits.
            assert!(
                (found - expected).abs() <= expected.abs() / 2048.0,
                "{format:?}: {found} {expected}"
            );
        }
    }
    let dim = texture(F::Bgra8888, [1, 1], &[255, 0, 0, 64])
        .decode_rgba16f(0, 0, 0)
        .unwrap();
    assert!((halves(&dim)[2] - 16.0 * 64.0 / 255.0).abs() < 0.002);
    let plain = texture(F::Rgb888, [1, 1], &[1, 2, 3]).decode_rgba16f(0, 0, 0);
    assert_eq!(plain.unwrap_err().field, "image format");
}

#[test]
fn light_comes_out_in_display_space_where_bytes_are_requested() {
    let values = [1.0, 0.5, -1.0, 0.5, 9.0, f32::NAN, 0.0, 2.0];
    let rgba = texture(ImageFormat::Rgba32323232F, [2, 1], &floats(&values)).decode_rgba8(0, 0, 0);
    // 0.5^(1/2.2) * 255 = 186.1; alpha is no light.
    assert_eq!(rgba, Ok(vec![255, 186, 0, 128, 255, 0, 0, 255]));
}

/// The sixteen pixels of a DXT block by their definition, colors and alpha in 0..=255, not rounded.
fn slow_block(format: ImageFormat, block: &[u8]) -> [[f64; 4]; 16] {
    let (alpha, colors) = match format {
        ImageFormat::Dxt1 => (None, block),
        _ => (Some(&block[..8]), &block[8..]),
    };
    let word = |at: usize| u16::from_le_bytes([colors[at], colors[at + 1]]);
    let (c0, c1) = (word(0), word(2));
    let rgb = |c: u16| {
        [c >> 11, c >> 5 & 63, c & 31]
            .map(f64::from)
            .into_iter()
            .zip([31.0, 63.0, 31.0])
            .map(|(value, max)| value * 255.0 / max)
            .collect::<Vec<_>>()
    };
    let mix = |a: f64, b: f64| -> Vec<f64> {
        rgb(c0)
            .iter()
            .zip(rgb(c1))
            .map(|(x, y)| (a * x + b * y) / (a + b))
            .collect()
    };
    let has_hole = format == ImageFormat::Dxt1 && c0 <= c1;
    let indices = u32::from_le_bytes(colors[4..8].try_into().unwrap());
    std::array::from_fn(|pixel| {
        let (color, opacity) = match (indices >> (2 * pixel) & 3, has_hole) {
            (0, _) => (rgb(c0), 255.0),
            (1, _) => (rgb(c1), 255.0),
            (2, false) => (mix(2.0, 1.0), 255.0),
            (2, true) => (mix(1.0, 1.0), 255.0),
            (_, false) => (mix(1.0, 2.0), 255.0),
            (_, true) => (vec![0.0; 3], 0.0),
        };
        let a = match (format, alpha) {
            (_, None) => opacity,
            (ImageFormat::Dxt3, Some(alpha)) => {
                f64::from(alpha[pixel / 2] >> (4 * (pixel % 2)) & 15) * 17.0
            }
            (_, Some(alpha)) => slow_alpha(alpha, pixel),
        };
        [color[0], color[1], color[2], a]
    })
}

fn slow_alpha(alpha: &[u8], pixel: usize) -> f64 {
    let (a0, a1) = (f64::from(alpha[0]), f64::from(alpha[1]));
    let bits = (0..6).fold(0u64, |bits, i| bits | u64::from(alpha[2 + i]) << (8 * i));
    let index = (bits >> (3 * pixel) & 7) as f64;
    match (index as u8, a0 > a1) {
        (0, _) => a0,
        (1, _) => a1,
        (_, true) => ((8.0 - index) * a0 + (index - 1.0) * a1) / 7.0,
        (6, false) => 0.0,
        (7, false) => 255.0,
        (_, false) => ((6.0 - index) * a0 + (index - 1.0) * a1) / 5.0,
    }
}

#[test]
fn blocks_decode_as_the_definition_has_it() {
    let mut rng = Rng::new(10);
    for format in [ImageFormat::Dxt1, ImageFormat::Dxt3, ImageFormat::Dxt5] {
        let n = format.n_bytes([4, 4]) as usize;
        for _ in 0..2_000 {
            let block: Vec<u8> = (0..n).map(|_| rng.next_u64() as u8).collect();
            let found = texture(format, [4, 4], &block)
                .decode_rgba8(0, 0, 0)
                .unwrap();
            for (pixel, expected) in found.chunks(4).zip(slow_block(format, &block)) {
                for (found, expected) in pixel.iter().zip(expected) {
                    // The formats leave rounding open, of the ends and of what is between them.
                    assert!(
                        (f64::from(*found) - expected).abs() <= 1.0,
                        "{format:?} {block:?}"
                    );
                }
            }
        }
    }
}

/// Pictures whose sides are no multiples of four, in several slices: the blocks' surplus is left out.
#[test]
fn blocks_beyond_the_edges_are_cut() {
    let mut rng = Rng::new(11);
    let blocks: Vec<u8> = (0..2 * 4 * 16).map(|_| rng.next_u64() as u8).collect();
    let mut volume = texture(ImageFormat::Dxt5, [5, 6], &blocks);
    volume.depth = 2;
    let found = volume.decode_rgba8(0, 0, 0).unwrap();
    assert_eq!(found.len(), 2 * 5 * 6 * 4);
    for (idx, pixel) in found.chunks(4).enumerate() {
        let (slice, y, x) = (idx / 30, idx / 5 % 6, idx % 5);
        let block = slice * 4 + y / 4 * 2 + x / 4;
        let alone = texture(ImageFormat::Dxt5, [4, 4], &blocks[block * 16..][..16]);
        let at = (y % 4 * 4 + x % 4) * 4;
        assert_eq!(
            pixel,
            &alone.decode_rgba8(0, 0, 0).unwrap()[at..at + 4],
            "{slice} {x} {y}"
        );
    }
}

#[test]
fn blocks_go_out_as_they_are() {
    let block = [1, 2, 3, 4, 5, 6, 7, 8];
    let of = |format, body: &[u8]| {
        texture(format, [3, 3], body)
            .blocks(0, 0, 0)
            .map(|(f, b)| (f, b.to_vec()))
    };
    let twice = [block, block].concat();
    assert_eq!(
        of(ImageFormat::Dxt1, &block),
        Some((PixelFormat::Bc1, block.to_vec()))
    );
    assert_eq!(
        of(ImageFormat::Dxt1OneBitAlpha, &block),
        Some((PixelFormat::Bc1, block.to_vec()))
    );
    assert_eq!(
        of(ImageFormat::Dxt3, &twice),
        Some((PixelFormat::Bc2, twice.clone()))
    );
    assert_eq!(
        of(ImageFormat::Dxt5, &twice),
        Some((PixelFormat::Bc3, twice.clone()))
    );
    assert_eq!(of(ImageFormat::Ati1n, &block), None);
    assert_eq!(of(ImageFormat::I8, &[0; 9]), None);
}

#[test]
fn thumbnails_have_pixels() {
    let mut with_one = texture(ImageFormat::I8, [1, 1], &[1, 2, 3, 9]);
    with_one.thumbnail_format = Some(ImageFormat::Rgb888);
    with_one.thumbnail_size = [1, 1];
    assert_eq!(with_one.decode_thumbnail(), Ok(Some(vec![1, 2, 3, 255])));
    assert_eq!(with_one.picture(0, 0, 0), Some(&[9][..]));
    assert_eq!(plain().decode_thumbnail(), Ok(None));
}
