use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};

proof! {
    Description {
        facts: facts(),
        damage: damage(),
        // A text that ends earlier is a text.
        truncations: Truncations::Valid,
        values: any_description(),
        growth: 64,
        runs: 1_000,
        also: |description, _| drop(description.summary()),
    }
}

pub(crate) const CANNON: &[u8] =
    b"//G3:L14\r\n//B:WPN:GUN:MK2:A3\r\n#1L152mmC\n#2Large Cannon\r\n\r\n#6UpgradeLevel=2\r\n\
    @G@Weight       @B,weight,G,t,5,1@";

fn line(text: &[u8], end: &[u8]) -> Line {
    Line {
        text: text.to_vec(),
        end: end.to_vec(),
    }
}

fn cannon() -> Description {
    Description {
        lines: vec![
            line(b"//G3:L14", b"\r\n"),
            line(b"//B:WPN:GUN:MK2:A3", b"\r\n"),
            line(b"#1L152mmC", b"\n"),
            line(b"#2Large Cannon", b"\r\n"),
            line(b"", b"\r\n"),
            line(b"#6UpgradeLevel=2", b"\r\n"),
            line(b"@G@Weight       @B,weight,G,t,5,1@", b""),
        ],
    }
}

fn facts() -> Vec<Fact<Description>> {
    vec![
        Fact::new("a cannon", cannon(), CANNON.to_vec()),
        Fact::new("nothing", Description::default(), Vec::new()),
    ]
}

fn damage() -> Vec<Damage> {
    Vec::new()
}

fn any_description() -> impl Strategy<Value = Description> {
    prop::collection::vec(any::<u8>(), 0..60).prop_map(|it| Description::read(&it).unwrap())
}

#[test]
fn lines_say_what_their_marks_do() {
    let meanings: Vec<Meaning<'_>> = cannon()
        .lines
        .iter()
        .map(|it| match it.meaning() {
            Meaning::Place(_) => Meaning::Place(b""),
            Meaning::Class(_) => Meaning::Class(b""),
            Meaning::Value(digit, _) => Meaning::Value(digit, b""),
            Meaning::Row(_) => Meaning::Row(b""),
            Meaning::Blank => Meaning::Blank,
            Meaning::Other(_) => Meaning::Other(b""),
        })
        .collect();
    assert_eq!(
        meanings,
        [
            Meaning::Place(b""),
            Meaning::Class(b""),
            Meaning::Value(b'1', b""),
            Meaning::Value(b'2', b""),
            Meaning::Blank,
            Meaning::Value(b'6', b""),
            Meaning::Row(b""),
        ]
    );
    assert_eq!(cannon().value(b'2'), Some(&b"Large Cannon"[..]));
    assert_eq!(cannon().summary(), "L152mmC: Large Cannon");
    assert_eq!(cannon().check(), []);
}

#[test]
fn what_is_amiss_is_found() {
    for (text, expected) in [
        (&b"#1X"[..], "there is no name (#2)"),
        (b"#2X\r\n#6Level=two", "line 2: \"6Level=two\" is no number"),
        (b"#2X\nhello", "line 2: \"hello\" is of no known kind"),
    ] {
        let found = Description::read(text).unwrap().check();
        let expected = expected.replace("\"6", "\"");
        assert!(
            found.iter().any(|it| it.message.contains(&expected)),
            "{found:#?}"
        );
    }
}

#[test]
fn lines_that_are_none_are_not_written() {
    for lines in [
        vec![line(b"a\nb", b"\n")],
        vec![line(b"a", b""), line(b"b", b"\n")],
        vec![line(b"a", b"x")],
        vec![line(b"a\r", b"\n")],
        vec![line(b"", b"")],
    ] {
        assert!(Description { lines }.write().is_err());
    }
}
