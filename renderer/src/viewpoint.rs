//! From where a frame looks at a scene.

use glam::{Mat4, Vec3, Vec4};
use ironlands_scene::Backdrop;

use crate::{Camera, FrameState};

/// The camera's place in the level, or its place before the backdrop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Viewpoint {
    pub camera: Camera,
    /// Decides what is in view and at which level of detail.
    pub culling_camera: Camera,
    /// Whose cell decides which cells are seen.
    pub visible_from: Vec3,
    /// How many units of the level a unit stands for.
    pub scale: f32,
    /// What lies below this height is cut off.
    pub floor: Option<f32>,
}

impl Viewpoint {
    /// In the level.
    pub fn from_frame_state(state: &FrameState) -> Self {
        let culling_camera = state.culling_camera.unwrap_or(state.camera);
        Self {
            camera: state.camera,
            culling_camera,
            visible_from: state.visible_from.unwrap_or(culling_camera.position),
            scale: 1.0,
            floor: None,
        }
    }

    /// Where the level is seen from in a level mirror at a height: its picture is that of the mirror upside down.
    pub fn mirrored_at(level: &Self, height: f32) -> Self {
        let mirrored = |camera: Camera| Camera {
            position: camera.position.with_z(2.0 * height - camera.position.z),
            pitch_rad: -camera.pitch_rad,
            roll_rad: -camera.roll_rad,
            ..camera
        };
        Self {
            camera: mirrored(level.camera),
            culling_camera: mirrored(level.culling_camera),
            floor: Some(height),
            ..*level
        }
    }

    /// From a position relative to the camera to clip space, as of [`Camera::clip_from_eye`]. With a floor, the near
    /// plane is that: an eye must be below it, and sees only what is above.
    pub fn clip_from_eye(&self, aspect: f32) -> Mat4 {
        let clip_from_eye = self.camera.clip_from_eye(aspect);
        let Some(floor) = self.floor else {
            return clip_from_eye;
        };
        let above = Vec4::new(0.0, 0.0, 1.0, self.camera.position.z - floor);
        let [x, y, _, w] = [0, 1, 2, 3].map(|row| clip_from_eye.row(row));
        // Depth is 1 on the plane and falls with the distance from it; the factor keeps it above 0 in all of the view.
        let half = self.camera.half_extent(aspect);
        let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]].map(|[right, up]| {
            let ray = self.camera.forward()
                + self.camera.right() * half.x * right
                + self.camera.up() * half.y * up;
            ray.z
        });
        let steepest = corners.into_iter().fold(0.0, f32::max);
        // `w` is 1 along each of these rays.
        let factor = if steepest > 0.0 {
            steepest.recip()
        } else {
            1.0
        };
        Mat4::from_cols(x, y, w - above * factor, w).transpose()
    }

    /// Where a camera in the level stands before the backdrop.
    pub fn from_backdrop(level: &Self, backdrop: &Backdrop) -> Self {
        let scale = backdrop.scale;
        let place = |point: Vec3| Vec3::from(backdrop.origin) + point / scale;
        let moved = |camera: Camera| Camera {
            position: place(camera.position),
            near: camera.near / scale,
            ..camera
        };
        Self {
            camera: moved(level.camera),
            culling_camera: moved(level.culling_camera),
            visible_from: place(level.visible_from),
            scale,
            floor: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backdrop_is_seen_from_its_origin_and_a_small_step_away() {
        let state = FrameState {
            camera: Camera {
                position: Vec3::new(160.0, -32.0, 16.0),
                yaw_rad: 1.0,
                near: 4.0,
                ..Camera::default()
            },
            visible_from: Some(Vec3::X * 16.0),
            ..FrameState::default()
        };
        let backdrop = Backdrop {
            origin: [1000.0, 0.0, 5.0],
            scale: 16.0,
            fog: None,
            cells: Vec::new(),
        };
        let found = Viewpoint::from_backdrop(&Viewpoint::from_frame_state(&state), &backdrop);
        let camera = Camera {
            position: Vec3::new(1010.0, -2.0, 6.0),
            near: 0.25,
            ..state.camera
        };
        assert_eq!(found.camera, camera);
        assert_eq!(found.culling_camera, camera);
        assert_eq!(found.visible_from, Vec3::new(1001.0, 0.0, 5.0));
    }

    #[test]
    fn a_mirror_shows_what_is_above_it_upside_down_and_nothing_else() {
        let camera = Camera {
            position: Vec3::new(10.0, -20.0, 6.0),
            yaw_rad: 0.7,
            pitch_rad: -0.3,
            roll_rad: 0.2,
            ..Camera::default()
        };
        let state = FrameState {
            camera,
            ..FrameState::default()
        };
        let height = 2.0;
        let mirror = Viewpoint::mirrored_at(&Viewpoint::from_frame_state(&state), height);
        let aspect = 1.5;
        for [x, y, z] in [[30.0, 0.0, 5.0], [60.0, 10.0, 2.5], [1000.0, 400.0, 300.0]] {
            let point = Vec3::new(x, y, z);
            let mirrored = point.with_z(2.0 * height - z);
            let seen_in_water = camera.clip_from_world(aspect).project_point3(mirrored);
            let drawn = mirror
                .clip_from_eye(aspect)
                .project_point3(point - mirror.camera.position);
            let error = (drawn - seen_in_water * Vec3::new(1.0, -1.0, 0.0)).truncate();
            assert!(error.length() < 1e-3, "{point}: {drawn} {seen_in_water}");
            assert!((0.0..1.0).contains(&drawn.z), "{point}: {drawn}");
        }
        let below = Vec3::new(40.0, 5.0, 1.5) - mirror.camera.position;
        assert!(mirror.clip_from_eye(aspect).project_point3(below).z > 1.0);
    }
}
