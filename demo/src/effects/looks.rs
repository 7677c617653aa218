//! Materials and textures of effects. Textures of four pictures have a rectangle for each.

use ironlands_assets_parkan::mat0::{Mat0, Phase};
use ironlands_assets_parkan::texm::{PageRect, Texm};

use crate::libraries::{ADD, ALPHA, material, phase, track};
use crate::noise::{bump, fbm, mix, smoothstep};
use crate::textures::{Canvas, PixelKind};

/// Of a track: the ambient color glides.
const AMBIENT: u32 = 1 << 3;
/// Side of a texture with one picture; one with four has twice that.
const SIDE: i16 = 64;
/// Pictures of a texture that has several.
const N_CELLS: u8 = 4;
/// Milliseconds of a picture.
const CELL_MS: u16 = 100;
const NO_REPEAT: i32 = crate::noise::ENDLESS;

const PUFF: &str = "FX_PUFF.0";
const FLAME: &str = "FX_FLAME.0";
const SPOT: &str = "FX_SPOT.0";
const RING: &str = "FX_RING.0";
const STAR: &str = "FX_STAR.0";
const RAY: &str = "FX_RAY.0";

/// All materials of effects: name, attr1 of the entry, content.
pub fn materials() -> Vec<(&'static str, u32, Mat0)> {
    let spot = |name, color| (name, ADD, single(SPOT, color));
    vec![
        ("FX_SMOKE", ALPHA, sheet(PUFF, [[74, 71, 68]; 4])),
        ("FX_DUST", ALPHA, sheet(PUFF, [[168, 148, 112]; 4])),
        ("FX_STEAM", ALPHA, sheet(PUFF, [[226, 234, 240]; 4])),
        (
            "FX_FIRE",
            ADD,
            sheet(
                FLAME,
                [[255, 220, 150], [255, 170, 70], [230, 96, 24], [120, 30, 8]],
            ),
        ),
        spot("FX_WARM", [255, 190, 96]),
        spot("FX_BLUE", [110, 180, 255]),
        spot("FX_RED", [255, 60, 36]),
        ("FX_DROP", ALPHA, single(SPOT, [214, 230, 244])),
        ("FX_RING", ADD, single(RING, [120, 210, 255])),
        ("FX_SHOCK", ADD, single(RING, [100, 130, 180])),
        ("FX_STAR", ADD, single(STAR, [255, 232, 180])),
        ("FX_RAY", ADD, single(RAY, [130, 200, 255])),
    ]
}

fn colored(texture: &str, [r, g, b]: [u8; 3], cell: Option<u8>) -> Phase {
    Phase {
        // The color of sprites is ambient alone.
        ambient: [r, g, b, 100],
        diffuse: [0, 0, 0, 255],
        cell: cell.map_or(-1, |cell| cell as i8),
        ..phase(texture)
    }
}

fn single(texture: &str, color: [u8; 3]) -> Mat0 {
    Mat0 {
        phases: vec![colored(texture, color, None)],
        ..material(texture)
    }
}

/// The four pictures of a texture one after the other, each with a color that glides to the next. The word of a key is
/// the end of its time.
fn sheet(texture: &str, colors: [[u8; 3]; N_CELLS as usize]) -> Mat0 {
    let cells = 0..N_CELLS;
    let keys: Vec<_> = cells
        .clone()
        .map(|cell| (cell.into(), CELL_MS * (u16::from(cell) + 1)))
        .collect();
    Mat0 {
        phases: cells
            .zip(colors)
            .map(|(cell, color)| colored(texture, color, Some(cell)))
            .collect(),
        tracks: vec![track(AMBIENT, &keys)],
        ..material(texture)
    }
}

/// All textures of effects, by name.
pub fn textures() -> Vec<(String, Texm)> {
    let single = |name: &str, alpha: fn(f64, f64) -> f64| {
        let canvas = shape(SIDE as usize, |u, v| alpha(2.0 * u - 1.0, 2.0 * v - 1.0));
        (name.to_owned(), canvas.to_texm(PixelKind::Argb4444))
    };
    vec![
        cells(PUFF, puff),
        cells(FLAME, flame),
        single(SPOT, |x, y| {
            let far = (x * x + y * y).sqrt().min(1.0);
            0.55 * bump(far) * bump(far) + 0.45 * bump((far / 0.4).min(1.0))
        }),
        single(RING, |x, y| {
            let far = (x * x + y * y).sqrt();
            bump(((far - 0.8) / 0.17).clamp(-1.0, 1.0)) + 0.16 * bump((far / 0.9).min(1.0))
        }),
        single(STAR, |x, y| {
            let far = (x * x + y * y).sqrt().min(1.0);
            let spikes = (0.02 / (x * y * (x * y)).sqrt().max(0.02)).min(1.0);
            bump((far / 0.45).min(1.0)) + spikes * bump(far) * 0.8
        }),
        single(RAY, |x, y| {
            let wavy = 0.16 * fbm(911, 2.0 * x, 0.0, 2, NO_REPEAT);
            let across = (y + wavy * (1.0 - x * x)).clamp(-1.0, 1.0);
            0.4 * bump(across) + 0.6 * bump((across / 0.3).clamp(-1.0, 1.0))
        }),
    ]
}

/// White, with an alpha.
fn shape(n: usize, alpha: impl Fn(f64, f64) -> f64) -> Canvas {
    let mut canvas = Canvas::paint(n, |_, _| [255.0; 3]);
    let at = |i: usize| (i as f64 + 0.5) / n as f64;
    for i in 0..n * n {
        canvas.alpha[i] = alpha(at(i % n), at(i / n)).clamp(0.0, 1.0);
    }
    canvas
}

/// Four pictures in a square; each is given its number and a place in it, from -1 to 1, y downward.
fn cells(name: &str, alpha: fn(u32, f64, f64) -> f64) -> (String, Texm) {
    let canvas = shape(2 * SIDE as usize, |u, v| {
        let [column, row] = [u, v].map(|it| if it < 0.5 { 0.0 } else { 1.0 });
        let [x, y] = [2.0 * u - column, 2.0 * v - row].map(|it| 2.0 * it - 1.0);
        let edge = smoothstep(0.0, 0.14, (1.0 - x.abs()).min(1.0 - y.abs()));
        edge * alpha((2.0 * row + column) as u32, x, y)
    });
    let rect = |cell: i16| PageRect {
        x: cell % 2 * SIDE,
        w: SIDE,
        y: cell / 2 * SIDE,
        h: SIDE,
    };
    let texm = Texm {
        page: Some((0..i16::from(N_CELLS)).map(rect).collect()),
        ..canvas.to_texm(PixelKind::Argb4444)
    };
    (name.to_owned(), texm)
}

/// A ball of cloud.
fn puff(cell: u32, x: f64, y: f64) -> f64 {
    let noise = fbm(700 + cell, 1.7 * x + 8.0, 1.7 * y + 8.0, 3, NO_REPEAT);
    let far = (x * x + y * y).sqrt() - 0.34 * noise;
    let wisps = 0.78 + 0.5 * fbm(720 + cell, 3.1 * x + 8.0, 3.1 * y + 8.0, 2, NO_REPEAT);
    smoothstep(0.92, 0.22, far) * wisps
}

/// A tongue of fire: wide below, ragged above.
fn flame(cell: u32, x: f64, y: f64) -> f64 {
    let height = (1.0 - y) / 2.0;
    let sway = 0.5 * height * fbm(740 + cell, 0.5, 1.6 * y + 8.0, 2, NO_REPEAT);
    let half = mix(0.62, 0.12, height) * smoothstep(0.0, 0.2, height);
    let ragged = 0.35 * fbm(760 + cell, 3.0 * x + 8.0, 2.4 * y + 8.0, 2, NO_REPEAT);
    let across = (x + sway).abs() / half.max(0.01) + ragged;
    smoothstep(1.1, 0.2, across) * smoothstep(1.0, 0.6, height)
}
