//! What clusters see, against lines between points.

use ironlands_assets_source::bsp::{Contents, Map};

use crate::{Random, Vec3, demo_map};

/// Clusters that a cluster sees, from the coded row.
fn seen_from(map: &Map, cluster: usize) -> Vec<bool> {
    let visibility = map.visibility.as_ref().unwrap();
    let n = visibility.row_offsets.len();
    let start = visibility.row_offsets[cluster][0] as usize - (4 + 8 * n);
    let mut bits = Vec::new();
    let mut row = visibility.rows[start..].iter();
    while bits.len() < n {
        match *row.next().unwrap() {
            0 => bits.resize(bits.len() + 8 * usize::from(*row.next().unwrap()), false),
            byte => bits.extend((0..8).map(|bit| byte >> bit & 1 != 0)),
        }
    }
    bits.truncate(n);
    bits
}

fn cluster_at(map: &Map, point: Vec3) -> Option<usize> {
    let leaf = &map.leaves[map.leaf_at(0, point.map(|c| c as f32))];
    usize::try_from(leaf.cluster).ok()
}

/// Whether a wall stands between two points: a brush that divides the level.
fn is_blocked(map: &Map, from: Vec3, to: Vec3) -> bool {
    map.world_brushes(0).into_iter().any(|brush| {
        let brush = &map.brushes[brush as usize];
        let divides = brush.contents & Contents::SOLID.bits() != 0
            && brush.contents & Contents::DETAIL.bits() == 0;
        let sides = &map.brush_sides[brush.first_side as usize..][..brush.n_sides as usize];
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for side in sides {
            let plane = &map.planes[side.plane as usize];
            let distance = |p: Vec3| {
                let normal = plane.normal.map(f64::from);
                normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - f64::from(plane.dist)
            };
            let (a, b) = (distance(from), distance(to));
            if a > 0.0 && b > 0.0 {
                return false;
            }
            if a > b {
                enter = enter.max(a / (a - b));
            } else if b > a {
                leave = leave.min(a / (a - b));
            }
        }
        divides && enter < leave
    })
}

#[test]
fn points_that_see_each_other_lie_in_clusters_that_do() {
    let map = demo_map();
    let rows: Vec<Vec<bool>> = (0..map.visibility.as_ref().unwrap().row_offsets.len())
        .map(|cluster| seen_from(map, cluster))
        .collect();
    let mut random = Random(3);
    let (mut n_far, mut n_hidden) = (0, 0);
    for _ in 0..60_000 {
        let a = random.point([-640.0, -540.0, -96.0], [1050.0, 830.0, 330.0]);
        let b = random.point([-640.0, -540.0, -96.0], [1050.0, 830.0, 330.0]);
        let (Some(from), Some(to)) = (cluster_at(map, a), cluster_at(map, b)) else {
            continue;
        };
        if is_blocked(map, a, b) {
            n_hidden += 1;
            continue;
        }
        assert!(
            rows[from][to] && rows[to][from],
            "{a:?} in {from} sees {b:?} in {to}"
        );
        n_far += usize::from(from != to);
    }
    assert!(n_far > 1000 && n_hidden > 1000, "{n_far} {n_hidden}");
}

#[test]
fn the_hall_does_not_see_the_store_nor_the_skybox() {
    let map = demo_map();
    let hall = cluster_at(map, [-480.0, 0.0, 64.0]).unwrap();
    let store = cluster_at(map, [704.0, 752.0, 64.0]).unwrap();
    let skybox = cluster_at(map, [0.0, 0.0, 2200.0]).unwrap();
    let yard = cluster_at(map, [200.0, 0.0, 64.0]).unwrap();
    let seen = seen_from(map, hall);
    assert!(seen[hall] && seen[yard]);
    assert!(!seen[store] && !seen[skybox]);
}
