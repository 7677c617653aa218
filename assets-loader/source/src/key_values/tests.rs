use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
use proptest::prelude::*;

use super::*;

proof! {
    KeyValues {
        facts: facts(),
        damage: damage(),
        // A cut key would be a key still; that blocks know their end has a test of its own.
        truncations: Truncations::Valid,
        values: any_key_values(),
        growth: 200,
        runs: 2_000,
        also: |text: &KeyValues, bytes: &[u8]| assert_eq!(text.write().as_deref(), Ok(bytes)),
    }
}

fn conditional(mut entry: Entry, condition: &str) -> Entry {
    entry.condition = Some(condition.to_owned());
    entry
}

/// Name, entries, text as our writer has it.
fn facts() -> Vec<Fact<KeyValues>> {
    let rows = [
        ("nothing", vec![], ""),
        (
            "a pair",
            vec![Entry::text("#include", "a.vmt")],
            "\"#include\" \"a.vmt\"\n",
        ),
        (
            "a material",
            vec![Entry::block(
                "LightmappedGeneric",
                vec![
                    Entry::text("$basetexture", "brick\\wall"),
                    conditional(Entry::text("$envmap", "env_cubemap"), "!$X360"),
                    Entry::block(">=dx90", vec![]),
                    Entry::text("$basetexture", ""),
                ],
            )],
            "LightmappedGeneric\n{\n\t\"$basetexture\" \"brick\\wall\"\n\t\"$envmap\" \"env_cubemap\" [!$X360]\n\
             \t\">=dx90\"\n\t{\n\t}\n\t\"$basetexture\" \"\"\n}\n",
        ),
        (
            "a block with a condition",
            vec![conditional(Entry::block("a b", vec![]), "$X360")],
            "\"a b\" [$X360]\n{\n}\n",
        ),
    ];
    let facts = rows.into_iter();
    let facts = facts.map(|(name, entries, text)| Fact::new(name, KeyValues::from(entries), text));
    facts.collect()
}

fn read_all(text: &[u8]) -> Result<KeyValues, FormatError> {
    KeyValues::read_with(FORMAT, text, Tolerance::all())
}

/// Texts in layouts of their own, and what they come to.
#[test]
fn layouts_mean_the_same_and_are_kept() {
    let pair = |key: &str, value: &str| Entry::text(key, value);
    let rows: [(&[u8], Vec<Entry>); 15] = [
        (b"", vec![]),
        (b" // nothing", vec![]),
        (b"a b", vec![pair("a", "b")]),
        (b"\"a\"\"b\"", vec![pair("a", "b")]),
        (b"a\"b\"c d", vec![pair("a", "b"), pair("c", "d")]),
        (b"a // c \"{\n b\r\n", vec![pair("a", "b")]),
        (b"a /b", vec![pair("a", "/b")]),
        (b"a b//c", vec![pair("a", "b//c")]),
        (
            b"a{b c}d e",
            vec![Entry::block("a", vec![pair("b", "c")]), pair("d", "e")],
        ),
        (
            b"a [$X] { } ",
            vec![conditional(Entry::block("a", vec![]), "$X")],
        ),
        (
            b"a b [!$X||$Y]\nc d",
            vec![conditional(pair("a", "b"), "!$X||$Y"), pair("c", "d")],
        ),
        // Vectors without quotes fall apart, as they do in the engine.
        (b"a [1 2]", vec![pair("a", "[1")]),
        (b"\"a\" \"[1 2 3]\"", vec![pair("a", "[1 2 3]")]),
        (b"\xEF\xBB\xBF\"a\" \"\xC3\xA9\"", vec![pair("a", "é")]),
        // No UTF-8, so that each byte is a character.
        (b"\"a\" \"\xE9\x81\"", vec![pair("a", "é\u{81}")]),
    ];
    for (text, entries) in rows {
        let name = text.escape_ascii();
        let mut read = read_all(text).unwrap();
        if text == b"a [1 2]" {
            assert_eq!(read.entries.pop().unwrap(), pair("2]", ""));
            assert_eq!(read.entries, entries);
            continue;
        }
        assert_eq!(read.entries, entries, "{name}");
        assert_eq!(read.write().as_deref(), Ok(text), "{name}");
    }
}

fn deep() -> String {
    "a{".repeat(MAX_DEPTH + 1) + &"}".repeat(MAX_DEPTH + 1)
}

fn damage() -> Vec<Damage> {
    let deep = deep();
    let rows: [(&'static str, &[u8], &'static str, u64); 8] = [
        ("block without a key", b"a b\n{ }", "key", 4),
        ("brace that closes nothing", b"a { } }", "key", 6),
        ("missing brace", b"a { b { }", "block", 2),
        ("missing value", b"a { b }", "value", 6),
        ("missing quote of a key", b"a { \"b", "key", 4),
        ("missing quote of a value", b"a { b \"c }", "value", 6),
        ("a NUL", b"a b\0", "text", 3),
        (
            "too deep",
            deep.as_bytes(),
            "block",
            MAX_DEPTH as u64 * 2 + 1,
        ),
    ];
    let rows = rows.map(|(name, text, field, offset)| Damage::new(name, text, field, offset));
    rows.to_vec()
}

#[test]
fn some_damage_is_never_tolerated() {
    assert!(read_all(b"{ }").is_err(), "no tolerance makes up a key");
    assert!(
        read_all(deep().as_bytes()).is_err(),
        "no tolerance goes deeper"
    );
    let wide = KeyValues::read(b"\xFF\xFEa\0").unwrap_err();
    assert!(matches!(
        wide.kind,
        ironlands_assets_core::bytes::FormatErrorKind::Unsupported { .. }
    ));
}

/// Each leniency, the text that needs it, and what it is read as.
#[test]
fn each_tolerance_waives_its_own_rule() {
    let block = |inner| vec![Entry::block("a", inner)];
    let rows: [(Tolerance, &[u8], Vec<Entry>); 7] = [
        (
            Tolerance::MISSING_BRACE,
            b"a { b c // d",
            block(vec![Entry::text("b", "c")]),
        ),
        (
            Tolerance::MISSING_BRACE,
            b"a { b { \n",
            block(vec![Entry::block("b", vec![])]),
        ),
        (Tolerance::STRAY_BRACE, b"a { } } ", block(vec![])),
        (
            Tolerance::MISSING_VALUE,
            b"a { b } ",
            block(vec![Entry::text("b", "")]),
        ),
        (Tolerance::MISSING_VALUE, b" a ", vec![Entry::text("a", "")]),
        (
            Tolerance::MISSING_QUOTE,
            b"a \"b\n",
            vec![Entry::text("a", "b\n")],
        ),
        (
            Tolerance::NUL,
            b"a b\0 c { \xFF",
            vec![Entry::text("a", "b")],
        ),
    ];
    for (rule, text, entries) in rows {
        let name = text.escape_ascii();
        assert!(KeyValues::read(text).is_err(), "{name}");
        assert!(
            KeyValues::read_with(FORMAT, text, Tolerance::all() - rule).is_err(),
            "{name}"
        );
        let read = KeyValues::read_with(FORMAT, text, rule).unwrap();
        assert_eq!(read.entries, entries, "{name}");
        assert_eq!(read.write().as_deref(), Ok(text), "{name}");
    }
    let open_key = read_all(b"a \"b\" \"c").unwrap();
    assert_eq!(
        open_key.entries,
        [Entry::text("a", "b"), Entry::text("c", "")]
    );
    assert_eq!(open_key.write().unwrap(), b"a \"b\" \"c");
}

#[test]
fn edits_keep_what_surrounds_them() {
    let text = b"// head\npatch\n{\n\tinclude a.vmt // why\n\tinsert { } [$X]\n}\n// tail";
    let mut read = read_all(text).unwrap();
    let Value::Block(entries) = &mut read.entries[0].value else {
        panic!("a block");
    };
    entries[0].value = Value::Text("b c".to_owned());
    entries.push(Entry::text("new", "1"));
    let expected = "// head\npatch\n{\n\tinclude \"b c\" // why\n\tinsert { } [$X]\n\t\"new\" \"1\"\n}\n// tail";
    let written = String::from_utf8(read.write().unwrap()).unwrap();
    assert_eq!(written, expected);

    // An entry after an error that only the end of a text can have: all is spelled again.
    let mut read = read_all(b"a { b c").unwrap();
    read.entries.push(Entry::text("d", "e"));
    let expected = "a\n{\n\t\"b\" \"c\"\n}\n\"d\" \"e\"\n";
    assert_eq!(String::from_utf8(read.write().unwrap()).unwrap(), expected);
}

#[test]
fn what_does_not_read_back_is_not_written() {
    let nested = (0..=MAX_DEPTH).fold(vec![], |inner, _| vec![Entry::block("a", inner)]);
    let rows = [
        (vec![Entry::text("a\"", "b")], "key"),
        (vec![Entry::text("a", "\"b")], "value"),
        (vec![Entry::text("a", "b\0")], "text"),
        (vec![conditional(Entry::text("a", "b"), "c")], "text"),
        (vec![conditional(Entry::text("a", "b"), "$c]")], "text"),
        (nested, "block"),
    ];
    for (entries, field) in rows {
        let error = KeyValues::from(entries.clone()).write().unwrap_err();
        assert_eq!(error.field, field, "{entries:?}");
    }
    let mut western = read_all(b"\"a\" \"\xE9\"").unwrap();
    western.entries.push(Entry::text("b", "ж"));
    assert_eq!(western.write().unwrap_err().field, "text");
}

#[test]
fn of_duplicates_the_last_text_counts() {
    let text = b"m { $A 1 $b 2 $a { } $A 3 }";
    let read = KeyValues::read(text).unwrap();
    let block = read.get("M").unwrap();
    assert_eq!(block.get("$a"), Some("3"));
    assert_eq!(block.get("$c"), None);
    assert_eq!(block.entries().len(), 4);
}

/// A cut key would be a key still, so that only blocks know their end.
#[test]
fn every_truncation_of_a_block_is_refused() {
    let text = facts().swap_remove(2).bytes;
    let text = text.trim_ascii_end();
    for len in 1..text.len() {
        assert!(KeyValues::read(&text[..len]).is_err(), "{len}");
    }
}

/// A long line of open brackets, each of which might be a condition, takes no longer than a text with line ends.
#[test]
fn brackets_without_an_end_are_values() {
    let text = "[ ".repeat(200_000);
    let read = KeyValues::read(text.as_bytes()).unwrap();
    assert_eq!(read.entries.len(), 100_000);
    assert_eq!(read.entries[0], Entry::text("[", "["));
    let long = format!("a b [${}]", "x".repeat(300));
    let read = read_all(long.as_bytes()).unwrap();
    assert_eq!(
        (read.entries[0].condition.as_deref(), read.entries.len()),
        (None, 2)
    );
}

fn any_text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[ -!#-~\u{e9}\u{436}\n\t]{0,8}").unwrap()
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let condition = prop::option::of("!?\\$[A-Z0-9|$]{0,4}");
    let pair = (any_text(), any_text(), condition.clone()).prop_map(|(key, value, condition)| {
        let mut entry = Entry::text(key, value);
        entry.condition = condition;
        entry
    });
    pair.prop_recursive(4, 32, 4, move |inner| {
        let entries = prop::collection::vec(inner, 0..4);
        (any_text(), entries, condition.clone()).prop_map(|(key, entries, condition)| {
            let mut entry = Entry::block(key, entries);
            entry.condition = condition;
            entry
        })
    })
}

fn any_key_values() -> impl Strategy<Value = KeyValues> {
    prop::collection::vec(any_entry(), 0..4).prop_map(KeyValues::from)
}

proptest! {
    #[test]
    fn any_text_that_is_read_is_written_back(
        text in prop::collection::vec(prop::sample::select(&b"ab$[]! \t\n\"{}/\0\xE9"[..]), 0..40)
    ) {
        if let Ok(read) = read_all(&text) {
            prop_assert_eq!(read.write(), Ok(text));
        }
    }
}
