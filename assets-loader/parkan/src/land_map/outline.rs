//! Outlines in the xy plane: area, containment and a point inside (dossier sections 5.5 to 5.7).
//!
//! Outlines go round either way and may be concave. All arithmetic is f64 on f32 coordinates, so that on maps of
//! known sizes no product is rounded.

/// Unsigned xy area of an outline by the shoelace formula, in square world units; 0 below three vertices.
pub fn outline_area(outline: &[[f32; 3]]) -> f64 {
    let doubled: f64 = edges(outline)
        .map(|([ax, ay], [bx, by])| ax * by - bx * ay)
        .sum();
    doubled.abs() / 2.0
}

/// Whether a point lies in an outline, edges and vertices included. Even-odd rule; a non-finite point is outside.
pub fn outline_contains(outline: &[[f32; 3]], [x, y]: [f32; 2]) -> bool {
    if !x.is_finite() || !y.is_finite() {
        return false;
    }
    let (x, y) = (f64::from(x), f64::from(y));
    let mut is_inside = false;
    for ([ax, ay], [bx, by]) in edges(outline) {
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let is_between = ax.min(bx) <= x && x <= ax.max(bx) && ay.min(by) <= y && y <= ay.max(by);
        if side == 0.0 && is_between {
            return true;
        }
        // The lower end belongs to an edge and the upper one does not, so a ray through a vertex counts it once.
        let crosses = (ay <= y) != (by <= y);
        if crosses && (side > 0.0) == (by > ay) {
            is_inside = !is_inside;
        }
    }
    is_inside
}

/// A point inside an outline, the same one every time: the centroid, or if that lies outside the middle of the
/// longest inside span of the line through it along x. `None` for an outline without area.
pub fn interior_point(outline: &[[f32; 3]]) -> Option<[f32; 2]> {
    let [x, y] = centroid(outline)?;
    let centroid = [x as f32, y as f32];
    if outline_contains(outline, centroid) {
        return Some(centroid);
    }
    let mut crossings: Vec<f64> = edges(outline)
        .filter(|([_, ay], [_, by])| (*ay <= y) != (*by <= y))
        .map(|([ax, ay], [bx, by])| ax + (bx - ax) * ((y - ay) / (by - ay)))
        .collect();
    crossings.sort_by(f64::total_cmp);
    let spans = crossings.chunks_exact(2).filter_map(|span| match span {
        [from, to] => Some((*from, *to)),
        _ => None,
    });
    let (from, to) = spans.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))?;
    let middle = [f64::midpoint(from, to) as f32, y as f32];
    // A sliver may be thinner than two neighboring f32.
    outline_contains(outline, middle).then_some(middle)
}

/// Centroid of the area; `None` without area or with a non-finite vertex.
fn centroid(outline: &[[f32; 3]]) -> Option<[f64; 2]> {
    // Relative to the first vertex, so that small outlines far from the origin keep their digits.
    let [first_x, first_y] = outline.first().copied().map(xy)?;
    let (mut doubled_area, mut sum_x, mut sum_y) = (0.0, 0.0, 0.0);
    for ([ax, ay], [bx, by]) in edges(outline) {
        let (ax, ay) = (ax - first_x, ay - first_y);
        let (bx, by) = (bx - first_x, by - first_y);
        let cross = ax * by - bx * ay;
        doubled_area += cross;
        sum_x += (ax + bx) * cross;
        sum_y += (ay + by) * cross;
    }
    let tripled = 3.0 * doubled_area;
    let centroid = [first_x + sum_x / tripled, first_y + sum_y / tripled];
    let is_usable = doubled_area != 0.0 && centroid.iter().all(|c| c.is_finite());
    is_usable.then_some(centroid)
}

/// Edge k runs from vertex k to vertex (k + 1) mod n.
fn edges(outline: &[[f32; 3]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    let starts = outline.iter().copied().map(xy);
    let ends = starts.clone().cycle().skip(1);
    starts.zip(ends)
}

fn xy([x, y, _]: [f32; 3]) -> [f64; 2] {
    [x.into(), y.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f32; 3]; 4] = [
        [0.0, 0.0, 5.0],
        [4.0, 0.0, 5.0],
        [4.0, 4.0, 7.0],
        [0.0, 4.0, 7.0],
    ];

    /// A U that opens to +y; its centroid lies in the gap.
    const U: [[f32; 3]; 8] = [
        [0.0, 0.0, 0.0],
        [10.0, 0.0, 0.0],
        [10.0, 10.0, 0.0],
        [8.0, 10.0, 0.0],
        [8.0, 1.0, 0.0],
        [3.0, 1.0, 0.0],
        [3.0, 10.0, 0.0],
        [0.0, 10.0, 0.0],
    ];

    #[test]
    fn the_area_is_that_of_the_shoelace_either_way_round() {
        assert_eq!(outline_area(&SQUARE), 16.0);
        let mut reversed = SQUARE;
        reversed.reverse();
        assert_eq!(outline_area(&reversed), 16.0);
        assert_eq!(outline_area(&U), 55.0);
        assert_eq!(outline_area(&SQUARE[..2]), 0.0);
        assert_eq!(outline_area(&[]), 0.0);
    }

    #[test]
    fn edges_and_vertices_are_inside() {
        let rows = [
            ([2.0, 2.0], true),
            ([0.0, 0.0], true),
            ([4.0, 4.0], true),
            ([4.0, 2.0], true),
            ([2.0, 4.0], true),
            ([4.000_001, 2.0], false),
            ([-0.000_001, 4.0], false),
            ([5.0, 0.0], false),
            ([f32::NAN, 2.0], false),
            ([2.0, f32::INFINITY], false),
        ];
        for (point, inside) in rows {
            assert_eq!(outline_contains(&SQUARE, point), inside, "{point:?}");
        }
        assert!(!outline_contains(&[], [0.0, 0.0]));
    }

    #[test]
    fn a_ray_through_vertices_counts_them_once() {
        let diamond = [
            [0.0, -1.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [-1.0, 0.0, 0.0],
        ];
        assert!(outline_contains(&diamond, [-0.5, 0.0]));
        assert!(!outline_contains(&diamond, [-1.5, 0.0]));
        assert!(!outline_contains(&diamond, [-0.5, 1.0]));
        assert!(!outline_contains(&U, [5.0, 5.0]));
        assert!(outline_contains(&U, [1.0, 1.0]));
        assert!(outline_contains(&U, [9.0, 10.0]));
        assert!(!outline_contains(&U, [5.0, 10.0]));
    }

    #[test]
    fn the_point_inside_is_the_centroid_or_the_middle_of_the_longest_span() {
        assert_eq!(interior_point(&SQUARE), Some([2.0, 2.0]));
        // The left arm is three wide, the right one two.
        let [x, y] = interior_point(&U).unwrap();
        assert_eq!(x, 1.5);
        assert!(1.0 < y && y < 10.0);
        assert_eq!(interior_point(&SQUARE[..2]), None);
        assert_eq!(interior_point(&[[f32::NAN; 3]; 3]), None);
        assert_eq!(interior_point(&[]), None);
    }
}
