//! Entities that are made of brushes. Dossier sections 6.6 and 8.2.

use std::collections::HashMap;

use ironlands_scene::{
    Aabb, Affine, Instance, Mesh, Model, ModelIdx, ModelNode, ModelPiece, PieceLod, Sphere,
};

use super::FORMAT;
use super::areas::window_fades;
use super::cells::Cells;
use super::owners::{Owner, may_appear};
use super::placement::{moved_box, out_of_map, world_from_model};
use super::view_range;
use super::world::World;
use crate::bsp::is_place;
use crate::entities::Entity;
use crate::level::SourceLevel;
use crate::materials::{Materials, Tint};
use ironlands_assets_core::bytes::{Finding, Severity};

/// Beginnings of the classes whose brushes are not seen.
const UNSEEN: [&str; 14] = [
    "color_correction_volume",
    "trigger_",
    "func_precipitation",
    "func_areaportal",
    "func_occluder",
    "func_dustmotes",
    "func_dustcloud",
    "func_smokevolume",
    "func_viscluster",
    "func_nav_",
    "func_ladder",
    "func_vehicleclip",
    "func_clip_",
    "func_buyzone",
];
/// Beginnings of the classes whose brushes move or turn by at most their size.
const MOVERS: [&str; 6] = [
    "func_door",
    "func_button",
    "func_rot_button",
    "momentary_rot_button",
    "func_rotating",
    "func_water",
];
/// Most corners of the models of all looks. Only entities that show large models in thousands of colors come near it.
const MAX_CORNERS: usize = 1 << 21;
/// `rendermode`: added to what is behind.
const ADDITIVE: f32 = 5.0;
/// `rendermode`: not drawn.
pub const NOT_DRAWN: f32 = 10.0;

/// Models of brushes and where they stand.
#[derive(Debug, Default)]
pub struct BrushModels {
    /// One for each set of brushes and look.
    pub models: Vec<Model>,
    /// In the order of the entities.
    pub instances: Vec<Instance>,
    /// Whose they are.
    pub owners: Vec<Owner>,
}

impl BrushModels {
    /// Those that are seen at first, and without size those that may be seen later.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "a count of entities in memory"
    )]
    pub fn new(
        level: &SourceLevel,
        world: &World<'_>,
        cells: &Cells<'_>,
        materials: &mut Materials<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut brush_models = Self::default();
        let mut known = HashMap::new();
        let mut n_corners_of = HashMap::new();
        let mut n_corners_left = MAX_CORNERS;
        let mut n_lost = 0_usize;
        let fades = window_fades(&level.entities);
        for (index, entity) in level.entities.entities.iter().enumerate() {
            let Some(model) = entity.brush_model().filter(|_| is_seen(entity)) else {
                continue;
            };
            if !is_place(entity.origin().unwrap_or_default()) {
                findings.push(out_of_map(&entity_name(entity)));
                continue;
            }
            let key = (model, tint(entity));
            let model = *known.entry(key).or_insert_with(|| {
                let n_corners = n_corners_of.entry(model);
                let n_corners = n_corners.or_insert_with(|| world.n_corners_of(model));
                let Some(left) = n_corners_left.checked_sub(*n_corners) else {
                    n_lost += 1;
                    return None;
                };
                n_corners_left = left;
                let mesh = world.model_mesh(model, key.1, materials, findings);
                let scene_model = rigid(format!("*{model}"), mesh)?;
                // As many as there are brush models and looks.
                let index = ModelIdx(brush_models.models.len() as u32);
                brush_models.models.push(scene_model);
                Some(index)
            });
            let Some(model) = model else { continue };
            let mut instance = instance(entity, model, &brush_models, cells);
            let name = entity.name().unwrap_or_default().to_ascii_lowercase();
            if let Some(near) = fades.get(&name) {
                instance.range.near = *near;
            }
            let owner = Owner::new(index, entity, &mut instance);
            brush_models.instances.push(instance);
            brush_models.owners.push(owner);
        }
        if n_lost > 0 {
            let message =
                format!("brush entities have too many looks; {n_lost} of them are left out");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
        brush_models
    }
}

#[expect(clippy::indexing_slicing, reason = "the model was made with the list")]
fn instance(
    entity: &Entity,
    model: ModelIdx,
    brush_models: &BrushModels,
    cells: &Cells<'_>,
) -> Instance {
    let origin = entity.origin().unwrap_or_default();
    let place = world_from_model(origin, entity.angles().unwrap_or_default(), [1.0; 3]);
    let mesh = &brush_models.models[model.0 as usize].mesh;
    let bounds = Aabb::around(&mesh.positions);
    let bounds = bounds.map(|bounds| reached_box(entity, moved_box(&place, &bounds)));
    Instance {
        name: entity_name(entity),
        model,
        world_from_model: place,
        range: view_range::of_entity(entity),
        cells: bounds
            .flatten()
            .map_or_else(Vec::new, |bounds| cells.of_box(&bounds)),
        ..Instance::default()
    }
}

/// What an entity is called: by its name, else its class.
pub fn entity_name(entity: &Entity) -> String {
    let name = entity.name().filter(|name| !name.is_empty());
    name.unwrap_or(entity.class()).into_owned()
}

/// Whether an entity is drawn from the start.
pub fn is_drawn(entity: &Entity) -> bool {
    let is = |key: &str, value: f32| entity.number(key) == Some(value);
    !is("rendermode", NOT_DRAWN) && !is("StartDisabled", 1.0)
}

/// Whether the brushes of a class can be seen at all.
pub fn is_unseen_class(class: &str) -> bool {
    UNSEEN.iter().any(|prefix| class.starts_with(prefix))
}

fn is_seen(entity: &Entity) -> bool {
    (is_drawn(entity) || may_appear(entity)) && !is_unseen_class(&entity.class())
}

/// What an entity may reach that stands in a box; `None` = everything.
fn reached_box(entity: &Entity, bounds: Aabb) -> Option<Aabb> {
    if entity.get_bytes("parentname").is_some() {
        return None;
    }
    let size = bounds
        .max
        .iter()
        .zip(bounds.min)
        .map(|(max, min)| max - min);
    let largest = size.fold(0.0, f32::max);
    let by = match &*entity.class() {
        "func_tracktrain" | "func_train" => return None,
        "func_movelinear" | "momentary_door" => entity.number("movedistance").unwrap_or(largest),
        "func_plat" => entity.number("height").unwrap_or(0.0).max(largest),
        class if MOVERS.iter().any(|start| class.starts_with(start)) => largest,
        _ => 0.0,
    };
    Some(Aabb {
        min: bounds.min.map(|it| it - by),
        max: bounds.max.map(|it| it + by),
    })
}

/// What an entity makes of its surfaces: opacity counts only in a mode other than normal.
pub fn tint(entity: &Entity) -> Tint {
    let byte = |value: f32| value.clamp(0.0, 255.0) as u8;
    let mode = entity.number("rendermode").unwrap_or_default();
    let alpha = entity.number("renderamt").filter(|_| mode != 0.0);
    Tint {
        color: entity.vec3("rendercolor").unwrap_or([255.0; 3]).map(byte),
        alpha: alpha.map_or(255, byte),
        is_additive: mode == ADDITIVE,
    }
}

/// A model of one piece on one node; `None` without a triangle.
pub fn rigid(name: String, mesh: Mesh) -> Option<Model> {
    let bounds = Aabb::around(&mesh.positions).filter(|_| !mesh.batches.is_empty())?;
    let bounds = Sphere {
        center: bounds.center(),
        radius: radius(&bounds),
    };
    // As many as there are materials.
    let batches = 0..mesh.batches.len() as u32;
    let node = ModelNode {
        name: String::new(),
        parent: None,
        parent_from_node: Affine::IDENTITY,
    };
    Some(Model {
        name,
        nodes: vec![node],
        pieces: vec![ModelPiece {
            node: 0,
            state: 0,
            lods: vec![PieceLod { bounds, batches }],
        }],
        mesh,
        joints: Vec::new(),
        lod_sizes: Vec::new(),
        bounds,
    })
}

#[expect(clippy::indexing_slicing, reason = "three axes")]
fn radius(bounds: &Aabb) -> f32 {
    let sides = (0..3).map(|axis| ((bounds.max[axis] - bounds.min[axis]) * 0.5).powi(2));
    sides.sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use ironlands_scene::PassKind;

    use crate::bsp::test_map::sample_file;
    use crate::bsp::{LumpId, Map};
    use crate::level::SourceLevel;
    use crate::level_scene::{all_hidden, to_scene};
    use crate::pakfile::{Comment, Pakfile};
    use crate::vtf::{Draft, ImageFormat, MipChain, TextureFlags, Vtf};

    #[test]
    fn faces_of_a_door_bend_what_is_behind_as_those_of_the_level_do() {
        let mut file = sample_file(20);
        let mut map = Map::read(&file).unwrap();
        // The second face is that of the door.
        map.models[0].n_faces = 1;
        (map.models[1].first_face, map.models[1].n_faces) = (1, 1);
        map.write_into(&mut file).unwrap();
        let door = r#"{ "classname" "worldspawn" }
            { "classname" "func_door" "model" "*1" "origin" "8 16 24" }"#;
        file.set_lump(LumpId::Entities, 0, format!("{door}\0").into_bytes());
        let normals = Vtf::draft(&Draft {
            width: 4,
            height: 4,
            format: ImageFormat::Rgba8888,
            flags: TextureFlags::empty(),
            mips: MipChain::Full,
            pictures: vec![vec![128; 4 * 4 * 4]],
        });
        let normals = normals.unwrap().write().unwrap();
        let glass = b"Refract { $normalmap dev/normals $refractamount .1 $bluramount 1 }";
        let files = [
            ("materials/dev/floor.vmt", &glass[..]),
            ("materials/dev/normals.vtf", &normals[..]),
        ];
        let pak = Pakfile::draft(&files, Comment::None).unwrap();
        file.set_lump(LumpId::Pakfile, 0, pak.write());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bsp");
        std::fs::write(&path, file.write().unwrap()).unwrap();
        let level = SourceLevel::open(&path, &[], None).unwrap();
        let (scene, _) = to_scene(&level, &all_hidden);
        scene.validate().unwrap();
        let mut instances = scene.instances.iter();
        let door = instances.find(|it| it.name == "func_door").unwrap();
        assert_eq!(
            door.world_from_model.transform_point([0.0; 3]),
            [8.0, 16.0, 24.0]
        );
        let model = &scene.models[door.model.0 as usize].mesh;
        for mesh in [model, &scene.meshes[0]] {
            let material = mesh.batches[0].material.0 as usize;
            let pass = &scene.materials[material].passes[0];
            assert_eq!(pass.kind, PassKind::Refracting);
            let refraction = pass.refraction.unwrap();
            assert_eq!((refraction.bend, refraction.blur_px), (0.1, 1));
        }
    }
}
