//! The grid that finds areals: each cell lists those that touch it.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "cells of a grid whose size is a constant, and corners of outlines"
)]

use crate::land_map::Areal;

/// Borders that are closer than this fall together, world units. Rounded to `f32`, they part by a few 1e-4, which
/// a line along a short edge carries on to a few 1e-3 at the far end of an areal; borders that are meant to be apart
/// are so by more than 0.03.
const ROUNDING: f64 = 0.01;

/// Areal ids of each cell, x outer, over the box from `min` to `max`; borders count to both sides.
pub(super) fn cells(areals: &[Areal], min: [f32; 3], max: [f32; 3], n_cells: u32) -> Vec<Vec<u16>> {
    let n = n_cells as usize;
    let mut cells = vec![Vec::new(); n * n];
    let edge = |axis: usize, i: usize| {
        let (min, max) = (f64::from(min[axis]), f64::from(max[axis]));
        min + (max - min) * i as f64 / n as f64
    };
    let reach = |axis: usize, i: usize| [edge(axis, i) - ROUNDING, edge(axis, i + 1) + ROUNDING];
    for (id, areal) in areals.iter().enumerate() {
        let outline: Vec<[f64; 2]> = areal
            .vertices
            .iter()
            .map(|v| [f64::from(v[0]), f64::from(v[1])])
            .collect();
        let range = |axis: usize| {
            let low = outline.iter().map(|p| p[axis]).fold(f64::MAX, f64::min);
            let high = outline.iter().map(|p| p[axis]).fold(f64::MIN, f64::max);
            (0..n).filter(move |i| {
                let [start, end] = reach(axis, *i);
                start <= high && end >= low
            })
        };
        for cx in range(0) {
            for cy in range(1) {
                let ([x0, x1], [y0, y1]) = (reach(0, cx), reach(1, cy));
                if !is_apart(&outline, [x0, y0, x1, y1]) {
                    cells[cx * n + cy].push(id as u16);
                }
            }
        }
    }
    cells
}

/// Whether an edge of a convex counter-clockwise outline has all of a box on its outer side. Together with
/// overlapping bounds, which the caller has checked, this is the separating-axis test.
fn is_apart(outline: &[[f64; 2]], [x0, y0, x1, y1]: [f64; 4]) -> bool {
    (0..outline.len()).any(|i| {
        let (p, q) = (outline[i], outline[(i + 1) % outline.len()]);
        let inside =
            |x: f64, y: f64| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) >= 0.0;
        !(inside(x0, y0) || inside(x1, y0) || inside(x1, y1) || inside(x0, y1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_misses_the_corners_of_its_bounds() {
        let diamond = [[2.0, 0.0], [4.0, 2.0], [2.0, 4.0], [0.0, 2.0]];
        assert!(is_apart(&diamond, [0.0, 0.0, 0.9, 0.9]));
        assert!(
            !is_apart(&diamond, [0.0, 0.0, 1.0, 1.0]),
            "touching at a point counts"
        );
        assert!(!is_apart(&diamond, [1.5, 1.5, 2.5, 2.5]), "a cell inside");
        assert!(
            !is_apart(&diamond, [-1.0, -1.0, 5.0, 5.0]),
            "a cell around it"
        );
    }
}
