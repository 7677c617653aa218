//! Blocks of 4 by 4 pixels with two colors of 16 bits and two between them.

use crate::noise::mix;
use crate::textures::{Canvas, Rgb};

/// All blocks of a picture, row by row.
pub fn blocks(canvas: &Canvas) -> Vec<u8> {
    let n = canvas.n;
    let per_side = n.div_ceil(4);
    let mut bytes = Vec::with_capacity(per_side * per_side * 8);
    for block in 0..per_side * per_side {
        let (left, top) = (block % per_side * 4, block / per_side * 4);
        // Pictures smaller than a block repeat in it.
        let pixel = |i: usize| canvas.rgb[(top + i / 4) % n * n + (left + i % 4) % n];
        let pixels: Vec<Rgb> = (0..16).map(pixel).collect();
        bytes.extend(self::block(&pixels));
    }
    bytes
}

fn block(pixels: &[Rgb]) -> [u8; 8] {
    let [first, second] = ends(pixels);
    let (mut a, mut b) = (packed(first), packed(second));
    if a < b {
        (a, b) = (b, a);
    }
    let (ca, cb) = (unpacked(a), unpacked(b));
    let between = |t: f64| [0, 1, 2].map(|k| mix(ca[k], cb[k], t));
    let palette = [ca, cb, between(1.0 / 3.0), between(2.0 / 3.0)];
    let mut indices = 0_u32;
    if a != b {
        for (at, pixel) in pixels.iter().enumerate() {
            indices |= (nearest(&palette, *pixel) as u32) << (2 * at);
        }
    }
    let mut bytes = [0; 8];
    bytes[..2].copy_from_slice(&a.to_le_bytes());
    bytes[2..4].copy_from_slice(&b.to_le_bytes());
    bytes[4..].copy_from_slice(&indices.to_le_bytes());
    bytes
}

/// The ends of the line through the pixels' colors, a little inward.
fn ends(pixels: &[Rgb]) -> [Rgb; 2] {
    let n = pixels.len() as f64;
    let mean = [0, 1, 2].map(|k| pixels.iter().map(|p| p[k]).sum::<f64>() / n);
    let off = |p: &Rgb| [0, 1, 2].map(|k| p[k] - mean[k]);
    // A few steps of the power method find the main axis of the colors.
    let mut axis = [1.0, 1.0, 1.0];
    for _ in 0..6 {
        let mut next = [0.0; 3];
        for pixel in pixels {
            let d = off(pixel);
            let along = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
            for k in 0..3 {
                next[k] += d[k] * along;
            }
        }
        let length = (next[0] * next[0] + next[1] * next[1] + next[2] * next[2]).sqrt();
        if length < 1e-6 {
            return [mean, mean];
        }
        axis = next.map(|c| c / length);
    }
    let along = |p: &Rgb| {
        let d = off(p);
        d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2]
    };
    let (low, high) = pixels
        .iter()
        .map(along)
        .fold((f64::MAX, f64::MIN), |(l, h), t| (l.min(t), h.max(t)));
    let inset = (high - low) / 32.0;
    [high - inset, low + inset].map(|t| [0, 1, 2].map(|k| mean[k] + axis[k] * t))
}

fn packed(color: Rgb) -> u16 {
    let level = |c: f64, top: f64| (c.clamp(0.0, 255.0) / 255.0 * top + 0.5).floor() as u16;
    level(color[0], 31.0) << 11 | level(color[1], 63.0) << 5 | level(color[2], 31.0)
}

fn unpacked(color: u16) -> Rgb {
    [
        f64::from(color >> 11) / 31.0 * 255.0,
        f64::from(color >> 5 & 63) / 63.0 * 255.0,
        f64::from(color & 31) / 31.0 * 255.0,
    ]
}

fn nearest(palette: &[Rgb; 4], pixel: Rgb) -> usize {
    let distance = |color: &Rgb| {
        (0..3)
            .map(|k| (color[k] - pixel[k]) * (color[k] - pixel[k]))
            .sum::<f64>()
    };
    let mut best = 0;
    for at in 1..4 {
        if distance(&palette[at]) < distance(&palette[best]) {
            best = at;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_two_colors_keeps_both() {
        let canvas = Canvas::paint(4, |u, _| {
            if u < 0.5 {
                [255.0, 0.0, 0.0]
            } else {
                [0.0, 0.0, 0.0]
            }
        });
        let bytes = blocks(&canvas);
        assert_eq!(bytes.len(), 8);
        let (a, b) = (
            u16::from_le_bytes([bytes[0], bytes[1]]),
            u16::from_le_bytes([bytes[2], bytes[3]]),
        );
        assert!(a > b, "four colors, not three");
        let palette = [unpacked(a), unpacked(b)];
        let row = bytes[4];
        let first = palette[usize::from(row & 3)];
        let last = palette[usize::from(row >> 6)];
        assert!(first[0] > 240.0 && last[0] < 15.0, "{first:?} {last:?}");
    }
}
