//! ANM: one animation of one part (dossier section 9.6).
//!
//! Rotations, root translations and vertex offsets, frame after frame at [`FRAMES_PER_SEC`]. A rotation turns the
//! part about the axes of the model, after its parent has been turned: the model rotation of a part is its own
//! rotation times that of its parent. Model axes and meters, +Z up.
//!
//! Deliberately absent: sampling between frames and posing, which are queries.

#[cfg(test)]
mod tests;

use bitflags::bitflags;

use super::fig::MorphComponent;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::record::Codec;
use ironlands_assets_core::report::Report;

const FORMAT: &str = Anm::NAME;

/// How fast frames follow each other.
pub const FRAMES_PER_SEC: f32 = 15.0;

/// One animation of one part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anm {
    /// Unit quaternions w, x, y, z, one a frame.
    pub rotations: Vec<[f32; 4]>,
    /// For the root: its place, one a frame. For other parts: stored, but never applied.
    pub translations: Vec<[f32; 3]>,
    /// Number of frames of vertex offsets: none, or one for each rotation.
    pub n_morph_frames: u32,
    /// Vertex offsets in a frame; `None` if the file ends before that number.
    pub n_morphs: Option<u32>,
    /// How far vertices move, frame after frame; the part's mesh says which vertices.
    pub morphs: Vec<[f32; 3]>,
    /// Bytes after the last offset; kept.
    pub tail: Vec<u8>,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Numbers of frames that differ between rotations, translations and vertex offsets.
        const FRAME_COUNTS = 1 << 0;
        /// Bytes follow the last offset. They are kept.
        const TRAILING_BYTES = 1 << 1;
    }
}

impl Format for Anm {
    type Context = ();

    const NAME: &'static str = "anm";
    const EXTENSIONS: &'static [&'static str] = &["anm"];
    const KIND: FileKind = FileKind::Animation;

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(".anm").then_some(Match::Extension)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("frames", self.n_frames());
        report.fact("frames of moving vertices", self.n_morph_frames);
        report.fact("moving vertices", self.n_morphs.unwrap_or(0));
    }
}

impl Anm {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// As [`Self::read_with`] without tolerance.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::empty())
    }

    /// Reads a whole file, waiving the given rules.
    ///
    /// # Errors
    /// Counts beyond the bytes that are there, numbers of frames that contradict each other, trailing bytes.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut anm = Self::default();
        let offsets = anm.walk(&mut r)?;
        let at_end = r.clone();
        anm.tail = r.rest().to_vec();
        if !tolerance.contains(Tolerance::FRAME_COUNTS) {
            anm.frame_counts(offsets)?;
        }
        if !anm.tail.is_empty() && !tolerance.contains(Tolerance::TRAILING_BYTES) {
            at_end.finish("after the morph offsets")?;
        }
        Ok(anm)
    }

    /// Writes the file; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// Vertex offsets that are not as many as their two numbers say, or more frames than the fields hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        let (n_frames, n_morphs) = (self.n_morph_frames, self.n_morphs);
        let is_cut_short = n_morphs.is_none() && (n_frames > 0 || !self.tail.is_empty());
        if self.n_offsets() != self.morphs.len() as u64 || is_cut_short {
            return Err(w.unexpected(
                "morph offsets",
                format!("{n_frames} frames of {n_morphs:?} offsets"),
                format!("{} offsets", self.morphs.len()),
            ));
        }
        self.clone().walk(&mut w)?;
        w.bytes(&self.tail);
        Ok(w.finish())
    }

    /// Reads or writes everything but the tail; returns where the numbers of frames of translations and of morphs stand.
    fn walk(&mut self, c: &mut impl Codec) -> Result<[u64; 2], FormatError> {
        c.list("rotation frames", "rotation", &mut self.rotations)?;
        let translations_at = c.offset();
        c.list("translation frames", "translation", &mut self.translations)?;
        let morphs_at = c.offset();
        let offsets = [translations_at, morphs_at];
        c.field("morph frames", &mut self.n_morph_frames)?;
        // The number of offsets may be missing where there are no frames of them.
        let is_there = match c.reader() {
            Some(r) => self.n_morph_frames > 0 || r.remaining() > 0,
            None => self.n_morphs.is_some(),
        };
        if !is_there {
            return Ok(offsets);
        }
        let mut n_morphs = self.n_morphs.unwrap_or_default();
        let offset = c.offset();
        c.field("morphs in a frame", &mut n_morphs)?;
        self.n_morphs = Some(n_morphs);
        // Of several numbers that make too many offsets, the error names the last.
        let n_offsets = self.n_offsets();
        c.fields("morphs in a frame", &mut self.morphs, n_offsets)
            .map_err(|error| FormatError { offset, ..error })?;
        Ok(offsets)
    }

    /// Number of vertex offsets in all frames, as stored.
    fn n_offsets(&self) -> u64 {
        let n_morphs = self.n_morphs.unwrap_or_default();
        u64::from(self.n_morph_frames).saturating_mul(n_morphs.into())
    }

    /// What is unusual.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut warn = |message| findings.push(Finding::new(Severity::Warning, FORMAT, message));
        if self.n_frames() == 0 {
            warn("no frames".to_owned());
        }
        let is_unit = |q: &[f32; 4]| (q.iter().map(|v| v * v).sum::<f32>() - 1.0).abs() < 1e-2;
        if let Some(frame) = self.rotations.iter().position(|q| !is_unit(q)) {
            warn(format!(
                "the rotation of frame {frame} is no unit quaternion"
            ));
        }
        let vectors = self.translations.iter().chain(&self.morphs);
        if vectors.flatten().any(|v| !v.is_finite()) {
            warn("translations or morph offsets are not finite".to_owned());
        }
        findings
    }

    /// Number of frames.
    pub fn n_frames(&self) -> usize {
        self.rotations.len().max(self.translations.len())
    }

    /// The vertex offsets of a frame; none beyond the last.
    pub fn morphs_of(&self, frame: usize) -> &[[f32; 3]] {
        let n_morphs = self.n_morphs.unwrap_or(0) as usize;
        let end = frame.saturating_add(1).saturating_mul(n_morphs);
        let of_frame = self.morphs.get(frame.saturating_mul(n_morphs)..end);
        of_frame.unwrap_or_default()
    }

    /// The first component of a mesh that names a missing offset, with its index.
    pub fn missing_morph(&self, components: &[MorphComponent]) -> Option<(usize, MorphComponent)> {
        let n_morphs = self.n_morphs.filter(|_| !self.morphs.is_empty())?;
        let is_missing = |it: &&(usize, MorphComponent)| u32::from(it.1.morph) >= n_morphs;
        let components = components.iter().copied().enumerate();
        components
            .collect::<Vec<_>>()
            .iter()
            .find(is_missing)
            .copied()
    }

    /// A new animation. `morphs` has a list of offsets for each frame, or is empty.
    ///
    /// # Errors
    /// Numbers of frames that contradict each other, or lists of other lengths than the first.
    pub fn draft(
        rotations: Vec<[f32; 4]>,
        translations: Vec<[f32; 3]>,
        morphs: &[Vec<[f32; 3]>],
    ) -> Result<Self, FormatError> {
        let r = Reader::new(FORMAT, &[]);
        let n_morphs = morphs.first().map_or(0, Vec::len);
        if let Some(odd) = morphs.iter().find(|it| it.len() != n_morphs) {
            let expected = format!("{n_morphs} offsets in each frame");
            return Err(r.unexpected("morph offsets", expected, odd.len()));
        }
        let word = |count| Writer::new(FORMAT).checked_count("morph frames", count);
        let anm = Self {
            rotations,
            translations,
            n_morph_frames: if n_morphs == 0 {
                0
            } else {
                word(morphs.len())?
            },
            n_morphs: Some(word(n_morphs)?),
            morphs: morphs.concat(),
            tail: Vec::new(),
        };
        anm.frame_counts([0; 2])?;
        Ok(anm)
    }

    /// All that moves has as many frames as all else that does.
    fn frame_counts(&self, offsets: [u64; 2]) -> Result<(), FormatError> {
        let (n_rotations, n_translations) = (self.rotations.len(), self.translations.len());
        let [at_translations, at_morphs] =
            offsets.map(|offset| Reader::nested(FORMAT, &[], offset));
        if n_rotations != n_translations && n_rotations != 0 && n_translations != 0 {
            let expected = format!("as many as the {n_rotations} rotation frames, or none");
            return Err(at_translations.unexpected("translation frames", expected, n_translations));
        }
        let n_frames = self.n_frames();
        if !self.morphs.is_empty() && u64::from(self.n_morph_frames) != n_frames as u64 {
            let expected = format!("as many as the {n_frames} other frames, or none");
            return Err(at_morphs.unexpected("morph frames", expected, self.n_morph_frames));
        }
        Ok(())
    }
}
