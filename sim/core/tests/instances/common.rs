//! What the tests of instances share.

use glam::{DAffine3, DVec3, Mat4, Vec3};
use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::instances::{Instance, InstanceFilter, InstanceHit, InstanceIndex};
use ironlands_sim_core::triangles::{Face, TriangleIndex};
use ironlands_sim_core::{MaskFilter, Ray};

/// Sees everything.
pub const ALL: InstanceFilter = InstanceFilter::ALL;
/// Nothing is moved.
pub const HERE: RowMatrix = RowMatrix::IDENTITY;

/// A square of side 2 around the origin at height 0: faces 0 and 1, counter-clockwise from above, with masks 1 and
/// 2 and materials 10 and 11.
pub fn square() -> TriangleIndex {
    let positions = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    let faces = [[0, 1, 2], [0, 2, 3]].into_iter().zip(0..);
    let faces: Vec<_> = faces
        .map(|(corners, i)| {
            Some(Face {
                corners,
                mask: 1 << i,
                material: 10 + i,
            })
        })
        .collect();
    TriangleIndex::new(&positions, &faces).expect("indices are in range")
}

/// A shape without a face.
pub fn nothing() -> TriangleIndex {
    TriangleIndex::new(&[], &[]).expect("nothing is a valid shape")
}

/// Instances of one shape, called 100, 101, ..., with masks 1, 2, 4, ...
pub fn index(shape: TriangleIndex, places: &[RowMatrix]) -> InstanceIndex {
    let instances: Vec<_> = places
        .iter()
        .zip(0..)
        .map(|(world_from_local, i)| Instance {
            shape: 0,
            mask: 1_u32.wrapping_shl(i),
            id: 100 + i,
            world_from_local: *world_from_local,
        })
        .collect();
    InstanceIndex::new([shape].into(), &instances).expect("the shape is there")
}

/// Moved by so much.
pub fn at(x: f32, y: f32, z: f32) -> RowMatrix {
    Mat4::from_translation(Vec3::new(x, y, z)).into()
}

/// Scaled by a factor in all directions.
pub fn scaled(x: f32, y: f32, z: f32) -> RowMatrix {
    Mat4::from_scale(Vec3::new(x, y, z)).into()
}

/// Straight down from a point.
pub fn down(x: f32, y: f32, z: f32) -> Ray {
    Ray {
        origin: Vec3::new(x, y, z),
        direction: Vec3::NEG_Z,
    }
}

/// The nearest hit of all, however far.
pub fn cast(index: &InstanceIndex, ray: &Ray) -> Option<InstanceHit> {
    index.cast_ray(ray, f32::INFINITY, ALL)
}

/// A filter of faces alone.
pub fn faces_with(required: u32, forbidden: u32) -> InstanceFilter {
    InstanceFilter {
        instances: MaskFilter::ALL,
        faces: MaskFilter {
            required,
            forbidden,
        },
    }
}

/// A filter of instances alone.
pub fn instances_with(required: u32, forbidden: u32) -> InstanceFilter {
    InstanceFilter {
        instances: MaskFilter {
            required,
            forbidden,
        },
        faces: MaskFilter::ALL,
    }
}

/// A matrix in f64, independent of the code under test.
pub fn affine(RowMatrix(m): &RowMatrix) -> DAffine3 {
    let column = |i: usize| Vec3::new(m[i], m[i + 4], m[i + 8]).as_dvec3();
    DAffine3::from_cols(column(0), column(1), column(2), column(3))
}

/// Numbers from a seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// From 0 up to 1.
    pub fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    }

    /// From `low` up to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// In a box around the origin.
    pub fn point(&mut self, half: Vec3) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|i| self.between(-half[i], half[i])))
    }
}

/// Möller and Trumbore, in f64: `t` and the weights of the corners, wherever on the plane.
pub fn plain_crossing(
    [a, b, c]: [DVec3; 3],
    origin: DVec3,
    direction: DVec3,
) -> Option<(f64, [f64; 3])> {
    let (e1, e2) = (b - a, c - a);
    let p = direction.cross(e2);
    let determinant = e1.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = origin - a;
    let q = s.cross(e1);
    let (v, w) = (s.dot(p) / determinant, direction.dot(q) / determinant);
    Some((e2.dot(q) / determinant, [1.0 - v - w, v, w]))
}
