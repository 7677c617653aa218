//! Materials as JSON and back: entries in their order, for keys may repeat. Comments and spacing are lost.

use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionRequest, Exported, Fidelity, text,
};
use serde::{Deserialize, Serialize};

use super::Vmt;
use crate::key_values::{Entry, KeyValues, Value};

pub(super) const CONVERSIONS: &[Conversion] = &[Conversion {
    extension: "json",
    fidelity: Fidelity::Valid,
    options: &[],
    export: Some(export),
    import: Some(import),
}];

/// An entry: a key with a text, or with entries.
#[derive(Debug, Serialize, Deserialize)]
struct JsonEntry {
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<String>,
    #[serde(flatten)]
    value: JsonValue,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonValue {
    Text(String),
    Entries(Vec<JsonEntry>),
}

impl From<&Entry> for JsonEntry {
    fn from(entry: &Entry) -> Self {
        Self {
            key: entry.key.clone(),
            condition: entry.condition.clone(),
            value: match &entry.value {
                Value::Text(text) => JsonValue::Text(text.clone()),
                Value::Block(entries) => {
                    JsonValue::Entries(entries.iter().map(Self::from).collect())
                }
            },
        }
    }
}

impl From<JsonEntry> for Entry {
    fn from(entry: JsonEntry) -> Self {
        let value = match entry.value {
            JsonValue::Text(text) => Value::Text(text),
            JsonValue::Entries(entries) => {
                Value::Block(entries.into_iter().map(Self::from).collect())
            }
        };
        let mut made = Self::new(entry.key, value);
        made.condition = entry.condition;
        made
    }
}

fn export(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let material = Vmt::read(data)?;
    let entries: Vec<_> = material.text.entries.iter().map(JsonEntry::from).collect();
    let json = serde_json::to_string_pretty(&entries).map_err(ConversionError::other)?;
    Ok(Exported {
        files: vec![(request.interchange.to_owned(), (json + "\n").into_bytes())],
        findings: Vec::new(),
    })
}

fn import(data: &[u8], _: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let entries: Vec<JsonEntry> =
        serde_json::from_str(text(data)?).map_err(ConversionError::other)?;
    let entries: Vec<_> = entries.into_iter().map(Entry::from).collect();
    let written = KeyValues::from(entries).write()?;
    // What the grammar cannot hold comes out as something else.
    Ok(Vmt::read(&written)?.write()?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ironlands_assets_core::format::ConversionOptions;

    use super::*;

    fn request(options: &ConversionOptions) -> ConversionRequest<'_> {
        ConversionRequest {
            file: Path::new("wall.vmt"),
            interchange: Path::new("wall.json"),
            options,
        }
    }

    #[test]
    fn entries_keep_their_order_their_repetitions_and_conditions() {
        let source = br#"
            // a wall
            LightmappedGeneric
            {
                $basetexture "brick/wall" [!$X360]
                "$detail" "a" "$detail" "b"
                Proxies { TextureScroll { texturescrollrate .5 } }
            }"#;
        let options = ConversionOptions::default();
        let exported = export(source, &request(&options)).unwrap();
        let [(_, json)] = &exported.files[..] else {
            panic!("one file");
        };
        let rows: serde_json::Value = serde_json::from_slice(json).unwrap();
        assert_eq!(rows[0]["key"], "LightmappedGeneric");
        assert_eq!(rows[0]["entries"][0]["condition"], "!$X360");
        assert_eq!(rows[0]["entries"][2]["text"], "b");
        let back = Vmt::read(&import(json, &request(&options)).unwrap()).unwrap();
        assert_eq!(back.text, Vmt::read(source).unwrap().text);
    }

    #[test]
    fn what_is_no_material_is_refused() {
        let options = ConversionOptions::default();
        for json in [
            "{}",
            "[]",
            r#"[{"key": "a"}]"#,
            r#"[{"key": "a", "text": "\""}]"#,
        ] {
            assert!(
                import(json.as_bytes(), &request(&options)).is_err(),
                "{json}"
            );
        }
    }
}
