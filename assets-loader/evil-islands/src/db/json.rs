//! A database as JSON, and back to the same bytes.
//!
//! Each node has its id and one of `text`, `int`, `uint`, `float`, `bool`, `bools`, `floats`, `ints`, `flags`,
//! `time`, `raw` (hexadecimal) or `nodes`. `name` is for people and is not read.

use serde::{Deserialize, Serialize, de};

use super::super::json::{JsonFloat, JsonHex, JsonText};
use super::node::{Node, Nodes, Value};
use super::{Db, DbKind, FORMAT, Outer, OuterLength, TableSchema};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonDb {
    format: String,
    kind: String,
    outer: JsonOuter,
    tables: Vec<JsonNode>,
    trailer: JsonHex,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonOuter {
    id: u8,
    #[serde(default, skip_serializing_if = "is_false")]
    is_long: bool,
    length: JsonLength,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonLength {
    All,
    Tables,
    Other(u32),
}

#[derive(Serialize, Deserialize)]
struct JsonNode {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    id: u8,
    #[serde(default, skip_serializing_if = "is_false")]
    is_long: bool,
    #[serde(flatten)]
    value: JsonValue,
    #[serde(default, skip_serializing_if = "is_empty")]
    rest: JsonHex,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonValue {
    Text(JsonText),
    Int(i32),
    Uint(u32),
    Float(JsonFloat),
    Bool(u8),
    Bools(Vec<u8>),
    Floats(Vec<JsonFloat>),
    Ints(Vec<i32>),
    Flags(u32),
    Time(u32),
    Raw(JsonHex),
    Nodes(Vec<JsonNode>),
}

impl Db {
    /// The database as JSON; nothing is lost.
    ///
    /// # Errors
    /// None that is known; what the JSON library says.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let length = match self.outer.length {
            OuterLength::All => JsonLength::All,
            OuterLength::Tables => JsonLength::Tables,
            OuterLength::Other(length) => JsonLength::Other(length),
        };
        let schemas = self.kind.tables();
        let tables = self.tables.iter().enumerate();
        serde_json::to_string_pretty(&JsonDb {
            format: FORMAT.to_owned(),
            kind: self.kind.name().to_owned(),
            outer: JsonOuter {
                id: self.outer.id,
                is_long: self.outer.is_long,
                length,
            },
            tables: tables
                .map(|(index, table)| json_table(table, schemas.get(index)))
                .collect(),
            trailer: JsonHex(self.trailer.clone()),
        })
    }

    /// The database of a JSON text that [`Self::to_json`] wrote, or people after its example.
    ///
    /// # Errors
    /// No JSON, another format, an unknown kind, more tables than it has, missing or unknown fields.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let json: JsonDb = serde_json::from_str(text)?;
        let problem = |message: String| Err(de::Error::custom(message));
        if json.format != FORMAT {
            let found = json.format;
            return problem(format!(
                "expected the format \"{FORMAT}\", found \"{found}\""
            ));
        }
        let Some(kind) = DbKind::from_name(&json.kind) else {
            return problem(format!("no database is of the kind \"{}\"", json.kind));
        };
        if json.tables.len() > kind.tables().len() {
            let [found, most] = [json.tables.len(), kind.tables().len()];
            return problem(format!("{found} tables, where {} has {most}", kind.name()));
        }
        let length = match json.outer.length {
            JsonLength::All => OuterLength::All,
            JsonLength::Tables => OuterLength::Tables,
            JsonLength::Other(length) => OuterLength::Other(length),
        };
        Ok(Self {
            kind,
            outer: Outer {
                id: json.outer.id,
                is_long: json.outer.is_long,
                length,
            },
            tables: nodes(json.tables)?,
            trailer: json.trailer.0,
        })
    }
}

fn json_table(table: &Node, schema: Option<&TableSchema>) -> JsonNode {
    let mut json = JsonNode::from_node(table, schema.map(|it| it.name.to_owned()));
    if let (JsonValue::Nodes(records), Some(schema)) = (&mut json.value, schema) {
        let fields = records
            .iter_mut()
            .filter_map(|record| match &mut record.value {
                JsonValue::Nodes(fields) => Some(fields),
                _ => None,
            });
        for field in fields.flatten() {
            field.name = Some(schema.field_name(field.id));
        }
    }
    json
}

impl JsonNode {
    fn from_node(node: &Node, name: Option<String>) -> Self {
        let floats = |values: &[f32]| values.iter().copied().map(JsonFloat).collect();
        let value = match &node.value {
            Value::Text(bytes) => JsonValue::Text(JsonText(bytes.clone())),
            Value::Int(value) => JsonValue::Int(*value),
            Value::Uint(value) => JsonValue::Uint(*value),
            Value::Float(value) => JsonValue::Float(JsonFloat(*value)),
            Value::Bool(value) => JsonValue::Bool(*value),
            Value::Bools(values) => JsonValue::Bools(values.clone()),
            Value::Floats(values) => JsonValue::Floats(floats(values)),
            Value::Ints(values) => JsonValue::Ints(values.clone()),
            Value::Flags(value) => JsonValue::Flags(*value),
            Value::Time(value) => JsonValue::Time(*value),
            Value::Raw(bytes) => JsonValue::Raw(JsonHex(bytes.clone())),
            Value::Nodes(nodes) => {
                let nodes = nodes.nodes.iter().map(|node| Self::from_node(node, None));
                JsonValue::Nodes(nodes.collect())
            }
        };
        let rest = match &node.value {
            Value::Nodes(Nodes { rest, .. }) => rest.clone(),
            _ => Vec::new(),
        };
        Self {
            name,
            id: node.id,
            is_long: node.is_long,
            value,
            rest: JsonHex(rest),
        }
    }

    fn node(self) -> Result<Node, serde_json::Error> {
        let holds_nodes = matches!(self.value, JsonValue::Nodes(_));
        if !holds_nodes && !self.rest.0.is_empty() {
            return Err(de::Error::custom("only nodes have a rest"));
        }
        let floats = |values: Vec<JsonFloat>| values.into_iter().map(|it| it.0).collect();
        let value = match self.value {
            JsonValue::Text(text) => Value::Text(text.0),
            JsonValue::Int(value) => Value::Int(value),
            JsonValue::Uint(value) => Value::Uint(value),
            JsonValue::Float(value) => Value::Float(value.0),
            JsonValue::Bool(value) => Value::Bool(value),
            JsonValue::Bools(values) => Value::Bools(values),
            JsonValue::Floats(values) => Value::Floats(floats(values)),
            JsonValue::Ints(values) => Value::Ints(values),
            JsonValue::Flags(value) => Value::Flags(value),
            JsonValue::Time(value) => Value::Time(value),
            JsonValue::Raw(bytes) => Value::Raw(bytes.0),
            JsonValue::Nodes(json) => Value::Nodes(Nodes {
                nodes: nodes(json)?,
                rest: self.rest.0,
            }),
        };
        Ok(Node {
            id: self.id,
            is_long: self.is_long,
            value,
        })
    }
}

fn nodes(json: Vec<JsonNode>) -> Result<Vec<Node>, serde_json::Error> {
    json.into_iter().map(JsonNode::node).collect()
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_empty(bytes: &JsonHex) -> bool {
    bytes.0.is_empty()
}
