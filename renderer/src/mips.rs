//! Smaller levels for textures that come with one level only.

use std::borrow::Cow;

use half::f16;
use ironlands_scene::{Addressing, PixelFormat, Texture};

/// What the device is handed of a texture.
pub(crate) struct Levels<'a> {
    /// How pixels are stored; not always the texture's own format.
    pub format: PixelFormat,
    /// All pictures of a level, one after the other.
    pub levels: Vec<Cow<'a, [u8]>>,
}

/// The texture's levels as stored, or the whole chain down to 1x1 if only the largest of a repeated picture is
/// stored. Blocks are decoded unless the device reads them and they fill the picture.
///
/// Averages display-space values, as the games' own tools and hardware did; linear ones where pixels are floats. Of a
/// picture with holes, whose pixels are drawn from an alpha on, `hole_alpha`, smaller levels that are made here keep as large
/// a part as the largest: leaves do not dissolve with distance.
pub(crate) fn levels(texture: &Texture, has_blocks: bool, hole_alpha: Option<f32>) -> Levels<'_> {
    let stored = || {
        texture
            .mips
            .iter()
            .map(|level| Cow::Borrowed(level.as_slice()))
    };
    let [width, height] = [texture.width, texture.height];
    let are_whole = width.is_multiple_of(4) && height.is_multiple_of(4);
    if texture.format.is_blocks() && !(has_blocks && are_whole) {
        let decoded = (0..texture.mips.len() as u32).map(|level| decoded(texture, level));
        return Levels {
            format: PixelFormat::Rgba8,
            levels: decoded.map(Cow::Owned).collect(),
        };
    }
    let mut levels: Vec<_> = stored().collect();
    let halve: Option<Halve> = match texture.format {
        PixelFormat::Rgba8 => Some(halved::<u8>),
        PixelFormat::Rgba16Float => Some(halved::<f16>),
        PixelFormat::Bc1 | PixelFormat::Bc2 | PixelFormat::Bc3 => None,
    };
    let halve = halve.filter(|_| texture.addressing == Addressing::Repeat);
    if let ([largest], Some(halve)) = (texture.mips.as_slice(), halve) {
        let n_levels = width.max(height).ilog2() + 1;
        let mut previous = largest.clone();
        for level in 1..n_levels {
            let sizes = [level - 1, level].map(|level| texture.level_size(level));
            let picture_bytes = previous.len() / texture.n_layers as usize;
            let pictures = previous.chunks_exact(picture_bytes);
            previous = pictures.flat_map(|picture| halve(picture, sizes)).collect();
            levels.push(Cow::Owned(previous.clone()));
        }
        let hole_alpha = hole_alpha.filter(|_| texture.format == PixelFormat::Rgba8);
        if let Some(hole_alpha) = hole_alpha {
            keep_coverage(&mut levels, hole_alpha);
        }
    }
    Levels {
        format: texture.format,
        levels,
    }
}

/// Raises the alpha of 8-bit levels after the first where fewer of their pixels than of the first reach `hole_alpha`.
fn keep_coverage(levels: &mut [Cow<'_, [u8]>], hole_alpha: f32) {
    let reference = hole_alpha * 255.0;
    let alphas = |level: &[u8]| level.iter().skip(3).step_by(4).copied().collect::<Vec<_>>();
    let Some((largest, smaller)) = levels.split_first_mut() else {
        return;
    };
    let of_largest = alphas(largest);
    let n_drawn = of_largest.iter().filter(|it| f32::from(**it) >= reference);
    let share = n_drawn.count() as f64 / of_largest.len() as f64;
    for level in smaller {
        let mut of_level = alphas(level);
        of_level.sort_unstable_by(|a, b| b.cmp(a));
        let n_wanted = (share * of_level.len() as f64).round() as usize;
        // The least alpha that must reach the reference.
        let Some(least) = n_wanted.checked_sub(1).map(|last| of_level[last]) else {
            continue;
        };
        if least == 0 || f32::from(least) >= reference {
            continue;
        }
        let raised = |alpha: u8| {
            let raised = (f32::from(alpha) * reference / f32::from(least)).ceil();
            raised.min(255.0) as u8
        };
        for alpha in level.to_mut().iter_mut().skip(3).step_by(4) {
            *alpha = raised(*alpha);
        }
    }
}

/// All pictures of a level as 8-bit pixels.
fn decoded(texture: &Texture, level: u32) -> Vec<u8> {
    let pictures = (0..texture.n_layers).filter_map(|layer| texture.rgba8(level, layer));
    pictures.flat_map(Cow::into_owned).collect()
}

/// From a picture and the sizes that it has and will have.
type Halve = fn(&[u8], [[u32; 2]; 2]) -> Vec<u8>;

/// A number of a pixel.
trait Channel {
    const SIZE: usize;

    /// Appends the average of four numbers; `read` gives the bytes of each.
    fn average<'a>(read: impl Fn(usize) -> &'a [u8], to: &mut Vec<u8>);
}

impl Channel for u8 {
    const SIZE: usize = 1;

    fn average<'a>(read: impl Fn(usize) -> &'a [u8], to: &mut Vec<u8>) {
        let sum: u32 = (0..4).map(|index| u32::from(read(index)[0])).sum();
        to.push(((sum + 2) / 4) as u8);
    }
}

impl Channel for f16 {
    const SIZE: usize = 2;

    fn average<'a>(read: impl Fn(usize) -> &'a [u8], to: &mut Vec<u8>) {
        let value = |bytes: &[u8]| Self::from_le_bytes([bytes[0], bytes[1]]).to_f32();
        let sum: f32 = (0..4).map(|index| value(read(index))).sum();
        to.extend(Self::from_f32(sum / 4.0).to_le_bytes());
    }
}

/// Averages 2x2 pixels into one; a side of 1 counts its pixels twice, the odd last row or column is left out.
fn halved<C: Channel>(
    pixels: &[u8],
    [[width, height], [half_width, half_height]]: [[u32; 2]; 2],
) -> Vec<u8> {
    let channel = |x: u32, y: u32, channel: usize| {
        let (x, y) = (x.min(width - 1) as usize, y.min(height - 1) as usize);
        let first = ((y * width as usize + x) * 4 + channel) * C::SIZE;
        &pixels[first..first + C::SIZE]
    };
    let n_pixels = half_width as usize * half_height as usize;
    let mut half = Vec::with_capacity(n_pixels * 4 * C::SIZE);
    for y in 0..half_height {
        for x in 0..half_width {
            for c in 0..4 {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)];
                let read = |index: usize| {
                    let (dx, dy) = four[index];
                    channel(x * 2 + dx, y * 2 + dy, c)
                };
                C::average(read, &mut half);
            }
        }
    }
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(width: u32, height: u32, mips: Vec<Vec<u8>>) -> Texture {
        Texture {
            name: "test".to_owned(),
            width,
            height,
            format: PixelFormat::Rgba8,
            n_layers: 1,
            mips,
            addressing: Addressing::Repeat,
        }
    }

    #[test]
    fn a_lone_level_gets_its_chain_by_averages() {
        let row = |values: [u8; 4]| {
            values
                .into_iter()
                .flat_map(|v| [v, 0, 255, v])
                .collect::<Vec<_>>()
        };
        let largest = [row([0, 100, 10, 30]), row([200, 100, 20, 41])].concat();
        let texture = texture(4, 2, vec![largest]);
        let levels = levels(&texture, true, None).levels;
        // (0 + 100 + 200 + 100) / 4 = 100; (10 + 30 + 20 + 41) / 4 = 25.25; (100 + 25) / 2 = 62.5, rounded up.
        assert_eq!(levels[1].as_ref(), [100, 0, 255, 100, 25, 0, 255, 25]);
        assert_eq!(levels[2].as_ref(), [63, 0, 255, 63]);
        assert_eq!(levels.len(), 3);
    }

    #[test]
    fn odd_and_narrow_textures_end_in_one_pixel() {
        for [width, height] in [[1, 1], [5, 3], [1, 8], [7, 1]] {
            let texture = texture(width, height, vec![vec![77; (width * height * 4) as usize]]);
            let levels = levels(&texture, true, None).levels;
            for (level, pixels) in (0..).zip(&levels) {
                let [w, h] = texture.level_size(level);
                assert_eq!(pixels.len() as u32, w * h * 4);
                assert!(pixels.iter().all(|value| *value == 77));
            }
            assert_eq!(levels.last().map(|level| level.len()), Some(4));
        }
    }

    #[test]
    fn stored_levels_are_used_as_they_are() {
        let stored = vec![vec![1; 64], vec![2; 16]];
        let texture = texture(4, 4, stored.clone());
        assert_eq!(
            levels(&texture, true, None).levels,
            stored,
            "no level is added, none is changed"
        );
    }

    #[test]
    fn each_layer_is_averaged_by_itself_and_floats_as_floats() {
        let pixel = |value: f32| [f16::from_f32(value).to_le_bytes(); 4].concat();
        let pixels = |values: &[f32]| values.iter().flat_map(|v| pixel(*v)).collect::<Vec<_>>();
        let mut texture = texture(2, 1, vec![pixels(&[1.0, 4.0, 8.0, 10.0])]);
        texture.format = PixelFormat::Rgba16Float;
        texture.n_layers = 2;
        let made = levels(&texture, true, None);
        assert_eq!(made.format, PixelFormat::Rgba16Float);
        assert_eq!(made.levels[1..], [pixels(&[2.5, 9.0])]);
    }

    #[test]
    fn a_clamped_picture_stays_alone() {
        let mut texture = texture(2, 2, vec![vec![9; 16]]);
        texture.addressing = Addressing::Clamp;
        assert_eq!(levels(&texture, true, None).levels.len(), 1);
    }

    #[test]
    fn blocks_are_decoded_where_the_device_or_the_size_requires_it() {
        let mut texture = texture(4, 4, vec![vec![0; 8], vec![0; 8]]);
        texture.format = PixelFormat::Bc1;
        let lengths = |texture: &Texture, has_blocks| {
            let made = levels(texture, has_blocks, None);
            let lengths: Vec<_> = made.levels.iter().map(|level| level.len()).collect();
            (made.format, lengths)
        };
        assert_eq!(lengths(&texture, true), (PixelFormat::Bc1, vec![8, 8]));
        assert_eq!(lengths(&texture, false), (PixelFormat::Rgba8, vec![64, 16]));
        texture.width = 3;
        assert_eq!(lengths(&texture, true), (PixelFormat::Rgba8, vec![48, 8]));
    }

    #[test]
    fn leaves_keep_their_share_of_every_level() {
        // Blades one pixel wide, three apart, whose averages would soon be below any reference.
        let side = 64u32;
        let pixel = |index: u32| {
            [
                90,
                160,
                60,
                if (index % side).is_multiple_of(3) {
                    255
                } else {
                    0
                },
            ]
        };
        let pixels = (0..side * side).flat_map(pixel).collect();
        let texture = texture(side, side, vec![pixels]);
        let share_of = |level: &[u8]| {
            let drawn = level.iter().skip(3).step_by(4).filter(|it| **it >= 128);
            drawn.count() as f32 / (level.len() / 4) as f32
        };
        let made = levels(&texture, true, Some(0.5)).levels;
        let share = share_of(&made[0]);
        for level in &made[1..] {
            // A level of n pixels has shares of 1 / n.
            let n_pixels = (level.len() / 4) as f32;
            assert!(
                share_of(level) >= share - 0.5 / n_pixels,
                "{}",
                share_of(level)
            );
        }
        let plain = levels(&texture, true, None).levels;
        assert!(
            share_of(&plain[3]) < 0.1 * share,
            "averages alone lose them"
        );
        assert_eq!(made[0], plain[0], "the largest level stays");
    }
}
