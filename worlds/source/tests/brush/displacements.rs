//! Displacements against a loop over all triangles.

use crate::bodies::{Body, check_sweep};
use crate::common::*;
use glam::{DVec3, Vec3};
use ironlands_assets_source::bsp::{
    Contents, DispInfo, DispVert, DisplacementGrid, Edge, Face, Leaf, Map, Model, Plane,
};
use ironlands_sim_brush::{BrushWorld, CastHit, ContentBits, Obstacle, ShapeCast};
use ironlands_world_source::{brush_world, content_bits};

/// Side of the square that is displaced.
const SIZE: f32 = 512.0;
const SOLID: ContentBits = content_bits(Contents::MASK_SOLID);

/// One displacement over a square at 0, whose front is up; heights by row and column.
fn map(power: i32, mut height: impl FnMut(usize, usize) -> Vec3) -> Map {
    let side = (1 << power) + 1;
    let verts = (0..side * side).map(|i| {
        let offset = height(i / side, i % side);
        DispVert {
            vector: offset.normalize_or_zero().to_array(),
            dist: offset.length(),
            alpha: 0.0,
        }
    });
    Map {
        planes: vec![Plane {
            normal: [0.0, 0.0, 1.0],
            dist: 0.0,
            kind: 2,
        }],
        // Clockwise from above: C0, C1 up y, C2, C3.
        vertices: vec![
            [0.0, 0.0, 0.0],
            [0.0, SIZE, 0.0],
            [SIZE, SIZE, 0.0],
            [SIZE, 0.0, 0.0],
        ],
        edges: [[0, 0], [0, 1], [1, 2], [2, 3], [3, 0]]
            .map(|vertices| Edge { vertices })
            .to_vec(),
        surfedges: vec![1, 2, 3, 4],
        faces: vec![Face {
            n_edges: 4,
            texinfo: 5,
            ..Face::default()
        }],
        disp_infos: vec![DispInfo {
            power,
            contents: Contents::SOLID.bits(),
            ..DispInfo::default()
        }],
        disp_verts: verts.collect(),
        disp_tris: vec![0; 2 << (2 * power)],
        leaves: vec![Leaf::default(); 2],
        models: vec![Model {
            head_node: -2,
            ..Model::default()
        }],
        ..Map::default()
    }
}

fn world(map: &Map) -> BrushWorld {
    brush_world(map, &Default::default(), &[]).expect("a valid map")
}

fn hilly(power: i32, numbers: &mut Numbers) -> Map {
    map(power, |_, _| {
        numbers.vector(Vec3::new(-8.0, -8.0, -60.0), Vec3::new(8.0, 8.0, 60.0))
    })
}

fn triangles(map: &Map) -> Vec<[DVec3; 3]> {
    let grid = DisplacementGrid::new(map, 0).unwrap();
    let corners =
        |triangle: [u32; 3]| triangle.map(|i| Vec3::from(grid.positions[i as usize]).as_dvec3());
    grid.triangles().into_iter().map(corners).collect()
}

fn somewhere(numbers: &mut Numbers) -> Vec3 {
    numbers.vector(
        Vec3::new(-80.0, -80.0, -150.0),
        Vec3::new(600.0, 600.0, 150.0),
    )
}

#[test]
fn rays_stop_a_gap_before_the_first_triangle_that_they_come_to_from_its_front() {
    let (mut n_hits, mut n_behind) = (0, 0);
    for seed in 0..12 {
        let numbers = &mut Numbers(seed);
        let map = hilly(2 + seed as i32 % 3, numbers);
        let world = world(&map);
        let triangles = triangles(&map);
        for _ in 0..1000 {
            let ray = ShapeCast::from_ray(somewhere(numbers), somewhere(numbers), SOLID);
            let found = trace(&world, &ray);
            let delta = ray.end.as_dvec3() - ray.start.as_dvec3();
            let met = triangles.iter().filter_map(|[a, b, c]| {
                let normal = (*b - *a).cross(*c - *a).normalize();
                let start = ray.start.as_dvec3();
                let speed = -normal.dot(delta);
                let t = normal.dot(start - *a) / speed;
                let at = start + delta * t;
                let is_in = [(a, b), (b, c), (c, a)]
                    .iter()
                    .all(|(from, to)| normal.dot((**to - **from).cross(at - **from)) >= 0.0);
                (is_in && (0.0..=1.0).contains(&t)).then_some((t, speed))
            });
            let met: Vec<_> = met.collect();
            let fronts = met.iter().filter(|(_, speed)| *speed > 0.0);
            let expected = fronts
                .map(|(t, speed)| (t - GAP / speed).max(0.0))
                .fold(1.0, f64::min);
            let is_same = (f64::from(found.fraction) - expected).abs() < 1e-6;
            assert!(is_same, "{seed}: {ray:?}: {found:?}, not {expected}");
            n_hits += usize::from(expected < 1.0);
            n_behind += usize::from(met.iter().any(|(_, speed)| *speed < 0.0));
            assert!(!found.start_solid);
        }
    }
    assert!(n_hits > 1000 && n_behind > 1000, "{n_hits}, {n_behind}");
}

#[test]
fn boxes_stop_a_gap_before_what_they_come_to_and_go_through_nothing() {
    let mut n_hits = 0;
    for seed in 0..6 {
        let numbers = &mut Numbers(100 + seed);
        let map = hilly(2 + seed as i32 % 3, numbers);
        let world = world(&map);
        let triangles = triangles(&map);
        for _ in 0..60 {
            let half = numbers.vector(Vec3::splat(1.0), Vec3::splat(40.0));
            let sweep =
                ShapeCast::from_box(somewhere(numbers), somewhere(numbers), [-half, half], SOLID);
            let delta = (sweep.end - sweep.start).as_dvec3();
            let bodies = triangles.iter().map(|corners| {
                let body = Body::triangle(*corners);
                (body.normals[0].dot(delta) <= 0.0, body)
            });
            let bodies: Vec<_> = bodies.collect();
            n_hits += usize::from(check_sweep(&world, &sweep, &bodies, triangle_of));
        }
    }
    assert!(n_hits > 100, "{n_hits}");
}

fn triangle_of(hit: &CastHit) -> usize {
    match hit.obstacle {
        Obstacle::Displacement {
            disp_info: 0,
            triangle,
        } => triangle as usize,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_flat_displacement_is_a_floor_from_above_and_nothing_from_below() {
    let map = map(3, |_, _| Vec3::ZERO);
    let world = world(&map);
    let middle = Vec3::new(200.0, 300.0, 0.0);
    for half in [0.0, 16.0] {
        let bounds = [Vec3::splat(-half), Vec3::splat(half)];
        let down = ShapeCast::from_box(
            middle + Vec3::Z * 100.0,
            middle - Vec3::Z * 100.0,
            bounds,
            SOLID,
        );
        let found = trace(&world, &down);
        let hit = found.hit.unwrap();
        assert_eq!(
            (found.end.z, hit.normal, hit.dist),
            (half + 0.03125, Vec3::Z, 0.0)
        );
        assert_eq!((hit.texinfo, hit.contents), (Some(5), ContentBits::SOLID));
        let up = ShapeCast {
            start: down.end,
            end: down.start,
            ..down
        };
        assert_eq!(trace(&world, &up).fraction, 1.0);
        let along = ShapeCast {
            start: found.end,
            end: found.end + Vec3::X * 100.0,
            ..down
        };
        assert_eq!(
            trace(&world, &along).fraction,
            1.0,
            "no edges inside of a plane"
        );
    }
}

#[test]
fn of_triangles_that_stop_a_box_alike_the_one_with_the_lowest_number_does() {
    let world = world(&map(2, |_, _| Vec3::ZERO));
    let bounds = [Vec3::splat(-16.0), Vec3::splat(16.0)];
    let cell = SIZE / 4.0;
    for (column, row) in [(1, 1), (2, 2), (1, 3), (3, 2)] {
        let above = Vec3::new(column as f32 * cell, row as f32 * cell, 0.0);
        // From each side, so that another of the four cells around the corner is the nearest.
        for way in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            let way = Vec3::new(way[0] * 4.0, way[1] * 4.0, 100.0);
            let down = ShapeCast::from_box(above + way, above - way, bounds, SOLID);
            let hit = trace(&world, &down).hit.unwrap();
            let first = ((row - 1) * 4 + column - 1) * 2;
            assert!((first..first + 2).contains(&triangle_of(&hit)), "{hit:?}");
        }
    }
}

#[test]
fn a_box_that_stands_in_a_displacement_is_reported_so() {
    let map = map(2, |_, _| Vec3::ZERO);
    let world = world(&map);
    let at = Vec3::new(200.0, 300.0, 10.0);
    let bounds = [Vec3::splat(-16.0), Vec3::splat(16.0)];
    let still = trace(&world, &ShapeCast::from_box(at, at, bounds, SOLID));
    assert!(still.start_solid && still.all_solid);
    let out = trace(
        &world,
        &ShapeCast::from_box(at, at + Vec3::Z * 50.0, bounds, SOLID),
    );
    assert_eq!(out.fraction, 1.0, "along its normal it comes out");
}

#[test]
fn flags_contents_and_tags_say_what_is_solid() {
    let ray = ShapeCast::from_ray(
        Vec3::new(200.0, 300.0, 50.0),
        Vec3::new(200.0, 300.0, -50.0),
        SOLID,
    );
    let of_box = ShapeCast {
        mins: Vec3::NEG_ONE,
        maxs: Vec3::ONE,
        ..ray
    };
    let solid = |change: fn(&mut Map)| {
        let mut map = map(2, |_, _| Vec3::ZERO);
        change(&mut map);
        let world = world(&map);
        [ray, of_box].map(|sweep| trace(&world, &sweep).hit.is_some())
    };
    assert_eq!(solid(|_| {}), [true, true]);
    let flags: [(i32, [bool; 2]); 5] = [
        (0xE, [true, true]), // no flags: bit 31 is not set
        (i32::MIN, [true, true]),
        (i32::MIN | 0x2, [true, true]),
        (i32::MIN | 0x4, [true, false]),
        (i32::MIN | 0x8, [false, true]),
    ];
    for (word, expected) in flags {
        let mut map = map(2, |_, _| Vec3::ZERO);
        map.disp_infos[0].min_tess = word;
        let world = world(&map);
        assert_eq!(
            [ray, of_box].map(|it| trace(&world, &it).hit.is_some()),
            expected,
            "{word:#x}"
        );
    }
    assert_eq!(solid(|map| map.disp_infos[0].contents = 0), [true, true]);
    assert_eq!(
        solid(|map| map.disp_infos[0].contents = Contents::WATER.bits()),
        [false, false]
    );
    assert_eq!(solid(|map| map.disp_tris.fill(0x20)), [false, false]);
}

#[test]
fn a_displacement_without_a_grid_is_an_error() {
    let mut map = map(2, |_, _| Vec3::ZERO);
    map.disp_verts.truncate(3);
    let error = brush_world(&map, &Default::default(), &[]).unwrap_err();
    assert_eq!(error.to_string(), "displacement 0");
}
