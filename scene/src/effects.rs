//! Fires, smoke, dust and weather for levels whose files say no more of them than that they are there and how large.
//!
//! Forms, speeds and colors are this project's own. Lengths are multiples of what a caller gives, so that they fit any
//! unit of length.

mod pictures;
#[cfg(test)]
mod tests;

pub use pictures::EffectPictures;

use std::f32::consts::PI;

use crate::{
    Affine, Anchor, Birthplace, Curve, Emission, Emitter, FramePlay, Motion, ParticleBlend,
    ParticleForm, SpriteFrame, Throw,
};

/// A fire that stands at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fire {
    /// The middle of its foot.
    pub place: [f32; 3],
    /// From its foot to where flames end.
    pub height: f32,
    /// Whether it smokes.
    pub smokes: bool,
}

/// Smoke, steam or gas that rises from a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoke {
    /// Where it comes from.
    pub place: [f32; 3],
    /// Diameter there.
    pub width: f32,
    /// Red, green, blue, and the opacity of its densest puffs.
    pub color: [f32; 4],
    /// How far it drifts per second once it has slowed down.
    pub wind: [f32; 3],
}

/// Small lights that rise from a place and go out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sparkles {
    /// The middle of the ball that they come from.
    pub place: [f32; 3],
    /// Its radius.
    pub radius: f32,
    /// Red, green, blue.
    pub color: [f32; 3],
    /// How many there are at once.
    pub count: u32,
}

/// A jet of water that falls back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fountain {
    /// Where it comes from.
    pub place: [f32; 3],
    /// How high it rises.
    pub height: f32,
    /// How fast things fall: units per second squared.
    pub gravity: f32,
}

impl Fire {
    /// Flames, their glow, sparks, and smoke above them.
    pub fn emitters(&self, name: &str, seed: u32, pictures: &EffectPictures) -> Vec<Emitter> {
        let height = self.height;
        let common = Emitter {
            name: name.to_owned(),
            anchor: standing_at(self.place),
            seed,
            softness: 0.15 * height,
            blend: ParticleBlend::Add,
            ..Emitter::default()
        };
        let mut emitters = vec![
            glow(&common, height, pictures),
            flames(&common, height, pictures),
            sparks(&common, height, pictures),
        ];
        if self.smokes {
            let [x, y, z] = self.place;
            let smoke = Smoke {
                place: [x, y, z + 0.7 * height],
                width: 0.4 * height,
                color: [0.16, 0.15, 0.14, 0.3],
                wind: [0.1 * height, 0.06 * height, 0.0],
            };
            // Behind the flames where both are equally far away.
            emitters.insert(0, smoke.emitter(name, seed, pictures));
        }
        emitters
    }
}

fn flames(common: &Emitter, height: f32, pictures: &EffectPictures) -> Emitter {
    let sized = |width: f32, tall: f32| [width * height, tall * height];
    Emitter {
        emission: Emission::Stream { per_sec: 26.0 },
        life_secs: [0.45, 0.85],
        birthplace: Birthplace::Disc {
            radius: 0.14 * height,
            is_hollow: false,
        },
        motion: Motion::Thrown(Throw {
            spread_rad: 0.2,
            speed: [0.35 * height, 0.75 * height],
            outward_speed: [-0.25 * height, 0.0],
            gravity: [0.0, 0.0, 0.5 * height],
            ..Throw::default()
        }),
        size: Curve::through(&[
            (0.0, sized(0.22, 0.3)),
            (0.25, sized(0.34, 0.56)),
            (1.0, sized(0.08, 0.34)),
        ]),
        size_spread: 0.3,
        color: Curve::through(&[
            (0.0, [1.0, 0.82, 0.45, 0.0]),
            (0.15, [1.0, 0.72, 0.32, 0.75]),
            (0.5, [1.0, 0.42, 0.1, 0.6]),
            (1.0, [0.65, 0.12, 0.02, 0.0]),
        ]),
        angle_rad: [-0.2, 0.2],
        frames: pictures.flames.clone(),
        play: FramePlay::AtRandom,
        form: ParticleForm::Upright,
        ..common.clone()
    }
}

/// A soft light around the flames that flickers as they do.
fn glow(common: &Emitter, height: f32, pictures: &EffectPictures) -> Emitter {
    Emitter {
        emission: Emission::Steady { count: 4 },
        life_secs: [0.25, 0.7],
        birthplace: Birthplace::Ball {
            radius: 0.1 * height,
            is_hollow: false,
        },
        motion: Motion::Eased {
            travel: [0.0, 0.0, 0.4 * height],
            jitter: [0.0; 3],
            ease: 0.0,
        },
        size: Curve::constant([2.4 * height; 2]),
        size_spread: 0.25,
        color: Curve::through(&[
            (0.0, [1.0, 0.5, 0.18, 0.0]),
            (0.5, [1.0, 0.5, 0.18, 0.14]),
            (1.0, [1.0, 0.5, 0.18, 0.0]),
        ]),
        frames: vec![pictures.disc],
        softness: 0.5 * height,
        ..common.clone()
    }
}

fn sparks(common: &Emitter, height: f32, pictures: &EffectPictures) -> Emitter {
    Emitter {
        emission: Emission::Stream { per_sec: 5.0 },
        life_secs: [0.6, 1.5],
        birthplace: Birthplace::Disc {
            radius: 0.12 * height,
            is_hollow: false,
        },
        motion: Motion::Thrown(Throw {
            spread_rad: 0.45,
            speed: [0.9 * height, 1.9 * height],
            drag_per_sec: 0.6,
            sway: [0.08 * height, 0.08 * height, 0.0],
            sways_per_sec: 1.3,
            ..Throw::default()
        }),
        size: Curve::constant([0.035 * height; 2]),
        size_spread: 0.4,
        color: Curve::through(&[
            (0.0, [1.0, 0.85, 0.5, 1.0]),
            (0.6, [1.0, 0.5, 0.15, 0.9]),
            (1.0, [0.8, 0.15, 0.0, 0.0]),
        ]),
        frames: vec![pictures.disc],
        softness: 0.0,
        ..common.clone()
    }
}

impl Smoke {
    /// Puffs that rise, grow and thin out.
    pub fn emitter(&self, name: &str, seed: u32, pictures: &EffectPictures) -> Emitter {
        let width = self.width;
        let [r, g, b, opacity] = self.color;
        let color = |alpha: f32| [r, g, b, opacity * alpha];
        Emitter {
            name: name.to_owned(),
            anchor: standing_at(self.place),
            seed,
            emission: Emission::Stream { per_sec: 6.0 },
            life_secs: [2.5, 4.5],
            birthplace: Birthplace::Disc {
                radius: 0.3 * width,
                is_hollow: false,
            },
            motion: Motion::Thrown(Throw {
                spread_rad: 0.25,
                speed: [1.6 * width, 2.6 * width],
                gravity: [0.0, 0.0, 0.35 * width],
                drag_per_sec: 0.7,
                wind: self.wind,
                ..Throw::default()
            }),
            size: Curve {
                ease: 0.7,
                ..Curve::line([0.7 * width; 2], [3.4 * width; 2])
            },
            size_spread: 0.25,
            color: Curve::through(&[
                (0.0, color(0.0)),
                (0.12, color(1.0)),
                (0.5, color(0.55)),
                (1.0, color(0.0)),
            ]),
            angle_rad: [-PI, PI],
            spin_rad_per_sec: [-0.5, 0.5],
            frames: pictures.puffs.clone(),
            is_lit: true,
            softness: 0.6 * width,
            ..Emitter::default()
        }
    }
}

impl Sparkles {
    /// The lights.
    pub fn emitter(&self, name: &str, seed: u32, pictures: &EffectPictures) -> Emitter {
        let radius = self.radius;
        let [r, g, b] = self.color;
        Emitter {
            name: name.to_owned(),
            anchor: standing_at(self.place),
            seed,
            emission: Emission::Steady { count: self.count },
            life_secs: [0.8, 2.0],
            birthplace: Birthplace::Ball {
                radius,
                is_hollow: false,
            },
            motion: Motion::Thrown(Throw {
                spread_rad: 0.5,
                speed: [0.2 * radius, 0.8 * radius],
                sway: [0.15 * radius; 3],
                sways_per_sec: 0.6,
                ..Throw::default()
            }),
            size: Curve::through(&[
                (0.0, [0.05 * radius; 2]),
                (0.3, [0.16 * radius; 2]),
                (1.0, [0.02 * radius; 2]),
            ]),
            size_spread: 0.5,
            color: Curve::through(&[
                (0.0, [r, g, b, 0.0]),
                (0.2, [r, g, b, 1.0]),
                (1.0, [r, g, b, 0.0]),
            ]),
            frames: vec![pictures.disc],
            blend: ParticleBlend::Add,
            ..Emitter::default()
        }
    }
}

impl Fountain {
    /// Drops that are thrown up and fall, and spray between them.
    pub fn emitters(&self, name: &str, seed: u32, pictures: &EffectPictures) -> Vec<Emitter> {
        let Self {
            place,
            height,
            gravity,
        } = *self;
        // What rises so high takes this long to come back.
        let speed = (2.0 * gravity * height).sqrt();
        let secs = 2.0 * speed / gravity;
        let drops = Emitter {
            name: name.to_owned(),
            anchor: standing_at(place),
            seed,
            emission: Emission::Stream {
                per_sec: 200.0 / secs,
            },
            life_secs: [0.8 * secs, secs],
            motion: Motion::Thrown(Throw {
                spread_rad: 0.12,
                speed: [0.85 * speed, speed],
                gravity: [0.0, 0.0, -gravity],
                ..Throw::default()
            }),
            size: Curve::constant([0.02 * height, 0.03 * height]),
            size_spread: 0.4,
            color: Curve::through(&[
                (0.0, [0.85, 0.92, 1.0, 0.7]),
                (1.0, [0.85, 0.92, 1.0, 0.35]),
            ]),
            frames: vec![pictures.disc],
            form: ParticleForm::Streak { secs: 0.03 * secs },
            is_lit: true,
            ..Emitter::default()
        };
        let spray = Smoke {
            place,
            width: 0.12 * height,
            color: [0.9, 0.95, 1.0, 0.2],
            wind: [0.0; 3],
        };
        vec![drops, spray.emitter(name, seed, pictures)]
    }
}

/// At a place, axes as in the world.
pub fn standing_at([x, y, z]: [f32; 3]) -> Anchor {
    Anchor::Place(Affine([
        [1.0, 0.0, 0.0, x],
        [0.0, 1.0, 0.0, y],
        [0.0, 0.0, 1.0, z],
    ]))
}

/// A light at a place that is seen as a soft disc: it adds to what is behind it.
pub fn soft_light(
    name: &str,
    place: [f32; 3],
    diameter: f32,
    [r, g, b, strength]: [f32; 4],
    frame: SpriteFrame,
) -> Emitter {
    Emitter {
        name: name.to_owned(),
        anchor: standing_at(place),
        emission: Emission::Steady { count: 1 },
        size: Curve::constant([diameter; 2]),
        color: Curve::constant([r, g, b, strength]),
        frames: vec![frame],
        blend: ParticleBlend::Add,
        softness: 0.25 * diameter,
        ..Emitter::default()
    }
}
