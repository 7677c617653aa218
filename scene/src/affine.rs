//! Transforms without projection.

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
    pub fn transform_point(&self, [px, py, pz]: [f32; 3]) -> [f32; 3] {
        self.0.map(|[x, y, z, w]| x * px + y * py + z * pz + w)
    }

    /// The largest length that an axis of length 1 gets.
    pub fn max_scale(&self) -> f32 {
        let [a, b, c] = self.0;
        let length_sq = |i: usize| a[i] * a[i] + b[i] * b[i] + c[i] * c[i];
        length_sq(0).max(length_sq(1)).max(length_sq(2)).sqrt()
    }

    /// Whether all numbers are finite.
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
    fn the_scale_is_that_of_the_longest_axis() {
        assert_eq!(TURN.max_scale(), 2.0);
        let flat = Affine([
            [0.5, 0.0, 0.0, 0.0],
            [0.0, 3.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]);
        assert_eq!(flat.max_scale(), 3.0);
    }
}
