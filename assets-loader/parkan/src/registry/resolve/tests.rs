use super::*;
use crate::test_game::{TestGame, models, prototypes};

fn game(rows: &[(&str, &[(&str, &str)])]) -> TestGame {
    let names = ["hut.msh", "hut.wea", "Tower.MSH", "bare.msh", "hut.ctl"];
    TestGame::new(&[
        ("OBJECTS.rlb", prototypes(rows)),
        ("Bases.rlb", models(&names)),
    ])
}

/// Archive, mesh and material table of a prototype.
fn mesh(game: &TestGame, name: &str) -> Option<(String, String, Option<String>)> {
    let vfs = game.vfs();
    let resolved = Registry::new(&vfs).resolve(name.as_bytes()).unwrap();
    resolved.map(|mesh| {
        let text = |name: Vec<u8>| String::from_utf8(name).unwrap();
        (
            mesh.archive,
            text(mesh.mesh_entry),
            mesh.wear_entry.map(text),
        )
    })
}

fn problem(game: &TestGame, name: &str) -> ResolveError {
    let vfs = game.vfs();
    Registry::new(&vfs).resolve(name.as_bytes()).unwrap_err()
}

fn file_problem(error: ResolveError) -> Arc<VfsError> {
    match error.cause {
        ResolveCause::File(problem) => problem,
        other => panic!("{other}"),
    }
}

fn hut() -> Option<(String, String, Option<String>)> {
    Some(("bases.rlb".into(), "hut.msh".into(), Some("hut.wea".into())))
}

#[test]
fn a_mesh_is_named_whole_or_by_its_stem() {
    let game = game(&[
        ("whole", &[("bases.rlb", "HUT.MSH")]),
        ("stem", &[("BASES.RLB", "hut")]),
        ("other", &[("bases.rlb", "hut.fort")]),
        ("tower", &[("bases.rlb", "tower.msh")]),
    ]);
    for name in ["whole", "WHOLE", "stem", "other"] {
        assert_eq!(mesh(&game, name), hut(), "{name}");
    }
    // Entries are spelled as the archive has them; this one has no material table.
    let tower = ("bases.rlb".to_owned(), "Tower.MSH".to_owned(), None);
    assert_eq!(mesh(&game, "tower"), Some(tower));
}

#[test]
fn the_first_reference_to_a_mesh_counts() {
    let game = game(&[
        (
            "own",
            &[
                ("bases.rlb", "hut.ctl"),
                ("bases.rlb", "hut.msh"),
                ("objects.rlb", "parent"),
            ],
        ),
        (
            "heir",
            &[
                ("bases.rlb", "bare.bas"),
                ("Objects.RLB", "PARENT"),
                ("bases.rlb", "hut.msh"),
            ],
        ),
        ("parent", &[("bases.rlb", "bare.msh")]),
        ("late", &[("objects.rlb", "sun"), ("bases.rlb", "hut.msh")]),
        (
            "sun",
            &[
                ("bases.rlb", "sun.fxd"),
                ("nowhere.rlb", "sun.wav"),
                ("", ""),
            ],
        ),
    ]);
    assert_eq!(mesh(&game, "own"), hut());
    assert_eq!(mesh(&game, "heir").unwrap().1, "bare.msh");
    assert_eq!(mesh(&game, "late"), hut());
    assert_eq!(mesh(&game, "sun"), None, "not everything has a shape");
}

#[test]
fn side_data_is_no_mesh_even_if_one_has_its_stem() {
    for ending in ["bas", "CTL", "cpt", "ndp"] {
        let resource = format!("hut.{ending}");
        let game = game(&[("side", &[("bases.rlb", &resource)])]);
        assert_eq!(mesh(&game, "side"), None, "{ending}");
    }
}

#[test]
fn the_four_ways_to_be_missing_stay_apart() {
    let game = game(&[
        ("no archive", &[("towers.rlb", "tower.msh")]),
        ("no archive for a stem", &[("towers.rlb", "tower")]),
        ("no entry", &[("bases.rlb", "gone.msh")]),
        ("empty entry", &[("empty.rlb", "e.msh")]),
        ("invalid archive", &[("broken.rlb", "b.msh")]),
        ("empty", &[]),
    ]);
    let empty = Entry::new(msh::TYPE_ID, 0, 0, 0, "e.msh", Vec::new()).unwrap();
    game.put(
        "empty.rlb",
        &NRes::from_entries(vec![empty]).write().unwrap(),
    );
    game.put("broken.rlb", b"NRes");
    let kind = |name: &str| match &*file_problem(problem(&game, name)) {
        VfsError::FileMissing { .. } => "file missing",
        VfsError::EntryMissing { .. } => "entry missing",
        VfsError::EntryEmpty { .. } => "entry empty",
        VfsError::Invalid { .. } => "invalid",
        other => panic!("{other}"),
    };
    assert_eq!(kind("no archive"), "file missing");
    assert_eq!(kind("no archive for a stem"), "file missing");
    assert_eq!(kind("nowhere"), "entry missing");
    assert_eq!(kind("no entry"), "entry missing");
    assert_eq!(kind("empty entry"), "entry empty");
    assert_eq!(kind("empty"), "entry empty");
    assert_eq!(kind("invalid archive"), "invalid");
}

#[test]
fn a_payload_of_part_references_is_invalid_where_it_lies() {
    let game = game(&[]);
    let entry = Entry::new(0, 0, 0, 0, "cut", vec![b'a'; 70]).unwrap();
    game.put(
        "OBJECTS.rlb",
        &NRes::from_entries(vec![entry]).write().unwrap(),
    );
    let problem = file_problem(problem(&game, "cut"));
    let VfsError::Invalid { error: cause, .. } = &*problem else {
        panic!("{problem}");
    };
    // The payload begins at 16; its second reference at 64 of it.
    assert_eq!((cause.format, cause.offset), ("registry", 16 + 64));
    assert_eq!(cause.entry.as_deref(), Some("cut"));
}

#[test]
fn problems_name_what_requested_them() {
    let game = game(&[
        ("a", &[("objects.rlb", "B")]),
        ("b", &[("objects.rlb", "c")]),
        ("c", &[("bases.rlb", "gone.msh")]),
    ]);
    let error = problem(&game, "A");
    assert_eq!(error.chain, ["a", "b", "c"]);
    let expected = "no entry \"gone.msh\", requested by prototype \"c\", which \"b\" inherits from, \
        which \"a\" inherits from";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn circles_and_endless_chains_are_refused() {
    let looped = game(&[
        ("a", &[("objects.rlb", "b")]),
        ("b", &[("objects.rlb", "A")]),
    ]);
    let error = problem(&looped, "a");
    assert!(matches!(&error.cause, ResolveCause::Cycle { name } if name == "a"));
    let names: Vec<String> = (0..=32).map(|n| format!("p{n}")).collect();
    let refs: Vec<_> = names[1..]
        .iter()
        .map(|n| [("objects.rlb", n.as_str())])
        .collect();
    let mut rows: Vec<(&str, &[(&str, &str)])> = Vec::new();
    for (name, refs) in names.iter().zip(&refs) {
        rows.push((name, refs));
    }
    rows.push((&names[32], &[("bases.rlb", "hut.msh")]));
    let long = game(&rows);
    assert_eq!(mesh(&long, "p1"), hut(), "32 prototypes in a row");
    assert!(matches!(problem(&long, "p0").cause, ResolveCause::TooDeep));
    // Earlier requests make no difference.
    let vfs = long.vfs();
    let mut registry = Registry::new(&vfs);
    assert!(registry.resolve(b"p1").is_ok());
    let error = registry.resolve(b"p0").unwrap_err();
    assert!(matches!(error.cause, ResolveCause::TooDeep));
}

/// Without a cache each level would request the next one twice: 2^31 steps.
#[test]
fn shared_parents_are_followed_once() {
    let names: Vec<String> = (0..32).map(|n| format!("p{n}")).collect();
    let refs: Vec<_> = names[1..]
        .iter()
        .map(|n| [("objects.rlb", n.as_str()); 2])
        .collect();
    let mut rows: Vec<(&str, &[(&str, &str)])> = Vec::new();
    for (name, refs) in names.iter().zip(&refs) {
        rows.push((name, refs));
    }
    rows.push((&names[31], &[("bases.rlb", "side.ctl")]));
    assert_eq!(mesh(&game(&rows), "p0"), None);
}

#[test]
fn references_without_end_are_refused() {
    let side = ("bases.rlb", "hut.ctl");
    let most = vec![side; 4096];
    let game = game(&[("most", &most), ("more", &[("objects.rlb", "most")])]);
    assert_eq!(mesh(&game, "most"), None);
    let error = problem(&game, "more");
    assert!(matches!(error.cause, ResolveCause::TooManyRefs), "{error}");
}

/// The second result is that of the first: the archive is not read again.
#[test]
fn a_broken_archive_is_read_once() {
    let game = game(&[
        ("a", &[("broken.rlb", "a.msh")]),
        ("b", &[("BROKEN.rlb", "b.msh")]),
    ]);
    game.put("broken.rlb", b"NRes");
    let vfs = game.vfs();
    let mut registry = Registry::new(&vfs);
    let first = file_problem(registry.resolve(b"a").unwrap_err());
    game.put("broken.rlb", &models(&["b.msh"]));
    let second = file_problem(registry.resolve(b"b").unwrap_err());
    assert!(Arc::ptr_eq(&first, &second));
}

#[test]
fn references_to_other_archives_are_direct() {
    let game = game(&[("hut_01", &[("bases.rlb", "hut.msh")])]);
    let vfs = game.vfs();
    let mut registry = Registry::new(&vfs);
    let direct = registry.resolve_ref(b"BASES.rlb", b"hut.msh").unwrap();
    assert!(direct.is_some());
    assert_eq!(
        registry.resolve_ref(b"Objects.rlb", b"hut_01").unwrap(),
        direct
    );
    assert!(registry.resolve_ref(b"bases.rlb", b"hut_01.msh").is_err());
}

#[test]
fn without_a_registry_its_file_is_what_is_missing() {
    let bare = TestGame::new(&[("Bases.rlb", models(&["hut.msh"]))]);
    let problem = file_problem(problem(&bare, "hut"));
    let VfsError::FileMissing { name, .. } = &*problem else {
        panic!("{problem}");
    };
    assert_eq!(name, "objects.rlb");
}

#[test]
fn what_failed_is_not_followed_again() {
    let game = game(&[
        ("heir", &[("objects.rlb", "parent")]),
        ("parent", &[("bases.rlb", "gone.msh")]),
        ("twin", &[("objects.rlb", "parent")]),
        ("ring", &[("objects.rlb", "gnir")]),
        ("gnir", &[("objects.rlb", "ring")]),
    ]);
    let vfs = game.vfs();
    let mut registry = Registry::new(&vfs);
    let mut reported = |name: &str| registry.resolve(name.as_bytes()).unwrap_err().to_string();
    let names = ["heir", "parent", "twin", "ring"];
    let first = names.map(&mut reported);
    assert_eq!(names.map(&mut reported), first);
    assert_eq!(first, names.map(|name| problem(&game, name).to_string()));
    // All but what was not requested by itself, which is on the ring.
    assert!(reported("gnir").contains("inherits from itself"));
    assert_eq!(registry.known.len(), 5);
    assert!(registry.known.values().all(Result::is_err));
}

#[test]
fn what_is_too_deep_from_afar_is_not_from_near() {
    let names: Vec<String> = (0..=MAX_DEPTH).map(|i| format!("p{i}")).collect();
    let refs: Vec<[(&str, &str); 1]> = (names.iter().skip(1))
        .map(|next| [("objects.rlb", next.as_str())])
        .chain([[("bases.rlb", "hut.msh")]])
        .collect();
    let rows: Vec<_> = names
        .iter()
        .zip(&refs)
        .map(|(name, refs)| (name.as_str(), &refs[..]))
        .collect();
    let game = game(&rows);
    let vfs = game.vfs();
    let mut registry = Registry::new(&vfs);
    for _ in 0..2 {
        let error = registry.resolve(b"p0").unwrap_err();
        assert!(matches!(error.cause, ResolveCause::TooDeep), "{error}");
        assert!(registry.resolve(b"p1").unwrap().is_some());
    }
}
