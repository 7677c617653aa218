//! A GLB taken apart by hand (glTF 2.0, section 4).

use serde_json::Value;

/// The two chunks.
pub struct Glb {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Glb {
    pub fn read(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(
            (&file[..4], word(4), word(8)),
            (&b"glTF"[..], 2, file.len())
        );
        let json_end = 20 + word(12);
        assert_eq!(&file[16..20], b"JSON");
        assert_eq!(&file[json_end + 4..json_end + 8], b"BIN\0");
        assert_eq!(json_end + 8 + word(json_end), file.len());
        Self {
            json: serde_json::from_slice(&file[20..json_end]).unwrap(),
            bin: file[json_end + 8..].to_vec(),
        }
    }

    /// The bytes of a tightly packed accessor of this many bytes an element.
    pub fn bytes(&self, accessor: &Value, size: usize) -> &[u8] {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        &self.bin[start..start + number(&accessor["count"]) * size]
    }

    pub fn floats<const N: usize>(&self, accessor: &Value) -> Vec<[f32; N]> {
        let bytes = self.bytes(accessor, 4 * N);
        let floats: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
            .collect();
        floats
            .chunks_exact(N)
            .map(|v| v.try_into().unwrap())
            .collect()
    }

    pub fn picture(&self, image: usize) -> image::DynamicImage {
        let view = self.json["images"][image]["bufferView"].as_u64().unwrap() as usize;
        let view = &self.json["bufferViews"][view];
        let number = |name: &str| view[name].as_u64().unwrap() as usize;
        let start = number("byteOffset");
        image::load_from_memory(&self.bin[start..start + number("byteLength")]).unwrap()
    }
}
