//! Nodes by name and path, and changes that keep to the types of the table.
//!
//! A path names a node from the top of the file down, as in `OBJECTDBFILE/OBJECTSECTION/UNIT[3]/NID`: names or ids
//! (`0x0000b002`) between slashes, each with the number of the node among its siblings of that id; without a number it
//! is the first. Names stand in any case.

use thiserror::Error;

use super::{Mob, Node, NodeKind, Script, Value, ValueType, node_id};
use ironlands_assets_core::text::encode_cp1251;

/// Key of scripts that are new in a file; any works.
const NEW_SCRIPT_KEY: u32 = 1;

/// Why a change cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    /// No node is at the end of the path.
    #[error("{path}: no such node")]
    NoSuchNode {
        /// The path.
        path: String,
    },
    /// The path is not made as paths are.
    #[error("{part}: neither the name nor the id of a node")]
    BadPath {
        /// Its invalid part.
        part: String,
    },
    /// The value is not of the type that goes with the node.
    #[error("{node} holds a {expected:?}, not a {found:?}")]
    WrongType {
        /// Name of the node, or its id.
        node: String,
        /// Type of its value.
        expected: ValueType,
        /// Type of the value that it was to have.
        found: ValueType,
    },
    /// A text has characters that the files cannot hold.
    #[error("{text:?} has characters that CP1251 lacks")]
    NoCode {
        /// The text.
        text: String,
    },
    /// The file has no root to add to.
    #[error("the file has no OBJECTDBFILE")]
    NoRoot,
}

/// Bytes of a text.
pub(super) fn encode(text: &str) -> Result<Vec<u8>, EditError> {
    let no_code = || EditError::NoCode {
        text: text.to_owned(),
    };
    encode_cp1251(text).ok_or_else(no_code)
}

/// Name of a node by its id, or the id as in `0x00012345`.
pub fn node_name(id: u32) -> String {
    match NodeKind::from_id(id) {
        Some(kind) => kind.name.to_owned(),
        None => format!("{id:#010x}"),
    }
}

/// The id of a node by its name, or written as [`node_name`] does.
pub fn node_id_of(name: &str) -> Option<u32> {
    if let Some(kind) = NodeKind::named(name) {
        return Some(kind.id);
    }
    let digits = name
        .strip_prefix("0x")
        .or_else(|| name.strip_prefix("0X"))?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let id = u32::from_str_radix(digits, 16).ok();
    id.filter(|_| is_hex)
}

/// A part of a path: an id, and which of the nodes with it.
#[derive(Clone, Copy)]
struct Step {
    id: u32,
    idx: usize,
}

fn steps(path: &str) -> Result<Vec<Step>, EditError> {
    let step = |part: &str| {
        let (name, idx) = match part.strip_suffix(']').and_then(|it| it.split_once('[')) {
            Some((name, idx)) => (name, idx.parse().ok()),
            None => (part, Some(0)),
        };
        match (node_id_of(name), idx) {
            (Some(id), Some(idx)) => Ok(Step { id, idx }),
            _ => Err(EditError::BadPath {
                part: part.to_owned(),
            }),
        }
    };
    path.split('/').map(step).collect()
}

impl Mob {
    /// The node at a path.
    ///
    /// # Errors
    /// No path, or no node there.
    pub fn node(&self, path: &str) -> Result<&Node, EditError> {
        let steps = steps(path)?;
        let mut nodes = self.roots.as_slice();
        let mut found = None;
        for Step { id, idx } in steps {
            found = nodes.iter().filter(|node| node.id == id).nth(idx);
            nodes = found.map_or(&[], Node::children);
        }
        found.ok_or_else(|| no_such_node(path))
    }

    /// The node at a path, to be changed.
    ///
    /// # Errors
    /// As [`Self::node`].
    pub fn node_mut(&mut self, path: &str) -> Result<&mut Node, EditError> {
        let steps = steps(path)?;
        let (last, records) = steps.split_last().ok_or_else(|| no_such_node(path))?;
        let mut nodes = &mut self.roots;
        for step in records {
            let record = nth_mut(nodes, *step).ok_or_else(|| no_such_node(path))?;
            nodes = match &mut record.value {
                Value::Record(nodes) => nodes,
                _ => return Err(no_such_node(path)),
            };
        }
        nth_mut(nodes, *last).ok_or_else(|| no_such_node(path))
    }

    /// Takes the node at a path out of the file.
    ///
    /// # Errors
    /// As [`Self::node`].
    pub fn remove(&mut self, path: &str) -> Result<Node, EditError> {
        let steps = steps(path)?;
        let (last, _) = steps.split_last().ok_or_else(|| no_such_node(path))?;
        let nodes = match path.rsplit_once('/') {
            Some((record, _)) => {
                let record = self.node_mut(record).map_err(|_| no_such_node(path))?;
                match &mut record.value {
                    Value::Record(nodes) => nodes,
                    _ => return Err(no_such_node(path)),
                }
            }
            None => &mut self.roots,
        };
        let of_id = nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.id == last.id);
        let at = of_id.map(|(at, _)| at).nth(last.idx);
        at.map(|at| nodes.remove(at))
            .ok_or_else(|| no_such_node(path))
    }

    /// The root, to be changed.
    pub fn root_mut(&mut self) -> Option<&mut Node> {
        self.roots
            .iter_mut()
            .find(|node| node.id == node_id::OBJECTDBFILE)
    }

    /// All records that are placed on the map, to be changed.
    pub fn placed_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        let is_section = |node: &&mut Node| node.id == node_id::OBJECTSECTION;
        let children = self.roots.iter_mut().flat_map(Node::children_mut);
        children.filter(is_section).flat_map(Node::children_mut)
    }

    /// Replaces the script, with CR LF line ends; see [`Self::set_script_bytes`].
    ///
    /// # Errors
    /// Characters that CP1251 lacks, or a file without a root.
    pub fn set_script(&mut self, text: &str) -> Result<(), EditError> {
        let mut script = Script::default();
        script.set_text(text)?;
        self.set_script_bytes(script.text)
    }

    /// Replaces the script by bytes of CP1251: that which is encrypted, whose key stays; else the plain one of older
    /// maps; else the root has a new one.
    ///
    /// # Errors
    /// A file without a root that has no script either.
    pub fn set_script_bytes(&mut self, text: Vec<u8>) -> Result<(), EditError> {
        let mut children = self.roots.iter_mut().flat_map(Node::children_mut);
        let encrypted = children.find_map(|node| match &mut node.value {
            Value::Script(script) => Some(script),
            _ => None,
        });
        if let Some(script) = encrypted {
            script.text = text;
            return Ok(());
        }
        let mut children = self.roots.iter_mut().flat_map(Node::children_mut);
        if let Some(node) = children.find(|node| node.id == node_id::SS_TEXT_OLD) {
            node.value = Value::String(text);
            return Ok(());
        }
        let script = Script {
            key: NEW_SCRIPT_KEY,
            text,
        };
        let root = self.root_mut().ok_or(EditError::NoRoot)?;
        root.push(Node::new(node_id::SS_TEXT, Value::Script(script)))
    }

    /// Forgets how the bytes of a damaged file differ from those of a sound one: all sizes are right, and bytes that
    /// are no node are gone.
    pub fn heal(&mut self) {
        self.trailing.clear();
        self.roots.iter_mut().for_each(Node::heal);
    }
}

fn no_such_node(path: &str) -> EditError {
    EditError::NoSuchNode {
        path: path.to_owned(),
    }
}

fn nth_mut(nodes: &mut [Node], step: Step) -> Option<&mut Node> {
    let mut nodes = nodes.iter_mut().filter(|node| node.id == step.id);
    nodes.nth(step.idx)
}

impl Node {
    /// An empty record of an id.
    pub fn record(id: u32) -> Self {
        Self::new(id, Value::Record(Vec::new()))
    }

    /// Its name, or its id as in `0x00012345`.
    pub fn name(&self) -> String {
        node_name(self.id)
    }

    /// The nodes of a record, to be changed; none of any other node.
    pub fn children_mut(&mut self) -> &mut [Self] {
        match &mut self.value {
            Value::Record(nodes) => nodes,
            _ => &mut [],
        }
    }

    /// The first child with an id, to be changed.
    pub fn child_mut(&mut self, id: u32) -> Option<&mut Self> {
        self.children_mut().iter_mut().find(|node| node.id == id)
    }

    /// Replaces the value.
    ///
    /// # Errors
    /// The value is not of the type that goes with the id; raw bytes go with any.
    pub fn set(&mut self, value: Value) -> Result<(), EditError> {
        let expected = self.kind().map_or(ValueType::Raw, |kind| kind.value_type);
        let found = value.value_type();
        if found != expected && found != ValueType::Raw {
            return Err(self.wrong_type(expected, found));
        }
        self.value = value;
        Ok(())
    }

    /// Replaces the value of the first child with an id, or adds such a child behind the others.
    ///
    /// # Errors
    /// As [`Self::set`]; this node is no record.
    pub fn set_child(&mut self, id: u32, value: Value) -> Result<(), EditError> {
        if let Some(child) = self.child_mut(id) {
            return child.set(value);
        }
        let mut child = Self::new(id, Value::Null);
        child.set(value)?;
        self.push(child)
    }

    /// Adds a child behind the others.
    ///
    /// # Errors
    /// This node is no record.
    pub fn push(&mut self, child: Self) -> Result<(), EditError> {
        let found = self.value.value_type();
        match &mut self.value {
            Value::Record(nodes) => nodes.push(child),
            _ => return Err(self.wrong_type(ValueType::Record, found)),
        }
        Ok(())
    }

    fn wrong_type(&self, expected: ValueType, found: ValueType) -> EditError {
        EditError::WrongType {
            node: self.name(),
            expected,
            found,
        }
    }

    fn heal(&mut self) {
        self.odd = None;
        self.children_mut().iter_mut().for_each(Self::heal);
    }
}
