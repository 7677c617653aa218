use super::*;
use crate::ZERO_REGION;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
use proptest::prelude::*;

proof! {
    ZoneFile {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_file(),
        // A word of the file is at most eight bytes of memory, and is written back.
        growth: 24,
        runs: 200,
    }
}

fn tile() -> ZoneTile {
    let mut blocks = vec![ONE_ZONE; 256];
    blocks[1] = 0;
    blocks[2] = 1;
    blocks[3] = NO_ZONE;
    ZoneTile {
        n_zones: 4,
        first_exits: vec![0, 1, 1],
        exits: vec![ZoneExit {
            to_zone: 1,
            from_cell: 16_383,
            from_layer: 2,
            direction: 7,
        }],
        // One plane: the first cell is zone 1, all others zone 0.
        labels: vec![1, 1, 0, 0, 1],
        layers: vec![
            ZoneLayer {
                singles: 0b110,
                first_single: 2,
                others: SEVERAL,
            },
            ZoneLayer {
                singles: 0,
                first_single: NO_ZONE,
                others: 1,
            },
        ],
        blocks,
        classes: vec![0, 0, 1, 0],
    }
}

fn flat_tile() -> ZoneTile {
    ZoneTile {
        n_zones: 1,
        first_exits: vec![0, 0],
        blocks: vec![ONE_ZONE],
        classes: vec![0],
        ..ZoneTile::default()
    }
}

fn file() -> ZoneFile {
    ZoneFile {
        rules: ZoneRules {
            max_up: 47,
            uses_flat_pair: false,
            max_down: None,
        },
        regions: vec![ZoneRegion {
            id: ZERO_REGION,
            name: "20_18.l2j".to_owned(),
            size: 196_608,
            crc: 0x0102_0304,
        }],
        classes: vec![
            ZoneClass {
                reaches: 1,
                reached_by: 1,
            },
            ZoneClass {
                reaches: 1,
                reached_by: 0,
            },
        ],
        tiles: vec![(7, tile()), (9, flat_tile())],
    }
}

fn facts() -> Vec<Fact<ZoneFile>> {
    let small = ZoneFile {
        tiles: vec![(9, flat_tile())],
        ..file()
    };
    let header: &[u8] = &[
        47, 0, 0, 0, 0, 0, 0, 0, 0, 0, // up 47, one height, any depth
        1, 0, 0, 0, 20, 18, 9, 0, b'2', b'0', b'_', b'1', b'8', b'.', b'l', b'2',
        b'j', // 20_18.l2j
        0, 0, 3, 0, 0, 0, 0, 0, 4, 3, 2, 1, // 196,608 bytes, checksum
        2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, // classes
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, //
        1, 0, 0, 0, 9, 0, 0, 0, 44, 0, 0, 0, // tile 9, 44 bytes
    ];
    let tile: &[u8] = &[
        1, 0, 0, 0, // zones
        2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // first exits, no exit
        0, 0, 0, 0, 0, 0, 0, 0, // no label, no layer
        1, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0, 0, // one block word, one class
    ];
    let mut header = header.to_vec();
    header.extend(crc32fast::hash(tile).to_le_bytes());
    let mut bytes = b"IRONZONE\x01\0\0\0".to_vec();
    bytes.extend((header.len() as u32 + 20).to_le_bytes());
    bytes.extend(crc32fast::hash(&header).to_le_bytes());
    bytes.extend(header);
    bytes.extend(tile);
    vec![
        Fact::new("one tile", small, bytes),
        Fact::from_bytes("two tiles, one of several zones", changed(|_| ())),
    ]
}

/// Bytes of the file after a change, with checksums that fit.
fn changed(change: impl FnOnce(&mut ZoneFile)) -> Vec<u8> {
    let mut file = file();
    change(&mut file);
    file.write().unwrap()
}

fn damage() -> Vec<Damage> {
    let sound = changed(|_| ());
    let [first, second] = [0, 1].map(|at| ZoneIndex::read(&sound).unwrap().tiles[at].offset as u64);
    let flipped = |at: usize| {
        let mut data = sound.clone();
        data[at] ^= 1;
        data
    };
    let longer = [&sound[..], &[0]].concat();
    let mut rows = vec![
        Damage::new("another magic", flipped(0), "magic", 0),
        Damage::new("another version", flipped(8), "version", 8),
        Damage::new("another rule", flipped(20), "header checksum", 16),
        Damage::new(
            "a flipped bit of a tile",
            flipped(sound.len() - 60),
            "tile",
            first,
        ),
        Damage::new("a byte after the last tile", longer, "tiles", first),
    ];
    // Indices that lead nowhere, under checksums that fit.
    type Change = fn(&mut ZoneTile);
    let problems: [(&'static str, u64, Change); 12] = [
        ("first exit count", 4, |tile| tile.n_zones = 1),
        ("first exits", 8, |tile| tile.first_exits[1] = 2),
        ("first exits", 8, |tile| tile.first_exits[2] = 0),
        ("exit", 24, |tile| tile.exits[0].from_cell = 16_384),
        ("exit", 24, |tile| tile.exits[0].direction = 8),
        ("zone of other cells", 60, |tile| tile.labels[4] = 2),
        ("zone of other cells", 60, |tile| tile.labels[0] = 7),
        ("first single zone", 60, |tile| {
            tile.layers[0].first_single = 3
        }),
        ("zone of other cells", 76, |tile| tile.layers[1].others = 2),
        ("block", 104, |tile| tile.blocks[2] = 2),
        ("block count", 92, |tile| tile.blocks.truncate(255)),
        ("class", 1136, |tile| tile.classes[3] = 2),
    ];
    for (field, at, problem) in problems {
        let data = changed(|file| problem(&mut file.tiles[0].1));
        rows.push(Damage::new("an index of a tile", data, field, first + at));
    }
    let swapped = changed(|file| file.tiles.swap(0, 1));
    rows.push(Damage::new(
        "tiles out of order",
        swapped,
        "tile number",
        0x6F,
    ));
    let nowhere = changed(|file| file.tiles[1].1.blocks[0] = 0);
    rows.push(Damage::new(
        "a block of no label",
        nowhere,
        "block",
        second + 32,
    ));
    rows
}

#[test]
fn hubs_report_ways_and_of_cuts() {
    let class = |reaches, reached_by| ZoneClass {
        reaches,
        reached_by,
    };
    // A hub, a roof from which one falls into it, a pit that one falls into from it, a closed yard.
    let [hub, roof, pit, yard] = [class(1, 1), class(1, 0), class(0, 1), class(0, 0)];
    for (from, to, expected) in [
        (hub, hub, Some(true)),
        (roof, hub, Some(true)),
        (roof, pit, Some(true)),
        (hub, pit, Some(true)),
        (hub, roof, Some(false)),
        (pit, hub, Some(false)),
        (pit, roof, Some(false)),
        (hub, yard, Some(false)),
        (yard, hub, Some(false)),
        (roof, roof, None),
        (roof, yard, None),
        (pit, pit, None),
    ] {
        assert_eq!(from.leads_to(to), expected, "{from:?} {to:?}");
    }
}

fn any_file() -> impl Strategy<Value = ZoneFile> {
    let rules = any::<(i32, bool, Option<i32>)>();
    let names = prop::collection::vec(".{0,9}", 0..4);
    let classes = prop::collection::vec(any::<(u64, u64)>(), 2..5);
    let labels = prop::collection::vec(any::<u32>(), 0..9);
    let made = |((max_up, uses_flat_pair, max_down), names, classes, labels)| {
        let mut file = file();
        file.rules = ZoneRules {
            max_up,
            uses_flat_pair,
            max_down,
        };
        let names: Vec<String> = names;
        let regions = names.into_iter().map(|name| ZoneRegion {
            name,
            ..file.regions[0].clone()
        });
        file.regions = regions.collect();
        let classes: Vec<(u64, u64)> = classes;
        let classes = classes.into_iter();
        file.classes = classes
            .map(|(reaches, reached_by)| ZoneClass {
                reaches,
                reached_by,
            })
            .collect();
        file.tiles[1].1.labels = labels;
        file
    };
    (rules, names, classes, labels).prop_map(made)
}
