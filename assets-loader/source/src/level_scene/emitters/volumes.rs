//! Entities that fill the box of their brushes: dust, embers, smoke, rain and snow.

use ironlands_scene::effects::standing_at;
use ironlands_scene::{
    Aabb, Anchor, Birthplace, Curve, Emission, Emitter, Motion, ParticleBlend, ParticleForm, Throw,
};

use super::{Maker, positive, seen_up_to, tint};
use crate::entities::Entity;
use crate::level::SourceLevel;

/// Most particles of an entity.
const MAX_COUNT: f32 = 4000.0;
/// Half the sides of the box around the eye that it rains and snows in, and how many drops the densest rain has there.
const WEATHER_BOX: [f32; 3] = [512.0, 512.0, 384.0];
const WEATHER_COUNT: f32 = 4000.0;
/// `preciptype` of rain; the others drift: snow, ash, and snow again.
const RAIN: i32 = 0;
const RAIN_SPEED: f32 = 900.0;
const SNOW_SPEED: f32 = 60.0;
/// Embers rise by this share of their speed.
const EMBER_LIFT: f32 = 0.7;

impl Maker<'_, '_> {
    pub(super) fn volume(&mut self, entity: &Entity, seed: u32) {
        let Some(bounds) = box_of(self.level, entity) else {
            return;
        };
        let emitter = match &*entity.class() {
            "func_dustmotes" | "func_dustcloud" => self.dust(entity),
            "func_precipitation" => return self.weather(entity, seed, bounds),
            "env_embers" => self.embers(entity),
            _ => self.smoke_volume(entity),
        };
        let half_extent = [0, 1, 2].map(|axis: usize| {
            let side = |corner: [f32; 3]| corner.get(axis).copied().unwrap_or_default();
            0.5 * (side(bounds.max) - side(bounds.min))
        });
        self.emitters.push(Emitter {
            name: entity.class().into_owned(),
            anchor: standing_at(bounds.center()),
            seed,
            birthplace: Birthplace::Box { half_extent },
            ..emitter
        });
    }

    /// `SpawnRate` a second with lives from `LifetimeMin` to `LifetimeMax`, sizes from `SizeMin` to `SizeMax`, drifting at up
    /// to `SpeedMax`, seen up to `DistMax`; `Color` and `Alpha`.
    fn dust(&self, entity: &Entity) -> Emitter {
        let lives = lives_of(entity, [3.0, 5.0]);
        let rate = positive(entity, "SpawnRate", 40.0);
        let [smallest, largest] = [("SizeMin", 10.0), ("SizeMax", 20.0)]
            .map(|(key, default)| positive(entity, key, default));
        let middle = 0.5 * (smallest + largest);
        let spread = match middle > 0.0 {
            true => ((largest - smallest) / (2.0 * middle)).clamp(0.0, 1.0),
            false => 0.0,
        };
        let [r, g, b] = entity.vec3("Color").unwrap_or([255.0; 3]).map(share);
        let alpha = share(positive(entity, "Alpha", 255.0));
        let speed = positive(entity, "SpeedMax", 13.0);
        // Sizes of motes are tenths of units.
        let side = match &*entity.class() {
            "func_dustmotes" => 0.1 * middle,
            _ => middle,
        };
        Emitter {
            emission: Emission::Steady {
                count: count(rate * 0.5 * (lives[0] + lives[1])),
            },
            life_secs: lives,
            motion: Motion::Thrown(Throw {
                spread_rad: std::f32::consts::PI,
                speed: [0.0, speed],
                ..Throw::default()
            }),
            size: Curve::constant([side; 2]),
            size_spread: spread,
            color: fading([r, g, b, alpha]),
            frames: vec![self.pictures.disc],
            range: seen_up_to(positive(entity, "DistMax", 1024.0)),
            ..Emitter::default()
        }
    }

    /// `density` of them for `lifetime` seconds at `speed`.
    fn embers(&self, entity: &Entity) -> Emitter {
        let life = positive(entity, "lifetime", 4.0).clamp(0.1, 600.0);
        let speed = positive(entity, "speed", 32.0);
        Emitter {
            emission: Emission::Steady {
                count: count(positive(entity, "density", 50.0)),
            },
            life_secs: [0.5 * life, life],
            motion: Motion::Thrown(Throw {
                spread_rad: 1.0,
                speed: [0.3 * speed, EMBER_LIFT * speed],
                sway: [0.2 * speed, 0.2 * speed, 0.0],
                sways_per_sec: 0.4,
                ..Throw::default()
            }),
            size: Curve::constant([1.5; 2]),
            size_spread: 0.4,
            color: fading(tint(entity)),
            frames: vec![self.pictures.disc],
            blend: ParticleBlend::Add,
            ..Emitter::default()
        }
    }

    /// Puffs of `Color1`, as dense as `DensityRampSpeed` and `Density` leave them, drifting at `MovementSpeed`.
    fn smoke_volume(&self, entity: &Entity) -> Emitter {
        let size = positive(entity, "ParticleDrawWidth", 120.0);
        let [r, g, b] = entity.vec3("Color1").unwrap_or([128.0; 3]).map(share);
        let density = positive(entity, "Density", 1.0).clamp(0.0, 1.0);
        let spacing = positive(entity, "ParticleSpacingDistance", 80.0).max(16.0);
        let n_in_box = box_of(self.level, entity).map_or(0.0, |bounds| {
            let sides = bounds.min.iter().zip(&bounds.max);
            sides
                .map(|(low, high)| ((high - low) / spacing).max(1.0))
                .product()
        });
        Emitter {
            emission: Emission::Steady {
                count: count(n_in_box),
            },
            life_secs: [6.0, 10.0],
            motion: Motion::Thrown(Throw {
                spread_rad: std::f32::consts::PI,
                speed: [0.0, positive(entity, "MovementSpeed", 10.0)],
                ..Throw::default()
            }),
            size: Curve::constant([size; 2]),
            size_spread: 0.3,
            color: fading([r, g, b, 0.4 * density]),
            angle_rad: [-std::f32::consts::PI, std::f32::consts::PI],
            frames: self.pictures.puffs.clone(),
            softness: 0.3 * size,
            is_lit: true,
            ..Emitter::default()
        }
    }

    /// Around the eye, inside of the box only: `preciptype`, as dense as `renderamt` of 100.
    fn weather(&mut self, entity: &Entity, seed: u32, bounds: Aabb) {
        let is_rain = entity.integer("preciptype").unwrap_or(RAIN) == RAIN;
        let density = positive(entity, "renderamt", 5.0).clamp(0.0, 100.0) / 100.0;
        let [r, g, b, _] = tint(entity);
        let speed = if is_rain { RAIN_SPEED } else { SNOW_SPEED };
        let throw = Throw {
            direction: [0.0, 0.0, -1.0],
            spread_rad: if is_rain { 0.02 } else { 0.2 },
            speed: [0.8 * speed, speed],
            sway: if is_rain { [0.0; 3] } else { [8.0, 8.0, 0.0] },
            sways_per_sec: 0.35,
            ..Throw::default()
        };
        self.emitters.push(Emitter {
            name: entity.class().into_owned(),
            anchor: Anchor::Eye {
                half_extent: WEATHER_BOX,
                within: Some(bounds),
            },
            seed,
            emission: Emission::Steady {
                count: count(density * WEATHER_COUNT),
            },
            life_secs: if is_rain { [0.8, 1.2] } else { [6.0, 12.0] },
            motion: Motion::Thrown(throw),
            size: Curve::constant(if is_rain { [0.7, 2.0] } else { [2.5; 2] }),
            size_spread: 0.3,
            color: fading([r, g, b, if is_rain { 0.35 } else { 0.8 }]),
            frames: vec![self.pictures.disc],
            form: match is_rain {
                true => ParticleForm::Streak { secs: 0.04 },
                false => ParticleForm::Sprite,
            },
            range: seen_up_to(WEATHER_BOX[0]),
            ..Emitter::default()
        });
    }
}

/// Around the brushes of an entity.
pub(in super::super) fn box_of(level: &SourceLevel, entity: &Entity) -> Option<Aabb> {
    let model = level.map.models.get(entity.brush_model()?)?;
    let origin = entity.origin().unwrap_or_default();
    let [min, max] = [model.mins, model.maxs].map(|[x, y, z]| {
        let [origin_x, origin_y, origin_z] = origin;
        [x + origin_x, y + origin_y, z + origin_z]
    });
    let is_box = min.iter().zip(&max).all(|(low, high)| low <= high);
    let is_there = crate::bsp::is_place(min) && crate::bsp::is_place(max);
    (is_box && is_there).then_some(Aabb { min, max })
}

/// From `LifetimeMin` to `LifetimeMax`.
fn lives_of(entity: &Entity, [shortest, longest]: [f32; 2]) -> [f32; 2] {
    let shortest = positive(entity, "LifetimeMin", shortest).clamp(0.1, 600.0);
    let longest = positive(entity, "LifetimeMax", longest).clamp(shortest, 600.0);
    [shortest, longest]
}

/// At least one.
fn count(number: f32) -> u32 {
    number.clamp(1.0, MAX_COUNT) as u32
}

fn share(channel: f32) -> f32 {
    (channel / 255.0).clamp(0.0, 1.0)
}

/// In and out over a life.
fn fading([r, g, b, alpha]: [f32; 4]) -> Curve<4> {
    let at = |share: f32| [r, g, b, alpha * share];
    Curve::through(&[
        (0.0, at(0.0)),
        (0.2, at(1.0)),
        (0.8, at(1.0)),
        (1.0, at(0.0)),
    ])
}
