//! A walker's box among brushes: how it slides along what it hits, climbs steps and stays on the ground.

use crate::brush_map::content_bits;
use arrayvec::ArrayVec;
use glam::Vec3;
use ironlands_assets_source::bsp::Contents;
use ironlands_sim_brush::{CastResult, CastScratch, ContentBits, Obstacles, ShapeCast};

/// Highest step that is climbed.
pub(super) const STEP_HEIGHT: f32 = 18.0;
/// What is less steep than this is a floor: the vertical part of its normal.
const FLOOR_NORMAL: f32 = 0.7;
/// How far below the feet the ground may be to be stood on.
pub(super) const GROUND_REACH: f32 = 2.0;
/// What stops a walker.
pub(crate) const MASK: ContentBits = content_bits(Contents::MASK_PLAYER_SOLID_BRUSH_ONLY);

/// Straight legs of one motion.
const MAX_LEGS: usize = 4;
/// Planes around one place that a motion is led along.
const MAX_PLANES: usize = 5;

/// A box that moves.
pub(super) struct Body<'a> {
    pub brushes: Obstacles<'a>,
    pub scratch: &'a mut CastScratch,
    pub feet: Vec3,
    pub velocity: Vec3,
    /// Its corners, relative to the feet.
    pub bounds: [Vec3; 2],
}

impl Body<'_> {
    /// How far the box comes on a straight way.
    pub fn trace(&mut self, from: Vec3, to: Vec3, mask: ContentBits) -> CastResult {
        let sweep = ShapeCast::from_box(from, to, self.bounds, mask);
        self.brushes.cast_shape(&sweep, self.scratch)
    }

    /// Whether the box would be inside of something there.
    pub fn is_stuck_at(&mut self, feet: Vec3) -> bool {
        self.trace(feet, feet, MASK).start_solid
    }

    /// Moves by the velocity for a time: short of what is in the way, and on along it. What stops it takes its part
    /// of the velocity.
    pub fn slide(&mut self, secs: f32) {
        let wanted = self.velocity;
        let mut before = self.velocity;
        let mut secs_left = secs;
        let mut planes = ArrayVec::<Vec3, MAX_PLANES>::new();
        for _ in 0..MAX_LEGS {
            if self.velocity == Vec3::ZERO {
                return;
            }
            let leg = self.trace(self.feet, self.feet + self.velocity * secs_left, MASK);
            if leg.all_solid {
                self.velocity = Vec3::ZERO;
                return;
            }
            self.feet = leg.end;
            if leg.fraction > 0.0 {
                planes.clear();
                before = self.velocity;
            }
            let Some(hit) = leg.hit else {
                return;
            };
            secs_left *= 1.0 - leg.fraction;
            if planes.try_push(hit.normal).is_err() {
                self.velocity = Vec3::ZERO;
                return;
            }
            self.velocity = along(before, self.velocity, &planes);
            // Back where it came from it would only tremble in a corner.
            if self.velocity.dot(wanted) <= 0.0 {
                self.velocity = Vec3::ZERO;
            }
        }
    }

    /// [`slide`](Self::slide), or over a step if that leads farther.
    pub fn slide_over_steps(&mut self, secs: f32) {
        let (start, velocity) = (self.feet, self.velocity);
        self.slide(secs);
        let flat = (self.feet, self.velocity);

        (self.feet, self.velocity) = (start, velocity);
        self.feet = self.trace(start, start + Vec3::Z * STEP_HEIGHT, MASK).end;
        self.slide(secs);
        let down = self.trace(self.feet, self.feet - Vec3::Z * STEP_HEIGHT, MASK);
        let is_steep = down.hit.is_some_and(|hit| hit.normal.z < FLOOR_NORMAL);
        self.feet = down.end;
        let way = |feet: Vec3| (feet - start).truncate().length_squared();
        if is_steep || down.start_solid || way(self.feet) <= way(flat.0) {
            (self.feet, self.velocity) = flat;
        } else {
            self.velocity.z = flat.1.z;
        }
    }

    /// Follows the ground down a step or slope, rather than fly off its edge.
    pub fn stay_on_ground(&mut self) {
        let above = self
            .trace(self.feet, self.feet + Vec3::Z * GROUND_REACH, MASK)
            .end;
        let down = self.trace(above, self.feet - Vec3::Z * STEP_HEIGHT, MASK);
        let is_floor = down.hit.is_some_and(|hit| hit.normal.z >= FLOOR_NORMAL);
        if is_floor && !down.start_solid {
            self.feet = down.end;
        }
    }

    /// Whether there is a floor right under the feet.
    pub fn is_on_floor(&mut self) -> bool {
        self.normal_below()
            .is_some_and(|normal| normal.z >= FLOOR_NORMAL)
    }

    /// Normal of what is right under the feet and too steep to stand on.
    pub fn steep_below(&mut self) -> Option<Vec3> {
        self.normal_below().filter(|normal| normal.z < FLOOR_NORMAL)
    }

    fn normal_below(&mut self) -> Option<Vec3> {
        let down = self.trace(self.feet, self.feet - Vec3::Z * GROUND_REACH, MASK);
        down.hit.map(|hit| hit.normal)
    }

    /// Comes out of what it is inside of to the nearest free place, if there is one near.
    pub fn come_free(&mut self) {
        if !self.is_stuck_at(self.feet) {
            return;
        }
        for reach in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0] {
            for direction in AROUND {
                let there = self.feet + direction * reach;
                if !self.is_stuck_at(there) {
                    self.feet = there;
                    return;
                }
            }
        }
    }
}

/// Where to look for room, the likeliest first.
const AROUND: [Vec3; 10] = [
    Vec3::Z,
    Vec3::X,
    Vec3::NEG_X,
    Vec3::Y,
    Vec3::NEG_Y,
    Vec3::NEG_Z,
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(-1.0, 1.0, 0.0),
    Vec3::new(-1.0, -1.0, 0.0),
    Vec3::new(1.0, -1.0, 0.0),
];

/// What planes around one place leave of a velocity: along one of them, along the edge of two, or nothing.
fn along(before: Vec3, now: Vec3, planes: &[Vec3]) -> Vec3 {
    let against_none_but = |kept: usize, velocity: Vec3| {
        let mut others = planes.iter().enumerate().filter(|(i, _)| *i != kept);
        others.all(|(_, plane)| velocity.dot(*plane) >= 0.0)
    };
    let along_one = planes.iter().enumerate().find_map(|(i, plane)| {
        let velocity = clipped(before, *plane);
        against_none_but(i, velocity).then_some(velocity)
    });
    match (along_one, planes) {
        (Some(velocity), _) => velocity,
        (None, [a, b]) => {
            let edge = a.cross(*b).normalize_or_zero();
            edge * edge.dot(now)
        }
        _ => Vec3::ZERO,
    }
}

/// A velocity without its part into a plane.
fn clipped(velocity: Vec3, normal: Vec3) -> Vec3 {
    let along = velocity - normal * velocity.dot(normal);
    // Rounding may have left some of it.
    along - normal * along.dot(normal).min(0.0)
}
