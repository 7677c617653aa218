use super::*;
use crate::test_support::{assert_refuses_every_truncation, assert_survives_mutations};

/// Two entries, `b` with 3 bytes before `A` with 8; the table names `A` first. Typed from dossier 2.1-2.3.
const TWO_ENTRIES: &[u8] = b"NRes\
    \x00\x01\x00\x00\
    \x02\x00\x00\x00\
    \xA0\x00\x00\x00\
    \x01\x02\x03\0\0\0\0\0\
    ABCDEFGH\
    \x15\x00\x00\x00\
    \x01\x00\x00\x00\
    \x02\x00\x00\x00\
    \x03\x00\x00\x00\
    \x1C\x00\x00\x00\
    b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \x10\x00\x00\x00\
    \x01\x00\x00\x00\
    Texm\
    \x00\x00\x00\x00\
    \x00\x00\x00\x00\
    \x08\x00\x00\x00\
    \x00\x00\x00\x00\
    A\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \x18\x00\x00\x00\
    \x00\x00\x00\x00";

fn two_entries() -> NRes {
    NRes::from_entries(vec![
        Entry::new(21, 1, 2, 28, "b", vec![1, 2, 3]).unwrap(),
        Entry::new(0x6D78_6554, 0, 0, 0, "A", b"ABCDEFGH".to_vec()).unwrap(),
    ])
}

fn facts() -> [(&'static str, NRes, &'static [u8]); 2] {
    [
        (
            "no entries",
            NRes::new(),
            b"NRes\x00\x01\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00",
        ),
        ("two entries", two_entries(), TWO_ENTRIES),
    ]
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    for (name, value, bytes) in facts() {
        assert_eq!(NRes::read(bytes).as_ref(), Ok(&value), "{name}");
        assert_eq!(value.write().as_deref(), Ok(bytes), "{name}");
        assert_eq!(value.write_canonical().as_deref(), Ok(bytes), "{name}");
        let read = NRes::read(bytes).unwrap();
        assert_eq!(read.write().as_deref(), Ok(bytes), "{name}");
    }
}

#[test]
fn truncations_are_refused() {
    assert_refuses_every_truncation(TWO_ENTRIES, |data| NRes::read(data).map(drop));
}

#[test]
fn mutations_are_survived() {
    survive(2_000);
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn many_mutations_are_survived() {
    survive(100_000);
}

fn survive(runs: u64) {
    assert_survives_mutations(TWO_ENTRIES, runs, 16, |data| {
        let read = NRes::read_with(data, Tolerance::all())?;
        assert_eq!(read.write()?, data);
        read.check();
        Ok(())
    });
}
