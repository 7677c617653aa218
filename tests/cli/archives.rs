//! Levels written in other formats, and files taken out of archives.

use super::*;

#[test]
fn a_level_is_exported_as_glb_and_as_nothing_that_cannot_hold_it() {
    let folder = tempfile::tempdir().unwrap();
    let glb = folder.path().join("map01.glb");
    let to = glb.to_str().unwrap();
    let (code, stdout, stderr) = run(&["export", MAP01, "--to", to]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with(to), "{stdout}");
    assert!(stderr.contains("debug layers are left out"), "{stderr}");
    assert_eq!(&fs::read(&glb).unwrap()[..4], b"glTF");
    let (code, _, stderr) = run(&["export", MAP01, "--to", to]);
    assert_eq!(code, 2);
    assert!(stderr.contains("is there already and is kept"), "{stderr}");
    for (name, options, told) in [
        (
            "map01.obj",
            &[][..],
            "is a level, which cannot be written as .obj",
        ),
        (
            "map01.vmf",
            &[],
            "is a level, which cannot be written as .vmf",
        ),
        ("b.glb", &["--rate", "10"], "are for models"),
    ] {
        let path = folder.path().join(name);
        let args = ["export", MAP01, "--to", path.to_str().unwrap()];
        let (code, _, stderr) = run(&[&args, options].concat());
        assert_eq!(code, 2);
        assert!(stderr.contains(told), "{stderr}");
    }
    assert_eq!(names_in(folder.path()), ["map01.glb"]);
}

#[test]
fn entries_are_taken_out_of_archives_and_over_nothing_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out");
    let to = to.to_str().unwrap();
    let all = ["extract", "DATA/Textures.lib", "--to", to];
    let one = ["extract", "DATA/Textures.lib", "sand.0", "--to", to];
    let (code, stdout, stderr) = run(&one);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(": 1 files, "), "{stdout}");
    assert_eq!(names_in(Path::new(to)), ["SAND.0"]);
    let (code, _, stderr) = run(&all);
    assert_eq!(code, 2, "one of them is there");
    assert!(
        stderr.contains("SAND.0 is there already and is kept"),
        "{stderr}"
    );
    assert_eq!(
        names_in(Path::new(to)),
        ["SAND.0"],
        "and so none is written"
    );
    let (code, stdout, _) = run(&[&all[..], &["--force"]].concat());
    assert_eq!(code, 0);
    let n_files = n_files_below(Path::new(to));
    assert!(
        n_files > 1 && stdout.contains(&format!(": {n_files} files, ")),
        "{stdout}"
    );
    let (code, _, stderr) = run(&["extract", "DATA/Textures.lib", "nothing", "--to", to]);
    assert_eq!(code, 2);
    assert!(stderr.contains("has no entry \"nothing\""), "{stderr}");
    let (code, _, stderr) = run(&["extract", "README.md", "--to", to]);
    assert_eq!(code, 2);
    assert!(stderr.contains("README.md is no archive"), "{stderr}");
}
