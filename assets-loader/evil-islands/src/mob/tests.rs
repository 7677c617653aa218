mod checks;
mod damage;
mod edits;
mod json;
mod sample;
mod views;

use proptest::prelude::*;

use self::sample::{any_mob, every_node, in_root, sample_value};
use super::node_id::{
    AIGRAPH, DIPLOMATION_FOF, LEVER_SCIENCE_STATS_NEW, MT_AREAS, MT_TARGETS, NID, NODE_KINDS,
    OBJ_PLAYER, OBJBODYPARTS, OBJECT, OBJINDEX, OBJNAME, OBJPOSITION, OBJROTATION, SS_TEXT,
    TORCH_STRENGHT, UNIT_STATS, VSS_RECT,
};
use super::*;
use crate::ai_graph::AiGraph;
use ironlands_assets_proof::{Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read};

proof! {
    Mob {
        facts: facts(),
        damage: damage::damage(),
        // The first of two roots is a map of its own.
        truncations: Truncations::ValidIf(is_one_root),
        values: any_mob(),
        growth: 48,
        runs: 1_000,
        records: [
            RecordPlace::new::<payload::NodeHead>(0, ()),
            RecordPlace::new::<payload::NodeHead>(8, ()),
        ],
        of_bytes: prove_tolerantly_read::<Mob>,
    }
}

fn is_one_root(file: &[u8]) -> bool {
    let size = file.get(4..).and_then(<[u8]>::first_chunk);
    size.is_some_and(|size| u32::from_le_bytes(*size) as usize == file.len())
}

/// Each node alone in a root, and all that there are.
fn facts() -> Vec<Fact<Mob>> {
    let facts = nodes().into_iter().map(|(name, node, bytes)| {
        let mut file = hex("00 A0 00 00");
        file.extend((bytes.len() as u32 + 8).to_le_bytes());
        file.extend(&bytes);
        Fact::new(name, in_root(vec![node]), file)
    });
    let all = every_node();
    let bytes = all.write().unwrap();
    let all = Fact::new(
        "a node of every id, and a graph behind the root",
        all,
        bytes,
    );
    facts.chain([all]).collect()
}

/// Nodes and their bytes, put down by hand after the tables of the dossier.
fn nodes() -> Vec<(&'static str, Node, Vec<u8>)> {
    let node = Node::new;
    let script = Script {
        key: 0x1234_5678,
        text: b"GlobalVars()".to_vec(),
    };
    let item = |text: &[u8]| StringItem {
        id: OBJBODYPARTS,
        text: text.to_vec(),
    };
    let lever = LeverStats {
        open_type: 9,
        key_id: 258,
        sleight_of_hand: 3,
    };
    let area = Area {
        center: [1.0, -2.0],
        radius: 0.5,
    };
    let mut relations = Box::new([[0; 32]; 32]);
    relations[0][1] = -1;
    relations[1][0] = 2;
    let mut relation_bytes = hex("D2 DD DD DD 08 10 00 00");
    relation_bytes.resize(4104, 0);
    relation_bytes[12..16].fill(0xFF);
    relation_bytes[8 + 32 * 4] = 2;
    let mut graph_bytes = hex("26 59 41 31 40 01 00 00 02 00 00 00 01 00 00 00");
    graph_bytes.extend([7; 152]);
    graph_bytes.extend([8; 152]);
    let graph = AiGraph::new(2, 1, vec![[7; 152], [8; 152]]).unwrap();
    let stats = UnitStats {
        hp: -2,
        ai_class_lying: 5,
        absorption: 258,
        p_tracking: 1.0,
        magic_skill_3: 6,
        ..UnitStats::default()
    };
    let mut stat_bytes = hex("04 00 BB BB B4 00 00 00 FE FF FF FF");
    stat_bytes.resize(180, 0);
    stat_bytes[8 + 57] = 5;
    stat_bytes[8 + 112..8 + 114].copy_from_slice(&[2, 1]);
    stat_bytes[8 + 162..8 + 164].copy_from_slice(&[0x80, 0x3F]);
    stat_bytes[8 + 169] = 6;
    vec![
        (
            "a record in a record",
            node(OBJECT, Value::Record(vec![node(NID, Value::Dword(5))])),
            hex("01 B0 00 00 14 00 00 00 02 B0 00 00 0C 00 00 00 05 00 00 00"),
        ),
        (
            "nothing",
            node(OBJINDEX, Value::Null),
            hex("05 B0 00 00 08 00 00 00"),
        ),
        (
            "a byte",
            node(OBJ_PLAYER, Value::Byte(31)),
            hex("11 B0 00 00 09 00 00 00 1F"),
        ),
        (
            "a float",
            node(TORCH_STRENGHT, Value::Float(-1.5)),
            hex("01 00 BF BB 0C 00 00 00 00 00 C0 BF"),
        ),
        (
            "a place",
            node(OBJPOSITION, Value::Plot([1.0, 2.0, -0.0])),
            hex("09 B0 00 00 14 00 00 00 00 00 80 3F 00 00 00 40 00 00 00 80"),
        ),
        (
            "a rotation, w first",
            node(OBJROTATION, Value::Quaternion([1.0, 0.0, 0.0, 0.5])),
            hex("0A B0 00 00 18 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 3F"),
        ),
        (
            "a text with the byte that CP1251 lacks",
            node(OBJNAME, Value::String(vec![b'a', 0x98, 0xFF])),
            hex("04 B0 00 00 0B 00 00 00 61 98 FF"),
        ),
        (
            "texts",
            node(
                OBJBODYPARTS,
                Value::StringArray(vec![item(b"hd"), item(b"")]),
            ),
            hex(
                "0D B0 00 00 1E 00 00 00 02 00 00 00 0D B0 00 00 0A 00 00 00 68 64 0D B0 00 00 08 00 00 00",
            ),
        ),
        (
            "a script (section 13.8)",
            node(SS_TEXT, Value::Script(script)),
            hex("CB EC CE AC 18 00 00 00 78 56 34 12 AE 53 62 C3 F7 F9 67 65 3B 5E B6 48"),
        ),
        (
            "a rectangle",
            node(VSS_RECT, Value::Rectangle([1, 2, 3, u32::MAX])),
            hex("05 1E 00 00 18 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 FF FF FF FF"),
        ),
        (
            "circles",
            node(MT_AREAS, Value::AreaArray(vec![area])),
            hex("03 00 AB BB 18 00 00 00 01 00 00 00 00 00 80 3F 00 00 00 C0 00 00 00 3F"),
        ),
        (
            "points",
            node(MT_TARGETS, Value::PointArray(vec![[1.0, 2.0]])),
            hex("04 00 AB BB 14 00 00 00 01 00 00 00 00 00 80 3F 00 00 00 40"),
        ),
        (
            "a lever",
            node(LEVER_SCIENCE_STATS_NEW, Value::LeverStats(lever)),
            hex("06 00 AC BB 14 00 00 00 09 00 00 00 02 01 00 00 03 00 00 00"),
        ),
        (
            "relations",
            node(DIPLOMATION_FOF, Value::Diplomacy(relations)),
            relation_bytes,
        ),
        (
            "statistics",
            node(UNIT_STATS, Value::UnitStats(Box::new(stats))),
            stat_bytes,
        ),
        (
            "a graph",
            node(AIGRAPH, Value::AiGraph(Box::new(graph))),
            graph_bytes,
        ),
        (
            "a node that is not known",
            node(0x1234, Value::Raw(vec![1, 2, 3])),
            hex("34 12 00 00 0B 00 00 00 01 02 03"),
        ),
    ]
}

#[test]
fn the_cipher_is_that_of_the_dossier() {
    let rows = [
        (1, vec![0; 8], "29 23 BE 84 E1 6C D6 AE"),
        (
            0,
            b"GlobalVars()".to_vec(),
            "61 4B 99 E7 F6 79 FB 7C A0 E7 F5 ED",
        ),
        (
            1,
            b"GlobalVars()".to_vec(),
            "6E 4F D1 E6 80 00 80 CF 20 E3 61 D8",
        ),
        (
            0x1234_5678,
            b"GlobalVars()".to_vec(),
            "AE 53 62 C3 F7 F9 67 65 3B 5E B6 48",
        ),
    ];
    for (key, text, cipher) in rows {
        let script = Script { key, text };
        assert_eq!(script.encrypted(), hex(cipher));
        assert_eq!(Script::decrypt(key, &hex(cipher)), script);
    }
}

#[test]
fn the_table_is_that_of_the_document() {
    assert_eq!(NODE_KINDS.len(), 154);
    assert!(NODE_KINDS.is_sorted_by_key(|kind| kind.id));
    let count = |value_type| {
        NODE_KINDS
            .iter()
            .filter(|kind| kind.value_type == value_type)
            .count()
    };
    let counts = [
        (ValueType::Record, 28),
        (ValueType::Dword, 23),
        (ValueType::Byte, 23),
        (ValueType::String, 22),
        (ValueType::Null, 17),
        (ValueType::Plot, 11),
        (ValueType::StringArray, 10),
        (ValueType::Float, 10),
    ];
    for (value_type, n) in counts {
        assert_eq!(count(value_type), n, "{value_type:?}");
    }
    for (at, kind) in NODE_KINDS.iter().enumerate() {
        let next = NODE_KINDS.get(at + 1);
        assert!(
            next.is_none_or(|next| next.id != kind.id),
            "{} stands twice",
            kind.name
        );
        assert_eq!(NodeKind::from_id(kind.id), Some(kind));
        assert_eq!(NodeKind::named(&kind.name.to_lowercase()), Some(kind));
    }
    assert_eq!(NodeKind::from_id(0x1234), None);
}

#[test]
fn every_node_comes_back_with_its_type() {
    let mob = every_node();
    let bytes = mob.write().unwrap();
    let read = Mob::read(&bytes).unwrap();
    assert_eq!(read, mob);
    let root = read.root().unwrap();
    // All but the root itself, and one that is not known.
    assert_eq!(root.children().len(), 154);
    for kind in NODE_KINDS
        .iter()
        .filter(|kind| kind.id != node_id::OBJECTDBFILE)
    {
        let node = root.child(kind.id).unwrap();
        assert_eq!(node.value.value_type(), kind.value_type, "{}", kind.name);
        assert_eq!(
            node.value,
            sample_value(kind.value_type, kind.id),
            "{}",
            kind.name
        );
    }
}

#[test]
fn bits_of_floats_are_kept() {
    // A signalling NaN, a quiet one with a payload, minus zero, the smallest of all.
    for bits in [0x7F80_0001, 0xFFC0_1234, 0x8000_0000, 1] {
        let mut file = hex("00 A0 00 00 14 00 00 00 01 00 BF BB 0C 00 00 00");
        file.extend(u32::to_le_bytes(bits));
        assert_eq!(Mob::read(&file).unwrap().write(), Ok(file));
    }
}

#[test]
fn what_ids_do_not_allow_is_not_written() {
    let rows = [
        (in_root(vec![Node::new(NID, Value::Float(1.0))]), "NID"),
        (in_root(vec![Node::record(0x1234)]), "unknown node"),
        (
            in_root(vec![Node::new(0x1234, Value::Dword(1))]),
            "unknown node",
        ),
    ];
    for (mob, field) in rows {
        let error = mob.write().unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, 8));
    }
    let mut node = Node::record(OBJECT);
    for _ in 0..MAX_DEPTH {
        node = Node::new(OBJECT, Value::Record(vec![node]));
    }
    assert_eq!(
        in_root(vec![node]).write().unwrap_err().field,
        "nested records"
    );
}

proptest! {
    #[test]
    fn any_map_survives_json(mob in any_mob()) {
        let bytes = mob.write().unwrap();
        let json = mob.to_json().unwrap();
        prop_assert_eq!(Mob::from_json(&json).unwrap().write(), Ok(bytes));
    }
}
