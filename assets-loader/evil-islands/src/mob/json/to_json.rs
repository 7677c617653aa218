//! Maps to JSON.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::FORMAT_NAME;
use crate::mob::edit::node_name;
use crate::mob::{Area, LeverStats, Mob, Node, Odd, StatValue, StringItem, Value};
use ironlands_assets_core::text::decode_cp1251;

/// Lists of more texts than this have a line for each.
const TEXTS_IN_A_LINE: usize = 8;

pub(super) fn text(mob: &Mob) -> String {
    let Mob { roots, trailing } = mob;
    let mut out = format!("{{\n\"format\": {},\n\"nodes\": [", quoted(FORMAT_NAME));
    push_nodes(&mut out, roots, 1);
    out.push(']');
    if !trailing.is_empty() {
        push(&mut out, format_args!(",\n\"trailing\": {}", hex(trailing)));
    }
    out.push_str("\n}\n");
    out
}

/// Nodes on lines of their own, and the indent of what closes them.
fn push_nodes(out: &mut String, nodes: &[Node], depth: usize) {
    let indent = "  ".repeat(depth);
    for (idx, node) in nodes.iter().enumerate() {
        let comma = if idx == 0 { "" } else { "," };
        push(out, format_args!("{comma}\n{indent}"));
        push_node(out, node, depth);
    }
    if !nodes.is_empty() {
        push(
            out,
            format_args!("\n{}", "  ".repeat(depth.saturating_sub(1))),
        );
    }
}

fn push_node(out: &mut String, node: &Node, depth: usize) {
    let Node { id, value, odd } = node;
    push(out, format_args!("{{\"node\": {}", quoted(&node_name(*id))));
    let no_odd = Odd::default();
    let Odd {
        size,
        before,
        trailing,
    } = odd.as_deref().unwrap_or(&no_odd);
    if let Some(size) = size {
        let (stored, real) = (size.stored, size.real);
        push(
            out,
            format_args!(", \"size\": {{\"stored\": {stored}, \"real\": {real}}}"),
        );
    }
    for (key, bytes) in [("before", before), ("trailing", trailing)] {
        if !bytes.is_empty() {
            push(out, format_args!(", \"{key}\": {}", hex(bytes)));
        }
    }
    match value {
        Value::Null => {}
        Value::Record(nodes) => {
            out.push_str(", \"nodes\": [");
            push_nodes(out, nodes, depth.saturating_add(1));
            out.push(']');
        }
        Value::Raw(bytes) => push(out, format_args!(", \"hex\": {}", hex(bytes))),
        Value::Script(script) => {
            let text = script.to_text();
            let lines = text.split("\r\n").map(quoted);
            let lines = texts(lines.collect(), depth);
            push(
                out,
                format_args!(", \"key\": {}, \"script\": {lines}", script.key),
            );
        }
        other => push(
            out,
            format_args!(", \"value\": {}", value_text(other, *id, depth)),
        ),
    }
    out.push('}');
}

/// A value that is neither nodes nor a script nor bytes.
fn value_text(value: &Value, id: u32, depth: usize) -> String {
    match value {
        Value::Byte(byte) => byte.to_string(),
        Value::Dword(number) => number.to_string(),
        Value::Float(number) => float(*number),
        Value::Plot(numbers) => floats(numbers),
        Value::Quaternion(numbers) => floats(numbers),
        Value::String(bytes) => quoted(&decode_cp1251(bytes)),
        Value::StringArray(items) => {
            let items = items.iter().map(|item| item_text(item, id));
            texts(items.collect(), depth)
        }
        Value::Rectangle(words) => list(words.iter().map(u32::to_string)),
        Value::Diplomacy(relations) => {
            let row = |row: &[i32; 32]| {
                let row: Vec<String> = row.iter().map(i32::to_string).collect();
                quoted(&row.join(" "))
            };
            texts(relations.iter().map(row).collect(), depth)
        }
        Value::AreaArray(areas) => list(areas.iter().map(|area| {
            let Area { center, radius } = area;
            format!(
                "{{\"center\": {}, \"radius\": {}}}",
                floats(center),
                float(*radius)
            )
        })),
        Value::PointArray(points) => list(points.iter().map(|point| floats(point))),
        Value::LeverStats(stats) => {
            let LeverStats {
                open_type,
                key_id,
                sleight_of_hand,
            } = stats;
            format!(
                "{{\"open_type\": {open_type}, \"key_id\": {key_id}, \"sleight_of_hand\": {sleight_of_hand}}}"
            )
        }
        Value::UnitStats(stats) => {
            let fields = stats.fields().into_iter().map(|(name, value)| match value {
                StatValue::Whole(number) => format!("\"{name}\": {number}"),
                StatValue::Float(number) => format!("\"{name}\": {}", float(number)),
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::AiGraph(graph) => {
            let (width, height) = (graph.width(), graph.height());
            let records = graph.records().iter().map(|record| hex(record));
            let records = texts(records.collect(), depth);
            format!("{{\"width\": {width}, \"height\": {height}, \"records\": {records}}}")
        }
        Value::Null | Value::Record(_) | Value::Raw(_) | Value::Script(_) => "null".to_owned(),
    }
}

/// A string of an array; with its id, if that is not the array's.
fn item_text(item: &StringItem, array_id: u32) -> String {
    let StringItem { id, text } = item;
    let text = quoted(&decode_cp1251(text));
    if *id == array_id {
        return text;
    }
    format!(
        "{{\"node\": {}, \"text\": {text}}}",
        quoted(&node_name(*id))
    )
}

/// A list of texts; each on a line of its own, if they are many.
fn texts(texts: Vec<String>, depth: usize) -> String {
    if texts.len() <= TEXTS_IN_A_LINE {
        return list(texts.into_iter());
    }
    let indent = "  ".repeat(depth);
    format!(
        "[\n{indent}  {}\n{indent}]",
        texts.join(&format!(",\n{indent}  "))
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn floats(numbers: &[f32]) -> String {
    list(numbers.iter().map(|number| float(*number)))
}

/// The shortest number that gives the same bits when it is read as an f64 and made an f32; else the bits.
fn float(number: f32) -> String {
    let text = format!("{number:?}");
    let read = text.parse::<f64>().ok().filter(|it| it.is_finite());
    let is_same = read.is_some_and(|it| (it as f32).to_bits() == number.to_bits());
    if is_same {
        text
    } else {
        format!("\"{:#010x}\"", number.to_bits())
    }
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().fold(String::new(), |mut digits, byte| {
        push(&mut digits, format_args!("{byte:02x}"));
        digits
    });
    quoted(&digits)
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}
