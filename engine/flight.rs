//! What was asked for: from where, how and onto what a level is drawn.

use ironlands::camera::{Pose, Rig};
use ironlands::renderer::{Camera, FrameState, GpuOptions, RenderSettings};

use crate::view_options::ViewOptions;

/// The wishes of the command line about one level, in the words of the rooms that fulfil them.
#[derive(Debug, Clone)]
pub struct Flight {
    /// Where the Home key goes.
    pub home: Pose,
    /// The eye at the start.
    pub start: Rig,
    /// Angle between the left and the right edge of the picture.
    pub horizontal_fov_rad: f32,
    /// Width and height of the window or picture in pixels.
    pub size: [u32; 2],
    /// How the device is chosen.
    pub gpu: GpuOptions,
    /// Quality.
    pub render: RenderSettings,
    /// What is shown at the start.
    pub options: ViewOptions,
}

impl Flight {
    /// The camera of an eye.
    pub fn camera(&self, pose: &Pose) -> Camera {
        Camera {
            position: pose.position,
            yaw_rad: pose.yaw_rad,
            pitch_rad: pose.pitch_rad,
            horizontal_fov_rad: self.horizontal_fov_rad,
            ..Camera::default()
        }
    }

    /// A frame with what is shown at the start, and nothing picked.
    pub fn frame_state(&self, pose: &Pose, time_secs: f32) -> FrameState {
        FrameState {
            camera: self.camera(pose),
            time_secs,
            switches: self.options.switches,
            overlays: self.options.shown_overlays(),
            ..FrameState::default()
        }
    }
}
