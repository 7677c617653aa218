//! A level of the Source engine, from brushes in code to a compiled map: what level compilers do, step by step.
//!
//! In: a [`MapPlan`]. Out: the typed lumps of a map, version 19, or 20 with light of high range, and the files
//! `SOURCE/demo.bsp`, `SOURCE/shading.bsp` and `SOURCE/garden.bsp`.
//!
//! - [`brushes`], [`displacement`], [`entities`]: what a plan is made of
//! - `csg`, `tree`, `portals`, `vis`: what of it shows, space divided, what is sealed, what sees what
//! - `faces`, `merge`, `texinfos`, `rings`, `brush_sides`, `planes`: what is drawn and traced against
//! - `light`: light on faces and in leaves
//! - `lumps`, `file`: the map and its file
//! - [`map_plan`], [`textures`], `vase`: the demo map and what it is covered with
//! - [`shading`]: a map that shows what materials can do
//! - [`garden`]: a map that shows grass, ropes, sprayed pictures, exposure and color correction
//!
//! Deliberately absent: reading of maps and of editor files.

mod brush_sides;
pub mod brushes;
mod csg;
pub mod displacement;
pub mod entities;
mod faces;
mod file;
pub mod garden;
mod level;
mod light;
mod lumps;
pub mod map_plan;
mod merge;
mod planes;
mod polygon;
mod portals;
mod rings;
pub mod shading;
mod texinfos;
pub mod textures;
mod tree;
mod vase;
mod vis;

use crate::vector::Vec3;
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::bsp::Map;
use ironlands_assets_source::bsp::game_lump::{DetailLights, DetailProps};

use brushes::{Brush, SurfaceMaterial};
use displacement::Displacement;
use entities::{EntityPlan, Lamp, Sun};
use level::Level;
pub use portals::Leak;

/// A level before it is compiled.
#[derive(Debug, Clone, Default)]
pub struct MapPlan {
    /// What covers sides.
    pub materials: Vec<SurfaceMaterial>,
    /// Brushes of the world.
    pub brushes: Vec<Brush>,
    /// Brushes of models: the first are those of "*1".
    pub models: Vec<Vec<Brush>>,
    /// Displacements of the world.
    pub displacements: Vec<Displacement>,
    /// Worldspawn and all other entities but lights.
    pub entities: Vec<EntityPlan>,
    /// Lights with a place.
    pub lamps: Vec<Lamp>,
    /// Sun and sky.
    pub sun: Option<Sun>,
    /// Bodies that cast shadows and are no brushes: in place of static props.
    pub shadow_casters: Vec<Brush>,
    /// Where vases stand.
    pub vases: Vec<Vec3>,
    /// From how far they begin to fade and are gone; 0 for never.
    pub vase_fade: [f32; 2],
    /// Areas of their own.
    pub rooms: Vec<Room>,
    /// Detail props; the leaves that they stand in are found.
    pub detail: DetailProps,
    /// Light of theirs that changes.
    pub detail_lights: DetailLights,
    /// Whether light of high range is stored, beside the same of low range.
    pub is_high_range: bool,
    /// Where cubemaps were taken.
    pub cubemaps: Vec<[i32; 3]>,
    /// How often light is passed on by what it falls on.
    pub n_bounces: usize,
}

/// A part of the level that is seen from the rest of it through one opening only.
#[derive(Debug, Clone)]
pub struct Room {
    /// The box that it fills.
    pub bounds: [Vec3; 2],
    /// Corners of the opening.
    pub opening: [Vec3; 4],
    /// Number of the portal, from 1 on, as its entity has it.
    pub portal: u32,
}

/// Why a map could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SourceMapError {
    /// The level has a hole.
    #[error(transparent)]
    Leak(#[from] Leak),
    /// A writer refused a value.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Path of the demo map below `DATA`.
pub const DEMO_PATH: &str = "SOURCE/demo.bsp";

/// The file of the demo map.
///
/// # Errors
/// None that a caller can cause: a level that leaks or has outgrown its format.
pub fn demo_file() -> Result<Vec<u8>, SourceMapError> {
    let textures = textures::paint();
    let plan = map_plan::demo(&textures);
    let mut pak = textures::files(&textures)?;
    pak.extend(vase::files()?);
    file::write(&plan, &pak)
}

/// Compiles a plan.
///
/// # Errors
/// An entity that reaches the outside of the level.
pub fn compile(plan: &MapPlan) -> Result<Map, Leak> {
    let level = Level::new(plan)?;
    let lighting = light::lighting(plan, &level);
    Ok(lumps::map(plan, level, lighting))
}
