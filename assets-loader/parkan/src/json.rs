//! Files as JSON, both ways, by the fields of the types that mirror them.
//!
//! Text is CP1251 in files: a string in JSON, or a list of bytes where that would lose one. JSON has no word for numbers
//! that are not finite; a file with such a number is refused.

use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionRequest, Exported, Fidelity, Format, text,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The way of a format to JSON and back. Equal values are the same file, up to spelling that they do not hold.
pub(crate) const fn conversion<F>(fidelity: Fidelity) -> Conversion
where
    F: Format + PartialEq + Serialize + DeserializeOwned,
{
    Conversion {
        extension: "json",
        fidelity,
        options: &[],
        export: Some(export::<F>),
        import: Some(import::<F>),
    }
}

fn export<F>(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError>
where
    F: Format + PartialEq + Serialize + DeserializeOwned,
{
    let file = F::read(data, &F::Context::default())?;
    let json = serde_json::to_string_pretty(&file).map_err(ConversionError::other)?;
    if serde_json::from_str::<F>(&json).ok().as_ref() != Some(&file) {
        return Err(ConversionError::other("it holds numbers that JSON cannot"));
    }
    let files = vec![(request.interchange.to_owned(), (json + "\n").into_bytes())];
    Ok(Exported {
        files,
        findings: file.check(),
    })
}

fn import<F>(data: &[u8], _: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError>
where
    F: Format + DeserializeOwned,
{
    let file: F = serde_json::from_str(text(data)?).map_err(ConversionError::other)?;
    Ok(file.write()?)
}

/// What text is in JSON.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum JsonText {
    Text(String),
    Bytes(Vec<u8>),
}

/// Text of any length.
pub(crate) mod cp1251 {
    use ironlands_assets_core::text::{decode_cp1251, encode_cp1251};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::JsonText;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to_json(bytes).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        from_json(JsonText::deserialize(from)?).map_err(D::Error::custom)
    }

    pub(super) fn to_json(bytes: &[u8]) -> JsonText {
        let text = decode_cp1251(bytes).into_owned();
        match encode_cp1251(&text).is_some_and(|again| again == bytes) {
            true => JsonText::Text(text),
            false => JsonText::Bytes(bytes.to_vec()),
        }
    }

    pub(super) fn from_json(json: JsonText) -> Result<Vec<u8>, String> {
        match json {
            JsonText::Bytes(bytes) => Ok(bytes),
            JsonText::Text(text) => match encode_cp1251(&text) {
                Some(bytes) => Ok(bytes),
                None => Err(format!("\"{text}\" has characters that CP1251 lacks")),
            },
        }
    }
}

/// Text in a field of fixed size, filled up with zeros; else all bytes of the field.
pub(crate) mod field {
    use ironlands_assets_core::text::{fixed_name, until_nul};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{JsonText, cp1251};

    pub(crate) fn serialize<const N: usize, S: Serializer>(
        bytes: &[u8; N],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let text = until_nul(bytes);
        match fixed_name::<N>(text, N).is_some_and(|again| again == *bytes) {
            true => cp1251::to_json(text).serialize(to),
            false => JsonText::Bytes(bytes.to_vec()).serialize(to),
        }
    }

    pub(crate) fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
        from: D,
    ) -> Result<[u8; N], D::Error> {
        let bytes = cp1251::from_json(JsonText::deserialize(from)?).map_err(D::Error::custom)?;
        if let Ok(whole) = <[u8; N]>::try_from(&*bytes) {
            return Ok(whole);
        }
        let field = fixed_name(&bytes, N);
        field.ok_or_else(|| D::Error::custom(format!("a text of more than {N} bytes, or with NUL")))
    }
}
