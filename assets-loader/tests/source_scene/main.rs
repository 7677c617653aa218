//! Scenes of real maps against the figures of the Source dossier, section 0, and against slower ways to the same.
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*.

mod checks;
mod damage;
mod facts;
mod light;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ironlands_assets_loader::bytes::Finding;
use ironlands_assets_loader::level::{self, LevelFiles, OpenOptions};
use ironlands_assets_loader::source::level::SourceLevel;
use ironlands_scene::Scene;
use libtest_mimic::{Arguments, Failed, Trial};

use crate::facts::{FACTS, Facts};

/// What a trial checks.
type Check = fn(&Facts, &Opened) -> Result<(), Failed>;

/// A map that was opened.
struct Opened {
    scene: Scene,
    level: Box<SourceLevel>,
    findings: Vec<Finding>,
}

fn main() -> ExitCode {
    let checks: [(&str, Check); 13] = [
        (
            "scene_is_valid_and_tells_what_is_missing_once",
            checks::valid,
        ),
        (
            "visible_faces_are_drawn_triangle_by_triangle",
            checks::triangles,
        ),
        (
            "fronts_are_counter_clockwise_and_normals_agree",
            checks::fronts,
        ),
        ("clusters_draw_each_triangle_once", checks::clusters),
        ("leaves_and_cells_of_spawns", checks::visibility),
        ("spawns", checks::spawns),
        ("sun_sky_and_backdrop", checks::surroundings),
        ("lit_faces", light::counts),
        ("light_tiles_its_lump", light::tiles),
        ("luxels_lie_inside_their_faces", light::luxels),
        ("atlas_equals_the_lump", light::atlas),
        ("stored_light_lies_on_its_page", light::on_page),
        ("damaged_files_are_refused_or_shown", damage::survives),
    ];
    let trials = FACTS.iter().flat_map(|facts| {
        checks.map(|(name, check)| {
            let run = move || check(facts, &open(facts)?);
            let trial = Trial::test(format!("{}::{name}", facts.file), run);
            match folder() {
                Some(_) => trial,
                None => trial
                    .with_kind("no source under IRONLANDS_DATA or ../shared/data")
                    .with_ignored_flag(true),
            }
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// `IRONLANDS_DATA` that names no such folder is a mistake, so it is returned and reading it fails.
fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("IRONLANDS_DATA") {
        return Some(Path::new(&folder).join("source"));
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/source");
    beside.is_dir().then_some(beside)
}

fn open(facts: &Facts) -> Result<Opened, Failed> {
    let path = folder().ok_or("no data")?.join(facts.file);
    let opened = level::open(&path, &OpenOptions::default()).map_err(|it| it.to_string())?;
    let LevelFiles::Source(level) = opened.files else {
        return Err("no Source map".into());
    };
    Ok(Opened {
        scene: opened.scene,
        level,
        findings: opened.findings,
    })
}

/// Fails with a sentence.
fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), Failed> {
    match holds {
        true => Ok(()),
        false => Err(message().into()),
    }
}
