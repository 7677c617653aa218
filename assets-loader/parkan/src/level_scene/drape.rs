//! Lays flat shapes on the ground: what an areal's few corners leave out, the ground's own faces fill in.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "corners of triangles, and buckets of a grid whose size is bounded"
)]

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::borders::position_key;
use crate::face_mask::FaceFlags;
use crate::land_msh::LandMsh;

/// Most buckets of the ground per axis; a bucket then holds a handful of faces on levels of retail size.
const MAX_SIDE: usize = 64;
/// Entries of all buckets for each face, at most; beyond it buckets are made larger. Faces of a real level
/// touch a few buckets each, those of a hostile one may all reach over everything.
const ENTRIES_PER_FACE: usize = 16;
/// Looks at a bucket or a face for each face and corner, at most, while one layer is laid out.
const LOOKS_PER_PART: usize = 64;
/// Pieces for each face and corner, at most, that one layer is cut into.
const PIECES_PER_PART: usize = 16;

type Point = [f32; 3];

/// The dry faces of the finest level of detail, found by where they lie in x and y.
pub(super) struct Drape {
    faces: Vec<[Point; 3]>,
    min: [f32; 2],
    max: [f32; 2],
    /// Buckets per axis.
    side: usize,
    /// Face indices by bucket, `buckets[x * side + y]`.
    buckets: Vec<Vec<u32>>,
}

/// Lays one layer out. Work and output stay in proportion to the faces and the layer's corners: a shape that
/// would go beyond stays as it is, and is counted.
pub(super) struct Draping<'a> {
    drape: &'a Drape,
    looks_left: usize,
    pieces_left: usize,
    n_undraped: usize,
}

impl Drape {
    pub(super) fn new(land: &LandMsh) -> Self {
        let faces = land
            .lod0_face_indices()
            .filter_map(|idx| land.faces.get(idx))
            .filter(|face| !face.flags.contains(FaceFlags::WATER))
            .map(|face| face.vertices.map(|v| land.positions[usize::from(v)]))
            .filter(|face| face.iter().flatten().all(|v| v.is_finite()))
            .filter(|face| doubled_area(face) != 0.0)
            .collect();
        Self::from_faces(faces)
    }

    fn from_faces(faces: Vec<[Point; 3]>) -> Self {
        let points = || faces.iter().flatten();
        let side = (faces.len() as f64).sqrt().ceil() as usize;
        let mut drape = Self {
            min: [0, 1].map(|axis| points().map(|p| p[axis]).fold(f32::INFINITY, f32::min)),
            max: [0, 1].map(|axis| points().map(|p| p[axis]).fold(f32::NEG_INFINITY, f32::max)),
            side: side.clamp(1, MAX_SIDE),
            buckets: Vec::new(),
            faces,
        };
        let n_entries = |drape: &Self| {
            let areas = drape.faces.iter().map(|face| drape.area_of(face));
            areas.map(|area| area.n_buckets()).sum::<usize>()
        };
        while drape.side > 1 && n_entries(&drape) > ENTRIES_PER_FACE * drape.faces.len() {
            drape.side = drape.side.div_ceil(2);
        }
        let mut buckets = vec![Vec::new(); drape.side * drape.side];
        for (idx, face) in (0u32..).zip(&drape.faces) {
            for bucket in drape.area_of(face).buckets(drape.side) {
                buckets[bucket].push(idx);
            }
        }
        drape.buckets = buckets;
        drape
    }

    /// Begins a layer of shapes that have this many corners together.
    pub(super) fn layer(&self, n_corners: usize) -> Draping<'_> {
        let n_parts = self.faces.len().saturating_add(n_corners);
        Draping {
            drape: self,
            looks_left: n_parts.saturating_mul(LOOKS_PER_PART),
            pieces_left: n_parts.saturating_mul(PIECES_PER_PART),
            n_undraped: 0,
        }
    }

    /// Buckets that the box of some points touches.
    fn area_of(&self, points: &[Point]) -> BucketArea {
        let [xs, ys] = [0, 1].map(|axis| {
            let bucket_size = (self.max[axis] - self.min[axis]) / self.side as f32;
            // The cast saturates, so that points far off land in the outermost bucket.
            let bucket =
                |value: f32| (((value - self.min[axis]) / bucket_size) as usize).min(self.side - 1);
            let values = || points.iter().map(|point| point[axis]);
            let lowest = values().fold(f32::INFINITY, f32::min);
            let highest = values().fold(f32::NEG_INFINITY, f32::max);
            bucket(lowest)..=bucket(highest)
        });
        BucketArea { xs, ys }
    }
}

/// A rectangle of buckets.
struct BucketArea {
    xs: RangeInclusive<usize>,
    ys: RangeInclusive<usize>,
}

impl BucketArea {
    fn n_buckets(&self) -> usize {
        let Self { xs, ys } = self;
        xs.clone().count() * ys.clone().count()
    }

    fn buckets(self, side: usize) -> impl Iterator<Item = usize> + Clone {
        let Self { xs, ys } = self;
        xs.flat_map(move |x| ys.clone().map(move |y| x * side + y))
    }
}

impl<'a> Draping<'a> {
    /// Cuts a triangle along the faces below it. Where there is no ground at all it stays as it is.
    pub(super) fn triangle(&mut self, triangle: [Point; 3]) -> Vec<[Point; 3]> {
        let faces = self.faces_near(&triangle);
        let pieces = faces.map(|faces| {
            let pieces = faces.into_iter().flat_map(|face| {
                let piece = clip(&triangle, face);
                let corners = piece.split_first().map(|(first, rest)| {
                    let fan = rest.windows(2).map(|pair| [*first, pair[0], pair[1]]);
                    let pieces = fan.map(|part| part.map(|point| on_plane(point, face)));
                    pieces.collect::<Vec<_>>()
                });
                corners.unwrap_or_default()
            });
            pieces.take(self.most_pieces()).collect()
        });
        self.take_pieces(pieces, triangle)
    }

    /// Cuts a line along the faces below it. Where there is no ground at all it stays as it is.
    pub(super) fn line(&mut self, line: [Point; 2]) -> Vec<[Point; 2]> {
        // A line along the edge of two faces lies over both.
        let mut known = HashSet::new();
        let faces = self.faces_near(&line);
        let pieces = faces.map(|faces| {
            let pieces = faces.into_iter().filter_map(|face| {
                let clipped = clip(&line, face);
                let [from, to, ..] = &clipped[..] else {
                    return None;
                };
                Some([on_plane(*from, face), on_plane(*to, face)])
            });
            let pieces = pieces.filter(|piece| known.insert(position_key(*piece)));
            pieces.take(self.most_pieces()).collect()
        });
        self.take_pieces(pieces, line)
    }

    /// Shapes that stayed as they are although there is ground below them.
    pub(super) fn n_undraped(&self) -> usize {
        self.n_undraped
    }

    /// One more than there may be, which shows that there are too many.
    fn most_pieces(&self) -> usize {
        self.pieces_left.saturating_add(1)
    }

    fn take_pieces<T>(&mut self, pieces: Option<Vec<T>>, whole: T) -> Vec<T> {
        match pieces.filter(|pieces| pieces.len() <= self.pieces_left) {
            Some(pieces) if !pieces.is_empty() => {
                self.pieces_left -= pieces.len();
                pieces
            }
            Some(_) => vec![whole],
            None => {
                self.n_undraped += 1;
                vec![whole]
            }
        }
    }

    /// Faces that may lie below the points' box, each once, in file order; `None` if that are too many.
    fn faces_near(&mut self, points: &[Point]) -> Option<Vec<&'a [Point; 3]>> {
        let drape = self.drape;
        let area = drape.area_of(points);
        let n_looks = area.n_buckets();
        let looks_left = self.looks_left.checked_sub(n_looks)?;
        let lists = area
            .buckets(drape.side)
            .map(|bucket| &drape.buckets[bucket]);
        let n_entries: usize = lists.clone().map(Vec::len).sum();
        // Looking at the buckets took time, whether or not their faces are looked at.
        self.looks_left = looks_left;
        self.looks_left = looks_left.checked_sub(n_entries)?;
        let mut near: Vec<u32> = lists.flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        Some(
            near.into_iter()
                .map(|idx| &drape.faces[idx as usize])
                .collect(),
        )
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
        Drape::from_faces(vec![FACE])
    }

    #[test]
    fn a_triangle_takes_the_height_and_outline_of_the_face() {
        let far_larger = [[-10.0, -10.0, 0.0], [30.0, -10.0, 0.0], [-10.0, 30.0, 0.0]];
        for winding in [far_larger, [far_larger[0], far_larger[2], far_larger[1]]] {
            let pieces = drape().layer(3).triangle(winding);
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
        let pieces = drape().layer(2).line([[1.0, 1.0, 0.0], [9.0, 1.0, 0.0]]);
        assert_eq!(pieces, [[[1.0, 1.0, 3.0], [3.0, 1.0, 5.0]]]);
    }

    #[test]
    fn off_the_ground_shapes_stay_as_they_are() {
        let line = [[50.0, 50.0, 7.0], [60.0, 50.0, 7.0]];
        assert_eq!(drape().layer(2).line(line), [line]);
        let triangle = [line[0], line[1], [50.0, 60.0, 7.0]];
        assert_eq!(drape().layer(3).triangle(triangle), [triangle]);
    }

    /// Faces that all reach over the same square, each by other vertices.
    fn stretched(n_faces: usize) -> Vec<[Point; 3]> {
        let face = |idx| {
            let z = idx as f32;
            [[0.0, 0.0, z], [64.0, 0.0, z], [0.0, 64.0, z]]
        };
        (0..n_faces).map(face).collect()
    }

    #[test]
    fn buckets_hold_a_few_entries_a_face_at_most() {
        for n_faces in [1, 100, 5_000] {
            let drape = Drape::from_faces(stretched(n_faces));
            let n_entries: usize = drape.buckets.iter().map(Vec::len).sum();
            assert!(
                n_entries <= ENTRIES_PER_FACE * n_faces,
                "{n_faces}: {n_entries}"
            );
        }
    }

    #[test]
    fn a_layer_stays_in_proportion_and_counts_what_lies_flat() {
        let n_faces = 500;
        let n_shapes = 2_000;
        let drape = Drape::from_faces(stretched(n_faces));
        let mut layer = drape.layer(2 * n_shapes);
        let line = [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0]];
        let n_pieces: usize = (0..n_shapes).map(|_| layer.line(line).len()).sum();
        let n_parts = n_faces + 2 * n_shapes;
        assert!(
            n_pieces <= PIECES_PER_PART * n_parts + n_shapes,
            "{n_pieces}"
        );
        assert!(layer.n_undraped() > n_shapes / 2);
        let n_draped = n_shapes - layer.n_undraped();
        assert_eq!(n_pieces, n_draped * n_faces + layer.n_undraped());

        let mut layer = drape.layer(3);
        let triangle = [line[0], line[1], [1.0, 9.0, 0.0]];
        let n_pieces: usize = (0..100).map(|_| layer.triangle(triangle).len()).sum();
        assert!(
            n_pieces <= PIECES_PER_PART * (n_faces + 3) + 100,
            "{n_pieces}"
        );
        assert!(layer.n_undraped() > 50);
    }
}
