//! The figures of section 0.3.

use crate::maps::Loaded;
use glam::{DVec2, DVec3, Vec3};
use ironlands_assets_source::bsp::{Contents, DisplacementGrid};
use ironlands_sim_brush::{CastScratch, Obstacle, SURFACE_GAP, ShapeCast};
use ironlands_world_source::content_bits;
use libtest_mimic::Failed;

const PLAYER: [Vec3; 2] = [Vec3::new(-16.0, -16.0, 0.0), Vec3::new(16.0, 16.0, 72.0)];

pub fn eye(loaded: &Loaded) -> Result<(), Failed> {
    let Loaded {
        expected,
        world,
        spawn,
        ..
    } = loaded;
    let eye = *spawn + Vec3::Z * 64.0;
    // The table has six digits.
    if eye.distance(expected.eye) > 0.01 {
        return Err(format!("eye at {eye}").into());
    }
    let place = world.brushes().place_at(eye).ok_or("nowhere")?;
    let found = (place.leaf, place.contents.bits(), place.cluster, place.area);
    let wanted = (
        expected.leaf,
        expected.contents,
        Some(expected.cluster),
        expected.area,
    );
    if found != wanted {
        return Err(format!("{found:?}, not {wanted:?}").into());
    }
    Ok(())
}

fn fall(loaded: &Loaded) -> ShapeCast {
    let start = loaded.spawn + Vec3::Z * 10.0;
    let mask = content_bits(Contents::MASK_PLAYER_SOLID_BRUSH_ONLY);
    ShapeCast::from_box(start, start - Vec3::Z * 2000.0, PLAYER, mask)
}

pub fn drop(loaded: &Loaded) -> Result<(), Failed> {
    let sweep = fall(loaded).with_world_brushes_only();
    let trace = loaded
        .world
        .brushes()
        .cast_shape(&sweep, &mut CastScratch::default());
    let fraction = format!("{:.6}", trace.fraction);
    let expected = format!("{:.6}", loaded.expected.drop_fraction);
    if fraction != expected || trace.end.z != loaded.expected.final_z {
        return Err(format!("{fraction} of {expected}, to {}", trace.end.z).into());
    }
    Ok(())
}

/// In A the floor is a displacement above the brush that holds otherwise (section 7.6): the box rests on its
/// highest point below it, or on a face of it, so it is compared with where the grid is above the middle and corners.
pub fn displacements_hold(loaded: &Loaded) -> Result<(), Failed> {
    let trace = loaded
        .world
        .brushes()
        .cast_shape(&fall(loaded), &mut CastScratch::default());
    let hit = trace.hit.ok_or("falls out of the world")?;
    let is_displacement = matches!(hit.obstacle, Obstacle::Displacement { .. });
    let mut highest = f64::NEG_INFINITY;
    for disp_info in 0..loaded.map.disp_infos.len() {
        let grid = DisplacementGrid::new(&loaded.map, disp_info)?;
        for triangle in grid.triangles() {
            let corners = triangle.map(|i| Vec3::from(grid.positions[i as usize]).as_dvec3());
            for i in 0..=64 {
                for j in 0..=64 {
                    let place = loaded.spawn.as_dvec3().truncate()
                        + DVec2::new(f64::from(i) * 0.5 - 16.0, f64::from(j) * 0.5 - 16.0);
                    highest = highest.max(height(&corners, place).unwrap_or(f64::NEG_INFINITY));
                }
            }
        }
    }
    let above = f64::from(trace.end.z) - highest;
    // The gap is measured across the slope.
    let gap = f64::from(SURFACE_GAP / hit.normal.z);
    if !is_displacement || (above - gap).abs() > 1e-3 {
        return Err(format!("{hit:?} at {}, {above} above the grid", trace.end.z).into());
    }
    Ok(())
}

/// Height of a triangle over a place.
fn height([a, b, c]: &[DVec3; 3], place: DVec2) -> Option<f64> {
    let normal = (*b - *a).cross(*c - *a);
    let is_over = [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
        (to.truncate() - from.truncate()).perp_dot(place - from.truncate()) * normal.z >= 0.0
    });
    let from_a = place - a.truncate();
    (is_over && normal.z != 0.0).then(|| a.z - normal.truncate().dot(from_a) / normal.z)
}
