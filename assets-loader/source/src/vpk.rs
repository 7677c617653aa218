//! `*.vpk`: the archives of a game install (dossier section 10.4).
//!
//! [`VpkDirectory`] is a directory file of version 1 or 2, whose files lie in it or in numbered archives beside it;
//! [`VtmbPack`] is the other format of that suffix. What is read is written back byte for byte.
//!
//! Deliberately absent: opening of files (`game_files` does that), signatures.

mod draft;
mod format;
mod pack;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use self::pack::PackEnd;
pub use self::pack::{PackedFile, VtmbPack};
pub use self::tree::{VpkEntry, VpkExtension, VpkFolder, VpkTree};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::format::Format;

const FORMAT: &str = VpkDirectory::NAME;
const SIGNATURE: u32 = 0x55AA_1234;
/// The number that stands for the directory file itself.
pub const IN_DIRECTORY: u16 = 0x7FFF;

/// A directory file: which files there are, and where they lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VpkDirectory {
    /// Which files there are.
    pub tree: VpkTree,
    /// Contents of files that lie in the directory file.
    pub file_data: Vec<u8>,
    /// What follows from version 2 on; `None` for version 1.
    pub sections: Option<VpkSections>,
}

/// What follows the file data from version 2 on. Kept as it is: records of 28 bytes for parts of archives, 48 bytes of
/// other checksums, a signature.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "see above")]
pub struct VpkSections {
    pub archive_md5: Vec<u8>,
    pub other_md5: Vec<u8>,
    pub signature: Vec<u8>,
}

/// What a directory file begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VpkHeader {
    /// Bytes of the tree.
    pub tree_size: u32,
    /// Bytes of the four parts after the tree, from version 2 on.
    pub part_sizes: Option<[u32; 4]>,
}

impl VpkHeader {
    /// Bytes of the longest header.
    pub const MAX_SIZE: usize = 28;

    /// Reads the header that `r` stands at.
    ///
    /// # Errors
    /// Another signature, a version that is neither 1 nor 2.
    pub fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let at_signature = r.clone();
        let signature = r.u32("signature")?;
        if signature != SIGNATURE {
            let expected = format!("{SIGNATURE:#x}");
            return Err(at_signature.unexpected("signature", expected, format!("{signature:#x}")));
        }
        let at_version = r.clone();
        let version = r.u32("version")?;
        let tree_size = r.u32("tree size")?;
        let part_sizes = match version {
            1 => None,
            2 => Some([
                r.u32("file data size")?,
                r.u32("archive MD5 size")?,
                r.u32("other MD5 size")?,
                r.u32("signature size")?,
            ]),
            other => return Err(at_version.unexpected("version", "1 or 2", other)),
        };
        Ok(Self {
            tree_size,
            part_sizes,
        })
    }

    /// Bytes of this header.
    pub fn size(&self) -> u32 {
        match self.part_sizes {
            None => 12,
            Some(_) => 28,
        }
    }

    /// Where contents in the directory file begin, in bytes from its start.
    pub fn data_offset(&self) -> u64 {
        u64::from(self.size()).saturating_add(self.tree_size.into())
    }
}

impl VpkDirectory {
    /// Reads a whole directory file.
    ///
    /// # Errors
    /// Another signature or version, a tree that does not end where its size says, parts that do not come to the whole
    /// file, a file in the directory file that reaches outside.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let header = VpkHeader::read(&mut r)?;
        let tree = VpkTree::read_from(&mut r, header.tree_size)?;
        let rest = r.remaining();
        let [n_data, sizes @ ..] = header.part_sizes.unwrap_or([0; 4]);
        let n_data = match header.part_sizes {
            None => rest,
            Some(_) => n_data as usize,
        };
        let file_data = r.bytes("file data", n_data)?.to_vec();
        let mut parts = sizes.into_iter().map(|size| size as usize);
        let mut part = |field| match parts.next() {
            Some(size) => r.bytes(field, size).map(<[u8]>::to_vec),
            None => Ok(Vec::new()),
        };
        let [archive_md5, other_md5, signature] =
            [part("archive MD5")?, part("other MD5")?, part("signature")?];
        r.finish("after the signature")?;
        let directory = Self {
            tree,
            file_data,
            sections: header.part_sizes.map(|_| VpkSections {
                archive_md5,
                other_md5,
                signature,
            }),
        };
        for (path, entry) in directory.tree.files() {
            if entry.is_in_directory() && entry.length > 0 {
                directory
                    .content(entry, header.data_offset())
                    .map_err(|error| error.in_entry(&path))?;
            }
        }
        Ok(directory)
    }

    /// Writes the directory file.
    ///
    /// # Errors
    /// What the fields cannot hold: names that are empty or hold a NUL, more than 65,535 preloaded bytes.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            tree,
            file_data,
            sections,
        } = self;
        let tree = tree.write()?;
        let mut w = Writer::new(FORMAT);
        w.u32(SIGNATURE);
        w.u32(if sections.is_some() { 2 } else { 1 });
        w.count("tree size", tree.len())?;
        if let Some(VpkSections {
            archive_md5,
            other_md5,
            signature,
        }) = sections
        {
            w.count("file data size", file_data.len())?;
            w.count("archive MD5 size", archive_md5.len())?;
            w.count("other MD5 size", other_md5.len())?;
            w.count("signature size", signature.len())?;
            let parts = [&tree, file_data, archive_md5, other_md5, signature];
            parts.into_iter().for_each(|part| w.bytes(part));
        } else {
            w.bytes(&tree);
            w.bytes(file_data);
        }
        Ok(w.finish())
    }

    /// The part of a file that lies in the directory file, without what is preloaded.
    ///
    /// `base` is where the file data begins in the file, for the offsets of errors.
    fn content(&self, entry: &VpkEntry, base: u64) -> Result<&[u8], FormatError> {
        let r = Reader::nested(FORMAT, &self.file_data, base);
        let mut part = r.sub("file data", entry.offset as usize, entry.length as usize)?;
        part.bytes("file data", entry.length as usize)
    }

    /// The bytes of the file of that path; `None` if there is none. Case and kind of slash do not matter.
    ///
    /// `archive` gives the bytes of the numbered archive that the file lies in, from the offset on, as many as requested
    /// for; it is not called for what lies here.
    ///
    /// # Errors
    /// What `archive` refuses, another number of bytes, another checksum than the directory has.
    pub fn open<E: From<FormatError>>(
        &self,
        path: &str,
        archive: impl FnOnce(&VpkEntry) -> Result<Vec<u8>, E>,
    ) -> Result<Option<Vec<u8>>, E> {
        let Some(entry) = self.tree.find(path) else {
            return Ok(None);
        };
        let rest = match (entry.length, entry.archive) {
            (0, _) => Vec::new(),
            (_, IN_DIRECTORY) => self.content(entry, 0)?.to_vec(),
            _ => archive(entry)?,
        };
        let data = entry.join(rest).map_err(|error| error.in_entry(path))?;
        Ok(Some(data))
    }
}

impl VpkEntry {
    /// The whole file from what is preloaded and the rest.
    ///
    /// # Errors
    /// Another number of bytes or another checksum than promised.
    pub fn join(&self, rest: Vec<u8>) -> Result<Vec<u8>, FormatError> {
        let r = Reader::new(FORMAT, &[]);
        if rest.len() as u64 != u64::from(self.length) {
            return Err(r.error(
                "file data",
                FormatErrorKind::Truncated {
                    needed: self.length.into(),
                    available: rest.len() as u64,
                },
            ));
        }
        let data = match self.preload.as_slice() {
            [] => rest,
            preload => [preload, &rest].concat(),
        };
        let sum = crc32fast::hash(&data);
        if sum != self.crc32 {
            let expected = format!("{:#010x}", self.crc32);
            return Err(r.unexpected("checksum", expected, format!("{sum:#010x}")));
        }
        Ok(data)
    }
}
