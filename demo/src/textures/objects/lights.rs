//! Glass and light.

use super::{blend, scaled, tiled};
use crate::noise::{bump, smoothstep};
use crate::textures::canvas::Canvas;

/// The cockpit's panes: dark, with the sky in them and struts between.
pub fn cockpit() -> Canvas {
    Canvas::paint(64, |u, v| {
        let sky = blend(
            [150.0, 176.0, 190.0],
            [24.0, 34.0, 40.0],
            smoothstep(0.05, 0.6, v),
        );
        let glare = 90.0 * bump(((u - 0.3 + 0.4 * v) / 0.12).clamp(-1.0, 1.0)) * (1.0 - v);
        let pane = sky.map(|c| c + glare);
        let strut = u.min(1.0 - u).min(v).min(1.0 - v).min((u - 0.5).abs());
        blend([54.0, 56.0, 48.0], pane, smoothstep(0.035, 0.055, strut))
    })
}

/// A lens, brightest in its middle; around a lamp it repeats.
pub fn lamp() -> Canvas {
    Canvas::paint(32, |u, v| {
        let ring = bump((2.0 * u - 1.0).abs().min(1.0)) * bump((2.0 * v - 1.0).abs().min(1.0));
        blend([214.0, 196.0, 150.0], [255.0, 250.0, 226.0], ring)
    })
}

/// Thin glass: a sheen that is clearer below.
pub fn glass() -> Canvas {
    let mut canvas = Canvas::paint(64, |u, v| {
        let streak = bump(((u - 0.62 + 0.35 * v) / 0.1).clamp(-1.0, 1.0));
        let sky = blend([176.0, 206.0, 214.0], [88.0, 120.0, 128.0], v);
        let strut = smoothstep(
            0.04,
            0.03,
            ((u * 4.0).fract() - 0.5).abs().min(v.min(1.0 - v)),
        );
        blend(sky.map(|c| c + 50.0 * streak), [70.0, 74.0, 74.0], strut)
    });
    for i in 0..canvas.alpha.len() {
        let (u, v) = ((i % 64) as f64 / 64.0, (i / 64) as f64 / 64.0);
        let strut = smoothstep(
            0.04,
            0.03,
            ((u * 4.0).fract() - 0.5).abs().min(v.min(1.0 - v)),
        );
        canvas.alpha[i] = 0.45 + 0.2 * (1.0 - v) + 0.35 * strut;
    }
    canvas
}

/// A round glow on black, for adding.
pub fn glow() -> Canvas {
    Canvas::paint(64, |u, v| {
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        let far = (x * x + y * y).sqrt().min(1.0);
        let soft = bump(far);
        let core = bump((far / 0.35).min(1.0));
        let ragged = 1.0 + 0.1 * tiled(441, u, v, 6, 2);
        scaled(
            [255.0, 214.0, 140.0],
            (0.45 * soft * soft + 0.55 * core) * ragged,
        )
    })
}
