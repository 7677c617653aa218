//! The test level with a mission on it: models, prototypes and units, some of which are missing.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::new_without_default,
    reason = "fixtures say by their names what they are"
)]

use std::path::{Path, PathBuf};

use ironlands_assets_core::text::fixed_name;
use ironlands_assets_proof::put_file;

use crate::mission::{self, Mission, Object, Property};
use crate::msh::{DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft};
use crate::registry::{ObjectRef, Prototype};
use crate::test_level::{TestLevel, entry, library, wear};
use crate::unit_dat::{UnitDat, UnitRecord};

/// A model of nodes one above the other, each a unit higher, with a triangle each.
pub fn tower(n_nodes: usize) -> Vec<u8> {
    let corner = |x: f32, y: f32| DraftVertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..DraftVertex::default()
    };
    let triangles = vec![[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]];
    let node = |idx: usize| DraftNode {
        parent: idx.checked_sub(1),
        keys: vec![DraftKey {
            time: 0.0,
            position: [0.0, 0.0, 1.0],
            rotation: [1.0, 0.0, 0.0, 0.0],
        }],
        pieces: vec![DraftPiece {
            batches: vec![DraftBatch {
                wear_row: idx as u8,
                triangles: triangles.clone(),
                ..DraftBatch::default()
            }],
            ..DraftPiece::default()
        }],
        ..DraftNode::default()
    };
    let draft = ModelDraft {
        nodes: (0..n_nodes).map(node).collect(),
        ..ModelDraft::default()
    };
    draft.build().unwrap().write().unwrap()
}

fn record(resource: &str, attach_idx: i32, component_word: i32, n_children: u32) -> UnitRecord {
    let field = |text: &str| fixed_name(text.as_bytes(), 32).unwrap();
    UnitRecord {
        archive_field: field("objects.rlb"),
        resource_field: field(resource),
        kind: 1,
        attach_idx,
        description_field: field(""),
        component_word,
        n_children,
    }
}

pub fn object(resource: &str, x: f32, properties: Vec<Property>) -> Object {
    Object {
        resource: resource.as_bytes().to_vec(),
        position: [x, 10.0, 5.0],
        scale: [2.0; 3],
        properties,
        ..Object::default()
    }
}

/// The test level with archives, a unit of hull and turret, and a mission; the level's folder and the mission's file.
pub fn game(root: &Path) -> (PathBuf, PathBuf) {
    let folder = TestLevel::new().write(root);
    let put = |name: &str, bytes: Vec<u8>| put_file(root, name, bytes);
    let table = wear(&["GRASS", "WATER"]).write().unwrap();
    let models = [
        entry(*b"MESH", 0, "HULL.MSH", tower(3)),
        entry(*b"WEAR", 0, "HULL.WEA", table),
        entry(*b"MESH", 0, "TOP.MSH", tower(2)),
    ];
    put("bases.rlb", library(models.into_iter()));
    let prototype = |resource: &str| {
        let refs = vec![ObjectRef::new("bases.rlb", resource).unwrap()];
        Prototype { refs }.write().unwrap()
    };
    let prototypes = [
        entry(*b"OBJT", 0, "HULL", prototype("HULL.MSH")),
        entry(*b"OBJT", 0, "TOP", prototype("TOP.MSH")),
        entry(*b"OBJT", 0, "GONE", prototype("GONE.MSH")),
    ];
    put("objects.rlb", library(prototypes.into_iter()));
    let unit = |attach_idx| UnitDat {
        unknown_02: [0; 2],
        scheme: 0x0100_8000,
        records: vec![
            record("HULL", 0, 0, 2),
            record("TOP", attach_idx, 1, 0),
            // Armor, which lies in a slot.
            record("TOP", 0, 2, 0),
        ],
    };
    put("UNITS/TANK.dat", unit(2).write().unwrap());
    put("UNITS/ODD.dat", unit(7).write().unwrap());
    let walk = vec![
        Property::int("Ironlands.Path", [0, 4, 0]),
        Property::float("Ironlands.PathSpeed", [0.0, 1.5, 0.0]),
        Property::int("Ironlands.ClipFirst", [0, 0, 0]),
        Property::int("Ironlands.ClipLast", [0, 24, 0]),
        Property::float("Ironlands.ClipRate", [0.0, 12.0, 0.0]),
    ];
    let astray = vec![Property::int("Ironlands.Path", [0, 5, 0])];
    let mission = Mission {
        paths: vec![mission::Path {
            id: 4,
            points: vec![[0.0, 0.0, 10.0], [20.0, 0.0, 10.0]],
        }],
        objects: vec![
            object("UNITS\\TANK.dat", 10.0, walk),
            object("hull", 20.0, Vec::new()),
            object("GONE", 30.0, Vec::new()),
            object("GONE", 35.0, Vec::new()),
            object("UNITS\\ODD.dat", 40.0, astray),
        ],
        land_base: b"DATA\\MAPS\\Map01\\land".to_vec(),
        ..Mission::default()
    };
    let file = put("MISSIONS/single.01/data.tma", mission.write().unwrap());
    (folder, file)
}
