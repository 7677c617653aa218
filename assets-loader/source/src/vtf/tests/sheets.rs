//! Sheets, typed word by word.

use super::super::*;
use super::plain;

/// Two sequences, the second without a frame.
const WORDS: [u32; 20] = [
    // Version, and how many sequences.
    0,
    2,
    // Number, clamp, frames and time of the first.
    3,
    1,
    2,
    0x3F80_0000,
    // Each frame: its time, then left, upper, right and lower edge.
    0x3F00_0000,
    0,
    0,
    0x3F00_0000,
    0x3F80_0000,
    0x3E80_0000,
    0x3F00_0000,
    0,
    0x3F80_0000,
    0x3F80_0000,
    // The second.
    7,
    0,
    0,
    0,
];

fn bytes() -> Vec<u8> {
    WORDS.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn sheet() -> SpriteSheet {
    let frame = |time, edges| SheetFrame {
        time,
        pictures: vec![edges],
    };
    let sequence = |number, clamps, total_time, frames| SheetSequence {
        number,
        clamps,
        total_time,
        frames,
    };
    let frames = vec![
        frame(0.5, [0.0, 0.0, 0.5, 1.0]),
        frame(0.25, [0.5, 0.0, 1.0, 1.0]),
    ];
    SpriteSheet {
        version: 0,
        sequences: vec![sequence(3, 1, 1.0, frames), sequence(7, 0, 0.0, Vec::new())],
    }
}

/// The plain texture as a file with these bytes for its sheet.
fn file_with(sheet_bytes: &[u8]) -> Vtf {
    let mut vtf = plain().with_sheet(&sheet()).unwrap();
    let old = bytes().len() + 4;
    let new = [&(sheet_bytes.len() as u32).to_le_bytes()[..], sheet_bytes].concat();
    let by = new.len() as i64 - old as i64;
    vtf.body.splice(..old, new);
    vtf.resources[1].value = (i64::from(vtf.resources[1].value) + by) as u32;
    Vtf::read(&vtf.write().unwrap()).unwrap()
}

#[test]
fn a_sheet_is_what_its_words_say_and_the_texture_stays_what_it_was() {
    let with_sheet = plain().with_sheet(&sheet()).unwrap();
    let read = Vtf::read(&with_sheet.write().unwrap()).unwrap();
    assert_eq!(read, with_sheet);
    assert_eq!(&read.body[4..4 + bytes().len()], bytes());
    assert_eq!(read.sheet().unwrap(), Some(sheet()));
    assert_eq!(read.picture(0, 0, 0), plain().picture(0, 0, 0));
    assert_eq!(file_with(&bytes()).sheet().unwrap(), Some(sheet()));
    assert_eq!(plain().sheet().unwrap(), None);
    assert!(read.with_sheet(&sheet()).is_err(), "it has one");
}

#[test]
fn four_pictures_a_frame_are_kept_and_needed_from_version_1_on() {
    let mut sheet = sheet();
    sheet.version = 1;
    assert!(plain().with_sheet(&sheet).is_err());
    for sequence in &mut sheet.sequences {
        for frame in &mut sequence.frames {
            frame.pictures = vec![[0.25; 4]; 4];
        }
    }
    let vtf = plain().with_sheet(&sheet).unwrap();
    assert_eq!(vtf.sheet().unwrap(), Some(sheet));
}

#[test]
fn damaged_sheets_are_found_and_named_where_they_are_wrong() {
    let start = 80 + 2 * 8 + 4;
    for (word, value, field, at) in [
        (0, 2, "sheet version", 4),
        (1, u32::MAX, "sequence count", 4),
        (4, 1 << 20, "frame count", 16),
        (1, 1, "after the last frame of the sheet", 64),
    ] {
        let mut words = WORDS;
        words[word] = value;
        let damaged: Vec<u8> = words.iter().flat_map(|it| it.to_le_bytes()).collect();
        let texture = file_with(&damaged);
        let error = texture.sheet().unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, start + at),
            "{error}"
        );
        let [finding] = &texture.check()[..] else {
            panic!("one finding");
        };
        assert!(finding.message.contains(field), "{finding:?}");
    }
    for len in 0..bytes().len() {
        assert!(file_with(&bytes()[..len]).sheet().is_err(), "{len} bytes");
    }
}

#[test]
fn a_missing_sequence_is_the_one_before_it() {
    let sheet = sheet();
    let number = |it: u32| sheet.sequence(it).map(|it| it.number);
    assert_eq!([0, 3, 9].map(number), [None, Some(3), Some(3)]);
    assert_eq!(sheet.numbers(0..10), [3]);
    assert_eq!(sheet.numbers(4..10), [] as [u32; 0]);
}
