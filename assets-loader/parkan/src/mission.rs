//! `data.tma`: a mission: the objects of a level, their places and their clans (dossier section 10.1).
//!
//! Sequential, little-endian, without padding: a head with paths, then clans, objects and a tail with the
//! level's name and the extras. Clans and objects carry a version each, which decides what is stored of them.
//! Text is CP1251 behind its length; its raw bytes are kept and decoded on request.
//!
//! Deliberately absent: what an object looks like and where its files are ([`super::placement`]), scripts.

mod check;
mod clan;
mod format;
mod object;
#[cfg(test)]
mod tests;

use std::fmt;

pub use self::clan::{Clan, ClanType, Relation};
pub use self::object::{KNOWN_FLAGS, NO_CLAN, Object, ObjectKind, Property, PropertyType};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::Format;
use serde::{Deserialize, Serialize};

const FORMAT: &str = Mission::NAME;
/// The only version of the head.
const VERSION: u32 = 1;
/// Version of the clans in all known files, and the last one that added a field.
pub const CLAN_VERSION: u32 = 6;
/// Version of the objects in all known files, and the last one that added a field.
pub const OBJECT_VERSION: u32 = 10;
/// The word in front of properties and of extras in all known files.
pub const SCHEMA: u32 = 1;

/// Smallest sizes in bytes, against which counts are held.
const MIN_PATH_SIZE: usize = 8;
const POINT_SIZE: usize = 12;
const EXTRA_SIZE: usize = 28;

/// A mission.
///
/// Fields that a version does not store have the value that their comments name, and no other can be written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mission {
    /// Paths across the level, found by id and not by position.
    pub paths: Vec<Path>,
    /// Version of the clans: 6 in all known files.
    pub clan_version: u32,
    /// Those who own objects; objects name them by position.
    pub clans: Vec<Clan>,
    /// Version of the objects and of the tail: 10 in all known files.
    pub object_version: u32,
    /// The objects of the level.
    pub objects: Vec<Object>,
    /// Path of the level's files without their endings, as in `DATA\MAPS\KM_2\land`. CP1251.
    #[serde(with = "crate::json::cp1251")]
    pub land_base: Vec<u8>,
    /// Meaning unknown; stored from object version 2 on, else 0.
    pub unknown_flag: u32,
    /// For the makers of missions; may hold garbage. CP1251; stored from object version 2 on, else empty.
    #[serde(with = "crate::json::cp1251")]
    pub description: Vec<u8>,
    /// Word in front of the extras: 1 in all known files; stored from object version 5 on, else 1.
    pub extras_schema: u32,
    /// Ore deposits, by all appearances; stored from object version 5 on, else none.
    pub extras: Vec<Extra>,
}

/// A way across the level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// What the path is called by.
    pub id: i32,
    /// Its points. World axes, level units.
    pub points: Vec<[f32; 3]>,
}

/// An ore deposit, by all appearances.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extra {
    /// World axes, level units.
    pub position: [f32; 3],
    /// Meaning unknown; one source reads an integer, flags, a float and an integer.
    pub unknown_0c: [u32; 4],
}

impl Default for Mission {
    /// A mission of the latest versions with nothing in it.
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            clan_version: CLAN_VERSION,
            clans: Vec::new(),
            object_version: OBJECT_VERSION,
            objects: Vec::new(),
            land_base: Vec::new(),
            unknown_flag: 0,
            description: Vec::new(),
            extras_schema: SCHEMA,
            extras: Vec::new(),
        }
    }
}

/// Where the items of lists begin.
#[derive(Default)]
struct Offsets {
    paths: Vec<u64>,
    clans: Vec<u64>,
    objects: Vec<u64>,
    extras: Vec<u64>,
}

impl Mission {
    /// Reads a whole `data.tma`.
    ///
    /// # Errors
    /// A head of another version than 1, bytes cut short or left over, or a count that the bytes cannot hold.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("version", &VERSION.to_le_bytes())?;
        let n_paths = r.count("path count", MIN_PATH_SIZE)?;
        let paths = read_list(n_paths, || Path::read(&mut r))?;
        let clan_version = r.u32("clan version")?;
        let n_clans = r.count("clan count", Clan::MIN_SIZE)?;
        let clans = read_list(n_clans, || Clan::read(&mut r, clan_version))?;
        let object_version = r.u32("object version")?;
        let n_objects = r.count("object count", Object::MIN_SIZE)?;
        let objects = read_list(n_objects, || Object::read(&mut r, object_version))?;
        let mut mission = Self {
            paths,
            clan_version,
            clans,
            object_version,
            objects,
            land_base: read_text(&mut r, "land base path")?,
            ..Self::default()
        };
        if object_version > 1 {
            mission.unknown_flag = r.u32("tail flag")?;
            mission.description = read_text(&mut r, "description")?;
        }
        if object_version > 4 {
            mission.extras_schema = r.u32("extras schema")?;
            let n_extras = r.count("extra count", EXTRA_SIZE)?;
            mission.extras = read_list(n_extras, || Extra::read(&mut r))?;
        }
        r.finish("after the last extra")?;
        Ok(mission)
    }

    /// Writes the mission. Floats keep their bits.
    ///
    /// # Errors
    /// A value that the version does not store, or more items than a count can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.write_with_offsets()?.0)
    }

    /// The file, and where its items begin in it.
    fn write_with_offsets(&self) -> Result<(Vec<u8>, Offsets), FormatError> {
        let Self {
            paths,
            clan_version,
            clans,
            object_version,
            objects,
            land_base,
            unknown_flag,
            description,
            extras_schema,
            extras,
        } = self;
        let mut w = Writer::new(FORMAT);
        let mut offsets = Offsets::default();
        w.u32(VERSION);
        w.count("path count", paths.len())?;
        for path in paths {
            offsets.paths.push(w.offset());
            path.write(&mut w)?;
        }
        w.u32(*clan_version);
        w.count("clan count", clans.len())?;
        for clan in clans {
            offsets.clans.push(w.offset());
            clan.write(&mut w, *clan_version)?;
        }
        w.u32(*object_version);
        w.count("object count", objects.len())?;
        for object in objects {
            offsets.objects.push(w.offset());
            object.write(&mut w, *object_version)?;
        }
        write_text(&mut w, "land base path", land_base)?;
        let unset = Self::default();
        if *object_version > 1 {
            w.u32(*unknown_flag);
            write_text(&mut w, "description", description)?;
        } else {
            refuse_unstored(&w, "tail flag", unknown_flag, &unset.unknown_flag)?;
            refuse_unstored(&w, "description", description, &unset.description)?;
        }
        if *object_version > 4 {
            w.u32(*extras_schema);
            w.count("extra count", extras.len())?;
            for extra in extras {
                offsets.extras.push(w.offset());
                extra.write(&mut w);
            }
        } else {
            refuse_unstored(&w, "extras schema", extras_schema, &unset.extras_schema)?;
            refuse_unstored(&w, "extra count", extras, &unset.extras)?;
        }
        Ok((w.finish(), offsets))
    }

    /// The first path of that id.
    pub fn path(&self, id: i32) -> Option<&Path> {
        self.paths.iter().find(|path| path.id == id)
    }

    /// Name of the level's folder, as in `KM_2`; `None` if the path leads through no folder.
    pub fn land_folder(&self) -> Option<&[u8]> {
        let mut parts = self.land_base.rsplit(is_separator);
        let _base_name = parts.next();
        parts.next().filter(|name| !name.is_empty())
    }
}

impl Path {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let id = r.i32("path id")?;
        let n_points = r.count("path point count", POINT_SIZE)?;
        let points = read_list(n_points, || r.f32x3("path point"))?;
        Ok(Self { id, points })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self { id, points } = self;
        w.i32(*id);
        w.count("path point count", points.len())?;
        for point in points {
            w.f32x3(*point);
        }
        Ok(())
    }
}

impl Extra {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let position = r.f32x3("extra position")?;
        let mut unknown_0c = [0; 4];
        for word in &mut unknown_0c {
            *word = r.u32("extra word")?;
        }
        Ok(Self {
            position,
            unknown_0c,
        })
    }

    fn write(&self, w: &mut Writer) {
        let Self {
            position,
            unknown_0c,
        } = self;
        w.f32x3(*position);
        for word in unknown_0c {
            w.u32(*word);
        }
    }
}

fn is_separator(byte: &u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

fn read_list<T>(
    n_items: usize,
    mut read: impl FnMut() -> Result<T, FormatError>,
) -> Result<Vec<T>, FormatError> {
    (0..n_items).map(|_| read()).collect()
}

/// Takes a `u32` length and that many bytes.
fn read_text(r: &mut Reader<'_>, field: &'static str) -> Result<Vec<u8>, FormatError> {
    let len = r.count(field, 1)?;
    Ok(r.bytes(field, len)?.to_vec())
}

fn write_text(w: &mut Writer, field: &'static str, text: &[u8]) -> Result<(), FormatError> {
    w.count(field, text.len())?;
    w.bytes(text);
    Ok(())
}

/// A value that the version does not store must be the one that reading puts in its place.
fn refuse_unstored<T: PartialEq + fmt::Debug>(
    w: &Writer,
    field: &'static str,
    value: &T,
    unstored: &T,
) -> Result<(), FormatError> {
    if value == unstored {
        return Ok(());
    }
    Err(w.unexpected(
        field,
        format!("{unstored:?}, for the version stores none"),
        format!("{value:?}"),
    ))
}
