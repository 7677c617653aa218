//! Sun, fog, sky and places to start from. Dossier sections 8.2, 8.3 and 11.7.

use ironlands_scene::{Backdrop, Fog, SkyBox, SkyFace, Spawn, Sun};

use super::FORMAT;
use super::cells::Cells;
use crate::bytes::{Finding, Severity};
use crate::source::entities::{Entities, Entity};
use crate::source::level::SourceLevel;
use crate::source::materials::{Materials, display_from_linear};
use crate::source::vmt::Transform;

/// Height of the eye above the feet.
const EYE_HEIGHT: f32 = 64.0;
/// Classes of places to start from begin so.
const SPAWN_CLASS: &str = "info_player_";
/// Endings of the pictures of the sky: +x, -x, +y, -y, +z, -z.
const SKY_FACES: [&str; 6] = ["rt", "lf", "bk", "ft", "up", "dn"];
/// `Texinfo::flags`: sky, with or without a backdrop.
const SKY: i32 = 0x2 | 0x4;

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
        density: number("fogmaxdensity").unwrap_or(1.0).clamp(0.0, 1.0),
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
    let mut tell = |reason: &str| {
        let message = format!("the sky camera at {origin:?} is left out: {reason}");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    };
    if !(scale.is_finite() && scale > 0.0) {
        tell("its scale is not above 0");
        return None;
    }
    let cells = cells.of_area(leaf.area);
    if leaf.cluster < 0 || cells.is_empty() {
        tell("it stands outside of all rooms");
        return None;
    }
    Some(Backdrop {
        origin,
        scale,
        fog: fog_of(camera, findings),
        cells,
    })
}

/// The pictures of the sky; `None` if there are none.
pub fn sky_box(level: &SourceLevel, materials: &mut Materials<'_>) -> Option<SkyBox> {
    let name = level.entities.world()?.get("skyname")?;
    let names = SKY_FACES.map(|face| format!("skybox/{name}{face}"));
    let faces = names.map(|name| {
        let (texture, transform) = materials.sky_picture(&name)?;
        let Transform([[u, ..], [_, v, _]]) = transform;
        Some(SkyFace {
            texture,
            uv_scale: [u, v],
        })
    });
    faces.iter().any(Option::is_some).then_some(SkyBox {
        faces,
        color: sky_color(level),
    })
}

/// Average colour of the textures that the compiler knew the sky by.
fn sky_color(level: &SourceLevel) -> [f32; 3] {
    let of_sky = level.map.texinfos.iter().find(|it| it.flags & SKY != 0);
    let texdata = of_sky.and_then(|texinfo| usize::try_from(texinfo.texdata).ok());
    let texdata = texdata.and_then(|texdata| level.map.texdata.get(texdata));
    texdata.map_or([0.0; 3], |it| it.reflectivity.map(display_from_linear))
}

/// Where players begin, in file order.
pub fn spawns(entities: &Entities) -> Vec<Spawn> {
    let spawn = |entity: &Entity| {
        let [x, y, z] = entity.origin()?;
        let [pitch, yaw, _] = entity.angles().unwrap_or_default();
        let class = entity.class();
        let name = entity.name().filter(|name| !name.is_empty());
        Some(Spawn {
            name: name.unwrap_or(class).into_owned(),
            position: [x, y, z + EYE_HEIGHT],
            yaw_rad: yaw.to_radians(),
            pitch_rad: -pitch.to_radians(),
        })
    };
    entities.of_class(SPAWN_CLASS).filter_map(spawn).collect()
}
