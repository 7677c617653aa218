//! Particle systems as JSON and back: all elements in their order, with all attributes.

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionRequest, Exported, Fidelity, Format, text,
};
use serde::{Deserialize, Serialize};

use super::Pcf;
use crate::dmx::{Dmx, DmxAttribute, DmxElement, DmxItems, DmxLink, DmxText, DmxValue};

pub(super) const CONVERSIONS: &[Conversion] = &[Conversion {
    extension: "json",
    fidelity: Fidelity::Valid,
    options: &[],
    export: Some(export),
    import: Some(import),
}];

#[derive(Debug, Serialize, Deserialize)]
struct JsonFile {
    encoding: u32,
    format: String,
    format_version: u32,
    /// Texts that are stored once, in the order of the file; those that are missing follow.
    #[serde(default)]
    strings: Vec<String>,
    /// The first is the root; elements refer to each other by their number here, from 0.
    elements: Vec<JsonElement>,
}

#[derive(Debug, Serialize, Deserialize)]
struct JsonElement {
    kind: String,
    name: String,
    /// 32 hexadecimal digits.
    id: String,
    attributes: Vec<JsonAttribute>,
}

#[derive(Debug, Serialize, Deserialize)]
struct JsonAttribute {
    name: String,
    #[serde(flatten)]
    value: JsonValue,
}

/// A value or a list, by the name of its type.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "lowercase")]
enum JsonValue {
    Element(Items<JsonLink>),
    Int(Items<i32>),
    Float(Items<f32>),
    Bool(Items<bool>),
    String(Items<String>),
    /// Hexadecimal digits.
    Binary(Items<String>),
    /// Hexadecimal digits.
    Id(Items<String>),
    /// In ten-thousandths of a second.
    Time(Items<i32>),
    Color(Items<[u8; 4]>),
    Vector2(Items<[f32; 2]>),
    Vector3(Items<[f32; 3]>),
    Vector4(Items<[f32; 4]>),
    Angles(Items<[f32; 3]>),
    Quaternion(Items<[f32; 4]>),
    Matrix(Items<[f32; 16]>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Items<T> {
    One(T),
    List(Vec<T>),
}

/// A number of an element, an id of one outside of the file, or neither.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum JsonLink {
    Element(u32),
    External(String),
    None(()),
}

impl<T> Items<T> {
    fn from_items<U>(items: &DmxItems<U>, item: impl Fn(&U) -> T) -> Self {
        match items {
            DmxItems::One(it) => Self::One(item(it)),
            DmxItems::List(list) => Self::List(list.iter().map(item).collect()),
        }
    }

    fn into_items<U>(
        self,
        mut item: impl FnMut(T) -> Result<U, ConversionError>,
    ) -> Result<DmxItems<U>, ConversionError> {
        Ok(match self {
            Self::One(it) => DmxItems::One(item(it)?),
            Self::List(list) => {
                DmxItems::List(list.into_iter().map(item).collect::<Result<_, _>>()?)
            }
        })
    }
}

fn export(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let Pcf { dmx } = Pcf::read(data)?;
    let file = JsonFile {
        encoding: dmx.encoding,
        format: dmx.format.clone(),
        format_version: dmx.format_version,
        strings: (dmx.strings.iter())
            .map(|it| String::from_utf8_lossy(it).into_owned())
            .collect(),
        elements: dmx.elements.iter().map(|it| element(&dmx, it)).collect(),
    };
    let json = serde_json::to_string_pretty(&file).map_err(ConversionError::other)? + "\n";
    // What cannot be taken back is said, or refused.
    let Ok(back) = import(json.as_bytes(), request) else {
        let message = "it holds numbers that are not finite, for which JSON has no place";
        return Err(ConversionError::other(message));
    };
    let message = "texts that are not UTF-8, or flags other than 0 and 1, are changed";
    let finding = || Finding::new(Severity::Warning, Pcf::NAME, message);
    Ok(Exported {
        files: vec![(request.interchange.to_owned(), json.into_bytes())],
        findings: (back != data).then(finding).into_iter().collect(),
    })
}

fn import(data: &[u8], _: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let file: JsonFile = serde_json::from_str(text(data)?).map_err(ConversionError::other)?;
    let mut dmx = Dmx {
        encoding: file.encoding,
        format: file.format,
        format_version: file.format_version,
        strings: file.strings.into_iter().map(String::into_bytes).collect(),
        ..Dmx::default()
    };
    for element in file.elements {
        let made = DmxElement {
            kind: dmx.intern(&element.kind),
            name: dmx.intern_value(&element.name),
            id: id_of(&element.id)?,
            attributes: (element.attributes.into_iter())
                .map(|it| attribute_of(&mut dmx, it))
                .collect::<Result<_, _>>()?,
        };
        dmx.elements.push(made);
    }
    let written = Pcf { dmx }.write()?;
    // What no file may hold is refused here.
    Pcf::read(&written)?;
    Ok(written)
}

fn element(dmx: &Dmx, element: &DmxElement) -> JsonElement {
    let attribute = |it: &DmxAttribute| JsonAttribute {
        name: string(dmx, &it.name),
        value: value(dmx, &it.value),
    };
    JsonElement {
        kind: string(dmx, &element.kind),
        name: string(dmx, &element.name),
        id: hex(&element.id),
        attributes: element.attributes.iter().map(attribute).collect(),
    }
}

fn value(dmx: &Dmx, value: &DmxValue) -> JsonValue {
    let link = |link: &DmxLink| match link {
        DmxLink::None => JsonLink::None(()),
        DmxLink::Element(index) => JsonLink::Element(*index),
        DmxLink::External(id) => JsonLink::External(String::from_utf8_lossy(id).into_owned()),
    };
    match value {
        DmxValue::Element(it) => JsonValue::Element(Items::from_items(it, link)),
        DmxValue::Int(it) => JsonValue::Int(Items::from_items(it, |it| *it)),
        DmxValue::Float(it) => JsonValue::Float(Items::from_items(it, |it| *it)),
        DmxValue::Bool(it) => JsonValue::Bool(Items::from_items(it, |it| *it != 0)),
        DmxValue::Text(it) => JsonValue::String(Items::from_items(it, |it| string(dmx, it))),
        DmxValue::Bytes(it) => JsonValue::Binary(Items::from_items(it, |it| hex(it))),
        DmxValue::Id(it) => JsonValue::Id(Items::from_items(it, |it| hex(it))),
        DmxValue::Time(it) => JsonValue::Time(Items::from_items(it, |it| *it)),
        DmxValue::Color(it) => JsonValue::Color(Items::from_items(it, |it| *it)),
        DmxValue::Vec2(it) => JsonValue::Vector2(Items::from_items(it, |it| *it)),
        DmxValue::Vec3(it) => JsonValue::Vector3(Items::from_items(it, |it| *it)),
        DmxValue::Vec4(it) => JsonValue::Vector4(Items::from_items(it, |it| *it)),
        DmxValue::Angles(it) => JsonValue::Angles(Items::from_items(it, |it| *it)),
        DmxValue::Quaternion(it) => JsonValue::Quaternion(Items::from_items(it, |it| *it)),
        DmxValue::Matrix(it) => JsonValue::Matrix(Items::from_items(it, |it| **it)),
    }
}

fn attribute_of(dmx: &mut Dmx, attribute: JsonAttribute) -> Result<DmxAttribute, ConversionError> {
    let name = dmx.intern(&attribute.name);
    let link = |link| {
        Ok(match link {
            JsonLink::None(()) => DmxLink::None,
            JsonLink::Element(index) => DmxLink::Element(index),
            JsonLink::External(id) => DmxLink::External(id.into_bytes()),
        })
    };
    let value = match attribute.value {
        JsonValue::Element(it) => DmxValue::Element(it.into_items(link)?),
        JsonValue::Int(it) => DmxValue::Int(it.into_items(Ok)?),
        JsonValue::Float(it) => DmxValue::Float(it.into_items(Ok)?),
        JsonValue::Bool(it) => DmxValue::Bool(it.into_items(|it| Ok(it.into()))?),
        // Texts of lists are never stored once.
        JsonValue::String(Items::One(it)) => DmxValue::Text(DmxItems::One(dmx.intern_value(&it))),
        JsonValue::String(it) => {
            DmxValue::Text(it.into_items(|it| Ok(DmxText::Inline(it.into_bytes())))?)
        }
        JsonValue::Binary(it) => DmxValue::Bytes(it.into_items(|it| bytes_of(&it))?),
        JsonValue::Id(it) => DmxValue::Id(it.into_items(|it| id_of(&it))?),
        JsonValue::Time(it) => DmxValue::Time(it.into_items(Ok)?),
        JsonValue::Color(it) => DmxValue::Color(it.into_items(Ok)?),
        JsonValue::Vector2(it) => DmxValue::Vec2(it.into_items(Ok)?),
        JsonValue::Vector3(it) => DmxValue::Vec3(it.into_items(Ok)?),
        JsonValue::Vector4(it) => DmxValue::Vec4(it.into_items(Ok)?),
        JsonValue::Angles(it) => DmxValue::Angles(it.into_items(Ok)?),
        JsonValue::Quaternion(it) => DmxValue::Quaternion(it.into_items(Ok)?),
        JsonValue::Matrix(it) => DmxValue::Matrix(it.into_items(|it| Ok(Box::new(it)))?),
    };
    Ok(DmxAttribute { name, value })
}

fn string(dmx: &Dmx, text: &DmxText) -> String {
    String::from_utf8_lossy(dmx.text(text)).into_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of(digits: &str) -> Result<Vec<u8>, ConversionError> {
    let byte = |pair: &[u8]| {
        let pair = str::from_utf8(pair).ok().filter(|it| it.len() == 2);
        let byte = pair.and_then(|it| u8::from_str_radix(it, 16).ok());
        byte.ok_or_else(|| ConversionError::other("pairs of hexadecimal digits are expected"))
    };
    digits.as_bytes().chunks(2).map(byte).collect()
}

fn id_of(digits: &str) -> Result<[u8; 16], ConversionError> {
    let bytes = bytes_of(digits)?;
    let id = bytes.try_into();
    id.map_err(|_| ConversionError::other("an id has 32 hexadecimal digits"))
}
