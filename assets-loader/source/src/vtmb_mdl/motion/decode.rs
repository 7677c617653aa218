//! What bones do in a frame. Of each bone there are up to seven channels of numbers of 16 bits in runs: three for its place,
//! which are added to where it is at rest, and four for its turn, which are a quaternion as they are.

use std::cell::Cell;

use glam::{Quat, Vec3};

use super::{BoneChannels, VtmbAnimation};
use crate::mdl::motion::{BonePose, between_frames};
use crate::vtmb_mdl::{FORMAT, VtmbBone, VtmbMdl};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::record::Record;

/// Runs without a frame that are passed over in a channel; valid files have none.
const MAX_EMPTY_RUNS: usize = 16;
/// Runs that are passed over for one pose of all bones: far more than models have, and some milliseconds.
const MAX_RUNS: usize = 1 << 18;

impl VtmbMdl {
    /// The poses of all bones in an animation at a frame, which may lie between two: below their parents, but for bones that
    /// [turn in the space of the model](VtmbBone::turns_in_model); or what is to be added to another pose, where the animation
    /// `adds`. Without such an animation all bones are at rest.
    ///
    /// # Errors
    /// Channels that lead out of the file, have too many runs without a frame, or hold numbers that are none.
    pub fn poses(
        &self,
        animation: usize,
        adds: bool,
        frame: f32,
    ) -> Result<Vec<BonePose>, FormatError> {
        let row = self.animations.get(animation);
        let n_frames = row.map_or(0, |it| usize::try_from(it.n_frames).unwrap_or(0));
        between_frames(n_frames, frame, |frame| {
            self.poses_of_frame(animation, adds, frame)
        })
    }

    fn poses_of_frame(
        &self,
        animation: usize,
        adds: bool,
        frame: usize,
    ) -> Result<Vec<BonePose>, FormatError> {
        let rest = match adds {
            true => vec![BonePose::NOTHING; self.bones.len()],
            false => self.rest_poses(),
        };
        let row = self.animations.get(animation);
        let Some(row) = row.filter(|row| row.has_channels()) else {
            return Ok(rest);
        };
        let runs_left = Cell::new(MAX_RUNS);
        let whole = Reader::new(FORMAT, &self.image);
        let first = (self.animations.offset() as usize)
            .saturating_add(animation.saturating_mul(VtmbAnimation::SIZE))
            .saturating_add_signed(row.channels_offset as isize);
        let bones = self.bones.iter().zip(rest).enumerate();
        let bones = bones.map(|(index, (bone, rest))| {
            let at = first.saturating_add(index.saturating_mul(BoneChannels::SIZE));
            let mut r = whole.sub("animation channels", at, BoneChannels::SIZE)?;
            let channels = Channels {
                whole: &whole,
                at,
                stored: Record::read(&mut r, ())?,
                runs_left: &runs_left,
            };
            let stored = if adds { rest } else { bone.at_rest() };
            channels.pose(bone, (rest, stored), frame)
        });
        bones.collect()
    }

    /// All bones at rest, as animations have them: below their parents, but for the turns of those that turn in the space of
    /// the model.
    pub(crate) fn rest_poses(&self) -> Vec<BonePose> {
        let mut turns: Vec<Quat> = Vec::with_capacity(self.bones.len());
        let bones = self.bones.iter().map(|bone| {
            let mut pose = bone.at_rest();
            let parent = usize::try_from(bone.parent).ok();
            let parent = parent.and_then(|parent| turns.get(parent).copied());
            let turn = (parent.unwrap_or(Quat::IDENTITY) * pose.rotation).normalize();
            turns.push(turn);
            if bone.turns_in_model() {
                pose.rotation = turn;
            }
            pose
        });
        bones.collect()
    }
}

/// The channels of a bone.
struct Channels<'a, 'b> {
    whole: &'b Reader<'a>,
    /// How many runs may still be passed over.
    runs_left: &'b Cell<usize>,
    /// Where their record is.
    at: usize,
    stored: BoneChannels,
}

impl Channels<'_, '_> {
    /// `rest` is what holds for a place or a turn without any channel, and what the numbers of a place are added to. Of a turn
    /// with some channels the others have the numbers of the bone as it is `stored`.
    fn pose(
        &self,
        bone: &VtmbBone,
        (rest, stored): (BonePose, BonePose),
        frame: usize,
    ) -> Result<BonePose, FormatError> {
        let mut place = rest.position.to_array();
        let turns = self.stored.offsets.iter().skip(3).any(|it| *it != 0);
        let mut turn = if turns { stored } else { rest }.rotation.to_array();
        let mut channels = self.stored.offsets.iter().zip(bone.animation_scales);
        for (axis, (offset, scale)) in place.iter_mut().zip(channels.by_ref().take(3)) {
            if let Some(number) = self.number(*offset, frame)? {
                *axis += f32::from(number) * scale;
            }
        }
        for (axis, (offset, scale)) in turn.iter_mut().zip(channels) {
            if let Some(number) = self.number(*offset, frame)? {
                *axis = f32::from(number) * scale;
            }
        }
        let found = (Vec3::from(place), Quat::from_array(turn));
        if !(found.0.is_finite() && found.1.is_finite()) {
            let r = self.whole.sub("bone channel", self.at, 0)?;
            return Err(r.unexpected("bone channel", "finite numbers", format!("{found:?}")));
        }
        Ok(BonePose {
            position: found.0,
            rotation: VtmbBone::unit(turn),
        })
    }

    /// The number of a channel at a frame; `None` if there is no channel.
    fn number(&self, offset: i32, frame: usize) -> Result<Option<i16>, FormatError> {
        match offset {
            0 => Ok(None),
            _ => {
                let at = self.at.saturating_add_signed(offset as isize);
                run_value(self.whole, self.runs_left, at, frame).map(Some)
            }
        }
    }
}

/// The number of a frame in runs: of each run how many numbers are stored and how many frames it lasts, then the numbers, of
/// which the last one stays. As the game does it, a run without numbers has its own two bytes for one.
fn run_value(
    whole: &Reader<'_>,
    runs_left: &Cell<usize>,
    mut at: usize,
    frame: usize,
) -> Result<i16, FormatError> {
    let mut left = frame;
    for _ in 0..=frame.saturating_add(MAX_EMPTY_RUNS) {
        let Some(rest) = runs_left.get().checked_sub(1) else {
            let r = whole.sub("channel run", at, 0)?;
            let expected = format!("at most {MAX_RUNS} runs before a frame");
            return Err(r.unexpected("channel run", expected, "more"));
        };
        runs_left.set(rest);
        let mut run = whole.sub("channel run", at, 2)?;
        let n_stored = usize::from(run.u8("channel run")?);
        let n_frames = usize::from(run.u8("channel run")?);
        let word = |number: usize| at.saturating_add(number.saturating_mul(2));
        match left.checked_sub(n_frames) {
            Some(later) => {
                left = later;
                at = word(n_stored.saturating_add(1));
            }
            None => {
                let number = left.saturating_add(1).min(n_stored);
                let mut r = whole.sub("channel number", word(number), 2)?;
                return r.i16("channel number");
            }
        }
    }
    let r = whole.sub("channel run", at, 0)?;
    Err(r.unexpected("channel run", "runs of frames", "runs without a frame"))
}
