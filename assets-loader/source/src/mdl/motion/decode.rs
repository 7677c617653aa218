//! What bones do in a frame: lists of compressed tracks, one for each bone that an animation moves, or whole frames.
//!
//! A track stores numbers of 16 bits by runs, or one turn and one place for all frames. Numbers that lead out of the file
//! are errors.

use glam::{EulerRot, Quat, Vec3};

use super::packed::{place_48, turn_48, turn_64};
use super::{Animation, Motion, Place, frames};
use crate::mdl::{Bone, FORMAT, Mdl};
use ironlands_assets_core::bytes::{FormatError, Reader};

/// How the numbers of a track are stored.
const RAW_PLACE: u8 = 0x01;
const RAW_TURN: u8 = 0x02;
const PLACE_RUNS: u8 = 0x04;
const TURN_RUNS: u8 = 0x08;
const ADDS: u8 = 0x10;
const RAW_TURN_64: u8 = 0x20;
/// A track of bone 255 ends the list.
const NO_BONE: u8 = 255;
/// Bytes of a turn or a place for all frames.
const RAW_TURN_SIZE: usize = 6;
const RAW_TURN_64_SIZE: usize = 8;
const RAW_PLACE_SIZE: usize = 6;
/// Offsets of the runs of three axes.
const RUNS_SIZE: usize = 6;

/// Where a bone is below its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BonePose {
    /// Place below its parent.
    pub position: Vec3,
    /// Turn below its parent.
    pub rotation: Quat,
}

/// The frames of the animations of a model.
#[derive(Debug, Clone, Copy)]
pub struct Decoder<'a> {
    /// The model.
    pub mdl: &'a Mdl,
    /// What moves it.
    pub motion: &'a Motion,
    /// The file of animation blocks; empty = there is none.
    pub blocks: &'a [u8],
}

impl BonePose {
    /// A bone that an animation adds nothing to.
    pub const NOTHING: Self = Self {
        position: Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };

    /// Where a bone is at rest.
    pub fn at_rest(bone: &Bone) -> Self {
        Self {
            position: bone.position.into(),
            rotation: Quat::from_array(bone.quaternion),
        }
    }

    /// Between two poses; the shorter way around.
    pub fn lerp(self, other: Self, share: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, share),
            rotation: self.rotation.lerp(other.rotation, share),
        }
    }
}

impl Decoder<'_> {
    /// The poses of all bones in an animation at a frame, which may lie between two: below their parents, or what is to be
    /// added to another pose, where the animation `adds`.
    ///
    /// # Errors
    /// Tracks and frames that lead out of the file or name missing bones, numbers that are none, and animations of missing
    /// blocks.
    pub fn poses(
        &self,
        animation: &Animation,
        adds: bool,
        frame: f32,
    ) -> Result<Vec<BonePose>, FormatError> {
        between_frames(animation.n_frames, frame, |frame| {
            self.poses_of_frame(animation, adds, frame)
        })
    }

    fn poses_of_frame(
        &self,
        animation: &Animation,
        adds: bool,
        frame: usize,
    ) -> Result<Vec<BonePose>, FormatError> {
        let bones = self.mdl.bones.iter();
        let mut poses: Vec<BonePose> = match adds {
            true => bones.map(|_| BonePose::NOTHING).collect(),
            false => bones.map(BonePose::at_rest).collect(),
        };
        let Some((place, frame)) = animation.place_of(frame) else {
            return Ok(poses);
        };
        let Some((data, at)) = self.data_at(place)? else {
            return Ok(poses);
        };
        let whole = Reader::new(FORMAT, data);
        match animation.is_frame_by_frame {
            true => frames::read_frame(&whole, at, frame, &mut poses)?,
            false => self.read_tracks(&whole, at, frame, &mut poses)?,
        }
        Ok(poses)
    }

    /// Moves the bones that have tracks in the list that begins at `at`.
    fn read_tracks(
        &self,
        whole: &Reader<'_>,
        mut at: usize,
        frame: usize,
        poses: &mut [BonePose],
    ) -> Result<(), FormatError> {
        loop {
            let mut r = whole.sub("track", at, whole.remaining().saturating_sub(at))?;
            let index = r.u8("track bone")?;
            if index == NO_BONE {
                return Ok(());
            }
            let flags = r.u8("track flags")?;
            let next_at = r.clone();
            let next = r.u16("next track")?.cast_signed();
            let bone = self.mdl.bones.get(usize::from(index));
            let (Some(bone), Some(pose)) = (bone, poses.get_mut(usize::from(index))) else {
                let expected = format!("a bone below {}", self.mdl.bones.len());
                return Err(whole
                    .sub("track", at, 0)?
                    .unexpected("track bone", expected, index));
            };
            *pose = Track {
                bone,
                flags,
                whole,
                at: at.saturating_add(4),
            }
            .pose(frame)?;
            match usize::try_from(next) {
                Ok(0) => return Ok(()),
                // Lists go forward, so they end.
                Ok(next) => at = at.saturating_add(next),
                Err(_) => return Err(next_at.unexpected("next track", "an offset forward", next)),
            }
        }
    }

    /// The file that a place is in, and where; `None` if there is nothing there.
    fn data_at(&self, place: Place) -> Result<Option<(&[u8], usize)>, FormatError> {
        let Place { block, offset } = place;
        if block < 0 {
            return Ok(None);
        }
        let error = |expected: &'static str, found: i64| {
            Reader::new(FORMAT, &[]).unexpected("animation place", expected, found)
        };
        let (data, start) = match usize::try_from(block).unwrap_or(0) {
            0 => (self.mdl.image(), 0),
            block => {
                let Some([start, _]) = self.motion.blocks.get(block) else {
                    return Err(error("an animation block of the model", place.block.into()));
                };
                (self.blocks, i64::from(*start))
            }
        };
        let at = usize::try_from(start.saturating_add(offset)).ok();
        match at.filter(|at| *at < data.len()) {
            Some(at) => Ok(Some((data, at))),
            None => Err(error("an offset into the file of its animations", offset)),
        }
    }
}

/// The poses at a frame, which may lie between two and beyond both ends, by those of whole frames.
pub(crate) fn between_frames(
    n_frames: usize,
    frame: f32,
    poses_of_frame: impl Fn(usize) -> Result<Vec<BonePose>, FormatError>,
) -> Result<Vec<BonePose>, FormatError> {
    let last = n_frames.saturating_sub(1);
    let frame = frame.clamp(0.0, last as f32);
    let (first, share) = (frame.floor(), frame.fract());
    let mut poses = poses_of_frame(first as usize)?;
    if share > 0.0 {
        let next = poses_of_frame((first as usize).saturating_add(1))?;
        for (pose, next) in poses.iter_mut().zip(next) {
            *pose = pose.lerp(next, share);
        }
    }
    Ok(poses)
}

impl Animation {
    /// Where the run of a frame stands, and the number of the frame within it.
    fn place_of(&self, frame: usize) -> Option<(Place, usize)> {
        let Some(section) = frame.checked_div(self.section_frames) else {
            return Some((*self.places.first()?, frame));
        };
        // The last frame of an animation of several runs stands alone.
        let is_last = self.n_frames > self.section_frames && frame.checked_add(1)? == self.n_frames;
        if is_last {
            let last = self
                .n_frames
                .checked_div(self.section_frames)?
                .checked_add(1)?;
            return Some((*self.places.get(last)?, 0));
        }
        let within = frame.checked_rem(self.section_frames)?;
        Some((*self.places.get(section)?, within))
    }
}

/// What an animation stores for a bone.
struct Track<'a, 'b> {
    bone: &'a Bone,
    flags: u8,
    whole: &'b Reader<'a>,
    /// Where its numbers stand.
    at: usize,
}

impl Track<'_, '_> {
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn pose(&self, frame: usize) -> Result<BonePose, FormatError> {
        let base = match self.has(ADDS) {
            true => BonePose::NOTHING,
            false => BonePose::at_rest(self.bone),
        };
        Ok(BonePose {
            position: self.position(frame)?.unwrap_or(base.position),
            rotation: self.rotation(frame)?.unwrap_or(base.rotation),
        })
    }

    fn rotation(&self, frame: usize) -> Result<Option<Quat>, FormatError> {
        if self.has(RAW_TURN) {
            let mut r = self.whole.sub("track turn", self.at, RAW_TURN_SIZE)?;
            return turn_48(&mut r, "track turn").map(Some);
        }
        if self.has(RAW_TURN_64) {
            let mut r = self.whole.sub("track turn", self.at, RAW_TURN_64_SIZE)?;
            return turn_64(&mut r, "track turn").map(Some);
        }
        if !self.has(TURN_RUNS) {
            return Ok(None);
        }
        let (_, scale) = self.bone.scales();
        let mut angles = self.axes(self.at, scale, frame)?;
        if !self.has(ADDS) {
            angles += Vec3::from(self.bone.rotation);
        }
        // About x first, then y, then z, as the engine's radian angles.
        Ok(Some(Quat::from_euler(
            EulerRot::ZYX,
            angles.z,
            angles.y,
            angles.x,
        )))
    }

    fn position(&self, frame: usize) -> Result<Option<Vec3>, FormatError> {
        let turn_sizes = [
            (RAW_TURN, RAW_TURN_SIZE),
            (RAW_TURN_64, RAW_TURN_64_SIZE),
            (TURN_RUNS, RUNS_SIZE),
        ];
        let before = turn_sizes.iter().filter(|(flag, _)| self.has(*flag));
        let at = before.fold(self.at, |at, (_, size)| at.saturating_add(*size));
        if self.has(RAW_PLACE) {
            let mut r = self.whole.sub("track place", at, RAW_PLACE_SIZE)?;
            return place_48(&mut r, "track place").map(Some);
        }
        if !self.has(PLACE_RUNS) {
            return Ok(None);
        }
        let (scale, _) = self.bone.scales();
        let moved = self.axes(at, scale, frame)?;
        Ok(Some(match self.has(ADDS) {
            true => moved,
            false => moved + Vec3::from(self.bone.position),
        }))
    }

    /// The numbers of three axes at a frame; an axis without runs is 0.
    fn axes(&self, at: usize, scale: [f32; 3], frame: usize) -> Result<Vec3, FormatError> {
        let mut offsets = self.whole.sub("track runs", at, RUNS_SIZE)?;
        let mut axes = [0.0; 3];
        for (axis, scale) in axes.iter_mut().zip(scale) {
            let offset = offsets.u16("track runs")?.cast_signed();
            if let Ok(offset @ 1..) = usize::try_from(offset) {
                let number = run_value(self.whole, at.saturating_add(offset), frame)?;
                *axis = f32::from(number) * scale;
            }
        }
        Ok(Vec3::from(axes))
    }
}

/// The number of a frame in runs: of each run how many numbers are stored and how many frames it lasts, then the numbers,
/// of which the last one stays.
fn run_value(whole: &Reader<'_>, at: usize, frame: usize) -> Result<i16, FormatError> {
    let (mut at, mut frame) = (at, frame);
    loop {
        let mut run = whole.sub("track run", at, 2)?;
        let n_stored = usize::from(run.u8("track run")?);
        let n_frames = usize::from(run.u8("track run")?);
        if n_frames == 0 || n_stored == 0 {
            return Ok(0);
        }
        if let Some(later) = frame.checked_sub(n_frames) {
            frame = later;
            at = at.saturating_add(n_stored.saturating_add(1).saturating_mul(2));
            continue;
        }
        // The first number stands after the run itself.
        let number = frame.saturating_add(1).min(n_stored);
        let mut r = whole.sub(
            "track number",
            at.saturating_add(number.saturating_mul(2)),
            2,
        )?;
        return Ok(r.u16("track number")?.cast_signed());
    }
}
