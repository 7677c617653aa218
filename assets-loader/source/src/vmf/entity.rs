//! Entities, the world among them.

use super::fields::{Fields, Kept, exact, pair};
use super::solid::{Editor, Solid};
use crate::key_values::Entry;
use ironlands_assets_core::bytes::FormatError;

/// An entity: keys, what it does, what it is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VmfEntity {
    /// Unique number in the map.
    pub id: Option<u32>,
    /// All other keys with their values, `classname` among them. A key may stand more than once.
    pub pairs: Vec<(String, String)>,
    /// Its outputs to other entities.
    pub connections: Option<Connections>,
    /// Brushes.
    pub solids: Vec<Solid>,
    /// Color and groups in the editor.
    pub editor: Option<Editor>,
    /// All else, as groups and hidden solids.
    pub kept: Kept,
}

/// Block `connections`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Connections {
    /// What happens, and `target,input,parameter,delay,times` for each.
    pub outputs: Vec<(String, String)>,
    /// All else.
    pub kept: Kept,
}

impl VmfEntity {
    /// An entity of a class.
    pub fn new(class: &str) -> Self {
        let mut entity = Self::default();
        entity.push("classname", class);
        entity
    }

    /// Adds a key.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.pairs.push((key.into(), value.into()));
    }

    /// The value of the first pair of that key, whatever the case.
    pub fn get(&self, key: &str) -> Option<&str> {
        let mut same = self
            .pairs
            .iter()
            .filter(|(k, _)| k.eq_ignore_ascii_case(key));
        same.next().map(|(_, value)| &**value)
    }

    /// Its class; empty if it has none.
    pub fn class(&self) -> &str {
        self.get("classname").unwrap_or_default()
    }

    pub(super) fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let solids = fields.blocks("solid").into_iter().map(Solid::read);
        Ok(Self {
            solids: solids.collect::<Result<_, _>>()?,
            id: fields.number("id")?,
            pairs: fields.all_texts(),
            connections: fields.block("connections")?.map(Connections::read),
            editor: fields.block("editor")?.map(Editor::read).transpose()?,
            kept: fields.finish(),
        })
    }

    pub(super) fn write(&self, key: &str) -> Entry {
        let Self {
            id,
            pairs,
            connections,
            solids,
            editor,
            kept,
        } = self;
        let mut known = Vec::from_iter(pair("id", id));
        known.extend(pairs.iter().map(exact));
        known.extend(connections.as_ref().map(|outputs| outputs.write().into()));
        known.extend(solids.iter().map(|solid| solid.write().into()));
        known.extend(editor.as_ref().map(|editor| editor.write().into()));
        Entry::block(key, kept.merge(known))
    }
}

impl Connections {
    fn read(mut fields: Fields) -> Self {
        Self {
            outputs: fields.all_texts(),
            kept: fields.finish(),
        }
    }

    fn write(&self) -> Entry {
        let Self { outputs, kept } = self;
        let outputs = outputs.iter().map(exact).collect();
        Entry::block("connections", kept.merge(outputs))
    }
}
