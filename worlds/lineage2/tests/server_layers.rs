//! Zones and spawn points of the demo's server files in an opened level.

use std::path::{Path, PathBuf};

use glam::Vec3;
use ironlands_scene::Overlay;
use ironlands_sim_world::WorldHit;
use ironlands_world_kind::{Opened, WorldKind};
use ironlands_world_lineage2::{Lineage2, Lineage2Options};

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/LINEAGE2")
}

fn opened() -> Opened {
    let file = |name: &str| vec![demo().join("server").join(name)];
    let options = Lineage2Options {
        doors: file("doors.xml"),
        zones: file("zones.xml"),
        spawns: file("spawns.xml"),
        ..Lineage2Options::default()
    };
    Lineage2::open(&demo(), &[], &options).unwrap()
}

fn legend(overlay: &Overlay) -> Vec<&str> {
    overlay.legend.iter().map(|entry| &*entry.text).collect()
}

#[test]
fn zones_and_spawn_points_are_overlays_with_a_legend() {
    let scene = opened().scene;
    assert!(scene.validate().is_ok());
    let [zones, spawns] = &*scene.overlays else {
        panic!("{} overlays", scene.overlays.len());
    };
    assert_eq!((&*zones.name, &*spawns.name), ("zones", "spawn points"));
    let mut kinds = legend(zones);
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        ["FishingZone", "NoLandingZone", "PeaceZone", "SiegeZone"]
    );
    // None of them cannot be left.
    assert_eq!(legend(spawns), ["on ground", "without ground"]);
    assert!(zones.is_shown && spawns.is_shown);
}

#[test]
fn walls_of_a_zone_follow_the_ground_inside_its_heights() {
    let opened = opened();
    let lines = &opened.scene.overlays[0].lines;
    let near = |x: f32, y: f32| {
        let distance =
            |at: &&ironlands_scene::OverlayVertex| (at.position[0] - x).hypot(at.position[1] + y);
        let nearest = lines
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let at = nearest.unwrap();
        assert!(distance(&at) < 64.0, "{:?}", at.position);
        at.position
    };
    for (x, y) in [
        (15_700.0, 18_400.0),
        (18_300.0, 22_700.0),
        (45_448.0, 15_096.0),
    ] {
        let [at_x, at_y, z] = near(x, y);
        let ground = opened.world.ground_below(at_x, at_y, z);
        let above = z - ground.unwrap();
        // The tops of walls are 160 points above the ground, which is stored in steps of 8.
        assert!(
            (above - 160.0).abs() <= 8.0,
            "{above} above at {at_x}, {at_y}"
        );
    }
}

#[test]
fn the_list_of_objects_has_zones_and_spawn_points_with_their_problems() {
    let world = opened().world;
    let entities = world.entities();
    let find = |name: &str| entities.iter().find(|it| it.name == name).unwrap();
    assert_eq!(find("hamlet").class, "PeaceZone");
    let harbor = find("harbour").position.unwrap();
    assert_eq!((harbor.x, harbor.y), (17_496.0, -22_728.0));
    let spawns: Vec<_> = entities.iter().filter(|it| it.class == "spawn").collect();
    assert_eq!(spawns.len(), 14);
    assert_eq!(
        (&*spawns[0].name, &*spawns[13].name),
        ("market", "lost ship")
    );
    let problem = |facts: &[ironlands_sim_world::Fact]| {
        let fact = facts.iter().find(|fact| fact.label == "problem");
        fact.map(|fact| fact.value.clone())
    };
    let problems: Vec<_> = spawns.iter().filter_map(|it| problem(&it.facts)).collect();
    assert_eq!(
        problems,
        ["no ground within 200; the nearest is at -3640", "no region"]
    );
}

#[test]
fn what_is_hit_names_the_zones_that_it_lies_in() {
    let world = opened().world;
    let zones_at = |position: Vec3| {
        let hit = WorldHit {
            element: 0,
            t: 1.0,
            position,
            normal: Vec3::Z,
        };
        let facts = world.describe(&hit).into_iter();
        let zones = facts.filter(|fact| fact.label == "zone");
        zones.map(|fact| fact.value).collect::<Vec<_>>()
    };
    assert_eq!(
        zones_at(Vec3::new(17_512.0, -18_376.0, -3640.0)),
        ["town (PeaceZone)"]
    );
    assert_eq!(zones_at(Vec3::new(17_512.0, -18_376.0, 9000.0)), [""; 0]);
    assert_eq!(zones_at(Vec3::new(30_000.0, -9000.0, -3640.0)), [""; 0]);
}
