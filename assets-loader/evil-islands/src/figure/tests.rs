use std::fs;

use super::*;
use crate::adb::AdbAnimation;
use crate::fig::FigDraft;
use crate::res::{NamesOrder, ResArchive};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::assert_survives_mutations;

/// A triangle, twice as large in the states of height.
fn mesh() -> Fig {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let state = |state| {
        corners
            .map(|corner| corner.map(|v| if state < 4 { v } else { 2.0 * v }))
            .to_vec()
    };
    let states: Vec<_> = (0..8).map(state).collect();
    let draft = FigDraft::from_vertices(
        &states,
        &[[0.0, 0.0, 1.0]; 3],
        &[[0.0, 0.0]; 3],
        vec![[0, 1, 2]],
    );
    Fig::draft(&draft).unwrap()
}

fn offset(z: f32) -> Bon {
    Bon {
        offsets: (0..8)
            .map(|state| [0.0, 0.0, if state < 4 { z } else { 2.0 * z }])
            .collect(),
        tail: Vec::new(),
    }
}

fn turn(n_frames: usize) -> Anm {
    Anm::draft(
        vec![[1.0, 0.0, 0.0, 0.0]; n_frames],
        vec![[0.0; 3]; n_frames],
        &[],
    )
    .unwrap()
}

fn part(name: &str, parent: Option<u32>, z: f32) -> FigurePart {
    FigurePart {
        name: name.to_owned(),
        parent,
        fig: Some(mesh()),
        bon: Some(offset(z)),
    }
}

fn human() -> Figure {
    let animation = |name: &str, parts| FigureAnimation {
        name: name.to_owned(),
        parts,
    };
    Figure {
        name: "unhuma".to_owned(),
        parts: vec![
            part("hp", None, 1.0),
            part("bd", Some(0), 0.5),
            part("hd", Some(1), 0.25),
            part("hd.armor01", Some(2), 0.0),
            part("ll1", Some(0), -0.5),
        ],
        animations: vec![
            animation(
                "cidle",
                vec![Some(turn(3)), None, Some(turn(3)), None, None],
            ),
            animation("udeath06", vec![Some(turn(2)), None, None, None, None]),
        ],
        adb: None,
        findings: Vec::new(),
    }
}

fn table() -> Adb {
    Adb::draft([b'u'; 24], [0.5, 1.0, 2.0], vec![AdbAnimation::default()])
}

struct Files {
    model: Vec<u8>,
    bon: Vec<u8>,
    anm: Vec<u8>,
}

fn files(figure: &Figure) -> Files {
    Files {
        model: figure.write_mod().unwrap(),
        bon: figure.write_bon().unwrap(),
        anm: figure.write_anm().unwrap().unwrap(),
    }
}

fn messages(figure: &Figure) -> Vec<&str> {
    figure
        .findings
        .iter()
        .map(|it| it.message.as_str())
        .collect()
}

/// Archives whose entries are the given ones.
fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries = entries
        .iter()
        .map(|(name, data)| (name.as_bytes().to_vec(), data.clone()));
    ResArchive::draft(entries.collect(), NamesOrder::default())
        .write()
        .unwrap()
}

#[test]
fn what_is_written_is_read() {
    let figure = human();
    let Files { model, bon, anm } = files(&figure);
    let read = Figure::read("unhuma", &model, &bon, Some(&anm), None).unwrap();
    assert_eq!(read, figure);
    let tree = ResArchive::read(&model).unwrap();
    assert_eq!(
        tree.entries[0].name, b"unhuma",
        "the tree is called as the model is"
    );
    let without = Figure {
        animations: Vec::new(),
        ..figure
    };
    assert_eq!(without.write_anm(), Ok(None));
}

#[test]
fn parts_stand_at_the_sums_of_their_offsets() {
    let figure = human();
    let heights = |height| -> Vec<f32> {
        let places = figure.rest_positions([0.5, 0.5, height]);
        places.into_iter().map(|[_, _, z]| z).collect()
    };
    assert_eq!(heights(0.0), [1.0, 1.5, 1.75, 1.75, 0.5]);
    assert_eq!(heights(1.0), [2.0, 3.0, 3.5, 3.5, 1.0]);
    assert_eq!(figure.part("HD.Armor01"), Some(3));
    assert_eq!(figure.part("rh1"), None);
    assert_eq!(figure.animations[0].n_frames(), 3);
}

#[test]
fn names_meet_in_any_case_and_parents_come_first() {
    let fig = mesh().write().unwrap();
    let lnk = crate::lnk::Lnk::draft(&[(b"HP".to_vec(), None), (b"Bd".to_vec(), Some(0))]);
    let lnk = lnk.unwrap();
    let mut backward = lnk.clone();
    backward.links.reverse();
    let model = archive(&[
        ("bD", fig.clone()),
        ("UNHUMA", backward.write().unwrap()),
        ("hp", fig),
    ]);
    let bon = archive(&[
        ("BD", offset(1.0).write().unwrap()),
        ("hP", offset(2.0).write().unwrap()),
    ]);
    let figure = Figure::read("unhuma", &model, &bon, None, None).unwrap();
    let parts: Vec<_> = figure
        .parts
        .iter()
        .map(|it| (it.name.as_str(), it.parent))
        .collect();
    assert_eq!(parts, [("HP", None), ("Bd", Some(0))]);
    assert!(
        figure
            .parts
            .iter()
            .all(|it| it.fig.is_some() && it.bon.is_some())
    );
    assert_eq!(messages(&figure), [""; 0]);
}

#[test]
fn what_is_missing_is_reported_and_the_rest_stands() {
    let figure = human();
    let Files { model, bon, .. } = files(&figure);
    let strip = |bytes: &[u8], name: &[u8]| {
        let mut archive = ResArchive::read(bytes).unwrap();
        archive.remove(name).unwrap();
        archive.write().unwrap()
    };
    let read = Figure::read(
        "unhuma",
        &strip(&model, b"bd"),
        &strip(&bon, b"hd"),
        None,
        None,
    )
    .unwrap();
    assert_eq!(read.parts.len(), 5);
    assert_eq!(read.parts[1].fig, None, "an empty bone");
    assert_eq!(read.rest_positions([0.0; 3])[2], [0.0, 0.0, 1.5]);
    assert_eq!(
        messages(&read),
        ["part hd has no rest position; it stands where its parent does"]
    );
    let treeless = Figure::read("unhuma", &strip(&model, b"unhuma"), &[], None, None).unwrap();
    assert_eq!(treeless.parts.len(), 5);
    assert!(treeless.parts.iter().all(|part| part.parent.is_none()));
    assert!(messages(&treeless).iter().any(|it| it.contains("no tree")));
    assert!(
        messages(&treeless)
            .iter()
            .any(|it| it.contains("no rest positions"))
    );
    let renamed = Figure::read("other", &model, &bon, None, None).unwrap();
    assert_eq!(renamed.parts, figure.parts);
    assert_eq!(messages(&renamed), ["its tree is called unhuma"]);
    let nothing =
        Figure::read("x", &archive(&[]), &archive(&[]), Some(&archive(&[])), None).unwrap();
    assert!(nothing.parts.is_empty() && messages(&nothing).contains(&"it has no parts"));
}

#[test]
fn strays_are_reported() {
    let figure = human();
    let mut other = figure.clone();
    other.parts[4].name = "tail".to_owned();
    let (ours, theirs) = (files(&figure), files(&other));
    let read = Figure::read("unhuma", &ours.model, &theirs.bon, Some(&theirs.anm), None).unwrap();
    assert_eq!(
        messages(&read),
        [
            "rest position of tail: there is no such part",
            "part ll1 has no rest position; it stands where its parent does",
        ]
    );
    let mut moved = other;
    moved.animations[0].parts[4] = Some(turn(3));
    let read = Figure::read(
        "unhuma",
        &ours.model,
        &ours.bon,
        Some(&files(&moved).anm),
        None,
    )
    .unwrap();
    assert_eq!(
        messages(&read),
        ["animation cidle of tail: there is no such part"]
    );
}

#[test]
fn broken_parts_are_reported_and_left_out() {
    let lnk = crate::lnk::Lnk::draft(&[(b"hp".to_vec(), None)]).unwrap();
    let lnk = lnk.write().unwrap();
    let mut long = mesh().write().unwrap();
    long.push(0);
    let bon = archive(&[("hp", vec![0; 24])]);
    let of = |fig: Vec<u8>| {
        let model = archive(&[("m", lnk.clone()), ("hp", fig)]);
        Figure::read("m", &model, &bon, Some(b"no archive"), None).unwrap()
    };
    let kept = of(long);
    assert!(kept.parts[0].fig.is_some() && kept.parts[0].bon.is_some());
    let severities: Vec<_> = kept.findings.iter().map(|it| it.severity).collect();
    assert_eq!(
        severities,
        [Severity::Warning, Severity::Warning, Severity::Error]
    );
    let lost = of(b"FIG8 cut short".to_vec());
    assert_eq!(lost.parts[0].fig, None);
    assert_eq!(lost.findings[0].severity, Severity::Error);
    assert!(Figure::read("m", b"no archive", &bon, None, None).is_err());
    let mut cut = table().write().unwrap();
    cut.truncate(100);
    let model = archive(&[("m", lnk.clone())]);
    let figure = Figure::read("m", &model, &bon, None, Some(&cut)).unwrap();
    assert!(figure.adb.is_some_and(|it| it.animations.is_empty()));
    assert!(
        figure
            .findings
            .iter()
            .any(|it| it.message.contains("table of animations"))
    );
}

#[test]
fn models_without_one_root_are_not_written() {
    let mut figure = human();
    figure.parts[2].parent = None;
    assert_eq!(figure.write_mod().unwrap_err().field, "parent");
    figure.parts[2].parent = Some(9);
    assert_eq!(figure.write_mod().unwrap_err().field, "parent");
    figure.parts[2].parent = Some(1);
    figure.parts[4].name = "日".to_owned();
    assert_eq!(figure.write_bon().unwrap_err().field, "name");
}

#[test]
fn meshes_beside_the_tree_come_back_as_they_were() {
    let mut figure = human();
    figure.parts[4].parent = None;
    let Files { model, bon, anm } = files(&figure);
    let read = Figure::read("unhuma", &model, &bon, Some(&anm), None).unwrap();
    assert_eq!(
        messages(&read),
        ["part ll1 is not in the tree; it hangs on nothing"]
    );
    assert_eq!(read.parts, figure.parts);
    assert_eq!(files(&read).model, model);
}

#[test]
fn models_are_opened_wherever_they_lie() {
    let figure = human();
    let Files { model, bon, anm } = files(&figure);
    let game = tempfile::tempdir().unwrap();
    let loose = game.path().join("loose");
    let res = game.path().join("Res");
    fs::create_dir(&loose).unwrap();
    fs::create_dir(&res).unwrap();
    fs::write(loose.join("UnHuMa.MOD"), &model).unwrap();
    fs::write(loose.join("unhuma.bon"), &bon).unwrap();
    fs::write(loose.join("unhuma.anm"), &anm).unwrap();
    let members = [
        ("Unhuma.mod", model),
        ("Unhuma.bon", bon),
        ("unhuma.anm", anm),
    ];
    fs::write(res.join("figures.res"), archive(&members)).unwrap();
    fs::write(
        res.join("database.res"),
        archive(&[("unhuma.adb", table().write().unwrap())]),
    )
    .unwrap();
    let rows = [
        (loose.join("UnHuMa.MOD"), "UnHuMa"),
        (res.join("figures.res/unhuma.mod"), "unhuma"),
        (res.join("figures.res/UNHUMA"), "UNHUMA"),
        (game.path().join("unhuma"), "unhuma"),
    ];
    for (path, name) in rows {
        let opened = Figure::open(&path).unwrap();
        let expected = Figure {
            name: name.to_owned(),
            adb: Some(table()),
            ..figure.clone()
        };
        assert_eq!(opened, expected, "{}", path.display());
    }
    for path in [
        "nothing",
        "loose/nothing.mod",
        "Res/figures.res/nothing.mod",
    ] {
        let error = Figure::open(&game.path().join(path))
            .unwrap_err()
            .to_string();
        assert!(error.contains("nothing"), "{error}");
    }
    fs::write(loose.join("broken.mod"), b"RES?").unwrap();
    assert!(Figure::open(&loose.join("broken.mod")).is_err());
}

#[test]
fn mutations_never_panic() {
    let Files { model, bon, anm } = files(&human());
    assert_survives_mutations(&model, 400, 64, |data| {
        Figure::read("unhuma", data, &bon, Some(&anm), None).map(|it| drop(it.write_mod()))
    });
    assert_survives_mutations(&bon, 400, 64, |data| {
        Figure::read("unhuma", &model, data, None, None).map(drop)
    });
    assert_survives_mutations(&anm, 400, 64, |data| {
        Figure::read("unhuma", &model, &bon, Some(data), None).map(drop)
    });
}
