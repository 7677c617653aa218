//! Round bodies from rings that lie above each other: limbs, trunks of bodies, heads.

use crate::models::shape::{Corner, Shape};
use crate::models::turn::Angle;
use crate::vector::{Vec3, add, cross, normalized, sub};

/// An ellipse that lies level.
#[derive(Debug, Clone, Copy)]
pub struct Ring {
    pub middle: Vec3,
    /// Half its width along X and along Y.
    pub half: [f64; 2],
}

/// A ring around the z axis, moved along Y.
pub fn ring(z: f64, half_x: f64, half_y: f64, y: f64) -> Ring {
    Ring {
        middle: [0.0, y, z],
        half: [half_x, half_y],
    }
}

/// A body through rings from the lowest to the highest, its ends closed by points at heights `ends`.
///
/// Around it, u runs once from the left to the right of `uv` (u0, v0, u1, v1), its middle in front (-Y); v runs down from
/// the highest end to the lowest. `n` is the number of sides.
pub fn loft(rings: &[Ring], ends: [f64; 2], n: usize, uv: [f64; 4]) -> Shape {
    let (low, high) = (ends[0], ends[1]);
    let [u0, v0, u1, v1] = uv;
    let last = rings.len() - 1;
    let point = |i: usize, k: usize| {
        let Ring { middle, half } = rings[i];
        // From the back over -X and the front to +X: counter-clockwise as seen from above.
        let a = Angle::degrees(360.0 * (k % n) as f64 / n as f64);
        add(middle, [-a.sin * half[0], a.cos * half[1], 0.0])
    };
    let tip = |z: f64, i: usize| [rings[i].middle[0], rings[i].middle[1], z];
    let (foot, top) = (tip(low, 0), tip(high, last));
    let normal = |i: usize, k: usize| {
        let below = if i == 0 { foot } else { point(i - 1, k) };
        let above = if i == last { top } else { point(i + 1, k) };
        let around = sub(point(i, k + 1), point(i, k + n - 1));
        normalized(cross(around, sub(above, below)))
    };
    let down = |z: f64| v0 + (v1 - v0) * (high - z) / (high - low);
    let corner = |i: usize, k: usize| Corner {
        position: point(i, k),
        normal: normal(i, k),
        uv: [
            u0 + (u1 - u0) * k as f64 / n as f64,
            down(rings[i].middle[2]),
        ],
        lightmap_uv: [0.0; 2],
    };
    let end = |position: Vec3, up: f64, k: usize| Corner {
        position,
        normal: [0.0, 0.0, up],
        uv: [
            u0 + (u1 - u0) * (k as f64 + 0.5) / n as f64,
            down(position[2]),
        ],
        lightmap_uv: [0.0; 2],
    };
    let mut shape = Shape::default();
    for k in 0..n {
        let foot = end(foot, -1.0, k);
        shape.triangles.push([foot, corner(0, k + 1), corner(0, k)]);
        for i in 0..last {
            let (a, b) = (corner(i, k), corner(i, k + 1));
            let (c, d) = (corner(i + 1, k + 1), corner(i + 1, k));
            shape.triangles.push([a, b, c]);
            shape.triangles.push([a, c, d]);
        }
        let top = end(top, 1.0, k);
        shape
            .triangles
            .push([corner(last, k), corner(last, k + 1), top]);
    }
    shape
}

/// Both sides of a sheet: rows of points, the first the highest, each from left to right as seen from the front. The
/// texture spans it as `uv` (u0, v0, u1, v1) says.
pub fn sheet(rows: &[Vec<Vec3>], uv: [f64; 4]) -> Shape {
    let [u0, v0, u1, v1] = uv;
    let (n_rows, n_columns) = (rows.len() - 1, rows[0].len() - 1);
    let at = |i: usize, k: usize| rows[i.min(n_rows)][k.min(n_columns)];
    let corner = |i: usize, k: usize, side: f64| {
        // Both sides at one place would flicker.
        let across = sub(at(i, k + 1), at(i, k.saturating_sub(1)));
        let down = sub(at(i + 1, k), at(i.saturating_sub(1), k));
        let normal = normalized(cross(down, across).map(|c| c * side));
        Corner {
            position: add(rows[i][k], normal.map(|c| 0.006 * c)),
            normal,
            uv: [
                u0 + (u1 - u0) * k as f64 / n_columns as f64,
                v0 + (v1 - v0) * i as f64 / n_rows as f64,
            ],
            lightmap_uv: [0.0; 2],
        }
    };
    let mut shape = Shape::default();
    for i in 0..n_rows {
        for k in 0..n_columns {
            for side in [1.0, -1.0] {
                let quad = [(i + 1, k), (i + 1, k + 1), (i, k + 1), (i, k)];
                let [a, b, c, d] = quad.map(|(i, k)| corner(i, k, side));
                match side > 0.0 {
                    true => shape.triangles.extend([[a, b, c], [a, c, d]]),
                    false => shape.triangles.extend([[c, b, a], [d, c, a]]),
                }
            }
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::dot;

    /// Whether all triangles of a shape face the way that their normals do.
    fn is_outward(shape: &Shape) -> bool {
        shape.triangles.iter().all(|[a, b, c]| {
            let face = cross(sub(b.position, a.position), sub(c.position, a.position));
            let mean = add(add(a.normal, b.normal), c.normal);
            dot(mean, face) > 0.0
        })
    }

    #[test]
    fn lofts_and_sheets_face_outward() {
        let rings = [
            ring(0.0, 0.2, 0.1, 0.0),
            ring(0.3, 0.3, 0.2, 0.05),
            ring(0.5, 0.1, 0.1, 0.0),
        ];
        let body = loft(&rings, [-0.05, 0.6], 8, [0.0, 0.0, 1.0, 1.0]);
        assert!(is_outward(&body));
        let six = body
            .triangles
            .iter()
            .map(|[a, b, c]| dot(a.position, cross(b.position, c.position)));
        assert!(six.sum::<f64>() > 0.0, "it encloses a volume");
        let rows: Vec<Vec<Vec3>> = (0..3)
            .map(|i| {
                (0..4)
                    .map(|k| [f64::from(k), 0.1 * f64::from(i * k), -f64::from(i)])
                    .collect()
            })
            .collect();
        let cloth = sheet(&rows, [0.0, 0.0, 1.0, 1.0]);
        assert!(is_outward(&cloth));
        assert_eq!(cloth.triangles.len(), 2 * 2 * 6);
        assert!(
            cloth.triangles[0][0].normal[1] < 0.0,
            "the front is in front"
        );
    }
}
