//! Arms, a chest, fire, and signs on the ground.

use super::{blend, scaled, within};
use crate::evil_islands::figures::{arms as arm, chest as box_of};
use crate::noise::{fbm, hash2, smoothstep, unit};
use crate::textures::Canvas;

fn free(seed: u32, u: f64, v: f64, cells: f64, octaves: u32) -> f64 {
    fbm(seed, u * cells, v * cells, octaves, 1 << 20)
}

/// Blade, grip, brass and helmet.
pub fn arms() -> Canvas {
    Canvas::paint(64, |u, v| {
        if let Some([s, t]) = within(arm::BLADE, u, v) {
            let ridge = smoothstep(0.2, 0.0, (s - 0.5).abs());
            let polish = free(0x301, s, 8.0 * t, 6.0, 3);
            scaled([176.0, 182.0, 190.0], 0.86 + 0.2 * ridge + 0.22 * polish)
        } else if let Some([s, t]) = within(arm::GRIP, u, v) {
            let wound = ((t * 8.0 + s * 2.0).fract() - 0.5).abs();
            scaled([92.0, 60.0, 38.0], 0.6 + 0.9 * wound)
        } else if let Some([s, t]) = within(arm::BRASS, u, v) {
            scaled([190.0, 152.0, 74.0], 1.0 + 0.3 * free(0x302, s, t, 8.0, 3))
        } else {
            let [s, t] = within(arm::HELMET, u, v).unwrap_or([0.5, 0.5]);
            let dent = free(0x303, s, t, 10.0, 3);
            let band =
                smoothstep(0.80, 0.82, t) + smoothstep(0.03, 0.02, ((s * 4.0).fract() - 0.5).abs());
            let steel = scaled([150.0, 154.0, 160.0], 0.95 + 0.25 * dent + 0.15 * (0.5 - t));
            blend(steel, [186.0, 150.0, 78.0], band.min(1.0))
        }
    })
}

/// Boards with iron corners, a lid, the inside, and gold.
pub fn chest() -> Canvas {
    let boards = |s: f64, t: f64, rows: f64| {
        let row = (t * rows).floor();
        let grain = fbm(0x311 + row as u32, s * 5.0, t * 40.0, 3, 1 << 20);
        let edge = (t * rows).fract();
        let gap = smoothstep(0.1, 0.03, edge.min(1.0 - edge));
        let tone = 0.9 + 0.2 * unit(hash2(0x312, row as i32, 1));
        scaled(
            [132.0, 88.0, 52.0],
            (tone + 0.3 * grain) * (1.0 - 0.55 * gap),
        )
    };
    let iron = |s: f64, t: f64| scaled([92.0, 90.0, 88.0], 1.0 + 0.3 * free(0x313, s, t, 20.0, 3));
    Canvas::paint(64, |u, v| {
        if let Some([s, t]) = within(box_of::BOARDS, u, v) {
            let corner = s.min(1.0 - s);
            blend(
                boards(s, t, 4.0),
                iron(s, t),
                smoothstep(0.11, 0.09, corner),
            )
        } else if let Some([s, t]) = within(box_of::LID, u, v) {
            let band = (s - 0.2).abs().min((s - 0.8).abs());
            blend(boards(s, t, 3.0), iron(s, t), smoothstep(0.05, 0.04, band))
        } else if let Some([s, t]) = within(box_of::INSIDE, u, v) {
            scaled(boards(s, t, 3.0), 0.45)
        } else {
            let coin = free(0x314, u, v, 60.0, 2);
            scaled([222.0, 178.0, 70.0], 0.85 + 0.6 * coin)
        }
    })
}

/// A flame: bright at its heart, red and clear toward its edge.
pub fn flame() -> Canvas {
    let strength = |u: f64, v: f64| {
        let up = 1.0 - v;
        let lick = 0.16 * free(0x321, u, v, 4.0, 4) * (0.3 + up);
        let half = 0.36 * smoothstep(-0.12, 0.22, up) * (1.0 - up).max(0.0).sqrt();
        let side = (u - 0.5 + lick).abs() / half.max(1e-3);
        smoothstep(1.0, 0.15, side) * smoothstep(0.99, 0.8, up) * smoothstep(0.0, 0.06, up)
    };
    let mut canvas = Canvas::paint(64, |u, v| {
        let heat = strength(u, v);
        let color = blend([196.0, 52.0, 14.0], [255.0, 168.0, 40.0], 1.6 * heat);
        blend(color, [255.0, 240.0, 176.0], smoothstep(0.55, 0.95, heat))
    });
    let n = canvas.n;
    for (i, alpha) in canvas.alpha.iter_mut().enumerate() {
        let at = |i: usize| (i as f64 + 0.5) / n as f64;
        *alpha = smoothstep(0.02, 0.5, strength(at(i % n), at(i / n)));
    }
    canvas
}

/// Two rings with signs between them.
pub fn rune() -> Canvas {
    let mark = |u: f64, v: f64| {
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        let far = (x * x + y * y).sqrt();
        let ring = |at: f64| smoothstep(0.035, 0.02, (far - at).abs());
        // A square and the same turned by an eighth, inside.
        let square = (x.abs().max(y.abs()) - 0.42).abs();
        let eighth = 2.8284 / 4.0;
        let (p, q) = ((x + y) * eighth, (x - y) * eighth);
        let turned = (p.abs().max(q.abs()) - 0.42).abs();
        let star = smoothstep(0.035, 0.02, square.min(turned));
        let sign = {
            let (cx, cy) = ((u * 12.0).fract() - 0.5, (v * 12.0).fract() - 0.5);
            let id = hash2(0x331, (u * 12.0) as i32, (v * 12.0) as i32);
            let bar = if id & 1 == 0 { cx.abs() } else { cy.abs() };
            let cross = if id & 2 == 0 {
                (cx - cy).abs()
            } else {
                (cx + cy).abs()
            };
            let inside = smoothstep(0.42, 0.36, cx.abs().max(cy.abs()));
            smoothstep(0.14, 0.08, bar.min(cross)) * inside
        };
        let band = smoothstep(0.66, 0.68, far) * smoothstep(0.86, 0.84, far);
        ring(0.64).max(ring(0.90)).max(star).max(sign * band)
    };
    let mut canvas = Canvas::paint(128, |u, v| {
        blend(
            [92.0, 18.0, 30.0],
            [224.0, 72.0, 48.0],
            0.6 + 0.6 * free(0x332, u, v, 9.0, 3),
        )
    });
    let n = canvas.n;
    for (i, alpha) in canvas.alpha.iter_mut().enumerate() {
        let at = |i: usize| (i as f64 + 0.5) / n as f64;
        *alpha = mark(at(i % n), at(i / n));
    }
    canvas
}
