//! The state of a walker, for worlds with their own rules of walking.

use glam::Vec3;

/// The state of a walking body between two steps. World axes and units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walker {
    /// Where it stands: the lowest point of its middle.
    pub feet: Vec3,
    /// Height of its eye above the feet; it eases to what the world has for standing and crouching, and softens
    /// stairs.
    pub eye_height: f32,
    /// Units per second.
    pub velocity: Vec3,
    /// Whether it stands on something.
    pub on_ground: bool,
    /// Whether it is ducked, wished or not: it stays so under an obstacle until there is room.
    pub crouched: bool,
    /// Unit normal, level, of the ladder that it holds on to.
    pub ladder: Option<Vec3>,
    /// Whether the wish to jump was there in the step before: one press is one jump.
    pub has_jumped: bool,
}

impl Walker {
    /// At rest in the air with its eye at a place, `eye_height` above its feet.
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

    /// Where it sees from.
    pub fn eye(&self) -> Vec3 {
        self.feet + Vec3::Z * self.eye_height
    }

    /// Whether it holds on to a ladder.
    pub fn on_ladder(&self) -> bool {
        self.ladder.is_some()
    }
}

/// The input of a walker during a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WalkInput {
    /// Unit vector along the line of sight.
    pub view: Vec3,
    /// Unit vector to the right of it, level.
    pub right: Vec3,
    /// Share of the speed ahead and to the right, together no longer than 1.
    pub ahead: f32,
    /// See `ahead`.
    pub aside: f32,
    /// Units per second at most.
    pub speed: f32,
    /// Jump, or swim up.
    pub jump: bool,
    /// Duck, or dive.
    pub crouch: bool,
}

/// Speed and eye height of a walker in a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gait {
    /// Units per second until its owner changes it.
    pub speed: f32,
    /// Slowest and fastest that it may be changed to.
    pub speeds: [f32; 2],
    /// Height of a standing walker's eye above its feet.
    pub eye_height: f32,
}
