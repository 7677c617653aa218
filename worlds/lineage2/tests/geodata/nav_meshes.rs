//! Navigation meshes of real ground: what polygons lead to is what cells do.

use super::detour::{Detour, cells_from};
use super::regions::Loaded;
use ironlands_assets_lineage2::GeoCell;
use ironlands_assets_lineage2::nav_mesh_set::NavMeshSet;
use ironlands_sim_geodata::nav_mesh::{NavMesh, NavMeshOptions};
use ironlands_sim_geodata::{GeoPoint, Profile};
use ironlands_world_lineage2::nav_mesh_set;
use libtest_mimic::Failed;

/// Cells along a side of the boxes, in the middle of which ways are looked for.
const SIDE: u16 = 192;

/// Of boxes on the diagonal of a region, from a point in each to cells all over it.
pub fn reachability(loaded: &Loaded) -> Result<(), Failed> {
    let corner = loaded.region.id.first_cell();
    let profile = match loaded.file.ends_with(".l2j") {
        true => Profile::ACIS,
        false => Profile::PTS,
    };
    let (mut n_yes, mut n_no) = (0, 0);
    for place in [200, 900, 1500] {
        let cell = |dx: u16, dy: u16| GeoCell {
            x: corner.x + place + dx,
            y: corner.y + place + dy,
        };
        let (first, last) = (cell(0, 0), cell(SIDE - 1, SIDE - 1));
        let options = NavMeshOptions {
            first,
            last,
            max_error: 16,
            profile,
        };
        let bytes = nav_mesh_set(&NavMesh::new(&loaded.geodata, &options)?)?.write()?;
        let detour = Detour::new(&NavMeshSet::read(&bytes)?);
        let layer = |cell: GeoCell| loaded.geodata.nearest_layer(cell, 0);
        let start = cell(SIDE / 2, SIDE / 2);
        let start = GeoPoint::from_cell(start, layer(start)?.z);
        let by_cells = cells_from(&loaded.geodata, start, (first, last), &profile);
        let by_polygons = detour.polygons_from(detour.polygon_at(start).ok_or("no polygon")?);
        for dx in (0..SIDE).step_by(5) {
            for dy in (0..SIDE).step_by(7) {
                for layer in loaded.geodata.layers(cell(dx, dy))? {
                    let goal = GeoPoint::from_cell(cell(dx, dy), layer.z);
                    let expected = by_cells.contains(&(cell(dx, dy), layer.z));
                    let polygon = detour.polygon_at(goal).ok_or("no polygon")?;
                    if by_polygons.contains(&polygon) != expected {
                        return Err(format!("{start:?} to {goal:?}: cells say {expected}").into());
                    }
                    match expected {
                        true => n_yes += 1,
                        false => n_no += 1,
                    }
                }
            }
        }
    }
    match n_yes > 500 {
        true => Ok(()),
        false => Err(format!("only {n_yes} of {} are reached", n_yes + n_no).into()),
    }
}
