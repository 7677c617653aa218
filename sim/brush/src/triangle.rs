//! A motion against one triangle that is solid from its front (section 7.6).

use super::motion::{EPS, Inside, Meeting, Motion};
use glam::{DVec3, Vec3};
use ironlands_sim_core::ray_triangle::ShearedRay;

/// Smallest sine of the angle between an edge and an axis for which both make a plane.
const LEAST_SINE: f64 = 1e-6;

/// What a triangle does to a motion.
pub(super) struct Intersection {
    pub meeting: Meeting,
    /// Of the plane that is hit.
    pub normal: DVec3,
    pub dist: f64,
}

impl Intersection {
    const NOTHING: Self = Self {
        meeting: Meeting::Miss,
        normal: DVec3::ZERO,
        dist: 0.0,
    };
}

/// A ray made ready for many triangles.
pub(super) struct RayAtTriangles(ShearedRay);

impl RayAtTriangles {
    /// `None` if it does not move.
    pub fn new(motion: &Motion) -> Option<Self> {
        ShearedRay::from_f64(motion.start.to_array(), motion.delta.to_array()).map(Self)
    }

    /// Stops in front of the plane of a triangle that the ray goes through from its front.
    #[inline]
    pub fn intersect(&self, motion: &Motion, corners: &[[f32; 3]; 3]) -> Intersection {
        let Some(crossing) = self.0.cross(corners) else {
            return Intersection::NOTHING;
        };
        if !crossing.front || !(0.0..=1.0).contains(&crossing.t) {
            return Intersection::NOTHING;
        }
        let [a, b, c] = corners.map(|corner| Vec3::from_array(corner).as_dvec3());
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return Intersection::NOTHING;
        };
        let speed = -normal.dot(motion.delta);
        // Edge on, the gap cannot be measured along the ray.
        let gap = if speed > 0.0 { EPS / speed } else { 0.0 };
        Intersection {
            meeting: Meeting::Enter((crossing.t - gap).max(0.0)),
            normal,
            dist: normal.dot(a),
        }
    }
}

/// A moving box against a triangle, by all axes that can separate them: that of the triangle, those of the box, and
/// those across an edge of each. The triangle is a body as thin as a plane; a motion along its normal passes it.
#[inline]
pub(super) fn intersect_triangle(motion: &Motion, corners: &[[f32; 3]; 3]) -> Intersection {
    let corners = corners.map(|corner| Vec3::from_array(corner).as_dvec3());
    let [a, b, c] = corners;
    let mut cast = SeparatingAxes {
        motion,
        corners: &corners,
        inside: Inside::START,
        normal: DVec3::ZERO,
        dist: 0.0,
    };
    // First what leaves out most and needs no root.
    if !DVec3::AXES.into_iter().all(|axis| cast.is_met_along(axis)) {
        return Intersection::NOTHING;
    }
    let Some(normal) = (b - a).cross(c - a).try_normalize() else {
        return Intersection::NOTHING;
    };
    if normal.dot(motion.delta) > 0.0 {
        return Intersection::NOTHING;
    }
    let is_met = cast.is_met_along(normal)
        && [b - a, c - b, a - c].into_iter().all(|edge| {
            let length = edge.length();
            DVec3::AXES.into_iter().all(|axis| {
                let across = edge.cross(axis);
                let sine = across.length();
                sine <= LEAST_SINE * length || cast.is_met_along(across / sine)
            })
        });
    Intersection {
        meeting: if is_met {
            cast.inside.meeting()
        } else {
            Meeting::Miss
        },
        normal: cast.normal,
        dist: cast.dist,
    }
}

/// A test in progress.
struct SeparatingAxes<'a> {
    motion: &'a Motion,
    corners: &'a [DVec3; 3],
    inside: Inside<1>,
    /// Of the plane that was entered last.
    normal: DVec3,
    dist: f64,
}

impl SeparatingAxes<'_> {
    /// Takes in the two planes across an axis; false if the motion is all in front of one.
    #[inline(always)]
    fn is_met_along(&mut self, axis: DVec3) -> bool {
        let [a, b, c] = self.corners.map(|corner| axis.dot(corner));
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let reach = axis.abs().dot(self.motion.half);
        let (start, end) = (axis.dot(self.motion.start), axis.dot(self.motion.end));
        for (sign, dist) in [(1.0, high), (-1.0, -low)] {
            let plane = dist + reach;
            let (d1, d2) = (sign * start - plane, sign * end - plane);
            let before = self.inside.enter();
            self.inside.cut(&[d1], &[d2]);
            if self.inside.is_missed() {
                return false;
            }
            if self.inside.enter() > before {
                self.normal = sign * axis;
                self.dist = dist;
            }
        }
        true
    }
}
