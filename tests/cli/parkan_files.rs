//! Files of Parkan in other formats, and back.

use super::*;

#[test]
fn land_goes_to_gltf_and_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let land = format!("{MAP01}/Land.msh");
    let (code, stdout, stderr) = run(&["export", &land, "--to", &at("land.glb")]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("land.glb: "), "{stdout}");
    let import = ["import", &at("land.glb"), "--to", &at("Land.msh")];
    let (code, _, stderr) = run(&[&import[..], &["--base", &land]].concat());
    assert_eq!(code, 0, "{stderr}");
    let bytes = |path: &Path| fs::read(path).unwrap();
    let before = bytes(&Path::new(env!("CARGO_MANIFEST_DIR")).join(&land));
    assert!(bytes(&folder.path().join("Land.msh")) == before);
    let (code, _, stderr) = run(&["import", &at("land.glb"), "--to", &at("Land.map")]);
    assert_eq!(code, 0, "{stderr}");
    // What is exported under the name of the level is the level, with its objects.
    let (code, ..) = run(&["export", MAP01, "--to", &at("level.glb")]);
    assert_eq!(code, 0);
    let sizes = ["land.glb", "level.glb"].map(|name| bytes(&folder.path().join(name)).len());
    assert_ne!(sizes[0], sizes[1]);
}

#[test]
fn a_model_comes_back_on_its_base_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let out = folder.path().to_str().unwrap();
    let (code, _, stderr) = run(&["extract", "DATA/bases.rlb", "WALKER.MSH", "--to", out]);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = run(&["export", WALKER, "--to", &at("walker.glb")]);
    assert_eq!(code, 0, "{stderr}");
    let import = ["import", &at("walker.glb"), "--to", &at("back.msh")];
    let (code, _, stderr) = run(&[&import[..], &["--base", WALKER]].concat());
    assert_eq!(code, 0, "{stderr}");
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("back.msh") == bytes("WALKER.msh"));
    // A level of another kind takes no base.
    let (code, _, stderr) = run(&[
        "import",
        &at("walker.glb"),
        "--to",
        &at("x.msh"),
        "--base",
        "nowhere.msh",
    ]);
    assert_eq!(code, 2);
    assert!(stderr.contains("as the base"), "{stderr}");
}
