//! Game lumps and decompiled maps of maps made by other people, against the dossier's tables (sections 0 and 12).
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*.

mod decompiled;
mod game_lump;
mod solids;

use std::path::Path;
use std::process::ExitCode;

use ironlands_assets_source::bsp::game_lump::{GameLump, StaticProps};
use ironlands_assets_source::bsp::{BspFile, LumpId, Map};
use ironlands_assets_source::entities::{Entities, EntitySyntax};
use ironlands_real_data as real_data;
use libtest_mimic::Failed;

/// What is known of a file.
struct Expected {
    file: &'static str,
    /// Version of the static props, their number, models, and leaves (section 0.1).
    props: (u16, usize, usize, usize),
    /// Solids of the world, solids of other entities, solids of displacements.
    solids: (usize, usize, usize),
    /// Faces that are seen and are no displacements, and how many of them have no side (section 0.4).
    faces: (usize, usize),
}

const EXPECTED: [Expected; 5] = [
    Expected {
        file: "css-test.bsp",
        props: (5, 21, 7, 55),
        solids: (96, 1, 2),
        faces: (558, 0),
    },
    Expected {
        file: "revolution-test.bsp",
        props: (13, 0, 0, 0),
        solids: (6, 0, 0),
        faces: (12, 0),
    },
    Expected {
        file: "scoutie-background01.bsp",
        props: (6, 2, 2, 4),
        solids: (11, 1, 0),
        faces: (31, 0),
    },
    Expected {
        file: "opendm-background01.bsp",
        props: (10, 29, 13, 61),
        solids: (279, 164, 15),
        faces: (1242, 0),
    },
    Expected {
        file: "opendm-dev_reflect.bsp",
        props: (10, 0, 0, 0),
        solids: (6, 1, 0),
        faces: (22, 0),
    },
];

/// What a trial checks; the error says what differs.
type Check = fn(&Subject) -> Result<(), Failed>;

const TRIALS: [(&str, Check); 7] = [
    ("game_lump_is_written_as_it_was_read", game_lump::round_trip),
    ("game_lump_moves_with_its_offset", game_lump::moves),
    ("static_props_are_as_measured", game_lump::props),
    ("vmf_survives_its_text", decompiled::round_trip),
    ("every_brush_becomes_a_solid", decompiled::counts),
    (
        "solids_have_the_polygons_of_their_brushes",
        decompiled::polygons,
    ),
    ("every_seen_face_lies_on_a_side", decompiled::faces),
];

/// A file, read.
struct Subject {
    expected: &'static Expected,
    file: BspFile,
    map: Map,
    entities: Entities,
    game_lump: GameLump,
    props: StaticProps,
}

fn main() -> ExitCode {
    real_data::run_checks(
        "source",
        &EXPECTED,
        |expected| expected.file,
        Subject::open,
        &TRIALS,
    )
}

impl Subject {
    fn open(expected: &'static Expected, path: &Path) -> Result<Self, String> {
        let data = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let reported = |e: ironlands_assets_core::bytes::FormatError| e.to_string();
        let file = BspFile::read(&data).map_err(reported)?;
        let map = Map::read(&file).map_err(reported)?;
        let syntax = EntitySyntax::from_version(file.version);
        let entities = Entities::read(file.lump(LumpId::Entities), syntax).map_err(reported)?;
        let offset = u64::from(file.lump_offset(LumpId::GameLump));
        let game_lump = GameLump::read(file.lump(LumpId::GameLump), offset).map_err(reported)?;
        let props = game_lump.static_props(file.version).map_err(reported)?;
        Ok(Self {
            expected,
            map,
            entities,
            game_lump,
            props: props.ok_or("no static props")?,
            file,
        })
    }
}

/// Fails unless both are the same.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), Failed> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: found {found:?}, expected {expected:?}").into()),
    }
}
