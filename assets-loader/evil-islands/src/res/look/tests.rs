use super::*;
use crate::adb::AdbAnimation;
use crate::db::DbKind;
use crate::fig::FigDraft;
use crate::res::{NamesOrder, ResData};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::format::Input;
use ironlands_assets_core::report::Depth;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files = files.iter();
    let files = files.map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    let archive = ResArchive::draft(files.collect(), NamesOrder::Insertion);
    archive.write().unwrap()
}

fn levers() -> Vec<u8> {
    Db::draft(DbKind::Levers, vec![Vec::new()]).write().unwrap()
}

fn report_on(name: &str, data: &[u8]) -> Report {
    let path = Path::new(name);
    let mut report = Report::new(path, Scope::File, ResArchive::NAME);
    let input = Input {
        path,
        data,
        depth: Depth::Contents,
    };
    ResArchive::inspect(&input, &mut report).unwrap();
    report
}

fn rows(report: &Report) -> Vec<(&str, &str)> {
    let rows = report.entries.iter();
    rows.map(|row| (&*row.type_name, &*row.detail)).collect()
}

#[test]
fn an_archive_reports_what_is_in_it() {
    let model = archive(&[("mesh", b"FIG8"), ("light", b"links")]);
    let animation = AdbAnimation {
        hit_frame: 1,
        ..AdbAnimation::default()
    };
    let adb = Adb::draft([0; 24], [0.0; 3], vec![animation]);
    let mut cut = adb.write().unwrap();
    cut.truncate(60);
    let data = archive(&[
        ("light.mod", &model),
        ("unit.adb", &cut),
        ("a.mmp", b"x"),
        ("levers.ldb", &levers()),
    ]);
    let report = report_on("figures.res", &data);
    let facts = [
        ("entries", "4".to_owned()),
        ("archives in it", "1".to_owned()),
        ("names in order of", "Insertion".to_owned()),
    ];
    assert_eq!(report.facts, facts);
    let expected = [
        ("res", "mesh light"),
        ("adb", "0 animations"),
        ("mmp", ""),
        ("db", "1 tables, 0 records"),
    ];
    assert_eq!(rows(&report), expected);
    let is_promise = |it: &&Finding| it.message.contains("1 animations are promised");
    let warning = report.findings.iter().find(is_promise);
    let warning = warning.unwrap_or_else(|| panic!("{:#?}", report.findings));
    assert_eq!(warning.severity, Severity::Warning);
    assert!(warning.message.starts_with("entry \"unit.adb\": "));
    assert_eq!(warning.offset, Some(report.entries[1].offset + 4));
}

#[test]
fn parts_of_figures_are_known_by_their_archive() {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let up = [[0.0, 0.0, 1.0]; 3];
    let draft = FigDraft::from_vertices(&vec![corners; 8], &up, &[[0.0; 2]; 3], vec![[0, 1, 2]]);
    let mesh = Fig::draft(&draft).unwrap().write().unwrap();
    let data = archive(&[("hp", &[0; 96]), ("mesh", &mesh), ("a.txt", &[0; 96])]);
    let report = report_on("unit.bon", &data);
    let [part, mesh, text] = rows(&report).try_into().unwrap();
    assert_eq!(part, ("bon", "states 8"));
    assert_eq!(mesh.0, "fig");
    assert!(mesh.1.contains("triangles 1"), "{}", mesh.1);
    assert_eq!(text, ("txt", ""));
    assert_eq!(rows(&report_on("unit.res", &data))[0], ("", ""));
}

#[test]
fn names_that_no_file_can_have_are_reported() {
    let report = report_on("a.res", &archive(&[("..\\up", b"")]));
    assert_eq!(report.findings.len(), 1);
    assert!(report.findings[0].message.contains("path policy"));
    assert_eq!(report.worst(), Some(Severity::Error));
}

/// Archives that share their bytes are looked into once: a few of them in each other would otherwise take any amount of work.
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
    assert_eq!(report_on("bomb.res", &data).entries.len(), 60);
}

#[test]
fn bytes_that_entries_share_are_looked_into_once_for_each_kind() {
    let mut archive = ResArchive::draft(Vec::new(), NamesOrder::Insertion);
    let data = ResData::from(levers());
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
