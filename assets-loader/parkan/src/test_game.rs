//! Archives and units of a game on disk, for tests that follow names. Models are names without content.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::new_without_default,
    reason = "fixtures say by their names what they are"
)]

use crate::game_files;
use std::path::Path;

use tempfile::TempDir;

use super::msh;
use super::nres::{Entry, NRes};
use super::registry::{ObjectRef, Prototype};
use super::unit_dat::{ComponentType, UnitDat, UnitRecord};
use super::wear;
use ironlands_assets_core::vfs::Vfs;
use ironlands_assets_proof::put_file;

/// A game root; the folder goes when this is dropped.
pub struct TestGame {
    pub dir: TempDir,
}

impl TestGame {
    pub fn new(files: &[(&str, Vec<u8>)]) -> Self {
        let game = Self {
            dir: TempDir::new().unwrap(),
        };
        for (name, data) in files {
            game.put(name, data);
        }
        game
    }

    pub fn put(&self, name: &str, data: &[u8]) {
        put_file(self.root(), name, data);
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn vfs(&self) -> Vfs {
        game_files::of_folder(self.root()).unwrap()
    }
}

/// An archive of these entries: `*.msh` and `*.wea` have their types, and no entry is empty.
pub fn models(names: &[&str]) -> Vec<u8> {
    let entry = |name: &&str| {
        let type_id = match name.rsplit('.').next() {
            Some("msh" | "MSH") => msh::TYPE_ID,
            Some("wea") => wear::TYPE_ID,
            _ => 0,
        };
        Entry::new(type_id, 0, 0, 0, name, b"?".to_vec()).unwrap()
    };
    archive(names.iter().map(entry).collect())
}

/// `objects.rlb`: names, and for each the archives and entries that it refers to.
pub fn prototypes(rows: &[(&str, &[(&str, &str)])]) -> Vec<u8> {
    let entry = |(name, refs): &(&str, &[(&str, &str)])| {
        let refs = refs.iter();
        let refs = refs.map(|(archive, resource)| ObjectRef::new(archive, resource).unwrap());
        let prototype = Prototype {
            refs: refs.collect(),
        };
        Entry::new(0, 0, 0, 0, name, prototype.write().unwrap()).unwrap()
    };
    archive(rows.iter().map(entry).collect())
}

/// A record of a unit: archive, entry, type, attach index, number of children.
pub type Row<'a> = (&'a str, &'a str, ComponentType, i32, u32);

pub fn unit(rows: &[Row<'_>]) -> Vec<u8> {
    let record =
        |(archive, resource, component_type, attach_idx, n_children): &Row<'_>| UnitRecord {
            attach_idx: *attach_idx,
            n_children: *n_children,
            ..UnitRecord::new(archive, resource, *component_type).unwrap()
        };
    let unit = UnitDat {
        unknown_02: [0; 2],
        scheme: 0x0100_8000,
        records: rows.iter().map(record).collect(),
    };
    unit.write().unwrap()
}

fn archive(entries: Vec<Entry>) -> Vec<u8> {
    NRes::from_entries(entries).write().unwrap()
}
