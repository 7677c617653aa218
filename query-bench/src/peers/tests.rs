//! Every library against the plain loop: a wrong use of a peer would show here.

use super::*;
use crate::peer::Boxed;
use crate::plain::{closest_hit, is_same_found, nearest};
use crate::synthetic::{Layout, height, terrain};
use crate::{Form, Found, Ours, Queries, RayQuery};
use glam::Vec3;
use ironlands_sim_core::Ray;
use ironlands_sim_core::triangles::Overlap;

/// Of this many results one may differ: f32 decides otherwise along edges.
const ANSWERS_PER_SLIP: usize = 200;
const N_ASKED: usize = 600;

fn all(mesh: &Mesh) -> Vec<Box<dyn Peer>> {
    main(mesh).into_iter().chain(others(mesh)).collect()
}

fn few_queries(mesh: &Mesh) -> Queries {
    let mut queries = Queries::new(mesh.bounds(), height);
    queries.heights.truncate(N_ASKED);
    queries.rays.truncate(N_ASKED);
    queries.segments.truncate(N_ASKED);
    queries.boxes.truncate(N_ASKED);
    queries.points.truncate(N_ASKED);
    queries
}

fn assert_agree<A>(
    name: &str,
    query: Option<Boxed<A>>,
    right: &[A],
    same: impl Fn(&A, &A) -> bool,
) {
    let Some(mut query) = query else {
        return;
    };
    query.run();
    let results = query.results();
    assert_eq!(results.len(), right.len(), "{name}");
    let n_slips = results
        .iter()
        .zip(right)
        .filter(|(a, b)| !same(a, b))
        .count();
    assert!(
        n_slips <= right.len() / ANSWERS_PER_SLIP,
        "{name}: {n_slips} of {}",
        right.len()
    );
}

fn assert_rays_agree(peer: &dyn Peer, mesh: &Mesh, queries: &Queries) {
    let same = |&a: &Option<Found>, &b: &Option<Found>| is_same_found(a, b);
    let down = |&origin: &Vec3| RayQuery {
        ray: Ray {
            origin,
            direction: Vec3::NEG_Z,
        },
        t_max: f32::INFINITY,
    };
    let plain = |query: &RayQuery| closest_hit(mesh, query);
    let heights: Vec<_> = queries
        .heights
        .iter()
        .map(|from| plain(&down(from)))
        .collect();
    let rays: Vec<_> = queries.rays.iter().map(plain).collect();
    let segments: Vec<_> = queries
        .segments
        .iter()
        .map(|query| plain(query).is_some())
        .collect();
    assert!(segments.contains(&true) && segments.contains(&false) && rays.contains(&None));
    for form in [Form::Single, Form::Batch] {
        let name = format!("{} {form:?}", peer.name());
        assert_agree(&name, peer.heights(&queries.heights, form), &heights, same);
        assert_agree(&name, peer.rays(&queries.rays, form), &rays, same);
        assert_agree(
            &name,
            peer.segments(&queries.segments, form),
            &segments,
            bool::eq,
        );
    }
}

#[test]
fn everybody_hits_what_the_plain_loop_hits() {
    let mesh = terrain(24, Layout::Moved);
    let queries = few_queries(&mesh);
    let ours = Ours::new(&mesh).expect("a valid mesh");
    assert_rays_agree(&ours, &mesh, &queries);
    for peer in all(&mesh) {
        assert_rays_agree(&*peer, &mesh, &queries);
    }
}

#[test]
fn a_height_field_hits_what_the_plain_loop_hits() {
    let mesh = terrain(24, Layout::Regular);
    let field = height_field::HeightField::new(&mesh, 24);
    let queries = few_queries(&mesh);
    assert_rays_agree(&field, &mesh, &queries);
}

#[test]
fn everybody_finds_the_nearest_triangle() {
    for layout in [Layout::Moved, Layout::Regular] {
        let mesh = terrain(24, layout);
        let queries = few_queries(&mesh);
        let right: Vec<_> = queries
            .points
            .iter()
            .map(|&point| nearest(&mesh, point))
            .collect();
        let mut peers = all(&mesh);
        match layout {
            Layout::Moved => {}
            Layout::Regular => peers.push(Box::new(height_field::HeightField::new(&mesh, 24))),
        }
        for peer in peers {
            let same = |&a: &Option<Found>, &b: &Option<Found>| is_same_found(a, b);
            let query = peer.nearest(&queries.points, Form::Single);
            assert_agree(peer.name(), query, &right, same);
        }
    }
}

/// Bounds against bounds is comparing f32 on both sides: there is nothing to tolerate.
#[test]
fn everybody_gathers_the_same_boxes() {
    let mesh = terrain(24, Layout::Moved);
    let queries = few_queries(&mesh);
    let bounds: Vec<_> = mesh
        .corners()
        .map(|[a, b, c]| (a.min(b).min(c), a.max(b).max(c)))
        .collect();
    let right: Vec<Vec<u32>> = queries
        .boxes
        .iter()
        .map(|&[min, max]| {
            let is_in = |&triangle: &u32| {
                let (low, high) = bounds[triangle as usize];
                low.cmple(max).all() && high.cmpge(min).all()
            };
            (0..bounds.len() as u32).filter(is_in).collect()
        })
        .collect();
    let mut libraries = all(&mesh);
    libraries.push(Box::new(Ours::new(&mesh).expect("a valid mesh")));
    for peer in libraries {
        for form in [Form::Single, Form::Batch] {
            let Some(mut query) = peer.boxes(&queries.boxes, Overlap::Bounds, form) else {
                continue;
            };
            query.run();
            let mut results = query.results();
            results.iter_mut().for_each(|list| list.sort_unstable());
            assert!(results == right, "{} {form:?}", peer.name());
        }
    }
}
