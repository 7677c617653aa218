//! `*.mob`: the objects, characters and scripts of a map, as a tree of nodes.
//!
//! Document: Evil Islands dossier, section 11. Little-endian. World axes (right-handed, +Z up), meters. In: a whole
//! file. Out: its nodes in file order, values typed by the table of [`node_id`]; [`view`] says what records mean.
//! Nodes that are not known, and what a damaged file has more or less than it should, are kept, so that an untouched
//! file is written back byte for byte.
//!
//! Deliberately absent: the ground that heights count from, and what scripts do.

mod check;
mod codec;
mod conversion;
pub mod draft;
pub mod edit;
mod format;
pub mod json;
pub mod node_id;
pub mod outline;
mod payload;
mod resync;
mod script;
#[cfg(test)]
mod tests;
mod unit_stats;
mod value;
pub mod view;

use bitflags::bitflags;

pub use self::node_id::NodeKind;
pub use self::script::Script;
pub use self::unit_stats::{StatValue, UnitStats};
pub use self::value::{Area, Diplomacy, LeverStats, StringItem, Value, ValueType};
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::Format;

const FORMAT: &str = Mob::NAME;
/// What a file begins with: the id of its root.
pub const MAGIC: [u8; 4] = node_id::OBJECTDBFILE.to_le_bytes();
/// Records in records beyond this many are refused; those of the game are seven deep.
pub const MAX_DEPTH: usize = 32;

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each (dossier section 11.10).
    ///
    /// Whatever is waived, all bytes are kept and written back.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// The first node may be another than `OBJECTDBFILE`.
        const OTHER_ROOT = 1 << 0;
        /// What a value holds may be more or less than its type takes. It becomes [`Value::Raw`].
        const WRONG_SIZE = 1 << 1;
        /// A node may claim more or less than it has: the end of the record around it, or what it counts itself,
        /// says where it ends.
        const MISFIT = 1 << 2;
        /// A record may end with bytes that are no node.
        const TRAILING_BYTES = 1 << 3;
        /// Records may be nested deeper than [`MAX_DEPTH`]. The deepest become [`Value::Raw`].
        const DEEP = 1 << 4;
    }
}

/// A whole file: its top-level nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mob {
    /// `OBJECTDBFILE`, and in some files the movement graph behind it.
    pub roots: Vec<Node>,
    /// Bytes after the last node that are none; empty in sound files.
    trailing: Vec<u8>,
}

/// A node: an id and what it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is, see [`node_id`].
    pub id: u32,
    /// What it holds, of the type that goes with the id, or raw.
    pub value: Value,
    odd: Option<Box<Odd>>,
}

/// How the stored bytes of a node differ from those that its value takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Odd {
    /// The stored size, and the true one for which it stands: who changes the node rights it.
    size: Option<StoredSize>,
    /// Bytes before the node that are no node.
    before: Vec<u8>,
    /// Bytes of a record after its last node.
    trailing: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StoredSize {
    stored: u32,
    real: u32,
}

impl Mob {
    /// Reads a whole file by the rules of its document.
    ///
    /// # Errors
    /// Another root, sizes that do not fit, values of another size than their type takes, and records that are nested
    /// too deep. Nodes of unknown ids are no error.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let (mob, _) = Self::read_with(data, Tolerance::empty())?;
        Ok(mob)
    }

    /// Reads a whole file, with what was wrong with it and how that was got over. With all rules waived, only a file
    /// without a byte is refused.
    ///
    /// # Errors
    /// A rule that is not waived is broken, see [`Self::read`].
    pub fn read_with(
        data: &[u8],
        tolerance: Tolerance,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        codec::read(data, tolerance)
    }

    /// Writes the file; sizes are those of what the nodes hold now.
    ///
    /// # Errors
    /// A value of another type than goes with the id of its node, a size beyond 32 bits, or records nested deeper
    /// than [`MAX_DEPTH`].
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        codec::write(self)
    }

    /// What is wrong with the map, or worth knowing. Offsets are those of the written file.
    pub fn check(&self) -> Vec<Finding> {
        check::check(self)
    }

    /// The record that holds all others: the first node `OBJECTDBFILE`.
    pub fn root(&self) -> Option<&Node> {
        self.roots
            .iter()
            .find(|node| node.id == node_id::OBJECTDBFILE)
    }
}

impl Node {
    /// A node of an id that holds a value.
    pub fn new(id: u32, value: Value) -> Self {
        Self {
            id,
            value,
            odd: None,
        }
    }

    /// What is known of its id.
    pub fn kind(&self) -> Option<&'static NodeKind> {
        NodeKind::from_id(self.id)
    }

    /// The nodes of a record; none of any other node.
    pub fn children(&self) -> &[Self] {
        match &self.value {
            Value::Record(nodes) => nodes,
            _ => &[],
        }
    }

    /// The first child with an id.
    pub fn child(&self, id: u32) -> Option<&Self> {
        self.children().iter().find(|node| node.id == id)
    }

    /// All children with an id, in file order.
    pub fn children_of(&self, id: u32) -> impl Iterator<Item = &Self> {
        self.children().iter().filter(move |node| node.id == id)
    }
}
