//! Walking: the eye follows the ground, goes up no cliff, and stays on the level.

use glam::{Vec2, Vec3, Vec3Swizzles};

use super::{GroundBelow, Pose, ease};

/// Height of a walker's eye above the ground, in units of the level: a person's, taking a unit for a metre.
///
/// A Parkan level is about 1200 units wide, its hills under 100 high and its fog ends at 700, all of which
/// fits metres. Pilots of its robots sat higher.
pub const EYE_HEIGHT: f32 = 1.8;

/// Units per second: a run, since levels are large.
pub(super) const DEFAULT_SPEED: f32 = 6.0;

/// However fast the ground rises, the eye keeps this much above it.
const LEAST_CLEARANCE: f32 = 0.9;
/// Steepest rise per length that is walked up: 50 degrees.
const STEEPEST: f32 = 1.19;
/// How far ahead the slope is felt. Ledges up to `STEEPEST * FEELER` (0.6) are stepped over.
const FEELER: f32 = 0.5;
/// Time in which the eye comes to within 1/e of its height; softens the edges between faces.
const HEIGHT_EASE_SECS: f32 = 0.09;

/// The same view from [`EYE_HEIGHT`] above the ground; unchanged where there is no ground.
pub fn standing(pose: Pose, ground_below: GroundBelow<'_>) -> Pose {
    match ground_below(pose.position) {
        Some(ground) => Pose {
            position: pose.position.xy().extend(ground + EYE_HEIGHT),
            ..pose
        },
        None => pose,
    }
}

/// The eye after one step. `velocity` loses its height and whatever a cliff or the level's edge stopped.
pub(super) fn step(
    eye: Vec3,
    velocity: &mut Vec3,
    step_secs: f32,
    ground_below: GroundBelow<'_>,
) -> Vec3 {
    let Some(ground) = ground_below(eye) else {
        // Outside the level there is nothing to stand on; walk level until there is.
        velocity.z = 0.0;
        return eye + *velocity * step_secs;
    };

    let feet = eye.xy().extend(ground);
    let way = passable(feet, velocity.xy() * step_secs, ground_below);
    *velocity = (way / step_secs).extend(0.0);

    let at = eye.xy() + way;
    let ground = ground_below(at.extend(ground + EYE_HEIGHT)).unwrap_or(ground);
    let goal = ground + EYE_HEIGHT;
    let height = eye.z + (goal - eye.z) * ease(HEIGHT_EASE_SECS);
    at.extend(height.max(ground + LEAST_CLEARANCE))
}

/// As much of `way` as can be walked from `feet`: all of it, what runs along the slope or edge, or nothing.
fn passable(feet: Vec3, way: Vec2, ground_below: GroundBelow<'_>) -> Vec2 {
    let can_walk = |way: Vec2| {
        let Some(direction) = way.try_normalize() else {
            return false;
        };
        let reach = FEELER.max(way.length());
        let highest_step = STEEPEST * reach;
        let feeler = (feet.xy() + direction * reach).extend(feet.z + highest_step.max(EYE_HEIGHT));
        ground_below(feeler).is_some_and(|ground| ground - feet.z <= highest_step)
    };
    if can_walk(way) {
        return way;
    }
    slides(feet, way, ground_below)
        .into_iter()
        .find(|slide| can_walk(*slide))
        .unwrap_or(Vec2::ZERO)
}

/// Ways to go on where the straight one is blocked: along the slope, or along the level's edge.
fn slides(feet: Vec3, way: Vec2, ground_below: GroundBelow<'_>) -> [Vec2; 3] {
    let height = |offset: Vec2| {
        ground_below((feet.xy() + offset).extend(feet.z + EYE_HEIGHT)).unwrap_or(feet.z)
    };
    let uphill = Vec2::new(
        height(Vec2::X * FEELER) - height(Vec2::X * -FEELER),
        height(Vec2::Y * FEELER) - height(Vec2::Y * -FEELER),
    );
    let along_slope = match uphill.try_normalize() {
        Some(uphill) => way - uphill * way.dot(uphill),
        None => Vec2::ZERO,
    };
    [along_slope, way * Vec2::X, way * Vec2::Y]
}
