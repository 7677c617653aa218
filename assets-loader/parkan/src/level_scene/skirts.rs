//! Skirts: vertical strips below tile borders that close the cracks between levels of detail.
//!
//! The data does not stitch tiles of different levels of detail (dossier section 11.3, Q-M14). Where the
//! surface of a tile can end above that of a neighbor, a strip hangs down from it, as deep as the largest
//! gap there with any of the neighbor's levels. The neighbor's own skirt covers where it is the higher one.

use super::borders::{BorderEdge, position_key};

/// How much deeper than the gap a skirt reaches, in world units; hides what rounding leaves open.
pub(super) const MARGIN: f32 = 0.1;

/// How deep the skirt below an edge must reach; `None` where there is no crack to close.
///
/// `others` are the borders that may be drawn beside it: those of the neighboring tiles at each of their
/// levels. Borders within `tolerance` of the edge's line run along it. An edge with no neighbor, at the outer
/// edge of the map or around a hole, needs no skirt, and neither does one that every neighbor repeats exactly.
pub(super) fn skirt_depth<'a>(
    edge: &BorderEdge,
    others: impl Iterator<Item = &'a BorderEdge>,
    tolerance: f32,
) -> Option<f32> {
    let gaps = others.filter_map(|other| gap_along(edge, other, tolerance));
    let widest = gaps.fold(f32::NEG_INFINITY, f32::max);
    // Below a higher neighbor there is nothing to hide; its own skirt reaches down to this edge.
    (widest >= 0.0).then_some(widest + MARGIN)
}

/// How far `edge` is above `other` at most where they run along each other in x and y. `None` where they do
/// not, and where they are the same edge.
fn gap_along(edge: &BorderEdge, other: &BorderEdge, tolerance: f32) -> Option<f32> {
    if position_key(edge.ends) == position_key(other.ends) {
        return None;
    }
    let [a, b] = edge.ends;
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]);
    let along = along.map(|v| v / length);
    // Distance along the edge and beside it, for both ends of the other one.
    let placed = other.ends.map(|[x, y, z]| {
        let [x, y] = [x - a[0], y - a[1]];
        let at = x * along[0] + y * along[1];
        let beside = x * along[1] - y * along[0];
        (at, beside, z)
    });
    let [(c, c_beside, c_z), (d, d_beside, d_z)] = placed;
    if c_beside.abs() > tolerance || d_beside.abs() > tolerance {
        return None;
    }
    let (from, to) = (c.min(d).max(0.0), c.max(d).min(length));
    if to - from <= tolerance {
        return None;
    }
    let z_of_edge = |at: f32| lerp(a[2], b[2], at / length);
    let z_of_other = |at: f32| lerp(c_z, d_z, (at - c) / (d - c));
    let gaps = [from, to].map(|at| z_of_edge(at) - z_of_other(at));
    Some(gaps[0].max(gaps[1]))
}

fn lerp(from: f32, to: f32, t: f32) -> f32 {
    from + (to - from) * t
}
