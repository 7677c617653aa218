//! Models of a real archive made by other people, to glTF and back.
//!
//! The archive is not ours and is not in the repository. It is looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where it is absent each trial is listed as *ignored*.

use std::path::Path;
use std::process::ExitCode;

use ironlands_assets_evil_islands::fig::Fig;
use ironlands_assets_evil_islands::figure::Figure;
use ironlands_assets_evil_islands::mmp::Mmp;
use ironlands_assets_evil_islands::res::ResArchive;
use ironlands_real_data as real_data;
use ironlands_scene::Addressing;
use ironlands_world_evil_islands::exchange::{FigureSource, read_figure_glb, write_figure_glb};
use libtest_mimic::Failed;

const MODELS: [&str; 10] = [
    "default",
    "cannotDisplay",
    "light",
    "particle",
    "point",
    "sound",
    "trap",
    "trapCast",
    "trapZone",
    "view",
];

fn main() -> ExitCode {
    let trials = MODELS.map(|name| {
        let trial_name = format!("{name}::goes_to_gltf_and_back");
        real_data::trial(trial_name, "evil-islands/auxData.res", move |archive| {
            there_and_back(archive, name)
        })
    });
    real_data::run(trials)
}

fn there_and_back(archive: &Path, name: &str) -> Result<(), Failed> {
    let mut figure = Figure::open(&archive.join(format!("{name}.mod")))?;
    for part in &mut figure.parts {
        part.fig.as_mut().ok_or("no mesh")?.regroup_normals();
    }
    let files = ResArchive::read(&std::fs::read(archive)?)?;
    let texture = match files.find(&format!("{name}.mmp")) {
        Some(entry) => Some(Mmp::read(&entry.data)?.to_texture(name, Addressing::Repeat)?),
        None => None,
    };
    let source = FigureSource {
        figure: &figure,
        primary: texture.as_ref(),
        secondary: None,
        complection: [0.3, 0.6, 0.9],
    };
    let glb = write_figure_glb(&source)?;
    let read = read_figure_glb(&glb.bytes)?;
    if read.figure.parts.len() != figure.parts.len() {
        return Err("another number of parts".into());
    }
    for (found, part) in read.figure.parts.iter().zip(&figure.parts) {
        let (Some(found_fig), Some(fig)) = (&found.fig, &part.fig) else {
            return Err("no mesh".into());
        };
        let is_same = found.bon == part.bon && shown(found_fig) == shown(fig);
        if !is_same || (found_fig.group, found_fig.texture) != (fig.group, fig.texture) {
            return Err(format!("{} has changed", part.name).into());
        }
    }
    Ok(())
}

/// Indices, and for each component the bits of its eight positions and of its texture coordinate.
fn shown(fig: &Fig) -> (Vec<u16>, Vec<Vec<u32>>) {
    let component = |it: &ironlands_assets_evil_islands::fig::Component| {
        let positions = (0..8).flat_map(|state| fig.state_position(state, it.position.into()));
        let texcoord = fig.texcoords[usize::from(it.texcoord)];
        positions.chain(texcoord).map(f32::to_bits).collect()
    };
    (
        fig.indices.clone(),
        fig.components.iter().map(component).collect(),
    )
}
