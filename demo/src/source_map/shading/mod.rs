//! A map that shows what materials can do: a yard with one panel on its wall, or one ball on a pedestal, for each feature,
//! and a plate with the feature's name below it.
//!
//! - [`features`]: the materials
//! - `pictures`: their textures
//! - `plates`: the names, drawn into textures
//! - `surroundings`: the cubemaps of the yard
//! - `balls`: the models

mod balls;
mod features;
mod pictures;
mod plates;
mod surroundings;

use super::brushes::{Brush, MaterialIdx, SurfaceMaterial, flags};
use super::entities::{EntityPlan, LightColor, Sun};
use super::textures::sky;
use super::{MapPlan, SourceMapError, file};
use crate::vector::Vec3;

use features::Feature;

/// Path of the map below `DATA`.
pub const SHADING_PATH: &str = "SOURCE/shading.bsp";
/// What the map was called when it was compiled.
const MAP_NAME: &str = "shading";
/// First part of the names of the sky's textures, and their side in pixels.
const SKY_NAME: &str = "shading_day";
const SKY_SIDE: usize = 64;
/// Space that a feature takes along the wall, and upward.
const PITCH: f64 = 96.0;
/// Panels in a row.
const N_COLUMNS: usize = 10;
/// The yard from x and y 0.
const SIZE: [f64; 2] = [960.0, 480.0];
/// Where walls end and the sky begins, to the north and east and where the sun comes from, and where that ends.
const WALL_TOP: f64 = 312.0;
const LOW_WALL: f64 = 96.0;
const SKY_TOP: f64 = 640.0;
/// Where balls stand, and how large they are.
const BALLS_Y: f64 = 200.0;
const BALL_RADIUS: f64 = 28.0;
const PEDESTAL: f64 = 24.0;

const FLOOR: MaterialIdx = 0;
const WALL: MaterialIdx = 1;
const SKY: MaterialIdx = 2;
const N_COMMON: usize = 3;

/// The file of the map.
///
/// # Errors
/// None that a caller can cause: a level that leaks or has outgrown its format.
pub fn shading_file() -> Result<Vec<u8>, SourceMapError> {
    let mut pak = pictures::files()?;
    pak.extend(features::files());
    pak.extend(plates::files()?);
    pak.extend(surroundings::files()?);
    pak.extend(balls::files()?);
    pak.extend(sky::files(SKY_NAME, &sun(), SKY_SIDE)?);
    file::write(&plan(), &pak)
}

/// The plan of the map.
pub fn plan() -> MapPlan {
    let mut plan = MapPlan {
        materials: materials(),
        n_bounces: 2,
        sun: Some(sun()),
        cubemaps: surroundings::PLACES.to_vec(),
        ..MapPlan::default()
    };
    plan.entities.push(
        EntityPlan::new("worldspawn")
            .with("skyname", SKY_NAME)
            .with("message", "Ironlands materials")
            .with("mapversion", 1),
    );
    shell(&mut plan);
    let n_panels = features::panels().len();
    for (at, feature) in features::panels().iter().enumerate() {
        panel(&mut plan, at, feature);
    }
    for (at, feature) in features::balls().iter().enumerate() {
        ball(&mut plan, at, n_panels, feature);
    }
    plan.entities.push(
        EntityPlan::new("info_player_start")
            .at([480.0, 48.0, 1.0])
            .with("angles", "0 90 0"),
    );
    plan
}

/// Steeply from the south-west, so that it falls on the wall of the panels and on the left of the balls.
fn sun() -> Sun {
    Sun {
        origin: [480.0, 100.0, 500.0],
        pitch: -48.0,
        yaw: 62.0,
        color: LightColor {
            rgb: [255, 240, 214],
            brightness: 330.0,
        },
        sky: LightColor {
            rgb: [176, 204, 236],
            brightness: 120.0,
        },
        spread: 0.02,
    }
}

/// What all share, then for each feature its own and its plate.
fn materials() -> Vec<SurfaceMaterial> {
    let base = |name: &str, size, units_per_texel| SurfaceMaterial {
        name: name.to_owned(),
        flags: 0,
        size,
        units_per_texel,
        units_per_luxel: 16.0,
        reflectivity: [0.35; 3],
        beneath: None,
    };
    let mut materials = vec![
        base("shading/floor", [64; 2], 1.5),
        base("shading/wall", [64; 2], 1.5),
        SurfaceMaterial {
            flags: flags::SKY | flags::NOLIGHT,
            ..base("tools/toolsskybox", [64; 2], 1.0)
        },
    ];
    for feature in features::panels().iter().chain(&features::balls()) {
        let panel = SurfaceMaterial {
            flags: feature.surface_flags(),
            ..base(&feature.surface_name(), [64; 2], 1.5)
        };
        // White letters on dark ground.
        let plate = SurfaceMaterial {
            reflectivity: [0.05; 3],
            ..base(&plates::material(feature.name), plates::SIZE, 0.75)
        };
        materials.extend([panel, plate]);
    }
    materials
}

/// The materials of a feature by its number: its own, and its plate.
fn materials_of(number: usize) -> [MaterialIdx; 2] {
    let own = N_COMMON + 2 * number;
    [own, own + 1]
}

/// Floor, walls and sky. The panels hang on the north wall.
fn shell(plan: &mut MapPlan) {
    let [x, y] = SIZE;
    let block = Brush::block;
    plan.brushes.extend([
        block([-32.0, -32.0, -32.0], [x + 32.0, y + 32.0, 0.0], FLOOR),
        block([-32.0, y, 0.0], [x + 32.0, y + 32.0, WALL_TOP], WALL),
        block([-32.0, -32.0, 0.0], [x + 32.0, 0.0, LOW_WALL], WALL),
        block([-32.0, 0.0, 0.0], [0.0, y, LOW_WALL], WALL),
        block([x, 0.0, 0.0], [x + 32.0, y, WALL_TOP], WALL),
        block(
            [-48.0, -48.0, SKY_TOP],
            [x + 48.0, y + 48.0, SKY_TOP + 16.0],
            SKY,
        ),
        block([-48.0, y + 32.0, 0.0], [x + 48.0, y + 48.0, SKY_TOP], SKY),
        block([-48.0, -48.0, 0.0], [x + 48.0, -32.0, SKY_TOP], SKY),
        block([-48.0, -32.0, 0.0], [-32.0, y + 32.0, SKY_TOP], SKY),
        block([x + 32.0, -32.0, 0.0], [x + 48.0, y + 32.0, SKY_TOP], SKY),
    ]);
}

/// A panel on the wall with its plate below it.
fn panel(plan: &mut MapPlan, at: usize, feature: &Feature) {
    let [own, plate] = materials_of(at);
    let (left, foot) = (
        PITCH * (at % N_COLUMNS) as f64,
        PITCH * (at / N_COLUMNS) as f64,
    );
    let [_, wall] = SIZE;
    let south = [0.0, -1.0, 0.0];
    let depth = if feature.stands_off { 28.0 } else { 4.0 };
    let body = Brush::block(
        [left + 8.0, wall - depth, foot + 26.0],
        [left + 88.0, wall - depth + 4.0, foot + 92.0],
        WALL,
    );
    let contents = match feature.stands_off {
        true => flags::WINDOW | flags::TRANSLUCENT,
        false => flags::SOLID,
    };
    let body = body.facing(south, own).with_contents(contents);
    let name = Brush::block(
        [left, wall - 2.0, foot],
        [left + PITCH, wall, foot + 24.0],
        WALL,
    );
    plan.brushes
        .extend([body.detail(), name.facing(south, plate).detail()]);
}

/// A ball on a pedestal that carries the plate.
fn ball(plan: &mut MapPlan, at: usize, n_before: usize, feature: &Feature) {
    let [_, plate] = materials_of(n_before + at);
    let left = PITCH * at as f64;
    let pedestal = Brush::block(
        [left, BALLS_Y - 24.0, 0.0],
        [left + PITCH, BALLS_Y + 24.0, PEDESTAL],
        WALL,
    );
    plan.brushes
        .push(pedestal.facing([0.0, -1.0, 0.0], plate).detail());
    let place: Vec3 = [left + 0.5 * PITCH, BALLS_Y, PEDESTAL + BALL_RADIUS + 2.0];
    plan.entities.push(
        EntityPlan::new("prop_dynamic")
            .at(place)
            .with("model", balls::path(feature.name))
            .with("angles", "0 0 0"),
    );
}
