//! The formats of Parkan, for all that iterates formats.

use std::path::{Path, PathBuf};

use ironlands_assets_core::format::FormatSet;
use ironlands_assets_core::formats;
use ironlands_assets_core::report::{Report, Scope};

use crate::bas::Bas;
use crate::behavior_vars::BehaviorVars;
use crate::build_dat::BuildDat;
use crate::ctld::Ctld;
use crate::ctpt::Ctpt;
use crate::dscr::Description;
use crate::expl::Expl;
use crate::formulas::Formulas;
use crate::fxid::Fxid;
use crate::land_map::LandMap;
use crate::land_msh::LandMsh;
use crate::level_check::{self, LevelCheck, is_level_folder};
use crate::mat0::Mat0;
use crate::mission::Mission;
use crate::msh::Msh;
use crate::msh_animation::MshAnimation;
use crate::ndpr::Ndpr;
use crate::nres::NRes;
use crate::palette::Palette;
use crate::registry::Prototype;
use crate::rsli::RsLi;
use crate::scr::Scr;
use crate::ske::Ske;
use crate::texm::Texm;
use crate::tfnt::Tfnt;
use crate::trf::ResearchTree;
use crate::unit_dat::UnitDat;
use crate::var_set::VarSet;
use crate::wav::Wav;
use crate::wear::Wear;

#[cfg(test)]
mod json_tests;
#[cfg(test)]
mod packing_tests;
#[cfg(test)]
mod tests;

/// All formats.
pub const FORMATS: FormatSet = FormatSet {
    formats: formats![
        LandMsh,
        LandMap,
        BuildDat,
        Wear,
        Mission,
        UnitDat,
        NRes,
        RsLi,
        Msh,
        MshAnimation,
        Mat0,
        Texm,
        Tfnt,
        Palette,
        Prototype,
        Fxid,
        Ctld,
        Ctpt,
        Expl,
        Ndpr,
        Bas,
        BehaviorVars,
        Scr,
        Formulas,
        VarSet,
        ResearchTree,
        Description,
        Ske,
        Wav,
    ],
    inspect_folder: inspect_level,
};

/// A folder with terrain or areals is a level: how its files fit together. Each of them has its own report, too.
fn inspect_level(folder: &Path, _paths: &mut Vec<PathBuf>) -> Vec<Report> {
    if !is_level_folder(folder) {
        return Vec::new();
    }
    let LevelCheck {
        facts,
        findings,
        buildings_on_ground,
    } = LevelCheck::from_folder(folder);
    let mut report = Report {
        facts,
        findings,
        ..Report::new(folder, Scope::Group, level_check::FORMAT)
    };
    report.fit("placed buildings stand on the ground", buildings_on_ground);
    vec![report]
}
