//! Nodes of a handler.

use serde::{Deserialize, Serialize};

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// The word of what a node does not have.
const NONE: i32 = -1;

/// A step of a handler.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// The function that it calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<i32>,
    /// The variable that it sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<i32>,
    /// The variable that it reads, or a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<i32>,
    /// What it does.
    pub kind: NodeKind,
    /// How it compares.
    pub relation: Relation,
    /// Variables, nodes or handlers, by its kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<i32>,
    /// Line of the formula that it computes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<i32>,
}

/// What a node does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// Calls a function, copies a variable, or computes a formula.
    #[default]
    Statement,
    /// Compares its two operands; what follows is done if that holds.
    If,
    /// Ends what depends on the last `If`.
    End,
    /// A place to go to.
    Label,
    /// Continues at a node.
    Goto,
    /// Continues in a handler.
    Switch,
    /// Ends the handler.
    Return,
    /// Sets a variable to a number, whatever holds.
    Constant,
    /// None that is known.
    Unknown(i32),
}

/// How an `If` compares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Below.
    Less,
    /// As much.
    Equal,
    /// Above.
    Greater,
    /// Not above.
    AtMost,
    /// Not below.
    AtLeast,
    /// Another.
    Differs,
    /// It does not compare.
    #[default]
    None,
    /// None that is known.
    Unknown(i32),
}

const KINDS: [(i32, NodeKind); 8] = [
    (-1, NodeKind::Statement),
    (0, NodeKind::If),
    (1, NodeKind::End),
    (2, NodeKind::Label),
    (3, NodeKind::Goto),
    (4, NodeKind::Switch),
    (5, NodeKind::Return),
    (6, NodeKind::Constant),
];

const RELATIONS: [(i32, Relation); 7] = [
    (0, Relation::Less),
    (1, Relation::Equal),
    (2, Relation::Greater),
    (3, Relation::AtMost),
    (4, Relation::AtLeast),
    (5, Relation::Differs),
    (6, Relation::None),
];

impl NodeKind {
    /// By its word.
    pub fn from_word(word: i32) -> Self {
        let known = KINDS.iter().find(|(known, _)| *known == word);
        known.map_or(Self::Unknown(word), |(_, kind)| *kind)
    }

    /// Its word.
    pub fn word(self) -> i32 {
        match self {
            Self::Unknown(word) => word,
            known => word_of(&KINDS, known),
        }
    }

    /// How many operands such a node has; `None` for any number.
    pub const fn n_operands(self) -> Option<usize> {
        match self {
            Self::Statement | Self::Unknown(_) => None,
            Self::If => Some(2),
            Self::Goto | Self::Switch => Some(1),
            Self::End | Self::Label | Self::Return | Self::Constant => Some(0),
        }
    }
}

impl Relation {
    /// By its word.
    pub fn from_word(word: i32) -> Self {
        let known = RELATIONS.iter().find(|(known, _)| *known == word);
        known.map_or(Self::Unknown(word), |(_, relation)| *relation)
    }

    /// Its word.
    pub fn word(self) -> i32 {
        match self {
            Self::Unknown(word) => word,
            known => word_of(&RELATIONS, known),
        }
    }
}

fn word_of<T: PartialEq>(words: &[(i32, T)], known: T) -> i32 {
    let found = words.iter().find(|(_, it)| *it == known);
    found.map_or(NONE, |(word, _)| *word)
}

impl Node {
    /// Seven words.
    pub(super) const MIN_SIZE: usize = 28;

    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let mut optional = |field| r.i32(field).map(|word| (word != NONE).then_some(word));
        let function = optional("function")?;
        let destination = optional("destination")?;
        let source = optional("source")?;
        let kind = NodeKind::from_word(r.i32("node kind")?);
        let relation = Relation::from_word(r.i32("relation")?);
        let n_operands = r.count("operand count", 4)?;
        let operands = (0..n_operands)
            .map(|_| r.i32("operand"))
            .collect::<Result<_, _>>()?;
        let formula = r.i32("formula")?;
        Ok(Self {
            function,
            destination,
            source,
            kind,
            relation,
            operands,
            formula: (formula != NONE).then_some(formula),
        })
    }

    pub(super) fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            function,
            destination,
            source,
            kind,
            relation,
            operands,
            formula,
        } = self;
        for word in [function, destination, source] {
            w.i32(word.unwrap_or(NONE));
        }
        w.i32(kind.word());
        w.i32(relation.word());
        w.count("operand count", operands.len())?;
        operands.iter().for_each(|operand| w.i32(*operand));
        w.i32(formula.unwrap_or(NONE));
        Ok(())
    }
}
