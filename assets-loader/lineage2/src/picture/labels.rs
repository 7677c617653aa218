//! Lines between regions on a map, and the number of each; on a region that is large enough, lines within it too.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "pixels of a picture in memory, and cells of a region"
)]

use super::Picture;
use crate::grid::RegionId;

/// Rows of 5 pixels, the leftmost in the highest of the five bits.
type Glyph = [u8; 7];

const DIGITS: [Glyph; 10] = [
    [0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E],
    [0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E],
    [0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F],
    [0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E],
    [0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02],
    [0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E],
    [0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E],
    [0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
    [0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E],
    [0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C],
];
const UNDERSCORE: Glyph = [0, 0, 0, 0, 0, 0, 0x1F];
const MINUS: Glyph = [0, 0, 0, 0x1F, 0, 0, 0];

/// From one letter to the next.
const LETTER_WIDTH: usize = 6;
/// How much of a line between regions is white, and of one within a region.
const BORDER: f32 = 0.45;
const INNER: f32 = 0.16;
/// Lines within a region are 16 blocks apart, 2048 points.
const N_INNER: usize = 16;
/// Least pixels from one of them to the next; half of that where they are not named.
const NAMED_SPACING: usize = 64;

impl Picture {
    /// Draws lines between these regions of a [`mosaic`](Self::mosaic) with `side` pixels for each, and puts the number
    /// of each region in its north-west corner if there is room. Where a region is 512 pixels or more wide, fainter
    /// lines are 2048 points apart, and from 1024 pixels on they have their coordinates.
    pub fn label(&mut self, ids: &[RegionId], side: usize) {
        let min = |of: fn(RegionId) -> u8| ids.iter().map(|id| of(*id)).min().unwrap_or(0);
        let (min_x, min_y) = (min(RegionId::x), min(RegionId::y));
        for id in ids {
            let left = usize::from(id.x() - min_x) * side;
            let top = usize::from(id.y() - min_y) * side;
            self.label_inside(*id, (left, top), side);
            for along in 0..side {
                self.lighten(left + along, top, BORDER);
                self.lighten(left, top + along, BORDER);
            }
        }
        for id in ids {
            let left = usize::from(id.x() - min_x) * side;
            let top = usize::from(id.y() - min_y) * side;
            let name = id.to_string();
            let scale = (side / 128).clamp(1, 3);
            if (name.len() + 1) * LETTER_WIDTH * scale < side {
                self.write(&name, (left + 3 * scale, top + 3 * scale), scale);
            }
        }
    }

    fn label_inside(&mut self, id: RegionId, (left, top): (usize, usize), side: usize) {
        let spacing = side / N_INNER;
        if spacing < NAMED_SPACING / 2 {
            return;
        }
        let (west, north) = id.corner();
        for line in 1..N_INNER {
            let at = line * spacing;
            for along in 1..side {
                self.lighten(left + at, top + along, INNER);
                self.lighten(left + along, top + at, INNER);
            }
            if spacing >= NAMED_SPACING {
                // A region has 16 times 2048 points along a side.
                let points = line as i32 * 2048;
                self.write(&(west + points).to_string(), (left + at + 3, top + 3), 1);
                self.write(&(north + points).to_string(), (left + 3, top + at + 3), 1);
            }
        }
    }

    /// Mixes a pixel with white; none outside.
    fn lighten(&mut self, x: usize, y: usize, share: f32) {
        if let Some(pixel) = self.pixel_mut(x, y) {
            for channel in pixel {
                let mixed = f32::from(*channel) * (1.0 - share) + 255.0 * share;
                *channel = mixed.round() as u8;
            }
        }
    }

    /// Digits, `_` and `-` in white over a dark edge; other letters are gaps.
    fn write(&mut self, text: &str, (x, y): (usize, usize), scale: usize) {
        let glyphs: Vec<Option<Glyph>> = text.bytes().map(glyph).collect();
        let mut draw = |shift: [usize; 2], color: [u8; 3]| {
            for (at, glyph) in glyphs.iter().enumerate() {
                for (row, bits) in glyph.iter().flatten().enumerate() {
                    for column in (0..5).filter(|column| bits >> (4 - column) & 1 == 1) {
                        let left = x + (at * LETTER_WIDTH + column) * scale + shift[0];
                        let top = y + row * scale + shift[1];
                        for pixel in 0..scale * scale {
                            let at = (left + pixel % scale, top + pixel / scale);
                            if let Some(pixel) = self.pixel_mut(at.0, at.1) {
                                *pixel = color;
                            }
                        }
                    }
                }
            }
        };
        for shift in [[0, 1], [1, 0], [1, 2], [2, 1]] {
            draw(shift, [16, 18, 22]);
        }
        draw([1, 1], [255; 3]);
    }

    fn pixel_mut(&mut self, x: usize, y: usize) -> Option<&mut [u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = (y * self.width + x) * 4;
        self.rgba.get_mut(at..)?.first_chunk_mut()
    }
}

fn glyph(letter: u8) -> Option<Glyph> {
    match letter {
        b'0'..=b'9' => DIGITS.get(usize::from(letter - b'0')).copied(),
        b'_' => Some(UNDERSCORE),
        b'-' => Some(MINUS),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAY: [u8; 3] = [100, 100, 100];

    fn gray(width: usize, height: usize) -> Picture {
        let mut picture = Picture::new(width, height);
        let pixels = picture.rgba.chunks_exact_mut(4);
        pixels.for_each(|pixel| pixel.copy_from_slice(&[100, 100, 100, 255]));
        picture
    }

    fn at(picture: &mut Picture, x: usize, y: usize) -> [u8; 3] {
        *picture.pixel_mut(x, y).unwrap()
    }

    fn n_white(picture: &Picture, columns: std::ops::Range<usize>) -> usize {
        let pixels = picture.rgba.chunks_exact(4).enumerate();
        let white = pixels.filter(|(at, pixel)| {
            columns.contains(&(at % picture.width)) && pixel[..3] == [255; 3]
        });
        white.count()
    }

    #[test]
    fn regions_have_lines_and_names() {
        let ids = [(20, 18), (21, 18)].map(|(x, y)| RegionId::new(x, y).unwrap());
        let mut map = gray(128, 64);
        map.label(&ids, 64);
        for x in [0, 64] {
            assert_ne!(at(&mut map, x, 40), GRAY, "a line at {x}");
            assert_eq!(at(&mut map, x + 1, 40), GRAY);
            // 21 has fewer strokes than 20, and both are there.
            assert!(n_white(&map, x..x + 64) > 40);
        }
        assert_ne!(n_white(&map, 0..64), n_white(&map, 64..128));
        // No room for a name, and none for lines within.
        let mut small = gray(32, 16);
        small.label(&ids, 16);
        assert_eq!(n_white(&small, 0..32), 0);
        assert_ne!(at(&mut small, 16, 8), GRAY);
    }

    #[test]
    fn large_regions_have_lines_with_coordinates_within() {
        let mut map = gray(1024, 1024);
        map.label(&[RegionId::new(17, 25).unwrap()], 1024);
        assert_ne!(at(&mut map, 64, 500), GRAY);
        assert_ne!(at(&mut map, 500, 64), GRAY);
        assert_eq!(at(&mut map, 65, 500), GRAY);
        assert!(
            n_white(&map, 64 * 8..64 * 8 + 60) > 40,
            "a number at the top"
        );
    }
}
