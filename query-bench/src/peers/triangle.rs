//! A triangle in f32 for the libraries that leave its arithmetic to their user.

use glam::{Vec3, Vec3A};

/// Three corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle(pub [Vec3A; 3]);

impl Triangle {
    pub fn new(corners: [Vec3; 3]) -> Self {
        Self(corners.map(Vec3A::from))
    }

    /// Where a ray crosses it from either side, `0.0..=t_max` (Möller and Trumbore 1997).
    #[inline]
    pub fn t_of(&self, origin: Vec3A, direction: Vec3A, t_max: f32) -> Option<f32> {
        let [a, b, c] = self.0;
        let (e1, e2, s) = (b - a, c - a, origin - a);
        let p = direction.cross(e2);
        let inverse = e1.dot(p).recip();
        let u = s.dot(p) * inverse;
        let q = s.cross(e1);
        let v = direction.dot(q) * inverse;
        let t = e2.dot(q) * inverse;
        let is_hit = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 && t <= t_max;
        is_hit.then_some(t)
    }

    /// Squared distance of a point: by the region of the plane that it is over (Ericson 2005, section 5.1.5).
    #[inline]
    pub fn distance_squared(&self, point: Vec3A) -> f32 {
        let [a, b, c] = self.0;
        let (ab, ac, ap) = (b - a, c - a, point - a);
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return ap.length_squared();
        }
        let bp = point - b;
        let (d3, d4) = (ab.dot(bp), ac.dot(bp));
        if d3 >= 0.0 && d4 <= d3 {
            return bp.length_squared();
        }
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (ap - ab * (d1 / (d1 - d3))).length_squared();
        }
        let cp = point - c;
        let (d5, d6) = (ab.dot(cp), ac.dot(cp));
        if d6 >= 0.0 && d5 <= d6 {
            return cp.length_squared();
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (ap - ac * (d2 / (d2 - d6))).length_squared();
        }
        let va = d3 * d6 - d5 * d4;
        if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            return (bp - (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))).length_squared();
        }
        let inverse = (va + vb + vc).recip();
        (ap - ab * (vb * inverse) - ac * (vc * inverse)).length_squared()
    }
}
