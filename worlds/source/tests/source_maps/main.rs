//! Real maps: where points are, how far boxes fall, the tree against a loop over all brushes, and walks.
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*. Expected values:
//! the dossier's section 0.3.

mod life;
mod loops;
mod maps;
mod oracles;
mod picks;
mod tour;

use ironlands_real_data as real_data;
use libtest_mimic::{Failed, Trial};
use maps::{Loaded, MAPS};
use std::process::ExitCode;

/// What a trial checks; the error says what is wrong.
type Check = fn(&Loaded) -> Result<(), Failed>;

fn main() -> ExitCode {
    let everywhere: [(&str, Check); 7] = [
        ("eye", oracles::eye),
        ("drop", oracles::drop),
        ("tree_and_loop", loops::tree_and_loop),
        ("rays_and_faces", loops::rays_and_faces),
        ("batch", loops::batch),
        ("picks", picks::picks),
        ("connections", life::connections),
    ];
    let mut trials = Vec::new();
    for map in &MAPS {
        for (name, check) in everywhere {
            trials.push(trial(map, name, check));
        }
        match map.id {
            'A' => {
                trials.push(trial(
                    map,
                    "displacements_hold",
                    oracles::displacements_hold,
                ));
                trials.push(trial(map, "tour", tour::tour));
            }
            'G' => trials.push(trial(map, "tour", tour::tour)),
            _ => {}
        }
    }
    real_data::run(trials)
}

fn trial(map: &'static maps::Expected, name: &str, check: Check) -> Trial {
    let name = format!("{}_{name}", map.file);
    real_data::trial(name, "source", move |folder| {
        check(&Loaded::open(folder, map)?)
    })
}
