//! The sky of a mission as a day of a scene (document "Parkan: what is settled since", sections 4.1 to 4.3).
//!
//! In: `sky.ske`, and pictures of rain and snow. Out: a [`DayCycle`] with a dome by the hour, and weather as emitters. The
//! scene has one horizon all around, a disc without a picture and clouds of its own, so that the ring's four colors are
//! their mean, and pictures of nebula, clouds, sun and flare are not drawn.

#[cfg(test)]
mod tests;

use ironlands_scene::{
    Anchor, Curve, DayCycle, Emission, Emitter, FogColor, HourColors, HourWindow, Motion,
    ParticleForm, Sky, SkyDome, SkyKey, SpriteFrame, SunPath, Throw, ViewRange,
};

use crate::ske::{Keyframe, Ske, SkyEvent, SkySection, Slots};

/// Of the time between its start and its end a body stands above the horizon from here on, and until as much before the
/// end: its angle is `(1.2 f - 0.1) pi`.
const BELOW_HORIZON: f32 = 0.1 / 1.2;
/// Where the sun stands halfway: 60 degrees high in the east.
const NOON: [f32; 3] = [0.5, 0.0, 0.866_025_4];
/// When the sun rises and sets where no keyframe says so.
const USUAL_DAY: [f32; 2] = [6.0, 18.0];
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

/// Pictures of weather; `None` shows plain white.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct WeatherFrames {
    pub(crate) snow: Option<SpriteFrame>,
    pub(crate) rain: Option<SpriteFrame>,
}

/// The day of the first section; `None` for one without keyframes or with numbers that make no sky.
pub(crate) fn day_of(sky: &Ske) -> Option<DayCycle> {
    let section = sky.sections.first()?;
    let keyframes = by_hour(section);
    let first = keyframes.first()?;
    let is_usable = keyframes.iter().all(|it| {
        let Slots {
            fog_start, fog_end, ..
        } = it.slots;
        let has_fog = fog_start >= 0.0 && fog_start < fog_end && fog_end.is_finite();
        has_fog && it.numbers.iter().all(|it| it.is_finite())
    });
    if !is_usable {
        return None;
    }
    let hours = std::array::from_fn(|hour| {
        let (before, after, share) = around(&keyframes, hour as f32);
        let colors = |idx: usize| hour_colors(keyframes.get(idx).unwrap_or(first));
        let [before, after] = [before, after].map(colors);
        blended(&before, &after, share)
    });
    let keys = keyframes.iter().map(|it| SkyKey {
        hour: it.time.hours(),
        sky: sky_of(it),
    });
    Some(DayCycle {
        name: "mission".to_owned(),
        hours,
        start_hour: sky.start.hours().clamp(0.0, 23.99),
        fog_color: FogColor::OfSky,
        day_secs: None,
        painted: None,
        dome: Some(SkyDome {
            keys: keys.collect(),
            sun_path: sun_path(&keyframes),
        }),
    })
}

/// Rain and snow, while they last.
pub(crate) fn weather(sky: &Ske, frames: WeatherFrames) -> Vec<Emitter> {
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

/// A time in which something lasts, how strong it is then, and the color of the light.
struct Spell {
    hours: [f32; 2],
    intensity: f32,
    color: [u8; 4],
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
        hours: Some(HourWindow {
            from: spell.hours[0],
            to: spell.hours[1],
        }),
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

/// Indices of the keyframes before and after an hour, and the share of the way; the last goes over into the first.
fn around(keyframes: &[&Keyframe], hour: f32) -> (usize, usize, f32) {
    let n = keyframes.len();
    let after = keyframes.iter().position(|it| it.time.hours() > hour);
    let next = after.unwrap_or(0);
    let before = next.checked_sub(1).unwrap_or(n.saturating_sub(1));
    let hours = |idx: usize| keyframes.get(idx).map_or(0.0, |it| it.time.hours());
    let length = (hours(next) - hours(before)).rem_euclid(24.0);
    let since = (hour - hours(before)).rem_euclid(24.0);
    let share = if length > 0.0 { since / length } else { 0.0 };
    (before, next, share)
}

fn rgb([b, g, r, _]: [u8; 4]) -> [f32; 3] {
    [r, g, b].map(|channel| f32::from(channel) / 255.0)
}

/// The mean of the four colors of a ring.
fn mean(ring: &[[u8; 4]; 4]) -> [f32; 3] {
    let mut sum = [0.0; 3];
    for color in ring {
        let channels = rgb(*color);
        sum.iter_mut()
            .zip(channels)
            .for_each(|(sum, it)| *sum += 0.25 * it);
    }
    sum
}

fn hour_colors(keyframe: &Keyframe) -> HourColors {
    let Slots {
        horizon,
        sun,
        scene,
        ..
    } = keyframe.slots;
    let [_, _, factor, _] = keyframe.numbers;
    HourColors {
        sky: mean(&horizon),
        ambient: rgb(scene),
        sun: rgb(sun).map(|channel| (channel * factor).max(0.0)),
    }
}

fn blended(before: &HourColors, after: &HourColors, share: f32) -> HourColors {
    let blend = |a: [f32; 3], b: [f32; 3]| {
        let mut mixed = a;
        mixed
            .iter_mut()
            .zip(b)
            .for_each(|(it, b)| *it += (b - *it) * share);
        mixed
    };
    HourColors {
        sky: blend(before.sky, after.sky),
        ambient: blend(before.ambient, after.ambient),
        sun: blend(before.sun, after.sun),
    }
}

fn sky_of(keyframe: &Keyframe) -> Sky {
    let Slots {
        horizon,
        apex,
        clouds,
        sun,
        scene,
        ..
    } = keyframe.slots;
    let [_, _, _, alpha] = apex;
    let horizon = mean(&horizon);
    let [lit, shade] = [rgb(clouds), rgb(scene)];
    let mut cloud_light = lit;
    cloud_light
        .iter_mut()
        .zip(shade)
        .for_each(|(it, more)| *it = (*it + more).min(1.0));
    Sky {
        zenith: rgb(apex),
        horizon,
        // The rim of the dome and what lies below it have the color of the horizon.
        nadir: horizon,
        sun_disc: rgb(sun),
        glow: [0.0; 3],
        // What lies behind the dome shows as far as its alpha lets it.
        stars: 1.0 - f32::from(alpha) / 255.0,
        cloud_light,
        cloud_shade: lit,
    }
}

/// From the keyframes at which the sun begins and ends.
fn sun_path(keyframes: &[&Keyframe]) -> SunPath {
    let hour_of = |wanted: bool| {
        let is_it =
            |it: &&&Keyframe| it.event() == SkyEvent::Sun { begins: wanted } && !it.is_moon();
        keyframes.iter().find(is_it).map(|it| it.time.hours())
    };
    let [start, end] = match (hour_of(true), hour_of(false)) {
        (Some(start), Some(end)) if start < end => [start, end],
        _ => {
            let [rise, set] = USUAL_DAY;
            let length = (set - rise) / (1.0 - 2.0 * BELOW_HORIZON);
            let middle = 0.5 * (rise + set);
            [middle - 0.5 * length, middle + 0.5 * length]
        }
    };
    let below = BELOW_HORIZON * (end - start);
    SunPath {
        rise_hour: start + below,
        set_hour: end - below,
        noon: NOON,
    }
}
