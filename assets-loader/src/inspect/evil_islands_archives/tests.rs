use std::fs;

use super::*;
use crate::bytes::Severity;
use crate::evil_islands::res::NamesOrder;
use crate::inspect::inspect;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files = files.iter();
    let files = files.map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    let archive = ResArchive::draft(files.collect(), NamesOrder::Insertion);
    archive.write().unwrap()
}

fn report_on(name: &str, data: &[u8]) -> Option<Report> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, data).unwrap();
    inspect(&path).unwrap().reports.into_iter().next()
}

fn fact(report: &Report, name: &str) -> String {
    let found = report.facts.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("{report:#?}")).1.clone()
}

fn levers() -> Vec<u8> {
    Db::draft(DbKind::Levers, vec![Vec::new()]).write().unwrap()
}

#[test]
fn files_are_known_by_mark_or_name() {
    let reg = Reg::default().write().unwrap();
    let adb = Adb::default().write().unwrap();
    let rows = [
        ("zone.mpr", archive(&[]), Some(Kind::Zone)),
        ("quest.mq", archive(&[]), Some(Kind::Res)),
        ("anything", archive(&[]), Some(Kind::Res)),
        ("music.bin", reg, Some(Kind::Reg)),
        ("unmosu.adb", adb, Some(Kind::Adb)),
        ("Intro.CAM", vec![0; 36], Some(Kind::Cam)),
        ("levers.ldb", levers(), Some(Kind::Db)),
        ("levers.pdb", levers(), Some(Kind::Db)),
        ("broken.udb", vec![0, 0xFE], Some(Kind::Db)),
        ("program.pdb", b"Microsoft C/C++ MSF 7.00".to_vec(), None),
        ("cache.sdb", vec![0, 0xFE], None),
    ];
    for (name, data, kind) in rows {
        assert_eq!(report_on(name, &data).map(|it| it.kind), kind, "{name}");
    }
}

#[test]
fn an_archive_tells_of_what_is_in_it() {
    let model = archive(&[("mesh", b"FIG8"), ("light", b"links")]);
    let mut cut = hex_adb();
    cut.truncate(60);
    let data = archive(&[
        ("light.mod", &model),
        ("unit.adb", &cut),
        ("a.mmp", b"x"),
        ("levers.ldb", &levers()),
    ]);
    let report = report_on("figures.res", &data).unwrap();
    assert_eq!(fact(&report, "entries"), "4");
    assert_eq!(fact(&report, "archives in it"), "1");
    let details: Vec<_> = report
        .entries
        .iter()
        .map(|row| (&*row.type_name, &*row.detail))
        .collect();
    let expected = [
        ("res", "mesh light"),
        ("adb", "0 animations"),
        ("mmp", ""),
        ("db", "1 tables, 0 records"),
    ];
    assert_eq!(details, expected);
    let warning = report
        .findings
        .iter()
        .find(|it| it.message.contains("1 animations are promised"));
    let warning = warning.unwrap_or_else(|| panic!("{:#?}", report.findings));
    assert_eq!(warning.severity, Severity::Warning);
    assert!(warning.message.starts_with("entry \"unit.adb\": "));
    assert_eq!(warning.offset, Some(report.entries[1].offset + 4));
}

/// An animation table that promises one animation.
fn hex_adb() -> Vec<u8> {
    let mut table = Adb::draft([0; 24], [0.0; 3], vec![adb::AdbAnimation::default()]);
    table.animations[0].hit_frame = 1;
    table.write().unwrap()
}

#[test]
fn an_entry_is_told_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.res");
    let inner = archive(&[("mesh", b"FIG8")]);
    fs::write(&path, archive(&[("light.mod", &inner), ("b", b"")])).unwrap();
    let inspection = inspect(&path.join("LIGHT.mod")).unwrap();
    let report = &inspection.reports[0];
    assert_eq!(report.kind, Kind::Entry);
    assert_eq!(report.entries.len(), 1);
    assert_eq!(report.entries[0].name, "mesh");
    // The archive in it lies at 16, and its data again.
    assert_eq!(report.entries[0].offset, 32);
    let alone = inspect(&path.join("b")).unwrap();
    assert_eq!(alone.reports[0].entries[0].name, "b");
    let error = inspect(&path.join("light.mo")).unwrap_err().to_string();
    assert!(error.contains("light.mod"), "{error}");
}

#[test]
fn single_files_tell_their_facts() {
    let reg = Reg::from_ini(b"[a]\nb=1\nc=2\n").unwrap().write().unwrap();
    let report = report_on("a.reg", &reg).unwrap();
    assert_eq!(
        (fact(&report, "sections"), fact(&report, "keys")),
        ("1".to_owned(), "2".to_owned())
    );
    let report = report_on("levers.ldb", &levers()).unwrap();
    assert_eq!(fact(&report, "database"), "levers");
    assert_eq!(fact(&report, "lever prototypes"), "0");
    assert_eq!(report.worst(), None);
    let report = report_on("a.cam", &[0; 72]).unwrap();
    assert_eq!(fact(&report, "records"), "2");
    assert_eq!(fact(&report, "times"), "0 to 0");
    assert_eq!(report.worst(), Some(Severity::Error), "no rotation");
    let report = report_on("a.adb", &hex_adb()).unwrap();
    assert_eq!(fact(&report, "animations"), "1");
}

/// Archives that share their bytes are looked into once: a few of them in each other ask for any number of looks.
#[test]
fn archives_in_archives_take_time_in_proportion() {
    let mut data = archive(&[("x", b"y")]);
    for _ in 0..MAX_DEPTH {
        let names: Vec<String> = (0..60).map(|index| format!("{index}.mod")).collect();
        let files = names
            .iter()
            .map(|name| (name.as_bytes().to_vec(), data.clone()));
        let mut shared = ResArchive::draft(files.collect(), NamesOrder::Insertion);
        shared.share_equal_data();
        data = shared.write().unwrap();
    }
    // 60 to the power of 8 looks would take years.
    let report = report_on("bomb.res", &data).unwrap();
    assert_eq!(report.entries.len(), 60);
}

#[test]
fn bytes_that_entries_share_are_looked_into_once_for_each_kind() {
    let mut archive = ResArchive::draft(Vec::new(), NamesOrder::Insertion);
    let data = res::ResData::from(levers());
    for number in 0..1000 {
        for ending in ["ldb", "txt"] {
            let name = format!("{number}.{ending}").into_bytes();
            archive.entries.push(ResEntry::new(name, data.clone()));
        }
    }
    let archive = ResArchive::read(&archive.write().unwrap()).unwrap();
    let looks = with_looks(&archive, 0, None).into_iter();
    let inside = looks.filter(|(_, look)| look.depth.is_some());
    let names = inside.map(|(entry, _)| entry.name_text().into_owned());
    assert_eq!(names.count(), 2);
}
