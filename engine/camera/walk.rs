//! Walking: the eye follows the ground, goes up no cliff and through no wall, and stays on the level.

use glam::{Vec2, Vec3, Vec3Swizzles};

use ironlands_sim::world::{WalkInput, Walker};

use super::{Pose, STEP, Surroundings, ease};

/// Height of a walker's eye above the ground, in units of the level: a person's, taking a unit for a meter.
///
/// A Parkan level is about 1200 units wide, its hills under 100 high and its fog ends at 700, all of which
/// fits meters. Pilots of its robots sat higher.
pub const EYE_HEIGHT: f32 = 1.8;

/// Units per second: a run, since levels are large.
pub(super) const DEFAULT_SPEED: f32 = 6.0;

/// However fast the ground rises, the eye keeps this much above it.
const LEAST_CLEARANCE: f32 = 0.9;
/// Steepest rise per length that is walked up: 50 degrees.
const STEEPEST: f32 = 1.19;
/// How far ahead the slope is felt. Ledges up to `STEEPEST * FEELER` (0.6) are stepped over.
const FEELER: f32 = 0.5;
/// The body that walls stop: a capsule from here above the feet up to the eye. What is below its lower end may be
/// stepped over: there is 0.65 under it, more than the highest ledge.
const BODY_BOTTOM: f32 = 0.95;
/// How near walls the eye comes.
const BODY_RADIUS: f32 = 0.3;
/// A step is walked in pieces no longer than this. Going level up the steepest slope, the body touches the
/// ground after `(BODY_BOTTOM * cos - BODY_RADIUS) / sin` (0.405), which would take it for a wall.
const LONGEST_PIECE: f32 = 0.4;
/// Time constant of the eye's height; softens the edges between faces.
const HEIGHT_EASE_SECS: f32 = 0.09;

/// The longest fall to a stand, in steps: three seconds.
const LONGEST_FALL: usize = 360;

/// The same view from a standing walker's eye: where the world lets who starts there fall to, or [`EYE_HEIGHT`] above
/// the ground; unchanged where there is no ground.
pub fn standing(pose: Pose, surroundings: &dyn Surroundings) -> Pose {
    if let Some(gait) = surroundings.gait() {
        let mut walker = Walker::new(pose.position, gait.eye_height);
        for _ in 0..LONGEST_FALL {
            let still = WalkInput::default();
            if !surroundings.walk(&mut walker, &still, STEP.as_secs_f32()) || walker.on_ground {
                break;
            }
        }
        // Landing may have bent the knees.
        walker.eye_height = gait.eye_height;
        return Pose {
            position: walker.eye(),
            ..pose
        };
    }
    match surroundings.ground_below(pose.position) {
        Some(ground) => Pose {
            position: pose.position.xy().extend(ground + EYE_HEIGHT),
            ..pose
        },
        None => pose,
    }
}

/// The eye after one step. `velocity` loses its height and whatever a wall, a cliff or the level's edge stopped.
pub(super) fn step(
    eye: Vec3,
    velocity: &mut Vec3,
    step_secs: f32,
    surroundings: &dyn Surroundings,
) -> Vec3 {
    let Some(ground) = surroundings.ground_below(eye) else {
        // Outside the level there is nothing to stand on; walk level until there is.
        velocity.z = 0.0;
        return eye + *velocity * step_secs;
    };

    let way = velocity.xy() * step_secs;
    let n_pieces = (way.length() / LONGEST_PIECE).ceil();
    let mut feet = eye.with_z(ground);
    let mut walked = Vec2::ZERO;
    for _ in 0..n_pieces as usize {
        walked += passable(feet, way / n_pieces, surroundings);
        let at = eye.xy() + walked;
        let ground = surroundings.ground_below(at.extend(feet.z + EYE_HEIGHT));
        feet = at.extend(ground.unwrap_or(feet.z));
    }
    *velocity = (walked / step_secs).extend(0.0);

    let goal = feet.z + EYE_HEIGHT;
    let height = eye.z + (goal - eye.z) * ease(HEIGHT_EASE_SECS);
    feet.with_z(height.max(feet.z + LEAST_CLEARANCE))
}

/// As much of `way` as can be walked from `feet`: all of it, what runs along walls, the slope or the level's edge, or
/// nothing. Never longer than `way`.
fn passable(feet: Vec3, way: Vec2, surroundings: &dyn Surroundings) -> Vec2 {
    let aside = std::iter::once_with(|| slides(feet, way, surroundings)).flatten();
    std::iter::once(way)
        .chain(aside)
        .filter(|way| *way != Vec2::ZERO)
        .map(|way| along_walls(feet, way, surroundings))
        .find(|way| is_footing_ahead(feet, *way, surroundings))
        .unwrap_or(Vec2::ZERO)
}

/// What walls leave of a way.
fn along_walls(feet: Vec3, way: Vec2, surroundings: &dyn Surroundings) -> Vec2 {
    let [bottom, top] = [BODY_BOTTOM, EYE_HEIGHT].map(|height| feet + Vec3::Z * height);
    let slid = surroundings.slide(bottom, top, BODY_RADIUS, way.extend(0.0));
    // Who has sunk into a wall is lifted out of it at the pace of walking, not at once.
    slid.xy().clamp_length_max(way.length())
}

/// Whether the ground ahead can be stepped on. Where a wall stops the walk entirely, it is the ground underfoot.
fn is_footing_ahead(feet: Vec3, way: Vec2, surroundings: &dyn Surroundings) -> bool {
    let Some(direction) = way.try_normalize() else {
        return true;
    };
    let reach = FEELER.max(way.length());
    let highest_step = STEEPEST * reach;
    let feeler = (feet.xy() + direction * reach).extend(feet.z + highest_step.max(EYE_HEIGHT));
    let ground = surroundings.ground_below(feeler);
    ground.is_some_and(|ground| ground - feet.z <= highest_step)
}

/// Ways to go on where the straight one is blocked: along the slope, or along the level's edge.
fn slides(feet: Vec3, way: Vec2, surroundings: &dyn Surroundings) -> [Vec2; 3] {
    let height = |offset: Vec2| {
        let at = (feet.xy() + offset).extend(feet.z + EYE_HEIGHT);
        surroundings.ground_below(at).unwrap_or(feet.z)
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
