use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
use proptest::prelude::*;

proof! {
    NavMeshSet {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_file(),
        growth: 8,
        runs: 300,
    }
}

/// Two triangles of a square with sides of 16, and a connection from one to the other.
fn tile() -> NavTile {
    let polygon = |vertices, neighbors| NavPolygon {
        vertices,
        neighbors,
        flags: 1,
        n_vertices: 3,
        ..NavPolygon::default()
    };
    NavTile {
        header: NavTileHeader {
            place: [2, 3, 0],
            user_id: 9,
            first_connection: 2,
            walkable_height: 2.0,
            walkable_radius: 0.5,
            walkable_climb: 1.0,
            low: [0.0, -1.0, 0.0],
            high: [16.0, 1.0, 16.0],
            tree_steps: 1.0,
        },
        vertices: vec![
            [0.0, 0.0, 0.0],
            [16.0, 0.0, 0.0],
            [16.0, 0.0, 16.0],
            [0.0, 0.0, 16.0],
            [1.0, 0.0, 2.0],
            [2.0, 0.0, 1.0],
        ],
        polygons: vec![
            polygon([0, 1, 2, 0, 0, 0], [0, PORTAL, 2, 0, 0, 0]),
            polygon([0, 2, 3, 0, 0, 0], [1, 0, 0, 0, 0, 0]),
            NavPolygon {
                vertices: [4, 5, 0, 0, 0, 0],
                flags: 8,
                n_vertices: 2,
                area_and_type: 0x45,
                ..NavPolygon::default()
            },
        ],
        links: vec![DetourLink::default()],
        details: vec![
            DetailMesh {
                n_triangles: 1,
                ..DetailMesh::default()
            },
            DetailMesh {
                first_triangle: 1,
                n_triangles: 1,
                ..DetailMesh::default()
            },
        ],
        detail_vertices: Vec::new(),
        detail_triangles: vec![[0, 1, 2, 21], [0, 1, 2, 21]],
        tree: vec![NavBounds {
            low: [0, 1, 0],
            high: [16, 2, 16],
            index: 1,
        }],
        connections: vec![OffMeshConnection {
            start: [1.0, 0.0, 2.0],
            end: [2.0, 0.0, 1.0],
            radius: 4.0,
            polygon: 2,
            flags: 1,
            side: 255,
            user_id: 7,
        }],
    }
}

fn file() -> NavMeshSet {
    NavMeshSet {
        grid: NavGrid {
            origin: [-32.0, 0.0, 8.0],
            tile_width: 16.0,
            tile_height: 16.0,
            max_tiles: 4,
            max_polygons: 8,
        },
        tiles: vec![(0x8000, tile())],
    }
}

/// Bytes of numbers as they are typed: `f` is a float.
fn typed(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in text.split_whitespace() {
        match word.split_once(':') {
            Some(("f", number)) => bytes.extend(number.parse::<f32>().unwrap().to_le_bytes()),
            Some(("h", number)) => bytes.extend(number.parse::<u16>().unwrap().to_le_bytes()),
            Some(("b", number)) => bytes.push(number.parse::<u8>().unwrap()),
            _ => bytes.extend(word.parse::<u32>().unwrap().to_le_bytes()),
        }
    }
    bytes
}

fn facts() -> Vec<Fact<NavMeshSet>> {
    let tile_bytes = [
        b"VAND".to_vec(),
        typed("7 2 3 0 9 3 6 1 2 0 2 1 1 2 f:2 f:0.5 f:1 f:0 f:-1 f:0 f:16 f:1 f:16 f:1"),
        typed("f:0 f:0 f:0 f:16 f:0 f:0 f:16 f:0 f:16 f:0 f:0 f:16 f:1 f:0 f:2 f:2 f:0 f:1"),
        typed("0 h:0 h:1 h:2 h:0 h:0 h:0 h:0 h:32768 h:2 h:0 h:0 h:0 h:1 b:3 b:0"),
        typed("0 h:0 h:2 h:3 h:0 h:0 h:0 h:1 h:0 h:0 h:0 h:0 h:0 h:1 b:3 b:0"),
        typed("0 h:4 h:5 h:0 h:0 h:0 h:0 h:0 h:0 h:0 h:0 h:0 h:0 h:8 b:2 b:69"),
        typed("0 0 0"),
        typed("0 0 b:0 b:1 h:0 0 1 b:0 b:1 h:0"),
        typed("b:0 b:1 b:2 b:21 b:0 b:1 b:2 b:21"),
        typed("h:0 h:1 h:0 h:16 h:2 h:16 1"),
        typed("f:1 f:0 f:2 f:2 f:0 f:1 f:4 h:2 b:1 b:255 7"),
    ]
    .concat();
    let bytes = [
        b"TESM".to_vec(),
        typed("1 1 f:-32 f:0 f:8 f:16 f:16 4 8 32768"),
        (tile_bytes.len() as u32).to_le_bytes().to_vec(),
        tile_bytes,
    ]
    .concat();
    let empty = NavMeshSet {
        tiles: Vec::new(),
        ..file()
    };
    let of_empty = [b"TESM".to_vec(), typed("1 0 f:-32 f:0 f:8 f:16 f:16 4 8")].concat();
    vec![
        Fact::new("one tile", file(), bytes),
        Fact::new("no tile", empty, of_empty),
    ]
}

/// Where the tile begins, and its parts.
const TILE: u64 = 48;
const POLYGONS: u64 = TILE + 100 + 6 * 12;
const DETAILS: u64 = POLYGONS + 3 * 32 + 12;
const TREE: u64 = DETAILS + 2 * 12 + 8;

fn damage() -> Vec<Damage> {
    let sound = file().write().unwrap();
    type Spoil = fn(&mut Vec<u8>);
    let changes: [(Spoil, &'static str, u64); 6] = [
        (|data| data[0] = b'M', "magic", 0),
        (|data| data[4] = 2, "version", 4),
        (|data| data[8] = 200, "tile count", 8),
        (|data| data[TILE as usize] = b'D', "tile magic", TILE),
        (|data| data[TILE as usize + 4] = 8, "tile version", TILE + 4),
        (|data| data.push(0), "after the last tile", 0),
    ];
    let mut rows = Damage::from_changes(&sound, changes);
    if let Some(last) = rows.last_mut() {
        last.offset = sound.len() as u64;
    }
    type Change = fn(&mut NavTile);
    let problems: [(&'static str, u64, Change); 8] = [
        ("polygon vertices", POLYGONS, |tile| {
            tile.polygons[0].vertices[1] = 6
        }),
        ("polygon vertices", POLYGONS, |tile| {
            tile.polygons[0].n_vertices = 7
        }),
        ("polygon neighbors", POLYGONS + 32, |tile| {
            tile.polygons[1].neighbors[0] = 4
        }),
        ("detail mesh", DETAILS, |tile| {
            tile.details[0].n_triangles = 3
        }),
        ("detail mesh", DETAILS + 12, |tile| {
            tile.details[1].first_vertex = u32::MAX
        }),
        ("node index", TREE, |tile| tile.tree[0].index = 3),
        ("node index", TREE, |tile| tile.tree[0].index = -2),
        ("connection polygon", TREE + 16, |tile| {
            tile.connections[0].polygon = 3
        }),
    ];
    for (field, offset, problem) in problems {
        let mut file = file();
        problem(&mut file.tiles[0].1);
        rows.push(Damage::new(
            "an index",
            file.write().unwrap(),
            field,
            offset,
        ));
    }
    rows
}

fn any_file() -> impl Strategy<Value = NavMeshSet> {
    let numbers = any::<([i32; 3], u32, u16, u8)>();
    let floats = prop::collection::vec(-1e6_f32..1e6, 9);
    let vertices = prop::collection::vec(prop::array::uniform3(-1e6_f32..1e6), 6..40);
    let n_links = 0_usize..5;
    let tile =
        (numbers, floats, vertices, n_links).prop_map(|(numbers, floats, vertices, links)| {
            let (place, user_id, flags, area) = numbers;
            let mut tile = tile();
            tile.header.place = place;
            tile.header.user_id = user_id;
            tile.header.low.copy_from_slice(&floats[..3]);
            tile.header.high.copy_from_slice(&floats[3..6]);
            tile.header.walkable_climb = floats[6];
            tile.polygons[1].flags = flags;
            tile.polygons[1].area_and_type = area;
            tile.detail_vertices = vertices.clone();
            tile.vertices = vertices;
            tile.links = vec![DetourLink::default(); links];
            tile.connections[0].radius = floats[7];
            tile
        });
    prop::collection::vec((any::<u32>(), tile), 0..4)
        .prop_map(|tiles| NavMeshSet { tiles, ..file() })
}
