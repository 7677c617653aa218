//! The rows of a level's `Land1.wea` and `Land2.wea`: the same in all levels.

use ironlands_assets_parkan::land_msh::NO_MATERIAL;

use crate::landscape::Class;
use crate::surface::{Cover, Surface};

/// Row 0 of `Land1.wea`, which no face names: what the game builds foundations of.
pub const SLAB: &str = "SLAB";
/// Row 0 of `Land2.wea`, by the custom of the retail files.
pub const DEFAULT: &str = "DEFAULT";
/// Name of the road material.
pub const ROAD: &str = "ROAD";
/// Name of the water material.
pub const WATER: &str = "WATER";

/// Material names of `Land1.wea`: what faces are covered by.
pub fn surface_names() -> Vec<String> {
    rows_after(SLAB)
}

/// Material names of `Land2.wea`: what the surface of the same row takes its microtexture from.
pub fn microtexture_names() -> Vec<String> {
    rows_after(DEFAULT)
}

fn rows_after(first: &str) -> Vec<String> {
    let classes = Class::ALL.map(Class::name);
    let rows = [first].into_iter().chain(classes).chain([ROAD, WATER]);
    rows.map(str::to_owned).collect()
}

/// Rows of a cover's first and second material in `Land1.wea`.
pub fn of_cover(cover: Cover) -> (u8, u8) {
    match cover {
        Cover::Water => (Class::ALL.len() as u8 + 2, NO_MATERIAL),
        Cover::Ground { first, second } => (
            row_of(Surface::Class(first)),
            second.map_or(NO_MATERIAL, row_of),
        ),
    }
}

fn row_of(surface: Surface) -> u8 {
    match surface {
        Surface::Class(class) => class as u8 + 1,
        Surface::Road => Class::ALL.len() as u8 + 1,
    }
}

impl Class {
    /// Name of its material; its texture is called the same with `.0` after it, its microtexture with `M.0`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sand => "SAND",
            Self::Grass => "GRASS",
            Self::Heath => "HEATH",
            Self::Rock => "ROCK",
            Self::Snow => "SNOW",
        }
    }
}
