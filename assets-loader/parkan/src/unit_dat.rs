//! `UNITS/**.dat`: what a unit is put together from (dossier section 10.3).
//!
//! A head of 8 bytes, then records of 112 bytes up to the end of the file. The records are a tree in pre-order:
//! each is followed by its children.

mod check;
#[cfg(test)]
mod tests;

use std::path::Path;

use std::borrow::Cow;

pub use self::check::scheme_name;
use super::record::record_offset;
use crate::json;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::format::{
    Conversion, Fidelity, FileKind, Format, Match, Reference, inherent_methods,
};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::{decode_cp1251, fixed_name, until_nul};
use serde::{Deserialize, Serialize};

const FORMAT: &str = UnitDat::NAME;
/// The mark that every unit file begins with.
pub const MAGIC: &[u8; 2] = b"\xF1\xF0";
/// Unit files are known by this ending and their mark, for all sorts of files end so.
const ENDING: &str = ".dat";
const HEAD_SIZE: usize = 8;
/// Bytes of each text of a record.
pub const TEXT_SIZE: usize = 32;
/// Offset of the child count in a record.
const CHILD_COUNT_OFFSET: usize = 108;

/// A unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitDat {
    /// Bytes after the mark; kept.
    pub unknown_02: [u8; 2],
    /// What sort of unit; see [`scheme_name`].
    pub scheme: u32,
    /// Components, each followed by its children.
    pub records: Vec<UnitRecord>,
}

/// One component of a unit. Bytes behind the NUL of a text are kept.
#[derive(Debug, Clone, PartialEq, Eq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitRecord {
    /// Archive that holds the component, or `objects.rlb`; see [`UnitRecord::archive`].
    #[field("archive")]
    #[serde(with = "crate::json::field")]
    pub archive_field: [u8; TEXT_SIZE],
    /// Entry of that archive; see [`UnitRecord::resource`].
    #[field("resource name")]
    #[serde(with = "crate::json::field")]
    pub resource_field: [u8; TEXT_SIZE],
    /// 1 in all known files.
    #[field("kind")]
    pub kind: i32,
    /// For turrets and cannons the piece of the parent's mesh that they sit on, for parts, armor and
    /// ammunition a slot of the control data.
    #[field("attach index")]
    pub attach_idx: i32,
    /// For people, may fill the field without a NUL; see [`UnitRecord::description`].
    #[field("description")]
    #[serde(with = "crate::json::field")]
    pub description_field: [u8; TEXT_SIZE],
    /// What sort of component; see [`UnitRecord::component_type`].
    #[field("component type")]
    pub component_word: i32,
    /// How many of the records that follow are children of this one; theirs not counted.
    #[field("child count")]
    pub n_children: u32,
}

/// What sort of component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComponentType {
    /// -1: none of the others.
    None,
    /// 0: what the rest is attached to.
    Chassis,
    /// 1: sits on a piece of its parent.
    Turret,
    /// 2: an item in a slot.
    Armor,
    /// 3: an item in a slot.
    Part,
    /// 4: sits on a piece of its parent.
    Cannon,
    /// 5: an item in a slot.
    Ammunition,
}

impl Format for UnitDat {
    type Context = ();

    const NAME: &'static str = "unit_dat";
    const EXTENSIONS: &'static [&'static str] = &["dat"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        (name.ends_with(ENDING) && head.starts_with(MAGIC)).then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        let name = scheme_name(self.scheme);
        let scheme = name.map_or_else(|| self.scheme.to_string(), str::to_owned);
        report.fact("scheme", scheme);
        report.fact("components", self.records.len());
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }

    fn references(&self, _: &Path) -> Vec<Reference> {
        let named = self.records.iter().filter(|it| !it.resource().is_empty());
        let reference = |it: &UnitRecord| {
            let [archive, resource] = [it.archive(), it.resource()].map(decode_cp1251);
            Reference::new(FileKind::Model, format!("{archive}/{resource}"))
        };
        named.map(reference).collect()
    }
}

impl UnitDat {
    /// Reads a whole unit file.
    ///
    /// # Errors
    /// Another mark in front, or bytes that are no whole records. Child counts are looked at by
    /// [`UnitDat::parents`] only.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let unknown_02 = r.array("head bytes")?;
        let scheme = r.u32("scheme type")?;
        let mut records = Vec::new();
        while r.remaining() > 0 {
            records.push(UnitRecord::read(&mut r, ())?);
        }
        Ok(Self {
            unknown_02,
            scheme,
            records,
        })
    }

    /// Writes the unit file.
    ///
    /// # Errors
    /// None today: every value can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            unknown_02,
            scheme,
            records,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        w.bytes(unknown_02);
        w.u32(*scheme);
        for record in records {
            record.write(&mut w, ())?;
        }
        Ok(w.finish())
    }

    /// For each record its parent, which stands before it. The first record has none, and neither has one that
    /// stands behind a finished tree.
    ///
    /// # Errors
    /// A record with more children than records follow.
    pub fn parents(&self) -> Result<Vec<Option<usize>>, FormatError> {
        // The records whose children are not complete, outermost first, and how many they lack.
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut parents = Vec::with_capacity(self.records.len());
        for (idx, record) in self.records.iter().enumerate() {
            while open.pop_if(|(_, n_missing)| *n_missing == 0).is_some() {}
            let parent = open.last_mut().map(|(parent, n_missing)| {
                *n_missing = n_missing.saturating_sub(1);
                *parent
            });
            parents.push(parent);
            open.push((idx, record.n_children));
        }
        match open.iter().find(|(_, n_missing)| *n_missing > 0) {
            None => Ok(parents),
            Some((idx, n_missing)) => Err(self.missing_children(*idx, *n_missing)),
        }
    }

    fn missing_children(&self, idx: usize, n_missing: u32) -> FormatError {
        let n_children = self.records.get(idx).map_or(0, |record| record.n_children);
        let record = record_offset(HEAD_SIZE, idx, UnitRecord::SIZE);
        FormatError {
            format: FORMAT,
            entry: None,
            field: "child count".into(),
            offset: record.saturating_add(CHILD_COUNT_OFFSET) as u64,
            kind: FormatErrorKind::unexpected(
                format!("a record for each of {n_children} children"),
                format!("{n_missing} fewer"),
            ),
        }
    }
}

impl UnitRecord {
    /// A component without children; `None` if a name is longer than its field or holds a NUL.
    pub fn new(archive: &str, resource: &str, component_type: ComponentType) -> Option<Self> {
        Some(Self {
            archive_field: fixed_name(archive.as_bytes(), TEXT_SIZE)?,
            resource_field: fixed_name(resource.as_bytes(), TEXT_SIZE)?,
            kind: 1,
            attach_idx: 0,
            description_field: [0; TEXT_SIZE],
            component_word: component_type.word(),
            n_children: 0,
        })
    }

    /// Name of the archive, up to the NUL.
    pub fn archive(&self) -> &[u8] {
        until_nul(&self.archive_field)
    }

    /// Name of the entry, up to the NUL.
    pub fn resource(&self) -> &[u8] {
        until_nul(&self.resource_field)
    }

    /// The description up to its NUL, or all of the field.
    pub fn description(&self) -> Cow<'_, str> {
        decode_cp1251(until_nul(&self.description_field))
    }

    /// What sort of component; `None` for a word that no known file has.
    pub const fn component_type(&self) -> Option<ComponentType> {
        match self.component_word {
            -1 => Some(ComponentType::None),
            0 => Some(ComponentType::Chassis),
            1 => Some(ComponentType::Turret),
            2 => Some(ComponentType::Armor),
            3 => Some(ComponentType::Part),
            4 => Some(ComponentType::Cannon),
            5 => Some(ComponentType::Ammunition),
            _ => None,
        }
    }
}

impl ComponentType {
    /// The word that stands for it.
    pub const fn word(self) -> i32 {
        match self {
            Self::None => -1,
            Self::Chassis => 0,
            Self::Turret => 1,
            Self::Armor => 2,
            Self::Part => 3,
            Self::Cannon => 4,
            Self::Ammunition => 5,
        }
    }
}
