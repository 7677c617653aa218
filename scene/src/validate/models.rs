//! Models, instances, and how vertices move.

use std::ops::Range;

use super::{SceneError, broken, ensure, is_amount};
use crate::{Instance, MAX_DIRECT_LIGHTS, Mesh, Model, Scene, Sphere};

impl Scene {
    pub(super) fn validate_model(&self, name: &str, model: &Model) -> Result<(), SceneError> {
        self.validate_mesh(&format!("{name}.mesh"), &model.mesh)?;
        let array = |field: &str| format!("{name}.{field}");
        let is_plain = model.mesh.clusters.is_empty() && model.mesh.lod_grid.is_none();
        ensure(is_plain, name, 0, "a model's mesh has no clusters")?;
        ensure(
            is_ball(&model.bounds),
            name,
            0,
            "bounds are finite, the radius at least 0",
        )?;
        let nodes = array("nodes");
        for (index, node) in model.nodes.iter().enumerate() {
            let comes_after = node.parent.is_none_or(|parent| (parent as usize) < index);
            ensure(comes_after, &nodes, index, "parents stand before children")?;
            let finite = node.parent_from_node.is_finite();
            ensure(finite, &nodes, index, "a transform is finite")?;
        }
        check_skin(name, model)?;
        let pieces = array("pieces");
        for (index, piece) in model.pieces.iter().enumerate() {
            let exists = (piece.node as usize) < model.nodes.len();
            ensure(exists, &pieces, index, "a piece names a missing node")?;
            let has_lods = !piece.lods.is_empty();
            ensure(has_lods, &pieces, index, "at least one level of detail")?;
            let is_sound = piece.lods.iter().all(|lod| {
                let Range { start, end } = lod.batches;
                start <= end && end as usize <= model.mesh.batches.len() && is_ball(&lod.bounds)
            });
            ensure(
                is_sound,
                &pieces,
                index,
                "lods lie inside the mesh's batches and have finite bounds",
            )?;
        }
        let sizes = &model.lod_sizes;
        let descend = sizes.windows(2).all(|pair| pair[0] >= pair[1])
            && sizes.iter().all(|size| *size >= 0.0);
        ensure(descend, &array("lod_sizes"), 0, "sizes descend toward 0")
    }

    pub(super) fn validate_instance(
        &self,
        index: usize,
        instance: &Instance,
    ) -> Result<(), SceneError> {
        let ensure = |holds, rule| ensure(holds, "instances", index, rule);
        let model = self.models.get(instance.model.0 as usize);
        let Some(model) = model else {
            let rule = "an instance names a missing model";
            return Err(broken("instances", index, rule));
        };
        let finite = instance.world_from_model.is_finite()
            && instance.parent_from_nodes.iter().all(|it| it.is_finite());
        ensure(finite, "a transform is finite")?;
        let n_places = instance.parent_from_nodes.len();
        let is_whole = n_places == 0 || n_places == model.nodes.len();
        ensure(is_whole, "one place for each node, or none")?;
        let light = instance.light.iter().flat_map(|cube| cube.0).flatten();
        let is_light = light.into_iter().all(is_amount);
        ensure(is_light, "light is finite, at least 0")?;
        let direct = &instance.direct_lights;
        ensure(direct.len() <= MAX_DIRECT_LIGHTS, "at most 4 direct lights")?;
        let is_light = direct.iter().all(|it| self.is_direct_light(it));
        let rule =
            "a direct light has a unit direction, a color of at least 0, and a style that is there";
        ensure(is_light, rule)?;
        let exist = self.has_cells(&instance.cells);
        ensure(exist, "an instance names a missing cell")?;
        ensure(instance.range.rises(), "a range of view rises")?;
        let hidden = &instance.hidden_pieces;
        let rise = hidden.is_sorted_by(|a, b| a < b);
        ensure(rise, "hidden pieces rise")?;
        let exist = hidden
            .last()
            .is_none_or(|last| (*last as usize) < model.pieces.len());
        ensure(exist, "an instance hides a missing piece")?;
        let morph = &instance.morph;
        let finite = morph.iter().all(|it| it.weight.is_finite());
        ensure(finite, "weights are finite")?;
        let n_targets = model.mesh.morph_targets.len();
        let exist = morph.iter().all(|it| (it.target as usize) < n_targets);
        ensure(exist, "a weight names a missing target")?;
        let mut targets: Vec<_> = morph.iter().map(|it| it.target).collect();
        targets.sort_unstable();
        let once = targets.is_sorted_by(|a, b| a < b);
        ensure(once, "a target has at most one weight")
    }
}

/// Joints are nodes, and carry every vertex of the mesh or none.
fn check_skin(name: &str, model: &Model) -> Result<(), SceneError> {
    let array = |field: &str| format!("{name}.{field}");
    let joints = array("joints");
    let fit = model.joints.len() <= 1 << 16;
    ensure(fit, &joints, model.joints.len(), "at most 2^16 joints")?;
    for (index, joint) in model.joints.iter().enumerate() {
        let exists = (joint.node as usize) < model.nodes.len();
        ensure(exists, &joints, index, "a joint names a missing node")?;
        let finite = joint.node_from_mesh.is_finite();
        ensure(finite, &joints, index, "a transform is finite")?;
    }
    let skin = array("mesh.skin");
    let n_carried = model.mesh.skin.len();
    let is_whole = match model.joints.is_empty() {
        true => n_carried == 0,
        false => n_carried == model.mesh.positions.len(),
    };
    ensure(
        is_whole,
        &skin,
        0,
        "joints carry every vertex, or there are none",
    )?;
    for (index, vertex) in model.mesh.skin.iter().enumerate() {
        let exist = vertex
            .joints
            .iter()
            .all(|joint| usize::from(*joint) < model.joints.len());
        ensure(exist, &skin, index, "a vertex names a missing joint")?;
        let are_amounts = vertex.weights.iter().copied().all(is_amount);
        let sum: f32 = vertex.weights.iter().sum();
        let is_one = are_amounts && (sum - 1.0).abs() < 1e-3;
        ensure(is_one, &skin, index, "weights are at least 0, 1 together")?;
    }
    Ok(())
}

/// Targets lie inside the vertices, which are checked already.
pub(super) fn check_morph_targets(mesh_name: &str, mesh: &Mesh) -> Result<(), SceneError> {
    let array = format!("{mesh_name}.morph_targets");
    for (index, target) in mesh.morph_targets.iter().enumerate() {
        let end = u64::from(target.first_vertex) + target.offsets.len() as u64;
        let inside = end <= mesh.positions.len() as u64;
        ensure(inside, &array, index, "a target moves a missing vertex")?;
        let finite = target.offsets.as_flattened().iter().all(|v| v.is_finite());
        ensure(finite, &array, index, "offsets are finite")?;
    }
    Ok(())
}

fn is_ball(sphere: &Sphere) -> bool {
    sphere.center.iter().all(|v| v.is_finite()) && sphere.radius.is_finite() && sphere.radius >= 0.0
}
