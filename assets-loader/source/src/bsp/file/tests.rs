use std::io::Write;

use ironlands_assets_core::record::Record;
use ironlands_assets_proof::{Change, Damage, Fact, RecordPlace, Truncations, proof};
use lzma_rust2::{LzmaOptions, LzmaWriter};
use proptest::prelude::*;

use super::*;
use crate::bsp::map::{
    Area, AreaPortal, Brush, BrushSide, DispInfo, DispVert, Edge, FaceBrushList, LeafAmbientIndex,
    LeafAmbientSample, LeafWater, Model, Node, Plane, Primitive, PropHull, PropHulls,
    PropTriangles, Texdata, Texinfo, VisCluster, VisPortal, WorldLight,
};
use crate::bsp::records::{LumpLayout, Place};
use crate::bsp::test_map::{sample_file, sample_game_lump};
use crate::bsp::tests::follow_everything;

proof! {
    BspFile {
        facts: facts(),
        damage: damage(),
        // The samples end with the archive, of a length that needs padding; that may be missing.
        truncations: Truncations::RefusedBeyond(2),
        values: any_file(),
        growth: 16,
        // Of each of seven files, some of which are long.
        runs: 1_000,
        records: [18, 20, 21, 25].into_iter().flat_map(records).collect::<Vec<_>>(),
        also: follow_everything,
    }
}

/// The first row of each lump that is a table of records.
fn records(version: u32) -> Vec<RecordPlace> {
    fn first_row<R: Record<Layout: LumpLayout>>(file: &BspFile, id: LumpId) -> RecordPlace {
        let layout = R::Layout::require(&Place::new(file, id)).unwrap();
        let offset = file.lump_offset(id) as usize;
        RecordPlace::from_file::<R>(&file.write().unwrap(), offset, layout)
    }
    let file = &sample_file(version);
    let reused = match version {
        ..21 => vec![
            first_row::<VisPortal>(file, LumpId::Portals),
            first_row::<VisCluster>(file, LumpId::Clusters),
        ],
        21 => vec![
            first_row::<PropHulls>(file, LumpId::Portals),
            first_row::<PropHull>(file, LumpId::Clusters),
            first_row::<PropTriangles>(file, LumpId::ClusterPortals),
        ],
        _ => vec![first_row::<FaceBrushList>(file, LumpId::Clusters)],
    };
    let tables = vec![
        first_row::<Plane>(file, LumpId::Planes),
        first_row::<Texdata>(file, LumpId::Texdata),
        first_row::<Node>(file, LumpId::Nodes),
        first_row::<Texinfo>(file, LumpId::Texinfo),
        first_row::<Edge>(file, LumpId::Edges),
        first_row::<Model>(file, LumpId::Models),
        first_row::<WorldLight>(file, LumpId::Worldlights),
        first_row::<Brush>(file, LumpId::Brushes),
        first_row::<BrushSide>(file, LumpId::BrushSides),
        first_row::<Area>(file, LumpId::Areas),
        first_row::<AreaPortal>(file, LumpId::AreaPortals),
        first_row::<DispInfo>(file, LumpId::DispInfo),
        first_row::<DispVert>(file, LumpId::DispVerts),
        first_row::<LeafWater>(file, LumpId::LeafWaterData),
        first_row::<Primitive>(file, LumpId::Primitives),
        first_row::<LeafAmbientIndex>(file, LumpId::LeafAmbientIndex),
        first_row::<LeafAmbientSample>(file, LumpId::LeafAmbientLighting),
    ];
    [tables, reused].concat()
}

/// Header of version 20 with two lumps: entities of 5 bytes at 1036, planes of 20 at 1044; an empty lump 3 that
/// remembers 1064. Typed from dossier 1.1 and 1.2.
fn two_lumps() -> Vec<u8> {
    let mut file = b"VBSP\x14\0\0\0".to_vec();
    file.extend(b"\x0C\x04\0\0\x05\0\0\0\0\0\0\0\0\0\0\0");
    file.extend(b"\x14\x04\0\0\x14\0\0\0\0\0\0\0\0\0\0\0");
    file.extend([0; 16]);
    file.extend(b"\x28\x04\0\0\0\0\0\0\x07\0\0\0\0\0\0\0");
    file.extend([0; 60 * 16]);
    file.extend(b"\x2A\0\0\0");
    file.extend(b"{}\n \0");
    file.extend(b"\0\0\0");
    file.extend([1; 20]);
    file
}

fn two_lumps_typed() -> BspFile {
    let mut file = BspFile::read(&two_lumps()).unwrap();
    file.map_revision = 42;
    file
}

fn facts() -> Vec<Fact<BspFile>> {
    let samples = VERSIONS.map(|version| {
        let bytes = sample_file(version).write().unwrap();
        Fact::from_bytes("a sample of each version", bytes)
    });
    let two_lumps = Fact::from_bytes("two lumps", two_lumps());
    [two_lumps].into_iter().chain(samples).collect()
}

#[test]
fn fields_are_those_of_the_document() {
    let bytes = two_lumps();
    assert_eq!(bytes.len(), 1064);
    let file = BspFile::read(&bytes).unwrap();
    assert_eq!((file.version, file.order), (20, LumpOrder::Standard));
    assert_eq!(file.map_revision, 42);
    assert_eq!(file.lump(LumpId::Entities), b"{}\n \0");
    assert_eq!(file.lump(LumpId::Planes), [1; 20]);
    assert_eq!(file.lump_offset(LumpId::Planes), 1044);
    assert_eq!(file.lump_version(LumpId::Vertexes), 7);
    assert_eq!(file.lump(LumpId::Vertexes), b"");
    assert_eq!(file.check(), []);
}

fn damage() -> Vec<Damage> {
    let changes: [(&'static str, Change); 8] = [
        ("ident", (|f| f[1] = b'X', "ident", 0)),
        ("version 22", (|f| f[4] = 22, "version", 4)),
        ("Dark Messiah", (|f| f[6] = 4, "version", 4)),
        ("in the header", (|f| f[9] = 3, "lump 0 (Entities)", 8)),
        ("behind the end", (|f| f[28] = 21, "lump 1 (Planes)", 24)),
        ("negative", (|f| f[31] = 0x80, "lump 1 (Planes)", 24)),
        ("overlap", (|f| f[12] = 9, "lump 1 (Planes)", 24)),
        ("no revision", (|f| f.truncate(1035), "map revision", 1032)),
    ];
    let rows = changes.map(|(name, (change, field, offset))| {
        let mut bytes = two_lumps();
        change(&mut bytes);
        Damage::new(name, bytes, field, offset)
    });
    rows.to_vec()
}

#[test]
fn other_formats_are_recognized_by_name() {
    for (magic, name) in [
        (b"IBSP\x2E\0\0\0", "Quake 2 and 3"),
        (b"PSBV\x14\0\0\0", "console"),
        (b"rBSP\x1D\0\0\0", "Titanfall"),
        (b"PK\x03\x04\0\0\0\0", "zip"),
        (b"\x1E\0\0\0\0\0\0\0", "GoldSrc"),
        (b"\x1D\0\0\0\0\0\0\0", "Quake 1"),
    ] {
        let error = BspFile::read(magic).unwrap_err().to_string();
        assert!(
            error.contains(name) && error.ends_with("is not supported"),
            "{error}"
        );
    }
}

#[test]
fn empty_lumps_may_lie_anywhere() {
    let mut bytes = two_lumps();
    bytes[8 + 3 * 16..8 + 3 * 16 + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    bytes[8 + 4 * 16] = 3;
    let file = BspFile::read(&bytes).unwrap();
    assert_eq!(file.write().unwrap(), bytes);
}

#[test]
fn bytes_of_no_lump_are_kept() {
    let mut bytes = two_lumps();
    bytes[1042] = 9;
    bytes.extend([0, 8, 0, 0]);
    let mut file = BspFile::read(&bytes).unwrap();
    assert_eq!(file.write().unwrap(), bytes);
    let messages: Vec<String> = file.check().into_iter().map(|f| f.message).collect();
    let expected = [
        "3 bytes before lump Planes belong to no lump",
        "4 bytes follow the last lump",
    ];
    assert_eq!(messages, expected);
    // They stay where they are even when lumps move; zeros after them are only padding.
    file.set_lump(LumpId::Entities, 0, b"{}\n\n\n\n\0".to_vec());
    let moved = file.write().unwrap();
    assert_eq!(moved[1036..1048], *b"{}\n\n\n\n\0\0\x09\0\0\0");
    assert_eq!(moved[1068..], [0, 8, 0, 0]);
}

#[test]
fn an_edited_lump_moves_those_behind_it() {
    let mut file = two_lumps_typed();
    file.set_lump(LumpId::Entities, 1, b"{}\n{}\n{}\n\0".to_vec());
    let again = BspFile::read(&file.write().unwrap()).unwrap();
    assert_eq!(again, file);
    assert_eq!(again.lump_offset(LumpId::Planes), 1048);
    assert_eq!(again.lump_offset(LumpId::Vertexes), 1068);
    // The same length again: nothing has moved.
    file.set_lump(LumpId::Entities, 0, b"{}\n\n\0".to_vec());
    let mut expected = two_lumps();
    expected[1039] = b'\n';
    assert_eq!(file.write().unwrap(), expected);
    // Nothing at all.
    file.set_lump(LumpId::Entities, 0, Vec::new());
    let again = BspFile::read(&file.write().unwrap()).unwrap();
    assert_eq!(again.lump_offset(LumpId::Planes), 1036);
    assert_eq!(again.lump(LumpId::Planes), [1; 20]);
}

#[test]
fn new_lumps_stand_where_compilers_put_them() {
    for version in VERSIONS {
        let mut file = BspFile::new(version);
        for id in LumpId::ALL {
            let content = match id {
                LumpId::GameLump => sample_game_lump(0),
                _ => vec![id as u8],
            };
            file.set_lump(id, 0, content);
        }
        let again = BspFile::read(&file.write().unwrap()).unwrap();
        let mut order = LumpId::ALL;
        order.sort_by_key(|id| again.lump_offset(*id));
        assert_eq!(order.to_vec(), LumpId::physical_order(version, file.order));
        let first = if version == 25 {
            LumpId::MapFlags
        } else {
            LumpId::Planes
        };
        assert_eq!(order[0], first);
        assert_eq!(order[62..], [LumpId::GameLump, LumpId::Pakfile]);
    }
    let mut file = two_lumps_typed();
    file.set_lump(LumpId::Texinfo, 0, vec![2; 72]);
    let again = BspFile::read(&file.write().unwrap()).unwrap();
    assert_eq!(again.lump(LumpId::Texinfo), [2; 72]);
    assert_eq!(again.lump(LumpId::Planes), [1; 20]);
    let error = BspFile::new(22).write().unwrap_err().to_string();
    assert!(error.contains("version 22 is not supported"), "{error}");
}

#[test]
fn offsets_in_the_game_lump_follow() {
    let mut file = sample_file(20);
    let base = file.lump_offset(LumpId::GameLump);
    assert_eq!(file.lump(LumpId::GameLump), sample_game_lump(base));
    file.set_lump(LumpId::Entities, 0, vec![b'\n'; 100]);
    let again = BspFile::read(&file.write().unwrap()).unwrap();
    let moved = again.lump_offset(LumpId::GameLump);
    assert_ne!(moved, base);
    assert_eq!(again.lump(LumpId::GameLump), sample_game_lump(moved));
    // A lump that is made for the old place is moved as well.
    file.set_lump(LumpId::GameLump, 0, sample_game_lump(base));
    assert_eq!(BspFile::read(&file.write().unwrap()).unwrap(), again);
    // A directory that is cut cannot follow.
    file.set_lump(LumpId::GameLump, 0, vec![2, 0, 0, 0, 0]);
    assert_eq!(file.write().unwrap_err().field, "game lump count");
}

#[test]
fn left_4_dead_2_has_another_order() {
    let standard = sample_file(21);
    let mut bytes = standard.write().unwrap();
    for (row, id) in bytes[8..1032].chunks_mut(16).zip(LumpId::ALL) {
        let words = [
            standard.lump_version(id),
            standard.lump_offset(id),
            standard.lump(id).len() as u32,
            0,
        ];
        row.copy_from_slice(&words.map(u32::to_le_bytes).concat());
    }
    let file = BspFile::read(&bytes).unwrap();
    assert_eq!(file.order, LumpOrder::VersionFirst);
    assert_eq!(file.lump(LumpId::Nodes), standard.lump(LumpId::Nodes));
    assert_eq!(file.lump_version(LumpId::Leafs), 1);
    assert_eq!(file.write().unwrap(), bytes);
    assert_eq!(
        BspFile::read(&standard.write().unwrap()).unwrap().order,
        LumpOrder::Standard
    );
}

/// A lump as the repacking tools write it.
fn packed(data: &[u8]) -> Vec<u8> {
    let options = LzmaOptions::default();
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false).unwrap();
    writer.write_all(data).unwrap();
    let properties = writer.props();
    let stream = writer.finish().unwrap();
    let mut lump = b"LZMA".to_vec();
    lump.extend((data.len() as u32).to_le_bytes());
    lump.extend((stream.len() as u32).to_le_bytes());
    lump.push(properties);
    lump.extend(options.dict_size.to_le_bytes());
    lump.extend(stream);
    lump
}

/// The file with a packed lump.
fn with_packed(mut file: BspFile, id: LumpId, size: u32, lump: Vec<u8>) -> BspFile {
    file.set_lump(id, file.lump_version(id), lump);
    file.lumps[id.index()].uncompressed_size = size;
    BspFile::read(&file.write().unwrap()).unwrap()
}

#[test]
fn packed_lumps_are_unpacked_and_kept() {
    let plain = sample_file(20);
    let nodes = plain.lump(LumpId::Nodes).to_vec();
    let file = with_packed(plain.clone(), LumpId::Nodes, 96, packed(&nodes));
    assert!(file.is_compressed(LumpId::Nodes));
    assert_eq!(file.lump_offset(LumpId::Pakfile) % 2048, 0);
    assert_eq!(*file.content(LumpId::Nodes).unwrap(), nodes);
    let map = crate::bsp::Map::read(&file).unwrap();
    let mut again = file.clone();
    map.write_into(&mut again).unwrap();
    assert_eq!(again, file, "what has not changed stays packed");
    let mut edited = map.clone();
    edited.nodes[0].area = 1;
    edited.write_into(&mut again).unwrap();
    assert!(!again.is_compressed(LumpId::Nodes));
    assert_eq!(crate::bsp::Map::read(&again), Ok(edited));
}

#[test]
fn damaged_packed_lumps_are_refused() {
    type Damage = (&'static str, fn(&mut Vec<u8>), &'static str);
    let damages: [Damage; 6] = [
        ("mark", |l| l[0] = b'l', "LZMA mark"),
        ("size", |l| l[4] = 95, "unpacked size"),
        ("packed size", |l| l[8] = 255, "LZMA stream"),
        ("no stream", |l| l.truncate(18), "LZMA stream"),
        ("properties", |l| l[12] = 255, "LZMA stream"),
        (
            "a short stream",
            |l| {
                l[8] -= 20;
                l.truncate(17 + usize::from(l[8]))
            },
            "LZMA stream",
        ),
    ];
    let nodes = sample_file(20).lump(LumpId::Nodes).to_vec();
    for (name, damage, field) in damages {
        let mut lump = packed(&nodes);
        damage(&mut lump);
        let file = with_packed(sample_file(20), LumpId::Nodes, 96, lump);
        let error = file.content(LumpId::Nodes).expect_err(name);
        assert_eq!(error.field, field, "{name}: {error}");
        assert_eq!(error.entry.as_deref(), Some("Nodes"));
        assert!(
            error.offset >= u64::from(file.lump_offset(LumpId::Nodes)),
            "{error}"
        );
    }
    // 512 MiB in 40 bytes: not even tried.
    let mut bomb = packed(&nodes);
    bomb[4..8].copy_from_slice(&(512_u32 << 20).to_le_bytes());
    let file = with_packed(sample_file(20), LumpId::Nodes, 512 << 20, bomb);
    assert_eq!(
        file.content(LumpId::Nodes).unwrap_err().field,
        "unpacked size"
    );
}

/// Lumps of any bytes, but no game lump: offsets in it follow its place.
fn any_file() -> impl Strategy<Value = BspFile> {
    let lump = (
        prop::sample::select(LumpId::ALL.as_slice()).prop_filter("offsets", is_only_bytes),
        any::<u32>(),
        prop::collection::vec(any::<u8>(), 0..40),
    );
    let lumps = prop::collection::vec(lump, 0..8);
    let version = prop::sample::select(VERSIONS.as_slice());
    (version, any::<i32>(), lumps).prop_map(|(version, map_revision, lumps)| {
        let mut file = BspFile::new(version);
        file.map_revision = map_revision;
        for (id, version, data) in lumps {
            file.set_lump(id, version, data);
        }
        file
    })
}

fn is_only_bytes(id: &LumpId) -> bool {
    *id != LumpId::GameLump
}
