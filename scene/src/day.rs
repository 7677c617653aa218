//! Light and sky that change with the hour.

use crate::{Fog, PaintedSky, Scene, Sky, SkyDome, Sun};

/// Hours of a day.
pub const HOURS_PER_DAY: f32 = 24.0;

/// The colors of a day, one set for each whole hour.
///
/// Where the sun stands is no part of them: [`Sun::direction_to_sun`] of the scene holds at all hours, unless the day has a
/// sky that says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct DayCycle {
    /// Identifies it among the day cycles of a scene, such as the name of a region.
    pub name: String,
    /// Colors at 0:00, 1:00 and so on to 23:00. What lies between two hours is blended, and 23:00 goes over into 0:00.
    pub hours: [HourColors; 24],
    /// The hour that is shown unless another one is requested; `0.0..24.0`.
    pub start_hour: f32,
    /// What color fog has, also that of the backdrop.
    pub fog_color: FogColor,
    /// Real seconds that the day takes in its game; `None` where it stands still.
    pub day_secs: Option<f32>,
    /// A richer sky, which is optional: [`Atmosphere::with_dome`].
    pub dome: Option<SkyDome>,
    /// The level's own sky, whose light and fog take the place of `hours`.
    pub painted: Option<PaintedSky>,
}

/// The colors of an hour.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HourColors {
    /// The whole sky, and what is seen where nothing is drawn.
    pub sky: [f32; 3],
    /// Light that reaches every surface.
    pub ambient: [f32; 3],
    /// Direct light, and what [`Sky::sun_disc`] is multiplied by.
    pub sun: [f32; 3],
}

/// What color fog has at an hour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FogColor {
    /// Its own at all hours.
    Own,
    /// That of the sky, so that land fades into it at all hours.
    #[default]
    OfSky,
}

/// Light, sky and fog of a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Atmosphere {
    /// Directional and ambient light.
    pub sun: Sun,
    /// Sky dome.
    pub sky: Sky,
    /// Distance fog, if there is any.
    pub fog: Option<Fog>,
}

impl DayCycle {
    /// The colors at an hour: blended between the whole hour before and the one after. Hours go around: 25.5 is 1.5,
    /// -1 is 23. An hour that is not finite is 0.
    pub fn at(&self, hour: f32) -> HourColors {
        let hour = on_clock(hour);
        let before = hour.floor();
        let [now, next] = [before, before + 1.0].map(|hour| &self.hours[hour as usize % 24]);
        now.blended(next, hour - before)
    }
}

/// An hour as one of a day, `0.0..=24.0`: hours go around, and one that is not finite is 0. A tiny hour below 0 is rounded
/// up to 24.
pub fn on_clock(hour: f32) -> f32 {
    let hour = if hour.is_finite() { hour } else { 0.0 };
    hour.rem_euclid(HOURS_PER_DAY)
}

impl Atmosphere {
    /// The same at an hour of a day, or at the hour at which the day starts: light, sky and fog take the colors of
    /// the hour. Without a day nothing changes.
    #[must_use]
    pub fn at_hour(self, day: Option<&DayCycle>, hour: Option<f32>) -> Self {
        let Some(day) = day else { return self };
        let hour = hour.unwrap_or(day.start_hour);
        if let Some(painted) = &day.painted {
            return painted.atmosphere(&self, on_clock(hour));
        }
        let HourColors { sky, ambient, sun } = day.at(hour);
        Self {
            sun: Sun {
                direction_to_sun: self.sun.direction_to_sun,
                color: sun,
                ambient,
                counter: self.sun.counter,
            },
            sky: Sky {
                zenith: sky,
                horizon: sky,
                nadir: sky,
                sun_disc: std::array::from_fn(|i| self.sky.sun_disc[i] * sun[i]),
                glow: [0.0; 3],
                stars: 0.0,
                cloud_light: sky,
                cloud_shade: sky,
            },
            fog: self.fog.map(|fog| match day.fog_color {
                FogColor::Own => fog,
                FogColor::OfSky => Fog { color: sky, ..fog },
            }),
        }
    }

    /// The same below the dome of the day, if it has one: its sky, and light from where sun or moon stand then.
    #[must_use]
    pub fn with_dome(self, day: Option<&DayCycle>, hour: Option<f32>) -> Self {
        let Some((day, dome)) = day.and_then(|day| Some((day, day.dome.as_ref()?))) else {
            return self;
        };
        let hour = on_clock(hour.unwrap_or(day.start_hour));
        let sky = dome.at(hour);
        let strength = dome.sun_path.strength(hour);
        Self {
            sun: Sun {
                direction_to_sun: dome.sun_path.direction(hour),
                color: self.sun.color.map(|channel| channel * strength),
                ..self.sun
            },
            sky,
            fog: self.fog.map(|fog| {
                let color = match day.fog_color {
                    FogColor::Own => fog.color,
                    FogColor::OfSky => sky.horizon,
                };
                Fog { color, ..fog }
            }),
        }
    }
}

impl HourColors {
    pub(crate) fn blended(&self, next: &Self, share: f32) -> Self {
        let blend = |a: [f32; 3], b: [f32; 3]| -> [f32; 3] {
            std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
        };
        Self {
            sky: blend(self.sky, next.sky),
            ambient: blend(self.ambient, next.ambient),
            sun: blend(self.sun, next.sun),
        }
    }
}

impl Scene {
    /// Light, sky and fog as the scene says them, whatever the hour.
    pub fn own_atmosphere(&self) -> Atmosphere {
        Atmosphere {
            sun: self.sun,
            sky: self.sky,
            fog: self.fog,
        }
    }

    /// The day of that index into `Scene::days`, or the first where there is none.
    pub fn day(&self, index: usize) -> Option<&DayCycle> {
        self.days.get(index).or(self.days.first())
    }

    /// Light, sky and fog at an hour of a day, or at the hour at which that day starts. A scene without days has its
    /// own at all hours.
    pub fn atmosphere(&self, day: usize, hour: Option<f32>) -> Atmosphere {
        self.own_atmosphere().at_hour(self.day(day), hour)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FogFalloff;

    /// Sky red and ambient green count the hours, so that each number shows where it is from; the sun shines at noon.
    fn day() -> DayCycle {
        let hours = std::array::from_fn(|hour| HourColors {
            sky: [hour as f32 / 32.0, 0.0, 0.5],
            ambient: [0.25, hour as f32 / 64.0, 0.0],
            sun: match hour {
                12 => [1.0, 0.5, 0.25],
                _ => [0.0; 3],
            },
        });
        DayCycle {
            name: "test".to_owned(),
            hours,
            start_hour: 6.0,
            fog_color: FogColor::OfSky,
            day_secs: None,
            dome: None,
            painted: None,
        }
    }

    #[test]
    fn colors_lie_between_the_hour_before_and_the_hour_after() {
        // Hour; sky red in 32nds, ambient green in 64ths, sun red.
        for (hour, sky, ambient, sun) in [
            (0.0, 0.0, 0.0, 0.0),
            (1.0, 1.0, 1.0, 0.0),
            (5.5, 5.5, 5.5, 0.0),
            (11.25, 11.25, 11.25, 0.25),
            (12.0, 12.0, 12.0, 1.0),
            (12.75, 12.75, 12.75, 0.25),
            (23.0, 23.0, 23.0, 0.0),
            // From 23:00 back to 0:00.
            (23.25, 17.25, 17.25, 0.0),
            (23.5, 11.5, 11.5, 0.0),
            // Around, both ways.
            (24.0, 0.0, 0.0, 0.0),
            (29.5, 5.5, 5.5, 0.0),
            (-1.0, 23.0, 23.0, 0.0),
            (-0.5, 11.5, 11.5, 0.0),
            (-1e-9, 0.0, 0.0, 0.0),
            (f32::NAN, 0.0, 0.0, 0.0),
            (f32::INFINITY, 0.0, 0.0, 0.0),
        ] {
            let found = day().at(hour);
            assert_eq!(found.sky, [sky / 32.0, 0.0, 0.5], "{hour}");
            assert_eq!(found.ambient, [0.25, ambient / 64.0, 0.0], "{hour}");
            assert_eq!(found.sun, [sun, sun * 0.5, sun * 0.25], "{hour}");
        }
    }

    fn foggy_scene(days: Vec<DayCycle>) -> Scene {
        let sun = Sun {
            direction_to_sun: [0.6, 0.0, 0.8],
            ..Sun::default()
        };
        Scene {
            sun,
            fog: Some(Fog {
                color: [0.9; 3],
                start: 1.0,
                end: 2.0,
                falloff: FogFalloff::Linear,
                density: 0.5,
                layer: None,
            }),
            days,
            ..Scene::default()
        }
    }

    #[test]
    fn an_hour_colors_light_sky_and_fog_and_nothing_else() {
        let scene = foggy_scene(vec![day()]);
        let noon = scene.atmosphere(0, Some(12.0));
        let sky = [12.0 / 32.0, 0.0, 0.5];
        let expected = Atmosphere {
            sun: Sun {
                direction_to_sun: [0.6, 0.0, 0.8],
                color: [1.0, 0.5, 0.25],
                ambient: [0.25, 12.0 / 64.0, 0.0],
                counter: [0.0; 3],
            },
            sky: Sky {
                zenith: sky,
                horizon: sky,
                nadir: sky,
                sun_disc: [1.0, 0.95 * 0.5, 0.8 * 0.25],
                glow: [0.0; 3],
                stars: 0.0,
                cloud_light: sky,
                cloud_shade: sky,
            },
            fog: Some(Fog {
                color: sky,
                start: 1.0,
                end: 2.0,
                falloff: FogFalloff::Linear,
                density: 0.5,
                layer: None,
            }),
        };
        assert_eq!(noon, expected);
        assert_eq!(scene.atmosphere(0, None), scene.atmosphere(0, Some(6.0)));
        assert_eq!(
            scene.atmosphere(0, Some(6.0)).sky.sun_disc,
            [0.0; 3],
            "no disc at night"
        );
    }

    #[test]
    fn fog_may_keep_its_own_color() {
        let scene = foggy_scene(vec![DayCycle {
            fog_color: FogColor::Own,
            ..day()
        }]);
        assert_eq!(scene.atmosphere(0, Some(12.0)).fog, scene.fog);
    }

    #[test]
    fn a_scene_without_a_day_has_its_own_light_at_all_hours() {
        let scene = foggy_scene(Vec::new());
        for hour in [None, Some(0.0), Some(13.5)] {
            assert_eq!(scene.atmosphere(0, hour), scene.own_atmosphere());
        }
        assert_eq!(scene.own_atmosphere().fog, scene.fog);
        assert_eq!(scene.own_atmosphere().sun, scene.sun);
    }

    #[test]
    fn below_a_dome_light_comes_from_where_the_sun_stands() {
        let mut with_dome = day();
        with_dome.dome = SkyDome::from_hours(&with_dome.hours, [0.6, 0.0, 0.8]);
        let at = |hour| {
            let scene = foggy_scene(vec![with_dome.clone()]);
            let flat = scene.atmosphere(0, Some(hour));
            (flat, flat.with_dome(scene.day(0), Some(hour)))
        };
        let dome = with_dome.dome.clone().unwrap();
        let (flat, noon) = at(12.0);
        assert_eq!(noon.sky, dome.at(12.0));
        assert_eq!(noon.sun.ambient, flat.sun.ambient);
        assert_eq!(noon.fog.unwrap().color, noon.sky.horizon);
        let (_, evening) = at(dome.sun_path.set_hour - 1e-3);
        assert!(evening.sun.direction_to_sun[2] < 0.1);
        let scene = foggy_scene(vec![day()]);
        let flat = scene.atmosphere(0, None);
        assert_eq!(
            flat.with_dome(scene.day(0), None),
            flat,
            "a day without a dome"
        );
    }

    #[test]
    fn one_of_several_days_is_chosen_by_its_index() {
        let mut cave = day();
        cave.hours[12].sky = [0.25; 3];
        let scene = foggy_scene(vec![day(), cave]);
        let noon = |day| scene.atmosphere(day, Some(12.0)).sky.zenith;
        assert_eq!(noon(0), [12.0 / 32.0, 0.0, 0.5]);
        assert_eq!(noon(1), [0.25; 3]);
        assert_eq!(noon(2), noon(0), "no such day: the default");
    }
}
