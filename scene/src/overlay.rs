//! Named debug layers of lines and areas.

/// A debug layer: lines and filled triangles in world space, drawn over the level on request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    /// Unique name, shown in switches.
    pub name: String,
    /// Pairs of end points.
    pub lines: Vec<OverlayVertex>,
    /// Triples of corners.
    pub triangles: Vec<OverlayVertex>,
}

/// A colored point of an overlay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverlayVertex {
    /// Position in the world.
    pub position: [f32; 3],
    /// Red, green, blue, alpha; display space, not premultiplied.
    pub color: [u8; 4],
}
