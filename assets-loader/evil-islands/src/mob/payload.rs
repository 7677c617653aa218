//! Values of nodes that hold no nodes, as bytes.
//!
//! Document: Evil Islands dossier, section 11.2.

use super::unit_stats;
use super::value::PLAYERS;
use super::{Area, LeverStats, Script, StringItem, UnitStats, Value, ValueType};
use crate::ai_graph::AiGraph;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// Bytes of a node before what it holds: its id and size.
pub(super) const HEAD_SIZE: usize = 8;
/// Bytes of a circle, and of a point.
pub(super) const AREA_SIZE: usize = 12;
pub(super) const POINT_SIZE: usize = 8;

/// Bytes that a value of this type always takes; `None` if they vary.
pub(super) fn fixed_len(value_type: ValueType) -> Option<usize> {
    Some(match value_type {
        ValueType::Null => 0,
        ValueType::Byte => 1,
        ValueType::Dword | ValueType::Float => 4,
        ValueType::Plot | ValueType::LeverStats => 12,
        ValueType::Quaternion | ValueType::Rectangle => 16,
        ValueType::Diplomacy => 4096,
        ValueType::UnitStats => unit_stats::SIZE,
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
    let value = match value_type {
        ValueType::Null => Value::Null,
        ValueType::Byte => Value::Byte(r.u8(name)?),
        ValueType::Dword => Value::Dword(r.u32(name)?),
        ValueType::Float => Value::Float(r.f32(name)?),
        ValueType::Plot => Value::Plot(r.f32x3(name)?),
        ValueType::Quaternion => {
            let w = r.f32(name)?;
            let [x, y, z] = r.f32x3(name)?;
            Value::Quaternion([w, x, y, z])
        }
        ValueType::String => Value::String(r.rest().to_vec()),
        ValueType::StringArray => read_strings(&mut r, name)?,
        ValueType::Script => {
            let key = r.u32(name)?;
            Value::Script(Script::decrypt(key, r.rest()))
        }
        ValueType::Rectangle => {
            Value::Rectangle([r.u32(name)?, r.u32(name)?, r.u32(name)?, r.u32(name)?])
        }
        ValueType::Diplomacy => {
            let mut relations = Box::new([[0; PLAYERS]; PLAYERS]);
            for relation in relations.as_flattened_mut() {
                *relation = r.i32(name)?;
            }
            Value::Diplomacy(relations)
        }
        ValueType::AreaArray => {
            let count = r.count(name, AREA_SIZE)?;
            let areas = (0..count).map(|_| {
                let [x, y, radius] = r.f32x3(name)?;
                let center = [x, y];
                Ok(Area { center, radius })
            });
            Value::AreaArray(areas.collect::<Result<_, FormatError>>()?)
        }
        ValueType::PointArray => {
            let count = r.count(name, POINT_SIZE)?;
            let points = (0..count).map(|_| Ok([r.f32(name)?, r.f32(name)?]));
            Value::PointArray(points.collect::<Result<_, FormatError>>()?)
        }
        ValueType::LeverStats => Value::LeverStats(LeverStats {
            open_type: r.u32(name)?,
            key_id: r.u32(name)?,
            sleight_of_hand: r.u32(name)?,
        }),
        ValueType::UnitStats => Value::UnitStats(Box::new(UnitStats::read(&mut r)?)),
        ValueType::AiGraph => Value::AiGraph(Box::new(AiGraph::read(&mut r, name)?)),
        ValueType::Raw | ValueType::Record => Value::Raw(r.rest().to_vec()),
    };
    r.finish(name)?;
    Ok(value)
}

fn read_strings(r: &mut Reader<'_>, name: &'static str) -> Result<Value, FormatError> {
    let count = r.count(name, HEAD_SIZE)?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        let id = r.u32(name)?;
        let at = r.clone();
        let size = r.u32(name)?;
        let Some(len) = (size as usize).checked_sub(HEAD_SIZE) else {
            return Err(at.unexpected(name, "a string's size of 8 or more", size));
        };
        let text = r.bytes(name, len)?.to_vec();
        items.push(StringItem { id, text });
    }
    Ok(Value::StringArray(items))
}

/// Writes a value; of a record nothing, for its nodes are the caller's.
pub(super) fn write(value: &Value, w: &mut Writer, name: &'static str) -> Result<(), FormatError> {
    match value {
        Value::Record(_) | Value::Null => {}
        Value::Byte(byte) => w.u8(*byte),
        Value::Dword(number) => w.u32(*number),
        Value::Float(number) => w.f32(*number),
        Value::Plot(plot) => w.f32x3(*plot),
        Value::Quaternion(quaternion) => quaternion.iter().for_each(|it| w.f32(*it)),
        Value::String(bytes) | Value::Raw(bytes) => w.bytes(bytes),
        Value::StringArray(items) => {
            w.count(name, items.len())?;
            for StringItem { id, text } in items {
                w.u32(*id);
                w.count(name, text.len().saturating_add(HEAD_SIZE))?;
                w.bytes(text);
            }
        }
        Value::Script(script) => {
            w.u32(script.key);
            w.bytes(&script.encrypted());
        }
        Value::Rectangle(words) => words.iter().for_each(|it| w.u32(*it)),
        Value::Diplomacy(relations) => relations.as_flattened().iter().for_each(|it| w.i32(*it)),
        Value::AreaArray(areas) => {
            w.count(name, areas.len())?;
            for Area { center, radius } in areas {
                let [x, y] = *center;
                w.f32x3([x, y, *radius]);
            }
        }
        Value::PointArray(points) => {
            w.count(name, points.len())?;
            points.as_flattened().iter().for_each(|it| w.f32(*it));
        }
        Value::LeverStats(stats) => {
            let LeverStats {
                open_type,
                key_id,
                sleight_of_hand,
            } = stats;
            for word in [open_type, key_id, sleight_of_hand] {
                w.u32(*word);
            }
        }
        Value::UnitStats(stats) => stats.write(w),
        Value::AiGraph(graph) => graph.write(w),
    }
    Ok(())
}
