//! Point against triangle: the nearest point of the face, in f64.
//!
//! Everything is relative to the query point, so large coordinates cost no digits. The three edges are
//! always measured and the inside only competes with them: a sliver whose normal is mostly rounding still gets
//! a result that is one of its points, and a face without area is its edges, down to a single vertex. Two faces
//! that share a vertex or an edge measure it from the same end with the same numbers, so they tie to the bit.
//!
//! Products of up to four coordinates are the largest made: no f32 overflows or vanishes in them.

use super::blocks::normal_of_f64;
use glam::DVec3;

/// Below this the normal of a face has lost six digits of its sixteen, and is not relied on.
const LEAST_SINE_SQUARED: f64 = 1e-12;

/// The point of a face that is nearest to a given one.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearestPoint {
    /// Weights of the three vertices, none below zero, sum 1.
    pub weights: [f64; 3],
    /// The point itself, relative to the query point.
    pub offset: DVec3,
}

impl NearestPoint {
    /// The nearest to the origin. No branches, as [`Inside::new`].
    #[inline(always)]
    pub fn from_corners(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let on_edges = [
            OnSegment::nearest(a, b),
            OnSegment::nearest(b, c),
            OnSegment::nearest(c, a),
        ];
        let [e0, e1, e2] = on_edges;
        let (d0, d1, d2) = (e0.square(), e1.square(), e2.square());
        let (is_1, d) = (d1 < d0, if d1 < d0 { d1 } else { d0 });
        let (is_2, d) = (d2 < d, if d2 < d { d2 } else { d });
        let inside = Inside::new(corners);
        let is_inside = inside.is_inside & (inside.distance_squared < d);
        let choose = |by_edge: [f64; 3], inside: f64| {
            let edge = if is_1 { by_edge[1] } else { by_edge[0] };
            let edge = if is_2 { by_edge[2] } else { edge };
            if is_inside { inside } else { edge }
        };
        let along = on_edges.map(|on| on.along);
        let rest = along.map(|along| 1.0 - along);
        let offset = |axis: usize| choose(on_edges.map(|on| on.offset[axis]), inside.offset[axis]);
        Self {
            weights: [
                choose([rest[0], 0.0, along[2]], inside.weights[0]),
                choose([along[0], rest[1], 0.0], inside.weights[1]),
                choose([0.0, along[1], rest[2]], inside.weights[2]),
            ],
            offset: DVec3::new(offset(0), offset(1), offset(2)),
        }
    }
}

/// Faces, in the layout that vector instructions want.
pub(super) struct Faces<const N: usize> {
    /// By corner, then by axis.
    corners: [[[f32; N]; 3]; 3],
}

impl<const N: usize> Faces<N> {
    #[inline(always)]
    pub const fn new() -> Self {
        Self {
            corners: [[[0.0; N]; 3]; 3],
        }
    }

    /// Faces from the one with number `begin` on; corners by axis, then by corner.
    #[inline(always)]
    pub fn from_list<const M: usize>(corners: &[[[f32; M]; 3]; 3], begin: usize) -> Self {
        let mut faces = Self::new();
        for (axis, corners) in corners.iter().enumerate() {
            for (of_face, all) in faces.corners.iter_mut().zip(corners) {
                of_face[axis].copy_from_slice(&all[begin..begin + N]);
            }
        }
        faces
    }

    #[inline(always)]
    pub fn set(&mut self, i: usize, vertices: &[[f32; 3]; 3]) {
        for (corner, position) in self.corners.iter_mut().zip(vertices) {
            for (axis, coordinate) in corner.iter_mut().zip(position) {
                axis[i] = *coordinate;
            }
        }
    }

    /// What [`NearestPoint::from_corners`] says of the square of each face's distance, to the bit. Points by axis, from
    /// the one with number `begin` on.
    #[inline(always)]
    pub fn distances_squared<const M: usize>(
        &self,
        points: &[[f32; M]; 3],
        begin: usize,
    ) -> [f64; N] {
        let [x, y, z] = points.each_ref().map(|along| &along[begin..begin + N]);
        let mut squares = [0.0; N];
        for (i, square) in squares.iter_mut().enumerate() {
            let corner = |corner: usize| {
                let along = |axis: usize| f64::from(self.corners[corner][axis][i]);
                let point = DVec3::new(f64::from(x[i]), f64::from(y[i]), f64::from(z[i]));
                DVec3::new(along(0), along(1), along(2)) - point
            };
            let (a, b, c) = (corner(0), corner(1), corner(2));
            let d0 = OnSegment::nearest(a, b).offset.length_squared();
            let d1 = OnSegment::nearest(b, c).offset.length_squared();
            let d2 = OnSegment::nearest(c, a).offset.length_squared();
            let d = if d1 < d0 { d1 } else { d0 };
            let d = if d2 < d { d2 } else { d };
            let inside = Inside::new([a, b, c]);
            let is_nearer = inside.is_inside & (inside.distance_squared < d);
            *square = if is_nearer {
                inside.distance_squared
            } else {
                d
            };
        }
        squares
    }

    /// The points of the faces that are nearest to a point each.
    #[allow(
        clippy::needless_range_loop,
        reason = "several lists are traversed in parallel, by index"
    )]
    #[inline(always)]
    pub fn nearest_points(&self, points: &[[f32; N]; 3]) -> NearestPoints<N> {
        let mut nearest = NearestPoints {
            weights: [[0.0; N]; 3],
            positions: [[0.0; N]; 3],
            normals: [[0.0; N]; 3],
        };
        for i in 0..N {
            let point = DVec3::from_array([0, 1, 2].map(|axis| f64::from(points[axis][i])));
            let [a, b, c] = [0, 1, 2].map(|corner: usize| {
                DVec3::from_array(
                    [0, 1, 2].map(|axis: usize| f64::from(self.corners[corner][axis][i])),
                )
            });
            let weights = NearestPoint::from_corners([a - point, b - point, c - point]).weights;
            // From the vertices, not from the query point: the position stays on the face however far that is.
            let position = weights[0] * a + weights[1] * b + weights[2] * c;
            let normal = normal_of_f64(a.to_array(), b.to_array(), c.to_array());
            for axis in 0..3 {
                nearest.weights[axis][i] = weights[axis] as f32;
                nearest.positions[axis][i] = position[axis] as f32;
                nearest.normals[axis][i] = normal[axis] as f32;
            }
        }
        nearest
    }
}

/// Points of faces, each the nearest to some other point.
pub(super) struct NearestPoints<const N: usize> {
    /// By corner.
    pub weights: [[f32; N]; 3],
    /// By axis.
    pub positions: [[f32; N]; 3],
    /// Of the faces, by axis.
    pub normals: [[f32; N]; 3],
}

/// The foot of the perpendicular, and whether it lies inside the triangle. No branches: all of it is computed for
/// many faces at once.
struct Inside {
    is_inside: bool,
    distance_squared: f64,
    weights: [f64; 3],
    offset: DVec3,
}

impl Inside {
    #[inline(always)]
    fn new([a, b, c]: [DVec3; 3]) -> Self {
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let normal = ab.cross(bc);
        // Corner times edge rather than corner times corner: exact enough for a tiny face far away.
        let opposite = [
            normal.dot(b.cross(bc)),
            normal.dot(c.cross(ca)),
            normal.dot(a.cross(ab)),
        ];
        let per_weight = 1.0 / (opposite[0] + opposite[1] + opposite[2]);
        let weights = opposite.map(|w| w * per_weight);
        // Along the normal where that is worth its digits: nothing sideways, and zero for a point of the plane.
        let squared = normal.length_squared();
        let is_sliver = squared < LEAST_SINE_SQUARED * ab.length_squared() * bc.length_squared();
        let by_weights = weights[0] * a + weights[1] * b + weights[2] * c;
        let by_normal = a.dot(normal) / squared * normal;
        let choose = |slivers: f64, others: f64| if is_sliver { slivers } else { others };
        let offset = DVec3::new(
            choose(by_weights.x, by_normal.x),
            choose(by_weights.y, by_normal.y),
            choose(by_weights.z, by_normal.z),
        );
        Self {
            is_inside: (opposite[0] > 0.0) & (opposite[1] > 0.0) & (opposite[2] > 0.0),
            distance_squared: offset.length_squared(),
            weights,
            offset,
        }
    }
}

/// The point of a segment that is nearest to the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnSegment {
    /// 0 at the segment's start, 1 at its end.
    pub along: f64,
    /// The point itself.
    pub offset: DVec3,
}

impl OnSegment {
    #[inline(always)]
    fn square(&self) -> f64 {
        self.offset.length_squared()
    }

    /// Measured from the nearer end, whatever the direction of the segment. A segment of no length is a point.
    #[inline(always)]
    pub fn nearest(a: DVec3, b: DVec3) -> Self {
        let is_swapped = b.length_squared() < a.length_squared();
        let choose = |swapped: f64, other: f64| if is_swapped { swapped } else { other };
        let near = DVec3::new(choose(b.x, a.x), choose(b.y, a.y), choose(b.z, a.z));
        let far = DVec3::new(choose(a.x, b.x), choose(a.y, b.y), choose(a.z, b.z));
        let edge = far - near;
        // 0 / 0 for a segment of no length is no number, and not above zero. From the nearer end the foot is at most
        // half way, so there is no upper limit to keep.
        let along = -near.dot(edge) / edge.length_squared();
        let along = if along > 0.0 { along } else { 0.0 };
        Self {
            along: if is_swapped { 1.0 - along } else { along },
            offset: near + along * edge,
        }
    }
}
