use std::fs;

use super::*;
use crate::bon::Bon;
use crate::fig::{BoundsConvention, DraftVertex, Fig, FigDraft};
use crate::figure::FigurePart;
use crate::mmp::MmpFormat;
use crate::mob::draft::{MapRole, MobDraft};
use crate::mob::view::MapObject;
use crate::res::{NamesOrder, ResArchive};
use ironlands_assets_core::unpack::Budget;

/// A part with a triangle and its texture 2 on the other side.
fn figure(name: &str) -> Figure {
    let corner = |point| DraftVertex {
        point,
        normal: [0.0, 0.0, 1.0],
        texcoord: [0.0; 2],
    };
    let draft = |texture| FigDraft {
        points: vec![vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]; 8],
        vertices: [0, 1, 2].map(corner).to_vec(),
        triangles: vec![[0, 1, 2]],
        group: 18,
        texture,
        bounds: BoundsConvention::default(),
    };
    let part = |name: &str, parent, texture| FigurePart {
        name: name.to_owned(),
        parent,
        fig: Some(Fig::draft(&draft(texture)).unwrap()),
        bon: Some(Bon {
            offsets: vec![[0.0, 0.0, 2.0]; 8],
            tail: Vec::new(),
        }),
    };
    Figure {
        name: name.to_owned(),
        parts: vec![part("hp", None, 1), part("bd", Some(0), 2)],
        ..Figure::default()
    }
}

fn gray() -> Vec<u8> {
    let format = MmpFormat::Rgb565;
    let mmp = Mmp {
        width: 1,
        height: 1,
        level_word: 1,
        format,
        bits_per_pixel: 16,
        channels: format.channels().unwrap_or_default(),
        extra_offset: 0,
        levels: vec![vec![0x10, 0x84]],
        tail: Vec::new(),
        budget: Budget::default(),
    };
    mmp.write().unwrap()
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let entries = entries.iter();
    let entries = entries.map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    let archive = ResArchive::draft(entries.collect(), NamesOrder::Insertion);
    archive.write().unwrap()
}

fn names(file: &FigureFile) -> Vec<&str> {
    file.skins.iter().map(|(name, _)| &**name).collect()
}

#[test]
fn a_figure_is_found_by_path_in_an_archive_and_by_name_in_a_game() {
    let game = tempfile::tempdir().unwrap();
    let root = game.path();
    fs::create_dir(root.join("Res")).unwrap();
    let goblin = figure("unmogo");
    let [model, bon] = [goblin.write_mod(), goblin.write_bon()].map(Result::unwrap);
    let figures = archive(&[("unmogo.mod", &model), ("unmogo.bon", &bon)]);
    fs::write(root.join("Res/figures.res"), figures).unwrap();
    let textures = [
        ("goblin00.mmp", &*gray()),
        ("GOBLIN00L.mmp", &gray()),
        ("default0.mmp", &gray()),
    ];
    fs::write(root.join("Res/textures.res"), archive(&textures)).unwrap();
    let in_archive = root.join("Res/figures.res/unmogo.mod");
    assert!(FigureFile::is_figure(&in_archive));
    assert!(!FigureFile::is_figure(root));
    let assets = [root.to_owned()];
    let no_assets: &[PathBuf] = &[];
    for (path, assets) in [
        (in_archive, no_assets),
        (PathBuf::from("UNMOGO"), &assets[..]),
    ] {
        let file = FigureFile::open(&path, assets, &[], None).unwrap();
        assert_eq!(
            names(&file),
            ["Goblin00", "Goblin00L"],
            "{}",
            path.display()
        );
        assert_eq!((file.findings.len(), file.complection), (0, OF_UNITS));
        let (scene, findings) = file.to_scene();
        assert_eq!((scene.validate(), findings.len()), (Ok(()), 0));
        let textures = scene.materials.iter().map(|it| it.passes[0].texture);
        assert_eq!(
            textures.collect::<Vec<_>>(),
            [Some(TextureIdx(0)), Some(TextureIdx(1))]
        );
        assert_eq!(
            scene.rest_poses()[1].transform_point([0.0; 3]),
            [0.0, 0.0, 4.0]
        );
    }
    let named = |names: &[&str]| {
        let named: Vec<_> = names.iter().map(|it| (*it).to_owned()).collect();
        FigureFile::open(Path::new("unmogo"), &assets, &named, None).unwrap()
    };
    let other = named(&["default0", "GOBLIN00"]);
    assert_eq!(
        (names(&other), other.findings.len()),
        (vec!["default0", "GOBLIN00"], 0)
    );
    let missing = named(&["default0", "nothing"]);
    assert_eq!(
        (names(&missing), missing.findings.len()),
        (vec!["default0"], 1)
    );
    assert!(FigureFile::open(Path::new("unmogo"), &[], &[], None).is_err());
    assert!(FigureFile::open(Path::new("unmotr"), &assets, &[], None).is_err());
}

#[test]
fn a_loose_figure_wears_what_lies_beside_it_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let lamp = figure("lamp");
    let path = folder.path().join("Lamp.mod");
    fs::write(&path, lamp.write_mod().unwrap()).unwrap();
    fs::write(folder.path().join("lamp.bon"), lamp.write_bon().unwrap()).unwrap();
    let bare = FigureFile::open(&path, &[], &[], Some([0.25, 0.5, 0.75])).unwrap();
    assert_eq!((names(&bare), bare.findings.len()), (vec![], 1));
    assert_eq!(bare.complection, [0.25, 0.5, 0.75]);
    let (scene, _) = bare.to_scene();
    assert_eq!(
        (scene.validate(), scene.materials[1].passes[0].texture),
        (Ok(()), None)
    );
    fs::write(folder.path().join("LAMP.mmp"), gray()).unwrap();
    let dressed = FigureFile::open(&path, &[], &[], None).unwrap();
    assert_eq!((names(&dressed).len(), dressed.complection), (1, [0.0; 3]));
    // One texture serves both slots.
    let (scene, _) = dressed.to_scene();
    assert_eq!(scene.materials[1].passes[0].texture, Some(TextureIdx(0)));
    fs::write(folder.path().join("LAMP.mmp"), b"no texture").unwrap();
    let torn = FigureFile::open(&path, &[], &[], None).unwrap();
    assert_eq!((names(&torn).len(), torn.findings.len()), (0, 2));
}

#[test]
fn what_is_known_to_suit_a_figure_comes_first() {
    let first: Vec<_> = skins::first("UNMOGO").collect();
    assert_eq!(first, ["Goblin00", "UNMOGO", "default0"]);
    assert_eq!(skins::second("unmogo"), Some("Goblin00L"));
    assert_eq!(skins::first("nast10").collect::<Vec<_>>(), ["nast10"]);
    assert_eq!(skins::second("nast10"), None);
}

#[test]
fn a_figure_that_no_table_knows_wears_what_an_object_of_a_map_wears() {
    let game = tempfile::tempdir().unwrap();
    let root = game.path();
    for folder in ["Res", "maps"] {
        fs::create_dir(root.join(folder)).unwrap();
    }
    let tree = figure("naflxx07");
    let [model, bon] = [tree.write_mod(), tree.write_bon()].map(Result::unwrap);
    let figures = archive(&[("naflxx07.mod", &model), ("naflxx07.bon", &bon)]);
    fs::write(root.join("Res/figures.res"), figures).unwrap();
    let textures = [("bark00.mmp", &*gray()), ("fir00.mmp", &gray())];
    fs::write(root.join("Res/textures.res"), archive(&textures)).unwrap();
    let path = root.join("Res/figures.res/naflxx07.mod");
    let open = || FigureFile::open(&path, &[], &[], None).unwrap();
    assert_eq!((names(&open()).len(), open().findings.len()), (0, 1));
    fs::write(root.join("maps/a.mob"), b"broken").unwrap();
    let object = |template: &str, first: &str, second: &str| MapObject {
        template: template.to_owned(),
        primary_texture: first.to_owned(),
        secondary_texture: second.to_owned(),
        ..MapObject::default()
    };
    let mut map = MobDraft::new(MapRole::Quest);
    map.objects = vec![
        object("other", "fir00", ""),
        object("naflxx07", "none", "none"),
        object("NAFLXX07", "Bark00", "fir00"),
    ];
    let map = map.build().unwrap().write().unwrap();
    fs::write(root.join("maps/b.MOB"), map).unwrap();
    assert_eq!(names(&open()), ["bark00", "fir00"]);
    assert_eq!(open().findings.len(), 0);
}
