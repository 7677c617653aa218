//! A box along the axes of the world.

/// A closed box; one with `min > max` holds nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Smallest corner.
    pub min: [f32; 3],
    /// Largest corner.
    pub max: [f32; 3],
}

impl Bounds {
    /// Holds nothing.
    pub const EMPTY: Self = Self {
        min: [f32::INFINITY; 3],
        max: [f32::NEG_INFINITY; 3],
    };

    /// Of a point.
    pub fn from_point(point: [f32; 3]) -> Self {
        Self {
            min: point,
            max: point,
        }
    }

    /// Around both.
    #[inline]
    pub fn join(&self, other: &Self) -> Self {
        // No NaN comes here, and without one these are single instructions, which f32::min and max are not.
        let smaller = |a: f32, b: f32| if a < b { a } else { b };
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        Self {
            min: std::array::from_fn(|i| smaller(self.min[i], other.min[i])),
            max: std::array::from_fn(|i| larger(self.max[i], other.max[i])),
        }
    }

    /// Half the area of its sides: 0 if it is empty, infinite if it is endless.
    pub fn half_area(&self) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|i| f64::from(self.max[i]) - f64::from(self.min[i]));
        if x >= 0.0 { x * y + y * z + z * x } else { 0.0 }
    }

    /// Its middle; the origin for one that has none.
    pub fn center(&self) -> [f32; 3] {
        let center = [0, 1, 2].map(|i| self.min[i] * 0.5 + self.max[i] * 0.5);
        if center.iter().all(|c| c.is_finite()) {
            center
        } else {
            [0.0; 3]
        }
    }
}
