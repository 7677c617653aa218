//! Proves that a scene's indices, lengths and numbers hold together.
//!
//! Cells of clusters, instances and the backdrop are those of [`Scene::visibility`]; a scene without it has none, so
//! that nothing in it may name one.

mod areas;
mod cells;
mod emitters;
mod foliage;
mod grading;
mod lights;
mod models;
mod skies;
mod sounds;
mod surfaces;
#[cfg(test)]
mod tests;

use std::ops::Range;

use thiserror::Error;

use crate::{Fog, FogLayer, MAX_LIGHT_STYLES, Mesh, Scene, Water};

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
            surfaces::check_texture(texture).map_err(|rule| broken("textures", index, rule))?;
        }
        self.validate_materials()?;
        for (index, mesh) in self.meshes.iter().enumerate() {
            let name = format!("meshes[{index}]");
            self.validate_mesh(&name, mesh)?;
            let is_still = mesh.morph_targets.is_empty();
            ensure(is_still, &name, 0, "only a model's mesh has morph targets")?;
            let is_rigid = mesh.skin.is_empty();
            ensure(is_rigid, &name, 0, "only a model's mesh has a skin")?;
        }
        if let Some(tiles) = &self.tiles {
            tiles.check().map_err(|rule| broken("tiles", 0, rule))?;
        }
        for (index, model) in self.models.iter().enumerate() {
            self.validate_model(&format!("models[{index}]"), model)?;
        }
        for (index, instance) in self.instances.iter().enumerate() {
            self.validate_instance(index, instance)?;
        }
        self.validate_lights()?;
        self.validate_cells()?;
        self.validate_areas()?;
        self.validate_emitters()?;
        self.validate_foliage()?;
        self.validate_grading()?;
        self.validate_sounds()?;
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
        let colors = array("colors");
        let is_whole = mesh.colors.is_empty() || mesh.colors.len() == n;
        ensure(is_whole, &colors, 0, "one color for each position, or none")?;
        for (index, color) in mesh.colors.iter().enumerate() {
            let finite = color.iter().all(|v| v.is_finite());
            ensure(finite, &colors, index, "colors are finite")?;
        }
        models::check_morph_targets(name, mesh)?;
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
            let exist = self.has_cells(&cluster.cells);
            ensure(exist, &clusters, index, "a cluster names a missing cell")?;
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
        for (name, fog) in [("fog", &self.fog), ("haze", &self.haze)] {
            fog.as_ref().map_or(Ok(()), |fog| check_fog(name, fog))?;
        }
        skies::check_clouds(&self.clouds)?;
        let rule = "the radius is finite, at least 0";
        ensure(
            is_amount(self.occlusion_radius),
            "occlusion_radius",
            0,
            rule,
        )?;
        for day in &self.days {
            skies::check_day(day, self)?;
        }
        if let Some(backdrop) = &self.backdrop {
            let is_scale = backdrop.scale.is_finite() && backdrop.scale > 0.0;
            ensure(is_scale, "backdrop", 0, "the scale is finite and above 0")?;
            let finite = backdrop.origin.iter().all(|v| v.is_finite());
            ensure(finite, "backdrop", 0, "the origin is finite")?;
            let exist = self.has_cells(&backdrop.cells);
            ensure(exist, "backdrop", 0, "it names a missing cell")?;
            let rise = backdrop.cells.is_sorted_by(|a, b| a < b);
            ensure(rise, "backdrop", 0, "cells rise")?;
            if let Some(fog) = &backdrop.fog {
                check_fog("backdrop.fog", fog)?;
            }
        }
        let faces = self.sky_box.iter().flat_map(|sky_box| sky_box.faces);
        for (index, face) in faces.enumerate() {
            let Some(face) = face else { continue };
            let exists = (face.texture.0 as usize) < self.textures.len();
            ensure(
                exists,
                "sky_box.faces",
                index,
                "a face names a missing texture",
            )?;
            let finite = face.uv_scale.iter().all(|v| v.is_finite());
            ensure(finite, "sky_box.faces", index, "a scale is finite")?;
        }
        let n_styles = self.light_styles.len();
        let fit = n_styles <= MAX_LIGHT_STYLES;
        ensure(fit, "light_styles", n_styles, "at most 256 styles")?;
        for (index, style) in self.light_styles.iter().enumerate() {
            let is_light = !style.factors.is_empty()
                && style.factors.iter().copied().all(is_amount)
                && is_amount(style.factors_per_sec);
            ensure(
                is_light,
                "light_styles",
                index,
                "at least one factor, and all numbers finite, at least 0",
            )?;
        }
        if let Some(Water {
            level,
            material,
            level_min,
            level_max,
            bed,
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
            let is_bed = bed.is_none_or(|bed| {
                bed.color.into_iter().all(is_amount) && bed.depth.is_finite() && bed.depth > 0.0
            });
            ensure(
                is_bed,
                "water",
                0,
                "a bed of a color, at a depth above 0, all finite",
            )?;
        }
        Ok(())
    }
}

fn check_fog(name: &str, fog: &Fog) -> Result<(), SceneError> {
    let ordered = fog.start >= 0.0 && fog.start < fog.end && fog.end.is_finite();
    ensure(ordered, name, 0, "0 <= start < end")?;
    let is_share = (0.0..=1.0).contains(&fog.density);
    ensure(is_share, name, 0, "0 <= density <= 1")?;
    let is_layer = fog.layer.is_none_or(
        |FogLayer {
             full_below,
             none_above,
         }| { full_below.is_finite() && none_above.is_finite() && full_below < none_above },
    );
    ensure(is_layer, name, 0, "finite heights, full_below < none_above")
}

/// Whether a number can be an amount of something.
fn is_amount(value: f32) -> bool {
    value.is_finite() && value >= 0.0
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
