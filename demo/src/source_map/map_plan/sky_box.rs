//! The 3D skybox: hills around the courtyard, a sixteenth of their size.

use super::block;
use super::palette::idx;
use crate::noise::{ENDLESS, fbm, mix, ridged, smoothstep};
use crate::source_map::MapPlan;
use crate::source_map::displacement::{Displacement, raised};
use crate::source_map::entities::EntityPlan;

/// Place of the camera, which stands for the origin of the courtyard.
const CAMERA: [f64; 3] = [0.0, 0.0, 2064.0];
/// How much larger the hills are seen.
const SCALE: f64 = 16.0;

/// Adds the skybox. It spans x and y -512..512, z 2048..2432.
pub fn add(plan: &mut MapPlan) {
    let (low, high) = (2048.0, 2432.0);
    plan.brushes.extend([
        block([-528.0, -528.0, low - 16.0], [528.0, 528.0, low], idx::SKY),
        block(
            [-528.0, -528.0, high],
            [528.0, 528.0, high + 16.0],
            idx::SKY,
        ),
        block([-528.0, -528.0, low], [-512.0, 528.0, high], idx::SKY),
        block([512.0, -528.0, low], [528.0, 528.0, high], idx::SKY),
        block([-512.0, -528.0, low], [512.0, -512.0, high], idx::SKY),
        block([-512.0, 512.0, low], [512.0, 528.0, high], idx::SKY),
    ]);
    plan.entities.push(
        EntityPlan::new("sky_camera")
            .at(CAMERA)
            .with("angles", "0 0 0")
            .with("scale", SCALE)
            .with("fogenable", 1)
            .with("fogblend", 0)
            .with("fogcolor", "178 196 214")
            .with("fogcolor2", "178 196 214")
            .with("fogstart", 1500)
            .with("fogend", 12000)
            .with("fogmaxdensity", 0.75),
    );
    let quarter = |x: f64, y: f64| {
        let corners = [
            [x, y, low + 2.0],
            [x, y + 512.0, low + 2.0],
            [x + 512.0, y + 512.0, low + 2.0],
            [x + 512.0, y, low + 2.0],
        ];
        Displacement::new(corners, 4, idx::HILLS, hill)
    };
    for (x, y) in [(-512.0, -512.0), (0.0, -512.0), (-512.0, 0.0), (0.0, 0.0)] {
        plan.displacements.push(quarter(x, y));
    }
}

/// Height of the hills above the base, and how much of it is rock.
fn hill(p: [f64; 3]) -> ([f64; 3], f64) {
    // The middle of the courtyard stands a little east of the camera.
    let (x, y) = (p[0] - 32.0, p[1]);
    let distance = (x * x + y * y).sqrt();
    let ring = smoothstep(110.0, 400.0, distance);
    let crest = ridged(301, p[0] / 260.0, p[1] / 260.0, 4, ENDLESS);
    let roll = 0.5 + 0.5 * fbm(302, p[0] / 150.0, p[1] / 150.0, 3, ENDLESS);
    let height = ring * (24.0 + mix(50.0 * roll, 120.0 * crest, ring));
    (
        raised(height),
        smoothstep(60.0, 110.0, height + 30.0 * (roll - 0.5)),
    )
}
