//! Edits of region files: what they change and what not, undo and redo, and the journal.

use ironlands_assets_lineage2::{
    Block, CELL_SIZE, Cell, Flat, FlatRule, FolderError, GeoCell, GeodataFormat, Multilayer, Nswe,
    Region, RegionFile, RegionId, Tolerance, convert,
};
use ironlands_world_lineage2::edit::{
    Area, Edit, EditCounts, EditError, EditLine, EditSession, Journal, JournalError, LayerChoice,
};

/// Where the world's point 0, 0 is.
fn id() -> RegionId {
    RegionId::new(20, 18).unwrap()
}

/// Flat blocks, a complex one at 1, 0 and one with roofs at 2, 0.
fn region() -> Region {
    let mut region = Region::flat(id(), -3000);
    let blocks = region.blocks_mut();
    let cell = |at: i16| {
        Cell::new(
            -3000 + 8 * (at % 5),
            Nswe::ALL_SIDES - Nswe::from_bits_retain(1 << (at % 4)),
        )
    };
    let cells: Vec<Cell> = (0..64).map(cell).collect();
    blocks[256] = Block::Complex(Box::new(cells.try_into().unwrap()));
    let columns: Vec<Vec<Cell>> = (0..64)
        .map(|at| match at % 3 {
            0 => vec![cell(at)],
            _ => vec![Cell::new(-2800, Nswe::ALL_SIDES), cell(at)],
        })
        .collect();
    let roofs = Multilayer::new(columns.iter().map(Vec::as_slice)).unwrap();
    blocks[512] = Block::Multilayer(Box::new(roofs));
    blocks[3] = Block::Flat(Flat::new(-2968, -3000));
    region
}

fn file(format: GeodataFormat) -> RegionFile {
    let l2j = ironlands_assets_lineage2::l2j::L2j::from_region(&region(), FlatRule::Max);
    let options = convert::ConvertOptions::default();
    convert::convert(&RegionFile::L2j(l2j), format, &options)
        .unwrap()
        .file
}

fn load(format: GeodataFormat) -> impl FnMut(RegionId) -> Result<Option<RegionFile>, FolderError> {
    move |region| Ok((region == id()).then(|| file(format)))
}

fn session() -> EditSession<'static> {
    EditSession::new(load(GeodataFormat::L2j), None)
}

fn bytes_of(session: &EditSession<'_>) -> Vec<u8> {
    let mut files = session.changed_files();
    let (region, file) = files.next().expect("one file changed");
    assert_eq!(region, id());
    assert!(files.next().is_none());
    file.write().unwrap()
}

/// Cells `x0..=x1`, `y0..=y1` of the region.
fn rectangle(x0: i32, y0: i32, x1: i32, y1: i32) -> Area {
    Area::Rectangle {
        from: (x0 * CELL_SIZE, y0 * CELL_SIZE),
        to: (x1 * CELL_SIZE, y1 * CELL_SIZE),
    }
}

fn cell(x: u16, y: u16) -> GeoCell {
    let first = id().first_cell();
    GeoCell {
        x: first.x + x,
        y: first.y + y,
    }
}

fn column(session: &mut EditSession<'_>, x: u16, y: u16) -> Vec<(i16, u8)> {
    let column = session.column(cell(x, y)).unwrap().unwrap();
    column
        .iter()
        .map(|layer| (layer.height, layer.nswe.bits()))
        .collect()
}

/// All edits of the kinds that there are, at random places.
fn random_edit(seed: &mut u64) -> Edit {
    let mut below = |n: u64| {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((*seed >> 33) % n) as i32
    };
    let (x, y) = (below(28), below(12));
    let area = match below(3) {
        0 => rectangle(x, y, x + below(9), y + below(9)),
        1 => Area::Brush {
            center: (x * 16 + 3, y * 16 + 5),
            radius: below(100),
        },
        _ => Area::Path {
            points: vec![(x * 16, y * 16), (below(400), below(200))],
            width: below(60),
        },
    };
    let layers = match below(2) {
        0 => LayerChoice::All,
        _ => LayerChoice::Near {
            z: -3000 + 8 * below(30),
            reach: 48,
        },
    };
    let sides = Nswe::from_bits_retain(below(16) as u8);
    match below(8) {
        0 => Edit::Raise {
            area,
            layers,
            by: 4 * below(20) - 40,
        },
        1 => Edit::Level {
            area,
            layers,
            height: -3000 + below(200),
        },
        2 => Edit::Smooth { area, layers },
        3 => Edit::AddLayer {
            area,
            height: -3000 + 8 * below(60),
            sides,
        },
        4 => Edit::RemoveLayer { area, layers },
        5 => Edit::Open {
            area,
            layers,
            sides,
        },
        6 => Edit::Close {
            area,
            layers,
            sides,
        },
        _ => Edit::Paste {
            from: rectangle(x, y, x + 6, y + 4),
            to: (below(400), below(200)),
        },
    }
}

/// In every format: of the complex block two bytes change, and nothing else does.
#[test]
fn only_the_bytes_of_changed_blocks_differ() {
    for format in [
        GeodataFormat::L2j,
        GeodataFormat::ConvDat,
        GeodataFormat::L2m,
    ] {
        let before = file(format).write().unwrap();
        let mut session = EditSession::new(load(format), None);
        let raise = Edit::Raise {
            area: rectangle(8, 0, 8, 0),
            layers: LayerChoice::All,
            by: 8,
        };
        assert_eq!(session.apply(&raise).unwrap(), 1);
        let after = bytes_of(&session);
        assert_eq!(before.len(), after.len());
        let differ = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert!((1..=2).contains(&differ), "{format:?}: {differ} bytes");
        // A flat block becomes a complex one; what is before and after it stays, but for counts in a header.
        let close = Edit::Close {
            area: rectangle(0, 80, 0, 80),
            layers: LayerChoice::All,
            sides: Nswe::NORTH,
        };
        assert_eq!(session.apply(&close).unwrap(), 1);
        let after = bytes_of(&session);
        let grown = if format == GeodataFormat::ConvDat {
            124
        } else {
            126
        };
        assert_eq!(after.len(), before.len() + grown);
        let flat = if format == GeodataFormat::ConvDat {
            18 + 10 * 6
        } else {
            10 * 3
        };
        assert_eq!(after[18..flat], before[18..flat]);
        assert!(after.ends_with(&before[before.len() - 100_000..]));
        let read = RegionFile::read(format, id(), &after, Tolerance::STRICT).unwrap();
        assert!(
            read.check()
                .iter()
                .all(|finding| !finding.message.contains("count")),
            "{:?}",
            read.check()
        );
    }
}

#[test]
fn undo_gives_the_file_back_and_redo_the_edits() {
    let mut seed = 7;
    let original = file(GeodataFormat::ConvDat).write().unwrap();
    let mut session = EditSession::new(load(GeodataFormat::ConvDat), None);
    let mut states = vec![original.clone()];
    let current = |session: &EditSession<'_>| match session.changed_files().next() {
        Some((_, file)) => file.write().unwrap(),
        None => original.clone(),
    };
    for _ in 0..60 {
        session.apply(&random_edit(&mut seed)).unwrap();
        states.push(current(&session));
    }
    assert!(states.windows(2).filter(|pair| pair[0] != pair[1]).count() > 30);
    for state in states.iter().rev().skip(1) {
        session.undo().unwrap();
        assert!(current(&session) == *state);
    }
    assert_eq!(session.counts(), EditCounts::default());
    assert!(matches!(session.undo(), Err(EditError::Nothing("undo"))));
    for state in &states[1..] {
        session.redo().unwrap();
        assert!(current(&session) == *state);
    }
    assert!(matches!(session.redo(), Err(EditError::Nothing("redo"))));
    session.undo().unwrap();
    session
        .apply(&Edit::Level {
            area: rectangle(0, 0, 0, 0),
            layers: LayerChoice::All,
            height: 0,
        })
        .unwrap();
    assert!(session.redo().is_err(), "another edit was made since");
}

#[test]
fn edits_do_to_layers_what_they_say() {
    let mut session = session();
    let all = LayerChoice::All;
    let near = LayerChoice::Near {
        z: -2810,
        reach: 48,
    };
    let at = |x: i32| rectangle(x, 0, x, 0);
    let (ground, open) = (column(&mut session, 17, 0)[1], 15);
    assert_eq!(column(&mut session, 17, 0)[0], (-2800, open));
    session
        .apply(&Edit::Raise {
            area: at(17),
            layers: near,
            by: 20,
        })
        .unwrap();
    assert_eq!(
        column(&mut session, 17, 0),
        [(-2784, open), ground],
        "the roof, rounded down to 8"
    );
    session
        .apply(&Edit::Close {
            area: at(17),
            layers: near,
            sides: Nswe::EAST | Nswe::NORTH,
        })
        .unwrap();
    assert_eq!(column(&mut session, 17, 0), [(-2784, 6), ground]);
    session
        .apply(&Edit::Open {
            area: at(17),
            layers: all,
            sides: Nswe::EAST,
        })
        .unwrap();
    assert_eq!(
        column(&mut session, 17, 0),
        [(-2784, 7), (ground.0, ground.1 | 1)]
    );
    session
        .apply(&Edit::AddLayer {
            area: at(0),
            height: -2500,
            sides: Nswe::SOUTH,
        })
        .unwrap();
    assert_eq!(column(&mut session, 0, 0), [(-2504, 4), (-3000, open)]);
    assert_eq!(
        column(&mut session, 1, 1),
        [(-3000, open)],
        "of the same block"
    );
    let far = LayerChoice::Near { z: 0, reach: 48 };
    assert_eq!(
        session
            .apply(&Edit::RemoveLayer {
                area: at(0),
                layers: far
            })
            .unwrap(),
        0
    );
    session
        .apply(&Edit::RemoveLayer {
            area: at(0),
            layers: all,
        })
        .unwrap();
    assert_eq!(
        column(&mut session, 0, 0),
        [(-3000, open)],
        "the lowest stays"
    );
    session
        .apply(&Edit::Level {
            area: at(17),
            layers: all,
            height: -2996,
        })
        .unwrap();
    assert_eq!(
        column(&mut session, 17, 0),
        [(-3000, 7)],
        "two at one height are one"
    );
    // A pit of 80 in flat ground: a ninth of it is left.
    session
        .apply(&Edit::Raise {
            area: at(100),
            layers: all,
            by: -56,
        })
        .unwrap();
    session
        .apply(&Edit::Smooth {
            area: at(100),
            layers: all,
        })
        .unwrap();
    assert_eq!(column(&mut session, 100, 0), [(-3008, open)]);
    // Copied as it is now, over itself.
    let expected: Vec<_> = (16..24).map(|x| column(&mut session, x, 3)).collect();
    session
        .apply(&Edit::Paste {
            from: rectangle(16, 0, 23, 7),
            to: (18 * 16, 2 * 16),
        })
        .unwrap();
    let pasted: Vec<_> = (18..26).map(|x| column(&mut session, x, 5)).collect();
    assert_eq!(pasted, expected);
}

#[test]
fn edits_that_cannot_be_made_change_nothing() {
    let mut session = session();
    let elsewhere = Area::Brush {
        center: (-100, -100),
        radius: 10,
    };
    let edit = Edit::Smooth {
        area: elsewhere,
        layers: LayerChoice::All,
    };
    assert!(matches!(session.apply(&edit), Err(EditError::NoRegion)));
    for height in 0..124 {
        let area = rectangle(0, 0, 0, 0);
        session
            .apply(&Edit::AddLayer {
                area,
                height: 8 * height,
                sides: Nswe::ALL_SIDES,
            })
            .unwrap();
    }
    let area = rectangle(0, 0, 0, 0);
    let one_more = Edit::AddLayer {
        area,
        height: 2000,
        sides: Nswe::ALL_SIDES,
    };
    assert!(matches!(
        session.apply(&one_more),
        Err(EditError::TooManyLayers)
    ));
    assert_eq!(column(&mut session, 0, 0).len(), 125);
    let mut diagonals = EditSession::new(load(GeodataFormat::L2d), None);
    assert!(
        matches!(diagonals.apply(&one_more), Err(EditError::Diagonals(region)) if region == id())
    );
}

#[test]
fn a_journal_gives_back_what_a_crash_took() {
    let folder = tempfile::tempdir().unwrap();
    let path = Journal::path_in(folder.path());
    let journal = Journal::new(&path).unwrap();
    assert!(matches!(
        Journal::new(&path),
        Err(JournalError::Exists { .. })
    ));
    let mut session = EditSession::new(load(GeodataFormat::ConvDat), Some(journal));
    let mut seed = 3;
    for round in 0..40 {
        session.apply(&random_edit(&mut seed)).unwrap();
        if round % 7 == 6 {
            session.undo().unwrap();
        }
    }
    let expected = bytes_of(&session);
    drop(session);
    let recovered = |records: &[_]| {
        let mut session = EditSession::new(load(GeodataFormat::ConvDat), None);
        session.recover(records).unwrap();
        let once = bytes_of(&session);
        assert_eq!(
            session.recover(records).unwrap(),
            0,
            "a second time changes nothing"
        );
        once
    };
    let records = Journal::read(&path).unwrap();
    assert_eq!(records.len(), 45);
    assert!(recovered(&records) == expected);
    // The crash was in the middle of a line.
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    assert_eq!(Journal::read(&path).unwrap(), records[..44]);
    let mut damaged = bytes;
    damaged[10] = b'?';
    std::fs::write(&path, &damaged).unwrap();
    assert!(matches!(
        Journal::read(&path),
        Err(JournalError::Damaged { line: 1, .. })
    ));
}

#[test]
fn lines_are_read_and_refused() {
    let read = |text: &str| EditLine::read(text.as_bytes());
    let line = r#"{"edit":"lower","rectangle":[0,0,15,15],"by":16,"z":-3000}"#;
    let lower = Edit::Raise {
        area: Area::Rectangle {
            from: (0, 0),
            to: (15, 15),
        },
        layers: LayerChoice::Near {
            z: -3000,
            reach: 48,
        },
        by: -16,
    };
    assert_eq!(read(line), Ok(EditLine::Edit(lower)));
    assert_eq!(read(r#"{"edit":"undo"}"#), Ok(EditLine::Undo));
    for (line, words, column) in [
        (r#"{"edit":"rase"}"#, "unknown variant `rase`", Some(14)),
        (
            r#"{"edit":"raise","brush":[1,2],"radius":3}"#,
            "\"by\" is missing",
            None,
        ),
        (
            r#"{"edit":"smooth","rectangle":[0,0,1,1],"by":8}"#,
            "does not take \"by\"",
            None,
        ),
        (
            r#"{"edit":"smooth","rectangle":[0,0,1,1],"brush":[0,0]}"#,
            "one of \"rectangle\"",
            None,
        ),
        (
            r#"{"edit":"open","path":[],"width":3,"sides":"N"}"#,
            "one of \"rectangle\"",
            None,
        ),
        (
            r#"{"edit":"open","brush":[0,0],"radius":3,"sides":"NX"}"#,
            "none of NSWE",
            None,
        ),
        ("7", "an object with the member", Some(1)),
    ] {
        let error = read(line).unwrap_err();
        assert!(error.what.contains(words), "{line}: {error}");
        assert_eq!(error.column, column, "{line}");
    }
}
