use glam::{Quat, Vec3};

use super::*;
use crate::mdl::Mdl;
use crate::mdl::motion::sample::{put, word};
use crate::studio_model::sample::sample;
use crate::studio_model::{DraftBone, DraftSequence, StudioDraft, StudioModel};

const TRUNK: usize = 0;
const ARM: usize = 1;

/// A sequence of a trunk and an arm that turn about z by these angles in each frame.
fn sequence(name: &str, frames: &[[f32; 2]], layers: &[SequenceLayer]) -> DraftSequence {
    let frames = frames.iter().map(|turns| turns.map(|z| [0.0, 0.0, z]));
    DraftSequence {
        name: name.to_owned(),
        fps: 10.0,
        frames: frames.map(Vec::from).collect(),
        layers: layers.to_vec(),
        ..DraftSequence::default()
    }
}

fn layer(sequence: u16, flags: u32, [start, peak, tail, end]: [f32; 4]) -> SequenceLayer {
    SequenceLayer {
        sequence,
        parameter: 0,
        flags,
        start,
        peak,
        tail,
        end,
    }
}

/// A layer that is always seen.
fn always(sequence: u16) -> SequenceLayer {
    layer(sequence, 0, [0.0; 4])
}

fn draft(sequences: Vec<DraftSequence>) -> Vec<u8> {
    let bone = |name: &str, parent, x| DraftBone {
        name: name.to_owned(),
        parent,
        place: [x, 0.0, 0.0],
    };
    let draft = StudioDraft {
        bones: vec![bone("trunk", None, 0.0), bone("arm", Some(TRUNK), 10.0)],
        sequences,
        ..sample()
    };
    StudioModel::draft(&draft).unwrap().mdl
}

fn open(sequences: Vec<DraftSequence>) -> StudioMotion {
    let mdl = Mdl::read(&draft(sequences)).unwrap();
    StudioMotion::open("a.mdl", &mdl, &|_| Ok(None))
}

/// The arm alone is turned by this.
fn of_arm(name: &str, z: f32) -> DraftSequence {
    DraftSequence {
        weights: vec![0.0, 1.0],
        ..sequence(name, &[[9.0, z]], &[])
    }
}

/// By how much trunk and arm are turned about z.
fn turns(motion: &StudioMotion, index: usize, frame: f32) -> [f32; 2] {
    let poses = motion.local_pose(index, frame).unwrap();
    [TRUNK, ARM].map(|bone| {
        let [x, y, z, w] = poses[bone].rotation.to_array();
        assert!(x.abs() < 1e-6 && y.abs() < 1e-6, "{poses:?}");
        2.0 * z.atan2(w)
    })
}

fn assert_turns(motion: &StudioMotion, index: usize, frame: f32, expected: [f32; 2]) {
    let found = turns(motion, index, frame);
    let is_near = |(a, b): (f32, f32)| (a - b).abs() < 1e-3;
    assert!(
        found.into_iter().zip(expected).all(is_near),
        "{index} {frame}: {found:?}, not {expected:?}"
    );
}

/// The trunk turns by 0.1 in a frame.
const WALK: [[f32; 2]; 5] = [[0.0, 0.2], [0.1, 0.2], [0.2, 0.2], [0.3, 0.2], [0.4, 0.2]];

#[test]
fn a_layer_is_blended_over_the_bones_that_it_moves() {
    // It comes from frame 1 to 2, and goes until the end.
    let ramp = layer(1, 0, [0.25, 0.5, 0.5, 1.0]);
    let motion = open(vec![sequence("walk", &WALK, &[ramp]), of_arm("wave", 1.2)]);
    assert_eq!(motion.findings, []);
    assert_eq!((motion.n_layers(0), motion.n_layers(1)), (1, 0));
    // The arm goes from 0.2 to 1.2; halves of turns about one axis are halves of their difference.
    for (frame, expected) in [
        (0.0, [0.0, 0.2]),
        (1.0, [0.1, 0.2]),
        (1.5, [0.15, 0.7]),
        (2.0, [0.2, 1.2]),
        (3.0, [0.3, 0.7]),
        // It stays at 0.999 of its length, where 0.002 of the layer are left.
        (4.0, [0.4, 0.202]),
    ] {
        assert_turns(&motion, 0, frame, expected);
    }
    // In the space of the model: the arm is 10 along the trunk, which is turned by 0.2, and turned by both.
    let (turn, place) = motion.pose(0, 2.0).unwrap()[ARM];
    assert!(turn.abs_diff_eq(Quat::from_rotation_z(1.4), 1e-3), "{turn}");
    let expected = Vec3::new(10.0 * 0.2_f32.cos(), 10.0 * 0.2_f32.sin(), 0.0);
    assert!(place.abs_diff_eq(expected, 1e-2), "{place}");
}

#[test]
fn a_layer_that_adds_is_added() {
    let nod = DraftSequence {
        adds: true,
        ..of_arm("nod", 0.5)
    };
    let half = layer(1, 0, [0.0, 0.5, 1.0, 1.0]);
    let motion = open(vec![sequence("walk", &WALK, &[half]), nod]);
    assert_turns(&motion, 0, 0.0, [0.0, 0.2]);
    assert_turns(&motion, 0, 1.0, [0.1, 0.45]);
    assert_turns(&motion, 0, 2.0, [0.2, 0.7]);
    // What adds moves a bone as much as it says, and nowhere else.
    let poses = motion.local_pose(0, 2.0).unwrap();
    assert_eq!(poses[ARM].position, Vec3::new(10.0, 0.0, 0.0));
    assert_turns(&motion, 1, 0.0, [0.0, 0.5]);
}

#[test]
fn a_layer_runs_through_its_own_frames_while_it_is_seen() {
    let wave = DraftSequence {
        weights: vec![0.0, 1.0],
        ..sequence("wave", &[[0.0, 0.0], [0.0, 1.0]], &[])
    };
    // It is seen in the second half, and runs through all of its frames there.
    let late = layer(1, 0, [0.5, 0.5, 1.0, 1.0]);
    let motion = open(vec![sequence("walk", &WALK, &[late]), wave]);
    assert_turns(&motion, 0, 1.0, [0.1, 0.2]);
    assert_turns(&motion, 0, 2.0, [0.2, 0.0]);
    assert_turns(&motion, 0, 3.0, [0.3, 0.5]);
    // The last frame shows the end of the layer, but for 0.002 of it.
    assert_turns(&motion, 0, 4.0, [0.4, 0.998]);
}

#[test]
fn a_loop_ends_as_it_begins() {
    let early = layer(1, 0, [0.0, 0.0, 0.25, 0.5]);
    let walk = DraftSequence {
        loops: true,
        ..sequence("walk", &WALK, &[early])
    };
    let motion = open(vec![walk, of_arm("wave", 1.2)]);
    assert_turns(&motion, 0, 0.0, [0.0, 1.2]);
    assert_turns(&motion, 0, 3.0, [0.3, 0.2]);
    assert_turns(&motion, 0, 4.0, [0.4, 1.2]);
}

#[test]
fn layers_have_layers() {
    // The weight of a layer is that of its own layers, too.
    let wave = DraftSequence {
        layers: vec![always(2)],
        ..of_arm("wave", 1.2)
    };
    let half = layer(1, 0, [0.0, 0.5, 1.0, 1.0]);
    let motion = open(vec![
        sequence("walk", &WALK, &[half]),
        wave,
        of_arm("point", 2.0),
    ]);
    assert_eq!(motion.n_layers(0), 2);
    // A half of the way from 0.2 to 1.2, and from there to 2.
    assert_turns(&motion, 0, 1.0, [0.1, 1.35]);
    assert_turns(&motion, 0, 2.0, [0.2, 2.0]);
}

#[test]
fn a_local_layer_is_part_of_its_sequence() {
    let local = |flags| {
        let wave = DraftSequence {
            layers: vec![layer(2, flags, [0.0; 4])],
            weights: vec![1.0, 0.0],
            ..sequence("wave", &[[1.0, 0.0]], &[])
        };
        open(vec![
            sequence("walk", &WALK, &[always(1)]),
            wave,
            of_arm("point", 2.0),
        ])
    };
    // It moves the arm, which the sequence that it is laid over leaves as it is.
    assert_turns(&local(0), 0, 1.0, [1.0, 2.0]);
    assert_turns(&local(0x1000), 0, 1.0, [1.0, 0.2]);
}

#[test]
fn drafts_name_layers_and_weights_that_are_there() {
    let refused = |sequence: DraftSequence| {
        let draft = StudioDraft {
            bones: vec![DraftBone::default(); 2],
            sequences: vec![sequence],
            ..sample()
        };
        StudioModel::draft(&draft).is_err()
    };
    let walk = |layers: &[SequenceLayer], weights: &[f32]| DraftSequence {
        weights: weights.to_vec(),
        ..sequence("walk", &WALK, layers)
    };
    assert!(!refused(walk(&[always(0)], &[0.0, 1.0])));
    assert!(refused(walk(&[always(1)], &[])));
    assert!(refused(walk(&[], &[1.0])));
}

#[test]
fn layers_that_never_end_are_findings() {
    let back = |to: u16| sequence("walk", &WALK, &[always(to)]);
    let named = |name: &str, it: DraftSequence| DraftSequence {
        name: name.to_owned(),
        ..it
    };
    let refused = |motion: &StudioMotion| -> Vec<String> {
        let all = motion.findings.iter();
        let names = all.map(|it| it.message.split(' ').nth(4).unwrap().to_owned());
        names.collect()
    };
    let circle = open(vec![
        named("a", back(1)),
        named("b", back(0)),
        named("c", back(2)),
    ]);
    assert_eq!(refused(&circle), ["a", "b", "c"]);
    assert_turns(&circle, 0, 1.0, [0.1, 0.2]);
    assert_eq!(circle.n_layers(0), 0);
    // A chain of ten: the first two have more upon each other than are played.
    let mut chain: Vec<_> = (1..10)
        .map(|next| named(&format!("s{}", next - 1), back(next)))
        .collect();
    chain.push(named("s9", sequence("", &WALK, &[])));
    let chain = open(chain);
    assert_eq!(refused(&chain), ["s0"]);
    assert_eq!((chain.n_layers(0), chain.n_layers(1)), (0, 8));
    // Each of five levels plays the next one four times.
    let mut tree: Vec<_> = (1..6)
        .map(|next| {
            let layers = [always(next); 4];
            sequence(&format!("t{}", next - 1), &WALK, &layers)
        })
        .collect();
    tree.push(sequence("t5", &WALK, &[]));
    let tree = open(tree);
    assert_eq!(refused(&tree), ["t0", "t1", "t2"]);
    assert_eq!((tree.n_layers(3), tree.n_layers(4)), (20, 4));
}

#[test]
fn layers_of_declared_sequences_are_those_of_included_models() {
    let mut data = draft(vec![
        sequence("walk", &WALK, &[always(1)]),
        sequence("wave", &[[0.0; 2]], &[]),
    ]);
    // The second sequence is only declared, and a model is included.
    let wave = word(&data, 0xC0) + 212;
    put(&mut data, wave + 12, 0x800);
    for at in [56, 68, 72] {
        put(&mut data, wave + at, 0);
    }
    let label = data.len() as i32;
    data.extend(b"\0more.mdl\0\0\0");
    let row = data.len() as i32;
    data.extend((label - row).to_le_bytes());
    data.extend((label + 1 - row).to_le_bytes());
    put(&mut data, 0x150, 1);
    put(&mut data, 0x154, row);
    let len = data.len() as i32;
    put(&mut data, 76, len);
    let mdl = Mdl::read(&data).unwrap();

    let more = draft(vec![of_arm("other", 0.0), of_arm("WAVE", 1.2)]);
    let whole = StudioMotion::open("a.mdl", &mdl, &|name| {
        Ok((name == "more.mdl").then(|| more.clone()))
    });
    assert_eq!(whole.findings, []);
    let names = (0..whole.sequences.len()).map(|it| &*whole.sequence(it).unwrap().name);
    assert_eq!(names.collect::<Vec<_>>(), ["walk", "WAVE", "other"]);
    assert_turns(&whole, 0, 1.0, [0.1, 1.2]);
    assert!(whole.facts(0).ends_with("lays wave over it"));

    let alone = StudioMotion::open("a.mdl", &mdl, &|_| Ok(None));
    assert_eq!(alone.findings.len(), 1, "the included model is missing");
    assert_turns(&alone, 0, 1.0, [0.1, 0.2]);
    assert_eq!(alone.idle(), Some(0));
    assert_eq!(alone.last_frame(1), 0.0);
}

/// Two frames of a tenth of a second; the arm is turned by 0, 0.6 and 1.2.
fn wave() -> DraftSequence {
    DraftSequence {
        weights: vec![0.0, 1.0],
        ..sequence("wave", &[[0.0, 0.0], [0.0, 0.6], [0.0, 1.2]], &[])
    }
}

fn set_flags(motion: &mut StudioMotion, index: usize, flags: u32) {
    motion.sources[0].motion.sequences[index].flags |= flags;
}

#[test]
fn a_layer_can_be_where_the_time_says() {
    let mut motion = open(vec![sequence("walk", &WALK, &[always(1)]), wave()]);
    // By the share of what lays it over itself: a quarter of its length is half of a frame.
    assert_turns(&motion, 0, 1.0, [0.1, 0.3]);
    set_flags(&mut motion, 1, 0x100);
    for (frame, arm) in [(0.0, 0.0), (0.5, 0.3), (1.0, 0.6), (2.0, 0.0), (3.0, 0.6)] {
        assert_turns(&motion, 0, frame, [frame / 10.0, arm]);
    }
}

#[test]
fn what_plays_always_is_laid_over_all_others() {
    let mut motion = open(vec![
        sequence("walk", &WALK, &[]),
        wave(),
        sequence("rest", &[[0.0, 0.2]], &[]),
    ]);
    set_flags(&mut motion, 1, 0x8);
    assert_turns(&motion, 0, 1.0, [0.1, 0.2]);
    motion.resolve_always();
    assert_eq!(motion.findings, []);
    assert_eq!([0, 1, 2].map(|it| motion.n_layers(it)), [1, 1, 1]);
    for (frame, arm) in [(0.0, 0.0), (0.5, 0.3), (1.0, 0.6), (2.0, 0.0), (3.0, 0.6)] {
        assert_turns(&motion, 0, frame, [frame / 10.0, arm]);
    }
    // By itself it is where it is shown, and not laid over itself.
    assert_turns(&motion, 1, 2.0, [0.0, 1.2]);
    assert_turns(&motion, 2, 0.0, [0.0, 0.0]);
    let name = |index| DraftSequence {
        name: format!("wave_{index}"),
        ..wave()
    };
    let mut many = open((0..65).map(name).collect());
    for index in 0..65 {
        set_flags(&mut many, index, 0x8);
    }
    many.resolve_always();
    assert_eq!((many.findings.len(), many.n_layers(0)), (1, 0));
}
