//! Entities that are made of brushes: whether the map has their brushes.

use std::collections::HashMap;

use super::{FORMAT, entity_syntax};
use crate::bsp::{BspFile, LumpId, Map};
use crate::entities::Entities;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Most sides of all brushes of entities: sixteen times what compilers allow a whole map. Only entities that share
/// their models come near it, and moving them all would fill the memory.
const MAX_SIDES: usize = 1 << 20;

/// One finding for each entity whose brush model the map has not, and one if their brushes are too many.
pub fn brush_entities(file: &BspFile, map: &Map, entities: &Entities) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut n_sides = 0_usize;
    let mut n_sides_below = HashMap::new();
    // Taken in lockstep with the entities: to look for each again would read the text over and over.
    let mut offsets = offsets(file);
    let mut n_passed = 0;
    for (index, entity) in entities.entities.iter().enumerate() {
        let Some(model) = entity.brush_model() else {
            continue;
        };
        let Some(known) = map.models.get(model) else {
            let (class, n_models) = (entity.class(), map.models.len());
            let message = format!(
                "entity {index} ({class}) has the brush model *{model} of {n_models}; it has no brushes"
            );
            let finding = Finding::new(Severity::Warning, FORMAT, message);
            let offset = offsets.nth(index.saturating_sub(n_passed));
            n_passed = index.saturating_add(1);
            findings.push(Finding { offset, ..finding });
            continue;
        };
        // Any number of models may begin at one leaf.
        let of_model = n_sides_below
            .entry(known.head_node)
            .or_insert_with(|| sides_of(map, model));
        n_sides = n_sides.saturating_add(*of_model);
    }
    if n_sides > MAX_SIDES {
        let message = format!("brush entities have {n_sides} sides; at most {MAX_SIDES} are taken");
        let offset = file.lump_offset(LumpId::Entities).into();
        findings.push(Finding::new(Severity::Error, FORMAT, message).at(offset));
    }
    findings
}

fn sides_of(map: &Map, model: usize) -> usize {
    let brushes = map.world_brushes(model).into_iter();
    let brushes = brushes.filter_map(|brush| map.brushes.get(brush as usize));
    brushes
        .map(|brush| usize::try_from(brush.n_sides).unwrap_or(0))
        .fold(0, usize::saturating_add)
}

/// Where the text of each entity begins in the file; nothing where the lump is packed.
fn offsets(file: &BspFile) -> impl Iterator<Item = u64> {
    let lump = match file.is_compressed(LumpId::Entities) {
        true => &[][..],
        false => file.lump(LumpId::Entities),
    };
    let start = u64::from(file.lump_offset(LumpId::Entities));
    Entities::offsets(lump, entity_syntax(file)).map(move |offset| start.saturating_add(offset))
}
