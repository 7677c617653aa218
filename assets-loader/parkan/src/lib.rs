//! Parkan: Iron Strategy (engine Iron3D): level formats. Document: the Parkan dossier.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

#[cfg(any(test, feature = "fixtures"))]
pub mod any_model;
mod archive;
pub mod bas;
pub mod behavior_vars;
pub mod build_dat;
mod chunk;
pub mod ctld;
pub mod ctpt;
pub mod dscr;
pub mod effect_file;
pub mod effect_scene;
pub mod expl;
pub mod face_mask;
pub mod formats;
pub mod formulas;
pub mod foundations;
pub mod fxid;
pub mod game_files;
mod json;
pub mod land_draft;
pub mod land_map;
pub mod land_msh;
pub mod level;
pub mod level_check;
pub mod level_effects;
pub mod level_objects;
pub mod level_scene;
pub mod level_sky;
mod lines;
pub mod mat0;
pub mod material_scene;
pub mod material_table;
pub mod mission;
pub mod model_file;
pub mod model_scene;
pub mod msh;
pub mod msh_animation;
pub mod ndpr;
pub mod nres;
pub mod nres_kind;
mod open;
mod packing;
pub mod palette;
pub mod placement;
#[cfg(test)]
mod raw_nres;
mod record;
pub mod registry;
pub mod rsli;
#[cfg(any(test, feature = "fixtures"))]
pub mod sample_level;
pub mod scr;
pub mod ske;
mod sky_scene;
mod slots;
mod tables;
#[cfg(any(test, feature = "fixtures"))]
pub mod test_game;
#[cfg(any(test, feature = "fixtures"))]
pub mod test_level;
#[cfg(any(test, feature = "fixtures"))]
pub mod test_mission;
pub mod texm;
pub mod tfnt;
pub mod trf;
pub mod unit_dat;
pub mod var_set;
pub mod wav;
pub mod wear;

use ironlands_assets_core::findings;

#[cfg(test)]
ironlands_assets_proof::count_memory!();
