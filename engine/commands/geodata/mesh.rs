//! Regions as triangles, for `ironlands export`.

use ironlands::assets_loader::lineage2::Tolerance;
use ironlands::assets_loader::lineage2::level::GeodataLevel;
use ironlands::assets_loader::lineage2::level_mesh::LandMeshes;
use ironlands::scene::Scene;
use ironlands::worlds::lineage2::LeftOut;

use super::broken::BrokenRegions;
use crate::error::AppError;
use crate::headless::{check_interrupt, watch_for_interrupt};
use ironlands::progress;

/// Most vertices of all regions together: with them a file has about a gigabyte.
const MAX_VERTICES: usize = 24_000_000;

/// The land of all regions that can be read, with a bar.
///
/// # Errors
/// If it would be too large, regions are broken that may not be left out, and [`AppError::Stopped`] on Ctrl-C.
pub fn land_scene(level: &GeodataLevel, broken_regions: BrokenRegions) -> Result<Scene, AppError> {
    watch_for_interrupt();
    let n_regions = level.files.len();
    let bar = progress::bar(n_regions);
    let mut meshes = LandMeshes::default();
    let mut left_out = Vec::new();
    for file in &level.files {
        check_interrupt()?;
        match file.open(Tolerance::STRICT) {
            Ok(region) => meshes.add(region.region()),
            Err(error) => left_out.push(LeftOut {
                id: file.name.id,
                error,
            }),
        }
        if meshes.n_vertices() > MAX_VERTICES {
            return Err(AppError::LandTooLarge { n_regions });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    broken_regions.log(left_out, n_regions)?;
    Ok(meshes.into_scene(&level.name))
}
