//! A walker who goes by the game's rules: from cell to cell through open sides, up no more than a step.
//!
//! Choices, for only servers' rules are known: how fast one runs, how one falls, that a closed side is walked along
//! rather than being the end of the way.

use super::{EYE_HEIGHT, cell_at};
use glam::{Vec2, Vec3};
use ironlands_sim_geodata::land::Land;
use ironlands_sim_geodata::{GeoPoint, StraightWalkEnd};
use ironlands_sim_world::{Gait, WalkInput, Walker};

/// How fast and tall walkers are. Characters of the game run 110 to 200 points a second.
pub(super) const GAIT: Gait = Gait {
    speed: 150.0,
    speeds: [20.0, 3000.0],
    eye_height: EYE_HEIGHT,
};

/// Time constant of the eye's height.
const EYE_EASE_SECS: f32 = 0.12;
/// The eye stays so far above the feet.
const EYE_HEIGHTS: [f32; 2] = [8.0, 90.0];
/// Steps down that are walked rather than fallen, points.
const MAX_STEP_DOWN: f32 = 48.0;
/// Points per second².
const GRAVITY: f32 = 900.0;
/// Beyond any fall.
const MAX_FALL_SPEED: f32 = 4000.0;

/// Moves a walker for a step of time; numbers that are not finite move nothing.
pub(super) fn walk(land: &Land, walker: &mut Walker, wish: &WalkInput, secs: f32) {
    let numbers = [walker.feet, walker.velocity, wish.view, wish.right];
    let is_sound = numbers.into_iter().all(Vec3::is_finite)
        && [walker.eye_height, wish.ahead, wish.aside, wish.speed, secs]
            .into_iter()
            .all(f32::is_finite)
        && secs > 0.0;
    if !is_sound {
        return;
    }
    let wanted = Vec3::Z.cross(wish.right) * wish.ahead + wish.right * wish.aside;
    let velocity = wanted.truncate().clamp_length_max(1.0) * wish.speed;
    let before = walker.feet;
    let start = Feet::new(land, walker);
    let end = start.map(|feet| feet.slide(land, velocity * secs));
    let Some(end) = end else {
        // Over no ground the walker stays level, to come back to some.
        walker.feet += (velocity * secs).extend(0.0);
        walker.velocity = velocity.extend(0.0);
        walker.on_ground = false;
        return;
    };
    walker.feet = end.at.extend(before.z);
    walker.velocity = velocity.extend(walker.velocity.z);
    stand_or_fall(land, walker, end.ground, secs);
    let rise = walker.feet.z - before.z;
    if walker.on_ground && rise.abs() <= MAX_STEP_DOWN {
        walker.eye_height -= rise;
    }
    walker.eye_height += (EYE_HEIGHT - walker.eye_height) * secs / (secs + EYE_EASE_SECS);
    walker.eye_height = walker.eye_height.clamp(EYE_HEIGHTS[0], EYE_HEIGHTS[1]);
}

/// On the ground, or through the air toward it.
fn stand_or_fall(land: &Land, walker: &mut Walker, ground: i32, secs: f32) {
    let mut ground = ground as f32;
    if !walker.on_ground
        && let Some(below) = ground_at_or_below(land, walker.feet)
    {
        // Who falls past the edge of a layer lands on it.
        ground = ground.max(below);
    }
    let height = walker.feet.z - ground;
    let steps_down = walker.on_ground && height <= MAX_STEP_DOWN;
    walker.velocity.z = (walker.velocity.z - GRAVITY * secs).max(-MAX_FALL_SPEED);
    let fallen = walker.feet.z + walker.velocity.z * secs;
    walker.on_ground = height <= 0.0 || steps_down || fallen <= ground;
    if walker.on_ground {
        walker.feet.z = ground;
        walker.velocity.z = 0.0;
    } else {
        walker.feet.z = fallen;
    }
}

fn ground_at_or_below(land: &Land, at: Vec3) -> Option<f32> {
    let cell = cell_at(at.x, at.y)?;
    let layer = land
        .geodata()
        .layer_at_or_below(cell, at.z.floor() as i32)
        .ok()??;
    Some(layer.z as f32)
}

/// Where a walker is above which ground.
#[derive(Clone, Copy)]
struct Feet {
    at: Vec2,
    ground: i32,
}

impl Feet {
    /// Who stands is on the nearest layer, who falls above the next; `None` where no ground is.
    fn new(land: &Land, walker: &Walker) -> Option<Self> {
        let Vec3 { x, y, z } = walker.feet;
        let cell = cell_at(x, y)?;
        let geodata = land.geodata();
        let nearest = geodata.nearest_layer(cell, z.round() as i32).ok()?;
        let below = geodata.layer_at_or_below(cell, z.floor() as i32).ok()?;
        let layer = match walker.on_ground {
            true => nearest,
            false => below.unwrap_or(nearest),
        };
        Some(Self {
            at: walker.feet.truncate(),
            ground: layer.z,
        })
    }

    /// Goes as far as it comes, then on along the side that it came to.
    fn slide(self, land: &Land, motion: Vec2) -> Self {
        let (here, is_stopped) = self.go(land, motion);
        if !is_stopped {
            return here;
        }
        let left = motion - (here.at - self.at);
        let along_x = Vec2::new(left.x, 0.0);
        let along_y = Vec2::new(0.0, left.y);
        let ways = match left.x.abs() >= left.y.abs() {
            true => [along_x, along_y],
            false => [along_y, along_x],
        };
        let gone = ways.map(|way| here.go(land, way).0);
        let far = |feet: &Self| feet.at.distance_squared(here.at);
        match far(&gone[1]) > far(&gone[0]) {
            true => gone[1],
            false => gone[0],
        }
    }

    /// Goes straight; whether it was stopped.
    fn go(self, land: &Land, motion: Vec2) -> (Self, bool) {
        let to = self.at + motion;
        let (Some(here), Some(there)) = (cell_at(self.at.x, self.at.y), cell_at(to.x, to.y)) else {
            return (self, true);
        };
        if here == there {
            return (Self { at: to, ..self }, false);
        }
        let point =
            |at: Vec2| GeoPoint::new(at.x.floor() as i32, (-at.y).floor() as i32, self.ground);
        let movement = land
            .geodata()
            .straight_walk(point(self.at), point(to), land.profile());
        let Ok(movement) = movement else {
            return (self, true);
        };
        let ground = movement.point.z;
        match movement.end {
            StraightWalkEnd::Reached | StraightWalkEnd::OtherLayer => {
                (Self { at: to, ground }, false)
            }
            StraightWalkEnd::Blocked(_) => {
                // The middle of the last point, which is in the last cell.
                let GeoPoint { x, y, .. } = movement.point;
                let at = Vec2::new(x as f32 + 0.5, -(y as f32 + 0.5));
                (Self { at, ground }, true)
            }
        }
    }
}
