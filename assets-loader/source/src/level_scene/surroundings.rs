//! Sun, fog, backdrop and places to start from. Dossier sections 8.2, 8.3 and 11.7.

use std::collections::HashMap;

use ironlands_scene::{Backdrop, Fog, FogFalloff, Spawn, Sun};

use super::FORMAT;
use super::brush_models::entity_name;
use super::cells::Cells;
use crate::entities::{Entities, Entity};
use crate::level::SourceLevel;
use crate::materials::display_from_linear;
use ironlands_assets_core::bytes::{Finding, Severity};

/// Height of the eye above the feet.
const EYE_HEIGHT: f32 = 64.0;
/// How far around a surface things keep light from it: half the height of a player.
pub const OCCLUSION_RADIUS: f32 = 36.0;
/// Classes of places to start from begin so.
const SPAWN_CLASS: &str = "info_player_";
/// Cameras that take over what a player sees.
const CAMERA_CLASS: &str = "point_viewcontrol";
/// What the names of maps behind menus hold.
const BACKGROUND: &str = "background";
/// When something is switched on: as a map is loaded for a menu, as it is loaded, or later.
const AS_BACKGROUND: u8 = 3;
const AT_START: u8 = 2;
const SOME_TIME: u8 = 1;

/// The light of the sky; `None` in a level without.
pub fn sun(entities: &Entities) -> Option<Sun> {
    let light = entities.of_class("light_environment").next()?;
    let direction = light.light_direction()?;
    let color = |key| {
        light
            .light(key)
            .map(|it| it.intensity().map(display_from_linear))
    };
    Some(Sun {
        direction_to_sun: direction.map(|v| -v),
        color: color("_light")?,
        ambient: color("_ambient").unwrap_or_default(),
        counter: [0.0; 3],
    })
}

/// The fog of the level: that of its controller, else, in old maps, that of the world itself.
pub fn fog(entities: &Entities, findings: &mut Vec<Finding>) -> Option<Fog> {
    let controller = entities.of_class("env_fog_controller").next();
    fog_of(controller.or(entities.world())?, findings)
}

fn fog_of(entity: &Entity, findings: &mut Vec<Finding>) -> Option<Fog> {
    if entity.number("fogenable").unwrap_or_default() == 0.0 {
        return None;
    }
    let color = entity.vec3("fogcolor").unwrap_or_default();
    let number = |key| entity.number(key).filter(|value| value.is_finite());
    let start = number("fogstart").unwrap_or_default().max(0.0);
    let end = number("fogend").unwrap_or_default();
    if end <= start {
        let message = format!("fog that begins at {start} and ends at {end} is left out");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
        return None;
    }
    Some(Fog {
        color: color.map(|value| (value / 255.0).clamp(0.0, 1.0)),
        start,
        end,
        falloff: FogFalloff::Linear,
        density: number("fogmaxdensity").unwrap_or(1.0).clamp(0.0, 1.0),
        layer: None,
    })
}

/// The sky that is a small model of far things.
pub fn backdrop(
    level: &SourceLevel,
    cells: &Cells<'_>,
    findings: &mut Vec<Finding>,
) -> Option<Backdrop> {
    let camera = level.entities.of_class("sky_camera").next()?;
    let origin = camera.origin()?;
    let scale = camera.number("scale").unwrap_or(16.0);
    let world = level.map.models.first()?;
    let leaf = level
        .map
        .leaves
        .get(level.map.leaf_at(world.head_node, origin))?;
    let mut report = |reason: &str| {
        let message = format!("the sky camera at {origin:?} is left out: {reason}");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    };
    if !(scale.is_finite() && scale > 0.0) {
        report("its scale is not above 0");
        return None;
    }
    let cells = cells.of_area(leaf.area);
    if leaf.cluster < 0 || cells.is_empty() {
        report("it stands outside of all rooms");
        return None;
    }
    Some(Backdrop {
        origin,
        scale,
        fog: fog_of(camera, findings),
        cells,
    })
}

/// Places to start from: of a background map its camera, then where players begin, in file order.
pub fn spawns(level: &SourceLevel) -> Vec<Spawn> {
    let entities = &level.entities;
    let camera = background_camera(entities, &level.name());
    let camera = camera.and_then(|camera| spawn_of_camera(camera, entities));
    let players = entities.of_class(SPAWN_CLASS).filter_map(spawn_of_player);
    camera.into_iter().chain(players).collect()
}

fn spawn_of_player(entity: &Entity) -> Option<Spawn> {
    let [x, y, z] = entity.origin()?;
    let [pitch, yaw, _] = entity.angles().unwrap_or_default();
    Some(Spawn {
        name: entity_name(entity),
        position: [x, y, z + EYE_HEIGHT],
        yaw_rad: yaw.to_radians(),
        pitch_rad: -pitch.to_radians(),
    })
}

/// The camera that a menu shows a background map with: the one that is switched on when the map is loaded as such; in a
/// map that is named so, the one that is switched on when it begins, or at all, or the first.
fn background_camera<'a>(entities: &'a Entities, map_name: &str) -> Option<&'a Entity> {
    let is_background = map_name.to_ascii_lowercase().contains(BACKGROUND);
    let switched_on = switched_on(entities);
    let mut best: Option<(u8, &Entity)> = None;
    for camera in entities.of_class(CAMERA_CLASS) {
        let name = camera.name().unwrap_or_default().to_ascii_lowercase();
        let rank = switched_on.get(&name).copied().unwrap_or(0);
        let is_honored = is_background || rank == AS_BACKGROUND;
        if is_honored && best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, camera));
        }
    }
    best.map(|(_, camera)| camera)
}

/// Names of what entities switch on, in lower case, and how sure it is that a background map begins so.
fn switched_on(entities: &Entities) -> HashMap<String, u8> {
    let mut names = HashMap::new();
    for entity in &entities.entities {
        let is_of_map = entity.class().eq_ignore_ascii_case("logic_auto");
        for output in entity.outputs() {
            if !output.input.eq_ignore_ascii_case("Enable") {
                continue;
            }
            let rank = match output.event.eq_ignore_ascii_case("OnBackgroundMap") {
                true if is_of_map => AS_BACKGROUND,
                _ if is_of_map => AT_START,
                _ => SOME_TIME,
            };
            let known = names.entry(output.target.to_ascii_lowercase()).or_insert(0);
            *known = rank.max(*known);
        }
    }
    names
}

/// A camera looks at its target, and where there is none, as its angles say.
fn spawn_of_camera(camera: &Entity, entities: &Entities) -> Option<Spawn> {
    let position = camera.origin()?;
    let target = camera.get("target").filter(|name| !name.is_empty());
    let target = target.and_then(|name| {
        let is_target = |it: &&Entity| it.name().is_some_and(|own| own.eq_ignore_ascii_case(&name));
        entities.entities.iter().find(is_target)?.origin()
    });
    let ahead = target.map(|[x, y, z]| [x - position[0], y - position[1], z - position[2]]);
    let [pitch, yaw, _] = camera.angles().unwrap_or_default();
    let (yaw_rad, pitch_rad) = match ahead.filter(|ahead| ahead.iter().any(|it| *it != 0.0)) {
        Some([x, y, z]) => (y.atan2(x), z.atan2(x.hypot(y))),
        None => (yaw.to_radians(), -pitch.to_radians()),
    };
    Some(Spawn {
        name: entity_name(camera),
        position,
        yaw_rad,
        pitch_rad,
    })
}
