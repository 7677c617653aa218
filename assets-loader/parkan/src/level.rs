//! A Parkan level: the files of its folder, and what they name in the game's libraries.
//!
//! In: a folder such as `DATA/MAPS/Map01`, with the game root above it. Out: typed files and resolved
//! materials. `Land.msh` is required; whatever else is missing or broken is a finding, and the level opens
//! without it (dossier sections 1.2, 4.2 and 9.6).
//!
//! A mission's objects stand in it ([`super::placement`] says where, [`super::level_objects`] what they are).
//!
//! Deliberately absent: what anything looks like ([`super::level_scene`]).

mod terrain_rows;
#[cfg(test)]
mod tests;

use crate::game_files;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::terrain_rows::TerrainRows;
use super::build_dat::{BuildDat, BuildDatTolerance};
use super::foundations::CutLand;
use super::land_map::{self, LandMap, PolygonBlockLayout};
use super::land_msh::{self, LandMsh};
use super::level_effects::LevelEffects;
use super::level_objects::{LevelModel, LevelObjects};
use super::level_sky::LevelSky;
use super::material_table::{MaterialResolver, MaterialTable};
use super::msh_animation::QuaternionOrder;
use super::open::{open_tolerantly, open_wear, optional};
use super::placement::LevelMission;
use super::sky_scene::strikes;
use super::wear::Wear;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// What findings of this module name as their format.
const FORMAT: &str = "parkan level";
const BUILD_DAT: &str = "BuildDat.lst";
/// What level files begin with, unless a mission says otherwise.
pub const BASE_NAME: &str = "Land";

/// The files of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct ParkanLevel {
    /// The level's folder.
    pub folder: PathBuf,
    /// `Land.msh`: the ground. Heights are multiplied by the height scale that the level was opened with.
    pub land_msh: LandMsh,
    /// `Land.map`: the areals, with heights multiplied likewise.
    pub land_map: Option<LandMap>,
    /// `Land1.wea`: the materials that faces name.
    pub material_wear: Option<Wear>,
    /// `Land2.wea`: for each row of it what the surface takes its microtexture from.
    pub microtexture_wear: Option<Wear>,
    /// What the rows of both tables name in `Material.lib` and `Textures.lib`.
    pub materials: MaterialTable,
    /// Which of the materials each row of both tables names.
    pub terrain_rows: TerrainRows,
    /// `BuildDat.lst` of the game root.
    pub build_dat: Option<BuildDat>,
    /// The mission whose objects stand in the level.
    pub mission: Option<LevelMission>,
    /// What its objects are.
    pub level_objects: LevelObjects,
    /// The ground with its buildings, if they cut it.
    pub cut_land: Option<CutLand>,
    /// What burns, smokes and shines in it.
    pub level_effects: LevelEffects,
    /// The sky of the mission.
    pub level_sky: Option<LevelSky>,
    /// What the level had to do without, and what was tolerated.
    pub findings: Vec<Finding>,
}

/// Which mission's objects stand in a level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MissionChoice {
    /// The first mission of the game root, in the order of paths, that is played on the level; none if there is
    /// none.
    #[default]
    First,
    /// None: the bare level.
    Bare,
    /// This one, a `data.tma` or the folder that holds it.
    At(PathBuf),
}

impl ParkanLevel {
    /// Opens the level in `folder` whose files begin with `base`, which is [`BASE_NAME`] in all known
    /// levels. Names are found in any case. Heights are multiplied by `height_scale` (Q-M1), 1 = as stored. Models read
    /// their quaternions in the order that fits their boxes, or in that of `quaternions`.
    ///
    /// # Errors
    /// The folder cannot be listed, `Land.msh` is missing or broken beyond all tolerance, or so is the mission that
    /// was requested by its path.
    pub fn open(
        folder: &Path,
        base: &str,
        height_scale: f32,
        choice: &MissionChoice,
        quaternions: Option<QuaternionOrder>,
    ) -> Result<Self, VfsError> {
        let own = game_files::of_folder(folder)?;
        let game = game_files::of_level(folder)?;
        let mut findings = Vec::new();
        let mut land_msh = open_land_msh(&own, &format!("{base}.msh"), &mut findings)?;
        let land_map = open_land_map(&own, &format!("{base}.map"), &mut findings);
        let mut land_map = optional(land_map, &mut findings);
        if height_scale != 1.0 {
            scale_heights(&mut land_msh, land_map.as_mut(), height_scale);
            let message = format!("heights are multiplied by {height_scale}");
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        let material_wear = open_wear(&own, &format!("{base}1.wea"), &mut findings);
        let material_wear = optional(material_wear, &mut findings);
        let microtexture_wear = open_wear(&own, &format!("{base}2.wea"), &mut findings);
        let microtexture_wear = optional(microtexture_wear, &mut findings);
        let build_dat = open_build_dat(&game, &mut findings);
        let build_dat = optional(build_dat, &mut findings);
        let mut resolver = MaterialResolver::new(&game);
        let terrain_rows = TerrainRows::resolve(
            &mut resolver,
            &land_msh.faces,
            material_wear.as_ref(),
            microtexture_wear.as_ref(),
            &mut findings,
        );
        let mission = choose_mission(choice, folder, &game, &mut findings)?;
        let level_objects = mission.as_ref().map(|LevelMission { mission, .. }| {
            LevelObjects::load(mission, quaternions, &game, &mut resolver, &mut findings)
        });
        let mut level_objects = level_objects.unwrap_or_default();
        let cut_land = level_objects.cut_land(&land_msh, &mut findings);
        let level_sky = (mission.as_ref())
            .and_then(|it| LevelSky::open(&it.path, &game, &mut resolver, &mut findings));
        let strikes = level_sky.as_ref().map(|it| strikes(&it.ske, &land_msh));
        let strikes = strikes.unwrap_or_default();
        let level_effects = mission.as_ref().map(|LevelMission { mission, .. }| {
            let sources = (mission, &*strikes);
            LevelEffects::load(&level_objects, sources, &game, &mut resolver, &mut findings)
        });
        let (materials, unresolved) = resolver.finish();
        findings.extend(unresolved);
        Ok(Self {
            folder: folder.to_owned(),
            land_msh,
            land_map,
            material_wear,
            microtexture_wear,
            materials,
            terrain_rows,
            build_dat,
            mission,
            level_objects,
            cut_land,
            level_effects: level_effects.unwrap_or_default(),
            level_sky,
            findings,
        })
    }

    /// The ground as it is drawn and walked on: with its buildings, if they cut it.
    pub fn ground(&self) -> &LandMsh {
        let cut = self.cut_land.as_ref().map(|cut| &cut.land);
        cut.unwrap_or(&self.land_msh)
    }

    /// Name of the level: that of its folder.
    pub fn name(&self) -> String {
        let folder = self.folder.canonicalize();
        let folder = folder.as_ref().unwrap_or(&self.folder);
        folder.file_name().map_or_else(
            || folder.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// What the checks of all its files find.
    pub fn check(&self) -> Vec<Finding> {
        let Self {
            folder: _,
            land_msh,
            land_map,
            material_wear,
            microtexture_wear,
            materials,
            terrain_rows: _,
            build_dat,
            mission,
            level_objects,
            cut_land: _,
            level_effects: _,
            level_sky,
            findings: _,
        } = self;
        let mut findings = land_msh.check();
        findings.extend(land_map.iter().flat_map(LandMap::check));
        findings.extend(
            [material_wear, microtexture_wear]
                .into_iter()
                .flatten()
                .flat_map(Wear::check),
        );
        findings.extend(build_dat.iter().flat_map(BuildDat::check));
        findings.extend(mission.iter().flat_map(|it| it.mission.check()));
        findings.extend(level_sky.iter().flat_map(|it| it.ske.check()));
        let mut reported = HashSet::new();
        for LevelModel { name, msh, .. } in &level_objects.models {
            // One that stands alone and hangs on others is there twice, and read once.
            if reported.insert(Arc::as_ptr(msh)) {
                findings.extend(msh.check().into_iter().map(|it| it.in_part(name)));
            }
        }
        findings.extend(materials.check());
        findings
    }
}

/// The requested mission.
fn choose_mission(
    choice: &MissionChoice,
    level: &Path,
    game: &Vfs,
    findings: &mut Vec<Finding>,
) -> Result<Option<LevelMission>, VfsError> {
    match choice {
        MissionChoice::Bare => Ok(None),
        MissionChoice::First => {
            let (mission, found) = LevelMission::find(game, level);
            findings.extend(found);
            Ok(mission)
        }
        MissionChoice::At(path) => {
            let mission = LevelMission::open(path)?;
            findings.extend(mission.check_level(level));
            Ok(Some(mission))
        }
    }
}

fn open_land_msh(vfs: &Vfs, name: &str, findings: &mut Vec<Finding>) -> Result<LandMsh, VfsError> {
    open_tolerantly(vfs, name, findings, LandMsh::read, |data| {
        LandMsh::read_with(data, land_msh::Tolerance::all())
    })
}

fn open_land_map(vfs: &Vfs, name: &str, findings: &mut Vec<Finding>) -> Result<LandMap, VfsError> {
    open_tolerantly(vfs, name, findings, LandMap::read, |data| {
        LandMap::read_with(
            data,
            land_map::Tolerance::all(),
            PolygonBlockLayout::default(),
        )
    })
}

fn open_build_dat(vfs: &Vfs, findings: &mut Vec<Finding>) -> Result<BuildDat, VfsError> {
    open_tolerantly(vfs, BUILD_DAT, findings, BuildDat::read, |data| {
        let list = BuildDat::read_with(data, BuildDatTolerance::FoldedNamesAndRepeats)?;
        Ok((list, Vec::new()))
    })
}

/// Multiplies everything that is a height. Bounding spheres keep their radii, which no one here reads.
fn scale_heights(land_msh: &mut LandMsh, land_map: Option<&mut LandMap>, scale: f32) {
    let corners = land_msh.header.corners.iter_mut();
    let slots = land_msh.slots.iter_mut();
    let bounds = slots.flat_map(|slot| [&mut slot.aabb_min, &mut slot.aabb_max]);
    let areals = land_map.into_iter().flat_map(|map| &mut map.areals);
    let outlines = areals.flat_map(|areal| areal.vertices.iter_mut().chain([&mut areal.anchor]));
    let points = land_msh.positions.iter_mut().chain(corners).chain(bounds);
    for [_, _, z] in points.chain(outlines) {
        *z *= scale;
    }
}
