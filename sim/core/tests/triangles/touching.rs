//! What only just touches: bounds of boxes are rounded on each level, and nothing may be lost by it.

use crate::common::ALL;
use crate::soup::Soup;
use crate::worlds::Numbers;
use glam::Vec3;
use ironlands_sim_core::triangles::Overlap;
use rayon::prelude::*;

/// Small faces that share no vertices, far enough from each other that most stand at the border of their block.
fn crumbs(n: u32, extent: f32, origin: Vec3) -> Soup {
    let mut numbers = Numbers(21);
    let mut soup = Soup::scattered(0, 0, 1.0, 0.0, 0);
    for first in (0..n).map(|i| 3 * i) {
        let at = origin + numbers.vector(Vec3::ZERO, Vec3::splat(extent));
        for _ in 0..3 {
            let corner = at + numbers.vector(Vec3::ZERO, Vec3::splat(0.01 * extent));
            soup.positions.push(corner.to_array());
        }
        soup.add([first, first + 1, first + 2], 0);
    }
    soup
}

fn worlds() -> impl Iterator<Item = Soup> {
    let origins = [Vec3::ZERO, Vec3::new(-7.0e4, 3.0e5, 11.0)];
    origins
        .into_iter()
        .map(|origin| crumbs(60_000, 100.0, origin))
}

#[test]
fn a_box_that_touches_the_bounds_of_a_face_holds_it() {
    for soup in worlds() {
        let index = soup.index();
        let faces = soup.triangles.par_iter().enumerate();
        faces.for_each_init(Vec::new, |found, (face, corners)| {
            let [a, b, c] = corners.map(|v| Vec3::from_array(soup.positions[v as usize]));
            for at in [a.min(b).min(c), a.max(b).max(c)] {
                index.faces_in_aabb(at, at, ALL, Overlap::Bounds, found);
                assert!(found.contains(&(face as u32)), "face {face} at {at}");
            }
        });
    }
}

#[test]
fn a_face_is_no_farther_than_it_was_found() {
    for soup in worlds() {
        let index = soup.index();
        let (low, high) = soup.bounds();
        soup.positions
            .par_iter()
            .enumerate()
            .for_each(|(i, &vertex)| {
                let vertex = Vec3::from_array(vertex);
                let on_it = index.closest_point(vertex, 0.0, ALL);
                assert!(on_it.is_some_and(|near| near.distance == 0.0), "{vertex}");
                let mut numbers = Numbers(i as u64);
                let (beside, anywhere) = (numbers.point_beside(vertex), numbers.vector(low, high));
                let point = numbers.one_of(&[beside, anywhere]);
                let near = index
                    .closest_point(point, f32::INFINITY, ALL)
                    .expect("there are faces");
                let again = index.closest_point(point, near.distance, ALL);
                assert_eq!(again, Some(near), "{point}");
            });
    }
}
