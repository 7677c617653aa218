//! `*.ttz`: the larger mips of a texture of Vampire: The Masquerade - Bloodlines, whose beginning is in the
//! [`tth`](super::tth).
//!
//! Layout: RFC 1950. One zlib stream, in which the compiler of the game flushed at the beginning of each mip. The packed
//! bytes are kept as they are, with any that follow them.

#[cfg(test)]
mod tests;

use std::io::Write;

use bitflags::bitflags;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::unpack::Budget;

const FORMAT: &str = Ttz::NAME;
/// Lower half of the first byte: Deflate.
const DEFLATE: u8 = 8;
/// Bit of the second byte: a dictionary that is in no file.
const HAS_DICTIONARY: u8 = 0x20;
/// Bytes that are unpacked at once.
const CHUNK: usize = 1 << 15;
/// Largest prime below 2^16, by which sums of Adler-32 wrap.
const ADLER_BASE: u32 = 65_521;

/// Packed mips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ttz {
    /// All bytes of the file.
    data: Vec<u8>,
    /// Bytes up to the end of the stream, with its checksum.
    n_packed: usize,
    n_unpacked: u64,
    has_right_checksum: bool,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes follow behind the stream, as in some files of the game. They are kept.
        const TRAILING_BYTES = 1 << 0;
        /// The checksum is wrong, as in three files of the game.
        const WRONG_CHECKSUM = 1 << 1;
    }
}

impl Format for Ttz {
    type Context = ();

    const NAME: &'static str = "ttz";
    const EXTENSIONS: &'static [&'static str] = &["ttz"];
    const KIND: FileKind = FileKind::Texture;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".ttz").then_some(Match::Extension)
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Ok((Self::read_with(data, Tolerance::all())?, Vec::new()))
    }

    fn describe(&self, report: &mut Report) {
        report.fact("bytes as packed", self.n_packed);
        report.fact("bytes", self.n_unpacked);
    }
}

impl Ttz {
    const HEADER_SIZE: usize = 2;

    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// As [`Self::read_with`] without tolerance.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::empty())
    }

    /// Reads a whole file, waiving the given rules. All of it is unpacked once, and nothing of that is kept.
    ///
    /// # Errors
    /// No stream of zlib, one with a dictionary, one that is cut off or damaged, that unpacks to more than the
    /// [budget](Budget) of a file of this size, whose checksum is wrong, or that bytes follow.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        read_header(&mut r)?;
        let budget = Budget::from_file_size(data.len());
        let mut n_unpacked = 0_u64;
        let mut sum = Adler32::default();
        let at = r.clone();
        let n_packed = inflate(&r, |chunk| {
            sum.add(chunk);
            n_unpacked = n_unpacked.saturating_add(chunk.len() as u64);
            budget.spend(&at, "data", chunk.len() as u64)
        })?;
        r.bytes("data", n_packed)?;
        let at = r.clone();
        let stored = u32::from_be_bytes(r.array("checksum")?);
        let has_right_checksum = stored == sum.value();
        if !has_right_checksum && !tolerance.contains(Tolerance::WRONG_CHECKSUM) {
            let expected = format!("{:#010x}", sum.value());
            return Err(at.unexpected("checksum", expected, format!("{stored:#010x}")));
        }
        let n_packed = r.position();
        if !tolerance.contains(Tolerance::TRAILING_BYTES) {
            r.finish("after the checksum")?;
        }
        Ok(Self {
            data: data.to_vec(),
            n_packed,
            n_unpacked,
            has_right_checksum,
        })
    }

    /// The bytes of the file, as they were read.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.data.clone())
    }

    /// A new file of mips, the smallest first. Each is packed so that it can be unpacked without those after it; the
    /// numbers are where each begins, and where the last ends.
    ///
    /// # Errors
    /// More than the budget of a file of the packed size, which nothing that is shown comes near to.
    pub fn draft(mips: &[&[u8]]) -> Result<(Self, Vec<usize>), FormatError> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let mut places = Vec::new();
        let at = Reader::new(FORMAT, &[]);
        let failed = |error: std::io::Error| at.unexpected("data", "bytes that pack", error);
        for mip in mips {
            // The first begins at 0, although the header of the stream is written by then.
            places.push(match places.is_empty() {
                true => 0,
                false => encoder.get_ref().len(),
            });
            encoder.write_all(mip).map_err(failed)?;
            encoder.flush().map_err(failed)?;
        }
        let data = encoder.finish().map_err(failed)?;
        places.push(data.len());
        Ok((Self::read(&data)?, places))
    }

    /// What is unusual about the file.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.has_right_checksum {
            let finding = Finding::new(Severity::Warning, FORMAT, "its checksum is wrong");
            findings.push(finding);
        }
        findings
    }

    /// Bytes that it unpacks to.
    pub fn n_unpacked(&self) -> u64 {
        self.n_unpacked
    }

    /// What it unpacks to.
    ///
    /// # Errors
    /// The budget does not suffice.
    pub fn unpack(&self, budget: &Budget) -> Result<Vec<u8>, FormatError> {
        let mut r = Reader::new(FORMAT, &self.data);
        budget.spend(&r, "data", self.n_unpacked)?;
        read_header(&mut r)?;
        let mut unpacked = Vec::new();
        inflate(&r, |chunk| {
            unpacked.extend_from_slice(chunk);
            Ok(())
        })?;
        Ok(unpacked)
    }
}

/// Takes the two bytes that name the way of packing.
fn read_header(r: &mut Reader<'_>) -> Result<(), FormatError> {
    let at = r.clone();
    let header: [u8; Ttz::HEADER_SIZE] = r.array("zlib header")?;
    let [method, flags] = header;
    let is_zlib = method & 0x0F == DEFLATE && u16::from_be_bytes(header).is_multiple_of(31);
    if !is_zlib || flags & HAS_DICTIONARY != 0 {
        let found = format!("{method:02x} {flags:02x}");
        return Err(at.unexpected("zlib header", "Deflate without a dictionary", found));
    }
    Ok(())
}

/// Gives what the bytes at the cursor unpack to, piece by piece, and how many of them the stream takes.
fn inflate(
    r: &Reader<'_>,
    mut take: impl FnMut(&[u8]) -> Result<(), FormatError>,
) -> Result<usize, FormatError> {
    let packed = r.clone().rest();
    let mut state = Decompress::new(false);
    let mut buffer = vec![0; CHUNK];
    let mut at = 0;
    loop {
        let rest = packed.get(at..).unwrap_or_default();
        let before = (state.total_in(), state.total_out());
        let status = state.decompress(rest, &mut buffer, FlushDecompress::None);
        let status = status.map_err(|error| r.unexpected("data", "bytes that unpack", error))?;
        let n_unpacked = state.total_out().saturating_sub(before.1) as usize;
        take(buffer.get(..n_unpacked).unwrap_or_default())?;
        at = usize::try_from(state.total_in()).unwrap_or(usize::MAX);
        if status == Status::StreamEnd {
            return Ok(at);
        }
        if before == (state.total_in(), state.total_out()) {
            return Err(r.unexpected("data", "the end of the stream", "the end of the file"));
        }
    }
}

/// The checksum of zlib: the sum of all bytes, and that of all such sums.
struct Adler32 {
    sum: u32,
    sum_of_sums: u32,
}

impl Default for Adler32 {
    fn default() -> Self {
        Self {
            sum: 1,
            sum_of_sums: 0,
        }
    }
}

impl Adler32 {
    /// Bytes that cannot overflow the sums.
    const RUN: usize = 5552;

    fn add(&mut self, bytes: &[u8]) {
        for run in bytes.chunks(Self::RUN) {
            for byte in run {
                self.sum = self.sum.wrapping_add((*byte).into());
                self.sum_of_sums = self.sum_of_sums.wrapping_add(self.sum);
            }
            self.sum %= ADLER_BASE;
            self.sum_of_sums %= ADLER_BASE;
        }
    }

    fn value(&self) -> u32 {
        self.sum_of_sums << 16 | self.sum
    }
}
