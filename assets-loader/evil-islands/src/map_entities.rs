//! What a map places, as entities to look up: kind, place, and all known properties.
//!
//! In: a map, and the height of the ground. Out: objects, lights, sounds and sources of particles in file order. World
//! axes (right-handed, +Z up), meters. Document: Evil Islands dossier, sections 11.7 and 12.3.
//!
//! Deliberately absent: how low a figure's feet are, which units stand on.

use super::mob::Mob;
use super::mob::view::{FactText, MapLight, MapObject, MapParticle, MapSound, View};

/// Height of the ground at x, y, in meters; `None` where there is none. It is called with finite places only.
pub type GroundHeight<'a> = dyn Fn(f32, f32) -> Option<f32> + 'a;

/// Something that a map places.
#[derive(Debug, Clone, PartialEq)]
pub struct MapEntity {
    /// What it is: `object`, `unit`, `lever`, `torch`, `magic_trap`, `light`, `sound` or `particle`.
    pub class: &'static str,
    /// Its own name; empty = none.
    pub name: String,
    /// Where it is in the world, if its numbers are finite.
    pub position: Option<[f32; 3]>,
    /// Labels and values, in the order to show them.
    pub facts: Vec<FactText>,
}

/// All that a map places, in file order.
pub fn map_entities(mob: &Mob, ground: &GroundHeight<'_>) -> Vec<MapEntity> {
    let entity = |class, name, position: [f32; 3], facts| MapEntity {
        class,
        name,
        position: finite(position),
        facts,
    };
    let entities = mob.placed().filter_map(|node| {
        if let Some(object) = MapObject::from_node(node) {
            let facts = object.facts();
            let position = on_ground(object.position, ground);
            return Some(entity(object.kind.name(), object.name, position, facts));
        }
        if let Some(light) = MapLight::from_node(node) {
            let facts = light.facts();
            return Some(entity("light", light.name, light.position, facts));
        }
        if let Some(sound) = MapSound::from_node(node) {
            let facts = sound.facts();
            return Some(entity("sound", sound.name, sound.position, facts));
        }
        let particle = MapParticle::from_node(node)?;
        let facts = particle.facts();
        Some(entity("particle", particle.name, particle.position, facts))
    });
    entities.collect()
}

/// Where something is whose height counts from the ground. Where there is no ground it counts from 0.
pub fn on_ground([x, y, z]: [f32; 3], ground: &GroundHeight<'_>) -> [f32; 3] {
    [x, y, z + height(x, y, ground).unwrap_or_default()]
}

/// Height of the ground at a place that may be none.
pub(super) fn height(x: f32, y: f32, ground: &GroundHeight<'_>) -> Option<f32> {
    let is_finite = x.is_finite() && y.is_finite();
    is_finite.then(|| ground(x, y)).flatten()
}

pub(super) fn finite(position: [f32; 3]) -> Option<[f32; 3]> {
    let is_finite = position.iter().all(|part| part.is_finite());
    is_finite.then_some(position)
}
