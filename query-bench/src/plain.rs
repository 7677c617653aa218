//! The slow method: a loop over all triangles in f64. It decides which result is right, so it shares no code with any
//! library.

use crate::{Found, Mesh, RayQuery};
use glam::{DVec3, Vec3};

/// Whether two ray parameters, distances or depths are the same as far as f32 goes some hundred units away: the
/// tolerance that the layout of the shared query files states.
pub fn is_same(a: f32, b: f32) -> bool {
    (a - b).abs() <= 2e-3 + 1e-4 * b
}

/// [`is_same`] of results: two that found nothing are the same, too. Which triangle is not compared, as two may
/// share the edge that is hit.
pub fn is_same_found(a: Option<Found>, b: Option<Found>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => is_same(a.at, b.at),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// The nearest triangle on a ray, hit from either side, edges included (Möller and Trumbore 1997).
pub fn closest_hit(mesh: &Mesh, query: &RayQuery) -> Option<Found> {
    let origin = query.ray.origin.as_dvec3();
    let direction = query.ray.direction.as_dvec3();
    let t_of = |triangle: u32| {
        let [a, b, c] = mesh.exact_corners(triangle);
        let (e1, e2, s) = (b - a, c - a, origin - a);
        let (p, q) = (direction.cross(e2), s.cross(e1));
        let determinant = e1.dot(p);
        let [u, v, t] = [s.dot(p), direction.dot(q), e2.dot(q)].map(|x| x / determinant);
        let is_inside = determinant != 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0;
        (is_inside && t >= 0.0 && t <= f64::from(query.t_max)).then_some(t)
    };
    least(mesh, t_of)
}

/// The triangle nearest to a point.
pub fn nearest(mesh: &Mesh, point: Vec3) -> Option<Found> {
    let point = point.as_dvec3();
    least(mesh, |triangle| {
        Some(distance(point, mesh.exact_corners(triangle)))
    })
}

/// The triangle with the least number, of several the first.
fn least(mesh: &Mesh, number: impl Fn(u32) -> Option<f64>) -> Option<Found> {
    let numbers =
        (0..mesh.triangles.len() as u32).filter_map(|triangle| Some((triangle, number(triangle)?)));
    let least = numbers.min_by(|a, b| a.1.total_cmp(&b.1));
    least.map(|(triangle, number)| Found {
        triangle,
        at: number as f32,
    })
}

/// From a point to a triangle: to its plane where the foot of the perpendicular is inside, else to the nearest edge.
pub fn distance(point: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let edges = [(a, b), (b, c), (c, a)];
    let is_over = |&(p, q): &(DVec3, DVec3)| (q - p).cross(point - p).dot(normal) >= 0.0;
    if normal != DVec3::ZERO && edges.iter().all(is_over) {
        return (point - a).dot(normal).abs() / normal.length();
    }
    let to_edge = |(p, q): (DVec3, DVec3)| {
        let along = (q - p).dot(point - p) / (q - p).length_squared();
        let along = if along.is_nan() {
            0.0
        } else {
            along.clamp(0.0, 1.0)
        };
        point.distance(p + along * (q - p))
    };
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
}
