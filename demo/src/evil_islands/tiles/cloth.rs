//! The stuff of a ground: pictures cut out of a large one that fit each other on all sides, however they are turned.
//!
//! A band along the border of every cut shows one picture that is its own mirror image in all eight ways of a square.
//! So whatever lies beside it, turned or not, continues where it ends. What is slow in the large picture is taken out:
//! it would show as a grid of borders.

use crate::noise::{fbm, hash2, smoothstep, unit};
use crate::textures::{Canvas, Rgb};

/// Pixels along the side of a tile that are seen; the rest is what filters reach.
pub const SEEN: f64 = 48.0;

/// A ground to cut tiles from.
pub struct Cloth {
    canvas: Canvas,
    /// Where in the picture the bands along borders are taken from.
    border: [f64; 2],
}

/// Place in a tile: 0 to 1 from west to east and from south to north, and a little beyond.
pub type Place = [f64; 2];

impl Cloth {
    /// From a picture that repeats.
    pub fn new(canvas: &Canvas) -> Self {
        let mut cloth = Self {
            canvas: without_slow(canvas),
            border: [0.0; 2],
        };
        // The plainest place: anything striking would be seen along every border.
        let side = cloth.canvas.n as f64;
        let places =
            (0..64).map(|k| [0, 1].map(|axis| (unit(hash2(0xB0, k, axis)) * side).floor()));
        let plainest = places.min_by(|a, b| cloth.contrast(*a).total_cmp(&cloth.contrast(*b)));
        cloth.border = plainest.unwrap_or_default();
        cloth
    }

    /// How much the colors of a band at a place differ from their mean.
    fn contrast(&self, [x, y]: [f64; 2]) -> f64 {
        let pixels = (0..24 * 6).map(|k| {
            let at = [x + f64::from(k % 24), y + f64::from(k / 24)];
            self.pixel(at).iter().sum::<f64>()
        });
        let (sum, squares) = pixels.fold((0.0, 0.0), |(sum, squares), light| {
            (sum + light, squares + light * light)
        });
        let mean = sum / f64::from(24 * 6);
        squares / f64::from(24 * 6) - mean * mean
    }

    /// The color at a place of a cut.
    pub fn at(&self, cut: u32, place: Place) -> Rgb {
        let inner = {
            let start = [1, 2].map(|k| unit(hash2(cut, k, 0xC10)) * self.canvas.n as f64);
            self.pixel([0, 1].map(|k| start[k] + place[k] * SEEN))
        };
        let [near, along] = folded(place);
        let border = self.pixel([self.border[0] + along * SEEN, self.border[1] + near * SEEN]);
        // The border comes in along a ragged line, so that neither fades into gray.
        let ragged = 0.075 * fbm(0x60, place[0] * 11.0, place[1] * 11.0, 2, 1 << 20);
        let is_border = smoothstep(0.105, 0.05, near + ragged * smoothstep(0.02, 0.1, near));
        [0, 1, 2].map(|k| inner[k] + (border[k] - inner[k]) * is_border)
    }

    /// The large picture, which repeats.
    fn pixel(&self, [x, y]: [f64; 2]) -> Rgb {
        let n = self.canvas.n as i64;
        let wrap = |c: f64| (c.floor() as i64).rem_euclid(n) as usize;
        self.canvas.rgb[wrap(y) * self.canvas.n + wrap(x)]
    }
}

/// Distance to the nearest border, and distance along that border to its middle: the same for all eight images of a
/// place in a square, and for a place in the margin as for its mirror image in the tile.
pub fn folded(place: Place) -> [f64; 2] {
    let off = mirrored(place).map(|c| (c - 0.5).abs());
    [0.5 - off[0].max(off[1]), off[0].min(off[1])]
}

/// The place in the tile that a place in the margin mirrors.
pub fn mirrored(place: Place) -> Place {
    place.map(|c| match c {
        c if c < 0.0 => -c,
        c if c > 1.0 => 2.0 - c,
        c => c,
    })
}

/// The picture less what varies slowly in it.
fn without_slow(canvas: &Canvas) -> Canvas {
    let n = canvas.n;
    let mut slow = canvas.rgb.clone();
    // Three box filters are close to a bell.
    for _ in 0..3 {
        slow = filtered(&slow, n, 1);
        slow = filtered(&slow, n, n);
    }
    let mean = [0, 1, 2].map(|k| canvas.rgb.iter().map(|c| c[k]).sum::<f64>() / (n * n) as f64);
    let mut quick = canvas.clone();
    for (color, slow) in quick.rgb.iter_mut().zip(&slow) {
        *color = [0, 1, 2].map(|k| color[k] - 0.9 * (slow[k] - mean[k]));
    }
    quick
}

/// Means over pixels along rows (`step` 1) or columns (`step` is the side), around the edges.
fn filtered(rgb: &[Rgb], n: usize, step: usize) -> Vec<Rgb> {
    const REACH: usize = 9;
    let at = |i: usize, off: usize| {
        let (column, row) = (i % n, i / n);
        let moved = |c: usize| (c + n + off - REACH) % n;
        match step {
            1 => rgb[row * n + moved(column)],
            _ => rgb[moved(row) * n + column],
        }
    };
    let width = 2 * REACH + 1;
    (0..n * n)
        .map(|i| {
            let mut sum = [0.0; 3];
            for off in 0..width {
                let color = at(i, off);
                for k in 0..3 {
                    sum[k] += color[k];
                }
            }
            sum.map(|c| c / width as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_go_on_across_every_border() {
        let canvas = Canvas::paint(64, |u, v| {
            let n = fbm(7, u * 16.0, v * 16.0, 3, 16);
            [128.0 + 90.0 * n, 100.0 - 60.0 * n, 90.0]
        });
        let cloth = Cloth::new(&canvas);
        for k in 0..48 {
            let along = (f64::from(k) + 0.5) / 48.0;
            // The last pixels of one cut, and the margin of the one beside it, in any turn.
            for depth in [0.5 / 48.0, 1.5 / 48.0] {
                let here = cloth.at(1, [1.0 - depth, along]);
                for place in [[-depth, along], [along, -depth], [1.0 + depth, 1.0 - along]] {
                    assert_eq!(cloth.at(2, place), here, "{place:?}");
                }
            }
        }
    }
}
