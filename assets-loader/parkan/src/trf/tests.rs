use proptest::prelude::*;

use super::*;
use crate::nres::Entry;
use crate::raw_nres::{RawChunk, hex, raw_nres, set32, with_true_size};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    ResearchTree {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_tree(),
        growth: 24,
        runs: 2_000,
        records: [RecordPlace::new::<Item>(16, ())],
        mend: with_true_size,
    }
}

/// Attributes of a table of known files.
fn attributes(n: usize, count: u32, stride: u32) -> [u32; 3] {
    [count, if n == 0 { VERSION } else { 0 }, stride]
}

/// Two items, of which the second needs the first; two parts, both of the first. Typed from the document.
fn hand_typed_tables() -> Vec<(usize, u32, u32, Vec<u8>)> {
    let items = hex("\
        00 00 80 3F 00 00 00 40 00 00 40 40 00 00 80 40  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
        00 00 FF 0C 31 FF 03 02 \
        00 00 00 00 00 00 00 00 00 00 20 41 00 00 A0 41  03 00 00 00 04 00 00 00 00 00 00 00 01 00 00 00 \
        01 00 02 09 21 FF 01 00");
    vec![
        (0, 2, 40, items),
        (1, 2, 1, hex("07 05")),
        (2, 2, 4, hex("00 00 00 00 01 00 00 00")),
        (3, 1, 4, hex("00 00 00 00")),
        (4, 2, 4, hex("01 00 00 00 00 00 00 00")),
        (5, 1, 4, hex("01 00 00 00")),
        (6, 6, 1, b"a\0bcd\0".to_vec()),
        (7, 6, 1, b"GN\0CH\0".to_vec()),
        (8, 9, 1, b"Gun\0Body\0".to_vec()),
        (9, 1, 1, b"\0".to_vec()),
        (10, 3, 1, b"w\0\0".to_vec()),
        (11, 2, 4, hex("00 00 00 00 02 00 00 00")),
    ]
}

fn file_of(tables: Vec<(usize, u32, u32, Vec<u8>)>) -> Vec<u8> {
    let chunk = |(n, count, stride, data): (usize, u32, u32, Vec<u8>)| {
        RawChunk::new(
            codec::type_id(n),
            attributes(n, count, stride),
            b"ResTree",
            data,
        )
    };
    raw_nres(&tables.into_iter().map(chunk).collect::<Vec<_>>())
}

pub(crate) fn hand_typed_file() -> Vec<u8> {
    file_of(hand_typed_tables())
}

fn container_of(tables: &[(usize, u32, u32, Vec<u8>)]) -> NRes {
    let entry = |(n, count, stride, _): &(usize, u32, u32, Vec<u8>)| {
        let [attr1, attr2, attr3] = attributes(*n, *count, *stride);
        let type_id = codec::type_id(*n);
        Entry::new(type_id, attr1, attr2, attr3, ENTRY_NAME, Vec::new()).unwrap()
    };
    NRes::from_entries(tables.iter().map(entry).collect())
}

fn hand_typed_value() -> ResearchTree {
    ResearchTree {
        items: vec![
            Item {
                research_costs: [1.0, 2.0],
                build_costs: [3.0, 4.0],
                code: 0,
                name: 0,
                description: 0,
                stat_lines: 0,
                part: 0,
                role: 255,
                kind: 12,
                sub_kind: 49,
                branch: 255,
                size: 3,
                upgrade_level: 2,
            },
            Item {
                build_costs: [10.0, 20.0],
                code: 3,
                name: 4,
                stat_lines: 1,
                part: 1,
                role: 2,
                kind: 9,
                sub_kind: 33,
                branch: 255,
                size: 1,
                ..Item::default()
            },
        ],
        states: vec![7, 5],
        prerequisites: ItemLists {
            counts: vec![0, 1],
            items: Some(vec![0]),
        },
        unlocks: ItemLists {
            counts: vec![1, 0],
            items: Some(vec![1]),
        },
        part_ids: b"a\0bcd\0".to_vec(),
        codes: b"GN\0CH\0".to_vec(),
        names: b"Gun\0Body\0".to_vec(),
        descriptions: b"\0".to_vec(),
        stat_lines: b"w\0\0".to_vec(),
        parts: vec![Part { id: 0, item: 0 }, Part { id: 2, item: 0 }],
        container: container_of(&hand_typed_tables()),
    }
}

fn facts() -> Vec<Fact<ResearchTree>> {
    let without_lists: Vec<_> = hand_typed_tables()
        .into_iter()
        .filter(|(n, ..)| ![3, 5].contains(n))
        .collect();
    let mut bare = hand_typed_value();
    bare.prerequisites.items = None;
    bare.unlocks.items = None;
    bare.container = container_of(&without_lists);
    vec![
        Fact::new("two items", hand_typed_value(), hand_typed_file()),
        Fact::new("no lists", bare, file_of(without_lists)),
    ]
}

/// Where the payloads and the directory of the hand-typed file begin.
const TRF2: usize = 104;
const TRF3: usize = 112;
const DIRECTORY: usize = 192;
/// Size of the payload of an entry, in its row of the directory.
const SIZE_OF_ENTRY: usize = 12;

fn row(n: usize) -> usize {
    DIRECTORY + 64 * n
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &hand_typed_file(),
        [
            (
                |it| set32(it, row(0), u32::from_le_bytes(*b"TRFC")),
                "directory",
                DIRECTORY as u64,
            ),
            (
                |it| set32(it, row(11), u32::from_le_bytes(*b"TRFC")),
                "directory",
                DIRECTORY as u64,
            ),
            (
                |it| set32(it, row(0) + SIZE_OF_ENTRY, 79),
                "after the last record",
                16 + 40,
            ),
            (
                |it| set32(it, row(2) + SIZE_OF_ENTRY, 7),
                "after the last word",
                TRF2 as u64 + 4,
            ),
            (|it| set32(it, TRF2 + 4, 2), "list length", TRF3 as u64),
        ],
    )
}

fn any_lists(n_items: usize) -> impl Strategy<Value = ItemLists> {
    let lists = prop::collection::vec(prop::collection::vec(0_u32..9, 0..3), n_items);
    (lists, any::<bool>()).prop_map(|(lists, is_there)| ItemLists {
        counts: lists.iter().map(|it| it.len() as u32).collect(),
        items: is_there.then(|| lists.concat()),
    })
}

fn any_item() -> impl Strategy<Value = Item> {
    let costs = prop::array::uniform2(-1e6_f32..1e6);
    (
        costs.clone(),
        costs,
        any::<[u32; 4]>(),
        any::<u16>(),
        any::<[u8; 6]>(),
    )
        .prop_map(|(research_costs, build_costs, texts, part, bytes)| {
            let [code, name, description, stat_lines] = texts;
            let [role, kind, sub_kind, branch, size, upgrade_level] = bytes;
            Item {
                research_costs,
                build_costs,
                code,
                name,
                description,
                stat_lines,
                part,
                role,
                kind,
                sub_kind,
                branch,
                size,
                upgrade_level,
            }
        })
}

fn any_tree() -> impl Strategy<Value = ResearchTree> {
    let text = || prop::collection::vec(any::<u8>(), 0..9);
    let part = any::<[u16; 2]>().prop_map(|[id, item]| Part { id, item });
    let tables = (
        prop::collection::vec(any_item(), 0..4),
        text(),
        any_lists(3),
        any_lists(3),
        prop::collection::vec(part, 0..4),
    );
    let texts = prop::array::uniform5(text());
    (tables, texts).prop_map(|(tables, texts)| {
        let (items, states, prerequisites, unlocks, parts) = tables;
        let [part_ids, codes, names, descriptions, stat_lines] = texts;
        let tree = ResearchTree {
            items,
            states,
            prerequisites,
            unlocks,
            part_ids,
            codes,
            names,
            descriptions,
            stat_lines,
            parts,
            container: NRes::new(),
        };
        // A new file gets its directory when it is written.
        ResearchTree::read(&tree.write().unwrap()).unwrap()
    })
}

#[test]
fn lists_belong_to_their_items() {
    let lists = ItemLists {
        counts: vec![2, 0, 1],
        items: Some(vec![7, 8, 9]),
    };
    assert_eq!(lists.of(0), [7, 8]);
    assert_eq!(lists.of(1), [0_u32; 0]);
    assert_eq!(lists.of(2), [9]);
    assert_eq!(lists.of(3), [0_u32; 0]);
}

/// A change to the tree, and what is found.
type Case = (fn(&mut ResearchTree), Severity, &'static str);

#[test]
fn what_leads_nowhere_is_found() {
    assert_eq!(hand_typed_value().check(), []);
    let cases: [Case; 10] = [
        (
            |it| it.container.entries[0].attr2 = 2,
            Severity::Error,
            "attr2 of TRF0 is 2; the game takes 3 only",
        ),
        (
            |it| it.container.entries[1].attr2 = 1,
            Severity::Warning,
            "attr2 of TRF1 is 1: a tree for debugging",
        ),
        (
            |it| it.states.push(0),
            Severity::Error,
            "TRF1 has 3 values, there are 2 items",
        ),
        (
            |it| it.container.entries[11].attr1 = 9,
            Severity::Warning,
            "TRFB has attr1 9, it holds 2",
        ),
        (
            |it| it.items[1].name = 9,
            Severity::Error,
            "item 1 has its name at 9, beyond the table",
        ),
        (
            |it| it.parts[1].id = 6,
            Severity::Error,
            "part 1 has its id at 6, beyond the table",
        ),
        (
            |it| it.parts[1].item = 2,
            Severity::Error,
            "part 1 is of item 2 of 2",
        ),
        (
            |it| it.unlocks.items = Some(vec![0]),
            Severity::Warning,
            "item 0 needs item 0 in one of the lists of prerequisites and unlocks, not in the other",
        ),
        (
            |it| it.states[0] = 4,
            Severity::Warning,
            "item 1 is open to research, and a prerequisite is not researched",
        ),
        (
            |it| it.states[1] = 4,
            Severity::Warning,
            "item 1 waits, and all of its prerequisites are researched",
        ),
    ];
    for (change, severity, expected) in cases {
        let mut tree = hand_typed_value();
        change(&mut tree);
        let found = tree.check();
        let found = found.iter().find(|it| it.message == expected);
        assert_eq!(
            found.map(|it| it.severity),
            Some(severity),
            "{:#?}",
            tree.check()
        );
    }
}

#[test]
fn info_names_what_items_need() {
    let mut report = Report::new(
        std::path::Path::new("a.trf"),
        ironlands_assets_core::report::Scope::File,
        FORMAT,
    );
    hand_typed_value().describe(&mut report);
    let facts = format!("{:?}", report.facts);
    let expected = "1: Body, chassis, research 0 energy 0 ore, build 10 energy 20 ore, needs Gun";
    assert!(facts.contains(expected), "{facts}");
}
