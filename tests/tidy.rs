//! The rules that a machine can check (CONTRIBUTING.md): dependencies between crates, the proof of every format, file
//! sizes, headers. Reads sources only; needs no GPU and no data.

#[path = "tidy/arrows.rs"]
mod arrows;

use std::path::{Path, PathBuf};

use arrows::ARROWS;

/// Words of the four worlds, which the renderer and the scene must not know in code.
const GAME_WORDS: [&str; 7] = [
    "parkan",
    "iron3d",
    "evil_islands",
    "lineage",
    "bsp",
    "areal",
    "nres",
];

#[test]
fn crates_depend_one_way() {
    for (folder, allowed) in ARROWS {
        let mut allowed: Vec<String> = allowed.iter().map(|folder| name_of(folder)).collect();
        for (name, _) in dependencies(folder) {
            assert!(
                !name.starts_with("ironlands-") || allowed.contains(&name),
                "{folder} depends on {name}, allowed are {allowed:?}"
            );
        }
        allowed.push(name_of(folder));
        for path in sources_of_crate(folder) {
            for (number, line) in read(&path).lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for (at, _) in code.match_indices("ironlands_") {
                    // Names that a JVM looks for have it in their middle.
                    if code[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_') {
                        continue;
                    }
                    let word = code[at..]
                        .split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next();
                    let word = word.expect("a first part").replace('_', "-");
                    let place = format!("{}:{}", path.display(), number + 1);
                    assert!(allowed.contains(&word), "{place}: {word}");
                }
            }
        }
    }
}

/// The name of the crate in a folder.
fn name_of(folder: &str) -> String {
    let manifest = manifest(folder);
    let name = manifest["package"]["name"].as_str();
    name.expect("a name").to_owned()
}

/// What only benches, examples and tests may depend on.
#[test]
fn the_program_is_built_without_its_peers() {
    for (folder, _) in ARROWS {
        let manifest = manifest(folder);
        let table = manifest.get("dependencies");
        let names = table.and_then(toml::Value::as_table).into_iter().flatten();
        let knows = names
            .into_iter()
            .any(|(name, _)| name == "ironlands-query-bench");
        assert!(
            !knows,
            "{folder} depends on query-bench; only its dev-dependencies may"
        );
    }
}

/// The fuzz targets are outside of the workspace: cargo does not keep their lock file up to date with it, and
/// `cargo check --locked` of the last check refuses a stale one.
#[test]
fn the_lock_file_of_the_fuzz_targets_knows_our_dependencies() {
    let lock: toml::Table = read(&root().join("fuzz/Cargo.lock"))
        .parse()
        .expect("a lock file is TOML");
    let locked = lock["package"].as_array().expect("packages");
    for (folder, _) in ARROWS {
        let name = name_of(folder);
        let Some(package) = locked
            .iter()
            .find(|it| it["name"].as_str() == Some(name.as_str()))
        else {
            continue;
        };
        let known = package.get("dependencies").and_then(toml::Value::as_array);
        // Where two versions are locked, the version follows the name.
        let known: Vec<&str> = known
            .into_iter()
            .flatten()
            .filter_map(|it| it.as_str()?.split(' ').next())
            .collect();
        let manifest = manifest(folder);
        let needed = manifest.get("dependencies").and_then(toml::Value::as_table);
        // What a feature brings that is off is not locked.
        let is_optional = |it: &toml::Value| it.get("optional").is_some();
        let needed = needed.into_iter().flatten();
        for (needed, _) in needed.filter(|(_, it)| !is_optional(it)) {
            assert!(
                known.contains(&needed.as_str()),
                "fuzz/Cargo.lock: {name} without {needed}; run `cargo update --workspace --manifest-path fuzz/Cargo.toml`"
            );
        }
    }
}

#[test]
fn every_dependency_is_declared_once_in_the_workspace_table() {
    for (folder, _) in ARROWS {
        for (name, spec) in dependencies(folder) {
            let inherited = spec.get("workspace").and_then(toml::Value::as_bool);
            assert_eq!(
                inherited,
                Some(true),
                "{folder}: {name} must say `workspace = true`"
            );
        }
    }
}

#[test]
fn only_the_renderer_speaks_to_the_gpu() {
    for (folder, _) in ARROWS {
        let mut names = dependencies(folder).into_iter().map(|(name, _)| name);
        assert!(
            folder == "renderer" || !names.any(|name| name == "wgpu"),
            "{folder} depends on wgpu; only renderer may"
        );
    }
}

/// All that a crate's manifest depends on, for building, testing and any platform.
fn dependencies(folder: &str) -> Vec<(String, toml::Value)> {
    let manifest = manifest(folder);
    let mut tables = vec![&manifest];
    if let Some(targets) = manifest.get("target").and_then(toml::Value::as_table) {
        tables.extend(targets.values());
    }
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    tables
        .into_iter()
        .flat_map(|table| kinds.map(|kind| table.get(kind).and_then(toml::Value::as_table)))
        .flatten()
        .flatten()
        .map(|(name, spec)| (name.clone(), spec.clone()))
        .collect()
}

/// The sources of a crate, without those of crates in it; those of the root package lie in several folders.
fn sources_of_crate(folder: &str) -> Vec<PathBuf> {
    let folders = match folder {
        "." => vec![
            "engine".to_owned(),
            "examples".to_owned(),
            "benches".to_owned(),
        ],
        folder => vec![format!("{folder}/src"), format!("{folder}/tests")],
    };
    let folders = folders.iter().filter(|it| root().join(it).is_dir());
    folders.flat_map(|it| sources(it)).collect()
}

#[test]
fn renderer_and_scene_know_no_game() {
    assert_knows_none(
        "renderer",
        &["renderer/src", "scene/src", "shaders"],
        &GAME_WORDS,
    );
}

/// What one world's models need of public formats lies in that world.
#[test]
fn exchange_knows_no_game() {
    assert_knows_none("exchange", &["exchange/src"], &GAME_WORDS);
}

/// The engine knows worlds by their trait; its tests may name some.
#[test]
fn engine_knows_no_game() {
    let words = [
        "parkan",
        "iron3d",
        "evil islands",
        "evil_islands",
        "lineage",
        "geodata",
        "source map",
        "source engine",
        "valve",
        "bsp",
        "vpk",
        "nres",
        "rsli",
        "areal",
    ];
    assert_knows_none("engine", &["engine"], &words);
}

/// Queries are built from plain arrays; what turns typed files into those lies in `worlds`.
#[test]
fn queries_know_no_game() {
    let folders = [
        "sim/core/src",
        "sim/world/src",
        "sim/animation/src",
        "sim/areal/src",
        "sim/brush/src",
        "sim/regions/src",
        "sim/geodata/src",
    ];
    // What they query keeps the documents' words: areals, BSP trees.
    let words = [
        "parkan",
        "iron3d",
        "evil islands",
        "evil_islands",
        "lineage",
        "valve",
        "ironlands_assets",
    ];
    assert_knows_none("queries", &folders, &words);
}

fn assert_knows_none(who: &str, folders: &[&str], words: &[&str]) {
    let paths = folders.iter().flat_map(|folder| sources(folder));
    // A document that a default comes from may be named in a comment.
    let found = lines_of_code(paths, |code| {
        let code = code.to_lowercase();
        words.iter().any(|word| code.contains(word))
    });
    assert_none(&format!("{who}, game words"), &found);
}

/// Lines of the program that are wanted, by their code without comments; those of its tests are left out.
fn lines_of_code(
    paths: impl Iterator<Item = PathBuf>,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<String> {
    let program = |text: &str| text.find("\nmod tests {").unwrap_or(text.len());
    lines(paths, program, |line| {
        is_wanted(line.split("//").next().unwrap_or_default())
    })
}

/// Lines that are wanted, each with its place, in the first bytes of each file as `len` counts them.
fn lines(
    paths: impl Iterator<Item = PathBuf>,
    len: impl Fn(&str) -> usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut found = Vec::new();
    for path in paths {
        let text = read(&path);
        let lines = (1..).zip(text[..len(&text)].lines());
        let wanted = lines.filter(|(_, line)| is_wanted(line));
        found.extend(wanted.map(|(number, line)| format!("{}:{number}: {line}", path.display())));
    }
    found
}

#[track_caller]
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

/// The one file that opens files for reading: it refuses what may never end.
const READER: &str = "assets-loader/core/src/vfs/read.rs";

/// Calls that read files past [`READER`].
const OTHER_READS: [&str; 7] = [
    "fs::read(",
    "fs::read_to_string(",
    "File::open(",
    "OpenOptions::new(",
    "image::open(",
    "ImageReader::open(",
    "Mmap",
];

#[test]
fn files_are_read_in_one_place() {
    // What finds real files is no part of the program; the proof of readers only tests.
    let crates = ARROWS.iter().map(|(folder, _)| *folder);
    let folders = crates
        .filter(|it| *it != ".")
        .map(|folder| format!("{folder}/src"));
    let folders = folders.chain(["engine".to_owned()]);
    let paths = folders.flat_map(|it| sources(&it));
    // Tests write and read files of their own.
    let paths = paths.filter(|path| !path.ends_with(READER) && !is_test(path));
    let found = lines_of_code(paths, |code| {
        OTHER_READS.iter().any(|call| calls(code, call))
    });
    assert_none(&format!("reads past {READER}"), &found);
}

/// Whether code has a call, not one of a longer name.
fn calls(code: &str, call: &str) -> bool {
    let is_part_of_name = |it: char| it.is_alphanumeric() || it == '_';
    let mut found = code.match_indices(call);
    found.any(|(at, _)| !code[..at].ends_with(is_part_of_name))
}

/// Whether a source is that of a `mod tests`.
fn is_test(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    parts.any(|part| part == "tests" || part == "tests.rs")
}

#[test]
fn files_stay_readable() {
    let mut long = Vec::new();
    for path in all_sources() {
        let n_lines = read(&path).lines().count();
        if n_lines > 600 {
            long.push(format!("{}: {n_lines} lines", path.display()));
        }
    }
    assert_none("files over 600 lines", &long);
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    let mut bare = Vec::new();
    // A `tests.rs` belongs to the module of its folder, which says what it is for.
    let opens = |path: &PathBuf| path.file_name().is_some_and(|name| name != "tests.rs");
    for path in all_sources().into_iter().filter(opens) {
        let text = read(&path);
        let opening = if path.extension().is_some_and(|e| e == "wgsl") {
            "//"
        } else {
            "//!"
        };
        if !text.starts_with(opening) {
            bare.push(path.display().to_string());
        }
    }
    assert_none("files without an opening comment", &bare);
}

#[test]
fn nothing_is_left_for_later() {
    let marks = ["todo!(", "unimplemented!(", "FIXME", "XXX", "dbg!("];
    let paths = all_sources().into_iter();
    let paths = paths.filter(|path| !path.ends_with("tests/tidy.rs"));
    let is_mark = |line: &str| marks.iter().any(|mark| line.contains(mark));
    let left = lines(paths, str::len, is_mark);
    assert_none("left-over marks", &left);
}

#[test]
fn every_ignored_test_says_why() {
    let is_silent = |line: &str| line.trim() == "#[ignore]";
    let silent = lines(all_sources().into_iter(), str::len, is_silent);
    assert_none("ignored without a reason", &silent);
}

/// Where each world has its list of formats.
const FORMAT_LISTS: [&str; 4] = [
    "assets-loader/parkan",
    "assets-loader/source",
    "assets-loader/evil-islands",
    "assets-loader/lineage2",
];

/// The proof kit makes the tests of facts, damage, truncations, values and mutations, each of which must be given.
#[test]
fn every_format_has_its_proof() {
    let mut unproved = Vec::new();
    for folder in FORMAT_LISTS {
        let list = read(&root().join(folder).join("src/formats.rs"));
        let list = list.split("formats![").nth(1).expect("a list of formats");
        let list = list.split(']').next().expect("the end of the list");
        let text: String = sources(&format!("{folder}/src"))
            .iter()
            .map(|it| read(it))
            .collect();
        let proofs = text.split("proof! {").skip(1);
        let proved: Vec<&str> = proofs
            .filter_map(|it| it.split_whitespace().next())
            .collect();
        let formats = list
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let formats: Vec<&str> = formats.collect();
        assert!(formats.len() > 1, "{folder} lists {formats:?}");
        let missing = formats.iter().filter(|name| !proved.contains(name));
        unproved.extend(missing.map(|name| format!("{folder}: {name}")));
    }
    assert!(unproved.is_empty(), "without `proof!`: {unproved:?}");
}

#[test]
fn gpu_twins_are_compared_with_their_shaders() {
    let tests: String = sources("renderer").iter().map(|path| read(path)).collect();
    let mut unproved = Vec::new();
    for path in sources("renderer/src") {
        let text = read(&path);
        for (at, _) in text.match_indices("#[repr(C)]") {
            let Some(name) = text[at..].split("struct ").nth(1).and_then(|rest| {
                rest.split(|c: char| !c.is_alphanumeric())
                    .next()
                    .filter(|name| !name.is_empty())
            }) else {
                continue;
            };
            // Vertices are described by vertex attributes, which wgpu checks itself.
            let compared = tests.contains(&format!("assert_same_layout::<{name}>"));
            if !name.ends_with("Vertex") && !compared {
                unproved.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert_none("never compared with WGSL", &unproved);
}

#[test]
fn the_architecture_page_names_every_folder() {
    let page = read(&root().join("ARCHITECTURE.md"));
    for folder in [
        "engine",
        "scene",
        "assets-loader",
        "sim",
        "renderer",
        "demo",
        "exchange",
        "query-bench",
        "shaders",
        "fuzz",
        "worlds/kind",
        "worlds/registry",
        "bindings",
    ] {
        assert!(
            page.contains(&format!("{folder}/")),
            "ARCHITECTURE.md does not name {folder}/"
        );
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn manifest(folder: &str) -> toml::Value {
    let text = read(&root().join(folder).join("Cargo.toml"));
    toml::Value::Table(text.parse().expect("a manifest is TOML"))
}

fn all_sources() -> Vec<PathBuf> {
    let folders = [
        "engine",
        "scene",
        "assets-loader",
        "sim",
        "renderer",
        "demo",
        "exchange",
        "query-bench",
        "shaders",
        "examples",
        "benches",
        "tests",
        "worlds",
        "bindings",
        "fuzz/fuzz_targets",
    ];
    folders.into_iter().flat_map(sources).collect()
}

fn sources(folder: &str) -> Vec<PathBuf> {
    sources_of(&root().join(folder))
}

/// All Rust and WGSL files below a folder, in a fixed order.
fn sources_of(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                waiting.push(path);
            } else if path.extension().is_some_and(|e| e == "rs" || e == "wgsl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
