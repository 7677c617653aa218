//! Wood.

use super::stone::{blend, tiled};
use crate::noise::{fbm, hash2, smoothstep, unit};
use crate::textures::Canvas;

/// Boards that run along u, eight of them.
pub fn planks() -> Canvas {
    let board = |v: f64| {
        let row = (v * 8.0).floor();
        let across = v * 8.0 - row;
        (row as i32, across.min(1.0 - across))
    };
    let mut canvas = Canvas::paint(256, |u, v| {
        let (row, edge) = board(v);
        let hash = hash2(81, row, 7);
        // Fibers are sixteen times as long as wide; each board starts elsewhere.
        let shift = unit(hash) * 16.0;
        let fiber = fbm(82 + row as u32, u * 4.0 + shift.floor(), v * 64.0, 3, 64);
        let knot = smoothstep(
            0.35,
            0.75,
            fbm(90 + row as u32, u * 4.0 + shift.floor(), v * 12.0, 2, 4),
        );
        let tone = unit(hash.rotate_left(9));
        let color = blend(
            [112.0, 74.0, 44.0],
            [150.0, 106.0, 66.0],
            tone + 0.35 * fiber,
        );
        let color = blend(color, [84.0, 60.0, 40.0], 0.5 * knot);
        let end = joint(u, row);
        let gap = smoothstep(0.06, 0.02, edge).max(smoothstep(0.006, 0.002, end));
        blend(color, [38.0, 26.0, 18.0], gap)
    });
    canvas.emboss(0.08, |u, v| {
        let (_, edge) = board(v);
        1.4 * smoothstep(0.0, 0.12, edge) + 0.5 * tiled(99, u, v, 48, 2)
    });
    canvas.with_mean([134.0, 103.0, 72.0])
}

/// Hewn timber without joints, whose grain shows little, for beams that run either way.
pub fn timber() -> Canvas {
    let mut canvas = Canvas::paint(128, |u, v| {
        let cloud = tiled(141, u, v, 4, 4);
        let fiber = tiled(142, u, v, 24, 3);
        blend(
            [92.0, 66.0, 44.0],
            [128.0, 96.0, 66.0],
            0.5 + 0.5 * cloud + 0.3 * fiber,
        )
    });
    canvas.emboss(0.06, |u, v| tiled(143, u, v, 12, 3));
    canvas.with_mean([108.0, 80.0, 55.0])
}

/// Distance along u to where two boards of a row meet.
fn joint(u: f64, row: i32) -> f64 {
    let at = unit(hash2(83, row, 3));
    let off = (u - at).abs();
    off.min(1.0 - off)
}
