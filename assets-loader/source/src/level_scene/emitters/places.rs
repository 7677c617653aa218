//! Where named entities are, and which cells see an emitter.

use std::collections::HashMap;

use ironlands_scene::{Aabb, Anchor, Emitter, EmitterAt, EmitterState, Sphere};

use super::super::cells::Cells;
use crate::entities::Entities;

/// Places and angles of entities that have a name; of several with one name the first.
pub(in super::super) struct Places(HashMap<String, [[f32; 3]; 2]>);

impl Places {
    pub(in super::super) fn new(entities: &Entities) -> Self {
        let mut places = HashMap::new();
        for entity in &entities.entities {
            if let Some((name, origin)) = entity.name().zip(entity.origin()) {
                let angles = entity
                    .angles()
                    .filter(|it| it.iter().all(|it| it.is_finite()));
                let entry = places.entry(name.to_ascii_lowercase());
                entry.or_insert([origin, angles.unwrap_or_default()]);
            }
        }
        Self(places)
    }

    pub(in super::super) fn of_name(&self, name: &str) -> Option<[f32; 3]> {
        self.turned_of_name(name).map(|(place, _)| place)
    }

    /// Its place and angles.
    pub(super) fn turned_of_name(&self, name: &str) -> Option<([f32; 3], [f32; 3])> {
        let [place, angles] = self.0.get(&name.to_ascii_lowercase())?;
        Some((*place, *angles))
    }
}

/// Those that what it emits can reach.
pub(super) fn cells_of(emitter: &Emitter, cells: &Cells<'_>) -> Vec<u32> {
    let reached = match &emitter.anchor {
        Anchor::Place(world_from_emitter) => {
            let at = EmitterAt {
                clock_secs: 0.0,
                world_from_emitter: *world_from_emitter,
                velocity: [0.0; 3],
                eye: [0.0; 3],
                born_secs: EmitterState::EVER,
            };
            let Sphere { center, radius } = emitter.bounds(&at);
            Some(Aabb {
                min: center.map(|it| it - radius),
                max: center.map(|it| it + radius),
            })
        }
        Anchor::Eye { within, .. } => *within,
        Anchor::Node { .. } => None,
    };
    reached.map_or_else(Vec::new, |bounds| cells.of_box(&bounds))
}
