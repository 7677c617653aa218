//! One walk over a file, for reading and for writing.

use std::borrow::Cow;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::record::{Codec, Field};

use super::value::{DmxItems, DmxLink, DmxText, DmxValue};
use super::{BINARY_START, Dmx, DmxAttribute, DmxElement};

/// The first encoding that stores names of attributes and kinds once.
pub(super) const FIRST_WITH_STRINGS: u32 = 2;
/// The first with times in the place of ids.
const FIRST_WITH_TIMES: u32 = 3;
/// The first that stores names of elements and texts of values once, too, and counts texts with 32 bits.
pub(super) const FIRST_WITH_LISTED_VALUES: u32 = 4;
/// The first whose indices of texts have 32 bits.
const FIRST_WITH_WIDE_INDICES: u32 = 5;

/// Longest header, and longest word in it.
const MAX_HEADER: usize = 128;

/// What links are that lead to no element of the file.
const LINK_NONE: i32 = -1;
const LINK_EXTERNAL: i32 = -2;

/// What of a file the reading of its elements depends on.
#[derive(Clone, Copy)]
struct Layout {
    encoding: u32,
    n_strings: usize,
    n_elements: usize,
}

pub(super) fn walk<C: Codec>(c: &mut C, dmx: &mut Dmx) -> Result<(), FormatError> {
    header(c, dmx)?;
    let mut layout = Layout {
        encoding: dmx.encoding,
        n_strings: 0,
        n_elements: 0,
    };
    if layout.encoding >= FIRST_WITH_STRINGS {
        let n_strings = dmx.strings.len();
        layout.n_strings = match layout.encoding < FIRST_WITH_LISTED_VALUES {
            true => c.count::<u16>("string count", n_strings, 1)?,
            false => c.count::<u32>("string count", n_strings, 1)?,
        };
        dmx.strings.resize_with(layout.n_strings, Vec::new);
        for string in &mut dmx.strings {
            text(c, "string", string)?;
        }
    } else if !dmx.strings.is_empty() {
        let expected = "none in encoding 1";
        return Err(c.unexpected("string count", expected, dmx.strings.len()));
    }
    layout.n_elements = c.count::<u32>("element count", dmx.elements.len(), 18)?;
    dmx.elements
        .resize_with(layout.n_elements, DmxElement::default);
    for element in &mut dmx.elements {
        layout.name(c, "element type", &mut element.kind)?;
        layout.value_text(c, "element name", &mut element.name)?;
        c.field("element id", &mut element.id)?;
    }
    for element in &mut dmx.elements {
        let n_attributes = c.count::<u32>("attribute count", element.attributes.len(), 3)?;
        (element.attributes).resize_with(n_attributes, DmxAttribute::default);
        for attribute in &mut element.attributes {
            layout.name(c, "attribute name", &mut attribute.name)?;
            layout.value(c, &mut attribute.value)?;
        }
    }
    Ok(())
}

/// The line of text that says what follows, and the NUL after it.
fn header<C: Codec>(c: &mut C, dmx: &mut Dmx) -> Result<(), FormatError> {
    const FIELD: &str = "header";
    let expected = || Cow::from("<!-- dmx encoding binary N format NAME N -->");
    let mut line = header_of(dmx).into_bytes();
    if let Some(r) = c.reader() {
        let start = r.clone().rest();
        let start = start.get(..MAX_HEADER).unwrap_or(start);
        let shown = || format!("\"{}\"", start.escape_ascii());
        let parsed = parse(start).ok_or_else(|| c.unexpected(FIELD, expected(), shown()))?;
        line = header_of(&parsed).into_bytes();
        // What it says in another way, the writer would not repeat.
        if !start.starts_with(&line) {
            return Err(c.unexpected(FIELD, expected(), shown()));
        }
        *dmx = parsed;
    }
    if !(1..=Dmx::LAST_ENCODING).contains(&dmx.encoding) {
        return Err(c.unexpected("encoding", "1 to 5", dmx.encoding));
    }
    let is_word = |it: char| it.is_ascii_graphic();
    let format = &dmx.format;
    if format.is_empty() || format.len() > MAX_HEADER / 2 || !format.chars().all(is_word) {
        return Err(c.unexpected("format", "a word", format));
    }
    let len = line.len();
    c.bytes(FIELD, &mut line, len)
}

fn header_of(dmx: &Dmx) -> String {
    format!(
        "<!-- dmx encoding binary {} format {} {} -->\n\0",
        dmx.encoding, dmx.format, dmx.format_version
    )
}

/// A file without elements, as a header says what it is.
fn parse(start: &[u8]) -> Option<Dmx> {
    let line = start.strip_prefix(BINARY_START)?;
    let end = line.iter().position(|byte| *byte == b'\n')?;
    let mut words = str::from_utf8(line.get(..end)?).ok()?.split(' ');
    let encoding = words.next()?.parse().ok()?;
    let (Some("format"), Some(format)) = (words.next(), words.next()) else {
        return None;
    };
    Some(Dmx {
        encoding,
        format: format.to_owned(),
        format_version: words.next()?.parse().ok()?,
        ..Dmx::default()
    })
}

/// A text up to its NUL.
fn text<C: Codec>(c: &mut C, name: &'static str, text: &mut Vec<u8>) -> Result<(), FormatError> {
    let len = match c.reader() {
        Some(r) => {
            let len = r.clone().rest().iter().position(|byte| *byte == 0);
            len.ok_or_else(|| c.unexpected(name, "a text that ends with NUL", "none"))?
        }
        None if text.contains(&0) => {
            let found = format!("\"{}\"", text.escape_ascii());
            return Err(c.unexpected(name, "a text without NUL", found));
        }
        None => text.len(),
    };
    c.bytes(name, text, len)?;
    c.field(name, &mut 0_u8)
}

impl Layout {
    /// The kind of an element, or the name of an attribute.
    fn name<C: Codec>(
        self,
        c: &mut C,
        name: &'static str,
        value: &mut DmxText,
    ) -> Result<(), FormatError> {
        self.text(c, name, value, FIRST_WITH_STRINGS)
    }

    /// The name of an element, or a value.
    fn value_text<C: Codec>(
        self,
        c: &mut C,
        name: &'static str,
        value: &mut DmxText,
    ) -> Result<(), FormatError> {
        self.text(c, name, value, FIRST_WITH_LISTED_VALUES)
    }

    /// A text that is stored once from an encoding on.
    fn text<C: Codec>(
        self,
        c: &mut C,
        name: &'static str,
        value: &mut DmxText,
        listed_from: u32,
    ) -> Result<(), FormatError> {
        let is_listed = self.encoding >= listed_from;
        if c.reader().is_some() {
            *value = match is_listed {
                true => DmxText::Listed(0),
                false => DmxText::default(),
            };
        }
        match value {
            DmxText::Inline(inline) if !is_listed => text(c, name, inline),
            DmxText::Listed(index) if is_listed => {
                let at = c.offset();
                let found = match self.encoding < FIRST_WITH_WIDE_INDICES {
                    true => c.length::<u16>(name, *index as usize)?,
                    false => c.length::<u32>(name, *index as usize)?,
                };
                if found >= self.n_strings {
                    let expected = format!("one of {} strings", self.n_strings);
                    let error = c.unexpected(name, expected, found);
                    return Err(FormatError {
                        offset: at,
                        ..error
                    });
                }
                // At most what the field holds.
                *index = u32::try_from(found).unwrap_or(u32::MAX);
                Ok(())
            }
            DmxText::Inline(_) => Err(c.unexpected(name, "the index of a string", "a text")),
            DmxText::Listed(_) => Err(c.unexpected(name, "a text", "the index of a string")),
        }
    }

    fn value<C: Codec>(self, c: &mut C, value: &mut DmxValue) -> Result<(), FormatError> {
        const FIELD: &str = "attribute type";
        let has_times = self.encoding >= FIRST_WITH_TIMES;
        let at = c.offset();
        let mut number = value.type_number();
        c.field(FIELD, &mut number)?;
        let Some(empty) = DmxValue::from_type(number, has_times) else {
            let error = c.unexpected(FIELD, "1 to 28", number);
            return Err(FormatError {
                offset: at,
                ..error
            });
        };
        if c.reader().is_some() {
            *value = empty;
        }
        match value {
            DmxValue::Element(items) => each(c, items, 4, |c, it| self.link(c, it)),
            DmxValue::Int(items) => fields(c, items),
            DmxValue::Float(items) => fields(c, items),
            DmxValue::Bool(items) => fields(c, items),
            DmxValue::Text(DmxItems::One(it)) => self.value_text(c, "text", it),
            // Texts of lists are never stored once.
            DmxValue::Text(items) => each(c, items, 1, |c, it| match it {
                _ if c.reader().is_some() => {
                    let mut inline = Vec::new();
                    text(c, "text", &mut inline)?;
                    *it = DmxText::Inline(inline);
                    Ok(())
                }
                DmxText::Inline(inline) => text(c, "text", inline),
                DmxText::Listed(_) => Err(c.unexpected("text", "a text", "the index of a string")),
            }),
            DmxValue::Bytes(items) => each(c, items, 4, |c, it| {
                let len = c.count::<u32>("byte count", it.len(), 1)?;
                c.bytes("bytes", it, len)
            }),
            DmxValue::Id(_) if has_times => Err(c.unexpected(FIELD, "a time", "an id")),
            DmxValue::Time(_) if !has_times => Err(c.unexpected(FIELD, "an id", "a time")),
            DmxValue::Id(items) => fields(c, items),
            DmxValue::Time(items) => fields(c, items),
            DmxValue::Color(items) => fields(c, items),
            DmxValue::Vec2(items) => fields(c, items),
            DmxValue::Vec3(items) | DmxValue::Angles(items) => fields(c, items),
            DmxValue::Vec4(items) | DmxValue::Quaternion(items) => fields(c, items),
            DmxValue::Matrix(items) => each(c, items, 64, |c, it| c.field("value", &mut **it)),
        }
    }

    fn link<C: Codec>(self, c: &mut C, link: &mut DmxLink) -> Result<(), FormatError> {
        let at = c.offset();
        let mut number = match link {
            DmxLink::None => LINK_NONE,
            DmxLink::Element(index) => i32::try_from(*index).unwrap_or(i32::MAX),
            DmxLink::External(_) => LINK_EXTERNAL,
        };
        c.field("element index", &mut number)?;
        match (number, u32::try_from(number)) {
            (_, Ok(index)) if (index as usize) < self.n_elements => {
                *link = DmxLink::Element(index);
                Ok(())
            }
            (LINK_NONE, _) => {
                *link = DmxLink::None;
                Ok(())
            }
            (LINK_EXTERNAL, _) => {
                let mut id = match link {
                    DmxLink::External(id) => std::mem::take(id),
                    _ => Vec::new(),
                };
                text(c, "external element", &mut id)?;
                *link = DmxLink::External(id);
                Ok(())
            }
            _ => {
                let expected = format!("-2, -1, or one of {} elements", self.n_elements);
                let error = c.unexpected("element index", expected, number);
                Err(FormatError {
                    offset: at,
                    ..error
                })
            }
        }
    }
}

/// One value, or a count and as many; one takes at least `item_size` bytes.
fn each<C: Codec, T: Clone + Default>(
    c: &mut C,
    items: &mut DmxItems<T>,
    item_size: usize,
    mut walk: impl FnMut(&mut C, &mut T) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    match items {
        DmxItems::One(item) => walk(c, item),
        DmxItems::List(list) => c.items("item count", item_size, list, walk),
    }
}

/// [`each`], of values that are fields.
fn fields<C: Codec, T: Field<()>>(c: &mut C, items: &mut DmxItems<T>) -> Result<(), FormatError> {
    match items {
        DmxItems::One(item) => c.field("value", item),
        DmxItems::List(list) => c.list("item count", "value", list),
    }
}
