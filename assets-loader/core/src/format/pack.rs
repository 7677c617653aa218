//! Files put into archives: what `pack` writes.

/// What is to be put into an archive.
#[derive(Debug, Clone, Copy)]
pub struct PackRequest<'a> {
    /// Name of the archive's file, or of the one that it begins with.
    pub file_name: &'a str,
    /// The archive that files are put into; `None` for a new one.
    pub base: Option<&'a [u8]>,
    /// Names with `/`, and bytes.
    pub files: &'a [(String, Vec<u8>)],
    /// Files of the base that are not among these go.
    pub replace_all: bool,
    /// What the user chose.
    pub options: &'a PackOptions,
}

/// What the user may choose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackOptions {
    /// Order of names in a new archive, by a word of the format.
    pub order: Option<String>,
    /// Files of equal content are stored once.
    pub share: bool,
}

/// An archive that is not written yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packed {
    /// Its file.
    pub bytes: Vec<u8>,
    /// What it holds, as in `12 entries, 3 files`.
    pub content: String,
    /// Files of the base that it does not hold any more.
    pub removed: Vec<String>,
}
