//! Where an entity is, and as a transform.

use glam::{DAffine3, DMat3, DVec3};

/// Position and angles, in the axes of the parent or, without one, of the world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Place {
    /// Origin.
    pub origin: DVec3,
    /// Pitch (down), yaw, roll in degrees.
    pub angles: DVec3,
}

impl Place {
    /// Parent from entity.
    pub fn parent_from_entity(&self) -> DAffine3 {
        DAffine3 {
            matrix3: rotation(self.angles),
            translation: self.origin,
        }
    }

    /// The place of a transform without scale.
    pub fn from_transform(transform: &DAffine3) -> Self {
        Self {
            origin: transform.translation,
            angles: angles_of(&transform.matrix3),
        }
    }
}

/// Parent from local axes. Right angles are exact.
fn rotation(angles: DVec3) -> DMat3 {
    let [(sp, cp), (sy, cy), (sr, cr)] = angles.to_array().map(sin_cos);
    DMat3::from_cols(
        DVec3::new(cp * cy, cp * sy, -sp),
        DVec3::new(sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp),
        DVec3::new(cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp),
    )
}

/// The unit vector that pitch, yaw and roll in degrees lead along.
pub fn direction_of(angles: DVec3) -> DVec3 {
    rotation(angles).x_axis
}

fn sin_cos(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        degrees => (
            libm::sin(degrees.to_radians()),
            libm::cos(degrees.to_radians()),
        ),
    }
}

/// Pitch, yaw and roll of a rotation; straight up and down has no roll.
fn angles_of(turn: &DMat3) -> DVec3 {
    let (forward, left, up) = (turn.x_axis, turn.y_axis, turn.z_axis);
    let level = libm::hypot(forward.x, forward.y);
    let pitch = libm::atan2(-forward.z, level);
    let (yaw, roll) = if level > 1e-3 {
        (libm::atan2(forward.y, forward.x), libm::atan2(left.z, up.z))
    } else {
        (libm::atan2(-left.x, left.y), 0.0)
    };
    DVec3::new(pitch, yaw, roll).map(f64::to_degrees)
}

/// Pitch and yaw of a direction.
pub(crate) fn angles_along(direction: DVec3) -> DVec3 {
    let level = libm::hypot(direction.x, direction.y);
    let yaw = match level {
        0.0 => 0.0,
        _ => libm::atan2(direction.y, direction.x).to_degrees(),
    };
    DVec3::new(libm::atan2(-direction.z, level).to_degrees(), yaw, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back_from_their_rotation() {
        for angles in [
            [0.0, 0.0, 0.0],
            [30.0, -120.0, 45.0],
            [-89.0, 10.0, -170.0],
            [90.0, 33.0, 0.0],
        ] {
            let angles = DVec3::from_array(angles);
            let found = angles_of(&rotation(angles));
            assert!((found - angles).abs().max_element() < 1e-9, "{found}");
        }
    }
}
