//! Drafts whose animations are stored frame by frame.

use ironlands_assets_proof::{assert_survives_mutations, set32};

use super::*;

const STORED: [FrameStorage; 3] = [
    FrameStorage::Runs,
    FrameStorage::Frames { section_frames: 0 },
    FrameStorage::Frames { section_frames: 7 },
];

/// One bone that never turns, one that is always turned as much, and one that turns on and on.
fn turns(frame: usize) -> Vec<[f32; 3]> {
    let at = frame as f32;
    vec![
        [0.0; 3],
        [0.4, -1.0, 2.5],
        [0.01 * at, -0.05 * at, 0.09 * at],
    ]
}

fn files(storage: FrameStorage, n_frames: usize) -> StudioFiles {
    let bone = |name: &str, parent| DraftBone {
        name: name.to_owned(),
        parent,
        place: [1.0, 2.0, 3.0],
    };
    let draft = StudioDraft {
        bones: vec![
            bone("trunk", None),
            bone("arm", Some(0)),
            bone("hand", Some(1)),
        ],
        sequences: vec![DraftSequence {
            name: "wave".to_owned(),
            fps: 20.0,
            frames: (0..n_frames).map(turns).collect(),
            storage,
            ..DraftSequence::default()
        }],
        ..sample()
    };
    StudioModel::draft(&draft).unwrap()
}

fn motion(mdl: &[u8]) -> StudioMotion {
    StudioMotion::open("a.mdl", &Mdl::read(mdl).unwrap(), &|_| Ok(None))
}

#[test]
fn frames_and_runs_and_sections_play_the_same() {
    // 29 frames are 4 sections of 7 and one more; 28 end with a section; 6 are less than one.
    for n_frames in [1, 6, 7, 8, 28, 29] {
        for storage in STORED {
            let files = files(storage, n_frames);
            let mdl = Mdl::read(&files.mdl).unwrap();
            assert_eq!(mdl.write().unwrap(), files.mdl);
            let is_new = storage != FrameStorage::Runs;
            assert_eq!(mdl.header.version, if is_new { 49 } else { 48 });
            assert!(assemble(&files).is_ok());
            let motion = motion(&files.mdl);
            assert_eq!(motion.findings, [], "{storage:?}");
            for frame in 0..n_frames {
                let poses = motion.local_pose(0, frame as f32).unwrap();
                for (pose, [x, y, z]) in poses.iter().zip(turns(frame)) {
                    let expected = Quat::from_rotation_z(z)
                        * Quat::from_rotation_y(y)
                        * Quat::from_rotation_x(x);
                    // 15 bits for a number from -0.7 to 0.7; both signs of a quaternion are one turn.
                    let is_near = pose.rotation.dot(expected).abs() > 1.0 - 1e-6;
                    assert!(is_near, "{storage:?} {frame}: {pose:?} {expected}");
                    assert_eq!(pose.position.to_array(), [1.0, 2.0, 3.0]);
                }
            }
        }
    }
}

#[test]
fn a_time_between_two_sections_lies_between_their_frames() {
    let motion = motion(&files(STORED[2], 29).mdl);
    for frame in [6.5, 13.25, 27.5] {
        let pose = motion.local_pose(0, frame).unwrap()[2];
        let [before, after] = [frame.floor(), frame.ceil()]
            .map(|frame| motion.local_pose(0, frame).unwrap()[2].rotation);
        let expected = before.lerp(after, frame.fract());
        assert!(pose.rotation.abs_diff_eq(expected, 1e-6), "{frame}");
    }
}

#[test]
fn broken_frames_are_findings_and_errors_where_they_are() {
    let sound = files(STORED[1], 5).mdl;
    let animation = mdl_offset_of(&sound, 0xB8);
    let frames = animation + mdl_offset_of(&sound, animation + 56);
    for (at, field) in [
        (animation + 56, "animation place"),
        (frames, "constants of frames"),
        (frames + 4, "frame"),
        (frames + 8, "frame"),
    ] {
        let mut mdl = sound.clone();
        set32(&mut mdl, at, 0x7FFF_FFF0);
        let motion = motion(&mdl);
        let [finding] = &motion.findings[..] else {
            panic!("{:?}", motion.findings)
        };
        assert!(finding.message.contains(field), "{at}: {finding:?}");
        assert_eq!(motion.local_pose(0, 4.0).unwrap_err().field, field);
    }
    let sections = files(STORED[2], 29).mdl;
    let animation = mdl_offset_of(&sections, 0xB8);
    let table = animation + mdl_offset_of(&sections, animation + 80);
    let mut mdl = sections.clone();
    set32(&mut mdl, table + 2 * 8 + 4, 0x7FFF_FFF0);
    let motion = motion(&mdl);
    assert!(motion.local_pose(0, 13.0).is_ok());
    assert!(motion.local_pose(0, 14.0).is_err());
    assert!(motion.local_pose(0, 21.0).is_ok());
}

fn mdl_offset_of(mdl: &[u8], field: usize) -> usize {
    u32::from_le_bytes(mdl[field..field + 4].try_into().unwrap()) as usize
}

#[test]
fn damaged_frames_never_panic() {
    for storage in STORED {
        assert_survives_mutations(&files(storage, 20).mdl, 500, 256, |data| {
            let motion = StudioMotion::open("a.mdl", &Mdl::read(data)?, &|_| Ok(None));
            for frame in [0.0, 6.5, 19.0] {
                motion.local_pose(0, frame)?;
            }
            Ok(())
        });
    }
}
