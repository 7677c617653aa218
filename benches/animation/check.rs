//! Both samplers against the formulas in f64, and their batches against single poses, before anything is timed.

use crate::plain::PlainSkeleton;
use crate::walker::{Blends, Walker, Walking};
use glam::{Affine3A, DAffine3, DMat4, DQuat, DVec3, Mat4};
use ironlands::worlds::parkan::formats::msh_animation::{AnimKey, NodeTrack, QuaternionOrder};
use ironlands_sim::animation::{RowMatrix, Skeleton};

/// Largest difference in any element, world units, over a world of 1,000 units: its numbers are rounded to 2^-14
/// at most, some four times for each of five steps from the root to a foot.
const TOLERANCE: f64 = 2e-3;

/// Poses every walker with both samplers and panics if one is further from the formulas than allowed.
pub fn check(
    walker: &Walker,
    skeleton: &Skeleton,
    plain: &PlainSkeleton,
    crowd: &[Walking],
    blends: Blends,
) {
    let n_nodes = skeleton.n_nodes();
    let mut ours = vec![RowMatrix::IDENTITY; n_nodes];
    let mut theirs = vec![Affine3A::IDENTITY; n_nodes];
    let (mut worst, mut worst_plain) = (0.0_f64, 0.0_f64);
    let (mut sum, mut sum_plain) = (Checksum::new(), Checksum::new());
    for walking in crowd {
        skeleton.pose(&walking.instance(blends), &mut ours);
        plain.pose(walking, blends, &mut theirs);
        let right = pose(walker, walking, blends);
        for ((ours, theirs), right) in ours.iter().zip(&theirs).zip(&right) {
            let (ours, theirs) = (ours.to_mat4(), Mat4::from(*theirs));
            worst = worst.max(distance(ours, right));
            worst_plain = worst_plain.max(distance(theirs, right));
            sum.add(ours);
            sum_plain.add(theirs);
        }
    }
    let name = format!("{blends:?}");
    println!(
        "{name}: exact {:#018x}, at most {worst:.1e} off; plain {:#018x}, at most {worst_plain:.1e} off",
        sum.0, sum_plain.0
    );
    assert!(
        worst < TOLERANCE && worst_plain < TOLERANCE,
        "more than {TOLERANCE} off"
    );
}

/// Panics if a batch does not give the same bits as single calls.
pub fn check_batches(
    skeleton: &Skeleton,
    plain: &PlainSkeleton,
    crowd: &[Walking],
    blends: Blends,
) {
    let n_nodes = skeleton.n_nodes();
    let n_matrices = crowd.len() * n_nodes;
    let instances: Vec<_> = crowd.iter().map(|it| it.instance(blends)).collect();
    // Something that no pose is, so that a node left out shows.
    let nowhere = RowMatrix([f32::NAN; 16]);
    let mut batch = vec![nowhere; n_matrices];
    let mut plain_batch = vec![Affine3A::NAN; n_matrices];
    skeleton.pose_batch(&instances, &mut batch);
    plain.pose_batch(crowd, blends, &mut plain_batch);
    let mut single = vec![nowhere; n_nodes];
    let mut plain_single = vec![Affine3A::NAN; n_nodes];
    let chunks = batch
        .chunks_exact(n_nodes)
        .zip(plain_batch.chunks_exact(n_nodes));
    for (((batch, plain_batch), instance), walking) in chunks.zip(&instances).zip(crowd) {
        skeleton.pose(instance, &mut single);
        plain.pose(walking, blends, &mut plain_single);
        let bits = |matrix: &RowMatrix| matrix.0.map(f32::to_bits);
        assert!(batch.iter().map(bits).eq(single.iter().map(bits)));
        let bits = |matrix: &Affine3A| matrix.to_cols_array().map(f32::to_bits);
        let plain_single = plain_single.iter().map(bits);
        assert!(plain_batch.iter().map(bits).eq(plain_single));
    }
}

/// World from node for every node, in f64.
fn pose(walker: &Walker, walking: &Walking, blends: Blends) -> Vec<DAffine3> {
    let [t_a, t_b] = walking.times.map(f64::from);
    let world_from_model = DMat4::from_cols_array(
        &Mat4::from(walking.world_from_model)
            .to_cols_array()
            .map(f64::from),
    );
    let mut world_from_nodes: Vec<DAffine3> = Vec::new();
    for (track, parent) in walker.tracks.tracks.iter().zip(&walker.parents) {
        let (mut rotation, mut position) = sample(track, t_a);
        if blends == Blends::TwoTimes {
            let (rotation_b, position_b) = sample(track, t_b);
            rotation = slerp(rotation, rotation_b, walking.blend.into());
            position = position.lerp(position_b, walking.blend.into());
        }
        let parent_from_node = DAffine3::from_rotation_translation(rotation.conjugate(), position);
        let world_from_parent = match parent {
            Some(parent) => world_from_nodes[*parent],
            None => DAffine3::from_mat4(world_from_model),
        };
        world_from_nodes.push(world_from_parent * parent_from_node);
    }
    world_from_nodes
}

/// Looks for the pair of keys by their times, without the map.
fn sample(track: &NodeTrack, t: f64) -> (DQuat, DVec3) {
    let pair = track.keys.windows(2).find(|pair| t < pair[1].time.into());
    let Some([key, next]) = pair else {
        return pose_of(track.keys.last().expect("a key"));
    };
    let a = (t - f64::from(key.time)) / f64::from(next.time - key.time);
    let ((rotation, position), (next_rotation, next_position)) = (pose_of(key), pose_of(next));
    (
        slerp(rotation, next_rotation, a),
        position.lerp(next_position, a),
    )
}

fn pose_of(key: &AnimKey) -> (DQuat, DVec3) {
    let [w, x, y, z] = key.rotation_wxyz(QuaternionOrder::Wxyz).map(f64::from);
    (
        DQuat::from_xyzw(x, y, z, w),
        DVec3::from_array(key.position.map(f64::from)),
    )
}

/// On the shorter arc, or on the chord of a very short one.
fn slerp(from: DQuat, to: DQuat, a: f64) -> DQuat {
    let cosine = from.dot(to);
    let to = if cosine < 0.0 { -to } else { to };
    let angle = cosine.abs().min(1.0).acos();
    if angle < 4e-3 {
        return from * (1.0 - a) + to * a;
    }
    from * (((1.0 - a) * angle).sin() / angle.sin()) + to * ((a * angle).sin() / angle.sin())
}

fn distance(found: Mat4, right: &DAffine3) -> f64 {
    let found = found.to_cols_array().map(f64::from);
    let right = DMat4::from(*right).to_cols_array();
    let differences = found.iter().zip(&right).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}

/// FNV-1a over the bits of matrices.
struct Checksum(u64);

impl Checksum {
    fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, matrix: Mat4) {
        for value in matrix.to_cols_array() {
            self.0 = (self.0 ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01B3);
        }
    }
}
