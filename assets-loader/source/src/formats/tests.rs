//! Files of the Source engine: what is recognized, what is looked into, and what is found there.

use std::fs;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{ArchiveOptions, Format, HEAD_BYTES, Input};
use ironlands_assets_core::report::{Depth, Report, Scope};

use ironlands_assets_proof::{folder_with, mutant};

use super::*;
use crate::bsp::test_map::sample_file;
use crate::bsp::{LumpId, Map};
use crate::pakfile::Comment;
use crate::studio_model::sample::sample_files;

/// Enough that every reader gets somewhere; each has a proof of its own.
const N_MUTANTS: u64 = 20;

/// What is known of a file; `None` if it is not recognized.
fn inspect_to(path: &Path, depth: Depth) -> Option<Report> {
    let data = fs::read(path).unwrap();
    let format = recognize(path, &data[..data.len().min(HEAD_BYTES as usize)])?;
    let mut report = Report::new(path, Scope::File, format.name());
    let data = &data;
    if let Err(error) = format.inspect(&Input { path, data, depth }, &mut report) {
        report.refuse(&error);
    }
    Some(report)
}

fn inspect(path: &Path) -> Report {
    inspect_to(path, Depth::Contents).unwrap()
}

fn report_on(name: &str, files: &[(&str, &[u8])]) -> Report {
    inspect(&folder_with(files).path().join(name))
}

fn errors(report: &Report) -> Vec<&Finding> {
    let errors = report.findings.iter();
    errors.filter(|it| it.severity == Severity::Error).collect()
}

/// A valid map without props.
fn sample() -> BspFile {
    let mut map = sample_file(20);
    map.set_lump(LumpId::GameLump, 0, Vec::new());
    map
}

/// A map whose pakfile holds these files.
fn map_with(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut map = sample();
    let pakfile = Pakfile::draft(files, Comment::None).unwrap();
    map.set_lump(LumpId::Pakfile, 0, pakfile.write());
    map.write().unwrap()
}

/// Baked light of no mesh.
fn vhv() -> Vec<u8> {
    let mut vhv = vec![0; 40];
    vhv[0] = 2;
    vhv[12] = 4;
    vhv
}

/// A header without solids, and without text.
fn phy() -> Vec<u8> {
    let mut phy = vec![0; 16];
    phy[0] = 16;
    phy
}

fn ani() -> Vec<u8> {
    let mut ani = vec![0; 80];
    ani[..5].copy_from_slice(b"IDAG\x30");
    ani[76] = 80;
    ani
}

#[test]
fn files_of_models_are_recognized_and_sound() {
    let model = sample_files();
    let (vhv, phy, ani) = (vhv(), phy(), ani());
    let folder = folder_with(&[
        ("crate.ani", &ani),
        ("crate.dx90.vtx", &model.vtx),
        ("Crate.MDL", &model.mdl),
        ("crate.phy", &phy),
        ("crate.vvd", &model.vvd),
        ("sp_0.vhv", &vhv),
        ("wait.ani", b"RIFF a cursor"),
    ]);
    for (name, format) in [
        ("Crate.MDL", Mdl::NAME),
        ("crate.ani", Ani::NAME),
        ("crate.dx90.vtx", Vtx::NAME),
        ("crate.phy", Phy::NAME),
        ("crate.vvd", Vvd::NAME),
        ("sp_0.vhv", Vhv::NAME),
    ] {
        let report = inspect(&folder.path().join(name));
        assert_eq!(
            (report.format, &*report.findings),
            (format, &[][..]),
            "{name}"
        );
    }
    let cursor = folder.path().join("wait.ani");
    assert_eq!(inspect_to(&cursor, Depth::Contents), None);
    let facts = inspect(&folder.path().join("Crate.MDL")).facts;
    assert!(facts.contains(&("vertices", "8".to_owned())), "{facts:?}");
}

#[test]
fn damaged_files_of_models_are_known_by_their_names() {
    for name in ["a.mdl", "a.vvd", "a.vtx", "a.phy", "a.ani", "a.vhv"] {
        let report = report_on(name, &[(name, b"nonsense")]);
        assert_eq!(report.worst(), Some(Severity::Error), "{name}");
        assert!(report.findings[0].offset.is_some(), "{name}");
    }
}

#[test]
fn a_model_is_checked_with_the_files_that_it_is_drawn_with() {
    let model = sample_files();
    let cut = &model.vvd[..model.vvd.len() - 200];
    let mut wild = model.vvd.clone();
    // The first vertex begins at 64, its position 16 bytes on.
    wild[84..88].copy_from_slice(&3.0e38_f32.to_le_bytes());
    let mut another = model.vtx.clone();
    another[16] ^= 1;
    for (name, vvd, vtx, reported) in [
        ("gone", None, &model.vtx, "a.vvd is missing"),
        ("cut", Some(cut), &model.vtx, "a.vvd: vvd: byte 0x"),
        (
            "wild",
            Some(&wild[..]),
            &model.vtx,
            "byte 0x50, position of vertex 0",
        ),
        ("other", Some(&model.vvd[..]), &another, "checksum"),
    ] {
        let mut files: Vec<(&str, &[u8])> = vec![("a.mdl", &model.mdl), ("a.dx90.vtx", vtx)];
        files.extend(vvd.map(|vvd| ("a.vvd", vvd)));
        let report = report_on("a.mdl", &files);
        let errors = errors(&report);
        assert!(
            errors.iter().any(|it| it.message.contains(reported)),
            "{name}: {errors:?}"
        );
    }
}

#[test]
fn tables_of_a_model_that_are_kept_as_bytes_lie_in_the_file() {
    let model = sample_files();
    let files = |mdl: &[u8]| {
        let folder = folder_with(&[
            ("a.mdl", mdl),
            ("a.vvd", &model.vvd),
            ("a.dx90.vtx", &model.vtx),
        ]);
        inspect(&folder.path().join("a.mdl"))
    };
    assert_eq!(files(&model.mdl).findings, []);
    // Counts of hitbox sets, animations, sequences, attachments, included models.
    for at in [0xAC_u64, 0xB4, 0xBC, 0xF0, 0x150] {
        let mut mdl = model.mdl.clone();
        let count = usize::try_from(at).unwrap();
        mdl[count..count + 4].copy_from_slice(&1_000_000_u32.to_le_bytes());
        let report = files(&mdl);
        let errors = errors(&report);
        assert_eq!(errors.len(), 1, "{at:#x}: {errors:?}");
        assert_eq!(errors[0].offset, Some(at));
    }
}

#[test]
fn files_of_a_map_are_unpacked_and_looked_into() {
    let model = sample_files();
    let sound: &[(&str, &[u8])] = &[
        ("materials/a.vmt", b"\"UnlitGeneric\" { }"),
        ("models/a.mdl", &model.mdl),
        ("models/a.vvd", &model.vvd),
        ("models/a.dx90.vtx", &model.vtx),
        ("models/of_the_game.mdl", &model.mdl),
    ];
    let report = report_on("a.bsp", &[("a.bsp", &map_with(sound))]);
    assert_eq!(errors(&report), [] as [&Finding; 0]);
    assert_eq!(
        report.entries[1].detail.split(',').next(),
        Some("version 48")
    );
    for (at, data, reported) in [
        (
            0,
            &b"\"UnlitGeneric\" \"no block\""[..],
            "materials/a.vmt: vmt",
        ),
        (1, &model.mdl[..600], "models/a.mdl: mdl"),
        (2, &model.vvd[..300], "models/a.vvd: vvd"),
        (3, &model.vtx[..100], "models/a.dx90.vtx: vtx"),
    ] {
        let mut files = sound.to_vec();
        files[at].1 = data;
        let map = map_with(&files);
        let report = report_on("a.bsp", &[("a.bsp", &map)]);
        let errors = errors(&report);
        let found = errors.iter().find(|it| it.message.starts_with(reported));
        let offset = found.and_then(|it| it.offset);
        let offset = offset.unwrap_or_else(|| panic!("{reported}: {errors:?}")) as usize;
        let start = map.windows(data.len()).position(|it| it == data).unwrap();
        assert!((start..start + data.len()).contains(&offset), "{reported}");
    }
}

#[test]
fn a_wrong_checksum_in_a_map_is_found_where_it_stands() {
    let mut map = map_with(&[("a.txt", b"some text")]);
    let at = map.windows(9).rposition(|it| it == b"some text").unwrap();
    map[at] = b'S';
    let report = report_on("a.bsp", &[("a.bsp", &map)]);
    let errors = errors(&report);
    let [error] = errors[..] else {
        panic!("{errors:?}");
    };
    assert!(error.message.contains("checksum"), "{error:?}");
    // The record begins with its header of 30 bytes and the name.
    assert_eq!(error.offset, Some(at as u64 - 35));
}

#[test]
fn facts_alone_unpack_nothing() {
    let mut map = map_with(&[("a.txt", b"some text")]);
    let at = map.windows(9).rposition(|it| it == b"some text").unwrap();
    map[at] = b'S';
    let folder = folder_with(&[("a.bsp", &map)]);
    let report = inspect_to(&folder.path().join("a.bsp"), Depth::Facts).unwrap();
    assert_eq!(errors(&report), [] as [&Finding; 0]);
}

#[test]
fn archives_of_a_game_have_their_checksums_proved_and_their_parts_missed() {
    let mut directory = VpkDirectory::draft(&[("a/b.txt", b"some text")]).unwrap();
    let good = directory.write().unwrap();
    let on_disk = |data: &[u8], parts: &[(&str, &[u8])]| {
        let files = [&[("pak01_dir.vpk", data)], parts].concat();
        report_on("pak01_dir.vpk", &files)
    };
    assert_eq!(on_disk(&good, &[]).findings, []);
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let report = on_disk(&damaged, &[]);
    assert!(
        errors(&report)[0].message.contains("checksum"),
        "{report:?}"
    );

    let files = directory.tree.extensions.iter_mut();
    let mut files = files
        .flat_map(|it| &mut it.folders)
        .flat_map(|it| &mut it.files);
    files.next().unwrap().archive = 3;
    directory.file_data.clear();
    let parted = directory.write().unwrap();
    let report = on_disk(&parted, &[]);
    let messages: Vec<_> = errors(&report).iter().map(|it| &*it.message).collect();
    assert_eq!(messages, ["pak01_003.vpk is missing, in which 1 files lie"]);
    assert_eq!(
        on_disk(&parted, &[("pak01_003.vpk", b"some text")]).findings,
        []
    );
    let report = on_disk(&parted, &[("PAK01_003.vpk", b"some t")]);
    assert_eq!(errors(&report).len(), 1, "{report:?}");
}

/// A map with one entity more.
fn map_with_entity(entity: &str) -> Vec<u8> {
    let mut map = sample();
    let text = format!("{{\n\"classname\" \"worldspawn\"\n}}\n{entity}\0");
    map.set_lump(LumpId::Entities, 0, text.into_bytes());
    map.write().unwrap()
}

#[test]
fn an_entity_without_its_brushes_is_found_where_it_stands() {
    let entity = "{\n\"classname\" \"func_door\"\n\"model\" \"*3\"\n}\n";
    let map = map_with_entity(entity);
    let report = report_on("a.bsp", &[("a.bsp", &map)]);
    assert_eq!(errors(&report), [] as [&Finding; 0], "it can be opened");
    let findings = report.findings.iter();
    let found: Vec<_> = findings
        .filter(|it| it.message.contains("*3 of 2"))
        .collect();
    let [found] = found[..] else {
        panic!("one finding: {:?}", report.findings);
    };
    let at = map
        .windows(11)
        .position(|it| it == b"\"func_door\"")
        .unwrap();
    assert_eq!(found.offset, Some(at as u64 - 14));
}

#[test]
fn a_corner_beyond_any_map_is_found_and_the_map_opens() {
    let mut file = sample();
    let mut map = Map::read(&file).unwrap();
    let vertex = map.ring_vertices(&map.faces[0]).next().unwrap();
    map.vertices[vertex as usize][0] = 3.0e38;
    map.write_into(&mut file).unwrap();
    let report = report_on("a.bsp", &[("a.bsp", &file.write().unwrap())]);
    assert_eq!(errors(&report), [] as [&Finding; 0]);
    let is_reported =
        |it: &Finding| it.message.contains("beyond") && it.message.contains("left out");
    assert!(
        report.findings.iter().any(is_reported),
        "{:?}",
        report.findings
    );
}

#[test]
fn the_game_that_a_map_lies_in_is_looked_into() {
    let map = sample().write().unwrap();
    let alone = report_on("a.bsp", &[("a.bsp", &map)]);
    let missing = |report: &Report| -> Vec<Severity> {
        let findings = report.findings.iter();
        let of_files = findings.filter(|it| it.format == "game files");
        of_files.map(|it| it.severity).collect()
    };
    assert_eq!(missing(&alone), [Severity::Note]);
    let game = folder_with(&[("maps/a.bsp", &map), ("gameinfo.txt", b"")]);
    let report = inspect(&game.path().join("maps/a.bsp"));
    assert!(missing(&report).contains(&Severity::Warning));
}

#[test]
fn names_and_first_bytes_identify_formats() {
    let of = |name: &str, head: &[u8]| recognize(Path::new(name), head).map(|it| it.name());
    for (name, head, format) in [
        ("a.bsp", &b""[..], Some("bsp")),
        ("a.tmp", b"VBSP\x14\0\0\0", Some("bsp")),
        ("a.bsp", b"VTF\0\x07\0\0\0", Some("vtf")),
        ("A.VTF", b"", Some("vtf")),
        // These names decide before any first bytes.
        ("a.vmt", b"VTF\0\x07\0\0\0", Some("vmt")),
        ("a.vmf", b"VBSP\x14\0\0\0", Some("vmf")),
        ("pak01_dir.vpk", b"", Some("vpk")),
        ("pak01_000.vpk", b"", None),
        ("pak01_000.vpk", b"\x34\x12\xAA\x55", Some("vpk")),
        ("pack100.vpk", b"", None),
        ("a.mdl", b"IDSV", Some("vvd")),
        ("a", b"IDST", Some("mdl")),
        ("a.ani", b"RIFF", None),
        ("a.ani", b"", Some("ani")),
        ("a", b"IDAG", Some("ani")),
        ("a.vhv", b"", Some("vhv")),
        ("a.txt", b"\"a\" \"b\"", None),
        ("a.lmp", b"\x14\0\0\0", None),
    ] {
        assert_eq!(of(name, head), format, "{name} {}", head.escape_ascii());
    }
}

#[test]
fn names_of_formats_are_their_own() {
    let names: std::collections::HashSet<_> = FORMATS.formats.iter().map(|it| it.name()).collect();
    assert_eq!(names.len(), FORMATS.formats.len());
}

/// Every reader is given every file, valid and damaged: none loses a byte of what it takes.
#[test]
fn any_file_can_be_given_to_any_format() {
    let model = sample_files();
    let vpk = VpkDirectory::draft(&[("a/b.txt", b"some text")]).unwrap();
    let files = [
        sample_file(20).write().unwrap(),
        sample_file(25).lump(LumpId::GameLump).to_vec(),
        sample_file(20).lump(LumpId::Entities).to_vec(),
        sample_file(20).lump(LumpId::Pakfile).to_vec(),
        model.mdl,
        model.vvd,
        model.vtx,
        vhv(),
        phy(),
        ani(),
        vpk.write().unwrap(),
        b"world { id 1 } // and no more".to_vec(),
    ];
    for file in &files {
        let damaged = (0..N_MUTANTS).map(|seed| mutant(file, seed));
        for data in std::iter::once(file.clone()).chain(damaged) {
            for format in FORMATS.formats {
                format.exercise(&data);
            }
        }
    }
}

/// The archive of a file, by the format of a name.
fn open(format: &str, path: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut formats = FORMATS.formats.iter();
    let format = formats.find(|it| it.name() == format).unwrap();
    let archive = format
        .open_archive(path, ArchiveOptions::default())
        .unwrap();
    let archive = archive.map_err(|error| error.to_string())?;
    let entries = archive.entries().iter().enumerate();
    let files = entries.map(|(index, entry)| {
        let data = archive.unpack(index).map_err(|error| error.to_string())?;
        Ok((entry.name.clone(), data))
    });
    files.collect()
}

#[test]
fn maps_and_vpks_are_archives() {
    let file = ("a/b.txt", &b"some text"[..]);
    let vpk = VpkDirectory::draft(&[file]).unwrap().write().unwrap();
    let folder = folder_with(&[
        ("a.bsp", &map_with(&[file])),
        ("a_dir.vpk", &vpk),
        ("other.bsp", b"no map"),
        ("a.txt", &vpk),
    ]);
    let open = |format: &str, name: &str| open(format, &folder.path().join(name));
    let files = Ok(vec![(file.0.to_owned(), file.1.to_vec())]);
    assert_eq!(open("bsp", "a.bsp"), files);
    assert_eq!(open("vpk", "a_dir.vpk"), files);
    for (format, name) in [("bsp", "other.bsp"), ("vpk", "a.txt")] {
        let error = open(format, name).unwrap_err();
        assert!(error.contains("is not an archive; expected"), "{error}");
    }
    assert!(open("vpk", "a_001.vpk").is_err());
}
