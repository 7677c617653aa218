//! Polygons of one plane that touch along a whole edge become one, where that stays convex.

use super::polygon::Polygon;
use crate::vector::{Vec3, cross, dot, length, sub};

/// Corners that are closer than this are the same.
const SAME_CORNER: f64 = 0.02;
/// A corner that stands out less than this, in units, is none.
const STRAIGHT: f64 = 0.005;

/// Merges until nothing more fits. `normal` is that of their plane.
pub fn merged(polygons: Vec<Polygon>, normal: Vec3) -> Vec<Polygon> {
    let mut done: Vec<Polygon> = Vec::new();
    for polygon in polygons {
        let mut polygon = polygon;
        // A merged polygon may fit to one that was passed before.
        while let Some((at, both)) = done
            .iter()
            .enumerate()
            .find_map(|(at, other)| Some((at, joined(other, &polygon, normal)?)))
        {
            done.remove(at);
            polygon = both;
        }
        done.push(polygon);
    }
    done
}

fn joined(a: &Polygon, b: &Polygon, normal: Vec3) -> Option<Polygon> {
    let (n, m) = (a.corners.len(), b.corners.len());
    let is_same = |p: Vec3, q: Vec3| length(sub(p, q)) < SAME_CORNER;
    let (i, j) = (0..n).find_map(|i| {
        let j = (0..m).find(|j| {
            is_same(a.corners[i], b.corners[(j + 1) % m])
                && is_same(a.corners[(i + 1) % n], b.corners[*j])
        })?;
        Some((i, j))
    })?;
    // From the end of the common edge all around a, then all around b.
    let mut corners: Vec<Vec3> = (1..n).map(|k| a.corners[(i + k) % n]).collect();
    corners.extend((1..m).map(|k| b.corners[(j + k) % m]));
    // Corners stand at 0 (start of a's part) and n - 1 (start of b's part) where both meet.
    let bend = |at: usize| {
        let count = corners.len();
        let before = corners[(at + count - 1) % count];
        let (here, after) = (corners[at], corners[(at + 1) % count]);
        let (in_, out) = (sub(here, before), sub(after, here));
        dot(cross(in_, out), normal) / length(sub(after, before)).max(1e-9)
    };
    let bends = [bend(0), bend(n - 1)];
    if bends.iter().any(|bend| *bend < -STRAIGHT) {
        return None;
    }
    let keep =
        |at: usize| !((at == 0 && bends[0] < STRAIGHT) || (at == n - 1 && bends[1] < STRAIGHT));
    let corners: Vec<Vec3> = (0..corners.len())
        .filter(|at| keep(*at))
        .map(|at| corners[at])
        .collect();
    (corners.len() >= 3).then_some(Polygon { corners })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(low: [f64; 2], high: [f64; 2]) -> Polygon {
        Polygon {
            corners: vec![
                [low[0], low[1], 0.0],
                [high[0], low[1], 0.0],
                [high[0], high[1], 0.0],
                [low[0], high[1], 0.0],
            ],
        }
    }

    #[test]
    fn four_quarters_become_one_square() {
        let quarters = vec![
            rectangle([0.0, 0.0], [1.0, 1.0]),
            rectangle([1.0, 1.0], [2.0, 2.0]),
            rectangle([1.0, 0.0], [2.0, 1.0]),
            rectangle([0.0, 1.0], [1.0, 2.0]),
        ];
        let merged = merged(quarters, [0.0, 0.0, 1.0]);
        assert_eq!(merged.len(), 1);
        assert_eq!((merged[0].corners.len(), merged[0].area()), (4, 4.0));
    }

    #[test]
    fn an_l_shape_stays_two() {
        let parts = vec![
            rectangle([0.0, 0.0], [1.0, 1.0]),
            rectangle([1.0, 0.0], [2.0, 3.0]),
        ];
        assert_eq!(merged(parts.clone(), [0.0, 0.0, 1.0]), parts);
    }
}
