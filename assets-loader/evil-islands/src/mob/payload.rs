//! Values of nodes that hold no nodes, as bytes.
//!
//! Document: Evil Islands dossier, section 11.2.

use super::value::PLAYERS;
use super::{Diplomacy, FORMAT, LeverStats, Script, StringItem, UnitStats, Value, ValueType};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::record::{Codec, FixedSize, Record};

/// Bytes of a node before what it holds: its id and size.
pub(super) const HEAD_SIZE: usize = NodeHead::SIZE;
/// Bytes of a point.
pub(super) const POINT_SIZE: usize = <[f32; 2]>::SIZE;

/// What a node begins with.
#[derive(Record)]
pub(super) struct NodeHead {
    #[field("node id")]
    pub(super) id: u32,
    /// Bytes, these included.
    #[field("node size")]
    pub(super) size: u32,
}

/// Bytes that a value of this type always takes; `None` if they vary.
pub(super) fn fixed_len(value_type: ValueType) -> Option<usize> {
    Some(match value_type {
        ValueType::Null => 0,
        ValueType::Byte => 1,
        ValueType::Dword | ValueType::Float => 4,
        ValueType::Plot => <[f32; 3]>::SIZE,
        ValueType::Quaternion | ValueType::Rectangle => <[f32; 4]>::SIZE,
        ValueType::Diplomacy => Diplomacy::SIZE,
        ValueType::LeverStats => LeverStats::SIZE,
        ValueType::UnitStats => UnitStats::SIZE,
        ValueType::Record
        | ValueType::String
        | ValueType::StringArray
        | ValueType::Script
        | ValueType::AreaArray
        | ValueType::PointArray
        | ValueType::AiGraph
        | ValueType::Raw => return None,
    })
}

/// Reads all of `r` as a value that is no record. `name` is that of the node.
pub(super) fn read(
    value_type: ValueType,
    mut r: Reader<'_>,
    name: &'static str,
) -> Result<Value, FormatError> {
    if let Some(len) = fixed_len(value_type)
        && len != r.remaining()
    {
        return Err(r.unexpected(
            name,
            format!("{len} bytes of a {value_type:?}"),
            r.remaining(),
        ));
    }
    let mut value = blank(value_type);
    walk(&mut value, &mut r, name)?;
    r.finish(name)?;
    Ok(value)
}

/// A value of nothing; of a record no nodes but bytes, for its nodes are the caller's.
fn blank(value_type: ValueType) -> Value {
    match value_type {
        ValueType::Null => Value::Null,
        ValueType::Byte => Value::Byte(0),
        ValueType::Dword => Value::Dword(0),
        ValueType::Float => Value::Float(0.0),
        ValueType::Plot => Value::Plot([0.0; 3]),
        ValueType::Quaternion => Value::Quaternion([0.0; 4]),
        ValueType::String => Value::String(Vec::new()),
        ValueType::StringArray => Value::StringArray(Vec::new()),
        ValueType::Script => Value::Script(Script::default()),
        ValueType::Rectangle => Value::Rectangle([0; 4]),
        ValueType::Diplomacy => Value::Diplomacy(Box::new([[0; PLAYERS]; PLAYERS])),
        ValueType::AreaArray => Value::AreaArray(Vec::new()),
        ValueType::PointArray => Value::PointArray(Vec::new()),
        ValueType::LeverStats => Value::LeverStats(LeverStats::default()),
        ValueType::UnitStats => Value::UnitStats(Box::default()),
        ValueType::AiGraph => Value::AiGraph(Box::default()),
        ValueType::Raw | ValueType::Record => Value::Raw(Vec::new()),
    }
}

/// Reads or writes a value, which errors call by the name of its node; of a record, nothing.
pub(super) fn walk(
    value: &mut Value,
    c: &mut impl Codec,
    name: &'static str,
) -> Result<(), FormatError> {
    match value {
        Value::Record(_) | Value::Null => Ok(()),
        Value::Byte(byte) => c.field(name, byte),
        Value::Dword(number) => c.field(name, number),
        Value::Float(number) => c.field(name, number),
        Value::Plot(plot) => c.field(name, plot),
        Value::Quaternion(quaternion) => c.field(name, quaternion),
        Value::String(bytes) | Value::Raw(bytes) => {
            c.rest(bytes);
            Ok(())
        }
        Value::StringArray(items) => c.items(name, HEAD_SIZE, items, |c, item| item.walk(c, name)),
        Value::Script(script) => {
            c.field(name, &mut script.key)?;
            let mut cipher = script.encrypted();
            c.rest(&mut cipher);
            *script = Script::decrypt(script.key, &cipher);
            Ok(())
        }
        Value::Rectangle(words) => c.field(name, words),
        Value::Diplomacy(relations) => c.field(name, &mut **relations),
        Value::AreaArray(areas) => c.list(name, name, areas),
        Value::PointArray(points) => c.list(name, name, points),
        Value::LeverStats(stats) => c.field(name, stats),
        Value::UnitStats(stats) => c.field(name, &mut **stats),
        Value::AiGraph(graph) => graph.walk(c, name),
    }
}

impl StringItem {
    fn walk(&mut self, c: &mut impl Codec, name: &'static str) -> Result<(), FormatError> {
        c.field(name, &mut self.id)?;
        let size_at = c.offset();
        let size = c.length::<u32>(name, self.text.len().saturating_add(HEAD_SIZE))?;
        let Some(len) = size.checked_sub(HEAD_SIZE) else {
            let at = Reader::nested(FORMAT, &[], size_at);
            return Err(at.unexpected(name, "a string's size of 8 or more", size));
        };
        c.bytes(name, &mut self.text, len)
    }
}
