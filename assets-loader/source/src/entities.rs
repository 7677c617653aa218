//! The entities of a map, as text (dossier section 8).
//!
//! In: lump 0. Out: entities of keys and values as bytes, in file order. Text that differs from how the compilers write
//! it (comments, other line ends) is kept, so that [`Entities::write`] gives untouched text back byte for byte.
//!
//! Deliberately absent: what the classes mean.

mod syntax;
#[cfg(test)]
mod tests;
mod values;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use self::syntax::EntitySyntax;
pub use self::values::{LightValue, Output};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Entities::NAME;
/// The text after the last entity.
const TAIL: &[u8] = b"\0";
/// Longest key and value that the original takes, in bytes.
const MAX_KEY_LEN: usize = 32;
const MAX_VALUE_LEN: usize = 1024;

/// All entities in file order; the first is the world.
///
/// Equality is that of the entities.
#[derive(Debug, Clone)]
pub struct Entities {
    /// Entities. They may be edited freely.
    pub entities: Vec<Entity>,
    syntax: EntitySyntax,
    /// The text after the last entity.
    tail: Cow<'static, [u8]>,
}

/// Keys and values in file order; a key may stand more than once.
///
/// Equality is that of the pairs.
#[derive(Debug, Clone, Default)]
pub struct Entity {
    /// Keys and values as bytes, without quotes and escapes.
    pub pairs: Vec<(Vec<u8>, Vec<u8>)>,
    /// The text that it was read from, if compilers would write it otherwise.
    text: Option<Vec<u8>>,
}

impl Default for Entities {
    fn default() -> Self {
        Self::new(EntitySyntax::Plain)
    }
}

impl PartialEq for Entities {
    fn eq(&self, other: &Self) -> bool {
        self.entities == other.entities
    }
}

impl Eq for Entities {}

impl PartialEq for Entity {
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs
    }
}

impl Eq for Entity {}

impl Format for Entities {
    type Context = EntitySyntax;

    const NAME: &'static str = "entities";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(write, check);

    fn contexts() -> Vec<EntitySyntax> {
        vec![EntitySyntax::Plain, EntitySyntax::Escapes]
    }

    fn read(data: &[u8], syntax: &EntitySyntax) -> Result<Self, FormatError> {
        Self::read(data, *syntax)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("entities", self.entities.len());
        if let Some(sky) = self.world().and_then(|world| world.get("skyname")) {
            report.fact("sky", sky);
        }
        let mut n_by_class: BTreeMap<String, usize> = BTreeMap::new();
        for entity in &self.entities {
            let n = n_by_class.entry(entity.class().into_owned()).or_default();
            *n = n.saturating_add(1);
        }
        let counts = n_by_class.iter().map(|(class, n)| format!("{n} {class}"));
        report.fact("classes", counts.collect::<Vec<_>>().join(", "));
    }
}

impl Entities {
    /// No entities.
    pub fn new(syntax: EntitySyntax) -> Self {
        Self {
            entities: Vec::new(),
            syntax,
            tail: Cow::Borrowed(TAIL),
        }
    }

    /// Reads the lump. Offsets of errors count from its start; what is wrong may be an open quote or brace, or text
    /// that is not quoted.
    pub fn read(data: &[u8], syntax: EntitySyntax) -> Result<Self, FormatError> {
        let mut entities = Vec::new();
        let mut cursor = syntax::Cursor::new(data, syntax);
        while let Some((pairs, text)) = cursor.entity()? {
            let is_usual = canonical(&pairs, syntax).is_ok_and(|canonical| canonical == text);
            entities.push(Entity {
                pairs,
                text: (!is_usual).then(|| text.to_vec()),
            });
        }
        let tail = cursor.tail()?;
        Ok(Self {
            entities,
            syntax,
            tail: if tail == TAIL {
                Cow::Borrowed(TAIL)
            } else {
                Cow::Owned(tail.to_vec())
            },
        })
    }

    /// Where each entity begins in the lump, with the text before it, up to text that breaks the rules. Reads the
    /// lump as far as offsets are taken.
    pub fn offsets(data: &[u8], syntax: EntitySyntax) -> impl Iterator<Item = u64> {
        let mut cursor = syntax::Cursor::new(data, syntax);
        let mut next = 0_u64;
        std::iter::from_fn(move || {
            let (_, text) = cursor.entity().ok().flatten()?;
            let offset = next;
            next = next.saturating_add(text.len() as u64);
            Some(offset)
        })
    }

    /// Writes the lump: untouched entities byte for byte, others as the compilers do. Errors: a quote or a NUL in a
    /// key or value, where the syntax has no escapes for it.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            entities,
            syntax,
            tail,
        } = self;
        let mut out = Vec::new();
        for Entity { pairs, text } in entities {
            let untouched = text.as_ref().filter(|text| {
                let read = syntax::Cursor::new(text, *syntax).entity();
                matches!(read, Ok(Some((stored, _))) if stored == *pairs)
            });
            match untouched {
                Some(text) => out.extend_from_slice(text),
                None => out.extend(canonical(pairs, *syntax)?),
            }
        }
        out.extend_from_slice(tail);
        Ok(out)
    }

    /// The world: entity 0, if its class is `worldspawn`.
    pub fn world(&self) -> Option<&Entity> {
        let world = self.entities.first()?;
        world
            .class()
            .eq_ignore_ascii_case("worldspawn")
            .then_some(world)
    }

    /// Entities whose class begins so, in file order.
    pub fn of_class<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a Entity> {
        self.entities
            .iter()
            .filter(move |entity| entity.class().starts_with(prefix))
    }

    /// What is beyond the limits of the original.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let warning = |message: String| Finding::new(Severity::Warning, FORMAT, message);
        if !self.entities.is_empty() && self.world().is_none() {
            findings.push(warning("entity 0 is no worldspawn".into()));
        }
        for (index, entity) in self.entities.iter().enumerate() {
            if entity.class().is_empty() {
                findings.push(warning(format!("entity {index} has no class")));
            }
            let too_long = |(key, value): &&(Vec<u8>, Vec<u8>)| {
                key.len() > MAX_KEY_LEN || value.len() > MAX_VALUE_LEN
            };
            for (key, value) in entity.pairs.iter().filter(too_long) {
                let (name, len) = (String::from_utf8_lossy(key), value.len());
                let message = format!("entity {index}: key {name} or its {len} bytes are too long");
                findings.push(warning(message));
            }
        }
        findings
    }
}

/// An entity as the compilers write it.
fn canonical(pairs: &[(Vec<u8>, Vec<u8>)], syntax: EntitySyntax) -> Result<Vec<u8>, FormatError> {
    let mut out = b"{\n".to_vec();
    for (key, value) in pairs {
        syntax.write_quoted(key, &mut out)?;
        out.push(b' ');
        syntax.write_quoted(value, &mut out)?;
        out.push(b'\n');
    }
    out.extend_from_slice(b"}\n");
    Ok(out)
}

impl Entity {
    /// An entity of a class.
    pub fn new(class: &str) -> Self {
        let mut entity = Self::default();
        entity.push("classname", class);
        entity
    }

    /// Appends a key and its value, even if the key is there.
    pub fn push(&mut self, key: &str, value: &str) {
        self.pairs.push((key.into(), value.into()));
    }

    /// The first value of a key, whatever its case, as stored.
    pub fn get_bytes(&self, key: &str) -> Option<&[u8]> {
        let (_, value) = self
            .pairs
            .iter()
            .find(|(stored, _)| stored.eq_ignore_ascii_case(key.as_bytes()))?;
        Some(value)
    }

    /// The first value of a key, whatever its case; bytes that are no UTF-8 are replaced.
    pub fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        Some(String::from_utf8_lossy(self.get_bytes(key)?))
    }
}
