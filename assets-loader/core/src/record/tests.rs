use super::*;

/// A record that errors call what they call the field that it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
struct Span {
    #[field]
    first: u16,
    #[field]
    count: u16,
}

/// A word with a meaning of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
struct Word(#[field] u32);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
struct Header {
    #[field("side", check = at_least_one)]
    side: u32,
    #[field("span")]
    span: Span,
    #[field("words")]
    words: [Word; 2],
}

fn at_least_one(at: &Reader<'_>, field: &'static str, value: &u32) -> Result<(), FormatError> {
    match value {
        0 => Err(at.unexpected(field, "1 or more", 0)),
        _ => Ok(()),
    }
}

const BYTES: [u8; 16] = [7, 0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0];

fn header() -> Header {
    Header {
        side: 7,
        span: Span { first: 1, count: 2 },
        words: [Word(3), Word(4)],
    }
}

#[test]
fn a_record_is_read_written_and_measured_by_its_declaration() {
    let mut r = Reader::new("bcn", &BYTES);
    assert_eq!(<Header as Record>::read(&mut r, ()), Ok(header()));
    assert_eq!(encode("bcn", &[header()], ()).as_deref(), Ok(&BYTES[..]));
    assert_eq!(Header::SIZE, BYTES.len());
    let place = |name, offset, size| FieldPlace { name, offset, size };
    let places = [
        place("side", 0, 4),
        place("span", 4, 4),
        place("words", 8, 8),
    ];
    assert_eq!(Header::fields(()), places);
    assert_eq!(
        Span::fields(()),
        [place("first", 0, 2), place("count", 2, 2)]
    );
}

#[test]
fn errors_name_fields_where_they_stand() {
    let refused = |data: &[u8]| {
        let error = <Header as Record>::read(&mut Reader::nested("bcn", data, 100), ());
        let error = error.unwrap_err();
        (error.field, error.offset)
    };
    assert_eq!(refused(&[0; 16]), ("side".into(), 100));
    assert_eq!(refused(&BYTES[..7]), ("span".into(), 106));
    assert_eq!(refused(&BYTES[..13]), ("words".into(), 112));
}

#[test]
fn readers_are_led_to_fields() {
    let r = Reader::nested("bcn", &BYTES, 100);
    assert_eq!(at_field::<Header>(&r, "side", ()).offset(), 100);
    assert_eq!(at_field::<Header>(&r, "words", ()).offset(), 108);
}

/// A file without regular records: names, and what follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Names {
    names: Vec<Vec<u8>>,
    spans: Vec<Span>,
    tail: Vec<u8>,
}

impl Names {
    fn walk(&mut self, c: &mut impl Codec) -> Result<(), FormatError> {
        c.items("name count", 4, &mut self.names, |c, name| {
            let len = c.length::<u32>("name length", name.len())?;
            c.bytes("name", name, len)
        })?;
        c.list("span count", "span", &mut self.spans)?;
        c.rest(&mut self.tail);
        Ok(())
    }
}

#[test]
fn a_codec_reads_what_it_writes() {
    let names = Names {
        names: vec![b"a".to_vec(), Vec::new()],
        spans: vec![Span { first: 1, count: 2 }],
        tail: vec![9],
    };
    let mut w = Writer::new("bcn");
    names.clone().walk(&mut w).unwrap();
    let bytes = w.finish();
    assert_eq!(
        bytes,
        b"\x02\0\0\0\x01\0\0\0a\0\0\0\0\x01\0\0\0\x01\0\x02\0\x09"
    );
    let mut read = Names::default();
    read.walk(&mut Reader::new("bcn", &bytes)).unwrap();
    assert_eq!(read, names);
    let mut cut = Reader::new("bcn", &bytes[..8]);
    let error = Names::default().walk(&mut cut).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("name count", 0));
}
