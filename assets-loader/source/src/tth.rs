//! `*.tth`: the beginning of a texture of Vampire: The Masquerade - Bloodlines; the rest is in the [`ttz`].
//!
//! Layout: the public readers of the game's textures (erysdren's Kaitai description, FTE's plugin, twiglard's importer,
//! which agree). A header, a row for each mip, and a VTF of version 7.0 or 7.1 up to its smallest mips. What the TTZ
//! unpacks to is appended to that, and the VTF is whole.
//!
//! What rows say of single mips is kept and not used: tools have left them empty. Where the compiler of the game wrote
//! more than it meant to, the bytes behind the VTF are kept, too.

#[cfg(test)]
mod tests;

use std::path::Path;

use bitflags::bitflags;

use super::mdl::beside;
use super::ttz::{self, Ttz};
use super::vtf::conversion::CONVERSIONS as VTF_CONVERSIONS;
use super::vtf::{self, Vtf};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionOption, ConversionRequest, Exported, Exporter, Fidelity,
    FileKind, Format, Input, Match, PictureInfo, Reference, inherent_methods, no_picture, stem,
};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;
use ironlands_assets_core::unpack::Budget;

const FORMAT: &str = Tth::NAME;
/// First bytes of every file.
const MAGIC: &[u8; 4] = b"TTH\0";
const VERSION: u16 = 1;

/// The beginning of a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tth {
    /// Number of mips, of the smallest on, that are in this file.
    pub n_inline_mips: u8,
    /// Where mips begin, the smallest first; at most 255.
    pub mips: Vec<TthPlace>,
    /// Where the last one ends.
    pub end: TthPlace,
    /// The beginning of the VTF.
    pub beginning: Vec<u8>,
    /// Bytes behind it that mean nothing.
    pub trailer: Vec<u8>,
}

/// Where a mip begins, or the last one ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct TthPlace {
    /// Bytes of the whole VTF before it.
    #[field("vtf offset")]
    pub vtf_offset: u32,
    /// Bytes of the TTZ before it, as packed.
    #[field("ttz offset")]
    pub ttz_offset: u32,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes follow behind the VTF, as in some files of the game. They are kept.
        const TRAILING_BYTES = 1 << 0;
    }
}

impl Format for Tth {
    type Context = ();

    const NAME: &'static str = "tth";
    const EXTENSIONS: &'static [&'static str] = &["tth"];
    const KIND: FileKind = FileKind::Texture;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        name.ends_with(".tth").then_some(Match::Extension)
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Ok((Self::read_with(data, Tolerance::all())?, Vec::new()))
    }

    fn conversions() -> &'static [Conversion] {
        CONVERSIONS
    }

    fn describe(&self, report: &mut Report) {
        report.fact("mips", self.mips.len());
        report.fact("mips in this file", self.n_inline_mips);
        report.fact("bytes of the VTF", self.end.vtf_offset);
        report.fact("bytes of the TTZ", self.end.ttz_offset);
        if let Some(texture) = self.whole() {
            texture.describe(report);
        }
    }

    /// The TTZ beside it on disk, and what they are together.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        // In an archive nothing lies beside it.
        if self.is_whole() || !input.path.is_file() {
            return;
        }
        match open_beside(self, input.path) {
            Ok(texture) => {
                texture.describe(report);
                report.findings.extend(texture.check());
            }
            Err(error) => {
                let message = format!("it cannot be shown: {error}");
                let finding = Finding::new(Severity::Error, FORMAT, message);
                report.findings.push(finding);
            }
        }
    }

    fn pictures(&self) -> Vec<PictureInfo> {
        self.whole().map(|it| it.pictures()).unwrap_or_default()
    }

    fn picture(&self, index: usize) -> Result<Vec<u8>, FormatError> {
        match self.whole() {
            Some(texture) => Format::picture(&texture, index),
            None => Err(no_picture(FORMAT, index)),
        }
    }

    fn references(&self, path: &Path) -> Vec<Reference> {
        let name = format!("{}.{}", stem(path), Ttz::NAME);
        match self.is_whole() {
            true => Vec::new(),
            false => vec![Reference::new(FileKind::Texture, name)],
        }
    }
}

impl Tth {
    /// Bytes before the rows of mips.
    const HEADER_SIZE: usize = 12;

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
    /// Another magic or version, no VTF after the rows, a VTF of fewer bytes in all than are here, bytes that follow.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let at = r.clone();
        let version = r.u16("version")?;
        if version != VERSION {
            return Err(at.unexpected("version", VERSION.to_string(), version));
        }
        let n_mips = r.u8("mip count")?;
        let n_inline_mips = r.u8("inline mip count")?;
        let n_bytes = r.u32("vtf length")?;
        let mips = (0..n_mips).map(|_| TthPlace::read(&mut r, ()));
        let mips = mips.collect::<Result<_, _>>()?;
        let at_end = r.clone();
        let end = TthPlace::read(&mut r, ())?;
        if end.vtf_offset < n_bytes {
            let expected = format!("at least the {n_bytes} bytes of this file");
            return Err(at_end.unexpected("vtf offset", expected, end.vtf_offset));
        }
        r.clone().expect("vtf magic", vtf::MAGIC)?;
        let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        let beginning = r.bytes("vtf", n_bytes)?.to_vec();
        if !tolerance.contains(Tolerance::TRAILING_BYTES) {
            r.clone().finish("after the vtf")?;
        }
        Ok(Self {
            n_inline_mips,
            mips,
            end,
            beginning,
            trailer: r.rest().to_vec(),
        })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// What the reader would refuse, and more than 255 mips.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            n_inline_mips,
            mips,
            end,
            beginning,
            trailer,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        w.u16(VERSION);
        w.u8(w.checked_count("mip count", mips.len())?);
        w.u8(*n_inline_mips);
        w.count("vtf length", beginning.len())?;
        for place in mips.iter().chain([end]) {
            place.write(&mut w, ())?;
        }
        w.bytes(beginning);
        w.bytes(trailer);
        let data = w.finish();
        // What contradicts itself in any other way, the reader names.
        Self::read_with(&data, Tolerance::all())?;
        Ok(data)
    }

    /// What is unusual about the file.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |message| findings.push(Finding::new(Severity::Warning, FORMAT, message));
        if usize::from(self.n_inline_mips) > self.mips.len() {
            let n_mips = self.mips.len();
            find(format!("{} of {n_mips} mips are here", self.n_inline_mips));
        }
        let all = u64::from(self.end.vtf_offset);
        let stated = Vtf::stated_len(&self.beginning).filter(|stated| *stated != all);
        if let Some(stated) = stated {
            find(format!(
                "the VTF has {all} bytes, its pictures end at {stated}"
            ));
        }
        findings
    }

    /// Whether all of the texture is in this file, so that it has no TTZ.
    pub fn is_whole(&self) -> bool {
        self.end.ttz_offset == 0
    }

    /// The texture, if all of it is in this file and can be read.
    fn whole(&self) -> Option<Vtf> {
        let texture = Vtf::read_with(&self.beginning, vtf::Tolerance::all());
        texture.ok().filter(|_| self.is_whole())
    }

    /// The texture that this file and its TTZ are together; the TTZ of one that is whole is not looked at.
    ///
    /// # Errors
    /// No TTZ where one is needed; one that is broken, that the budget does not suffice for, or that unpacks to more or
    /// less than this file or the header of the texture says; a broken texture.
    pub fn join(&self, ttz: Option<&[u8]>, budget: &Budget) -> Result<Vtf, FormatError> {
        Vtf::read_with(&self.vtf(ttz, budget)?, vtf::Tolerance::all())
    }

    /// The bytes of the texture; see [`Self::join`].
    ///
    /// # Errors
    /// As [`Self::join`], but for what is wrong with the texture itself.
    pub fn vtf(&self, ttz: Option<&[u8]>, budget: &Budget) -> Result<Vec<u8>, FormatError> {
        if self.is_whole() {
            return Ok(self.beginning.clone());
        }
        let Some(ttz) = ttz else {
            let at = self.mips.len().saturating_mul(TthPlace::SIZE);
            let at = at.saturating_add(Self::HEADER_SIZE) as u64;
            let found = format!("none; it has {} bytes", self.end.ttz_offset);
            return Err(Reader::nested(FORMAT, &[], at).unexpected("ttz", "a TTZ", found));
        };
        let ttz = Ttz::read_with(ttz, ttz::Tolerance::all())?;
        let n_here = self.beginning.len() as u64;
        let n_more = ttz.n_unpacked();
        // A tool has left wrong ends in files whose textures are whole by their own header.
        let stated = Vtf::stated_len(&self.beginning);
        let lens = [Some(self.end.vtf_offset.into()), stated];
        let mut more = lens.into_iter().flatten();
        if !more.any(|len| len.checked_sub(n_here) == Some(n_more)) {
            let missing = u64::from(self.end.vtf_offset).saturating_sub(n_here);
            let r = Reader::new(Ttz::NAME, &[]);
            let expected = format!("{missing} bytes when unpacked, as the TTH says");
            return Err(r.unexpected("data", expected, n_more));
        }
        let mut data = self.beginning.clone();
        data.append(&mut ttz.unpack(budget)?);
        Ok(data)
    }
}

/// The texture of a file on disk, whose TTZ lies beside it.
fn open_beside(tth: &Tth, path: &Path) -> Result<Vtf, String> {
    let ttz = ttz_beside(path)?;
    let budget = Budget::from_file_size(ttz.as_ref().map_or(0, Vec::len));
    let texture = tth.join(ttz.as_deref(), &budget);
    texture.map_err(|error| error.to_string())
}

fn ttz_beside(path: &Path) -> Result<Option<Vec<u8>>, String> {
    beside(path, &format!("{}.{}", stem(path), Ttz::NAME))
}

const CONVERSIONS: &[Conversion] = &[
    one_way("vtf", &[], to_vtf),
    one_way("png", PICTURE_OPTIONS, |data, request| {
        to_picture(data, request, "png")
    }),
    one_way("tga", PICTURE_OPTIONS, |data, request| {
        to_picture(data, request, "tga")
    }),
    one_way("hdr", PICTURE_OPTIONS, |data, request| {
        to_picture(data, request, "hdr")
    }),
    one_way("dds", PICTURE_OPTIONS, |data, request| {
        to_picture(data, request, "dds")
    }),
];
const PICTURE_OPTIONS: &[ConversionOption] = &[ConversionOption::SingleLevel];

const fn one_way(
    extension: &'static str,
    options: &'static [ConversionOption],
    export: Exporter,
) -> Conversion {
    Conversion {
        extension,
        fidelity: Fidelity::Valid,
        options,
        export: Some(export),
        import: None,
    }
}

/// The VTF that the file and the TTZ beside it are.
fn to_vtf(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    Ok(Exported {
        files: vec![(request.interchange.to_owned(), joined(data, request)?)],
        findings: Vec::new(),
    })
}

/// As the VTF would be exported.
fn to_picture(
    data: &[u8],
    request: &ConversionRequest<'_>,
    extension: &str,
) -> Result<Exported, ConversionError> {
    let data = joined(data, request)?;
    let mut known = VTF_CONVERSIONS.iter();
    let known = known.find(|it| it.extension == extension);
    match known.and_then(|it| it.export) {
        Some(export) => export(&data, request),
        None => Err(ConversionError::other("textures are not exported to it")),
    }
}

fn joined(data: &[u8], request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let tth = Tth::read_with(data, Tolerance::all())?;
    let ttz = ttz_beside(request.file).map_err(ConversionError::other)?;
    let budget = Budget::from_file_size(ttz.as_ref().map_or(0, Vec::len));
    Ok(tth.vtf(ttz.as_deref(), &budget)?)
}
