//! `objects.rlb`: prototypes, each a list of references to what it is made of (dossier section 10.4).
//!
//! Here: the payload of one entry. [`Registry`] follows the references to a mesh.

mod resolve;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use self::resolve::{BasementRef, MeshRef, Registry, ResolveCause, ResolveError};
use super::findings::Findings;
use super::record::record_offset;
use crate::json;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::format::{
    Conversion, Fidelity, FileKind, Format, Reference, inherent_methods,
};
use ironlands_assets_core::record::{self, Record};
use ironlands_assets_core::text::{decode_cp1251, fixed_name, until_nul};
use serde::{Deserialize, Serialize};

const FORMAT: &str = Prototype::NAME;
/// The archive of all prototypes.
pub const ARCHIVE: &str = "objects.rlb";
/// Bytes of each name of a reference.
pub const NAME_SIZE: usize = 32;

/// What one entry of `objects.rlb` holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prototype {
    /// References in file order; the first one that leads to a mesh counts.
    pub refs: Vec<ObjectRef>,
}

/// An entry of an archive, by name. Bytes behind the NULs are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectRef {
    /// See [`ObjectRef::archive`].
    #[field("archive")]
    #[serde(with = "crate::json::field")]
    pub archive_field: [u8; NAME_SIZE],
    /// See [`ObjectRef::resource`].
    #[field("resource")]
    #[serde(with = "crate::json::field")]
    pub resource_field: [u8; NAME_SIZE],
}

impl Format for Prototype {
    type Context = ();

    const NAME: &'static str = "registry";
    const EXTENSIONS: &'static [&'static str] = &["proto"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }

    fn references(&self, _: &Path) -> Vec<Reference> {
        let refs = self.refs.iter().filter(|it| !it.resource().is_empty());
        let reference = |it: &ObjectRef| {
            let [archive, resource] = [it.archive(), it.resource()].map(decode_cp1251);
            Reference::new(FileKind::Model, format!("{archive}/{resource}"))
        };
        refs.map(reference).collect()
    }
}

impl Prototype {
    /// Reads the whole payload of an entry.
    ///
    /// # Errors
    /// Bytes that are no whole references.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut refs = Vec::new();
        while r.remaining() > 0 {
            refs.push(ObjectRef::read(&mut r, ())?);
        }
        Ok(Self { refs })
    }

    /// Writes the payload.
    ///
    /// # Errors
    /// None today: every value can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        record::encode(FORMAT, &self.refs, ())
    }

    /// References that cannot lead anywhere.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        if self.refs.is_empty() {
            let message = "the prototype refers to nothing".to_owned();
            findings.rule(Severity::Note, [(None, message)]);
        }
        let refs = self.refs.iter().enumerate();
        let nameless = refs.filter(|(_, it)| it.archive().is_empty() || it.resource().is_empty());
        let message = |idx: usize| {
            let offset = record_offset(0, idx, ObjectRef::SIZE) as u64;
            let message = format!("reference {idx} names no entry of an archive");
            (Some(offset), message)
        };
        findings.rule(Severity::Warning, nameless.map(|(idx, _)| message(idx)));
        findings.into_list()
    }
}

impl ObjectRef {
    /// A reference; `None` if a name is longer than its field or holds a NUL.
    pub fn new(archive: &str, resource: &str) -> Option<Self> {
        Some(Self {
            archive_field: fixed_name(archive.as_bytes(), NAME_SIZE)?,
            resource_field: fixed_name(resource.as_bytes(), NAME_SIZE)?,
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
}
