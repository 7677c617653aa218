//! Numbers of a particle that follow from other numbers of it.

use glam::Vec3;

use super::Particle;
use super::random::{Random, noise};
use super::stepped::share_of;
use crate::Affine;

/// A number of a particle that follows from another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modulation {
    /// What it changes.
    pub attribute: Attribute,
    /// What it follows from.
    pub source: ModulationSource,
    /// Between which values of the source the output changes, the first not above the second; one value is a step.
    pub input: [f32; 2],
    /// The output at and below the first of these, and at and above the second.
    pub output: [f32; 2],
    /// The output is multiplied by a number between these, another one for each particle.
    pub strength: [f32; 2],
    /// How the output joins the value of the attribute.
    pub mode: ModulationMode,
    /// From which age to which it acts, `0.0..=1.0`.
    pub ages: [f32; 2],
}

/// What a modulation changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    /// Width and height.
    Size,
    /// Width alone; below 0 the particle is mirrored.
    Width,
    /// The part of the color.
    Red,
    /// The part of the color.
    Green,
    /// The part of the color.
    Blue,
    /// The part of the color, which stays in `0.0..=1.0`.
    Alpha,
    /// The angle, in radians.
    Angle,
    /// The way that a streak shows: a factor, 1 by itself.
    Stretch,
    /// Which frame is shown: whole numbers, as often over as there are frames.
    Frame,
}

/// What a modulation follows from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModulationSource {
    /// Share of the life, `0.0..=1.0`.
    Age,
    /// Time since birth.
    Secs,
    /// Time of birth since the emitter's window began.
    BirthSecs,
    /// A number in `0.0..1.0` that stays the same for a particle.
    Random,
    /// World units per second.
    Speed,
    /// The direction in which the particle moves, seen from above: radians from the world's x toward its y, from -π to π.
    Heading,
    /// The direction from a place to the particle, seen from above, as of [`Self::Heading`].
    Bearing {
        /// The place, in the axes of the emitter.
        from: [f32; 3],
    },
    /// Another number of the particle, as the modulations before this one left it.
    Attribute(Attribute),
    /// From a place in the axes of the emitter, in world units.
    Distance {
        /// The place.
        to: [f32; 3],
        /// From where the particle was born, and not from where it is.
        at_birth: bool,
    },
    /// Noise of the place in the world and of time, from -1 to 1.
    Noise {
        /// How fast it changes with the place.
        scale: f32,
        /// How fast it changes with the time of the emitter.
        per_sec: f32,
        /// Of where and when the particle was born.
        at_birth: bool,
    },
    /// A sine of time since birth, from -1 to 1.
    Wave {
        /// Least and greatest number of cycles, in a second or in a life.
        cycles: [f32; 2],
        /// Whether they are cycles of a life.
        in_life: bool,
        /// Where in a cycle it begins, `0.0..=1.0`.
        phase: f32,
    },
}

/// How the output of a modulation joins the attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModulationMode {
    /// In its place.
    Set,
    /// As a factor.
    Multiply,
    /// It is added.
    Add,
    /// The attribute itself, as it is at the lower end of the source, and the second output at the upper end.
    Blend,
    /// The attribute itself, between the two outputs; the source counts for nothing.
    Clamp,
}

impl Attribute {
    /// Its value; of a size the width.
    fn of(self, particle: &Particle) -> f32 {
        let [red, green, blue, alpha] = particle.color;
        match self {
            Self::Size | Self::Width => particle.size[0],
            Self::Red => red,
            Self::Green => green,
            Self::Blue => blue,
            Self::Alpha => alpha,
            Self::Angle => particle.angle_rad,
            Self::Stretch => particle.stretch,
            Self::Frame => particle.frame as f32,
        }
    }
}

/// What a modulation knows of a particle besides the particle.
pub(super) struct Modulated<'a> {
    pub age: f32,
    pub birthplace: [f32; 3],
    /// Since the emitter's window began.
    pub born_secs: f32,
    pub world_from_emitter: &'a Affine,
    /// Time of the emitter.
    pub clock_secs: f64,
    pub n_frames: u32,
}

impl Modulation {
    /// The largest number that any of its ranges may have, and what it makes of an attribute, both without their signs.
    pub const LARGEST: f32 = 1.0e6;

    /// Does its work on a particle; `random` is a sequence of the particle for this modulation.
    pub(super) fn apply(&self, particle: &mut Particle, of: &Modulated<'_>, mut random: Random) {
        if !(self.ages[0]..=self.ages[1]).contains(&of.age) {
            return;
        }
        let value = self.source.value(particle, of, &mut random);
        let share = share_of(value, self.input);
        let strength = random.between(self.strength);
        let [low, high] = self.output.map(|it| it * strength);
        let output = low + (high - low) * share;
        let joined = |value: f32| {
            let joined = match self.mode {
                ModulationMode::Set => output,
                ModulationMode::Multiply => value * output,
                ModulationMode::Add => value + output,
                ModulationMode::Blend => value + (high - value) * share,
                ModulationMode::Clamp => value.clamp(low.min(high), low.max(high)),
            };
            joined.clamp(-Self::LARGEST, Self::LARGEST)
        };
        let [width, height] = particle.size;
        match self.attribute {
            Attribute::Size => particle.size = [joined(width), joined(height)],
            Attribute::Width => particle.size[0] = joined(width),
            Attribute::Red => particle.color[0] = joined(particle.color[0]).max(0.0),
            Attribute::Green => particle.color[1] = joined(particle.color[1]).max(0.0),
            Attribute::Blue => particle.color[2] = joined(particle.color[2]).max(0.0),
            Attribute::Alpha => particle.color[3] = joined(particle.color[3]).clamp(0.0, 1.0),
            Attribute::Angle => particle.angle_rad = joined(particle.angle_rad),
            Attribute::Stretch => particle.stretch = joined(particle.stretch).max(0.0),
            Attribute::Frame => {
                particle.frame = (joined(particle.frame as f32).max(0.0) as u32) % of.n_frames;
            }
        }
    }

    /// The most that an attribute which was at most a number can become, both without their signs.
    pub(super) fn largest_of(&self, before: f32) -> f32 {
        let of = |range: [f32; 2]| range[0].abs().max(range[1].abs());
        let output = of(self.output) * of(self.strength);
        let after = match self.mode {
            // At other ages, or at the other end, it is what it was.
            ModulationMode::Set | ModulationMode::Blend | ModulationMode::Clamp => {
                before.max(output)
            }
            ModulationMode::Multiply => before * output.max(1.0),
            ModulationMode::Add => before + output,
        };
        after.min(Self::LARGEST.max(before))
    }

    /// As the number of steps without forces.
    pub(super) fn cost(&self) -> u64 {
        match self.source {
            ModulationSource::Noise { .. } => 4,
            _ => 1,
        }
    }
}

impl ModulationSource {
    fn value(&self, particle: &Particle, of: &Modulated<'_>, random: &mut Random) -> f32 {
        let place = |at_birth: bool| {
            Vec3::from(if at_birth {
                of.birthplace
            } else {
                particle.position
            })
        };
        match *self {
            Self::Age => of.age,
            Self::Secs => particle.secs,
            Self::BirthSecs => of.born_secs,
            Self::Random => random.unit(),
            Self::Speed => Vec3::from(particle.velocity).length(),
            Self::Heading => heading(particle.velocity.into()),
            Self::Bearing { from } => {
                heading(place(false) - Vec3::from(of.world_from_emitter.transform_point(from)))
            }
            Self::Attribute(attribute) => attribute.of(particle),
            Self::Distance { to, at_birth } => {
                place(at_birth).distance(of.world_from_emitter.transform_point(to).into())
            }
            Self::Noise {
                scale,
                per_sec,
                at_birth,
            } => {
                let lived = if at_birth { particle.secs } else { 0.0 };
                // The lattice of the noise repeats, so that the remainder of long times is as good.
                let secs = ((of.clock_secs - f64::from(lived)) * f64::from(per_sec)) % 65_536.0;
                noise(place(at_birth) * scale + Vec3::splat(secs as f32))
            }
            Self::Wave {
                cycles,
                in_life,
                phase,
            } => {
                let time = if in_life { of.age } else { particle.secs };
                let turns = phase + random.between(cycles) * time;
                (turns * std::f32::consts::TAU).sin()
            }
        }
    }
}

fn heading(direction: Vec3) -> f32 {
    direction.y.atan2(direction.x)
}
