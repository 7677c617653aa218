//! Numbers of particles that follow from others: noise, oscillation, ramps and remapped numbers of a particle system.
//!
//! Names and defaults of parameters are from Valve's developer wiki and files of others. Numbers of attributes are the
//! order in which games have them.

use ironlands_scene::{Attribute, Modulation, ModulationMode, ModulationSource, ParticleForm};

use super::flight::Axes;
use super::points::ControlPoints;
use super::ramp::{Ease, Ramp};
use super::recipe::{Recipe, mean, sorted, sum};
use crate::pcf::Parameters;

/// Most of them in a system.
const MOST_SCALARS: usize = 32;
/// What any of their numbers can be.
const LARGEST: f32 = 1.0e6;
const SIDES_PER_RADIUS: f32 = 2.0;

/// Attributes by their numbers.
pub(super) const RADIUS: i32 = 3;
pub(super) const ROLL: i32 = 4;
pub(super) const COLOR: i32 = 6;
pub(super) const ALPHA: i32 = 7;
pub(super) const CREATION_TIME: i32 = 8;
const SEQUENCE: i32 = 9;
const TRAIL_LENGTH: i32 = 10;
/// What a color is made of.
pub(super) const COLOR_PARTS: [Attribute; 3] = [Attribute::Red, Attribute::Green, Attribute::Blue];

/// A modulation before it is known what its particles are drawn as. Places are in the axes of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scalar {
    field: Field,
    pub modulation: Modulation,
}

/// What games call the attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Radius,
    Roll,
    Alpha,
    Sequence,
    TrailLength,
    /// What has no number.
    Other,
}

impl Field {
    pub fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            RADIUS => Self::Radius,
            ROLL => Self::Roll,
            ALPHA => Self::Alpha,
            SEQUENCE => Self::Sequence,
            TRAIL_LENGTH => Self::TrailLength,
            _ => return None,
        })
    }

    fn attribute(self) -> Attribute {
        match self {
            Self::Radius => Attribute::Size,
            Self::Roll => Attribute::Angle,
            Self::Alpha => Attribute::Alpha,
            Self::Sequence => Attribute::Frame,
            Self::TrailLength => Attribute::Stretch,
            Self::Other => Attribute::Width,
        }
    }
}

impl Scalar {
    /// One that sets an attribute to what a source says, from 0 to 1, all life long.
    pub fn new(field: Field, source: ModulationSource) -> Self {
        let modulation = Modulation {
            attribute: field.attribute(),
            source,
            input: [0.0, 1.0],
            output: [0.0, 1.0],
            strength: [1.0; 2],
            mode: ModulationMode::Set,
            ages: [0.0, 1.0],
        };
        Self { field, modulation }
    }

    /// As the parameters have the range of its output.
    pub fn with_output(mut self, p: &Parameters<'_>) -> Self {
        let keys = [("output minimum", 0.0), ("output maximum", 1.0)];
        self.modulation.output = keys.map(|(key, default)| bounded(p.number(key, default)));
        if p.flag("output is scalar of initial random range", false) {
            self.modulation.mode = ModulationMode::Multiply;
        }
        self
    }

    /// With the range of its input, turned around with its output where it falls.
    pub fn with_input(mut self, input: [f32; 2]) -> Self {
        let [from, to] = input.map(bounded);
        self.modulation.input = sorted([from, to]);
        if from > to {
            self.modulation.output.reverse();
        }
        self
    }

    /// What its output is for one value of its input, for all particles.
    pub fn at(self, value: f32, input: [f32; 2]) -> Self {
        let mut scalar = self.with_input(input);
        let Modulation { input, output, .. } = scalar.modulation;
        let ramp = Ramp {
            ages: input,
            values: output,
            ease: Ease::Bias(0.5),
        };
        scalar.modulation.output = [bounded(ramp.at(value)); 2];
        scalar
    }

    /// Nothing is seen of a particle unless its source is above a number.
    pub fn shown_above(source: ModulationSource, least: f32) -> Self {
        let mut shown = Self::new(Field::Alpha, source).with_input([least; 2]);
        shown.modulation.mode = ModulationMode::Multiply;
        shown
    }
}

impl Recipe {
    /// Initializers by their names in lower case, for numbers that a particle keeps.
    pub(super) fn begin(
        &mut self,
        name: &str,
        p: &Parameters<'_>,
        points: &ControlPoints<'_>,
    ) -> bool {
        let output = Field::from_number(p.int("output field", RADIUS));
        let scalar = match name {
            "scalar random" => output.map(|field| {
                let mut scalar = Scalar::new(field, ModulationSource::Random);
                scalar.modulation.output = [("min", 0.0), ("max", 0.0)]
                    .map(|(key, default)| bounded(p.number(key, default)));
                scalar
            }),
            "remap noise to scalar" => output.map(|field| {
                let source = ModulationSource::Noise {
                    scale: bounded(p.number("spatial noise coordinate scale", 0.001)),
                    per_sec: bounded(p.number("time noise coordinate scale", 0.1)),
                    at_birth: true,
                };
                let input = match p.flag("absolute value", false) {
                    true if p.flag("invert absolute value", false) => [1.0, 0.0],
                    true => [0.0, 1.0],
                    false => [-1.0, 1.0],
                };
                Scalar::new(field, source).with_output(p).with_input(input)
            }),
            "remap initial distance to control point to scalar" => {
                output.map(|field| by_distance(field, p, points, true))
            }
            "remap control point to scalar" => output.and_then(|field| by_point(field, p, points)),
            "remap control point to vector" if p.int("output field", 0) == COLOR => {
                return self.color_by_point(p, points);
            }
            "rotation yaw flip random" => {
                let share = p.number("flip percentage", 0.5).clamp(0.0, 1.0);
                let mut flipped = Scalar::new(Field::Other, ModulationSource::Random);
                flipped.modulation.input = [share; 2];
                flipped.modulation.output = [-1.0, 1.0];
                flipped.modulation.mode = ModulationMode::Multiply;
                Some(flipped)
            }
            _ => None,
        };
        self.add_scalar(scalar)
    }

    /// Operators by their names in lower case, for numbers that change.
    pub(super) fn follow(
        &mut self,
        name: &str,
        p: &Parameters<'_>,
        points: &ControlPoints<'_>,
    ) -> bool {
        let output = Field::from_number(p.int("output field", RADIUS));
        let scalar = match name {
            "noise scalar" => output.map(|field| {
                let mut scalar = Scalar::new(field, noise_of(p))
                    .with_output(p)
                    .with_input([-1.0, 1.0]);
                if p.flag("additive", false) {
                    scalar.modulation.mode = ModulationMode::Add;
                }
                scalar
            }),
            "noise vector" if p.int("output field", COLOR) == COLOR => return self.noise_colors(p),
            "oscillate scalar" => self.oscillation(p, true),
            "oscillate scalar simple" => self.oscillation(p, false),
            "ramp scalar linear random"
            | "ramp scalar linear simple"
            | "ramp scalar spline random"
            | "ramp scalar spline simple" => self.rising(p),
            "remap distance to control point to scalar" => {
                output.map(|field| by_distance(field, p, points, false))
            }
            "remap speed to scalar" => output.map(|field| {
                (Scalar::new(field, ModulationSource::Speed).with_output(p)).with_input(input_of(p))
            }),
            "remap control point to scalar" => output.and_then(|field| by_point(field, p, points)),
            "remap control point to vector" if p.int("output field", 0) == COLOR => {
                return self.color_by_point(p, points);
            }
            "remap distance between two control points to scalar" => {
                output.map(|field| by_points_apart(field, p, points))
            }
            "lifespan minimum velocity decay" => Some(Scalar::shown_above(
                ModulationSource::Speed,
                p.number("minimum velocity", 1.0),
            )),
            "cull when crossing sphere" => {
                let offset = p.vec3("control point offset", [0.0; 3]);
                let to = sum(points.place(p.int("control point", 0)), offset);
                let at_birth = false;
                let to = to.map(bounded);
                let source = ModulationSource::Distance { to, at_birth };
                let mut shown = Scalar::shown_above(source, p.number("cull distance", 0.0));
                if !p.flag("cull inside instead of outside", false) {
                    shown.modulation.output = [1.0, 0.0];
                }
                Some(shown)
            }
            "cull random" => {
                let share = p.number("cull percentage", 0.5);
                let mut shown = Scalar::shown_above(ModulationSource::Random, share);
                let ages = [
                    p.number("cull start time", 0.0),
                    p.number("cull end time", 1.0),
                ];
                shown.modulation.ages = [mean(ages).clamp(0.0, 1.0), 1.0];
                Some(shown)
            }
            _ => None,
        };
        self.add_scalar(scalar)
    }

    pub(super) fn add_scalar(&mut self, scalar: Option<Scalar>) -> bool {
        let fits = self.scalars.len() < MOST_SCALARS;
        // Sequences that it names are shown besides those that particles begin with.
        if let Some(Scalar { modulation, .. }) = scalar.filter(|it| it.field == Field::Sequence) {
            let [low, high] = sorted(modulation.output);
            let [first, last] = self.sequences;
            // The casts saturate.
            self.sequences = [first.min(low as u32), last.max(high as u32)];
        }
        self.scalars.extend(scalar.filter(|_| fits));
        scalar.is_some() && fits
    }

    /// Each part of the color by a coordinate of a control point.
    fn color_by_point(&mut self, p: &Parameters<'_>, points: &ControlPoints<'_>) -> bool {
        let vector = |key: &str, default: f32| p.vec3(key, [default; 3]).map(bounded);
        let place = points.place(p.int("input control point number", 0));
        let input = vector("input minimum", 0.0)
            .into_iter()
            .zip(vector("input maximum", 1.0));
        let output = vector("output minimum", 0.0)
            .into_iter()
            .zip(vector("output maximum", 1.0));
        let ranges = place.into_iter().zip(input.zip(output));
        COLOR_PARTS.into_iter().zip(ranges).all(
            |(attribute, (value, ((from, to), (low, high))))| {
                let mut scalar = Scalar::new(Field::Other, ModulationSource::Age);
                scalar.modulation.attribute = attribute;
                scalar.modulation.output = [low, high];
                self.add_scalar(Some(scalar.at(value, [from, to])))
            },
        )
    }

    /// Each part of the color by a noise of its own.
    fn noise_colors(&mut self, p: &Parameters<'_>) -> bool {
        let adds = p.flag("additive", false);
        self.add_colors(p, |color| {
            color.modulation.source = noise_of(p);
            *color = color.with_input([-1.0, 1.0]);
            if adds {
                color.modulation.mode = ModulationMode::Add;
            }
        })
    }

    /// A sine that is added up: the attribute is off by the integral of its speed.
    ///
    /// `is_of_life`: whether times of one that does not say are shares of a life.
    fn oscillation(&self, p: &Parameters<'_>, is_of_life: bool) -> Option<Scalar> {
        let field = Field::from_number(p.int("oscillation field", ALPHA))?;
        // The simple kind has one number for each range.
        let range = |name: &str, default: f32| {
            let one = p.number(&format!("oscillation {name}"), default);
            ["min", "max"].map(|end| bounded(p.number(&format!("oscillation {name} {end}"), one)))
        };
        let (rates, frequencies) = (range("rate", 0.0), range("frequency", 1.0));
        let multiplier = bounded(p.number("oscillation multiplier", 2.0));
        // Half turns of a sine.
        let cycles = frequencies.map(|it| 0.5 * multiplier * it);
        let angle = std::f32::consts::TAU * mean(cycles).abs();
        if angle <= 0.0 {
            return None;
        }
        let in_life = p.flag("proportional 0/1", is_of_life);
        // The integral of a sine is the sine a quarter before.
        let phase = 0.5 * bounded(p.number("oscillation start phase", 0.5)) - 0.25;
        let source = ModulationSource::Wave {
            cycles,
            in_life,
            phase,
        };
        let mut scalar = Scalar::new(field, source).with_input([-1.0, 1.0]);
        // A rate is of a second; a life that is the unit of time has more or less of it.
        let secs = if in_life { mean(self.life) } else { 1.0 };
        let most = secs / angle;
        scalar.modulation.output = [-most, most];
        scalar.modulation.strength = rates;
        scalar.modulation.mode = ModulationMode::Add;
        scalar.modulation.ages = self.active_ages(p);
        Some(scalar)
    }

    /// A number that grows by a rate for a part of the life.
    fn rising(&self, p: &Parameters<'_>) -> Option<Scalar> {
        let field = Field::from_number(p.int("ramp field", RADIUS))?;
        let one = p.number("ramp rate", 0.0);
        let rates = ["min", "max"].map(|end| bounded(p.number(&format!("ramp rate {end}"), one)));
        let [from, to] = self.active_ages(p);
        let mut scalar = Scalar::new(field, ModulationSource::Age).with_input([from, to]);
        scalar.modulation.output = [0.0, (to - from) * mean(self.life)];
        scalar.modulation.strength = rates;
        scalar.modulation.mode = ModulationMode::Add;
        Some(scalar)
    }

    /// From which age to which a function acts, by the mean of its times.
    fn active_ages(&self, p: &Parameters<'_>) -> [f32; 2] {
        let ends = [("start time", 0.0), ("end time", 1.0)].map(|(name, default)| {
            let one = p.number(name, default);
            let ends = ["min", "max"].map(|end| p.number(&format!("{name} {end}"), one));
            match p.flag("start/end proportional", true) {
                true => mean(ends),
                false => mean(ends) / mean(self.life),
            }
        });
        sorted(ends.map(|it| it.clamp(0.0, 1.0)))
    }

    /// The modulations of particles that are drawn as this, in the axes of their emitter. Sequences are frames only where
    /// each has one picture.
    pub(super) fn modulations(
        &self,
        form: ParticleForm,
        axes: &Axes,
        sequences_are_frames: bool,
    ) -> Vec<Modulation> {
        let shown = self.scalars.iter().filter(|it| match it.field {
            Field::Sequence => sequences_are_frames,
            Field::TrailLength => matches!(form, ParticleForm::Streak { .. }),
            _ => true,
        });
        let mut modulations: Vec<_> = shown.map(|it| self.modulation(it, form, axes)).collect();
        modulations.extend(self.trail_lengths(form));
        modulations
    }

    fn modulation(&self, scalar: &Scalar, form: ParticleForm, axes: &Axes) -> Modulation {
        let mut modulation = scalar.modulation;
        match &mut modulation.source {
            ModulationSource::Distance { to: place, .. }
            | ModulationSource::Bearing { from: place } => *place = axes.place(*place),
            ModulationSource::Attribute(Attribute::Size) => {
                modulation.input = modulation.input.map(|it| bounded(it * SIDES_PER_RADIUS));
            }
            ModulationSource::Attribute(Attribute::Angle) => {
                modulation.input = modulation.input.map(f32::to_radians);
            }
            _ => {}
        }
        let is_factor = modulation.mode == ModulationMode::Multiply;
        let unit = match scalar.field {
            _ if is_factor => 1.0,
            Field::Radius => SIDES_PER_RADIUS,
            Field::Roll => 1f32.to_radians(),
            Field::TrailLength => match form {
                ParticleForm::Streak { secs } if secs > 0.0 => secs.recip(),
                _ => 1.0,
            },
            Field::Alpha | Field::Sequence | Field::Other => 1.0,
        };
        modulation.output = modulation.output.map(|it| bounded(it * unit));
        let is_number = !matches!(
            modulation.mode,
            ModulationMode::Add | ModulationMode::Multiply
        );
        if scalar.field == Field::Sequence && is_number {
            let [first, _] = self.sequences;
            modulation.output = modulation.output.map(|it| it - first as f32);
        }
        if !self.dies {
            self.of_endless(&mut modulation);
        }
        // The height of these is the way that they have come.
        let is_long = matches!(form, ParticleForm::Streak { .. } | ParticleForm::Rope(_));
        if is_long && modulation.attribute == Attribute::Size {
            modulation.attribute = Attribute::Width;
        }
        modulation
    }

    /// Particles that nothing ends have no age: what counts shares of a life counts those of the life that they were given.
    fn of_endless(&self, modulation: &mut Modulation) {
        let life = mean(self.life);
        modulation.ages = [0.0, 1.0];
        match &mut modulation.source {
            source @ ModulationSource::Age => {
                *source = ModulationSource::Secs;
                modulation.input = modulation.input.map(|it| bounded(it * life));
            }
            ModulationSource::Wave {
                cycles, in_life, ..
            } if *in_life => {
                *in_life = false;
                *cycles = cycles.map(|it| bounded(it / life));
            }
            _ => {}
        }
    }

    /// Trails whose lengths differ.
    fn trail_lengths(&self, form: ParticleForm) -> Option<Modulation> {
        let middle = mean(self.trail_secs);
        let [least, most] = self.trail_secs;
        let is_streak = matches!(form, ParticleForm::Streak { .. });
        (is_streak && least != most && middle > 0.0).then(|| {
            let lengths = Scalar::new(Field::TrailLength, ModulationSource::Random);
            Modulation {
                output: [least / middle, most / middle].map(|it| bounded(it.max(0.0))),
                mode: ModulationMode::Multiply,
                ..lengths.modulation
            }
        })
    }
}

pub(super) fn input_of(p: &Parameters<'_>) -> [f32; 2] {
    [
        p.number("input minimum", 0.0),
        p.number("input maximum", 1.0),
    ]
}

fn distances_of(p: &Parameters<'_>) -> [f32; 2] {
    [
        p.number("distance minimum", 0.0),
        p.number("distance maximum", 128.0),
    ]
}

fn noise_of(p: &Parameters<'_>) -> ModulationSource {
    ModulationSource::Noise {
        scale: bounded(p.number("noise coordinate scale", 0.1)),
        per_sec: 0.0,
        at_birth: false,
    }
}

fn by_distance(
    field: Field,
    p: &Parameters<'_>,
    points: &ControlPoints<'_>,
    at_birth: bool,
) -> Scalar {
    let to = points.place(p.int("control point", 0));
    let source = ModulationSource::Distance { to, at_birth };
    (Scalar::new(field, source).with_output(p)).with_input(distances_of(p))
}

/// One coordinate of a control point, which stays where it is.
fn by_point(field: Field, p: &Parameters<'_>, points: &ControlPoints<'_>) -> Option<Scalar> {
    let axis = usize::try_from(p.int("input field 0-2 x/y/z", 0)).ok()?;
    let place = points.place(p.int("input control point number", 0));
    let scalar = Scalar::new(field, ModulationSource::Age).with_output(p);
    Some(scalar.at(*place.get(axis)?, input_of(p)))
}

/// The distance of two control points that stay where they are.
fn by_points_apart(field: Field, p: &Parameters<'_>, points: &ControlPoints<'_>) -> Scalar {
    let ends = [("starting control point", 0), ("ending control point", 1)];
    let [[x, y, z], [to_x, to_y, to_z]] =
        ends.map(|(key, default)| points.place(p.int(key, default)));
    let scalar = Scalar::new(field, ModulationSource::Age).with_output(p);
    scalar.at((to_x - x).hypot(to_y - y).hypot(to_z - z), distances_of(p))
}

pub(super) fn bounded(number: f32) -> f32 {
    number.clamp(-LARGEST, LARGEST)
}
