//! Numbers of particles that are led to others, held between two, or follow from other numbers of the particle and from
//! directions, and particles that end by their numbers.
//!
//! Names and defaults of parameters are from files of others; that angles are those from the world's x toward its y, and that
//! yaw narrows a picture, is from memory of the games.

use std::f32::consts::PI;

use ironlands_scene::{Attribute, ModulationMode, ModulationSource};

use super::points::{ControlPoints, PLACES};
use super::recipe::Recipe;
use super::scalars::{
    ALPHA, COLOR, COLOR_PARTS, CREATION_TIME, Field, RADIUS, ROLL, Scalar, bounded, input_of,
};
use crate::pcf::Parameters;

impl Recipe {
    /// Initializers by their names in lower case, for what follows from other numbers.
    pub(super) fn begin_with(&mut self, name: &str, p: &Parameters<'_>) -> bool {
        match name {
            "remap initial scalar" => self.add_scalar(by_number(p, CREATION_TIME)),
            "remap scalar to vector" if output_is_color(p, 0) => {
                let source = source_of(p, CREATION_TIME);
                source.is_some_and(|source| self.color_by(source, input_of(p), p))
            }
            "lifetime from sequence" => {
                let rate = p.number("frames per second", 30.0);
                self.life_frames_per_sec = (rate > 0.0).then_some(rate);
                true
            }
            _ => false,
        }
    }

    /// Operators by their names in lower case, for what follows from other numbers.
    pub(super) fn remap(
        &mut self,
        name: &str,
        p: &Parameters<'_>,
        points: &ControlPoints<'_>,
    ) -> bool {
        let output = Field::from_number(p.int("output field", RADIUS));
        let scalar = match name {
            "remap scalar" => by_number(p, ALPHA),
            "clamp scalar" => output.map(|field| {
                let mut held = Scalar::new(field, ModulationSource::Age).with_output(p);
                held.modulation.mode = ModulationMode::Clamp;
                held
            }),
            "lerp initial scalar" => output.map(|field| {
                let mut led = Scalar::new(field, ModulationSource::Age).with_input(times_of(p));
                led.modulation.output = [bounded(p.number("value to lerp to", 1.0)); 2];
                led.modulation.mode = ModulationMode::Blend;
                led
            }),
            "clamp vector" if output_is_color(p, 0) => {
                return self.add_colors(p, |color| color.modulation.mode = ModulationMode::Clamp);
            }
            "lerp initial vector" if output_is_color(p, 0) => {
                let to = p.vec3("value to lerp to", [0.0; 3]);
                return COLOR_PARTS.into_iter().zip(to).all(|(attribute, to)| {
                    let mut led = Scalar::new(Field::Other, ModulationSource::Age);
                    led = led.with_input(times_of(p));
                    led.modulation.attribute = attribute;
                    led.modulation.output = [bounded(to); 2];
                    led.modulation.mode = ModulationMode::Blend;
                    self.add_scalar(Some(led))
                });
            }
            "lifespan minimum alpha decay" => {
                let source = ModulationSource::Attribute(Attribute::Alpha);
                Some(Scalar::shown_above(source, p.number("minimum alpha", 0.0)))
            }
            "lifespan minimum radius decay" => {
                let source = ModulationSource::Attribute(Attribute::Size);
                let least = p.number("minimum radius", 1.0);
                Some(Scalar::shown_above(source, least))
            }
            "remap percentage between two control points to scalar" => {
                let (source, input) = match share_of_way(p, points) {
                    Some(found) => found,
                    None => return false,
                };
                output.map(|field| Scalar::new(field, source).with_output(p).with_input(input))
            }
            "remap percentage between two control points to vector"
                if output_is_color(p, COLOR) =>
            {
                let found = share_of_way(p, points);
                return found.is_some_and(|(source, input)| self.color_by(source, input, p));
            }
            "remap dot product to scalar"
                if !p.flag("use particle velocity for first input", false) =>
            {
                output.map(|field| by_points_ahead(field, p, points))
            }
            "rotation orient to 2d direction" => turned(p, ModulationSource::Heading),
            "rotation orient relative to cp" => {
                let from = points.place(p.int("control point", 0));
                turned(p, ModulationSource::Bearing { from })
            }
            "rotation spin yaw" => Some(spun(p)),
            "stop effect after duration" => {
                let duration_secs = p.number("duration at which to stop", 1.0).max(0.0);
                self.ends_secs = Some(
                    self.ends_secs
                        .map_or(duration_secs, |it| it.min(duration_secs)),
                );
                return true;
            }
            // They are where it has them.
            PLACES => return true,
            _ => None,
        };
        self.add_scalar(scalar)
    }

    /// Each part of the color by one source.
    fn color_by(&mut self, source: ModulationSource, input: [f32; 2], p: &Parameters<'_>) -> bool {
        self.add_colors(p, |color| {
            color.modulation.source = source;
            *color = color.with_input(input);
        })
    }

    /// A modulation of each part of the color, with the range of its output.
    pub(super) fn add_colors(&mut self, p: &Parameters<'_>, change: impl Fn(&mut Scalar)) -> bool {
        let range = [("output minimum", 0.0), ("output maximum", 1.0)];
        let [low, high] = range.map(|(key, default)| p.vec3(key, [default; 3]).map(bounded));
        let outputs = low.into_iter().zip(high);
        (COLOR_PARTS.into_iter().zip(outputs)).all(|(attribute, (low, high))| {
            let mut scalar = Scalar::new(Field::Other, ModulationSource::Age);
            scalar.modulation.attribute = attribute;
            scalar.modulation.output = [low, high];
            change(&mut scalar);
            self.add_scalar(Some(scalar))
        })
    }
}

fn output_is_color(p: &Parameters<'_>, default: i32) -> bool {
    p.int("output field", default) == COLOR
}

fn times_of(p: &Parameters<'_>) -> [f32; 2] {
    [p.number("start time", 0.0), p.number("end time", 1.0)]
}

/// What an input field is, in the units of the file; `None` for those that no modulation can follow.
fn source_of(p: &Parameters<'_>, default: i32) -> Option<ModulationSource> {
    Some(match p.int("input field", default) {
        CREATION_TIME => ModulationSource::BirthSecs,
        RADIUS => ModulationSource::Attribute(Attribute::Size),
        ROLL => ModulationSource::Attribute(Attribute::Angle),
        ALPHA => ModulationSource::Attribute(Attribute::Alpha),
        _ => return None,
    })
}

fn by_number(p: &Parameters<'_>, default: i32) -> Option<Scalar> {
    let field = Field::from_number(p.int("output field", RADIUS))?;
    let scalar = Scalar::new(field, source_of(p, default)?);
    Some(scalar.with_output(p).with_input(input_of(p)))
}

/// How much of the way from one control point to another lies behind a particle, as its distance from the first; other
/// measures are not known. The input of that distance goes with it.
fn share_of_way(
    p: &Parameters<'_>,
    points: &ControlPoints<'_>,
) -> Option<(ModulationSource, [f32; 2])> {
    let [to, end] = [("starting control point", 0), ("ending control point", 1)]
        .map(|(key, default)| points.place(p.int(key, default)));
    let length = glam::Vec3::from(to).distance(end.into());
    let shares = [
        p.number("percentage minimum", 0.0),
        p.number("percentage maximum", 1.0),
    ];
    let at_birth = false;
    p.flag("treat distance between points as radius", true)
        .then_some((
            ModulationSource::Distance { to, at_birth },
            shares.map(|it| it * length),
        ))
}

/// How far two control points, which stay as they are, look the same way: from -1 to 1.
fn by_points_ahead(field: Field, p: &Parameters<'_>, points: &ControlPoints<'_>) -> Scalar {
    let [first, second] = ["first input control point", "second input control point"]
        .map(|key| glam::Vec3::from(points.direction(p.int(key, 0), [1.0, 0.0, 0.0])));
    let input = [
        p.number("input minimum (-1 to 1)", 0.0),
        p.number("input maximum (-1 to 1)", 1.0),
    ];
    let scalar = Scalar::new(field, ModulationSource::Age).with_output(p);
    scalar.at(first.dot(second), input)
}

/// A picture that is turned to where its particle flies or lies.
fn turned(p: &Parameters<'_>, source: ModulationSource) -> Option<Scalar> {
    let field =
        Field::from_number(p.int("rotation field", ROLL)).filter(|it| *it == Field::Roll)?;
    let offset = p.number("rotation offset", 0.0);
    let mut scalar = Scalar::new(field, source).with_input([-PI, PI]);
    scalar.modulation.output = [-180.0, 180.0].map(|it| bounded(it + offset));
    Some(scalar)
}

/// A picture that turns around its height is as wide as it looks from the front.
fn spun(p: &Parameters<'_>) -> Scalar {
    let turns_per_sec = bounded(p.number("yaw_rate_degrees", 0.0) / 360.0);
    let source = ModulationSource::Wave {
        cycles: [turns_per_sec; 2],
        in_life: false,
        phase: 0.25,
    };
    let mut scalar = Scalar::new(Field::Other, source).with_input([-1.0, 1.0]);
    scalar.modulation.output = [-1.0, 1.0];
    scalar.modulation.mode = ModulationMode::Multiply;
    scalar
}
