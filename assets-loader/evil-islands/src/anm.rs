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
use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::format::{Format, Match};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Anm::NAME;
const ROTATION_SIZE: usize = 16;
const VECTOR_SIZE: usize = 12;

/// How fast frames follow each other.
pub const FRAMES_PER_SEC: f32 = 15.0;

/// One animation of one part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anm {
    /// Unit quaternions w, x, y, z, one a frame.
    pub rotations: Vec<[f32; 4]>,
    /// Of the root: where it stands, one a frame. Of other parts: stored, but applied by nobody.
    pub translations: Vec<[f32; 3]>,
    /// Number of frames of vertex offsets: none, or one for each rotation.
    pub n_morph_frames: u32,
    /// Vertex offsets in a frame; `None` if the file ends before that number.
    pub n_morphs: Option<u32>,
    /// How far vertices move, frame after frame; which vertices is told by the part's mesh.
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

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(".anm").then_some(Match::Extension)
    }

    own_functions!(waived: kept);

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
        let n_rotations = r.count("rotation frames", ROTATION_SIZE)?;
        let rotations = (0..n_rotations).map(|_| read_rotation(&mut r));
        let rotations = rotations.collect::<Result<Vec<_>, _>>()?;
        let at_translations = r.clone();
        let n_translations = r.count("translation frames", VECTOR_SIZE)?;
        let translations = (0..n_translations).map(|_| r.f32x3("translation"));
        let translations = translations.collect::<Result<_, _>>()?;
        let at_morphs = r.clone();
        let n_morph_frames = r.u32("morph frames")?;
        let (n_morphs, morphs) = read_morphs(&mut r, n_morph_frames)?;
        let at_end = r.clone();
        let anm = Self {
            rotations,
            translations,
            n_morph_frames,
            n_morphs,
            morphs,
            tail: r.rest().to_vec(),
        };
        if !tolerance.contains(Tolerance::FRAME_COUNTS) {
            anm.frame_counts(&at_translations, &at_morphs)?;
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
        let Self {
            rotations,
            translations,
            n_morph_frames,
            n_morphs,
            morphs,
            tail,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count("rotation frames", rotations.len())?;
        for value in rotations.as_flattened() {
            w.f32(*value);
        }
        w.count("translation frames", translations.len())?;
        for translation in translations {
            w.f32x3(*translation);
        }
        let n_told = u64::from(*n_morph_frames).saturating_mul(n_morphs.unwrap_or(0).into());
        let is_cut_short = n_morphs.is_none() && (*n_morph_frames > 0 || !tail.is_empty());
        if n_told != morphs.len() as u64 || is_cut_short {
            let kind = FormatErrorKind::Unexpected {
                expected: format!("{n_morph_frames} frames of {n_morphs:?} offsets").into(),
                found: format!("{} offsets", morphs.len()),
            };
            return Err(w.error("morph offsets", kind));
        }
        w.u32(*n_morph_frames);
        if let Some(n_morphs) = n_morphs {
            w.u32(*n_morphs);
        }
        for offset in morphs {
            w.f32x3(*offset);
        }
        w.bytes(tail);
        Ok(w.finish())
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

    /// The first component of a mesh that asks for an offset that is not there, with its index.
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
        let too_many = |count: usize| {
            let kind = FormatErrorKind::TooLargeToWrite {
                value: count as u64,
                limit: u32::MAX.into(),
            };
            r.error("morph frames", kind)
        };
        let word = |count: usize| u32::try_from(count).map_err(|_| too_many(count));
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
        anm.frame_counts(&r, &r)?;
        Ok(anm)
    }

    /// All that moves has as many frames as all else that does.
    fn frame_counts(
        &self,
        at_translations: &Reader<'_>,
        at_morphs: &Reader<'_>,
    ) -> Result<(), FormatError> {
        let (n_rotations, n_translations) = (self.rotations.len(), self.translations.len());
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

/// The number of offsets in a frame, and all offsets. The number may be missing where there are no frames.
fn read_morphs(
    r: &mut Reader<'_>,
    n_frames: u32,
) -> Result<(Option<u32>, Vec<[f32; 3]>), FormatError> {
    if n_frames == 0 && r.remaining() == 0 {
        return Ok((None, Vec::new()));
    }
    let at = r.clone();
    let n_morphs = r.u32("morphs in a frame")?;
    let n_offsets = u64::from(n_frames).saturating_mul(n_morphs.into());
    if r.claim("morph offsets", n_offsets, VECTOR_SIZE).is_err() {
        let kind = FormatErrorKind::CountTooLarge {
            count: n_offsets,
            item_size: VECTOR_SIZE as u64,
            available: r.remaining() as u64,
        };
        return Err(at.error("morphs in a frame", kind));
    }
    let offsets = (0..n_offsets).map(|_| r.f32x3("morph offset"));
    Ok((Some(n_morphs), offsets.collect::<Result<_, _>>()?))
}

fn read_rotation(r: &mut Reader<'_>) -> Result<[f32; 4], FormatError> {
    let [w, x, y] = r.f32x3("rotation")?;
    Ok([w, x, y, r.f32("rotation")?])
}
