//! The rules of the external model validator (dossier section 14.3), repeated on raw bytes, for all models and
//! textures; warnings count as errors.
//!
//! Nothing of the loader is used here, so that a bug that reader and writer share is found.

mod raw;

use raw::{Chunk, chunks, chunks_of, f32_at, u16_at, u32_at};

const ARCHIVES: [&str; 5] = [
    "bases.rlb",
    "turrets.rlb",
    "guns.rlb",
    "fortif.rlb",
    "static.rlb",
];

const MESH: u32 = 0x4853_454D;
const WEAR: u32 = 0x5241_4557;
const TEXM: u32 = 0x6D78_6554;
const NONE: usize = 0xFFFF;

/// Chunk types of fixed records with their strides.
const STRIDES: [(u32, usize); 8] = [
    (3, 12),
    (4, 4),
    (5, 4),
    (6, 2),
    (7, 16),
    (13, 20),
    (18, 4),
    (8, 24),
];

/// A model's chunks under the name of its entry.
struct Model {
    name: String,
    chunks: Vec<Chunk>,
}

impl Model {
    fn chunk(&self, type_id: u32) -> &Chunk {
        let mut of_type = self.chunks.iter().filter(|c| c.type_id == type_id);
        let chunk = of_type.next();
        assert!(of_type.next().is_none(), "{}: two of {type_id}", self.name);
        chunk.unwrap_or_else(|| panic!("{}: no chunk of type {type_id}", self.name))
    }

    fn has(&self, type_id: u32) -> bool {
        self.chunks.iter().any(|chunk| chunk.type_id == type_id)
    }

    /// How many records a chunk of fixed records has.
    fn count(&self, type_id: u32) -> usize {
        let stride = STRIDES.iter().find(|(of, _)| *of == type_id).unwrap().1;
        self.chunk(type_id).data.len() / stride
    }

    fn n_nodes(&self) -> usize {
        self.chunk(1).data.len() / 38
    }

    fn node_word(&self, node: usize, word: usize) -> usize {
        u16_at(&self.chunk(1).data, 38 * node + 2 * word).into()
    }
}

fn models() -> Vec<Model> {
    let mut models = Vec::new();
    for archive in ARCHIVES {
        for entry in chunks(archive) {
            if entry.name.ends_with(".msh") {
                assert_eq!(entry.type_id, MESH, "{archive}: {}", entry.name);
                let chunks = chunks_of(&entry.data, &entry.name);
                let name = entry.name;
                models.push(Model { name, chunks });
            }
        }
    }
    assert!(models.len() >= 8, "{} models", models.len());
    models
}

#[test]
fn every_model_has_its_material_table_beside_it() {
    for archive in ARCHIVES {
        let entries = chunks(archive);
        let of_type = |type_id| entries.iter().filter(move |entry| entry.type_id == type_id);
        let [models, tables] = [MESH, WEAR].map(|it| of_type(it).collect::<Vec<_>>());
        assert_eq!(models.len(), tables.len(), "{archive}");
        for model in models {
            let table = model.name.replace(".msh", ".wea");
            let table = tables.iter().find(|entry| entry.name == table).unwrap();
            let head = (table.type_id, table.attr1, table.attr2, table.attr3);
            assert_eq!(head, (WEAR, 0, 0, 1), "{}", table.name);
        }
    }
}

#[test]
fn chunks_stand_in_the_order_of_all_known_models() {
    const ORDER: [u32; 14] = [1, 2, 3, 4, 5, 18, 13, 6, 7, 8, 19, 9, 10, 17];
    for model in models() {
        let types: Vec<u32> = model.chunks.iter().map(|chunk| chunk.type_id).collect();
        let wanted: Vec<u32> = ORDER
            .into_iter()
            .filter(|type_id| *type_id != 18 || model.has(18))
            .collect();
        assert_eq!(types, wanted, "{}", model.name);
    }
}

#[test]
fn counts_and_attributes_agree_with_sizes() {
    for model in models() {
        let name = &model.name;
        let nodes = model.chunk(1);
        assert_eq!((nodes.attr3, nodes.data.len() % 38), (38, 0), "{name}");
        assert!(model.n_nodes() > 0, "{name}");
        assert_eq!(nodes.attr1 as usize, model.n_nodes(), "{name}");
        let slots = model.chunk(2);
        let n_slots = (slots.data.len() - 0x8C) / 68;
        assert_eq!((slots.data.len() - 0x8C) % 68, 0, "{name}");
        let attributes = (slots.attr1 as usize, slots.attr2, slots.attr3);
        assert_eq!(attributes, (n_slots, 0, 68), "{name}");
        for (type_id, stride) in STRIDES {
            if type_id == 18 && !model.has(18) {
                continue;
            }
            let chunk = model.chunk(type_id);
            assert_eq!(chunk.data.len() % stride, 0, "{name}: {type_id}");
            assert_eq!(
                chunk.attr1 as usize,
                model.count(type_id),
                "{name}: {type_id}"
            );
            let attr3 = if type_id == 8 { 4 } else { stride as u32 };
            assert_eq!((chunk.attr2, chunk.attr3), (0, attr3), "{name}: {type_id}");
        }
        let map = model.chunk(19);
        assert_eq!((map.data.len() % 2, map.attr3), (0, 2), "{name}");
        assert_eq!(map.attr1 as usize, map.data.len() / 2, "{name}");
        for stream in [4, 5, 18] {
            if stream != 18 || model.has(18) {
                assert_eq!(model.count(stream), model.count(3), "{name}: {stream}");
            }
        }
    }
}

#[test]
fn names_are_one_for_each_node() {
    for model in models() {
        let chunk = model.chunk(10);
        let attributes = (chunk.attr1 as usize, chunk.attr2, chunk.attr3);
        assert_eq!(attributes, (model.n_nodes(), 0, 0), "{}", model.name);
        let (mut at, data) = (0, &chunk.data);
        for _ in 0..model.n_nodes() {
            let len = u32_at(data, at) as usize;
            at += 4;
            if len > 0 {
                assert!(!data[at..at + len].contains(&0), "{}", model.name);
                assert_eq!(data[at + len], 0, "{}: NUL after the text", model.name);
                at += len + 1;
            }
        }
        assert_eq!(at, data.len(), "{}: exact end", model.name);
    }
}

#[test]
fn batches_name_vertices_that_exist_and_rows_of_their_table() {
    for archive in ARCHIVES {
        let entries = chunks(archive);
        for model in models() {
            let table = model.name.replace(".msh", ".wea");
            let Some(table) = entries.iter().find(|entry| entry.name == table) else {
                continue;
            };
            let text = String::from_utf8(table.data.clone()).unwrap();
            let n_rows: u8 = text.lines().next().unwrap().parse().unwrap();
            let has_lightmap = text.contains("LIGHTMAPS");
            let mut rows_used = vec![false; n_rows.into()];
            let (batches, indices) = (&model.chunk(13).data, &model.chunk(6).data);
            for batch in batches.chunks_exact(20) {
                let (count, start) = (u16_at(batch, 8) as usize, u32_at(batch, 10) as usize);
                assert!(start + count <= indices.len() / 2, "{}", model.name);
                assert!(count.is_multiple_of(3) && count > 0, "{}", model.name);
                let range = (start..start + count).map(|i| u16_at(indices, 2 * i) as usize);
                let vertex = range.max().unwrap() + u32_at(batch, 16) as usize;
                assert!(vertex < model.count(3), "{}", model.name);
                assert_eq!(u16_at(batch, 2), 0, "{}: word 2", model.name);
                rows_used[usize::from(batch[4])] = true;
                // Byte 5 is a row of the lightmaps, with coordinates in chunk 18.
                assert!(batch[5] == 255 || (has_lightmap && model.has(18) && batch[5] == 0));
            }
            assert!(
                rows_used.iter().all(|used| *used),
                "{}: {rows_used:?}",
                model.name
            );
            assert_eq!(has_lightmap, model.has(18), "{}", model.name);
        }
    }
}

#[test]
fn slots_name_batches_and_triangles_that_exist_and_hold_their_vertices() {
    for model in models() {
        let name = &model.name;
        let (batches, indices) = (&model.chunk(13).data, &model.chunk(6).data);
        let mut n_triangles = 0;
        for slot in model.chunk(2).data[0x8C..].chunks_exact(68) {
            let word = |k: usize| usize::from(u16_at(slot, 2 * k));
            let [tri_start, tri_count, batch_start, batch_count] = [0, 1, 2, 3].map(word);
            assert!(tri_start + tri_count <= model.count(7), "{name}");
            assert!(batch_start + batch_count <= model.count(13), "{name}");
            let bounds: Vec<f32> = (0..10).map(|k| f32_at(slot, 8 + 4 * k)).collect();
            assert!(bounds.iter().all(|v| v.is_finite()), "{name}");
            let mut in_batches = 0;
            for batch in batch_start..batch_start + batch_count {
                let batch = &batches[20 * batch..20 * batch + 20];
                let (count, start) = (u16_at(batch, 8) as usize, u32_at(batch, 10) as usize);
                in_batches += count / 3;
                for index in start..start + count {
                    let vertex = u16_at(indices, 2 * index) as usize + u32_at(batch, 16) as usize;
                    let at = |k: usize| f32_at(&model.chunk(3).data, 12 * vertex + 4 * k);
                    let away = |k: usize| f64::from(at(k) - bounds[6 + k]);
                    for k in 0..3 {
                        assert!((bounds[k]..=bounds[3 + k]).contains(&at(k)), "{name}");
                    }
                    let far = (0..3).map(|k| away(k) * away(k)).sum::<f64>().sqrt();
                    assert!(far <= f64::from(bounds[9]) * (1.0 + 1e-6), "{name}: {far}");
                }
            }
            assert_eq!(in_batches, tri_count, "{name}");
            n_triangles += tri_count;
        }
        assert_eq!(
            n_triangles,
            model.count(7),
            "{name}: no triangle of no slot"
        );
        for descriptor in model.chunk(7).data.chunks_exact(16) {
            for k in 1..4 {
                let link = usize::from(u16_at(descriptor, 2 * k));
                assert!(link == NONE || link < n_triangles, "{name}");
            }
        }
    }
}

#[test]
fn nodes_name_slots_parents_and_tracks_that_exist() {
    for model in models() {
        let name = &model.name;
        let n_slots = (model.chunk(2).data.len() - 0x8C) / 68;
        let (map, n_keys) = (model.chunk(19), model.count(8));
        let n_frames = map.attr2 as usize;
        assert!(n_frames > 0, "{name}");
        let mut next_key = 0;
        for node in 0..model.n_nodes() {
            let [parent, map_start, fallback] = [1, 2, 3].map(|word| model.node_word(node, word));
            assert!(parent == NONE || parent < node, "{name}: parent of {node}");
            for k in 4..19 {
                let slot = model.node_word(node, k);
                assert!(slot == NONE || slot < n_slots, "{name}: slot of {node}");
            }
            // Canonical tracks (section 8.7): one after the other, from frame 0, a map for two keys or more.
            assert!(fallback >= next_key && fallback < n_keys, "{name}: {node}");
            let times: Vec<f32> = (next_key..=fallback)
                .map(|key| f32_at(&model.chunk(8).data, 24 * key + 12))
                .collect();
            assert_eq!(times[0], 0.0, "{name}: {node}");
            assert!(
                times.windows(2).all(|pair| pair[0] < pair[1]),
                "{name}: {node}"
            );
            assert_eq!(times.len() > 1, map_start != NONE, "{name}: {node}");
            if map_start != NONE {
                assert!(map_start + n_frames <= map.data.len() / 2, "{name}: {node}");
                for frame in 0..n_frames {
                    let word = usize::from(u16_at(&map.data, 2 * (map_start + frame)));
                    let last = times.len() - 1;
                    let key = times.iter().rposition(|time| *time <= frame as f32);
                    let wanted = key.filter(|key| *key < last).unwrap_or(last);
                    assert_eq!(word, next_key + wanted, "{name}: {node} at {frame}");
                }
            }
            next_key = fallback + 1;
        }
        assert_eq!(next_key, n_keys, "{name}: no key of no node");
    }
}

#[test]
fn textures_have_a_known_format_and_their_exact_size() {
    let mut n_textures = 0;
    for library in ["Textures.lib", "LightMap.lib"] {
        for entry in chunks(library) {
            let (name, data) = (&entry.name, &entry.data);
            assert_eq!(entry.type_id, TEXM, "{name}");
            let word = |k: usize| u32_at(data, 4 * k);
            let [magic, width, height, n_mips, flags4, flags5, _, format] =
                [0, 1, 2, 3, 4, 5, 6, 7].map(word);
            assert_eq!(magic, TEXM, "{name}");
            assert!(width > 0 && height > 0 && n_mips > 0, "{name}");
            assert!([0, 32].contains(&flags4), "{name}");
            assert!([0, 0x0400_0000, 0x0080_0000].contains(&flags5), "{name}");
            let (bytes, palette) = match format {
                0 => (1, 1024),
                565 | 556 | 4444 => (2, 0),
                888 | 8888 => (4, 0),
                _ => panic!("{name}: format {format}"),
            };
            let pixels: u32 = (0..n_mips)
                .map(|level| (width >> level).max(1) * (height >> level).max(1))
                .sum();
            let core = 32 + palette + bytes * pixels as usize;
            if data.len() != core {
                assert_eq!(&data[core..core + 4], b"Page", "{name}");
                let n_rects = u32_at(data, core + 4) as usize;
                assert_eq!(data.len(), core + 8 + 8 * n_rects, "{name}");
            }
            n_textures += 1;
        }
    }
    assert!(n_textures > 50, "{n_textures} textures");
}
