//! The entities of a map as those of a simulation, one for one.

use std::collections::HashMap;

use glam::DVec3;
use ironlands_assets_source::bsp::Map;
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_sim_entities as sim;
use ironlands_sim_entities::{Kind, matches_name};

use super::keys::{connections, place};
use super::{LevelEntities, figures, logic, movers};

/// Names of entities, by which keys name others.
pub(super) struct Names<'a> {
    entities: &'a Entities,
    /// The first entity of each name, in lower case.
    first: HashMap<String, usize>,
}

/// The box around the brushes of a model, in its own axes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BrushBox {
    pub size: DVec3,
    pub middle: DVec3,
}

impl<'a> Names<'a> {
    fn new(entities: &'a Entities) -> Self {
        let mut first = HashMap::new();
        for (index, entity) in entities.entities.iter().enumerate() {
            if let Some(name) = entity.name().filter(|it| !it.is_empty()) {
                first.entry(name.to_ascii_lowercase()).or_insert(index);
            }
        }
        Self { entities, first }
    }

    /// The entity that a key names.
    pub fn of_key(&self, entity: &Entity, key: &str) -> Option<usize> {
        let name = entity.get(key)?.trim().to_ascii_lowercase();
        self.first.get(&name).copied()
    }

    /// Whether the filter of a trigger lets players through.
    pub fn passes_player(&self, trigger: &Entity) -> bool {
        let filter = self.of_key(trigger, "filtername");
        let Some(filter) = filter.and_then(|it| self.entities.entities.get(it)) else {
            return true;
        };
        let value = |key: &str| filter.get(key).unwrap_or_default();
        let passes = match &*filter.class() {
            "filter_activator_name" => matches_name(&value("filtername"), "!player"),
            "filter_activator_class" => matches_name(&value("filterclass"), "player"),
            _ => return true,
        };
        passes != (filter.number("Negated").unwrap_or(0.0) != 0.0)
    }
}

/// All entities of a map, with the indices that they have in the file.
pub(super) fn simulated(level: &LevelEntities<'_>) -> Vec<sim::Entity> {
    let LevelEntities {
        map,
        entities,
        figures,
    } = *level;
    let names = Names::new(entities);
    let all = entities.entities.iter();
    let mut all: Vec<_> = all
        .map(|entity| simulated_entity(map, entity, &names))
        .collect();
    link_back(&mut all);
    for figure in figures {
        let entity = entities.entities.get(figure.entity);
        if let Some((entity, simulated)) = entity.zip(all.get_mut(figure.entity)) {
            figures::animate(entity, figure, &mut simulated.kind);
        }
    }
    all
}

fn simulated_entity(map: &Map, entity: &Entity, names: &Names<'_>) -> sim::Entity {
    let class = entity.class().to_ascii_lowercase();
    let connections = connections(entity);
    let brushes = entity.brush_model().map(|model| brush_box(map, model));
    let kind = movers::kind(entity, &class, &brushes.unwrap_or_default(), names)
        .or_else(|| logic::kind(entity, &class, &connections, names))
        .unwrap_or(Kind::Other);
    let mut place = place(entity);
    place.origin -= movers::way_before(&kind, &class);
    sim::Entity {
        name: entity.name().unwrap_or_default().into_owned(),
        class,
        connections,
        place,
        parent: names.of_key(entity, "parentname"),
        ..sim::Entity::new(kind)
    }
}

fn brush_box(map: &Map, model: usize) -> BrushBox {
    let corners = map
        .models
        .get(model)
        .map(|it| [it.mins, it.maxs].map(|corner| DVec3::from_array(corner.map(f64::from))));
    let sound = corners.filter(|it| it.iter().all(|corner| corner.is_finite()));
    sound.map_or_else(BrushBox::default, |[low, high]| BrushBox {
        size: high - low,
        middle: (low + high) * 0.5,
    })
}

/// Links each node of a track to the one before it: the first that leads to it.
fn link_back(entities: &mut [sim::Entity]) {
    let mut before = HashMap::new();
    for (index, entity) in entities.iter().enumerate() {
        if let Kind::Track(track) = &entity.kind {
            for next in track.next.into_iter().flatten() {
                before.entry(next).or_insert(index);
            }
        }
    }
    for (index, entity) in entities.iter_mut().enumerate() {
        if let Kind::Track(track) = &mut entity.kind {
            track.previous = before.get(&index).copied();
        }
    }
}
