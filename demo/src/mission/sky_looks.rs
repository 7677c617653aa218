//! What skies show: in, nothing; out, materials and textures of stars, clouds, sun, moon, their flares and lightning.
//!
//! Sun, moon and the two pictures of a flare are the four rectangles of one texture.

use ironlands_assets_parkan::mat0::{Mat0, Phase};
use ironlands_assets_parkan::texm::{PageRect, Texm};

use crate::libraries::{ADD, ALPHA, material, phase};
use crate::noise::{bump, fbm, hash2, mix, smoothstep, unit};
use crate::textures::{Canvas, PixelKind};

const NEBULA: &str = "SKY_STARS.0";
const CLOUDS: &str = "SKY_CLOUDS.0";
const BODIES: &str = "SKY_SUN.0";
const LIGHTNING: &str = "SKY_FLASH.0";
/// Sides of pictures that repeat, and of a body.
const WIDE: usize = 256;
const BODY: i16 = 64;
const N_BODIES: i16 = 4;
const NO_REPEAT: i32 = crate::noise::ENDLESS;

/// Rows of `sky.wea`: nebula, stars, clouds, sun, moon, two flares, snow, rain.
pub(super) const ROWS: [&str; 9] = [
    "SKY_STARS",
    "SKY_STARS",
    "SKY_CLOUDS",
    "SKY_SUN",
    "SKY_MOON",
    "SKY_FLARE",
    "SKY_HALO",
    "FX_DROP",
    "FX_DROP",
];

/// All materials of skies: name, attr1 of the entry, content.
pub fn materials() -> Vec<(&'static str, u32, Mat0)> {
    let of = |name, blend, texture: &str, cell: i8| {
        let phase = Phase {
            // Unlit: what it shows is light of its own.
            ambient: [255, 255, 255, 100],
            diffuse: [0, 0, 0, 255],
            cell,
            ..phase(texture)
        };
        let material = Mat0 {
            phases: vec![phase],
            ..material(texture)
        };
        (name, blend, material)
    };
    vec![
        of("SKY_STARS", 0, NEBULA, -1),
        of("SKY_CLOUDS", ALPHA, CLOUDS, -1),
        of("SKY_SUN", ALPHA, BODIES, 0),
        of("SKY_FLARE", ADD, BODIES, 1),
        of("SKY_MOON", ALPHA, BODIES, 2),
        of("SKY_HALO", ADD, BODIES, 3),
        of("SKY_FLASH", ADD, LIGHTNING, -1),
    ]
}

/// All textures of skies, by name.
pub fn textures() -> Vec<(String, Texm)> {
    vec![
        (NEBULA.to_owned(), nebula().to_texm(PixelKind::Rgb888)),
        (CLOUDS.to_owned(), clouds().to_texm(PixelKind::Argb8888)),
        (BODIES.to_owned(), bodies()),
        (LIGHTNING.to_owned(), flash().to_texm(PixelKind::Argb4444)),
    ]
}

/// Stars, and gas that glows between them.
fn nebula() -> Canvas {
    let n = WIDE as f64;
    Canvas::paint(WIDE, |u, v| {
        let cloud = fbm(811, 4.0 * u, 4.0 * v, 4, 4);
        let warm = smoothstep(-0.1, 0.7, fbm(812, 3.0 * u, 3.0 * v, 3, 3));
        let glow = smoothstep(-0.15, 0.75, cloud);
        let [x, y] = [u, v].map(|it| (it * n) as i32);
        let luck = unit(hash2(813, x, y));
        let star = if luck > 0.9965 {
            70.0 + 185.0 * unit(hash2(814, x, y)).powi(2)
        } else {
            0.0
        };
        let gas = [
            mix(18.0, 66.0, warm),
            mix(26.0, 34.0, warm),
            mix(58.0, 60.0, warm),
        ];
        gas.map(|channel| (6.0 + glow * channel + star).min(255.0))
    })
}

/// Heaps that are white above and gray where they are thick.
fn clouds() -> Canvas {
    let heaps = |u: f64, v: f64| fbm(821, 4.0 * u, 4.0 * v, 5, 4);
    let mut canvas = Canvas::paint(WIDE, |u, v| {
        let thick = smoothstep(0.1, 0.9, heaps(u, v));
        [
            mix(255.0, 196.0, thick),
            mix(255.0, 200.0, thick),
            mix(255.0, 210.0, thick),
        ]
    });
    let at = |i: usize| (i as f64 + 0.5) / WIDE as f64;
    for i in 0..WIDE * WIDE {
        let cover = heaps(at(i % WIDE), at(i / WIDE));
        canvas.alpha[i] = 0.85 * smoothstep(-0.05, 0.5, cover);
    }
    canvas
}

/// Sun, soft spot, moon, ring.
fn bodies() -> Texm {
    let side = 2 * BODY as usize;
    let cell_of = |u: f64, v: f64| {
        let [column, row] = [u, v].map(|it| if it < 0.5 { 0.0 } else { 1.0 });
        let [x, y] = [2.0 * u - column, 2.0 * v - row].map(|it| 2.0 * it - 1.0);
        ((2.0 * row + column) as u32, x, y)
    };
    let mut canvas = Canvas::paint(side, |u, v| {
        let (cell, x, y) = cell_of(u, v);
        body_color(cell, x, y)
    });
    let at = |i: usize| (i as f64 + 0.5) / side as f64;
    for i in 0..side * side {
        let (cell, x, y) = cell_of(at(i % side), at(i / side));
        canvas.alpha[i] = body_alpha(cell, (x * x + y * y).sqrt()).clamp(0.0, 1.0);
    }
    let rect = |cell: i16| PageRect {
        x: cell % 2 * BODY,
        w: BODY,
        y: cell / 2 * BODY,
        h: BODY,
    };
    Texm {
        page: Some((0..N_BODIES).map(rect).collect()),
        ..canvas.to_texm(PixelKind::Argb8888)
    }
}

fn body_color(cell: u32, x: f64, y: f64) -> [f64; 3] {
    let far = (x * x + y * y).sqrt();
    match cell {
        0 => {
            let out = smoothstep(0.3, 0.8, far);
            [255.0, mix(250.0, 214.0, out), mix(228.0, 140.0, out)]
        }
        2 => {
            let seas = smoothstep(
                -0.1,
                0.35,
                fbm(831, 2.2 * x + 8.0, 2.2 * y + 8.0, 4, NO_REPEAT),
            );
            let light = mix(232.0, 168.0, seas);
            [light, light, light + 8.0]
        }
        _ => [255.0; 3],
    }
}

fn body_alpha(cell: u32, far: f64) -> f64 {
    match cell {
        0 => smoothstep(0.36, 0.3, far) + 0.6 * bump((far / 0.95).min(1.0)).powi(2),
        1 => bump((far / 0.9).min(1.0)),
        2 => smoothstep(0.66, 0.6, far),
        _ => bump(((far - 0.75) / 0.15).clamp(-1.0, 1.0)),
    }
}

/// A bolt from the upper edge to the lower.
fn flash() -> Canvas {
    let side = BODY as usize;
    let mut canvas = Canvas::paint(side, |_, _| [255.0; 3]);
    let at = |i: usize| (i as f64 + 0.5) / side as f64;
    for i in 0..side * side {
        let [u, v] = [at(i % side), at(i / side)];
        let sway = 0.22 * fbm(841, 0.5, 5.0 * v + 8.0, 4, NO_REPEAT);
        let across = (u - 0.5 - sway).abs();
        let branch =
            (u - 0.5 - sway - 0.5 * (v - 0.45)).abs() + if v < 0.45 { 1.0 } else { v - 0.45 };
        let core = bump((across / 0.03).min(1.0)) + 0.35 * bump((across / 0.16).min(1.0));
        let ends = smoothstep(0.0, 0.08, v) * smoothstep(1.0, 0.92, v);
        let branches = 0.6 * bump((branch / 0.05).min(1.0));
        canvas.alpha[i] = ends * (core + branches).clamp(0.0, 1.0);
    }
    canvas
}
