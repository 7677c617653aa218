use glam::{Quat, Vec3};
use ironlands_assets_proof::{Rng, assert_survives_mutations, set32};

use super::sample::*;
use super::*;
use crate::mdl::motion::BonePose;
use crate::studio_model::AnyMdl;
use crate::studio_motion::StudioMotion;
use crate::vtmb_mdl::sample::{BONES, mdl};
use ironlands_assets_core::format::Format;

const ROOT: usize = 0;
const TIP: usize = 1;
/// Roots of a half of 32768 are off by less than this, and so are 32767 parts of it.
const ROUNDING: f32 = 1e-4;

fn open(data: &[u8]) -> StudioMotion {
    let file = AnyMdl::read(data).unwrap();
    StudioMotion::open_any("models/woman.mdl", &file, &|_| Ok(Some(alone(mdl()))))
}

/// A file without included models.
fn alone(mut file: Vec<u8>) -> Vec<u8> {
    set32(&mut file, 404, 0);
    file
}

/// By how much the second bone is turned about z below the first one, in quarters.
fn quarters(pose: &BonePose) -> f32 {
    let [x, y, z, w] = pose.rotation.to_array();
    assert!(x.abs() < ROUNDING && y.abs() < ROUNDING, "{pose:?}");
    let angle = 2.0 * z.atan2(w);
    angle / std::f32::consts::FRAC_PI_2
}

fn assert_near(found: f32, expected: f32, what: &str) {
    assert!((found - expected).abs() < ROUNDING, "{what}: {found}");
}

#[test]
fn tables_hold_what_the_documents_say() {
    let mdl = VtmbMdl::read(&mdl()).unwrap();
    assert_eq!(Format::check(&mdl), []);
    let [controller] = &mdl.bone_controllers[..] else {
        panic!("one controller");
    };
    assert_eq!(
        (controller.bone, controller.kind, controller.end),
        (1, 8, 45.0)
    );
    let motion = mdl.motion().unwrap();
    let animations: Vec<_> = (motion.animations.iter())
        .map(|it| (&*it.name, it.fps, it.n_frames))
        .collect();
    assert_eq!(animations, [("walk", 10.0, 4), ("nod", 30.0, 1)]);
    let names: Vec<_> = motion.sequences.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["walk_all", "aim", "look", "nod"]);
    let [walk, aim, look, nod] = &motion.sequences[..] else {
        panic!("four sequences");
    };
    assert_eq!(
        (&*walk.activity, walk.loops(), aim.loops()),
        ("ACT_WALK", true, false)
    );
    let event = SequenceEvent {
        cycle: 0.5,
        number: 2050,
        name: String::new(),
        options: "left".to_owned(),
    };
    assert_eq!(walk.events, [event]);
    assert_eq!((&aim.animations[..], aim.grid), (&[0, 1][..], [2, 1]));
    assert_eq!(look.layers, [SequenceLayer::from_sequence(3)]);
    // A count of 764 is none.
    assert_eq!(walk.layers, []);
    assert_eq!(nod.weights, [0.0, 0.5]);
    assert!(walk.weights.is_empty(), "it moves all bones");
    let parameter = &motion.pose_parameters[0];
    assert_eq!(
        (&*parameter.name, parameter.start, parameter.wraps),
        ("move_yaw", -180.0, 360.0)
    );
    assert_eq!(motion.includes, ["models/shared.mdl"]);
}

#[test]
fn channels_move_bones() {
    let mdl = VtmbMdl::read(&mdl()).unwrap();
    // The place of the root is 0, 2, 4 halves and stays; the tip is turned by nothing, a quarter to the left, and one to
    // the right, which stays, too.
    let places = [0.0, 1.0, 2.0, 2.0];
    let turns = [0.0, 1.0, -1.0, -1.0];
    for (frame, (place, turn)) in places.into_iter().zip(turns).enumerate() {
        let poses = mdl.poses(0, false, frame as f32).unwrap();
        assert_eq!(poses[ROOT].position, Vec3::new(place, 0.0, 0.0));
        assert_eq!(poses[ROOT].rotation, Quat::IDENTITY);
        assert_eq!(poses[TIP].position, Vec3::new(0.0, 0.0, 10.0), "at rest");
        assert_near(quarters(&poses[TIP]), turn, "turn");
    }
    let between = mdl.poses(0, false, 0.5).unwrap();
    assert_eq!(between[ROOT].position.x, 0.5);
    assert_near(quarters(&between[TIP]), 0.5, "half a quarter");
    // Beyond both ends, and of no animation.
    assert_eq!(
        mdl.poses(0, false, 9.0).unwrap(),
        mdl.poses(0, false, 3.0).unwrap()
    );
    assert_near(
        quarters(&mdl.poses(7, false, 0.0).unwrap()[TIP]),
        1.0,
        "rest",
    );
    // What adds is not added to rest, and adds nothing where there is no channel.
    let adds = mdl.poses(0, true, 1.0).unwrap();
    assert_eq!(adds[TIP].position, Vec3::ZERO);
    assert_near(quarters(&adds[TIP]), 1.0, "turn that adds");
}

#[test]
fn an_animation_without_frames_moves_nothing() {
    let rest = VtmbMdl::read(&mdl()).unwrap().poses(7, false, 0.0).unwrap();
    for (at, number) in [
        (ANIMATIONS + 12, 0),
        (ANIMATIONS + 12, u32::MAX),
        (ANIMATIONS + 0x30, 0),
    ] {
        let mut file = mdl();
        set32(&mut file, at, number);
        let mdl = VtmbMdl::read(&file).unwrap();
        assert_eq!(mdl.poses(0, false, 1.0).unwrap(), rest);
        assert!(mdl.motion().unwrap().animations[0].n_frames >= 1);
    }
}

/// The runs of a channel with all numbers written out, and a file that has them: another method than to count frames.
fn random_runs(rng: &mut Rng) -> (Vec<i16>, Vec<u8>) {
    let (mut numbers, mut bytes) = (Vec::new(), Vec::new());
    for _ in 0..1 + rng.below(6) {
        let n_stored = 1 + rng.below(5);
        // Also runs without a frame, which are passed over.
        let n_frames = rng.below(9);
        let stored: Vec<i16> = (0..n_stored).map(|_| rng.next_u64() as i16).collect();
        bytes.extend([n_stored as u8, n_frames as u8]);
        bytes.extend(stored.iter().flat_map(|it| it.to_le_bytes()));
        let all = (0..n_frames).map(|frame| stored[frame.min(n_stored - 1)]);
        numbers.extend(all);
    }
    (numbers, bytes)
}

#[test]
fn runs_are_their_numbers_written_out() {
    let mut rng = Rng::new(2531);
    for _ in 0..200 {
        let (numbers, runs) = random_runs(&mut rng);
        let mut file = mdl();
        let at = file.len();
        file.extend(&runs);
        set32(&mut file, ANIMATIONS + 12, numbers.len() as u32);
        set32(&mut file, CHANNELS + 4, (at - CHANNELS) as u32);
        let mdl = VtmbMdl::read(&file).unwrap();
        for (frame, number) in numbers.into_iter().enumerate() {
            // Of the tip there are no more frames than four.
            let poses = mdl.poses(0, false, frame as f32);
            match poses {
                Ok(poses) => {
                    assert_eq!(poses[ROOT].position.x, f32::from(number) * PLACE_SCALE);
                }
                Err(_) => assert!(frame >= 4),
            }
        }
    }
}

#[test]
fn sequences_blend_layer_and_weigh() {
    let motion = open(&mdl());
    assert_eq!(motion.findings, []);
    assert_eq!((motion.last_frame(0), motion.fps(0)), (3.0, 10.0));
    assert!(motion.moves());
    let at = |name: &str, frame: f32| {
        let index = motion.sequence_named(name).unwrap();
        let poses = motion.local_pose(index, frame).unwrap();
        (poses[ROOT].position.x, quarters(&poses[TIP]))
    };
    let expected = [
        // The last frame of its animation is that of the sequence.
        ("walk_all", 1.0, (1.0, 1.0)),
        ("walk_all", 3.0, (2.0, -1.0)),
        // At 0 of -1 to 1 it is half of `walk` and half of `nod`, whose turn is nothing.
        ("aim", 1.0, (0.5, 0.5)),
        // `nod` moves the tip by half, and not the root.
        ("look", 1.0, (1.0, 0.5)),
        // By itself it moves the tip by half from rest, which is a quarter.
        ("nod", 0.0, (0.0, 0.5)),
    ];
    for (name, frame, (place, turn)) in expected {
        let found = at(name, frame);
        assert_near(found.0, place, name);
        assert_near(found.1, turn, name);
    }
    assert_eq!(
        motion.facts(2),
        "look, lays nod over it",
        "what a model says of it"
    );
    assert_eq!(
        motion.facts(0),
        "walk_all, ACT_WALK, loops, at 0.50: event 2050 left"
    );
}

#[test]
fn grids_are_stored_by_columns() {
    let mut file = mdl();
    let aim = SEQUENCES + VtmbSequence::SIZE;
    // By the first parameter 0 to 1, by the second one 0 to 2.
    for (column, row, animation) in [
        (0, 0, 1),
        (0, 1, 0),
        (0, 2, 0),
        (1, 0, 0),
        (1, 1, 1),
        (1, 2, 0),
    ] {
        file[aim + 0x38 + column * 32 + row * 2] = animation;
    }
    set32(&mut file, aim + 0x240, 3);
    let motion = VtmbMdl::read(&file).unwrap().motion().unwrap();
    assert_eq!(motion.sequences[1].animations, [1, 0, 0, 1, 0, 0]);
    assert_eq!(motion.sequences[1].grid, [2, 3]);
}

/// Whether two quaternions are one turn: one and its negative are.
fn is_same(a: Quat, b: Quat) -> bool {
    a.abs_diff_eq(b, ROUNDING) || a.abs_diff_eq(-b, ROUNDING)
}

/// A bone with flag 0x2 hangs on a bone that is turned: its own turn is as its channels say, seen from the model.
#[test]
fn a_bone_can_turn_in_the_space_of_the_model() {
    let mut file = alone(mdl());
    // The root is turned by a half about x.
    let root = Quat::from_rotation_x(std::f32::consts::PI);
    for (axis, number) in root.to_array().into_iter().enumerate() {
        set32(&mut file, BONES + 0x2C + axis * 4, number.to_bits());
    }
    let chained = open(&file).pose(0, 1.0).unwrap();
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert!(
        chained[TIP].0.abs_diff_eq(root * quarter, ROUNDING),
        "{chained:?}"
    );
    set32(&mut file, BONES + 160 + 0x88, 0x12);
    let motion = open(&file);
    let placed = motion.pose(0, 1.0).unwrap();
    let (turn, place) = placed[TIP];
    assert!(is_same(turn, quarter), "{turn}");
    // Its place is below its parent all the same: 10 up, which the root turns down, and 1 along.
    assert!(
        place.abs_diff_eq(Vec3::new(1.0, 0.0, -10.0), ROUNDING),
        "{place}"
    );
    // What is below its parent gives the same.
    let local = motion.local_pose(0, 1.0).unwrap();
    assert!(is_same(local[ROOT].rotation * local[TIP].rotation, quarter));
    // At rest it is where a chain has it, as the bind pose of the file.
    let rest = motion.at_rest();
    assert!(is_same(rest[TIP].0, root * quarter));
    assert_eq!(motion.pose(9, 0.0).unwrap(), rest);
    // And so it is in an animation that does not turn it.
    let turns = CHANNELS + BoneChannels::SIZE + 16;
    file[turns..turns + 16].fill(0);
    let placed = open(&file).pose(0, 1.0).unwrap();
    assert!(is_same(placed[TIP].0, root * quarter));
}

#[test]
fn included_models_move_bones_of_the_same_names() {
    let file = AnyMdl::read(&mdl()).unwrap();
    let mut shared = alone(mdl());
    // Its bones are named the other way around.
    let names =
        [BONES, BONES + 160].map(|at| u32::from_le_bytes(*shared[at..].first_chunk().unwrap()));
    set32(&mut shared, BONES, names[1] + 160);
    set32(&mut shared, BONES + 160, names[0].wrapping_sub(160));
    let at = shared.windows(8).position(|it| it == b"walk_all").unwrap();
    shared[at..at + 8].copy_from_slice(b"run_all_");
    let find = |path: &str| {
        assert_eq!(path, "models/shared.mdl");
        Ok(Some(shared.clone()))
    };
    let motion = StudioMotion::open_any("models/woman.mdl", &file, &find);
    assert_eq!(motion.findings, []);
    let run = motion.sequence_named("run_all_").unwrap();
    let poses = motion.local_pose(run, 1.0).unwrap();
    assert_near(quarters(&poses[ROOT]), 1.0, "the root is turned");
    assert_eq!(poses[TIP].position.x, 1.0, "the tip is moved");
    let missing = StudioMotion::open_any("models/woman.mdl", &file, &|_| Ok(None));
    assert_eq!(missing.findings.len(), 1);
}

#[test]
fn numbers_that_lead_nowhere_are_named() {
    let aim = SEQUENCES + VtmbSequence::SIZE;
    let look = aim + VtmbSequence::SIZE;
    let far = 1 << 20;
    let changes: [(usize, u32, &str, usize); 13] = [
        (ANIMATIONS, far, "animation name", ANIMATIONS),
        (
            ANIMATIONS + 12,
            1 << 17,
            "animation frames",
            ANIMATIONS + 12,
        ),
        (
            ANIMATIONS + 0x30,
            far,
            "animation channels",
            ANIMATIONS + 0x30,
        ),
        (CHANNELS, f32::NAN.to_bits(), "bone weight", CHANNELS),
        (SEQUENCES, far, "sequence name", SEQUENCES),
        (SEQUENCES + 4, far, "sequence activity", SEQUENCES + 4),
        (SEQUENCES + 0x14, far, "sequence events", SEQUENCES + 0x14),
        (SEQUENCES + 0x38, 2, "sequence animations", SEQUENCES + 0x38),
        (aim + 0x23C, 17, "sequence grid", aim + 0x23C),
        (aim + 0x240, 0, "sequence grid", aim + 0x23C),
        (look + 0x298, far, "sequence layers", look + 0x294),
        (LAYERS, 4, "layer sequence", LAYERS),
        (INCLUDED, far, "included model", INCLUDED),
    ];
    for (at, number, field, offset) in changes {
        let mut file = mdl();
        set32(&mut file, at, number);
        let mdl = VtmbMdl::read(&file).unwrap();
        assert_eq!(mdl.write().unwrap(), file);
        let error = mdl.motion().unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, offset as u64),
            "{error}"
        );
        assert_eq!(Format::check(&mdl).len(), 1, "{field}");
    }
    // Channels are read when they are played.
    let changes: [(usize, u32, &str); 4] = [
        (CHANNELS + 4, far, "channel run"),
        (CHANNELS + 4, u32::MAX, "channel run"),
        // A run without frames again and again: zeros.
        (CHANNELS + 4, 0, "channel run"),
        (BONES + 0x3C, f32::NAN.to_bits(), "bone channel"),
    ];
    for (at, number, field) in changes {
        let mut file = mdl();
        let zeros = file.len();
        if number == 0 {
            file.extend([0; 64]);
        }
        let number = if number == 0 {
            (zeros - CHANNELS) as u32
        } else {
            number
        };
        set32(&mut file, at, number);
        let mdl = VtmbMdl::read(&file).unwrap();
        match (mdl.poses(0, false, 3.0), number) {
            // One byte before a record is another run.
            (Ok(_), u32::MAX) => {}
            (poses, _) => assert_eq!(poses.unwrap_err().field, field),
        }
        let findings = open(&alone(file)).findings;
        assert!(findings.len() <= 1, "{findings:?}");
    }
}

#[test]
fn damaged_motions_play_or_are_refused() {
    assert_survives_mutations(&mdl(), 2_000, 64, |data| {
        let file = AnyMdl::read(data)?;
        let motion = StudioMotion::open_any("a.mdl", &file, &|_| Ok(None));
        for index in 0..motion.sequences.len() {
            let last = motion.last_frame(index);
            for frame in [0.0, 0.3 * last, last] {
                motion.local_pose(index, frame)?;
            }
        }
        Ok(())
    });
}
