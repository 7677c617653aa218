//! Nodes by path, and what changes leave as it was.

use super::sample::{every_node, in_root};
use crate::mob::edit::{EditError, node_id_of, node_name};
use crate::mob::node_id::{
    MAIN_RANGE, NID, OBJECT, OBJECTSECTION, OBJNAME, SS_TEXT, SS_TEXT_OLD, UNIT,
};
use crate::mob::{Mob, Node, Script, Value, ValueType};

fn two_units() -> Mob {
    let unit = |nid| Node::new(UNIT, Value::Record(vec![Node::new(NID, Value::Dword(nid))]));
    let object = Node::record(OBJECT);
    let nodes = vec![unit(1), object, unit(2)];
    let range = Node::record(MAIN_RANGE);
    in_root(vec![range, Node::new(OBJECTSECTION, Value::Record(nodes))])
}

#[test]
fn paths_lead_by_name_id_and_number() {
    let mut mob = two_units();
    let rows = [
        ("OBJECTDBFILE/OBJECTSECTION/UNIT/NID", 1),
        ("objectdbfile/objectsection/unit[1]/nid", 2),
        ("0xA000/0x0000b000/UNIT[1]/NID[0]", 2),
    ];
    for (path, nid) in rows {
        assert_eq!(mob.node(path).unwrap().value, Value::Dword(nid), "{path}");
        assert_eq!(
            mob.node_mut(path).unwrap().value,
            Value::Dword(nid),
            "{path}"
        );
    }
    for path in [
        "OBJECTDBFILE/UNIT",
        "OBJECTDBFILE/OBJECTSECTION/UNIT[2]",
        "NID/NID",
    ] {
        let error = EditError::NoSuchNode {
            path: path.to_owned(),
        };
        assert_eq!(mob.node(path), Err(error.clone()));
        assert_eq!(mob.node_mut(path), Err(error.clone()));
        assert_eq!(mob.remove(path), Err(error));
    }
    for (path, part) in [
        ("", ""),
        ("OBJECTDBFILE/HOUSE", "HOUSE"),
        ("OBJECTDBFILE[x]", "OBJECTDBFILE[x]"),
        ("0x+1", "0x+1"),
    ] {
        let error = EditError::BadPath {
            part: part.to_owned(),
        };
        assert_eq!(mob.node(path), Err(error));
    }
}

#[test]
fn names_and_ids_go_both_ways() {
    assert_eq!(node_name(NID), "NID");
    assert_eq!(node_name(0x1234), "0x00001234");
    for id in [NID, 0x1234, 0, u32::MAX] {
        assert_eq!(node_id_of(&node_name(id)), Some(id));
    }
    assert_eq!(node_id_of("house"), None);
}

#[test]
fn a_change_moves_nothing_else() {
    let mut mob = two_units();
    let before = mob.write().unwrap();
    mob.node_mut("OBJECTDBFILE/OBJECTSECTION/UNIT[1]/NID")
        .unwrap()
        .set(Value::Dword(7))
        .unwrap();
    let after = mob.write().unwrap();
    let differing: Vec<usize> = (0..before.len())
        .filter(|at| before[*at] != after[*at])
        .collect();
    assert_eq!(
        (before.len(), differing),
        (after.len(), vec![after.len() - 4])
    );
}

#[test]
fn children_come_and_go_and_sizes_follow() {
    let mut mob = two_units();
    let unit = mob.node_mut("OBJECTDBFILE/OBJECTSECTION/UNIT").unwrap();
    unit.set_child(OBJNAME, Value::String(b"Jun".to_vec()))
        .unwrap();
    unit.set_child(NID, Value::Dword(9)).unwrap();
    assert_eq!(unit.children().len(), 2);
    let read = Mob::read(&mob.write().unwrap()).unwrap();
    assert_eq!(read.objects()[0].name, "Jun");
    assert_eq!(read.objects()[0].nid, 9);
    let removed = mob.remove("OBJECTDBFILE/OBJECTSECTION/UNIT[1]").unwrap();
    assert_eq!(removed.child(NID).unwrap().value, Value::Dword(2));
    let read = Mob::read(&mob.write().unwrap()).unwrap();
    assert_eq!(read.objects().len(), 2);
    assert_eq!(mob.placed_mut().count(), 2);
    mob.remove("OBJECTDBFILE").unwrap();
    assert_eq!(mob.roots, []);
}

#[test]
fn values_keep_to_their_types() {
    let mut node = Node::new(NID, Value::Dword(1));
    let error = EditError::WrongType {
        node: "NID".to_owned(),
        expected: ValueType::Dword,
        found: ValueType::Float,
    };
    assert_eq!(node.set(Value::Float(1.0)), Err(error));
    assert_eq!(node.set(Value::Raw(vec![1])), Ok(()));
    let error = EditError::WrongType {
        node: "NID".to_owned(),
        expected: ValueType::Record,
        found: ValueType::Raw,
    };
    assert_eq!(node.push(Node::record(OBJECT)), Err(error));
    let mut object = Node::record(OBJECT);
    assert!(object.set_child(NID, Value::Byte(1)).is_err());
    assert_eq!(object.children(), []);
}

#[test]
fn a_new_text_keeps_the_key_of_the_script() {
    let mut mob = every_node();
    mob.set_script("Скрипт\n(\r\n)").unwrap();
    assert_eq!(mob.script().as_deref(), Some("Скрипт\r\n(\r\n)"));
    let read = Mob::read(&mob.write().unwrap()).unwrap();
    let expected = Script {
        key: SS_TEXT,
        text: b"\xD1\xEA\xF0\xE8\xEF\xF2\r\n(\r\n)".to_vec(),
    };
    assert_eq!(
        read.root().unwrap().child(SS_TEXT).unwrap().value,
        Value::Script(expected)
    );
    assert_eq!(read.script_bytes(), mob.script_bytes());
    let as_stored = b"a\nb\x98".to_vec();
    mob.set_script_bytes(as_stored.clone()).unwrap();
    assert_eq!(mob.script_bytes(), Some(&as_stored[..]));
    let before = mob.clone();
    let text = "地".to_owned();
    assert_eq!(mob.set_script(&text), Err(EditError::NoCode { text }));
    assert_eq!(mob, before);
}

#[test]
fn older_maps_keep_their_plain_script_and_bare_ones_get_one() {
    let mut old = in_root(vec![Node::new(SS_TEXT_OLD, Value::String(b"a".to_vec()))]);
    old.set_script("b").unwrap();
    assert_eq!(
        old.root().unwrap().children(),
        [Node::new(SS_TEXT_OLD, Value::String(b"b".to_vec()))]
    );
    let mut bare = in_root(Vec::new());
    assert_eq!(bare.script(), None);
    bare.set_script("b").unwrap();
    assert_eq!(bare.script().as_deref(), Some("b"));
    assert_eq!(Mob::default().set_script("b"), Err(EditError::NoRoot));
}
