//! The objects of a level, and their properties.

use super::{SCHEMA, read_list, read_text, refuse_unstored, write_text};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::text::cmp_names;
use serde::{Deserialize, Serialize};

/// Flags of all known objects.
pub const KNOWN_FLAGS: u32 = 0x8000_0002;
/// Clan index of an object that belongs to no one.
pub const NO_CLAN: i32 = -1;

const MIN_PROPERTY_SIZE: usize = 20;

/// One object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// What sort of object; see [`Object::kind`].
    pub kind_word: u32,
    /// [`KNOWN_FLAGS`] in all known files.
    pub flags: u32,
    /// Name of a prototype, or path of a unit file if it ends in `.dat`. CP1251.
    #[serde(with = "crate::json::cp1251")]
    pub resource: Vec<u8>,
    /// Position of the owner among the clans, [`NO_CLAN`] for none; stored from version 3 on, else `NO_CLAN`.
    pub clan_idx: i32,
    /// Order or identity; the original adds 0x7FFFFFFF to that of buildings. Stored from version 4 on, else 0.
    pub order: u32,
    /// World axes, level units. As stored: the ground is not consulted.
    pub position: [f32; 3],
    /// Angles about x, y and z in radians; only z turns in known files.
    pub orientation: [f32; 3],
    /// Factors along the object's own axes; stored from version 10 on, else 1.
    pub scale: [f32; 3],
    /// Name of this very object, often empty. CP1251; stored from version 7 on, else empty.
    #[serde(with = "crate::json::cp1251")]
    pub instance_name: Vec<u8>,
    /// Meaning unknown; stored from version 8 on, else 0.
    pub unknown_word: u32,
    /// Meaning unknown; stored from version 9 on, else 0.
    pub links: [i32; 2],
    /// Word in front of the properties: 1 in all known files; stored from version 6 on, else 1.
    pub property_schema: u32,
    /// Order and duplicates matter. Stored from version 6 on, else none.
    pub properties: Vec<Property>,
}

/// What sort of object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// 0.
    Building,
    /// 1.
    Warbot,
    /// 2: trees and the rest of the environment.
    Environment,
    /// 3.
    Stone,
}

/// A named value of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Property {
    /// What the words are; see [`Property::property_type`].
    pub type_word: u32,
    /// Raw words. Which of them is the current value is not known for sure (Q-W2): word 1, counted from 0, is
    /// taken for it, and for display only.
    pub words: [u32; 3],
    /// As in `MaximumOre`. CP1251.
    #[serde(with = "crate::json::cp1251")]
    pub name: Vec<u8>,
}

/// What the words of a property are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PropertyType {
    /// 0.
    Float,
    /// 1.
    Int,
}

impl Default for Object {
    /// A building without a resource that belongs to no one and stands unturned at the origin.
    fn default() -> Self {
        Self {
            kind_word: 0,
            flags: KNOWN_FLAGS,
            resource: Vec::new(),
            clan_idx: NO_CLAN,
            order: 0,
            position: [0.0; 3],
            orientation: [0.0; 3],
            scale: [1.0; 3],
            instance_name: Vec::new(),
            unknown_word: 0,
            links: [0; 2],
            property_schema: SCHEMA,
            properties: Vec::new(),
        }
    }
}

impl Object {
    /// Bytes of an object of version 1 without a resource.
    pub(super) const MIN_SIZE: usize = 36;

    /// What sort of object; `None` for a word that no known file has.
    pub const fn kind(&self) -> Option<ObjectKind> {
        match self.kind_word {
            0 => Some(ObjectKind::Building),
            1 => Some(ObjectKind::Warbot),
            2 => Some(ObjectKind::Environment),
            3 => Some(ObjectKind::Stone),
            _ => None,
        }
    }

    /// The first property of that name, in any ASCII case.
    pub fn property(&self, name: &str) -> Option<&Property> {
        let mut properties = self.properties.iter();
        properties.find(|property| cmp_names(&property.name, name.as_bytes()).is_eq())
    }

    pub(super) fn read(r: &mut Reader<'_>, version: u32) -> Result<Self, FormatError> {
        let mut object = Self {
            kind_word: r.u32("object kind")?,
            flags: r.u32("object flags")?,
            resource: read_text(r, "object resource")?,
            ..Self::default()
        };
        if version > 2 {
            object.clan_idx = r.i32("object clan")?;
        }
        if version > 3 {
            object.order = r.u32("object order")?;
        }
        object.position = r.f32x3("object position")?;
        object.orientation = r.f32x3("object orientation")?;
        if version >= 10 {
            object.scale = r.f32x3("object scale")?;
        }
        if version > 6 {
            object.instance_name = read_text(r, "object name")?;
        }
        if version > 7 {
            object.unknown_word = r.u32("object word")?;
        }
        if version > 8 {
            object.links = [r.i32("object link")?, r.i32("object link")?];
        }
        // Older than the fields before it, yet the last in the file.
        if version > 5 {
            object.property_schema = r.u32("property schema")?;
            let n_properties = r.count("property count", MIN_PROPERTY_SIZE)?;
            object.properties = read_list(n_properties, || Property::read(r))?;
        }
        Ok(object)
    }

    pub(super) fn write(&self, w: &mut Writer, version: u32) -> Result<(), FormatError> {
        self.refuse_unstored(w, version)?;
        let Self {
            kind_word,
            flags,
            resource,
            clan_idx,
            order,
            position,
            orientation,
            scale,
            instance_name,
            unknown_word,
            links,
            property_schema,
            properties,
        } = self;
        w.u32(*kind_word);
        w.u32(*flags);
        write_text(w, "object resource", resource)?;
        if version > 2 {
            w.i32(*clan_idx);
        }
        if version > 3 {
            w.u32(*order);
        }
        w.f32x3(*position);
        w.f32x3(*orientation);
        if version >= 10 {
            w.f32x3(*scale);
        }
        if version > 6 {
            write_text(w, "object name", instance_name)?;
        }
        if version > 7 {
            w.u32(*unknown_word);
        }
        if version > 8 {
            links.iter().for_each(|link| w.i32(*link));
        }
        if version > 5 {
            w.u32(*property_schema);
            w.count("property count", properties.len())?;
            for property in properties {
                property.write(w)?;
            }
        }
        Ok(())
    }

    fn refuse_unstored(&self, w: &Writer, version: u32) -> Result<(), FormatError> {
        let unset = Self::default();
        if version <= 2 {
            refuse_unstored(w, "object clan", &self.clan_idx, &unset.clan_idx)?;
        }
        if version <= 3 {
            refuse_unstored(w, "object order", &self.order, &unset.order)?;
        }
        if version < 10 {
            refuse_unstored(w, "object scale", &self.scale, &unset.scale)?;
        }
        if version <= 6 {
            let name = &self.instance_name;
            refuse_unstored(w, "object name", name, &unset.instance_name)?;
        }
        if version <= 7 {
            refuse_unstored(w, "object word", &self.unknown_word, &unset.unknown_word)?;
        }
        if version <= 8 {
            refuse_unstored(w, "object link", &self.links, &unset.links)?;
        }
        if version <= 5 {
            let schema = &self.property_schema;
            refuse_unstored(w, "property schema", schema, &unset.property_schema)?;
            refuse_unstored(w, "property count", &self.properties, &unset.properties)?;
        }
        Ok(())
    }
}

impl Property {
    /// A property of three integers; the middle one is the value.
    pub fn int(name: &str, words: [i32; 3]) -> Self {
        Self {
            type_word: 1,
            words: words.map(i32::cast_unsigned),
            name: name.as_bytes().to_vec(),
        }
    }

    /// A property of three floats; the middle one is the value.
    pub fn float(name: &str, words: [f32; 3]) -> Self {
        Self {
            type_word: 0,
            words: words.map(f32::to_bits),
            name: name.as_bytes().to_vec(),
        }
    }

    /// What the words are; `None` for a word that no known file has.
    pub const fn property_type(&self) -> Option<PropertyType> {
        match self.type_word {
            0 => Some(PropertyType::Float),
            1 => Some(PropertyType::Int),
            _ => None,
        }
    }

    /// The value of an integer property, for display only; see [`Property::words`].
    pub fn as_int(&self) -> Option<i32> {
        let is_int = self.property_type() == Some(PropertyType::Int);
        is_int.then(|| self.value_word().cast_signed())
    }

    /// The value of a float property, for display only; see [`Property::words`].
    pub fn as_float(&self) -> Option<f32> {
        let is_float = self.property_type() == Some(PropertyType::Float);
        is_float.then(|| f32::from_bits(self.value_word()))
    }

    const fn value_word(&self) -> u32 {
        let [_, value, _] = self.words;
        value
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let type_word = r.u32("property type")?;
        let mut words = [0; 3];
        for word in &mut words {
            *word = r.u32("property word")?;
        }
        Ok(Self {
            type_word,
            words,
            name: read_text(r, "property name")?,
        })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            type_word,
            words,
            name,
        } = self;
        w.u32(*type_word);
        words.iter().for_each(|word| w.u32(*word));
        write_text(w, "property name", name)
    }
}
