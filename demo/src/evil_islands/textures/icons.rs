//! Pictures of the inventory.

use super::{blend, scaled};
use crate::noise::smoothstep;
use crate::textures::Canvas;

/// A sword on nothing, from the lower left to the upper right.
pub fn sword() -> Canvas {
    // Along the sword from its pommel to its tip, and across it.
    let at = |u: f64, v: f64| [0.5 * (u + 1.0 - v), u - (1.0 - v)];
    let part = |u: f64, v: f64| {
        let [along, across] = at(u, v);
        let within = |low: f64, high: f64, half: f64| {
            (along - low)
                .min(high - along)
                .min(0.5 * (half - across.abs()))
        };
        let taper = 0.075 * smoothstep(0.97, 0.8, along);
        [
            within(0.30, 0.96, taper),
            within(0.255, 0.30, 0.30),
            within(0.12, 0.26, 0.045),
            within(0.06, 0.125, 0.075),
        ]
    };
    let mut canvas = Canvas::paint(64, |u, v| {
        let [blade, guard, grip, pommel] = part(u, v);
        let [_, across] = at(u, v);
        let steel = scaled([196.0, 202.0, 212.0], if across > 0.0 { 1.1 } else { 0.78 });
        let brass = [206.0, 166.0, 80.0];
        let color = if blade > 0.0 {
            steel
        } else if guard > 0.0 || pommel > 0.0 {
            brass
        } else {
            [104.0, 66.0, 40.0]
        };
        let rim = blade.max(guard).max(grip).max(pommel);
        blend(color, [30.0, 26.0, 24.0], smoothstep(0.012, 0.0, rim))
    });
    let n = canvas.n;
    for (i, alpha) in canvas.alpha.iter_mut().enumerate() {
        let place = |i: usize| (i as f64 + 0.5) / n as f64;
        let parts = part(place(i % n), place(i / n));
        *alpha = f64::from(u8::from(parts.into_iter().any(|depth| depth > -0.004)));
    }
    canvas
}
