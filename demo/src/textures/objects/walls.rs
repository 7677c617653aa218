//! What buildings and crates show: slabs of concrete, windows, a gate, boards.

use super::{Plate, blend, plate, scaled, streaks, tiled};
use crate::noise::{hash2, smoothstep, unit};
use crate::textures::canvas::Canvas;

/// Concrete slabs with seams, rain streaks and a painted band.
pub fn slabs() -> Canvas {
    let rows = [(0.34, 2), (0.33, 3), (0.33, 2)];
    let at = |u: f64, v: f64| plate(&rows, 400, u, v);
    let mut canvas = Canvas::paint(256, |u, v| {
        let Plate { id, edge, rivet } = at(u, v);
        let tone = 0.95 + 0.1 * unit(id);
        let stone = blend(
            [168.0, 166.0, 158.0],
            [184.0, 178.0, 164.0],
            unit(id.rotate_left(9)),
        );
        let pores = 0.07 * tiled(401, u, v, 40, 3) + 0.1 * tiled(402, u, v, 5, 4);
        let rain = 0.2 * streaks(403, u, v, 24) + 0.1 * streaks(404, u, v, 7);
        let seam = smoothstep(0.008, 0.003, edge);
        let hole = smoothstep(0.009, 0.006, rivet);
        let band = smoothstep(0.665, 0.668, v) * smoothstep(0.725, 0.722, v);
        let chipped = smoothstep(-0.1, 0.15, tiled(405, u, v, 26, 3) + 0.28);
        let stone = blend(stone, [176.0, 104.0, 46.0], 0.75 * band * chipped);
        scaled(
            stone,
            (tone + pores - rain) * (1.0 - 0.5 * seam) * (1.0 - 0.4 * hole),
        )
    });
    canvas.emboss(0.12, |u, v| {
        let Plate { edge, .. } = at(u, v);
        1.5 * smoothstep(0.002, 0.012, edge) + 0.8 * tiled(406, u, v, 30, 3)
    });
    canvas.with_mean([170.0, 164.0, 152.0])
}

/// Four panes, some of them lit.
pub fn windows() -> Canvas {
    const PANES: [(f64, f64); 4] = [(0.02, 0.23), (0.27, 0.48), (0.52, 0.73), (0.77, 0.98)];
    let mut canvas = Canvas::paint(128, |u, v| {
        let inside = |(u0, u1): (f64, f64)| {
            let cross = ((u - (u0 + u1) / 2.0).abs() - 0.004).min((v - 0.55).abs() - 0.012);
            (u - u0).min(u1 - u).min(v - 0.12).min(0.88 - v).min(cross)
        };
        let pane = (0..4).max_by(|a, b| inside(PANES[*a]).total_cmp(&inside(PANES[*b])));
        let k = pane.unwrap_or(0);
        let depth = inside(PANES[k]);
        let lit = [0.95, 0.3, 0.8, 1.0][k];
        let shade = 0.6 + 0.4 * smoothstep(0.9, 0.2, v) + 0.2 * tiled(411 + k as u32, u, v, 6, 2);
        let warm = scaled([255.0, 214.0, 132.0], lit * shade);
        let frame = scaled([72.0, 74.0, 76.0], 1.0 + 0.2 * tiled(412, u, v, 20, 2));
        blend(frame, warm, smoothstep(0.0, 0.008, depth))
    });
    canvas.emboss(0.1, |_, v| 2.0 * smoothstep(0.1, 0.14, v));
    canvas
}

/// A gate of two wings with a striped sill.
pub fn door() -> Canvas {
    let mut canvas = Canvas::paint(128, |u, v| {
        let rib = ((v * 7.0).fract() - 0.5).abs();
        let metal = scaled(
            [112.0, 116.0, 118.0],
            0.9 + 0.25 * smoothstep(0.28, 0.42, rib),
        );
        let gap = smoothstep(0.012, 0.004, (u - 0.5).abs());
        let frame = smoothstep(0.07, 0.06, u.min(1.0 - u).min(v));
        let metal = scaled(blend(metal, [70.0, 72.0, 74.0], frame), 1.0 - 0.75 * gap);
        let stripe = (u * 8.0 + v * 8.0).rem_euclid(2.0) < 1.0;
        let hazard = if stripe {
            [206.0, 168.0, 40.0]
        } else {
            [36.0, 35.0, 33.0]
        };
        let sill = smoothstep(0.86, 0.87, v);
        let dirt = 0.2 * streaks(421, u, v, 14) + 0.12 * tiled(422, u, v, 8, 4);
        scaled(blend(metal, hazard, sill), 1.0 - dirt)
    });
    canvas.emboss(0.1, |_, v| 1.5 * ((v * 7.0).fract() - 0.5).abs());
    canvas
}

/// A crate's side: boards behind a metal frame with a stencil.
pub fn crate_side() -> Canvas {
    let frame = |u: f64, v: f64| u.min(1.0 - u).min(v).min(1.0 - v);
    let brace = |u: f64, v: f64| (u - v).abs().min((u + v - 1.0).abs());
    let mut canvas = Canvas::paint(128, |u, v| {
        let board = (v * 5.0).floor();
        let tone = 0.85 + 0.3 * unit(hash2(431, board as i32, 0));
        let grain = 0.16 * tiled(432, 0.25 * u, 2.0 * v, 32, 3);
        let gap = smoothstep(0.05, 0.015, ((v * 5.0).fract() - 0.5).abs() - 0.5 + 0.06);
        let wood = scaled([158.0, 140.0, 92.0], (tone + grain) * (0.45 + 0.55 * gap));
        let metal = scaled([116.0, 124.0, 112.0], 1.0 + 0.25 * tiled(433, u, v, 14, 3));
        let is_metal =
            smoothstep(0.125, 0.115, frame(u, v)).max(smoothstep(0.05, 0.042, brace(u, v)));
        let rust = smoothstep(0.15, 0.5, tiled(434, u, v, 9, 4));
        let metal = blend(metal, [112.0, 72.0, 44.0], 0.6 * rust);
        blend(wood, metal, is_metal)
    });
    canvas.emboss(0.14, |u, v| {
        2.0 * smoothstep(0.13, 0.115, frame(u, v)).max(smoothstep(0.055, 0.042, brace(u, v)))
    });
    canvas
}
