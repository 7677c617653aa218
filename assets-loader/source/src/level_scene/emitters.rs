//! Entities that burn, smoke, glow and rain. Dossier section 8.2 names them; what their keys mean is said at each.
//!
//! Where the game's own sprites are missing, and for what its code draws without a material, [`ironlands_scene::effects`]
//! stand in. What of an entity is shown that something else in the map must turn on first does not start on.

mod places;
mod systems;
#[cfg(test)]
mod tests;
mod volumes;

use ironlands_scene::effects::{EffectPictures, Fire, soft_light, standing_at};
use ironlands_scene::{
    Anchor, Beam, Burst, Curve, Emission, Emitter, EmitterWindow, FramePlay, Motion, ParticleBlend,
    ParticleForm, SpriteFrame, Throw, ViewRange,
};

pub(super) use self::places::Places;
use self::systems::Systems;
pub use self::systems::{PARTICLE_SYSTEM, of_system_alone};
pub(super) use self::volumes::box_of;
use super::FORMAT;
use super::cells::Cells;
use super::direct_light::Sight;
use super::placement::world_from_model;
use crate::bsp::is_place;
use crate::entities::Entity;
use crate::level::SourceLevel;
use crate::materials::{Materials, Sprite};
use crate::particle_files::ParticleFiles;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Side of a sprite whose texture is missing, as that of most glows.
const SPRITE_SIDE: f32 = 64.0;
/// How fast things fall, units per second squared.
const GRAVITY: f32 = 600.0;
/// Pieces of a beam with noise.
const BEAM_SEGMENTS: u32 = 16;
/// How often the noise of a beam jumps.
const BEAM_JUMPS_PER_SEC: f32 = 20.0;
/// A beam that is always on is born again this often.
const STEADY_SECS: f32 = 1.0;

/// Bits of `spawnflags`.
const STARTS_ON: i32 = 1;
const FIRE_IS_SMOKELESS: i32 = 2;
const FIRE_STARTS_ON: i32 = 4;
const SPARK_STARTS_ON: i32 = 64;

/// Emitters of all entities, in file order, and whose they are.
pub fn emitters(
    level: &SourceLevel,
    cells: &Cells<'_>,
    sight: &Sight<'_>,
    materials: &mut Materials<'_>,
    findings: &mut Vec<Finding>,
) -> (Vec<Emitter>, Vec<usize>) {
    let entities = &level.entities.entities;
    let is_emitter = |entity: &&Entity| EMITTERS.contains(&&*entity.class());
    if !entities.iter().any(|entity| is_emitter(&entity)) {
        return (Vec::new(), Vec::new());
    }
    let has_systems = entities.iter().any(|it| it.class() == PARTICLE_SYSTEM);
    let files = match has_systems {
        true => ParticleFiles::open(&level.game_files, &level.name(), findings),
        false => ParticleFiles::default(),
    };
    let first = materials.add_textures(EffectPictures::textures());
    let mut maker = Maker {
        level,
        places: Places::new(&level.entities),
        pictures: EffectPictures::new(first),
        materials,
        sight,
        systems: Systems::new(files),
        emitters: Vec::new(),
    };
    let mut owners = Vec::new();
    for (seed, entity) in (0..).zip(entities).filter(|(_, entity)| is_emitter(entity)) {
        let first_new = maker.emitters.len();
        maker.add(entity, seed);
        owners.resize(maker.emitters.len(), seed as usize);
        for emitter in maker.emitters.iter_mut().skip(first_new) {
            // What is carried may come to be anywhere.
            if !is_carried(entity) {
                emitter.cells = places::cells_of(emitter, cells);
            }
        }
    }
    findings.extend(maker.systems.findings());
    let mut emitters = maker.emitters;
    let mut possible = Emitter::possible(&emitters).into_iter();
    owners.retain(|_| possible.next().unwrap_or(true));
    findings.extend(left_out_finding(Emitter::keep_possible(&mut emitters)));
    (emitters, owners)
}

/// What is said of emitters that no scene can have.
fn left_out_finding(n_left_out: usize) -> Option<Finding> {
    let message = format!(
        "{n_left_out} emitters are left out: their particles are too many, or their numbers out of bounds"
    );
    (n_left_out > 0).then(|| Finding::new(Severity::Warning, FORMAT, message))
}

/// Classes of entities that let out particles, or shine.
pub const EMITTERS: [&str; 17] = [
    PARTICLE_SYSTEM,
    "env_sprite",
    "env_glow",
    "env_lightglow",
    "point_spotlight",
    "beam_spotlight",
    "env_fire",
    "env_smokestack",
    "env_steam",
    "env_spark",
    "env_beam",
    "env_laser",
    "func_dustmotes",
    "func_dustcloud",
    "func_precipitation",
    "env_embers",
    "func_smokevolume",
];

/// Emitters so far, and what they are made from.
struct Maker<'a, 'b> {
    level: &'a SourceLevel,
    places: Places,
    pictures: EffectPictures,
    materials: &'a mut Materials<'b>,
    sight: &'a Sight<'a>,
    systems: Systems,
    emitters: Vec<Emitter>,
}

impl Maker<'_, '_> {
    /// Nothing for an entity at no place, or without what it needs.
    fn add(&mut self, entity: &Entity, seed: u32) {
        let first_new = self.emitters.len();
        match &*entity.class() {
            PARTICLE_SYSTEM => return self.particle_system(entity, seed),
            "env_sprite" | "env_glow" => self.sprite(entity),
            "env_lightglow" => self.light_glow(entity),
            "point_spotlight" | "beam_spotlight" => self.spotlight(entity),
            "env_fire" => self.fire(entity, seed),
            "env_smokestack" => self.smoke(entity, seed, true),
            "env_steam" => self.smoke(entity, seed, false),
            "env_spark" => self.sparks(entity, seed),
            "env_beam" => self.beam(entity, seed, "LightningEnd", "BoltWidth"),
            "env_laser" => self.beam(entity, seed, "LaserTarget", "width"),
            _ => self.volume(entity, seed),
        }
        let starts_on = starts_on(entity);
        for emitter in self.emitters.iter_mut().skip(first_new) {
            emitter.starts_on = starts_on;
        }
    }

    /// `model` is the sprite, one unit a pixel times `scale`; `rendermode` 2 to 4 without adding, `framerate` of its frames.
    fn sprite(&mut self, entity: &Entity) {
        let Some(origin) = entity.origin().filter(|it| is_place(*it)) else {
            return;
        };
        let scale = positive(entity, "scale", 1.0);
        let sprite = entity.get("model").and_then(|name| self.sprite_of(&name));
        let size = sprite.as_ref().map_or([SPRITE_SIDE; 2], |sprite| {
            sprite.size.map(|side| side as f32)
        });
        let mode = entity.number("rendermode").unwrap_or(0.0);
        let covers = sprite.as_ref().is_some_and(|it| !it.adds) && (mode == 0.0 || mode == 2.0);
        let emitter = soft_light(
            &entity.class(),
            origin,
            1.0,
            tint(entity),
            self.pictures.disc,
        );
        self.emitters.push(Emitter {
            size: Curve::constant(size.map(|side| side * scale)),
            frames: sprite.map_or_else(|| vec![self.pictures.disc], |it| frames(&it)),
            play: FramePlay::PerSecond {
                rate: positive(entity, "framerate", 10.0),
            },
            blend: match covers {
                true => ParticleBlend::Alpha,
                false => ParticleBlend::Add,
            },
            ..emitter
        });
    }

    /// `HorizontalGlowSize` and `VerticalGlowSize` are its half sides. It comes from `MinDist` to `MaxDist` and goes until
    /// `OuterMaxDist`, if that is beyond.
    fn light_glow(&mut self, entity: &Entity) {
        let Some(origin) = entity.origin().filter(|it| is_place(*it)) else {
            return;
        };
        let size =
            ["HorizontalGlowSize", "VerticalGlowSize"].map(|key| 2.0 * positive(entity, key, 30.0));
        let [from, to] = [("MinDist", 500.0), ("MaxDist", 2000.0)]
            .map(|(key, default)| positive(entity, key, default));
        let from = from.min(to);
        let end = positive(entity, "OuterMaxDist", 0.0);
        let [r, g, b, _] = tint(entity);
        let glow = soft_light(
            &entity.class(),
            origin,
            1.0,
            [r, g, b, 1.0],
            self.pictures.disc,
        );
        self.emitters.push(Emitter {
            size: Curve::constant(size),
            range: ViewRange {
                near: [from, to],
                far: match end > to {
                    true => [to, end],
                    false => ViewRange::ALL.far,
                },
            },
            ..glow
        });
    }

    /// A halo and a ray of `SpotlightLength` along its angles that widens from `SpotlightWidth`.
    fn spotlight(&mut self, entity: &Entity) {
        let Some(origin) = entity.origin().filter(|it| is_place(*it)) else {
            return;
        };
        let width = positive(entity, "SpotlightWidth", 50.0);
        let length = positive(entity, "SpotlightLength", 500.0);
        let [r, g, b, strength] = tint(entity);
        let name = entity.class();
        let halo = [r, g, b, 0.6 * strength];
        let halo = soft_light(&name, origin, 1.5 * width, halo, self.pictures.disc);
        let stands = world_from_model(origin, entity.angles().unwrap_or_default(), [1.0; 3]);
        let end = [length, 0.0, 0.0];
        // From its wide end to the lamp, as the picture of a ray grows brighter.
        let ray = Emitter {
            name: name.into_owned(),
            anchor: Anchor::Place(stands),
            emission: Emission::Steady { count: 1 },
            motion: Motion::Eased {
                travel: end,
                jitter: [0.0; 3],
                ease: 0.0,
            },
            size: Curve::constant([2.5 * width, 0.0]),
            color: Curve::constant([r, g, b, 0.5 * strength]),
            frames: vec![self.pictures.ray],
            form: ParticleForm::Beam(Beam {
                to: [0.0; 3],
                end_width: 0.3,
                segments: 1,
                noise: 0.0,
                jumps_per_sec: 0.0,
            }),
            blend: ParticleBlend::Add,
            softness: 0.5 * width,
            ..Emitter::default()
        };
        self.emitters.extend([halo, ray]);
    }

    /// `firesize` is its height.
    fn fire(&mut self, entity: &Entity, seed: u32) {
        let Some(place) = entity.origin().filter(|it| is_place(*it)) else {
            return;
        };
        let fire = Fire {
            place,
            height: positive(entity, "firesize", 64.0),
            smokes: !has_flag(entity, FIRE_IS_SMOKELESS),
        };
        let emitters = fire.emitters(&entity.class(), seed, &self.pictures);
        self.emitters.extend(emitters);
    }

    /// Puffs at `Rate` per second that leave at `Speed`, spread by `SpreadSpeed` and `BaseSpread`, and grow from `StartSize`
    /// to `EndSize` until they have come as far as `JetLength`. A smokestack blows up, steam along its angles.
    fn smoke(&mut self, entity: &Entity, seed: u32, is_stack: bool) {
        let Some(origin) = entity.origin().filter(|it| is_place(*it)) else {
            return;
        };
        let speed = positive(entity, "Speed", 30.0);
        let spread = positive(entity, "SpreadSpeed", 15.0);
        let sizes = [("StartSize", 20.0), ("EndSize", 30.0)]
            .map(|(key, default)| 2.0 * positive(entity, key, default));
        let [r, g, b, alpha] = tint(entity);
        let name = match is_stack {
            true => entity.get("SmokeMaterial"),
            false => None,
        };
        let sprite = name.and_then(|name| self.sprite_of(&name));
        let wind_angle = entity.number("WindAngle").unwrap_or(0.0).to_radians();
        let wind_speed = positive(entity, "WindSpeed", 0.0);
        let length = positive(entity, "JetLength", 80.0);
        let life = (length / speed.max(f32::MIN_POSITIVE)).clamp(0.05, 60.0);
        let twist = match is_stack {
            true => entity.number("twist").unwrap_or(0.0),
            false => entity.number("rollspeed").unwrap_or(8.0),
        };
        let twist = twist.to_radians();
        let direction = match is_stack {
            true => [0.0, 0.0, 1.0],
            // In its own axes ahead is +x.
            false => [1.0, 0.0, 0.0],
        };
        let angles = match is_stack {
            true => [0.0; 3],
            false => entity.angles().unwrap_or_default(),
        };
        self.emitters.push(Emitter {
            name: entity.class().into_owned(),
            anchor: Anchor::Place(world_from_model(origin, angles, [1.0; 3])),
            seed,
            emission: Emission::Stream {
                per_sec: positive(entity, "Rate", 20.0).clamp(0.1, 500.0),
            },
            life_secs: [life; 2],
            birthplace: ironlands_scene::Birthplace::Disc {
                radius: positive(entity, "BaseSpread", 0.0),
                is_hollow: false,
            },
            motion: Motion::Thrown(Throw {
                direction,
                spread_rad: spread.atan2(speed),
                speed: [speed, speed.hypot(spread)],
                // As the wind has carried it by the end, evenly faster.
                gravity: [
                    wind_speed * wind_angle.cos() / life,
                    wind_speed * wind_angle.sin() / life,
                    0.0,
                ],
                ..Throw::default()
            }),
            size: Curve::line([sizes[0]; 2], [sizes[1]; 2]),
            color: Curve::through(&[
                (0.0, [r, g, b, 0.0]),
                (0.1, [r, g, b, alpha]),
                (1.0, [r, g, b, 0.0]),
            ]),
            angle_rad: [-std::f32::consts::PI, std::f32::consts::PI],
            spin_rad_per_sec: [-twist.abs(), twist.abs()],
            frames: sprite.map_or_else(|| self.pictures.puffs.clone(), |it| frames(&it)),
            is_lit: true,
            softness: 0.25 * sizes[1],
            ..Emitter::default()
        });
    }

    /// Bursts up to `MaxDelay` seconds after each other, larger with `Magnitude`.
    fn sparks(&mut self, entity: &Entity, seed: u32) {
        let Some(origin) = entity.origin().filter(|it| is_place(*it)) else {
            return;
        };
        let magnitude = positive(entity, "Magnitude", 1.0).clamp(0.5, 16.0);
        let period = 0.5 * positive(entity, "MaxDelay", 0.0).clamp(0.2, 600.0);
        self.emitters.push(Emitter {
            name: entity.class().into_owned(),
            anchor: standing_at(origin),
            seed,
            emission: Emission::Bursts(vec![Burst {
                at_secs: 0.0,
                count: (12.0 * magnitude) as u32,
            }]),
            // So that sparks of different places do not fly together.
            window: Some(EmitterWindow {
                start_secs: -(seed as f32 * 0.618).fract() * period,
                duration_secs: 0.0,
                period_secs: Some(period),
            }),
            life_secs: [0.2, 0.7],
            motion: Motion::Thrown(Throw {
                spread_rad: std::f32::consts::PI,
                speed: [20.0 * magnitude, 90.0 * magnitude],
                gravity: [0.0, 0.0, -GRAVITY],
                ..Throw::default()
            }),
            size: Curve::line([1.2, 0.5], [0.6, 0.5]),
            color: Curve::through(&[(0.0, [1.0, 0.95, 0.7, 1.0]), (1.0, [1.0, 0.5, 0.1, 0.0])]),
            frames: vec![self.pictures.disc],
            form: ParticleForm::Streak { secs: 0.05 },
            blend: ParticleBlend::Add,
            ..Emitter::default()
        });
    }

    /// From its own place, or that of `LightningStart`, to another entity; `NoiseAmplitude` off the straight line. It is
    /// there for `life` seconds and gone for `StrikeTime`; always, if `life` is 0.
    fn beam(&mut self, entity: &Entity, seed: u32, to: &str, width: &str) {
        let target = |key: &str| self.places.of_name(&entity.get(key)?);
        let start = target("LightningStart").or(entity.origin());
        let Some(([x, y, z], end)) = start.zip(target(to)) else {
            return;
        };
        if !is_place([x, y, z]) || !is_place(end) {
            return;
        }
        let width = positive(entity, width, 2.0);
        let noise = positive(entity, "NoiseAmplitude", 0.0);
        let life = positive(entity, "life", 0.0).min(600.0);
        let pause = entity
            .number("StrikeTime")
            .unwrap_or(1.0)
            .abs()
            .clamp(0.05, 600.0);
        let sprite = entity.get("texture").and_then(|name| self.sprite_of(&name));
        let is_straight = noise == 0.0;
        let (emission, window, life) = match life > 0.0 {
            true => (
                Emission::Bursts(vec![Burst {
                    at_secs: 0.0,
                    count: 1,
                }]),
                Some(EmitterWindow {
                    start_secs: 0.0,
                    duration_secs: 0.0,
                    period_secs: Some(life + pause),
                }),
                life,
            ),
            false => (Emission::Steady { count: 1 }, None, STEADY_SECS),
        };
        let [end_x, end_y, end_z] = end;
        self.emitters.push(Emitter {
            name: entity.class().into_owned(),
            anchor: standing_at([x, y, z]),
            seed,
            emission,
            window,
            life_secs: [life; 2],
            size: Curve::constant([width, 0.0]),
            color: Curve::constant(tint(entity)),
            frames: sprite.map_or_else(|| vec![SpriteFrame::default()], |it| frames(&it)),
            form: ParticleForm::Beam(Beam {
                to: [end_x - x, end_y - y, end_z - z],
                end_width: 1.0,
                segments: if is_straight { 1 } else { BEAM_SEGMENTS },
                noise,
                jumps_per_sec: BEAM_JUMPS_PER_SEC,
            }),
            blend: ParticleBlend::Add,
            ..Emitter::default()
        });
    }

    /// A sprite by the name that an entity has for it, with or without an ending.
    fn sprite_of(&mut self, name: &str) -> Option<Sprite> {
        let name = name.trim();
        let stem = [".vmt", ".spr"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .unwrap_or(name);
        match stem.is_empty() {
            true => None,
            false => self.materials.sprite(stem),
        }
    }
}

fn frames(sprite: &Sprite) -> Vec<SpriteFrame> {
    let frames = sprite.frames.iter().copied();
    frames.map(SpriteFrame::whole).collect()
}

pub(super) fn has_flag(entity: &Entity, flag: i32) -> bool {
    entity.integer("spawnflags").unwrap_or(0) & flag != 0
}

/// Whether an entity lets out particles, or shines, before anything in the map turns it on.
pub fn starts_on(entity: &Entity) -> bool {
    let is_unnamed = entity.name().is_none_or(|it| it.is_empty());
    match &*entity.class() {
        "env_sprite" | "env_glow" | "env_beam" | "env_laser" => {
            is_unnamed || has_flag(entity, STARTS_ON)
        }
        "point_spotlight" | "beam_spotlight" => has_flag(entity, STARTS_ON),
        "env_fire" => has_flag(entity, FIRE_STARTS_ON) && !is_disabled(entity),
        "env_spark" => has_flag(entity, SPARK_STARTS_ON),
        "env_smokestack" | "env_steam" => entity.integer("InitialState").unwrap_or(0) != 0,
        PARTICLE_SYSTEM => entity.integer("start_active").unwrap_or(0) != 0,
        _ => !is_disabled(entity),
    }
}

fn is_carried(entity: &Entity) -> bool {
    entity.get("parentname").is_some_and(|it| !it.is_empty())
}

fn is_disabled(entity: &Entity) -> bool {
    entity.number("StartDisabled") == Some(1.0)
}

/// A number of at least 0, within what lengths, sizes and times of a map can be.
fn positive(entity: &Entity, key: &str, default: f32) -> f32 {
    let number = entity.number(key).unwrap_or(default);
    number.clamp(0.0, crate::bsp::MAX_COORDINATE)
}

/// `rendercolor` and `renderamt`, 0 to 1.
fn tint(entity: &Entity) -> [f32; 4] {
    let [r, g, b] = entity.vec3("rendercolor").unwrap_or([255.0; 3]);
    let alpha = entity.number("renderamt").unwrap_or(255.0);
    [r, g, b, alpha].map(|channel| (channel / 255.0).clamp(0.0, 1.0))
}

/// Seen up to a distance, if the entity has one, and gone a little before.
fn seen_up_to(distance: f32) -> ViewRange {
    match distance > 0.0 {
        true => ViewRange {
            far: [0.8 * distance, distance],
            ..ViewRange::ALL
        },
        false => ViewRange::ALL,
    }
}
