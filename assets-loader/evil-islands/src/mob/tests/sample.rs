//! Maps to test with: one with a node of every id, and any.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::ai_graph::AiGraph;
use crate::mob::node_id::{AIGRAPH, NID, NODE_KINDS, OBJECTDBFILE};
use crate::mob::{
    Area, LeverStats, Mob, Node, NodeKind, Script, StringItem, UnitStats, Value, ValueType,
};

/// A map of a root with these nodes.
pub(super) fn in_root(nodes: Vec<Node>) -> Mob {
    Mob {
        roots: vec![Node::new(OBJECTDBFILE, Value::Record(nodes))],
        ..Mob::default()
    }
}

/// A root with one node of each id but its own, one that is not known, and the movement graph behind it.
pub(super) fn every_node() -> Mob {
    let kinds = NODE_KINDS.iter().filter(|kind| kind.id != OBJECTDBFILE);
    let nodes = kinds.map(|kind| Node::new(kind.id, sample_value(kind.value_type, kind.id)));
    let unknown = Node::new(0x5555_5555, Value::Raw(vec![9; 5]));
    let mut mob = in_root(nodes.chain([unknown]).collect());
    let graph = sample_value(ValueType::AiGraph, AIGRAPH);
    mob.roots.push(Node::new(AIGRAPH, graph));
    mob
}

pub(super) fn sample_value(value_type: ValueType, id: u32) -> Value {
    let byte = id as u8;
    let number = id as f32 / 7.0;
    match value_type {
        ValueType::Record => Value::Record(vec![Node::new(NID, Value::Dword(id))]),
        ValueType::Null => Value::Null,
        ValueType::Byte => Value::Byte(byte),
        ValueType::Dword => Value::Dword(id),
        ValueType::Float => Value::Float(number),
        ValueType::Plot => Value::Plot([number, -number, 0.1]),
        ValueType::Quaternion => Value::Quaternion([0.5, -0.5, 0.5, number]),
        ValueType::String => Value::String(vec![byte, 0, 0xC0]),
        ValueType::StringArray => Value::StringArray(vec![
            StringItem {
                id,
                text: vec![byte; 3],
            },
            StringItem {
                id: NID,
                text: Vec::new(),
            },
        ]),
        ValueType::Script => Value::Script(Script {
            key: id,
            text: b"WorldScript\r\n(\r\n)\n".to_vec(),
        }),
        ValueType::Rectangle => Value::Rectangle([id, 0, 1, 2]),
        ValueType::Diplomacy => {
            let row = |row: i32| std::array::from_fn(|column| row * 100 - column as i32);
            Value::Diplomacy(Box::new(std::array::from_fn(|idx| row(idx as i32))))
        }
        ValueType::AreaArray => Value::AreaArray(vec![
            Area {
                center: [1.0, 2.0],
                radius: number
            };
            2
        ]),
        ValueType::PointArray => Value::PointArray(vec![[number, 4.0]; 3]),
        ValueType::LeverStats => Value::LeverStats(LeverStats {
            open_type: 1,
            key_id: id,
            sleight_of_hand: 3,
        }),
        ValueType::UnitStats => Value::UnitStats(Box::new(UnitStats {
            hp: -5,
            reserved_3a: -3,
            sight: number,
            reserved_ab: 7,
            ..UnitStats::default()
        })),
        ValueType::AiGraph => {
            let records = (0..6).map(|idx| [idx; 152]).collect();
            Value::AiGraph(Box::new(AiGraph::new(3, 2, records).unwrap()))
        }
        ValueType::Raw => Value::Raw(vec![byte, 1, 2]),
    }
}

/// Any map: trees of nodes of known ids with values of their types, and of unknown ids with bytes.
pub(super) fn any_mob() -> impl Strategy<Value = Mob> {
    let roots = vec(any_node(), 0..4).prop_map(|nodes| {
        let mut mob = in_root(Vec::new());
        mob.roots.extend(nodes);
        mob
    });
    roots.prop_filter("typed", |mob| mob.write().is_ok())
}

fn any_node() -> impl Strategy<Value = Node> {
    let is_record = |kind: &&NodeKind| kind.value_type == ValueType::Record;
    let leaves: Vec<&NodeKind> = NODE_KINDS.iter().filter(|kind| !is_record(kind)).collect();
    let records: Vec<&NodeKind> = NODE_KINDS.iter().filter(is_record).collect();
    let known = prop::sample::select(leaves);
    let known =
        known.prop_flat_map(|kind| any_value(kind).prop_map(|value| Node::new(kind.id, value)));
    let unknown = (0x2_0000..0x3_0000u32, vec(any::<u8>(), 0..9));
    let unknown = unknown.prop_map(|(id, bytes)| Node::new(id, Value::Raw(bytes)));
    let leaf = prop_oneof![6 => known, 1 => unknown];
    leaf.prop_recursive(4, 24, 5, move |node| {
        let record = (prop::sample::select(records.clone()), vec(node, 0..5));
        record.prop_map(|(kind, nodes)| Node::new(kind.id, Value::Record(nodes)))
    })
}

fn any_value(kind: &NodeKind) -> BoxedStrategy<Value> {
    let id = kind.id;
    let bits = || any::<u32>().prop_map(f32::from_bits);
    let bytes = || vec(any::<u8>(), 0..12);
    match kind.value_type {
        ValueType::Byte => any::<u8>().prop_map(Value::Byte).boxed(),
        ValueType::Dword => any::<u32>().prop_map(Value::Dword).boxed(),
        ValueType::Float => bits().prop_map(Value::Float).boxed(),
        ValueType::Plot => [bits(), bits(), bits()].prop_map(Value::Plot).boxed(),
        ValueType::Quaternion => [bits(), bits(), bits(), bits()]
            .prop_map(Value::Quaternion)
            .boxed(),
        ValueType::String => bytes().prop_map(Value::String).boxed(),
        ValueType::StringArray => {
            let item = (prop_oneof![Just(id), any::<u32>()], bytes());
            let item = item.prop_map(|(id, text)| StringItem { id, text });
            vec(item, 0..12).prop_map(Value::StringArray).boxed()
        }
        ValueType::Script => {
            let text = prop_oneof![bytes(), Just(b"a\r\nb\n\r\r\n".to_vec())];
            let script = (any::<u32>(), text).prop_map(|(key, text)| Script { key, text });
            script.prop_map(Value::Script).boxed()
        }
        ValueType::Rectangle => any::<[u32; 4]>().prop_map(Value::Rectangle).boxed(),
        ValueType::Diplomacy => {
            let relations = any::<[[i32; 32]; 32]>().prop_map(Box::new);
            relations.prop_map(Value::Diplomacy).boxed()
        }
        ValueType::AreaArray => {
            let area = [bits(), bits(), bits()].prop_map(|[x, y, radius]| Area {
                center: [x, y],
                radius,
            });
            vec(area, 0..4).prop_map(Value::AreaArray).boxed()
        }
        ValueType::PointArray => vec([bits(), bits()], 0..4)
            .prop_map(Value::PointArray)
            .boxed(),
        ValueType::LeverStats => {
            let stats =
                any::<[u32; 3]>().prop_map(|[open_type, key_id, sleight_of_hand]| LeverStats {
                    open_type,
                    key_id,
                    sleight_of_hand,
                });
            stats.prop_map(Value::LeverStats).boxed()
        }
        ValueType::UnitStats => {
            let stats = (
                any::<[i32; 2]>(),
                bits(),
                any::<[u8; 2]>(),
                any::<i16>(),
                bits(),
            );
            let stats = stats.prop_map(
                |([hp, absorption], damage_min, [skill_tame, reserved_aa], reserved_3a, smell)| {
                    UnitStats {
                        hp,
                        absorption,
                        damage_min,
                        skill_tame,
                        reserved_aa,
                        reserved_3a,
                        smell,
                        ..UnitStats::default()
                    }
                },
            );
            stats
                .prop_map(|stats| Value::UnitStats(Box::new(stats)))
                .boxed()
        }
        ValueType::AiGraph => {
            let graph = (0..3u32, 0..3u32, any::<u8>()).prop_map(|(width, height, byte)| {
                let n_cells = (width * height) as usize;
                AiGraph::new(width, height, vec![[byte; 152]; n_cells]).unwrap()
            });
            graph
                .prop_map(|graph| Value::AiGraph(Box::new(graph)))
                .boxed()
        }
        ValueType::Null | ValueType::Record => Just(sample_value(kind.value_type, id)).boxed(),
        ValueType::Raw => bytes().prop_map(Value::Raw).boxed(),
    }
}
