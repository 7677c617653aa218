//! What stops a walker beside the land: the models that stand in a level, without what one passes through.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use glam::{Mat4, Vec3};

use crate::motion::Motion;
use ironlands_assets_parkan::level_objects::{LevelModel, LevelObject, LevelObjects};
use ironlands_assets_parkan::model_scene::FirstNode;
use ironlands_assets_parkan::msh::{BatchFlags, Msh};
use ironlands_sim_core::triangles::{Face, TriangleIndex};
use ironlands_sim_world::{Clock, Play, Poses};

/// Flags of triangles that stop no one: foliage, and leaves of doors, which open.
const PASSABLE: u16 = 4 | 0x10;

/// The finest triangles of some land and of all that stands on it still, for walkers alone; `None` where nothing stands
/// there, or more than an index holds.
///
/// Objects are taken as they are placed. What hangs on others, such as a turret on a roof, is not among them.
pub fn with_land(
    land: &TriangleIndex,
    level_objects: &LevelObjects,
    motion: &Motion,
) -> Option<TriangleIndex> {
    let walls = walls_of(level_objects, motion);
    if walls.is_empty() {
        return None;
    }
    let of_land = land
        .faces()
        .filter_map(|face| Some((land.face_corners(face)?, land.face_mask(face)?)));
    // No bit of a mask says that a wall is water.
    let of_walls = walls.into_iter().map(|corners| (corners, 0));
    let (positions, masks): (Vec<[Vec3; 3]>, Vec<u32>) = of_land.chain(of_walls).unzip();
    let positions: Vec<[f32; 3]> = (positions.as_flattened().iter())
        .map(Vec3::to_array)
        .collect();
    let faces = (0_u32..).zip(masks).map(|(face, mask)| {
        let first = face.saturating_mul(3);
        Some(Face {
            corners: [0, 1, 2].map(|corner| first.saturating_add(corner)),
            mask,
            material: 0,
        })
    });
    TriangleIndex::new(&positions, &faces.collect::<Vec<_>>()).ok()
}

fn walls_of(level_objects: &LevelObjects, motion: &Motion) -> Vec<[Vec3; 3]> {
    let mut poses = Poses::default();
    let clock = Clock {
        time_secs: 0.0,
        play: Play::Still,
    };
    motion.pose(&clock, &|_| None, &mut poses);
    let matrices = poses.world_from_nodes();
    let mut walls = Vec::new();
    for (idx, object) in level_objects.objects.iter().enumerate() {
        let Some(model) = model_of(level_objects, object) else {
            continue;
        };
        for (node, place) in motion.base_nodes(idx).enumerate() {
            let Some(world_from_node) = matrices.get(place).map(|it| it.to_mat4()) else {
                continue;
            };
            walls.extend(solid_triangles(model, node, world_from_node));
        }
    }
    walls
}

/// The model that an object is, if it stands still.
fn model_of<'a>(level_objects: &'a LevelObjects, object: &LevelObject) -> Option<&'a LevelModel> {
    let walks = object.movement.as_ref().is_some_and(|it| it.walk.is_some());
    let first = object.components.first().filter(|_| !walks)?;
    let model = level_objects.models.get(first.model)?;
    (model.first_node == FirstNode::Own).then_some(model)
}

/// What of an intact node stops a walker, in the world.
fn solid_triangles(
    model: &LevelModel,
    node: usize,
    world_from_node: Mat4,
) -> impl Iterator<Item = [Vec3; 3]> + '_ {
    let msh: &Msh = &model.msh;
    let slot = msh.slot(node, 0, 0);
    let triangles = slot
        .into_iter()
        .flat_map(move |slot| msh.slot_triangles(slot));
    let solid = triangles.filter(move |triangle| {
        let batch = msh.batches.get(triangle.batch_idx);
        let is_portal = batch.is_some_and(|it| it.flags.contains(BatchFlags::PORTAL));
        let descriptors = msh.triangles.as_deref().unwrap_or_default();
        let flags = descriptors.get(triangle.descriptor_idx);
        !is_portal && flags.is_none_or(|it| it.flags & PASSABLE == 0)
    });
    solid.filter_map(move |triangle| {
        let corner = |vertex: usize| {
            let position = msh.positions.get(vertex).copied()?;
            Some(world_from_node.transform_point3(Vec3::from(position)))
        };
        let [a, b, c] = triangle.vertices.map(corner);
        Some([a?, b?, c?])
    })
}
