//! The objects and characters of the island: the file beside the zone's land.
//!
//! In: the land, on which everything is put. Out: the bytes of `zone1.mob`.

mod people;
mod script;
mod village;
mod wild;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_evil_islands::ai_graph::{AiGraph, CELLS_PER_SECTOR, RECORD_SIZE};
use ironlands_assets_evil_islands::mob::draft::{MapRole, MobDraft};
use ironlands_assets_evil_islands::mob::edit::EditError;
use ironlands_assets_evil_islands::mob::view::{
    Folder, IdRange, MapLight, MapObject, MapParticle, MapSound, WorldSettings,
};

use super::island::N_SECTORS;
use super::land::Land;
use crate::models::turn::Turn;

/// Why the map could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// A text does not fit.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The writer refused it.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Players, in the order of their rows of relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Player {
    Hero = 0,
    Villagers = 1,
    Guards = 2,
    Nobody = 31,
}

/// Numbers that things on the map may have.
const NUMBERS: IdRange = IdRange {
    min: 1000,
    max: 1999,
};

/// Things as they are put on the land.
struct Plan<'a> {
    land: &'a Land,
    next_number: u32,
    objects: Vec<MapObject>,
    lights: Vec<MapLight>,
    sounds: Vec<MapSound>,
    particles: Vec<MapParticle>,
}

/// A thing before it is put somewhere.
struct Thing {
    name: &'static str,
    template: &'static str,
    textures: [&'static str; 2],
    /// Dexterity, strength, height.
    complection: [f64; 3],
}

impl Plan<'_> {
    fn number(&mut self) -> u32 {
        self.next_number += 1;
        self.next_number - 1
    }

    /// Puts a thing on the ground, turned by degrees from looking south; gives it back for what else is to be said.
    fn put(&mut self, thing: &Thing, [x, y]: [f64; 2], degrees: f64) -> &mut MapObject {
        let nid = self.number();
        let single = |values: [f64; 3]| values.map(|c| c as f32);
        self.objects.push(MapObject {
            nid,
            name: thing.name.to_owned(),
            template: thing.template.to_owned(),
            primary_texture: thing.textures[0].to_owned(),
            secondary_texture: thing.textures[1].to_owned(),
            position: single([x, y, 0.0]),
            rotation: Turn::degrees(2, degrees).0.map(|c| c as f32),
            complection: single(thing.complection),
            player: Player::Nobody as u8,
            ..MapObject::default()
        });
        let last = self.objects.len() - 1;
        &mut self.objects[last]
    }

    /// A place this high above the ground, in the world.
    fn above(&self, [x, y]: [f64; 2], height: f64) -> [f32; 3] {
        [x, y, self.land.height(x, y) + height].map(|c| c as f32)
    }

    fn light(&mut self, name: &str, position: [f32; 3], color: [f32; 3], range: f32) {
        let id = self.number();
        self.lights.push(MapLight {
            id,
            casts_shadow: false,
            position,
            color,
            range,
            name: name.to_owned(),
            comments: String::new(),
        });
    }

    fn particles(&mut self, name: &str, position: [f32; 3], particle_type: u32, scale: f32) {
        let id = self.number();
        self.particles.push(MapParticle {
            id,
            position,
            name: name.to_owned(),
            comments: String::new(),
            particle_type,
            scale,
        });
    }

    fn sound(&mut self, name: &str, position: [f32; 3], range: u32, files: &[&str]) {
        let id = self.number();
        self.sounds.push(MapSound {
            id,
            position,
            range,
            name: name.to_owned(),
            min: 4,
            max: 12,
            comments: String::new(),
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            range2: range / 2,
            is_ambient: false,
            is_music: false,
        });
    }
}

/// The degrees by which what looks south turns to look from one place to another.
fn degrees_toward(from: [f64; 2], to: [f64; 2]) -> f64 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    libm::atan2(dx, -dy).to_degrees()
}

/// The file of the zone's map.
pub fn file(land: &Land) -> Result<Vec<u8>, MapError> {
    let mut plan = Plan {
        land,
        next_number: NUMBERS.min,
        objects: Vec::new(),
        lights: Vec::new(),
        sounds: Vec::new(),
        particles: Vec::new(),
    };
    village::build(&mut plan);
    people::settle(&mut plan);
    wild::grow(&mut plan);
    let settings = WorldSettings {
        wind_direction: [0.8, 0.6, 0.0],
        wind_strength: 1.5,
        time: 10.0,
        ambient: 1.0,
        sun_light: 1.0,
    };
    let mut draft = MobDraft::new(MapRole::Base(settings));
    draft.script = script::TEXT.to_owned();
    draft.script_key = 0x15_1A_4D;
    draft.ranges = vec![NUMBERS];
    for (player, name) in [
        (Player::Hero, "Hero"),
        (Player::Villagers, "Villagers"),
        (Player::Guards, "Guards"),
    ] {
        draft.player_names[player as usize] = name.to_owned();
        // All players here are friends with each other, and with themselves.
        for other in [Player::Hero, Player::Villagers, Player::Guards] {
            draft.diplomacy[player as usize][other as usize] = 1;
        }
    }
    let n_objects = plan.objects.len() as u32;
    draft.folders = ["Village", "People", "Wilderness"]
        .into_iter()
        .map(|name| Folder {
            name: name.to_owned(),
            n_instances: n_objects,
            parent: 0,
            folder_type: 0,
        })
        .collect();
    draft.objects = plan.objects;
    draft.lights = plan.lights;
    draft.sounds = plan.sounds;
    draft.particles = plan.particles;
    // What its records mean is not known; there are as many as there should be.
    let side = CELLS_PER_SECTOR * N_SECTORS as u32;
    let records = vec![[0; RECORD_SIZE]; (side * side) as usize];
    draft.ai_graph = AiGraph::new(side, side, records);
    Ok(draft.build()?.write()?)
}
