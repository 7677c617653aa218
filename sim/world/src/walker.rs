//! The state of a walker, for worlds with their own rules of walking.

use glam::Vec3;

/// The state of a walking body between two steps. World axes and units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walker {
    /// Position of the feet: the lowest point of its vertical axis.
    pub feet: Vec3,
    /// Height of the eye above the feet; it eases to the heights of the world for standing and crouching, and smooths
    /// stairs.
    pub eye_height: f32,
    /// Velocity, units per second.
    pub velocity: Vec3,
    /// Whether it is on the ground.
    pub on_ground: bool,
    /// Whether it is ducked, wished or not: it stays so under an obstacle until there is room.
    pub crouched: bool,
    /// Horizontal unit normal of the ladder that it climbs.
    pub ladder: Option<Vec3>,
    /// Whether jump was pressed in the previous step: one press is one jump.
    pub has_jumped: bool,
}

impl Walker {
    /// A walker at rest in the air with its eye at a position, `eye_height` above its feet.
    pub fn new(eye: Vec3, eye_height: f32) -> Self {
        Self {
            feet: eye - Vec3::Z * eye_height,
            eye_height,
            velocity: Vec3::ZERO,
            on_ground: false,
            crouched: false,
            ladder: None,
            has_jumped: false,
        }
    }

    /// Position of the eye.
    pub fn eye(&self) -> Vec3 {
        self.feet + Vec3::Z * self.eye_height
    }

    /// Whether it climbs a ladder.
    pub fn on_ladder(&self) -> bool {
        self.ladder.is_some()
    }
}

/// The input of a walker during a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WalkInput {
    /// Unit vector along the line of sight.
    pub view: Vec3,
    /// Unit vector to the right of it, horizontal.
    pub right: Vec3,
    /// Fractions of the speed ahead and to the right, together no longer than 1.
    pub ahead: f32,
    /// See `ahead`.
    pub aside: f32,
    /// Maximum speed, units per second.
    pub speed: f32,
    /// Jump, or swim up.
    pub jump: bool,
    /// Duck, or dive.
    pub crouch: bool,
}

/// Speed and eye height of a walker in a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gait {
    /// Initial speed, units per second.
    pub speed: f32,
    /// Slowest and fastest speed that can be chosen.
    pub speeds: [f32; 2],
    /// Height of the eye of a standing walker above its feet.
    pub eye_height: f32,
}
