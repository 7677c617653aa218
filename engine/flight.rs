//! From where, how and onto what a level or model is drawn.

use crate::camera::{Eye, PathView, Pose, ViewAngles};
use crate::renderer::{Camera, FrameState, GpuCaps, GpuOptions, RenderSettings};
use glam::Vec3;

use crate::error::AppError;
use crate::headless::go_around;
use crate::path_flight::PathFlight;
use crate::view_options::ViewOptions;

/// Radius of the circle that measured frames fly through a level, in its units.
const CIRCLE_RADIUS: f32 = 30.0;

/// The wishes of the command line about one level or model, in the words of the rooms that fulfil them.
#[derive(Debug, Clone)]
pub struct Flight {
    /// The eye at the start.
    pub start: Eye,
    /// Distance of the nearest thing that is drawn.
    pub near: f32,
    /// Width and height of the window or picture in pixels.
    pub size: [u32; 2],
    /// How the device is chosen.
    pub gpu: GpuOptions,
    /// The requested quality.
    pub quality: Quality,
    /// What is shown at the start.
    pub options: ViewOptions,
}

/// The requested quality; what was left open depends on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quality {
    /// Samples per pixel.
    pub msaa_samples: Option<u32>,
    /// Texture samples along slanted surfaces.
    pub anisotropy: Option<u16>,
    /// Most memory of land that comes in tiles, on the device.
    pub land_memory_mib: u64,
}

impl Quality {
    /// The renderer's settings on a device.
    ///
    /// A graphics card does the best there is in passing. In software the best takes ten times as long as the
    /// plain, which is the difference between flying and waiting.
    ///
    /// # Errors
    /// For numbers that the renderer does not know.
    pub fn settings(&self, caps: &GpuCaps) -> Result<RenderSettings, AppError> {
        let (msaa_samples, anisotropy) = if caps.is_software { (1, 1) } else { (4, 16) };
        RenderSettings::new(
            self.msaa_samples.unwrap_or(msaa_samples),
            self.anisotropy.unwrap_or(anisotropy),
        )
        .and_then(|settings| settings.with_tile_budget(self.land_memory_mib << 20))
        .map_err(AppError::Draw)
    }
}

impl Flight {
    /// The camera of an eye.
    fn camera(&self, pose: &Pose, options: &ViewOptions) -> Camera {
        Camera {
            position: pose.position,
            yaw_rad: pose.yaw_rad,
            pitch_rad: pose.pitch_rad,
            roll_rad: 0.0,
            horizontal_fov_rad: options.fov_rad,
            near: self.near,
        }
    }

    /// The camera at a place of a camera path.
    fn camera_on_path(&self, view: &PathView, options: &ViewOptions) -> Camera {
        let ViewAngles {
            yaw_rad,
            pitch_rad,
            roll_rad,
        } = view.angles();
        Camera {
            position: view.position,
            yaw_rad,
            pitch_rad,
            roll_rad,
            horizontal_fov_rad: options.fov_rad,
            near: self.near,
        }
    }

    /// Sets the viewpoint of a frame and what is shown in it, but for poses and highlights. It is seen
    /// from `pose`, unless the camera follows a path.
    pub fn show_in(
        &self,
        state: &mut FrameState,
        pose: &Pose,
        options: &ViewOptions,
        time_secs: f32,
    ) {
        let on_path = options.path.as_ref().and_then(PathFlight::view);
        state.camera = match on_path {
            Some(view) => self.camera_on_path(&view, options),
            None => self.camera(pose, options),
        };
        state.time_secs = time_secs;
        options.show_in(state);
    }

    /// Takes a frame along to `share` (0..1) of the way that is measured: the camera path, or else a circle that starts
    /// and ends where `state` is seen from.
    pub fn go_measured_way(&self, state: &mut FrameState, options: &ViewOptions, share: f32) {
        let Some(path) = &options.path else {
            return go_around(state, self.circle_center(), share);
        };
        let mut path = path.clone();
        path.seek(share * path.end_secs());
        if let Some(view) = path.view() {
            state.camera = self.camera_on_path(&view, options);
        }
        state.time_secs += path.time_secs();
    }

    /// The middle of the circle that measured frames go along: it starts and ends at the start, and goes around
    /// the model, or through a level so that near and far, land and sky all come into view.
    fn circle_center(&self) -> Vec3 {
        let pose = self.start.pose();
        match self.start.orbit() {
            Some(orbit) => orbit.target(),
            None => pose.position - pose.right() * CIRCLE_RADIUS,
        }
    }
}
