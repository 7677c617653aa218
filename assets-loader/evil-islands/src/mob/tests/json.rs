//! JSON that people read, and that loses nothing.

use proptest::prelude::*;

use super::sample::{every_node, in_root};
use crate::mob::node_id::{NID, OBJBODYPARTS, OBJECT, OBJNAME, OBJPOSITION, SS_TEXT};
use crate::mob::{Mob, Node, Script, StringItem, Tolerance, Value};

#[test]
fn a_map_reads_like_a_list() {
    let text = |text: &[u8]| StringItem {
        id: OBJBODYPARTS,
        text: text.to_vec(),
    };
    let nodes = vec![
        Node::new(NID, Value::Dword(5)),
        Node::new(
            OBJNAME,
            Value::String(b"\xC7\xE5\xEC\xEB\xFF \"1\"".to_vec()),
        ),
        Node::new(OBJPOSITION, Value::Plot([0.1, 2.0, f32::INFINITY])),
        Node::new(
            OBJBODYPARTS,
            Value::StringArray(vec![text(b"hd"), text(b"bd")]),
        ),
        Node::new(0x1234, Value::Raw(vec![1, 0xAB])),
    ];
    let script = Script {
        key: 7,
        text: b"a\r\nb\n".to_vec(),
    };
    let mob = in_root(vec![
        Node::new(SS_TEXT, Value::Script(script)),
        Node::new(OBJECT, Value::Record(nodes)),
    ]);
    let expected = r#"{
"format": "Evil Islands MOB",
"nodes": [
  {"node": "OBJECTDBFILE", "nodes": [
    {"node": "SS_TEXT", "key": 7, "script": ["a", "b\n"]},
    {"node": "OBJECT", "nodes": [
      {"node": "NID", "value": 5},
      {"node": "OBJNAME", "value": "Земля \"1\""},
      {"node": "OBJPOSITION", "value": [0.1, 2.0, "0x7f800000"]},
      {"node": "OBJBODYPARTS", "value": ["hd", "bd"]},
      {"node": "0x00001234", "hex": "01ab"}
    ]}
  ]}
]
}
"#;
    assert_eq!(mob.to_json().unwrap(), expected);
    assert_eq!(Mob::from_json(expected).unwrap(), mob);
}

#[test]
fn every_node_comes_back_from_json() {
    let mob = every_node();
    let json = mob.to_json().unwrap();
    assert_eq!(Mob::from_json(&json).unwrap(), mob);
    let as_json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(as_json["nodes"][0]["nodes"].as_array().unwrap().len(), 154);
}

#[test]
fn problems_name_the_place_in_the_json() {
    let nodes = |nodes: &str| format!(r#"{{"format": "Evil Islands MOB", "nodes": [{nodes}]}}"#);
    let rows = [
        ("{}".to_owned(), r#": expected "format", found nothing"#),
        (
            r#"{"format": "REG", "nodes": []}"#.to_owned(),
            r#"format: expected "Evil Islands MOB", found "REG""#,
        ),
        (nodes(""), "nodes: expected at least one node, found []"),
        (nodes("5"), "nodes[0]: expected an object, found 5"),
        (
            nodes(r#"{"node": "HOUSE"}"#),
            r#"nodes[0].node: expected the name of a node, or an id such as "0x00012345", found "HOUSE""#,
        ),
        (
            nodes(r#"{"node": "NID"}"#),
            r#"nodes[0].NID: expected "value", found nothing"#,
        ),
        (
            nodes(r#"{"node": "NID", "value": -1}"#),
            "nodes[0].NID.value: expected a whole number that fits, found -1",
        ),
        (
            nodes(r#"{"node": "OBJ_PLAYER", "value": 256}"#),
            "nodes[0].OBJ_PLAYER.value: expected a whole number that fits, found 256",
        ),
        (
            nodes(r#"{"node": "NID", "value": 1, "hex": ""}"#),
            r#"nodes[0].NID: expected no "value" here, found 1"#,
        ),
        (nodes(r#"{"node": "NID", "valu": 1}"#), "found 1"),
        (
            nodes(r#"{"node": "OBJPOSITION", "value": [1, 2]}"#),
            "nodes[0].OBJPOSITION.value: expected 3 of them, found [1,2]",
        ),
        (
            nodes(r#"{"node": "OBJPOSITION", "value": [1, 2, 1e39]}"#),
            "value.[2]: expected a number that fits 32 bits",
        ),
        (
            nodes(r#"{"node": "OBJNAME", "value": "地"}"#),
            "nodes[0].OBJNAME.value: expected characters of CP1251",
        ),
        (
            nodes(r#"{"node": "OBJECT", "nodes": [{"node": "NID", "hex": "0g"}]}"#),
            "nodes[0].OBJECT.nodes[0].NID.hex: expected pairs of hex digits",
        ),
        (
            nodes(r#"{"node": "NID", "hex": "012"}"#),
            "pairs of hex digits",
        ),
        (
            nodes(r#"{"node": "AIGRAPH", "value": {"width": 2, "height": 1, "records": []}}"#),
            "expected 2 x 1 records, found 0",
        ),
        (
            nodes(r#"{"node": "NID", "value": 1, "trailing": "00"}"#),
            "a record before its trailing bytes",
        ),
    ];
    for (json, expected) in rows {
        let error = Mob::from_json(&json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    assert!(
        Mob::from_json("{")
            .unwrap_err()
            .to_string()
            .starts_with("no JSON: ")
    );
    // Deeper than the reader of JSON goes, and deeper than maps go.
    let deep = |n: usize| nodes(&(r#"{"node": "OBJECT", "nodes": ["#.repeat(n) + &"]}".repeat(n)));
    assert!(
        Mob::from_json(&deep(100_000))
            .unwrap_err()
            .to_string()
            .starts_with("no JSON: ")
    );
    assert!(
        Mob::from_json(&deep(40))
            .unwrap_err()
            .to_string()
            .contains("nested records")
    );
    assert!(Mob::from_json(&deep(31)).is_ok());
}

proptest! {
    /// All floats there are, by their bits.
    #[test]
    fn floats_keep_their_bits(bits: [u32; 3]) {
        let mob = in_root(vec![Node::new(OBJPOSITION, Value::Plot(bits.map(f32::from_bits)))]);
        let read = Mob::from_json(&mob.to_json().unwrap()).unwrap();
        prop_assert_eq!(read.write(), mob.write());
    }

    /// Any bytes at all, read by all means.
    #[test]
    fn any_bytes_come_back_from_json(
        words in prop::collection::vec(prop_oneof![0..40u32, any::<u32>(), Just(0xB001), Just(0xB00D), Just(0xBBAB_0004)], 1..40),
        rest in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        let head = [0xA000, words.len() as u32 * 4 + 8];
        let bytes = head.into_iter().chain(words).flat_map(u32::to_le_bytes).chain(rest);
        let bytes: Vec<u8> = bytes.collect();
        let (mob, _) = Mob::read_with(&bytes, Tolerance::all()).unwrap();
        prop_assert_eq!(mob.write(), Ok(bytes.clone()));
        let read = Mob::from_json(&mob.to_json().unwrap()).unwrap();
        prop_assert_eq!(read.write(), Ok(bytes));
    }
}
