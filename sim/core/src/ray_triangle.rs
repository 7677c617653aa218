//! Ray against triangle without leaks (Woop, Benthin, Wald: Watertight Ray/Triangle Intersection, JCGT 2013).
//!
//! The ray becomes the third axis of a sheared frame; a face is hit when the origin lies in its outline there.
//! Two faces that share an edge see the same two sheared points, and `a * d - b * c` with its operands swapped is
//! exactly its negative. Rounding is monotone, so such a difference may become zero but never takes the wrong
//! sign, and zero counts as inside: a ray through an edge or a vertex meets at least one of the faces around it.
//!
//! A face that the ray sees edge on, or so nearly that the edge functions are mostly rounding, still belongs to such
//! a surface; where the ray hits it then follows from its edges.

use crate::Ray;

/// A ray made ready for many triangles.
pub struct ShearedRay {
    /// Where the ray begins.
    pub origin: [f64; 3],
    /// Axes of the sheared frame; `k[2]` is the one along which the ray moves most.
    pub k: [u8; 3],
    shear: [f64; 2],
    t_per_unit: f64,
    /// The origin is f32 to begin with.
    pub origin_f32: [f32; 3],
    /// The shear of the two lesser axes along the third, rounded.
    pub shear_f32: [f32; 2],
    /// The direction, as long as makes its largest component 1 or -1.
    pub direction_f32: [f32; 3],
    /// The largest component of the direction, without its sign; infinite where f32 cannot hold it.
    pub speed_f32: f32,
}

/// Where a ray crosses the plane of a triangle, inside it.
pub struct Crossing {
    /// How far along the ray, in multiples of its direction.
    pub t: f64,
    /// Weights of the three vertices, sum 1.
    pub weights: [f64; 3],
    /// The ray comes from the side that sees the vertices counter-clockwise.
    pub front: bool,
}

/// Axes of the sheared frame, by whether the ray goes down the axis on which it moves most, and that axis. The order
/// of the first two keeps the winding as the ray sees it.
const FRAMES: [[[u8; 3]; 3]; 2] = [
    [[1, 2, 0], [2, 0, 1], [0, 1, 2]],
    [[2, 1, 0], [0, 2, 1], [1, 0, 2]],
];

impl ShearedRay {
    /// No ray.
    pub const UNUSED: Self = Self {
        origin: [0.0; 3],
        k: [0, 1, 2],
        shear: [0.0; 2],
        t_per_unit: 0.0,
        origin_f32: [0.0; 3],
        shear_f32: [0.0; 2],
        direction_f32: [0.0; 3],
        speed_f32: 0.0,
    };

    /// `None` for a non-finite ray or a zero direction.
    #[inline(always)]
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
    #[inline(always)]
    pub fn between(a: glam::Vec3, b: glam::Vec3) -> Option<Self> {
        if !(a.is_finite() && b.is_finite()) {
            return None;
        }
        let (a, b) = (a.to_array().map(f64::from), b.to_array().map(f64::from));
        Self::from_f64(a, [b[0] - a[0], b[1] - a[1], b[2] - a[2]])
    }

    /// A ray; `None` if its direction has no length.
    #[inline(always)]
    pub fn from_f64(origin: [f64; 3], direction: [f64; 3]) -> Option<Self> {
        let [x, y, z] = direction.map(f64::abs);
        let is_z = (z >= x) & (z >= y);
        let is_y = !is_z & (y > x);
        let major = usize::from(is_y) + 2 * usize::from(is_z);
        if direction[major] == 0.0 {
            return None;
        }
        // Looked up rather than swapped: which axis it is cannot be foreseen.
        let k = FRAMES[usize::from(direction[major] < 0.0)][major];
        let t_per_unit = 1.0 / direction[major];
        let shear = [0, 1].map(|axis| direction[usize::from(k[axis])] * t_per_unit);
        Some(Self {
            origin,
            k,
            shear,
            t_per_unit,
            origin_f32: origin.map(|v| v as f32),
            shear_f32: shear.map(|v| v as f32),
            direction_f32: direction.map(|v| (v * t_per_unit.abs()) as f32),
            speed_f32: direction[major].abs() as f32,
        })
    }

    /// Where the ray hits a triangle, from either side.
    #[inline(always)]
    pub fn cross(&self, triangle: &[[f32; 3]; 3]) -> Option<Crossing> {
        let along = |axis: usize| triangle.map(|position| position[self.axis(axis)]);
        self.cross_along([along(0), along(1), along(2)])
    }

    /// [`cross`](Self::cross), of a triangle by axis of the sheared frame, then by corner.
    #[inline(always)]
    pub(crate) fn cross_along(&self, corners: [[f32; 3]; 3]) -> Option<Crossing> {
        let mut one = RayFaces::<1>::new();
        one.set(0, self, corners);
        one.crossings().get(0)
    }

    /// Which axis is one of the sheared frame.
    #[inline(always)]
    pub fn axis(&self, of_frame: usize) -> usize {
        usize::from(self.k[of_frame]).min(2)
    }
}

/// Rays, each with a triangle, in the layout that vector instructions want.
pub(crate) struct RayFaces<const N: usize> {
    /// By corner, then by axis of the sheared frame.
    corners: [[[f32; N]; 3]; 3],
    origins: [[f64; N]; 3],
    shears: [[f64; N]; 2],
    t_per_unit: [f64; N],
}

/// What is true of each pair.
pub(crate) struct Crossings<'a, const N: usize> {
    pairs: &'a RayFaces<N>,
    is_crossed: [bool; N],
    is_front: [bool; N],
    /// The weights are mostly rounding: the point that they name is not on the ray.
    is_edge_on: [bool; N],
    t: [f64; N],
    weights: [[f64; N]; 3],
}

/// A point that weights put farther from the ray than this, as part of all coordinates in play, is not on it. The
/// boxes around faces are widened by more (`triangles::slabs`), so that no result depends on which are visited.
const MAX_DEVIATION: f64 = 1.0 / (1_u64 << 28) as f64;

impl<const N: usize> RayFaces<N> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            corners: [[[0.0; N]; 3]; 3],
            origins: [[0.0; N]; 3],
            shears: [[0.0; N]; 2],
            t_per_unit: [0.0; N],
        }
    }

    /// A triangle by axis of the sheared frame, then by corner.
    #[inline(always)]
    pub fn set(&mut self, i: usize, ray: &ShearedRay, triangle: [[f32; 3]; 3]) {
        for (axis, along) in triangle.into_iter().enumerate() {
            self.origins[axis][i] = ray.origin[ray.axis(axis)];
            for (corner, coordinate) in self.corners.iter_mut().zip(along) {
                corner[axis][i] = coordinate;
            }
        }
        self.shears[0][i] = ray.shear[0];
        self.shears[1][i] = ray.shear[1];
        self.t_per_unit[i] = ray.t_per_unit;
    }

    /// Corners of a face in the sheared frame of its ray.
    #[inline(always)]
    fn sheared(&self, i: usize) -> [[f64; 3]; 3] {
        let corner = |corner: usize| {
            let along =
                |axis: usize| f64::from(self.corners[corner][axis][i]) - self.origins[axis][i];
            let depth = along(2);
            [
                along(0) - self.shears[0][i] * depth,
                along(1) - self.shears[1][i] * depth,
                depth,
            ]
        };
        [corner(0), corner(1), corner(2)]
    }

    #[inline(always)]
    pub fn crossings(&self) -> Crossings<'_, N> {
        let mut crossings = Crossings {
            pairs: self,
            is_crossed: [false; N],
            is_front: [false; N],
            is_edge_on: [false; N],
            t: [0.0; N],
            weights: [[0.0; N]; 3],
        };
        for i in 0..N {
            let [a, b, c] = self.sheared(i);
            let u = c[0] * b[1] - c[1] * b[0];
            let v = a[0] * c[1] - a[1] * c[0];
            let w = b[0] * a[1] - b[1] * a[0];
            let determinant = u + v + w;
            // Without determinant the face is seen edge on.
            crossings.is_crossed[i] = !has_both_signs([u, v, w]) & (determinant != 0.0);
            crossings.is_front[i] = determinant > 0.0;
            let (u, v, w) = (u / determinant, v / determinant, w / determinant);
            crossings.t[i] = (u * a[2] + v * b[2] + w * c[2]) * self.t_per_unit[i];
            crossings.weights[0][i] = u;
            crossings.weights[1][i] = v;
            crossings.weights[2][i] = w;
            let deviation = |axis: usize| (u * a[axis] + v * b[axis] + w * c[axis]).abs();
            let size = |v: [f64; 3]| v[0].abs() + v[1].abs() + v[2].abs();
            crossings.is_edge_on[i] =
                deviation(0) + deviation(1) > MAX_DEVIATION * (size(a) + size(b) + size(c));
        }
        crossings
    }
}

impl<const N: usize> Crossings<'_, N> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<Crossing> {
        if !self.is_crossed[i] {
            return None;
        }
        if self.is_edge_on[i] {
            return self.edge_on(i);
        }
        Some(Crossing {
            t: self.t[i],
            weights: [self.weights[0][i], self.weights[1][i], self.weights[2][i]],
            front: self.is_front[i],
        })
    }

    /// A face seen edge on is a line across the ray: the ray reaches it over one of its edges, the first that lies
    /// before the origin.
    #[cold]
    fn edge_on(&self, i: usize) -> Option<Crossing> {
        let corners = self.pairs.sheared(i);
        let along = |axis: usize| corners.map(|corner| corner[axis]);
        let extent = |[a, b, c]: [f64; 3]| a.max(b).max(c) - a.min(b).min(c);
        let (x, y, depths) = (along(0), along(1), along(2));
        let across = if extent(x) > extent(y) { x } else { y };
        let mut first: Option<Crossing> = None;
        for start in 0..3 {
            let end = (start + 1) % 3;
            let is_met = (across[start] <= 0.0) != (across[end] <= 0.0);
            if !is_met {
                continue;
            }
            let part = across[start] / (across[start] - across[end]);
            let mut weights = [0.0; 3];
            weights[start] = 1.0 - part;
            weights[end] = part;
            let depth = weights[start] * depths[start] + part * depths[end];
            let t = depth * self.pairs.t_per_unit[i];
            let order = |t: f64| (t < 0.0, t);
            if first.as_ref().is_none_or(|other| order(t) < order(other.t)) {
                let front = self.is_front[i];
                first = Some(Crossing { t, weights, front });
            }
        }
        first
    }
}

/// Do edge functions disagree, so that the point is outside? Zeros agree with either side: edges are inside, and
/// both windings count.
#[inline]
pub(crate) fn has_both_signs([u, v, w]: [f64; 3]) -> bool {
    // No short cuts: the outcome is hard to predict, and a mispredicted branch costs more than all six compares.
    ((u < 0.0) | (v < 0.0) | (w < 0.0)) & ((u > 0.0) | (v > 0.0) | (w > 0.0))
}
