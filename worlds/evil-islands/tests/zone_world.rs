//! The world of a zone of Evil Islands: heights against all triangles, borders of sectors, liquids, walking.

use std::fs;

use glam::{Vec2, Vec3};
use ironlands_assets_evil_islands::land::{CELL_TRIANGLES, sector_file_name};
use ironlands_assets_evil_islands::level_scene::to_scene;
use ironlands_assets_evil_islands::mp::{Material, Mp};
use ironlands_assets_evil_islands::res::{NamesOrder, ResArchive};
use ironlands_assets_evil_islands::sec::{LiquidLayer, Liquids, PackedNormal, Sec, Tile, Vertex};
use ironlands_assets_evil_islands::zone::Zone;
use ironlands_scene::TileShape;
use ironlands_sim_core::{MaskFilter, Ray};
use ironlands_sim_world::Poses;
use ironlands_sim_world::World;
use ironlands_world_evil_islands::{EvilIslandsWorld, SOLID};
use tempfile::tempdir;

const MAX_ALTITUDE: f32 = 80.0;
/// Altitude of the pond.
const WATER: u16 = 30_000;

fn hash(seed: u32) -> u32 {
    let mut bits = seed.wrapping_mul(0x9E37_79B1) ^ 0x85EB_CA6B;
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2C1B_3C6D);
    bits ^ bits >> 12
}

/// Rough ground: every vertex is moved aside by up to half a meter and lifted by up to 5 m.
fn rough(row: u32, col: u32) -> Vertex {
    let bits = hash(row * 1000 + col);
    Vertex {
        shift: [bits as i8, (bits >> 8) as i8],
        altitude: (8_000 + (bits >> 16) % 4_096) as u16,
        normal: PackedNormal::UP,
    }
}

/// Even ground at half of the largest altitude.
fn even(_: u32, _: u32) -> Vertex {
    Vertex {
        altitude: 32_768,
        ..Vertex::default()
    }
}

/// A zone of 2 by 2 sectors; the last one may be missing, and a pond of one tile may lie on the first.
fn zone(ground: fn(u32, u32) -> Vertex, n_sectors: usize, has_pond: bool) -> Zone {
    let mp = Mp {
        max_altitude: MAX_ALTITUDE,
        x_sectors: 2,
        y_sectors: 2,
        n_textures: 1,
        texture_size: 512,
        tile_size: 64,
        materials: vec![Material {
            kind: 3,
            diffuse: [0.0, 0.0, 1.0, 0.5],
            self_illumination: 0.0,
            wave_multiplier: 0.0,
            warp_speed: 0.0,
            unknown_20: [0; 12],
        }],
        ground_types: (0..64).map(|tile| tile % 16).collect(),
        animated_tiles: Vec::new(),
        trailing: Vec::new(),
    };
    let mut files = vec![(b"z.mp".to_vec(), mp.write().unwrap())];
    for place in [[0, 0], [1, 0], [0, 1], [1, 1]].into_iter().take(n_sectors) {
        let [x, y] = place;
        let vertex = |row: usize, col: usize| ground(row as u32 + 32 * y, col as u32 + 32 * x);
        let tile = |row: usize, col: usize| Tile::new((row + col) as u8 % 64, 0, (row % 4) as u8);
        let liquids = match (has_pond, place) {
            (true, [0, 0]) => Liquids::Layer(LiquidLayer::draft(
                |_, _| Vertex {
                    altitude: WATER,
                    ..Vertex::default()
                },
                |row, col| (row == 5 && col == 6).then_some((Tile(3), 0)),
            )),
            _ => Liquids::None,
        };
        let sector = Sec::draft(vertex, tile, liquids);
        files.push((
            sector_file_name("z", place).into_bytes(),
            sector.write().unwrap(),
        ));
    }
    let folder = tempdir().unwrap();
    let path = folder.path().join("z.mpr");
    let archive = ResArchive::draft(files, NamesOrder::Insertion);
    fs::write(&path, archive.write().unwrap()).unwrap();
    Zone::open(&path, &[]).unwrap()
}

fn world_of(zone: &Zone) -> EvilIslandsWorld {
    let (scene, _) = to_scene(zone);
    EvilIslandsWorld::new(zone, &scene).unwrap()
}

/// All triangles of rough ground, by the formulas of the dossier (sections 10.2 and 10.4) and not by the loader's.
fn all_triangles(n_sectors: u32) -> Vec<[[f64; 3]; 3]> {
    let mut triangles = Vec::new();
    for sector in 0..n_sectors {
        let [left, low] = [sector % 2 * 32, sector / 2 * 32];
        for (row, col) in (0..32).flat_map(|row| (0..32).map(move |col| (row + low, col + left))) {
            let corner = |[down, right]: [usize; 2]| {
                let [row, col] = [row + down as u32, col + right as u32];
                let Vertex {
                    shift, altitude, ..
                } = rough(row, col);
                // In f32, as positions are stored.
                let [x, y] = [
                    col as f32 + f32::from(shift[0]) / 254.0,
                    row as f32 + f32::from(shift[1]) / 254.0,
                ];
                let z = f32::from(altitude) / 65_535.0 * MAX_ALTITUDE;
                [x, y, z].map(f64::from)
            };
            triangles.extend(CELL_TRIANGLES.map(|triangle| triangle.map(corner)));
        }
    }
    triangles
}

/// The highest triangle over a point, of all.
fn highest(triangles: &[[[f64; 3]; 3]], point: Vec2) -> Option<f64> {
    let p = [f64::from(point.x), f64::from(point.y)];
    let cross = |a: [f64; 3], b: [f64; 3], p: [f64; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let heights = triangles.iter().filter_map(|&[a, b, c]| {
        let area = cross(a, b, [c[0], c[1]]);
        let weights = [cross(b, c, p), cross(c, a, p), cross(a, b, p)].map(|it| it / area);
        let is_over = weights.iter().all(|it| *it >= 0.0);
        is_over.then(|| weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2])
    });
    heights.reduce(f64::max)
}

#[test]
fn heights_are_those_of_the_highest_triangle_also_between_sectors() {
    let zone = zone(rough, 3, false);
    let world = world_of(&zone);
    let triangles = all_triangles(3);
    let number = |seed: u32, range: f32| hash(seed) as f32 / u32::MAX as f32 * range;
    let anywhere = (0..600).map(|i| Vec2::new(number(i, 66.0) - 1.0, number(i + 9999, 66.0) - 1.0));
    // Along the border of two sectors, where vertices of both are half a meter to either side.
    let border = (0..300).map(|i| Vec2::new(31.3 + number(i + 77, 1.4), number(i + 500, 64.0)));
    let points: Vec<_> = anywhere.chain(border).collect();
    let mut hits = vec![None; points.len()];
    world.land().height_at_batch(&points, SOLID, &mut hits);
    let mut n_hits = 0;
    for (point, hit) in points.iter().zip(hits) {
        let expected = highest(&triangles, *point);
        assert_eq!(hit.is_some(), expected.is_some(), "{point}");
        let (Some(hit), Some(expected)) = (hit, expected) else {
            continue;
        };
        n_hits += 1;
        assert!(
            (f64::from(hit.z) - expected).abs() < 1e-4,
            "{point}: {} {expected}",
            hit.z
        );
        let of_land = zone.land().height_at(point.to_array());
        let of_land = of_land.expect("the loader finds it, too");
        assert!(
            (of_land - hit.z).abs() < 1e-4,
            "{point}: {of_land} {}",
            hit.z
        );
        let below = world.ground_below(point.x, point.y, 1000.0);
        assert_eq!(below, Some(hit.z));
    }
    assert!(n_hits > 500, "{n_hits}");
}

#[test]
fn no_ray_falls_between_two_sectors() {
    let world = world_of(&zone(rough, 4, false));
    for i in 0..2000 {
        // A missed border would be thinner than any chance to hit it: aim along it.
        let y = 0.7 + i as f32 * 0.03;
        let ray = Ray {
            origin: Vec3::new(32.0, y, 500.0),
            direction: Vec3::NEG_Z,
        };
        assert!(
            world.cast_ray(&ray, 1000.0, &Poses::default()).is_some(),
            "{y}"
        );
    }
}

#[test]
fn liquids_are_pointed_at_and_not_stood_on() {
    let world = world_of(&zone(even, 4, true));
    // The pond lies 3 m below even ground, so look from below it.
    let bed = 32_768.0 / 65_535.0 * MAX_ALTITUDE;
    let surface = f32::from(WATER) / 65_535.0 * MAX_ALTITUDE;
    let up = Ray {
        origin: Vec3::new(13.0, 11.0, 0.0),
        direction: Vec3::Z,
    };
    let hit = world.cast_ray(&up, 100.0, &Poses::default()).unwrap();
    assert!((hit.position.z - surface).abs() < 1e-4);
    assert_eq!(
        hit.normal,
        Vec3::NEG_Z,
        "on the side that the ray came from"
    );
    let facts = world.describe(&hit);
    let value = |label: &str| {
        let fact = facts.iter().find(|fact| fact.label == label);
        fact.map(|fact| &*fact.value)
    };
    assert_eq!(value("sector"), Some("0 0"));
    assert_eq!(value("tile"), Some("6 5"));
    assert_eq!(value("liquid"), Some("material 0, water"));
    assert_eq!(
        world.ground_below(13.0, 11.0, surface - 1.0),
        Some(bed),
        "lifted out of the ground"
    );
    let [a, b] = [surface - 1.0, surface + 1.0].map(|z| Vec3::new(13.0, 11.0, z));
    assert!(
        world.line_of_sight(a, b, &Poses::default()),
        "water hides nothing"
    );
    assert!(!world.line_of_sight(a, b.with_z(bed + 1.0), &Poses::default()));
    let outline = world.outline(&hit, &Poses::default(), TileShape::Slopes);
    assert_eq!(outline.len(), 8, "the whole tile");
    let corners = outline.as_flattened();
    assert!(
        corners
            .iter()
            .all(|it| (12.0..=14.0).contains(&it.x) && (10.0..=12.0).contains(&it.y))
    );
}

#[test]
fn tiles_of_the_ground_are_reported() {
    let world = world_of(&zone(even, 4, false));
    let down = Ray {
        origin: Vec3::new(35.0, 40.5, 100.0),
        direction: Vec3::NEG_Z,
    };
    let hit = world.cast_ray(&down, 100.0, &Poses::default()).unwrap();
    let facts = world.describe(&hit);
    let facts: Vec<_> = facts.iter().map(|it| (&*it.label, &*it.value)).collect();
    // Column 1, row 20 of tiles: the second sector above the first row, number 1 + 4 of its atlas.
    assert_eq!(
        facts,
        [
            ("position", "35.00 40.50 40.00"),
            ("sector", "1 1"),
            ("tile", "1 4"),
            ("texture", "tile 5 of atlas 0"),
            ("turned", "0 degrees"),
            ("ground", "field"),
        ]
    );
}

#[test]
fn walkers_slide_over_even_ground_and_do_not_sink() {
    let world = world_of(&zone(even, 4, false));
    let ground = 32_768.0 / 65_535.0 * MAX_ALTITUDE;
    let feet = Vec3::new(30.0, 16.0, ground + 0.5);
    let head = feet + Vec3::Z;
    let ahead = Vec3::new(4.0, 0.0, 0.0);
    assert_eq!(
        world.slide(feet, head, 0.4, ahead),
        ahead,
        "over the border, to the bit"
    );
    let down = world.slide(feet, head, 0.4, Vec3::new(1.0, 0.0, -2.0));
    assert!(
        down.x > 0.9 && (feet.z + down.z - 0.4 - ground).abs() < 0.02,
        "{down}"
    );
}

#[test]
fn worlds_without_sectors_are_empty_and_can_be_queried() {
    let world = world_of(&zone(even, 0, false));
    assert_eq!(world.bounds(), (Vec3::ZERO, Vec3::ZERO));
    assert_eq!(world.ground_below(1.0, 1.0, 1.0), None);
    assert_eq!(world.land().height_at(1.0, 1.0, MaskFilter::ALL), None);
    let mut poses = Poses::default();
    let clock = ironlands_sim_world::Clock {
        time_secs: 1.0,
        play: ironlands_sim_world::Play::Level,
    };
    world.pose(&clock, &mut poses);
    assert!(poses.world_from_nodes().is_empty());
    assert_eq!(world.last_frame(), 0.0);
}
