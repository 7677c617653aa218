//! What moves the model of the tests, byte by byte from the public documents: two animations of two bones, and four
//! sequences of them.

use super::{BoneChannels, VtmbAnimation, VtmbSequence};
use crate::vtmb_mdl::sample::{ATTACHMENTS, BONES, text};
use crate::vtmb_vtx::sample::Bytes;

/// Where tables of the sample begin.
pub(crate) const CONTROLLERS: usize = ATTACHMENTS + 60;
pub(crate) const ANIMATIONS: usize = CONTROLLERS + 24;
pub(crate) const SEQUENCES: usize = ANIMATIONS + 2 * VtmbAnimation::SIZE;
pub(crate) const GROUPS: usize = SEQUENCES + 4 * VtmbSequence::SIZE;
pub(crate) const PARAMETERS: usize = GROUPS + 16;
pub(crate) const INCLUDED: usize = PARAMETERS + 20;
pub(crate) const CHANNELS: usize = INCLUDED + 116;
pub(crate) const RUNS: usize = CHANNELS + 4 * BoneChannels::SIZE;
pub(crate) const EVENTS: usize = RUNS + 28;
pub(crate) const LAYERS: usize = EVENTS + 76;
pub(crate) const END: usize = LAYERS + 4;

/// Runs: of the place of the first bone along x, and of z and w of the turn of the second one.
const PLACE_X: usize = RUNS;
const TURN_Z: usize = RUNS + 8;
const TURN_W: usize = RUNS + 18;
/// The root of a half, of 32768.
const HALF: i16 = 23170;
/// What numbers are multiplied by.
pub(crate) const PLACE_SCALE: f32 = 0.5;
const TURN_SCALE: f32 = 1.0 / 32768.0;

/// Puts it into a file.
pub(crate) fn add_motion(file: &mut Bytes) {
    let header = [
        (248, [1, CONTROLLERS]),
        (264, [2, ANIMATIONS]),
        (272, [4, SEQUENCES]),
        (284, [1, GROUPS]),
        (384, [1, PARAMETERS]),
        (404, [1, INCLUDED]),
    ];
    for (at, place) in header {
        file.words(at, &place.map(|it| it as i32));
    }
    file.words(CONTROLLERS, &[1, 8]);
    file.floats(CONTROLLERS + 8, &[-45.0, 45.0]);
    text(file, GROUPS, GROUPS, "default");
    text(file, PARAMETERS, PARAMETERS, "move_yaw");
    file.floats(PARAMETERS + 8, &[-180.0, 180.0, 360.0]);
    text(file, INCLUDED, INCLUDED, r"models\shared.mdl");
    file.words(INCLUDED + 20, &[-1; 24]);
    animations(file);
    sequences(file);
}

/// `walk` of 4 frames, and `nod` of one, which does not move the first bone, and the second one by half.
fn animations(file: &mut Bytes) {
    file.floats(BONES + 0x3C, &[PLACE_SCALE]);
    file.floats(BONES + 160 + 0x50, &[TURN_SCALE, TURN_SCALE]);
    let rows = [("walk", 10.0, 4), ("nod", 30.0, 1)];
    for (index, (name, fps, n_frames)) in rows.into_iter().enumerate() {
        let at = ANIMATIONS + index * VtmbAnimation::SIZE;
        let channels = CHANNELS + index * 2 * BoneChannels::SIZE;
        text(file, at, at, name);
        file.floats(at + 4, &[fps]);
        file.words(at + 12, &[n_frames]);
        file.words(at + 0x30, &[(channels - at) as i32]);
    }
    let weights = [1.0, 1.0, 0.0, 0.5];
    for (index, weight) in weights.into_iter().enumerate() {
        file.floats(CHANNELS + index * BoneChannels::SIZE, &[weight]);
    }
    let channels = [(0, 0, PLACE_X), (1, 5, TURN_Z), (1, 6, TURN_W)];
    let of_nod = [(3, 5, TURN_Z), (3, 6, TURN_W)];
    for (bone, channel, run) in channels.into_iter().chain(of_nod) {
        let at = CHANNELS + bone * BoneChannels::SIZE;
        file.words(at + 4 + channel * 4, &[(run - at) as i32]);
    }
    // How many numbers and how many frames, then the numbers, of which the last one stays.
    let runs: [(usize, &[u8; 2], &[i16]); 5] = [
        (PLACE_X, &[3, 4], &[0, 2, 4]),
        (TURN_Z, &[1, 1], &[0]),
        (TURN_Z + 4, &[2, 3], &[HALF, -HALF]),
        (TURN_W, &[1, 1], &[i16::MAX]),
        (TURN_W + 4, &[1, 3], &[HALF]),
    ];
    for (at, head, numbers) in runs {
        file.put(at, head);
        let words: Vec<u16> = numbers.iter().map(|it| it.cast_unsigned()).collect();
        file.shorts(at + 2, &words);
    }
}

/// One that loops, one that blends both animations, one that lays the last one over itself, and that one.
fn sequences(file: &mut Bytes) {
    let rows = [
        ("walk_all", "ACT_WALK", 0),
        ("aim", "", 0),
        ("look", "", 0),
        ("nod", "ACT_NOD", 1),
    ];
    for (index, (name, activity, animation)) in rows.into_iter().enumerate() {
        let at = SEQUENCES + index * VtmbSequence::SIZE;
        text(file, at, at, name);
        if !activity.is_empty() {
            text(file, at + 4, at, activity);
        }
        file.shorts(at + 0x38, &[animation]);
        file.words(at + 0x23C, &[1, 1, -1, -1]);
        // As the compiler leaves it where there are no layers.
        file.words(at + 0x294, &[764, 764]);
    }
    file.words(SEQUENCES + 8, &[1]);
    file.words(SEQUENCES + 0x14, &[1, (EVENTS - SEQUENCES) as i32]);
    file.floats(EVENTS, &[0.5]);
    file.words(EVENTS + 4, &[2050]);
    file.put(EVENTS + 12, b"left");
    let aim = SEQUENCES + VtmbSequence::SIZE;
    file.shorts(aim + 0x38 + 32, &[1]);
    file.words(aim + 0x23C, &[2, 1, 0, -1]);
    file.floats(aim + 0x24C, &[-1.0, 0.0, 1.0, 0.0]);
    let look = aim + VtmbSequence::SIZE;
    file.words(look + 0x294, &[1, (LAYERS - look) as i32]);
    file.words(LAYERS, &[3]);
}
