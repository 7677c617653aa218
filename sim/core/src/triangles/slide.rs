//! Walking: a sphere or capsule moves, stops short of what it hits, and slides along it.

use super::moving_capsule::MovingCapsule;
use super::{ShapeHit, TriangleIndex};
use crate::MaskFilter;
use glam::{DVec3, Vec3};

/// Most straight legs of one motion: one, then along a face, along an edge between two, and one to spare.
const MAX_LEGS: usize = 4;
/// The gap that is kept to what was hit, in parts of the radius: far more than f32 rounds a position by.
const SKIN: f64 = 0.01;
/// What goes along a face is turned away from it by this, so that rounding does not lead back to it, nor to a face
/// beside it in the same plane.
const LIFT: f64 = 1e-6;

/// Where a motion along faces has led.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// Center of the sphere, or the capsule's end `a`, at the end; world units.
    pub position: Vec3,
    /// What was hit first, as [`TriangleIndex::cast_capsule`] says it.
    pub first_hit: Option<ShapeHit>,
}

impl TriangleIndex {
    /// Moves a sphere as far as faces let it: it stops a hundredth of its radius short of a face, and what is left
    /// of the motion continues along that face, then along the edge of two, in at most four straight legs. A whole
    /// motion along a wall is made; head on into it, none.
    ///
    /// Engine axes, world units; either side of a face holds. The center goes through no face, and no leg ends nearer
    /// to one than it began or than the radius. A shape that has sunk into faces is lifted out of them first, moving or
    /// not, as far as others let it; a center that lies on a face itself moves to its front. All of that but for the
    /// rounding of positions to f32, so the radius must be large compared with that. A non-finite number or a negative
    /// radius moves nothing. Costs one [`cast_sphere`](Self::cast_sphere) more than it makes legs.
    pub fn slide_sphere(
        &self,
        center: Vec3,
        radius: f32,
        motion: Vec3,
        filter: MaskFilter,
    ) -> Slide {
        self.slide_capsule(center, center, radius, motion, filter)
    }

    /// [`slide_sphere`](Self::slide_sphere) for a capsule: all points at most `radius` from the segment `a` to `b`,
    /// which keeps its direction. The end `b` moves to `b + (position - a)`.
    pub fn slide_capsule(
        &self,
        a: Vec3,
        b: Vec3,
        radius: f32,
        motion: Vec3,
        filter: MaskFilter,
    ) -> Slide {
        let Some(sweep) = MovingCapsule::from_capsule([a, b], radius, motion) else {
            return Slide {
                position: a,
                first_hit: None,
            };
        };
        let mut sweep = self.lifted_out(sweep, filter);
        let mut walls = Walls::default();
        let mut first_hit = None;
        for _ in 0..MAX_LEGS {
            if sweep.motion == DVec3::ZERO {
                break;
            }
            let leg = self.leg(&sweep, filter);
            sweep = sweep.moved(leg.free * sweep.motion);
            let Some(stop) = leg.stop else {
                break;
            };
            first_hit.get_or_insert(stop.hit);
            if leg.free * sweep.motion.length() > 2.0 * SKIN * sweep.radius {
                walls.forget();
            }
            walls.add(stop.normal);
            sweep = sweep.heading(walls.along((1.0 - leg.free) * sweep.motion));
        }
        Slide {
            position: sweep.start.as_vec3(),
            first_hit,
        }
    }

    /// The same outside of the faces into which it has sunk, as far as others let it out.
    fn lifted_out(&self, mut sweep: MovingCapsule, filter: MaskFilter) -> MovingCapsule {
        for _ in 0..MAX_LEGS {
            let still = sweep.heading(DVec3::ZERO);
            let Some(deepest) = self.first_touch(&still, filter) else {
                break;
            };
            let depth = sweep.radius - deepest.touch.distance;
            if depth <= 0.0 {
                break;
            }
            let normal = still.contact(&deepest.touch, &deepest.face.vertices).normal;
            let out = sweep.heading((depth + SKIN * sweep.radius) * normal);
            sweep = sweep.moved(self.leg(&out, filter).free * out.motion);
        }
        sweep
    }

    /// How far a motion leads straight on.
    fn leg(&self, sweep: &MovingCapsule, filter: MaskFilter) -> Leg {
        let Some(first) = self.first_touch(sweep, filter) else {
            return Leg {
                free: 1.0,
                stop: None,
            };
        };
        let normal = sweep.contact(&first.touch, &first.face.vertices).normal;
        let speed = -normal.dot(sweep.motion);
        let back = SKIN * sweep.radius / speed;
        // Along the face the gap cannot be restored: the rest continues along it from here.
        let free = if speed > 0.0 {
            (first.touch.t - back).max(0.0)
        } else {
            0.0
        };
        Leg {
            free,
            stop: Some(Stop {
                hit: ShapeHit::new(self, sweep, &first),
                normal,
            }),
        }
    }
}

/// A straight part of a motion.
struct Leg {
    /// Part of it that is made.
    free: f64,
    /// What ends it.
    stop: Option<Stop>,
}

struct Stop {
    hit: ShapeHit,
    /// That of the hit, unrounded.
    normal: DVec3,
}

impl MovingCapsule {
    /// The same shape and motion from somewhere else.
    fn moved(&self, by: DVec3) -> Self {
        Self::new(self.start + by, self.axis, self.radius, self.motion)
    }

    /// The same shape with another motion.
    fn heading(&self, motion: DVec3) -> Self {
        Self::new(self.start, self.axis, self.radius, motion)
    }
}

/// Normals of the faces around the place where the shape was stopped.
#[derive(Default)]
struct Walls {
    normals: [DVec3; MAX_LEGS],
    n: usize,
}

impl Walls {
    fn forget(&mut self) {
        self.n = 0;
    }

    /// There is room: one a leg.
    fn add(&mut self, normal: DVec3) {
        self.normals[self.n] = normal;
        self.n += 1;
    }

    /// What is left of a motion between the walls: the longest of it, of its part along a wall, and of its part
    /// along the edge of two, that leads into none.
    fn along(&self, motion: DVec3) -> DVec3 {
        let normals = &self.normals[..self.n];
        let along_wall = normals.iter().map(|n| motion - *n * motion.dot(*n));
        let pairs = normals.iter().enumerate();
        let pairs = pairs.flat_map(|(i, a)| normals[..i].iter().map(|b| a.cross(*b)));
        let along_edge = pairs.map(|edge| motion.project_onto_normalized(edge.normalize_or_zero()));
        let leads_into = |way: DVec3, n: &DVec3| way.dot(*n) < -1e-9 * motion.length();
        let longest = std::iter::once(motion)
            .chain(along_wall)
            .chain(along_edge)
            .filter(|way| !normals.iter().any(|n| leads_into(*way, n)))
            .fold(DVec3::ZERO, |best, way| {
                if way.length_squared() > best.length_squared() {
                    way
                } else {
                    best
                }
            });
        longest + LIFT * longest.length() * normals.iter().sum::<DVec3>()
    }
}
