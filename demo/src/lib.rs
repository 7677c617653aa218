//! The demo: levels in the games' own formats, made from nothing but seeds.
//!
//! In: nothing. Out: the files of `DATA/`, through the loader's writers: two levels, the libraries they share, and
//! models with a mission that puts them on the first level; three maps of the Source engine, compiled and lit; a zone of Evil
//! Islands in that game's layout; and two regions of geodata of Lineage II.
//! They are the same, byte for byte, on every machine: only integers, `+ - * /` and `sqrt` decide them (and `libm`,
//! which is the same everywhere), and the number of threads does not.
//!
//! - [`landscape`]: heights, ground classes and roads
//! - [`surface`]: triangles and what covers them, at two levels of detail
//! - [`mesh`], [`areals`], [`rows`]: the levels' files
//! - [`textures`], [`libraries`]: what they share
//! - [`models`], [`units`], [`mission`]: the objects on them
//! - [`effects`]: what burns, smokes and shines on those
//! - [`source_map`]: brushes in code, and what a level compiler makes of them
//! - [`evil_islands`]: an island, its figures and the archives that hold them
//! - [`lineage2`]: a landscape of solid things above each other, and where one may go on it
//!
//! Deliberately absent: writing to disk, reading, drawing, anything of a game's own files.

mod areals;
mod curve;
mod effects;
pub mod evil_islands;
mod landscape;
mod levels;
mod libraries;
pub mod lineage2;
mod mesh;
mod mission;
mod models;
mod noise;
mod rows;
mod sounds;
pub mod source_map;
mod surface;
mod textures;
mod units;
mod vector;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_lineage2::WrongBlockCount;
use ironlands_assets_parkan::land_draft::LandDraftError;
use ironlands_assets_parkan::msh::DraftError;

use levels::Level;
pub use models::WALK_STRIDE;

/// What the viewer reads beside levels: no game is remembered by them, so they are shown as well as can be.
const VIEWER_DEFAULTS: &str = "style = enhanced\n";

/// Why the demo could not be built.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A level has outgrown the format's 16-bit numbers.
    #[error("{value} {what} are more than the format can number")]
    TooMany {
        /// What is too many.
        what: &'static str,
        /// How many there are.
        value: usize,
    },
    /// A level has outgrown the format's 16-bit numbers.
    #[error(transparent)]
    Land(#[from] LandDraftError),
    /// A writer refused a value.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The map of the other engine could not be made.
    #[error(transparent)]
    SourceMap(#[from] source_map::SourceMapError),
    /// The map of the island could not be made.
    #[error(transparent)]
    ZoneMap(#[from] evil_islands::MapError),
    /// A region of geodata has not the number of blocks that it should have.
    #[error(transparent)]
    Region(#[from] WrongBlockCount),
    /// A model does not fit its format.
    #[error(transparent)]
    Model(#[from] DraftError),
}

/// The demo's files: path below `DATA` (with `/`) and content, in a fixed order.
///
/// `progress` receives the name of the next step. Takes a few seconds.
///
/// # Errors
/// None that a caller can cause: a level that has outgrown its format.
pub fn files(progress: &mut dyn FnMut(&str)) -> Result<Vec<(String, Vec<u8>)>, DemoError> {
    progress("Map01: a valley by the sea");
    let bay = Level::new("Map01", landscape::bay())?;
    progress("Map02: islands, as many as the format holds");
    let archipelago = Level::new("Map02", landscape::archipelago())?;
    let levels = [bay, archipelago];
    progress("textures");
    progress("models");
    let models = models::all();
    let mut files = vec![
        ("ironlands.ini".to_owned(), VIEWER_DEFAULTS.into()),
        ("BuildDat.lst".to_owned(), libraries::build_dat()?),
        ("LightMap.lib".to_owned(), libraries::lightmaps()?),
        ("Material.lib".to_owned(), libraries::materials()?),
        ("Textures.lib".to_owned(), libraries::textures()?),
    ];
    files.push(("effects.rlb".to_owned(), effects::archive()?));
    files.push((
        ironlands_assets_parkan::wav::ARCHIVE.to_owned(),
        sounds::archive()?,
    ));
    files.extend(models::archives(&models)?);
    files.push(("objects.rlb".to_owned(), units::registry()?));
    files.extend(units::unit_files()?);
    progress("missions on Map01 and Map02");
    files.extend(mission::files(&levels[0].land_msh, &levels[1].land_msh)?);
    for level in &levels {
        files.extend(level.files()?);
    }
    progress("demo.bsp: a hall, a courtyard, and the light in them");
    files.push((source_map::DEMO_PATH.to_owned(), source_map::demo_file()?));
    progress("shading.bsp: a yard with a panel for each feature of materials");
    files.push((
        source_map::shading::SHADING_PATH.to_owned(),
        source_map::shading::shading_file()?,
    ));
    progress("garden.bsp: a yard with grass and ropes, in light of high range");
    files.push((
        source_map::garden::GARDEN_PATH.to_owned(),
        source_map::garden::garden_file()?,
    ));
    progress("EVIL_ISLANDS: an island with a village, and all that it takes");
    files.extend(evil_islands::files()?);
    progress("LINEAGE2: a coast with a town and a bridge, as two regions of geodata");
    files.extend(lineage2::files()?);
    Ok(files)
}
