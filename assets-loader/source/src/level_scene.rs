//! A map to a [`Scene`].
//!
//! Source's axes are the engine's: right-handed, +Z up, units as they are (dossier section 13). What is drawn and
//! where: the world is one mesh, in clusters by the cells that see it; entities made of brushes, and props, are models
//! that stand in it.

mod ambient;
mod areas;
mod brush_models;
mod cells;
mod debug_layers;
mod decals;
mod direct_light;
mod emitters;
mod faces;
mod figures;
mod foliage;
mod grading;
mod light_styles;
mod mesh_builder;
mod owners;
mod placement;
mod props;
mod ropes;
mod sky;
mod sounds;
mod spray;
mod studio_parts;
mod surfaces;
mod surroundings;
mod view_range;
mod water_light;
mod world;

use ironlands_scene::{Aabb, CloudLayer, Instance, Mesh, Model, ModelIdx, Scene, ViewRange};

pub use self::areas::{AREA_PORTAL, OCCLUDER, PortalOwner, starts_active, starts_open};
use self::brush_models::BrushModels;
use self::cells::Cells;
pub(crate) use self::debug_layers::add_hull;
use self::direct_light::DirectLights;
pub use self::direct_light::{LightPath, Sight, all_hidden};
pub use self::emitters::{EMITTERS, PARTICLE_SYSTEM, of_system_alone, starts_on};
pub use self::figures::{Figure, FirstSequence};
pub use self::grading::{CONTROLLER, CONTROLS, CORRECTION, exposure_after, full_weight};
pub use self::light_styles::pattern as light_pattern;
pub use self::owners::{Owner, Owners};
use self::props::Props;
pub use self::props::{Appearance, material_alone};
use self::sounds::LevelSounds;
pub use self::sounds::{
    Footsteps, Heard, Motion, SOUNDSCAPE, SPEAKER, SoundOwner, StepSurface, loops as speaker_loops,
};
pub use self::studio_parts::{StudioParts, lay_out};
use self::water_light::WaterLight;
use self::world::World;
use super::level::SourceLevel;
use super::lightmap::{Atlas, LightBlock, light_blocks, light_lump};
use super::materials::{MadeMaterials, Materials, Probes};
use ironlands_assets_core::bytes::{Finding, Severity};

/// What findings of this module name as their format.
const FORMAT: &str = "source scene";

/// The level as a scene, and what could not be taken over as it is.
///
/// The first mesh of the scene is the world, a second one what lies on its faces. Its instances are: entities made of brushes, in file order; static props, in
/// file order; detail props that are models; entities that show a model, in file order; pictures on faces that fade with the
/// distance; ropes. Materials and textures that are not found are findings;
/// what they belong to has its average color. `sight` says which lamps light which models, and where the ground is below
/// particles; it is called only for models whose light was not stored, and for particles that collide.
pub fn to_scene(level: &SourceLevel, sight: &Sight<'_>) -> (Scene, Vec<Finding>) {
    let (scene, findings, _) = to_scene_with_owners(level, sight);
    (scene, findings)
}

/// [`to_scene`], and which entities its instances and emitters belong to.
pub fn to_scene_with_owners(
    level: &SourceLevel,
    sight: &Sight<'_>,
) -> (Scene, Vec<Finding>, Owners) {
    let map = &level.map;
    let probes = Probes::new(map, level.game_files.pakfile());
    let mut materials = Materials::new(&level.game_files, level.light_range()).with_probes(probes);
    if let Some(light) = ambient::mean_light(map, level.face_set) {
        materials = materials.in_light(light);
    }
    let (blocks, mut findings) = lightmap_blocks(level);
    let faces = map.faces_of(level.face_set);
    let uses_directions = |index: usize| {
        let name = faces
            .get(index)
            .and_then(|it| surfaces::visible_name(map, it));
        name.is_some_and(|name| materials.has_normal_map(&name))
    };
    let lump = light_lump(map, level.face_set);
    let budget = level.game_files.budget();
    let atlas = Atlas::pack(lump, &blocks, budget, uses_directions);
    report_lost_light(&blocks, &atlas, &mut findings);
    let cells = Cells::new(map);
    let water_light = WaterLight::new(level);
    let world = World::new(
        level,
        &atlas,
        &blocks,
        &water_light,
        &cells,
        &mut materials,
        &mut findings,
    );
    let mesh = world.mesh(&mut materials, &mut findings);
    // Pictures on faces have no normal map of their own: they take the flat light only.
    let decals = decals::decals(level, &mut materials, &mut findings);
    let under_decals = decals::blocks_below(&decals, &blocks);
    let flat_atlas = Atlas::pack(lump, &under_decals, budget, |_| false);
    let flat_world = World::new(
        level,
        &flat_atlas,
        &under_decals,
        &water_light,
        &cells,
        &mut materials,
        &mut Vec::new(),
    );
    let decals = decals::meshes(&decals, &flat_world, &mut materials, &mut findings);
    let light_styles = light_styles::light_styles(faces, &level.entities);
    let lights = DirectLights::new(level, light_styles.len(), sight);
    let mut placed = models(
        level,
        &lights,
        &world,
        &cells,
        &mut materials,
        &mut findings,
    );
    placed.add_decals(decals.near, &cells);
    ropes::add(
        level,
        &lights,
        &cells,
        &mut materials,
        &mut placed,
        &mut findings,
    );
    let Placed {
        models,
        instances,
        owners,
        figures,
    } = placed;
    let backdrop = surroundings::backdrop(level, &cells, &mut findings);
    let fog = surroundings::fog(&level.entities, &mut findings);
    let sky = sky::of_light(level, fog.as_ref());
    let sky_box = sky::sky_box(level, sky.horizon, &mut materials);
    let (emitters, emitter_owners) =
        emitters::emitters(level, &cells, sight, &mut materials, &mut findings);
    let n_styles = light_styles.len();
    let foliage = foliage::foliage(level, n_styles, &cells, &mut materials, &mut findings);
    let (color_tables, color_corrections, correction_owners) =
        grading::color_corrections(level, &mut findings);
    let surface_names = sounds::surface_names(map, &materials);
    let MadeMaterials {
        textures,
        materials,
        mut missing,
        findings: of_materials,
    } = materials.finish();
    findings.extend(of_materials);
    missing.extend(&level.missing);
    let LevelSounds {
        clips,
        sounds,
        owners: sound_owners,
        footsteps,
        echoes,
    } = sounds::sounds(level, &owners, &surface_names, &mut missing, &mut findings);
    findings.extend(missing.findings());
    let sky = sky::mirrored(level, sky_box.as_ref(), &textures, sky);
    let overlays = debug_layers::layers(&level.file, map, &level.entities, &world);
    let (areas, portal_owners) = areas::areas(map, &level.entities, &cells);
    let (occluders, occluder_owners) = areas::occluders(map, &level.entities);
    let visibility = cells.into_visibility();
    let scene = Scene {
        name: level.name(),
        textures,
        materials,
        meshes: std::iter::once(mesh).chain(decals.all_around).collect(),
        models,
        instances,
        emitters,
        foliage,
        occlusion_radius: surroundings::OCCLUSION_RADIUS,
        sun: surroundings::sun(&level.entities).unwrap_or_default(),
        clouds: match sky_box {
            Some(_) => Vec::new(),
            None => CloudLayer::FAIR.to_vec(),
        },
        sky,
        sky_box,
        backdrop,
        light_styles,
        visibility,
        areas,
        occluders,
        fog,
        auto_exposure: grading::auto_exposure(level),
        color_tables,
        color_corrections,
        clips,
        sounds,
        overlays,
        spawns: surroundings::spawns(level),
        ..Scene::default()
    };
    let owners = Owners {
        instances: owners,
        emitters: emitter_owners,
        sounds: sound_owners,
        footsteps,
        echoes,
        corrections: correction_owners,
        portals: portal_owners,
        occluders: occluder_owners,
        figures,
    };
    (scene, findings, owners)
}

/// Models and where they stand.
struct Placed {
    models: Vec<Model>,
    instances: Vec<Instance>,
    /// Whose the instances are.
    owners: Vec<Option<Owner>>,
    figures: Vec<Figure>,
}

impl Placed {
    /// Adds an instance of a model of its own, which belongs to no entity that ever changes.
    fn add(&mut self, model: Model, instance: Instance) {
        // As many as there are overlays and entities.
        let index = ModelIdx(u32::try_from(self.models.len()).unwrap_or(u32::MAX));
        self.models.push(model);
        self.instances.push(Instance {
            model: index,
            ..instance
        });
        self.owners.push(None);
    }

    /// Pictures on faces that are seen from nearby only.
    fn add_decals(&mut self, near: Vec<(Mesh, ViewRange)>, cells: &Cells<'_>) {
        for (mesh, range) in near {
            let bounds = Aabb::around(&mesh.positions);
            let Some(model) = brush_models::rigid("overlay".to_owned(), mesh) else {
                continue;
            };
            let instance = Instance {
                name: model.name.clone(),
                range,
                cells: bounds.map_or_else(Vec::new, |bounds| cells.of_box(&bounds)),
                ..Instance::default()
            };
            self.add(model, instance);
        }
    }
}

/// Entities made of brushes, then props.
fn models(
    level: &SourceLevel,
    lights: &DirectLights<'_>,
    world: &World<'_>,
    cells: &Cells<'_>,
    materials: &mut Materials<'_>,
    findings: &mut Vec<Finding>,
) -> Placed {
    let BrushModels {
        mut models,
        mut instances,
        owners,
    } = BrushModels::new(level, world, cells, materials, findings);
    let props = Props::new(level, lights, models.len(), cells, materials, findings);
    let n_before = instances.len();
    let figures = props.figures.into_iter().map(|it| Figure {
        instance: it.instance.saturating_add(n_before),
        ..it
    });
    let figures = figures.collect();
    models.extend(props.models);
    instances.extend(props.instances);
    let owners = owners.into_iter().map(Some).chain(props.owners);
    Placed {
        models,
        instances,
        owners: owners.collect(),
        figures,
    }
}

/// The lightmap of each face; none at all where the map is shown fully bright.
fn lightmap_blocks(level: &SourceLevel) -> (Vec<Option<LightBlock>>, Vec<Finding>) {
    if level.is_full_bright() {
        let message = "the map has no world lights: it is shown fully bright, as its game does";
        let finding = Finding::new(Severity::Warning, FORMAT, message);
        let n_faces = level.map.faces_of(level.face_set).len();
        return (vec![None; n_faces], vec![finding]);
    }
    let (blocks, _, findings) = light_blocks(&level.map, level.face_set);
    (blocks, findings)
}

fn report_lost_light(blocks: &[Option<LightBlock>], atlas: &Atlas, findings: &mut Vec<Finding>) {
    let lost = blocks.iter().zip(&atlas.places);
    let n_lost = lost
        .filter(|(block, place)| block.is_some() && place.is_none())
        .count();
    if n_lost > 0 {
        let message =
            format!("the lightmaps of {n_lost} faces are too large; they are fully bright");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    }
}
