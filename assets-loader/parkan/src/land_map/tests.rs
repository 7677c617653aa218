use proptest::prelude::*;

use polygon_blocks::{polygon_facts, polygons};

use super::links::{BrokenLink, broken_links};
use super::*;
use crate::nres::Entry;
use crate::raw_nres::{RawChunk, hex, raw_nres, set16, set32, with_true_size};
use ironlands_assets_core::bytes::Finding;
use ironlands_assets_core::bytes::Severity::Error;
use ironlands_assets_core::format::{AnyFormat, Registered};
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, mutant, proof};

mod checks;
mod polygon_blocks;

proof! {
    LandMap {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_map(),
        // A cell of two bytes becomes a list of 24, beside the archive's copy and what `check` writes.
        growth: 24,
        runs: 2_000,
        records: records(),
        mend: with_true_size,
        // The promise that all users rely on.
        also: |map, _| {
            let kept = |broken: BrokenLink| broken.field.ends_with("hit count");
            assert!(broken_links(map).all(kept), "everything else is repaired");
        },
    }
}

/// Bytes of the hand-typed file: areal 0 of four edges, areal 1 of three, a grid of 1 by 2 cells.
const AREAL_0: usize = 16;
const LINKS_0: usize = AREAL_0 + 56 + 48;
const AREAL_1: usize = LINKS_0 + 32;
const LINKS_1: usize = AREAL_1 + 56 + 36;
const GRID: usize = LINKS_1 + 24;
const CELL_0: usize = GRID + 8;
const CELL_1: usize = CELL_0 + 6;
/// The payload is padded to a multiple of 8.
const DIRECTORY: usize = 288;

/// Two areals side by side, a square and a triangle, typed from the document.
fn hand_typed_payload() -> Vec<u8> {
    hex("\
        00 00 80 3F 00 00 80 3F 00 00 00 40  00 00 00 00  00 00 80 40  00 00 00 00 00 00 00 00 00 00 80 3F \
        01 00 00 80  00 00 00 00  07 00 00 00  00 00 00 00  04 00 00 00  00 00 00 00 \
        00 00 00 00 00 00 00 00 00 00 80 3F \
        00 00 00 40 00 00 00 00 00 00 80 3F \
        00 00 00 40 00 00 00 40 00 00 40 40 \
        00 00 00 00 00 00 00 40 00 00 40 40 \
        FF FF FF FF FF FF FF FF \
        01 00 00 00 02 00 00 00 \
        FF FF FF FF FF FF FF FF \
        FF FF FF FF FF FF FF FF \
        00 00 20 40 00 00 80 3F 00 00 00 00  00 00 00 00  00 00 00 40  00 00 80 3F 00 00 00 00 00 00 00 00 \
        00 00 00 00  00 00 00 00  08 00 00 00  00 00 00 00  03 00 00 00  00 00 00 00 \
        00 00 00 40 00 00 00 00 00 00 00 00 \
        00 00 80 40 00 00 80 3F 00 00 00 00 \
        00 00 00 40 00 00 00 40 00 00 00 00 \
        FF FF FF FF FF FF FF FF \
        FF FF FF FF FF FF FF FF \
        00 00 00 00 01 00 00 00 \
        01 00 00 00 02 00 00 00 \
        02 00  00 00  01 00 \
        01 00  01 00")
}

fn file_of(n_areals: u32, payload: Vec<u8>) -> Vec<u8> {
    raw_nres(&[RawChunk::new(12, [n_areals, 5, 6], b"areals", payload)])
}

fn hand_typed_file() -> Vec<u8> {
    file_of(2, hand_typed_payload())
}

fn hand_typed_value() -> LandMap {
    let square = Areal {
        anchor: [1.0, 1.0, 2.0],
        reserved_0c: 0.0,
        area_metric: 4.0,
        normal: [0.0, 0.0, 1.0],
        logic_flag: 0x8000_0001,
        reserved_24: 0,
        class_id: 7,
        reserved_2c: 0,
        vertices: vec![
            [0.0, 0.0, 1.0],
            [2.0, 0.0, 1.0],
            [2.0, 2.0, 3.0],
            [0.0, 2.0, 3.0],
        ],
        edge_links: vec![
            EdgeLink::NONE,
            EdgeLink { areal: 1, edge: 2 },
            EdgeLink::NONE,
            EdgeLink::NONE,
        ],
        polygons: vec![],
    };
    let triangle = Areal {
        anchor: [2.5, 1.0, 0.0],
        area_metric: 2.0,
        normal: [1.0, 0.0, 0.0],
        logic_flag: 0,
        class_id: 8,
        vertices: vec![[2.0, 0.0, 0.0], [4.0, 1.0, 0.0], [2.0, 2.0, 0.0]],
        edge_links: vec![
            EdgeLink::NONE,
            EdgeLink::NONE,
            EdgeLink { areal: 0, edge: 1 },
        ],
        ..square.clone()
    };
    LandMap {
        areals: vec![square, triangle],
        cells_x: 1,
        cells_y: 2,
        cells: vec![vec![0, 1], vec![1]],
        container: container(),
    }
}

/// The archive that a reader leaves: attributes and name as stored, the payload moved to the fields.
fn container() -> NRes {
    NRes::from_entries(vec![Entry::new(12, 0, 5, 6, "areals", vec![]).unwrap()])
}

/// The first areal, and a link of its outline.
fn records() -> [RecordPlace; 2] {
    let areal = [
        ("areal anchor", 12),
        ("areal reserved_12", 4),
        ("areal area_metric", 4),
        ("areal normal", 12),
        ("areal logic_flag", 4),
        ("areal reserved_36", 4),
        ("areal class_id", 4),
        ("areal reserved_44", 4),
        ("areal vertex_count", 4),
        ("areal poly_count", 4),
    ];
    let link = hand_typed_value().areals[0].edge_links[1];
    [
        RecordPlace::from_fields(16, areal),
        RecordPlace::from_value(&hand_typed_file(), &link, ()),
    ]
}

fn facts() -> Vec<Fact<LandMap>> {
    let file = hand_typed_file();
    assert_eq!(file.len(), DIRECTORY + 64);
    let mut facts = vec![Fact::new("no polygons", hand_typed_value(), file)];
    let with_polygons = polygon_facts().map(|(layout, value, file)| {
        let name = match layout {
            PolygonBlockLayout::CountInside => "polygons, the count inside",
            PolygonBlockLayout::CountBefore => "polygons, the count before",
        };
        Fact::new(name, value, file).with_context(layout)
    });
    facts.extend(with_polygons);
    facts
}

/// What is changed in the hand-typed file, and the place that the strict reader must name.
struct Breakage {
    change: fn(&mut [u8]),
    field: &'static str,
    offset: usize,
    /// The leniency that gets over it, if any.
    waiver: Option<Tolerance>,
}

const fn breakage(
    change: fn(&mut [u8]),
    field: &'static str,
    offset: usize,
    waiver: Option<Tolerance>,
) -> Breakage {
    Breakage {
        change,
        field,
        offset,
        waiver,
    }
}

const BROKEN_LINKS: Option<Tolerance> = Some(Tolerance::BROKEN_LINKS);

const BREAKAGES: &[Breakage] = &[
    breakage(|f| set32(f, DIRECTORY, 13), "directory", DIRECTORY, None),
    breakage(
        |f| set32(f, DIRECTORY + 4, 0),
        "attr1 (areal count)",
        DIRECTORY + 4,
        None,
    ),
    breakage(
        |f| set32(f, DIRECTORY + 4, 6),
        "attr1 (areal count)",
        DIRECTORY + 4,
        None,
    ),
    breakage(
        |f| set32(f, AREAL_0 + 48, 1 << 31),
        "areal vertex_count",
        AREAL_0 + 48,
        None,
    ),
    breakage(
        |f| set32(f, AREAL_1 + 52, u32::MAX),
        "areal poly_count",
        AREAL_1 + 52,
        None,
    ),
    // One polygon takes 24 bytes, of which the grid and the cells have 18.
    breakage(
        |f| set32(f, AREAL_1 + 52, 1),
        "areal poly_count",
        AREAL_1 + 52,
        None,
    ),
    breakage(
        |f| set32(f, LINKS_0, 0xFFFF_FFFE),
        "areal 0 link 0",
        LINKS_0,
        BROKEN_LINKS,
    ),
    breakage(
        |f| set32(f, LINKS_0 + 8, 2),
        "areal 0 link 1",
        LINKS_0 + 8,
        BROKEN_LINKS,
    ),
    breakage(
        |f| set32(f, LINKS_0 + 12, 3),
        "areal 0 link 1",
        LINKS_0 + 8,
        BROKEN_LINKS,
    ),
    breakage(
        |f| set32(f, LINKS_1 + 20, 0xFFFF_FFFF),
        "areal 1 link 2",
        LINKS_1 + 16,
        BROKEN_LINKS,
    ),
    // Seed document 000, section 3: (-1, -1) is the only way to say that there is no neighbor.
    breakage(
        |f| set32(f, LINKS_0 + 4, 5),
        "areal 0 link 0",
        LINKS_0,
        BROKEN_LINKS,
    ),
    breakage(|f| set32(f, GRID, 0), "cells in x and y", GRID, None),
    breakage(
        |f| set32(f, GRID + 4, 0x8000_0000),
        "cells in x and y",
        GRID,
        None,
    ),
    breakage(|f| set16(f, CELL_1, 2), "cell hit count", CELL_1, None),
    breakage(
        |f| set16(f, CELL_0 + 4, 2),
        "cell 0 areal id",
        CELL_0 + 4,
        BROKEN_LINKS,
    ),
    breakage(
        |f| set32(f, GRID + 4, 1),
        "after the last cell",
        CELL_1,
        Some(Tolerance::TRAILING_BYTES),
    ),
];

impl Breakage {
    fn file(&self) -> Vec<u8> {
        let mut file = hand_typed_file();
        (self.change)(&mut file);
        file
    }
}

fn damage() -> Vec<Damage> {
    let rows = BREAKAGES.iter();
    let damaged = rows.map(|it| Damage::new(it.field, it.file(), it.field, it.offset as u64));
    damaged.collect()
}

#[test]
fn each_leniency_waives_its_own_rule_and_no_other() {
    let layout = PolygonBlockLayout::default();
    for damage in BREAKAGES {
        let file = damage.file();
        let error = LandMap::read(&file).unwrap_err();
        let place = (damage.field != "directory").then_some("type 12");
        assert_eq!(error.entry.as_deref(), place, "{error}");
        let others = Tolerance::all().difference(damage.waiver.unwrap_or(Tolerance::STRICT));
        let refused = LandMap::read_with(&file, others, layout);
        assert!(refused.is_err(), "{}", damage.field);
        let Some(waiver) = damage.waiver else {
            continue;
        };
        let (map, findings) = LandMap::read_with(&file, waiver, layout).unwrap();
        assert_eq!(findings.len(), 1, "{}", damage.field);
        assert_eq!(findings[0].severity, Error, "{}", damage.field);
        assert_eq!(findings[0].offset, Some(damage.offset as u64));
        let again = LandMap::read(&map.write().unwrap()).unwrap();
        assert_eq!(again, map, "{} is repaired for good", damage.field);
    }
}

#[test]
fn broken_links_become_none_and_broken_ids_go() {
    let mut file = hand_typed_file();
    set32(&mut file, LINKS_0 + 12, 3);
    set16(&mut file, CELL_0 + 2, 9);
    let layout = PolygonBlockLayout::default();
    let (map, findings) = LandMap::read_with(&file, Tolerance::BROKEN_LINKS, layout).unwrap();
    assert_eq!(map.areals[0].edge_links, [EdgeLink::NONE; 4]);
    assert_eq!(map.areals[1].edge_links[2], EdgeLink { areal: 0, edge: 1 });
    assert_eq!(map.cells, [vec![1], vec![1]]);
    assert_eq!(
        findings[0].message,
        "type 12, areal 0 link 1: expected an edge below 3, found (1, 3); the link is dropped"
    );
    assert_eq!(
        findings[1].message,
        "type 12, cell 0 areal id: expected an areal below 2, found 9; the id is dropped"
    );
}

#[test]
fn more_entries_are_kept_where_they_are_waived() {
    let mut chunks = vec![RawChunk::new(3, [1, 2, 3], b"a", vec![1; 9])];
    chunks.push(RawChunk::new(
        12,
        [2, 5, 6],
        b"areals",
        hand_typed_payload(),
    ));
    let file = raw_nres(&chunks);
    let error = LandMap::read(&file).unwrap_err();
    assert_eq!(
        error.to_string(),
        "land_map: byte 0x130, directory: expected exactly one entry, found 2"
    );
    let layout = PolygonBlockLayout::default();
    let (map, findings) = LandMap::read_with(&file, Tolerance::MORE_ENTRIES, layout).unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!(map.areals, hand_typed_value().areals);
    // Which of them the map would lose is not the writer's to say.
    assert_eq!(map.write().unwrap_err(), error);
    assert_eq!(map.filled_container().unwrap().write().unwrap(), file);
}

#[test]
fn long_cells_are_refused_or_kept() {
    let mut map = hand_typed_value();
    map.cells[1] = vec![1; 1023];
    assert_eq!(LandMap::read(&map.write().unwrap()).unwrap(), map);
    map.cells[1].push(0);
    let error = map.write().unwrap_err();
    assert_eq!(error.field, "cell 1 hit count");
    assert_eq!(error.offset, CELL_1 as u64);
    let file = map.filled_container().unwrap().write().unwrap();
    assert!(LandMap::read(&file).is_err());
    let layout = PolygonBlockLayout::default();
    let (kept, findings) = LandMap::read_with(&file, Tolerance::LONG_CELLS, layout).unwrap();
    assert_eq!(kept, map);
    assert_eq!(findings.len(), 1);
}

#[test]
fn the_tolerant_reader_waives_the_archives_rules_too() {
    let mut file = hand_typed_file();
    set32(&mut file, DIRECTORY + 60, 9);
    assert_eq!(LandMap::read(&file).unwrap_err().format, "nres");
    let layout = PolygonBlockLayout::default();
    let (map, findings) = LandMap::read_with(&file, Tolerance::CONTAINER, layout).unwrap();
    assert_eq!(map, hand_typed_value());
    assert_eq!(findings.len(), 1);
    let written = map.write().unwrap();
    assert_eq!(LandMap::read(&written).unwrap(), map, "it is mended");
}

#[test]
fn the_writer_refuses_lists_of_unequal_length() {
    let mut map = hand_typed_value();
    map.areals[1].edge_links.pop();
    let error = map.write().unwrap_err();
    assert_eq!(error.field, "areal 1 links");
    assert_eq!(error.offset, LINKS_1 as u64);
    let mut map = hand_typed_value();
    map.cells.pop();
    let error = map.write().unwrap_err();
    assert_eq!(
        error.to_string(),
        "land_map (entry type 12): byte 0x10c, cells in x and y: expected one list for each of 1 by 2 cells, found 1 lists"
    );
    let mut map = hand_typed_value();
    map.areals.clear();
    assert_eq!(map.write().unwrap_err().field, "attr1 (areal count)");
}

#[test]
fn an_edit_changes_the_edited_bytes_only() {
    let mut map = LandMap::read(&hand_typed_file()).unwrap();
    map.areals[1].class_id = 0x1234_5678;
    let mut expected = hand_typed_file();
    set32(&mut expected, AREAL_1 + 40, 0x1234_5678);
    assert_eq!(map.write().unwrap(), expected);
}

#[test]
fn a_built_map_has_one_entry_named_as_in_all_known_maps() {
    let map = LandMap {
        container: LandMap::new_container(),
        ..hand_typed_value()
    };
    let chunk = RawChunk::new(12, [2, 0, 0], b"ArealMap", hand_typed_payload());
    assert_eq!(map.write().unwrap(), raw_nres(&[chunk]));
    let bare = LandMap {
        container: NRes::new(),
        ..hand_typed_value()
    };
    assert_eq!(bare.write().unwrap(), map.write().unwrap());
}

#[test]
fn cells_are_x_major() {
    let mut map = hand_typed_value();
    map.cells_x = 2;
    map.cells = vec![vec![0], vec![1], vec![], vec![0, 1]];
    assert_eq!(map.cell(0, 1), Some(&[1][..]));
    assert_eq!(map.cell(1, 0), Some(&[][..]));
    assert_eq!(map.cell(1, 1), Some(&[0, 1][..]));
    assert_eq!(map.cell(2, 0), None);
    assert_eq!(map.cell(0, 2), None);
}

prop_compose! {
    fn any_areal()(
        numbers in prop::array::uniform8(-1e6f32..1e6),
        words: [u32; 4],
        outline in prop::collection::vec((prop::array::uniform3(-1e6f32..1e6), -1i32..3, 0i32..3), 3..6),
        polygons in prop::collection::vec((prop::array::uniform3((-1i32..3, any::<i32>())), 0usize..3), 0..3),
    ) -> Areal {
        let [a, b, c, d, e, f, g, h] = numbers;
        Areal {
            anchor: [a, b, c],
            reserved_0c: d,
            area_metric: e,
            normal: [f, g, h],
            logic_flag: words[0],
            reserved_24: words[1],
            class_id: words[2],
            reserved_2c: words[3],
            vertices: outline.iter().map(|(vertex, _, _)| *vertex).collect(),
            edge_links: outline.iter().map(|(_, areal, edge)| match areal {
                -1 => EdgeLink::NONE,
                _ => EdgeLink { areal: *areal, edge: *edge },
            }).collect(),
            polygons: polygons
                .into_iter()
                .map(|(links, n)| PolygonBlock {
                    links: links.map(|(areal, edge)| EdgeLink { areal, edge }),
                    body: vec![7; 3 * n],
                })
                .collect(),
        }
    }
}

prop_compose! {
    fn any_map()(
        areals in prop::collection::vec(any_areal(), 3..6),
        cells in prop::collection::vec(prop::collection::vec(0u16..3, 0..4), 6),
    ) -> LandMap {
        LandMap { areals, cells_x: 3, cells_y: 2, cells, container: container() }
    }
}

proptest! {
    #[test]
    fn any_unsound_value_is_refused_where_check_finds_it(
        mut areals in prop::collection::vec(any_areal(), 0..4),
        n_dropped in 0usize..2,
        link in (any::<i32>(), any::<i32>()),
        body_len in 0usize..5,
        (cells_x, cells_y) in (0u32..3, 0u32..3),
        cells in prop::collection::vec(prop::collection::vec(0u16..5, 0..4), 0..6),
    ) {
        if let Some(areal) = areals.first_mut() {
            areal.edge_links[0] = EdgeLink { areal: link.0, edge: link.1 };
            areal.edge_links.truncate(6 - n_dropped);
            areal.polygons.iter_mut().for_each(|polygon| polygon.body = vec![0; body_len]);
        }
        let map = LandMap { areals, cells_x, cells_y, cells, container: container() };
        match map.write() {
            Ok(file) => {
                let reads_back = |layout| {
                    let read = LandMap::read_with(&file, Tolerance::STRICT, layout);
                    read.is_ok_and(|(back, _)| back == map)
                };
                prop_assert!(
                    reads_back(PolygonBlockLayout::CountInside)
                        || reads_back(PolygonBlockLayout::CountBefore)
                );
            }
            Err(error) => {
                let finds = |finding: &Finding| {
                    finding.severity == Error && finding.offset == Some(error.offset)
                };
                prop_assert!(map.check().iter().any(finds), "{}", error);
            }
        }
    }

    #[test]
    fn a_point_inside_is_inside(outline in prop::collection::vec(prop::array::uniform3(-1e4f32..1e4), 3..9)) {
        // Random outlines cross themselves, so there may be no such point; but none may lie outside.
        if let Some(point) = interior_point(&outline) {
            prop_assert!(outline_contains(&outline, point));
        }
    }

    #[test]
    fn a_triangle_always_has_its_centroid_inside(outline in prop::array::uniform3(prop::array::uniform3(-1e4f32..1e4))) {
        prop_assume!(outline_area(&outline) > 1.0);
        let [x, y] = interior_point(&outline).unwrap();
        let mean = |axis: usize| outline.iter().map(|v| f64::from(v[axis])).sum::<f64>() / 3.0;
        prop_assert!((f64::from(x) - mean(0)).abs() < 0.01);
        prop_assert!((f64::from(y) - mean(1)).abs() < 0.01);
    }
}
