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
    for (name, options, reported) in [
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
        ("b.glb", &["--rate", "10"], "--rate is for models"),
    ] {
        let path = folder.path().join(name);
        let args = ["export", MAP01, "--to", path.to_str().unwrap()];
        let (code, _, stderr) = run(&[&args, options].concat());
        assert_eq!(code, 2);
        assert!(stderr.contains(reported), "{stderr}");
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
    assert!(stderr.contains("README.md is not an archive"), "{stderr}");
}

/// A RES archive with these files.
fn res(files: &[(&str, &[u8])]) -> Vec<u8> {
    use ironlands::worlds::evil_islands::formats::res::{NamesOrder, ResArchive};
    let files = files.iter();
    let files = files.map(|(name, data)| (name.as_bytes().to_vec(), data.to_vec()));
    let archive = ResArchive::draft(files.collect(), NamesOrder::Insertion);
    archive.write().unwrap()
}

#[test]
fn a_broken_entry_is_left_out_and_the_others_are_written() {
    use ironlands::worlds::parkan::formats::rsli::{Entry, Method, RsLi};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.lib");
    let entry = |name, data: &[u8]| Entry::new(name, Method::Deflate, data).unwrap();
    let mut entries = vec![entry("A", b"one"), entry("B", b"two"), entry("C", b"three")];
    entries[1].packed[0] = 0xFF;
    fs::write(&path, RsLi::from_entries(entries).write().unwrap()).unwrap();
    let to = folder.path().join("out");
    let args = [
        "extract",
        path.to_str().unwrap(),
        "--to",
        to.to_str().unwrap(),
    ];
    let (code, stdout, stderr) = run(&args);
    assert_eq!(code, 2, "{stderr}");
    assert!(stdout.contains(": 2 files, 8 bytes"), "{stdout}");
    assert!(stderr.contains("\"B\" is left out"), "{stderr}");
    assert!(stderr.contains("2 of 3 files are in"), "{stderr}");
    assert!(stderr.contains(", 1 could not be unpacked"), "{stderr}");
    assert_eq!(names_in(&to), ["A", "C"]);
}

/// Files are written hundreds at once.
#[test]
fn all_of_many_files_are_written_where_they_belong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.res");
    let names: Vec<String> = (0..700).map(|n| format!("f{}\\{n}", n % 7)).collect();
    let files: Vec<(&str, &[u8])> = (names.iter())
        .map(|name| (&**name, name.as_bytes()))
        .collect();
    fs::write(&path, res(&files)).unwrap();
    let to = folder.path().join("out");
    let [path, out] = [&path, &to].map(|it| it.to_str().unwrap());
    let (code, stdout, stderr) = run(&["extract", path, "--to", out]);
    assert_eq!(code, 0, "{stderr}");
    let n_bytes: usize = names.iter().map(String::len).sum();
    assert!(
        stdout.contains(&format!(": 700 files, {n_bytes} bytes")),
        "{stdout}"
    );
    assert_eq!(n_files_below(&to), 700);
    for name in &names {
        let file = to.join(name.replace('\\', "/"));
        assert_eq!(fs::read(&file).unwrap(), name.as_bytes(), "{name}");
    }
}

#[test]
fn what_was_written_before_a_failure_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.res");
    // No file system takes a name of that many bytes.
    let long = "x".repeat(300);
    fs::write(&path, res(&[("a", b"one"), (&long, b"two")])).unwrap();
    let to = folder.path().join("out");
    let args = [
        "extract",
        path.to_str().unwrap(),
        "--to",
        to.to_str().unwrap(),
    ];
    let (code, stdout, stderr) = run(&args);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(stderr.contains("1 of 2 files are in"), "{stderr}");
    assert!(!stderr.contains("nothing written"), "{stderr}");
}

#[test]
fn names_cannot_forge_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a\nerror: forged \x1b[2J.res");
    let forged = "x.txt\nb.res: error: forged \x1b[31m";
    fs::write(
        &path,
        res(&[(forged, b"one"), (forged, b"two"), ("../up", b"")]),
    )
    .unwrap();
    let to = folder.path().join("out");
    let [path, to] = [&path, &to].map(|path| path.to_str().unwrap());
    for args in [
        &["check", path][..],
        &["info", path],
        &["-vv", "check", path],
        &["extract", path, "--to", to],
        &["extract", path, "nothing", "--to", to],
        &["--level", path],
    ] {
        let (_, stdout, stderr) = run(args);
        let printed = format!("{stdout}{stderr}");
        assert!(!printed.contains('\x1b'), "{args:?}: {printed:?}");
        let is_forged = |line: &str| line.starts_with("error: forged") || line.starts_with("b.res");
        assert!(!printed.lines().any(is_forged), "{args:?}: {printed}");
    }
}

/// What a user types may come from a file, too, as the names in a loop of a shell.
#[test]
fn names_of_what_was_written_cannot_forge_lines() {
    let folder = tempfile::tempdir().unwrap();
    let forged = "a\nerror: forged \x1b[2J";
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let files = path("files");
    fs::create_dir(&files).unwrap();
    fs::write(Path::new(&files).join("x.txt"), "one").unwrap();
    let [to, set] = [forged.to_owned(), format!("{forged}.set")].map(|name| path(&name));
    let [res, png, glb] = ["res", "png", "glb"].map(|it| path(&format!("{forged}.{it}")));
    let [region, other] = ["21_18.l2j", "20_18_conv.dat"].map(|it| format!("DATA/LINEAGE2/{it}"));
    for args in [
        &["extract", "DATA/Textures.lib", "sand.0", "--to", &to][..],
        &["pack", &files, "--to", &res],
        &["extract", &res, "--to", &to],
        &["export", WALKER, "--to", &glb],
        &["convert", &region, "--format", "l2d", "--to", &set],
        &["geodata", "map", &set, "--scale", "64", "--to", &png],
        &["geodata", "diff", &set, &other],
        &["geodata", "zones", &set],
        &["--model", WALKER, "--force", "--render", &png],
    ] {
        let (_, stdout, stderr) = run(args);
        assert!(
            stdout.contains("a\\nerror: forged \\u{1b}[2J"),
            "{args:?}: {stdout}{stderr}"
        );
        let printed = format!("{stdout}{stderr}");
        assert!(!printed.contains('\x1b'), "{args:?}: {printed:?}");
        let is_forged = |line: &str| line.starts_with("error: forged");
        assert!(!printed.lines().any(is_forged), "{args:?}: {printed}");
    }
}

#[cfg(unix)]
#[test]
fn fifos_and_endless_devices_are_refused_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = [
        "22_22.l2j",
        "x.bsp",
        "x.obj",
        "x.csv",
        "x.cam",
        "x.mmp",
        "x.mpr",
        "x.msh",
    ];
    for kind in ["fifo", "zero"] {
        for name in names {
            let path = file(
                &format!("{kind}-{name}")
                    .replace("fifo-22", "22")
                    .replace("zero-22", "23"),
            );
            match kind {
                "fifo" => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status();
                    assert!(made.unwrap().success());
                }
                _ => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
            }
        }
    }
    let to = file("out.glb");
    let [fifo_region, zero_region] = ["22_22.l2j", "23_22.l2j"].map(file);
    let mut runs: Vec<Vec<String>> = Vec::new();
    let mut add = |args: &[&str]| runs.push(args.iter().map(|arg| (*arg).to_owned()).collect());
    for region in [&fifo_region, &zero_region] {
        add(&["--level", region, "--offscreen", "--frames", "1"]);
        add(&["geodata", "height", region, "8,8,0"]);
        add(&["convert", region, "--format", "l2d", "--to", &file("out")]);
    }
    for kind in ["fifo", "zero"] {
        let path = |name: &str| file(&format!("{kind}-{name}"));
        add(&["--level", &path("x.bsp"), "--offscreen", "--frames", "1"]);
        add(&["--level", &path("x.mpr"), "--offscreen", "--frames", "1"]);
        add(&["--model", &path("x.msh"), "--offscreen", "--frames", "1"]);
        add(&["import", &path("x.obj"), "--to", &file("out.msh")]);
        add(&["import", &path("x.csv"), "--to", &file("out.idb")]);
        add(&["export", &path("x.mmp"), "--to", &file("out.png")]);
        add(&["export", &path("x.bsp"), "--to", &file("out.vmf")]);
        add(&["export", &path("x.msh"), "--to", &to]);
        add(&["extract", &path("x.bsp"), "--to", &file("out")]);
        add(&[
            "pack",
            folder.path().to_str().unwrap(),
            "--map",
            &path("x.bsp"),
            "--to",
            &file("out.bsp"),
        ]);
        add(&[
            "--level",
            MAP01,
            "--play",
            &path("x.cam"),
            "--offscreen",
            "--frames",
            "1",
        ]);
        add(&["check", &path("x.bsp")]);
    }
    for args in runs {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut command = ironlands(&args);
        // A hang is ended; the time itself is not checked.
        let output = command
            .timeout(std::time::Duration::from_secs(60))
            .output()
            .unwrap();
        let code = output.status.code();
        assert!(matches!(code, Some(1 | 2)), "{args:?}: {code:?}");
    }
}

#[cfg(unix)]
#[test]
fn archives_whose_paths_are_not_unicode_are_opened() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let strange = folder.path().join(std::ffi::OsStr::from_bytes(b"d\xff"));
    fs::create_dir(&strange).unwrap();
    let archive = strange.join(std::ffi::OsStr::from_bytes(b"b\xfe.rlb"));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA");
    fs::copy(data.join("bases.rlb"), &archive).unwrap();
    let model = archive.join("WALKER.MSH");
    let to = folder.path().join("out");
    let glb = folder.path().join("a.glb");
    for (args, path) in [
        (&["check"][..], &archive),
        (&["info"], &archive),
        (&["info"], &model),
        (&["extract", "--to", to.to_str().unwrap()], &archive),
        (&["export", "--to", glb.to_str().unwrap()], &model),
    ] {
        let output = ironlands(args).arg(path).output().unwrap();
        let (code, _, stderr) = outcome_of(&output);
        assert_eq!(code, 0, "{args:?}: {stderr}");
    }
}

#[test]
fn more_files_than_an_archive_of_its_size_may_have_are_refused_before_any_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.res");
    let names: Vec<String> = (0..12_300).map(|number| number.to_string()).collect();
    let files: Vec<_> = names.iter().map(|name| (&**name, &b"x"[..])).collect();
    fs::write(&path, res(&files)).unwrap();
    let to = folder.path().join("out");
    let args = [path.to_str().unwrap(), "--to", to.to_str().unwrap()];
    let (code, _, stderr) = outcome_of(&ironlands(&["extract"]).args(args).output().unwrap());
    assert_eq!(code, 2);
    let expected = "12300 files to extract exceed the unpack limit, by which 12288 may come out";
    assert!(stderr.contains(expected), "{stderr}");
    assert!(!to.exists());
    let (code, ..) = outcome_of(
        &ironlands(&["extract", "--unpack-limit", "97"])
            .args(args)
            .output()
            .unwrap(),
    );
    assert_eq!(code, 0);
}

#[cfg(unix)]
#[test]
fn a_program_that_is_ended_leaves_no_unfinished_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.res");
    // As many as come out of a small archive.
    let names: Vec<String> = (0..12_000).map(|number| number.to_string()).collect();
    let files: Vec<_> = names.iter().map(|name| (&**name, &b"x"[..])).collect();
    fs::write(&path, res(&files)).unwrap();
    let to = folder.path().join("out");
    let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin("ironlands"))
        .args(["extract", path.to_str().unwrap()])
        .args(["--to", to.to_str().unwrap()])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !to.exists() && program.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let id = program.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(sent.unwrap().success());
    let status = program.wait().unwrap();
    assert_eq!(
        status.code(),
        Some(2),
        "it ended by itself, before the last file"
    );
    let is_left = |name: &String| name.starts_with(".ironlands-");
    assert!(!names_in(&to).iter().any(is_left));
}
