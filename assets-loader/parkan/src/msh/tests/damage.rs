//! What is changed in the hand-typed file, and what the readers and the writer say about it.

use super::*;
use crate::raw_nres::{set16, set32};
use ironlands_assets_core::bytes::Finding;
use ironlands_assets_proof::Damage;

/// A change, and the place that the strict reader must name.
struct Breakage {
    name: &'static str,
    change: fn(&mut [u8]),
    entry: Option<&'static str>,
    field: &'static str,
    offset: usize,
    /// The leniency that gets over it, if any.
    waiver: Option<Tolerance>,
}

/// Payload offsets of the hand-typed file.
const TYPE_1: usize = 16;
const TYPE_2: usize = 96;
const SLOT_1: usize = TYPE_2 + 0x8C + 68;
const TYPE_13: usize = 536;
const TYPE_7: usize = 600;
const TYPE_8: usize = 648;
const TYPE_19: usize = 720;
const TYPE_10: usize = 736;

/// Rows of the directory, in file order.
const fn row(index: usize) -> usize {
    DIRECTORY + index * ROW_SIZE
}

fn container_breakages() -> Vec<Breakage> {
    vec![
        Breakage {
            name: "a required chunk is missing",
            change: |f| set32(f, row(8), 99),
            entry: None,
            field: "directory",
            offset: DIRECTORY,
            waiver: None,
        },
        Breakage {
            name: "attr1 of the nodes",
            change: |f| set32(f, row(0) + 4, 3),
            entry: Some("type 1"),
            field: "attr1",
            offset: row(0) + 4,
            waiver: Some(Tolerance::ATTRIBUTES),
        },
        Breakage {
            name: "attr1 of the names",
            change: |f| set32(f, row(14) + 4, 1),
            entry: Some("type 10"),
            field: "attr1",
            offset: row(14) + 4,
            waiver: Some(Tolerance::ATTRIBUTES),
        },
        Breakage {
            name: "the type 2 header is cut",
            change: |f| set32(f, row(1) + 12, 100),
            entry: Some("type 2"),
            field: "sphere center",
            offset: TYPE_2 + 100,
            waiver: None,
        },
        Breakage {
            name: "a part of a slot",
            // Some bytes of padding become part of the payload.
            change: |f| set32(f, row(1) + 12, 278),
            entry: Some("type 2"),
            field: "size",
            offset: row(1) + 12,
            waiver: Some(Tolerance::PART_RECORDS),
        },
        Breakage {
            name: "a normal is missing",
            change: |f| {
                set32(f, row(3) + 4, 3);
                set32(f, row(3) + 12, 12);
            },
            entry: Some("type 4"),
            field: "record count",
            offset: row(3) + 12,
            waiver: Some(Tolerance::STREAM_LENGTHS),
        },
        Breakage {
            name: "two records of type 15 are missing",
            change: |f| {
                set32(f, row(6) + 4, 2);
                set32(f, row(6) + 12, 16);
            },
            entry: Some("type 15"),
            field: "record count",
            offset: row(6) + 12,
            waiver: Some(Tolerance::STREAM_LENGTHS),
        },
        Breakage {
            name: "a name longer than the chunk",
            change: |f| set32(f, TYPE_10, 10),
            entry: Some("type 10"),
            field: "name length",
            offset: TYPE_10,
            waiver: Some(Tolerance::NAMES),
        },
        Breakage {
            name: "no NUL after a name",
            change: |f| f[TYPE_10 + 8] = 1,
            entry: Some("type 10"),
            field: "NUL after the name",
            offset: TYPE_10 + 8,
            waiver: Some(Tolerance::NAMES),
        },
        Breakage {
            name: "bytes after the names",
            change: |f| set32(f, row(14) + 12, 15),
            entry: Some("type 10"),
            field: "after the last name",
            offset: TYPE_10 + 13,
            waiver: Some(Tolerance::NAMES),
        },
    ]
}

fn link_breakages() -> Vec<Breakage> {
    let links = |name, change, entry, field, offset| Breakage {
        name,
        change,
        entry: Some(entry),
        field,
        offset,
        waiver: Some(Tolerance::BROKEN_LINKS),
    };
    vec![
        links(
            "a descriptor that does not exist",
            |f| set16(f, TYPE_7 + 16 + 4, 3),
            "type 7",
            "descriptor 1 linkTri1",
            TYPE_7 + 16 + 4,
        ),
        links(
            "indices beyond the table",
            |f| set16(f, TYPE_13 + 20 + 8, 7),
            "type 13",
            "batch 1 indexStart and indexCount",
            TYPE_13 + 20 + 8,
        ),
        links(
            "an index start that wraps",
            |f| set32(f, TYPE_13 + 20 + 10, 0xFFFF_FFFE),
            "type 13",
            "batch 1 indexStart and indexCount",
            TYPE_13 + 20 + 8,
        ),
        links(
            "a vertex that does not exist",
            |f| set32(f, TYPE_13 + 20 + 16, 2),
            "type 13",
            "batch 1 baseVertex",
            TYPE_13 + 20 + 16,
        ),
        links(
            "a base vertex that wraps",
            |f| set32(f, TYPE_13 + 20 + 16, 0xFFFF_FFFF),
            "type 13",
            "batch 1 baseVertex",
            TYPE_13 + 20 + 16,
        ),
        links(
            "a slot that ends behind the descriptors",
            |f| set16(f, SLOT_1 + 2, 3),
            "type 2",
            "slot 1 triStart and triCount",
            SLOT_1,
        ),
        links(
            "a slot that ends behind the batches",
            |f| set16(f, SLOT_1 + 6, 2),
            "type 2",
            "slot 1 batchStart and batchCount",
            SLOT_1 + 4,
        ),
        links(
            "a node that is its own parent",
            |f| set16(f, TYPE_1 + 38 + 2, 1),
            "type 1",
            "node 1 parent",
            TYPE_1 + 38 + 2,
        ),
        links(
            "a slot word without a slot",
            |f| set16(f, TYPE_1 + 8 + 10, 2),
            "type 1",
            "node 0 slotIndex[5]",
            TYPE_1 + 8 + 10,
        ),
        links(
            "a fallback key that does not exist",
            |f| set16(f, TYPE_1 + 6, 3),
            "type 1",
            "node 0 fallback key",
            TYPE_1 + 6,
        ),
        links(
            "a map without a fallback key",
            |f| set16(f, TYPE_1 + 38 + 6, NONE),
            "type 1",
            "node 1 fallback key",
            TYPE_1 + 38 + 6,
        ),
        links(
            "a map that ends behind the words",
            |f| set16(f, TYPE_1 + 38 + 4, 1),
            "type 1",
            "node 1 map start",
            TYPE_1 + 38 + 4,
        ),
    ]
}

fn value_breakages() -> Vec<Breakage> {
    let animation = |name, change, entry, field, offset| Breakage {
        name,
        change,
        entry: Some(entry),
        field,
        offset,
        waiver: Some(Tolerance::ANIMATION),
    };
    vec![
        Breakage {
            name: "a slot radius that is no number",
            change: |f| set32(f, SLOT_1 + 44, 0x7FC0_0000),
            entry: Some("type 2"),
            field: "slot 1 bounds",
            offset: SLOT_1 + 8,
            waiver: Some(Tolerance::BOUNDS),
        },
        animation(
            "times that stand still",
            |f| set32(f, TYPE_8 + 48 + 12, 0),
            "type 1",
            "node 1 fallback key",
            TYPE_1 + 38 + 6,
        ),
        animation(
            "a time that is no number",
            |f| set32(f, TYPE_8 + 48 + 12, 0x7FC0_0000),
            "type 1",
            "node 1 fallback key",
            TYPE_1 + 38 + 6,
        ),
        animation(
            "a map that leads to one key only",
            |f| {
                set16(f, TYPE_19, 2);
                set16(f, TYPE_19 + 2, 3);
            },
            "type 1",
            "node 1 map start",
            TYPE_1 + 38 + 4,
        ),
    ]
}

fn breakages() -> impl Iterator<Item = Breakage> {
    let lists = [container_breakages(), link_breakages(), value_breakages()];
    lists.into_iter().flatten()
}

impl Breakage {
    fn file(&self) -> Vec<u8> {
        let mut file = raw_nres(&hand_typed_chunks());
        (self.change)(&mut file);
        file
    }
}

pub(super) fn damage() -> Vec<Damage> {
    let rows = breakages();
    let damaged = rows.map(|it| Damage::new(it.name, it.file(), it.field, it.offset as u64));
    damaged.collect()
}

#[test]
fn each_leniency_waives_its_own_rule_and_no_other() {
    for damage in breakages() {
        let file = damage.file();
        let error = Msh::read(&file).unwrap_err();
        assert_eq!(error.entry.as_deref(), damage.entry, "{}", damage.name);
        let others = Tolerance::all().difference(damage.waiver.unwrap_or(Tolerance::STRICT));
        let refused = Msh::read_with(&file, others);
        assert!(refused.is_err(), "{}", damage.name);
        let Some(waiver) = damage.waiver else {
            continue;
        };
        let (model, findings) = Msh::read_with(&file, waiver).unwrap();
        assert_eq!(findings.len(), 1, "{}", damage.name);
        assert_eq!(findings[0].severity, Severity::Error, "{}", damage.name);
        assert_eq!(
            findings[0].offset,
            Some(damage.offset as u64),
            "{}",
            damage.name
        );
        let written = model.write().unwrap();
        let again = Msh::read(&written).unwrap();
        assert_eq!(again.write().unwrap(), written, "{}", damage.name);
    }
}

/// The original ignores the strides of chunks.
#[test]
fn a_wrong_stride_is_read_kept_and_warned_of() {
    for (index, attr3, message) in [
        (0, 37, "attr3 of type 1 is 37, not 38"),
        (11, 24, "attr3 of type 8 is 24, not 4"),
        (14, 7, "attr3 of type 10 is 7, not 0"),
    ] {
        let mut file = raw_nres(&hand_typed_chunks());
        set32(&mut file, row(index) + 16, attr3);
        let model = Msh::read(&file).unwrap();
        assert_eq!(model.write().unwrap(), file);
        let findings = model.check();
        let found = findings.iter().find(|it| it.message == message);
        assert_eq!(found.unwrap().severity, Severity::Warning);
        let canonical = raw_nres(&hand_typed_chunks());
        assert_eq!(model.write_canonical().unwrap(), canonical);
    }
}

/// Seed document on animation, section 9: `fallbackKeyIndex < key_count` for each node, times of each track increase.
#[test]
fn nodes_that_stand_still_have_sound_tracks() {
    let mut model = hand_typed_value();
    model.animation.map.clear();
    for node in nodes_of(&mut model) {
        node.map_start = NONE;
    }
    assert_eq!(model.write().err(), None);
    let mut falling = model.clone();
    falling.animation.keys[2].time = -1.0;
    nodes_of(&mut model)[0].fallback_key = NONE;
    for (model, field) in [
        (model, "node 0 fallback key"),
        (falling, "node 1 fallback key"),
    ] {
        assert_eq!(model.write().unwrap_err().field, field);
        let file = model.filled_container().unwrap().write().unwrap();
        assert_eq!(Msh::read(&file).unwrap_err().field, field);
        let is_error = |it: &Finding| it.severity == Severity::Error && it.message.contains(field);
        assert!(model.check().iter().any(is_error));
        let (repaired, _) = Msh::read_with(&file, Tolerance::all()).unwrap();
        let again = Msh::read(&repaired.write().unwrap()).unwrap();
        assert_eq!(again, repaired, "{field} is repaired for good");
    }
}

fn nodes_of(model: &mut Msh) -> &mut [Node] {
    let NodeTable::Nodes(nodes) = &mut model.nodes else {
        panic!("the nodes of the sample can be read");
    };
    nodes
}

/// Whatever the tolerant reader lets pass, the writer mends or refuses.
#[test]
fn nothing_is_written_that_the_strict_reader_refuses() {
    for damage in breakages() {
        let file = damage.file();
        let Ok((model, _)) = Msh::read_with(&file, Tolerance::all()) else {
            continue;
        };
        if let Ok(written) = model.write() {
            assert_eq!(Msh::read(&written).err(), None, "{}", damage.name);
        }
    }
    let mut file = raw_nres(&hand_typed_chunks());
    set32(&mut file, row(0) + 60, 1);
    let (model, _) = Msh::read_with(&file, Tolerance::all()).unwrap();
    assert_eq!(Msh::read(&model.write().unwrap()).unwrap(), model);
}

#[test]
fn a_repair_drops_what_is_damaged_and_no_more() {
    for damage in link_breakages().into_iter().chain(value_breakages()) {
        let file = damage.file();
        let (model, _) = Msh::read_with(&file, Tolerance::all()).unwrap();
        let good = hand_typed_value();
        assert_eq!(model.positions, good.positions, "{}", damage.name);
        assert_eq!(model.batches[0], good.batches[0], "{}", damage.name);
        assert_eq!(model.slots[0], good.slots[0], "{}", damage.name);
        assert_eq!(model.names, good.names, "{}", damage.name);
    }
}

#[test]
fn damaged_bounds_become_those_of_all_vertices() {
    let mut file = raw_nres(&hand_typed_chunks());
    set32(&mut file, SLOT_1 + 8, 0x7F80_0000);
    let (model, findings) = Msh::read_with(&file, Tolerance::BOUNDS).unwrap();
    assert_eq!(model.slots[1].aabb_min, [1.0, 2.0, 0.5]);
    assert_eq!(model.slots[1].aabb_max, [3.0, 6.0, 2.5]);
    assert_eq!(model.slots[1].sphere_center, [2.0, 4.0, 1.5]);
    assert_eq!(model.slots[1].sphere_radius, 6.0_f32.sqrt());
    assert_eq!(model.slots[1].batch_count, 1);
    assert_eq!(findings.len(), 1);
}

#[test]
fn bounds_around_the_farthest_vertices_are_finite() {
    let mut chunks = hand_typed_chunks();
    // Vertex 0 at x = 3e38; the radius of slot 1 is no number.
    chunks[2].data[..4].copy_from_slice(&3e38f32.to_le_bytes());
    chunks[1].data[0x8C + 68 + 44..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let (model, _) = Msh::read_with(&raw_nres(&chunks), Tolerance::BOUNDS).unwrap();
    assert_eq!(model.slots[1].sphere_radius, f32::MAX);
    assert!(model.write().is_ok());
}

#[test]
fn without_frames_all_nodes_stand_at_their_last_keys() {
    let mut file = raw_nres(&hand_typed_chunks());
    set32(&mut file, row(12) + 8, 0);
    let error = Msh::read(&file).unwrap_err();
    assert_eq!(error.field, "attr2 (frame count)");
    assert_eq!(error.offset, row(12) as u64 + 8);
    let (model, findings) = Msh::read_with(&file, Tolerance::ANIMATION).unwrap();
    assert_eq!(model.animation.frame_count, 1);
    assert_eq!(model.nodes.as_slice()[1].map_start, NONE);
    assert_eq!(model.nodes.as_slice()[1].fallback_key, 2);
    // The frame count, and the map of node 1 that leads nowhere without frames.
    assert_eq!(findings.len(), 2);
    let written = model.write().unwrap();
    assert_eq!(Msh::read(&written).unwrap().write().unwrap(), written);
}

/// Node 0 stands at a key of node 1's track, whose time changes for it: found by fuzzing.
#[test]
fn a_track_whose_keys_another_node_changes_loses_its_map() {
    let mut chunks = hand_typed_chunks();
    chunks[0].data[6..8].copy_from_slice(&1u16.to_le_bytes());
    let keys = chunks.iter_mut().find(|it| it.type_id == 8).unwrap();
    keys.data[2 * 24 + 12..][..4].copy_from_slice(&1f32.to_le_bytes());
    let (model, _) = Msh::read_with(&raw_nres(&chunks), Tolerance::all()).unwrap();
    assert_eq!(model.nodes.as_slice()[1].map_start, NONE);
    let written = model.write().unwrap();
    assert!(Msh::read(&written).is_ok());
}

#[test]
fn cut_names_are_kept_as_far_as_they_go() {
    let mut chunks = hand_typed_chunks();
    chunks[14].data.truncate(11);
    let (model, _) = Msh::read_with(&raw_nres(&chunks), Tolerance::NAMES).unwrap();
    assert_eq!(model.names, hand_typed_value().names);
    chunks[14].data.truncate(7);
    let (model, _) = Msh::read_with(&raw_nres(&chunks), Tolerance::NAMES).unwrap();
    assert_eq!(model.names, Some(vec![vec![], vec![]]));
}

#[test]
fn the_tolerant_reader_waives_the_archives_rules_too() {
    let mut file = raw_nres(&hand_typed_chunks());
    set32(&mut file, row(0) + 60, 1);
    let error = Msh::read(&file).unwrap_err();
    assert_eq!(error.format, "nres");
    assert_eq!(error.field, "entry sort index");
    let (model, findings) = Msh::read_with(&file, Tolerance::CONTAINER).unwrap();
    assert_eq!(model, hand_typed_value());
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].format, "nres");
}

#[test]
fn the_writer_refuses_what_the_reader_would_refuse() {
    let mut model = hand_typed_value();
    model.batches[1].index_count = 7;
    assert_eq!(
        model.write().unwrap_err().to_string(),
        "msh (entry type 13): byte 0x234, batch 1 indexStart and indexCount: \
         expected indices below 9, found 7 from 3"
    );
    let mut model = hand_typed_value();
    model.uv0.as_mut().unwrap().pop();
    let error = model.write_canonical().unwrap_err();
    assert_eq!(error.entry.as_deref(), Some("type 5"));
    let mut model = hand_typed_value();
    model.names.as_mut().unwrap().pop();
    let error = model.write().unwrap_err();
    assert_eq!(error.entry.as_deref(), Some("type 10"));
    let mut model = hand_typed_value();
    model.animation.frame_count = 0;
    let error = model.write().unwrap_err();
    assert_eq!(error.entry.as_deref(), Some("type 19"));
}

#[test]
fn numbers_that_are_not_finite_are_found_and_refused_on_request() {
    type Edit = fn(&mut Msh);
    let broken: [(Edit, &str, u64); 5] = [
        (|it| it.positions[1][2] = f32::NAN, "type 3, vertex 1", 12),
        (
            |it| it.animation.keys[2].time = f32::INFINITY,
            "type 8, key 2",
            48,
        ),
        (|it| it.positions[0][2] = -2e12, "type 3, vertex 0", 0),
        (
            |it| it.animation.keys[1].position[1] = 2e12,
            "type 8, key 1",
            24,
        ),
        (
            |it| it.animation.keys[1].position[0] = f32::NAN,
            "type 8, key 1",
            24,
        ),
    ];
    for (damage, what, byte) in broken {
        let mut model = Msh::read(&raw_nres(&hand_typed_chunks())).unwrap();
        assert!(model.clone().require_finite().is_ok());
        damage(&mut model);
        let chunk = if what.starts_with("type 3") { 3 } else { 8 };
        let chunk = model.container.find_type(chunk).unwrap();
        let offset = model.container.entries[chunk].offset() + byte;
        let findings = model.check();
        let found = findings.iter().find(|it| it.message.contains(what));
        let found = found.unwrap_or_else(|| panic!("{what}: {findings:#?}"));
        assert_eq!(
            (found.severity, found.offset),
            (Severity::Error, Some(offset))
        );
        let error = model.require_finite().unwrap_err();
        assert_eq!(error.offset, offset, "{error}");
    }
}
