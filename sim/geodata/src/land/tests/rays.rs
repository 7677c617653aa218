//! Rays and trails against a slow search.

use super::*;

/// All hits of a segment among these cells, in a plain loop.
fn slow_hit(land: &Land, cells: &[GeoCell], ray: &Ray) -> Option<f64> {
    let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let mut times = Vec::new();
    for &cell in cells {
        let (x, y) = cell.corner();
        let (west, north) = (f64::from(x), -f64::from(y));
        let here = heights(land, cell);
        for &z in &here {
            let t = (f64::from(z) - origin.z) / direction.z;
            let at = origin + direction * t;
            if (west..=west + 16.0).contains(&at.x) && (north - 16.0..=north).contains(&at.y) {
                times.push(t);
            }
        }
        let east = GeoCell {
            x: cell.x + 1,
            y: cell.y,
        };
        let south = GeoCell {
            x: cell.x,
            y: cell.y + 1,
        };
        let borders = [
            (east, (west + 16.0 - origin.x) / direction.x),
            (south, (north - 16.0 - origin.y) / direction.y),
        ];
        for (beside, t) in borders {
            let at = origin + direction * t;
            let is_there = match beside == east {
                true => (north - 16.0..=north).contains(&at.y),
                false => (west..=west + 16.0).contains(&at.x),
            };
            let there = heights(land, beside);
            if there.is_empty() || !is_there {
                continue;
            }
            for (a, b) in slow_walls(&here, &there) {
                let (low, high) = (here[a].min(there[b]), here[a].max(there[b]));
                if low != high && (f64::from(low)..=f64::from(high)).contains(&at.z) {
                    times.push(t);
                }
            }
        }
    }
    let met = times.into_iter().filter(|t| (0.0..=1.0).contains(t));
    met.min_by(f64::total_cmp)
}

#[test]
fn rays_meet_what_a_slow_search_meets() {
    let land = land(&random(11));
    let cells: Vec<GeoCell> = (0..40)
        .flat_map(|x| (0..40).map(move |y| cell(x, y)))
        .collect();
    let mut state = 12345_u64;
    let mut draw = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut n_hits, mut n_walls) = (0, 0);
    for _ in 0..600 {
        // In quarters of a point, off all borders.
        let mut point = || {
            Vec3::new(
                draw(620 * 4) as f32 / 4.0 + 0.1,
                -(draw(620 * 4) as f32 / 4.0 + 0.1),
                draw(300 * 4) as f32 / 4.0 - 40.1,
            )
        };
        let origin = point();
        let ray = Ray {
            origin,
            direction: point() - origin,
        };
        let expected = slow_hit(&land, &cells, &ray);
        let found = land.cast_ray(&LandRay::new(&ray).unwrap(), 1.0, TileShape::Plateaus);
        match (found, expected) {
            (Some(hit), Some(t)) => {
                assert!((hit.t - t).abs() < 1e-9, "{ray:?}: {hit:?}, {t}");
                assert!(hit.normal.dot(ray.direction) < 0.0, "{hit:?}");
                assert!(
                    (ray.at(hit.t as f32) - hit.position).length() < 0.01,
                    "{hit:?}"
                );
                n_hits += 1;
                n_walls += usize::from(hit.normal.z == 0.0);
            }
            (found, expected) => assert_eq!(found.map(|it| it.t), expected, "{ray:?}"),
        }
    }
    assert!(n_hits > 200 && n_walls > 20, "{n_hits} {n_walls}");
}

#[test]
fn rays_pass_far_over_land_and_come_from_far_away() {
    let grounds = [
        Ground::at(RegionId::new(16, 18).unwrap()),
        random_at(4, 20, 18),
    ];
    let land = Land::new(geodata_with(&grounds), Profile::ACIS);
    let cast = |origin: [f32; 3], direction: [f32; 3], t_max: f64| {
        let ray = Ray {
            origin: origin.into(),
            direction: direction.into(),
        };
        land.cast_ray(&LandRay::new(&ray)?, t_max, TileShape::Plateaus)
    };
    // Straight down, from far outside of the world too.
    let hit = cast([40.0, -40.0, 5000.0], [0.0, 0.0, -1.0], 1e6).unwrap();
    let top = *heights(&land, cell(2, 2)).last().unwrap();
    assert_eq!((hit.cell, hit.position.z), (cell(2, 2), top as f32));
    assert_eq!(
        cast([40.0, -40.0, 5000.0], [0.0, 0.0, 1.0], f64::INFINITY),
        None
    );
    // Up through the ground from below.
    let hit = cast([40.0, -40.0, -5000.0], [0.0, 0.0, 1.0], f64::INFINITY).unwrap();
    assert_eq!(
        (hit.position.z, hit.normal),
        (heights(&land, cell(2, 2))[0] as f32, -Vec3::Z)
    );
    let far = cast([-3e6, -16000.0, 30000.0], [3e6, 0.0, -29990.0], 2.0).unwrap();
    assert!(
        far.position.x > 0.0 && far.cell.region() == ZERO_REGION,
        "{far:?}"
    );
    // Level, over the gap between the regions, against nothing.
    assert_eq!(
        cast([-140_000.0, -16000.0, 1.0], [1.0, 0.0, 0.0], 300_000.0),
        None
    );
    // What is no number hits nothing.
    for bad in [f32::NAN, f32::INFINITY] {
        assert_eq!(cast([bad, 0.0, 0.0], [0.0, 0.0, -1.0], 1.0), None);
        assert_eq!(cast([0.0; 3], [0.0, bad, -1.0], 1.0), None);
    }
    assert_eq!(cast([8.0, -8.0, 5000.0], [0.0; 3], f64::INFINITY), None);
}

#[test]
fn a_trail_follows_the_ground_and_ends_where_the_walk_does() {
    let ground = random(2).geodata();
    let from = crate::test_world::middle(3, 3, 100);
    for target in [(3, 60), (60, 3), (47, 51)] {
        let to = crate::test_world::middle(target.0, target.1, 0);
        let movement = ground.straight_walk(from, to, &Profile::PTS).unwrap();
        let trail = Trail::new(&ground, from, to, &Profile::PTS).unwrap();
        assert_eq!(trail.points.last().map(|it| it.at), Some(movement.point));
        for TrailPoint { at, layer } in &trail.points {
            let layers = ground.layers(at.cell().unwrap()).unwrap();
            assert_eq!(layers[usize::from(*layer)].z, at.z, "{at:?} {layers:?}");
        }
    }
}

#[test]
fn a_ray_that_passes_over_one_square_and_below_the_next_meets_the_wall_between() {
    let mut ground = Ground::new();
    for x in 4..8 {
        for y in 0..8 {
            ground.flat(x, y, 4000, 4000);
        }
    }
    let land = land(&ground);
    // The heights of neither square of 32 cells come near the ray's.
    for (from, direction, met) in [
        ([100.0, -100.0], Vec3::X, Some(512.0)),
        ([700.0, -100.0], -Vec3::X, Some(512.0)),
        ([100.0, -100.0], -Vec3::Y, None),
    ] {
        let ray = Ray {
            origin: Vec3::new(from[0], from[1], 2000.0),
            direction,
        };
        let hit = land.cast_ray(&LandRay::new(&ray).unwrap(), 900.0, TileShape::Plateaus);
        assert_eq!(hit.map(|it| it.position.x), met, "{ray:?}");
    }
}
