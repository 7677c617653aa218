//! What a ray hits of a cell and of the border between two, as [`TileShape::Slopes`] shows them.
//!
//! [`TileShape::Slopes`]: ironlands_scene::TileShape::Slopes

use super::TileSurface;
use super::partners::{Side, walled};
use super::ray::{LandHit, LandRay};
use super::walls::edges;
use glam::{DVec3, Vec3};
use ironlands_sim_regions::{CELL_SIZE, GeoCell};

/// How far a corner may be from the height of its cell, points. A corner is the mean of at most four that continue in
/// each other in turn, each two steps from the next; one at the edge of a flat block lies on the line between two such
/// means, of middles that are a step from their heights, in whole eighths.
pub(super) const MAX_RISE: i32 = 128;

/// What is nearer to a face lies on it, points: no ray slips through between two faces.
const TOUCH: f64 = 1e-6;

impl TileSurface<'_> {
    /// The layer of a cell that a ray hits first between two times. Its position is on the cell as its file has it.
    pub(super) fn ground_hit(
        &mut self,
        ray: &LandRay,
        cell: GeoCell,
        [from, to]: [f64; 2],
        heights: &[i32],
    ) -> Option<LandHit> {
        let (a, b) = (ray.at(from).z, ray.at(to).z);
        let rise = f64::from(MAX_RISE);
        let range = a.min(b) - rise..=a.max(b) + rise;
        let mut first: Option<(f64, Vec3, i32)> = None;
        for (layer, &z) in (0..=u8::MAX).zip(heights) {
            if !range.contains(&f64::from(z)) {
                continue;
            }
            let corners = self.corners(cell, layer)?.map(f64::from);
            if let Some((t, normal)) = face_hit(ray, cell, corners, [from, to])
                && first.is_none_or(|(known, ..)| t < known)
            {
                first = Some((t, normal, z));
            }
        }
        let (t, normal, z) = first?;
        Some(ray.hit(cell, t, normal, Some(f64::from(z))))
    }

    /// The cell above the wall that is between two neighbors where a ray crosses their border, and the height of the
    /// crossing on the wall as the files have it.
    pub(super) fn wall_at(
        &mut self,
        [(a, of_a), (b, of_b)]: [(GeoCell, &[i32]); 2],
        at: DVec3,
    ) -> Option<(GeoCell, f64)> {
        let side = Side::between(a, b)?;
        let mut pairs = arrayvec::ArrayVec::<[usize; 2], 256>::new();
        walled(of_a, of_b, |at_a, at_b| {
            let rise = MAX_RISE;
            let (low, high) = (of_a[at_a].min(of_b[at_b]), of_a[at_a].max(of_b[at_b]));
            let range = f64::from(low - rise)..=f64::from(high + rise);
            if low != high && range.contains(&at.z) {
                // No cell has more layers.
                let _ = pairs.try_push([at_a, at_b]);
            }
        });
        let along = match side {
            Side::East | Side::West => f64::from(a.y) + 1.0 - at.y,
            Side::South | Side::North => at.x - f64::from(a.x),
        };
        let mut upper = None;
        for [at_a, at_b] in pairs {
            let edge_a = self.edge(a, at_a as u8, side)?;
            let edge_b = self.edge(b, at_b as u8, side.opposite())?;
            let [foot, top] = edges(edge_a, edge_b).map(|[start, end]| {
                let (start, end) = (f64::from(start), f64::from(end));
                start + (end - start) * along
            });
            if edge_a != edge_b && (foot - TOUCH..=top + TOUCH).contains(&at.z) {
                let (z_a, z_b) = (of_a[at_a], of_b[at_b]);
                let cell = if z_a > z_b { a } else { b };
                let z = at.z.clamp(f64::from(z_a.min(z_b)), f64::from(z_a.max(z_b)));
                upper = Some((cell, z));
            }
        }
        upper
    }
}

/// When a ray hits one of the two triangles of a cell between two times, and their normal on the side that it came
/// from.
fn face_hit(
    ray: &LandRay,
    cell: GeoCell,
    [south_west, south_east, north_west, north_east]: [f64; 4],
    [from, to]: [f64; 2],
) -> Option<(f64, Vec3)> {
    let within = |t: f64| {
        let DVec3 { x, y, z } = ray.at(t);
        DVec3::new(x - f64::from(cell.x), f64::from(cell.y) + 1.0 - y, z)
    };
    let (start, end) = (within(from), within(to));
    // In front of the line between the triangles, or behind it.
    let [a, b] = [start, end].map(|at| at.x + at.y - 1.0);
    let crosses = a * b < 0.0;
    let (fold, fold_at) = match crosses {
        true => (
            from + (to - from) * a / (a - b),
            start.lerp(end, a / (a - b)),
        ),
        false => (to, end),
    };
    let slope_of = |is_behind: bool| match is_behind {
        false => (south_east - south_west, north_west - south_west),
        true => (north_east - north_west, north_east - south_east),
    };
    let is_behind = if crosses { a > 0.0 } else { a + b > 0.0 };
    let parts = [
        (is_behind, [from, fold], [start, fold_at]),
        (!is_behind, [fold, to], [fold_at, end]),
    ];
    let mut parts = parts.into_iter().take(1 + usize::from(crosses));
    parts.find_map(|(is_behind, times, places)| {
        let (east, north) = slope_of(is_behind);
        let above = places.map(|at| {
            // Both triangles have these two corners.
            at.z - (south_east + east * (at.x - 1.0) + north * at.y)
        });
        let [before, after] = above;
        let touches = above.map(|above| above.abs() <= TOUCH);
        let t = match touches {
            // Along it.
            [true, true] => return None,
            [true, false] => times[0],
            [false, true] => times[1],
            [false, false] if before * after > 0.0 => return None,
            [false, false] => times[0] + (times[1] - times[0]) * before / (before - after),
        };
        let size = f64::from(CELL_SIZE);
        let normal = DVec3::new(-east / size, -north / size, 1.0).normalize();
        let is_from_above = before > after;
        let normal = if is_from_above { normal } else { -normal };
        Some((t, normal.as_vec3()))
    })
}
