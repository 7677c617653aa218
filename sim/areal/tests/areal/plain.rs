//! Plain geometry that the index is held against, here and over levels of files.

use glam::{DVec2, Vec2};
use ironlands_sim_areal::ArealIndex;

/// Edges as pairs of points.
pub fn edges(outline: &[Vec2]) -> Vec<[DVec2; 2]> {
    let n = outline.len();
    (0..n)
        .map(|i| [outline[i].as_dvec2(), outline[(i + 1) % n].as_dvec2()])
        .collect()
}

/// Distance from a point to a segment, by its parts.
pub fn plain_distance(p: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let along = b - a;
    if along.length() == 0.0 {
        return p.distance(a);
    }
    let direction = along.normalize();
    let along_it = (p - a).dot(direction);
    if along_it <= 0.0 {
        p.distance(a)
    } else if along_it >= along.length() {
        p.distance(b)
    } else {
        (p - a).perp_dot(direction).abs()
    }
}

/// Sum of the angles under which a point sees the edges, in turns; by its parity a point is inside. Not for points
/// on the border.
pub fn plain_turns(outline: &[Vec2], point: Vec2) -> i32 {
    let p = point.as_dvec2();
    let angles = edges(outline)
        .into_iter()
        .map(|[a, b]| (a - p).angle_to(b - p));
    (angles.sum::<f64>() / std::f64::consts::TAU).round() as i32
}

/// Points over a level and a little beyond it, from a fixed seed.
pub fn random_points(index: &ArealIndex, n: usize) -> Vec<Vec2> {
    let vertices = || {
        (0..index.n_areals() as u32)
            .flat_map(|areal| index.outline(areal))
            .map(|v| v.truncate())
    };
    let min = vertices().fold(Vec2::INFINITY, Vec2::min) - 50.0;
    let max = vertices().fold(Vec2::NEG_INFINITY, Vec2::max) + 50.0;
    let mut state = 20_261_122_u64;
    let mut share = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    (0..n)
        .map(|_| min + (max - min) * Vec2::new(share(), share()))
        .collect()
}
