//! From where a frame looks at a scene.

use glam::Vec3;
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
        }
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
}
