//! Plates of metal: hulls, bare steel, and wrecks.

use super::{Plate, blend, plate, scaled, streaks, tiled};
use crate::noise::{smoothstep, unit};
use crate::textures::canvas::{Canvas, Rgb};

const HULL_ROWS: [(f64, i32); 4] = [(0.28, 3), (0.2, 4), (0.3, 2), (0.22, 4)];

/// Painted plates in two colors of camouflage, worn at their edges.
fn hull(n: usize, seed: u32, paint: [Rgb; 3], camouflage: f64) -> Canvas {
    let at = |u: f64, v: f64| plate(&HULL_ROWS, seed, u, v);
    let mut canvas = Canvas::paint(n, |u, v| {
        let Plate { id, edge, rivet } = at(u, v);
        let tone = 0.92 + 0.16 * unit(id);
        let cloud = tiled(seed + 2, u, v, 4, 3);
        let patch = smoothstep(0.02, 0.1, cloud + camouflage);
        let third = smoothstep(0.22, 0.3, tiled(seed + 7, u, v, 5, 3));
        let color = blend(blend(paint[0], paint[1], patch), paint[2], third);
        let wear = tiled(seed + 3, u, v, 24, 3);
        let bare = smoothstep(0.016, 0.004, edge) * smoothstep(0.0, 0.35, wear);
        let color = blend(scaled(color, tone), [150.0, 146.0, 138.0], 0.7 * bare);
        let dirt = 0.16 * streaks(seed + 4, u, v, 20) + 0.10 * tiled(seed + 5, u, v, 9, 4);
        let groove = smoothstep(0.0065, 0.002, edge);
        let head = smoothstep(0.0075, 0.005, rivet);
        scaled(
            color,
            (1.0 - dirt) * (1.0 - 0.6 * groove) * (1.0 - 0.25 * head),
        )
    });
    canvas.emboss(0.16, |u, v| {
        let Plate { edge, rivet, .. } = at(u, v);
        1.6 * smoothstep(0.002, 0.012, edge)
            + 0.9 * smoothstep(0.0085, 0.003, rivet)
            + 0.25 * tiled(seed + 6, u, v, 32, 2)
    });
    canvas
}

pub fn walker_hull() -> Canvas {
    let paint = [
        [104.0, 110.0, 74.0],
        [142.0, 128.0, 88.0],
        [78.0, 74.0, 58.0],
    ];
    hull(256, 300, paint, 0.0).with_mean([118.0, 115.0, 82.0])
}

pub fn turret_hull() -> Canvas {
    let paint = [
        [132.0, 128.0, 118.0],
        [112.0, 112.0, 106.0],
        [146.0, 104.0, 66.0],
    ];
    hull(128, 320, paint, -0.06).with_mean([126.0, 121.0, 110.0])
}

/// A hull that has burnt.
pub fn wreck() -> Canvas {
    let mut canvas = hull(
        128,
        300,
        [[70.0, 60.0, 52.0], [96.0, 62.0, 42.0], [44.0, 40.0, 38.0]],
        0.0,
    );
    for i in 0..canvas.rgb.len() {
        let (u, v) = ((i % 128) as f64 / 128.0, (i / 128) as f64 / 128.0);
        let soot = smoothstep(-0.3, 0.35, tiled(311, u, v, 4, 4));
        canvas.rgb[i] = blend(canvas.rgb[i], [26.0, 24.0, 24.0], 0.75 * soot);
    }
    canvas
}

/// Brushed metal with bolts in two rows.
fn steel(seed: u32, light: Rgb) -> Canvas {
    let bands = [(0.25, 1), (0.25, 2), (0.5, 2)];
    let mut canvas = Canvas::paint(128, |u, v| {
        let Plate { edge, rivet, .. } = plate(&bands, seed, u, v);
        let brushed =
            0.07 * tiled(seed + 2, 0.3 * v, 3.0 * u, 32, 2) + 0.06 * tiled(seed + 3, u, v, 8, 4);
        let oil = 0.22 * streaks(seed + 4, u, v, 10);
        let groove = smoothstep(0.012, 0.003, edge);
        let bolt = smoothstep(0.014, 0.01, rivet);
        scaled(
            light,
            (1.0 + brushed - oil) * (1.0 - 0.5 * groove) * (1.0 + 0.12 * bolt),
        )
    });
    canvas.emboss(0.2, |u, v| {
        let Plate { edge, rivet, .. } = plate(&bands, seed, u, v);
        smoothstep(0.003, 0.02, edge) + 0.8 * smoothstep(0.016, 0.008, rivet)
    });
    canvas
}

pub fn dark_steel() -> Canvas {
    steel(340, [84.0, 86.0, 90.0]).with_mean([80.0, 81.0, 84.0])
}

pub fn gray_steel() -> Canvas {
    steel(350, [138.0, 140.0, 142.0]).with_mean([132.0, 133.0, 133.0])
}
