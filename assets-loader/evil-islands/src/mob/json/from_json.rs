//! JSON to maps.

use serde_json::{Map, Value as Json};

use super::FORMAT_NAME;
use super::problem::Problem;
use crate::ai_graph::{AiGraph, AiRecord};
use crate::mob::edit::{node_id_of, node_name};
use crate::mob::{
    Area, Diplomacy, LeverStats, Mob, Node, NodeKind, Odd, Script, StatValue, StoredSize,
    StringItem, UnitStats, Value, ValueType,
};
use ironlands_assets_core::text::encode_cp1251;

/// All that an object of a node may have.
const NODE_KEYS: [&str; 9] = [
    "node", "nodes", "value", "script", "key", "hex", "size", "before", "trailing",
];

pub(super) fn mob(json: &Json) -> Result<Mob, Problem> {
    let object = object(json, &["format", "nodes", "trailing"])?;
    let format = member(object, "format")?;
    if format.as_str() != Some(FORMAT_NAME) {
        return Err(Problem::new(format!("{FORMAT_NAME:?}"), format).below("format"));
    }
    let roots = nodes(object)?;
    let trailing = optional_bytes(object, "trailing")?;
    if roots.is_empty() && trailing.is_empty() {
        // It would become a file of no bytes, which no reader accepts.
        return Err(Problem::new("at least one node", member(object, "nodes")?).below("nodes"));
    }
    Ok(Mob { roots, trailing })
}

fn nodes(parent: &Map<String, Json>) -> Result<Vec<Node>, Problem> {
    let nodes = array(member(parent, "nodes")?).map_err(|problem| problem.below("nodes"))?;
    let node = |(idx, json): (usize, &Json)| {
        node(json).map_err(|problem| problem.below(format!("nodes[{idx}]")))
    };
    nodes.iter().enumerate().map(node).collect()
}

fn node(json: &Json) -> Result<Node, Problem> {
    let object = object(json, &NODE_KEYS)?;
    let name = member(object, "node")?;
    let id = node_id(name).map_err(|problem| problem.below("node"))?;
    let value = node_value(object, id).map_err(|problem| problem.below(node_name(id)))?;
    let size = match object.get("size") {
        Some(size) => Some(stored_size(size).map_err(|problem| problem.below("size"))?),
        None => None,
    };
    let odd = Odd {
        size,
        before: optional_bytes(object, "before")?,
        trailing: optional_bytes(object, "trailing")?,
    };
    let is_record = matches!(value, Value::Record(_));
    if !is_record && !odd.trailing.is_empty() {
        return Err(Problem::missing("a record before its trailing bytes"));
    }
    Ok(Node {
        id,
        value,
        odd: (odd != Odd::default()).then(|| Box::new(odd)),
    })
}

/// What a node holds: given by `hex`, or else by its type.
fn node_value(object: &Map<String, Json>, id: u32) -> Result<Value, Problem> {
    let value_type = NodeKind::from_id(id).map_or(ValueType::Raw, |kind| kind.value_type);
    let reported_by = match (value_type, object.contains_key("hex")) {
        (_, true) | (ValueType::Raw, _) => &["hex"][..],
        (ValueType::Null, _) => &[],
        (ValueType::Record, _) => &["nodes"],
        (ValueType::Script, _) => &["script", "key"],
        _ => &["value"],
    };
    for key in ["nodes", "value", "script", "key", "hex"] {
        if let Some(json) = object.get(key).filter(|_| !reported_by.contains(&key)) {
            return Err(Problem::new(format!("no {key:?} here"), json));
        }
    }
    match reported_by {
        [] => Ok(Value::Null),
        ["hex"] => Ok(Value::Raw(bytes(object, "hex")?)),
        ["nodes"] => Ok(Value::Record(nodes(object)?)),
        ["script", ..] => Ok(Value::Script(Script {
            key: whole(member(object, "key")?).map_err(|problem| problem.below("key"))?,
            text: script_text(member(object, "script")?)
                .map_err(|problem| problem.below("script"))?,
        })),
        _ => typed(value_type, member(object, "value")?, id)
            .map_err(|problem| problem.below("value")),
    }
}

/// A value of the type of `value`.
fn typed(value_type: ValueType, json: &Json, id: u32) -> Result<Value, Problem> {
    Ok(match value_type {
        ValueType::Byte => Value::Byte(whole(json)?),
        ValueType::Dword => Value::Dword(whole(json)?),
        ValueType::Float => Value::Float(float(json)?),
        ValueType::Plot => Value::Plot(floats(json)?),
        ValueType::Quaternion => Value::Quaternion(floats(json)?),
        ValueType::String => Value::String(cp1251(json)?),
        ValueType::StringArray => Value::StringArray(each(json, |item| string_item(item, id))?),
        ValueType::Rectangle => Value::Rectangle(exactly(each(json, whole)?, json)?),
        ValueType::Diplomacy => Value::Diplomacy(diplomacy(json)?),
        ValueType::AreaArray => Value::AreaArray(each(json, area)?),
        ValueType::PointArray => Value::PointArray(each(json, floats)?),
        ValueType::LeverStats => {
            let object = object(json, &["open_type", "key_id", "sleight_of_hand"])?;
            let word =
                |key| whole(member(object, key)?).map_err(|problem: Problem| problem.below(key));
            Value::LeverStats(LeverStats {
                open_type: word("open_type")?,
                key_id: word("key_id")?,
                sleight_of_hand: word("sleight_of_hand")?,
            })
        }
        ValueType::UnitStats => Value::UnitStats(Box::new(unit_stats(json)?)),
        ValueType::AiGraph => Value::AiGraph(Box::new(ai_graph(json)?)),
        ValueType::Null | ValueType::Record | ValueType::Script | ValueType::Raw => {
            return Err(Problem::new("no value", json));
        }
    })
}

fn script_text(json: &Json) -> Result<Vec<u8>, Problem> {
    let lines = each(json, cp1251)?;
    Ok(lines.join(b"\r\n".as_slice()))
}

fn string_item(json: &Json, array_id: u32) -> Result<StringItem, Problem> {
    if json.is_string() {
        let text = cp1251(json)?;
        return Ok(StringItem { id: array_id, text });
    }
    let object = object(json, &["node", "text"])?;
    let id = node_id(member(object, "node")?)?;
    let text = cp1251(member(object, "text")?)?;
    Ok(StringItem { id, text })
}

fn diplomacy(json: &Json) -> Result<Box<Diplomacy>, Problem> {
    let row = |json: &Json| {
        let numbers = || Problem::new("whole numbers between spaces", json);
        let row = text(json)?.split_ascii_whitespace().map(str::parse);
        let row: Vec<i32> = row.collect::<Result<_, _>>().map_err(|_| numbers())?;
        exactly(row, json)
    };
    Ok(Box::new(exactly(each(json, row)?, json)?))
}

fn area(json: &Json) -> Result<Area, Problem> {
    let object = object(json, &["center", "radius"])?;
    Ok(Area {
        center: floats(member(object, "center")?)?,
        radius: float(member(object, "radius")?)?,
    })
}

fn unit_stats(json: &Json) -> Result<UnitStats, Problem> {
    let mut stats = UnitStats::default();
    let fields = stats.fields();
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let object = object(json, &names)?;
    for (name, default) in fields {
        let json = member(object, name)?;
        let value = match default {
            StatValue::Float(_) => {
                StatValue::Float(float(json).map_err(|problem| problem.below(name))?)
            }
            StatValue::Whole(_) => {
                let number = json.as_i64();
                StatValue::Whole(
                    number.ok_or_else(|| Problem::new("a whole number", json).below(name))?,
                )
            }
        };
        if !stats.set_field(name, value) {
            return Err(Problem::new("a number that fits", json).below(name));
        }
    }
    Ok(stats)
}

fn ai_graph(json: &Json) -> Result<AiGraph, Problem> {
    let object = object(json, &["width", "height", "records"])?;
    let width = whole(member(object, "width")?)?;
    let height = whole(member(object, "height")?)?;
    let record = |json: &Json| {
        let bytes = from_hex(json)?;
        AiRecord::try_from(bytes).map_err(|_| Problem::new("152 bytes", json))
    };
    let records = each(member(object, "records")?, record)?;
    let n_records = Json::from(records.len());
    let graph = AiGraph::new(width, height, records);
    graph.ok_or_else(|| Problem::new(format!("{width} x {height} records"), &n_records))
}

fn stored_size(json: &Json) -> Result<StoredSize, Problem> {
    let object = object(json, &["stored", "real"])?;
    Ok(StoredSize {
        stored: whole(member(object, "stored")?)?,
        real: whole(member(object, "real")?)?,
    })
}

fn node_id(json: &Json) -> Result<u32, Problem> {
    let id = node_id_of(text(json)?);
    id.ok_or_else(|| Problem::new("the name of a node, or an id such as \"0x00012345\"", json))
}

fn object<'a>(json: &'a Json, keys: &[&str]) -> Result<&'a Map<String, Json>, Problem> {
    let object = json
        .as_object()
        .ok_or_else(|| Problem::new("an object", json))?;
    let unknown = object.iter().find(|(key, _)| !keys.contains(&key.as_str()));
    match unknown {
        Some((key, value)) => Err(Problem::new(format!("one of {keys:?}"), value).below(key)),
        None => Ok(object),
    }
}

fn member<'a>(object: &'a Map<String, Json>, key: &str) -> Result<&'a Json, Problem> {
    object
        .get(key)
        .ok_or_else(|| Problem::missing(format!("{key:?}")))
}

fn array(json: &Json) -> Result<&Vec<Json>, Problem> {
    json.as_array().ok_or_else(|| Problem::new("a list", json))
}

fn each<T>(json: &Json, item: impl Fn(&Json) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
    let items = array(json)?.iter().enumerate();
    let item = |(idx, json): (usize, &Json)| {
        item(json).map_err(|problem| problem.below(format!("[{idx}]")))
    };
    items.map(item).collect()
}

fn exactly<T, const N: usize>(items: Vec<T>, json: &Json) -> Result<[T; N], Problem> {
    items
        .try_into()
        .map_err(|_| Problem::new(format!("{N} of them"), json))
}

fn text(json: &Json) -> Result<&str, Problem> {
    json.as_str().ok_or_else(|| Problem::new("a text", json))
}

fn cp1251(json: &Json) -> Result<Vec<u8>, Problem> {
    let encoded = encode_cp1251(text(json)?);
    encoded.ok_or_else(|| Problem::new("characters of CP1251", json))
}

fn whole<T: TryFrom<u64>>(json: &Json) -> Result<T, Problem> {
    let number = json.as_u64().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| Problem::new("a whole number that fits", json))
}

fn floats<const N: usize>(json: &Json) -> Result<[f32; N], Problem> {
    exactly(each(json, float)?, json)
}

/// A number, or the bits of one.
fn float(json: &Json) -> Result<f32, Problem> {
    if let Some(number) = json.as_f64() {
        let number = number as f32;
        let fits = number.is_finite().then_some(number);
        return fits.ok_or_else(|| Problem::new("a number that fits 32 bits", json));
    }
    let digits = json.as_str().and_then(|text| text.strip_prefix("0x"));
    let bits = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let bits =
        bits.ok_or_else(|| Problem::new("a number, or bits such as \"0x7fc00000\"", json))?;
    Ok(f32::from_bits(bits))
}

fn bytes(object: &Map<String, Json>, key: &str) -> Result<Vec<u8>, Problem> {
    from_hex(member(object, key)?).map_err(|problem| problem.below(key))
}

fn optional_bytes(object: &Map<String, Json>, key: &str) -> Result<Vec<u8>, Problem> {
    match object.contains_key(key) {
        true => bytes(object, key),
        false => Ok(Vec::new()),
    }
}

fn from_hex(json: &Json) -> Result<Vec<u8>, Problem> {
    let no_hex = || Problem::new("pairs of hex digits", json);
    let digits = text(json)?.as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(no_hex());
    }
    let digit = |digit: u8| {
        char::from(digit)
            .to_digit(16)
            .and_then(|it| u8::try_from(it).ok())
    };
    let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    pairs
        .iter()
        .map(byte)
        .collect::<Option<_>>()
        .ok_or_else(no_hex)
}
