//! Navigation meshes as files: polygons lead to each other as cells do. What a file says is linked here by the rules of
//! Detour, written plainly: portals by their heights at borders, connections by the polygon under their ends.

#[path = "nav_mesh/detour.rs"]
mod detour;

use detour::{Detour, cells_from};
use ironlands_assets_lineage2::nav_mesh_set::NavMeshSet;
use ironlands_sim_geodata::nav_mesh::{NavMesh, NavMeshOptions};
use ironlands_sim_geodata::test_world::{Ground, bridge, cell, middle, random, roof};
use ironlands_sim_geodata::{Geodata, Profile};
use ironlands_world_lineage2::nav_mesh_set;

/// Cells along a side of the boxes.
const SIDE: u16 = 150;

fn file(geodata: &Geodata, profile: Profile, max_error: u16) -> NavMeshSet {
    let options = NavMeshOptions {
        first: cell(0, 0),
        last: cell(SIDE - 1, SIDE - 1),
        max_error,
        profile,
    };
    let mesh = NavMesh::new(geodata, &options).unwrap();
    let written = nav_mesh_set(&mesh).unwrap();
    let read = NavMeshSet::read(&written.write().unwrap()).unwrap();
    assert_eq!(read, written);
    read
}

fn assert_agrees(name: &str, ground: &Ground, profile: Profile, max_error: u16) {
    let geodata = ground.geodata();
    let detour = Detour::new(&file(&geodata, profile, max_error));
    let in_box = (cell(0, 0), cell(SIDE - 1, SIDE - 1));
    let mut seed = 77_u64;
    let mut draw = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
        (seed >> 33) % n
    };
    let (mut n_yes, mut n_no) = (0, 0);
    for _ in 0..4 {
        let start = middle(draw(150) as i32, draw(150) as i32, draw(200) as i32);
        let start = geodata.snap_spawn(start, 10_000).unwrap().unwrap();
        let by_cells = cells_from(&geodata, start, in_box, &profile);
        let by_polygons = detour.polygons_from(detour.polygon_at(start).unwrap());
        for _ in 0..150 {
            let at = middle(draw(150) as i32, draw(150) as i32, 0);
            for layer in geodata.layers(at.cell().unwrap()).unwrap() {
                let goal = ironlands_sim_geodata::GeoPoint { z: layer.z, ..at };
                let expected = by_cells.contains(&(goal.cell().unwrap(), goal.z));
                let found = by_polygons.contains(&detour.polygon_at(goal).unwrap());
                assert_eq!(found, expected, "{name}: {start:?} to {goal:?}");
                match expected {
                    true => n_yes += 1,
                    false => n_no += 1,
                }
            }
        }
    }
    assert!(
        n_yes > 100 && n_no + n_yes >= 600,
        "{name}: {n_yes}, {n_no}"
    );
}

#[test]
fn polygons_lead_where_cells_do_by_every_step_rule() {
    for (name, profile) in Profile::NAMED {
        for seed in 1..3 {
            assert_agrees(&format!("{name} {seed}"), &random(seed), profile, 12);
        }
        assert_agrees(name, &bridge(), profile, 16);
        assert_agrees(name, &roof(), profile, 0);
    }
}

/// A terrace behind the border of tiles: one falls down from it, and no step leads up.
#[test]
fn drops_over_borders_of_tiles_lead_one_way() {
    let mut ground = Ground::new();
    for x in 8..12 {
        for y in 2..6 {
            ground.flat(x, y, 400, 400);
        }
    }
    let file = file(&ground.geodata(), Profile::ACIS, 0);
    let detour = Detour::new(&file);
    let [above, below] = [middle(66, 20, 400), middle(60, 20, 0)];
    let [above, below] = [above, below].map(|at| detour.polygon_at(at).unwrap());
    assert!(detour.polygons_from(above).contains(&below));
    assert!(!detour.polygons_from(below).contains(&above));
    let n_connections: usize = file
        .tiles
        .iter()
        .map(|(_, tile)| tile.connections.len())
        .sum();
    assert_eq!(n_connections, 1);
}

#[test]
fn meshes_that_cannot_be_numbered_are_refused() {
    let ground = random(2);
    let options = NavMeshOptions {
        first: cell(0, 0),
        last: cell(2047, 2047),
        max_error: 0,
        profile: Profile::ACIS,
    };
    let mut mesh = NavMesh::new(&ground.geodata(), &options).unwrap();
    assert_eq!(mesh.tiles.len(), 1024);
    assert!(nav_mesh_set(&mesh).is_ok());
    let polygon = mesh.tiles[0].polygons[0].clone();
    mesh.tiles[0].polygons = vec![polygon; 4097];
    let error = nav_mesh_set(&mesh).unwrap_err();
    assert!(error.n_polygons > 4096 && error.n_tiles == 1024);
}
