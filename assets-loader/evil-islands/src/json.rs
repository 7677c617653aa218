//! Numbers and bytes in JSON without loss: floats that JSON cannot hold, raw bytes, text of CP1251.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::quoted;
use ironlands_assets_core::text::{decode_cp1251, encode_cp1251};

/// A float: the shortest number that is the same bits again, or its bits as `"0x7FC00000"` where JSON has no number
/// for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonFloat(pub f32);

/// Bytes as hexadecimal digits.
#[derive(Debug, Clone, Default)]
pub(crate) struct JsonHex(pub Vec<u8>);

/// Bytes as text. CP1251 has a character for every byte, so that nothing is lost.
#[derive(Debug, Clone)]
pub(crate) struct JsonText(pub Vec<u8>);

impl Serialize for JsonFloat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The parser rounds twice and not always to nearest: whether it gives the same bits is checked, not assumed.
        let text = serde_json::to_string(&self.0).ok();
        let again = text.and_then(|it| serde_json::from_str::<f64>(&it).ok());
        match again.map(|it| it as f32) {
            Some(again) if again.to_bits() == self.0.to_bits() => serializer.serialize_f32(self.0),
            _ => serializer.collect_str(&format_args!("{:#010X}", self.0.to_bits())),
        }
    }
}

impl<'de> Deserialize<'de> for JsonFloat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(f64),
            Bits(String),
        }
        match Either::deserialize(deserializer)? {
            // A number beyond 32 bits would become infinite without a word; infinity is written as its bits.
            Either::Number(number) => match number as f32 {
                float if float.is_finite() => Ok(Self(float)),
                _ => Err(de::Error::custom(format_args!(
                    "expected a number that fits 32 bits, found {number:e}"
                ))),
            },
            Either::Bits(text) => {
                let bits = text.strip_prefix("0x").and_then(quoted::parse_hex_u32);
                let bits = bits.ok_or_else(|| de::Error::custom("a number or its bits in hex"))?;
                Ok(Self(f32::from_bits(bits)))
            }
        }
    }
}

impl Serialize for JsonHex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&quoted::hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for JsonHex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = quoted::parse_hex(&text);
        bytes
            .map(Self)
            .ok_or_else(|| de::Error::custom("pairs of hexadecimal digits"))
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&decode_cp1251(&self.0))
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = encode_cp1251(&text);
        bytes
            .map(Self)
            .ok_or_else(|| de::Error::custom("text of CP1251 characters"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironlands_assets_proof::Rng;

    #[test]
    fn every_float_is_the_same_bits_again() {
        let mut rng = Rng::new(1);
        let random = (0..2000).map(|_| rng.next_u64() as u32);
        let special = [
            0,
            0x8000_0000,
            1,
            0x7F7F_FFFF,
            0x7F80_0000,
            0x7FC0_0001,
            0x15AE_43FE,
        ];
        for bits in random.chain(special) {
            let text = serde_json::to_string(&JsonFloat(f32::from_bits(bits))).unwrap();
            let again: JsonFloat = serde_json::from_str(&text).unwrap();
            assert_eq!(again.0.to_bits(), bits, "{text}");
        }
        let text = serde_json::to_string(&JsonFloat(0.1)).unwrap();
        assert_eq!(text, "0.1");
        assert!(serde_json::from_str::<JsonFloat>("\"0x1G\"").is_err());
    }

    #[test]
    fn a_number_beyond_32_bits_is_refused_and_infinity_by_its_bits_is_not() {
        for wrong in ["1e39", "-3.5e38"] {
            let error = serde_json::from_str::<JsonFloat>(wrong).unwrap_err();
            assert!(error.to_string().contains("fits 32 bits"), "{error}");
        }
        let most: JsonFloat = serde_json::from_str("3.4028235e38").unwrap();
        assert_eq!(most.0, f32::MAX);
        let infinite: JsonFloat = serde_json::from_str("\"0x7F800000\"").unwrap();
        assert_eq!(infinite.0, f32::INFINITY);
    }

    #[test]
    fn every_byte_comes_back_as_text_and_as_digits() {
        let all: Vec<u8> = (0..=255).collect();
        let text = serde_json::to_string(&JsonText(all.clone())).unwrap();
        assert_eq!(serde_json::from_str::<JsonText>(&text).unwrap().0, all);
        let digits = serde_json::to_string(&JsonHex(all.clone())).unwrap();
        assert_eq!(serde_json::from_str::<JsonHex>(&digits).unwrap().0, all);
        assert!(serde_json::from_str::<JsonText>("\"地\"").is_err());
        assert!(serde_json::from_str::<JsonHex>("\"0\"").is_err());
    }
}
