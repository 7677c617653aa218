use std::fs;

use super::*;
use crate::test_level::{TestLevel, triangle, wear};

#[test]
fn a_model_is_checked_with_its_table_and_materials_by_name() {
    let root = tempfile::tempdir().unwrap();
    let mut level = TestLevel::new();
    level.materials[1].1.class = 77;
    level.write(root.path());
    let mut msh = triangle();
    msh.header.sphere_radius = f32::INFINITY;
    fs::write(root.path().join("crate.msh"), msh.write().unwrap()).unwrap();
    let table = wear(&["EDGE", &"X".repeat(36)]).write().unwrap();
    fs::write(root.path().join("crate.wea"), table).unwrap();
    let findings = ModelFile::open(&root.path().join("crate.msh"))
        .unwrap()
        .check();
    for start in [
        "crate.msh: the bounds of the whole model",
        "crate.wea: no archive entry",
        "EDGE: class 77",
    ] {
        let mut named = findings.iter().map(|it| &it.message);
        assert!(
            named.any(|message| message.starts_with(start)),
            "{findings:#?}"
        );
    }
}

/// Names that game data cannot spell, or spells otherwise.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_any_name_is_opened_with_the_table_beside_it() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let root = tempfile::tempdir().unwrap();
    TestLevel::new().write(root.path());
    let names: [[&[u8]; 2]; 3] = [
        [b"cr\xffate.msh", b"CR\xffATE.Wea"],
        [br"cr\ate.msh", br"cr\ate.wea"],
        [b"crate.msh", b"Crate.WEA"],
    ];
    for names in names {
        let [model, table] = names.map(|name| root.path().join(OsStr::from_bytes(name)));
        fs::write(&model, triangle().write().unwrap()).unwrap();
        let alone = ModelFile::open(&model).unwrap();
        assert_eq!(alone.wear, None);
        assert_eq!(alone.findings.len(), 1, "{:#?}", alone.findings);
        fs::write(&table, wear(&["GRASS"]).write().unwrap()).unwrap();
        let model = ModelFile::open(&model).unwrap();
        assert_eq!(model.wear, Some(wear(&["GRASS"])));
        assert_eq!(model.findings, []);
        assert_eq!(model.materials.materials[0].name, "GRASS");
    }
}
