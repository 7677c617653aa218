//! Proves that a scene's indices, lengths and numbers hold together.

use std::ops::Range;

use thiserror::Error;

use crate::{Fog, Mesh, Scene, Texture, Water};

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
                let texture_exists = pass
                    .texture
                    .is_none_or(|texture| (texture.0 as usize) < self.textures.len());
                ensure(
                    texture_exists,
                    "materials",
                    index,
                    "a pass names a missing texture",
                )?;
                ensure(
                    pass.uv_set < 2,
                    "materials",
                    index,
                    "a pass names a missing UV set",
                )?;
            }
        }
        Ok(())
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
        for (index, position) in mesh.positions.iter().enumerate() {
            let finite = position.iter().all(|v| v.is_finite());
            ensure(finite, &array("positions"), index, "positions are finite")?;
        }
        for (index, vertex) in mesh.indices.iter().enumerate() {
            let exists = (*vertex as usize) < n;
            ensure(
                exists,
                &array("indices"),
                index,
                "an index names a missing vertex",
            )?;
        }
        for (index, batch) in mesh.batches.iter().enumerate() {
            let end = u64::from(batch.first_index) + u64::from(batch.n_indices);
            let inside = end <= mesh.indices.len() as u64 && batch.n_indices.is_multiple_of(3);
            let array = array("batches");
            ensure(inside, &array, index, "whole triangles inside `indices`")?;
            let exists = (batch.material.0 as usize) < self.materials.len();
            ensure(exists, &array, index, "a batch names a missing material")?;
        }
        for (index, cluster) in mesh.clusters.iter().enumerate() {
            let array = array("clusters");
            ensure(
                !cluster.lods.is_empty(),
                &array,
                index,
                "at least one level of detail",
            )?;
            let inside =
                |lod: &Range<u32>| lod.start <= lod.end && lod.end as usize <= mesh.batches.len();
            ensure(
                cluster.lods.iter().all(inside),
                &array,
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
