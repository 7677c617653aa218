//! Overlays: a class that comes in from some corners of a quad, and roads through its sides.
//!
//! A texture covers 2 x 2 quads, each the mirror image of its neighbors (see [`crate::surface::Overlay`]). On a
//! quad's side the shape depends on that side's two corners (or on whether a road crosses it) alone, so that
//! neighboring quads always fit.

use ironlands_assets_parkan::texm::Texm;

use super::canvas::{Canvas, PixelKind};
use crate::landscape::Link;
use crate::noise::{bump, fbm, mix, smoothstep};

/// Side of an overlay texture in pixels.
pub const SIZE: usize = 128;

/// The class painted in `color`, opaque toward `corners` (bit `x + 2 * y`, in quads from the origin of the
/// texture, modulo 2), clear toward the others.
pub fn join(color: &Canvas, corners: u8) -> Texm {
    let corner = |k: u8| f64::from(corners >> k & 1);
    let mean = mean_light(color);
    let mut canvas = color.clone();
    for (i, alpha) in canvas.alpha.iter_mut().enumerate() {
        let (u, v) = uv(i);
        let (x, y) = in_mirrored_quad(u, v);
        let cover = mix(
            mix(corner(0), corner(1), x),
            mix(corner(2), corner(3), x),
            y,
        );
        let [r, g, b] = color.rgb[i];
        let grain = (r + g + b) / 3.0 - mean;
        let ragged = 0.55 * fbm(71, u * 10.0, v * 10.0, 4, 10) + 0.006 * grain;
        // The noise vanishes where a side is wholly clear or wholly covered.
        let cover = cover + ragged * 2.2 * cover * (1.0 - cover);
        *alpha = smoothstep(0.34, 0.66, cover);
    }
    canvas.to_texm(PixelKind::Argb4444)
}

/// A dirt road with two ruts through the sides of a link.
pub fn road(dirt: &Canvas, link: Link) -> Texm {
    let mut canvas = dirt.clone();
    for i in 0..SIZE * SIZE {
        let (u, v) = uv(i);
        let (x, y) = in_mirrored_quad(u, v);
        let noise = fbm(81, u * 12.0, v * 12.0, 3, 12);
        let distance = distance_to_road(link, x, y);
        let rut = bump(((distance - 0.082) / 0.045).clamp(-1.0, 1.0));
        let crown = bump((distance / 0.05).min(1.0));
        let shade = 1.0 - 0.26 * rut + 0.06 * crown;
        canvas.rgb[i] = canvas.rgb[i].map(|c| c * shade);
        let edge = smoothstep(0.215, 0.125, distance + 0.075 * noise);
        let tufts = 0.75 * crown * smoothstep(-0.15, 0.25, fbm(82, u * 16.0, v * 16.0, 2, 16));
        canvas.alpha[i] = edge * (1.0 - tufts);
    }
    canvas.to_texm(PixelKind::Argb4444)
}

/// Distance in quads from the middle line of a road: straights and quarter circles between the middles of sides,
/// and a straight to the middle of the quad where a road ends.
fn distance_to_road(link: Link, x: f64, y: f64) -> f64 {
    const MIDDLES: [[f64; 2]; 4] = [[0.5, 1.0], [1.0, 0.5], [0.5, 0.0], [0.0, 0.5]];
    let sides: Vec<usize> = (0..4).filter(|side| link.has(*side)).collect();
    let far =
        |from: [f64; 2]| ((x - from[0]) * (x - from[0]) + (y - from[1]) * (y - from[1])).sqrt();
    if let [side] = sides[..] {
        let inward = if side % 2 == 0 {
            (MIDDLES[side][1] - y).abs()
        } else {
            (MIDDLES[side][0] - x).abs()
        };
        let across = if side % 2 == 0 {
            (x - 0.5).abs()
        } else {
            (y - 0.5).abs()
        };
        return if inward <= 0.5 {
            across
        } else {
            far([0.5, 0.5])
        };
    }
    let mut nearest = f64::MAX;
    for (i, a) in sides.iter().enumerate() {
        for b in &sides[i + 1..] {
            let distance = match (a % 2, b % 2) {
                (0, 0) => (x - 0.5).abs(),
                (1, 1) => (y - 0.5).abs(),
                _ => {
                    let (m, n) = (MIDDLES[*a], MIDDLES[*b]);
                    let corner = if a % 2 == 0 {
                        [n[0], m[1]]
                    } else {
                        [m[0], n[1]]
                    };
                    (far(corner) - 0.5).abs()
                }
            };
            nearest = nearest.min(distance);
        }
    }
    nearest
}

fn uv(i: usize) -> (f64, f64) {
    let at = |k: usize| (k as f64 + 0.5) / SIZE as f64;
    (at(i % SIZE), at(i / SIZE))
}

/// Place within the quad, each `0.0..=1.0`, counted from the sides that lie on the texture's border.
fn in_mirrored_quad(u: f64, v: f64) -> (f64, f64) {
    let part = |t: f64| if t < 0.5 { 2.0 * t } else { 2.0 - 2.0 * t };
    (part(u), part(v))
}

fn mean_light(canvas: &Canvas) -> f64 {
    canvas
        .rgb
        .iter()
        .map(|[r, g, b]| (r + g + b) / 3.0)
        .sum::<f64>()
        / canvas.rgb.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphas(texm: &Texm) -> Vec<u8> {
        texm.to_rgba8(0)
            .unwrap()
            .chunks_exact(4)
            .map(|pixel| pixel[3])
            .collect()
    }

    #[test]
    fn join_is_opaque_at_its_corners_and_clear_at_the_others() {
        let color = Canvas::paint(SIZE, |_, _| [100.0; 3]);
        for corners in 1..15u8 {
            let alphas = alphas(&join(&color, corners));
            for k in 0..4u8 {
                let (x, y) = (
                    usize::from(k & 1) * SIZE / 2,
                    usize::from(k >> 1) * SIZE / 2,
                );
                let expected = if corners >> k & 1 == 1 { 255 } else { 0 };
                assert_eq!(
                    alphas[y * SIZE + x],
                    expected,
                    "corners {corners:04b}, corner {k}"
                );
            }
        }
    }

    #[test]
    fn sides_between_equal_corners_are_even() {
        let color = Canvas::paint(SIZE, |u, v| [200.0 * u, 100.0, 200.0 * v]);
        // Corners 0 and 1 are covered: so is the whole southern side, and nothing of the row at half height.
        let alphas = alphas(&join(&color, 0b0011));
        assert!((0..SIZE).all(|x| alphas[x] == 255 && alphas[SIZE / 2 * SIZE + x] == 0));
    }

    #[test]
    fn roads_cross_the_middles_of_their_sides_only() {
        let dirt = Canvas::paint(SIZE, |_, _| [100.0; 3]);
        for bits in 1..16u8 {
            let alphas = alphas(&road(&dirt, Link(bits)));
            let (low, middle, high) = (0, SIZE / 4, SIZE / 2 - 1);
            // A rut beside the crown, where no tufts grow.
            let rut = middle + SIZE / 2 * 8 / 100;
            let sides = [(rut, high), (high, rut), (rut, low), (low, rut)];
            for (side, (x, y)) in sides.into_iter().enumerate() {
                let expected = if bits >> side & 1 == 1 { 255 } else { 0 };
                assert_eq!(
                    alphas[y * SIZE + x],
                    expected,
                    "link {bits:04b}, side {side}"
                );
            }
        }
    }
}
