//! Source engine maps and what they are made of. Document: the Source dossier.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

pub mod ani;
pub mod archives;
pub mod bsp;
pub mod collision;
pub mod color_lookup;
pub mod decompile;
pub mod dmx;
pub mod entities;
pub mod formats;
pub mod game_files;
pub mod key_values;
pub mod level;
pub mod level_scene;
pub mod lightmap;
pub mod materials;
pub mod mdl;
mod members;
pub mod missing_files;
pub mod model_file;
pub mod pakfile;
pub mod particle_file;
mod particle_files;
pub mod pcf;
pub mod phy;
mod place;
mod sentences;
mod sound_scripts;
mod soundscapes;
pub mod studio_file;
pub mod studio_model;
pub mod studio_motion;
mod surface_properties;
pub mod tth;
pub mod ttz;
pub mod vhv;
pub mod vmf;
pub mod vmt;
pub mod vpk;
pub mod vtf;
pub mod vtmb_mdl;
pub mod vtmb_vtx;
pub mod vtx;
pub mod vvd;

use std::path::Path;

/// Extensions of a model's files.
const MODEL_EXTENSIONS: [&str; 6] = ["mdl", "vvd", "vtx", "phy", "ani", "vhv"];

/// Whether a path is that of a model or one of its files, by its extension.
pub fn is_model_file(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    MODEL_EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
ironlands_assets_proof::count_memory!();
