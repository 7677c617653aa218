//! Textures of the ground classes, and of bare dirt.

use super::BASE_SIZE;
use super::canvas::{Canvas, Rgb};
use crate::landscape::Class;
use crate::noise::{Rng, cellular, fbm, gradient, mix, ridged, smoothstep, wave};

/// The base texture of a class.
pub fn of_class(class: Class) -> Canvas {
    match class {
        Class::Sand => sand(),
        Class::Grass => grass(),
        Class::Heath => heath(),
        Class::Rock => rock(),
        Class::Snow => snow(),
    }
}

fn blend(a: Rgb, b: Rgb, t: f64) -> Rgb {
    [0, 1, 2].map(|k| mix(a[k], b[k], t))
}

fn scaled(color: Rgb, factor: f64) -> Rgb {
    color.map(|c| c * factor)
}

/// Noise that repeats over the texture: `cells` lattice cells along its side.
fn tiled(seed: u32, u: f64, v: f64, cells: i32, octaves: u32) -> f64 {
    fbm(
        seed,
        u * f64::from(cells),
        v * f64::from(cells),
        octaves,
        cells,
    )
}

fn sand() -> Canvas {
    let ripple = |u: f64, v: f64| {
        let bend = 0.9 * tiled(11, u, v, 3, 3) + 0.12 * tiled(12, u, v, 12, 2);
        let strength = 0.35 + 0.65 * smoothstep(-0.3, 0.4, tiled(13, u, v, 3, 2));
        wave(2.0 * u + 13.0 * v + bend) * strength
    };
    let mut canvas = Canvas::paint(BASE_SIZE, |u, v| {
        let patch = 0.5 + 0.5 * tiled(14, u, v, 4, 4);
        let grain = gradient(15, u * 128.0, v * 128.0, 128);
        let color = blend([186.0, 160.0, 112.0], [214.0, 192.0, 144.0], patch);
        scaled(color, 1.0 + 0.055 * grain + 0.03 * ripple(u, v))
    });
    canvas.emboss(0.09, |u, v| ripple(u, v) + 0.35 * tiled(16, u, v, 40, 2));
    scatter_stones(&mut canvas, 17, 60, [150.0, 134.0, 106.0], 0.7);
    canvas.with_mean([203.0, 179.0, 131.0])
}

fn grass() -> Canvas {
    let mut canvas = Canvas::paint(BASE_SIZE, |u, v| {
        let patch = (0.5 + 0.6 * tiled(21, u, v, 4, 4)).clamp(0.0, 1.0);
        let soil = smoothstep(0.25, 0.6, tiled(22, u, v, 7, 3));
        let green = blend([52.0, 74.0, 26.0], [92.0, 112.0, 42.0], patch);
        blend(green, [98.0, 86.0, 48.0], 0.35 * soil)
    });
    canvas.emboss(0.05, |u, v| 2.0 * tiled(23, u, v, 18, 3));
    let blades = [
        [70.0, 98.0, 30.0],
        [104.0, 130.0, 46.0],
        [128.0, 142.0, 62.0],
        [44.0, 66.0, 22.0],
    ];
    grow(&mut canvas, 24, 8200, &blades, [5.0, 12.0]);
    canvas.with_mean([88.0, 103.0, 47.0])
}

fn heath() -> Canvas {
    let mut canvas = Canvas::paint(BASE_SIZE, |u, v| {
        let patch = (0.5 + 0.65 * tiled(31, u, v, 4, 4)).clamp(0.0, 1.0);
        let (wu, wv) = (
            u + 0.09 * tiled(36, u, v, 6, 2),
            v + 0.09 * tiled(37, u, v, 6, 2),
        );
        let heather = smoothstep(-0.05, 0.65, tiled(32, wu, wv, 7, 4));
        let dry = blend([104.0, 92.0, 50.0], [142.0, 128.0, 76.0], patch);
        blend(dry, [104.0, 78.0, 66.0], 0.55 * heather)
    });
    canvas.emboss(0.06, |u, v| 2.2 * tiled(33, u, v, 16, 3));
    let stalks = [
        [150.0, 136.0, 82.0],
        [118.0, 112.0, 58.0],
        [90.0, 78.0, 44.0],
        [172.0, 156.0, 100.0],
    ];
    grow(&mut canvas, 34, 5600, &stalks, [4.0, 10.0]);
    scatter_stones(&mut canvas, 35, 46, [138.0, 130.0, 120.0], 2.2);
    canvas.with_mean([122.0, 109.0, 66.0])
}

fn rock() -> Canvas {
    let warp = |u: f64, v: f64| {
        (
            u + 0.10 * tiled(41, u, v, 4, 4),
            v + 0.10 * tiled(42, u, v, 4, 4),
        )
    };
    let layers = |u: f64, v: f64| {
        let (wu, wv) = warp(u, v);
        let broad = wave(5.0 * wv - 2.0 * wu);
        let thin = wave(13.0 * wv - 5.0 * wu + 0.5 * tiled(45, u, v, 8, 2));
        broad + 0.5 * thin
    };
    // Cracks open and close along their way.
    let crack = |u: f64, v: f64| {
        let (wu, wv) = warp(u, v);
        let (near, next, _) = cellular(43, wu * 6.0, wv * 6.0, 6);
        let open = smoothstep(-0.25, 0.35, tiled(44, u, v, 7, 3));
        1.0 - open * smoothstep(0.09, 0.0, next - near)
    };
    let rough = |u: f64, v: f64| {
        let (wu, wv) = warp(u, v);
        ridged(48, wu * 7.0, wv * 7.0, 5, 7)
    };
    let mut canvas = Canvas::paint(BASE_SIZE, |u, v| {
        let warm = (0.5 + 0.6 * tiled(46, u, v, 4, 4)).clamp(0.0, 1.0);
        let stone = blend([100.0, 96.0, 92.0], [142.0, 128.0, 110.0], warm);
        let lichen = smoothstep(0.2, 0.6, tiled(49, u, v, 9, 4));
        let stone = blend(stone, [112.0, 112.0, 84.0], 0.35 * lichen);
        let worn = 0.86 + 0.05 * layers(u, v) + 0.24 * rough(u, v);
        scaled(stone, worn * (0.58 + 0.42 * crack(u, v)))
    });
    canvas.emboss(0.11, |u, v| {
        1.6 * crack(u, v) + 0.75 * layers(u, v) + 6.5 * rough(u, v) + 0.6 * tiled(47, u, v, 36, 3)
    });
    canvas.with_mean([121.0, 113.0, 103.0])
}

fn snow() -> Canvas {
    let drift = |u: f64, v: f64| {
        let bend = tiled(51, u, v, 3, 3);
        wave(3.0 * u + 4.0 * v + 0.9 * bend) * 0.5 + 1.2 * tiled(52, u, v, 4, 4)
    };
    let mut canvas = Canvas::paint(BASE_SIZE, |u, v| {
        let shade = smoothstep(-0.7, 0.7, drift(u, v));
        let glint = smoothstep(0.62, 0.9, gradient(53, u * 100.0, v * 100.0, 100));
        let color = blend([206.0, 218.0, 234.0], [240.0, 244.0, 248.0], shade);
        scaled(color, 1.0 + 0.05 * glint)
    });
    canvas.emboss(0.05, |u, v| {
        2.2 * drift(u, v) + 0.35 * tiled(54, u, v, 34, 2)
    });
    // Soft as it is, half the side shows all of it.
    canvas.halved().with_mean([228.0, 234.0, 242.0])
}

/// Bare dirt with pebbles, for roads.
pub fn dirt(n: usize) -> Canvas {
    let mut canvas = Canvas::paint(n, |u, v| {
        let patch = (0.5 + 0.6 * tiled(61, u, v, 6, 4)).clamp(0.0, 1.0);
        let (near, _, id) = cellular(62, u * 34.0, v * 34.0, 34);
        let pebble = if id & 3 == 0 {
            smoothstep(0.34, 0.2, near)
        } else {
            0.0
        };
        let earth = blend([118.0, 92.0, 60.0], [158.0, 130.0, 90.0], patch);
        blend(earth, [176.0, 162.0, 138.0], 0.6 * pebble)
    });
    canvas.emboss(0.10, |u, v| 1.4 * tiled(63, u, v, 20, 3));
    canvas.with_mean([142.0, 115.0, 78.0])
}

/// Blades that lean with a slow flow, dark ones first and bright ones last.
fn grow(canvas: &mut Canvas, seed: u32, n_blades: usize, colors: &[Rgb], length: [f64; 2]) {
    let mut rng = Rng::new(seed);
    let n = canvas.n as f64;
    for i in 0..n_blades {
        let (u, v) = (rng.unit(), rng.unit());
        let lean = [
            tiled(seed + 1, u, v, 6, 2) + rng.range(-0.45, 0.45),
            tiled(seed + 2, u, v, 6, 2) + rng.range(-0.45, 0.45) + 0.25,
        ];
        let norm = (lean[0] * lean[0] + lean[1] * lean[1]).sqrt().max(0.05);
        let color = colors[(rng.unit() * colors.len() as f64) as usize % colors.len()];
        let bright = mix(0.62, 1.22, i as f64 / n_blades as f64) * rng.range(0.85, 1.15);
        let n_steps = rng.range(length[0], length[1]) as usize;
        let step = lean.map(|c| 0.7 * c / norm);
        canvas.stroke([u * n, v * n], step, n_steps, scaled(color, bright), 0.5);
    }
}

/// Round stones with a lit and a dark side; `size` is the largest radius in pixels.
fn scatter_stones(canvas: &mut Canvas, seed: u32, n_stones: usize, color: Rgb, size: f64) {
    let mut rng = Rng::new(seed);
    let n = canvas.n as f64;
    for _ in 0..n_stones {
        let (x, y) = (rng.unit() * n, rng.unit() * n);
        let radius = rng.range(0.4, 1.0) * size;
        let tone = rng.range(0.8, 1.1);
        for i in 0..(8.0 * radius * radius) as usize + 4 {
            let (dx, dy) = (rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            if dx * dx + dy * dy < 1.0 {
                let light = tone * (1.0 - 0.35 * (dx + dy));
                let at = [x + dx * radius, y + dy * radius];
                canvas.stroke(
                    at,
                    [0.0, 0.0],
                    1,
                    scaled(color, light),
                    if i % 2 == 0 { 0.8 } else { 0.5 },
                );
            }
        }
    }
}
