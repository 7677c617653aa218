use super::*;
use crate::res::{NamesOrder, ResArchive};
use ironlands_assets_proof::folder_with;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files = files.iter();
    let files = files.map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    ResArchive::draft(files.collect(), NamesOrder::Insertion)
        .write()
        .unwrap()
}

fn text(data: Option<Vec<u8>>) -> Option<String> {
    data.map(|data| String::from_utf8(data).unwrap())
}

#[test]
fn a_zone_finds_its_game_whatever_the_case() {
    let game = folder_with(&[
        ("MAPS/Zone1.mpr", b""),
        (
            "res/Textures.RES",
            &archive(&[("Ground000.MMP", b"textures")]),
        ),
        (
            "res/redress.res",
            &archive(&[("ground000.mmp", b"redress"), ("skin.mmp", b"redress")]),
        ),
        ("res/figures.res", &archive(&[("unhufe.mod", b"figure")])),
        ("config/LightsGipat.ini", b"config"),
        ("Camera/intro.cam", b"camera"),
    ]);
    let files = GameFiles::from_zone(&game.path().join("MAPS/Zone1.mpr"), &[]).unwrap();
    assert_eq!(
        text(files.texture("GROUND000").unwrap()).as_deref(),
        Some("textures")
    );
    assert_eq!(
        text(files.texture("Skin").unwrap()).as_deref(),
        Some("redress")
    );
    assert_eq!(files.texture("none").unwrap(), None);
    let figure = files.member("Figures.res", "UnHuFe.mod").unwrap();
    assert_eq!(text(figure).as_deref(), Some("figure"));
    assert_eq!(files.member("speech.res", "a").unwrap(), None);
    assert_eq!(
        text(files.config("lightsgipat.ini").unwrap()).as_deref(),
        Some("config")
    );
    assert_eq!(
        text(files.camera("intro.cam").unwrap()).as_deref(),
        Some("camera")
    );
    assert_eq!(
        files
            .loose("Config", "../Camera/intro.cam")
            .map_err(|e| e.to_string().contains("refused")),
        Err(true)
    );
    assert_eq!(
        files.members("redress.res").unwrap(),
        ["ground000.mmp", "skin.mmp"]
    );
}

#[test]
fn a_zone_alone_opens_with_what_lies_beside_it() {
    let alone = folder_with(&[
        ("zone.mpr", b""),
        ("a.mmp", b"loose"),
        ("textures.res", &archive(&[("b.mmp", b"beside")])),
        ("redress/c.mmp", b"unpacked"),
    ]);
    let files = GameFiles::from_zone(&alone.path().join("zone.mpr"), &[]).unwrap();
    for (name, expected) in [("A", "loose"), ("B", "beside"), ("C", "unpacked")] {
        assert_eq!(
            text(files.texture(name).unwrap()).as_deref(),
            Some(expected),
            "{name}"
        );
    }
    assert!(GameFiles::from_zone(&alone.path().join("none.mpr"), &[]).is_err());
}

#[test]
fn what_the_user_names_comes_first() {
    let game = folder_with(&[
        ("Maps/zone.mpr", b""),
        (
            "Res/textures.res",
            &archive(&[("a.mmp", b"game"), ("b.mmp", b"game"), ("c.mmp", b"game")]),
        ),
    ]);
    let other = folder_with(&[(
        "Res/textures.res",
        &archive(&[("a.mmp", b"folder"), ("b.mmp", b"folder")]),
    )]);
    let single = folder_with(&[(
        "mine.res",
        &archive(&[("a.mmp", b"archive"), ("x.mod", b"archive")]),
    )]);
    let assets = [other.path().to_owned(), single.path().join("mine.res")];
    let files = GameFiles::from_zone(&game.path().join("Maps/zone.mpr"), &assets).unwrap();
    for (name, expected) in [("a", "archive"), ("b", "folder"), ("c", "game")] {
        assert_eq!(
            text(files.texture(name).unwrap()).as_deref(),
            Some(expected),
            "{name}"
        );
    }
    assert!(files.member("figures.res", "x.mod").unwrap().is_some());
    let only = GameFiles::from_assets(&assets).unwrap();
    assert_eq!(only.texture("c").unwrap(), None);
    assert_eq!(only.roots().count(), 1);
    assert_eq!(files.roots().count(), 3);
}

#[test]
fn a_broken_archive_is_reported_with_its_name() {
    let game = folder_with(&[
        ("Maps/zone.mpr", b""),
        ("Res/textures.res", b"nothing of the kind"),
    ]);
    let files = GameFiles::from_zone(&game.path().join("Maps/zone.mpr"), &[]).unwrap();
    let error = files.texture("a").unwrap_err().to_string();
    assert!(
        error.contains("textures.res") && error.contains("magic"),
        "{error}"
    );
    assert!(GameFiles::from_assets(&[game.path().join("Maps/zone.mpr")]).is_err());
}
