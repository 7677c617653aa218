//! WAV: a sound, as entries of type SWAV in `sounds.lib` and `voices.lib` hold it (and other games' folders do).
//!
//! Document: "Parkan: what is settled since", section 7.5: RIFF WAVE of 22,050 Hz, PCM or MS ADPCM. Samples are kept
//! coded; what plays them decodes them.

#[cfg(test)]
mod tests;

use bitflags::bitflags;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::record::{Record, field_offset};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Wav::NAME;
/// Type of the entries of archives that are sounds.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"SWAV");
/// The archive of sounds.
pub const ARCHIVE: &str = "sounds.lib";

const RIFF: &[u8; 4] = b"RIFF";
const WAVE: &[u8; 4] = b"WAVE";
const FMT: &[u8; 4] = b"fmt ";
const DATA: &[u8; 4] = b"data";
/// Bytes of the head of a chunk.
const CHUNK_HEAD: usize = 8;
/// Where the coding begins in a file.
const CODING: u64 = 20;
/// Samples per second that all known sounds of the game have.
const KNOWN_RATE: u32 = 22_050;

/// A sound, as stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wav {
    /// How samples are coded.
    pub coding: Coding,
    /// What follows the coding in its chunk: for ADPCM samples per block and coefficients.
    pub coding_extra: Vec<u8>,
    /// What follows the coding, samples among it.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk; kept.
    pub tail: Vec<u8>,
}

/// How samples are coded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct Coding {
    /// [`Coding::PCM`], [`Coding::MS_ADPCM`], or something else.
    #[field("coding")]
    pub tag: u16,
    /// 1 or 2.
    #[field("channels")]
    pub channels: u16,
    /// Samples per second of each channel.
    #[field("samples per second")]
    pub rate: u32,
    /// Coded bytes per second.
    #[field("bytes per second")]
    pub bytes_per_sec: u32,
    /// Bytes of the smallest piece that can be decoded.
    #[field("block size")]
    pub block_size: u16,
    /// Bits of a coded sample.
    #[field("bits per sample")]
    pub bits: u16,
}

impl Coding {
    /// Plain samples: 8 bits without a sign, or 16 with one.
    pub const PCM: u16 = 1;
    /// Four bits a sample, in blocks.
    pub const MS_ADPCM: u16 = 2;
}

/// A named part of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunk {
    /// What it is: `data` for samples.
    pub id: [u8; 4],
    /// Its content.
    pub data: Vec<u8>,
    /// The byte after an odd number of bytes; the last chunk of a file may lack it.
    pub padding: Option<u8>,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes follow the length that the file says. They are kept.
        const TRAILING_BYTES = 1 << 0;
    }
}

impl Format for Wav {
    type Context = ();

    const NAME: &'static str = "wav";
    const EXTENSIONS: &'static [&'static str] = &["wav"];
    const KIND: FileKind = FileKind::Sound;

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(RIFF)
            && head
                .get(CHUNK_HEAD..)
                .is_some_and(|it| it.starts_with(WAVE))
        {
            return Some(Match::Content);
        }
        name.ends_with(".wav").then_some(Match::Extension)
    }

    inherent_methods!(read, tolerant, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("sound", self.summary());
    }
}

impl Wav {
    /// A sound of samples that are coded already.
    pub fn new(coding: Coding, coding_extra: Vec<u8>, samples: Vec<u8>) -> Self {
        let padding = (samples.len() % 2 == 1).then_some(0);
        Self {
            coding,
            coding_extra,
            chunks: vec![Chunk {
                id: *DATA,
                data: samples,
                padding,
            }],
            tail: Vec::new(),
        }
    }

    /// Coded samples.
    pub fn samples(&self) -> &[u8] {
        let chunk = self.chunks.iter().find(|it| it.id == *DATA);
        chunk.map_or(&[], |chunk| &chunk.data)
    }

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
    /// Another magic, a chunk beyond the bytes that are there, another first chunk than the coding, no samples or
    /// several times some, bytes left over.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", RIFF)?;
        let n_bytes = r.count("file size", 1)?;
        let mut body = r.sub("chunks", r.position(), n_bytes)?;
        r.bytes("chunks", n_bytes)?;
        let at_end = r.clone();
        let tail = r.rest().to_vec();
        if !tail.is_empty() && !tolerance.contains(Tolerance::TRAILING_BYTES) {
            at_end.finish("after the last chunk")?;
        }
        body.expect("kind", WAVE)?;
        let mut wav = Self {
            tail,
            ..Self::default()
        };
        wav.read_coding(&mut body)?;
        while body.remaining() > 0 {
            wav.chunks.push(Chunk::read(&mut body)?);
        }
        wav.require_samples(&body)?;
        Ok(wav)
    }

    fn require_samples(&self, at: &Reader<'_>) -> Result<(), FormatError> {
        let n = self.chunks.iter().filter(|it| it.id == *DATA).count();
        match n {
            1 => Ok(()),
            n => Err(at.unexpected("chunks of samples", "one", n)),
        }
    }

    fn read_coding(&mut self, r: &mut Reader<'_>) -> Result<(), FormatError> {
        r.expect("first chunk", FMT)?;
        let size = r.count("size of the coding", 1)?;
        let mut r_coding = r.sub("coding", r.position(), size)?;
        r.bytes("coding", size)?;
        self.coding = Coding::read(&mut r_coding, ())?;
        self.coding_extra = r_coding.rest().to_vec();
        if size % 2 == 1 {
            // In no known file.
            return Err(r.unexpected("size of the coding", "an even number", size));
        }
        Ok(())
    }

    /// Writes the file; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// More bytes than their counts can hold, no samples or several times some, an odd number of bytes after the coding,
    /// padding where none belongs or none where some does.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        w.bytes(WAVE);
        w.bytes(FMT);
        w.count(
            "size of the coding",
            Coding::SIZE.saturating_add(self.coding_extra.len()),
        )?;
        if self.coding_extra.len() % 2 == 1 {
            let found = self.coding_extra.len();
            return Err(w.unexpected("size of the coding", "an even number", found));
        }
        self.coding.write(&mut w, ())?;
        w.bytes(&self.coding_extra);
        self.require_samples(&Reader::new(FORMAT, &[]))?;
        let n_chunks = self.chunks.len();
        for (number, chunk) in (1..).zip(&self.chunks) {
            chunk.write(&mut w, number == n_chunks)?;
        }
        let body = w.finish();
        let mut w = Writer::new(FORMAT);
        w.bytes(RIFF);
        w.count("file size", body.len())?;
        w.bytes(&body);
        w.bytes(&self.tail);
        Ok(w.finish())
    }

    /// What is unusual, and what keeps it from being heard.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let coding = &self.coding;
        let at = |field| Some(CODING.saturating_add(field_offset::<Coding>(field, ()) as u64));
        let mut rule = |severity, field, is_broken: bool, message: String| {
            findings.rule(severity, is_broken.then(|| (at(field), message)));
        };
        let is_known = matches!(coding.tag, Coding::PCM | Coding::MS_ADPCM);
        let message = format!("coding {:#06x} is neither PCM nor MS ADPCM", coding.tag);
        rule(Severity::Warning, "coding", !is_known, message);
        let has_channels = matches!(coding.channels, 1 | 2);
        let message = format!("{} channels", coding.channels);
        rule(Severity::Warning, "channels", !has_channels, message);
        let message = format!("{} samples per second; known are {KNOWN_RATE}", coding.rate);
        rule(
            Severity::Note,
            "samples per second",
            coding.rate != KNOWN_RATE,
            message,
        );
        let is_whole = match coding.tag {
            Coding::PCM => {
                let bits = u32::from(coding.channels).saturating_mul(coding.bits.into());
                bits == u32::from(coding.block_size).saturating_mul(8)
            }
            _ => coding.block_size > 0,
        };
        let message = format!("blocks of {} bytes", coding.block_size);
        rule(Severity::Warning, "block size", !is_whole, message);
        let block_size = usize::from(coding.block_size).max(1);
        let rest = self.samples().len().checked_rem(block_size).unwrap_or(0);
        let is_cut = coding.tag == Coding::PCM && rest > 0;
        let message = format!("{rest} bytes of a sample at the end");
        rule(Severity::Note, "block size", is_cut, message);
        findings.into_list()
    }

    /// In one line: coding, samples per second, channels, length.
    pub fn summary(&self) -> String {
        let Coding {
            tag,
            channels,
            rate,
            bytes_per_sec,
            bits,
            ..
        } = self.coding;
        let coding = match tag {
            Coding::PCM => format!("PCM of {bits} bits"),
            Coding::MS_ADPCM => "MS ADPCM".to_owned(),
            other => format!("coding {other:#06x}"),
        };
        let secs = self.samples().len() as f64 / f64::from(bytes_per_sec.max(1));
        let channels = match channels {
            1 => "mono".to_owned(),
            2 => "stereo".to_owned(),
            other => format!("{other} channels"),
        };
        format!("{coding}, {rate} Hz, {channels}, {secs:.2} s")
    }
}

impl Chunk {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let id = r.array("chunk")?;
        let n_bytes = r.count("size of a chunk", 1)?;
        let data = r.bytes("chunk", n_bytes)?.to_vec();
        let padding = match n_bytes % 2 == 1 && r.remaining() > 0 {
            true => Some(r.u8("padding")?),
            false => None,
        };
        Ok(Self { id, data, padding })
    }

    fn write(&self, w: &mut Writer, is_last: bool) -> Result<(), FormatError> {
        let Self { id, data, padding } = self;
        w.bytes(id);
        w.count("size of a chunk", data.len())?;
        w.bytes(data);
        let is_odd = data.len() % 2 == 1;
        if padding.is_some() != is_odd && !(is_odd && is_last) {
            return Err(w.unexpected("padding", "a byte after odd ones", format!("{padding:?}")));
        }
        w.bytes(padding.as_slice());
        Ok(())
    }
}
