//! What moves and is switched: a lift to the balcony, and a lamp in the corridor, each with a button.

use super::block;
use super::courtyard::DECK;
use super::palette::idx;
use crate::source_map::MapPlan;
use crate::source_map::brushes::Brush;
use crate::source_map::entities::{EntityPlan, Lamp, LightColor};

/// The first style that a lamp may have of its own.
const SWITCHED: i32 = 32;
/// Thickness of the lift's plate.
const PLATE: f64 = 6.0;
/// Bit of `spawnflags`: a button that is used.
const USED: i32 = 1024;

/// Adds lift and lamp.
pub fn add(plan: &mut MapPlan) {
    lift(plan);
    lamp(plan);
}

/// A plate west of the balcony, where its rail is open, that goes up to it and comes back after five seconds.
fn lift(plan: &mut MapPlan) {
    let plate = block([576.0, 474.0, 0.0], [638.0, 510.0, PLATE], idx::PLANKS)
        .facing([0.0, -1.0, 0.0], idx::TRIM)
        .facing([-1.0, 0.0, 0.0], idx::TRIM);
    add_entity(plan, plate, EntityPlan::new("func_door"), |lift| {
        lift.with("targetname", "lift")
            .with("movedir", "-90 0 0")
            .with("speed", 60)
            .with("wait", 5)
            // As far beyond its own thickness as the deck is above it.
            .with("lip", PLATE - (DECK - PLATE))
    });
    let button = block([560.0, 508.0, 44.0], [570.0, 512.0, 54.0], idx::GLOW);
    add_entity(plan, button, EntityPlan::new("func_button"), |button| {
        button
            .with("targetname", "lift_button")
            .with("movedir", "0 90 0")
            .with("speed", 8)
            .with("wait", 1)
            .with("lip", 1)
            .with("spawnflags", USED)
            .with("OnPressed", "lift,Open,,0.5,-1")
    });
}

/// A lamp on the corridor's ceiling, and its switch on the wall beside the gate.
fn lamp(plan: &mut MapPlan) {
    let shade = [
        block([492.0, 636.0, 124.0], [500.0, 644.0, 128.0], idx::TRIM),
        block([490.0, 634.0, 114.0], [502.0, 646.0, 124.0], idx::GLOW),
    ];
    plan.brushes.extend(shade.map(|brush| brush.detail()));
    plan.lamps.push(Lamp {
        origin: [496.0, 640.0, 108.0],
        color: LightColor {
            rgb: [190, 220, 255],
            brightness: 60.0,
        },
        style: SWITCHED,
        name: Some("corridor_lamp"),
        cone: None,
    });
    let button = block([448.0, 560.0, 44.0], [452.0, 570.0, 54.0], idx::GLOW);
    add_entity(plan, button, EntityPlan::new("func_button"), |button| {
        button
            .with("targetname", "corridor_switch")
            .with("movedir", "0 180 0")
            .with("speed", 8)
            .with("wait", 0.5)
            .with("lip", 1)
            .with("spawnflags", USED)
            .with("OnPressed", "corridor_lamp,Toggle,,0,-1")
    });
}

/// An entity of one brush.
fn add_entity(
    plan: &mut MapPlan,
    brush: Brush,
    entity: EntityPlan,
    keys: impl FnOnce(EntityPlan) -> EntityPlan,
) {
    plan.models.push(vec![brush]);
    let entity = entity
        .with("model", format!("*{}", plan.models.len()))
        .with("origin", "0 0 0");
    plan.entities.push(keys(entity));
}
