//! Cells, trails and rays against the facets of tiles.

use super::*;
use crate::test_world::middle;
use glam::{DVec2, DVec3};

/// A facet as it is drawn: two triangles, engine axes.
fn triangles(facet: &Facet) -> [[DVec3; 3]; 2] {
    let z = facet.z.map(f64::from);
    // The tile's south-west corner is that of its cell in the south-west.
    let (left, top) = cell_of(KEY, 0, 0).corner();
    let corner = DVec2::new(f64::from(left), -f64::from(top + 16));
    let [x, y] = facet.at.map(f64::from);
    let [width, height] = facet.size.map(f64::from);
    let at = |along: f64, across: f64, z: f64| {
        let steps = DVec2::new(x + width * along, y + height * across);
        (corner + steps * 16.0).extend(z)
    };
    let [a, b, c, d] = match facet.facing == Facing::Up {
        true => [
            at(0.0, 0.0, z[0]),
            at(1.0, 0.0, z[1]),
            at(0.0, 1.0, z[2]),
            at(1.0, 1.0, z[3]),
        ],
        false => [
            at(0.0, 0.0, z[0]),
            at(1.0, 1.0, z[1]),
            at(0.0, 0.0, z[2]),
            at(1.0, 1.0, z[3]),
        ],
    };
    [[a, b, c], [b, d, c]]
}

/// When a ray hits a triangle, from either side.
fn hit_of([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    let across = direction.cross(c - a);
    let size = (b - a).dot(across);
    let from_a = origin - a;
    let u = from_a.dot(across) / size;
    let v = direction.dot(from_a.cross(b - a)) / size;
    let t = (c - a).dot(from_a.cross(b - a)) / size;
    let slack = 1e-9;
    let is_inside = u >= -slack && v >= -slack && u + v <= 1.0 + slack;
    (size != 0.0 && is_inside && t >= 0.0).then_some(t)
}

/// Height of a ground facet at a point.
fn height_of(facet: &Facet, at: DVec2) -> f64 {
    let hits = triangles(facet).map(|it| hit_of(it, at.extend(40_000.0), -DVec3::Z));
    40_000.0 - hits[0].or(hits[1]).expect("the facet is there")
}

#[test]
fn cells_lie_where_tiles_draw_them() {
    for seed in 1..5 {
        let land = land(&random(seed));
        for shape in SHAPES {
            let tile = Apart::new(land.tile(KEY, shape));
            let mut drawn = TileSurface::new(&land, shape);
            let mut n_sloped = 0;
            let mut places: Vec<_> = tile.ground.iter().collect();
            places.sort_unstable_by_key(|(([x, y], _), _)| (x / 8, y / 8));
            for (([x, y], layer), facet) in places {
                let facet = &tile.facets[*facet];
                let square = drawn.square(cell_of(KEY, *x, *y), *layer).unwrap();
                for corner in square {
                    let z = height_of(facet, corner.truncate().as_dvec2());
                    assert!(
                        (f64::from(corner.z) - z).abs() < 1e-9,
                        "{square:?} {facet:?}"
                    );
                }
                // As a strip, from the south-west.
                assert_eq!(
                    square[1] - square[0],
                    Vec3::new(16.0, 0.0, square[1].z - square[0].z)
                );
                assert_eq!(
                    square[2] - square[0],
                    Vec3::new(0.0, 16.0, square[2].z - square[0].z)
                );
                n_sloped += usize::from(square.iter().any(|it| it.z != square[0].z));
            }
            assert_eq!(n_sloped > 1000, shape == TileShape::Slopes, "{n_sloped}");
            assert_eq!(drawn.square(cell_of(KEY, 64, 64), 200), None);
        }
    }
}

#[test]
fn trails_lie_where_tiles_draw_the_ground() {
    let land = land(&random(2));
    for shape in SHAPES {
        let tile = Apart::new(land.tile(KEY, shape));
        let mut n_points = 0;
        for target in [(3, 60), (60, 3), (47, 51), (4, 90)] {
            let trail = Trail::new(
                land.geodata(),
                middle(3, 3, 100),
                middle(target.0, target.1, 0),
                &Profile::PTS,
            );
            let trail = trail.unwrap();
            let points = TileSurface::new(&land, shape).along(&trail);
            assert!(points.len() >= trail.points.len());
            // On a trail a layer follows a layer only over a border.
            let mut rest = trail.points.iter().peekable();
            let mut last = *rest.next().unwrap();
            for ends in points.windows(2) {
                let is_next = |it: &&TrailPoint| {
                    let at = Vec3::new(it.at.x as f32, -it.at.y as f32, 0.0);
                    (ends[1].with_z(0.0) - at).abs().max_element() <= 1.0
                };
                let next = rest.next_if(|it| is_next(it)).copied().unwrap_or(last);
                let cell = next.at.cell().unwrap();
                if cell == last.at.cell().unwrap() {
                    let [x, y] = [
                        u32::from(cell.x) - KEY.x * 128,
                        65535 - u32::from(cell.y) - KEY.y * 128,
                    ];
                    let facet = &tile.facets[tile.facet([x as usize, y as usize], next.layer)];
                    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                        let at = ends[0].lerp(ends[1], share).as_dvec3();
                        let z = height_of(facet, at.truncate());
                        assert!((at.z - z).abs() < 1e-3, "{ends:?} {facet:?}");
                        n_points += 1;
                    }
                }
                last = next;
            }
            assert_eq!(rest.next(), None);
        }
        assert!(n_points > 200, "{n_points}");
    }
}

#[test]
fn rays_meet_what_tiles_draw() {
    let mut state = 4321_u64;
    let mut draw = move |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut n_ground, mut n_walls) = (0, 0);
    for seed in 1..5 {
        let land = land(&random(seed));
        for shape in SHAPES {
            let faces: Vec<_> = land
                .tile(KEY, shape)
                .facets
                .iter()
                .flat_map(|facet| triangles(facet).map(|it| (it, facet.facing)))
                .collect();
            for number in 0..60 {
                // In quarters of a point, off all borders and within the skirts of the tile.
                let mut point = |low: f32| {
                    Vec3::new(
                        draw(620 * 4) as f32 / 4.0 + 16.1,
                        -(draw(620 * 4) as f32 / 4.0 + 16.1),
                        draw(300 * 4) as f32 / 4.0 + low,
                    )
                };
                let (origin, end) = (point(-40.1), point(-40.3));
                let direction = match number % 10 {
                    0 => -Vec3::Z,
                    1 => Vec3::Z,
                    2 => (end - origin).with_z(0.0),
                    _ => end - origin,
                };
                let ray = Ray { origin, direction };
                let hits = faces.iter().filter_map(|(face, facing)| {
                    let t = hit_of(*face, origin.as_dvec3(), direction.as_dvec3())?;
                    Some((t, *facing))
                });
                let expected = hits.min_by(|a, b| a.0.total_cmp(&b.0));
                let expected = expected.filter(|it| it.0 <= 1.0 || number % 10 < 2);
                let t_max = if number % 10 < 2 { f64::INFINITY } else { 1.0 };
                let found = land.cast_ray(&LandRay::new(&ray).unwrap(), t_max, shape);
                let (Some(hit), Some((t, facing))) = (found, expected) else {
                    assert_eq!(found.map(|it| it.t), expected.map(|it| it.0), "{ray:?}");
                    continue;
                };
                let length = f64::from(direction.length());
                assert!(
                    (hit.t - t).abs() * length < 1e-3,
                    "{shape:?} {ray:?}: {hit:?} {t}"
                );
                assert!(hit.normal.dot(direction) < 0.0, "{ray:?}: {hit:?}");
                let at = origin.as_dvec3() + direction.as_dvec3() * t;
                let apart = (hit.position.as_dvec3() - at).truncate().length();
                assert!(apart < 1e-2, "{ray:?}: {hit:?}");
                let heights = heights(&land, hit.cell);
                let z = hit.position.z;
                if facing == Facing::Up {
                    n_ground += 1;
                    assert!(heights.contains(&(z as i32)) && z.fract() == 0.0, "{hit:?}");
                    assert_eq!(
                        hit.cell,
                        GeoCell::from_point(at.x.floor() as i32, (-at.y).floor() as i32).unwrap()
                    );
                } else {
                    n_walls += 1;
                    assert_eq!(hit.normal.z, 0.0);
                    assert!(heights.iter().any(|&it| it as f32 >= z), "{hit:?}");
                }
            }
        }
    }
    assert!(n_ground > 150 && n_walls > 50, "{n_ground} {n_walls}");
}
