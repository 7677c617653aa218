//! A model whose only bone turns and moves, for tests.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "fixtures say by their names what they are"
)]

use crate::studio_model::sample::sample_files;

/// Numbers of the turn about z are multiplied by this, those of the place along x by the other.
pub const TURN_SCALE: f32 = 0.01;
pub const PLACE_SCALE: f32 = 0.5;
/// What the track stores, of 5 frames: the turn about z, of which the last stays, and the place along x.
pub const TURNS: [i16; 3] = [0, 100, 200];
pub const PLACE: i16 = 10;
pub const N_FRAMES: i32 = 5;
pub const FPS: f32 = 30.0;

/// How tracks are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Runs,
    /// A turn of 48 bits: x, y, z.
    Turn48([u16; 3]),
    /// A turn of 64 bits.
    Turn64(u64),
    /// These bytes, as an animation that is stored frame by frame.
    Frames(&'static [u8]),
}

/// The MDL of the sample with an animation `spin` and the sequence `turn` of it, an event, and a pose parameter.
pub fn moving(kind: Kind) -> Vec<u8> {
    let mut mdl = sample_files().mdl;
    let bone = word(&mdl, 160);
    put_f32(&mut mdl, bone + 72, PLACE_SCALE);
    put_f32(&mut mdl, bone + 84 + 8, TURN_SCALE);
    let animation = add_text_row(&mut mdl, 100, &[(4, "spin")]);
    put_f32(&mut mdl, animation + 8, FPS);
    put(&mut mdl, animation + 16, N_FRAMES);
    if matches!(kind, Kind::Frames(_)) {
        put(&mut mdl, animation + 12, 0x40);
    }
    let track = mdl.len();
    put(&mut mdl, animation + 56, (track - animation) as i32);
    mdl.extend(track_of(kind));
    let sequence = add_text_row(&mut mdl, 212, &[(4, "turn"), (8, "ACT_TURN")]);
    put(&mut mdl, sequence + 12, 1);
    put(&mut mdl, sequence + 56, 1);
    for (at, number) in [(68, 1), (72, 1), (76, -1), (80, -1)] {
        put(&mut mdl, sequence + at, number);
    }
    lead(&mut mdl, sequence + 60, sequence);
    mdl.extend([0, 0, 0, 0]);
    let event = add_text_row(&mut mdl, 80, &[(76, "AE_STEP")]);
    put_f32(&mut mdl, event, 0.5);
    mdl[event + 12..event + 16].copy_from_slice(b"left");
    put(&mut mdl, sequence + 24, 1);
    put(&mut mdl, sequence + 28, (event - sequence) as i32);
    let parameter = add_text_row(&mut mdl, 20, &[(0, "move_yaw")]);
    put_f32(&mut mdl, parameter + 8, -180.0);
    put_f32(&mut mdl, parameter + 12, 180.0);
    for (at, row) in [(0xB4, animation), (0xBC, sequence), (0x12C, parameter)] {
        put(&mut mdl, at, 1);
        put(&mut mdl, at + 4, row as i32);
    }
    let len = mdl.len() as i32;
    put(&mut mdl, 76, len);
    mdl
}

fn track_of(kind: Kind) -> Vec<u8> {
    let mut track = vec![0];
    match kind {
        Kind::Frames(bytes) => track = bytes.to_vec(),
        Kind::Runs => {
            track.extend([0x0C, 0, 0]);
            // Offsets of the runs: none about x and y; of the place those along x.
            for offset in [0, 0, 12u16, 14, 0, 0] {
                track.extend(offset.to_le_bytes());
            }
            track.extend([3, N_FRAMES as u8]);
            for turn in TURNS {
                track.extend(turn.to_le_bytes());
            }
            track.extend([1, N_FRAMES as u8]);
            track.extend(PLACE.to_le_bytes());
        }
        Kind::Turn48(words) => {
            track.extend([0x02, 0, 0]);
            track.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        Kind::Turn64(bits) => {
            track.extend([0x20, 0, 0]);
            track.extend(bits.to_le_bytes());
        }
    }
    track.resize(track.len().next_multiple_of(4), 0);
    track
}

/// Appends texts and a row of zeros that leads to them, at the fields given.
pub fn add_text_row(mdl: &mut Vec<u8>, size: usize, texts: &[(usize, &str)]) -> usize {
    let places: Vec<usize> = texts
        .iter()
        .map(|(_, text)| {
            let at = mdl.len();
            mdl.extend(text.bytes().chain([0]));
            at
        })
        .collect();
    mdl.resize(mdl.len().next_multiple_of(4), 0);
    let row = mdl.len();
    mdl.resize(row + size, 0);
    for ((field, _), text) in texts.iter().zip(places) {
        put(mdl, row + field, text as i32 - row as i32);
    }
    row
}

fn lead(mdl: &mut [u8], field: usize, from: usize) {
    let offset = (mdl.len() - from) as i32;
    put(mdl, field, offset);
}

pub fn put(mdl: &mut [u8], at: usize, number: i32) {
    mdl[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

pub fn put_f32(mdl: &mut [u8], at: usize, number: f32) {
    mdl[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

pub fn word(mdl: &[u8], at: usize) -> usize {
    let bytes: [u8; 4] = mdl[at..at + 4].try_into().unwrap();
    u32::from_le_bytes(bytes) as usize
}
