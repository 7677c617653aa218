//! Light of a map's lamps and of its sun on models. Dossier section 11.4.

#[cfg(test)]
mod tests;

use glam::Vec3;
use ironlands_scene::{AmbientCube, DirectLight, MAX_DIRECT_LIGHTS};

use super::ambient::light_at;
use crate::bsp::WorldLight;
use crate::level::SourceLevel;

/// `WorldLight::kind`.
const SURFACE: i32 = 0;
const POINT: i32 = 1;
const SPOT: i32 = 2;
const SUN: i32 = 3;
const QUAKE: i32 = 4;
/// `WorldLight::flags`: ambient cubes hold it already.
const IN_CUBES: i32 = 1;
/// Lights that a map may have by its compiler; all models visit them.
const MOST_LIGHTS: usize = 8192;
/// Of the lights that would be seen at a place if nothing were in between, as many of the strongest are looked for.
const MOST_LOOKED_FOR: usize = 32;
/// What is fainter is not looked for: linear, a quarter of what distinguishes black from the next color.
const FAINTEST: f32 = 0.25 / (255.0 * 12.92);
/// As for ambient light, what a half float holds.
const BRIGHTEST: f32 = 65_504.0;
/// Nearer lights count as being this far.
const NEAREST: f32 = 1.0;
/// Beyond any map.
const SUN_DISTANCE: f32 = (1 << 17) as f32;

/// What light meets on a straight way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightPath {
    /// Nothing.
    Free,
    /// The sky, before its end.
    Sky,
    /// Something else.
    Hidden,
}

/// What light meets on the way from the first place to the second.
pub type Sight<'a> = dyn Fn([f32; 3], [f32; 3]) -> LightPath + 'a;

/// For scenes that are not looked at: no light of lamps reaches models.
pub fn all_hidden(_: [f32; 3], _: [f32; 3]) -> LightPath {
    LightPath::Hidden
}

/// The lights that models get directly.
pub struct DirectLights<'a> {
    level: &'a SourceLevel,
    lights: Vec<&'a WorldLight>,
    n_styles: usize,
    sight: &'a Sight<'a>,
}

/// Light at a place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlaceLight {
    /// As of [`ironlands_scene::Instance::light`].
    pub around: Option<AmbientCube>,
    /// As of [`ironlands_scene::Instance::direct_lights`].
    pub direct: Vec<DirectLight>,
}

impl<'a> DirectLights<'a> {
    /// Those of a level whose scene has a number of light styles.
    pub fn new(level: &'a SourceLevel, n_styles: usize, sight: &'a Sight<'a>) -> Self {
        let lights = level.map.world_lights_of(level.face_set);
        let lights = lights.iter().filter(|it| it.flags & IN_CUBES == 0);
        Self {
            level,
            lights: lights.take(MOST_LIGHTS).collect(),
            n_styles,
            sight,
        }
    }

    /// The ambient cube of a place and the strongest lights that reach it. Weaker ones are in the cube, if there is one.
    pub fn at(&self, place: [f32; 3]) -> PlaceLight {
        let mut around = light_at(&self.level.map, self.level.face_set, place);
        let mut direct = self.reaching(place.into());
        for light in direct.drain(MAX_DIRECT_LIGHTS.min(direct.len())..) {
            if let Some(cube) = &mut around {
                add(cube, &light);
            }
        }
        PlaceLight { around, direct }
    }

    /// The strongest first.
    fn reaching(&self, place: Vec3) -> Vec<DirectLight> {
        let unhidden = self.lights.iter().filter_map(|it| unhidden(it, place));
        let mut unhidden: Vec<_> = unhidden.filter(|it| it.strength() >= FAINTEST).collect();
        unhidden.sort_by(|a, b| b.strength().total_cmp(&a.strength()));
        unhidden.truncate(MOST_LOOKED_FOR);
        let reaching = unhidden.into_iter().filter(|it| {
            let met = (self.sight)(place.to_array(), it.origin.to_array());
            met == it.reaches_past
        });
        reaching.map(|it| it.light(self.n_styles)).collect()
    }
}

/// A light as it reaches a place past nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Unhidden {
    direction_to_light: Vec3,
    color: Vec3,
    style: i32,
    /// Where it comes from, and how its path from the place ends.
    origin: Vec3,
    reaches_past: LightPath,
}

impl Unhidden {
    fn strength(&self) -> f32 {
        self.color.max_element()
    }

    fn light(&self, n_styles: usize) -> DirectLight {
        // Style 0 is constant, and so is one that the scene does not have.
        let style = u16::try_from(self.style).ok();
        DirectLight {
            direction_to_light: self.direction_to_light.to_array(),
            color: self.color.to_array(),
            style: style.filter(|it| *it > 0 && usize::from(*it) < n_styles),
        }
    }
}

/// What of a light reaches a place if nothing is in between; `None` for light from all sides, and for one that is no
/// number there.
fn unhidden(light: &WorldLight, place: Vec3) -> Option<Unhidden> {
    let normal = Vec3::from(light.normal);
    let (direction_to_light, origin, share) = if light.kind == SUN {
        let direction = (-normal).try_normalize()?;
        (direction, place + direction * SUN_DISTANCE, 1.0)
    } else {
        let way = Vec3::from(light.origin) - place;
        let direction = way.try_normalize()?;
        let share = share(light, -direction, way.length().max(NEAREST));
        (direction, light.origin.into(), share?)
    };
    let color = Vec3::from(light.intensity) * share;
    let is_number = direction_to_light.is_finite() && origin.is_finite() && color.is_finite();
    is_number.then(|| Unhidden {
        direction_to_light,
        color: color.clamp(Vec3::ZERO, Vec3::splat(BRIGHTEST)),
        style: light.style,
        origin,
        reaches_past: match light.kind {
            SUN => LightPath::Sky,
            _ => LightPath::Free,
        },
    })
}

/// How much of a lamp's intensity is left at a distance from it, in a direction.
fn share(light: &WorldLight, direction: Vec3, distance: f32) -> Option<f32> {
    let cosine = direction.dot(light.normal.into());
    match light.kind {
        SURFACE => Some(cosine.max(0.0) / (distance * distance)),
        POINT => Some(attenuation(light, distance)),
        SPOT => Some(cone(light, cosine) * attenuation(light, distance)),
        QUAKE => {
            let [_, reach, _] = light.attenuation;
            Some((reach - distance).max(0.0))
        }
        _ => None,
    }
}

fn attenuation(light: &WorldLight, distance: f32) -> f32 {
    if light.radius > 0.0 && distance > light.radius {
        return 0.0;
    }
    // Old files say nothing.
    let [constant, linear, quadratic] = match light.attenuation {
        [0.0, 0.0, 0.0] => [0.0, 0.0, 1.0],
        stored => stored,
    };
    1.0 / (constant + linear * distance + quadratic * distance * distance)
}

fn cone(light: &WorldLight, cosine: f32) -> f32 {
    let [inner, outer] = light.stop_dots;
    if cosine <= outer {
        return 0.0;
    }
    if cosine >= inner {
        return cosine;
    }
    let exponent = match light.exponent {
        0.0 => 1.0,
        exponent => exponent,
    };
    ((cosine - outer) / (inner - outer)).powf(exponent) * cosine
}

/// Adds to each side what a light gives it.
fn add(AmbientCube(sides): &mut AmbientCube, light: &DirectLight) {
    let [x, y, z] = light.direction_to_light;
    for (side, cosine) in sides.iter_mut().zip([x, -x, y, -y, z, -z]) {
        for (channel, color) in side.iter_mut().zip(light.color) {
            *channel += color * cosine.max(0.0);
        }
    }
}
