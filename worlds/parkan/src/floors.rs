//! Floors of buildings, as ground: where a building has cut the land, its own faces carry characters.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use glam::Vec3;

use crate::motion::Motion;
use ironlands_sim_core::triangles::{Face, TriangleIndex};
use ironlands_sim_world::{Clock, Play, Poses};

/// Least part of a face's normal that points up: what is steeper is a wall.
const LEAST_UP: f32 = 0.5;

/// The floors of some objects as they were placed; `None` without any, or of more than an index holds.
pub fn of_objects(motion: &Motion, objects: impl Iterator<Item = usize>) -> Option<TriangleIndex> {
    let mut poses = Poses::default();
    let clock = Clock {
        time_secs: 0.0,
        play: Play::Still,
    };
    motion.pose(&clock, &|_| None, &mut poses);
    let nodes = objects.flat_map(|object| motion.base_nodes(object));
    let triangles = nodes.flat_map(|node| motion.node_triangles(node, &poses));
    let floors: Vec<[Vec3; 3]> = triangles.filter(is_floor).collect();
    let positions: Vec<[f32; 3]> = floors.as_flattened().iter().map(Vec3::to_array).collect();
    let faces = (0..floors.len() as u32).map(|face| {
        let first = face.saturating_mul(3);
        Some(Face {
            corners: [0, 1, 2].map(|corner| first.saturating_add(corner)),
            mask: 0,
            material: 0,
        })
    });
    let faces: Vec<_> = faces.collect();
    let index = TriangleIndex::new(&positions, &faces).ok();
    index.filter(|_| !floors.is_empty())
}

fn is_floor([a, b, c]: &[Vec3; 3]) -> bool {
    let normal = (*b - *a).cross(*c - *a).normalize_or_zero();
    normal.z >= LEAST_UP
}
