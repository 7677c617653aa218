//! Formats declare themselves: what every tool needs to know of one is said once, in its [`Format`].
//!
//! In: a type that mirrors the bytes of a file, with its reader and writer. Out: one list of formats for each world,
//! which recognition, reports, archives, conversion, fuzzing and the proof of readers iterate.
//!
//! Deliberately absent: any format of any world.

mod archive;
mod content;
mod conversion;
mod erased;
mod pack;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::bytes::{Finding, FormatError, FormatErrorKind, Reader, Severity};
use crate::report::{Depth, Report, refusal};

pub use self::archive::{
    Archive, ArchiveContent, ArchiveEntry, ArchiveError, ArchiveOptions, UnpackError,
};
pub use self::content::{FileKind, PictureInfo, Reference, stem};
pub use self::conversion::{
    Conversion, ConversionError, ConversionOption, ConversionOptions, ConversionRequest, Exported,
    Exporter, Fidelity, Importer, text,
};
pub use self::erased::{AnyFormat, Registered};
pub use self::pack::{PackOptions, PackRequest, Packed};
pub use crate::inherent_methods;

/// First bytes of a file that [`Format::recognize`] sees.
pub const HEAD_BYTES: u64 = 8;

/// How a file was recognized. The greater one decides between formats, then the order of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// By an extension that other files could have.
    Extension,
    /// By its first bytes.
    Content,
    /// By a name, or a name and first bytes, that no other format has.
    Name,
}

/// A file to report on.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Where it is: other files may lie beside it.
    pub path: &'a Path,
    /// Its bytes.
    pub data: &'a [u8],
    /// How far to look.
    pub depth: Depth,
}

/// A format: a type that mirrors the bytes of its files.
///
/// A strictly read file is written back byte for byte. What is no file of its own but a part of others (an entry, a
/// lump) is a format, too; it is never recognized.
///
/// ```
/// use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
/// use ironlands_assets_core::format::{Format, inherent_methods};
///
/// /// Heights of a path: how many there are, and each of them.
/// #[derive(Debug, PartialEq)]
/// struct Heights(Vec<f32>);
///
/// impl Format for Heights {
///     type Context = ();
///
///     const NAME: &'static str = "heights";
///     const EXTENSIONS: &'static [&'static str] = &["hts"];
///
///     inherent_methods!(read, write);
/// }
///
/// impl Heights {
///     fn read(data: &[u8]) -> Result<Self, FormatError> {
///         let mut r = Reader::new(Self::NAME, data);
///         // Refused if the bytes that are left cannot hold that many.
///         let n_heights = r.count("height count", 4)?;
///         let heights = (0..n_heights).map(|_| r.f32("height")).collect::<Result<_, _>>()?;
///         r.finish("after the last height")?;
///         Ok(Self(heights))
///     }
///
///     fn write(&self) -> Result<Vec<u8>, FormatError> {
///         let mut w = Writer::new(Self::NAME);
///         w.count("height count", self.0.len())?;
///         self.0.iter().for_each(|height| w.f32(*height));
///         Ok(w.finish())
///     }
/// }
///
/// let file = Heights(vec![1.5, 2.0]);
/// let data = file.write()?;
/// assert_eq!(Heights::read(&data)?, file);
///
/// // Errors name the field and its offset.
/// let error = Heights::read(&data[..6]).unwrap_err();
/// assert_eq!((&*error.field, error.offset), ("height count", 0));
/// # Ok::<(), FormatError>(())
/// ```
pub trait Format: Sized + 'static {
    /// What the reader needs beside the bytes; `()` where those suffice.
    type Context: Default;

    /// Its short name, as in findings and reports: `land_msh`.
    const NAME: &'static str;

    /// Extensions of its files in lowercase, without the dot; none for what is part of other files.
    const EXTENSIONS: &'static [&'static str];

    /// What its files are for.
    const KIND: FileKind = FileKind::Other;

    /// Whether a file is one of these, by its name in lowercase and its first [`HEAD_BYTES`] bytes.
    fn recognize(_name: &str, _head: &[u8]) -> Option<Match> {
        None
    }

    /// Whether a file that [`recognize`](Self::recognize) took may have this many bytes; for formats whose extension those
    /// of other programs have, too.
    fn fits_len(_name: &str, _head: &[u8], _file_len: u64) -> bool {
        true
    }

    /// A format that says more of the same file, once all of its bytes are there.
    fn refine(_name: &str, _data: &[u8]) -> Option<&'static dyn AnyFormat> {
        None
    }

    /// What the reader needs beside the bytes, by the path of a file.
    ///
    /// # Errors
    /// The path alone does not decide; the finding says what would.
    fn context(_path: &Path) -> Result<Self::Context, Finding> {
        Ok(Self::Context::default())
    }

    /// One context of every kind, for tests and fuzzing, which have no path.
    fn contexts() -> Vec<Self::Context> {
        vec![Self::Context::default()]
    }

    /// Reads a file, and refuses what breaks a rule of the format.
    ///
    /// # Errors
    /// The broken rule, at its offset.
    fn read(data: &[u8], context: &Self::Context) -> Result<Self, FormatError>;

    /// Reads a file as far as sense can be made of it; the findings are what was repaired.
    ///
    /// # Errors
    /// No sense can be made of it.
    fn read_tolerant(
        data: &[u8],
        context: &Self::Context,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        Ok((Self::read(data, context)?, Vec::new()))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The format cannot hold it.
    fn write(&self) -> Result<Vec<u8>, FormatError>;

    /// What is wrong or worth knowing beyond what the reader refuses.
    fn check(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// Adds facts and entries.
    fn describe(&self, _report: &mut Report) {}

    /// Adds what the files beside this one, or the files in it, say. Called after [`describe`](Self::describe).
    fn describe_more(&self, _input: &Input<'_>, _report: &mut Report) {}

    /// Reads, checks and describes a file: strictly, else tolerantly with the repairs as findings.
    ///
    /// # Errors
    /// The file cannot be read; the report has what was found up to there.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        let context = match Self::context(input.path) {
            Ok(context) => context,
            Err(finding) => {
                report.findings.push(finding);
                return Ok(());
            }
        };
        let (file, findings) = read_and_check::<Self>(input.data, &context)?;
        file.describe(report);
        report.findings.extend(findings);
        file.describe_more(input, report);
        Ok(())
    }

    /// What its archives are called, with what one must know to name one: `VPK (the _dir file)`; `None` if they are none.
    const ARCHIVE_LABEL: Option<&'static str> = None;

    /// Opens a file as an archive, by its path, since other files may belong to it; `None` if the format is none.
    fn open_archive(
        _path: &Path,
        _options: ArchiveOptions,
    ) -> Option<Result<Archive, ArchiveError>> {
        None
    }

    /// Whether files can be put into the base of a request, or into a new archive of its name. Says nothing of the files.
    fn packs(_request: &PackRequest<'_>) -> bool {
        false
    }

    /// Puts files into an archive, or into a new one.
    ///
    /// # Errors
    /// The base is broken, or something is not allowed in it.
    fn pack(_request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
        Err(ConversionError::other("files cannot be packed into it"))
    }

    /// Reports on one entry of an archive.
    ///
    /// # Errors
    /// The archive is broken.
    fn inspect_entry(
        _archive: &Input<'_>,
        _name: &str,
        _report: &mut Report,
    ) -> Result<EntryLookup, FormatError> {
        Ok(EntryLookup::NoArchive)
    }

    /// The format of an entry of an archive, where the names of both, or the archive, say more than the entry's own bytes.
    fn entry_format(_archive: &Input<'_>, _entry: &str) -> Option<&'static dyn AnyFormat> {
        None
    }

    /// Interchange formats that its files are exported to and imported from.
    fn conversions() -> &'static [Conversion] {
        &[]
    }

    /// The pictures that a file holds, such as its mip levels; the main one first.
    fn pictures(&self) -> Vec<PictureInfo> {
        Vec::new()
    }

    /// The pixels of one of the [`pictures`](Self::pictures): red, green, blue and alpha of 8 bits, first row first.
    ///
    /// # Errors
    /// It cannot be decoded, or there is none of that index.
    fn picture(&self, index: usize) -> Result<Vec<u8>, FormatError> {
        Err(no_picture(Self::NAME, index))
    }

    /// What a file at a path refers to: by its content, or because files of its name belong together.
    fn references(&self, _path: &Path) -> Vec<Reference> {
        Vec::new()
    }
}

/// The error that a file has no picture of an index.
pub fn no_picture(format: &'static str, index: usize) -> FormatError {
    let kind = FormatErrorKind::unexpected("a picture that the file has", index);
    Reader::new(format, &[]).error("picture", kind)
}

/// Whether an archive has an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryLookup {
    /// The format has no entries that can be looked up.
    NoArchive,
    /// It has, and the report describes it.
    Found,
    /// It has others.
    Missing {
        /// Their names.
        names: Vec<String>,
    },
}

/// A strictly read value with what its check finds; else a tolerantly read one with its repairs, or with the broken rule
/// where nothing had to be repaired. Of a repaired value's own check only errors count that no repair reports.
///
/// # Errors
/// Even the tolerant reader refuses it.
pub fn read_and_check<F: Format>(
    data: &[u8],
    context: &F::Context,
) -> Result<(F, Vec<Finding>), FormatError> {
    let refused = match F::read(data, context) {
        Ok(file) => {
            let findings = file.check();
            return Ok((file, findings));
        }
        Err(error) => error,
    };
    let (file, mut findings) = F::read_tolerant(data, context)?;
    let is_repaired = !findings.is_empty();
    if !is_repaired {
        findings.push(refusal(&refused));
    }
    // A file may have a finding for each of a hundred thousand records.
    let repairs: HashSet<Finding> = findings.iter().cloned().collect();
    for finding in file.check() {
        let is_reported = is_repaired && finding.severity != Severity::Error;
        if !is_reported && !repairs.contains(&finding) {
            findings.push(finding);
        }
    }
    Ok((file, findings))
}

/// A list of formats: `formats![Wear, NRes]`.
#[macro_export]
macro_rules! formats {
    ($($format:ty),* $(,)?) => {
        &[$(&$crate::format::Registered::<$format>::NEW as &dyn $crate::format::AnyFormat),*]
    };
}

/// Methods of a [`Format`] that its type has by the same name, in `impl Format`: `inherent_methods!(read, write, check)`.
///
/// Code that knows the type calls those, without a context and without the trait. Naming a method that the type lacks
/// does not compile.
///
/// `tolerant` makes [`Format::read_tolerant`] of `read_with` and the module's `Tolerance`, where a report names the broken
/// rule; with `tolerant_with_check` the check reports what was waived.
#[macro_export]
macro_rules! inherent_methods {
    ($($method:ident),+) => {
        $($crate::inherent_methods!(@$method);)+
    };
    (@read) => {
        fn read(data: &[u8], (): &()) -> Result<Self, $crate::bytes::FormatError> {
            Self::read(data)
        }
    };
    (@tolerant) => {
        $crate::inherent_methods!(@tolerant file => Vec::new());
    };
    (@tolerant_with_check) => {
        $crate::inherent_methods!(@tolerant file => file.check());
    };
    (@tolerant $file:ident => $findings:expr) => {
        fn read_tolerant(
            data: &[u8],
            (): &(),
        ) -> Result<(Self, Vec<$crate::bytes::Finding>), $crate::bytes::FormatError> {
            let $file = Self::read_with(data, Tolerance::all())?;
            let findings = $findings;
            Ok(($file, findings))
        }
    };
    (@write) => {
        fn write(&self) -> Result<Vec<u8>, $crate::bytes::FormatError> {
            use $crate::format::NoInherentMethod as _;
            self.write()
        }
    };
    (@check) => {
        fn check(&self) -> Vec<$crate::bytes::Finding> {
            use $crate::format::NoInherentMethod as _;
            self.check()
        }
    };
}

/// Makes the calls of [`inherent_methods`] ambiguous, which does not compile, where they would call themselves.
#[doc(hidden)]
pub trait NoInherentMethod {
    /// Never called.
    fn write(&self) {}

    /// Never called.
    fn check(&self) {}
}

impl<F: Format> NoInherentMethod for F {}

/// The formats of one world, and what its files are together.
#[derive(Clone, Copy)]
pub struct FormatSet {
    /// All formats, parts of files included. Of two that recognize a file equally well the first is taken.
    pub formats: &'static [&'static dyn AnyFormat],
    /// Reports on what files of a folder are together: see [`FolderInspector`].
    pub inspect_folder: FolderInspector,
}

/// Reports on what a folder is as a whole, in the order in which they are shown, before those of its files. The paths
/// in the folder are given sorted; those that are reported on are taken from the list.
pub type FolderInspector = fn(folder: &Path, paths: &mut Vec<PathBuf>) -> Vec<Report>;

/// Of a folder nothing is known but its files.
pub fn no_groups(_folder: &Path, _paths: &mut Vec<PathBuf>) -> Vec<Report> {
    Vec::new()
}

impl std::fmt::Debug for FormatSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.formats.iter().map(|format| format.name());
        f.debug_list().entries(names).finish()
    }
}
