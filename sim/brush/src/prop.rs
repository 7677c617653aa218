//! Static props, as boxes (section 7.7), and turned brushes.

use super::polygon::{HalfSpace, bevels};
use glam::{DMat3, DVec3, Vec3};

/// The box of a static prop. Plain numbers: this crate reads no models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PropHull {
    /// The number that results name it by: its index among the props of the map.
    pub prop: u32,
    /// Where it stands, world units.
    pub origin: Vec3,
    /// Pitch, yaw, roll in degrees (section 13).
    pub angles: Vec3,
    /// Smallest corner of the model's hull, in the model's own axes, scaled.
    pub mins: Vec3,
    /// Largest corner.
    pub maxs: Vec3,
    /// How it is solid.
    pub solid: PropSolid,
}

/// How a static prop is solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PropSolid {
    /// Not at all (0 in the file).
    No,
    /// As the box along the world's axes around its turned hull (2).
    WorldBox,
    /// As its hull, turned with it (6).
    TurnedBox,
}

impl PropSolid {
    /// From the field of the file; what is not known is not solid.
    pub fn from_file(solid: u8) -> Self {
        match solid {
            2 => Self::WorldBox,
            6 => Self::TurnedBox,
            _ => Self::No,
        }
    }
}

impl PropHull {
    /// Sides and the planes for boxes beside them; `None` if nothing of it is solid. A hull turned inside out or not
    /// finite is none.
    pub(super) fn sides(&self) -> Option<[Vec<HalfSpace>; 2]> {
        let Self {
            origin,
            angles,
            mins,
            maxs,
            solid,
            ..
        } = *self;
        let is_sound = [origin, angles, mins, maxs]
            .into_iter()
            .all(Vec3::is_finite)
            && mins.cmple(maxs).all();
        if !is_sound || solid == PropSolid::No {
            return None;
        }
        let turn = rotation(angles);
        let origin = origin.as_dvec3();
        let (middle, half) = (
            (mins + maxs).as_dvec3() * 0.5,
            (maxs - mins).as_dvec3() * 0.5,
        );
        let middle = origin + turn * middle;
        let (axes, half) = match solid {
            PropSolid::WorldBox => {
                let reach = DVec3::AXES.map(|axis| (turn.transpose() * axis).abs().dot(half));
                (DMat3::IDENTITY, DVec3::from_array(reach))
            }
            _ => (turn, half),
        };
        let faces = [0, 1, 2].into_iter().flat_map(|i| {
            let out = axes.col(i);
            [out, -out].map(|normal| HalfSpace {
                normal,
                dist: normal.dot(middle) + half[i],
            })
        });
        let faces: Vec<_> = faces.collect();
        let bevels = bevels(&faces);
        Some([faces, bevels])
    }
}

/// World from local axes, of angles in degrees (section 13). Right angles are exact.
pub(super) fn rotation(angles: Vec3) -> DMat3 {
    let sin_cos = |degrees: f32| {
        let degrees = f64::from(degrees).rem_euclid(360.0);
        match degrees {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            _ => (
                libm::sin(degrees.to_radians()),
                libm::cos(degrees.to_radians()),
            ),
        }
    };
    let [(sp, cp), (sy, cy), (sr, cr)] = angles.to_array().map(sin_cos);
    DMat3::from_cols(
        DVec3::new(cp * cy, cp * sy, -sp),
        DVec3::new(sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp),
        DVec3::new(cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp),
    )
}
