//! Zones of Evil Islands and what they are made of. Document: the Evil Islands dossier.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

pub mod adb;
pub mod ai_graph;
pub mod anm;
pub mod bon;
pub mod cam;
pub mod camera_path;
pub mod complection;
pub mod db;
pub mod fig;
pub mod figure;
pub mod figure_file;
pub mod figure_scene;
pub mod formats;
pub mod game_files;
pub mod game_texts;
pub mod ini_text;
mod interchange;
pub(crate) mod json;
pub mod land;
pub mod level_scene;
pub mod lights_config;
pub mod lnk;
pub mod map_entities;
pub mod map_overlays;
pub mod mmp;
pub mod mob;
pub mod mp;
pub mod mq_text;
mod quoted;
pub mod reg;
pub mod res;
pub mod sec;
pub mod zone;

#[cfg(any(test, feature = "fixtures"))]
pub mod test_zone;

#[cfg(test)]
ironlands_assets_proof::count_memory!();
