//! A map to a [`Scene`].
//!
//! Source's axes are the engine's: right-handed, +Z up, units as they are (dossier section 13). What is drawn and
//! where: the world is one mesh, in clusters by the cells that see it; entities made of brushes, and props, are models
//! that stand in it.

mod ambient;
mod brush_models;
mod cells;
mod debug_layers;
mod decals;
mod faces;
mod light_styles;
mod mesh_builder;
mod placement;
mod props;
mod surfaces;
mod surroundings;
mod world;

use ironlands_scene::{Scene, Sky};

use self::brush_models::BrushModels;
use self::cells::Cells;
use self::props::Props;
use self::world::World;
use super::level::SourceLevel;
use super::lightmap::{Atlas, light_blocks, light_lump};
use super::materials::Materials;
use crate::bytes::{Finding, Severity};

/// What findings of this module name as their format.
const FORMAT: &str = "source scene";

/// The level as a scene, and what could not be taken over as it is.
///
/// The first mesh of the scene is the world, a second one what lies on its faces. Its instances are: entities made of brushes, in file order; static props, in
/// file order; entities that show a model, in file order. Materials and textures that are not found are findings;
/// what they belong to has its average colour.
pub fn to_scene(level: &SourceLevel) -> (Scene, Vec<Finding>) {
    let map = &level.map;
    let mut materials = Materials::new(&level.game_files, level.light_range());
    let (blocks, _, mut findings) = light_blocks(map, level.face_set);
    let faces = map.faces_of(level.face_set);
    let uses_directions = |index: usize| {
        let name = faces
            .get(index)
            .and_then(|it| surfaces::visible_name(map, it));
        name.is_some_and(|name| materials.has_normal_map(&name))
    };
    let atlas = Atlas::pack(light_lump(map, level.face_set), &blocks, uses_directions);
    tell_lost_light(&blocks, &atlas, &mut findings);
    let cells = Cells::new(map);
    let world = World::new(
        level,
        &atlas,
        &blocks,
        &cells,
        &mut materials,
        &mut findings,
    );
    let mesh = world.mesh(&mut materials);
    // Pictures on faces have no normal map of their own: they take the flat light only.
    let under_decals = decals::blocks_below(map, &blocks);
    let flat_atlas = Atlas::pack(light_lump(map, level.face_set), &under_decals, |_| false);
    let flat_world = World::new(
        level,
        &flat_atlas,
        &under_decals,
        &cells,
        &mut materials,
        &mut Vec::new(),
    );
    let decals = decals::mesh(map, &flat_world, &mut materials);
    let BrushModels {
        mut models,
        mut instances,
    } = BrushModels::new(level, &world, &cells, &mut materials);
    let props = Props::new(level, models.len(), &cells, &mut materials, &mut findings);
    models.extend(props.models);
    instances.extend(props.instances);
    let sky_box = surroundings::sky_box(level, &mut materials);
    let backdrop = surroundings::backdrop(level, &cells, &mut findings);
    let fog = surroundings::fog(&level.entities, &mut findings);
    let (textures, materials, of_materials) = materials.finish();
    findings.extend(of_materials);
    let overlays = debug_layers::layers(map, &level.entities, &world);
    let visibility = cells.into_visibility();
    let scene = Scene {
        name: level.name(),
        textures,
        materials,
        meshes: std::iter::once(mesh).chain(decals).collect(),
        models,
        instances,
        sun: surroundings::sun(&level.entities).unwrap_or_default(),
        sky: Sky::default(),
        sky_box,
        backdrop,
        light_styles: light_styles::light_styles(faces, &level.entities),
        visibility,
        fog,
        overlays,
        spawns: surroundings::spawns(&level.entities),
        ..Scene::default()
    };
    (scene, findings)
}

fn tell_lost_light(
    blocks: &[Option<super::lightmap::LightBlock>],
    atlas: &Atlas,
    findings: &mut Vec<Finding>,
) {
    let lost = blocks.iter().zip(&atlas.places);
    let n_lost = lost
        .filter(|(block, place)| block.is_some() && place.is_none())
        .count();
    if n_lost > 0 {
        let message =
            format!("the stored light of {n_lost} faces is too large; they are fully bright");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    }
}
