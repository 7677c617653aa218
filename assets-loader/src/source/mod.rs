//! Source engine maps and what they are made of. Document: the Source dossier.

pub mod bsp;
pub mod decompile;
pub mod entities;
pub mod game_files;
pub mod key_values;
pub mod level;
pub mod level_scene;
pub mod lightmap;
pub mod materials;
pub mod mdl;
pub mod missing_files;
pub mod pakfile;
pub mod studio_file;
pub mod studio_model;
pub mod vhv;
pub mod vmf;
pub mod vmt;
pub mod vpk;
pub mod vtf;
pub mod vtx;
pub mod vvd;
