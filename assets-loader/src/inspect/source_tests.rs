//! Files of the Source engine: what is looked into, and what is found there.

use std::fs;

use super::*;
use crate::source::bsp::test_map::sample_file;
use crate::source::bsp::{BspFile, LumpId, Map};
use crate::source::pakfile::{Comment, Pakfile};
use crate::source::studio_model::sample::sample_files;
use crate::source::vpk::VpkDirectory;

/// A folder with some files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, data) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, data).unwrap();
    }
    folder
}

fn report_on(name: &str, files: &[(&str, &[u8])]) -> Report {
    let folder = folder(files);
    let mut inspection = inspect(&folder.path().join(name)).unwrap();
    assert_eq!(inspection.reports.len(), 1, "{inspection:#?}");
    inspection.reports.remove(0)
}

fn errors(report: &Report) -> Vec<&Finding> {
    let errors = report.findings.iter();
    errors.filter(|it| it.severity == Severity::Error).collect()
}

/// A sound map without props.
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
    let folder = folder(&[
        ("crate.ani", &ani),
        ("crate.dx90.vtx", &model.vtx),
        ("Crate.MDL", &model.mdl),
        ("crate.phy", &phy),
        ("crate.vvd", &model.vvd),
        ("sp_0.vhv", &vhv),
        ("wait.ani", b"RIFF a cursor"),
    ]);
    let inspection = inspect(folder.path()).unwrap();
    let kinds: Vec<_> = inspection.reports.iter().map(|it| it.format).collect();
    let expected = ["mdl", "ani", "vtx", "phy", "vvd", "vhv"];
    assert_eq!(kinds, expected);
    assert_eq!(inspection.skipped, [folder.path().join("wait.ani")]);
    for report in &inspection.reports {
        assert_eq!(report.findings, [], "{}", report.path.display());
    }
    let facts = &inspection.reports[0].facts;
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
    for (name, vvd, vtx, told) in [
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
            errors.iter().any(|it| it.message.contains(told)),
            "{name}: {errors:?}"
        );
    }
}

#[test]
fn tables_of_a_model_that_are_kept_as_bytes_lie_in_the_file() {
    let model = sample_files();
    let files = |mdl: &[u8]| {
        let folder = folder(&[
            ("a.mdl", mdl),
            ("a.vvd", &model.vvd),
            ("a.dx90.vtx", &model.vtx),
        ]);
        inspect(&folder.path().join("a.mdl"))
            .unwrap()
            .reports
            .remove(0)
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
    for (at, data, told) in [
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
        let found = errors.iter().find(|it| it.message.starts_with(told));
        let offset = found.and_then(|it| it.offset);
        let offset = offset.unwrap_or_else(|| panic!("{told}: {errors:?}")) as usize;
        let start = map.windows(data.len()).position(|it| it == data).unwrap();
        assert!((start..start + data.len()).contains(&offset), "{told}");
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
    let folder = folder(&[("a.bsp", &map)]);
    let inspection = inspect_to(&folder.path().join("a.bsp"), Depth::Facts).unwrap();
    assert_eq!(inspection.count(Severity::Error), 0, "{inspection:#?}");
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
    let is_told = |it: &Finding| it.message.contains("beyond") && it.message.contains("left out");
    assert!(report.findings.iter().any(is_told), "{:?}", report.findings);
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
    let game = folder(&[("maps/a.bsp", &map), ("gameinfo.txt", b"")]);
    let inspection = inspect(&game.path().join("maps/a.bsp")).unwrap();
    assert!(missing(&inspection.reports[0]).contains(&Severity::Warning));
}
