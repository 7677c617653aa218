//! Skies that change with the hour: gradients, the path of sun and moon, stars; and layers of clouds.

use crate::{HOURS_PER_DAY, HourColors, Sky};

/// Most layers of clouds that a scene can have.
pub const MAX_CLOUD_LAYERS: usize = 2;

/// Days whose brightest and darkest sky differ by less than this, display space, have no sun that rises: those below
/// ground.
const LEAST_CHANGE: f32 = 0.08;
/// The sun is up while the sky's brightness is above this share of the way from its darkest to its brightest.
const SUNLIT: f32 = 0.3;
/// Sine of the least height at which sun or moon stand: light that only grazes the ground shows nothing of it.
const LEAST_RISE: f32 = 0.08;
/// Below this sine of its height, the sun is low: it colors the horizon, and its light fades.
const LOW_SUN: f32 = 0.42;
/// The zenith of a clear sky, as factors of the color that the sky has all over.
const ZENITH: [f32; 3] = [0.42, 0.58, 0.82];
/// The sky below the horizon, as a factor of that at the horizon.
const NADIR: f32 = 0.82;
const MOON: [f32; 3] = [0.62, 0.67, 0.76];
/// Clouds in full light and in shade, as factors of light and sky.
const CLOUD_WHITE: f32 = 0.97;

/// A sky through the day.
#[derive(Debug, Clone, PartialEq)]
pub struct SkyDome {
    /// Skies by rising hour, each in `0.0..24.0`; what lies between two is blended, and the last goes over into the
    /// first. Never empty.
    pub keys: Vec<SkyKey>,
    /// How sun and moon go.
    pub sun_path: SunPath,
}

/// The sky at an hour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkyKey {
    /// `0.0..24.0`.
    pub hour: f32,
    /// What it looks like then.
    pub sky: Sky,
}

/// The way of the sun by day and of the moon by night: both rise in the east, set in the west, and are highest halfway.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SunPath {
    /// Hour at which the sun rises and the moon sets; `0.0..24.0`.
    pub rise_hour: f32,
    /// Hour at which the sun sets and the moon rises; another than `rise_hour`.
    pub set_hour: f32,
    /// Unit vector toward the sun where it is highest, above the horizon.
    pub noon: [f32; 3],
}

/// A level layer of clouds that moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CloudLayer {
    /// How much of the sky it covers, `0.0..=1.0`.
    pub cover: f32,
    /// How much of the sky behind it a cloud hides, `0.0..=1.0`.
    pub opacity: f32,
    /// Size of the largest clouds, in heights of the layer above the eye; above 0.
    pub size: f32,
    /// Heights of the layer that it moves per second, in x and y.
    pub drift_per_sec: [f32; 2],
}

impl CloudLayer {
    /// Fair weather: heaps of clouds below thin, high ones.
    pub const FAIR: [Self; MAX_CLOUD_LAYERS] = [
        Self {
            cover: 0.38,
            opacity: 0.4,
            size: 5.0,
            drift_per_sec: [0.003, 0.002],
        },
        Self {
            cover: 0.42,
            opacity: 0.92,
            size: 2.2,
            drift_per_sec: [0.008, 0.004],
        },
    ];
}

impl SkyDome {
    /// A clear sky that goes with the one color that the sky has at each hour of a day: as bright, of the hue of noon
    /// overhead, of that of the hour around a low sun. `noon` is where the sun stands at its highest. `None` for days
    /// without a night.
    pub fn from_hours(hours: &[HourColors; 24], noon: [f32; 3]) -> Option<Self> {
        let light = DayLight::from_hours(hours)?;
        let sun_path = SunPath {
            rise_hour: light.crossing(-1),
            set_hour: light.crossing(1),
            noon,
        };
        let mut at: Vec<f32> = (0..24).map(|hour| hour as f32).collect();
        at.extend([sun_path.rise_hour, sun_path.set_hour]);
        at.sort_by(f32::total_cmp);
        at.dedup();
        let key = |hour| SkyKey {
            hour,
            sky: light.sky(hour, &sun_path),
        };
        Some(Self {
            keys: at.into_iter().map(key).collect(),
            sun_path,
        })
    }

    /// The sky at an hour, `0.0..24.0`.
    pub fn at(&self, hour: f32) -> Sky {
        let [before, after] = self.around(hour);
        before
            .sky
            .blended(&after.sky, share_of_way(before, after, hour))
    }

    /// The keys before and after an hour.
    fn around(&self, hour: f32) -> [&SkyKey; 2] {
        let after = self.keys.partition_point(|key| key.hour <= hour);
        let n_keys = self.keys.len();
        [after + n_keys - 1, after].map(|index| &self.keys[index % n_keys])
    }
}

/// How much of the way from a key to the next lies before an hour.
fn share_of_way(before: &SkyKey, after: &SkyKey, hour: f32) -> f32 {
    let [since, step] = [hour, after.hour].map(|to| (to - before.hour).rem_euclid(HOURS_PER_DAY));
    if step == 0.0 { 0.0 } else { since / step }
}

impl SunPath {
    /// Unit vector toward the sun, or by night the moon; never below the horizon.
    pub fn direction(&self, hour: f32) -> [f32; 3] {
        let [x, y, z] = self.noon;
        // Halfway from rising to setting the arc passes `noon`; it begins in the east, level.
        let level = x.hypot(y);
        let east = match level > 0.0 {
            true => [y / level, -x / level],
            false => [1.0, 0.0],
        };
        let east = if east[0] < 0.0 {
            east.map(|it| -it)
        } else {
            east
        };
        let (sin, cos) = (std::f32::consts::PI * self.share(hour)).sin_cos();
        let sin = sin.max(LEAST_RISE);
        let direction = [east[0] * cos + x * sin, east[1] * cos + y * sin, z * sin];
        let length = direction.iter().map(|it| it * it).sum::<f32>().sqrt();
        direction.map(|it| it / length)
    }

    /// How much of its way sun or moon have behind them.
    fn share(&self, hour: f32) -> f32 {
        let day = (self.set_hour - self.rise_hour).rem_euclid(HOURS_PER_DAY);
        let since = (hour - self.rise_hour).rem_euclid(HOURS_PER_DAY);
        match since < day {
            true => since / day,
            false => (since - day) / (HOURS_PER_DAY - day),
        }
    }

    fn is_day(&self, hour: f32) -> bool {
        let day = (self.set_hour - self.rise_hour).rem_euclid(HOURS_PER_DAY);
        (hour - self.rise_hour).rem_euclid(HOURS_PER_DAY) < day
    }

    /// How much of its light sun or moon give at an hour: nothing as they rise and set, all once they are no longer low.
    pub fn strength(&self, hour: f32) -> f32 {
        let rise = (std::f32::consts::PI * self.share(hour)).sin();
        smoothstep(0.0, LOW_SUN, rise)
    }
}

/// How bright the sky is through a day.
struct DayLight<'a> {
    hours: &'a [HourColors; 24],
    darkest: f32,
    brightest: f32,
    brightest_hour: usize,
}

impl<'a> DayLight<'a> {
    fn from_hours(hours: &'a [HourColors; 24]) -> Option<Self> {
        let values = hours.each_ref().map(|it| brightness(it.sky));
        let darkest = values.iter().copied().fold(f32::MAX, f32::min);
        let brightest = values.iter().copied().fold(0.0, f32::max);
        // In the middle of the brightest hours, which may be several.
        let is_brightest = |hour: &usize| values[*hour] > brightest - 1e-3;
        let first = (0..24).find(is_brightest)?;
        let n_brightest = (first..24).take_while(is_brightest).count();
        (brightest - darkest >= LEAST_CHANGE).then_some(Self {
            hours,
            darkest,
            brightest,
            brightest_hour: first + n_brightest / 2,
        })
    }

    /// 0 where the sky is darkest, 1 where it is brightest.
    fn at(&self, hour: usize) -> f32 {
        (brightness(self.hours[hour % 24].sky) - self.darkest) / (self.brightest - self.darkest)
    }

    /// The hour at which the sky's brightness falls below what the sun makes it, going from the brightest hour in steps.
    fn crossing(&self, step: i32) -> f32 {
        let mut hour = self.brightest_hour as i32;
        let value = |hour: i32| self.at(hour.rem_euclid(24) as usize);
        // The darkest hour ends it.
        while value(hour + step) > SUNLIT {
            hour += step;
        }
        let [above, below] = [value(hour), value(hour + step)];
        let share = (above - SUNLIT) / (above - below).max(1e-6);
        (hour as f32 + step as f32 * share.clamp(0.0, 1.0)).rem_euclid(HOURS_PER_DAY)
    }

    fn sky(&self, hour: f32, sun_path: &SunPath) -> Sky {
        let colors = blended_hours(self.hours, hour);
        let noon = self.hours[self.brightest_hour].sky;
        let daylight = (brightness(colors.sky) - self.darkest) / (self.brightest - self.darkest);
        let dimmed = brightness(colors.sky) / self.brightest;
        let clear = noon.map(|channel| channel * dimmed);
        let strength = sun_path.strength(hour);
        // A low sun lights the horizon below it; the rest of the sky keeps the hue of the day.
        let low = (1.0 - strength) * smoothstep(0.0, SUNLIT, daylight);
        let horizon = mix(colors.sky, clear, 0.6 * low);
        let excess: [f32; 3] =
            std::array::from_fn(|i| (colors.sky[i] - clear[i]).max(0.0) + 0.35 * colors.sun[i]);
        let disc = match sun_path.is_day(hour) {
            true => colors
                .sun
                .map(|channel| channel * (0.25 + 0.75 * strength) * strength.sqrt()),
            false => MOON.map(|channel| channel * strength),
        };
        let zenith = [0, 1, 2].map(|i| mix(clear, colors.sky, 1.0 - low)[i] * ZENITH[i]);
        let warm = mix(colors.sky, colors.sun, 0.3 + 0.4 * strength);
        Sky {
            zenith,
            horizon,
            nadir: horizon.map(|channel| channel * NADIR),
            sun_disc: disc,
            glow: excess.map(|channel| channel * low),
            stars: (1.0 - 3.0 * daylight).clamp(0.0, 1.0),
            cloud_light: mix(warm, [CLOUD_WHITE; 3], 0.75 * daylight * strength),
            cloud_shade: mix(zenith, colors.sky, 0.7),
        }
    }
}

impl Sky {
    /// Part of the way to another sky.
    #[must_use]
    pub fn blended(&self, next: &Self, share: f32) -> Self {
        let color = |of: fn(&Self) -> [f32; 3]| mix(of(self), of(next), share);
        Self {
            zenith: color(|it| it.zenith),
            horizon: color(|it| it.horizon),
            nadir: color(|it| it.nadir),
            sun_disc: color(|it| it.sun_disc),
            glow: color(|it| it.glow),
            stars: self.stars + (next.stars - self.stars) * share,
            cloud_light: color(|it| it.cloud_light),
            cloud_shade: color(|it| it.cloud_shade),
        }
    }
}

fn blended_hours(hours: &[HourColors; 24], hour: f32) -> HourColors {
    let before = hour.floor();
    let [now, next] = [before, before + 1.0].map(|hour| &hours[hour as usize % 24]);
    now.blended(next, hour - before)
}

/// Of a display-space color, as the eye weighs it.
fn brightness([r, g, b]: [f32; 3]) -> f32 {
    0.30 * r + 0.59 * g + 0.11 * b
}

fn mix(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
}

fn smoothstep(low: f32, high: f32, value: f32) -> f32 {
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: [f32; 3] = [0.36, 0.48, 0.8];

    /// Dark until 5:00, bright from 8:00 to 17:00, dark from 20:00 on; red at 6:00 and 19:00.
    fn hours() -> [HourColors; 24] {
        std::array::from_fn(|hour| {
            let day = match hour {
                8..=17 => 1.0,
                6 | 19 => 0.4,
                7 | 18 => 0.7,
                _ => 0.0,
            };
            let red = if matches!(hour, 6 | 19) { 0.3 } else { 0.0 };
            HourColors {
                sky: [0.05 + 0.5 * day + red, 0.05 + 0.6 * day, 0.1 + 0.8 * day],
                ambient: [0.4; 3],
                sun: [0.8 * day, 0.7 * day, 0.6 * day],
            }
        })
    }

    #[test]
    fn the_sun_is_highest_at_noon_and_level_as_it_rises_and_sets() {
        let path = SunPath {
            rise_hour: 6.0,
            set_hour: 18.0,
            noon: NOON,
        };
        let at = |hour| path.direction(hour);
        assert!((0..3).all(|i| (at(12.0)[i] - NOON[i]).abs() < 1e-5));
        for hour in [6.0, 18.0, 0.0, 3.5, 12.0] {
            let length: f32 = at(hour).iter().map(|it| it * it).sum();
            assert!((length - 1.0).abs() < 1e-5 && at(hour)[2] > 0.0, "{hour}");
        }
        assert!(at(6.0)[2] < 0.1 && at(18.0)[2] < 0.1);
        assert!(at(7.0)[0] > 0.5 && at(17.0)[0] < -0.5, "from east to west");
        assert!(
            (0..3).all(|i| (at(0.0)[i] - NOON[i]).abs() < 1e-5),
            "the moon"
        );
        assert_eq!((path.strength(6.0), path.strength(12.0)), (0.0, 1.0));
    }

    #[test]
    fn a_sky_by_the_hour_is_a_gradient_with_stars_by_night_and_a_glow_at_dusk() {
        let dome = SkyDome::from_hours(&hours(), NOON).unwrap();
        let SunPath {
            rise_hour,
            set_hour,
            ..
        } = dome.sun_path;
        assert!((5.0..6.0).contains(&rise_hour), "{rise_hour}");
        assert!((19.0..20.0).contains(&set_hour), "{set_hour}");
        let noon = dome.at(12.0);
        assert!(brightness(noon.zenith) < 0.8 * brightness(noon.horizon));
        assert_eq!((noon.stars, noon.glow), (0.0, [0.0; 3]));
        let night = dome.at(1.0);
        assert_eq!((night.stars, night.glow), (1.0, [0.0; 3]));
        assert!(night.sun_disc[2] > 0.5, "the moon");
        let dawn = dome.at(6.0);
        assert!(dawn.glow[0] > 0.1 && dawn.glow[0] > dawn.glow[2]);
        assert_eq!(dome.at(rise_hour).sun_disc, [0.0; 3]);
    }

    #[test]
    fn between_two_keys_lies_their_blend_also_around_midnight() {
        let key = |hour, stars| SkyKey {
            hour,
            sky: Sky {
                stars,
                ..Sky::default()
            },
        };
        let dome = SkyDome {
            keys: vec![key(6.0, 0.0), key(22.0, 1.0)],
            sun_path: SunPath {
                rise_hour: 6.0,
                set_hour: 18.0,
                noon: NOON,
            },
        };
        for (hour, stars) in [
            (6.0, 0.0),
            (10.0, 0.25),
            (22.0, 1.0),
            (0.0, 0.75),
            (4.0, 0.25),
        ] {
            assert!((dome.at(hour).stars - stars).abs() < 1e-6, "{hour}");
        }
        let one = SkyDome {
            keys: vec![key(6.0, 0.5)],
            ..dome
        };
        assert_eq!(one.at(3.0).stars, 0.5);
    }

    #[test]
    fn days_below_ground_have_no_sky() {
        let cave = HourColors {
            sky: [0.1; 3],
            ..HourColors::default()
        };
        assert_eq!(SkyDome::from_hours(&[cave; 24], NOON), None);
    }
}
