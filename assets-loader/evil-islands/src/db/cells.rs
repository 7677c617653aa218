//! Values as cells of a table, and back.
//!
//! Numbers are numbers, flags hexadecimal (`0x15`), raw bytes `hex:00FF`, arrays `[1 2 3]`, nodes `[0:"a" 1:5]` by
//! their ids. Text stands as it is; what would be misread, an empty text for one, is quoted with escapes.

use super::super::quoted::{self, CodePage};
use super::node::{Node, Nodes, Value};
use super::schema::{FieldType, part_type};

const PAGE: CodePage = CodePage::Cp1251;
const HEX: &str = "hex:";

/// The cell of a field.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Text(bytes) => {
            let is_safe = |text: &String| {
                let is_trimmed = !text.is_empty() && text.trim() == text;
                is_trimmed && !text.starts_with('"') && !text.starts_with(HEX)
            };
            let plain = quoted::plain(bytes, PAGE).filter(is_safe);
            plain.unwrap_or_else(|| quoted::quote(bytes, PAGE))
        }
        other => inner(other),
    }
}

/// A value inside of brackets, or a cell that is no text.
fn inner(value: &Value) -> String {
    match value {
        Value::Text(bytes) => quoted::quote(bytes, PAGE),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) | Value::Time(value) => value.to_string(),
        Value::Float(value) => quoted::float(*value),
        Value::Bool(value) => value.to_string(),
        Value::Bools(values) => list(values.iter().map(u8::to_string)),
        Value::Floats(values) => list(values.iter().map(|value| quoted::float(*value))),
        Value::Ints(values) => list(values.iter().map(i32::to_string)),
        Value::Flags(value) => format!("{value:#X}"),
        Value::Raw(bytes) => format!("{HEX}{}", quoted::hex(bytes)),
        Value::Nodes(nodes) => {
            let nodes = nodes.nodes.iter();
            list(nodes.map(|node| format!("{}:{}", node.id, inner(&node.value))))
        }
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(" "))
}

/// The value of a cell that is not empty.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn parse(cell: &str, field: FieldType) -> Result<Value, String> {
    let is_plain = !cell.starts_with('"') && !cell.starts_with(HEX);
    if field == FieldType::Text && is_plain {
        let bytes = quoted::bytes_of(cell, PAGE);
        return match bytes {
            Ok(bytes) => Ok(Value::Text(bytes)),
            Err(character) => Err(format!("CP1251 has no {character:?}")),
        };
    }
    let (value, rest) = take(cell.trim(), field)?;
    match rest.trim() {
        "" => Ok(value),
        rest => Err(format!("\"{rest}\" after the value")),
    }
}

type Taken<'t, T> = Result<(T, &'t str), String>;

/// Takes a value off the front of `text`.
fn take(text: &str, field: FieldType) -> Taken<'_, Value> {
    if let Some(digits) = text.strip_prefix(HEX) {
        let (digits, rest) = token(digits);
        let bytes = quoted::parse_hex(digits);
        let bytes = bytes.ok_or_else(|| format!("{digits} are no pairs of hexadecimal digits"))?;
        return Ok((Value::Raw(bytes), rest));
    }
    let number = |kind: &str| format!("\"{}\" is no {kind}", token(text).0);
    let (word, rest) = token(text);
    let value = match field {
        FieldType::Text => {
            let (bytes, rest) = quoted::unquote(text, PAGE)?;
            return Ok((Value::Text(bytes), rest));
        }
        FieldType::Int => Value::Int(word.parse().map_err(|_| number("integer of 32 bits"))?),
        FieldType::Uint => Value::Uint(unsigned(word).ok_or_else(|| number(UNSIGNED))?),
        FieldType::Time => Value::Time(unsigned(word).ok_or_else(|| number(UNSIGNED))?),
        FieldType::Flags => Value::Flags(unsigned(word).ok_or_else(|| number(UNSIGNED))?),
        FieldType::Float => {
            Value::Float(quoted::parse_float(word).ok_or_else(|| number("number"))?)
        }
        FieldType::Bool => Value::Bool(word.parse().map_err(|_| number("0 or 1"))?),
        FieldType::Bools => {
            let (values, rest) = items(text, |word| word.parse().ok())?;
            return Ok((Value::Bools(values), rest));
        }
        FieldType::Floats => {
            let (values, rest) = items(text, quoted::parse_float)?;
            return Ok((Value::Floats(values), rest));
        }
        FieldType::Ints => {
            let (values, rest) = items(text, |word| word.parse().ok())?;
            return Ok((Value::Ints(values), rest));
        }
        FieldType::Raw | FieldType::Undeclared => {
            return Err(format!("\"{word}\" does not begin with {HEX}"));
        }
        FieldType::Texts => return nodes(text, |_, _| FieldType::Text),
        FieldType::Parts(_) => return nodes(text, |place, _| part_type(field, place).1),
        FieldType::Responses | FieldType::ResponsesWithNumber => {
            return nodes(text, |_, _| FieldType::Response);
        }
        FieldType::Response => return nodes(text, |_, id| FieldType::from_response_part(id)),
    };
    Ok((value, rest))
}

const UNSIGNED: &str = "integer of 32 bits without sign";

/// A number in digits, or in hexadecimal ones after `0x`.
fn unsigned(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(digits) => quoted::parse_hex_u32(digits),
        None => word.parse().ok(),
    }
}

/// The text up to a space or a closing bracket.
fn token(text: &str) -> (&str, &str) {
    let end = text.find([' ', ']']).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Takes `[1 2 3]` off the front.
fn items<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Taken<'_, Vec<T>> {
    let mut rest = open(text)?;
    let mut items = Vec::new();
    loop {
        if let Some(rest) = rest.strip_prefix(']') {
            return Ok((items, rest));
        }
        let (word, after) = token(rest);
        let value = item(word).filter(|_| !word.is_empty());
        items.push(value.ok_or_else(|| format!("\"{word}\" is no item of the list"))?);
        rest = after.trim_start();
    }
}

/// Takes `[0:value 1:value]` off the front.
fn nodes(text: &str, field: impl Fn(usize, u8) -> FieldType) -> Taken<'_, Value> {
    let mut rest = open(text)?;
    let mut nodes = Vec::new();
    loop {
        if let Some(rest) = rest.strip_prefix(']') {
            return Ok((Value::Nodes(Nodes::from_nodes(nodes)), rest));
        }
        let node = rest.split_once(':');
        let node = node.and_then(|(id, value)| Some((id.parse().ok()?, value)));
        let Some((id, value)) = node else {
            return Err(format!("\"{}\" is no id, : and value", token(rest).0));
        };
        let (value, after) = take(value, field(nodes.len(), id))?;
        nodes.push(Node::new(id, value));
        rest = after.trim_start();
    }
}

fn open(text: &str) -> Result<&str, String> {
    let rest = text.strip_prefix('[');
    let rest = rest.ok_or_else(|| format!("\"{}\" does not begin with [", token(text).0))?;
    Ok(rest.trim_start())
}
