//! An island for the world of Evil Islands, in that game's own layout: a zone with its land, its objects and who
//! lives there, figures, textures, tables, texts, a flight over it and the light of its days.
//!
//! In: nothing. Out: the files of `EVIL_ISLANDS/`, through the loader's writers.
//!
//! - [`island`]: heights, water and grounds, as functions of a place
//! - [`tiles`]: what the ground is laid with
//! - [`land`]: both as a zone's land
//! - [`figures`], [`textures`]: its objects, and what it is covered with
//! - [`zone_map`]: where it stands, and who lives there
//! - [`tables`], [`day`], [`flight`]: what else the game reads
//!
//! Deliberately absent: anything of the game's own files, reading, drawing.

mod day;
mod figures;
mod flight;
mod island;
mod land;
mod tables;
mod textures;
mod tiles;
mod zone_map;

use ironlands_assets_evil_islands::res::{NamesOrder, ResArchive};

use crate::DemoError;
use land::Land;
pub use zone_map::MapError;

/// Name of the zone.
const ZONE: &str = "zone1";
/// The folder that stands for the game's, below `DATA`.
const FOLDER: &str = "EVIL_ISLANDS";

/// All files of the game's folder, below `DATA`.
///
/// # Errors
/// None that a caller can cause: something that has outgrown its format.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, DemoError> {
    let land = Land::new();
    let plans = figures::all();
    let mut figures = Vec::new();
    for plan in &plans {
        let files = figures::files(plan)?;
        figures.push((format!("{}.mod", plan.name), files.model));
        figures.push((format!("{}.bon", plan.name), files.bones));
        if let Some(animations) = files.animations {
            figures.push((format!("{}.anm", plan.name), animations));
        }
    }
    let menus = vec![
        ("menus.reg".to_owned(), tables::menus()?),
        (
            format!("{ZONE}map.mmp"),
            textures::mini_map(|u, v| land.color(u, v))?,
        ),
    ];
    let mut files = vec![
        ("Cameras/flight.cam".to_owned(), flight::file()?),
        (format!("Maps/{ZONE}.mob"), zone_map::file(&land)?),
        (format!("Maps/{ZONE}.mpr"), land.archive()?),
        ("Res/aiinfo.res".to_owned(), archive(tables::ai_info()?)?),
        (
            "Res/database.res".to_owned(),
            archive(tables::database(&plans)?)?,
        ),
        ("Res/figures.res".to_owned(), archive(figures)?),
        ("Res/menus.res".to_owned(), archive(menus)?),
        ("Res/music.reg".to_owned(), tables::music()?),
        ("Res/texts.res".to_owned(), archive(tables::texts())?),
        ("Res/textures.res".to_owned(), archive(textures::files()?)?),
    ];
    for (name, text) in day::files() {
        files.push((format!("Config/{name}"), text.into_bytes()));
    }
    let below = |(path, bytes)| (format!("{FOLDER}/{path}"), bytes);
    Ok(files.into_iter().map(below).collect())
}

/// An archive of named files, in their order.
fn archive(files: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>, DemoError> {
    let entries = files
        .into_iter()
        .map(|(name, bytes)| (name.into_bytes(), bytes));
    Ok(ResArchive::draft(entries.collect(), NamesOrder::Insertion).write()?)
}
