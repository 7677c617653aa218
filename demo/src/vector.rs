//! Vectors and planes in exact steps: only `+ - * /` and `sqrt` on `f64`.

/// A point or direction; file axes, +Z up.
pub type Vec3 = [f64; 3];

/// `dot(normal, p) = dist`; the front is where the normal points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vec3,
    /// Distance from the origin.
    pub dist: f64,
}

impl Plane {
    /// The plane through `point`.
    pub fn through(normal: Vec3, point: Vec3) -> Self {
        let normal = normalized(normal);
        Self {
            normal,
            dist: dot(normal, point),
        }
    }

    /// Signed distance of a point; positive in front.
    pub fn distance(&self, point: Vec3) -> f64 {
        dot(self.normal, point) - self.dist
    }

    /// The same plane seen from behind.
    pub fn flipped(&self) -> Self {
        Self {
            normal: self.normal.map(|c| -c),
            dist: -self.dist,
        }
    }

    /// The axis of the normal's largest component, the lower one of equals.
    pub fn main_axis(&self) -> usize {
        main_axis(self.normal)
    }

    /// Whether the normal is an axis.
    pub fn is_axial(&self) -> bool {
        self.normal.iter().any(|c| c.abs() == 1.0)
    }
}

/// The axis of the largest component, the lower one of equals.
pub fn main_axis(v: Vec3) -> usize {
    let mut best = 0;
    for axis in 1..3 {
        if v[axis].abs() > v[best].abs() {
            best = axis;
        }
    }
    best
}

/// Sum.
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Difference.
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Multiple.
pub fn scale(a: Vec3, factor: f64) -> Vec3 {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// `a + b * factor`.
pub fn add_scaled(a: Vec3, b: Vec3, factor: f64) -> Vec3 {
    [
        a[0] + b[0] * factor,
        a[1] + b[1] * factor,
        a[2] + b[2] * factor,
    ]
}

/// Linear mix: `a` at 0, `b` at 1.
pub fn lerp(a: Vec3, b: Vec3, t: f64) -> Vec3 {
    add_scaled(a, sub(b, a), t)
}

/// Scalar product.
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Component by component.
pub fn product(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// Euclidean length.
pub fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// Of length 1; the zero vector stays what it is.
pub fn normalized(a: Vec3) -> Vec3 {
    let length = length(a);
    if length == 0.0 {
        a
    } else {
        a.map(|c| c / length)
    }
}

/// A box around nothing.
pub const EMPTY_BOX: [Vec3; 2] = [[f64::MAX; 3], [f64::MIN; 3]];

/// The smallest box around `points`: smallest and largest corner.
pub fn bounds(points: impl IntoIterator<Item = Vec3>) -> [Vec3; 2] {
    points.into_iter().fold(EMPTY_BOX, |[low, high], p| {
        [
            [0, 1, 2].map(|k| low[k].min(p[k])),
            [0, 1, 2].map(|k| high[k].max(p[k])),
        ]
    })
}

/// Whether two boxes have a point in common once both are `slack` larger.
pub fn boxes_touch(a: &[Vec3; 2], b: &[Vec3; 2], slack: f64) -> bool {
    (0..3).all(|k| a[0][k] <= b[1][k] + slack && b[0][k] <= a[1][k] + slack)
}
