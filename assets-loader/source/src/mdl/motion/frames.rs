//! Animations that are stored frame by frame, as compilers of version 49 do it: for each bone what is stored, then the
//! numbers that stay, then frame after frame those that change. Layout as `studio.h` of the Alien Swarm SDK has it, and later
//! ways to store turns and places as files of later games have them.
//!
//! Numbers are where a bone is, or what is to be added, not steps from rest.

#[cfg(test)]
mod tests;

use super::BonePose;
use super::packed::{place_48, place_96, turn_48, turn_48_sorted};
use ironlands_assets_core::bytes::{FormatError, Reader};

/// What is stored of a bone, as bits of its byte. What is in the frames goes before what stays.
const TURN_STAYS: u8 = 0x02;
const TURN_CHANGES: u8 = 0x08;
const SORTED_TURN_STAYS: u8 = 0x40;
const SORTED_TURN_CHANGES: u8 = 0x80;
const PLACE_STAYS: u8 = 0x01;
const PLACE_CHANGES: u8 = 0x04;
const WIDE_PLACE_STAYS: u8 = 0x20;
const WIDE_PLACE_CHANGES: u8 = 0x10;
/// Two offsets, the length of a frame, and three unused words; the bytes of the bones follow.
const HEAD_SIZE: usize = 24;

/// Moves bones to where they are in a frame. A bone of which nothing is stored stays where it is.
///
/// # Errors
/// Offsets backward or out of the file, and numbers that a frame or the file is too short for.
pub(super) fn read_frame(
    whole: &Reader<'_>,
    at: usize,
    frame: usize,
    poses: &mut [BonePose],
) -> Result<(), FormatError> {
    let mut head = whole.sub("frames", at, HEAD_SIZE)?;
    let constants_at = at.saturating_add(length(&mut head, "constants of frames")?);
    let frames_at = at.saturating_add(length(&mut head, "first frame")?);
    let frame_len = length(&mut head, "frame length")?;
    let flags_at = at.saturating_add(HEAD_SIZE);
    let mut flags = whole.sub("frame flags", flags_at, poses.len())?;
    let n_left = whole.remaining().saturating_sub(constants_at);
    let mut constants = whole.sub("constants of frames", constants_at, n_left)?;
    let frame_at = frames_at.saturating_add(frame.saturating_mul(frame_len));
    let mut changing = whole.sub("frame", frame_at, frame_len)?;
    for pose in poses {
        let stored = Stored(flags.u8("frame flags")?);
        pose.rotation = match stored.turn(&mut changing, &mut constants) {
            Some(turn) => turn?,
            None => pose.rotation,
        };
        pose.position = match stored.place(&mut changing, &mut constants) {
            Some(place) => place?,
            None => pose.position,
        };
    }
    Ok(())
}

/// An offset from the start, or a length.
fn length(r: &mut Reader<'_>, field: &'static str) -> Result<usize, FormatError> {
    let at = r.clone();
    let length = r.i32(field)?;
    usize::try_from(length).map_err(|_| at.unexpected(field, "0 or more", length))
}

/// What is stored of a bone.
#[derive(Debug, Clone, Copy)]
struct Stored(u8);

type Taken<T> = Option<Result<T, FormatError>>;

impl Stored {
    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    fn turn(self, changing: &mut Reader<'_>, constants: &mut Reader<'_>) -> Taken<glam::Quat> {
        const FIELD: &str = "frame turn";
        if self.has(TURN_CHANGES) {
            Some(turn_48(changing, FIELD))
        } else if self.has(SORTED_TURN_CHANGES) {
            Some(turn_48_sorted(changing, FIELD))
        } else if self.has(TURN_STAYS) {
            Some(turn_48(constants, FIELD))
        } else if self.has(SORTED_TURN_STAYS) {
            Some(turn_48_sorted(constants, FIELD))
        } else {
            None
        }
    }

    fn place(self, changing: &mut Reader<'_>, constants: &mut Reader<'_>) -> Taken<glam::Vec3> {
        const FIELD: &str = "frame place";
        if self.has(PLACE_CHANGES) {
            Some(place_48(changing, FIELD))
        } else if self.has(PLACE_STAYS) {
            Some(place_48(constants, FIELD))
        } else if self.has(WIDE_PLACE_CHANGES) {
            Some(place_96(changing, FIELD))
        } else if self.has(WIDE_PLACE_STAYS) {
            Some(place_96(constants, FIELD))
        } else {
            None
        }
    }
}
