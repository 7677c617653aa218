//! Smaller levels for textures that come with one level only.

use std::borrow::Cow;

use ironlands_scene::Texture;

/// The texture's levels as stored, or the whole chain down to 1x1 if only the largest is stored.
///
/// Averages display-space values, as the games' own tools and hardware did.
pub(crate) fn levels(texture: &Texture) -> Vec<Cow<'_, [u8]>> {
    let mut levels: Vec<Cow<'_, [u8]>> = texture
        .mips
        .iter()
        .map(|level| Cow::Borrowed(level.as_slice()))
        .collect();
    if let [largest] = texture.mips.as_slice() {
        let n_levels = texture.width.max(texture.height).ilog2() + 1;
        let mut previous = largest.clone();
        for level in 1..n_levels {
            previous = halved(
                &previous,
                texture.level_size(level - 1),
                texture.level_size(level),
            );
            levels.push(Cow::Owned(previous.clone()));
        }
    }
    levels
}

/// Averages 2x2 pixels into one; a side of 1 counts its pixels twice, the odd last row or column is left out.
fn halved(
    pixels: &[u8],
    [width, height]: [u32; 2],
    [half_width, half_height]: [u32; 2],
) -> Vec<u8> {
    let channel = |x: u32, y: u32, channel: usize| {
        let (x, y) = (x.min(width - 1) as usize, y.min(height - 1) as usize);
        u32::from(pixels[(y * width as usize + x) * 4 + channel])
    };
    let mut half = Vec::with_capacity(half_width as usize * half_height as usize * 4);
    for y in 0..half_height {
        for x in 0..half_width {
            for c in 0..4 {
                let sum: u32 = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .iter()
                    .map(|(dx, dy)| channel(x * 2 + dx, y * 2 + dy, c))
                    .sum();
                half.push(((sum + 2) / 4) as u8);
            }
        }
    }
    half
}

#[cfg(test)]
mod tests {
    use ironlands_scene::Addressing;

    use super::*;

    fn texture(width: u32, height: u32, mips: Vec<Vec<u8>>) -> Texture {
        Texture {
            name: "test".to_owned(),
            width,
            height,
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
        let levels = levels(&texture);
        // (0 + 100 + 200 + 100) / 4 = 100; (10 + 30 + 20 + 41) / 4 = 25.25; (100 + 25) / 2 = 62.5, rounded up.
        assert_eq!(levels[1].as_ref(), [100, 0, 255, 100, 25, 0, 255, 25]);
        assert_eq!(levels[2].as_ref(), [63, 0, 255, 63]);
        assert_eq!(levels.len(), 3);
    }

    #[test]
    fn odd_and_narrow_textures_end_in_one_pixel() {
        for [width, height] in [[1, 1], [5, 3], [1, 8], [7, 1]] {
            let texture = texture(width, height, vec![vec![77; (width * height * 4) as usize]]);
            let levels = levels(&texture);
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
            levels(&texture),
            stored,
            "no level is added, none is changed"
        );
    }
}
