mod exchange;

use proptest::prelude::*;

use super::schema::{Parts, part_type};
use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, hex, proof};

proof! {
    Db {
        facts: facts(),
        damage: damage().into_iter().map(|(damage, _)| damage).collect::<Vec<_>>(),
        truncations: Truncations::Refused,
        values: database(),
        growth: 200,
        runs: 2_000,
        records: records(),
        context: |db: &Db| db.kind,
        of_bytes: |data, kind| survives_json_and_csv(data, *kind),
    }
}

fn nodes(nodes: Vec<Node>) -> Value {
    Value::Nodes(Nodes::from_nodes(nodes))
}

fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

/// One lever with all its fields but the last two.
fn levers() -> Db {
    let fields = vec![
        Node::new(0, text("door")),
        Node::new(1, Value::Floats(vec![1.0, -0.5])),
        Node::new(2, Value::Int(-2)),
        Node::new(3, Value::Float(1.0)),
        Node::new(4, Value::Time(16)),
        Node::new(5, text("")),
    ];
    Db::draft(DbKind::Levers, vec![vec![Node::new(0, nodes(fields))]])
}

/// Prints: three tables of one record each, with parts.
fn prints() -> Db {
    let parts = |lifetime| {
        nodes(vec![
            Node::new(1, Value::Float(1.0)),
            Node::new(2, Value::Int(lifetime)),
            Node::new(3, Value::Int(3)),
        ])
    };
    let record = |terrain: &str| {
        let fields = vec![Node::new(1, text(terrain)), Node::new(2, parts(2))];
        Node::new(0, nodes(fields))
    };
    let mut fire = record("f");
    let Value::Nodes(fields) = &mut fire.value else {
        panic!("a record holds fields");
    };
    fields.nodes.push(Node::new(10, parts(9)));
    let tables = vec![vec![record("b")], vec![fire], Vec::new()];
    Db::draft(DbKind::Prints, tables)
}

/// Heads of the outer node, a table, a record and a field of the levers, and two values.
fn records() -> Vec<RecordPlace> {
    let file = facts().swap_remove(0).bytes;
    let heads = [(0, 50), (2, 38), (4, 36), (6, 4)].map(|(offset, length)| {
        let mut head = NodeHead {
            length,
            ..Default::default()
        };
        RecordPlace::from_walk(&file, offset, |c| head.walk(c))
    });
    let values = [(14, Value::Floats(vec![1.0, -0.5])), (24, Value::Int(-2))]
        .map(|(offset, mut value)| RecordPlace::from_walk(&file, offset, |c| value.walk(c)));
    heads.into_iter().chain(values).collect()
}

/// Typed from the dossier's tables.
fn facts() -> Vec<Fact<Db>> {
    let levers_bytes = "
        00 64
          00 4C  00 48
            00 08 64 6F 6F 72
            01 10 00 00 80 3F 00 00 00 BF
            02 08 FE FF FF FF
            03 08 00 00 80 3F
            04 08 10 00 00 00
            05 00
        00 00 02 0C 02 08 01 00 00 00";
    let prints_bytes = "
        00 AC
          00 32  00 2E  01 02 62  02 24  01 08 00 00 80 3F  02 08 02 00 00 00  03 08 03 00 00 00
          01 5A  00 56  01 02 66  02 24  01 08 00 00 80 3F  02 08 02 00 00 00  03 08 03 00 00 00
                        0A 24  01 08 00 00 80 3F  02 08 09 00 00 00  03 08 03 00 00 00
          02 00
        00 00 02 0C 02 08 01 00 00 00";
    vec![
        Fact::new("levers", levers(), hex(levers_bytes)),
        Fact::new("prints", prints(), hex(prints_bytes)).with_context(DbKind::Prints),
    ]
}

#[test]
fn sound_databases_have_no_findings() {
    for fact in facts() {
        assert_eq!(fact.value.unwrap().check(), [], "{}", fact.name);
    }
}

#[test]
fn lengths_are_those_of_the_document() {
    let rows: [(usize, &[u8]); 7] = [
        (0, &[0x00]),
        (4, &[0x08]),
        (5, &[0x0A]),
        (127, &[0xFE]),
        (128, &[0x01, 0x01, 0x00, 0x00]),
        (200, &[0x91, 0x01, 0x00, 0x00]),
        (70_000, &[0xE1, 0x22, 0x02, 0x00]),
    ];
    for (length, bytes) in rows {
        let mut w = Writer::new(FORMAT);
        node::write_head(&mut w, 7, false, length as u64).unwrap();
        let written = w.finish();
        assert_eq!(written, [&[7], bytes].concat(), "{length}");
        let mut r = Reader::new(FORMAT, &written);
        let head = NodeHead::read(&mut r).unwrap();
        assert_eq!(
            (head.length as usize, head.is_long, r.remaining()),
            (length, false, 0)
        );
    }
    let mut long = Writer::new(FORMAT);
    node::write_head(&mut long, 7, true, 5).unwrap();
    let long = long.finish();
    assert_eq!(long, [7, 0x0B, 0, 0, 0]);
    let head = NodeHead::read(&mut Reader::new(FORMAT, &long)).unwrap();
    assert_eq!((head.length, head.is_long), (5, true));
    let mut w = Writer::new(FORMAT);
    assert!(node::write_head(&mut w, 0, false, 1 << 31).is_err());
}

#[test]
fn databases_are_known_by_their_names() {
    let rows = [
        ("Items.IDB", Some(DbKind::Items)),
        ("a.ldb", Some(DbKind::Levers)),
        ("perks.pdb", Some(DbKind::Perks)),
        ("PRINTS.db", Some(DbKind::Prints)),
        ("spells.sdb", Some(DbKind::Spells)),
        ("units.udb", Some(DbKind::Units)),
        ("acks.db", Some(DbKind::Acks)),
        ("quests.qdb", Some(DbKind::Quests)),
        ("other.db", None),
        ("idb", None),
    ];
    for (name, kind) in rows {
        assert_eq!(DbKind::from_file_name(name), kind, "{name}");
    }
    for kind in DbKind::ALL {
        assert_eq!(DbKind::from_name(kind.name()), Some(kind));
    }
}

#[test]
fn schemas_hold_together() {
    let n_tables: usize = DbKind::ALL.iter().map(|kind| kind.tables().len()).sum();
    assert_eq!(n_tables, 26);
    let lengths =
        |kind: DbKind| -> Vec<usize> { kind.tables().iter().map(|it| it.format.len()).collect() };
    assert_eq!(lengths(DbKind::Items), [14, 31, 27, 28, 23, 24]);
    assert_eq!(lengths(DbKind::Units), [5, 51, 44, 15]);
    assert_eq!(lengths(DbKind::Acks), [45, 15, 12]);
    for table in DbKind::ALL.iter().flat_map(|kind| kind.tables()) {
        for letter in table.format.chars() {
            let id = table.format.find(letter).unwrap() as u8;
            let field = schema::FieldType::from_column(table.format, id).unwrap();
            assert_eq!(field.letter(), letter, "{}", table.name);
        }
        let ids: Vec<u8> = table.fields.iter().map(|(id, _)| *id).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "{}", table.name);
        assert!(
            ids.iter().all(|id| usize::from(*id) < table.format.len()),
            "{}",
            table.name
        );
    }
    let acks = DbKind::Acks.tables()[0].format;
    assert_eq!(acks.matches('4').count(), 34);
    assert_eq!(acks.find('5'), Some(32));
}

#[test]
fn fields_are_found_by_name() {
    let db = levers();
    let record = &db.records("lever prototypes").unwrap()[0];
    let time = db.field("lever prototypes", record, "switch time");
    assert_eq!(time, Some(&Value::Time(16)));
    assert_eq!(db.field("lever prototypes", record, "switch sound"), None);
    assert_eq!(db.field("lever prototypes", record, "no name"), None);
    assert_eq!(db.records("perks"), None);
}

/// The peers' reader looks at no length of the outer node: either sum is one that a writer may have meant.
#[test]
fn the_outer_node_may_end_before_the_trailer() {
    let mut bytes = facts().swap_remove(0).bytes;
    bytes[1] = 2 * 40;
    let mut db = Db::read(&bytes, DbKind::Levers).unwrap();
    assert_eq!(db.write().as_ref(), Ok(&bytes));
    assert_eq!(db.check(), []);
    let json = Db::from_json(&db.to_json().unwrap()).unwrap();
    assert_eq!(json.write().as_ref(), Ok(&bytes));
    // After an edit it still ends there.
    let Value::Nodes(records) = &mut db.tables[0].value else {
        panic!("a table holds records");
    };
    records.nodes.clear();
    assert_eq!(db.write().unwrap()[..4], [0, 2 * 2, 0, 0]);
}

/// Name, where and what is changed in the first fact, the field and offset that are named, and what waives it.
type Row<'a> = (&'static str, usize, &'a [u8], &'static str, u64, Tolerance);

/// What is broken, and what waives it.
fn damage() -> Vec<(Damage, Tolerance)> {
    let good = facts().swap_remove(0).bytes;
    let rows: [Row<'_>; 7] = [
        (
            "outer length",
            1,
            &[0x66],
            "outer length",
            0,
            Tolerance::OUTER_LENGTH,
        ),
        (
            "table over the end",
            3,
            &[0xFE],
            "node",
            4,
            Tolerance::MISSING_TABLE | Tolerance::TRAILER | Tolerance::OUTER_LENGTH,
        ),
        (
            "record over the table",
            5,
            &[0x4A],
            "node",
            6,
            Tolerance::UNTILED,
        ),
        (
            "field over the record",
            41,
            &[0x02],
            "node",
            42,
            Tolerance::UNTILED,
        ),
        (
            "text too short",
            7,
            &[0x06],
            "field id",
            11,
            Tolerance::all(),
        ),
        (
            "no such column",
            12,
            &[8],
            "field id",
            12,
            Tolerance::UNKNOWN_FIELD,
        ),
        ("trailer", 42, &[1], "trailer", 42, Tolerance::TRAILER),
    ];
    let rows = rows.map(|(name, at, bytes, field, offset, waived_by)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        (Damage::new(name, bad, field, offset), waived_by)
    });
    rows.to_vec()
}

#[test]
fn damage_is_waived_by_name_and_kept() {
    for (Damage { name, bytes, .. }, waived_by) in damage() {
        let db = Db::read_with(&bytes, DbKind::Levers, Tolerance::all()).unwrap();
        assert_eq!(db.write().as_ref(), Ok(&bytes), "{name}");
        assert!(!db.check().is_empty(), "{name}");
        let waived = Db::read_with(&bytes, DbKind::Levers, waived_by);
        assert!(waived.is_ok(), "{name}: {waived:?}");
    }
}

#[test]
fn a_text_of_any_length_is_one() {
    let mut bytes = facts().swap_remove(0).bytes;
    bytes[34] = 2;
    assert!(Db::read(&bytes, DbKind::Levers).is_ok());
}

#[test]
fn leniencies_are_named_one_by_one() {
    let good = facts().swap_remove(1).bytes;
    // The second part of the first record's second field has the id 7.
    let mut other_part = good.clone();
    other_part[17] = 7;
    // The integer of it takes three bytes.
    let mut short = good;
    short[18] = 0x06;
    for (name, bad, rule) in [
        ("part id", other_part, Tolerance::PART_IDS),
        (
            "size",
            short,
            Tolerance::VALUE_SIZE | Tolerance::UNTILED | Tolerance::PART_IDS,
        ),
    ] {
        assert!(Db::read(&bad, DbKind::Prints).is_err(), "{name}");
        let db = Db::read_with(&bad, DbKind::Prints, rule).unwrap();
        assert_eq!(db.write().as_deref(), Ok(&bad[..]), "{name}");
        assert!(!db.check().is_empty(), "{name}");
        assert!(
            Db::read_with(&bad, DbKind::Prints, rule.complement()).is_err(),
            "{name}"
        );
    }
}

/// Any float but none that is not equal to itself.
fn float() -> impl Strategy<Value = f32> {
    any::<u32>()
        .prop_map(f32::from_bits)
        .prop_filter("a number", |it| !it.is_nan())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..6)
}

/// Any value of a type.
fn value(field: schema::FieldType) -> BoxedStrategy<Value> {
    use schema::FieldType as F;
    let list = |item: fn() -> BoxedStrategy<Value>| {
        prop::collection::vec((any::<u8>(), item()), 0..3)
            .prop_map(|items| {
                let items = items.into_iter().map(|(id, value)| Node::new(id, value));
                nodes(items.collect())
            })
            .boxed()
    };
    match field {
        F::Text => bytes().prop_map(Value::Text).boxed(),
        F::Int => any::<i32>().prop_map(Value::Int).boxed(),
        F::Uint => any::<u32>().prop_map(Value::Uint).boxed(),
        F::Float => float().prop_map(Value::Float).boxed(),
        F::Bool => any::<u8>().prop_map(Value::Bool).boxed(),
        F::Bools => bytes().prop_map(Value::Bools).boxed(),
        F::Floats => prop::collection::vec(float(), 0..4)
            .prop_map(Value::Floats)
            .boxed(),
        F::Ints => prop::collection::vec(any::<i32>(), 0..4)
            .prop_map(Value::Ints)
            .boxed(),
        F::Flags => any::<u32>().prop_map(Value::Flags).boxed(),
        F::Time => any::<u32>().prop_map(Value::Time).boxed(),
        F::Raw | F::Undeclared => bytes().prop_map(Value::Raw).boxed(),
        F::Texts => list(|| value(F::Text)),
        F::Parts(parts) => {
            let n_parts = parts.format().1.len();
            let parts = (0..n_parts).map(|place| {
                let (id, part) = part_type(field, place);
                value(part).prop_map(move |value| Node::new(id.unwrap(), value))
            });
            let parts: Vec<_> = parts.collect();
            (parts, 0..=n_parts)
                .prop_map(|(mut parts, held)| {
                    parts.truncate(held);
                    nodes(parts)
                })
                .boxed()
        }
        F::Responses | F::ResponsesWithNumber => list(|| value(F::Response)),
        F::Response => prop::collection::vec(
            prop::sample::select(vec![1_u8, 2, 3, 4, 10, 77]).prop_flat_map(|id| {
                value(F::from_response_part(id)).prop_map(move |value| Node::new(id, value))
            }),
            0..4,
        )
        .prop_map(nodes)
        .boxed(),
    }
}

/// A record with any of its columns, in order, each at most once.
fn record(format: &'static str) -> BoxedStrategy<Node> {
    let fields: Vec<_> = (0..format.len() as u8)
        .map(|id| {
            let field = schema::FieldType::from_column(format, id).unwrap();
            prop::option::weighted(0.8, value(field))
                .prop_map(move |value| Some(Node::new(id, value?)))
        })
        .collect();
    (any::<u8>(), fields)
        .prop_map(|(id, fields)| Node::new(id, nodes(fields.into_iter().flatten().collect())))
        .boxed()
}

/// A database with every table.
fn database() -> impl Strategy<Value = Db> {
    prop::sample::select(DbKind::ALL.to_vec()).prop_flat_map(|kind| {
        let tables: Vec<_> = (kind.tables().iter())
            .map(|table| prop::collection::vec(record(table.format), 0..3))
            .collect();
        tables.prop_map(move |tables| Db::draft(kind, tables))
    })
}

/// What no table loses: every type stands in it once at least, and every table of every database is one of these.
#[test]
fn every_letter_is_in_a_table() {
    let formats: String = (DbKind::ALL.iter())
        .flat_map(|kind| kind.tables())
        .map(|table| table.format)
        .collect();
    for letter in "SIUFBbfiXHTs012345".chars() {
        assert!(formats.contains(letter), "{letter}");
    }
    for parts in [Parts::Print, Parts::BodyPart, Parts::Loot] {
        assert!(parts.format().1.len() >= 3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_database_survives_bytes_json_and_csv(db in database()) {
        let bytes = db.write().unwrap();
        let read = Db::read(&bytes, db.kind);
        prop_assert_eq!(read.as_ref(), Ok(&db));
        prop_assert_eq!(db.check(), []);
        let json = Db::from_json(&db.to_json().unwrap()).unwrap();
        prop_assert_eq!(&json, &db);
        let csv: Vec<_> = (0..db.tables.len()).map(|table| db.table_to_csv(table).unwrap()).collect();
        for (_, findings) in &csv {
            prop_assert_eq!(findings, &[]);
        }
        let texts: Vec<&str> = csv.iter().map(|(text, _)| text.as_str()).collect();
        let fresh = Db::from_csv(db.kind, &texts).unwrap();
        prop_assert_eq!(&fresh, &db);
        let mut again = db.clone();
        for (table, text) in texts.iter().enumerate() {
            again.set_table_from_csv(table, text).unwrap();
        }
        prop_assert_eq!(again.write(), Ok(bytes));
    }

    #[test]
    fn any_order_and_form_survives_bytes_and_json(
        db in database(), picks in prop::collection::vec((any::<usize>(), any::<usize>(), any::<bool>()), 0..6), outer_long in any::<bool>(),
    ) {
        let mut db = db;
        for (table, field, is_long) in picks {
            let n_tables = db.tables.len();
            let Value::Nodes(records) = &mut db.tables[table % n_tables].value else { continue };
            let Some(Node { value: Value::Nodes(fields), .. }) = records.nodes.first_mut() else { continue };
            if fields.nodes.is_empty() { continue }
            let at = field % fields.nodes.len();
            let mut copy = fields.nodes[at].clone();
            // The longest value here takes less than 128 bytes, or the flag would say nothing.
            let mut w = Writer::new(FORMAT);
            copy.write(&mut w).unwrap();
            copy.is_long = is_long && w.offset() < 120;
            fields.nodes.push(copy);
        }
        db.outer.is_long = outer_long && db.write().unwrap().len() < 100;
        let bytes = db.write().unwrap();
        let read = Db::read(&bytes, db.kind);
        prop_assert_eq!(read.as_ref(), Ok(&db));
        let json = Db::from_json(&db.to_json().unwrap()).unwrap();
        prop_assert_eq!(json.write(), Ok(bytes));
    }
}

/// What either reader takes is written back, goes to JSON and back, and so does each table by CSV.
fn survives_json_and_csv(data: &[u8], kind: DbKind) {
    for tolerance in [Tolerance::STRICT, Tolerance::all()] {
        let Ok(db) = Db::read_with(data, kind, tolerance) else {
            continue;
        };
        assert_eq!(db.write().as_deref(), Ok(data));
        let json = Db::from_json(&db.to_json().unwrap()).unwrap();
        assert_eq!(json.write().as_deref(), Ok(data));
        for table in 0..db.tables.len() {
            let (csv, findings) = db.table_to_csv(table).unwrap();
            let mut again = db.clone();
            again.set_table_from_csv(table, &csv).unwrap();
            if findings.is_empty() {
                assert_eq!(again.write().as_deref(), Ok(data));
            }
        }
    }
}
