//! What the demo's mission promises: everything resolves, stands on the ground, and walks without sliding feet.

use ironlands_assets_parkan::game_files;
use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_core::vfs::Vfs;
use ironlands_assets_parkan::build_dat::BuildDat;
use ironlands_assets_parkan::land_msh::LandMsh;
use ironlands_assets_parkan::mat0::Mat0;
use ironlands_assets_parkan::mission::{Mission, Object};
use ironlands_assets_parkan::msh::Msh;
use ironlands_assets_parkan::msh_animation::QuaternionOrder;
use ironlands_assets_parkan::nres::NRes;
use ironlands_assets_parkan::placement::{LevelMission, Placements};
use ironlands_assets_parkan::unit_dat::UnitDat;
use ironlands_assets_parkan::wear::Wear;

const WATER: u32 = 0x0002_0000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA")
}

fn mission() -> Mission {
    Mission::read(&fs::read(root().join("MISSIONS/single.01/data.tma")).unwrap()).unwrap()
}

fn vfs() -> Vfs {
    game_files::of_folder(&root()).unwrap()
}

/// The dry and wet ground of Map01: its finest triangles, without the water.
fn ground() -> (Vec<[[f64; 3]; 3]>, f64) {
    let land = LandMsh::read(&fs::read(root().join("MAPS/Map01/Land.msh")).unwrap()).unwrap();
    let fine = land.slots[..land.nodes.len()].iter();
    let n_fine: usize = fine.map(|slot| usize::from(slot.tri_count)).sum();
    let dry = land.faces[..n_fine].iter();
    let dry = dry.filter(|face| face.flags.bits() & WATER == 0);
    let corners = dry.map(|face| face.vertices.map(|i| land.positions[usize::from(i)]));
    let faces = corners.map(|face| face.map(|p| p.map(f64::from))).collect();
    (faces, land.water_level().into())
}

/// Height of the ground, by a test of every triangle.
fn height(ground: &[[[f64; 3]; 3]], [x, y, _]: [f32; 3]) -> f64 {
    let (x, y) = (f64::from(x), f64::from(y));
    let cross = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    let on = ground.iter().find_map(|[a, b, c]| {
        let weights = [cross(*b, *c), cross(*c, *a), cross(*a, *b)];
        // Rounding to f32 may put a point on an edge beside both triangles.
        let area: f64 = weights.iter().sum();
        let inside = weights.iter().all(|w| *w >= -1e-6 * area);
        inside.then(|| (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]) / area)
    });
    on.expect("a place on the level")
}

/// Places are rounded to f32: at 1190 units by 6e-5, on slopes below 2 that is less than this in height.
const ON_GROUND: f64 = 1e-3;

/// Land is level below buildings with a basement, by no more than this higher or lower than it was.
const LEVELED: f64 = 1.0;

#[test]
fn objects_stand_on_dry_ground() {
    let (ground, water_level) = ground();
    let mission = mission();
    assert!(mission.objects.len() >= 200, "{}", mission.objects.len());
    for object in mission.objects.iter().filter(|it| !is_stone(it)) {
        let z = f64::from(object.position[2]);
        let away = z - height(&ground, object.position);
        let buildings: [&[u8]; 2] = [b"UNITS\\BUILDS\\", b"fr_"];
        let is_building = buildings.iter().any(|it| object.resource.starts_with(it));
        let most = if is_building { LEVELED } else { ON_GROUND };
        assert!(away.abs() < most, "{object:?}: {away} above the ground");
        assert!(z > water_level + 1.0, "{object:?}: in the water");
    }
}

fn is_stone(object: &Object) -> bool {
    object.resource.starts_with(b"stone_")
}

/// Of a boulder that no slope lets float no face that points down is visible, and yet most of those that point up.
#[test]
fn boulders_lie_in_the_ground() {
    let (ground, water_level) = ground();
    let archive = NRes::read(&fs::read(root().join("static.rlb")).unwrap()).unwrap();
    let entry = &archive.entries[archive.find(b"ROCK_1.msh").unwrap()];
    let rock = Msh::read_nested(entry).unwrap();
    let stones = mission().objects.into_iter().filter(is_stone);
    let mut n_stones = 0;
    for stone in stones {
        n_stones += 1;
        let [x, y, z] = stone.position.map(f64::from);
        assert!(z > water_level + 0.5, "{stone:?}: in the water");
        let (sin, cos) = f64::from(stone.orientation[2]).sin_cos();
        let scale = f64::from(stone.scale[0]);
        let world = |vertex: usize| {
            let [px, py, pz] = rock.positions[vertex].map(|c| scale * f64::from(c));
            [x + cos * px - sin * py, y + sin * px + cos * py, z + pz]
        };
        let mut highest = f64::MIN;
        for triangle in rock.slots.iter().flat_map(|slot| rock.slot_triangles(slot)) {
            let corners = triangle.vertices.map(world);
            let above = corners.map(|p| p[2] - height(&ground, p.map(|c| c as f32)));
            highest = above.into_iter().fold(highest, f64::max);
            let [a, b, c] = corners;
            let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
            let looks_down = u[0] * v[1] - u[1] * v[0] < 0.0;
            let floats = above.into_iter().fold(f64::MIN, f64::max);
            assert!(!looks_down || floats < 0.02, "{stone:?}: {floats} above");
        }
        assert!(highest > 0.5 * scale, "{stone:?}: buried, {highest}");
    }
    assert!(n_stones >= 30, "{n_stones} stones");
}

#[test]
fn paths_lie_on_the_ground_close_and_have_points_at_short_distances() {
    let (ground, water_level) = ground();
    let mission = mission();
    for path in &mission.paths {
        let next = path.points.iter().cycle().skip(1);
        for (p, q) in path.points.iter().zip(next) {
            let away = f64::from(p[2]) - height(&ground, *p);
            assert!(away.abs() < ON_GROUND, "path {}: {away}", path.id);
            assert!(f64::from(p[2]) > water_level + 1.0, "path {}", path.id);
            let (dx, dy, dz) = (q[0] - p[0], q[1] - p[1], q[2] - p[2]);
            let run = (dx * dx + dy * dy).sqrt();
            assert!((4.0..16.0).contains(&run), "path {}: {run}", path.id);
            assert!(dz.abs() < 0.4 * run, "path {}: steep", path.id);
        }
    }
}

#[test]
fn nothing_stands_in_something_else() {
    let mission = mission();
    for (k, a) in mission.objects.iter().enumerate() {
        for b in &mission.objects[..k] {
            let away = |axis: usize| f64::from(a.position[axis] - b.position[axis]);
            let far = (away(0) * away(0) + away(1) * away(1)).sqrt();
            // Trees are the nearest neighbors; a post needs more.
            let radius = |o: &Object| if is_post(o) { 13.0 } else { 1.5 };
            assert!(far >= radius(a) + radius(b), "{far}: {a:?} {b:?}");
        }
    }
}

fn is_post(object: &Object) -> bool {
    let name = String::from_utf8_lossy(&object.resource).to_lowercase();
    name.starts_with("fr_post") || name.contains("inst_1")
}

#[test]
fn every_reference_resolves_down_to_the_textures() {
    let (vfs, mission) = (vfs(), mission());
    assert_eq!(mission.check(), []);
    let placements = Placements::from_mission(&mission, &vfs);
    assert_eq!(placements.findings, []);
    assert_eq!(placements.objects.len(), mission.objects.len());
    let (materials, textures) = (
        game_files::nres(&vfs, "Material.lib").unwrap(),
        game_files::nres(&vfs, "Textures.lib").unwrap(),
    );
    for object in &placements.objects {
        assert!(!object.components.is_empty(), "{}", object.name);
        for component in object.components.iter() {
            let mesh = &component.mesh;
            let wear = mesh.wear_entry.as_ref().unwrap();
            let wear = Wear::read(&vfs.open_entry(&mesh.archive, wear).unwrap()).unwrap();
            for row in &wear.materials {
                let entry = &materials.entries[materials.find(&row.name).unwrap()];
                let material = Mat0::read(&entry.data, entry.attr2).unwrap();
                let names = material.phases.iter().map(|phase| phase.texture_name());
                assert!(names.into_iter().all(|name| textures.find(name).is_some()));
            }
            let Some(piece) = component.attach_piece else {
                continue;
            };
            let parent = &object.components[component.parent.unwrap()].mesh;
            let parent = vfs.open_entry(&parent.archive, &parent.mesh_entry).unwrap();
            let n_nodes = Msh::read(&parent).unwrap().nodes.len();
            assert!((piece as usize) < n_nodes, "{}", object.name);
        }
    }
}

#[test]
fn the_level_finds_its_mission_and_the_list_its_units() {
    let (found, findings) = LevelMission::find(&vfs(), &root().join("MAPS/Map01"));
    assert_eq!(findings, []);
    assert_eq!(found.unwrap().mission, mission());
    let list = BuildDat::read(&fs::read(root().join("BuildDat.lst")).unwrap()).unwrap();
    let mut n_units = 0;
    for section in &list.sections {
        for path in &section.paths {
            let unit = UnitDat::read(&vfs().open(path).unwrap()).unwrap();
            assert_eq!(
                unit.scheme & section.category.mask(),
                section.category.mask()
            );
            assert!(unit.parents().is_ok(), "{path}");
            n_units += 1;
        }
    }
    assert_eq!(n_units, 16);
}

/// Where the left foot is at a frame that has keys of its own, in the space of the walker: from the foot's node up
/// to the root, each turned by the conjugate of its stored quaternion.
fn left_foot(walker: &Msh, frame: f32) -> [f64; 3] {
    let names = walker.names.as_ref().unwrap();
    let mut node = names.iter().position(|name| name == b"foot left");
    let mut p = [0.0; 3];
    while let Some(idx) = node {
        let keys = &walker.animation.keys[walker.tracks()[idx].clone().unwrap().keys];
        let key = match keys {
            [key] => key,
            keys => keys.iter().find(|key| key.time == frame).unwrap(),
        };
        let [w, x, y, z] = key.rotation_wxyz(QuaternionOrder::Wxyz).map(f64::from);
        // The rows of the matrix in section 8.4.
        let rows = [
            [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y + w * z),
                2.0 * (x * z - w * y),
            ],
            [
                2.0 * (x * y - w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z + w * x),
            ],
            [
                2.0 * (x * z + w * y),
                2.0 * (y * z - w * x),
                1.0 - 2.0 * (x * x + y * y),
            ],
        ];
        p = [0, 1, 2].map(|k| {
            let [a, b, c] = rows[k];
            a * p[0] + b * p[1] + c * p[2] + f64::from(key.position[k])
        });
        node = walker.nodes.as_slice()[idx].parent();
    }
    p
}

#[test]
fn walkers_move_as_fast_as_their_feet_push() {
    let mission = mission();
    let entry = vfs().open_entry("bases.rlb", b"walker.msh").unwrap();
    let walker = Msh::read(&entry).unwrap();
    let (before, after) = (left_foot(&walker, 2.0), left_foot(&walker, 12.0));
    let pushed_a_frame = (before[0] - after[0]) / 10.0;
    // The quaternions are stored in steps of 1/32767 on legs of five units.
    assert!((before[2] - after[2]).abs() < 2e-3, "{before:?} {after:?}");
    let mut n_walkers = 0;
    for object in &mission.objects {
        let Some(path) = object.property("Ironlands.Path") else {
            continue;
        };
        n_walkers += 1;
        assert!(mission.path(path.as_int().unwrap()).is_some());
        let float = |name: &str| f64::from(object.property(name).unwrap().as_float().unwrap());
        let int = |name: &str| object.property(name).unwrap().as_int().unwrap();
        let clip = (int("Ironlands.ClipFirst"), int("Ironlands.ClipLast"));
        assert_eq!(clip, (0, 24));
        let speed = pushed_a_frame * float("Ironlands.ClipRate");
        let slip = speed / float("Ironlands.PathSpeed") - 1.0;
        assert!(slip.abs() < 2e-3, "feet slide by {slip} of the way");
        assert!(float("Ironlands.PathStart") >= 0.0);
    }
    assert!(n_walkers >= 6, "{n_walkers} on paths");
}
