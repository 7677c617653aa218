//! Lamps and torches: the map's LIGHT objects, and TORCH objects beside which it places none.
//!
//! How light falls off with distance and how torches flicker, the files do not say (dossier section 12.4).

use ironlands_scene::{Flicker, Light};

use crate::map_entities::{finite, on_ground};
use crate::mob::view::{MapLight, MapObject, ObjectKind};
use crate::zone::Zone;

/// A torch whose flame is nearer than this to a LIGHT, in meters, is the flame of that light.
const SAME_PLACE: f32 = 2.0;
/// Color and range, in meters, of the light of a torch of strength 1.
const TORCH_COLOR: [f32; 3] = [1.0, 0.72, 0.38];
const TORCH_RANGE: f32 = 9.0;
/// How fire wavers.
const FIRE_SHARE: f32 = 0.22;
const FIRE_PER_SEC: f32 = 9.0;

/// All lights of a zone, in file order: lights, then torches without one. What shines nowhere or not at all is left out.
pub(super) fn lights(zone: &Zone) -> Vec<Light> {
    let lights = zone.mob.as_ref().map(|mob| mob.lights());
    let lights: Vec<MapLight> = lights.unwrap_or_default();
    let torches: Vec<_> = zone
        .objects
        .iter()
        .filter_map(|it| flame(zone, it))
        .collect();
    let own = lights.iter().filter(|it| shines(it)).map(|light| {
        let is_fire = torches
            .iter()
            .any(|(flame, _)| is_near(*flame, light.position));
        Light {
            name: light.name.clone(),
            position: light.position,
            color: light.color,
            range: light.range,
            flicker: flicker(is_fire, light.id),
            ..Light::default()
        }
    });
    let alone = torches.iter().filter(|(flame, _)| {
        let mut shining = lights.iter().filter(|it| shines(it));
        !shining.any(|light| is_near(*flame, light.position))
    });
    let alone = alone.zip(0..).map(|((flame, strength), index)| Light {
        name: "torch".to_owned(),
        position: *flame,
        color: TORCH_COLOR,
        range: TORCH_RANGE * strength,
        flicker: flicker(true, index),
        ..Light::default()
    });
    own.chain(alone).collect()
}

/// Where the flame of a torch is, and how strong it is. Its height counts from the foot of the torch, as it seems.
pub(super) fn flame(zone: &Zone, object: &MapObject) -> Option<([f32; 3], f32)> {
    let ObjectKind::Torch(torch) = &object.kind else {
        return None;
    };
    let land = zone.land();
    let foot = finite(on_ground(object.position, &|x, y| land.height_at([x, y])))?;
    let flame = std::array::from_fn(|axis| foot[axis] + torch.flame[axis]);
    let is_lit = torch.strength.is_finite() && torch.strength > 0.0;
    finite(flame)
        .filter(|_| is_lit)
        .map(|flame| (flame, torch.strength))
}

fn shines(light: &MapLight) -> bool {
    let is_amount = |it: &f32| it.is_finite() && *it >= 0.0;
    finite(light.position).is_some()
        && light.color.iter().all(is_amount)
        && light.range.is_finite()
        && light.range > 0.0
}

fn is_near(a: [f32; 3], b: [f32; 3]) -> bool {
    glam::Vec3::from(a).distance(b.into()) < SAME_PLACE
}

fn flicker(is_fire: bool, seed: u32) -> Flicker {
    match is_fire {
        true => Flicker {
            share: FIRE_SHARE,
            per_sec: FIRE_PER_SEC,
            seed,
        },
        false => Flicker::default(),
    }
}
