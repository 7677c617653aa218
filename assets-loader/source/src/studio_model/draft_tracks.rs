//! What the bones of a drafted model do, frame by frame: numbers of 16 bits in runs.

use super::DraftSequence;

/// A bone that is none: the end of the tracks.
const NO_BONE: u8 = 255;
/// Flag of a track: it has runs of turns.
const TURN_RUNS: u8 = 0x8;
/// Most frames of a run.
const MAX_RUN: usize = 255;
/// Bytes before the runs of a track: its bone, flags and way to the next one, then where the runs of each axis begin.
const TRACK_HEAD: usize = 4;
const AXES_HEAD: usize = 6;

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
        data.extend([bone as u8, TURN_RUNS]);
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
