//! What nodes hold.
//!
//! Document: Evil Islands dossier, section 11.2.

use std::borrow::Cow;

use super::{Node, Script, UnitStats};
use crate::ai_graph::AiGraph;
use ironlands_assets_core::record::Record;
use ironlands_assets_core::text::decode_cp1251;

/// Players that the table of relations knows.
pub const PLAYERS: usize = 32;

/// Relations of each player to each, row by row.
pub type Diplomacy = [[i32; PLAYERS]; PLAYERS];

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nodes.
    Record(Vec<Node>),
    /// Nothing.
    Null,
    /// A byte, also for yes and no.
    Byte(u8),
    /// 32 bits, with or without a sign.
    Dword(u32),
    /// A number.
    Float(f32),
    /// A place, direction or color.
    Plot([f32; 3]),
    /// An active rotation: w, x, y, z.
    Quaternion([f32; 4]),
    /// CP1251, without a NUL behind it.
    String(Vec<u8>),
    /// Strings, each a small node of its own.
    StringArray(Vec<StringItem>),
    /// An encrypted script.
    Script(Script),
    /// Four words; whether whole numbers or floats is not known.
    Rectangle([u32; 4]),
    /// Relations of the players.
    Diplomacy(Box<Diplomacy>),
    /// Circles.
    AreaArray(Vec<Area>),
    /// Points: x, y.
    PointArray(Vec<[f32; 2]>),
    /// How a lever is opened.
    LeverStats(LeverStats),
    /// Statistics of a unit.
    UnitStats(Box<UnitStats>),
    /// The movement graph.
    AiGraph(Box<AiGraph>),
    /// Bytes of a node that is not known, or whose size is not that of its type.
    Raw(Vec<u8>),
}

/// The type of a [`Value`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the type of the value of its name")]
pub enum ValueType {
    Record,
    Null,
    Byte,
    Dword,
    Float,
    Plot,
    Quaternion,
    String,
    StringArray,
    Script,
    Rectangle,
    Diplomacy,
    AreaArray,
    PointArray,
    LeverStats,
    UnitStats,
    AiGraph,
    Raw,
}

/// A string of an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StringItem {
    /// Id of the small node: that of the array's node, in all files that are known.
    pub id: u32,
    /// CP1251.
    pub text: Vec<u8>,
}

/// A circle on the ground, meters.
#[derive(Debug, Clone, Copy, PartialEq, Record)]
pub struct Area {
    /// Middle: x, y.
    #[field]
    pub center: [f32; 2],
    /// Radius.
    #[field]
    pub radius: f32,
}

/// How a lever is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Record)]
pub struct LeverStats {
    /// 0 not at all, 1 by hand, 2 by picklock, 4 by crowbar, 5 by hand or crowbar, 8 by key, 9 by hand or key.
    #[field]
    pub open_type: u32,
    /// Number of the key.
    #[field]
    pub key_id: u32,
    /// Sleight of hand that it takes.
    #[field]
    pub sleight_of_hand: u32,
}

impl Value {
    /// Its type.
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::Record(_) => ValueType::Record,
            Self::Null => ValueType::Null,
            Self::Byte(_) => ValueType::Byte,
            Self::Dword(_) => ValueType::Dword,
            Self::Float(_) => ValueType::Float,
            Self::Plot(_) => ValueType::Plot,
            Self::Quaternion(_) => ValueType::Quaternion,
            Self::String(_) => ValueType::String,
            Self::StringArray(_) => ValueType::StringArray,
            Self::Script(_) => ValueType::Script,
            Self::Rectangle(_) => ValueType::Rectangle,
            Self::Diplomacy(_) => ValueType::Diplomacy,
            Self::AreaArray(_) => ValueType::AreaArray,
            Self::PointArray(_) => ValueType::PointArray,
            Self::LeverStats(_) => ValueType::LeverStats,
            Self::UnitStats(_) => ValueType::UnitStats,
            Self::AiGraph(_) => ValueType::AiGraph,
            Self::Raw(_) => ValueType::Raw,
        }
    }

    /// The byte of a [`Self::Byte`].
    pub fn as_byte(&self) -> Option<u8> {
        match self {
            Self::Byte(byte) => Some(*byte),
            _ => None,
        }
    }

    /// The number of a [`Self::Dword`].
    pub fn as_dword(&self) -> Option<u32> {
        match self {
            Self::Dword(number) => Some(*number),
            _ => None,
        }
    }

    /// The number of a [`Self::Float`].
    pub fn as_float(&self) -> Option<f32> {
        match self {
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The numbers of a [`Self::Plot`].
    pub fn as_plot(&self) -> Option<[f32; 3]> {
        match self {
            Self::Plot(plot) => Some(*plot),
            _ => None,
        }
    }

    /// The numbers of a [`Self::Quaternion`]: w, x, y, z.
    pub fn as_quaternion(&self) -> Option<[f32; 4]> {
        match self {
            Self::Quaternion(quaternion) => Some(*quaternion),
            _ => None,
        }
    }

    /// The text of a [`Self::String`].
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::String(text) => Some(decode_cp1251(text)),
            _ => None,
        }
    }

    /// The texts of a [`Self::StringArray`].
    pub fn as_texts(&self) -> Option<Vec<String>> {
        match self {
            Self::StringArray(items) => Some(items.iter().map(StringItem::to_text).collect()),
            _ => None,
        }
    }
}

impl StringItem {
    /// The text, decoded.
    pub fn to_text(&self) -> String {
        decode_cp1251(&self.text).into_owned()
    }
}
