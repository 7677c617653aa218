//! JSON and CSV as people see them.

use super::*;

#[test]
fn json_reads_as_people_expect() {
    let json = prints().to_json().unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let record = &json["tables"][1]["nodes"][0];
    assert_eq!(json["tables"][1]["name"], "fire prints");
    assert_eq!(record["nodes"][0]["name"], "terrain type");
    assert_eq!(record["nodes"][0]["text"], "f");
    assert_eq!(record["nodes"][2]["nodes"][1]["int"], 9);
    for (what, from, to) in [
        ("format", "\"db\"", "\"cam\""),
        ("kind", "\"prints\"", "\"nothing\""),
        ("a value", "\"int\": 9", "\"int\": 9.5"),
        ("a rest", "\"int\": 9", "\"int\": 9, \"rest\": \"00\""),
    ] {
        let bad = prints().to_json().unwrap().replace(from, to);
        assert!(Db::from_json(&bad).is_err(), "{what}");
    }
    let more = Db {
        tables: vec![Node::new(0, nodes(Vec::new())); 4],
        ..prints()
    };
    assert!(Db::from_json(&more.to_json().unwrap()).is_err());
}

#[test]
fn csv_reads_as_people_expect() {
    let (csv, findings) = prints().table_to_csv(1).unwrap();
    assert_eq!(findings, []);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("record id,0 column 0,1 terrain type,2 clear weather,"));
    assert_eq!(lines[1], "0,,f,[1:1.0 2:2 3:3],,,,,,,,[1:1.0 2:9 3:3]");
    let (csv, _) = levers().table_to_csv(0).unwrap();
    // An empty text is no missing one.
    assert!(
        csv.ends_with("\n0,door,[1.0 -0.5],-2,1.0,16,\"\"\"\"\"\",,\n"),
        "{csv}"
    );
    assert!(prints().table_to_csv(3).is_none());
}

#[test]
fn csv_of_people_is_read_or_refused_by_row_and_column() {
    let read = |csv: &str| {
        let mut db = levers();
        db.set_table_from_csv(0, csv)
            .map(|()| db.tables.swap_remove(0))
    };
    let table = read("\u{FEFF}0 name,record id,4\r\n\"a \"\"b\"\", c\",3,0x10\r\n,,\r\n").unwrap();
    let record = &table.children()[0];
    assert_eq!(record.id, 3);
    assert_eq!(record.child(0).unwrap().value, text("a \"b\", c"));
    assert_eq!(record.child(4).unwrap().value, Value::Time(16));
    for (csv, reported) in [
        ("", "names of columns"),
        ("record id,9 x\n", "a number below 8"),
        ("record id,name\n", "a number below 8"),
        ("record id,0 a,0 b\n", "each column once"),
        ("0 name\na\n", "row 2, record id"),
        ("record id\n300\n", "row 2, record id"),
        (
            "record id,2 x\n1,a\n",
            "row 2, column 2: expected a value of type I",
        ),
        ("record id,1 x\n1,[1 a]\n", "\"a\" is no item"),
        ("record id,1 x\n1,[1\n", "is no item"),
        ("record id,1 x\n1,1\n", "does not begin with ["),
        ("record id,0 x\n1,地\n", "CP1251 has no"),
        ("record id,0 x\n1,\"a\n", "quotes that are closed"),
        ("record id,0 x\n1,\"a\"b\n", "quotes that are closed"),
        ("record id\n1,2\n", "no more than columns"),
        ("record id,2 x\n1,hex:0\n", "no pairs"),
    ] {
        let error = read(csv).unwrap_err().to_string();
        assert!(error.contains(reported), "{csv:?}: {error}");
    }
    assert!(levers().set_table_from_csv(1, "record id\n").is_err());
}

#[test]
fn what_csv_does_not_hold_is_reported() {
    let fields = |fields: Vec<Node>| Node::new(0, nodes(fields));
    let a = || Node::new(0, text("a"));
    let long = Node {
        is_long: true,
        ..a()
    };
    let rest = Value::Nodes(Nodes {
        nodes: vec![a()],
        rest: vec![1],
    });
    let rows = [
        ("repeated", fields(vec![a(), a()])),
        (
            "out of order",
            fields(vec![Node::new(2, Value::Int(1)), a()]),
        ),
        ("no column", fields(vec![Node::new(8, Value::Raw(vec![1]))])),
        ("long form", fields(vec![long])),
        ("last whole node", Node::new(0, rest)),
    ];
    for (reported, record) in rows {
        let db = Db::draft(DbKind::Levers, vec![vec![record]]);
        let (_, findings) = db.table_to_csv(0).unwrap();
        assert_eq!(findings.len(), 1, "{reported}");
        assert!(
            findings[0].message.contains(reported),
            "{reported}: {findings:?}"
        );
    }
}
