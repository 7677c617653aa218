//! String pulling: a path from cell to cell becomes a few straight walks along it.
//!
//! Each piece is tested by the exact walk in the direction in which it is gone. A single diagonal step always works
//! to the point that mirrors its start in the corner between the cells: that line passes the corner itself, where the
//! walk makes the diagonal step.

use crate::step::{GroundPosition, Steps};
use crate::straight_walk::{StraightWalkEnd, walk};
use crate::{GeoPoint, Geodata, Profile};
use ironlands_sim_regions::GeoCell;

/// Corners of a path, from `from` in its first cell to `to` in its last. Each piece can be walked.
pub(super) fn pull(
    geodata: &Geodata,
    profile: &Profile,
    way: &[GroundPosition],
    from: GeoPoint,
    to: GeoPoint,
) -> Vec<GeoPoint> {
    let (Some(first), Some(last)) = (way.first(), way.last()) else {
        return Vec::new();
    };
    let mut steps = Steps::new(geodata, *profile);
    let mut points = vec![GeoPoint { z: first.z, ..from }];
    let to = GeoPoint { z: last.z, ..to };
    let mut at = 0;
    let mut here = points[0];
    while at + 1 < way.len() {
        let point_at = |index: usize| match index + 1 == way.len() {
            true => to,
            false => GeoPoint::from_cell(way[index].cell, way[index].z),
        };
        let mut reaches =
            |index: usize| arrives(&mut steps, &way[at], &way[index], here, point_at(index));
        let farthest = farthest(way.len() - 1 - at, |n| reaches(at + n));
        here = match farthest {
            0 => mirrored(here, &way[at + 1]),
            n => point_at(at + n),
        };
        at += farthest.max(1);
        points.push(here);
    }
    if here != to {
        points.push(to);
    }
    points
}

/// The greatest number of steps that a walk goes, as far as doubling and halving finds it.
fn farthest(n_steps: usize, mut reaches: impl FnMut(usize) -> bool) -> usize {
    let mut good = 0;
    let mut n = 1;
    while n <= n_steps && reaches(n) {
        good = n;
        n *= 2;
    }
    if good == n_steps || (good == 0 && n_steps > 0) {
        return good;
    }
    let mut bad = n.min(n_steps + 1);
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if reaches(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

fn arrives(
    steps: &mut Steps<'_>,
    from: &GroundPosition,
    to: &GroundPosition,
    here: GeoPoint,
    there: GeoPoint,
) -> bool {
    // Points of a path lie in the grid.
    walk(steps, *from, here, there).is_ok_and(|(movement, stand)| {
        movement.end == StraightWalkEnd::Reached && stand.cell == to.cell && stand.layer == to.layer
    })
}

/// The point of the next cell that mirrors a point in the corner between the two.
fn mirrored(here: GeoPoint, next: &GroundPosition) -> GeoPoint {
    let mirror = |at: i32, corner: i32| corner + 15 - (at & 15);
    let (x, y) = GeoCell::corner(next.cell);
    GeoPoint::new(mirror(here.x, x), mirror(here.y, y), next.z)
}
