//! What becomes of glTF files that others wrote.

mod motion;
mod problems;
mod surfaces;
mod transforms;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ironlands_exchange::ImportError;
use ironlands_world_parkan::exchange::{ImportOptions, ImportedModel, read_glb};
use serde_json::{Value, json};

/// A glTF file while it is put together; its one buffer is inside.
struct File {
    json: Value,
    bin: Vec<u8>,
}

impl File {
    /// One triangle on one node that stands at the origin.
    fn triangle() -> Self {
        let mut file = Self {
            json: json!({
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": [{"name": "tri", "mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {}}]}],
                "accessors": [],
                "bufferViews": [],
            }),
            bin: Vec::new(),
        };
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let positions = file.floats(&corners, "VEC3");
        file.json["accessors"][positions]["min"] = json!([0.0, 0.0, 0.0]);
        file.json["accessors"][positions]["max"] = json!([1.0, 1.0, 0.0]);
        file.primitive()["attributes"]["POSITION"] = json!(positions);
        file
    }

    fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        let size = [("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4)];
        let size = size.into_iter().find(|(name, _)| *name == kind).unwrap().1;
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, values.len() / size, kind)
    }

    fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, 5123, values.len(), "SCALAR")
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, count: usize, kind: &str) -> usize {
        let view = self.view(bytes);
        let accessors = self.json["accessors"].as_array_mut().unwrap();
        accessors.push(json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        }));
        accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({
            "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len(),
        }));
        self.bin.extend(bytes);
        views.len() - 1
    }

    /// Moves node 0 by a sampler of translations.
    fn animate(&mut self, path: &str, interpolation: &str, times: &[f32], values: &[f32]) {
        let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
        let (input, output) = (self.floats(times, "SCALAR"), self.floats(values, kind));
        self.json["animations"] = json!([{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
            "samplers": [{"input": input, "output": output, "interpolation": interpolation}],
        }]);
    }

    fn text(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json["buffers"].is_null() {
            let uri = format!(
                "data:application/octet-stream;base64,{}",
                STANDARD.encode(&self.bin)
            );
            json["buffers"] = json!([{"byteLength": self.bin.len(), "uri": uri}]);
        }
        serde_json::to_vec(&json).unwrap()
    }

    fn try_read(&self) -> Result<ImportedModel, ImportError> {
        read_glb(&self.text(), &ImportOptions::default())
    }

    fn read(&self) -> ImportedModel {
        self.try_read().unwrap()
    }
}

fn reported(imported: &ImportedModel) -> Vec<String> {
    imported.findings.iter().map(ToString::to_string).collect()
}
