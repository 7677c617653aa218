//! A walker made from a fixed seed, and the crowd that plays it.

use glam::{Affine3A, EulerRot, Mat4, Quat, Vec3, vec3};
use ironlands::worlds::parkan::formats::msh_animation::{
    AnimKey, MshAnimation, NodeTrack, TrackLink, TrackMap, TrackSet,
};
use ironlands_sim::animation::{Compat, Instance, Playback, RowMatrix};
use std::f32::consts::TAU;

pub const N_INSTANCES: usize = 10_000;
pub const N_NODES: usize = 16;
/// Frames of the cycle, and keys that a node has in it.
const N_FRAMES: u32 = 48;
const N_KEYS: u16 = 8;
const SEED: u64 = 0x1F0D_1A2D_5EED_0003;

/// Root, body, four legs of three parts, turret, gun: five steps from the root to a foot.
#[rustfmt::skip]
const PARENTS: [Option<usize>; N_NODES] = [
    None, Some(0),
    Some(1), Some(2), Some(3), Some(1), Some(5), Some(6),
    Some(1), Some(8), Some(9), Some(1), Some(11), Some(12),
    Some(1), Some(14),
];

/// The tables of the model, in the shape of its file.
pub struct Walker {
    pub tracks: TrackSet,
    pub animation: MshAnimation,
    pub links: Vec<TrackLink>,
    pub parents: Vec<Option<usize>>,
}

impl Walker {
    pub fn new() -> Self {
        let mut random = Random(SEED);
        let tracks = TrackSet {
            frame_count: N_FRAMES,
            tracks: (0..N_NODES).map(|_| track(&mut random)).collect(),
        };
        let (animation, links) = tracks.to_tables().expect("a few keys a node");
        Self {
            tracks,
            animation,
            links,
            parents: PARENTS.to_vec(),
        }
    }
}

/// A joint that swings twice a cycle about an axis of its own, by up to half a turn.
fn track(random: &mut Random) -> NodeTrack {
    let [x, y, z] = std::array::from_fn(|_| random.between(-1.0, 1.0));
    let axis = vec3(x, y, z).normalize_or(Vec3::Z);
    let (swing, phase) = (random.between(0.2, 1.5), random.between(0.0, TAU));
    let offset = vec3(x, z, y) * 3.0;
    let key = |i: u16| {
        let share = f32::from(i) / f32::from(N_KEYS - 1);
        let wave = (phase + share * 2.0 * TAU).sin();
        let turn = Quat::from_axis_angle(axis, swing * wave);
        AnimKey {
            position: (offset + axis * wave * 0.25).to_array(),
            // Whole, as in all known files.
            time: (share * (N_FRAMES - 1) as f32).round(),
            rotation: AnimKey::pack_rotation([turn.w, turn.x, turn.y, turn.z]),
        }
    };
    NodeTrack {
        keys: (0..N_KEYS).map(key).collect(),
        map: TrackMap::FromTimes,
    }
}

/// Where an instance stands, its two times in frames, and how much of the second shows when both do.
pub struct Walking {
    pub world_from_model: Affine3A,
    pub times: [f32; 2],
    pub blend: f32,
}

/// All walkers, each with its own position and time.
pub fn crowd() -> Vec<Walking> {
    let mut random = Random(SEED ^ 0xC0DE);
    let last_frame = (N_FRAMES - 1) as f32;
    let mut walking = || Walking {
        world_from_model: Affine3A::from_rotation_translation(
            Quat::from_euler(EulerRot::ZYX, random.between(0.0, TAU), 0.1, -0.1),
            vec3(
                random.between(0.0, 1000.0),
                random.between(0.0, 1000.0),
                random.between(0.0, 50.0),
            ),
        ),
        times: std::array::from_fn(|_| random.between(0.0, last_frame)),
        blend: random.between(0.05, 0.95),
    };
    (0..N_INSTANCES).map(|_| walking()).collect()
}

impl Walking {
    /// For [`Skeleton`](ironlands_sim::animation::Skeleton).
    pub fn instance(&self, blends: Blends) -> Instance {
        let [t_a, t_b] = self.times;
        let (times, blend) = match blends {
            Blends::OneTime => ([t_a, -1.0], 0.0),
            Blends::TwoTimes => ([t_a, t_b], self.blend),
        };
        Instance {
            world_from_model: RowMatrix::from(Mat4::from(self.world_from_model)),
            playback: Playback {
                times,
                blend,
                compat: Compat::Guarded,
            },
        }
    }
}

/// What an instance shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blends {
    OneTime,
    TwoTimes,
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    fn between(&mut self, min: f32, max: f32) -> f32 {
        let unit = (self.next() >> 8) as f32 / (1 << 24) as f32;
        min + (max - min) * unit
    }
}
