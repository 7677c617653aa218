//! What polygons are, on made ground: convex, as high as the ground, and joined edge to edge.

use super::*;
use crate::test_world::{Ground as MadeGround, bridge, cell, random};
use std::collections::HashMap;

fn options(n_cells: u16, max_error: u16, profile: Profile) -> NavMeshOptions {
    NavMeshOptions {
        first: cell(0, 0),
        last: cell(n_cells - 1, n_cells - 1),
        max_error,
        profile,
    }
}

/// Twice the area of a polygon seen from above; positive for clockwise ones, as y grows to the south.
fn doubled_area(corners: &[(i32, i32, f32)]) -> i64 {
    let point = |at: usize| {
        let (x, y, _) = corners[at % corners.len()];
        (i64::from(x), i64::from(y))
    };
    let cross = |at: usize| {
        let ((ax, ay), (bx, by)) = (point(at), point(at + 1));
        ax * by - ay * bx
    };
    (0..corners.len()).map(cross).sum()
}

fn is_convex(corners: &[(i32, i32, f32)]) -> bool {
    let n = corners.len();
    (0..n).all(|at| {
        let three = [at, at + 1, at + 2].map(|at| corners[at % n]);
        doubled_area(&three) >= 0
    })
}

/// The height at a point, from the triangles of a fan, and whether the point is in the polygon.
fn height_at(corners: &[(i32, i32, f32)], x: i32, y: i32) -> Option<f64> {
    for pair in corners.windows(2).skip(1) {
        let [a, b, c] = [corners[0], pair[0], pair[1]];
        let point = (x, y, 0.0);
        let area = doubled_area(&[a, b, c]) as f64;
        let shares = [[point, b, c], [a, point, c], [a, b, point]];
        let shares = shares.map(|three| doubled_area(&three) as f64);
        if area > 0.0 && shares.iter().all(|share| *share >= 0.0) {
            let heights = [a, b, c].map(|corner| f64::from(corner.2));
            let sum: f64 = shares.iter().zip(heights).map(|(share, z)| share * z).sum();
            return Some(sum / area);
        }
    }
    None
}

fn grounds() -> Vec<MadeGround> {
    (1..6).map(random).chain([bridge()]).collect()
}

#[test]
fn polygons_are_convex_and_cover_every_layer_once() {
    for (seed, ground) in grounds().iter().enumerate() {
        let geodata = ground.geodata();
        let mesh = NavMesh::new(&geodata, &options(180, 12, Profile::ACIS)).unwrap();
        assert_eq!(mesh.tiles.len(), 9);
        let mut n_cells = 0;
        for polygon in mesh.tiles.iter().flat_map(|tile| &tile.polygons) {
            assert!((3..=6).contains(&polygon.corners.len()));
            assert_eq!(polygon.corners.len(), polygon.neighbors.len());
            assert!(is_convex(&polygon.corners), "{seed}: {polygon:?}");
            let area = doubled_area(&polygon.corners);
            assert!(area > 0, "{seed}: {polygon:?}");
            n_cells += area;
        }
        let mut n_layers = 0;
        for x in 0..180 {
            for y in 0..180 {
                n_layers += geodata.layers(cell(x, y)).unwrap().len();
            }
        }
        assert_eq!(n_cells, 2 * 256 * n_layers as i64, "{seed}");
    }
}

#[test]
fn polygons_are_as_high_as_the_ground() {
    for (seed, ground) in grounds().iter().enumerate() {
        let geodata = ground.geodata();
        for max_error in [0_u16, 12] {
            let mesh = NavMesh::new(&geodata, &options(170, max_error, Profile::PTS)).unwrap();
            let mut heights = HashMap::<(i32, i32), Vec<f64>>::new();
            for polygon in mesh.tiles.iter().flat_map(|tile| &tile.polygons) {
                let xs = || polygon.corners.iter().map(|corner| corner.0);
                let ys = || polygon.corners.iter().map(|corner| corner.1);
                for x in (xs().min().unwrap()..xs().max().unwrap()).step_by(16) {
                    for y in (ys().min().unwrap()..ys().max().unwrap()).step_by(16) {
                        let height = height_at(&polygon.corners, x + 8, y + 8);
                        heights.entry((x + 8, y + 8)).or_default().extend(height);
                    }
                }
            }
            for (x, y) in (0..170).flat_map(|x| (0..170).map(move |y| (x, y))) {
                let at = crate::test_world::middle(x, y, 0);
                let mut heights = heights.remove(&(at.x, at.y)).unwrap_or_default();
                heights.sort_by(f64::total_cmp);
                // The middle of a cell may be on a cut between two polygons of a rectangle.
                heights.dedup_by(|a, b| (*a - *b).abs() < 0.01);
                let layers = geodata.layers(at.cell().unwrap()).unwrap();
                assert_eq!(heights.len(), layers.len(), "{seed}: {x}, {y}");
                for (height, layer) in heights.iter().zip(&layers) {
                    let error = (height - f64::from(layer.z)).abs();
                    assert!(
                        error <= f64::from(max_error) + 0.01,
                        "{seed}: {x}, {y}: {error}"
                    );
                }
            }
        }
    }
}

#[test]
fn polygons_of_a_tile_are_joined_edge_to_edge() {
    let (mut n_joined, mut n_edges) = (0, 0);
    for ground in grounds() {
        let geodata = ground.geodata();
        let mesh = NavMesh::new(&geodata, &options(180, 12, Profile::MOBIUS)).unwrap();
        for tile in &mesh.tiles {
            let edges_of = |polygon: &NavMeshPolygon| -> Vec<[(i32, i32); 2]> {
                let n = polygon.corners.len();
                let corner = |at: usize| {
                    let (x, y, _) = polygon.corners[at % n];
                    (x, y)
                };
                (0..n).map(|at| [corner(at), corner(at + 1)]).collect()
            };
            for polygon in &tile.polygons {
                for (edge, neighbor) in edges_of(polygon).iter().zip(&polygon.neighbors) {
                    let NavMeshNeighbor::Polygon(neighbor) = neighbor else {
                        continue;
                    };
                    let beside = &tile.polygons[*neighbor as usize];
                    let is_joined = edges_of(beside).contains(&[edge[1], edge[0]]);
                    // Or one falls onto ground that continues below the edge.
                    assert!(
                        is_joined
                            || cells_behind(edge)
                                .any(|(x, y)| { height_at(&beside.corners, x, y).is_some() })
                    );
                    n_joined += usize::from(is_joined);
                    n_edges += 1;
                }
            }
        }
    }
    assert!(n_joined * 10 > n_edges * 9, "{n_joined} of {n_edges}");
}

/// The middles of the cells to the left of an edge, outside of its clockwise polygon.
fn cells_behind([a, b]: &[(i32, i32); 2]) -> impl Iterator<Item = (i32, i32)> {
    let (along_x, along_y) = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
    let n_cells = ((b.0 - a.0).abs() + (b.1 - a.1).abs()) / 16;
    let (x, y) = *a;
    (0..n_cells).map(move |at| {
        let along = 16 * at + 8;
        (
            x + along_x * along + along_y * 8,
            y + along_y * along - along_x * 8,
        )
    })
}

/// Each portal has one on the other side of its border, between the same corners.
#[test]
fn portals_meet_at_borders_of_tiles() {
    let mut n_portals = 0;
    for ground in grounds() {
        let geodata = ground.geodata();
        let mesh = NavMesh::new(&geodata, &options(180, 12, Profile::ACIS)).unwrap();
        let mut portals = HashMap::<_, usize>::new();
        for polygon in mesh.tiles.iter().flat_map(|tile| &tile.polygons) {
            let n = polygon.corners.len();
            for at in 0..n {
                if polygon.neighbors[at] == NavMeshNeighbor::Portal {
                    let corner = |at: usize| {
                        let (x, y, _) = polygon.corners[at % n];
                        (x, y)
                    };
                    *portals.entry([corner(at), corner(at + 1)]).or_default() += 1;
                }
            }
        }
        for ([a, b], n) in &portals {
            assert_eq!(portals.get(&[*b, *a]), Some(n));
            n_portals += n;
        }
    }
    assert!(n_portals > 1000, "{n_portals}");
}

#[test]
fn boxes_without_ground_are_refused() {
    let geodata = random(1).geodata();
    let first = ironlands_sim_regions::RegionId::new(25, 25)
        .unwrap()
        .first_cell();
    let options = NavMeshOptions {
        first,
        last: first,
        ..options(1, 0, Profile::ACIS)
    };
    assert_eq!(NavMesh::new(&geodata, &options), Err(NavMeshError::Empty));
}
