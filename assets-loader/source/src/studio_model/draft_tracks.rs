//! What the bones of a drafted model do, frame by frame: numbers of 16 bits in runs, or frames one after the other.

use glam::{EulerRot, Quat};

use super::DraftSequence;

/// A bone that is none: the end of the tracks.
const NO_BONE: u8 = 255;
/// Flags of a track: it has runs of turns; it is to be added to another pose.
const TURN_RUNS: u8 = 0x8;
const ADDS: u8 = 0x10;
/// Most frames of a run.
const MAX_RUN: usize = 255;
/// Bytes before the runs of a track: its bone, flags and way to the next one, then where the runs of each axis begin.
const TRACK_HEAD: usize = 4;
const AXES_HEAD: usize = 6;
/// What is stored of the turn of a bone: nothing, once, or in each frame.
const TURN_STAYS: u8 = 0x40;
const TURN_CHANGES: u8 = 0x80;
/// Bytes before those of the bones, of which the last 12 are unused.
const FRAMES_HEAD: usize = 24;
const UNUSED: [u8; 12] = [0; 12];
/// Numbers of turns are this far from zero, and this many of their steps are 1.
const TURN_ZERO: f32 = 16384.0;
const TURN_STEPS: f32 = 23168.0;
/// The highest bit of a word.
const MARK: u16 = 0x8000;

/// For each bone and axis what its numbers are multiplied by, so that the largest turn of all sequences fits; 0 where it is
/// never turned.
pub(super) fn turn_scales(n_bones: usize, sequences: &[DraftSequence]) -> Vec<[f32; 3]> {
    let mut largest = vec![[0.0_f32; 3]; n_bones];
    for frame in sequences.iter().flat_map(|it| &it.frames) {
        for (largest, turn) in largest.iter_mut().zip(frame) {
            for (largest, turn) in largest.iter_mut().zip(turn) {
                *largest = largest.max(turn.abs());
            }
        }
    }
    let scale = |it: [f32; 3]| it.map(|largest| largest / f32::from(i16::MAX));
    largest.into_iter().map(scale).collect()
}

/// The tracks of all bones that turn in a sequence, and their end.
pub(super) fn tracks(sequence: &DraftSequence, scales: &[[f32; 3]]) -> Vec<u8> {
    let turning = (0..scales.len()).filter(|&bone| {
        let turns = sequence.frames.iter().filter_map(|frame| frame.get(bone));
        turns.flatten().any(|turn| *turn != 0.0)
    });
    let turning: Vec<usize> = turning.collect();
    let mut data = Vec::new();
    for (number, &bone) in turning.iter().enumerate() {
        let scale = scales.get(bone).copied().unwrap_or_default();
        let runs = runs(sequence, bone, scale);
        let is_last = number.saturating_add(1) == turning.len();
        let next = if is_last {
            0
        } else {
            TRACK_HEAD.saturating_add(runs.len())
        };
        // Drafts have fewer than 128 bones, and frames that 16 bits can lead over.
        let flags = TURN_RUNS | if sequence.adds { ADDS } else { 0 };
        data.extend([bone as u8, flags]);
        data.extend((next as u16).to_le_bytes());
        data.extend(runs);
    }
    if turning.is_empty() {
        data.extend([NO_BONE, 0, 0, 0]);
    }
    data.resize(data.len().next_multiple_of(4), 0);
    data
}

/// Where the runs of the three axes begin, and the runs; a bone that does not turn about an axis has none.
fn runs(sequence: &DraftSequence, bone: usize, scale: [f32; 3]) -> Vec<u8> {
    let mut starts = Vec::new();
    let mut runs = Vec::new();
    for (axis, scale) in scale.into_iter().enumerate() {
        let numbers = sequence.frames.iter().map(|frame| {
            let turn = frame.get(bone).and_then(|turn| turn.get(axis));
            // The cast saturates, and is 0 for an axis that never turns.
            (turn.copied().unwrap_or_default() / scale).round() as i16
        });
        let numbers: Vec<i16> = numbers.collect();
        if numbers.iter().all(|it| *it == 0) {
            starts.extend([0, 0]);
            continue;
        }
        let start = AXES_HEAD.saturating_add(runs.len()) as u16;
        starts.extend(start.to_le_bytes());
        for run in numbers.chunks(MAX_RUN) {
            let length = run.len() as u8;
            runs.extend([length, length]);
            runs.extend(run.iter().flat_map(|it| it.to_le_bytes()));
        }
    }
    starts.extend(runs);
    starts
}

/// Frames one after the other. A bone that never turns is not stored, one that is always turned as much is stored once.
pub(super) fn frames(frames: &[Vec<[f32; 3]>]) -> Vec<u8> {
    let n_bones = frames.first().map_or(0, Vec::len);
    let turns = |bone: usize| {
        frames
            .iter()
            .filter_map(move |frame| frame.get(bone).copied())
    };
    let flags = (0..n_bones).map(|bone| {
        let mut of_bone = turns(bone);
        match of_bone.next() {
            first if of_bone.any(|turn| Some(turn) != first) => TURN_CHANGES,
            None | Some([0.0, 0.0, 0.0]) => 0,
            Some(_) => TURN_STAYS,
        }
    });
    let flags: Vec<u8> = flags.collect();
    let of_kind = |frame: &[[f32; 3]], kind: u8| {
        let turns = frame.iter().zip(&flags).filter(|(_, it)| **it == kind);
        turns
            .flat_map(|(turn, _)| packed(*turn))
            .collect::<Vec<u8>>()
    };
    let constants = frames.first().map(|frame| of_kind(frame, TURN_STAYS));
    let constants = constants.unwrap_or_default();
    let frame_len = frames
        .first()
        .map_or(0, |it| of_kind(it, TURN_CHANGES).len());
    let constants_at = FRAMES_HEAD.saturating_add(n_bones).next_multiple_of(4);
    let frames_at = (constants_at.saturating_add(constants.len())).next_multiple_of(4);
    let mut data = Vec::new();
    for number in [constants_at, frames_at, frame_len] {
        // Drafts have fewer than 128 bones.
        data.extend((number as u32).to_le_bytes());
    }
    data.extend(UNUSED);
    data.extend(&flags);
    data.resize(constants_at, 0);
    data.extend(constants);
    data.resize(frames_at, 0);
    for frame in frames {
        data.extend(of_kind(frame, TURN_CHANGES));
    }
    data.resize(data.len().next_multiple_of(4), 0);
    data
}

/// A turn about x, then y, then z in 48 bits: the three parts after the largest one.
fn packed([x, y, z]: [f32; 3]) -> [u8; 6] {
    let mut parts = Quat::from_euler(EulerRot::ZYX, z, y, x).to_array();
    let sizes = parts.map(f32::abs);
    let largest = (0..).zip(sizes).max_by(|a, b| a.1.total_cmp(&b.1));
    let largest: usize = largest.map_or(3, |(index, _)| index);
    let first = largest.saturating_add(1) % 4;
    parts.rotate_left(first);
    let [a, b, c, last] = parts;
    let word = |part: f32, is_marked: bool| {
        // 15 bits, since none of the three is larger than the root of a half.
        let number = (part * TURN_STEPS + TURN_ZERO).round() as u16;
        if is_marked { number | MARK } else { number }
    };
    let words = [
        word(a, first & 2 != 0),
        word(b, first & 1 != 0),
        word(c, last < 0.0),
    ];
    let [[a, b], [c, d], [e, f]] = words.map(u16::to_le_bytes);
    [a, b, c, d, e, f]
}
