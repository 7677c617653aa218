//! Skies that a level paints itself: rings of colors that change with the hour, pictures behind and before them, and
//! bodies that go over them.
//!
//! Nothing is stepped: where a body is and what colors the sky has follow from the hour alone.

mod colors;
#[cfg(test)]
mod tests;

pub use colors::{N_COMPASS, N_SKY_RINGS, PaintedColors, SkyRing};

use crate::{
    Atmosphere, Fog, HOURS_PER_DAY, HourColors, HourWindow, Sky, SpriteFrame, Sun, TextureIdx,
};

/// Most spots of a lens flare.
pub const MAX_FLARE_SPOTS: usize = 16;
/// Most bodies that are drawn at an hour; of more the first.
pub const MAX_SHOWN_BODIES: usize = 2;
/// How many times as bright the light is that falls straight into the camera, where the flare is whole.
const DAZZLE: f32 = 5.0;

/// A sky of a level's own.
///
/// The dome is the top of a sphere, cut off at the eye's height: from its apex to its rim it spans an angle as seen from
/// the sphere's center, which five rings divide evenly. Lengths of pictures are in radii of the sphere.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PaintedSky {
    /// Colors by rising hour, each in `0.0..24.0`; what lies between two is blended, and the last goes over into the
    /// first. Never empty.
    pub keys: Vec<PaintedKey>,
    /// From the apex to the rim; above 0, below a quarter turn.
    pub span_rad: f32,
    /// Seen as far as the alpha of the colors lets it.
    pub backdrop: Option<SkyPicture>,
    /// Before the colors, as opaque as its picture is.
    pub clouds: Option<SkyPicture>,
    /// What goes over the sky.
    pub bodies: Vec<SkyBody>,
    /// What the light of a body makes in a lens.
    pub flare: Option<LensFlare>,
}

/// Colors at an hour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaintedKey {
    /// `0.0..24.0`.
    pub hour: f32,
    /// What the sky looks like then.
    pub colors: PaintedColors,
}

/// A picture on a dome, seen from below; u along the world's x, v along its y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkyPicture {
    /// What repeats.
    pub texture: TextureIdx,
    /// How often it does in a radius of the dome; above 0.
    pub repeats: f32,
    /// How much lower than the dome of colors it hangs, in radii; at least 0.
    pub sinks: f32,
    /// Between these distances, in radii, it takes the color of the horizon, evenly with the square of the distance.
    pub fog_range: Option<[f32; 2]>,
}

/// A sun or a moon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkyBody {
    /// Its picture, covered by its alpha.
    pub frame: SpriteFrame,
    /// When it is in the sky.
    pub hours: HourWindow,
    /// Unit vector to where its arc leaves the horizon, and to where it is highest, a quarter turn later.
    pub arc: [[f32; 3]; 2],
    /// Angles of its arc at the first and the last of its hours; what is below 0 or above half a turn is below the
    /// horizon.
    pub angles_rad: [f32; 2],
}

/// Spots along the line from a body through the middle of the picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LensFlare {
    /// Where they are, and their looks; at most [`MAX_FLARE_SPOTS`].
    pub spots: Vec<FlareSpot>,
    /// From the view axis the flare fades to nothing at this angle; above 0.
    pub reach_rad: f32,
    /// Heights (z of the unit vector toward the body) between which it grows.
    pub heights: [f32; 2],
    /// A flare weaker than this is not drawn.
    pub least: f32,
}

/// A spot of a lens flare, added to what is behind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlareSpot {
    /// 1 at the body, 0 in the middle of the picture, below 0 beyond.
    pub place: f32,
    /// Half its side, in half widths of the picture.
    pub half_size: f32,
    /// Red, green, blue and alpha.
    pub color: [f32; 4],
    /// Its picture.
    pub frame: SpriteFrame,
}

impl PaintedSky {
    /// What the sky looks like at an hour, `0.0..24.0`.
    pub fn at(&self, hour: f32) -> PaintedColors {
        let after = self.keys.partition_point(|key| key.hour <= hour);
        let n_keys = self.keys.len();
        let [before, after] = [after + n_keys - 1, after].map(|idx| &self.keys[idx % n_keys]);
        let [since, step] = [hour, after.hour].map(|to| hours_between(before.hour, to));
        let share = if step == 0.0 { 0.0 } else { since / step };
        before.colors.blended(&after.colors, share)
    }

    /// Bodies in the sky at an hour, with their indices.
    pub fn shown(&self, hour: f32) -> impl Iterator<Item = (usize, &SkyBody)> {
        (self.bodies.iter().enumerate())
            .filter(move |(_, body)| body.hours.contains(hour))
            .take(MAX_SHOWN_BODIES)
    }

    /// Unit vector toward the light of an hour: toward the first body in the sky, else to where the one that left it
    /// last has gone; straight up in a sky without any.
    pub fn direction_to_light(&self, hour: f32) -> [f32; 3] {
        let gone = || {
            let bodies = self.bodies.iter();
            let since = |body: &&SkyBody| hours_between(body.hours.to, hour);
            bodies.min_by(|a, b| since(a).total_cmp(&since(b)))
        };
        let shown = self.shown(hour).next().map(|(_, body)| body);
        let body = shown.or_else(gone);
        body.map_or([0.0, 0.0, 1.0], |body| body.direction(hour))
    }

    /// Light, sky and fog at an hour; fog has the mean color of the horizon.
    pub(crate) fn atmosphere(&self, own: &Atmosphere, hour: f32) -> Atmosphere {
        let colors = self.at(hour);
        let horizon = colors.mean_horizon();
        let [r, g, b, _] = colors.apex;
        let [start, end] = colors.fog_range;
        Atmosphere {
            sun: Sun {
                direction_to_sun: self.direction_to_light(hour),
                color: colors.sun,
                ambient: colors.ambient,
                counter: colors.counter,
            },
            sky: Sky {
                zenith: [r, g, b],
                horizon,
                nadir: horizon,
                // It is a picture.
                sun_disc: [0.0; 3],
                glow: [0.0; 3],
                stars: 0.0,
                cloud_light: colors.clouds,
                cloud_shade: colors.clouds,
            },
            fog: own.fog.map(|fog| Fog {
                color: horizon,
                start,
                end,
                ..fog
            }),
        }
    }

    /// The same as a camera sees it that looks along a unit vector: fog and what melts into the horizon have its color there,
    /// and light that falls into the lens dazzles.
    #[must_use]
    pub fn seen_along(&self, atmosphere: Atmosphere, hour: f32, forward: [f32; 3]) -> Atmosphere {
        let Atmosphere { sun, sky, fog } = atmosphere;
        let ahead = self.at(hour).horizon_toward(forward);
        let flare = self.flare_strength(hour, forward);
        let brighter = 1.0 + (DAZZLE - 1.0) * flare;
        Atmosphere {
            sun: Sun {
                color: sun.color.map(|channel| channel * brighter),
                ..sun
            },
            sky: Sky {
                horizon: ahead,
                nadir: ahead,
                ..sky
            },
            fog: fog.map(|fog| Fog {
                color: ahead,
                ..fog
            }),
        }
    }

    /// How strong the flare is, `0.0..=1.0`, for a camera that looks along a unit vector.
    pub fn flare_strength(&self, hour: f32, forward: [f32; 3]) -> f32 {
        let (Some(flare), Some((_, body))) = (&self.flare, self.shown(hour).next()) else {
            return 0.0;
        };
        let direction = body.direction(hour);
        let cosine: f32 = direction.iter().zip(forward).map(|(a, b)| a * b).sum();
        let off_axis = cosine.clamp(-1.0, 1.0).acos() / flare.reach_rad;
        let [low, high] = flare.heights;
        let risen = ((direction[2] - low) / (high - low)).clamp(0.0, 1.0);
        let strength = (1.0 - off_axis).max(0.0).powi(2) * risen * self.at(hour).flare;
        if strength < flare.least {
            0.0
        } else {
            strength
        }
    }

    /// The colors of an hour as of a sky of one color.
    pub fn hour_colors(&self, hour: f32) -> HourColors {
        let colors = self.at(hour);
        HourColors {
            sky: colors.mean_horizon(),
            ambient: colors.ambient,
            sun: colors.sun,
        }
    }

    /// Pictures of bodies, then those of the flare.
    pub fn frames(&self) -> impl Iterator<Item = &SpriteFrame> {
        let spots = self.flare.iter().flat_map(|flare| &flare.spots);
        (self.bodies.iter().map(|it| &it.frame)).chain(spots.map(|it| &it.frame))
    }
}

impl SkyBody {
    /// Unit vector toward it at an hour; after its hours toward where it has gone.
    pub fn direction(&self, hour: f32) -> [f32; 3] {
        let HourWindow { from, to } = self.hours;
        let length = hours_between(from, to);
        let since = hours_between(from, hour);
        let share = match since < length {
            true => since / length,
            false => 1.0,
        };
        let [start, end] = self.angles_rad;
        let (sin, cos) = (start + (end - start) * share).sin_cos();
        let [level, top] = self.arc;
        std::array::from_fn(|i| level[i] * cos + top[i] * sin)
    }
}

/// From one hour on to the next time that it is another.
fn hours_between(from: f32, to: f32) -> f32 {
    (to - from).rem_euclid(HOURS_PER_DAY)
}
