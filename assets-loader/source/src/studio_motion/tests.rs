use super::*;
use crate::mdl::motion::sample::{Kind, moving, put};
use crate::mdl::motion::{Animation, BlendParameter};

fn open(path: &str, files: &[(&str, Vec<u8>)]) -> StudioMotion {
    let find = |name: &str| {
        let found = files.iter().find(|(path, _)| *path == name);
        Ok(found.map(|(_, data)| data.clone()))
    };
    let data = find(path).unwrap().expect("the model");
    StudioMotion::open(path, &Mdl::read(&data).unwrap(), &find)
}

#[test]
fn a_sequence_turns_what_it_moves() {
    let motion = open("a.mdl", &[("a.mdl", moving(Kind::Runs))]);
    assert_eq!(motion.findings, []);
    assert_eq!((motion.last_frame(0), motion.fps(0)), (4.0, 30.0));
    let (turn, place) = motion.pose(0, 1.0).unwrap()[0];
    assert!(turn.abs_diff_eq(Quat::from_rotation_z(1.0), 1e-6), "{turn}");
    assert_eq!(place, Vec3::new(5.0, 0.0, 0.0));
    assert_eq!(motion.pose(7, 1.0).unwrap(), motion.at_rest());
}

#[test]
fn weights_say_how_much_is_moved() {
    let mut motion = open("a.mdl", &[("a.mdl", moving(Kind::Runs))]);
    motion.sources[0].motion.sequences[0].weights = vec![0.5];
    let (turn, place) = motion.pose(0, 1.0).unwrap()[0];
    assert!(turn.abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6), "{turn}");
    assert_eq!(place, Vec3::new(2.5, 0.0, 0.0));
}

#[test]
fn what_adds_is_added_to_rest() {
    let mut motion = open("a.mdl", &[("a.mdl", moving(Kind::Runs))]);
    let quarter = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    motion.rest[0].pose.rotation = quarter;
    let up = motion.pose(0, 0.0).unwrap()[0].0;
    assert!(up.abs_diff_eq(Quat::IDENTITY, 1e-6), "it replaces: {up}");
    for (flags, expected) in [
        (0x4, Quat::from_rotation_z(1.0) * quarter),
        (0x14, quarter * Quat::from_rotation_z(1.0)),
    ] {
        motion.sources[0].motion.sequences[0].flags = flags;
        let (turn, _) = motion.pose(0, 1.0).unwrap()[0];
        assert!(turn.abs_diff_eq(expected, 1e-6), "{flags}: {turn}");
    }
}

#[test]
fn blends_lie_between_the_animations_of_a_grid() {
    let mut motion = open("a.mdl", &[("a.mdl", moving(Kind::Runs))]);
    let mut still = Animation::default();
    still.n_frames = 1;
    let own = &mut motion.sources[0].motion;
    own.animations.push(still);
    let sequence = &mut own.sequences[0];
    sequence.grid = [2, 1];
    sequence.animations = vec![1, 0];
    let by = |start, end| {
        Some(BlendParameter {
            parameter: 0,
            start,
            end,
        })
    };
    for (start, end, expected) in [
        (0.0, 1.0, 0.0),
        (-1.0, 0.0, 5.0),
        (-1.0, 1.0, 2.5),
        (-1.0, 3.0, 1.25),
    ] {
        motion.sources[0].motion.sequences[0].parameters[0] = by(start, end);
        let (_, place) = motion.pose(0, 1.0).unwrap()[0];
        assert_eq!(place.x, expected, "{start} {end}");
    }
}

#[test]
fn missing_and_included_models_are_told() {
    let mut data = moving(Kind::Runs);
    let label = data.len();
    data.extend(b"\0models/more.mdl\0\0\0\0");
    let row = data.len();
    data.extend([0; 8]);
    put(&mut data, row, label as i32 - row as i32);
    put(&mut data, row + 4, label as i32 + 1 - row as i32);
    put(&mut data, 0x150, 1);
    put(&mut data, 0x154, row as i32);
    let len = data.len() as i32;
    put(&mut data, 76, len);
    let alone = open("a.mdl", &[("a.mdl", data.clone())]);
    let messages: Vec<_> = alone
        .findings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    assert_eq!(
        messages,
        ["models/more.mdl is missing; its sequences cannot be played"]
    );
    let mut more = moving(Kind::Runs);
    let at = more.windows(5).rposition(|it| it == b"turn\0").unwrap();
    more[at..at + 4].copy_from_slice(b"jump");
    let both = open("a.mdl", &[("a.mdl", data), ("models/more.mdl", more)]);
    let names: Vec<_> = (0..both.sequences.len())
        .map(|it| &*both.sequence(it).unwrap().name)
        .collect();
    assert_eq!((names, &both.findings[..]), (vec!["turn", "jump"], &[][..]));
    assert_eq!(both.pose(1, 1.0).unwrap(), both.pose(0, 1.0).unwrap());
}

#[test]
fn sequences_are_found_by_name_and_by_what_they_are_for() {
    let mut motion = open("a.mdl", &[("a.mdl", moving(Kind::Runs))]);
    assert_eq!(motion.sequence_named(" Turn "), Some(0));
    assert_eq!(motion.sequence_named("leap"), None);
    assert_eq!(
        (motion.idle(), motion.idles()),
        (Some(0), vec![]),
        "the only one"
    );
    let own = &mut motion.sources[0].motion;
    let mut idle = own.sequences[0].clone();
    idle.name = "Idle_angry".into();
    own.sequences.push(idle.clone());
    idle.activity = "ACT_IDLE".into();
    own.sequences.push(idle);
    for sequence in [1, 2] {
        let source = 0;
        motion.sequences.push(PlayedSequence { source, sequence });
    }
    assert_eq!((motion.idle(), motion.idles()), (Some(2), vec![2]));
    motion.sources[0].motion.sequences[2].flags = 0x4;
    assert_eq!(
        (motion.idle(), motion.idles()),
        (Some(1), vec![]),
        "what adds is none"
    );
    assert!(motion.moves());
    assert_eq!(motion.length_secs(0), 4.0 / 30.0);
    motion.sources[0].motion.animations[0].fps = 0.0;
    assert_eq!(motion.length_secs(0), 0.0);
    motion.sources[0].motion.animations[0].fps = f32::NAN;
    assert_eq!(motion.length_secs(0), 0.0);
}

#[test]
fn pose_keys_need_not_lie_in_equal_steps() {
    let mut motion = open("a.mdl", &[("a.mdl", moving(Kind::Runs))]);
    let mut still = Animation::default();
    still.n_frames = 1;
    let own = &mut motion.sources[0].motion;
    own.animations.push(still);
    let sequence = &mut own.sequences[0];
    sequence.grid = [3, 1];
    sequence.animations = vec![1, 0, 1];
    sequence.parameters[0] = Some(BlendParameter {
        parameter: 0,
        start: -2.0,
        end: 3.0,
    });
    // The middle one is 5 along; a quarter of the way behind it three quarters of that are left.
    for (keys, expected) in [
        (vec![], 4.0),
        (vec![-2.0, -1.0, 3.0], 3.75),
        (vec![-2.0, 0.0, 3.0], 5.0),
    ] {
        motion.sources[0].motion.sequences[0].pose_keys[0] = keys;
        let (_, place) = motion.pose(0, 1.0).unwrap()[0];
        assert!((place.x - expected).abs() < 1e-5, "{place}");
    }
}

#[test]
fn a_pose_parameter_can_say_where_a_sequence_is() {
    let mut motion = open("a.mdl", &[("a.mdl", moving(Kind::Runs))]);
    let first = motion.pose(0, 1.0).unwrap();
    let own = &mut motion.sources[0].motion;
    // 0 is a quarter of the way, which is the second of five frames.
    (own.pose_parameters[0].start, own.pose_parameters[0].end) = (-1.0, 3.0);
    own.sequences[0].flags = 0x80;
    own.sequences[0].cycle_parameter = Some(0);
    for frame in [0.0, 3.0] {
        assert_eq!(motion.pose(0, frame).unwrap(), first);
    }
    motion.sources[0].motion.sequences[0].cycle_parameter = None;
    let (turn, _) = motion.pose(0, 3.0).unwrap()[0];
    assert!(turn.abs_diff_eq(Quat::IDENTITY, 1e-6), "the first frame");
}
