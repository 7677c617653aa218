//! Nodes: an id, a length, and what the format string says (dossier sections 6.1 to 6.3).

use super::schema::{FieldType, part_type};
use super::{FORMAT, Tolerance};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::{Codec, Field};

/// Largest length of the short form.
const MAX_SHORT: u32 = 127;
/// Largest length of the long form.
const MAX_LONG: u32 = (1 << 31) - 1;

/// A node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is among its siblings: for fields the index of the column.
    pub id: u8,
    /// A length that would fit into one byte takes four.
    pub is_long: bool,
    /// What it holds.
    pub value: Value,
}

/// What a node holds. Letters are those of the format strings.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `S`: raw CP1251; a terminating NUL may be part of it.
    Text(Vec<u8>),
    /// `I`.
    Int(i32),
    /// `U`.
    Uint(u32),
    /// `F`.
    Float(f32),
    /// `B`: 0 or 1, other numbers are kept.
    Bool(u8),
    /// `b`: as [`Self::Bool`].
    Bools(Vec<u8>),
    /// `f`.
    Floats(Vec<f32>),
    /// `i`.
    Ints(Vec<i32>),
    /// `X`: shops 1 to 5 at bits 0, 2, 4, 6, 8; the others are kept.
    Flags(u32),
    /// `T`: raw ticks.
    Time(u32),
    /// `H`, undeclared columns, and whatever does not fit its type.
    Raw(Vec<u8>),
    /// `s`: texts. `1` to `3`: parts. `4` and `5`: records of parts. Also records of a table, fields of a record.
    Nodes(Nodes),
}

/// Nodes in a node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nodes {
    /// In file order.
    pub nodes: Vec<Node>,
    /// Bytes after the last whole node.
    pub rest: Vec<u8>,
}

/// What a node is to hold.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// Records of these columns.
    Table(&'static str),
    /// Fields of these columns.
    Record(&'static str),
    /// A value.
    Field(FieldType),
}

/// The beginning of a node.
#[derive(Default)]
pub(super) struct NodeHead {
    pub id: u8,
    pub is_long: bool,
    pub length: u32,
}

impl NodeHead {
    /// Takes it.
    pub fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let mut head = Self::default();
        head.walk(r)?;
        Ok(head)
    }

    /// Reads or writes it. The lowest bit of the length says whether it takes four bytes instead of one.
    pub fn walk(&mut self, c: &mut impl Codec) -> Result<(), FormatError> {
        c.field("node id", &mut self.id)?;
        let is_long = match c.reader() {
            Some(r) => r.peek("node length")?.map(|byte| byte & 1 == 1) == [true],
            None => self.is_long || self.length > MAX_SHORT,
        };
        self.length = match is_long {
            true => {
                let mut stored = self.length << 1 | 1;
                c.field("node length", &mut stored)?;
                stored >> 1
            }
            false => {
                let mut stored = (self.length << 1) as u8;
                c.field("node length", &mut stored)?;
                (stored >> 1).into()
            }
        };
        self.is_long = is_long && self.length <= MAX_SHORT;
        Ok(())
    }
}

pub(super) fn write_head(
    w: &mut Writer,
    id: u8,
    is_long: bool,
    length: u64,
) -> Result<(), FormatError> {
    let Ok(length @ ..=MAX_LONG) = u32::try_from(length) else {
        return Err(w.too_large("node length", length, MAX_LONG.into()));
    };
    let mut head = NodeHead {
        id,
        is_long,
        length,
    };
    head.walk(w)
}

impl Node {
    /// A node whose length takes as few bytes as it can.
    pub fn new(id: u8, value: Value) -> Self {
        Self {
            id,
            is_long: false,
            value,
        }
    }

    /// The nodes in it; none where it holds a value.
    pub fn children(&self) -> &[Node] {
        match &self.value {
            Value::Nodes(nodes) => &nodes.nodes,
            _ => &[],
        }
    }

    /// The first node in it with that id.
    pub fn child(&self, id: u8) -> Option<&Node> {
        self.children().iter().find(|node| node.id == id)
    }

    pub(super) fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self { id, is_long, value } = self;
        let mut content = Writer::new(FORMAT);
        value.write(&mut content)?;
        write_head(w, *id, *is_long, content.offset())?;
        w.bytes(&content.finish());
        Ok(())
    }
}

impl Nodes {
    /// Nodes and nothing else.
    pub fn from_nodes(nodes: Vec<Node>) -> Self {
        Self {
            nodes,
            rest: Vec::new(),
        }
    }
}

impl Value {
    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self::Nodes(Nodes { nodes, rest }) = self else {
            return self.clone().walk(w);
        };
        nodes.iter().try_for_each(|node| node.write(w))?;
        w.bytes(rest);
        Ok(())
    }

    /// Reads or writes a value without nodes, which ends where the node does.
    pub(super) fn walk(&mut self, c: &mut impl Codec) -> Result<(), FormatError> {
        match self {
            Self::Text(bytes) | Self::Bools(bytes) | Self::Raw(bytes) => c.rest(bytes),
            Self::Int(value) => c.field("field", value)?,
            Self::Uint(value) | Self::Flags(value) | Self::Time(value) => {
                c.field("field", value)?;
            }
            Self::Float(value) => c.field("field", value)?,
            Self::Bool(value) => c.field("field", value)?,
            Self::Floats(values) => walk_all(values, c)?,
            Self::Ints(values) => walk_all(values, c)?,
            Self::Nodes(_) => (),
        }
        Ok(())
    }
}

fn walk_all<T: Field<()>>(values: &mut Vec<T>, c: &mut impl Codec) -> Result<(), FormatError> {
    let n_left = c.reader().map_or(0, Reader::remaining);
    c.fields("field", values, n_left.div_ceil(T::size(())) as u64)
}

/// Reads a node whose shape follows from its place among its siblings and its id.
pub(super) fn read_node(
    r: &mut Reader<'_>,
    tolerance: Tolerance,
    shape: impl FnOnce(&Reader<'_>, u8) -> Result<Shape, FormatError>,
) -> Result<Node, FormatError> {
    let at_node = r.clone();
    let head = NodeHead::read(r)?;
    let shape = shape(&at_node, head.id)?;
    let length = head.length as usize;
    let mut content = r.sub("node", r.position(), length)?;
    r.bytes("node", length)?;
    Ok(Node {
        id: head.id,
        is_long: head.is_long,
        value: read_value(&mut content, tolerance, shape)?,
    })
}

fn read_value(
    r: &mut Reader<'_>,
    tolerance: Tolerance,
    shape: Shape,
) -> Result<Value, FormatError> {
    let field = match shape {
        Shape::Table(format) => {
            return read_nodes(r, tolerance, |_, _, _| Ok(Shape::Record(format)));
        }
        Shape::Record(format) => {
            return read_nodes(r, tolerance, |at, _, id| column(at, tolerance, format, id));
        }
        Shape::Field(field) => field,
    };
    if field.size().is_some_and(|size| !size.fits(r.remaining())) {
        if tolerance.contains(Tolerance::VALUE_SIZE) {
            return Ok(Value::Raw(r.rest().to_vec()));
        }
        let expected = format!("a value of type {}", field.letter());
        let found = format!("{} bytes", r.remaining());
        return Err(r.unexpected("field", expected, found));
    }
    let mut value = match field {
        FieldType::Text => Value::Text(Vec::new()),
        FieldType::Int => Value::Int(0),
        FieldType::Uint => Value::Uint(0),
        FieldType::Float => Value::Float(0.0),
        FieldType::Bool => Value::Bool(0),
        FieldType::Bools => Value::Bools(Vec::new()),
        FieldType::Floats => Value::Floats(Vec::new()),
        FieldType::Ints => Value::Ints(Vec::new()),
        FieldType::Flags => Value::Flags(0),
        FieldType::Time => Value::Time(0),
        FieldType::Raw | FieldType::Undeclared => Value::Raw(Vec::new()),
        FieldType::Texts => read_nodes(r, tolerance, |_, _, _| Ok(Shape::Field(FieldType::Text)))?,
        FieldType::Parts(_) => read_nodes(r, tolerance, |at, place, id| {
            part(at, tolerance, field, place, id)
        })?,
        FieldType::Responses | FieldType::ResponsesWithNumber => {
            read_nodes(r, tolerance, |_, _, _| {
                Ok(Shape::Field(FieldType::Response))
            })?
        }
        FieldType::Response => read_nodes(r, tolerance, |_, _, id| {
            Ok(Shape::Field(FieldType::from_response_part(id)))
        })?,
    };
    value.walk(r)?;
    Ok(value)
}

/// Reads nodes to the end of the node around them.
fn read_nodes(
    r: &mut Reader<'_>,
    tolerance: Tolerance,
    shape: impl Fn(&Reader<'_>, usize, u8) -> Result<Shape, FormatError>,
) -> Result<Value, FormatError> {
    let mut nodes = Vec::new();
    while r.remaining() > 0 {
        let at_node = r.clone();
        let place = nodes.len();
        match read_node(r, tolerance, |at, id| shape(at, place, id)) {
            Ok(node) => nodes.push(node),
            Err(error) => {
                // Only a node that reaches out of its parent is waived here; every other rule has its own flag.
                let is_cut = matches!(error.kind, FormatErrorKind::Truncated { .. });
                if !is_cut || !tolerance.contains(Tolerance::UNTILED) {
                    return Err(error);
                }
                let mut at_node = at_node;
                let rest = at_node.rest().to_vec();
                *r = at_node;
                return Ok(Value::Nodes(Nodes { nodes, rest }));
            }
        }
    }
    Ok(Value::Nodes(Nodes::from_nodes(nodes)))
}

/// The shape of a record's field.
fn column(
    at: &Reader<'_>,
    tolerance: Tolerance,
    format: &'static str,
    id: u8,
) -> Result<Shape, FormatError> {
    match FieldType::from_column(format, id) {
        Some(field) => Ok(Shape::Field(field)),
        None if tolerance.contains(Tolerance::UNKNOWN_FIELD) => {
            Ok(Shape::Field(FieldType::Undeclared))
        }
        None => {
            let expected = format!("a column below {}", format.len());
            Err(at.unexpected("field id", expected, id))
        }
    }
}

/// The shape of a part of a sub-record: that of its place.
fn part(
    at: &Reader<'_>,
    tolerance: Tolerance,
    field: FieldType,
    place: usize,
    id: u8,
) -> Result<Shape, FormatError> {
    let (expected, part) = part_type(field, place);
    if expected != Some(id) && !tolerance.contains(Tolerance::PART_IDS) {
        let expected = match expected {
            Some(id) => format!("part {id}"),
            None => "no more parts".to_owned(),
        };
        return Err(at.unexpected("part id", expected, id));
    }
    Ok(Shape::Field(part))
}
