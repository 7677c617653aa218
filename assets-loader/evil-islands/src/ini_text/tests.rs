use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Fact, Truncations, proof};

proof! {
    IniText {
        facts: facts(),
        // Any bytes are a file.
        damage: Vec::new(),
        truncations: Truncations::Valid,
        values: prop::collection::vec(any::<u8>(), 0..80).prop_map(|bytes| IniText::parse(&bytes)),
        // A line of a byte is a list of its own.
        growth: 80,
        runs: 500,
    }
}

fn facts() -> Vec<Fact<IniText>> {
    let lines = [&b"[a]\r\n"[..], b"\n", b"b=\xC7"];
    let lines = lines.map(<[u8]>::to_vec).to_vec();
    vec![
        Fact::new("nothing", IniText::default(), []),
        Fact::new("lines", IniText { lines }, *b"[a]\r\n\nb=\xC7"),
        Fact::from_bytes("sections and keys", TEXT),
    ]
}

const TEXT: &[u8] = b"before=1\r\n; a comment\r\n[Start]\r\nmovies = a.bik, b.bik \r\n\r\n[quest]\r\nexp=10\r\nEXP=20\r\nno key\r\n[start]\r\nlast=\xC7\r\n";

#[test]
fn sections_and_keys_are_found_whatever_their_case() {
    let ini = IniText::parse(TEXT);
    assert_eq!(ini.to_bytes(), TEXT);
    assert_eq!(ini.get("START", "Movies"), Some(&b"a.bik, b.bik"[..]));
    assert_eq!(ini.get("quest", "Exp"), Some(&b"10"[..]));
    assert_eq!(ini.get("start", "last"), Some(&b"\xC7"[..]));
    assert_eq!(ini.get("", "before"), Some(&b"1"[..]));
    assert_eq!(ini.get("", "last"), None);
    assert_eq!(
        ini.sections().collect::<Vec<_>>(),
        [&b"Start"[..], b"quest", b"start"]
    );
    assert_eq!(ini.keys("quest").count(), 2);
}

#[test]
fn an_edit_changes_its_line_only() {
    let mut ini = IniText::parse(TEXT);
    ini.set("quest", "exp", b"11");
    ini.set("start", "MOVIES", b"c.bik");
    let text = String::from_utf8_lossy(TEXT).into_owned();
    let expected = text
        .replace("exp=10", "exp=11")
        .replace(" a.bik, b.bik ", "c.bik ");
    assert_eq!(String::from_utf8_lossy(&ini.to_bytes()), expected);
    ini.set("quest", "money", b"5");
    ini.set("new", "a", b"b");
    ini.set("", "first", b"0");
    assert_eq!(ini.get("quest", "money"), Some(&b"5"[..]));
    assert_eq!(ini.get("new", "a"), Some(&b"b"[..]));
    assert_eq!(ini.get("", "first"), Some(&b"0"[..]));
    let text = ini.to_bytes();
    assert!(text.ends_with(b"[new]\r\na=b\r\n"));
    assert!(
        text.windows(21)
            .any(|it| it == b"no key\r\nmoney=5\r\n[sta"),
        "after the section's last line"
    );
}

#[test]
fn a_last_line_without_ending_gets_one_before_another() {
    let mut ini = IniText::parse(b"[a]\nb=1");
    ini.set("a", "c", b"2");
    assert_eq!(ini.to_bytes(), b"[a]\nb=1\nc=2\n");
    let mut empty = IniText::default();
    empty.set("", "a", b"1");
    assert_eq!(empty.to_bytes(), b"a=1\r\n");
}

#[test]
fn lines_that_say_nothing_are_found() {
    let ini = IniText::parse(b"[Start]\r\nmovies=a\r\n; why\r\n\r\nmovies b\r\n");
    let findings = ini.check();
    let [finding] = &findings[..] else {
        panic!("{findings:?}");
    };
    assert_eq!(finding.offset, Some(28));
    assert!(finding.message.starts_with("\"movies b\""), "{finding:?}");
}

proptest! {
    #[test]
    fn what_is_set_is_found(
        text in "[a-c=\\[\\];\\r\\n ]{0,40}", section in "[a-c]{0,2}", key in "[a-c]{1,2}", value in "[a-z]{0,4}",
    ) {
        let mut ini = IniText::parse(text.as_bytes());
        ini.set(&section, &key, value.as_bytes());
        prop_assert_eq!(ini.get(&section, &key), Some(value.as_bytes()));
    }
}
