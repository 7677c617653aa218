//! Ray against triangle without leaks (Woop, Benthin, Wald: Watertight Ray/Triangle Intersection, JCGT 2013).
//!
//! The ray becomes the third axis of a sheared frame; a face is hit when the origin lies in its outline there.
//! Two faces that share an edge see the same two sheared points, and `a * d - b * c` with its operands swapped is
//! exactly its negative. Rounding is monotone, so such a difference may become zero but never takes the wrong
//! sign, and zero counts as inside: a ray through an edge or a vertex meets at least one of the faces around it.

use crate::Ray;

/// A ray made ready for many triangles.
pub(crate) struct ShearedRay {
    pub origin: [f64; 3],
    pub direction: [f64; 3],
    /// Axes of the sheared frame; `k[2]` is the one along which the ray moves most.
    k: [usize; 3],
    shear: [f64; 2],
    t_per_unit: f64,
}

/// Where a ray crosses the plane of a triangle, inside it.
pub(crate) struct Crossing {
    pub t: f64,
    /// Weights of the three vertices, sum 1.
    pub weights: [f64; 3],
    /// The ray comes from the side that sees the vertices counter-clockwise.
    pub front: bool,
}

impl ShearedRay {
    /// `None` for a non-finite ray or a zero direction.
    pub fn new(ray: &Ray) -> Option<Self> {
        if !(ray.origin.is_finite() && ray.direction.is_finite()) {
            return None;
        }
        Self::from_f64(
            ray.origin.to_array().map(f64::from),
            ray.direction.to_array().map(f64::from),
        )
    }

    /// From `a` at t = 0 to `b` at t = 1. The difference is taken in f64, so that the end is `b`.
    pub fn between(a: glam::Vec3, b: glam::Vec3) -> Option<Self> {
        if !(a.is_finite() && b.is_finite()) {
            return None;
        }
        let (a, b) = (a.to_array().map(f64::from), b.to_array().map(f64::from));
        Self::from_f64(a, [b[0] - a[0], b[1] - a[1], b[2] - a[2]])
    }

    fn from_f64(origin: [f64; 3], direction: [f64; 3]) -> Option<Self> {
        let size = direction.map(f64::abs);
        let major = if size[2] >= size[0] && size[2] >= size[1] {
            2
        } else {
            usize::from(size[1] > size[0])
        };
        if size[major] == 0.0 {
            return None;
        }
        let mut k = [(major + 1) % 3, (major + 2) % 3, major];
        if direction[major] < 0.0 {
            k.swap(0, 1); // keeps the winding as the ray sees it
        }
        let shear = [
            direction[k[0]] / direction[major],
            direction[k[1]] / direction[major],
        ];
        Some(Self {
            origin,
            direction,
            k,
            shear,
            t_per_unit: 1.0 / direction[major],
        })
    }

    #[inline]
    pub fn cross(&self, triangle: &[[f32; 3]; 3]) -> Option<Crossing> {
        let [a, b, c] = triangle.map(|v| self.sheared(v));
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        if has_both_signs([u, v, w]) {
            return None;
        }
        let determinant = u + v + w;
        if determinant == 0.0 {
            return None; // seen edge on
        }
        let weights = [u / determinant, v / determinant, w / determinant];
        let t = (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]) * self.t_per_unit;
        Some(Crossing {
            t,
            weights,
            front: determinant > 0.0,
        })
    }

    #[inline]
    fn sheared(&self, vertex: [f32; 3]) -> [f64; 3] {
        let along = |k: usize| f64::from(vertex[k]) - self.origin[k];
        let depth = along(self.k[2]);
        [
            along(self.k[0]) - self.shear[0] * depth,
            along(self.k[1]) - self.shear[1] * depth,
            depth,
        ]
    }
}

/// Do edge functions disagree, so that the point is outside? Zeros agree with either side: edges are inside, and
/// both windings count.
#[inline]
pub(crate) fn has_both_signs([u, v, w]: [f64; 3]) -> bool {
    // No short cuts: the outcome is hard to predict, and a mispredicted branch costs more than all six compares.
    ((u < 0.0) | (v < 0.0) | (w < 0.0)) & ((u > 0.0) | (v > 0.0) | (w > 0.0))
}
