//! The objects of a level as a list: what its author placed, and the models that stand in it.

use glam::Vec3;

use crate::model_contents::{instances, last_part, triangles_of_instance};
use crate::renderer::FrameState;
use crate::scene::Scene;
use crate::sim::world::{Fact, World, WorldEntity};

/// A mark's size, as a part of the distance that is flown in a second.
const MARK_PER_SPEED: f32 = 0.02;

/// An object to search for, to fly to and to point out.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelObject {
    /// Its class or model, its name, its place and all facts.
    pub entity: WorldEntity,
    /// The instance that shows it, if one does.
    pub instance: Option<usize>,
}

/// The objects of a level: its entities, then its models that have names.
pub fn objects_of(scene: &Scene, world: &dyn World) -> Vec<LevelObject> {
    let entities = world.entities().iter().map(|entity| LevelObject {
        entity: entity.clone(),
        instance: None,
    });
    let named = instances(scene).enumerate();
    let named = named.filter(|(_, (_, name, model))| !name.is_empty() && !model.nodes.is_empty());
    let named = named.map(|(index, (_, name, model))| {
        let at = scene.instances[index]
            .world_from_model
            .transform_point([0.0; 3]);
        let at = Vec3::from(at);
        let Vec3 { x, y, z } = world.in_game_axes(at);
        let fact = |label: &str, value: String| Fact {
            label: label.to_owned(),
            value,
        };
        LevelObject {
            entity: WorldEntity {
                class: model.name.clone(),
                name: last_part(name).to_owned(),
                position: Some(at),
                facts: vec![
                    fact("name", name.to_owned()),
                    fact("model", model.name.clone()),
                    fact("position", format!("{x:.1}, {y:.1}, {z:.1}")),
                ],
            },
            instance: Some(index),
        }
    });
    entities.chain(named).collect()
}

/// Points an object out in a frame whose models are posed: its triangles, or a mark where there are none.
pub fn point_out(object: &LevelObject, scene: &Scene, fly_speed: f32, state: &mut FrameState) {
    let triangles = match object.instance {
        Some(instance) => triangles_of_instance(scene, instance, state),
        None => Vec::new(),
    };
    match object.entity.position {
        Some(position) if triangles.is_empty() => {
            state
                .highlight
                .extend(mark(position, fly_speed * MARK_PER_SPEED));
        }
        _ => state.highlight.extend(triangles),
    }
}

/// An octahedron.
fn mark(center: Vec3, radius: f32) -> impl Iterator<Item = [Vec3; 3]> {
    let signs = [-1.0, 1.0];
    let octants = signs.into_iter().flat_map(move |x| signs.map(|y| [x, y]));
    let octants = octants.flat_map(move |[x, y]| signs.map(|z| [x, y, z]));
    octants.map(move |[x, y, z]| {
        [Vec3::X * x, Vec3::Y * y, Vec3::Z * z].map(|corner| center + corner * radius)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::OpenOptions;

    #[test]
    fn every_world_lists_its_objects_and_points_them_out() {
        let registry = crate::worlds::registry();
        for (level, name) in [
            ("DATA/MAPS/Map01", "walker"),
            ("DATA/EVIL_ISLANDS", "guard"),
            ("DATA/SOURCE/demo.bsp", "light"),
        ] {
            let opened = registry.open(level.as_ref(), &OpenOptions::default());
            let (_, opened) = opened.unwrap();
            let objects = objects_of(&opened.scene, &*opened.world);
            let has = |text: &str| text.to_lowercase().contains(name);
            let is_it = |it: &&LevelObject| has(&it.entity.name) || has(&it.entity.class);
            let object = objects.iter().find(is_it);
            let object = object.unwrap_or_else(|| panic!("{name} is not in {level}"));
            let mut state = FrameState {
                poses: opened.scene.rest_poses(),
                ..FrameState::default()
            };
            point_out(object, &opened.scene, 10.0, &mut state);
            assert!(!state.highlight.is_empty(), "{name} in {level}");
            let place = object.entity.position.unwrap();
            let far = state
                .highlight
                .iter()
                .flatten()
                .map(|corner| corner.distance(place));
            let far = far.fold(0.0, f32::max);
            assert!(far < 100.0, "{name} in {level}: {far} away");
        }
    }
}
