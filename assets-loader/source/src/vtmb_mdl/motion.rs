//! What moves a model of Bloodlines: animations and sequences, in the terms of [`mdl::motion`](crate::mdl::motion), which
//! they are played by.
//!
//! Layout: Crowbar (`SourceMdlFile2531`) and twiglard's importer agree on animations and on most of a sequence. Where they
//! do not, this follows the latter, which was written from the game's code and compared with all of its models:
//! - A bone with flag 0x2 has channels, and its turn is in the space of the model. Crowbar leaves such a bone at rest.
//! - A run of frames without a frame is passed over. Crowbar ends there.
//! - Layers are numbers of sequences. Crowbar has their count and offset, and reads none.
//! - 0x2B8 to 0x2CC of a sequence is about fighting. Crowbar has locks of inverse kinematics and key values there.
//!
//! From neither, but as in the public SDK of the time: the events of sequences (Crowbar reads none), and which flags of a
//! sequence say that it adds to another one. How animations that add are stored is not known: they are read as those of
//! versions 44 to 49, whose numbers are not added to rest.
//!
//! Deliberately absent: the movement of the whole model along an animation, bones that others turn (procedures of axes),
//! fighting, springs and cloth.

mod decode;
mod records;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub use records::{
    BoneChannels, MAX_BLENDS, VtmbAnimation, VtmbBoneController, VtmbIncludedModel,
    VtmbPoseParameter, VtmbSequence, VtmbSequenceGroup,
};

use super::{FORMAT, VtmbMdl};
use crate::mdl::motion::{
    Animation, BlendParameter, Motion, PoseParameter, Sequence, SequenceEvent, SequenceLayer,
};
use crate::mdl::tables::rows_at;
use crate::studio_file::{File, text_of};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};
use ironlands_assets_core::record::{Record, field_offset};

/// Sequence flags that mean what they do in versions 44 to 49: loops, adds, turns last.
const KNOWN_FLAGS: u32 = 0x1 | 0x4 | 0x10;
/// Bytes of events, of layers, and of the numbers that are layers of nothing.
const EVENT_SIZE: usize = 76;
const LAYER_SIZE: usize = 4;
const MAX_LAYERS: i32 = 63;
/// More frames than any animation has, and more bones than the game knows: its limit is 350.
const MAX_FRAMES: usize = 1 << 16;
const MAX_BONES: usize = 1 << 10;

impl VtmbMdl {
    /// All that moves the model.
    ///
    /// # Errors
    /// Names, channels, events and layers that do not lie in the file or share their bytes many times, numbers that lead
    /// nowhere, and more frames and bones than the game has.
    pub fn motion(&self) -> Result<Motion, FormatError> {
        let tables = Tables {
            file: File::new(FORMAT, &self.image),
            mdl: self,
        };
        let mut motion = Motion::default();
        let mut weights = Vec::new();
        for (at, row) in rows_of(&self.animations, self.animations.offset()) {
            motion.animations.push(tables.animation(at, row)?);
            weights.push(tables.weights(at, row)?);
        }
        for (at, row) in rows_of(&self.sequences, self.sequences.offset()) {
            motion.sequences.push(tables.sequence(at, row, &weights)?);
        }
        for (at, row) in rows_of(&self.pose_parameters, self.pose_parameters.offset()) {
            motion.pose_parameters.push(PoseParameter {
                name: tables.text::<VtmbPoseParameter>(at, "pose parameter")?,
                flags: row.flags,
                start: row.start,
                end: row.end,
                wraps: row.wraps,
            });
        }
        for (at, _) in rows_of(&self.included_models, self.included_models.offset()) {
            let path = tables.text::<VtmbIncludedModel>(at, "included model")?;
            motion.includes.push(path.replace('\\', "/"));
        }
        Ok(motion)
    }
}

/// The rows of a table whose offset is from the start of the file, with where each is.
fn rows_of<T: Record<Layout = ()>>(rows: &[T], offset: i32) -> impl Iterator<Item = (usize, &T)> {
    rows_at(0, offset, rows, T::size(()))
}

/// What the records of a file lead to.
struct Tables<'a> {
    file: File<'a>,
    mdl: &'a VtmbMdl,
}

impl<'a> Tables<'a> {
    /// A reader at a field of a record, which is read again for errors.
    fn at<T: Record<Layout = ()>>(
        &self,
        record: usize,
        field: &'static str,
    ) -> Result<Reader<'a>, FormatError> {
        let at = record.saturating_add(field_offset::<T>(field, ()));
        self.file.sub(field, at, size_of::<i32>())
    }

    /// The text that a field of a record leads to.
    fn text<T: Record<Layout = ()>>(
        &self,
        record: usize,
        field: &'static str,
    ) -> Result<String, FormatError> {
        let mut r = self.at::<T>(record, field)?;
        Ok(self
            .file
            .take_text(&mut r, field, record)?
            .text()
            .into_owned())
    }

    fn animation(&self, at: usize, row: &VtmbAnimation) -> Result<Animation, FormatError> {
        let name = self.text::<VtmbAnimation>(at, "animation name")?;
        // Without frames it is one in which nothing moves.
        let n_frames = usize::try_from(row.n_frames).unwrap_or(0).max(1);
        if n_frames > MAX_FRAMES {
            let r = self.at::<VtmbAnimation>(at, "animation frames")?;
            let expected = format!("up to {MAX_FRAMES}");
            return Err(r.unexpected("animation frames", expected, n_frames));
        }
        Ok(Animation::new(name, row.fps, row.flags, n_frames))
    }

    /// How much an animation moves each bone; none if it moves all of them.
    fn weights(&self, at: usize, row: &VtmbAnimation) -> Result<Vec<f32>, FormatError> {
        const FIELD: &str = "animation channels";
        let r = self.at::<VtmbAnimation>(at, FIELD)?;
        let n_bones = self.mdl.bones.len();
        if n_bones > MAX_BONES {
            let what = format!("{n_bones} bones in an animation");
            return Err(r.error(FIELD, FormatErrorKind::Unsupported { what }));
        }
        if !row.has_channels() {
            return Ok(Vec::new());
        }
        let count = i32::try_from(n_bones).unwrap_or(i32::MAX);
        let place = (at, row.channels_offset);
        let weights = self
            .file
            .rows(&r, FIELD, (count, BoneChannels::SIZE), place, |r, _| {
                let at = r.clone();
                let weight = r.f32("bone weight")?;
                match weight.is_finite() {
                    true => Ok(weight),
                    false => Err(at.unexpected("bone weight", "a finite number", weight)),
                }
            })?;
        let is_whole = weights.iter().all(|weight| *weight == 1.0);
        Ok(if is_whole { Vec::new() } else { weights })
    }

    /// `weights` are those of all animations.
    fn sequence(
        &self,
        at: usize,
        row: &VtmbSequence,
        weights: &[Vec<f32>],
    ) -> Result<Sequence, FormatError> {
        let activity = match row.activity_offset {
            1.. => self.text::<VtmbSequence>(at, "sequence activity")?,
            _ => String::new(),
        };
        let animations = self.blends(at, row)?;
        // The animations of a grid move the same bones.
        let first = animations.first().map(|number| usize::from(*number));
        let weights = first.and_then(|number| weights.get(number)).cloned();
        Ok(Sequence {
            name: self.text::<VtmbSequence>(at, "sequence name")?,
            activity,
            flags: row.flags & KNOWN_FLAGS,
            grid: row.grid.map(|n| usize::try_from(n).unwrap_or(0)),
            animations,
            parameters: [0, 1].map(|axis| self.parameter(row, axis)),
            events: self.events(at, row)?,
            layers: self.layers(at, row)?,
            weights: weights.unwrap_or_default(),
            ..Sequence::default()
        })
    }

    /// The numbers of the animations of a grid, in the order of [`Sequence::animations`].
    fn blends(&self, at: usize, row: &VtmbSequence) -> Result<Vec<u16>, FormatError> {
        let [columns, rows] = row.grid;
        let can_be = 1..=MAX_BLENDS as i32;
        if !(can_be.contains(&columns) && can_be.contains(&rows)) {
            let r = self.at::<VtmbSequence>(at, "sequence grid")?;
            let expected = format!("counts of 1 to {MAX_BLENDS}");
            return Err(r.unexpected("sequence grid", expected, format!("{:?}", row.grid)));
        }
        let of_row = |index: usize| {
            let columns = row.animations.iter().take(columns as usize);
            columns.filter_map(move |column| column.get(index))
        };
        let numbers = (0..rows as usize).flat_map(of_row);
        let n_animations = self.mdl.animations.len();
        let known = numbers.map(|&number| {
            let known = u16::try_from(number).ok();
            known
                .filter(|it| usize::from(*it) < n_animations)
                .ok_or(number)
        });
        known.collect::<Result<_, i16>>().or_else(|number| {
            let r = self.at::<VtmbSequence>(at, "sequence animations")?;
            let expected = format!("an animation below {n_animations}");
            Err(r.unexpected("sequence animations", expected, number))
        })
    }

    fn parameter(&self, row: &VtmbSequence, axis: usize) -> Option<BlendParameter> {
        let parameter = usize::try_from(*row.parameters.get(axis)?).ok()?;
        (parameter < self.mdl.pose_parameters.len()).then_some(BlendParameter {
            parameter,
            start: *row.starts.get(axis)?,
            end: *row.ends.get(axis)?,
        })
    }

    fn events(&self, at: usize, row: &VtmbSequence) -> Result<Vec<SequenceEvent>, FormatError> {
        const FIELD: &str = "sequence events";
        let [count, offset] = row.events;
        let r = self.at::<VtmbSequence>(at, FIELD)?;
        let size = (count, EVENT_SIZE);
        self.file.rows(&r, FIELD, size, (at, offset), |r, _| {
            let cycle = r.f32("event cycle")?;
            let number = r.i32("event number")?;
            r.i32("event type")?;
            let options: [u8; 64] = r.array("event options")?;
            Ok(SequenceEvent {
                cycle,
                number,
                name: String::new(),
                options: text_of(&options),
            })
        })
    }

    fn layers(&self, at: usize, row: &VtmbSequence) -> Result<Vec<SequenceLayer>, FormatError> {
        const FIELD: &str = "sequence layers";
        let [count, offset] = row.layers;
        if !(1..=MAX_LAYERS).contains(&count) {
            return Ok(Vec::new());
        }
        let r = self.at::<VtmbSequence>(at, FIELD)?;
        let n_sequences = self.mdl.sequences.len();
        let size = (count, LAYER_SIZE);
        self.file.rows(&r, FIELD, size, (at, offset), |r, _| {
            let at = r.clone();
            let number = r.i32("layer sequence")?;
            let known = u16::try_from(number).ok();
            let known = known.filter(|it| usize::from(*it) < n_sequences);
            let expected = || format!("a sequence below {n_sequences}");
            let sequence = known.ok_or_else(|| at.unexpected("layer sequence", expected(), number));
            Ok(SequenceLayer::from_sequence(sequence?))
        })
    }
}

impl VtmbAnimation {
    /// Whether anything is stored of its bones.
    fn has_channels(&self) -> bool {
        self.n_frames > 0 && self.channels_offset != 0
    }
}
