//! Scenes of real maps against the figures of the Source dossier, section 0, and against slower ways to the same.
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*.

mod checks;
mod damage;
mod facts;
mod light;

use std::path::Path;
use std::process::ExitCode;

use ironlands_assets_core::bytes::Finding;
use ironlands_assets_source::level::SourceLevel;
use ironlands_real_data as real_data;
use ironlands_scene::Scene;
use ironlands_world_source::{SourceOptions, open_level};
use libtest_mimic::Failed;

use crate::facts::{FACTS, Facts};

/// What a trial checks.
type Check = fn(&Facts, &Opened) -> Result<(), Failed>;

/// A map that was opened.
struct Opened {
    scene: Scene,
    level: SourceLevel,
    findings: Vec<Finding>,
}

fn main() -> ExitCode {
    let checks: [(&str, Check); 13] = [
        (
            "scene_is_valid_and_reports_what_is_missing_once",
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
        ("lightmap_lies_on_its_page", light::on_page),
        ("damaged_files_are_refused_or_shown", damage::survives),
    ];
    let trials = FACTS.iter().flat_map(|facts| {
        checks.map(|(name, check)| {
            let name = format!("{}::{name}", facts.file);
            real_data::trial(name, "source", move |folder| {
                check(facts, &open(folder, facts)?)
            })
        })
    });
    real_data::run(trials)
}

fn open(folder: &Path, facts: &Facts) -> Result<Opened, Failed> {
    let path = folder.join(facts.file);
    let opened = open_level(&path, &[], &SourceOptions::default());
    let opened = opened.map_err(|it| it.to_string())?;
    Ok(Opened {
        scene: opened.scene,
        level: opened.files,
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
