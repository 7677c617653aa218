//! Particles as plain data: what emits them, when, where to, and how they look.
//!
//! Nothing is kept from frame to frame: where every particle of an emitter is at a time follows from its seed and that time
//! alone ([`Emitter::for_each_particle`]), so that pictures repeat and any moment can be shown without those before it.
//! Motion that has no closed form is stepped from each particle's birth ([`Stepped`]).

mod curve;
mod modulation;
mod motion;
mod particles;
mod random;
mod reach;
mod stepped;
#[cfg(test)]
mod tests;

pub use curve::{Curve, CurveKey};
pub use modulation::{Attribute, Modulation, ModulationMode, ModulationSource};
pub use motion::{Motion, Throw};
pub use particles::{EmitterAt, Particle};
pub use stepped::{Constraint, Force, MAX_STEP_COST, Stepped};

use crate::{Aabb, Affine, TextureIdx};

/// Most particles that the emitters of a scene may have alive together; each counts as often as its form has rectangles.
pub const MAX_LIVE_PARTICLES: u64 = 1 << 20;

/// A source of particles. Lengths, directions and places are in its own space unless a field says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitter {
    /// Name for reports.
    pub name: String,
    /// What carries it.
    pub anchor: Anchor,
    /// Distinguishes its particles from those of an emitter that is otherwise equal.
    pub seed: u32,
    /// How many particles there are.
    pub emission: Emission,
    /// Whether its particles are shown where nothing says otherwise.
    pub starts_on: bool,
    /// When particles are born; `None`: they always have been and always are.
    pub window: Option<EmitterWindow>,
    /// Shortest and longest life of a particle; above 0.
    pub life_secs: [f32; 2],
    /// Least and greatest age at birth, as a share of the life; from 0 to below 1.
    pub start_age: [f32; 2],
    /// Where particles are born.
    pub birthplace: Birthplace,
    /// How they move from there.
    pub motion: Motion,
    /// Whether particles that are born stay behind when the anchor moves; else it takes them along.
    pub leaves_trail: bool,
    /// What of the following changes with something else than age, one after the other.
    pub modulations: Vec<Modulation>,
    /// Width and height over the life of a particle, 0 (birth) to 1.
    pub size: Curve<2>,
    /// Share by which sizes differ from particle to particle: 0.25 is from 0.75 to 1.25 of `size`; `0.0..=1.0`.
    pub size_spread: f32,
    /// Red, green, blue in display space (above 1: brighter than white where it adds up) and alpha over the life.
    pub color: Curve<4>,
    /// Each particle's color is multiplied by a random mix of these two: red, green and blue by one, alpha by another.
    pub tints: [[f32; 4]; 2],
    /// Within this distance of the eye the age of a particle counts less, in proportion; 0: at no distance.
    pub full_age_distance: f32,
    /// Least and greatest angle at birth; counter-clockwise as it is seen.
    pub angle_rad: [f32; 2],
    /// Least and greatest speed of turning.
    pub spin_rad_per_sec: [f32; 2],
    /// Pictures that particles show; never empty.
    pub frames: Vec<SpriteFrame>,
    /// Which of them a particle shows when.
    pub play: FramePlay,
    /// What a particle is drawn as.
    pub form: ParticleForm,
    /// How it joins what is behind it.
    pub blend: ParticleBlend,
    /// Whether the scene's light falls on it.
    pub is_lit: bool,
    /// Whether fog hides it.
    pub is_fogged: bool,
    /// Distances from the eye between which it is seen.
    pub range: ViewRange,
    /// The hours of the day at which it is there; `None` is always.
    pub hours: Option<HourWindow>,
    /// Over this distance before a surface a particle fades out, so that no edge shows where they cut; 0: not at all.
    pub softness: f32,
    /// Cells of `Scene::visibility` that it reaches into; empty = it may be seen from everywhere.
    pub cells: Vec<u32>,
}

/// What carries an emitter.
#[derive(Debug, Clone, PartialEq)]
pub enum Anchor {
    /// A place in the world: world from emitter.
    Place(Affine),
    /// A node of an instance.
    Node {
        /// Index into `Scene::instances`.
        instance: u32,
        /// Index into the nodes of its model.
        node: u32,
        /// Where the emitter is on the node.
        node_from_emitter: Affine,
    },
    /// The eye: a box around it, axes as in the world, is always full of particles, which stay where they are in the
    /// world when the eye moves. What leaves the box on one side enters it on the other. Goes with
    /// [`Emission::Steady`]; the birthplace counts for nothing.
    Eye {
        /// Half the sides of the box; above 0.
        half_extent: [f32; 3],
        /// The part of the world that has particles; `None` is all of it.
        within: Option<Aabb>,
    },
}

/// How many particles an emitter has.
#[derive(Debug, Clone, PartialEq)]
pub enum Emission {
    /// One after the other, evenly.
    Stream {
        /// Above 0.
        per_sec: f32,
    },
    /// In groups that are born together.
    Bursts(Vec<Burst>),
    /// Always as many: where a life ends, the next begins, at another place.
    Steady {
        /// At least 1.
        count: u32,
    },
}

/// Particles that are born together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Burst {
    /// After each beginning of the emitter's window; without a window after time 0, once.
    pub at_secs: f32,
    /// How many.
    pub count: u32,
}

/// When particles are born. They live on when it ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmitterWindow {
    /// Its beginning.
    pub start_secs: f32,
    /// Its length, at least 0.
    pub duration_secs: f32,
    /// After which it begins again, for ever; at least as long as its length and above 0. `None`: never.
    pub period_secs: Option<f32>,
}

/// Where particles are born.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Birthplace {
    /// At the origin.
    #[default]
    Point,
    /// Anywhere in a ball, or on its surface.
    Ball {
        /// Its radius, at least 0.
        radius: f32,
        /// Only on its surface.
        is_hollow: bool,
    },
    /// Anywhere in a box.
    Box {
        /// Half its sides, at least 0.
        half_extent: [f32; 3],
    },
    /// On a disc, or on its edge, across +z.
    Disc {
        /// Its radius, at least 0.
        radius: f32,
        /// Only on its edge.
        is_hollow: bool,
    },
    /// Between two balls, and from there on by a random part of a box.
    Shell(Shell),
    /// Along a path.
    Path(BirthPath),
}

/// A birthplace along a quadratic curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BirthPath {
    /// Its beginning, the control point that bends it, and its end.
    pub points: [[f32; 3]; 3],
    /// Particles are born up to this distance from it; at least 0.
    pub radius: f32,
    /// As many particles lie evenly between its ends, one after the other, and then again; 0: anywhere at random.
    pub count: u32,
}

/// A birthplace between two balls. Outward is the direction from their middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shell {
    /// Of the inner and of the outer ball; at least 0.
    pub radii: [f32; 2],
    /// Directions are stretched by these along the axes: 1, 1, 0 leaves those across z.
    pub bias: [f32; 3],
    /// Along which axes directions lead ahead alone.
    pub is_half: [bool; 3],
    /// Least and greatest corner of the box.
    pub offset: [[f32; 3]; 2],
}

/// A picture that particles show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpriteFrame {
    /// Texture; `None` is plain white.
    pub texture: Option<TextureIdx>,
    /// Layer of the texture.
    pub layer: u32,
    /// Upper left corner of what is shown of it, u and v in `0.0..=1.0`.
    pub min: [f32; 2],
    /// Lower right corner.
    pub max: [f32; 2],
}

/// Which frame a particle shows when.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum FramePlay {
    /// One, chosen at birth.
    #[default]
    AtRandom,
    /// All in turn, a number of times in a life.
    OverLife {
        /// At least 0.
        turns: f32,
    },
    /// All in turn at a speed, beginning with the first at birth.
    PerSecond {
        /// Frames per second, at least 0.
        rate: f32,
    },
}

/// What a particle is drawn as.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum ParticleForm {
    /// A rectangle that faces the eye.
    #[default]
    Sprite,
    /// A rectangle that faces the eye as far as it can without leaning: its height is along the world's z.
    Upright,
    /// A rectangle across the emitter's z.
    Flat,
    /// A rectangle drawn out along the way that its particle has come, and turned to the eye.
    Streak {
        /// How much of that way, as the time that it takes at its speed; the height of the particle is added to it. At
        /// least 0.
        secs: f32,
    },
    /// The upper half of a ball around the particle, in the emitter's axes; radius: half the particle's width, and half
    /// its height along z. The picture lies over it as seen from above.
    Dome {
        /// Around z, 3 to 64.
        segments: u32,
        /// From the edge to the top, 1 to 32.
        rings: u32,
    },
    /// A band from the particle to a place, turned to the eye.
    Beam(Beam),
    /// A band through all particles in the order of their births, turned to the eye, which takes its width and its color from
    /// each of them. Particles that are born together, or in turn along a path, are in the order of their numbers.
    Rope(Rope),
}

/// A band through particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rope {
    /// In how many pieces it bends from particle to particle, 1 to [`Rope::MAX_SEGMENTS`].
    pub segments: u32,
    /// Its frame is laid along it again after this length in world units; above 0.
    pub frame_length: f32,
    /// How far the frame moves along it in a second, in frames.
    pub frames_per_sec: f32,
}

/// A band between two places: as wide as its particle, with the frame laid once along each segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam {
    /// Where it leads.
    pub to: [f32; 3],
    /// Share of the width that is left there; `0.0..=1.0`.
    pub end_width: f32,
    /// In how many pieces, 1 to [`Beam::MAX_SEGMENTS`].
    pub segments: u32,
    /// How far its joints are off the straight line at most; at least 0.
    pub noise: f32,
    /// How often joints jump elsewhere; at least 0.
    pub jumps_per_sec: f32,
}

/// How a particle joins what is behind it. All ways are drawn in one order, far to near.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ParticleBlend {
    /// Covers by its alpha.
    #[default]
    Alpha,
    /// Adds its color times its alpha.
    Add,
}

/// Distances from the eye between which things are seen: they fade in over the first pair, out over the second.
/// Each rises, and the first ends before the second begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewRange {
    /// None before the first of these, all from the second on; both 0 for no such limit.
    pub near: [f32; 2],
    /// All up to the first of these, none from the second on; both infinite for no such limit.
    pub far: [f32; 2],
}

/// Hours of a day, on beyond midnight where the end is before the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HourWindow {
    /// The first; `0.0..=24.0`.
    pub from: f32,
    /// From here on it is over; `0.0..=24.0`.
    pub to: f32,
}

/// An emitter at a moment, where it is not as the scene has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmitterState {
    /// Whether any of its particles are shown.
    pub is_on: bool,
    /// Its own time, which need not be that of the level: that of an effect, which something else drives.
    pub clock_secs: f32,
    /// Where it is; `None` where its anchor has it.
    pub world_from_emitter: Option<Affine>,
    /// How its anchor moves, world units per second: where particles of a trail were born follows from it.
    pub velocity: [f32; 3],
    /// Particles are born from and until these times of its clock, as far as it has any at all.
    pub born_secs: [f32; 2],
}

impl ParticleForm {
    /// Of how many rectangles it is made.
    pub fn n_rectangles(&self) -> u32 {
        match self {
            Self::Sprite | Self::Upright | Self::Flat | Self::Streak { .. } => 1,
            Self::Dome { segments, rings } => segments * rings,
            Self::Beam(beam) => beam.segments,
            // Where a frame ends and begins again in a piece, the piece is cut.
            Self::Rope(rope) => rope.segments.saturating_mul(2),
        }
    }
}

impl Beam {
    /// Most segments of a beam.
    pub const MAX_SEGMENTS: u32 = 64;
}

impl Rope {
    /// Most pieces from particle to particle.
    pub const MAX_SEGMENTS: u32 = 16;
}

impl HourWindow {
    /// Whether an hour is one of them.
    pub fn contains(&self, hour: f32) -> bool {
        let Self { from, to } = *self;
        match from <= to {
            true => (from..to).contains(&hour),
            false => hour >= from || hour < to,
        }
    }
}

impl ViewRange {
    /// Seen from everywhere.
    pub const ALL: Self = Self {
        near: [0.0; 2],
        far: [f32::INFINITY; 2],
    };

    /// Whether its distances are in their order.
    pub(crate) fn rises(&self) -> bool {
        let Self { near, far } = self;
        near[0] >= 0.0 && near[0] <= near[1] && near[1] <= far[0] && far[0] <= far[1]
    }

    /// How much is seen at a distance, `0.0..=1.0`.
    pub fn share_at(&self, distance: f32) -> f32 {
        let Self { near, far } = self;
        let risen = |[from, to]: [f32; 2]| {
            if distance >= to {
                1.0
            } else {
                ((distance - from) / (to - from)).clamp(0.0, 1.0)
            }
        };
        // Without a far limit nothing is ever near its end.
        let gone = if distance <= far[0] { 0.0 } else { risen(*far) };
        risen(*near) * (1.0 - gone)
    }
}

impl Default for ViewRange {
    fn default() -> Self {
        Self::ALL
    }
}

impl EmitterState {
    /// Particles are born at all times.
    pub const EVER: [f32; 2] = [f32::NEG_INFINITY, f32::INFINITY];
}

impl Default for EmitterState {
    /// On, at time 0, where its anchor has it.
    fn default() -> Self {
        Self {
            is_on: true,
            clock_secs: 0.0,
            world_from_emitter: None,
            velocity: [0.0; 3],
            born_secs: EmitterState::EVER,
        }
    }
}

impl Default for SpriteFrame {
    /// All of plain white.
    fn default() -> Self {
        Self {
            texture: None,
            layer: 0,
            min: [0.0; 2],
            max: [1.0; 2],
        }
    }
}

impl SpriteFrame {
    /// A whole texture.
    pub fn whole(texture: TextureIdx) -> Self {
        Self {
            texture: Some(texture),
            ..Self::default()
        }
    }

    /// The cells of a texture that is divided into columns and rows, row after row.
    pub fn grid(texture: TextureIdx, columns: u32, rows: u32) -> Vec<Self> {
        let cell = |row: u32, column: u32| {
            let corner =
                |column: u32, row: u32| [column as f32 / columns as f32, row as f32 / rows as f32];
            Self {
                min: corner(column, row),
                max: corner(column + 1, row + 1),
                ..Self::whole(texture)
            }
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells.map(|(row, column)| cell(row, column)).collect()
    }
}

impl Emitter {
    /// Tints that change no color.
    pub const UNTINTED: [[f32; 4]; 2] = [[1.0; 4]; 2];

    /// Most rectangles that it can have at once.
    pub fn n_rectangles(&self) -> u64 {
        let of_each = u64::from(self.form.n_rectangles());
        self.max_live().saturating_mul(of_each)
    }

    /// What steps and modulations of its particles cost for a frame at most, as the number of steps without forces
    /// ([`MAX_STEP_COST`]).
    pub fn step_cost(&self) -> u64 {
        let of_steps = match &self.motion {
            Motion::Stepped(stepped) => {
                // A step begins with the life. The cast saturates.
                let n_steps = self.life_secs[1] / stepped.step_secs;
                let n_steps = n_steps.min(Stepped::MAX_STEPS as f32) as u64 + 1;
                n_steps.saturating_mul(stepped.step_cost())
            }
            Motion::Thrown(_) | Motion::Eased { .. } => 0,
        };
        let of_modulations = self.modulations.iter().map(Modulation::cost).sum();
        self.max_live()
            .saturating_mul(of_steps.saturating_add(of_modulations))
    }

    /// Keeps those from the first on that a scene can have together ([`MAX_LIVE_PARTICLES`], [`MAX_STEP_COST`]) and whose
    /// numbers are valid; returns how many are left out.
    pub fn keep_possible(emitters: &mut Vec<Self>) -> usize {
        let n_before = emitters.len();
        let mut possible = Self::possible(emitters).into_iter();
        emitters.retain(|_| possible.next().unwrap_or(false));
        n_before - emitters.len()
    }

    /// Which emitters [`Self::keep_possible`] keeps.
    pub fn possible(emitters: &[Self]) -> Vec<bool> {
        let (mut n_live, mut cost) = (0u64, 0u64);
        let is_possible = |emitter: &Self| {
            if emitter.check().is_err() {
                return false;
            }
            let live = n_live.saturating_add(emitter.n_rectangles());
            let with_it = cost.saturating_add(emitter.step_cost());
            let fits = live <= MAX_LIVE_PARTICLES && with_it <= MAX_STEP_COST;
            if fits {
                (n_live, cost) = (live, with_it);
            }
            fits
        };
        emitters.iter().map(is_possible).collect()
    }
}

impl Default for Emitter {
    /// At the origin of the world: one white sprite of size 1 a second, which stays there for a second.
    fn default() -> Self {
        Self {
            name: String::new(),
            anchor: Anchor::Place(Affine::IDENTITY),
            seed: 0,
            emission: Emission::Stream { per_sec: 1.0 },
            starts_on: true,
            window: None,
            life_secs: [1.0; 2],
            start_age: [0.0; 2],
            birthplace: Birthplace::Point,
            motion: Motion::default(),
            leaves_trail: false,
            modulations: Vec::new(),
            size: Curve::constant([1.0; 2]),
            size_spread: 0.0,
            color: Curve::constant([1.0; 4]),
            tints: Self::UNTINTED,
            full_age_distance: 0.0,
            angle_rad: [0.0; 2],
            spin_rad_per_sec: [0.0; 2],
            frames: vec![SpriteFrame::default()],
            play: FramePlay::AtRandom,
            form: ParticleForm::Sprite,
            blend: ParticleBlend::Alpha,
            is_lit: false,
            is_fogged: true,
            range: ViewRange::ALL,
            hours: None,
            softness: 0.0,
            cells: Vec::new(),
        }
    }
}
