//! Real regions: what is packed decodes as it was, and heights, walks, lines of sight and paths are those that the geodata
//! dossier measured (sections 1.3, 4 and 5); tiles show the cells that there are.
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*.

mod land;
mod lines;
mod nav_meshes;
mod packs;
mod paths;
mod regions;

#[path = "../nav_mesh/detour.rs"]
mod detour;

use ironlands_real_data as real_data;
use libtest_mimic::{Failed, Trial};
use regions::{FILES, Loaded};
use std::process::ExitCode;

/// What a trial checks of a region; the error says what is wrong.
type Check = fn(&Loaded) -> Result<(), Failed>;

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for file in FILES {
        trials.push(trial(file, "decodes", packs::decodes));
        trials.push(trial(file, "is_small", packs::is_small));
        trials.push(trial(file, "tiles", land::tiles));
        trials.push(trial(file, "rays", land::rays));
    }
    for (file, _) in packs::TOWNS {
        trials.push(trial(file, "town", packs::town));
    }
    for file in [
        "17_25.l2j",
        "17_25_conv.dat",
        "19_21_conv.dat",
        "20_18_conv.dat",
        "22_22.l2j",
    ] {
        trials.push(trial(file, "walks", lines::walks));
        trials.push(trial(
            file,
            "line_of_sight_batch",
            lines::line_of_sight_batch,
        ));
        trials.push(trial(file, "costs", paths::costs));
        trials.push(trial(file, "nav_mesh", nav_meshes::reachability));
    }
    trials.push(trial("17_25_conv.dat", "first_draws", lines::first_draws));
    trials.push(trial("17_25_conv.dat", "batch", paths::batch));
    trials.push(trial("19_21_conv.dat", "batch", paths::batch));
    for file in ["17_25.l2j", "19_21_conv.dat", "20_18_conv.dat"] {
        trials.push(trial(file, "unreachable", paths::unreachable));
    }
    trials.push(trial("17_25_conv.dat", "plans", paths::plans));
    trials.push(trial("22_22.l2j", "plans", paths::plans));
    trials.push(trial("17_25_conv.dat", "doors", paths::doors));
    real_data::run(trials)
}

fn trial(file: &'static str, name: &str, check: Check) -> Trial {
    let name = format!("{file}::{name}");
    real_data::trial(name, "lineage2", move |folder| {
        check(&Loaded::open(folder, file)?)
    })
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: {found:?}, expected {expected:?}").into())
}
