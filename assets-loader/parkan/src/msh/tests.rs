//! Models: facts, edits, orders, checks, truncations and mutations.

use super::*;
use crate::nres::Entry;
use crate::raw_nres::{ROW_SIZE, RawChunk, raw_nres, with_true_size};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::{Fact, RecordPlace, Truncations, proof};

mod damage;
mod lookup;
mod properties;
mod quaternions;
mod samples;

use damage::damage;
use properties::any_model;
use samples::{hand_typed_chunks, hand_typed_value, stride_24_chunks};

/// Where the directory of the hand-typed file begins.
const DIRECTORY: usize = 800;

proof! {
    Msh {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_model(),
        // The archive's copy, the tables, and of damage a few findings: below twelve times the file.
        growth: 12,
        runs: 2_000,
        records: records(),
        mend: with_true_size,
        // Only what the archive itself lacks stays broken; the rest is repaired for good.
        also: |model, _| {
            let repaired = model.write().unwrap();
            let (again, _) = Msh::read_with(&repaired, Tolerance::CONTAINER).unwrap();
            assert_eq!(again.write().unwrap(), repaired);
            model.tracks();
        },
    }
}

fn facts() -> Vec<Fact<Msh>> {
    let file = raw_nres(&hand_typed_chunks());
    assert_eq!(file.len(), DIRECTORY + 17 * ROW_SIZE);
    vec![
        Fact::new("two nodes, typed by hand", hand_typed_value(), file),
        Fact::from_bytes("nodes of 24 bytes", raw_nres(&stride_24_chunks())),
    ]
}

fn records() -> [RecordPlace; 7] {
    let (file, model) = (raw_nres(&hand_typed_chunks()), hand_typed_value());
    let NodeTable::Nodes(nodes) = &model.nodes else {
        panic!("the sample has nodes");
    };
    let (triangles, probes) = (model.triangles.unwrap(), model.probes.unwrap());
    [
        RecordPlace::from_value(&file, &nodes[0], ()),
        RecordPlace::from_value(&file, &model.header, ()),
        RecordPlace::from_value(&file, &model.slots[0], ()),
        RecordPlace::from_value(&file, &triangles[0], ()),
        RecordPlace::from_value(&file, &model.animation.keys[0], ()),
        RecordPlace::from_value(&file, &model.batches[0], ()),
        RecordPlace::from_value(&file, &probes[0], ()),
    ]
}

#[test]
fn the_hand_typed_file_is_canonical() {
    let file = raw_nres(&hand_typed_chunks());
    let model = Msh::read(&file).unwrap();
    assert_eq!(model.write_canonical().unwrap(), file);
}

#[test]
fn a_built_model_is_laid_out_like_the_hand_typed_file() {
    let mut built = hand_typed_value();
    built
        .container
        .entries
        .retain(|entry| [1, 9, 17].contains(&entry.type_id));
    assert_eq!(built.write().unwrap(), raw_nres(&hand_typed_chunks()));
}

#[test]
fn a_static_model_needs_six_chunks() {
    let mut built = hand_typed_value();
    let NodeTable::Nodes(nodes) = &mut built.nodes else {
        panic!("the sample has nodes");
    };
    for node in nodes {
        node.map_start = NONE;
        node.fallback_key = NONE;
    }
    let built = Msh {
        normals: None,
        uv0: None,
        triangles: None,
        animation: MshAnimation::default(),
        names: None,
        unknown_15: None,
        tangents: None,
        lightmap_uv: None,
        probes: None,
        container: NRes::new(),
        ..built
    };
    let back = Msh::read(&built.write().unwrap()).unwrap();
    let types: Vec<u32> = back.container.entries.iter().map(|e| e.type_id).collect();
    assert_eq!(types, [1, 2, 3, 13, 6]);
    assert_eq!(
        Msh {
            container: NRes::new(),
            ..back
        },
        built
    );
}

#[test]
fn optional_tables_come_and_go() {
    let mut model = Msh::read(&raw_nres(&hand_typed_chunks())).unwrap();
    model.normals = None;
    model.probes = None;
    let mut model = Msh::read(&model.write().unwrap()).unwrap();
    assert_eq!((&model.normals, &model.probes), (&None, &None));
    assert_eq!(model.container.entries.len(), 15);
    model.normals = hand_typed_value().normals;
    model.probes = hand_typed_value().probes;
    let back = Msh::read(&model.write().unwrap()).unwrap();
    assert_eq!(back, hand_typed_value());
    let canonical = model.write_canonical().unwrap();
    assert_eq!(canonical, raw_nres(&hand_typed_chunks()));
}

#[test]
fn names_orders_attributes_and_unknown_chunks_survive() {
    let mut chunks = hand_typed_chunks();
    chunks.reverse();
    for (index, chunk) in chunks.iter_mut().enumerate() {
        chunk.name[..2].copy_from_slice(&[b'a' + index as u8, 0]);
        chunk.name[35] = 0xEE;
        if chunk.type_id != 19 {
            chunk.attr2 = 1000 + index as u32;
        }
    }
    chunks.push(RawChunk::new(99, [7, 8, 9], b"y", vec![1, 2, 3]));
    // A second chunk of a known type is not the model's.
    chunks.push(RawChunk::new(3, [1, 0, 12], b"z", vec![4; 7]));
    let file = raw_nres(&chunks);
    let model = Msh::read(&file).unwrap();
    assert_eq!(model.write().unwrap(), file);
    assert_eq!(model.container.entries[18].data, [4; 7]);
}

#[test]
fn canonical_order_is_that_of_the_known_models() {
    let mut chunks = hand_typed_chunks();
    chunks.reverse();
    chunks.insert(0, RawChunk::new(99, [7, 8, 9], b"MODEL", vec![1, 2, 3]));
    for chunk in &mut chunks {
        if ![1, 9, 17, 19, 20, 99].contains(&chunk.type_id) {
            chunk.attr2 = 5;
        }
    }
    let canonical = Msh::read(&raw_nres(&chunks)).unwrap().write_canonical();
    let mut expected = hand_typed_chunks();
    expected.push(RawChunk::new(99, [7, 8, 9], b"MODEL", vec![1, 2, 3]));
    assert_eq!(canonical.unwrap(), raw_nres(&expected));
}

#[test]
fn the_orders_of_all_known_models_are_canonical() {
    let most = [1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 9, 10, 17];
    let some = [1, 2, 3, 4, 5, 18, 15, 13, 6, 7, 8, 19, 9, 10, 17, 20];
    for order in [&most[..], &some[..]] {
        let chunks = hand_typed_chunks().into_iter();
        let chunks: Vec<RawChunk> = chunks.filter(|c| order.contains(&c.type_id)).collect();
        let types: Vec<u32> = chunks.iter().map(|chunk| chunk.type_id).collect();
        assert_eq!(types, order, "the samples stand in this order");
        let file = raw_nres(&chunks);
        let model = Msh::read(&file).unwrap();
        assert_eq!(model.write_canonical().unwrap(), file);
        let findings = model.check();
        let reported = |it: &ironlands_assets_core::bytes::Finding| {
            it.message.contains("order of no known model")
        };
        assert!(!findings.iter().any(reported), "a known order");
    }
}

#[test]
fn an_edit_changes_the_edited_bytes_only() {
    let file = raw_nres(&hand_typed_chunks());
    let mut model = Msh::read(&file).unwrap();
    model.batches[1].wear_row = 0x55;
    let mut expected = file;
    expected[536 + 20 + 4] = 0x55;
    assert_eq!(model.write().unwrap(), expected);
}

#[test]
fn the_outlier_of_stride_24_is_copied_through() {
    let file = raw_nres(&stride_24_chunks());
    let model = Msh::read(&file).unwrap();
    let NodeTable::Stride24(records) = &model.nodes else {
        panic!("its nodes cannot be read");
    };
    assert_eq!(records[1][23], 47);
    assert_eq!(model.slot(0, 0, 0), None);
    assert_eq!(model.write().unwrap(), file);
    let findings = model.check();
    let about_nodes = "type 1 has nodes of 24 bytes, which no one can read";
    assert!(
        findings
            .iter()
            .any(|finding| finding.message == about_nodes)
    );
}

#[test]
fn what_is_no_light_probe_stays_raw() {
    let mut by_size = hand_typed_chunks();
    by_size[16].data.pop();
    let mut by_count = hand_typed_chunks();
    by_count[16].attr1 = 2;
    let mut empty = hand_typed_chunks();
    empty[16].data.clear();
    for chunks in [by_size, by_count, empty] {
        let file = raw_nres(&chunks);
        let model = Msh::read(&file).unwrap();
        assert_eq!(model.probes, None);
        assert_eq!(model.write().unwrap(), file);
    }
}

#[test]
fn nested_models_report_places_in_the_archive() {
    let mut chunks = hand_typed_chunks();
    let good = raw_nres(&chunks);
    chunks[9].attr1 = 8;
    let bad = raw_nres(&chunks);
    let len = good.len();
    let archive = raw_nres(&[
        RawChunk::new(0x4853_454D, [0; 3], b"bad.Msh", bad),
        RawChunk::new(0x4853_454D, [0; 3], b"good.msh", good),
        RawChunk::new(0x4D58_4554, [0; 3], b"msh.tex", vec![]),
    ]);
    let archive = NRes::read(&archive).unwrap();
    let models: Vec<usize> = model_entries(&archive).collect();
    assert_eq!(models, [0, 1]);
    assert_eq!(archive.entries[1].offset(), 16 + len as u64);
    assert_eq!(
        Msh::read_nested(&archive.entries[1]).unwrap(),
        hand_typed_value()
    );
    let error = Msh::read_nested(&archive.entries[0]).unwrap_err();
    let row = 16 + DIRECTORY + 9 * ROW_SIZE;
    assert_eq!(
        error.to_string(),
        format!(
            "msh (entry bad.Msh/type 6): byte {:#x}, attr1: expected 9, found 8",
            row + 4
        )
    );
    let repaired = Msh::read_nested_with(&archive.entries[0], Tolerance::ATTRIBUTES);
    let (model, findings) = repaired.unwrap();
    assert_eq!(model, hand_typed_value());
    assert_eq!(findings[0].offset, Some(row as u64 + 4));
}

#[test]
fn check_reports_what_is_unlike_the_known_models() {
    let mut chunks = hand_typed_chunks();
    chunks.remove(7);
    chunks[3].attr2 = 6;
    chunks.push(chunks[2].clone());
    let mut model = Msh::read(&raw_nres(&chunks)).unwrap();
    model.batches[1].index_count = 5;
    model.slots[0].tri_count = 2;
    model.header.capsule_radius = f32::INFINITY;
    let messages: Vec<(Severity, String)> = (model.check().into_iter())
        .map(|finding| (finding.severity, finding.message))
        .collect();
    let warning = |text: &str| (Severity::Warning, text.to_owned());
    let note = |text: &str| (Severity::Note, text.to_owned());
    assert_eq!(
        messages,
        [
            warning("there is more than one chunk of type 3"),
            warning("attr2 of type 4 is 6, not 0"),
            warning("batch 1 has 5 indices, no multiple of 3"),
            warning("the bounds of the whole model are not finite"),
            note("slot 0 has 2 descriptors, its batches 1 triangles"),
            note("the chunks stand in an order of no known model"),
            note(
                "quaternions are read as x, y, z, w; the posed model leaves its box by \
                 122.47 % as w, x, y, z and 61.24 % as x, y, z, w"
            ),
            note("batch 1 has lightmap row 8 and flags 0x0004"),
            warning("batch 0 is no portal and leads to node 1"),
            warning("batch 1 is no portal and leads to node 2"),
            note("entry 16 \"MODEL\" has the name and type of entry 2; a search finds the first"),
        ]
    );
}

#[test]
fn check_finds_what_an_edit_broke() {
    let mut model = Msh::read(&raw_nres(&hand_typed_chunks())).unwrap();
    model.batches[1].base_vertex = 2;
    let errors: Vec<_> = (model.check().into_iter())
        .filter(|finding| finding.severity == Severity::Error)
        .collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].offset, Some(536 + 20 + 16));
    assert_eq!(
        errors[0].message,
        "type 13, batch 1 baseVertex: expected vertices below 4, found 2 and indices up to 2"
    );
}

#[test]
fn an_archive_entry_that_is_no_model_is_refused() {
    let entry = Entry::new(0, 0, 0, 0, "x.msh", b"none".to_vec()).unwrap();
    let error = Msh::read_nested(&entry).unwrap_err();
    assert_eq!(error.entry.as_deref(), Some("x.msh"));
    assert_eq!(error.format, "nres");
}
