//! Files of the Source engine: what is looked into, and what is found there.

use std::fs;

use super::*;
use crate::source::studio_model::tests::sample_files;

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
    let kinds: Vec<_> = inspection.reports.iter().map(|it| it.kind).collect();
    let expected = [
        Kind::Mdl,
        Kind::Ani,
        Kind::Vtx,
        Kind::Phy,
        Kind::Vvd,
        Kind::Vhv,
    ];
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
