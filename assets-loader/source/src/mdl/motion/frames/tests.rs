use glam::{Quat, Vec3};
use ironlands_assets_core::bytes::FormatErrorKind;
use ironlands_assets_proof::{assert_refuses_every_truncation, assert_survives_mutations, hex};

use super::*;

/// Five bones and two frames, typed by hand: the first and the fourth bone change, the second and the fifth stay, and of the
/// third nothing is stored.
const TWO_FRAMES: &str = "
    20 00 00 00  40 00 00 00  1E 00 00 00  00 00 00 00 00 00 00 00 00 00 00 00
    84 22 00 18 41  00 00 00
    00 C0 00 40 00 E0  00 00 80 3F 00 00 00 C0 00 00 00 3F
    00 40 00 40 4D 76  00 3C 00 C0 00 34  00 00
    00 40 4D F6 00 C0  00 00 00 44 00 B8
    00 80 00 80 00 40  00 00 00 41 00 00 00 00 00 00 80 BF
    00 C0 00 C0 4D 76  00 40 00 40 00 40
    00 80 00 80 00 C0  00 00 00 00 00 00 00 00 00 00 80 41";
const N_BONES: usize = 5;

fn read(data: &[u8], frame: usize) -> Result<[BonePose; N_BONES], FormatError> {
    let mut poses = [BonePose::NOTHING; N_BONES];
    read_frame(&Reader::new("mdl", data), 0, frame, &mut poses)?;
    Ok(poses)
}

fn assert_is(pose: BonePose, turn: [f32; 4], place: [f32; 3]) {
    let turn = Quat::from_array(turn);
    assert!(pose.rotation.abs_diff_eq(turn, 5e-5), "{pose:?}");
    assert_eq!(pose.position, Vec3::from(place));
}

#[test]
fn bones_are_where_the_bytes_say() {
    let data = hex(TWO_FRAMES);
    let [a, b, c, d, e] = read(&data, 0).unwrap();
    assert_is(a, [-0.8, 0.0, 0.6, 0.0], [0.0, 4.0, -0.5]);
    assert_is(b, [0.5, -0.5, 0.5, -0.5], [1.0, -2.0, 0.5]);
    assert_eq!(c, BonePose::NOTHING);
    assert_is(d, [0.0, 0.0, 0.0, 1.0], [8.0, 0.0, -1.0]);
    assert_is(e, [0.0, 0.0, 0.6, 0.8], [1.0, -2.0, 0.25]);
    let next = read(&data, 1).unwrap();
    assert_is(next[0], [0.0, 0.6, 0.8, 0.0], [2.0, 2.0, 2.0]);
    assert_is(next[3], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 16.0]);
    assert_eq!((next[1], next[2], next[4]), (b, c, e), "they stay");
}

#[test]
fn frames_may_lie_anywhere() {
    let mut data = hex("FF FF FF");
    data.extend(hex(TWO_FRAMES));
    let mut poses = [BonePose::NOTHING; N_BONES];
    read_frame(&Reader::new("mdl", &data), 3, 1, &mut poses).unwrap();
    assert_eq!(poses, read(&hex(TWO_FRAMES), 1).unwrap());
}

#[test]
fn a_bone_without_numbers_stays_where_it_is() {
    let kept = BonePose {
        position: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
    };
    let mut poses = [kept; N_BONES];
    read_frame(&Reader::new("mdl", &hex(TWO_FRAMES)), 0, 0, &mut poses).unwrap();
    assert_eq!(poses[2], kept);
    assert_ne!(poses[1], kept);
}

#[test]
fn the_largest_part_of_a_turn_may_be_any() {
    for (bytes, turn) in [
        ("00 40 00 40 4D 76", [0.0, 0.0, 0.6, 0.8]),
        ("4D 76 00 C0 00 40", [0.8, 0.6, 0.0, 0.0]),
        ("00 C0 4D 76 00 C0", [0.0, -0.8, 0.0, 0.6]),
        ("4D F6 00 C0 00 C0", [0.0, 0.0, -0.8, 0.6]),
    ] {
        let found = turn_48_sorted(&mut Reader::new("mdl", &hex(bytes)), "turn").unwrap();
        assert!(
            found.abs_diff_eq(Quat::from_array(turn), 5e-5),
            "{bytes}: {found}"
        );
    }
}

#[test]
fn of_several_kinds_the_one_in_the_frames_counts() {
    // Turns of all four kinds, places of all four: 6 bytes each in the frame, none of the constants.
    let data = hex("
        1C 00 00 00  1C 00 00 00  0C 00 00 00  00 00 00 00 00 00 00 00 00 00 00 00  FF 00 00 00
        00 80 00 80 00 C0  00 3C 00 3C 00 3C");
    let mut poses = [BonePose::NOTHING];
    read_frame(&Reader::new("mdl", &data), 0, 0, &mut poses).unwrap();
    assert_is(poses[0], [0.0, 0.0, 0.0, -1.0], [1.0; 3]);
}

#[test]
fn damage_is_refused_where_it_is() {
    let refused = |at: usize, bytes: &[u8]| {
        let mut data = hex(TWO_FRAMES);
        data[at..at + bytes.len()].copy_from_slice(bytes);
        let error = read(&data, 1).unwrap_err();
        (error.field.into_owned(), error.offset)
    };
    let negative = (-1_i32).to_le_bytes();
    let far = i32::MAX.to_le_bytes();
    for (at, bytes, field, offset) in [
        (0, &negative[..], "constants of frames", 0),
        (4, &negative, "first frame", 4),
        (8, &negative, "frame length", 8),
        (0, &far, "constants of frames", 0x7FFF_FFFF),
        (4, &far, "frame", 0x7FFF_FFFF + 30),
        (8, &far, "frame", 64 + 0x7FFF_FFFF),
        // A frame is too short for its bones, and a place is no number.
        (8, &[29], "frame place", 64 + 29 + 26),
        (64 + 30 + 6, &[0, 0x7E], "frame place", 64 + 30 + 6),
        (32 + 6, &[0, 0, 0x80, 0x7F], "frame place", 32 + 6),
    ] {
        assert_eq!(refused(at, bytes), (field.to_owned(), offset), "{at}");
    }
    // The constants end with the file: those that are missing are named.
    let data = hex("18 00 00 00 18 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02");
    let error = read_frame(
        &Reader::new("mdl", &data),
        0,
        0,
        &mut [BonePose::NOTHING; 1],
    )
    .unwrap_err();
    let FormatErrorKind::Truncated { needed, .. } = error.kind else {
        panic!("{error}")
    };
    assert_eq!((&*error.field, needed), ("frame turn", 2));
}

#[test]
fn what_is_cut_off_is_refused() {
    assert_refuses_every_truncation(&hex(TWO_FRAMES), |data| read(data, 1).map(drop));
}

#[test]
fn damaged_frames_are_errors_or_poses() {
    assert_survives_mutations(&hex(TWO_FRAMES), 5_000, 64, |data| {
        for frame in [0, 1, 65_535, usize::MAX] {
            read(data, frame)?;
        }
        Ok(())
    });
}
