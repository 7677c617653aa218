//! How far the particles of an emitter can be from it, whatever the time.

use super::motion::{Motion, length, responses};
use super::{Anchor, Attribute, Birthplace, Emitter, EmitterAt, EmitterState, ParticleForm};
use crate::Sphere;

/// An eye that nothing is near.
const AFAR: [f32; 3] = [1.0e6; 3];

impl Emitter {
    /// A ball around all that its particles can cover.
    pub fn bounds(&self, at: &EmitterAt) -> Sphere {
        if let Anchor::Eye { half_extent, .. } = self.anchor {
            return Sphere {
                center: at.eye,
                radius: length(half_extent) + self.drawn_around(),
            };
        }
        let scale = at.world_from_emitter.max_scale();
        let longest = self.life_secs[1];
        let born = self.birthplace.radius();
        let (in_emitter, in_world) = match &self.motion {
            Motion::Thrown(throw) => {
                let [_, thrown, fallen] = responses(throw.drag_per_sec, longest);
                let speed = throw.fastest();
                (
                    speed * thrown,
                    length(throw.steady_pull()) * fallen + 2.0 * length(throw.sway),
                )
            }
            // From its origin, and not from the birthplace.
            Motion::Stepped(stepped) => (stepped.reach, 2.0 * length(stepped.throw.sway)),
            Motion::Eased { travel, jitter, .. } => (length(*travel) + length(*jitter), 0.0),
        };
        let trail = match self.leaves_trail {
            true => length(at.velocity) * longest,
            false => 0.0,
        };
        let radius = scale * (born + in_emitter + self.drawn_around()) + in_world + trail;
        Sphere {
            center: at.world_from_emitter.transform_point([0.0; 3]),
            radius: match self.form {
                // Between particles the weights of a spline add up to 1.25 without their signs.
                ParticleForm::Rope(_) => 1.25 * radius,
                _ => radius,
            },
        }
    }

    /// Adds corners of boxes around its particles at a time, as seen from afar; none for what does not stand in the world.
    pub fn add_corners(&self, clock_secs: f32, corners: &mut Vec<[f32; 3]>) {
        let Anchor::Place(world_from_emitter) = self.anchor else {
            return;
        };
        let at = EmitterAt {
            clock_secs: clock_secs.into(),
            world_from_emitter,
            velocity: [0.0; 3],
            eye: AFAR,
            born_secs: EmitterState::EVER,
        };
        self.for_each_particle(&at, |particle| {
            let [width, height] = particle.size;
            let half = 0.5 * width.abs().max(height.abs());
            corners.extend([-half, half].map(|by| particle.position.map(|it| it + by)));
        });
        if let ParticleForm::Beam(beam) = &self.form {
            corners.push(world_from_emitter.transform_point(beam.to));
        }
    }

    /// How far what is drawn of a particle reaches beyond its middle, in units of the emitter.
    fn drawn_around(&self) -> f32 {
        let [width, height] = self.size.largest();
        let half = 0.5 * width.hypot(height) * (1.0 + self.size_spread);
        let half = (self.modulations.iter()).fold(half, |half, it| match it.attribute {
            Attribute::Size | Attribute::Width => it.largest_of(half),
            _ => half,
        });
        let stretches = (self.modulations.iter()).filter(|it| it.attribute == Attribute::Stretch);
        let stretch = stretches.fold(1.0, |stretch, it| it.largest_of(stretch));
        half + match (self.form, &self.motion) {
            (ParticleForm::Streak { secs }, Motion::Thrown(throw)) => {
                let secs = secs * stretch;
                let fastest = throw.fastest() + length(throw.wind);
                let swaying = length(throw.sway) * throw.sways_per_sec * std::f32::consts::TAU;
                secs * (fastest + length(throw.gravity) * self.life_secs[1] + swaying)
            }
            // No longer than the way that it has come, the speed being what it is.
            (
                ParticleForm::Streak { .. },
                Motion::Eased {
                    travel,
                    jitter,
                    ease,
                },
            ) => (length(*travel) + length(*jitter)) * ease.max(1.0),
            (ParticleForm::Streak { .. }, Motion::Stepped(stepped)) => stepped.reach,
            (ParticleForm::Beam(beam), _) => length(beam.to) + 2.0 * beam.noise,
            _ => 0.0,
        }
    }
}

impl Birthplace {
    /// Of the ball around all places.
    fn radius(self) -> f32 {
        match self {
            Self::Point => 0.0,
            Self::Ball { radius, .. } | Self::Disc { radius, .. } => radius,
            Self::Box { half_extent } => length(half_extent),
            Self::Shell(shell) => {
                let [least, greatest] = shell.offset;
                let farthest =
                    [0, 1, 2].map(|axis: usize| least[axis].abs().max(greatest[axis].abs()));
                shell.radii[0].max(shell.radii[1]) + length(farthest)
            }
            // A quadratic curve stays within its points.
            Self::Path(path) => {
                path.points.map(length).into_iter().fold(0.0, f32::max) + path.radius
            }
        }
    }
}
