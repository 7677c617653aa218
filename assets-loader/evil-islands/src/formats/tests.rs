//! What the list is for: files are recognized, reported on and converted without a word of their formats.

use std::{fs, path::Path};

use super::*;
use crate::adb::AdbAnimation;
use crate::db::DbKind;
use crate::fig::FigDraft;
use crate::mmp::{MipChain, MmpDraft, MmpFormat, PixelRows};
use crate::mob::draft::{MapRole, MobDraft};
use crate::mob::view::{IdRange, MapObject, MapSound};
use crate::res::{NamesOrder, ResData, ResEntry};
use crate::test_zone::TestZone;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{
    AnyFormat, ArchiveError, ArchiveOptions, ConversionOptions, ConversionRequest, EntryLookup,
    Fidelity, Format, HEAD_BYTES, Input,
};
use ironlands_assets_core::report::{Depth, Report, Scope};
use ironlands_assets_proof::mutant;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files = (files.iter()).map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    let archive = ResArchive::draft(files.collect(), NamesOrder::Insertion);
    archive.write().unwrap()
}

fn levers() -> Vec<u8> {
    Db::draft(DbKind::Levers, vec![Vec::new()]).write().unwrap()
}

fn texture() -> Vec<u8> {
    let draft = MmpDraft {
        width: 4,
        height: 2,
        format: MmpFormat::Argb4444,
        mips: MipChain::Full,
        rgba: &[255; 32],
        rows: PixelRows::Upright,
    };
    Mmp::encode(&draft).unwrap().write().unwrap()
}

fn mesh() -> Vec<u8> {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let up = [[0.0, 0.0, 1.0]; 3];
    let draft = FigDraft::from_vertices(&vec![corners; 8], &up, &[[0.0; 2]; 3], vec![[0, 1, 2]]);
    Fig::draft(&draft).unwrap().write().unwrap()
}

fn map() -> Vec<u8> {
    let object = MapObject {
        nid: 5,
        ..MapObject::default()
    };
    let draft = MobDraft {
        script: "GlobalVars ( a : float )\nWorldScript\n(\n)".to_owned(),
        ranges: vec![IdRange { min: 1, max: 9 }],
        objects: vec![object],
        sounds: vec![MapSound::default(); 2],
        ..MobDraft::new(MapRole::Quest)
    };
    draft.build().unwrap().write().unwrap()
}

/// An animation table that promises one animation.
fn one_animation() -> Adb {
    let animation = AdbAnimation {
        hit_frame: 1,
        ..AdbAnimation::default()
    };
    Adb::draft([0; 24], [0.0; 3], vec![animation])
}

/// What a file is taken for.
fn format_of(name: &str, data: &[u8]) -> Option<&'static dyn AnyFormat> {
    let name = name.to_ascii_lowercase();
    let head = &data[..data.len().min(HEAD_BYTES as usize)];
    let formats = FORMATS.formats.iter().copied().rev();
    let matches = formats.filter_map(|it| Some((it.recognize(&name, head)?, it)));
    let matches = matches.filter(|(_, it)| it.fits_len(&name, head, data.len() as u64));
    matches.max_by_key(|(found, _)| *found).map(|it| it.1)
}

/// The report on a file in a folder of its own; `None` if it is none of ours.
fn report_on(name: &str, data: &[u8]) -> Option<Report> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, data).unwrap();
    Some(report_of(format_of(name, data)?, &path))
}

fn report_of(format: &dyn AnyFormat, path: &Path) -> Report {
    let data = fs::read(path).unwrap();
    let mut report = Report::new(path, Scope::File, format.name());
    let input = Input {
        path,
        data: &data,
        depth: Depth::Contents,
    };
    if let Err(error) = format.inspect(&input, &mut report) {
        report.refuse(&error);
    }
    report
}

fn fact<'a>(report: &'a Report, name: &str) -> &'a str {
    let fact = report.facts.iter().find(|(known, _)| *known == name);
    fact.map_or("", |(_, value)| value)
}

fn facts(report: &Report) -> String {
    let facts = report.facts.iter();
    let facts = facts.map(|(name, value)| format!("{name} {value}"));
    facts.collect::<Vec<_>>().join(", ")
}

#[test]
fn each_format_has_a_name_of_its_own() {
    let mut names: Vec<_> = FORMATS.formats.iter().map(|it| it.name()).collect();
    assert_eq!(names.len(), 17);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 17);
}

#[test]
fn files_are_known_by_mark_or_name() {
    let reg = Reg::default().write().unwrap();
    let adb = Adb::default().write().unwrap();
    let sector = &TestZone::new().sectors[&[1, 0]].write().unwrap();
    let header = TestZone::new().mp.write().unwrap();
    let rows = [
        ("zone.mpr", archive(&[]), Some("zone")),
        ("zone.mpr", b"RES".to_vec(), Some("zone")),
        ("quest.mq", archive(&[]), Some("res")),
        ("anything", archive(&[]), Some("res")),
        ("lightsgipat.bon", archive(&[]), Some("res")),
        ("music.bin", reg, Some("reg")),
        ("unmosu.adb", adb, Some("adb")),
        ("broken.adb", vec![0; 44], None),
        ("Intro.CAM", vec![0; 36], Some("cam")),
        ("intro.cam", archive(&[]), Some("res")),
        ("levers.ldb", levers(), Some("db")),
        ("levers.pdb", levers(), Some("db")),
        ("broken.udb", vec![0, 0xFE], Some("db")),
        ("program.pdb", b"Microsoft C/C++ MSF 7.00".to_vec(), None),
        ("cache.sdb", vec![0, 0xFE], None),
        ("thumbs.db", vec![0, 0xFE], None),
        ("a.mp", header.clone(), Some("mp")),
        ("a.bin", header, None),
        ("saved.mp", b"a character".to_vec(), None),
        ("any", sector.clone(), Some("sec")),
        ("a.mob", sector.clone(), Some("sec")),
        ("lights.ini", sector.clone(), Some("sec")),
        ("Zone1.MOB", map(), Some("mob")),
        ("a.mob", archive(&[]), Some("mob")),
        ("LightsGipat.ini", b"".to_vec(), Some("lights_config")),
        ("settings.ini", b"[a]".to_vec(), None),
        ("Movie.ini", b"[Start]".to_vec(), Some("ini_text")),
        ("quest.ini", b"".to_vec(), Some("ini_text")),
        ("any", texture(), Some("mmp")),
        ("a.mmp", b"x".to_vec(), Some("mmp")),
        ("a.mmp", mesh(), Some("fig")),
        ("any", mesh(), Some("fig")),
        ("hp.txt", b"FIG".to_vec(), None),
        ("a.LNK", Vec::new(), Some("lnk")),
        ("a.bon", Vec::new(), Some("bon")),
        ("a.anm", Vec::new(), Some("anm")),
        ("bon", Vec::new(), None),
    ];
    for (name, data, expected) in rows {
        let found = format_of(name, &data).map(AnyFormat::name);
        assert_eq!(found, expected, "{name}");
    }
}

/// Whatever a file is, no format panics at it, and none that takes it loses a byte.
#[test]
fn every_format_survives_the_files_of_all_others() {
    let zone = TestZone::new();
    let samples = [
        archive(&[("mesh", b"FIG8"), ("a", b"")]),
        Reg::from_ini(b"[a]\nb=1\nc=x\n").unwrap().write().unwrap(),
        one_animation().write().unwrap(),
        hex_record(),
        levers(),
        texture(),
        mesh(),
        map(),
        zone.mp.write().unwrap(),
        b"[sky]\r\ntime00=1,2,3\r\n".to_vec(),
    ];
    for format in FORMATS.formats {
        format.exercise(&[]);
        format.exercise(&zone.sectors[&[1, 0]].write().unwrap());
        for sample in &samples {
            format.exercise(sample);
            for seed in 0..100 {
                format.exercise(&mutant(sample, seed));
            }
        }
    }
}

#[test]
fn files_of_figures_show_their_facts() {
    let lnk = Lnk::draft(&[(b"hp".to_vec(), None)])
        .unwrap()
        .write()
        .unwrap();
    let anm = Anm::draft(vec![[1.0, 0.0, 0.0, 0.0]; 2], Vec::new(), &[]).unwrap();
    let rows = [
        (
            "any",
            texture(),
            "size 4 x 2, format 4444, levels 3, rows BottomUp",
        ),
        (
            "any",
            mesh(),
            "states 8, vertices 4, components 3, triangles 1, moving vertices 3, group 18, texture 1",
        ),
        ("a.LNK", lnk, "parts hp"),
        ("hp.bon", vec![0; 96], "states 8"),
        (
            "hp.anm",
            anm.write().unwrap(),
            "frames 2, frames of moving vertices 0, moving vertices 0",
        ),
    ];
    for (name, data, reported) in rows {
        let report = report_on(name, &data).unwrap();
        assert_eq!(facts(&report), reported, "{name}");
        assert_eq!(report.findings, [], "{name}");
    }
}

#[test]
fn broken_files_are_reported_and_read_as_far_as_they_go() {
    for (name, mut data) in [
        ("t.mmp", texture()),
        ("m.fig", mesh()),
        ("b.bon", vec![0; 96]),
    ] {
        data.push(0);
        let report = report_on(name, &data).unwrap();
        assert!(!report.facts.is_empty(), "{name}: {}", facts(&report));
        assert_eq!(report.worst(), Some(Severity::Error), "{name}");
        let report = report_on(name, &data[..5]).unwrap();
        assert!(!report.findings.is_empty(), "{name}");
    }
}

/// What the tolerant reader accepts is reported by the check alone, where that reports all that was waived.
#[test]
fn what_a_check_reports_is_not_reported_twice() {
    let mut adb = one_animation().write().unwrap();
    adb.push(7);
    let mut reg = Reg::default().write().unwrap();
    reg.push(7);
    let mut header = TestZone::new().mp.write().unwrap();
    header.push(7);
    for (name, data) in [
        ("a.adb", adb),
        ("a.reg", reg),
        ("a.mp", header),
        ("a.cam", [hex_record(), vec![7]].concat()),
    ] {
        let report = report_on(name, &data).unwrap();
        let n_after = (report.findings.iter())
            .filter(|it| {
                it.message.contains("after the last") || it.message.contains("bytes of none")
            })
            .count();
        assert_eq!(n_after, 1, "{name}: {:?}", report.findings);
        assert_eq!(report.worst(), Some(Severity::Warning), "{name}");
    }
}

/// A record of a camera path, unturned.
fn hex_record() -> Vec<u8> {
    let mut record = vec![0; 36];
    record[22..24].copy_from_slice(&[0x80, 0x3F]);
    record
}

#[test]
fn files_of_settings_and_tables_show_their_facts() {
    let reg = Reg::from_ini(b"[a]\nb=1\nc=2\n").unwrap().write().unwrap();
    assert_eq!(
        facts(&report_on("a.reg", &reg).unwrap()),
        "sections 1, keys 2"
    );
    let report = report_on("levers.ldb", &levers()).unwrap();
    assert_eq!(facts(&report), "database levers, lever prototypes 0");
    assert_eq!(report.worst(), None);
    let report = report_on("a.cam", &[0; 72]).unwrap();
    assert_eq!(facts(&report), "records 2, times 0 to 0");
    assert_eq!(report.worst(), Some(Severity::Error), "no rotation");
    let report = report_on("a.adb", &one_animation().write().unwrap()).unwrap();
    let reported = "unit , animations 1, heights 0 0 0";
    assert!(facts(&report).starts_with(reported), "{}", facts(&report));
}

#[test]
fn maps_are_described_by_what_they_place() {
    let report = report_on("Zone1.MOB", &map()).unwrap();
    assert_eq!(report.worst(), None);
    let rows = [
        ("role", "quest map"),
        ("objects", "1"),
        ("units", "0"),
        ("sounds", "2"),
        ("script lines", "4"),
        ("global variables", "1"),
        ("range of numbers", "1 to 9"),
    ];
    for (name, value) in rows {
        assert_eq!(fact(&report, name), value, "{name}");
    }
}

#[test]
fn a_damaged_map_has_facts_and_repairs() {
    let mut data = map();
    data.extend([1, 2, 3]);
    let report = report_on("zone.mob", &data).unwrap();
    assert_eq!(fact(&report, "objects"), "1");
    assert_eq!(report.worst(), Some(Severity::Error));
    let none = report_on("zone.mob", b"").unwrap();
    assert_eq!(none.findings[0].format, "mob");
}

#[test]
fn the_light_of_a_region_reports_how_many_hours_it_has() {
    let report = report_on("LightsGipat.ini", b"[sky]\r\ntime00=1,2,3\r\n").unwrap();
    let reported = "sky 1 of 24 hours, ambient 0 of 24 hours, sunlight 0 of 24 hours";
    assert_eq!(facts(&report), reported);
    assert_eq!(report.worst(), Some(Severity::Warning));
}

#[test]
fn headers_and_sectors_show_their_facts() {
    let zone = TestZone::new();
    let header = report_on("a.mp", &zone.mp.write().unwrap()).unwrap();
    assert_eq!(header.worst(), None);
    assert_eq!(fact(&header, "materials of liquids"), "1");
    let wet = zone.sectors[&[1, 0]].write().unwrap();
    let sector = report_on("a.sec", &wet).unwrap();
    assert_eq!(sector.worst(), None);
    assert_eq!(fact(&sector, "liquids"), "1 tiles");
    assert_eq!(fact(&sector, "atlases"), "0, 1");
    let cut = report_on("cut.sec", &wet[..1000]).unwrap();
    assert_eq!(cut.worst(), Some(Severity::Error));
}

#[test]
fn a_zone_is_reported_with_what_its_files_say_of_each_other() {
    let root = tempfile::tempdir().unwrap();
    let mut zone = TestZone::new();
    let path = zone.write(root.path());
    let format = format_of("zone9.mpr", b"").unwrap();
    let report = report_of(format, &path);
    assert_eq!(report.worst(), None);
    assert_eq!(fact(&report, "sectors"), "2 x 2");
    assert_eq!(fact(&report, "liquid tiles"), "1");
    assert_eq!(fact(&report, "light"), "none");
    let rows = report.entries.iter();
    let rows: Vec<_> = rows
        .map(|row| (&*row.name, &*row.type_name, row.size))
        .collect();
    assert_eq!(rows[0].0, "zone9.mp");
    assert_eq!(rows[1], ("zone9000000.sec", "sec", 9229));
    assert_eq!(rows.len(), 5);
    let opened = format.open_archive(&path, ArchiveOptions::default());
    assert_eq!(opened.unwrap().unwrap().entries().len(), 5);

    zone.sectors.remove(&[1, 1]);
    let path = zone.write(root.path());
    assert_eq!(report_of(format, &path).worst(), Some(Severity::Error));
    fs::write(&path, b"RES").unwrap();
    let report = report_of(format, &path);
    assert!(report.is_refused);
    let opened = format.open_archive(&path, ArchiveOptions::default());
    let error = opened.unwrap().unwrap_err();
    assert!(matches!(error, ArchiveError::Unknown { .. }), "{error}");
}

#[test]
fn an_archive_opens_with_or_without_those_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, data: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, data).unwrap();
        path
    };
    let open = |path: &Path, nested: bool| {
        let opened = ResArchive::open_archive(path, ArchiveOptions { nested });
        opened.unwrap()
    };
    let model = archive(&[("mesh", b"FIG8")]);
    let figures = archive(&[("a.mod", &model), ("s\\b", &[1])]);
    let figures = put("figures.res", &figures);
    let closed = open(&figures, false).unwrap();
    let paths = closed.entries().iter().map(|it| it.path.as_deref());
    assert_eq!(paths.collect::<Vec<_>>(), [Ok("a.mod"), Ok("s/b")]);
    assert_eq!(closed.unpack(0).unwrap(), model);
    let opened = open(&figures, true).unwrap();
    let paths = opened.entries().iter().map(|it| it.path.as_deref());
    assert_eq!(paths.collect::<Vec<_>>(), [Ok("a.mod/mesh.fig"), Ok("s/b")]);
    assert_eq!(opened.entries()[0].name, "a.mod/mesh");
    assert_eq!(opened.unpack(0).unwrap(), b"FIG8");
    let alone = open(&put("a.mod", &model), false).unwrap();
    assert_eq!(alone.entries()[0].path.as_deref(), Ok("mesh.fig"));
    let broken = open(&put("b.res", &crate::res::MAGIC), false).unwrap_err();
    assert!(matches!(broken, ArchiveError::Format { .. }), "{broken}");
}

#[test]
fn entries_that_share_their_bytes_come_out_within_one_budget() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = ResArchive::draft(Vec::new(), NamesOrder::Insertion);
    let data = ResData::from(vec![7; 4 << 20]);
    let name = |number: u32| format!("file {number}").into_bytes();
    let entries = (0..2500).map(|number| ResEntry::new(name(number), data.clone()));
    archive.entries.extend(entries);
    let file = archive.write().unwrap();
    let n_file = file.len();
    assert!(n_file < 5 << 20, "{n_file} bytes");
    let path = folder.path().join("a.res");
    fs::write(&path, &file).unwrap();
    let archive = ResArchive::open_archive(&path, ArchiveOptions::default());
    let archive = archive.unwrap().unwrap();
    let unpacked = (0..archive.entries().len()).map(|index| archive.unpack(index));
    let (sound, refused): (Vec<_>, Vec<_>) = unpacked
        .map(|bytes| bytes.map(|bytes| bytes.len()))
        .partition(Result::is_ok);
    let n_bytes: usize = sound.into_iter().flatten().sum();
    assert!(n_bytes <= n_file * 64, "{n_bytes} bytes of {n_file}");
    let error = refused[0].as_ref().unwrap_err().to_string();
    assert!(
        error.contains("byte 0x10, data: unpacking 4194304 bytes"),
        "{error}"
    );
}

#[test]
fn an_entry_is_reported_alone() {
    let inner = archive(&[("mesh", b"FIG8")]);
    let data = archive(&[("light.mod", &inner), ("b", b"")]);
    let input = Input {
        path: Path::new("a.res"),
        data: &data,
        depth: Depth::Contents,
    };
    let inspect = |name: &str| {
        let mut report = Report::new(&input.path.join(name), Scope::Entry, "entry");
        let lookup = ResArchive::inspect_entry(&input, name, &mut report).unwrap();
        (report, lookup)
    };
    let (report, lookup) = inspect("LIGHT.mod");
    assert_eq!(lookup, EntryLookup::Found);
    assert_eq!(report.entries.len(), 1);
    assert_eq!(report.entries[0].name, "mesh");
    assert_eq!(fact(&report, "bytes"), inner.len().to_string());
    // The archive in it lies at 16, and its data again.
    assert_eq!(report.entries[0].offset, 32);
    let (alone, _) = inspect("b");
    assert_eq!(alone.entries[0].name, "b");
    let (_, lookup) = inspect("light.mo");
    let names = vec!["light.mod".to_owned(), "b".to_owned()];
    assert_eq!(lookup, EntryLookup::Missing { names });
}

#[test]
fn conversions_bring_back_what_they_promise() {
    let reg = Reg::from_ini(b"[a]\nb=1\nc=2\n").unwrap().write().unwrap();
    let rows = [
        ("a.reg", reg, vec!["ini"]),
        ("a.ldb", levers(), vec!["json", "csv"]),
        ("a.mob", map(), vec!["json"]),
        ("a.cam", hex_record(), vec!["json"]),
        ("a.mmp", texture(), vec!["png", "dds"]),
    ];
    let options = ConversionOptions::default();
    let mut n_converted = 0;
    for (name, data, extensions) in rows {
        let format = format_of(name, &data).unwrap();
        let conversions = format.conversions();
        let reported: Vec<_> = conversions.iter().map(|it| it.extension).collect();
        assert_eq!(reported, extensions, "{name}");
        for conversion in conversions {
            let folder = tempfile::tempdir().unwrap();
            let interchange = folder.path().join("a").with_extension(conversion.extension);
            let request = ConversionRequest {
                file: Path::new(name),
                interchange: &interchange,
                options: &options,
            };
            let exported = (conversion.export.unwrap())(&data, &request).unwrap();
            assert_eq!(exported.findings, [], "{name}");
            let (path, bytes) = &exported.files[0];
            assert_eq!(path, &interchange, "{name}");
            fs::write(path, bytes).unwrap();
            let again = conversion.import.unwrap()(bytes, &request).unwrap();
            if conversion.fidelity == Fidelity::SameBytes {
                assert_eq!(again, data, "{name} by {}", conversion.extension);
            }
            let report = report_on(name, &again).unwrap();
            assert_eq!(report.findings, [], "{name} by {}", conversion.extension);
            n_converted += 1;
        }
    }
    let all = FORMATS.formats.iter().map(|it| it.conversions().len());
    assert_eq!(n_converted, all.sum::<usize>());
}

#[test]
fn a_picture_is_stored_as_the_user_says() {
    let [png, _] = Mmp::conversions() else {
        panic!("pictures and DDS files");
    };
    let options = |pixel_format: &str| ConversionOptions {
        pixel_format: Some(pixel_format.to_owned()),
        is_single_level: true,
        ..ConversionOptions::default()
    };
    let import = |data: &[u8], options: &ConversionOptions| {
        let request = ConversionRequest {
            file: Path::new("a.mmp"),
            interchange: Path::new("a.png"),
            options,
        };
        png.import.unwrap()(data, &request)
    };
    let request = ConversionRequest {
        file: Path::new("a.mmp"),
        interchange: Path::new("a.png"),
        options: &ConversionOptions::default(),
    };
    let exported = (png.export.unwrap())(&texture(), &request).unwrap();
    let picture = &exported.files[0].1;
    let rows = [
        ("dxt1", MmpFormat::Dxt1),
        ("dxt3", MmpFormat::Dxt3),
        ("pnt3", MmpFormat::Pnt3),
        ("565", MmpFormat::Rgb565),
        ("1555", MmpFormat::Argb1555),
        ("4444", MmpFormat::Argb4444),
        ("8888", MmpFormat::Argb8888),
    ];
    for (name, format) in rows {
        let mmp = Mmp::read(&import(picture, &options(name)).unwrap()).unwrap();
        assert_eq!((mmp.format, mmp.levels.len()), (format, 1), "{name}");
    }
    let mmp = import(picture, &ConversionOptions::default()).unwrap();
    let mmp = Mmp::read(&mmp).unwrap();
    assert_eq!((mmp.format, mmp.levels.len()), (MmpFormat::Dxt1, 3));
    let error = import(picture, &options("888")).unwrap_err().to_string();
    assert!(error.contains("4444, 8888"), "{error}");
    let error = import(b"no picture", &options("565")).unwrap_err();
    assert!(error.to_string().starts_with("the picture: "), "{error}");
}

/// Rows of blocks cannot be turned over where the last of them reaches over the edge: the check says so.
#[test]
fn what_has_no_dds_file_is_reported_by_the_check() {
    let [_, dds] = Mmp::conversions() else {
        panic!("pictures and DDS files");
    };
    let request = ConversionRequest {
        file: Path::new("a.mmp"),
        interchange: Path::new("a.dds"),
        options: &ConversionOptions::default(),
    };
    for height in 1..40 {
        for format in [MmpFormat::Dxt1, MmpFormat::Rgb565] {
            let draft = MmpDraft {
                width: 4,
                height,
                format,
                mips: MipChain::Full,
                rgba: &[255].repeat(16 * height as usize),
                rows: PixelRows::Upright,
            };
            let mmp = Mmp::encode(&draft).unwrap();
            let reported = mmp.check();
            let exported = (dds.export.unwrap())(&mmp.write().unwrap(), &request);
            assert_eq!(
                exported.is_ok(),
                reported.is_empty(),
                "{height}: {reported:?}"
            );
            let is_note =
                |it: &&Finding| it.severity == Severity::Note && it.message.contains("DDS");
            assert_eq!(reported.iter().filter(is_note).count(), reported.len());
        }
    }
}
