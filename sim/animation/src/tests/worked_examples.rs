//! The table of dossier section 8.6, row by row, and the guard of section 8.2.

use super::{example, pose_of_key};
use crate::sampler::lerp;
use crate::x87::frame_number;
use crate::{Compat, NodePose, Skeleton, interpolate};

/// What a time shows.
#[derive(Debug, Clone, Copy)]
enum Shows {
    /// That key as it is.
    Key(usize),
    /// That key and the next, at the quotient that has these digits.
    Between(usize, f32),
    /// The last key.
    Fallback,
}
use Shows::{Between, Fallback, Key};

/// Bits of the time, low half of the stored integer, what is shown.
#[rustfmt::skip]
const ROWS: [(u32, u32, Shows); 40] = [
    (0x0000_0000, 0, Key(10)),
    (0x8000_0000, 0, Key(10)),
    (0x2EDB_E6FF, 0, Between(10, 5e-11)),
    (0xAEDB_E6FF, 0, Between(10, -5e-11)),
    (0xB300_0000, 0, Between(10, -1.490_116_1e-8)),
    (0xB380_0000, 0xFFFF_FFFF, Fallback),
    (0x3E80_0000, 0, Between(10, 0.125)),
    (0x3EFF_FFFF, 0, Between(10, 0.249_999_99)),
    (0x3F00_0000, 0, Between(10, 0.25)),
    (0x3F7F_FFFF, 0, Between(10, 0.499_999_97)),
    (0x3F80_0000, 0, Between(10, 0.5)),
    (0x3F80_0001, 1, Between(10, 0.500_000_06)),
    (0x3FC0_0000, 1, Between(10, 0.75)),
    (0x3FCC_CCCD, 1, Between(10, 0.8)),
    (0x4000_0000, 2, Key(11)),
    (0x4019_999A, 2, Between(11, 0.133_333_37)),
    (0x4020_0000, 2, Between(11, 0.166_666_67)),
    (0x4040_0000, 2, Between(11, 0.333_333_34)),
    (0x4060_0000, 3, Between(11, 0.5)),
    (0x4080_0000, 4, Between(11, 0.666_666_7)),
    (0x409F_FFFF, 4, Between(11, 0.999_999_8)),
    (0x40A0_0000, 4, Key(12)),
    (0x40A0_0001, 5, Fallback),
    (0x40B0_0000, 5, Fallback),
    (0x40C0_0000, 6, Fallback),
    (0xBE80_0000, 0xFFFF_FFFF, Fallback),
    (0xBF00_0000, 0xFFFF_FFFF, Fallback),
    (0xBF80_0000, 0xFFFF_FFFE, Fallback),
    (0x4B00_0000, 0x0080_0000, Fallback),
    (0x4B80_0000, 0x0100_0000, Fallback),
    (0x4F00_0000, 0x8000_0000, Fallback),
    (0x4F80_0000, 0, Between(10, 2_147_483_648.0)),
    (0x4F80_0001, 0x0000_0200, Fallback),
    (0x5F0A_C723, 0, Between(10, 5e18)), // 1e19
    (0x7F7F_FFFF, 0, Between(10, f32::MAX / 2.0)),
    (0x7F80_0000, 0, Between(10, f32::INFINITY)),
    (0xFF80_0000, 0, Between(10, f32::NEG_INFINITY)),
    (0x7FC0_0000, 0, Key(10)), // NaN
    (0xFFC0_0000, 0, Key(10)),
    (0x7F80_0001, 0, Key(10)),
];

#[test]
fn frame_numbers_are_those_of_the_document() {
    for (bits, frame, _) in ROWS {
        assert_eq!(frame_number(f32::from_bits(bits)), frame, "{bits:08X}");
    }
}

#[test]
fn exact_poses_are_those_of_the_document() {
    let skeleton = skeleton();
    let track = skeleton.track(0).expect("a track");
    for (bits, _, shows) in ROWS {
        let pose = track.sample(f32::from_bits(bits), Compat::Exact);
        assert_same(&pose, &expected(shows), bits);
    }
}

#[test]
fn guarded_poses_differ_only_for_times_that_no_clip_reaches() {
    let skeleton = skeleton();
    let track = skeleton.track(0).expect("a track");
    for (bits, _, shows) in ROWS {
        let t = f32::from_bits(bits);
        let is_near = t.is_finite() && t.abs() < 2_147_483_648.0;
        let shows = if is_near { shows } else { Fallback };
        let pose = track.sample(t, Compat::Guarded);
        assert_same(&pose, &expected(shows), bits);
    }
}

fn skeleton() -> Skeleton {
    let (tables, link) = example();
    Skeleton::new(tables, &[link], &[None]).expect("the example is valid")
}

fn expected(shows: Shows) -> NodePose {
    match shows {
        Key(key) => pose_of_key(key),
        Fallback => pose_of_key(12),
        Between(key, a) => {
            let (from, to) = (pose_of_key(key), pose_of_key(key + 1));
            let step = std::array::from_fn(|axis| to.position[axis] - from.position[axis]);
            NodePose {
                rotation: interpolate(from.rotation, to.rotation, a),
                position: lerp(from.position, step, a),
            }
        }
    }
}

/// Bit for bit; a NaN is a NaN.
fn assert_same(found: &NodePose, expected: &NodePose, t_bits: u32) {
    let bits = |pose: &NodePose| {
        let values = pose.rotation.into_iter().chain(pose.position);
        let bits = values.map(|v| if v.is_nan() { None } else { Some(v.to_bits()) });
        bits.collect::<Vec<_>>()
    };
    assert_eq!(bits(found), bits(expected), "t = {t_bits:08X}");
}
