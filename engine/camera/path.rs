//! Going along a camera path.

use glam::{Mat3, Quat, Vec3};
use ironlands_scene::{CameraKey, CameraPath};

use super::Pose;

/// Below this, a line of sight is as good as vertical, and its yaw comes from what is up in the picture.
const VERTICAL: f32 = 1e-4;

/// Where a camera of a path is at a moment, and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathView {
    /// Position in the world.
    pub position: Vec3,
    /// Turns a camera that looks along +X with +Z up.
    pub rotation: Quat,
}

/// How a camera is turned: first rolled, then pitched, then yawed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewAngles {
    /// Turn about +Z from +X toward +Y.
    pub yaw_rad: f32,
    /// Above the horizon positive.
    pub pitch_rad: f32,
    /// The top of the picture leans to the right.
    pub roll_rad: f32,
}

impl PathView {
    /// Along a path at a time: before it begins at its first key, after its end at its last. Between two keys it goes
    /// straight, and turns the shorter way at an even rate. `None` for a path without keys.
    pub fn along(path: &CameraPath, time_secs: f32) -> Option<Self> {
        let n_before = path.keys.partition_point(|key| key.time_secs <= time_secs);
        let before = n_before
            .checked_sub(1)
            .and_then(|index| path.keys.get(index));
        let after = path.keys.get(n_before);
        match (before, after) {
            (Some(before), Some(after)) => {
                let share = (time_secs - before.time_secs) / (after.time_secs - before.time_secs);
                Some(Self::from_key(before).toward(&Self::from_key(after), share))
            }
            (Some(only), None) | (None, Some(only)) => Some(Self::from_key(only)),
            (None, None) => None,
        }
    }

    /// Yaw, pitch and roll.
    pub fn angles(&self) -> ViewAngles {
        let turned = Mat3::from_quat(self.rotation);
        let [forward, up] = [turned * Vec3::X, turned * Vec3::Z];
        let pitch_rad = forward.z.clamp(-1.0, 1.0).asin();
        // Seen straight up or down, the top of the picture points away from where one would look, or there.
        let ahead = match forward.truncate().length() {
            length if length > VERTICAL => forward.truncate(),
            _ => -up.truncate() * forward.z.signum(),
        };
        let yaw_rad = ahead.y.atan2(ahead.x);
        let level_right = Vec3::new(yaw_rad.sin(), -yaw_rad.cos(), 0.0);
        let level_up = level_right.cross(forward);
        ViewAngles {
            yaw_rad,
            pitch_rad,
            roll_rad: up.dot(level_right).atan2(up.dot(level_up)),
        }
    }

    /// Where an eye that knows no roll, and no line of sight straight up or down, flies on from here.
    pub fn pose(&self) -> Pose {
        let ViewAngles {
            yaw_rad, pitch_rad, ..
        } = self.angles();
        Pose::new(self.position, yaw_rad, pitch_rad)
    }

    fn from_key(key: &CameraKey) -> Self {
        Self {
            position: Vec3::from(key.position),
            rotation: Quat::from_array(key.rotation),
        }
    }

    fn toward(&self, other: &Self, share: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, share),
            rotation: self.rotation.slerp(other.rotation, share),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::*;

    fn rotation(angles: ViewAngles) -> Quat {
        // A pitch upward goes from +X to +Z, against a turn about +Y; a roll leans +Z to the right, -Y.
        Quat::from_rotation_z(angles.yaw_rad)
            * Quat::from_rotation_y(-angles.pitch_rad)
            * Quat::from_rotation_x(angles.roll_rad)
    }

    fn angles(yaw_rad: f32, pitch_rad: f32, roll_rad: f32) -> ViewAngles {
        ViewAngles {
            yaw_rad,
            pitch_rad,
            roll_rad,
        }
    }

    fn view(angles: ViewAngles) -> PathView {
        PathView {
            position: Vec3::ZERO,
            rotation: rotation(angles),
        }
    }

    fn key(time_secs: f32, x: f32, yaw_rad: f32) -> CameraKey {
        CameraKey {
            time_secs,
            position: [x, 10.0, -5.0],
            rotation: Quat::from_rotation_z(yaw_rad).to_array(),
        }
    }

    #[test]
    fn angles_turn_a_camera_as_its_rotation_does() {
        for wanted in [
            angles(0.0, 0.0, 0.0),
            angles(2.0, 0.5, 0.0),
            angles(-3.0, -1.2, 0.7),
            angles(1.0, 0.2, -3.0),
            angles(0.5, FRAC_PI_2, 0.0),
            angles(-2.5, -FRAC_PI_2, 0.0),
            // Straight down, a roll is a turn to the other side.
            angles(1.0, -FRAC_PI_2, 0.5),
        ] {
            let found = view(wanted).angles();
            let [found, wanted] = [found, wanted].map(|it| Mat3::from_quat(rotation(it)));
            assert!(found.abs_diff_eq(wanted, 1e-3), "{found} is not {wanted}");
        }
        let upright = view(angles(2.0, 0.5, 0.0)).angles();
        assert!((upright.yaw_rad - 2.0).abs() < 1e-5);
        assert!((upright.pitch_rad - 0.5).abs() < 1e-5);
        assert!(upright.roll_rad.abs() < 1e-5);
    }

    #[test]
    fn the_renderers_camera_sees_what_the_rotation_turns_to() {
        let view = view(angles(-2.0, 0.4, 0.9));
        let ViewAngles {
            yaw_rad,
            pitch_rad,
            roll_rad,
        } = view.angles();
        let camera = ironlands_renderer::Camera {
            yaw_rad,
            pitch_rad,
            roll_rad,
            ..ironlands_renderer::Camera::default()
        };
        for (found, axis) in [
            (camera.forward(), Vec3::X),
            (camera.right(), -Vec3::Y),
            (camera.up(), Vec3::Z),
        ] {
            let expected = view.rotation * axis;
            assert!(
                found.abs_diff_eq(expected, 1e-5),
                "{found} is not {expected}"
            );
        }
    }

    #[test]
    fn a_camera_goes_straight_and_turns_evenly_between_keys() {
        let path = CameraPath {
            name: String::new(),
            keys: vec![key(1.0, 0.0, 0.0), key(3.0, 8.0, 1.0), key(4.0, 8.0, 3.0)],
        };
        for (time_secs, x, yaw_rad) in [
            (-1.0, 0.0, 0.0),
            (1.0, 0.0, 0.0),
            (1.5, 2.0, 0.25),
            (3.0, 8.0, 1.0),
            (3.5, 8.0, 2.0),
            (4.0, 8.0, 3.0),
            (99.0, 8.0, 3.0),
        ] {
            let view = PathView::along(&path, time_secs).unwrap();
            let expected = Vec3::new(x, 10.0, -5.0);
            assert!(view.position.abs_diff_eq(expected, 1e-5), "{time_secs}");
            assert!(
                (view.angles().yaw_rad - yaw_rad).abs() < 1e-4,
                "{time_secs}"
            );
        }
        assert_eq!(PathView::along(&CameraPath::default(), 0.0), None);
    }

    #[test]
    fn the_shorter_way_around_is_taken() {
        // The same turn has two quaternions; from -3 to 3 it is shorter through the back.
        let mut last = key(1.0, 0.0, 3.0);
        last.rotation = last.rotation.map(|v| -v);
        let path = CameraPath {
            name: String::new(),
            keys: vec![key(0.0, 0.0, -3.0), last],
        };
        let middle = PathView::along(&path, 0.5).unwrap().angles();
        assert!((middle.yaw_rad.abs() - PI).abs() < 1e-3, "{middle:?}");
    }

    #[test]
    fn an_eye_flies_on_from_a_path_upright() {
        let pose = view(angles(1.0, -FRAC_PI_2, 0.0)).pose();
        assert!((pose.yaw_rad - 1.0).abs() < 1e-3, "{pose:?}");
        assert_eq!(pose.pitch_rad, -super::super::PITCH_LIMIT_RAD);
    }
}
