//! Angles and rotations from `+ - * /` and `sqrt` alone, so that they are the same on every machine.

use crate::vector::{Vec3, cross};

/// A plane angle as its cosine and sine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angle {
    pub cos: f64,
    pub sin: f64,
}

/// A rotation as a quaternion w, x, y, z of unit length, in the usual sense.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn(pub [f64; 4]);

impl Angle {
    /// From degrees: a series, after the angle has been brought to within 45 degrees.
    pub fn degrees(degrees: f64) -> Self {
        let quarters = (degrees / 90.0 + 0.5).floor();
        let rad = (degrees - 90.0 * quarters) * (std::f64::consts::PI / 180.0);
        let square = rad * rad;
        let (mut cos, mut sin) = (0.0, 0.0);
        // Terms beyond the tenth are below the last bit.
        for k in (0..10).rev() {
            let k = f64::from(2 * k);
            cos = 1.0 - square / ((k + 1.0) * (k + 2.0)) * cos;
            sin = 1.0 - square / ((k + 2.0) * (k + 3.0)) * sin;
        }
        sin *= rad;
        let (cos, sin) = match (quarters as i64).rem_euclid(4) {
            0 => (cos, sin),
            1 => (-sin, cos),
            2 => (-cos, -sin),
            _ => (sin, -cos),
        };
        Self { cos, sin }
    }

    /// This angle less the other one.
    pub fn minus(self, other: Self) -> Self {
        Self {
            cos: self.cos * other.cos + self.sin * other.sin,
            sin: self.sin * other.cos - self.cos * other.sin,
        }
    }
}

impl Turn {
    /// No rotation.
    pub const NONE: Self = Self([1.0, 0.0, 0.0, 0.0]);

    /// About an axis (0 x, 1 y, 2 z), counter-clockwise as seen from its tip, by less than half a turn either way.
    pub fn about(axis: usize, angle: Angle) -> Self {
        let w = ((1.0 + angle.cos) / 2.0).max(0.0).sqrt();
        let mut q = [w, 0.0, 0.0, 0.0];
        q[axis + 1] = if w > 1e-9 { angle.sin / (2.0 * w) } else { 1.0 };
        Self(q)
    }

    /// About an axis by degrees, any number of them.
    pub fn degrees(axis: usize, degrees: f64) -> Self {
        let half = Angle::degrees(degrees / 2.0);
        let mut q = [half.cos, 0.0, 0.0, 0.0];
        q[axis + 1] = half.sin;
        Self(q)
    }

    /// `self * other`: `other` first, then `self`.
    pub fn times(self, other: Self) -> Self {
        let ([aw, ax, ay, az], [bw, bx, by, bz]) = (self.0, other.0);
        Self([
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ])
    }

    /// Where a point goes.
    pub fn apply(self, p: Vec3) -> Vec3 {
        let [w, x, y, z] = self.0;
        let u = [x, y, z];
        let once = cross(u, p);
        let twice = cross(u, once);
        [0, 1, 2].map(|k| p[k] + 2.0 * (w * once[k] + twice[k]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::sub;

    #[test]
    fn angles_are_those_of_the_platform() {
        for degrees in -800..800 {
            let degrees = f64::from(degrees) * 0.97;
            let angle = Angle::degrees(degrees);
            let (sin, cos) = degrees.to_radians().sin_cos();
            assert!((angle.cos - cos).abs() < 1e-13 && (angle.sin - sin).abs() < 1e-13);
        }
    }

    #[test]
    fn turns_run_counter_clockwise() {
        let close = |a: Vec3, b: Vec3| sub(a, b).iter().all(|c| c.abs() < 1e-12);
        let quarter = |axis| Turn::degrees(axis, 90.0);
        assert!(close(quarter(2).apply([1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        assert!(close(quarter(0).apply([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
        assert!(close(quarter(1).apply([0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]));
        let both = quarter(2).times(quarter(0));
        assert!(close(both.apply([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
        let about = Turn::about(1, Angle::degrees(-50.0));
        let p = [0.3, -0.7, 0.2];
        assert!(close(about.apply(p), Turn::degrees(1, -50.0).apply(p)));
    }
}
