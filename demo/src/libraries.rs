//! What the levels share: materials, textures, light maps and the list of buildings; and the material tables of a
//! level.

use ironlands_assets_parkan::build_dat::{BuildDat, Category, Section};
use ironlands_assets_parkan::mat0::{Mat0, Phase, Track, TrackKey};
use ironlands_assets_parkan::nres::{Entry, NRes};
use ironlands_assets_parkan::texm::Texm;
use ironlands_assets_parkan::wear::{Wear, WearRow};

use crate::landscape::Class;
use crate::rows::{DEFAULT, ROAD, SLAB, WATER};
use crate::textures::{self, N_WATER_FRAMES, water_frame_name};
use crate::{DemoError, effects};
use crate::{mission, models};

/// `MAT0` as an entry type.
const MAT0_TYPE: u32 = u32::from_le_bytes(*b"MAT0");
/// `Texm` as an entry type.
const TEXM_TYPE: u32 = u32::from_le_bytes(*b"Texm");
/// Version of all known materials.
const MAT0_VERSION: u32 = 6;
/// Bits 2 to 5 of `attr1`: what blends by its alpha, and what is added.
pub const ALPHA: u32 = 1 << 2;
/// See [`ALPHA`].
pub const ADD: u32 = 2 << 2;

/// A byte that is not set.
const NOT_SET: u8 = 0xFF;
/// Classes of surfaces.
const SNOW: u8 = 0;
const STONE: u8 = 1;
const GRASS: u8 = 2;
/// Skins of machines and buildings.
pub const METAL: u8 = 5;
/// Trees and their leaves.
pub const LEAVES: u8 = 6;
const LIQUID: u8 = 7;

/// Hundredths of what lies below that the water hides.
const WATER_OPACITY: u8 = 72;
/// Time that a frame of the water is shown.
const WATER_FRAME_MS: u16 = 110;
/// The only key of a track that does not change ends here.
const STILL_MS: u16 = 1000;

/// `Material.lib`: a material for each row of the levels' tables, and those of models.
pub fn materials() -> Result<Vec<u8>, DemoError> {
    let still = |name: &str, class: u8, texture: &str| {
        let material = Mat0 {
            class,
            ..material(&texture_of(texture))
        };
        (name.to_owned(), 0, material)
    };
    let mut materials = vec![
        still(DEFAULT, NOT_SET, DEFAULT),
        still(SLAB, STONE, "FR_WALL"),
        (ROAD.to_owned(), 0, ground(ROAD, STONE)),
        (WATER.to_owned(), ALPHA, water()),
    ];
    let class_of = |class: Class| match class {
        Class::Sand => NOT_SET,
        Class::Grass | Class::Heath => GRASS,
        Class::Rock => STONE,
        Class::Snow => SNOW,
    };
    let grounds = Class::ALL.map(|class| (class.name(), class_of(class)));
    materials.extend(grounds.map(|(name, class)| (name.to_owned(), 0, ground(name, class))));
    let others = (models::materials().into_iter())
        .chain(effects::materials())
        .chain(mission::sky_looks::materials());
    materials.extend(others.map(|(name, attr1, material)| (name.to_owned(), attr1, material)));
    let entry = |(name, attr1, material): (String, u32, Mat0)| -> Result<Entry, DemoError> {
        let data = material.write()?;
        Ok(Entry::new(MAT0_TYPE, attr1, MAT0_VERSION, 0, &name, data)?)
    };
    let entries = materials.into_iter().map(entry).collect::<Result<_, _>>()?;
    Ok(NRes::from_entries(entries).write()?)
}

/// `Textures.lib`.
pub fn textures() -> Result<Vec<u8>, DemoError> {
    let mut textures = textures::library();
    textures.extend(effects::textures());
    textures.extend(mission::sky_looks::textures());
    texture_library(textures)
}

/// `LightMap.lib`.
pub fn lightmaps() -> Result<Vec<u8>, DemoError> {
    let mut lightmaps = textures::lightmaps();
    lightmaps.extend(models::lightmaps());
    texture_library(lightmaps)
}

fn texture_library(textures: Vec<(String, Texm)>) -> Result<Vec<u8>, DemoError> {
    let entry = |(name, texm): (String, Texm)| -> Result<Entry, DemoError> {
        Ok(Entry::new(TEXM_TYPE, 0, 0, 0, &name, texm.write()?)?)
    };
    let entries = textures.into_iter().map(entry).collect::<Result<_, _>>()?;
    Ok(NRes::from_entries(entries).write()?)
}

/// A material table with these materials.
pub fn wear(names: Vec<String>) -> Result<Vec<u8>, DemoError> {
    let row = |(row, name): (usize, String)| WearRow {
        legacy_id: row as i32,
        name: name.into_bytes(),
    };
    Ok(Wear::new(names.into_iter().enumerate().map(row).collect(), None).write()?)
}

/// `BuildDat.lst`: unit files of each category.
pub fn build_dat() -> Result<Vec<u8>, DemoError> {
    let section = |(category, units): (Category, &[&str])| Section {
        category,
        paths: units.iter().map(path_of).collect(),
    };
    Ok(BuildDat::new(BUILDINGS.into_iter().map(section).collect()).write()?)
}

/// Every unit file of `BuildDat.lst`, with the mask of its category.
pub fn buildings() -> impl Iterator<Item = (u32, String)> {
    let units = BUILDINGS.into_iter();
    units.flat_map(|(category, units)| {
        units
            .iter()
            .map(move |unit| (category.mask(), path_of(unit)))
    })
}

fn path_of(unit: &&str) -> String {
    format!("UNITS\\BUILDS\\{unit}.dat")
}

/// Units of each category, without folder and ending.
const BUILDINGS: [(Category, &[&str]); 12] = [
    (
        Category::BunkerSmall,
        &["BUNKERS\\BUNK_S1", "BUNKERS\\BUNK_S2"],
    ),
    (Category::BunkerMedium, &["BUNKERS\\BUNK_M1"]),
    (Category::BunkerLarge, &["BUNKERS\\BUNK_L1"]),
    (Category::Generator, &["POWER\\GENER_1", "POWER\\GENER_2"]),
    (Category::Mine, &["MINES\\MINE_1"]),
    (Category::Storage, &["STORES\\STORE_1", "STORES\\STORE_2"]),
    (Category::Plant, &["PLANTS\\PLANT_1"]),
    (Category::Hangar, &["HANGARS\\HANGAR_1"]),
    (Category::MainTeleport, &["TELEPORT\\TELE_1"]),
    (Category::Institute, &["SCIENCE\\INST_1"]),
    (
        Category::TowerMedium,
        &["TOWERS\\TOWER_M1", "TOWERS\\TOWER_M2"],
    ),
    (Category::TowerLarge, &["TOWERS\\TOWER_L1"]),
];

fn texture_of(material: &str) -> String {
    format!("{material}.0")
}

/// A material at rest.
pub fn material(texture: &str) -> Mat0 {
    Mat0 {
        version: MAT0_VERSION,
        class: NOT_SET,
        unknown_05: NOT_SET,
        speed_factor: 1.0,
        damage_per_sec: 0.0,
        phases: vec![phase(texture)],
        tracks: Vec::new(),
    }
}

/// A surface of the ground: its own look, and its microtexture as the second track.
fn ground(name: &str, class: u8) -> Mat0 {
    Mat0 {
        class,
        phases: vec![phase(&texture_of(name)), phase(&format!("{name}M.0"))],
        tracks: vec![track(0, &[(0, STILL_MS)]), track(0, &[(1, STILL_MS)])],
        ..material("")
    }
}

/// A track of phases and when each ends.
pub fn track(head: u32, keys: &[(u16, u16)]) -> Track {
    let key = |&(phase, end_ms): &(u16, u16)| TrackKey {
        phase,
        end_ms,
        unknown_4: 0,
    };
    Track {
        head,
        keys: keys.iter().map(key).collect(),
    }
}

/// Water: one phase a frame, shown in a loop.
fn water() -> Mat0 {
    let frame = |frame: usize| {
        let mut phase = phase(&water_frame_name(frame));
        phase.ambient[3] = WATER_OPACITY;
        phase
    };
    let keys: Vec<(u16, u16)> = (0..N_WATER_FRAMES as u16)
        .map(|frame| (frame, (frame + 1) * WATER_FRAME_MS))
        .collect();
    Mat0 {
        class: LIQUID,
        phases: (0..N_WATER_FRAMES).map(frame).collect(),
        tracks: vec![track(0, &keys)],
        ..material("")
    }
}

/// A phase that shows a texture under full light.
pub fn phase(texture: &str) -> Phase {
    let mut name = [0; 16];
    name[..texture.len()].copy_from_slice(texture.as_bytes());
    Phase {
        // No light of its own; the fourth byte is opacity in hundredths.
        ambient: [0, 0, 0, 100],
        diffuse: [255; 4],
        specular: [0, 0, 0, 255],
        emissive: [0, 0, 0, 255],
        power: 0,
        cell: -1,
        texture: name,
    }
}
