//! Descriptions of picked places.

use crate::maps::Loaded;
use glam::Vec3;
use ironlands_scene::TileShape;
use ironlands_sim_core::Ray;
use ironlands_sim_world::Poses;
use ironlands_sim_world::{Fact, World};
use libtest_mimic::Failed;

/// From the eye of the first player all around: everything that is hit has a shape around the place, and what it is.
pub fn picks(loaded: &Loaded) -> Result<(), Failed> {
    let world = &loaded.world;
    let (mut n_hits, mut n_faces) = (0, 0);
    for i in 0..400 {
        // A spiral over the sphere.
        let z = 1.0 - (i as f32 + 0.5) / 200.0;
        let angle = i as f32 * 2.399_963;
        let level = (1.0 - z * z).sqrt();
        let ray = Ray {
            origin: loaded.spawn + Vec3::Z * 64.0,
            direction: Vec3::new(level * angle.cos(), level * angle.sin(), z),
        };
        let Some(hit) = world.cast_ray(&ray, f32::INFINITY, &Poses::default()) else {
            continue;
        };
        n_hits += 1;
        let facts = world.describe(&hit);
        let has = |label: &str| {
            facts
                .iter()
                .any(|fact: &Fact| fact.label == label && !fact.value.is_empty())
        };
        let is_reported =
            (has("brush") || has("displacement")) && has("contents") && has("cluster");
        let is_named = !has("face") || has("material");
        n_faces += usize::from(has("face") || has("displacement"));
        let outline = world.outline(&hit, &Poses::default(), TileShape::Slopes);
        let apart = outline
            .iter()
            .map(|it| distance(it, hit.position))
            .fold(f32::INFINITY, f32::min);
        if !is_reported || !is_named || apart > 0.5 {
            return Err(format!("{ray:?}: {hit:?}, {facts:?}, its shape is {apart} away").into());
        }
    }
    if n_hits < 390 || n_faces < 200 {
        return Err(format!("{n_hits} of 400 rays met something, {n_faces} a face").into());
    }
    Ok(())
}

/// How far a point is from a triangle.
fn distance([a, b, c]: &[Vec3; 3], point: Vec3) -> f32 {
    let normal = (*b - *a).cross(*c - *a).normalize_or_zero();
    let out = [(a, b), (b, c), (c, a)].map(|(from, to)| {
        let outward = (*to - *from).cross(normal).normalize_or_zero();
        outward.dot(point - *from)
    });
    out.into_iter().fold(normal.dot(point - *a).abs(), f32::max)
}
