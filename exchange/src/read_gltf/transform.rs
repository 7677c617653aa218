//! Places of nodes: models turn and move, so scale and shear go into the vertices.
//!
//! A world matrix is kept as `rigid * residual`. The rigid part becomes the node, the residual is baked into what
//! hangs on it, and goes down to its children.

use glam::{DMat3, DQuat, DVec3};
use gltf_json::scene::Node;

use super::document::unexpected;
use crate::error::ImportError;

/// Farther from the identity, or from one scale for all axes, than the rounding of f32 brings it.
const ROUNDING: f64 = 1e-6;

/// What turns +Y up to +Z up: a quarter turn about +X.
pub const Z_UP_FROM_Y_UP: DQuat = DQuat::from_xyzw(
    std::f64::consts::FRAC_1_SQRT_2,
    0.0,
    0.0,
    std::f64::consts::FRAC_1_SQRT_2,
);

/// A transform as turn and shift after scale and shear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Acts last.
    pub translation: DVec3,
    /// Of length 1.
    pub rotation: DQuat,
    /// Acts first.
    pub residual: Residual,
}

/// Scale, shear and mirroring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual(DMat3);

impl Transform {
    /// The transform of a node, which is at `place`.
    ///
    /// # Errors
    /// Numbers that are not finite, a rotation without length, a matrix with a projection.
    pub fn from_node(node: &Node, place: &str) -> Result<Self, ImportError> {
        if let Some(matrix) = node.matrix {
            return Self::from_matrix(matrix.map(f64::from), place);
        }
        let rotation = node.rotation.unwrap_or_default().0;
        let translation = node.translation.unwrap_or_default();
        let scale = node.scale.unwrap_or([1.0; 3]);
        if [translation, scale]
            .as_flattened()
            .iter()
            .any(|v| !v.is_finite())
        {
            return Err(unexpected(place, "a finite transform", "another"));
        }
        Ok(Self {
            translation: DVec3::from(translation.map(f64::from)),
            rotation: unit(rotation.map(f64::from), place)?,
            residual: Residual::snapped(DMat3::from_diagonal(DVec3::from(scale.map(f64::from)))),
        })
    }

    fn from_matrix(matrix: [f64; 16], place: &str) -> Result<Self, ImportError> {
        let [
            ax,
            ay,
            az,
            aw,
            bx,
            by,
            bz,
            bw,
            cx,
            cy,
            cz,
            cw,
            tx,
            ty,
            tz,
            tw,
        ] = matrix;
        let is_affine = [aw, bw, cw, tw] == [0.0, 0.0, 0.0, 1.0];
        if !is_affine || matrix.iter().any(|v| !v.is_finite()) {
            return Err(unexpected(
                place,
                "a finite matrix without projection",
                "another",
            ));
        }
        let linear = DMat3::from_cols_array(&[ax, ay, az, bx, by, bz, cx, cy, cz]);
        Ok(Self::from_linear(DVec3::new(tx, ty, tz), linear))
    }

    fn from_linear(translation: DVec3, linear: DMat3) -> Self {
        let rotation = rotation_of(linear);
        let turned_back = DMat3::from_quat(rotation).transpose() * linear;
        Self {
            translation,
            rotation,
            residual: Residual::snapped(turned_back),
        }
    }

    /// The place below a parent with a residual: its own residual then holds both.
    pub fn below(&self, parent: &Residual) -> Self {
        let translation = parent.0 * self.translation;
        match parent.uniform() {
            Some(scale) => Self {
                translation,
                rotation: self.rotation,
                residual: Residual::snapped(self.residual.0 * scale),
            },
            None => {
                let own = DMat3::from_quat(self.rotation) * self.residual.0;
                Self::from_linear(translation, parent.0 * own)
            }
        }
    }

    /// The place after a turn of the space that it is in.
    pub fn turned(&self, by: DQuat) -> Self {
        Self {
            translation: by * self.translation,
            rotation: by * self.rotation,
            residual: self.residual,
        }
    }

    /// Whether it leaves everything where it is, but for rounding.
    pub fn is_identity(&self) -> bool {
        self.translation.abs().max_element() <= ROUNDING
            && self.rotation.w.abs() >= 1.0 - ROUNDING
            && self.residual.is_identity()
    }
}

impl Residual {
    /// No scale, no shear.
    pub const IDENTITY: Self = Self(DMat3::IDENTITY);

    /// Without what rounding alone brings.
    fn snapped(matrix: DMat3) -> Self {
        let residual = Self(matrix);
        match residual.uniform() {
            Some(scale) if (scale - 1.0).abs() <= ROUNDING => Self::IDENTITY,
            Some(scale) => Self(DMat3::IDENTITY * scale),
            None => residual,
        }
    }

    /// Whether it changes nothing.
    pub fn is_identity(&self) -> bool {
        *self == Self::IDENTITY
    }

    /// The scale, where it is one for all axes and mirrors nothing.
    pub fn uniform(&self) -> Option<f64> {
        let scale = self.0.x_axis.x;
        let difference = (self.0 - DMat3::IDENTITY * scale).to_cols_array();
        let is_close = difference.iter().all(|v| v.abs() <= ROUNDING * scale.abs());
        (is_close && scale > 0.0).then_some(scale)
    }

    /// Whether triangles are seen from the other side.
    pub fn mirrors(&self) -> bool {
        self.0.determinant() < 0.0
    }

    /// Whether some direction is lost.
    pub fn flattens(&self) -> bool {
        self.0.determinant() == 0.0
    }

    /// Where a point goes.
    pub fn transform_point(&self, point: [f32; 3]) -> [f32; 3] {
        if self.is_identity() {
            return point;
        }
        (self.0 * DVec3::from(point.map(f64::from)))
            .as_vec3()
            .into()
    }

    /// A normal of length 1; `None` where there is no telling.
    pub fn transform_normal(&self, normal: [f32; 3]) -> Option<[f32; 3]> {
        let normal = DVec3::from(normal.map(f64::from));
        let is_unit = (normal.length_squared() - 1.0).abs() < 1e-3;
        if self.is_identity() && is_unit {
            return Some(normal.as_vec3().into());
        }
        if self.flattens() {
            return None;
        }
        // Mirrored triangles change their order of corners, and their normals stay on their side.
        let turned = self.0.inverse().transpose() * normal;
        Some(turned.try_normalize()?.as_vec3().into())
    }
}

/// A quaternion x, y, z, w of length 1, found at `place`.
///
/// # Errors
/// It has no length, or no end.
pub fn unit(rotation: [f64; 4], place: &str) -> Result<DQuat, ImportError> {
    let rotation = DQuat::from_array(rotation);
    if !rotation.length().is_normal() {
        return Err(unexpected(place, "a rotation of length 1", rotation));
    }
    Ok(rotation.normalize())
}

/// Some rotation such that the rest is small: the first axis, then the plane of the second.
fn rotation_of(linear: DMat3) -> DQuat {
    let x = linear.x_axis.try_normalize();
    let y = x.and_then(|x| (linear.y_axis - x * x.dot(linear.y_axis)).try_normalize());
    match (x, y) {
        (Some(x), Some(y)) => DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize(),
        // What is flat needs no turn of its own.
        _ => DQuat::IDENTITY,
    }
}
