//! Everything that can go wrong between a scene and a picture.

use ironlands_scene::SceneError;
use thiserror::Error;

/// Why nothing can be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The machine offers no way to draw.
    #[error("no graphics adapter found ({reason}); {advice}")]
    NoAdapter {
        /// What the graphics library says about each backend.
        reason: String,
        /// What can be done about it on this system.
        advice: String,
    },
    /// The adapter is there but refuses to open.
    #[error("the graphics adapter {adapter} does not open a device")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// What the driver says.
        source: wgpu::RequestDeviceError,
    },
    /// The adapter cannot do what every frame needs.
    #[error("the graphics adapter {adapter} has no {lacks}")]
    Unfit {
        /// Name of the adapter.
        adapter: String,
        /// What it cannot do.
        lacks: &'static str,
    },
    /// The device stopped responding.
    #[error("the graphics adapter {adapter} does not finish its work: {reason}")]
    DeviceLost {
        /// Name of the adapter.
        adapter: String,
        /// What the graphics library says.
        reason: String,
    },
    /// The window system gives no surface to draw on.
    #[error("the window cannot be drawn on")]
    NoSurface(#[from] wgpu::CreateSurfaceError),
    /// The window's surface knows no display-space color format.
    #[error(
        "the window of {adapter} takes none of the formats Rgba8Unorm and Bgra8Unorm, only {offered}"
    )]
    NoSurfaceFormat {
        /// Name of the adapter.
        adapter: String,
        /// The formats that it takes.
        offered: String,
    },
    /// The surface was lost, and lost again after it was recreated.
    #[error("the window's surface is lost and does not come back")]
    SurfaceLost,
    /// A target without pixels, or larger than the adapter draws.
    #[error("a picture of {width} x {height} cannot be drawn: each side must be in 1..={max_side}")]
    TargetSize {
        /// Requested, in pixels.
        width: u32,
        /// Requested, in pixels.
        height: u32,
        /// Largest side the adapter draws, in pixels.
        max_side: u32,
    },
    /// A setting that is not among those that can be had.
    #[error("{setting} of {value} is not possible: {rule}")]
    Setting {
        /// Which setting.
        setting: &'static str,
        /// The requested value.
        value: u32,
        /// What can be had.
        rule: &'static str,
    },
    /// The scene's indices, lengths or numbers do not hold together.
    #[error("the scene cannot be drawn")]
    Scene(#[from] SceneError),
    /// Poses of another scene, or not of all of its nodes.
    #[error("there are poses for {given} nodes, the scene's instances have {needed}")]
    Poses {
        /// How many there are.
        given: usize,
        /// Nodes of all instances.
        needed: usize,
    },
    /// Morph weights of another scene, or not of all of its instances.
    #[error("there are morph weights for {given} instances, the scene has {needed}")]
    Morphs {
        /// How many there are.
        given: usize,
        /// Instances of the scene.
        needed: usize,
    },
    /// Emitters of another scene, or not all of its emitters.
    #[error("there are states of {given} emitters, the scene has {needed}")]
    Emitters {
        /// How many there are.
        given: usize,
        /// Emitters of the scene.
        needed: usize,
    },
    /// Part of the scene does not fit what the adapter can hold in one piece.
    #[error("{what} needs {needed} {unit}, the graphics adapter has at most {limit}")]
    TooLarge {
        /// Which part.
        what: String,
        /// What it needs.
        needed: u64,
        /// The adapter's limit.
        limit: u64,
        /// Of what.
        unit: &'static str,
    },
    /// The device has no room left.
    #[error("the graphics adapter {adapter} has not enough memory for {what}")]
    OutOfMemory {
        /// Name of the adapter.
        adapter: String,
        /// What there was no room for.
        what: String,
    },
    /// The driver or the graphics library refused an operation.
    #[error("the graphics adapter {adapter} refuses {what}: {reason}")]
    Refused {
        /// Name of the adapter.
        adapter: String,
        /// What was to be done.
        what: String,
        /// What the graphics library says, in one line.
        reason: String,
    },
    /// The picture does not come back from the device.
    #[error("the picture could not be read back: {reason}")]
    Capture {
        /// What the graphics library says.
        reason: String,
    },
}
