//! What can be wrong with a spawn point.

use std::sync::atomic::AtomicBool;

use ironlands_sim_geodata::path::NavGraph;
use ironlands_sim_geodata::{GeoPoint, Geodata, GeodataError, Profile};

/// What is wrong with a spawn point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnProblem {
    /// There is no region.
    NoRegion,
    /// There is no ground within the reach.
    FarFromGround {
        /// Height of the nearest ground.
        nearest: i32,
    },
    /// No step leads out of its cell.
    Enclosed,
    /// No path leads there.
    CutOff,
}

/// What spawn points are checked for.
#[derive(Debug)]
pub struct SpawnCheck {
    geodata: Geodata,
    profile: Profile,
    reach: i32,
    /// What leads where, and the point from which it must lead.
    reachable: Option<(NavGraph, GeoPoint)>,
}

impl SpawnCheck {
    /// Points must be within `reach` points of ground that one can leave, seen from above or below.
    pub fn new(geodata: Geodata, profile: Profile, reach: i32) -> Self {
        Self {
            geodata,
            profile,
            reach,
            reachable: None,
        }
    }

    /// Points must also be reachable from a point; `None` if it is canceled.
    ///
    /// # Errors
    /// If the point has no ground.
    pub fn with_start(
        self,
        from: GeoPoint,
        cancel: &AtomicBool,
    ) -> Result<Option<Self>, GeodataError> {
        self.geodata.height(from)?;
        let graph = NavGraph::build(&self.geodata, &self.profile, cancel);
        Ok(graph.map(|graph| Self {
            reachable: Some((graph, from)),
            ..self
        }))
    }

    /// The first problem of a point.
    pub fn problem(&self, point: GeoPoint) -> Option<SpawnProblem> {
        self.find(point).unwrap_or(Some(SpawnProblem::NoRegion))
    }

    fn find(&self, point: GeoPoint) -> Result<Option<SpawnProblem>, GeodataError> {
        let Some(ground) = self.geodata.snap_spawn(point, self.reach)? else {
            let nearest = self.geodata.height(point)?;
            return Ok(Some(SpawnProblem::FarFromGround { nearest }));
        };
        let steps = self.geodata.steps_from(ground, &self.profile)?;
        if steps.ends.iter().all(Result::is_err) {
            return Ok(Some(SpawnProblem::Enclosed));
        }
        if let Some((graph, from)) = &self.reachable
            && !graph.is_reachable(&self.geodata, *from, ground)?
        {
            return Ok(Some(SpawnProblem::CutOff));
        }
        Ok(None)
    }
}

impl SpawnProblem {
    /// In words; `reach` is that of the check.
    pub fn text(self, reach: i32) -> String {
        match self {
            Self::NoRegion => "no region".to_owned(),
            Self::FarFromGround { nearest } => {
                format!("no ground within {reach}; the nearest is at {nearest}")
            }
            Self::Enclosed => "no step leads out of its cell".to_owned(),
            Self::CutOff => "no path leads there".to_owned(),
        }
    }
}
