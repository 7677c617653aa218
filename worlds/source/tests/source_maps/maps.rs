//! The files and what is known of them.

use glam::Vec3;
use ironlands_assets_source::bsp::{BspFile, LumpId, Map};
use ironlands_assets_source::entities::{Entities, EntitySyntax};
use ironlands_world_source::SourceWorld;
use libtest_mimic::Failed;
use std::path::Path;

/// One file with its row of section 0.3.
pub struct Expected {
    pub id: char,
    pub file: &'static str,
    pub eye: Vec3,
    pub leaf: u32,
    pub contents: i32,
    pub cluster: u32,
    pub area: u32,
    pub drop_fraction: f32,
    pub final_z: f32,
}

pub const MAPS: [Expected; 5] = [
    Expected {
        id: 'A',
        file: "css-test",
        eye: Vec3::new(79.0, 784.0, 88.0),
        leaf: 174,
        contents: 0,
        cluster: 88,
        area: 1,
        drop_fraction: 0.020984,
        final_z: -7.96875,
    },
    Expected {
        id: 'B',
        file: "revolution-test",
        eye: Vec3::new(-896.0, -138.897, 128.0),
        leaf: 23,
        contents: 0,
        cluster: 3,
        area: 1,
        drop_fraction: 0.004984,
        final_z: 64.03125,
    },
    Expected {
        id: 'F',
        file: "scoutie-background01",
        eye: Vec3::new(64.3758, -142.807, -64.0),
        leaf: 24,
        contents: 0,
        cluster: 4,
        area: 1,
        drop_fraction: 0.004984,
        final_z: -127.96875,
    },
    Expected {
        id: 'G',
        file: "opendm-background01",
        eye: Vec3::new(-3052.11, 4180.9, 65.0),
        leaf: 239,
        contents: 0,
        cluster: 114,
        area: 1,
        drop_fraction: 0.005484,
        final_z: 0.03125,
    },
    Expected {
        id: 'H',
        file: "opendm-dev_reflect",
        eye: Vec3::new(-45.8773, 12.4582, 65.0),
        leaf: 11,
        contents: 0,
        cluster: 1,
        area: 1,
        drop_fraction: 0.005484,
        final_z: 0.03125,
    },
];

/// A map ready for queries.
pub struct Loaded {
    pub expected: &'static Expected,
    pub map: Map,
    pub world: SourceWorld,
    /// Of the first player.
    pub spawn: Vec3,
}

impl Loaded {
    pub fn open(folder: &Path, expected: &'static Expected) -> Result<Self, Failed> {
        let path = folder.join(expected.file).with_extension("bsp");
        let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = BspFile::read(&bytes)?;
        let map = Map::read(&file)?;
        let entities = file.content(LumpId::Entities)?;
        let entities = Entities::read(&entities, EntitySyntax::from_version(file.version))?;
        let world = SourceWorld::new(&map, &entities, &[])?;
        let player = entities
            .of_class("info_player_")
            .next()
            .ok_or("no player")?;
        let spawn = player.origin().ok_or("the player is nowhere")?.into();
        Ok(Self {
            expected,
            map,
            world,
            spawn,
        })
    }
}
