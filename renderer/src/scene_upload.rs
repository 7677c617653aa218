//! Scene -> GPU buffers and textures, once.

/// A scene on the device.
pub struct SceneGpu {}
