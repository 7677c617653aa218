//! Typed files of a Parkan level to a [`Scene`].
//!
//! Parkan's axes are the engine's: right-handed, +Z up, world units as they are (dossier sections 0.3 and
//! 4.10). What the files do not say is a documented choice: light, fog and sky are the defaults of section 11.6, and
//! both sides of every face are drawn (Q-M19).

mod borders;
mod drape;
mod ground;
mod hall_ways;
mod level_objects;
mod mission_overlays;
mod overlays;
mod skirts;
mod surfaces;
mod surroundings;
#[cfg(test)]
mod tests;
mod tiles;

use ironlands_scene::{CloudLayer, Emitter, Fog, FogFalloff, Scene, Sky};

use self::ground::Ground;
use self::surfaces::Surfaces;
pub(super) use self::surroundings::sun;
use super::effect_scene::{SPEED_OF_SOUND, SceneSounds};
use super::level::ParkanLevel;
use super::material_scene::to_texture;
use super::sky_scene::{day_of, rain_sounds, weather};
use super::texm::PixelOptions;
use ironlands_assets_core::bytes::Finding;

/// What findings of this module name as their format.
const FORMAT: &str = "parkan scene";

/// The level as a scene, and what could not be taken over as it is.
///
/// `pixels` reads texture formats whose channel order is not certain. The scene passes [`Scene::validate`];
/// its one mesh holds the ground with one cluster a tile, finest level of detail first. Instances are in the order of
/// [`LevelObjects::components`](super::level_objects::LevelObjects::components).
pub fn to_scene(level: &ParkanLevel, pixels: PixelOptions) -> (Scene, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut surfaces = Surfaces::new(level);
    let ground = Ground::new(level.ground(), &mut surfaces, &mut findings);
    let water = surroundings::sea(level.ground(), &ground, &mut surfaces);
    let mut overlays = overlays::overlays(
        level.land_map.as_ref(),
        level.ground(),
        &ground,
        &mut findings,
    );
    overlays.extend(mission_overlays::overlays(level));
    let mut materials = surfaces.into_materials();
    let (models, instances, model_materials) =
        level_objects::models(&level.level_objects, &level.materials, materials.len());
    materials.extend(model_materials);
    overlays.extend(hall_ways::overlay(
        &level.level_objects,
        &models,
        &instances,
    ));
    let (emitters, left_out) = level.level_effects.emitters(&level.materials);
    findings.extend(left_out);
    let (lights, light_styles) = level.level_effects.lights();
    let mut heard = level.level_effects.sounds();
    let mut emitters: Vec<Emitter> = emitters.into_iter().map(|it| it.emitter).collect();
    let day = level.level_sky.as_ref().and_then(|it| {
        let frames = it.frames(&level.materials);
        emitters.extend(weather(&it.ske, &frames));
        // What comes last is left out first.
        Emitter::keep_possible(&mut emitters);
        heard.extend(&rain_sounds(&it.ske, &it.clips));
        day_of(&it.ske, &frames)
    });
    let SceneSounds { clips, sounds } = heard;
    let sky = Sky::default();
    let fog = |[start, end]: [f32; 2], falloff| Fog {
        density: 1.0,
        falloff,
        color: sky.horizon,
        start,
        end,
        layer: surroundings::fog_layer(&ground),
    };
    let scene = Scene {
        name: level.name(),
        textures: level
            .materials
            .textures
            .iter()
            .map(|texture| to_texture(texture, pixels))
            .collect(),
        sun: sun(),
        sky,
        clouds: CloudLayer::FAIR.to_vec(),
        fog: Some(fog(surroundings::FOG, FogFalloff::Squared)),
        haze: Some(fog(surroundings::HAZE, FogFalloff::Linear)),
        water,
        overlays,
        spawns: surroundings::overview(&ground).into_iter().collect(),
        materials,
        meshes: vec![ground.mesh],
        models,
        instances,
        occlusion_radius: surroundings::OCCLUSION_RADIUS,
        emitters,
        clips,
        sounds,
        speed_of_sound: SPEED_OF_SOUND,
        days: day.into_iter().collect(),
        lights,
        light_styles,
        ..Scene::default()
    };
    (scene, findings)
}
