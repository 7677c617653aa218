use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, assert_refuses_every_truncation,
    assert_survives_mutations, hex, proof,
};

proof! {
    Reg {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_reg().prop_filter("names twice", |reg| reg.first_problem(Tolerance::STRICT).is_none()),
        growth: 40,
        runs: 2_000,
        records: [RecordPlace::new::<TableRow>(HEADER_SIZE, ()).refused_from(0)],
        of_bytes: |data, ()| survives_text(data),
    }
}

fn key(order: i16, name: &str, value: RegValue) -> RegKey {
    RegKey {
        order,
        name: name.as_bytes().to_vec(),
        value,
    }
}

fn section(order: i16, name: &str, keys: Vec<RegKey>) -> RegSection {
    RegSection {
        order,
        name: name.as_bytes().to_vec(),
        keys,
    }
}

fn reg(sections: Vec<RegSection>) -> Reg {
    Reg {
        sections,
        layout: None,
    }
}

/// Every type, in two sections.
fn sample() -> Reg {
    reg(vec![
        section(
            0,
            "a",
            vec![
                key(0, "i", RegValue::Int(-2)),
                key(1, "f", RegValue::Float(0.5)),
                key(2, "s", RegValue::String(b"xy".to_vec())),
            ],
        ),
        section(
            -1,
            "b",
            vec![
                key(0, "i", RegValue::Ints(vec![7])),
                key(5, "f", RegValue::Floats(vec![])),
                key(2, "s", RegValue::Strings(vec![b"x".to_vec(), vec![]])),
            ],
        ),
    ])
}

/// The sample, typed from the dossier's tables: two sections at 18 and 65.
const SAMPLE: &str = "
    FB 3E AB 45 02 00
    00 00 12 00 00 00  FF FF 41 00 00 00
    03 00 01 00 61  00 00 17 00 00 00  01 00 1F 00 00 00  02 00 27 00 00 00
      00 01 00 69 FE FF FF FF
      01 01 00 66 00 00 00 3F
      02 01 00 73 02 00 78 79
    03 00 01 00 62  00 00 17 00 00 00  05 00 21 00 00 00  02 00 27 00 00 00
      80 01 00 69 01 00 07 00 00 00
      81 01 00 66 00 00
      82 01 00 73 02 00 01 00 78 00 00";

fn facts() -> Vec<Fact<Reg>> {
    vec![
        Fact::new("every type", sample(), hex(SAMPLE)),
        Fact::new("empty", Reg::default(), hex("FB 3E AB 45 00 00")),
    ]
}

#[test]
fn order_numbers_of_other_tools_are_noted() {
    let [finding] = &sample().check()[..] else {
        panic!("{:?}", sample().check());
    };
    assert_eq!(finding.severity, Severity::Note);
    assert_eq!(Reg::default().check(), []);
}

#[test]
fn values_are_found_whatever_the_case() {
    assert_eq!(sample().get("A", "I"), Some(&RegValue::Int(-2)));
    assert_eq!(sample().get("b", "i"), Some(&RegValue::Ints(vec![7])));
    assert_eq!(sample().get("b", "x"), None);
    assert_eq!(sample().get("c", "i"), None);
}

const INI: &str = r#"[a]
i=-2
f=0.5
s="xy"

@-1 [b]
i[]=7
@5 f[float]=
s[]="x", ""
"#;

#[test]
fn text_holds_types_orders_and_arrays() {
    assert_eq!(
        sample().to_ini(CodePage::Cp1251),
        (INI.to_owned(), Vec::new())
    );
    assert_eq!(Reg::from_ini(INI.as_bytes()), Ok(sample()));
}

#[test]
fn strings_and_names_that_would_be_misread_are_quoted() {
    let strings = [
        &b"a, b"[..],
        b"\"",
        b"\\",
        b"\r\n\t\0",
        b"5",
        b"",
        &[0xC7, 0x98],
        b" a ",
        b";",
    ];
    let strings = RegValue::Strings(strings.map(<[u8]>::to_vec).to_vec());
    let names = [
        "", "a=b", "[x]", "a[]", "\"", "@1", "; c", "# d", " e ", "f g",
    ];
    let keys = names
        .iter()
        .zip(0..)
        .map(|(name, order)| key(order, name, strings.clone()));
    let mut reg = reg(vec![section(0, "]", keys.collect())]);
    reg.sections.push(section(1, "", Vec::new()));
    for page in [CodePage::Cp1251, CodePage::Cp866] {
        let (text, findings) = reg.to_ini(page);
        assert_eq!(findings, []);
        assert_eq!(Reg::from_ini(text.as_bytes()).as_ref(), Ok(&reg), "{text}");
        assert!(text.contains("\nf g[]="), "{text}");
    }
    let (text, _) = reg.to_ini(CodePage::Cp866);
    assert!(text.starts_with("; code page: cp866\n"));
}

#[test]
fn text_of_people_is_read() {
    let text = "\u{FEFF}; comment\r\n# comment\r\n\r\n [ music ] \r\n Track = theme.mp3 \r\nTrack = other; loud.mp3\r\nvolume = +5\r\nspeed = 1e3\r\nbox[] = 1 ,2,  3\r\nlist[] = a, b\r\n";
    let reg = Reg::from_ini(text.as_bytes()).unwrap();
    let string = |text: &str| RegValue::String(text.as_bytes().to_vec());
    let strings = vec![b"a".to_vec(), b"b".to_vec()];
    let expected = vec![section(
        0,
        "music",
        vec![
            key(0, "Track", string("theme.mp3")),
            key(1, "Track", string("other; loud.mp3")),
            key(2, "volume", RegValue::Int(5)),
            key(3, "speed", RegValue::Float(1000.0)),
            key(4, "box", RegValue::Ints(vec![1, 2, 3])),
            key(5, "list", RegValue::Strings(strings)),
        ],
    )];
    assert_eq!(reg.sections, expected);
    assert_eq!(reg.check().len(), 1, "one name twice");
}

#[test]
fn problems_of_text_name_the_line() {
    for (text, line, reported) in [
        ("a=1", 1, "a section in brackets"),
        ("[a\n", 1, "] and the end"),
        ("[a] b\n", 1, "] and the end"),
        ("[a]\nb\n", 2, "a name, = and a value"),
        ("[a]\nb=99999999999\n", 2, "an integer of 32 bits"),
        ("[a]\nb=\"x\n", 2, "no quote ends it"),
        ("[a]\nb=\"x\" y\n", 2, "nothing after the string"),
        ("[a]\nb[]=1, 0.5\n", 2, "values of one type"),
        ("[a]\nb[int]=1\n", 2, "the type of an empty array"),
        ("[a]\nb[word]=\n", 2, "the type of an empty array"),
        ("[a]\n@x b=1\n", 2, "an order number"),
        ("[a]\n@40000 b=1\n", 2, "an order number"),
        ("[a]\nb=\"地\"\n", 2, "code page has no"),
        ("[a]\n地=1\n", 2, "characters of the code page"),
    ] {
        let error = Reg::from_ini(text.as_bytes()).unwrap_err();
        assert_eq!(error.field, format!("line {line}"), "{text:?}: {error}");
        assert!(error.to_string().contains(reported), "{text:?}: {error}");
        let start = text.find('\n').map_or(0, |end| end as u64 + 1);
        assert_eq!(error.offset, if line == 1 { 0 } else { start }, "{text:?}");
    }
    assert_eq!(Reg::from_ini(&[b'a', 0xFF]).unwrap_err().offset, 1);
}

/// Name, where and what is changed in the first fact, the field and offset that are named.
type Row<'a> = (&'static str, usize, &'a [u8], &'static str, u64);

fn damage() -> Vec<Damage> {
    let good = hex(SAMPLE);
    let rows: [Row<'_>; 14] = [
        ("magic", 0, &[0], "magic", 0),
        ("many sections", 4, &[0xFF, 0xFF], "section count", 6),
        ("section outside", 8, &[0xFF], "section offset", 0xFF),
        ("section in the table", 8, &[6], "block", 6),
        ("many keys", 18, &[0xFF, 0xFF], "key count", 23),
        ("long section name", 20, &[0xFF, 0xFF], "section name", 22),
        ("key outside", 25, &[0xFF], "key offset", 0x111),
        ("key in a key", 25, &[0x1F], "block", 0x31),
        ("same section twice", 14, &[0x12], "block", 0x12),
        ("type 3", 41, &[3], "packed type", 41),
        ("type 0x83", 41, &[0x83], "packed type", 41),
        ("long key name", 42, &[0xFF, 0xFF], "key name", 44),
        ("long string", 61, &[0xFF, 0xFF], "string", 63),
        ("long array", 92, &[0xFF, 0xFF], "array count", 94),
    ];
    let rows = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset)
    });
    rows.to_vec()
}

#[test]
fn damage_is_refused_by_all_means() {
    for Damage { name, bytes, .. } in damage() {
        assert!(Reg::read_with(&bytes, Tolerance::all()).is_err(), "{name}");
    }
}

#[test]
fn leniencies_are_named_one_by_one() {
    let good = hex(SAMPLE);
    let mut longer = good.clone();
    longer.extend([1, 2]);
    // The two sections change places in the table.
    let mut swapped = good.clone();
    swapped[8] = 0x41;
    swapped[14] = 0x12;
    let mut twice = good.clone();
    twice[0x41 + 4] = b'a';
    let mut key_twice = good;
    key_twice[0x31 + 3] = b'I';
    let rows = [
        ("gap", longer, Tolerance::GAPS, "gap", 115),
        ("order", swapped, Tolerance::BLOCK_ORDER, "block", 18),
        (
            "section twice",
            twice,
            Tolerance::DUPLICATE_NAME,
            "section name",
            0,
        ),
        (
            "key twice",
            key_twice,
            Tolerance::DUPLICATE_NAME,
            "key name",
            0,
        ),
    ];
    for (name, bytes, rule, field, offset) in rows {
        let error = Reg::read_with(&bytes, rule.complement()).unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, offset),
            "{name}: {error}"
        );
        let reg = Reg::read_with(&bytes, rule).unwrap();
        assert_eq!(reg.write(), Ok(bytes), "{name}");
        let warnings = reg.check();
        assert!(
            warnings.iter().any(|it| it.severity == Severity::Warning),
            "{name}"
        );
    }
}

#[test]
fn places_stay_as_long_as_sizes_do() {
    let mut bytes = hex(SAMPLE);
    bytes.extend([1, 2]);
    bytes[8] = 0x41;
    bytes[14] = 0x12;
    let mut reg = Reg::read_with(&bytes, Tolerance::all()).unwrap();
    let (text, findings) = reg.to_ini(CodePage::Cp1251);
    assert_eq!(findings.len(), 2, "a gap and the order");
    assert_eq!(
        Reg::from_ini(text.as_bytes()).as_ref(),
        Ok(&reg),
        "all but that comes back"
    );
    reg.sections[1].keys[0].value = RegValue::Int(1);
    bytes[45..49].copy_from_slice(&[1, 0, 0, 0]);
    assert_eq!(reg.write(), Ok(bytes));
    reg.sections[1].keys[0].value = RegValue::String(b"longer than that".to_vec());
    let again = Reg::read(&reg.write().unwrap());
    assert_eq!(again.as_ref(), Ok(&reg), "packed as if new");
}

#[test]
fn every_truncation_is_refused_by_all_means() {
    for fact in facts() {
        assert_refuses_every_truncation(&fact.bytes, |data| {
            Reg::read_with(data, Tolerance::all()).map(drop)
        });
    }
}

#[test]
fn what_fields_cannot_hold_is_not_written() {
    let long = vec![b'a'; 0x1_0000];
    let string = |value| reg(vec![section(0, "a", vec![key(0, "k", value)])]);
    let rows = [
        (string(RegValue::String(long.clone())), "string length"),
        (string(RegValue::Ints(vec![0; 0x1_0000])), "array count"),
        (
            reg(vec![RegSection {
                name: long,
                ..section(0, "", vec![])
            }]),
            "section name length",
        ),
    ];
    for (reg, field) in rows {
        assert_eq!(reg.write().unwrap_err().field, field);
    }
}

fn any_value() -> impl Strategy<Value = RegValue> {
    let float = || any::<f32>().prop_filter("a number", |it| !it.is_nan());
    let string = || prop::collection::vec(any::<u8>(), 0..6);
    prop_oneof![
        any::<i32>().prop_map(RegValue::Int),
        float().prop_map(RegValue::Float),
        string().prop_map(RegValue::String),
        prop::collection::vec(any::<i32>(), 0..4).prop_map(RegValue::Ints),
        prop::collection::vec(float(), 0..4).prop_map(RegValue::Floats),
        prop::collection::vec(string(), 0..4).prop_map(RegValue::Strings),
    ]
}

fn any_reg() -> impl Strategy<Value = Reg> {
    let name = || prop::collection::vec(any::<u8>(), 0..5);
    let key = (any::<i16>(), name(), any_value()).prop_map(|(order, name, value)| RegKey {
        order,
        name,
        value,
    });
    let section = (any::<i16>(), name(), prop::collection::vec(key, 0..4))
        .prop_map(|(order, name, keys)| RegSection { order, name, keys });
    prop::collection::vec(section, 0..4).prop_map(reg)
}

proptest! {
    #[test]
    fn any_file_survives_bytes_and_text(reg in any_reg(), dos in any::<bool>()) {
        let bytes = reg.write().unwrap();
        let read = Reg::read_with(&bytes, Tolerance::DUPLICATE_NAME).unwrap();
        prop_assert_eq!(&read, &reg);
        let page = if dos { CodePage::Cp866 } else { CodePage::Cp1251 };
        let (text, findings) = read.to_ini(page);
        prop_assert_eq!(findings, []);
        let again = Reg::from_ini(text.as_bytes());
        prop_assert_eq!(again.unwrap().write(), Ok(bytes), "{}", text);
    }
}

/// What is read goes to text and back, and so do its bytes if the text could hold all of it.
fn survives_text(data: &[u8]) {
    let Ok(reg) = Reg::read_with(data, Tolerance::all()) else {
        return;
    };
    assert_eq!(reg.write().as_deref(), Ok(data));
    let (text, findings) = reg.to_ini(CodePage::Cp1251);
    let again = Reg::from_ini(text.as_bytes()).unwrap();
    if findings.is_empty() {
        assert_eq!(again.write().as_deref(), Ok(data));
    }
}

#[test]
fn damaged_text_never_panics() {
    assert_survives_mutations(INI.as_bytes(), 2_000, 40, |data| {
        Reg::from_ini(data).map(drop)
    });
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn damaged_text_never_panics_at_length() {
    assert_survives_mutations(INI.as_bytes(), 100_000, 40, |data| {
        Reg::from_ini(data).map(drop)
    });
}
