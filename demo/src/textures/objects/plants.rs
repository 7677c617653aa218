//! Bark and leaves. Leaves are cut out by alpha; what lies around them has their mean color, so that mips keep it.
//! A tree from far has the mean color of its leaves from near, so that nothing flashes where one takes over.

use super::{blend, scaled, tiled};
use crate::noise::{Rng, bump, ridged, smoothstep};
use crate::textures::canvas::{Canvas, Rgb};

const NEEDLES: [Rgb; 3] = [[46.0, 66.0, 34.0], [66.0, 88.0, 42.0], [34.0, 52.0, 30.0]];
const LEAVES: [Rgb; 3] = [[76.0, 98.0, 38.0], [104.0, 122.0, 50.0], [54.0, 74.0, 30.0]];

pub fn bark() -> Canvas {
    let crack = |u: f64, v: f64| ridged(501, u * 8.0, v * 3.0, 4, 8);
    let mut canvas = Canvas::paint(64, |u, v| {
        let tone = 0.75 + 0.35 * crack(u, v) + 0.15 * tiled(502, u, v, 10, 3);
        scaled([96.0, 78.0, 60.0], tone)
    });
    canvas.emboss(0.12, |u, v| 4.0 * crack(u, v));
    canvas
}

/// A clear picture of this color, to draw on.
fn clear(n: usize, color: Rgb) -> Canvas {
    let mut canvas = Canvas::paint(n, |_, _| color);
    canvas.alpha = vec![0.0; n * n];
    canvas
}

/// Draws an opaque stroke that thins out, from a point along a step, in pixels.
fn needle(canvas: &mut Canvas, from: [f64; 2], way: [f64; 2], width: f64, color: Rgb) {
    let n = canvas.n as f64;
    let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
    let steps = (2.0 * length).ceil() as usize + 1;
    for k in 0..steps {
        let t = k as f64 / steps as f64;
        let (x, y) = (from[0] + way[0] * t, from[1] + way[1] * t);
        let radius = 0.5 * width * (1.0 - 0.6 * t);
        let reach = radius.ceil() as i64;
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let (px, py) = (x.floor() + dx as f64, y.floor() + dy as f64);
                let (ox, oy) = (px + 0.5 - x, py + 0.5 - y);
                let is_far = (ox * ox + oy * oy).sqrt() > radius.max(0.6);
                if is_far || px < 0.0 || py < 0.0 || px >= n || py >= n {
                    continue;
                }
                let i = py as usize * canvas.n + px as usize;
                canvas.rgb[i] = scaled(color, 0.85 + 0.3 * t);
                canvas.alpha[i] = 1.0;
            }
        }
    }
}

/// The mean color of what is not cut out.
fn mean_of_shown(canvas: &Canvas) -> Rgb {
    let shown = canvas.rgb.iter().zip(&canvas.alpha);
    let shown: Vec<_> = shown.filter(|(_, alpha)| **alpha >= 0.5).collect();
    let mean = |k: usize| shown.iter().map(|(rgb, _)| rgb[k]).sum::<f64>() / shown.len() as f64;
    [0, 1, 2].map(mean)
}

/// The picture with this mean color, where it is shown and, throughout, where it is not.
fn toned(mut canvas: Canvas, mean: Rgb) -> Canvas {
    let now = mean_of_shown(&canvas);
    for (rgb, alpha) in canvas.rgb.iter_mut().zip(&canvas.alpha) {
        *rgb = match *alpha >= 0.5 {
            true => [0, 1, 2].map(|k| rgb[k] * mean[k] / now[k]),
            false => mean,
        };
    }
    canvas
}

/// The picture, surrounded by its own mean color.
fn surrounded(canvas: Canvas) -> Canvas {
    let mean = mean_of_shown(&canvas);
    toned(canvas, mean)
}

/// A bough from below (the trunk) to above: twigs with needles to both sides.
pub fn pine_bough() -> Canvas {
    const N: f64 = 128.0;
    let mut canvas = clear(128, NEEDLES[0]);
    let mut rng = Rng::new(511);
    for pass in 0..3 {
        for k in 0..46 {
            let t = f64::from(k) / 46.0;
            // Twigs leave the stem at an angle and get shorter toward the tip.
            let reach = (0.47 - 0.40 * t) * N * rng.range(0.75, 1.05);
            let y = N * (0.985 - 0.86 * t);
            for side in [-1.0, 1.0] {
                let way = [side * reach, -reach * rng.range(0.35, 0.75)];
                let color = NEEDLES[(pass + k as usize) % 3];
                let color = scaled(color, rng.range(0.7, 1.25));
                needle(&mut canvas, [N / 2.0, y], way, 2.6, color);
                for j in 1..5 {
                    let s = f64::from(j) / 5.0;
                    let from = [N / 2.0 + way[0] * s, y + way[1] * s];
                    let tuft = [side * rng.range(1.0, 5.0), -rng.range(3.0, 9.0)];
                    needle(
                        &mut canvas,
                        from,
                        tuft,
                        2.0,
                        scaled(color, rng.range(0.9, 1.3)),
                    );
                }
            }
        }
    }
    needle(
        &mut canvas,
        [N / 2.0, N],
        [0.0, -0.9 * N],
        3.0,
        [74.0, 58.0, 42.0],
    );
    surrounded(canvas)
}

/// A whole pine from far.
pub fn far_pine() -> Canvas {
    const N: f64 = 128.0;
    let mut canvas = clear(128, NEEDLES[2]);
    let mut rng = Rng::new(521);
    needle(
        &mut canvas,
        [N / 2.0, N],
        [0.0, -0.93 * N],
        4.0,
        [70.0, 56.0, 42.0],
    );
    for k in (0..720).rev() {
        // From the top downward, so that lower boughs lie behind the upper ones.
        let t = k as f64 / 720.0;
        let y = N * (0.02 + 0.92 * t);
        let tier = 0.8 + 0.35 * bump(2.0 * (t * 8.0).fract() - 1.0);
        let half = N * (0.03 + 0.46 * t) * tier;
        let x = N / 2.0 + half * rng.range(-1.0, 1.0) * 0.75;
        let out = (x - N / 2.0) / half;
        let light = 0.75 + 0.35 * rng.unit() - 0.25 * out.max(0.0) + 0.12 * (1.0 - t);
        let color = scaled(NEEDLES[k % 3], light);
        needle(
            &mut canvas,
            [x, y],
            [out * 9.0, rng.range(2.0, 7.0)],
            3.4,
            color,
        );
    }
    toned(canvas, mean_of_shown(&pine_bough()))
}

/// A cloud of leaves, thinner at its rim.
pub fn oak_leaves() -> Canvas {
    surrounded(leaf_ball(541, 128, 900, 3.4))
}

/// A whole crown from far.
pub fn far_oak() -> Canvas {
    let canvas = leaf_ball(551, 128, 3000, 3.2);
    toned(canvas, mean_of_shown(&oak_leaves()))
}

fn leaf_ball(seed: u32, n: usize, n_leaves: usize, size: f64) -> Canvas {
    let side = n as f64;
    let mut canvas = clear(n, LEAVES[2]);
    let mut rng = Rng::new(seed);
    let mut k = 0;
    while k < n_leaves {
        let (x, y) = (rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        let rim = 0.93 + 0.16 * tiled(seed + 1, 0.5 + 0.4 * x, 0.5 + 0.4 * y, 7, 2);
        let far = (x * x + y * y).sqrt();
        let hole = tiled(seed + 2, 0.5 + 0.5 * x, 0.5 + 0.5 * y, 6, 2);
        if far > rim || hole > 0.36 - 0.18 * far {
            k += 1;
            continue;
        }
        let late = k as f64 / n_leaves as f64;
        // Later leaves lie in front, and the light comes from above.
        let light = 0.62 + 0.4 * late - 0.22 * y + 0.18 * rng.unit();
        let color = blend(LEAVES[k % 3], LEAVES[1], 0.4 * late);
        let from = [side * (0.5 + 0.47 * x), side * (0.5 + 0.47 * y)];
        let way = [rng.range(-size, size), rng.range(-size, size)];
        needle(&mut canvas, from, way, size, scaled(color, light));
        k += 1;
    }
    for i in 0..canvas.alpha.len() {
        let (x, y) = ((i % n) as f64 / side, (i / n) as f64 / side);
        let edge = x.min(1.0 - x).min(y).min(1.0 - y);
        // Nothing touches the border, where cards would show their edge.
        canvas.alpha[i] *= smoothstep(0.0, 0.015, edge);
    }
    canvas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_one_color_from_near_and_far() {
        for (name, near, far) in [
            ("pine", pine_bough(), far_pine()),
            ("oak", oak_leaves(), far_oak()),
        ] {
            let [near, far] = [&near, &far].map(mean_of_shown);
            for (near, far) in near.iter().zip(far) {
                assert!((near - far).abs() < 0.5, "{name}: {near} and {far}");
            }
        }
    }
}
