//! Iron, and what glows.

use super::stone::{blend, tiled};
use crate::noise::smoothstep;
use crate::textures::Canvas;

/// Bars with holes between them, cut out by alpha.
pub fn grate() -> Canvas {
    let bar = |t: f64| {
        let across = t * 4.0 - (t * 4.0).floor();
        (across - 0.5).abs()
    };
    let mut canvas = Canvas::paint(64, |u, v| {
        let (a, b) = (bar(u), bar(v));
        let near = a.min(b);
        let round = 1.0 - near / 0.14;
        let rust = smoothstep(0.0, 0.5, tiled(101, u, v, 4, 3));
        let color = blend([74.0, 76.0, 80.0], [112.0, 76.0, 52.0], 0.55 * rust);
        color.map(|c| c * (0.75 + 0.5 * round.clamp(0.0, 1.0)))
    });
    for (at, alpha) in canvas.alpha.iter_mut().enumerate() {
        let place = |i: usize| (i as f64 + 0.5) / 64.0;
        let near = bar(place(at % 64)).min(bar(place(at / 64)));
        *alpha = if near < 0.14 { 1.0 } else { 0.0 };
    }
    canvas
}

/// Dark iron.
pub fn iron() -> Canvas {
    Canvas::paint(64, |u, v| {
        let wear = tiled(111, u, v, 6, 4);
        blend([62.0, 60.0, 60.0], [104.0, 92.0, 80.0], 0.4 + 0.6 * wear)
    })
}

/// Coals.
pub fn embers() -> Canvas {
    Canvas::paint(64, |u, v| {
        let heat = smoothstep(-0.35, 0.45, tiled(121, u, v, 6, 3));
        let dark = blend([44.0, 16.0, 10.0], [220.0, 82.0, 22.0], heat);
        blend(dark, [255.0, 206.0, 110.0], smoothstep(0.7, 1.0, heat))
    })
}
