use std::path::Path;

use ironlands_assets_core::bytes::{FormatError, Severity};
use ironlands_assets_core::format::{
    AnyFormat, ArchiveError, ArchiveOptions, EntryLookup, Input, Match,
};
use ironlands_assets_core::report::Depth;

use super::*;
use crate::nres::Entry;
use crate::rsli::{self, Method};
use crate::sample_level::{SampleLevel, library, material, terrain};
use crate::test_game::prototypes;

/// The format that a file is taken for, before all of its bytes are there.
fn recognized(name: &str, head: &[u8]) -> Option<&'static dyn AnyFormat> {
    let matches = FORMATS.formats.iter().filter_map(|format| {
        let found = format.recognize(name, head)?;
        Some((found, *format))
    });
    let best = matches.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, format)| format)
}

fn refined(name: &str, data: &[u8]) -> &'static dyn AnyFormat {
    let format = recognized(name, data).unwrap();
    format.refine(name, data).unwrap_or(format)
}

/// What is reported on a file of this path, which has a name in lowercase.
fn report_on(path: &Path, data: &[u8]) -> Result<Report, FormatError> {
    let input = Input {
        path,
        data,
        depth: Depth::Contents,
    };
    let name = path.file_name().unwrap().to_str().unwrap();
    let format = refined(name, data);
    let mut report = Report::new(path, Scope::File, format.name());
    format.inspect(&input, &mut report)?;
    Ok(report)
}

fn facts(report: &Report) -> Vec<(&str, &str)> {
    let facts = report.facts.iter();
    facts.map(|(name, value)| (*name, value.as_str())).collect()
}

#[test]
fn no_two_formats_share_a_name() {
    let mut names: Vec<_> = FORMATS.formats.iter().map(|format| format.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FORMATS.formats.len());
}

#[test]
fn a_model_is_not_converted_as_land() {
    let mut formats = FORMATS.formats.iter();
    let land = formats.find(|format| format.name() == "land_msh").unwrap();
    assert!(land.is_named(Path::new("MAPS/Map01/Land.msh")));
    assert!(land.is_named(Path::new("LAND.MSH")));
    assert!(!land.is_named(Path::new("bases.rlb/WALKER.msh")));
}

#[test]
fn files_are_recognized_by_name_then_by_magic_then_by_ending() {
    let unit = b"\xF1\xF0\0\0\0\0\0\0";
    let sky = b"\xFF\xFF\xFF\xFF\x05\0\0\0";
    let rows: [(&str, &[u8], Option<&str>); 34] = [
        ("land.msh", b"", Some("land_msh")),
        ("land.map", b"", Some("land_map")),
        ("land.map", b"NRes", Some("land_map")),
        ("sky.map", b"", None),
        ("builddat.lst", b"", Some("build_dat")),
        ("other.lst", b"", None),
        ("land1.wea", b"NRes", Some("wear")),
        ("data.tma", b"", Some("mission")),
        ("a.dat", unit, Some("unit_dat")),
        ("a.dat", b"\xF0\xF1\0\0\0\0\0\0", None),
        ("a.unit", unit, None),
        ("a.dat", b"NRes", Some("nres")),
        ("isle.bin", b"NRes", Some("nres")),
        ("isle.bin", b"NReZ", None),
        ("hull.msh", b"NReZ", Some("nres")),
        ("bases.rlb", b"", Some("nres")),
        ("objects.rlb", b"", Some("nres")),
        ("material.lib", b"", Some("nres")),
        ("textures.lib", b"", Some("nres")),
        ("lightmap.lib", b"", Some("nres")),
        ("palettes.lib", b"", Some("nres")),
        ("other.lib", b"", None),
        ("sprites.lib", b"", Some("rsli")),
        ("sprites.lib", b"NRes", Some("nres")),
        ("bases.rlb", b"NL\x00\x01", Some("rsli")),
        ("isle.bin", b"NL\x00\x02", None),
        ("sky.ske", sky, Some("ske")),
        ("hq.scr", b"\x49\0\0\0", Some("scr")),
        ("hq.scr", b"\x4A\0\0\0", None),
        ("small.bin", b"Tfnt", Some("tfnt")),
        ("small.bin", b"Tfmt", None),
        ("varset.var", b"", Some("varset")),
        ("other.var", b"", None),
        ("sky.ske", b"\xFF\xFF\xFF\xFF\x06\0\0\0", None),
    ];
    for (name, head, format) in rows {
        let found = recognized(name, head).map(|format| format.name());
        assert_eq!(found, format, "{name} {}", head.escape_ascii());
    }
    // Names decide before the magics of other worlds, endings after them.
    let by = |name| recognized(name, b"").unwrap().recognize(name, b"");
    assert_eq!(by("land.msh"), Some(Match::Name));
    assert_eq!(by("bases.rlb"), Some(Match::Extension));
    assert_eq!(by("sprites.lib"), Some(Match::Extension));
}

#[test]
fn archives_are_known_by_their_chunks_whatever_their_names() {
    let chunk = |type_id| Entry::new(type_id, 0, 0, 0, "", Vec::new()).unwrap();
    let rows: [(&str, &[u32], &str); 7] = [
        ("isle.bin", &[21], "land_msh"),
        ("hull.msh", &[21], "land_msh"),
        ("isle.bin", &[12], "land_map"),
        ("isle.bin", &[13, 6, 3, 2, 1], "msh"),
        ("isle.bin", &[12, 1], "nres"),
        ("isle.bin", &[1, 2, 3, 6], "nres"),
        ("hull.msh", &[1, 2, 3, 6], "msh"),
    ];
    for (name, types, format) in rows {
        let chunks: Vec<_> = types.iter().copied().map(chunk).collect();
        let found = refined(name, &library(&chunks)).name();
        assert_eq!(found, format, "{name} {types:?}");
    }
    assert_eq!(refined("hull.msh", b"NRes").name(), "nres");
}

#[test]
fn a_folder_of_terrain_is_a_level_before_its_files() {
    let level = SampleLevel::new();
    let mut paths = vec![level.folder().join("Land.msh")];
    let reports = (FORMATS.inspect_folder)(&level.folder(), &mut paths);
    let [report] = reports.as_slice() else {
        panic!("{reports:?}");
    };
    assert_eq!((report.scope, report.format), (Scope::Group, "level"));
    assert_eq!(report.facts[0], ("Land1.wea", "2 of 3 rows used".into()));
    assert_eq!(paths.len(), 1, "the files have their own reports");
    assert_eq!(
        (FORMATS.inspect_folder)(level.root(), &mut Vec::new()),
        vec![]
    );
}

#[test]
fn terrain_is_reported_with_facts_chunks_and_repairs() {
    let mut data = terrain().write().unwrap();
    // attr1 of the first of nine chunks contradicts its size, and the last has a name that leads elsewhere.
    let directory = data.len() - 9 * 64;
    data[directory + 4] ^= 1;
    data[directory + 8 * 64 + 20..][..4].copy_from_slice(b"../L");
    let report = report_on(Path::new("isle.bin"), &data).unwrap();
    assert_eq!(
        facts(&report),
        [
            ("tiles", "1 x 1"),
            ("slots", "1"),
            ("vertices", "4"),
            ("faces", "2"),
            ("faces at the finest level", "2"),
            ("smallest corner", "0 0 0"),
            ("largest corner", "8 8 1"),
            ("water level", "-1"),
            (
                "edges where two materials meet one",
                "1: 0 meet the second, 1 the first, 0 neither"
            ),
        ]
    );
    assert_eq!(report.entries.len(), 9);
    assert_eq!(
        (&*report.entries[0].type_name, report.entries[0].size),
        ("1", 38)
    );
    let found: Vec<_> = report.findings.iter().map(|it| it.format).collect();
    assert_eq!(found[..2], ["nres", "nres"], "{:#?}", report.findings);
    assert!(report.findings[0].message.contains("path policy"));
    assert_eq!(report.findings.last().unwrap().format, "land_msh");
}

#[test]
fn entries_are_reported_one_by_one_or_their_names_are() {
    let archive = library(&[material("GRASS", "GRASS.0")]);
    let packed = rsli::Entry::new("FONT.TEX", Method::Lzss, b"aaaaaaaa").unwrap();
    let packed = RsLi::from_entries(vec![packed]).write().unwrap();
    for (path, data, name, detail) in [
        (
            "Material.lib",
            &archive,
            "grass",
            "0 tracks, phases GRASS.0",
        ),
        ("gamefont.rlb", &packed, "font.tex", "4 bytes packed"),
    ] {
        let input = Input {
            path: Path::new(path),
            data,
            depth: Depth::Facts,
        };
        let format = recognized("some.bin", data).unwrap();
        let mut report = Report::new(input.path, Scope::Entry, "entry");
        let found = format.inspect_entry(&input, name, &mut report);
        assert_eq!(found, Ok(EntryLookup::Found));
        assert_eq!(report.facts[0].0, "bytes");
        assert_eq!(report.entries[0].detail, detail);
        assert_eq!(report.findings, []);
        let missing = format.inspect_entry(&input, "地", &mut report).unwrap();
        let names = vec![report.entries[0].name.clone()];
        assert_eq!(missing, EntryLookup::Missing { names });
    }
}

#[test]
fn problems_of_entries_are_named_and_placed_in_the_file() {
    let mut broken = material("BROKEN", "A.0");
    broken.data.truncate(20);
    let texm = u32::from_le_bytes(*b"Texm");
    let junk = Entry::new(texm, 0, 0, 0, "JUNK.0", b"Tex!".to_vec()).unwrap();
    let report = report_on(Path::new("parts.lib"), &library(&[broken, junk])).unwrap();
    let placed: Vec<_> = (report.findings.iter())
        .map(|it| (it.format, it.offset))
        .collect();
    // Payloads begin at 16 and 40; the phases of the first one after its 14 bytes of head.
    assert_eq!(placed, [("mat0", Some(30)), ("texm", Some(40))]);
    assert!(report.findings[0].message.contains("entry BROKEN"));
    assert_eq!(
        facts(&report),
        [("entries", "2"), ("types", "1 MAT0, 1 Texm")]
    );

    let data = prototypes(&[("hut", &[("bases.rlb", "hut.msh"), ("bases.rlb", "hut.ctl")])]);
    let report = report_on(Path::new("objects.rlb"), &data).unwrap();
    let detail = "bases.rlb/hut.msh bases.rlb/hut.ctl";
    assert_eq!(report.entries[0].detail, detail);
}

#[test]
fn archives_are_opened_by_their_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.bin");
    let entry = rsli::Entry::new("B.TXT", Method::Deflate, b"two two two").unwrap();
    let packed = RsLi::from_entries(vec![entry]).write().unwrap();
    let entry = Entry::new(7, 0, 0, 0, "A.WEA", b"one".to_vec()).unwrap();
    for (data, name, content) in [
        (library(&[entry]), "A.WEA", &b"one"[..]),
        (packed, "B.TXT", b"two two two"),
    ] {
        std::fs::write(&path, data).unwrap();
        for format in ["land_msh", "land_map", "msh", "nres", "rsli"] {
            let format = FORMATS.formats.iter().find(|it| it.name() == format);
            let opened = format
                .unwrap()
                .open_archive(&path, ArchiveOptions::default());
            let archive = opened.unwrap().unwrap();
            assert_eq!(archive.entries()[0].name, name);
            assert_eq!(archive.unpack(0).unwrap(), content);
        }
    }
    let open = || recognized("some.bin", b"NRes")?.open_archive(&path, ArchiveOptions::default());
    std::fs::write(&path, b"text").unwrap();
    assert!(matches!(open(), Some(Err(ArchiveError::Unknown { .. }))));
    std::fs::write(&path, b"NRes").unwrap();
    assert!(matches!(open(), Some(Err(ArchiveError::Format { .. }))));
    let wear = recognized("a.wea", b"").unwrap();
    let opened = wear.open_archive(&path, ArchiveOptions::default());
    assert!(opened.is_none());
}

#[test]
fn archives_are_read_leniently_and_material_tables_with_a_refusal() {
    let mut unsorted = library(&[material("A", ""), material("B", "")]);
    let last = unsorted.len() - 4;
    unsorted[last] = 0;
    let report = report_on(Path::new("x.lib"), &unsorted).unwrap();
    assert_eq!(
        report.worst(),
        Some(Severity::Warning),
        "archives are lenient"
    );
    let gapless = b"1\r\n0 GRASS\r\nLIGHTMAPS\r\n1\r\n0 LIGHT.0\r\n";
    let report = report_on(Path::new("land1.wea"), gapless).unwrap();
    assert_eq!(report.worst(), Some(Severity::Error));
    assert_eq!(facts(&report), [("materials", "1"), ("lightmaps", "1")]);
}
