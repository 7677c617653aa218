//! RES archives of Evil Islands: packed from folders, taken apart, and put together again.

use super::*;

/// A folder with a model, rest positions, animations and a text, as `extract --nested` leaves it.
fn unpacked() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("light.mod/mesh.fig", "FIG8 a mesh"),
        ("light.mod/light.lnk", "links"),
        ("light.bon/mesh.bon", "a position"),
        ("light.anm/cidle/mesh.anm", "frames"),
        ("texts/readme.txt", "a text"),
    ] {
        let path = folder.path().join("files").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn path_in(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// Paths below a folder, with their contents.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.push((name, fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_folder_becomes_an_archive_and_the_archive_the_folder() {
    let folder = unpacked();
    let [files, res, out, shallow] =
        ["files", "a.res", "out", "shallow"].map(|it| path_in(&folder, it));
    let (code, stdout, stderr) = run(&["pack", &files, "--to", &res]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(": 4 entries, 5 files from "), "{stdout}");
    let (code, stdout, stderr) = run(&["extract", &res, "--nested", "--to", &out]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(": 5 files, "), "{stdout}");
    assert_eq!(contents(Path::new(&out)), contents(Path::new(&files)));
    let (code, ..) = run(&["extract", &res, "LIGHT.mod", "--to", &shallow]);
    assert_eq!(code, 0);
    assert_eq!(names_in(Path::new(&shallow)), ["light.mod"]);
    // One of its entries, that an archive is itself.
    let (code, stdout, _) = run(&["extract", &format!("{shallow}/light.mod"), "--to", &shallow]);
    assert_eq!(code, 0, "{stdout}");
    assert_eq!(
        names_in(Path::new(&shallow)),
        ["light.lnk", "light.mod", "mesh.fig"]
    );
    // What lies in it is looked into: this is no mesh.
    let (code, stdout, _) = run(&["check", &res]);
    assert_eq!(code, 1, "{stdout}");
    assert!(
        stdout.contains("entry \"light.mod\": fig (entry mesh): byte 0x28"),
        "{stdout}"
    );
    let (code, stdout, _) = run(&["info", &res]);
    assert_eq!(code, 0);
    assert!(
        stdout.contains("light.anm") && stdout.contains("cidle"),
        "{stdout}"
    );
}

#[test]
fn files_are_replaced_and_the_rest_stays_byte_for_byte() {
    let folder = unpacked();
    let [files, res, again, one, changed] =
        ["files", "a.res", "again.res", "one", "changed.res"].map(|it| path_in(&folder, it));
    assert_eq!(
        run(&["pack", &files, "--names", "slots", "--to", &res]).0,
        0
    );
    let (code, _, stderr) = run(&["pack", &files, "--archive", &res, "--to", &again]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(fs::read(&again).unwrap(), fs::read(&res).unwrap());
    fs::create_dir_all(format!("{one}/light.mod")).unwrap();
    fs::write(format!("{one}/light.mod/mesh.fig"), "FIG8 another").unwrap();
    let keep = ["pack", &one, "--archive", &res, "--to", &changed];
    assert_eq!(run(&keep).0, 0);
    let out = path_in(&folder, "out");
    assert_eq!(run(&["extract", &changed, "--nested", "--to", &out]).0, 0);
    let mut expected = contents(Path::new(&files));
    for (name, content) in &mut expected {
        if name.ends_with("mesh.fig") {
            *content = b"FIG8 another".to_vec();
        }
    }
    assert_eq!(contents(Path::new(&out)), expected);
    // Scripts still use the option from when it was required.
    let (code, _, stderr) = run(&[&keep[..], &["--force", "--keep"]].concat());
    assert_eq!((code, &*stderr), (0, ""));
    assert_eq!(
        run(&["extract", &changed, "--nested", "--force", "--to", &out]).0,
        0
    );
    assert_eq!(contents(Path::new(&out)), expected);
    let (code, _, stderr) = run(&[&keep[..], &["--keep", "--replace-all"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot be used with"), "{stderr}");
    // Nothing but the folder's files is left if that is requested, and what is removed is listed.
    let (code, stdout, _) = run(&[&keep[..], &["--force", "--replace-all"]].concat());
    assert_eq!(code, 0);
    assert!(stdout.contains(": 1 entries, 1 files from "), "{stdout}");
    let n_removed = contents(Path::new(&files)).len() - 1;
    assert!(
        stdout.ends_with(&format!("; {n_removed} other files removed\n")),
        "{stdout}"
    );
    assert!(stdout.contains("removed light.mod/light\n"), "{stdout}");
}

#[test]
fn equal_files_can_be_stored_once() {
    let folder = tempfile::tempdir().unwrap();
    let [files, apart, shared] = ["files", "a.res", "b.res"].map(|it| path_in(&folder, it));
    fs::create_dir(&files).unwrap();
    for name in ["s", "t"] {
        fs::write(format!("{files}/{name}"), [7; 1000]).unwrap();
    }
    assert_eq!(run(&["pack", &files, "--to", &apart]).0, 0);
    assert_eq!(run(&["pack", &files, "--share", "--to", &shared]).0, 0);
    let len = |path: &str| fs::metadata(path).unwrap().len();
    assert_eq!(len(&apart) - len(&shared), 1008);
}

#[test]
fn nothing_is_overwritten_and_nothing_packed_without_sense() {
    let folder = unpacked();
    let [files, res, other] = ["files", "a.res", "a.zip"].map(|it| path_in(&folder, it));
    fs::write(&res, "mine").unwrap();
    for (args, reported) in [
        (
            vec!["pack", &files, "--to", &res],
            "is there already and is kept",
        ),
        (
            vec!["pack", &files, "--to", &other],
            "the name of a new one must give its format",
        ),
        (
            vec!["pack", &files, "--replace-all", "--to", "b.res"],
            "a new archive has nothing to replace",
        ),
        (
            vec!["pack", &files, "--archive", &res, "--to", &other],
            "no archive that files can be packed into",
        ),
        (
            vec![
                "pack",
                &files,
                "--archive",
                &res,
                "--map",
                "a.bsp",
                "--to",
                &other,
            ],
            "cannot be used multiple times",
        ),
    ] {
        let (code, stdout, stderr) = run(&args);
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains(reported), "{args:?}: {stderr}");
    }
    assert_eq!(fs::read(&res).unwrap(), b"mine");
    assert!(!Path::new(&other).exists());
}
