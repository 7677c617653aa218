//! What a Source map shows of itself before anyone has moved, and what the log says of what it lacks.

use image::RgbImage;
use ironlands::kind::OpenOptions;
use ironlands::scene::{PassKind, Scene};
use ironlands::worlds::source::formats::bsp::{BspFile, LumpId, Map};
use ironlands::worlds::source::formats::entities::{Entities, Entity, EntitySyntax};
use ironlands_demo::source_map::brushes::{Brush, SurfaceMaterial, flags};
use ironlands_demo::source_map::entities::{EntityPlan, Lamp, LightColor, Sun};
use ironlands_demo::source_map::{MapPlan, compile};

use super::*;

/// Materials of [`room`].
const WALL: usize = 0;
const FLOOR: usize = 1;
const SKY: usize = 2;
const WATER: usize = 3;
const WATER_SIDE: usize = 4;

const WHITE: LightColor = LightColor {
    rgb: [255; 3],
    brightness: 600.0,
};

fn material(name: &str, flags: i32, reflectivity: [f64; 3]) -> SurfaceMaterial {
    SurfaceMaterial {
        name: name.to_owned(),
        flags,
        size: [64; 2],
        units_per_texel: 0.5,
        units_per_luxel: 16.0,
        reflectivity,
        beneath: None,
    }
}

/// A closed room, 512 units wide and 192 high, around the origin of its floor.
fn room() -> MapPlan {
    let mut plan = MapPlan {
        materials: vec![
            material("test/wall", 0, [0.5, 0.4, 0.3]),
            material("test/floor", 0, [0.2, 0.3, 0.2]),
            material("tools/sky", flags::SKY | flags::NOLIGHT, [0.1; 3]),
            material("test/lake", flags::WARP | flags::NOLIGHT, [0.1, 0.3, 0.1]),
            material("tools/nodraw", flags::NODRAW | flags::NOLIGHT, [0.1; 3]),
        ],
        entities: vec![EntityPlan::new("worldspawn").with("skyname", "test_sky")],
        ..MapPlan::default()
    };
    plan.brushes = hollow([-256.0, -256.0, 0.0], [256.0, 256.0, 192.0], WALL);
    plan.brushes[4]
        .sides
        .iter_mut()
        .for_each(|side| side.material = FLOOR);
    plan
}

/// Walls around a box: -x, +x, -y, +y, below, above.
fn hollow(low: [f64; 3], high: [f64; 3], material: usize) -> Vec<Brush> {
    let walls = (0..6).map(|side| {
        let (axis, is_high) = (side / 2, side % 2 == 1);
        let mut wall = [low.map(|c| c - 16.0), high.map(|c| c + 16.0)];
        match is_high {
            true => wall[0][axis] = high[axis],
            false => wall[1][axis] = low[axis],
        }
        Brush::block(wall[0], wall[1], material)
    });
    walls.collect()
}

fn player(origin: [f64; 3], yaw: i32) -> EntityPlan {
    let player = EntityPlan::new("info_player_start").at(origin);
    player.with("angles", format!("0 {yaw} 0"))
}

fn lamp(origin: [f64; 3]) -> Lamp {
    Lamp {
        origin,
        color: WHITE,
        style: 0,
        name: None,
        cone: None,
    }
}

/// Compiles a plan into a file of the folder.
fn write_map(folder: &Path, name: &str, plan: &MapPlan) -> String {
    write_changed_map(folder, name, plan, |_| ())
}

fn write_changed_map(
    folder: &Path,
    name: &str,
    plan: &MapPlan,
    change: impl FnOnce(&mut Map),
) -> String {
    let mut map = compile(plan).unwrap();
    change(&mut map);
    let mut file = BspFile::new(19);
    map.write_into(&mut file).unwrap();
    let lamps = plan.lamps.iter().map(Lamp::entity);
    let sun = plan.sun.iter().map(Sun::entity);
    let mut entities = Entities::new(EntitySyntax::Plain);
    for plan in plan.entities.iter().cloned().chain(lamps).chain(sun) {
        let mut entity = Entity::default();
        for (key, value) in &plan.pairs {
            entity.push(key, value);
        }
        entities.entities.push(entity);
    }
    file.set_lump(LumpId::Entities, 0, entities.write().unwrap());
    let path = folder.join(name);
    fs::write(&path, file.write().unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The first picture of a map, or that from a camera, and the log.
fn shown(map: &str, args: &[&str]) -> (RgbImage, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let render = ["--level", map, "--render", path.to_str().unwrap()];
    let (code, _, stderr) = run(&quick(&[&render, args].concat()));
    assert_eq!(code, 0, "{stderr}");
    (image::open(&path).unwrap().to_rgb8(), stderr)
}

/// How many pixels differ clearly from the most frequent color.
fn n_other_pixels(picture: &RgbImage) -> usize {
    let mut counts = std::collections::BTreeMap::new();
    for pixel in picture.pixels() {
        *counts.entry(pixel.0).or_insert(0) += 1;
    }
    let (most, _) = counts.iter().max_by_key(|(_, n)| **n).unwrap();
    let differs = |pixel: &[u8; 3]| pixel.iter().zip(most).any(|(a, b)| a.abs_diff(*b) > 8);
    picture.pixels().filter(|pixel| differs(&pixel.0)).count()
}

fn opened(map: &str) -> Scene {
    let options = OpenOptions::default();
    let (_, level) = ironlands::worlds::registry()
        .open(Path::new(map), &options)
        .unwrap();
    level.scene
}

#[test]
fn a_map_without_world_lights_is_fully_bright() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.entities.push(player([0.0, 0.0, 1.0], 0));
    // All of one material: only the stand-in for its texture distinguishes the walls from the floor.
    for side in plan.brushes.iter_mut().flat_map(|brush| &mut brush.sides) {
        side.material = WALL;
    }
    let map = write_map(folder.path(), "unlit.bsp", &plan);
    let (picture, log) = shown(&map, &[]);
    assert!(log.contains("the map has no world lights"), "{log}");
    let darkest = picture.pixels().flat_map(|pixel| pixel.0).min();
    assert!(darkest > Some(100), "{darkest:?}");
    let n_other = n_other_pixels(&picture);
    assert!(n_other > 200, "{n_other} pixels are not of one color");
}

#[test]
fn a_lit_map_says_nothing_of_lights_and_is_not_fully_bright() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.entities.push(player([0.0, 0.0, 1.0], 0));
    plan.lamps.push(lamp([200.0, 200.0, 100.0]));
    let map = write_map(folder.path(), "lit.bsp", &plan);
    let (lit, log) = shown(&map, &[]);
    assert!(!log.contains("world lights"), "{log}");
    let unlit = write_changed_map(folder.path(), "unlit.bsp", &plan, |map| {
        map.world_lights.clear();
    });
    let (bright, log) = shown(&unlit, &[]);
    assert!(
        log.contains("world lights"),
        "light that is stored is not shown: {log}"
    );
    assert_ne!(lit, bright);
}

#[test]
fn nobody_starts_in_a_box_to_wait_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.lamps.push(lamp([-100.0, 100.0, 100.0]));
    // Closed, dark, and large enough for a player.
    let boxed = hollow([96.0, 96.0, 16.0], [160.0, 160.0, 112.0], WALL);
    plan.brushes.extend(boxed);
    plan.entities.push(player([128.0, 128.0, 17.0], 0));
    let alone = write_map(folder.path(), "alone.bsp", &plan);
    let (boxed, _) = shown(&alone, &["--camera=128,128,81,0,0"]);
    assert_eq!(n_other_pixels(&boxed), 0, "there is nothing to see in it");
    let (searched, _) = shown(&alone, &[]);
    assert!(n_other_pixels(&searched) > 1000);

    plan.entities.push(player([-200.0, 0.0, 1.0], 0));
    let two = write_map(folder.path(), "two.bsp", &plan);
    let (second, _) = shown(&two, &[]);
    let (expected, _) = shown(&two, &["--camera=-200,0,65,0,0"]);
    assert_eq!(second, expected, "the first place that is not sealed in");
}

#[test]
fn who_starts_before_a_wall_is_turned_and_without_places_one_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.lamps.push(lamp([0.0, 0.0, 100.0]));
    let nowhere = write_map(folder.path(), "nowhere.bsp", &plan);
    let (found, _) = shown(&nowhere, &[]);
    assert!(n_other_pixels(&found) > 1000);

    plan.entities.push(player([250.0, 0.0, 1.0], 0));
    let wall = write_map(folder.path(), "wall.bsp", &plan);
    let (picture, _) = shown(&wall, &[]);
    let (before_wall, _) = shown(&wall, &["--camera=250,0,65,0,0"]);
    assert_ne!(picture, before_wall);
    assert!(n_other_pixels(&picture) > 1000);
}

#[test]
fn a_background_map_is_seen_through_its_camera() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.lamps.push(lamp([-100.0, 100.0, 100.0]));
    plan.entities.push(player([0.0, 0.0, 1.0], 0));
    let camera = |name: &str, origin: [f64; 3], target: &str| {
        let camera = EntityPlan::new("point_viewcontrol").at(origin);
        camera.with("targetname", name).with("target", target)
    };
    plan.entities.push(camera("idle", [0.0, 100.0, 64.0], ""));
    plan.entities
        .push(camera("eye", [100.0, 100.0, 64.0], "aim").with("angles", "0 0 0"));
    plan.entities.push(
        EntityPlan::new("info_target")
            .at([0.0, 200.0, 64.0])
            .with("targetname", "aim"),
    );
    let plain = EntityPlan::new("logic_auto").with("OnMapSpawn", "eye,Enable,,0,-1");
    let loud = EntityPlan::new("logic_auto").with("OnBackgroundMap", "eye,Enable,,0,-1");

    let through_camera = ["--camera=100,100,64,135,0"];
    let as_player = ["--camera=0,0,65,0,0"];
    for (name, logic, expected) in [
        ("Background01.bsp", &plain, &through_camera),
        ("game.bsp", &plain, &as_player),
        ("menu.bsp", &loud, &through_camera),
    ] {
        let mut plan = plan.clone();
        plan.entities.push(logic.clone());
        let map = write_map(folder.path(), name, &plan);
        let (first, _) = shown(&map, &[]);
        let (expected, _) = shown(&map, expected);
        assert_eq!(first, expected, "{name}");
    }
}

#[test]
fn the_camera_of_a_background_map_may_stand_in_a_closet() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.lamps.push(lamp([-100.0, 100.0, 100.0]));
    let closet = hollow([64.0, 64.0, 16.0], [192.0, 160.0, 112.0], FLOOR);
    plan.brushes.extend(closet);
    plan.lamps.push(lamp([128.0, 100.0, 100.0]));
    plan.entities.push(player([0.0, 0.0, 1.0], 0));
    let camera = EntityPlan::new("point_viewcontrol").at([80.0, 112.0, 64.0]);
    plan.entities.push(camera.with("targetname", "eye"));
    let map = write_map(folder.path(), "background.bsp", &plan);
    let (first, _) = shown(&map, &[]);
    let (expected, _) = shown(&map, &["--camera=80,112,64,0,0"]);
    assert_eq!(first, expected);
}

#[test]
fn missing_files_are_one_line_and_a_list_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.entities.push(player([0.0, 0.0, 1.0], 0));
    plan.lamps.push(lamp([0.0, 0.0, 100.0]));
    let map = write_map(folder.path(), "plain.bsp", &plan);
    let (_, log) = shown(&map, &[]);
    let reported: Vec<_> = log
        .lines()
        .filter(|line| line.contains("missing"))
        .collect();
    let [line] = &*reported else { panic!("{log}") };
    assert!(
        line.contains("8 files of the game are missing: 2 materials, 6 sky materials"),
        "{line}"
    );
    assert!(line.contains("--assets"), "{line}");
    let (_, log) = shown(&map, &["-v"]);
    for path in [
        "materials/test/wall.vmt is missing",
        "materials/skybox/test_skyup.vmt is missing",
    ] {
        assert!(log.contains(path), "{path}: {log}");
    }
}

#[test]
fn a_missing_sky_and_missing_water_take_the_light_of_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = room();
    plan.entities.push(player([0.0, 0.0, 33.0], 0));
    let water = Brush::block([-256.0, -256.0, 0.0], [256.0, 256.0, 32.0], WATER_SIDE)
        .facing([0.0, 0.0, 1.0], WATER)
        .with_contents(flags::WATER);
    plan.brushes.push(water);
    // A dim red lamp and no sky.
    let mut red = lamp([0.0, 0.0, 120.0]);
    red.color = LightColor {
        rgb: [255, 20, 20],
        brightness: 60.0,
    };
    plan.lamps.push(red);
    let indoors = opened(&write_map(folder.path(), "indoors.bsp", &plan));
    let [r, g, b] = indoors.sky.horizon;
    assert!(
        r > 2.0 * g && r > 2.0 * b,
        "the mirror of water shows the room: {:?}",
        indoors.sky
    );
    assert_eq!(indoors.sky.sun_disc, [0.0; 3], "no glint without a sun");
    let [r, g, b, _] = water_color(&indoors);
    assert!(r > b && g < 0.3 && r < 0.4, "dim and red: {r} {g} {b}");

    // The same under a green sky: the ceiling is open.
    plan.lamps.clear();
    plan.brushes[5]
        .sides
        .iter_mut()
        .for_each(|side| side.material = SKY);
    plan.sun = Some(Sun {
        origin: [0.0, 0.0, 64.0],
        pitch: -60.0,
        yaw: 0.0,
        color: LightColor {
            rgb: [255, 255, 20],
            brightness: 255.0,
        },
        sky: LightColor {
            rgb: [20, 255, 20],
            brightness: 255.0,
        },
        spread: 0.01,
    });
    let outdoors = opened(&write_map(folder.path(), "outdoors.bsp", &plan));
    let sky = outdoors.sky;
    for [r, g, b] in [sky.zenith, sky.horizon] {
        assert!(g > 2.0 * r && g > 2.0 * b, "{sky:?}");
    }
    let [r, _, b] = sky.sun_disc;
    assert!(r > 0.9 && b < 0.2, "{sky:?}");
    let [r, g, b, _] = water_color(&outdoors);
    assert!(
        g > 2.0 * r && g > 2.0 * b && g > 0.4,
        "bright and green: {r} {g} {b}"
    );
}

/// The color of the first water of a scene.
fn water_color(scene: &Scene) -> [f32; 4] {
    let passes = scene.materials.iter().flat_map(|material| &material.passes);
    let mut water = passes.filter(|pass| pass.kind == PassKind::Water);
    water.next().expect("there is water").diffuse
}
