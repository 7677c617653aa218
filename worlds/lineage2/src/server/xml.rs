//! XML as a tree of elements with their places in the text.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::str::FromStr;
use thiserror::Error;

/// Elements in each other, at most; servers have six.
const MAX_DEPTH: usize = 64;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct XmlPlace {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// Why a file of a server, or an element of it, has no meaning.
#[derive(Debug, Clone, Error)]
#[error("line {}, column {}: {kind}", place.line, place.column)]
pub struct ServerFileError {
    /// Where, for elements where they begin.
    pub place: XmlPlace,
    /// Why.
    pub kind: ServerFileErrorKind,
}

/// What is wrong.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum ServerFileErrorKind {
    /// The text is no XML.
    #[error("no XML: {0}")]
    Xml(quick_xml::Error),
    /// An element is not closed before the text ends.
    #[error("<{0}> is not closed")]
    Unclosed(String),
    /// There is text without an element.
    #[error("no XML: the file has no element")]
    NoElement,
    /// Elements are in each other too deeply.
    #[error("more than {MAX_DEPTH} elements in each other")]
    TooDeep,
    /// An attribute or a child is not there.
    #[error("<{element}> has no {what}")]
    Missing {
        /// The element.
        element: String,
        /// The attribute or child.
        what: &'static str,
    },
    /// An attribute has another form.
    #[error("{attribute} of <{element}> is {value:?}, expected {expected}")]
    BadValue {
        /// The element.
        element: String,
        /// Its attribute.
        attribute: String,
        /// What it is.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A shape has too few or too many points.
    #[error("<{element}> has {n_points} points, expected {expected}")]
    PointCount {
        /// The element.
        element: String,
        /// Points that there are.
        n_points: usize,
        /// How many it should have.
        expected: &'static str,
    },
}

/// An element with all that is in it, but for text.
#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    /// Names in lowercase, with values.
    attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    /// The first comment before any child: some servers have names there.
    pub comment: Option<String>,
    pub place: XmlPlace,
}

/// Reads all elements.
pub(super) fn read_elements(text: &[u8]) -> Result<Vec<Element>, ServerFileError> {
    let mut reader = Reader::from_reader(text);
    let mut places = Places::new(text);
    // Those that are open, in an outermost one that is not there.
    let mut open = vec![Element::new(String::new(), XmlPlace::default())];
    loop {
        let place = places.at(reader.buffer_position());
        let failed = |kind| ServerFileError { place, kind };
        let (element, is_empty) = match reader.read_event() {
            Ok(Event::Start(start)) => (Element::from_start(&start, place)?, false),
            Ok(Event::Empty(start)) => (Element::from_start(&start, place)?, true),
            Ok(Event::Comment(comment)) => {
                if let Some(last) = open.last_mut()
                    && last.children.is_empty()
                    && last.comment.is_none()
                {
                    let text = String::from_utf8_lossy(&comment);
                    last.comment = Some(text.trim().to_owned());
                }
                continue;
            }
            Ok(Event::End(_)) => {
                close(&mut open);
                continue;
            }
            Ok(Event::Eof) => break,
            Ok(_) => continue,
            Err(error) => {
                let place = places.at(reader.error_position());
                let kind = ServerFileErrorKind::Xml(error);
                return Err(ServerFileError { place, kind });
            }
        };
        if open.len() > MAX_DEPTH {
            return Err(failed(ServerFileErrorKind::TooDeep));
        }
        open.push(element);
        if is_empty {
            close(&mut open);
        }
    }
    if open.len() > 1
        && let Some(last) = open.pop()
    {
        return Err(last.failed(ServerFileErrorKind::Unclosed(last.name.clone())));
    }
    let roots = open.pop().map(|root| root.children).unwrap_or_default();
    match roots.is_empty() && !text.trim_ascii().is_empty() {
        true => Err(ServerFileError {
            place: XmlPlace { line: 1, column: 1 },
            kind: ServerFileErrorKind::NoElement,
        }),
        false => Ok(roots),
    }
}

/// Puts the innermost element into that around it.
fn close(open: &mut Vec<Element>) {
    if open.len() > 1
        && let Some(closed) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(closed);
    }
}

impl Element {
    fn new(name: String, place: XmlPlace) -> Self {
        Self {
            name,
            attributes: Vec::new(),
            children: Vec::new(),
            comment: None,
            place,
        }
    }

    fn from_start(start: &BytesStart<'_>, place: XmlPlace) -> Result<Self, ServerFileError> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut element = Self::new(text(start.name().as_ref()), place);
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| {
                element.failed(ServerFileErrorKind::Xml(quick_xml::Error::InvalidAttr(
                    error,
                )))
            })?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            // Names in another encoding are shown as far as they are readable.
            let value = value.map_or_else(|_| text(&attribute.value), std::borrow::Cow::into_owned);
            let name = text(attribute.key.as_ref()).to_ascii_lowercase();
            element.attributes.push((name, value));
        }
        Ok(element)
    }

    pub fn failed(&self, kind: ServerFileErrorKind) -> ServerFileError {
        ServerFileError {
            place: self.place,
            kind,
        }
    }

    pub fn missing(&self, what: &'static str) -> ServerFileError {
        self.failed(ServerFileErrorKind::Missing {
            element: self.name.clone(),
            what,
        })
    }

    pub fn bad_value(&self, attribute: &str, expected: &'static str) -> ServerFileError {
        self.failed(ServerFileErrorKind::BadValue {
            element: self.name.clone(),
            attribute: attribute.to_owned(),
            value: self.attribute(attribute).unwrap_or_default().to_owned(),
            expected,
        })
    }

    /// The value of an attribute, whose name is given in lowercase.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(own, _)| own == name);
        found.map(|(_, value)| &**value)
    }

    /// The number that an attribute is, if it is there.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, ServerFileError> {
        let Some(value) = self.attribute(name) else {
            return Ok(None);
        };
        let number = value.trim().parse();
        let number = number.map_err(|_| self.bad_value(name, "a whole number"))?;
        Ok(Some(number))
    }

    /// The number that an attribute is.
    pub fn needed<T: FromStr>(&self, name: &'static str) -> Result<T, ServerFileError> {
        self.number(name)?.ok_or_else(|| self.missing(name))
    }

    pub fn children_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        let is_named = move |child: &&Self| child.name.eq_ignore_ascii_case(name);
        self.children.iter().filter(is_named)
    }

    pub fn child(&self, name: &str) -> Option<&Self> {
        let mut children = self.children.iter();
        children.find(|child| child.name.eq_ignore_ascii_case(name))
    }
}

/// Lines and columns of offsets that rise.
struct Places<'a> {
    text: &'a [u8],
    n_counted: usize,
    line_start: usize,
    line: usize,
}

impl<'a> Places<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            n_counted: 0,
            line_start: 0,
            line: 1,
        }
    }

    fn at(&mut self, offset: u64) -> XmlPlace {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let offset = offset.min(self.text.len());
        while self.n_counted < offset {
            if self.text[self.n_counted] == b'\n' {
                self.line += 1;
                self.line_start = self.n_counted + 1;
            }
            self.n_counted += 1;
        }
        // An error may be before what was counted, in the same line or one before; the line is right then, too, as the
        // reader reports errors in what it has just read.
        let before = self.text.get(self.line_start..offset).unwrap_or_default();
        let is_continued = |byte: &&u8| **byte & 0xC0 == 0x80;
        let n_chars = before.len() - before.iter().filter(is_continued).count();
        XmlPlace {
            line: self.line,
            column: n_chars + 1,
        }
    }
}
