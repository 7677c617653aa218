//! Which entities the instances and emitters of a scene belong to.

use std::collections::HashMap;

use ironlands_scene::{Affine, Instance};

use super::areas::PortalOwner;
use super::brush_models::is_drawn;
use super::figures::Figure;
use super::sounds::{Footsteps, SoundOwner};
use crate::entities::{Entities, Entity};

/// Whose instances and emitters are, by the order of the entities in the map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Owners {
    /// Of each instance of the scene; `None` for a static prop.
    pub instances: Vec<Option<Owner>>,
    /// Of each emitter of the scene; empty if some were left out.
    pub emitters: Vec<usize>,
    /// Of each color correction of the scene.
    pub corrections: Vec<usize>,
    /// Of each sound of the scene but those of steps, which come last.
    pub sounds: Vec<SoundOwner>,
    /// The steps of a walker.
    pub footsteps: Footsteps,
    /// Entities of soundscapes with the numbers of their echoes.
    pub echoes: Vec<(usize, i32)>,
    /// Of each portal of the scene.
    pub portals: Vec<PortalOwner>,
    /// Of each occluder of the scene.
    pub occluders: Vec<Option<usize>>,
    /// Instances whose bones move.
    pub figures: Vec<Figure>,
}

/// The entity of an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Owner {
    /// Its index.
    pub entity: usize,
    /// Where the instance stands while it is seen. One that is hidden when the level begins has no size in the scene.
    pub world_from_model: Affine,
}

impl Owner {
    /// The owner of an instance, which loses its size if it is hidden when the level begins.
    pub(super) fn new(entity_idx: usize, entity: &Entity, instance: &mut Instance) -> Self {
        let world_from_model = instance.world_from_model;
        if !is_drawn(entity) {
            let Affine(rows) = &mut instance.world_from_model;
            for [x, y, z, _] in rows {
                [*x, *y, *z] = [0.0; 3];
            }
        }
        Self {
            entity: entity_idx,
            world_from_model,
        }
    }
}

/// The entities of each name, in lower case.
pub(super) fn by_name(entities: &Entities) -> HashMap<String, Vec<usize>> {
    let mut named: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, entity) in entities.entities.iter().enumerate() {
        if let Some(name) = entity.name().filter(|it| !it.is_empty()) {
            named
                .entry(name.to_ascii_lowercase())
                .or_default()
                .push(index);
        }
    }
    named
}

/// Whether something that is hidden when the level begins may be seen later.
pub(super) fn may_appear(entity: &Entity) -> bool {
    let is_named = entity.name().is_some_and(|it| !it.is_empty());
    let is_ever_drawn = entity.number("rendermode") != Some(super::brush_models::NOT_DRAWN);
    is_named && is_ever_drawn && entity.number("StartDisabled") == Some(1.0)
}
