use std::fs;

use super::*;
use crate::bytes::Severity;
use crate::evil_islands::fig::FigDraft;
use crate::evil_islands::mmp::{MipChain, MmpDraft, MmpFormat, PixelRows};
use crate::evil_islands::res::{NamesOrder, ResArchive};
use crate::inspect::inspect;

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
    let draft = FigDraft::of_vertices(&vec![corners; 8], &up, &[[0.0; 2]; 3], vec![[0, 1, 2]]);
    Fig::draft(&draft).unwrap().write().unwrap()
}

fn report_on(name: &str, data: &[u8]) -> Option<Report> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, data).unwrap();
    inspect(&path).unwrap().reports.into_iter().next()
}

fn facts(report: &Report) -> String {
    let facts = report
        .facts
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    facts.collect::<Vec<_>>().join(", ")
}

#[test]
fn files_are_known_by_mark_or_name() {
    let lnk = Lnk::draft(&[(b"hp".to_vec(), None)])
        .unwrap()
        .write()
        .unwrap();
    let anm = Anm::draft(vec![[1.0, 0.0, 0.0, 0.0]; 2], Vec::new(), &[]).unwrap();
    let rows = [
        (
            "any",
            texture(),
            Kind::Mmp,
            "bytes 97, size 4 x 2, format 4444, levels 3, rows BottomUp",
        ),
        (
            "any",
            mesh(),
            Kind::Fig,
            "bytes 966, states 8, vertices 4, components 3, triangles 1, moving vertices 3, group 18, texture 1",
        ),
        ("a.LNK", lnk, Kind::Lnk, "bytes 15, parts hp"),
        ("hp.bon", vec![0; 96], Kind::Bon, "bytes 96, states 8"),
        (
            "hp.anm",
            anm.write().unwrap(),
            Kind::Anm,
            "bytes 48, frames 2, frames of moving vertices 0, moving vertices 0",
        ),
    ];
    for (name, data, kind, told) in rows {
        let report = report_on(name, &data).unwrap();
        assert_eq!(report.kind, kind, "{name}");
        if kind != Kind::Mmp && kind != Kind::Fig {
            assert_eq!(facts(&report), told, "{name}");
        } else {
            let (_, told) = told.split_once(", ").unwrap();
            assert!(facts(&report).ends_with(told), "{}", facts(&report));
        }
        assert_eq!(report.findings, [], "{name}");
    }
    assert!(report_on("hp.txt", b"FIG").is_none());
}

#[test]
fn broken_files_are_told_and_read_as_far_as_they_go() {
    for (name, mut data) in [
        ("t.mmp", texture()),
        ("m.fig", mesh()),
        ("b.bon", vec![0; 96]),
    ] {
        data.push(0);
        let report = report_on(name, &data).unwrap();
        assert!(report.facts.len() > 1, "{name}: {}", facts(&report));
        assert!(
            report
                .findings
                .iter()
                .any(|it| it.severity == Severity::Error),
            "{name}"
        );
        let report = report_on(name, &data[..5]).unwrap();
        assert!(!report.findings.is_empty(), "{name}");
    }
}

#[test]
fn entries_of_archives_tell_what_they_hold() {
    let entries = [("wall.mmp", texture()), ("mesh", mesh())];
    let entries = entries.map(|(name, data)| (name.as_bytes().to_vec(), data));
    let archive = ResArchive::draft(entries.into(), NamesOrder::default());
    let report = report_on("any.res", &archive.write().unwrap()).unwrap();
    let rows: Vec<_> = report
        .entries
        .iter()
        .map(|row| (&*row.type_name, &*row.detail))
        .collect();
    let (texture, mesh) = (rows[0], rows[1]);
    assert_eq!(
        texture,
        ("mmp", "size 4 x 2, format 4444, levels 3, rows BottomUp")
    );
    assert_eq!(mesh.0, "fig");
    assert!(mesh.1.contains("triangles 1"), "{}", mesh.1);
}
