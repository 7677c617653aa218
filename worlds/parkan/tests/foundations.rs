//! The demo's first level with its buildings: what is drawn is what is walked on and hit.

use std::path::Path;

use glam::Vec3;
use ironlands_sim_core::{MaskFilter, Ray};
use ironlands_sim_world::{Poses, World};
use ironlands_world_parkan::{ParkanOptions, open_level, world_of};

const LEVEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../DATA/MAPS/Map01");
/// Heights of single-precision vertices.
const EXACT: f32 = 1e-3;

#[test]
fn characters_stand_on_foundations_and_floors_and_rays_hit_them() {
    let opened = open_level(Path::new(LEVEL), &ParkanOptions::default()).expect("the demo");
    let level = &opened.files;
    let world = world_of(level).expect("a sound level");
    let cut = level.cut_land.as_ref().expect("buildings cut it");
    assert_eq!(level.level_objects.basements.len(), 12);
    for (object, basement) in &level.level_objects.basements {
        let object = &level.level_objects.objects[*object];
        let at = |x: f32, y: f32| object.world_from_object.transform_point([x, y, 0.0]);
        let inner = &basement.bas.inner[0].ring.corners;
        let outer = &basement.bas.outer[0].corners;
        for (corner, ring) in [(inner, 1.02), (outer, 0.98)] {
            // Just beside the corners, within the ring.
            for [x, y, _] in &corner[1..] {
                let [x, y, _] = at(x * ring, y * ring);
                let hit = world
                    .terrain()
                    .height_at(x, y, MaskFilter::ALL)
                    .expect("the ring");
                assert_eq!(hit.material & 0xFF, 0, "{}", object.name);
                assert_eq!(cut.sources[hit.face as usize], None);
                let ray = Ray {
                    origin: Vec3::new(x, y, 200.0),
                    direction: -Vec3::Z,
                };
                let height = world.ground_below(x, y, hit.z + 0.5).expect("ground");
                assert!(
                    (height - hit.z).abs() < EXACT,
                    "{}: {height} {}",
                    object.name,
                    hit.z
                );
                let seen = world
                    .cast_surface_ray(&ray, 400.0, MaskFilter::ALL)
                    .expect("the ring");
                assert!((seen.hit.position.z - hit.z).abs() < EXACT);
                let hit = world
                    .cast_ray(&ray, 400.0, &Poses::default())
                    .expect("the ring");
                let facts = world.describe(&hit);
                let face = facts
                    .iter()
                    .find(|fact| fact.label == "face")
                    .expect("a face");
                assert_eq!(face.value, "made for a building");
            }
        }
        // No land in the middle, but the building's own floors.
        let [x, y, z] = at(0.0, 0.0);
        assert_eq!(
            world.terrain().height_at(x, y, MaskFilter::ALL),
            None,
            "{}",
            object.name
        );
        let roof = world.ground_below(x, y, z + 100.0).expect("a roof");
        assert!(roof > z + 0.5, "{}: {roof} over {z}", object.name);
    }
}

/// From all around each building toward its middle: where a ray at breast height hits the building, a walker is stopped
/// before, and where there is land alone it is not.
#[test]
fn walkers_slide_along_walls_of_buildings() {
    let opened = open_level(Path::new(LEVEL), &ParkanOptions::default()).expect("the demo");
    let level = &opened.files;
    let world = world_of(level).expect("a sound level");
    let clock = ironlands_sim_world::Clock {
        time_secs: 0.0,
        play: ironlands_sim_world::Play::Still,
    };
    let mut poses = Poses::default();
    world.pose(&clock, &mut poses);
    let n_faces = level.ground().faces.len() as u32;
    let mut n_stopped = 0;
    for (object, basement) in &level.level_objects.basements {
        let object = &level.level_objects.objects[*object];
        let middle = Vec3::from(object.world_from_object.transform_point([0.0; 3]));
        for [x, y, _] in &basement.bas.outer[0].corners[1..] {
            let place = |ring: f32| {
                let at = object
                    .world_from_object
                    .transform_point([x * ring, y * ring, 0.0]);
                let ground = world.ground_below(at[0], at[1], at[2] + 3.0);
                Vec3::new(at[0], at[1], ground.unwrap_or(at[2]) + 1.4)
            };
            let from = place(1.3);
            let toward = (middle - from).with_z(0.0).normalize();
            let ray = Ray {
                origin: from,
                direction: toward,
            };
            let Some(hit) = world.cast_ray(&ray, 60.0, &poses) else {
                continue;
            };
            let is_wall = hit.element >= n_faces && hit.normal.z.abs() < 0.2;
            if !is_wall || hit.t < 0.5 {
                continue;
            }
            let (bottom, top) = (from - Vec3::Z * 0.45, from + Vec3::Z * 0.4);
            let motion = toward * (hit.t + 0.2);
            let slid = world.slide(bottom, top, 0.3, motion);
            let beyond = (from + slid - hit.position).dot(toward);
            assert!(beyond < 0.1, "{}: {beyond} beyond its wall", object.name);
            assert!(
                world.line_of_sight(from, from + slid, &poses),
                "{}: through a wall",
                object.name
            );
            // What does not reach the wall is not stopped.
            let short = toward * (hit.t - 0.4) * 0.5;
            let free = world.slide(bottom, top, 0.3, short);
            n_stopped += usize::from((free - short).length() < 0.05);
        }
    }
    assert!(n_stopped >= 20, "{n_stopped} walls were met");
}
