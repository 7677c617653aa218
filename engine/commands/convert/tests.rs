use super::*;

#[test]
fn kinds_go_by_their_names() {
    for (name, kind) in [
        ("Res/music.REG", Some(GameKind::Reg)),
        ("items.idb", Some(GameKind::Db(DbKind::Items))),
        ("acks.db", Some(GameKind::Db(DbKind::Acks))),
        ("Maps/zone1.mob", Some(GameKind::Mob)),
        ("intro.Cam", Some(GameKind::Cam)),
        ("auxData.res/light.mmp", Some(GameKind::Mmp)),
        ("zone1.mpr", None),
        ("thumbs.db", None),
        ("unhufe.mod", None),
        ("", None),
    ] {
        assert_eq!(GameKind::of(Path::new(name)), kind, "{name}");
    }
}

#[test]
fn forms_go_by_their_endings() {
    assert!(GameKind::Mmp.has_form(Path::new("a.PNG")));
    assert!(!GameKind::Mmp.has_form(Path::new("png")));
    assert!(!GameKind::Cam.has_form(Path::new("a.csv")));
    assert_eq!(GameKind::Db(DbKind::Items).forms_text(), ".json or .csv");
    assert_eq!(GameKind::Reg.forms_text(), ".ini");
}

#[test]
fn a_database_of_one_table_is_one_file() {
    let csv = Path::new("out/items.csv");
    for kind in DbKind::ALL {
        let tables = kind.tables();
        let paths: Vec<_> = (0..tables.len())
            .map(|it| table_path(csv, kind, it))
            .collect();
        match tables {
            [_] => assert_eq!(paths, [csv]),
            _ => {
                let names = tables.iter().map(|it| it.name.replace(' ', "-"));
                let expected = names.map(|it| PathBuf::from(format!("out/items.{it}.csv")));
                assert_eq!(paths, expected.collect::<Vec<_>>());
            }
        }
    }
}
