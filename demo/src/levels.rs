//! A level, from its plan to its four files.

use std::collections::BTreeSet;

use ironlands_assets_parkan::land_map::LandMap;
use ironlands_assets_parkan::land_msh::LandMsh;
use rayon::prelude::*;

use crate::landscape::{Landscape, Plan};
use crate::rows::MaterialRows;
use crate::surface::{Overlay, Refinement, TileFacets, coarse_facets, fine_facets};
use crate::{DemoError, areals, libraries, mesh};

/// A level as typed files.
pub struct Level {
    /// Folder name below `MAPS`.
    pub name: &'static str,
    /// `Land.msh`.
    pub land_msh: LandMsh,
    /// `Land.map`.
    pub land_map: LandMap,
    /// Rows of `Land1.wea` and `Land2.wea`.
    pub rows: MaterialRows,
}

impl Level {
    /// Builds a level.
    pub fn new(name: &'static str, plan: Plan) -> Result<Self, DemoError> {
        let land = Landscape::new(plan);
        let coarse = coarse_facets(&land);
        let fine = largest_fitting(&land, &coarse);
        let rows = MaterialRows::from_facets(fine.iter().flatten());
        let land_msh = mesh::land_msh(&land, &rows, &fine, &coarse)?;
        let land_map = areals::land_map(&land);
        Ok(Self {
            name,
            land_msh,
            land_map,
            rows,
        })
    }

    /// The level's files, by path below `DATA`.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, DemoError> {
        let path = |file: &str| format!("MAPS/{}/{file}", self.name);
        Ok(vec![
            (path("Land.msh"), self.land_msh.write()?),
            (path("Land.map"), self.land_map.write()?),
            (
                path("Land1.wea"),
                libraries::wear(self.rows.overlay_names())?,
            ),
            (
                path("Land2.wea"),
                libraries::wear(MaterialRows::base_names())?,
            ),
        ])
    }
}

/// Overlays that any of the levels uses, in order.
pub fn all_overlays(levels: &[Level]) -> Vec<Overlay> {
    let used: BTreeSet<Overlay> = levels
        .iter()
        .flat_map(|level| level.rows.overlays())
        .copied()
        .collect();
    used.into_iter().collect()
}

/// The fine facets with as many quads refined as the plan's limits allow.
fn largest_fitting(land: &Landscape, coarse: &TileFacets) -> TileFacets {
    let refinement = Refinement::rank(land);
    let limits = land.plan.limits;
    let coarse_size = sizes(1, coarse);
    let (mut fits, mut too_many) = (0, refinement.len() + 1);
    while too_many - fits > 1 {
        let middle = fits + (too_many - fits) / 2;
        let size = sizes(0, &fine_facets(land, &refinement, middle));
        if size.0 + coarse_size.0 <= limits.n_faces && size.1 + coarse_size.1 <= limits.n_vertices {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    fine_facets(land, &refinement, fits)
}

/// Faces and vertices of one level of detail.
fn sizes(lod: usize, tiles: &TileFacets) -> (usize, usize) {
    let n_faces = tiles.iter().map(Vec::len).sum();
    (
        n_faces,
        tiles
            .par_iter()
            .map(|facets| mesh::n_vertices(lod, facets))
            .sum(),
    )
}
