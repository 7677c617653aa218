//! Which brush entities are solid (section 7.5).

use ironlands_assets_source::bsp::{Map, SurfaceFlags};
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_sim_brush::BrushEntity;

use crate::life::may_change;

/// Solid whatever their faces are.
const SOLID_CLASSES: &[&str] = &[
    "func_brush",
    "func_button",
    "func_breakable",
    "func_breakable_surf",
    "func_door",
    "func_door_rotating",
    "func_movelinear",
    "func_physbox",
    "func_reflective_glass",
    "func_rotating",
    "func_tracktrain",
    "func_wall",
    "func_wall_toggle",
];

/// Beginnings of classes that are never solid.
const EMPTY_CLASSES: &[&str] = &[
    "trigger_",
    "env_",
    "func_areaportal",
    "func_bomb_target",
    "func_buyzone",
    "func_clip_vphysics",
    "func_dustcloud",
    "func_dustmotes",
    "func_hostage_rescue",
    "func_illusionary",
    "func_ladder",
    "func_nav_",
    "func_nobuild",
    "func_no_defuse",
    "func_occluder",
    "func_precipitation",
    "func_regenerate",
    "func_respawnroom",
    "func_smokevolume",
    "func_useableladder",
    "func_viscluster",
];

/// Bits of `spawnflags` that let things through, of classes that begin so.
const EMPTY_SPAWNFLAGS: &[(&str, u32)] = &[
    ("func_conveyor", 0x2),    // not solid
    ("func_door", 0x4 | 0x8),  // not solid to players, passable
    ("func_movelinear", 0x8),  // not solid
    ("func_rotating", 0x40),   // not solid
    ("func_tracktrain", 0x8),  // passable
    ("func_wall_toggle", 0x1), // starts invisible
];

/// All solid brush entities, in file order, none of which ever moves. The world itself is none of them.
pub(crate) fn solid_entities(map: &Map, entities: &Entities) -> Vec<BrushEntity> {
    let models =
        brush_entities(entities).filter(|(_, entity, model)| is_solid(map, entity, *model));
    models.map(|it| standing(it, false)).collect()
}

/// All brush entities that are solid or may ever be, in file order, and which of them move.
pub(crate) fn living_entities(map: &Map, entities: &Entities) -> Vec<BrushEntity> {
    let models = brush_entities(entities).filter_map(|(index, entity, model)| {
        let moves = may_change(entity);
        let is_there = moves || is_solid(map, entity, model);
        is_there.then(|| standing((index, entity, model), moves))
    });
    models.collect()
}

/// Entities with a brush model, by their index.
fn brush_entities(entities: &Entities) -> impl Iterator<Item = (usize, &Entity, usize)> {
    let entities = entities.entities.iter().enumerate();
    entities.filter_map(|(index, entity)| {
        let model = entity.brush_model().filter(|&model| model > 0)?;
        Some((index, entity, model))
    })
}

fn standing((entity_idx, entity, model): (usize, &Entity, usize), moves: bool) -> BrushEntity {
    BrushEntity {
        entity: entity_idx,
        model,
        origin: entity.origin().unwrap_or_default().into(),
        angles: entity.angles().unwrap_or_default().into(),
        moves,
    }
}

/// Whether an entity with a brush model stops things when the level begins.
pub(crate) fn is_solid(map: &Map, entity: &Entity, model: usize) -> bool {
    let class = entity.class().to_ascii_lowercase();
    let number = |key: &str| entity.number(key).map_or(0, |value| value as i64);
    let spawnflags = number("spawnflags") as u32;
    let is_empty = EMPTY_CLASSES.iter().any(|it| class.starts_with(it));
    let is_let_through = EMPTY_SPAWNFLAGS
        .iter()
        .any(|(start, flags)| class.starts_with(start) && spawnflags & flags != 0);
    if is_empty || is_let_through {
        return false;
    }
    if class == "func_brush" {
        return match number("Solidity") {
            1 => false,
            2 => true,
            _ => number("StartDisabled") == 0,
        };
    }
    SOLID_CLASSES.contains(&&*class) || !is_trigger(map, model)
}

/// Whether all faces of a model are those of triggers, which is how classes of unknown games show what they are.
fn is_trigger(map: &Map, model: usize) -> bool {
    let Some(model) = map.models.get(model) else {
        return false;
    };
    let first = usize::try_from(model.first_face).unwrap_or(usize::MAX);
    let n = usize::try_from(model.n_faces).unwrap_or(0);
    let faces = map.faces.get(first..first.saturating_add(n)).unwrap_or(&[]);
    let flags = faces.iter().map(|face| {
        let texinfo = usize::try_from(face.texinfo)
            .ok()
            .and_then(|i| map.texinfos.get(i));
        texinfo.map_or(SurfaceFlags::empty(), |it| {
            SurfaceFlags::from_bits_retain(it.flags)
        })
    });
    let mut flags = flags.peekable();
    flags.peek().is_some() && flags.all(|flags| flags.contains(SurfaceFlags::TRIGGER))
}
