use std::path::Path;

use super::*;
use crate::bytes::Reader;
use crate::formats;

/// A byte that says how many follow.
#[derive(Debug, PartialEq)]
struct Counted(Vec<u8>);

impl Format for Counted {
    type Context = ();

    const NAME: &'static str = "counted";
    const EXTENSIONS: &'static [&'static str] = &["cnt"];

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".cnt").then_some(Match::Extension)
    }

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        let mut r = Reader::new(Self::NAME, data);
        let n = r.u8("count")?;
        let bytes = r.bytes("bytes", n.into())?;
        match r.remaining() {
            0 => Ok(Self(bytes.to_vec())),
            n => Err(r.unexpected("end", "no more bytes", n)),
        }
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Reader::new(Self::NAME, data).u8("count")?;
        let cut = Finding::new(Severity::Warning, Self::NAME, "cut");
        Ok((Self(data[1..].to_vec()), vec![cut]))
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok([&[self.0.len() as u8], &*self.0].concat())
    }

    fn check(&self) -> Vec<Finding> {
        let of = |severity, message: &str| Finding::new(severity, Self::NAME, message);
        match self.0.as_slice() {
            [13, ..] => vec![of(Severity::Error, "unlucky"), of(Severity::Note, "odd")],
            _ => Vec::new(),
        }
    }

    fn describe(&self, report: &mut Report) {
        report.fact("count", self.0.len());
    }
}

fn inspected(data: &[u8]) -> (Result<(), FormatError>, Report) {
    let format = formats![Counted][0];
    let input = Input {
        path: Path::new("a.cnt"),
        data,
        depth: Depth::Contents,
    };
    let mut report = Report::new(input.path, crate::report::Scope::File, format.name());
    (format.inspect(&input, &mut report), report)
}

fn messages(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|it| &*it.message).collect()
}

#[test]
fn a_valid_file_is_checked_and_described() {
    let (result, report) = inspected(&[2, 13, 5]);
    assert_eq!(result, Ok(()));
    assert_eq!(report.facts, [("count", "2".to_owned())]);
    assert_eq!(messages(&report), ["unlucky", "odd"]);
}

#[test]
fn of_a_repaired_file_only_repairs_and_errors_are_reported() {
    let (result, report) = inspected(&[9, 13, 5]);
    assert_eq!(result, Ok(()));
    assert_eq!(messages(&report), ["cut", "unlucky"]);
}

#[test]
fn what_no_reader_takes_is_refused_at_its_place() {
    let (result, report) = inspected(&[]);
    assert_eq!(result.unwrap_err().field, "count");
    assert_eq!((report.facts, report.findings), (Vec::new(), Vec::new()));
}

/// A format that loses what it reads.
struct Lossy;

impl Format for Lossy {
    type Context = ();

    const NAME: &'static str = "lossy";
    const EXTENSIONS: &'static [&'static str] = &[];

    fn read(_: &[u8], (): &()) -> Result<Self, FormatError> {
        Ok(Self)
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(Vec::new())
    }
}

#[test]
#[should_panic(expected = "lossy: other bytes")]
fn a_format_that_loses_bytes_is_caught() {
    formats![Lossy][0].exercise(b"x");
}

#[test]
fn any_bytes_can_be_given_to_a_sound_format() {
    for data in [&[][..], &[0], &[1, 2], &[1], &[200, 3]] {
        formats![Counted][0].exercise(data);
    }
}
