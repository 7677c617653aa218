//! Blending, matrices, bounds and batches.

use super::random::Random;
use super::{example, pose_of_key};
use crate::blend::blend_poses;
use crate::{
    Channels, Compat, Instance, NodePose, Playback, RowMatrix, Skeleton, SkeletonError, TrackLink,
};

#[test]
fn channels_follow_their_validity_rules() {
    let rows = [
        ([3.0, 4.0], 0.5, Channels::Both),
        ([3.0, 4.0], 0.0, Channels::A),
        ([3.0, 4.0], 1.0, Channels::B),
        ([3.0, -0.5], 0.5, Channels::A),
        ([-0.5, 4.0], 0.5, Channels::B),
        ([-0.0, -0.0], 0.5, Channels::Both),
        ([-1.0, -1.0], 0.5, Channels::Neither),
        ([-1.0, 4.0], 0.0, Channels::Neither),
        ([3.0, -1.0], 1.0, Channels::Neither),
        ([f32::NAN, 4.0], 0.5, Channels::B),
        ([3.0, 4.0], f32::NAN, Channels::Neither),
    ];
    for (times, blend, channels) in rows {
        let playback = Playback {
            times,
            blend,
            compat: Compat::Exact,
        };
        assert_eq!(playback.channels(), channels, "{times:?}, {blend}");
    }
}

#[test]
fn neither_channel_shows_the_fallback_pose() {
    let skeleton = example_skeleton();
    let mut out = [RowMatrix::IDENTITY];
    let channels = skeleton.pose(&instance(Playback::at(-1.0)), &mut out);
    assert_eq!(channels, Channels::Neither);
    assert_eq!(out[0], pose_of_key(12).to_matrix());
}

#[test]
fn blending_takes_the_shortest_path_and_weighs_positions() {
    let a = NodePose {
        rotation: [1.0, 0.0, 0.0, 0.0],
        position: [1.0, 2.0, 3.0],
    };
    let b = NodePose {
        rotation: [-0.6, 0.0, -0.8, 0.0],
        position: [5.0, 2.0, -1.0],
    };
    let near_b = NodePose {
        rotation: [0.6, 0.0, 0.8, 0.0],
        ..b
    };
    let [blended, near_blended] = blend_poses(&[a, a], &[b, near_b], 0.25);
    assert_eq!(blended.rotation, near_blended.rotation);
    assert_eq!(blended.position, [2.0, 2.0, 2.0]);
    // A quarter of the angle between them, whose cosine is 0.6.
    let quarter = 0.6_f64.acos() / 4.0;
    assert!((f64::from(blended.rotation[0]) - quarter.cos()).abs() < 1e-6);
    assert!((f64::from(blended.rotation[2]) - quarter.sin()).abs() < 1e-6);
}

#[test]
fn matrix_is_the_table_of_the_document() {
    // Whole numbers, so that each cell shows which products it sums.
    let pose = NodePose {
        rotation: [2.0, 3.0, 5.0, 7.0],
        position: [11.0, 13.0, 17.0],
    };
    #[rustfmt::skip]
    let expected = [
        -147.0, 58.0, 22.0, 11.0, // 1-2(25+49), 2(15+14), 2(21-10)
        2.0, -115.0, 82.0, 13.0, // 2(15-14), 1-2(9+49), 2(35+6)
        62.0, 58.0, -67.0, 17.0, // 2(21+10), 2(35-6), 1-2(9+25)
        0.0, 0.0, 0.0, 1.0,
    ];
    assert_eq!(pose.to_matrix().0, expected);
}

#[test]
fn product_is_the_sum_of_four_products_from_the_first_on() {
    let mut random = Random(3);
    let specials = [
        0.0,
        -0.0,
        f32::MIN_POSITIVE,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    for round in 0..20_000 {
        let mut matrix = || {
            RowMatrix(std::array::from_fn(|i| match random.next() % 16 {
                0 => specials[(round + i) % specials.len()],
                1 => -0.0,
                _ => random.unit() - 0.5,
            }))
        };
        let (a, b) = (matrix(), matrix());
        let product = a.times(&b);
        for (i, found) in product.0.into_iter().enumerate() {
            let (row, column) = (i / 4 * 4, i % 4);
            let mut sum = a.0[row] * b.0[column];
            for k in 1..4 {
                sum += a.0[row + k] * b.0[column + 4 * k];
            }
            let is_same = found.to_bits() == sum.to_bits() || (found.is_nan() && sum.is_nan());
            assert!(is_same, "{found} for {sum}: {a:?} times {b:?}");
        }
    }
}

#[test]
fn matrix_turns_by_the_conjugate() {
    // A quarter turn about z; the table takes x to -y.
    let half = 0.5_f32.sqrt();
    let pose = NodePose {
        rotation: [half, 0.0, 0.0, half],
        position: [1.0, 2.0, 3.0],
    };
    let turned = pose.to_matrix().to_mat4();
    let x = turned.transform_point3(glam::Vec3::X);
    assert!((x - glam::vec3(1.0, 1.0, 3.0)).length() < 1e-6, "{x}");
}

#[test]
fn world_is_parent_times_local() {
    let (tables, link) = example();
    let links = [link, TrackLink::NONE, link];
    let parents = [None, Some(0), Some(1)];
    // A node without a key stays where its parent is.
    let skeleton = Skeleton::new(tables, &links, &parents).expect("valid");
    let root = RowMatrix::from(glam::Mat4::from_translation(glam::vec3(10.0, 20.0, 30.0)));
    let instance = Instance {
        world_from_model: root,
        playback: Playback::at(2.0),
    };
    let mut out = [RowMatrix::IDENTITY; 3];
    assert_eq!(skeleton.pose(&instance, &mut out), Channels::A);
    let local = pose_of_key(11).to_matrix();
    assert_eq!(out[0], root.times(&local));
    assert_eq!(out[1], out[0]);
    assert_eq!(out[2], out[0].times(&local));
    // The key turns x to -y, so the second step of one unit along x goes that way.
    assert_eq!((out[0].0[3], out[0].0[7], out[0].0[11]), (11.0, 20.0, 30.0));
    assert!((out[2].0[7] - 19.0).abs() < 1e-4, "{:?}", out[2]);
}

/// The example moves its one node; what hangs on it turns with it.
#[test]
fn a_first_node_in_place_turns_and_does_not_move() {
    let (tables, link) = example();
    let links = [link, TrackLink::NONE];
    let moving = Skeleton::new(tables, &links, &[None, Some(0)]).unwrap();
    let in_place = moving.clone().with_first_in_place();
    let mut n_moved = 0;
    for frame in [0.0, 1.0, 2.0, 3.5, 5.0] {
        let instance = instance(Playback::at(frame));
        let [mut moved, mut turned] = [[RowMatrix::IDENTITY; 2]; 2];
        moving.pose(&instance, &mut moved);
        in_place.pose(&instance, &mut turned);
        for (moved, turned) in moved.iter().zip(&turned) {
            let (moved, turned) = (moved.upper_rows(), turned.upper_rows());
            for (row, other) in moved.iter().zip(&turned) {
                assert_eq!(row[..3], other[..3], "frame {frame}");
                assert_eq!(other[3], 0.0, "frame {frame}");
            }
            n_moved += usize::from(moved.iter().any(|row| row[3] != 0.0));
        }
    }
    assert!(n_moved > 0, "else this shows nothing");
}

#[test]
fn broken_references_show_the_fallback() {
    let (tables, link) = example();
    let at = |link, t| {
        let skeleton = Skeleton::new(tables.clone(), &[link], &[None]).expect("valid nodes");
        skeleton
            .track(0)
            .map(|track| track.sample(t, Compat::Exact))
    };
    let without_fallback = TrackLink {
        fallback: Some(13),
        ..link
    };
    assert_eq!(at(without_fallback, 0.0), None);
    let late = TrackLink {
        map_start: Some(2),
        ..link
    };
    // Words 2 to 4 lead to key 11; there is no word for frame 4.
    assert_eq!(at(late, 2.0), Some(pose_of_key(11)));
    assert_eq!(at(late, 4.5), Some(pose_of_key(12)));
    let beyond = TrackLink {
        map_start: Some(usize::MAX),
        ..link
    };
    assert_eq!(at(beyond, 2.0), Some(pose_of_key(12)));
}

#[test]
fn parent_after_its_child_is_an_error() {
    let (tables, link) = example();
    let skeleton = Skeleton::new(tables, &[link, link], &[Some(1), None]);
    let expected = SkeletonError::ParentNotBefore { node: 0, parent: 1 };
    assert_eq!(skeleton.err(), Some(expected));
}

#[test]
fn batch_returns_what_single_poses_return() {
    const N_NODES: usize = 19;
    let (tables, link) = example();
    // More than are sampled together, and a rest.
    let parents: [_; N_NODES] = std::array::from_fn(|node| node.checked_sub(1).map(|n| n / 2));
    let skeleton = Skeleton::new(tables, &[link; N_NODES], &parents);
    let skeleton = skeleton.expect("valid");
    let instances: Vec<Instance> = (0..1000_u16)
        .map(|i| {
            let t = f32::from(i) * 0.013 - 1.0;
            instance(Playback {
                times: [t, 6.0 - t],
                blend: f32::from(i % 11) * 0.1,
                compat: Compat::Guarded,
            })
        })
        .collect();
    let mut batch = vec![RowMatrix::IDENTITY; instances.len() * N_NODES];
    let n_unused = skeleton.pose_batch(&instances, &mut batch);
    let mut n_neither = 0;
    for (instance, found) in instances.iter().zip(batch.chunks_exact(N_NODES)) {
        let mut out = [RowMatrix::IDENTITY; N_NODES];
        n_neither += usize::from(skeleton.pose(instance, &mut out) == Channels::Neither);
        assert_eq!(found, out);
    }
    assert!(n_neither > 0);
    assert_eq!(n_unused, n_neither);
}

#[test]
fn skeleton_without_nodes_poses_nothing() {
    let (tables, _) = example();
    let skeleton = Skeleton::new(tables, &[], &[]).expect("valid");
    let instances = [instance(Playback::at(0.0)), instance(Playback::at(-1.0))];
    assert_eq!(skeleton.pose_batch(&instances, &mut []), 1);
}

fn example_skeleton() -> Skeleton {
    let (tables, link) = example();
    Skeleton::new(tables, &[link], &[None]).expect("the example is valid")
}

fn instance(playback: Playback) -> Instance {
    Instance {
        world_from_model: RowMatrix::IDENTITY,
        playback,
    }
}
