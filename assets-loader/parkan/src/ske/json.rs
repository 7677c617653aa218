//! Skies as JSON, both ways: what is imported has the bytes of what was exported.

use serde::{Deserialize, Serialize};

use super::{Keyframe, Ske, SkySection, SkyTime, Slots};
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionRequest, Exported, Fidelity, text,
};
use ironlands_assets_core::text::{decode_cp1251, encode_cp1251};

#[derive(Serialize, Deserialize)]
struct JsonSky {
    start: SkyTime,
    unknown_word: u32,
    flag: u32,
    sections: Vec<JsonSection>,
}

#[derive(Serialize, Deserialize)]
struct JsonSection {
    unknown_00: u32,
    end: SkyTime,
    day: SkyTime,
    keyframes: Vec<JsonKeyframe>,
}

#[derive(Serialize, Deserialize)]
struct JsonKeyframe {
    version: u32,
    time: SkyTime,
    opcode: u32,
    slots: Slots,
    texts: [String; 6],
    numbers: [f32; 4],
    sounds: Vec<String>,
}

pub(super) const CONVERSIONS: &[Conversion] = &[Conversion {
    extension: "json",
    fidelity: Fidelity::SameBytes,
    options: &[],
    export: Some(export),
    import: Some(import),
}];

fn export(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let json = Ske::read(data)?.to_json().map_err(ConversionError::other)?;
    // JSON has no word for what is no number.
    let is_whole = Ske::from_json(&json).is_ok_and(|it| it.write().as_deref() == Ok(data));
    if !is_whole {
        return Err(ConversionError::other("it holds numbers that JSON cannot"));
    }
    let files = vec![(request.interchange.to_owned(), (json + "\n").into_bytes())];
    Ok(Exported {
        files,
        ..Exported::default()
    })
}

fn import(data: &[u8], _: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let sky = Ske::from_json(text(data)?).map_err(ConversionError::other)?;
    Ok(sky.write()?)
}

impl Ske {
    /// The sky as JSON.
    ///
    /// # Errors
    /// What the JSON library says.
    pub fn to_json(&self) -> Result<String, String> {
        let keyframe = |it: &Keyframe| JsonKeyframe {
            version: it.version,
            time: it.time,
            opcode: it.opcode,
            slots: it.slots,
            texts: it.texts.each_ref().map(|it| decode_cp1251(it).into_owned()),
            numbers: it.numbers,
            sounds: it
                .sounds
                .iter()
                .map(|it| decode_cp1251(it).into_owned())
                .collect(),
        };
        let section = |it: &SkySection| JsonSection {
            unknown_00: it.unknown_00,
            end: it.end,
            day: it.day,
            keyframes: it.keyframes.iter().map(keyframe).collect(),
        };
        let sky = JsonSky {
            start: self.start,
            unknown_word: self.unknown_word,
            flag: self.flag,
            sections: self.sections.iter().map(section).collect(),
        };
        serde_json::to_string_pretty(&sky).map_err(|error| error.to_string())
    }

    /// A sky of JSON.
    ///
    /// # Errors
    /// It is no JSON, something is missing, or a text has characters that CP1251 lacks.
    pub fn from_json(json: &str) -> Result<Self, String> {
        let sky: JsonSky = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let bytes = |text: String| {
            let bytes = encode_cp1251(&text);
            bytes.ok_or_else(|| format!("\"{text}\" has characters that CP1251 lacks"))
        };
        let keyframe = |it: JsonKeyframe| -> Result<Keyframe, String> {
            let mut texts: [Vec<u8>; 6] = Default::default();
            for (to, text) in texts.iter_mut().zip(it.texts) {
                *to = bytes(text)?.to_vec();
            }
            let sounds = it.sounds.into_iter().map(|it| Ok(bytes(it)?.to_vec()));
            Ok(Keyframe {
                version: it.version,
                time: it.time,
                opcode: it.opcode,
                slots: it.slots,
                texts,
                numbers: it.numbers,
                sounds: sounds.collect::<Result<_, String>>()?,
            })
        };
        let section = |it: JsonSection| -> Result<SkySection, String> {
            let keyframes = it.keyframes.into_iter().map(keyframe);
            Ok(SkySection {
                unknown_00: it.unknown_00,
                end: it.end,
                day: it.day,
                keyframes: keyframes.collect::<Result<_, _>>()?,
            })
        };
        let sections = sky.sections.into_iter().map(section);
        Ok(Self {
            sections: sections.collect::<Result<_, _>>()?,
            start: sky.start,
            unknown_word: sky.unknown_word,
            flag: sky.flag,
        })
    }
}
