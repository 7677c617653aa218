use super::sample::{
    FPS, Kind, N_FRAMES, PLACE, PLACE_SCALE, TURN_SCALE, TURNS, moving, put, word,
};
use super::*;
use glam::{Mat3, Quat, Vec3};

fn read(data: &[u8]) -> (Mdl, Motion) {
    let mdl = Mdl::read(data).unwrap();
    let motion = Motion::read(&mdl).unwrap();
    (mdl, motion)
}

fn pose(data: &[u8], frame: f32) -> Result<BonePose, FormatError> {
    let (mdl, motion) = read(data);
    let decoder = Decoder {
        mdl: &mdl,
        motion: &motion,
        blocks: &[],
    };
    Ok(decoder.poses(&motion.animations[0], false, frame)?[0])
}

#[test]
fn tables_are_read() {
    let data = moving(Kind::Runs);
    let (mdl, motion) = read(&data);
    assert_eq!(mdl.write().unwrap(), data, "byte for byte");
    let [animation] = &motion.animations[..] else {
        panic!("{motion:?}")
    };
    assert_eq!((animation.name.as_str(), animation.fps), ("spin", FPS));
    assert_eq!(animation.n_frames, N_FRAMES as usize);
    let [sequence] = &motion.sequences[..] else {
        panic!("{motion:?}")
    };
    let names = (sequence.name.as_str(), sequence.activity.as_str());
    assert_eq!(names, ("turn", "ACT_TURN"));
    assert_eq!(
        (sequence.grid, &sequence.animations[..]),
        ([1, 1], &[0][..])
    );
    assert!(sequence.loops() && !sequence.adds());
    assert_eq!(sequence.weights, [1.0]);
    let [event] = &sequence.events[..] else {
        panic!("{sequence:?}")
    };
    let event = (event.cycle, event.name.as_str(), event.options.as_str());
    assert_eq!(event, (0.5, "AE_STEP", "left"));
    let parameters = motion.pose_parameters.iter();
    let parameters: Vec<_> = parameters
        .map(|it| (it.name.as_str(), it.start, it.end))
        .collect();
    assert_eq!(parameters, [("move_yaw", -180.0, 180.0)]);
}

#[test]
fn runs_hold_their_last_number() {
    let data = moving(Kind::Runs);
    for (frame, turn) in [TURNS[0], TURNS[1], TURNS[2], TURNS[2], TURNS[2]]
        .into_iter()
        .enumerate()
    {
        let pose = pose(&data, frame as f32).unwrap();
        let angle = f32::from(turn) * TURN_SCALE;
        let expected = Mat3::from_rotation_z(angle);
        assert!(
            Mat3::from_quat(pose.rotation).abs_diff_eq(expected, 1e-6),
            "{frame}"
        );
        let place = Vec3::new(f32::from(PLACE) * PLACE_SCALE, 0.0, 0.0);
        assert!(pose.position.abs_diff_eq(place, 1e-6), "{frame}: {pose:?}");
    }
    // Halfway between two turns about one axis is half of the angle; beyond the last frame is the last one.
    let half = pose(&data, 0.5).unwrap().rotation;
    assert!(half.abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6), "{half}");
    assert_eq!(pose(&data, 99.0).unwrap(), pose(&data, 4.0).unwrap());
}

#[test]
fn turns_of_48_and_64_bits_are_unit_quaternions() {
    // (0.5, -0.5, 0.5, -0.5) and (0, 0, 0.6, 0.8).
    let words = [32768 + 16384, 32768 - 16384, (16384 + 8192) | 0x8000];
    let found = pose(&moving(Kind::Turn48(words)), 3.0).unwrap().rotation;
    let expected = Quat::from_xyzw(0.5, -0.5, 0.5, -0.5);
    assert!(found.abs_diff_eq(expected, 1e-4), "{found}");
    let part = |part: f64| (part * 1_048_576.5 + 1_048_576.0).round() as u64;
    let bits = part(0.0) | part(0.0) << 21 | part(0.6) << 42;
    let found = pose(&moving(Kind::Turn64(bits)), 3.0).unwrap().rotation;
    let expected = Quat::from_xyzw(0.0, 0.0, 0.6, 0.8);
    assert!(found.abs_diff_eq(expected, 1e-5), "{found}");
}

/// One bone whose place changes: along x by 1, 2, 3, 4, 5.
const FRAMES: &[u8] = &[
    28, 0, 0, 0, 28, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, //
    0x00, 0x3C, 0, 0, 0, 0, 0x00, 0x40, 0, 0, 0, 0, 0x00, 0x42, 0, 0, 0, 0, //
    0x00, 0x44, 0, 0, 0, 0, 0x00, 0x45, 0, 0, 0, 0,
];

#[test]
fn frames_that_are_stored_one_after_the_other_are_played() {
    let data = moving(Kind::Frames(FRAMES));
    for (frame, x) in [(0.0, 1.0), (1.0, 2.0), (2.5, 3.5), (4.0, 5.0), (9.0, 5.0)] {
        let pose = pose(&data, frame).unwrap();
        assert_eq!(pose.position, Vec3::new(x, 0.0, 0.0), "{frame}");
        // Nothing of its turn is stored.
        assert_eq!(pose.rotation, Quat::IDENTITY);
    }
}

#[test]
fn frames_may_lie_in_an_animation_block() {
    let mut data = moving(Kind::Frames(FRAMES));
    let animation = word(&data, 0xB8);
    put(&mut data, animation + 52, 1);
    put(&mut data, animation + 56, 4);
    let name = data.len() as i32;
    data.extend(b"x.ani\0\0\0");
    let rows = data.len() as i32;
    for number in [0, 0, 16, 200] {
        data.extend(i32::to_le_bytes(number));
    }
    let len = data.len() as i32;
    for (at, number) in [(0x15C, name), (0x160, 2), (0x164, rows), (76, len)] {
        put(&mut data, at, number);
    }
    let (mdl, motion) = read(&data);
    assert_eq!(motion.block_file, "x.ani");
    let blocks = [&[0xFF; 16 + 4][..], FRAMES].concat();
    let mut decoder = Decoder {
        mdl: &mdl,
        motion: &motion,
        blocks: &blocks,
    };
    let poses = decoder.poses(&motion.animations[0], false, 2.0).unwrap();
    assert_eq!(poses[0].position, Vec3::new(3.0, 0.0, 0.0));
    decoder.blocks = &[];
    let error = decoder.poses(&motion.animations[0], false, 2.0);
    assert_eq!(error.unwrap_err().field, "animation place");
}

#[test]
fn what_leads_out_of_the_file_is_an_error() {
    let sound = moving(Kind::Runs);
    let (animations, sequences) = (word(&sound, 0xB8), word(&sound, 0xC0));
    for (at, number, field) in [
        (animations + 16, 0, "animation frames"),
        (animations + 16, i32::MAX, "animation frames"),
        (animations + 4, i32::MAX, "animation name"),
        (sequences + 68, -1, "sequence grid"),
        (sequences + 68, 1 << 20, "sequence animations"),
        (sequences + 24, 1 << 20, "sequence events"),
        (sequences + 148, -1, "sequence layers"),
        (sequences + 148, 1 << 20, "sequence layers"),
        (sequences + 156, i32::MAX, "sequence weights"),
        (0xB4, 1 << 20, "animations"),
    ] {
        let mut data = sound.clone();
        put(&mut data, at, number);
        let error = Motion::read(&Mdl::read(&data).unwrap()).unwrap_err();
        assert_eq!(error.field, field, "{number} at {at}: {error}");
    }
    // Sections that are not there; tracks of missing bones, backward, and out of the file.
    let track = animations + word(&sound, animations + 56);
    for (at, number) in [
        (animations + 52, 7),
        (animations + 56, i32::MAX),
        (track, 9),
        (track, 0x8000_0C00_u32.cast_signed()),
        (track + 8, 0x7FFF),
    ] {
        let mut data = sound.clone();
        put(&mut data, at, number);
        assert!(pose(&data, 1.0).is_err(), "{number} at {at}");
    }
}

#[test]
fn damaged_motions_are_errors_or_poses() {
    for kind in [
        Kind::Runs,
        Kind::Turn48([1, 2, 3]),
        Kind::Turn64(4),
        Kind::Frames(FRAMES),
    ] {
        ironlands_assets_proof::assert_survives_mutations(&moving(kind), 2_000, 64, |data| {
            let mdl = Mdl::read(data)?;
            let motion = Motion::read(&mdl)?;
            let decoder = Decoder {
                mdl: &mdl,
                motion: &motion,
                blocks: data,
            };
            for animation in &motion.animations {
                for frame in [0.0, 0.5, animation.n_frames as f32] {
                    decoder.poses(animation, true, frame)?;
                }
            }
            Ok(())
        });
    }
}

#[test]
fn pose_keys_and_cycle_parameters_are_read() {
    let mut data = moving(Kind::Runs);
    let sequence = word(&data, 0xBC + 4);
    let animations = data.len();
    data.extend([0; 4]);
    let keys = data.len();
    let values = [-1.0_f32, 3.0, 0.0];
    data.extend(values.iter().flat_map(|it| it.to_le_bytes()));
    for (at, number) in [
        (60, animations - sequence),
        (68, 2),
        (76, 0),
        (160, keys - sequence),
        (180, 0),
    ] {
        put(&mut data, sequence + at, number as i32);
    }
    let len = data.len() as i32;
    put(&mut data, 76, len);
    let (_, motion) = read(&data);
    let sequence_read = &motion.sequences[0];
    assert_eq!(sequence_read.pose_keys, [vec![-1.0, 3.0], vec![0.0]]);
    assert_eq!(sequence_read.cycle_parameter, Some(0));
    assert_eq!(sequence_read.step_at(0, 0.0), 0.25);
    // There is no such parameter, and the keys do not lie in the file.
    put(&mut data, sequence + 180, 1);
    assert_eq!(read(&data).1.sequences[0].cycle_parameter, None);
    put(&mut data, sequence + 160, 1 << 20);
    let error = Motion::read(&Mdl::read(&data).unwrap()).unwrap_err();
    assert_eq!(error.field, "sequence pose keys");
}

#[test]
fn steps_lie_between_pose_keys() {
    let sequence = |keys: &[f32]| Sequence {
        grid: [keys.len(), 1],
        parameters: [Some(BlendParameter::default()), None],
        pose_keys: [keys.to_vec(), Vec::new()],
        ..Sequence::default()
    };
    let rows: [(&[f32], f32); 8] = [
        (&[-3.0, 1.0, 2.0], 0.75),
        (&[-2.0, -1.0, 3.0], 1.25),
        (&[3.0, 1.0, -1.0], 1.5),
        // Two at one value; before the first; behind the last; on one.
        (&[-1.0, -1.0, 1.0], 1.5),
        (&[1.0, 2.0, 3.0], 0.0),
        (&[-3.0, -2.0, -1.0], 2.0),
        (&[-1.0, 0.0, 1.0], 1.0),
        (&[f32::NAN, 0.0, f32::INFINITY], 1.0),
    ];
    for (keys, expected) in rows {
        let sequence = sequence(keys);
        assert_eq!(sequence.step_at(0, 0.0), expected, "{keys:?}");
        assert_eq!(sequence.step_at(1, 0.0), 0.0, "it is not blended");
    }
}
