//! The databases of the game: `*.idb`, `*.ldb`, `*.pdb`, `*.sdb`, `*.udb`, `*.qdb`, `acks.db`, `prints.db`
//! (dossier section 6).
//!
//! A tree of nodes: tables of records of fields. What a field holds, the format string of its table says
//! ([`schema`]). In: bytes, or JSON, or CSV of a table. Out: the same, either way.
//!
//! Deliberately absent: the meaning of numbers, references from one database to another.

mod cells;
mod check;
mod conversion;
mod csv;
mod format;
mod json;
mod node;
pub mod schema;
#[cfg(test)]
mod tests;

use bitflags::bitflags;

pub use self::node::{Node, Nodes, Value};
use self::node::{NodeHead, Shape, read_node};
pub use self::schema::{DbKind, TableSchema};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::Format;

const FORMAT: &str = Db::NAME;
/// What follows the last table in every known file: an empty node, and a node of a node of the number 1.
pub const TRAILER: [u8; 10] = [0x00, 0x00, 0x02, 0x0C, 0x02, 0x08, 0x01, 0x00, 0x00, 0x00];

/// A database.
#[derive(Debug, Clone, PartialEq)]
pub struct Db {
    /// Which tables there are.
    pub kind: DbKind,
    /// The node around everything.
    outer: Outer,
    /// Tables in the order of [`DbKind::tables`]: nodes of records, which are nodes of fields. A field's id is the
    /// index of its column.
    pub tables: Vec<Node>,
    /// What follows the last table: see [`TRAILER`].
    pub trailer: Vec<u8>,
}

/// The head of the node around everything, which the game does not look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outer {
    id: u8,
    is_long: bool,
    length: OuterLength,
}

/// What the length of the outer node covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OuterLength {
    /// Tables and trailer.
    All,
    /// The tables.
    Tables,
    /// Neither.
    Other(u32),
}

bitflags! {
    /// Rules of the strict reader (dossier section 6.5) that can be waived, one flag each. What they were broken by
    /// is kept as raw bytes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// A value of another size than its type has.
        const VALUE_SIZE = 1 << 0;
        /// Nodes that do not fill the node around them.
        const UNTILED = 1 << 1;
        /// A field whose id has no column.
        const UNKNOWN_FIELD = 1 << 2;
        /// A part of a sub-record with another id than its place has.
        const PART_IDS = 1 << 3;
        /// Fewer tables than the database has.
        const MISSING_TABLE = 1 << 4;
        /// Another trailer than all known files have.
        const TRAILER = 1 << 5;
        /// A length of the outer node that is neither that of the tables nor that of all.
        const OUTER_LENGTH = 1 << 6;
    }
}

impl Tolerance {
    /// No leniency.
    pub const STRICT: Self = Self::empty();
}

impl Db {
    /// A fresh database; `tables` hold the records of each table, in the order of [`DbKind::tables`].
    pub fn draft(kind: DbKind, tables: Vec<Vec<Node>>) -> Self {
        let tables = tables.into_iter().zip(0..);
        Self {
            kind,
            outer: Outer {
                id: 0,
                is_long: false,
                length: OuterLength::All,
            },
            tables: tables
                .map(|(records, id)| Node::new(id, Value::Nodes(Nodes::from_nodes(records))))
                .collect(),
            trailer: TRAILER.to_vec(),
        }
    }

    /// Reads a whole file by the strict rules. Its kind is known by its name: [`DbKind::from_file_name`].
    ///
    /// # Errors
    /// Names the broken rule and its offset in the file.
    pub fn read(data: &[u8], kind: DbKind) -> Result<Self, FormatError> {
        Self::read_with(data, kind, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    ///
    /// # Errors
    /// A broken rule that is not waived.
    pub fn read_with(data: &[u8], kind: DbKind, tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let head = NodeHead::read(&mut r)?;
        let n_after_head = r.remaining();
        let mut tables = Vec::new();
        for table in kind.tables() {
            if tolerance.contains(Tolerance::MISSING_TABLE) && !holds_node(&r) {
                // What is left is no table: it is kept as the trailer.
                break;
            }
            let table_shape = |_: &Reader<'_>, _| Ok(Shape::Table(table.format));
            let node = read_node(&mut r, tolerance, table_shape);
            tables.push(node.map_err(|error| error.in_entry(table.name))?);
        }
        let n_tables = n_after_head.saturating_sub(r.remaining());
        let length = match head.length {
            length if length as usize == n_after_head => OuterLength::All,
            length if length as usize == n_tables => OuterLength::Tables,
            length if tolerance.contains(Tolerance::OUTER_LENGTH) => OuterLength::Other(length),
            length => {
                let expected = format!("{n_after_head} or {n_tables} bytes");
                return Err(Reader::new(FORMAT, data).unexpected("outer length", expected, length));
            }
        };
        let at_trailer = r.clone();
        let trailer = r.rest();
        if trailer != TRAILER && !tolerance.contains(Tolerance::TRAILER) {
            let expected = "00 00 02 0C 02 08 01 00 00 00";
            let found = format!("{} bytes that are other", trailer.len());
            return Err(at_trailer.unexpected("trailer", expected, found));
        }
        Ok(Self {
            kind,
            outer: Outer {
                id: head.id,
                is_long: head.is_long,
                length,
            },
            tables,
            trailer: trailer.to_vec(),
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// A node of more than 31 bits of bytes.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            kind: _,
            outer,
            tables,
            trailer,
        } = self;
        let mut content = Writer::new(FORMAT);
        for table in tables {
            table.write(&mut content)?;
        }
        let n_tables = content.offset();
        content.bytes(trailer);
        let length = match outer.length {
            OuterLength::All => content.offset(),
            OuterLength::Tables => n_tables,
            OuterLength::Other(length) => length.into(),
        };
        let mut w = Writer::new(FORMAT);
        node::write_head(&mut w, outer.id, outer.is_long, length)?;
        w.bytes(&content.finish());
        Ok(w.finish())
    }

    /// The records of a table, by its name in [`DbKind::tables`].
    pub fn records(&self, table: &str) -> Option<&[Node]> {
        let index = self.kind.tables().iter().position(|it| it.name == table)?;
        Some(self.tables.get(index)?.children())
    }

    /// The value of a record's field, by the names in [`TableSchema::fields`]; the first if it is repeated.
    pub fn field<'a>(&self, table: &str, record: &'a Node, field: &str) -> Option<&'a Value> {
        let schema = self.kind.tables().iter().find(|it| it.name == table)?;
        let (id, _) = schema.fields.iter().find(|(_, name)| *name == field)?;
        Some(&record.child(*id)?.value)
    }
}

/// Whether a file with this beginning and length may be a database: the node around everything fits.
pub fn may_be_one(head: &[u8], file_len: u64) -> bool {
    let mut r = Reader::new(FORMAT, head);
    let outer = NodeHead::read(&mut r);
    outer.is_ok_and(|outer| u64::from(outer.length) <= file_len.saturating_sub(r.position() as u64))
}

/// Whether a whole node follows.
fn holds_node(r: &Reader<'_>) -> bool {
    let mut r = r.clone();
    let head = NodeHead::read(&mut r);
    head.is_ok_and(|head| head.length as usize <= r.remaining())
}
