//! Between the world and the space of a shape.
//!
//! A shape's index takes rays in f32. What rounding a ray to f32 can move it by is counted in the coordinates of the
//! shape, not of the level: a ray from afar starts again where it enters the shape's box. All boxes here are larger
//! than what they hold by a margin above that, so no box loses a hit that a shape would find.

use glam::{DMat3, DVec3};

use crate::Ray;
use crate::RowMatrix;
use crate::bvh::Bounds;
use crate::triangles::TriangleIndex;

/// Of the size of a shape and of its coordinates: some 16 times the rounding of a ray within it.
const MARGIN: f64 = 1.0 / (1 << 20) as f64;

/// Of the numbers that make a sum in f64: more than it is wrong by. A determinant this small is rounding alone.
const ROUNDING: f64 = 1.0 / (1_u64 << 50) as f64;

/// Where the faces of a shape are, in its own space, with the margin.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapeBox {
    /// Smallest and largest corner; `None` without a face.
    corners: Option<[DVec3; 2]>,
    margin: f64,
    diagonal: f64,
}

/// An instance as rays need it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    local_from_world: Affine,
    /// Whether its faces are seen from behind where the shape's are seen from the front.
    pub is_mirrored: bool,
}

#[derive(Debug, Clone, Copy)]
struct Affine {
    linear: DMat3,
    translation: DVec3,
}

/// A ray or segment of the world, as exact as it was given.
pub(super) struct WorldRay {
    pub origin: DVec3,
    pub direction: DVec3,
}

/// A ray or segment in the space of a shape.
pub(super) struct LocalRay {
    origin: DVec3,
    direction: DVec3,
    /// Where it enters the shape's box and leaves it, in lengths of the world's direction.
    inside: [f64; 2],
    shape_box: ShapeBox,
    /// A power of two near the length of `direction`.
    length: f64,
}

impl ShapeBox {
    pub fn from_shape(shape: &TriangleIndex) -> Self {
        let (min, max) = shape.bounds();
        let (min, max) = (min.as_dvec3(), max.as_dvec3());
        let diagonal = (max - min).length();
        let margin = MARGIN * (min.abs().max(max.abs()).max_element() + diagonal);
        // No box is so flat that the powers of ten of an f32 end within it.
        let margin = margin.max(1e-25);
        Self {
            corners: (shape.n_faces() > 0).then_some([min - margin, max + margin]),
            margin,
            diagonal: diagonal + 2.0 * margin,
        }
    }
}

/// Bounds in the world of a shape under a transform; empty if nothing can be hit there.
pub(super) fn bounds_in_world(world_from_local: &RowMatrix, shape_box: &ShapeBox) -> Bounds {
    let world_from_local = Affine::new(world_from_local);
    let corners = shape_box.corners;
    let corners = corners.filter(|_| world_from_local.determinant().is_some());
    corners.map_or(Bounds::EMPTY, |corners| world_from_local.bounds_of(corners))
}

impl Placement {
    /// `None` where nothing can be hit. Costs less to make than to keep for all instances: a tick changes many and
    /// a ray hits few.
    pub fn new(world_from_local: &RowMatrix) -> Option<Self> {
        let world_from_local = Affine::new(world_from_local);
        let determinant = world_from_local.determinant()?;
        Some(Self {
            local_from_world: world_from_local.inverse(determinant),
            is_mirrored: determinant < 0.0,
        })
    }

    /// The ray in the space of the shape, if it hits its box in `0.0..=t_max`.
    pub fn enter(&self, ray: &WorldRay, t_max: f64, shape_box: &ShapeBox) -> Option<LocalRay> {
        let Affine {
            linear,
            translation,
        } = self.local_from_world;
        let origin = linear * ray.origin + translation;
        let direction = linear * ray.direction;
        let length = power_of_two(direction.abs().max_element())?;
        let [min, max] = shape_box.corners?;
        // The NaN of 0 * infinity is of a ray along a side of the box, a margin away from any face: it may count
        // as within or not.
        let (mut enter, mut leave) = (0.0_f64, t_max);
        for axis in 0..3 {
            let per_length = 1.0 / direction[axis];
            let (a, b) = (
                (min[axis] - origin[axis]) * per_length,
                (max[axis] - origin[axis]) * per_length,
            );
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        let is_inside = enter <= leave + leave.abs() * ROUNDING;
        is_inside.then_some(LocalRay {
            origin,
            direction,
            inside: [enter, leave.max(enter)],
            shape_box: *shape_box,
            length,
        })
    }

    /// Unit normal in the world of a face that looks along `normal` in the shape: by winding, as the face lies there.
    pub fn world_normal(&self, normal: DVec3) -> DVec3 {
        let normal = if self.is_mirrored { -normal } else { normal };
        let turned = self.local_from_world.linear.transpose() * normal;
        // By its largest part first, as squares may leave the range of f64.
        (turned / turned.abs().max_element()).normalize_or_zero()
    }
}

/// The place in the world of a point of a shape.
pub(super) fn world_point(world_from_local: &RowMatrix, point: DVec3) -> DVec3 {
    let Affine {
        linear,
        translation,
    } = Affine::new(world_from_local);
    linear * point + translation
}

impl LocalRay {
    /// The ray for the shape's index, with its own `t_max`, if the world's is `t_max`.
    pub fn to_ray(&self, t_max: f64) -> (Ray, f32) {
        let start = self.start();
        let ray = Ray {
            origin: self.at(start).as_vec3(),
            direction: (self.direction / self.length).as_vec3(),
        };
        let t_max = (t_max - start) * self.length;
        let slack = self.shape_box.margin + t_max.abs() * MARGIN;
        (ray, (t_max + slack) as f32)
    }

    /// The world's `t` for that of [`to_ray`](Self::to_ray).
    pub fn world_t(&self, t: f32) -> f64 {
        self.start() + f64::from(t) / self.length
    }

    /// Its ends for the shape's index, if it ends at 1 in the world.
    pub fn to_segment(&self) -> [glam::Vec3; 2] {
        let [_, leave] = self.inside;
        let is_from_afar = (1.0 - leave) * self.length > self.shape_box.diagonal;
        let end = if is_from_afar { leave } else { 1.0 };
        [self.start(), end].map(|t| self.at(t).as_vec3())
    }

    /// The start of the ray itself, where that is near.
    fn start(&self) -> f64 {
        let [enter, _] = self.inside;
        let is_from_afar = enter * self.length > self.shape_box.diagonal;
        if is_from_afar { enter } else { 0.0 }
    }

    fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }
}

impl Affine {
    fn new(RowMatrix(m): &RowMatrix) -> Self {
        let at = |row: usize, column: usize| f64::from(m[row * 4 + column]);
        let column = |i: usize| DVec3::new(at(0, i), at(1, i), at(2, i));
        Self {
            linear: DMat3::from_cols(column(0), column(1), column(2)),
            translation: column(3),
        }
    }

    /// The determinant; `None` if there is no inverse to speak of.
    fn determinant(&self) -> Option<f64> {
        let [x, y, z] = [0, 1, 2].map(|i| self.linear.col(i));
        // Products of two f32 are exact here, so their differences are good to the last bit of an f64.
        let terms = x * y.cross(z);
        let determinant = terms.element_sum();
        let size = terms.abs().element_sum();
        // A NaN or an infinite number, in whichever column, fails the comparison too.
        let is_regular = determinant.abs() > size * ROUNDING && self.translation.is_finite();
        is_regular.then_some(determinant)
    }

    /// The inverse of what has a determinant. Powers of ten of f32 do not leave the range of f64 here.
    fn inverse(&self, determinant: f64) -> Self {
        let [x, y, z] = [0, 1, 2].map(|i| self.linear.col(i));
        let rows = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let linear = rows.transpose() * (1.0 / determinant);
        Self {
            linear,
            translation: -(linear * self.translation),
        }
    }

    /// Bounds of a transformed box, rounded outward.
    fn bounds_of(&self, [min, max]: [DVec3; 2]) -> Bounds {
        let center = self.linear * ((min + max) * 0.5) + self.translation;
        let half = (max - min) * 0.5;
        let half = self.linear.abs() * half;
        // A float cast rounds to the nearest, and the sums before it by far less than that.
        Bounds {
            min: (center - half).to_array().map(|v| (v as f32).next_down()),
            max: (center + half).to_array().map(|v| (v as f32).next_up()),
        }
    }
}

/// The power of two at or below a number; `None` if it is zero or no number.
pub(super) fn power_of_two(number: f64) -> Option<f64> {
    const EXPONENT: u64 = 0x7FF << 52;
    let is_normal = number.is_normal() && number > 0.0;
    is_normal.then(|| f64::from_bits(number.to_bits() & EXPONENT))
}
