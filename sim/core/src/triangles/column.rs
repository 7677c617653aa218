//! Faces over points of the ground plane: the tests that decide on heights, in f64. The same steps twice, for the same
//! bits: of several faces at once, each in a lane of its own, and of one, whose corners are the lanes.

use super::TriangleIndex;
use super::blocks::{Block, BlockAttributes, normal_of_f64, one_by_root};
use super::height::HeightHit;
use super::simd::{Four, N_F64, N_LANES, SimdVector};
use glam::{Vec2, Vec3};

/// Faces, each with a point of the ground plane, in the layout that vector instructions want.
pub(super) struct Columns {
    points: [[f32; N_F64]; 2],
    /// By corner, then by axis.
    corners: [[[f32; N_F64]; 3]; 3],
}

/// What is true of each pair.
pub(super) struct ColumnFacts {
    is_over: [bool; N_F64],
    z: [f32; N_F64],
    weights: [[f32; N_F64]; 3],
    /// By axis.
    normal: [[f32; N_F64]; 3],
}

impl Columns {
    pub const NONE: Self = Self {
        points: [[0.0; N_F64]; 2],
        corners: [[[0.0; N_F64]; 3]; 3],
    };

    #[inline(always)]
    pub fn set(&mut self, i: usize, point: Vec2, corners: &[[f32; 3]; 3]) {
        self.points[0][i] = point.x;
        self.points[1][i] = point.y;
        for (corner, position) in self.corners.iter_mut().zip(corners) {
            for (axis, coordinate) in corner.iter_mut().zip(position) {
                axis[i] = *coordinate;
            }
        }
    }

    /// The same edge functions as for rays, straight down, so that heights do not leak between faces either. A point
    /// beside the bounds of a face is not over it: far away from a tiny face rounding alone would make edge functions
    /// say so. Written where they are to be: what is returned would be copied.
    #[inline(always)]
    pub fn write_facts(&self, facts: &mut ColumnFacts) {
        let mut is_over = [false; N_F64];
        let mut z = [0.0; N_F64];
        let mut weights = [[0.0; N_F64]; 3];
        let mut normal = [[0.0; N_F64]; 3];
        for i in 0..N_F64 {
            let corner =
                |corner: usize| [0, 1, 2].map(|axis| f64::from(self.corners[corner][axis][i]));
            let (a, b, c) = (corner(0), corner(1), corner(2));
            let [x, y] = [0, 1].map(|axis| f64::from(self.points[axis][i]));
            let (ax, ay) = (a[0] - x, a[1] - y);
            let (bx, by) = (b[0] - x, b[1] - y);
            let (cx, cy) = (c[0] - x, c[1] - y);
            let u = cx * by - cy * bx;
            let v = ax * cy - ay * cx;
            let w = bx * ay - by * ax;
            let area = u + v + w;
            let (x, y, edges) = ([ax, bx, cx], [ay, by, cy], [u, v, w]);
            let is_beside = (least(x) > 0.0) | (most(x) < 0.0) | (least(y) > 0.0) | (most(y) < 0.0);
            let is_beyond_edge = (least(edges) < 0.0) & (most(edges) > 0.0);
            is_over[i] = !is_beside & !is_beyond_edge & is_number_but_zero(area);
            let (u, v, w) = (u / area, v / area, w / area);
            z[i] = (u * a[2] + v * b[2] + w * c[2]) as f32;
            weights[0][i] = u as f32;
            weights[1][i] = v as f32;
            weights[2][i] = w as f32;
            let up = normal_of_f64(a, b, c);
            let sign = if up[2] < 0.0 { -1.0 } else { 1.0 };
            normal[0][i] = (up[0] * sign) as f32;
            normal[1][i] = (up[1] * sign) as f32;
            normal[2][i] = (up[2] * sign) as f32;
        }
        facts.is_over = is_over;
        facts.z = z;
        facts.weights = weights;
        facts.normal = normal;
    }
}

impl ColumnFacts {
    pub const NONE: Self = Self {
        is_over: [false; N_F64],
        z: [0.0; N_F64],
        weights: [[0.0; N_F64]; 3],
        normal: [[0.0; N_F64]; 3],
    };

    #[inline(always)]
    pub fn hit(&self, i: usize, index: &TriangleIndex, place: u32) -> Option<HeightHit> {
        let (block, lane) = (place as usize / N_LANES, place as usize % N_LANES);
        self.is_over[i].then(|| HeightHit {
            face: index.blocks[block].faces[lane],
            z: self.z[i],
            barycentrics: [self.weights[0][i], self.weights[1][i], self.weights[2][i]],
            normal: Vec3::new(self.normal[0][i], self.normal[1][i], self.normal[2][i]),
            material: index.attributes[block].materials[lane],
        })
    }
}

/// The face of a lane, if it is over a point. As [`Columns::write_facts`] does it, to the bit.
#[inline(always)]
pub(super) fn hit_at<L: SimdVector>(
    block: &Block,
    attributes: &BlockAttributes,
    lane: usize,
    point: Vec2,
) -> Option<HeightHit> {
    let corners = block.packed_corners(lane);
    // Plain code rather than `map`: what a closure holds is not compiled for the kernel's instructions.
    let x = L::pick_corners(block.coordinates(0), corners);
    let y = L::pick_corners(block.coordinates(1), corners);
    let z = L::pick_corners(block.coordinates(2), corners);
    let px = x.sub(L::Four::splat(f64::from(point.x)));
    let py = y.sub(L::Four::splat(f64::from(point.y)));
    // Those of c, a and b, as the sum wants them.
    let edges = px.turned().mul(py).sub(px.mul(py.turned()));
    let area = edges.sum();
    let plane = [block.coordinates(0), block.coordinates(1)];
    let is_beside = L::are_beside(plane, corners, point.to_array());
    let is_over = !is_beside & !edges.has_both_signs() & is_number_but_zero(area);
    let weights = edges.div(L::Four::splat(area));
    let height = weights.mul(z.turned().turned()).sum() as f32;
    let [a, b, c] = L::Four::transposed([x, y, z]);
    let (e, f) = (b.sub(a), c.sub(a));
    // z, x, y.
    let up = e.mul(f.turned()).sub(e.turned().mul(f));
    let scale = one_by_root(up.mul(up).sum()).copysign(up.first());
    let [normal_z, normal_x, normal_y, _] = up.mul(L::Four::splat(scale)).to_f32();
    let [w, u, v, _] = weights.to_f32();
    is_over.then(|| HeightHit {
        face: block.faces[lane],
        z: height,
        barycentrics: [u, v, w],
        normal: Vec3::new(normal_x, normal_y, normal_z),
        material: attributes.materials[lane],
    })
}

/// A face without area seen from above is vertical; a point that is not finite makes NaN.
#[inline(always)]
fn is_number_but_zero(area: f64) -> bool {
    (area < 0.0) | (area > 0.0)
}

/// The least of three numbers, where there is no NaN.
#[inline(always)]
fn least([a, b, c]: [f64; 3]) -> f64 {
    let least = if a < b { a } else { b };
    if least < c { least } else { c }
}

/// The greatest of three numbers, where there is no NaN.
#[inline(always)]
fn most([a, b, c]: [f64; 3]) -> f64 {
    let most = if a > b { a } else { b };
    if most > c { most } else { c }
}
