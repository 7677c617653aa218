//! The objects of the two levels.

use crate::{instance, rays};
use glam::{Mat4, Quat, Vec3};
use ironlands::worlds::parkan::motion::Motion;
use ironlands::worlds::parkan::{ParkanOptions, open_level, terrain};
use ironlands_query_bench::random::Random;
use ironlands_sim::Ray;
use ironlands_sim::animation::RowMatrix;
use ironlands_sim::instances::Instance;
use ironlands_sim::triangles::{Face, TriangleIndex};
use ironlands_sim::world::{Clock, Play, Poses};
use std::path::Path;
use std::sync::Arc;

/// Walkers, and the nodes of each.
const N_WALKERS: usize = 10_000;
const N_NODES: usize = 16;
/// Side of their field: one in a square of 20 units, as dense as a battle.
const FIELD: f32 = 2000.0;
/// How far a walker goes in a tick.
const STEP: f32 = 0.3;

/// Instances at two times and rays over them.
pub struct Crowd {
    pub shapes: Arc<[TriangleIndex]>,
    pub instances: Vec<Instance>,
    pub ticks: [Vec<RowMatrix>; 2],
    pub rays: Vec<Ray>,
}

impl Crowd {
    /// The demo mission's objects, doing what the level says.
    pub fn mission() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA/MAPS/Map01");
        let level = open_level(&path, &ParkanOptions::default()).expect("the demo level opens");
        let files = &level.files;
        let motion = Motion::new(&files.level_objects).expect("sound skeletons");
        let land = terrain::index(&files.land_msh).expect("a sound terrain");
        let posed_at = |time_secs| {
            let play = Play::Level;
            let mut poses = Poses::default();
            motion.pose(&Clock { time_secs, play }, &|_| None, &mut poses);
            poses
        };
        let (first, second) = (posed_at(1.0), posed_at(1.0 + 1.0 / 60.0));
        let index = first.instances().expect("posed");
        let nodes = first.world_from_nodes().iter();
        let n_moving = nodes
            .zip(second.world_from_nodes())
            .filter(|(a, b)| a != b)
            .count();
        let n_objects = files.level_objects.objects.len();
        println!("mission: {n_objects} objects, {n_moving} nodes move");
        let (min, max) = land.bounds();
        Self {
            shapes: Arc::clone(index.shapes()),
            instances: index.instances().to_vec(),
            ticks: [first, second].map(|poses| poses.world_from_nodes().to_vec()),
            rays: rays(&mut Random(1), [min, max]),
        }
    }

    /// Walkers of boxes, each on its own course.
    pub fn walkers() -> Self {
        let mut random = Random(2);
        let mut instances = Vec::new();
        let mut ticks = [Vec::new(), Vec::new()];
        for _ in 0..N_WALKERS {
            let place = Vec3::new(random.between(0.0, FIELD), random.between(0.0, FIELD), 0.0);
            let turn = Quat::from_rotation_z(random.between(0.0, 6.3));
            let placed = Mat4::from_rotation_translation(turn, place);
            for node in 0..N_NODES {
                let at = Vec3::new(
                    random.between(-1.0, 1.0),
                    random.between(-1.0, 1.0),
                    node as f32 * 0.3,
                );
                let swing = random.between(-0.1, 0.1);
                for (tick, matrices) in ticks.iter_mut().enumerate() {
                    let swung = Quat::from_rotation_y(swing * tick as f32);
                    let walked = Mat4::from_translation(Vec3::X * STEP * tick as f32);
                    let node = placed * walked * Mat4::from_rotation_translation(swung, at);
                    matrices.push(RowMatrix::from(node));
                }
                let matrices = &ticks[0];
                instances.push(instance(node, matrices[matrices.len() - 1]));
            }
        }
        let low = Vec3::new(0.0, 0.0, 0.5);
        let high = Vec3::new(FIELD, FIELD, 8.0);
        Self {
            shapes: (0..N_NODES)
                .map(|node| block(0.3 + 0.02 * node as f32))
                .collect(),
            instances,
            ticks,
            rays: rays(&mut random, [low, high]),
        }
    }
}

/// A block of 48 triangles: each side in four squares.
fn block(half: f32) -> TriangleIndex {
    let mut positions = Vec::new();
    let mut faces = Vec::new();
    for side in 0..6 {
        let (axis, sign) = (side / 2, if side % 2 == 0 { -half } else { half });
        for square in 0..4 {
            let first = positions.len() as u32;
            let low = [square % 2, square / 2].map(|i| i as f32 * half - half);
            for [u, v] in [[0.0, 0.0], [half, 0.0], [half, half], [0.0, half]] {
                let mut corner = [sign; 3];
                corner[(axis + 1) % 3] = low[0] + u;
                corner[(axis + 2) % 3] = low[1] + v;
                positions.push(corner);
            }
            for corners in [[0, 1, 2], [0, 2, 3]] {
                faces.push(Some(Face {
                    corners: corners.map(|corner| first + corner),
                    ..Face::default()
                }));
            }
        }
    }
    TriangleIndex::new(&positions, &faces).expect("indices are in range")
}
