//! A square picture that wraps around, and its way into a `Texm`.

use ironlands_assets_parkan::texm::{Texm, TexmFormat};

use crate::noise::mix;

/// Color in display space, 0..255.
pub type Rgb = [f64; 3];

/// A square picture that wraps around at its sides.
#[derive(Clone)]
pub struct Canvas {
    /// Side in pixels, a power of two.
    pub n: usize,
    /// Colors, row by row; row 0 is v = 0.
    pub rgb: Vec<Rgb>,
    /// Opacity of each pixel, 0..1.
    pub alpha: Vec<f64>,
}

/// Pixel formats that a canvas is stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelKind {
    /// 5, 6 and 5 bits, no alpha.
    Rgb565,
    /// 4 bits each, with alpha.
    Argb4444,
    /// 8 bits each, no alpha.
    Rgb888,
    /// 8 bits each, with alpha.
    Argb8888,
}

impl Canvas {
    /// An opaque picture; `color` gets u and v, `0.0..1.0`, of each pixel's middle.
    pub fn paint(n: usize, color: impl Fn(f64, f64) -> Rgb) -> Self {
        let at = |i: usize| (i as f64 + 0.5) / n as f64;
        let rgb = (0..n * n).map(|i| color(at(i % n), at(i / n))).collect();
        Self {
            n,
            rgb,
            alpha: vec![1.0; n * n],
        }
    }

    /// Lightens and darkens as if `height` (in pixels) were lit from the south-west.
    pub fn emboss(&mut self, strength: f64, height: impl Fn(f64, f64) -> f64) {
        let n = self.n;
        let step = 1.0 / n as f64;
        let heights: Vec<f64> = (0..n * n)
            .map(|i| height((i % n) as f64 * step, (i / n) as f64 * step))
            .collect();
        for i in 0..n * n {
            let (x, y) = (i % n, i / n);
            let east = heights[y * n + (x + 1) % n] - heights[y * n + (x + n - 1) % n];
            let north = heights[(y + 1) % n * n + x] - heights[(y + n - 1) % n * n + x];
            let light = (1.0 + strength * (east + north)).clamp(0.55, 1.5);
            self.rgb[i] = self.rgb[i].map(|c| c * light);
        }
    }

    /// Draws a soft line of about one pixel's width, in pixels, over the sides where it leaves.
    pub fn stroke(
        &mut self,
        from: [f64; 2],
        step: [f64; 2],
        n_steps: usize,
        color: Rgb,
        opacity: f64,
    ) {
        for i in 0..n_steps {
            let t = i as f64;
            let fade = 1.0 - t / n_steps as f64;
            self.dab(
                from[0] + step[0] * t,
                from[1] + step[1] * t,
                color,
                opacity * (0.35 + 0.65 * fade),
            );
        }
    }

    fn dab(&mut self, x: f64, y: f64, color: Rgb, opacity: f64) {
        let (left, low) = (x.floor(), y.floor());
        let (fx, fy) = (x - left, y - low);
        for (dx, dy, weight) in [
            (0.0, 0.0, (1.0 - fx) * (1.0 - fy)),
            (1.0, 0.0, fx * (1.0 - fy)),
            (0.0, 1.0, (1.0 - fx) * fy),
            (1.0, 1.0, fx * fy),
        ] {
            let wrap = |c: f64| (c as i64).rem_euclid(self.n as i64) as usize;
            let pixel = &mut self.rgb[wrap(low + dy) * self.n + wrap(left + dx)];
            for k in 0..3 {
                pixel[k] = mix(pixel[k], color[k], weight * opacity);
            }
        }
    }

    /// The same picture at half the side: each pixel is the mean of four.
    pub fn halved(&self) -> Self {
        let (n, wide) = (self.n / 2, self.n);
        let four = |i: usize| {
            let corner = i / n * 2 * wide + i % n * 2;
            [corner, corner + 1, corner + wide, corner + wide + 1]
        };
        let mean =
            |of: &dyn Fn(usize) -> f64, i: usize| four(i).into_iter().map(of).sum::<f64>() / 4.0;
        Self {
            n,
            rgb: (0..n * n)
                .map(|i| [0, 1, 2].map(|k| mean(&|p| self.rgb[p][k], i)))
                .collect(),
            alpha: (0..n * n).map(|i| mean(&|p| self.alpha[p], i)).collect(),
        }
    }

    /// The same picture, halved until its side is at most `n`.
    pub fn shrunk_to(&self, n: usize) -> Self {
        if self.n <= n {
            self.clone()
        } else {
            self.halved().shrunk_to(n)
        }
    }

    /// Multiplies all colors so that their mean is `mean`, which keeps transitions and far views even.
    pub fn with_mean(mut self, mean: Rgb) -> Self {
        let n = self.rgb.len() as f64;
        let now = [0, 1, 2].map(|k| self.rgb.iter().map(|c| c[k]).sum::<f64>() / n);
        for color in &mut self.rgb {
            *color = [0, 1, 2].map(|k| color[k] * mean[k] / now[k]);
        }
        self
    }

    /// The picture at half, a quarter and so on of its side, down to one pixel.
    pub fn levels(&self) -> Vec<Self> {
        let mut levels = vec![self.clone()];
        while let Some(last) = levels.last().filter(|level| level.n > 1) {
            levels.push(last.halved());
        }
        levels
    }

    /// Stores the picture and all its mips. Each level is filtered from exact colors, then dithered.
    pub fn to_texm(&self, kind: PixelKind) -> Texm {
        self.stored(kind, self.levels())
    }

    /// Stores a picture that is cut out where alpha is below one half: all its mips show as much of it.
    pub fn to_cut_out_texm(&self, kind: PixelKind) -> Texm {
        self.stored(kind, self.cut_out_levels())
    }

    /// As [`Self::levels`], for a picture that is cut out where alpha is below one half: all show as much of it.
    ///
    /// The mean of alpha alone would thin leaves out with every level.
    pub fn cut_out_levels(&self) -> Vec<Self> {
        let n_shown = self.alpha.iter().filter(|alpha| **alpha >= 0.5).count();
        let share = n_shown as f64 / self.alpha.len() as f64;
        let cut = |mut level: Self| {
            let mut sorted = level.alpha.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let n_shown = (share * sorted.len() as f64 + 0.5).floor() as usize;
            let limit = sorted[n_shown.clamp(1, sorted.len()) - 1];
            for alpha in &mut level.alpha {
                *alpha = if *alpha >= limit && *alpha > 0.0 {
                    1.0
                } else {
                    0.0
                };
            }
            level
        };
        self.levels().into_iter().map(cut).collect()
    }

    fn stored(&self, kind: PixelKind, levels: Vec<Self>) -> Texm {
        let format = match kind {
            PixelKind::Rgb565 => TexmFormat::Rgb565,
            PixelKind::Argb4444 => TexmFormat::Argb4444,
            PixelKind::Rgb888 => TexmFormat::Rgb888,
            PixelKind::Argb8888 => TexmFormat::Argb8888,
        };
        let mips = levels.iter().map(|level| level.pixels(kind)).collect();
        texm(self.n, format, mips)
    }

    fn pixels(&self, kind: PixelKind) -> Vec<u8> {
        let mut bytes = Vec::new();
        for i in 0..self.n * self.n {
            let threshold = dither(i % self.n, i / self.n);
            let level = |value: f64, top: f64| (value.clamp(0.0, 1.0) * top + threshold) as u16;
            let [r, g, b] = self.rgb[i].map(|c| c / 255.0);
            match kind {
                PixelKind::Rgb565 => {
                    let packed = level(r, 31.0) << 11 | level(g, 63.0) << 5 | level(b, 31.0);
                    bytes.extend(packed.to_le_bytes());
                }
                PixelKind::Argb4444 => {
                    let color = level(r, 15.0) << 8 | level(g, 15.0) << 4 | level(b, 15.0);
                    bytes.extend((level(self.alpha[i], 15.0) << 12 | color).to_le_bytes());
                }
                PixelKind::Rgb888 | PixelKind::Argb8888 => {
                    bytes.extend([b, g, r].map(|c| level(c, 255.0) as u8));
                    bytes.push(match kind {
                        PixelKind::Argb8888 => level(self.alpha[i], 255.0) as u8,
                        _ => 0,
                    });
                }
            }
        }
        bytes
    }
}

/// A texture without flags and pages.
pub fn texm(n: usize, format: TexmFormat, mips: Vec<Vec<u8>>) -> Texm {
    Texm {
        width: n as u32,
        height: n as u32,
        flags4: 0,
        flags5: 0,
        unknown_18: 0,
        format,
        palette: None,
        mips,
        page: None,
    }
}

/// What is added before cutting to an integer, above 0 and below 1: a Bayer pattern, so that few levels show no
/// bands. A value that needs no rounding stays as it is.
fn dither(x: usize, y: usize) -> f64 {
    const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    (f64::from(BAYER[y % 4][x % 4]) + 0.5) / 16.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_levels_pass_the_dither_unchanged() {
        // 17/255 is level 1 of 15, and 0 and 255 are the ends of every format.
        let mut canvas = Canvas::paint(4, |_, _| [17.0, 0.0, 255.0]);
        canvas.alpha = vec![1.0; 16];
        for pixel in canvas.pixels(PixelKind::Argb4444).chunks_exact(2) {
            assert_eq!(pixel, 0xF10Fu16.to_le_bytes());
        }
    }

    #[test]
    fn dithered_gray_keeps_its_mean() {
        let canvas = Canvas::paint(16, |_, _| [100.0; 3]);
        let bytes = canvas.pixels(PixelKind::Rgb565);
        let reds = bytes
            .chunks_exact(2)
            .map(|p| f64::from(p[1] >> 3) * 255.0 / 31.0);
        let mean = reds.sum::<f64>() / 256.0;
        assert!((mean - 100.0).abs() < 0.6, "{mean}");
    }

    #[test]
    fn mips_go_down_to_one_pixel() {
        let texm = Canvas::paint(8, |u, v| [255.0 * u, 255.0 * v, 0.0]).to_texm(PixelKind::Rgb888);
        assert_eq!(
            texm.mips.iter().map(Vec::len).collect::<Vec<_>>(),
            [256, 64, 16, 4]
        );
    }
}
