//! Proves that a scene's indices, lengths and numbers hold together.

use std::ops::Range;

use thiserror::Error;

use crate::{Fog, Mesh, Model, Pass, Scene, Sphere, Texture, Water};

/// What is broken in a scene: the array, the item in it, and the rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("scene: {array}[{index}]: {rule}")]
pub struct SceneError {
    /// Name of the array, as in `meshes[0].batches`.
    pub array: String,
    /// Index of the broken item.
    pub index: usize,
    /// The rule that it breaks.
    pub rule: String,
}

impl Scene {
    /// Checks every index, length and number; a renderer takes only scenes that pass.
    ///
    /// # Errors
    /// The first broken item, with the array and index it stands at.
    pub fn validate(&self) -> Result<(), SceneError> {
        for (index, texture) in self.textures.iter().enumerate() {
            check_texture(texture).map_err(|rule| broken("textures", index, rule))?;
        }
        self.validate_materials()?;
        for (index, mesh) in self.meshes.iter().enumerate() {
            self.validate_mesh(&format!("meshes[{index}]"), mesh)?;
        }
        for (index, model) in self.models.iter().enumerate() {
            self.validate_model(&format!("models[{index}]"), model)?;
        }
        for (index, instance) in self.instances.iter().enumerate() {
            let exists = (instance.model.0 as usize) < self.models.len();
            ensure(
                exists,
                "instances",
                index,
                "an instance names a missing model",
            )?;
            let finite = instance.world_from_model.is_finite();
            ensure(finite, "instances", index, "a transform is finite")?;
        }
        self.validate_environment()?;
        for (index, overlay) in self.overlays.iter().enumerate() {
            let whole =
                overlay.lines.len().is_multiple_of(2) && overlay.triangles.len().is_multiple_of(3);
            ensure(
                whole,
                "overlays",
                index,
                "lines come in pairs, triangles in triples",
            )?;
        }
        for (index, spawn) in self.spawns.iter().enumerate() {
            let [x, y, z] = spawn.position;
            let finite = [x, y, z, spawn.yaw_rad, spawn.pitch_rad]
                .iter()
                .all(|v| v.is_finite());
            ensure(finite, "spawns", index, "position and angles are finite")?;
        }
        Ok(())
    }

    fn validate_materials(&self) -> Result<(), SceneError> {
        for (index, material) in self.materials.iter().enumerate() {
            for pass in &material.passes {
                self.check_pass(pass)
                    .map_err(|rule| broken("materials", index, rule))?;
            }
        }
        Ok(())
    }

    fn check_pass(&self, pass: &Pass) -> Result<(), &'static str> {
        let phases = pass.animation.iter().flat_map(|it| &it.phases);
        let mut textures = phases.map(|phase| phase.texture).chain([pass.texture]);
        if textures.any(|texture| texture.is_some_and(|it| it.0 as usize >= self.textures.len())) {
            return Err("a pass names a missing texture");
        }
        if pass.uv_set >= 2 {
            return Err("a pass names a missing UV set");
        }
        if let Some(animation) = &pass.animation {
            let exists = |phase: u32| (phase as usize) < animation.phases.len();
            if animation.keys.is_empty() || !animation.keys.iter().all(|key| exists(key.phase)) {
                return Err("an animation has keys, and each names a phase");
            }
        }
        Ok(())
    }

    fn validate_model(&self, name: &str, model: &Model) -> Result<(), SceneError> {
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
        ensure(descend, &array("lod_sizes"), 0, "sizes descend towards 0")
    }

    fn validate_mesh(&self, name: &str, mesh: &Mesh) -> Result<(), SceneError> {
        let n = mesh.positions.len();
        let array = |field: &str| format!("{name}.{field}");
        let lengths_match =
            mesh.normals.len() == n && mesh.uv_sets.iter().all(|uvs| uvs.len() == n);
        ensure(
            lengths_match,
            name,
            0,
            "all vertex streams have the length of `positions`",
        )?;
        let positions = array("positions");
        for (index, position) in mesh.positions.iter().enumerate() {
            let finite = position.iter().all(|v| v.is_finite());
            ensure(finite, &positions, index, "positions are finite")?;
        }
        let indices = array("indices");
        for (index, vertex) in mesh.indices.iter().enumerate() {
            let exists = (*vertex as usize) < n;
            ensure(exists, &indices, index, "an index names a missing vertex")?;
        }
        let batches = array("batches");
        for (index, batch) in mesh.batches.iter().enumerate() {
            let end = u64::from(batch.first_index) + u64::from(batch.n_indices);
            let inside = end <= mesh.indices.len() as u64 && batch.n_indices.is_multiple_of(3);
            ensure(inside, &batches, index, "whole triangles inside `indices`")?;
            let exists = (batch.material.0 as usize) < self.materials.len();
            ensure(exists, &batches, index, "a batch names a missing material")?;
        }
        let clusters = array("clusters");
        for (index, cluster) in mesh.clusters.iter().enumerate() {
            ensure(
                !cluster.lods.is_empty(),
                &clusters,
                index,
                "at least one level of detail",
            )?;
            let inside =
                |lod: &Range<u32>| lod.start <= lod.end && lod.end as usize <= mesh.batches.len();
            ensure(
                cluster.lods.iter().all(inside),
                &clusters,
                index,
                "lods lie inside `batches`",
            )?;
        }
        if let Some(grid) = &mesh.lod_grid {
            let positive = grid
                .cell_size
                .iter()
                .all(|size| size.is_finite() && *size > 0.0);
            ensure(
                positive,
                &array("lod_grid"),
                0,
                "cells have a positive size",
            )?;
        }
        Ok(())
    }

    fn validate_environment(&self) -> Result<(), SceneError> {
        if let Some(Fog { start, end, .. }) = self.fog {
            let ordered = start >= 0.0 && start < end && end.is_finite();
            ensure(ordered, "fog", 0, "0 <= start < end")?;
        }
        if let Some(Water {
            level,
            material,
            level_min,
            level_max,
            ..
        }) = self.water
        {
            let exists = (material.0 as usize) < self.materials.len();
            ensure(exists, "water", 0, "it names a missing material")?;
            let ordered =
                level.is_finite() && (0..2).all(|axis| level_min[axis] <= level_max[axis]);
            ensure(
                ordered,
                "water",
                0,
                "a finite level and level_min <= level_max",
            )?;
        }
        Ok(())
    }
}

fn is_ball(sphere: &Sphere) -> bool {
    sphere.center.iter().all(|v| v.is_finite()) && sphere.radius.is_finite() && sphere.radius >= 0.0
}

fn check_texture(texture: &Texture) -> Result<(), &'static str> {
    if texture.width == 0 || texture.height == 0 || texture.mips.is_empty() {
        return Err("at least one level of at least one pixel");
    }
    for (level, pixels) in (0u32..).zip(&texture.mips) {
        let [width, height] = texture.level_size(level);
        if pixels.len() as u64 != u64::from(width) * u64::from(height) * 4 {
            return Err("a level does not have width x height x 4 bytes");
        }
    }
    Ok(())
}

fn ensure(holds: bool, array: &str, index: usize, rule: &str) -> Result<(), SceneError> {
    if holds {
        Ok(())
    } else {
        Err(broken(array, index, rule))
    }
}

fn broken(array: &str, index: usize, rule: &str) -> SceneError {
    SceneError {
        array: array.to_owned(),
        index,
        rule: rule.to_owned(),
    }
}
