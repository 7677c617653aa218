//! The sky of a mission as a day of a scene (document "Parkan: what is settled since", sections 4.1 to 4.3).
//!
//! In: `sky.ske`, and the pictures that `sky.wea` names. Out: a [`DayCycle`] that paints its own sky, and weather as
//! emitters and sounds. Below its rim, which the original never shows, the dome continues as it is there.

mod lightning;
#[cfg(test)]
mod tests;

use std::f32::consts::{FRAC_PI_4, PI};

use ironlands_scene::{
    Anchor, ClipIdx, Curve, DayCycle, Emission, Emitter, FlareSpot, FogColor, HourWindow,
    LensFlare, Motion, N_COMPASS, PaintedColors, PaintedKey, PaintedSky, ParticleForm, SkyBody,
    SkyPicture, SkyRing, Sound, SoundClip, SoundPlay, SoundSource, SpriteFrame, TextureIdx, Throw,
    ViewRange,
};

pub(crate) use self::lightning::{LIGHTNING, Strike, strikes};
use crate::effect_scene::SceneSounds;
use crate::ske::{Keyframe, Ske, SkyEvent, SkySection, Slots};

/// World units that the distances of fog are shares of.
const FOG_UNITS: f32 = 700.0;
/// The dome spans 45 degrees, its sphere's radius follows from its height of 10,000.
const DOME_SPAN_RAD: f32 = FRAC_PI_4;
/// Clouds hang lower by half the height of the dome, in its radii: 5,000 of 34,142.
const CLOUDS_SINK: f32 = 0.146_447;
/// Their own fog, 5,000 to 11,380.7, in the same.
const CLOUD_FOG: [f32; 2] = [0.146_447, 0.333_333];
/// How often pictures repeat in a radius.
const NEBULA_REPEATS: f32 = 1.0;
const CLOUD_REPEATS: f32 = 3.0;
/// Half the size of a body whose numbers are 1: the tangent of an angle.
const BODY_SIZE: f32 = 0.1625;
/// Angles of the arcs of sun and moon where they begin and end.
const BODY_ANGLES_RAD: [f32; 2] = [-0.1 * PI, 1.1 * PI];
/// Where the sun's arc leaves the horizon, and where it is highest, 60 degrees up.
const SUN_ARC: [[f32; 3]; 2] = [[0.0, -1.0, 0.0], [0.5, 0.0, 0.866_025_4]];
/// The same of the moon, which gets 40 degrees high.
const MOON_ARC: [[f32; 3]; 2] = [[-1.0, 0.0, 0.0], [0.0, -0.766_044_4, 0.642_787_6]];
/// A flare fades within 15 degrees, grows with the body's height between 30 and 60 degrees, and is not drawn below a tenth.
const FLARE_REACH_RAD: f32 = PI / 12.0;
const FLARE_HEIGHTS: [f32; 2] = [0.5, 0.866_025_4];
const LEAST_FLARE: f32 = 0.1;
/// The size of a flare's spot is a share of a quarter of half the picture's width.
const SPOT_SIZE: f32 = 0.25;
/// Place, size, color (alpha, red, green, blue) and row of the spots of a flare: the first or the second of its pictures.
const FLARE_SPOTS: [(f32, f32, u32, usize); 12] = [
    (1.2, 0.2, 0xFFB0_90A3, 0),
    (0.7, 0.3, 0xFF5A_58BB, 0),
    (0.5, 0.2, 0x9630_BE52, 1),
    (0.2, 0.1, 0x96C9_3432, 1),
    (0.0, 0.1, 0xFF30_BE52, 0),
    (-0.2, 0.3, 0x9696_9664, 1),
    (-0.3, 0.3, 0xFFB0_90A3, 0),
    (-0.5, 0.7, 0xFF7C_6BC9, 0),
    (-0.6, 0.4, 0x9630_6452, 1),
    (-0.8, 1.0, 0xFF0B_17B9, 0),
    (-1.0, 0.3, 0xFFB6_26B1, 0),
    (-1.1, 0.2, 0xFF7C_C5C9, 0),
];
/// Weather: most drops, and drops at an intensity of 1.
const MAX_DROPS: f32 = 600.0;
const DROPS: f32 = 1000.0;
/// The original has drops ahead of the camera only, which is a quarter of what is around it.
const AROUND: f32 = 4.0;
/// Where drops are seen from and to.
const DROPS_FROM: [f32; 2] = [0.0, 2.0];
const DROPS_TO: [f32; 2] = [2.0, 50.0];
/// The alpha of drops, and the least that each channel of their color has.
const DROP_ALPHA: f32 = 150.0 / 255.0;
const LEAST_DROP: u8 = 0x50;
/// Velocities and sizes of rain and snow.
const RAIN: Fall = Fall {
    velocity: [0.5, 0.0, -60.0],
    size: 0.013,
    streak_secs: 1.0 / 60.0,
};
const SNOW: Fall = Fall {
    velocity: [0.5, 0.0, -4.0],
    size: 0.039,
    streak_secs: 0.0,
};

struct Fall {
    velocity: [f32; 3],
    /// Width of a drop: twice its half extent.
    size: f32,
    streak_secs: f32,
}

/// Pictures of the sky's materials.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct SkyFrames {
    pub(crate) nebula: Option<TextureIdx>,
    pub(crate) clouds: Option<TextureIdx>,
    pub(crate) sun: Option<SpriteFrame>,
    pub(crate) moon: Option<SpriteFrame>,
    pub(crate) flares: [Option<SpriteFrame>; 2],
    /// `None` shows plain white, as do drops of rain.
    pub(crate) snow: Option<SpriteFrame>,
    pub(crate) rain: Option<SpriteFrame>,
}

/// The day of the first section; `None` for one without keyframes or with numbers that make no sky.
pub(crate) fn day_of(sky: &Ske, frames: &SkyFrames) -> Option<DayCycle> {
    let section = sky.sections.first()?;
    let keyframes = by_hour(section);
    let is_usable = |it: &&Keyframe| {
        let Slots {
            fog_start, fog_end, ..
        } = it.slots;
        let has_fog = fog_start >= 0.0 && fog_start < fog_end && fog_end.is_finite();
        has_fog && it.numbers.iter().all(|it| it.is_finite())
    };
    if keyframes.is_empty() || !keyframes.iter().all(is_usable) {
        return None;
    }
    let picture = |repeats, sinks, fog_range| {
        move |texture| SkyPicture {
            texture,
            repeats,
            sinks,
            fog_range,
        }
    };
    let painted = PaintedSky {
        keys: (keyframes.iter())
            .map(|it| PaintedKey {
                hour: it.time.hours(),
                colors: colors_of(it),
            })
            .collect(),
        span_rad: DOME_SPAN_RAD,
        backdrop: frames.nebula.map(picture(NEBULA_REPEATS, 0.0, None)),
        clouds: (frames.clouds).map(picture(CLOUD_REPEATS, CLOUDS_SINK, Some(CLOUD_FOG))),
        bodies: bodies(&keyframes, frames),
        flare: flare(frames.flares),
    };
    let day_secs = section.day_secs();
    Some(DayCycle {
        name: "mission".to_owned(),
        hours: std::array::from_fn(|hour| painted.hour_colors(hour as f32)),
        start_hour: sky.start.hours().clamp(0.0, 23.99),
        fog_color: FogColor::OfSky,
        day_secs: (day_secs.is_finite() && day_secs > 0.0).then_some(day_secs),
        dome: None,
        painted: Some(painted),
    })
}

/// Rain and snow, while they last.
pub(crate) fn weather(sky: &Ske, frames: &SkyFrames) -> Vec<Emitter> {
    let Some(section) = sky.sections.first() else {
        return Vec::new();
    };
    let keyframes = by_hour(section);
    let rain = spells(&keyframes, |it| match it {
        SkyEvent::Rain { begins } => Some(begins),
        _ => None,
    });
    let snow = spells(&keyframes, |it| match it {
        SkyEvent::Snow { begins } => Some(begins),
        _ => None,
    });
    let rain = rain.iter().map(|it| drops("rain", it, &RAIN, frames.rain));
    let snow = snow.iter().map(|it| drops("snow", it, &SNOW, frames.snow));
    rain.chain(snow).collect()
}

/// What rain sounds like: for each of its spells that has a recording.
pub(crate) fn rain_sounds(sky: &Ske, clips: &[(Vec<u8>, SoundClip)]) -> SceneSounds {
    let mut sounds = SceneSounds::default();
    let section = sky.sections.first();
    let keyframes = section.map(by_hour).unwrap_or_default();
    let rain = spells(&keyframes, |it| match it {
        SkyEvent::Rain { begins } => Some(begins),
        _ => None,
    });
    for spell in rain {
        let clip = spell.sound.as_ref().and_then(|name| {
            let known = clips.iter().find(|(known, _)| known == name);
            known.map(|(_, clip)| clip)
        });
        if let Some(clip) = clip {
            let sound = Sound {
                name: format!("{} of rain", clip.name),
                clip: ClipIdx::default(),
                source: SoundSource::Everywhere,
                play: SoundPlay::Loop(Vec::new()),
                gain: rain_gain(spell.intensity),
                rate: 1.0,
                hours: Some(spell.hours()),
            };
            sounds.push(clip, sound);
        }
    }
    sounds
}

/// Share of full loudness: 100 (i^(1/16) - 1) decibels.
fn rain_gain(intensity: f32) -> f32 {
    let decibels = 100.0 * (intensity.clamp(0.0, 1.0).powf(1.0 / 16.0) - 1.0);
    10.0f32.powf(decibels / 20.0)
}

/// A time in which something lasts, how strong it is then, the color of the light, and its recording.
struct Spell {
    hours: [f32; 2],
    intensity: f32,
    color: [u8; 4],
    sound: Option<Vec<u8>>,
}

impl Spell {
    fn hours(&self) -> HourWindow {
        let [from, to] = self.hours;
        HourWindow { from, to }
    }
}

/// From each beginning to the next end; without an end until midnight.
fn spells(keyframes: &[&Keyframe], begins: impl Fn(SkyEvent) -> Option<bool>) -> Vec<Spell> {
    let mut spells: Vec<Spell> = Vec::new();
    let mut open: Option<Spell> = None;
    for keyframe in keyframes {
        let [.., intensity] = keyframe.numbers;
        if let Some(spell) = &mut open {
            spell.intensity = spell.intensity.max(intensity);
        }
        let hour = keyframe.time.hours();
        match begins(keyframe.event()) {
            Some(true) if open.is_none() => {
                open = Some(Spell {
                    hours: [hour, 24.0],
                    intensity,
                    color: keyframe.slots.sun,
                    sound: keyframe.sounds.first().cloned(),
                });
            }
            Some(false) => {
                let ended = open.take().map(|it| Spell {
                    hours: [it.hours[0], hour],
                    ..it
                });
                spells.extend(ended);
            }
            _ => {}
        }
    }
    spells.extend(open);
    spells
}

fn drops(name: &str, spell: &Spell, fall: &Fall, frame: Option<SpriteFrame>) -> Emitter {
    let [x, y, z] = fall.velocity;
    let speed = (x * x + y * y + z * z).sqrt();
    let [b, g, r, _] = spell.color.map(|it| f32::from(it.max(LEAST_DROP)) / 255.0);
    let [_, far] = DROPS_TO;
    let half = 0.5 * far;
    let form = match fall.streak_secs > 0.0 {
        true => ParticleForm::Streak {
            secs: fall.streak_secs,
        },
        false => ParticleForm::Sprite,
    };
    Emitter {
        name: name.to_owned(),
        anchor: Anchor::Eye {
            half_extent: [half; 3],
            within: None,
        },
        emission: Emission::Steady {
            count: (AROUND * (spell.intensity.clamp(0.0, 1.0) * DROPS).clamp(1.0, MAX_DROPS))
                as u32,
        },
        motion: Motion::Thrown(Throw {
            direction: [x / speed, y / speed, z / speed],
            speed: [speed; 2],
            ..Throw::default()
        }),
        size: Curve::constant([fall.size; 2]),
        color: Curve::constant([r, g, b, DROP_ALPHA]),
        frames: vec![frame.unwrap_or_default()],
        form,
        is_fogged: false,
        range: ViewRange {
            near: DROPS_FROM,
            far: DROPS_TO,
        },
        hours: Some(spell.hours()),
        ..Emitter::default()
    }
}

/// Keyframes by rising hour, of those of one hour the last.
fn by_hour(section: &SkySection) -> Vec<&Keyframe> {
    let mut keyframes: Vec<&Keyframe> = (section.keyframes.iter())
        .filter(|it| it.time.hour < 24 && it.time.minute < 60)
        .collect();
    keyframes.sort_by(|a, b| a.time.hours().total_cmp(&b.time.hours()));
    keyframes.reverse();
    keyframes.dedup_by(|a, b| a.time.hours() == b.time.hours());
    keyframes.reverse();
    keyframes
}

fn rgb([b, g, r, _]: [u8; 4]) -> [f32; 3] {
    [r, g, b].map(|channel| f32::from(channel) / 255.0)
}

fn rgba([b, g, r, a]: [u8; 4]) -> [f32; 4] {
    [r, g, b, a].map(|channel| f32::from(channel) / 255.0)
}

/// The colors of a ring by compass.
fn ring(slots: &[[u8; 4]; N_COMPASS]) -> SkyRing {
    Slots::COMPASS.map(|slot| slots.get(slot).map_or([0.0; 4], |color| rgba(*color)))
}

fn colors_of(keyframe: &Keyframe) -> PaintedColors {
    let Slots {
        unknown_00: _,
        horizon,
        fog_start,
        fog_end,
        ring_3,
        ring_2,
        apex,
        unknown_40: _,
        flare: [.., flare],
        clouds,
        sun,
        scene,
        counter,
    } = keyframe.slots;
    let [width, height, factor, _] = keyframe.numbers.map(|it| it.max(0.0));
    let [lit, own] = [rgb(clouds), rgb(scene)];
    let mut cloud_color = lit;
    cloud_color
        .iter_mut()
        .zip(own)
        .for_each(|(it, more)| *it = (*it + more).min(1.0));
    PaintedColors {
        apex: rgba(apex),
        rings: [ring(&ring_2), ring(&ring_3), ring(&horizon)],
        clouds: cloud_color,
        sun: rgb(sun).map(|channel| channel * factor),
        counter: rgb(counter),
        ambient: own,
        body_half_size: [width, height].map(|it| it * BODY_SIZE),
        flare: f32::from(flare) / 255.0,
        fog_range: [fog_start, fog_end].map(|it| it * FOG_UNITS),
    }
}

/// Sun and moon, each from its beginning to the next keyframe of either, around midnight if there is none before.
fn bodies(keyframes: &[&Keyframe], frames: &SkyFrames) -> Vec<SkyBody> {
    let events: Vec<(f32, bool, bool)> = (keyframes.iter())
        .filter_map(|it| match it.event() {
            SkyEvent::Sun { begins } => Some((it.time.hours(), begins, it.is_moon())),
            _ => None,
        })
        .collect();
    let ends = events.iter().cycle().skip(1);
    let body = |(&(from, begins, is_moon), &(to, ..)): (&(f32, bool, bool), &(f32, bool, bool))| {
        let (frame, arc) = match is_moon {
            true => (frames.moon?, MOON_ARC),
            false => (frames.sun?, SUN_ARC),
        };
        begins.then_some(SkyBody {
            frame,
            // One that nothing ends is there until it begins again.
            hours: match from == to {
                true => HourWindow {
                    from: 0.0,
                    to: 24.0,
                },
                false => HourWindow { from, to },
            },
            arc,
            angles_rad: BODY_ANGLES_RAD,
        })
    };
    events.iter().zip(ends).filter_map(body).collect()
}

fn flare(frames: [Option<SpriteFrame>; 2]) -> Option<LensFlare> {
    let spot = |(place, size, argb, row): (f32, f32, u32, usize)| {
        let [a, r, g, b] = argb.to_be_bytes().map(|it| f32::from(it) / 255.0);
        Some(FlareSpot {
            place,
            half_size: SPOT_SIZE * size,
            color: [r, g, b, a],
            frame: frames.get(row).copied().flatten()?,
        })
    };
    let spots: Vec<FlareSpot> = FLARE_SPOTS.into_iter().filter_map(spot).collect();
    (!spots.is_empty()).then_some(LensFlare {
        spots,
        reach_rad: FLARE_REACH_RAD,
        heights: FLARE_HEIGHTS,
        least: LEAST_FLARE,
    })
}
