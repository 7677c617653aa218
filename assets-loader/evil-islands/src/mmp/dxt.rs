//! Pixels to blocks of 4x4: DXT1 with one bit of alpha, DXT3 with four (dossier section 5.3).
//!
//! End points are sought along the axis that colors differ most in, drawn to the least squares, then moved step by
//! step as long as the error falls. The same pixels give the same bytes on every machine.
#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "blocks of sixteen pixels in arrays; nothing here comes from a file"
    )
)]

use ironlands_scene::PixelFormat;

/// Alpha below this is a hole where alpha has one bit.
const OPAQUE: u8 = 128;
/// Moves of an end point that are tried at most.
const MAX_MOVES: usize = 24;
/// How often the axis is turned toward the largest spread; more changes no end point.
const AXIS_STEPS: usize = 8;
/// How often end points are drawn to the least squares.
const FIT_STEPS: usize = 3;

/// Channels of an end point: 5, 6, 5 bits.
const MAX_OF_CHANNEL: [i32; 3] = [31, 63, 31];

type Color = [u8; 3];
/// An end point, channels in its own bits.
type Point = [i32; 3];

/// The blocks of a level, row after row. `pixels` must be as many as the sides multiplied; blocks at the edges repeat
/// the last row and column. Formats other than the two have no blocks.
pub(super) fn compressed(pixels: &[[u8; 4]], size: [u32; 2], format: PixelFormat) -> Vec<u8> {
    let [width, height] = size.map(|side| side as usize);
    let mut blocks = Vec::new();
    for top in (0..height).step_by(4) {
        for left in (0..width).step_by(4) {
            let block: [[u8; 4]; 16] = std::array::from_fn(|at| {
                let row = (top + at / 4).min(height - 1);
                let column = (left + at % 4).min(width - 1);
                pixels[row * width + column]
            });
            match format {
                PixelFormat::Bc1 => blocks.extend(one_bit_block(&block)),
                PixelFormat::Bc2 => blocks.extend(four_bit_block(&block)),
                PixelFormat::Bc3 | PixelFormat::Rgba8 | PixelFormat::Rgba16Float => {}
            }
        }
    }
    blocks
}

fn one_bit_block(block: &[[u8; 4]; 16]) -> [u8; 8] {
    let is_seen = block.map(|[.., a]| a >= OPAQUE);
    let colors = block.map(|[r, g, b, _]| [r, g, b]);
    let seen: Vec<Color> = (0..16)
        .filter(|at| is_seen[*at])
        .map(|at| colors[at])
        .collect();
    if seen.is_empty() {
        return bytes_of([0; 3], [0; 3], [3; 16]);
    }
    let three = Fit::new(&seen, Steps::Three);
    if seen.len() < 16 {
        return three.block(&colors, &is_seen);
    }
    let four = Fit::new(&seen, Steps::Four);
    let best = if four.error <= three.error {
        four
    } else {
        three
    };
    best.block(&colors, &is_seen)
}

fn four_bit_block(block: &[[u8; 4]; 16]) -> [u8; 16] {
    let colors = block.map(|[r, g, b, _]| [r, g, b]);
    let alphas = block.map(|[.., a]| (u64::from(a) + 8) / 17);
    let alphas = (0..16).fold(0, |bits, at| bits | alphas[at] << (4 * at));
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&alphas.to_le_bytes());
    let fit = Fit::new(&colors, Steps::Four);
    bytes[8..].copy_from_slice(&fit.block(&colors, &[true; 16]));
    bytes
}

/// Colors between the end points, both counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// Both, the middle, and a hole.
    Three,
    /// Both and two between.
    Four,
}

impl Steps {
    /// What each code weighs the second end point with, in parts of [`Self::n_parts`].
    fn weights(self) -> &'static [i32] {
        match self {
            Self::Three => &[0, 2, 1],
            Self::Four => &[0, 3, 1, 2],
        }
    }

    fn n_parts(self) -> i32 {
        match self {
            Self::Three => 2,
            Self::Four => 3,
        }
    }

    /// The color of a code, rounded.
    fn color(self, [a, b]: [Point; 2], weight: i32) -> Color {
        let n_parts = self.n_parts();
        std::array::from_fn(|channel| {
            let max = MAX_OF_CHANNEL[channel] * n_parts;
            let sum = a[channel] * (n_parts - weight) + b[channel] * weight;
            ((sum * 510 + max) / (2 * max)) as u8
        })
    }
}

/// Two end points and how far the colors are from what they can show.
struct Fit {
    steps: Steps,
    points: [Point; 2],
    error: i32,
}

impl Fit {
    fn new(colors: &[Color], steps: Steps) -> Self {
        let mut best = Self::from_points(colors, steps, extremes(colors));
        for _ in 0..FIT_STEPS {
            let Some(points) = best.least_squares(colors) else {
                break;
            };
            let next = Self::from_points(colors, steps, points);
            if next.error >= best.error {
                break;
            }
            best = next;
        }
        best.nudged(colors)
    }

    fn from_points(colors: &[Color], steps: Steps, points: [Point; 2]) -> Self {
        let mut fit = Self {
            steps,
            points,
            error: 0,
        };
        let palette = fit.palette();
        fit.error = colors.iter().map(|color| nearest(&palette, *color).1).sum();
        fit
    }

    fn palette(&self) -> Vec<Color> {
        let weights = self.steps.weights().iter();
        weights
            .map(|weight| self.steps.color(self.points, *weight))
            .collect()
    }

    /// End points with the least error for the codes that these give; `None` if one code has it all.
    fn least_squares(&self, colors: &[Color]) -> Option<[Point; 2]> {
        let palette = self.palette();
        let n_parts = self.steps.n_parts() as f32;
        let (mut aa, mut ab, mut bb) = (0.0_f32, 0.0, 0.0);
        let (mut ax, mut bx) = ([0.0_f32; 3], [0.0_f32; 3]);
        for color in colors {
            let (code, _) = nearest(&palette, *color);
            let b = self.steps.weights()[code] as f32 / n_parts;
            let a = 1.0 - b;
            aa += a * a;
            ab += a * b;
            bb += b * b;
            for channel in 0..3 {
                ax[channel] += a * f32::from(color[channel]);
                bx[channel] += b * f32::from(color[channel]);
            }
        }
        let determinant = aa * bb - ab * ab;
        if determinant.abs() < 1e-3 {
            return None;
        }
        let solve = |x: f32, y: f32, p: f32, q: f32| (x * p - y * q) / determinant;
        let a = std::array::from_fn(|c| solve(ax[c], bx[c], bb, ab));
        let b = std::array::from_fn(|c| solve(bx[c], ax[c], aa, ab));
        Some([point(a), point(b)])
    }

    /// Moves end points by one step of one channel, always to the best of all such moves.
    fn nudged(mut self, colors: &[Color]) -> Self {
        for _ in 0..MAX_MOVES {
            if self.error == 0 {
                break;
            }
            let mut best: Option<Self> = None;
            for (end, channel, step) in moves() {
                let mut points = self.points;
                points[end][channel] += step;
                if !(0..=MAX_OF_CHANNEL[channel]).contains(&points[end][channel]) {
                    continue;
                }
                let next = Self::from_points(colors, self.steps, points);
                let least = best.as_ref().map_or(self.error, |best| best.error);
                if next.error < least {
                    best = Some(next);
                }
            }
            match best {
                Some(next) => self = next,
                None => break,
            }
        }
        self
    }

    /// The bytes, with the end points in the order that says the number of steps.
    fn block(&self, colors: &[Color; 16], is_seen: &[bool; 16]) -> [u8; 8] {
        let [a, b] = self.points;
        let is_rising = word_of(a) <= word_of(b);
        // A larger first one means more than three steps. Where both are equal all codes show the same,
        // but the last may be a hole.
        let is_swapped = match self.steps {
            Steps::Three => !is_rising,
            Steps::Four => is_rising,
        };
        let fit = Self {
            points: if is_swapped { [b, a] } else { [a, b] },
            ..*self
        };
        let mut palette = fit.palette();
        if word_of(a) == word_of(b) {
            palette.truncate(1);
        }
        let codes = std::array::from_fn(|at| match is_seen[at] {
            true => nearest(&palette, colors[at]).0 as u32,
            false => 3,
        });
        bytes_of(fit.points[0], fit.points[1], codes)
    }
}

/// Both end points, all channels, up and down.
fn moves() -> impl Iterator<Item = (usize, usize, i32)> {
    (0..12).map(|at| (at / 6, at / 2 % 3, if at % 2 == 0 { 1 } else { -1 }))
}

/// The nearest color of a palette, the first of equals, and the square of its distance.
fn nearest(palette: &[Color], color: Color) -> (usize, i32) {
    let mut best = (0, i32::MAX);
    for (code, shown) in palette.iter().enumerate() {
        let distance = (0..3)
            .map(|c| (i32::from(shown[c]) - i32::from(color[c])).pow(2))
            .sum();
        if distance < best.1 {
            best = (code, distance);
        }
    }
    best
}

/// End points at the ends of the axis that colors differ most in.
fn extremes(colors: &[Color]) -> [Point; 2] {
    let n = colors.len().max(1) as f32;
    let mean: [f32; 3] =
        std::array::from_fn(|c| colors.iter().map(|color| f32::from(color[c])).sum::<f32>() / n);
    let apart =
        |color: &Color| -> [f32; 3] { std::array::from_fn(|c| f32::from(color[c]) - mean[c]) };
    let mut spread = [[0.0_f32; 3]; 3];
    for color in colors {
        let d = apart(color);
        for row in 0..3 {
            for column in 0..3 {
                spread[row][column] += d[row] * d[column];
            }
        }
    }
    let axis = main_axis(&spread);
    let along = |color: &Color| dot(apart(color), axis);
    let (mut low, mut high) = (0.0_f32, 0.0_f32);
    for color in colors {
        low = low.min(along(color));
        high = high.max(along(color));
    }
    let length = dot(axis, axis).max(f32::MIN_POSITIVE);
    [low, high].map(|t| point(std::array::from_fn(|c| mean[c] + axis[c] * t / length)))
}

/// The direction that a symmetric matrix stretches most, of any length; zero if it stretches none.
fn main_axis(matrix: &[[f32; 3]; 3]) -> [f32; 3] {
    let widest = (0..3).max_by(|a, b| matrix[*a][*a].total_cmp(&matrix[*b][*b]));
    let mut axis = matrix[widest.unwrap_or(0)];
    for _ in 0..AXIS_STEPS {
        let next: [f32; 3] = std::array::from_fn(|row| dot(matrix[row], axis));
        let largest = next.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
        if largest == 0.0 {
            break;
        }
        axis = next.map(|v| v / largest);
    }
    axis
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The end point that is nearest to a color.
fn point(color: [f32; 3]) -> Point {
    std::array::from_fn(|channel| {
        let max = MAX_OF_CHANNEL[channel] as f32;
        (color[channel] / 255.0 * max).round().clamp(0.0, max) as i32
    })
}

fn word_of([r, g, b]: Point) -> u16 {
    (r << 11 | g << 5 | b) as u16
}

fn bytes_of(a: Point, b: Point, codes: [u32; 16]) -> [u8; 8] {
    let codes = (0..16).fold(0, |bits, at| bits | codes[at] << (2 * at));
    let mut bytes = [0; 8];
    bytes[..2].copy_from_slice(&word_of(a).to_le_bytes());
    bytes[2..4].copy_from_slice(&word_of(b).to_le_bytes());
    bytes[4..].copy_from_slice(&codes.to_le_bytes());
    bytes
}
