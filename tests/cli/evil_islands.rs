//! Single files of Evil Islands in open forms and back.

use ironlands::worlds::evil_islands::formats::cam::{Cam, CamRecord};
use ironlands::worlds::evil_islands::formats::db::{Db, DbKind, Node, Nodes, Value};
use ironlands::worlds::evil_islands::formats::mob::draft::{MapRole, MobDraft};
use ironlands::worlds::evil_islands::formats::res::{NamesOrder, ResArchive};

use super::*;

/// A folder of its own for each test, and names in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// `command FROM --to TO`, which is to be done.
    #[track_caller]
    pub fn convert(&self, command: &str, from: &str, to: &str, more: &[&str]) -> String {
        let (from, to) = (self.path(from), self.path(to));
        let (code, stdout, stderr) = run(&[&[command, &from, "--to", &to], more].concat());
        assert_eq!(code, 0, "{command} {from} {to}: {stderr}");
        stdout
    }
}

/// The round trip gives the same bytes.
#[track_caller]
fn assert_round_trip(folder: &Folder, game_file: &str, open: &str) {
    let again = format!("again-{game_file}");
    folder.convert("export", game_file, open, &["--force"]);
    folder.convert("import", open, &again, &["--force"]);
    let [before, after] = [game_file, &again].map(|name| folder.read(name));
    assert!(before == after, "{game_file} by {open}");
}

#[test]
fn settings_become_text_and_back() {
    let folder = Folder::new();
    let text =
        "[EscMenu]\nTitle=\"\u{41c}\u{435}\u{43d}\u{44e}\"\nSpeed=0.5\nNewGame[]=10, 20, 110, 40\n";
    folder.write("menus.ini", text);
    let stdout = folder.convert("import", "menus.ini", "menus.reg", &[]);
    let bytes = folder.read("menus.reg");
    assert_eq!(&bytes[..4], [0xFB, 0x3E, 0xAB, 0x45]);
    assert_eq!(
        stdout,
        format!("{}: {} bytes\n", folder.path("menus.reg"), bytes.len())
    );
    folder.convert("export", "menus.reg", "again.ini", &[]);
    assert_eq!(folder.read("again.ini"), text.as_bytes());
    assert_round_trip(&folder, "menus.reg", "third.ini");
    folder.convert("export", "menus.reg", "dos.ini", &["--code-page", "cp866"]);
    assert_ne!(folder.read("dos.ini"), text.as_bytes());
    folder.convert("import", "dos.ini", "dos.reg", &[]);
    assert_eq!(
        folder.read("dos.reg"),
        bytes,
        "the text names its code page"
    );
}

#[test]
fn camera_paths_and_maps_become_json_and_back() {
    let folder = Folder::new();
    let record = |time| CamRecord {
        time,
        step: 7,
        position: [1.0, f32::MIN_POSITIVE, -3.25],
        rotation: [0.6, 0.0, 0.8, -0.0],
    };
    let cam = Cam::draft(vec![record(0), record(1.5f32.to_bits()), record(40)]);
    folder.write("intro.cam", cam.write().unwrap());
    assert_round_trip(&folder, "intro.cam", "intro.json");
    let mob = MobDraft::new(MapRole::Quest).build().unwrap();
    folder.write("zone.mob", mob.write().unwrap());
    assert_round_trip(&folder, "zone.mob", "zone.json");
}

fn levers() -> Db {
    let lever = |name: &[u8], scale| {
        let fields = vec![
            Node::new(0, Value::Text(name.to_vec())),
            Node::new(1, Value::Floats(vec![1.0, -0.5])),
            Node::new(3, Value::Float(scale)),
        ];
        Node::new(
            0,
            Value::Nodes(Nodes {
                nodes: fields,
                rest: Vec::new(),
            }),
        )
    };
    Db::draft(
        DbKind::Levers,
        vec![vec![lever(b"door", 1.0), lever(b"a, \"b\"", 0.1)]],
    )
}

/// A database of several tables with a record in its second.
fn perks() -> Db {
    let fields = vec![Node::new(0, Value::Text(b"strong".to_vec()))];
    let record = Node::new(
        3,
        Value::Nodes(Nodes {
            nodes: fields,
            rest: Vec::new(),
        }),
    );
    let tables = DbKind::Perks.tables().iter().enumerate();
    let tables = tables.map(|(table, _)| match table {
        1 => vec![record.clone()],
        _ => Vec::new(),
    });
    Db::draft(DbKind::Perks, tables.collect())
}

#[test]
fn databases_become_json_and_tables_and_back() {
    let folder = Folder::new();
    folder.write("levers.ldb", levers().write().unwrap());
    assert_round_trip(&folder, "levers.ldb", "levers.json");
    assert_round_trip(&folder, "levers.ldb", "levers.csv");
    folder.write("perks.pdb", perks().write().unwrap());
    assert_round_trip(&folder, "perks.pdb", "perks.json");
    let n_before = names_in(folder.0.path()).len();
    let stdout = folder.convert("export", "perks.pdb", "perks.csv", &[]);
    let n_tables = DbKind::Perks.tables().len();
    assert_eq!(stdout.lines().count(), n_tables, "{stdout}");
    assert_eq!(names_in(folder.0.path()).len(), n_before + n_tables);
    folder.convert("import", "perks.csv", "again.pdb", &[]);
    assert_eq!(folder.read("again.pdb"), folder.read("perks.pdb"));
}

#[test]
fn some_tables_replace_those_of_a_base() {
    let folder = Folder::new();
    let base = folder.write("perks.pdb", perks().write().unwrap());
    folder.convert("export", "perks.pdb", "perks.csv", &[]);
    let changed = folder.path("perks.perks.csv");
    let text = fs::read_to_string(&changed).unwrap();
    fs::write(&changed, text.replace("strong", "weak")).unwrap();
    fs::remove_file(folder.path("perks.skills.csv")).unwrap();
    let (from, to) = (folder.path("perks.csv"), folder.path("new.pdb"));
    let (code, _, stderr) = run(&["import", &from, "--to", &to]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("perks.skills.csv") && stderr.contains("--base"),
        "{stderr}"
    );
    folder.convert("import", "perks.csv", "new.pdb", &["--base", &base]);
    let new = Db::read(&folder.read("new.pdb"), DbKind::Perks).unwrap();
    let record = &new.records("perks").unwrap()[0];
    assert_eq!(
        record.child(0).unwrap().value,
        Value::Text(b"weak".to_vec())
    );
    assert_eq!(record.id, 3);
}

/// 8 x 4 pixels: red above, half of them seen through, blue below.
fn write_png(folder: &Folder, name: &str, alpha: u8) {
    let picture = image::RgbaImage::from_fn(8, 4, |x, y| match (y < 2, x < 4) {
        (true, true) => image::Rgba([255, 0, 0, 255]),
        (true, false) => image::Rgba([255, 0, 0, alpha]),
        (false, _) => image::Rgba([0, 0, 255, 255]),
    });
    picture.save(folder.path(name)).unwrap();
}

#[test]
fn textures_become_pictures_and_back() {
    let folder = Folder::new();
    write_png(&folder, "clear.png", 255);
    write_png(&folder, "glass.png", 128);
    for (png, pixels, fourcc) in [
        ("clear.png", None, b"DXT1"),
        ("glass.png", None, b"DXT3"),
        ("clear.png", Some("pnt3"), b"PNT3"),
        ("glass.png", Some("pnt3"), b"PNT3"),
    ] {
        let options = pixels.map_or(vec!["--force"], |it| vec!["--force", "--pixels", it]);
        folder.convert("import", png, "a.mmp", &options);
        let bytes = folder.read("a.mmp");
        assert!(
            bytes.windows(4).take(80).any(|it| it == fourcc),
            "{png} {pixels:?}"
        );
        folder.convert("export", "a.mmp", "b.png", &["--force"]);
        let [found, expected] =
            ["b.png", png].map(|it| image::open(folder.path(it)).unwrap().to_rgba8());
        let pairs = found.pixels().zip(expected.pixels());
        let near = pairs.flat_map(|(a, b)| a.0.into_iter().zip(b.0));
        // Alpha of four bits.
        assert!(
            near.into_iter().all(|(a, b)| a.abs_diff(b) <= 8),
            "{png} {pixels:?}"
        );
        assert_round_trip(&folder, "a.mmp", "a.dds");
    }
    folder.convert("import", "clear.png", "all.mmp", &["--pixels", "8888"]);
    folder.convert(
        "import",
        "clear.png",
        "one.mmp",
        &["--pixels", "8888", "--no-mips"],
    );
    let [all, one] = ["all.mmp", "one.mmp"].map(|it| folder.read(it).len());
    // 4x2, 2x1 and 1x1 pixels.
    assert_eq!(all - one, (8 + 2 + 1) * 4);
}

#[test]
fn members_of_archives_are_taken_as_files() {
    let folder = Folder::new();
    write_png(&folder, "clear.png", 255);
    folder.convert("import", "clear.png", "wood.mmp", &[]);
    let archive = |members: Vec<(&str, Vec<u8>)>| {
        let members = members.into_iter().map(|(name, data)| (name.into(), data));
        let archive = ResArchive::draft(members.collect(), NamesOrder::Insertion);
        archive.write().unwrap()
    };
    let inner = archive(vec![("Wood.mmp", folder.read("wood.mmp"))]);
    let outer = archive(vec![("deep\\inner.res", inner.clone()), ("a", vec![1])]);
    folder.write("inner.res", inner);
    folder.write("outer.res", outer);
    folder.convert("export", "wood.mmp", "loose.png", &[]);
    for (member, png) in [
        ("inner.res/wood.MMP", "inner.png"),
        ("outer.res/deep/inner.res/wood.mmp", "outer.png"),
    ] {
        folder.convert("export", member, png, &[]);
        assert_eq!(folder.read(png), folder.read("loose.png"), "{member}");
    }
    let (code, _, stderr) = run(&[
        "export",
        &folder.path("inner.res/stone.mmp"),
        "--to",
        "a.png",
    ]);
    assert_eq!(code, 2);
    assert!(stderr.contains("has no entry \"stone.mmp\""), "{stderr}");
}

#[test]
fn what_goes_with_nothing_is_reported_with_what_does() {
    let folder = Folder::new();
    for name in [
        "a.reg", "a.idb", "a.mob", "a.cam", "a.mmp", "a.png", "a.json", "a.ini",
    ] {
        folder.write(name, "");
    }
    for (command, from, to, words) in [
        (
            "export",
            "a.reg",
            "b.json",
            ": reg files are exported to .ini",
        ),
        (
            "export",
            "a.idb",
            "b.ini",
            ": db files are exported to .json or .csv",
        ),
        (
            "export",
            "a.mob",
            "b.csv",
            ": mob files are exported to .json",
        ),
        (
            "export",
            "a.cam",
            "b.glb",
            ": cam files are exported to .json",
        ),
        (
            "export",
            "a.mmp",
            "b.jpg",
            ": mmp files are exported to .png or .dds",
        ),
        (
            "import",
            "a.png",
            "b.reg",
            ": reg files are imported from .ini",
        ),
        (
            "import",
            "a.json",
            "b.mmp",
            ": mmp files are imported from .png or .dds",
        ),
        (
            "import",
            "a.json",
            "b.txt",
            "must end in .msh, .map, .mod, .wea",
        ),
    ] {
        let (from, to) = (folder.path(from), folder.path(to));
        let (code, stdout, stderr) = run(&[command, &from, "--to", &to]);
        assert_eq!((code, &*stdout), (2, ""), "{command} {from} {to}");
        assert!(stderr.contains(words), "{stderr}");
        assert!(!Path::new(&to).exists());
    }
    for (args, words) in [
        (
            &["export", "a.reg", "--to", "b.ini", "--rate", "3"][..],
            "--rate is for models",
        ),
        (
            &["export", "a.mob", "--to", "b.json", "--code-page", "cp866"],
            "is for .reg",
        ),
        (
            &["import", "a.ini", "--to", "b.reg", "--base", "c"],
            "--base is for tables",
        ),
        (
            &["import", "a.ini", "--to", "b.reg", "--pixels", "dxt1"],
            "for a texture",
        ),
        (
            &["import", "a.ini", "--to", "b.reg", "--rate", "9"],
            "--rate is for models",
        ),
    ] {
        let (code, _, stderr) = run(args);
        assert_eq!(code, 2, "{args:?}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
}

#[test]
fn files_that_are_there_are_kept_without_force() {
    let folder = Folder::new();
    folder.write("a.ini", "[a]\nb=1\n");
    let mine = folder.write("a.reg", "mine");
    let args = ["import", &folder.path("a.ini"), "--to", &mine];
    let (code, _, stderr) = run(&args);
    assert_eq!(code, 2);
    assert!(stderr.contains("is there already and is kept"), "{stderr}");
    assert_eq!(folder.read("a.reg"), b"mine");
    let (code, ..) = run(&[&args[..], &["--force"]].concat());
    assert_eq!(code, 0);
    assert_ne!(folder.read("a.reg"), b"mine");
}

#[test]
fn broken_files_are_refused_with_their_place() {
    let folder = Folder::new();
    folder.write("a.ini", "[a]\nb=1\nc=\"2\"\n");
    folder.convert("import", "a.ini", "a.reg", &[]);
    let whole = folder.read("a.reg");
    folder.write("cut.reg", &whole[..9]);
    folder.write("a.mob", [1, 2, 3]);
    folder.write("a.cam", [0; 20]);
    folder.write("a.mmp", b"MMP\0\0\0");
    folder.write("a.ldb", [9, 9]);
    folder.write("bad.ini", "[a]\nb=1\nno value\n");
    folder.write("bad.json", "{ \"format\": ");
    folder.write("bad.dds", "DDS ");
    folder.write("bad.png", "no picture");
    folder.write("latin.csv", [b'a', 0xE9]);
    folder.write("perks.json", perks().to_json().unwrap());
    for (command, from, to, words) in [
        ("export", "cut.reg", "b.ini", "reg: byte 0x"),
        ("export", "a.mob", "b.json", "mob: byte 0x0"),
        ("export", "a.mmp", "b.png", "mmp: byte 0x4"),
        ("export", "a.ldb", "b.json", "byte 0x"),
        ("import", "bad.ini", "b.reg", "byte 0x8"),
        ("import", "bad.json", "b.cam", "line 1"),
        ("import", "bad.json", "b.mob", "line 1"),
        ("import", "bad.dds", "b.mmp", "dds: byte 0x4"),
        ("import", "bad.png", "b.mmp", "the picture"),
        ("import", "latin.csv", "b.ldb", "byte 0x1 is no UTF-8"),
        (
            "import",
            "perks.json",
            "b.ldb",
            "it is the database \"perks\"",
        ),
        ("import", "none.csv", "b.pdb", "none.skills.csv"),
    ] {
        let (from, to) = (folder.path(from), folder.path(to));
        let (code, stdout, stderr) = run(&[command, &from, "--to", &to]);
        assert_eq!((code, &*stdout), (2, ""), "{command} {from} {to}");
        assert!(stderr.contains(&from) && stderr.contains(words), "{stderr}");
        assert!(!Path::new(&to).exists(), "{to}");
    }
}

pub const ZONE: &str = "DATA/EVIL_ISLANDS/Maps/zone1.mpr";

#[test]
fn the_files_of_the_demo_come_back_from_their_open_forms() {
    let folder = Folder::new();
    for (file, open) in [
        ("Maps/zone1.mob", "a.json"),
        ("Cameras/flight.cam", "b.json"),
        ("Res/music.reg", "c.ini"),
    ] {
        let file = format!("DATA/EVIL_ISLANDS/{file}");
        let name = Path::new(&file).file_name().unwrap().to_str().unwrap();
        folder.write(name, fs::read(&file).unwrap());
        assert_round_trip(&folder, name, open);
    }
    // Out of an archive: by JSON and by tables the same database.
    let database = "DATA/EVIL_ISLANDS/Res/database.res/items.idb";
    for open in ["items.json", "items.csv"] {
        let (code, _, stderr) = run(&["export", database, "--to", &folder.path(open)]);
        assert_eq!(code, 0, "{stderr}");
    }
    folder.convert("import", "items.json", "json.idb", &[]);
    folder.convert("import", "items.csv", "csv.idb", &[]);
    assert_eq!(folder.read("json.idb"), folder.read("csv.idb"));
    assert_round_trip(&folder, "json.idb", "again.json");
}

#[test]
fn the_light_of_a_zone_changes_with_the_hour() {
    let folder = tempfile::tempdir().unwrap();
    let view = ["--level", ZONE, "--camera", "86,4,15,110,-4"];
    let shoot = |name: &str, args: &[&str]| picture(folder.path(), name, &[&view, args].concat());
    let sky = |picture: &image::RgbImage| picture.get_pixel(2, 1).0.map(u32::from);
    let noon = shoot("noon.png", &["--hour", "12"]);
    let night = shoot("night.png", &["--hour", "0:00"]);
    let sum = |[r, g, b]: [u32; 3]| r + g + b;
    assert!(
        sum(sky(&noon)) > 2 * sum(sky(&night)),
        "{:?} {:?}",
        sky(&noon),
        sky(&night)
    );
    // Half an hour a second from 11:00 on is noon after two seconds.
    let later = ["--hour", "11", "--day-speed", "0.5", "--time", "2"];
    assert_eq!(sky(&shoot("later.png", &later)), sky(&noon));
    assert_eq!(sky(&shoot("around.png", &["--hour", "24"])), sky(&night));
}

#[test]
fn the_flight_of_the_demo_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("flight");
    let flight = "DATA/EVIL_ISLANDS/Cameras/flight.cam";
    let record = [
        "--level",
        ZONE,
        "--play",
        flight,
        "--record",
        to.to_str().unwrap(),
    ];
    let (code, _, stderr) = run(&quick(&[&record[..], &["--fps", "0.1"]].concat()));
    assert_eq!(code, 0, "{stderr}");
    // 32 seconds: at 0, 10, 20 and 30.
    let names = ["0000", "0001", "0002", "0003"].map(|it| format!("frame-{it}.png"));
    assert_eq!(names_in(&to), names);
    let pictures = names.map(|name| image::open(to.join(name)).unwrap().to_rgb8());
    assert!(
        pictures.windows(2).all(|pair| pair[0] != pair[1]),
        "it moves"
    );
}

#[test]
fn a_zone_and_a_figure_are_exported_as_gltf() {
    let folder = Folder::new();
    let glb = folder.path("zone.glb");
    let (code, _, stderr) = run(&["export", ZONE, "--to", &glb]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(&folder.read("zone.glb")[..4], b"glTF");
    let (code, _, stderr) = run(&["export", ZONE, "--to", &folder.path("zone.vmf")]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("is a level, which cannot be written as .vmf"),
        "{stderr}"
    );

    let figure = "DATA/EVIL_ISLANDS/Res/figures.res/unhuma.mod";
    let glb = folder.path("human.glb");
    let (code, _, stderr) = run(&["export", figure, "--to", &glb]);
    assert_eq!(code, 0, "{stderr}");
    let stdout = folder.convert("import", "human.glb", "human.mod", &[]);
    assert!(
        stdout.contains("human.mod") && stdout.contains("human.bon"),
        "{stdout}"
    );
    let (code, stdout, _) = run(&["check", &folder.path("human.mod")]);
    assert_eq!(code, 0, "{stdout}");
    let (code, _, stderr) = run(&["export", figure, "--to", &folder.path("a.obj")]);
    assert_eq!(code, 2);
    assert!(stderr.contains("must end in .glb: "), "{stderr}");
    let (code, _, stderr) = run(&["import", "house.obj", "--to", &folder.path("a.mod")]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains(": figure files are imported from .glb"),
        "{stderr}"
    );
}
