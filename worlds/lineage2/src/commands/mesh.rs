//! Regions as triangles, for `ironlands export`.

use crate::LeftOut;
use ironlands_assets_lineage2::Tolerance;
use ironlands_assets_lineage2::level::GeodataLevel;
use ironlands_assets_lineage2::level_mesh::LandMeshes;
use ironlands_scene::Scene;

use super::broken::BrokenRegions;
use crate::Lineage2Error;
use ironlands_world_kind::console::interrupt::{check_interrupt, watch_for_interrupt};
use ironlands_world_kind::console::progress;

/// Most vertices of all regions together: with them a file has about a gigabyte.
const MAX_VERTICES: usize = 24_000_000;

/// The land of all regions that can be read, with a bar.
///
/// # Errors
/// If it would be too large, regions are broken that may not be left out, and [`CommandError::Stopped`](ironlands_world_kind::CommandError::Stopped) on Ctrl-C.
pub fn land_scene(
    level: &GeodataLevel,
    broken_regions: BrokenRegions,
) -> Result<Scene, Lineage2Error> {
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
            return Err(Lineage2Error::LandTooLarge { n_regions });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    broken_regions.log(left_out, n_regions)?;
    Ok(meshes.into_scene(&level.name))
}
