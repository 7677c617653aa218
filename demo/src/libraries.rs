//! What the levels share: materials, textures, light maps and the list of buildings; and the material tables of a
//! level.

use ironlands_assets_parkan::build_dat::{BuildDat, Category, Section};
use ironlands_assets_parkan::mat0::{Animation, AnimationKey, Mat0, Phase};
use ironlands_assets_parkan::nres::{Entry, NRes};
use ironlands_assets_parkan::texm::Texm;
use ironlands_assets_parkan::wear::{Wear, WearRow};

use crate::models;
use crate::rows::{MaterialRows, WATER};
use crate::surface::Overlay;
use crate::textures::{self, N_WATER_FRAMES, water_frame_name};
use crate::{DemoError, effects};

/// `MAT0` as an entry type.
const MAT0_TYPE: u32 = u32::from_le_bytes(*b"MAT0");
/// `Texm` as an entry type.
const TEXM_TYPE: u32 = u32::from_le_bytes(*b"Texm");
/// Version of all known materials.
const MAT0_VERSION: u32 = 6;
/// Material of the microtexture, by the loader's convention.
const MICROTEXTURE: &str = "MICROTEX";
/// `attr1` of a special material: rendering type 1 in bits 2..5.
pub const SPECIAL: u32 = 1 << 2;

/// "No blend code" and "no texture stage".
const NONE: u8 = 255;
const SOURCE_ALPHA: u8 = 5;
const INVERSE_SOURCE_ALPHA: u8 = 6;

/// How much the water hides of what lies below.
const WATER_ALPHA: f32 = 0.72;
/// Time that a frame of the water is shown.
const WATER_FRAME_MS: u16 = 110;

/// `Material.lib`: a material for each base, each of these overlays, and the microtexture.
pub fn materials(overlays: &[Overlay]) -> Result<Vec<u8>, DemoError> {
    let mut entries = Vec::new();
    let mut add = |name: &str, attr1: u32, material: &Mat0| -> Result<(), DemoError> {
        entries.push(Entry::new(
            MAT0_TYPE,
            attr1,
            MAT0_VERSION,
            0,
            name,
            material.write()?,
        )?);
        Ok(())
    };
    for name in MaterialRows::base_names() {
        match name.as_str() {
            WATER => add(&name, 0, &water())?,
            MaterialRows::DEFAULT => add(&name, SPECIAL, &material(&texture_of(&name), false))?,
            _ => add(&name, 0, &material(&texture_of(&name), false))?,
        }
    }
    add(MICROTEXTURE, 0, &material(&texture_of(MICROTEXTURE), false))?;
    for overlay in overlays {
        let name = overlay.name();
        add(&name, 0, &material(&texture_of(&name), true))?;
    }
    let of_effects = effects::materials().into_iter();
    for (name, attr1, material) in models::materials().into_iter().chain(of_effects) {
        add(name, attr1, &material)?;
    }
    Ok(NRes::from_entries(entries).write()?)
}

/// `Textures.lib`.
pub fn textures(overlays: &[Overlay]) -> Result<Vec<u8>, DemoError> {
    let mut textures = textures::library(overlays);
    textures.extend(effects::textures());
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

/// A material at rest; `blended` ones lie over what is drawn.
pub fn material(texture: &str, blended: bool) -> Mat0 {
    let (source_blend, destination_blend) = if blended {
        (SOURCE_ALPHA, INVERSE_SOURCE_ALPHA)
    } else {
        (NONE, NONE)
    };
    Mat0 {
        version: MAT0_VERSION,
        source_blend,
        destination_blend,
        alpha_multiplier: 1.0,
        emissive_intensity: 0.0,
        phases: vec![phase(texture)],
        animations: Vec::new(),
    }
}

/// Water: one phase a frame, shown in a loop.
fn water() -> Mat0 {
    let key = |stage: usize| AnimationKey {
        stage: stage as u16,
        duration_ms: WATER_FRAME_MS,
        unknown_4: 0,
    };
    Mat0 {
        alpha_multiplier: WATER_ALPHA,
        phases: (0..N_WATER_FRAMES)
            .map(|frame| phase(&water_frame_name(frame)))
            .collect(),
        animations: vec![Animation {
            head: 0,
            keys: (0..N_WATER_FRAMES).map(key).collect(),
        }],
        ..material("", true)
    }
}

/// A phase that shows a texture under full light.
pub fn phase(texture: &str) -> Phase {
    let mut name = [0; 16];
    name[..texture.len()].copy_from_slice(texture.as_bytes());
    Phase {
        // The fourth byte counts hundredths.
        ambient: [255, 255, 255, 100],
        diffuse: [255; 4],
        specular: [0, 0, 0, 255],
        emissive: [0, 0, 0, 255],
        power: 0,
        texture_stage: NONE,
        texture: name,
    }
}
