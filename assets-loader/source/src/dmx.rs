//! Trees of elements with typed attributes, as particle systems are stored in: the binary encodings 1 to 5 of DMX.
//!
//! In: bytes of one file. Out: [`Dmx`], which writes the same bytes. Source: Valve's developer wiki, pages `DMX` and
//! `DMX/Binary`.
//!
//! Deliberately absent: the text encodings, and encoding 9 of later engines.

mod codec;
mod value;

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

pub use self::value::{Dmx16, DmxItems, DmxLink, DmxText, DmxValue};

/// What every file with a binary encoding begins with.
pub(crate) const BINARY_START: &[u8] = b"<!-- dmx encoding binary ";

/// A file of elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dmx {
    /// Which binary encoding, 1 to 5.
    pub encoding: u32,
    /// What the elements are for: `pcf` of particle systems.
    pub format: String,
    /// Version of that.
    pub format_version: u32,
    /// Texts that are stored once, in file order; none in encoding 1.
    pub strings: Vec<Vec<u8>>,
    /// The elements, of which the first is the root.
    pub elements: Vec<DmxElement>,
}

/// A thing with attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DmxElement {
    /// What kind of thing it is.
    pub kind: DmxText,
    /// Its name.
    pub name: DmxText,
    /// A number of its own among all elements of the world.
    pub id: [u8; 16],
    /// Its attributes, in file order.
    pub attributes: Vec<DmxAttribute>,
}

/// A named value of an element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DmxAttribute {
    /// Its name.
    pub name: DmxText,
    /// Its value.
    pub value: DmxValue,
}

impl Dmx {
    /// The last binary encoding that is read.
    pub const LAST_ENCODING: u32 = 5;

    /// Reads a whole file; `format` is what errors name.
    ///
    /// # Errors
    /// Another header or encoding, texts and elements that are not there, an unknown type of a value, bytes after the last
    /// attribute.
    pub fn read(format: &'static str, data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(format, data);
        let mut dmx = Self::default();
        codec::walk(&mut r, &mut dmx)?;
        r.finish("after the last attribute")?;
        Ok(dmx)
    }

    /// Writes the file; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// What the encoding cannot hold: texts with a NUL, too many of them, texts that are stored once where the encoding has
    /// none, times before encoding 3.
    pub fn write(&self, format: &'static str) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(format);
        codec::walk(&mut w, &mut self.clone())?;
        Ok(w.finish())
    }

    /// The bytes of a text; empty if it names one that is not there.
    pub fn text<'a>(&'a self, text: &'a DmxText) -> &'a [u8] {
        match text {
            DmxText::Inline(text) => text,
            DmxText::Listed(index) => self.strings.get(*index as usize).map_or(&[], Vec::as_slice),
        }
    }

    /// An attribute of an element by its name, whatever the case: of duplicates the last.
    pub fn attribute<'a>(&'a self, element: &'a DmxElement, name: &str) -> Option<&'a DmxValue> {
        let mut named = element.attributes.iter().rev();
        let named = named.find(|it| self.text(&it.name).eq_ignore_ascii_case(name.as_bytes()));
        named.map(|it| &it.value)
    }

    /// The element that a link leads to, with its index; `None` if it leads nowhere or out of the file.
    pub fn linked(&self, link: &DmxLink) -> Option<(usize, &DmxElement)> {
        let DmxLink::Element(index) = link else {
            return None;
        };
        let index = *index as usize;
        self.elements.get(index).map(|it| (index, it))
    }

    /// The text as this encoding stores the names of attributes and kinds; it joins those that are stored once.
    pub fn intern(&mut self, text: &str) -> DmxText {
        let text = text.as_bytes();
        if self.encoding < codec::FIRST_WITH_STRINGS {
            return DmxText::Inline(text.to_vec());
        }
        let known = self.strings.iter().position(|it| it == text);
        let index = known.unwrap_or_else(|| {
            self.strings.push(text.to_vec());
            self.strings.len().saturating_sub(1)
        });
        // The writer refuses more than the encoding can count.
        DmxText::Listed(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The text as this encoding stores names of elements and values.
    pub fn intern_value(&mut self, text: &str) -> DmxText {
        match self.encoding < codec::FIRST_WITH_LISTED_VALUES {
            true => DmxText::Inline(text.as_bytes().to_vec()),
            false => self.intern(text),
        }
    }
}
