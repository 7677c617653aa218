//! Lays flat shapes on the ground: what an areal's few corners leave out, the ground's own faces fill in.

use crate::parkan::face_mask::FaceFlags;
use crate::parkan::land_msh::LandMsh;

/// Buckets of the ground per axis; a bucket then holds a handful of faces on levels of retail size.
const BUCKETS: usize = 64;

type Point = [f32; 3];

/// The dry faces of the finest level of detail, found by where they lie in x and y.
pub(super) struct Drape {
    faces: Vec<[Point; 3]>,
    min: [f32; 2],
    bucket_size: [f32; 2],
    /// Face indices by bucket, `buckets[x * BUCKETS + y]`.
    buckets: Vec<Vec<u32>>,
}

impl Drape {
    pub(super) fn new(land: &LandMsh) -> Self {
        let faces: Vec<[Point; 3]> = land
            .lod0_face_indices()
            .filter_map(|idx| land.faces.get(idx))
            .filter(|face| !face.flags.contains(FaceFlags::WATER))
            .map(|face| face.vertices.map(|v| land.positions[usize::from(v)]))
            .filter(|face| face.iter().flatten().all(|v| v.is_finite()))
            .filter(|face| doubled_area(face) != 0.0)
            .collect();
        let points = || faces.iter().flatten();
        let min = [0, 1].map(|axis| points().map(|p| p[axis]).fold(f32::INFINITY, f32::min));
        let max = [0, 1].map(|axis| points().map(|p| p[axis]).fold(f32::NEG_INFINITY, f32::max));
        let mut drape = Self {
            min,
            bucket_size: [0, 1].map(|axis| (max[axis] - min[axis]) / BUCKETS as f32),
            buckets: vec![Vec::new(); BUCKETS * BUCKETS],
            faces: Vec::new(),
        };
        for (idx, face) in (0u32..).zip(&faces) {
            for bucket in drape.buckets_of(face) {
                drape.buckets[bucket].push(idx);
            }
        }
        drape.faces = faces;
        drape
    }

    /// Cuts a triangle along the faces below it. Where there is no ground at all it stays as it is.
    pub(super) fn triangle(&self, triangle: [Point; 3]) -> Vec<[Point; 3]> {
        let mut pieces = Vec::new();
        for face in self.faces_near(&triangle) {
            let piece = clip(&triangle, face);
            if let [first, rest @ ..] = &piece[..] {
                let fan = rest.windows(2).map(|pair| [*first, pair[0], pair[1]]);
                pieces.extend(fan.map(|triangle| triangle.map(|point| on_plane(point, face))));
            }
        }
        if pieces.is_empty() {
            vec![triangle]
        } else {
            pieces
        }
    }

    /// Cuts a line along the faces below it. Where there is no ground at all it stays as it is.
    pub(super) fn line(&self, line: [Point; 2]) -> Vec<[Point; 2]> {
        let mut pieces = Vec::new();
        for face in self.faces_near(&line) {
            let clipped = clip(&line, face);
            let [from, to, ..] = &clipped[..] else {
                continue;
            };
            let piece = [on_plane(*from, face), on_plane(*to, face)];
            // A line along the edge of two faces lies over both.
            if !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
        if pieces.is_empty() {
            vec![line]
        } else {
            pieces
        }
    }

    /// Faces that may lie below the points' box, each once, in file order.
    fn faces_near(&self, points: &[Point]) -> impl Iterator<Item = &[Point; 3]> {
        let buckets = self.buckets_of(points);
        let mut near: Vec<u32> = buckets
            .flat_map(|bucket| self.buckets[bucket].iter().copied())
            .collect();
        near.sort_unstable();
        near.dedup();
        near.into_iter().map(|idx| &self.faces[idx as usize])
    }

    /// Buckets that the box of some points touches.
    fn buckets_of(&self, points: &[Point]) -> impl Iterator<Item = usize> + use<> {
        let [xs, ys] = [0, 1].map(|axis| {
            // The cast saturates, so that points far off land in the outermost bucket.
            let bucket = |value: f32| {
                (((value - self.min[axis]) / self.bucket_size[axis]) as usize).min(BUCKETS - 1)
            };
            let values = || points.iter().map(|point| point[axis]);
            let lowest = values().fold(f32::INFINITY, f32::min);
            let highest = values().fold(f32::NEG_INFINITY, f32::max);
            bucket(lowest)..=bucket(highest)
        });
        xs.flat_map(move |x| ys.clone().map(move |y| x * BUCKETS + y))
    }
}

/// The part of a convex shape (a line counts) that lies over a face, seen in x and y (Sutherland, Hodgman).
fn clip(shape: &[Point], face: &[Point; 3]) -> Vec<Point> {
    let turn = doubled_area(face).signum();
    let mut shape = shape.to_vec();
    for side in 0..3 {
        let (from, to) = (face[side], face[(side + 1) % 3]);
        let inside = |point: Point| doubled_area(&[from, to, point]) * turn;
        let next = shape.iter().cycle().skip(1);
        let mut kept = Vec::with_capacity(shape.len() + 1);
        for (a, b) in shape.iter().zip(next) {
            let (inside_a, inside_b) = (inside(*a), inside(*b));
            if inside_a >= 0.0 {
                kept.push(*a);
            }
            if (inside_a > 0.0 && inside_b < 0.0) || (inside_a < 0.0 && inside_b > 0.0) {
                let share = inside_a / (inside_a - inside_b);
                kept.push(std::array::from_fn(|axis| {
                    a[axis] + (b[axis] - a[axis]) * share
                }));
            }
        }
        shape = kept;
    }
    shape.dedup();
    shape
}

/// The point of a face's plane at a point's x and y.
fn on_plane([x, y, _]: Point, face: &[Point; 3]) -> Point {
    let [a, b, c] = *face;
    let point = [x, y, 0.0];
    let whole = doubled_area(face);
    let weight_b = doubled_area(&[a, point, c]) / whole;
    let weight_c = doubled_area(&[a, b, point]) / whole;
    [
        x,
        y,
        a[2] + (b[2] - a[2]) * weight_b + (c[2] - a[2]) * weight_c,
    ]
}

/// Twice the area in x and y, above 0 if counter-clockwise.
fn doubled_area([a, b, c]: &[Point; 3]) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 8.0]];

    fn drape() -> Drape {
        Drape {
            faces: vec![FACE],
            min: [0.0; 2],
            bucket_size: [0.1; 2],
            buckets: vec![vec![0]; BUCKETS * BUCKETS],
        }
    }

    #[test]
    fn a_triangle_takes_the_height_and_outline_of_the_face() {
        let far_larger = [[-10.0, -10.0, 0.0], [30.0, -10.0, 0.0], [-10.0, 30.0, 0.0]];
        for winding in [far_larger, [far_larger[0], far_larger[2], far_larger[1]]] {
            let pieces = drape().triangle(winding);
            let area: f32 = pieces
                .iter()
                .map(|piece| doubled_area(piece).abs() / 2.0)
                .sum();
            assert_eq!(area, 8.0);
            for [x, y, z] in pieces.into_iter().flatten() {
                assert!((z - (x + 2.0 * y)).abs() < 1e-5, "{x} {y} {z}");
            }
        }
    }

    #[test]
    fn a_line_is_cut_where_it_leaves_the_face() {
        let pieces = drape().line([[1.0, 1.0, 0.0], [9.0, 1.0, 0.0]]);
        assert_eq!(pieces, [[[1.0, 1.0, 3.0], [3.0, 1.0, 5.0]]]);
    }

    #[test]
    fn off_the_ground_shapes_stay_as_they_are() {
        let line = [[50.0, 50.0, 7.0], [60.0, 50.0, 7.0]];
        assert_eq!(drape().line(line), [line]);
        let triangle = [line[0], line[1], [50.0, 60.0, 7.0]];
        assert_eq!(drape().triangle(triangle), [triangle]);
    }
}
