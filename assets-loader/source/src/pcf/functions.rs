//! Functions of particle systems: the lists that they stand in, and their names.

/// The lists of a system, by the stage at which a function does its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionList {
    /// What particles are drawn as.
    Renderers,
    /// What changes them in each step.
    Operators,
    /// What they begin as.
    Initializers,
    /// When they are born.
    Emitters,
    /// What accelerates them.
    Forces,
    /// Where they must be.
    Constraints,
}

impl FunctionList {
    /// All lists, as the editor of the games has them.
    pub const ALL: [Self; 6] = [
        Self::Renderers,
        Self::Operators,
        Self::Initializers,
        Self::Emitters,
        Self::Forces,
        Self::Constraints,
    ];

    /// The attribute of a system that holds it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Renderers => "renderers",
            Self::Operators => "operators",
            Self::Initializers => "initializers",
            Self::Emitters => "emitters",
            Self::Forces => "forces",
            Self::Constraints => "constraints",
        }
    }

    /// Its functions in the stock games.
    const fn stock(self) -> &'static [&'static str] {
        match self {
            Self::Renderers => &RENDERERS,
            Self::Operators => &OPERATORS,
            Self::Initializers => &INITIALIZERS,
            Self::Emitters => &EMITTERS,
            Self::Forces => &FORCES,
            Self::Constraints => &CONSTRAINTS,
        }
    }
}

/// Whether the stock games have a function of a name in a list.
pub(super) fn is_stock(list: FunctionList, name: &str) -> bool {
    (list.stock().iter()).any(|known| known.eq_ignore_ascii_case(name))
}

/// The name that games have now for what older files call otherwise.
pub fn canonical_name(name: &str) -> &str {
    let old = OLD_NAMES
        .iter()
        .find(|(old, _)| old.eq_ignore_ascii_case(name));
    old.map_or(name, |(_, now)| now)
}

const OLD_NAMES: [(&str, &str); 52] = [
    ("alpha_fade", "Alpha Fade and Decay"),
    ("alpha_fade_in_random", "Alpha Fade In Random"),
    ("alpha_fade_out_random", "Alpha Fade Out Random"),
    ("alpha_random", "Alpha Random"),
    ("basic_movement", "Movement Basic"),
    ("color_fade", "Color Fade"),
    ("color_random", "Color Random"),
    ("controlpoint_light", "Color Light From Control Point"),
    (
        "create from parent particles",
        "Position From Parent Particles",
    ),
    ("Create In Hierarchy", "Position In CP Hierarchy"),
    (
        "Dampen Movement Relative to Control Point",
        "Movement Dampen Relative to Control Point",
    ),
    (
        "Distance Between Control Points Scale",
        "Remap Distance Between Two Control Points to Scalar",
    ),
    (
        "Distance to Control Points Scale",
        "Remap Distance to Control Point to Scalar",
    ),
    ("emit_noise", "emit noise"),
    ("Inherit Velocity", "Velocity Inherit from Control Point"),
    ("Initial Repulsion Velocity", "Velocity Repulse from World"),
    ("Initial Scalar Noise", "Remap Noise to Scalar"),
    ("Initial Velocity Noise", "Velocity Noise"),
    (
        "Lifespan from distance to world",
        "Lifetime from Time to Impact",
    ),
    ("lifespan_decay", "Lifespan Decay"),
    ("lifetime_random", "Lifetime Random"),
    ("lock to bone", "Movement Lock to Bone"),
    (
        "maintain position along path",
        "Movement Maintain Position Along Path",
    ),
    (
        "Match Particle Velocities",
        "Movement Match Particle Velocities",
    ),
    ("Max Velocity", "Movement Max Velocity"),
    ("noise", "Noise Scalar"),
    (
        "Orient Rotation to 2D Direction",
        "Rotation Orient to 2D Direction",
    ),
    ("oscillate_scalar", "Oscillate Scalar"),
    ("oscillate_vector", "Oscillate Vector"),
    ("position_offset_random", "Position Modify Offset Random"),
    ("position_warp_random", "Position Modify Warp Random"),
    ("position_within_box", "Position Within Box Random"),
    ("position_within_sphere", "Position Within Sphere Random"),
    (
        "postion_lock_to_controlpoint",
        "Movement Lock to Control Point",
    ),
    ("Pre-Age Noise", "Lifetime Pre-Age Noise"),
    ("radius_random", "Radius Random"),
    ("radius_scale", "Radius Scale"),
    ("Random Cull", "Cull Random"),
    ("random position along path", "Position Along Path Random"),
    ("random position on model", "Position on Model Random"),
    ("random yaw", "Rotation Yaw Random"),
    ("Randomly Flip Yaw", "Rotation Yaw Flip Random"),
    ("remap_scalar", "Remap Scalar"),
    ("rotation_movement", "Rotation Basic"),
    ("rotation_random", "Rotation Random"),
    ("rotation_speed_random", "Rotation Speed Random"),
    ("rotation_spin", "Rotation Spin Roll"),
    ("rotation_spin yaw", "Rotation Spin Yaw"),
    ("second_sequence_random", "Sequence Two Random"),
    ("sequence_random", "Sequence Random"),
    ("trail_length_random", "Trail Length Random"),
    ("velocity_random", "Velocity Random"),
];

const RENDERERS: [&str; 10] = [
    "render_animated_sprites",
    "render_blobs",
    "render_model",
    "render_points",
    "render_project",
    "render_rope",
    "render_screen_velocity_rotate",
    "render_sprite_trail",
    "Render models",
    "Render projected",
];

const OPERATORS: [&str; 67] = [
    "Alpha Fade and Decay",
    "Alpha Fade and Decay for Tracers",
    "Alpha Fade In Random",
    "Alpha Fade In Simple",
    "Alpha Fade Out Random",
    "Alpha Fade Out Simple",
    "Clamp Scalar",
    "Clamp Vector",
    "Color Fade",
    "Color Light From Control Point",
    "Cull Random",
    "Cull when crossing plane",
    "Cull when crossing sphere",
    "Inherit Attribute From Parent Particle",
    "Lerp EndCap Scalar",
    "Lerp EndCap Vector",
    "Lerp Initial Scalar",
    "Lerp Initial Vector",
    "Lifespan Decay",
    "Lifespan Endcap Timed Decay",
    "Lifespan Maintain Count Decay",
    "Lifespan Minimum Alpha Decay",
    "Lifespan Minimum Radius Decay",
    "Lifespan Minimum Velocity Decay",
    "Movement Basic",
    "Movement Dampen Relative to Control Point",
    "Movement Lag Compensation",
    "Movement Lerp to Hitbox",
    "Movement Lock to Bone",
    "Movement Lock to Control Point",
    "Movement Lock to Saved Position Along Path",
    "Movement Loop Inside Sphere",
    "Movement Maintain Offset",
    "Movement Maintain Position Along Path",
    "Movement Match Particle Velocities",
    "Movement Max Velocity",
    "Movement Place On Ground",
    "Movement Rotate Particle Around Axis",
    "Movement Set To Control Point",
    "Noise Scalar",
    "Noise Vector",
    "Normal Lock to Control Point",
    "Oscillate Scalar",
    "Oscillate Scalar Simple",
    "Oscillate Vector",
    "Oscillate Vector Simple",
    "Radius Scale",
    "Ramp Scalar Linear Random",
    "Ramp Scalar Linear Simple",
    "Ramp Scalar Spline Random",
    "Ramp Scalar Spline Simple",
    "Remap Control Point to Scalar",
    "Remap Control Point to Vector",
    "Remap Distance Between Two Control Points to Scalar",
    "Remap Distance to Control Point to Scalar",
    "Remap Distance to Line Between Two Control Points to Scalar",
    "Remap Dot Product to Scalar",
    "Remap Percentage Between Two Control Points to Scalar",
    "Remap Scalar",
    "Remap Speed to Scalar",
    "Rotation Basic",
    "Rotation Orient Relative to CP",
    "Rotation Orient to 2D Direction",
    "Rotation Spin Roll",
    "Rotation Spin Yaw",
    "Set child control points from particle positions",
    "Set Control Point Positions",
];

const INITIALIZERS: [&str; 41] = [
    "Alpha Random",
    "Color Lit Per Particle",
    "Color Random",
    "Cull relative to model",
    "Cull relative to Ray Trace Environment",
    "Lifetime From Sequence",
    "Lifetime from Time to Impact",
    "Lifetime Pre-Age Noise",
    "Lifetime Random",
    "Move Particles Between 2 Control Points",
    "Normal Align to CP",
    "Normal Modify Offset Random",
    "Position Along Path Random",
    "Position Along Path Sequential",
    "Position Along Ring",
    "Position From Chaotic Attractor",
    "Position From Parent Cache",
    "Position From Parent Particles",
    "Position In CP Hierarchy",
    "Position Modify Offset Random",
    "Position Modify Warp Random",
    "Position on Model Random",
    "Position Within Box Random",
    "Position Within Sphere Random",
    "Radius Random",
    "Remap Control Point to Scalar",
    "Remap Control Point to Vector",
    "Remap Initial Distance to Control Point to Scalar",
    "Remap Initial Scalar",
    "Remap Noise to Scalar",
    "Remap Scalar to Vector",
    "Rotation Random",
    "Rotation Speed Random",
    "Rotation Yaw Flip Random",
    "Rotation Yaw Random",
    "Scalar Random",
    "Sequence Random",
    "Sequence Two Random",
    "Trail Length Random",
    "Velocity Noise",
    "Velocity Random",
];

const EMITTERS: [&str; 4] = [
    "emit noise",
    "emit to maintain count",
    "emit_continuously",
    "emit_instantaneously",
];

const FORCES: [&str; 8] = [
    "Create vortices from parent particles",
    "Force based on distance from plane",
    // Spelled as in the games.
    concat!("Pull toward", "s control point"),
    "random force",
    "time varying force",
    "turbulent force",
    "twist around axis",
    "up and down force",
];

const CONSTRAINTS: [&str; 8] = [
    "Collision via traces",
    "Constrain distance to control point",
    "Constrain distance to path between two control points",
    "Constrain particles to a box",
    "Prevent passing through a plane",
    "Prevent passing through static part of world",
    "Rope Segment Length",
    "World Collision",
];
