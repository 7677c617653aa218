//! Transforms without projection.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// Three rows of a matrix for column vectors; the fourth is 0 0 0 1. The translation is the fourth column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine(pub [[f32; 4]; 3]);

impl Affine {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self([
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]);

    /// `self * other`: `other` first, then `self`.
    pub fn times(&self, other: &Self) -> Self {
        let [a, b, c] = other.0;
        Self(self.0.map(|[x, y, z, w]| {
            let column = |i: usize| x * a[i] + y * b[i] + z * c[i];
            [column(0), column(1), column(2), column(3) + w]
        }))
    }

    /// Where a point goes.
    #[inline]
    pub fn transform_point(&self, [px, py, pz]: [f32; 3]) -> [f32; 3] {
        self.0.map(|[x, y, z, w]| x * px + y * py + z * pz + w)
    }

    /// Where the difference of two points goes.
    #[inline]
    pub fn transform_vector(&self, [vx, vy, vz]: [f32; 3]) -> [f32; 3] {
        self.0.map(|[x, y, z, _]| x * vx + y * vy + z * vz)
    }

    /// What undoes it; `None` for a transform that flattens.
    pub fn inverse(&self) -> Option<Self> {
        let rows = self.0.map(|[x, y, z, _]| Vec3A::new(x, y, z));
        let linear = Mat3A::from_cols(rows[0], rows[1], rows[2]).transpose();
        let translation = Vec3::from_array(self.0.map(|[.., moved]| moved));
        let inverse = Affine3A::from_mat3_translation(linear.into(), translation).inverse();
        let rows = inverse.matrix3.transpose();
        let row = |row: Vec3A, moved: f32| [row.x, row.y, row.z, moved];
        let inverse = Self([
            row(rows.x_axis, inverse.translation.x),
            row(rows.y_axis, inverse.translation.y),
            row(rows.z_axis, inverse.translation.z),
        ]);
        inverse.is_finite().then_some(inverse)
    }

    /// No less than the factor by which this stretches any length, so that a ball of radius `r` stays within one of
    /// `r * max_scale()`.
    ///
    /// Exact for axes at right angles, whatever their lengths. For slanted axes, as a turn between unequal scales
    /// makes them, the longest axis would be too little.
    #[inline]
    pub fn max_scale(&self) -> f32 {
        let [a, b, c] = self.0;
        let dot = |i: usize, j: usize| a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
        let [xy, yz, zx] = [dot(0, 1), dot(1, 2), dot(2, 0)].map(f32::abs);
        // The largest eigenvalue of a symmetric matrix is at most its largest sum of absolute values in a row.
        let rows = [
            dot(0, 0) + xy + zx,
            dot(1, 1) + xy + yz,
            dot(2, 2) + yz + zx,
        ];
        rows[0].max(rows[1]).max(rows[2]).sqrt()
    }

    /// Whether all numbers are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.0.as_flattened().iter().all(|v| v.is_finite())
    }
}

impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn about +Z, doubled, then moved.
    const TURN: Affine = Affine([
        [0.0, -2.0, 0.0, 10.0],
        [2.0, 0.0, 0.0, 20.0],
        [0.0, 0.0, 2.0, 30.0],
    ]);

    #[test]
    fn the_right_hand_factor_acts_first() {
        let moved = Affine([
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]);
        let point = [3.0, 4.0, 5.0];
        let one_by_one = TURN.transform_point(moved.transform_point(point));
        assert_eq!(TURN.times(&moved).transform_point(point), one_by_one);
        assert_eq!(one_by_one, [2.0, 28.0, 40.0]);
        assert_eq!(TURN.times(&Affine::IDENTITY), TURN);
        assert_eq!(Affine::IDENTITY.times(&TURN), TURN);
    }

    #[test]
    fn the_scale_is_that_of_the_longest_of_square_axes() {
        assert_eq!(TURN.max_scale(), 2.0);
        let flat = Affine([
            [0.5, 0.0, 0.0, 0.0],
            [0.0, 3.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]);
        assert_eq!(flat.max_scale(), 3.0);
    }

    #[test]
    fn no_length_is_stretched_by_more_than_the_scale() {
        // A turn of 45 degrees between unequal scales: axes of a length of 2.9, but one diagonal 4 times as
        // long as before.
        let half = 0.5f32.sqrt();
        let slanted = Affine([
            [4.0 * half, 4.0 * half, 0.0, 0.0],
            [-half, half, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]);
        let shear = Affine([
            [1.0, 2.0, -3.0, 5.0],
            [0.0, 1.0, 0.5, 5.0],
            [0.0, 0.0, 1.0, 5.0],
        ]);
        assert!((slanted.max_scale() - 4.0).abs() < 1e-5);
        let length = |[x, y, z]: [f32; 3]| (x * x + y * y + z * z).sqrt();
        for transform in [TURN, slanted, shear] {
            let origin = transform.transform_point([0.0; 3]);
            for i in 0..1000 {
                let turn = i as f32 * 0.1;
                let from = [turn.cos(), turn.sin(), (turn * 0.37).sin()];
                let to = transform.transform_point(from);
                let moved = [0, 1, 2].map(|axis| to[axis] - origin[axis]);
                assert!(length(moved) <= transform.max_scale() * length(from) * 1.00001);
            }
        }
    }

    #[test]
    fn what_a_transform_does_its_inverse_undoes() {
        let transform = Affine([
            [0.0, -3.0, 0.5, 10.0],
            [2.0, 0.0, 0.0, -20.0],
            [0.0, 1.0, 0.5, 30.0],
        ]);
        let back = transform.inverse().expect("it flattens nothing");
        let point = [1.5, -2.0, 7.0];
        let found = back.transform_point(transform.transform_point(point));
        for axis in 0..3 {
            assert!((found[axis] - point[axis]).abs() < 1e-4, "{found:?}");
        }
        let flat = Affine([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0; 4]]);
        assert_eq!(flat.inverse(), None);
    }
}
