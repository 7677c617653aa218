//! A level, from its plan to its four files.

use ironlands_assets_parkan::land_map::LandMap;
use ironlands_assets_parkan::land_msh::LandMsh;
use rayon::prelude::*;

use crate::landscape::{Landscape, Plan};
use crate::surface::{Refinement, TileFacets, coarse_facets, fine_facets};
use crate::{DemoError, areals, libraries, mesh, rows};

/// A level as typed files.
pub struct Level {
    /// Folder name below `MAPS`.
    pub name: &'static str,
    /// `Land.msh`.
    pub land_msh: LandMsh,
    /// `Land.map`.
    pub land_map: LandMap,
}

impl Level {
    /// Builds a level.
    pub fn new(name: &'static str, plan: Plan) -> Result<Self, DemoError> {
        let land = Landscape::new(plan);
        let coarse = coarse_facets(&land);
        let fine = largest_fitting(&land, &coarse);
        let land_msh = mesh::land_msh(&land, &fine, &coarse)?;
        let land_map = areals::land_map(&land)?;
        Ok(Self {
            name,
            land_msh,
            land_map,
        })
    }

    /// The level's files, by path below `DATA`.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, DemoError> {
        let path = |file: &str| format!("MAPS/{}/{file}", self.name);
        Ok(vec![
            (path("Land.msh"), self.land_msh.write()?),
            (path("Land.map"), self.land_map.write()?),
            (path("Land1.wea"), libraries::wear(rows::surface_names())?),
            (
                path("Land2.wea"),
                libraries::wear(rows::microtexture_names())?,
            ),
        ])
    }
}

/// The fine facets with as many quads refined as the plan's limits allow.
fn largest_fitting(land: &Landscape, coarse: &TileFacets) -> TileFacets {
    let refinement = Refinement::rank(land);
    let limits = land.plan.limits;
    let (mut fits, mut too_many) = (0, refinement.len() + 1);
    while too_many - fits > 1 {
        let middle = fits + (too_many - fits) / 2;
        let fine = fine_facets(land, &refinement, middle);
        let n_faces: usize = fine.iter().chain(coarse).map(Vec::len).sum();
        let tiles = fine.par_iter().zip(coarse);
        let n_vertices: usize = tiles
            .map(|(fine, coarse)| mesh::n_vertices([fine, coarse]))
            .sum();
        if n_faces <= limits.n_faces && n_vertices <= limits.n_vertices {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    fine_facets(land, &refinement, fits)
}
