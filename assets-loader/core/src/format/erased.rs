//! Formats as values: what a list of them is made of.

use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use super::{
    Archive, ArchiveError, ArchiveOptions, Conversion, ConversionError, EntryLookup, FileKind,
    Format, Input, Match, PackRequest, Packed, PictureInfo, Reference,
};
use crate::bytes::FormatError;
use crate::report::Report;

/// A [`Format`] whose type is not known. See there for the methods.
pub trait AnyFormat: Sync {
    /// [`Format::NAME`].
    fn name(&self) -> &'static str;

    /// [`Format::EXTENSIONS`].
    fn extensions(&self) -> &'static [&'static str];

    /// [`Format::KIND`].
    fn kind(&self) -> FileKind;

    /// [`Format::recognize`].
    fn recognize(&self, name: &str, head: &[u8]) -> Option<Match>;

    /// [`Format::fits_len`].
    fn fits_len(&self, name: &str, head: &[u8], file_len: u64) -> bool;

    /// Whether a file, be it yet to be written, has one of the [extensions](Format::EXTENSIONS), and a name that says what
    /// the reader needs.
    fn is_named(&self, path: &Path) -> bool;

    /// [`Format::refine`].
    fn refine(&self, name: &str, data: &[u8]) -> Option<&'static dyn AnyFormat>;

    /// [`Format::inspect`].
    ///
    /// # Errors
    /// The file cannot be read; the report has what was found up to there.
    fn inspect(&self, input: &Input<'_>, report: &mut Report) -> Result<(), FormatError>;

    /// [`Format::ARCHIVE_LABEL`].
    fn archive_label(&self) -> Option<&'static str>;

    /// [`Format::open_archive`].
    fn open_archive(
        &self,
        path: &Path,
        options: ArchiveOptions,
    ) -> Option<Result<Archive, ArchiveError>>;

    /// [`Format::packs`].
    fn packs(&self, request: &PackRequest<'_>) -> bool;

    /// [`Format::pack`].
    ///
    /// # Errors
    /// The base is broken, or something is not allowed in it.
    fn pack(&self, request: &PackRequest<'_>) -> Result<Packed, ConversionError>;

    /// [`Format::inspect_entry`].
    ///
    /// # Errors
    /// The archive is broken.
    fn inspect_entry(
        &self,
        archive: &Input<'_>,
        name: &str,
        report: &mut Report,
    ) -> Result<EntryLookup, FormatError>;

    /// [`Format::entry_format`].
    fn entry_format(&self, archive: &Input<'_>, entry: &str) -> Option<&'static dyn AnyFormat>;

    /// [`Format::conversions`].
    fn conversions(&self) -> &'static [Conversion];

    /// [`Format::pictures`] of a file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn pictures(&self, path: &Path, data: &[u8]) -> Result<Vec<PictureInfo>, FormatError>;

    /// [`Format::picture`] of a file.
    ///
    /// # Errors
    /// The file cannot be read, or has no such picture.
    fn picture(&self, path: &Path, data: &[u8], index: usize) -> Result<Vec<u8>, FormatError>;

    /// [`Format::references`] of a file; none if it cannot be read.
    fn references(&self, path: &Path, data: &[u8]) -> Vec<Reference>;

    /// Does with any bytes what must neither panic nor lose a byte: reads them in every context, writes and checks
    /// what was read. For fuzzing.
    ///
    /// # Panics
    /// The format has a defect.
    fn exercise(&self, data: &[u8]);
}

impl fmt::Debug for dyn AnyFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for dyn AnyFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn AnyFormat {}

/// A format in a list.
pub struct Registered<F>(PhantomData<fn() -> F>);

impl<F> Registered<F> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

impl<F> fmt::Debug for Registered<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::any::type_name::<F>())
    }
}

impl<F: Format> AnyFormat for Registered<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }

    fn extensions(&self) -> &'static [&'static str] {
        F::EXTENSIONS
    }

    fn kind(&self) -> FileKind {
        F::KIND
    }

    fn recognize(&self, name: &str, head: &[u8]) -> Option<Match> {
        F::recognize(name, head)
    }

    fn fits_len(&self, name: &str, head: &[u8], file_len: u64) -> bool {
        F::fits_len(name, head, file_len)
    }

    fn is_named(&self, path: &Path) -> bool {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        F::EXTENSIONS.iter().any(|known| extension == *known) && F::context(path).is_ok()
    }

    fn refine(&self, name: &str, data: &[u8]) -> Option<&'static dyn AnyFormat> {
        F::refine(name, data)
    }

    fn inspect(&self, input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        F::inspect(input, report)
    }

    fn archive_label(&self) -> Option<&'static str> {
        F::ARCHIVE_LABEL
    }

    fn open_archive(
        &self,
        path: &Path,
        options: ArchiveOptions,
    ) -> Option<Result<Archive, ArchiveError>> {
        F::open_archive(path, options)
    }

    fn packs(&self, request: &PackRequest<'_>) -> bool {
        F::packs(request)
    }

    fn pack(&self, request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
        F::pack(request)
    }

    fn inspect_entry(
        &self,
        archive: &Input<'_>,
        name: &str,
        report: &mut Report,
    ) -> Result<EntryLookup, FormatError> {
        F::inspect_entry(archive, name, report)
    }

    fn entry_format(&self, archive: &Input<'_>, entry: &str) -> Option<&'static dyn AnyFormat> {
        F::entry_format(archive, entry)
    }

    fn conversions(&self) -> &'static [Conversion] {
        F::conversions()
    }

    fn pictures(&self, path: &Path, data: &[u8]) -> Result<Vec<PictureInfo>, FormatError> {
        Ok(read_somehow::<F>(path, data)?.pictures())
    }

    fn picture(&self, path: &Path, data: &[u8], index: usize) -> Result<Vec<u8>, FormatError> {
        read_somehow::<F>(path, data)?.picture(index)
    }

    fn references(&self, path: &Path, data: &[u8]) -> Vec<Reference> {
        let file = read_somehow::<F>(path, data);
        file.map_or_else(|_| Vec::new(), |file| file.references(path))
    }

    fn exercise(&self, data: &[u8]) {
        for context in F::contexts() {
            if let Ok(file) = F::read(data, &context) {
                let written = file.write();
                assert_eq!(written.as_deref(), Ok(data), "{}: other bytes", F::NAME);
                file.check();
            }
            if let Ok((file, _)) = F::read_tolerant(data, &context) {
                file.check();
                // It may hold what cannot be written.
                let _ = file.write();
            }
        }
    }
}

/// A file as far as sense can be made of it.
fn read_somehow<F: Format>(path: &Path, data: &[u8]) -> Result<F, FormatError> {
    // Where the path alone does not decide, the usual kind of file is taken.
    let context = F::context(path).unwrap_or_default();
    Ok(F::read_tolerant(data, &context)?.0)
}
