//! `packNNN.vpk` of Vampire: The Masquerade - Bloodlines: contents, then a directory, then where that lies.

use super::FORMAT;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};

const VERSION: u8 = 0;

/// A pack, contents and directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VtmbPack {
    /// All bytes before the directory.
    pub data: Vec<u8>,
    /// Which of them are files, in file order.
    pub files: Vec<PackedFile>,
}

/// One file of a pack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackedFile {
    /// Its path.
    pub name: Vec<u8>,
    /// Where it begins, in bytes from the start of the pack.
    pub offset: u32,
    /// Its bytes.
    pub length: u32,
}

impl PackedFile {
    const MIN_SIZE: usize = 12;

    /// Its path as text.
    pub fn path(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }

    /// Reads the directory of a pack: `end` are its last nine bytes, `directory` those before that, from
    /// [`PackEnd::offset`] on.
    pub(crate) fn read_all(
        mut directory: Reader<'_>,
        end: &PackEnd,
    ) -> Result<Vec<Self>, FormatError> {
        directory.claim("file count", end.n_files.into(), Self::MIN_SIZE)?;
        let files = (0..end.n_files)
            .map(|_| Self::read(&mut directory, end.offset))
            .collect::<Result<_, _>>()?;
        directory.finish("after the last file")?;
        Ok(files)
    }

    fn read(r: &mut Reader<'_>, data_len: u32) -> Result<Self, FormatError> {
        let n_name = r.count("name length", 1)?;
        let name = r.bytes("name", n_name)?.to_vec();
        let at_offset = r.clone();
        let [offset, length] = [r.u32("offset")?, r.u32("length")?];
        if u64::from(offset).saturating_add(length.into()) > u64::from(data_len) {
            let found = format!("{length} bytes at {offset:#x}");
            let expected = format!("bytes before the directory at {data_len:#x}");
            return Err(at_offset.unexpected("offset", expected, found));
        }
        Ok(Self {
            name,
            offset,
            length,
        })
    }
}

/// The last nine bytes of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackEnd {
    n_files: u32,
    /// Where the directory begins.
    pub(crate) offset: u32,
}

impl PackEnd {
    /// Bytes of it.
    pub(crate) const SIZE: usize = 9;

    /// Reads them. A directory cannot begin after them.
    pub(crate) fn read(mut r: Reader<'_>) -> Result<Self, FormatError> {
        let end_start = r.offset();
        let n_files = r.u32("file count")?;
        let at_offset = r.clone();
        let offset = r.u32("directory offset")?;
        if u64::from(offset) > end_start {
            let expected = format!("at most {end_start:#x}");
            return Err(at_offset.unexpected("directory offset", expected, format!("{offset:#x}")));
        }
        let at_version = r.clone();
        let version = r.u8("version")?;
        if version != VERSION {
            return Err(at_version.unexpected("version", "0", version));
        }
        Ok(Self { n_files, offset })
    }
}

impl VtmbPack {
    /// Reads a whole pack.
    ///
    /// # Errors
    /// Another version, a directory that does not end where the last nine bytes begin, a file that reaches into the
    /// directory.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let r = Reader::new(FORMAT, data);
        let Some(end_start) = data.len().checked_sub(PackEnd::SIZE) else {
            let kind = FormatErrorKind::Truncated {
                needed: PackEnd::SIZE as u64,
                available: data.len() as u64,
            };
            return Err(r.error("end", kind));
        };
        let end = PackEnd::read(r.sub("end", end_start, PackEnd::SIZE)?)?;
        let start = end.offset as usize;
        let n_directory = end_start.saturating_sub(start);
        let files = PackedFile::read_all(r.sub("directory", start, n_directory)?, &end)?;
        let mut contents = r;
        Ok(Self {
            data: contents.bytes("files", start)?.to_vec(),
            files,
        })
    }

    /// Writes the pack.
    ///
    /// # Errors
    /// More bytes than 32 bits count, or a file that lies outside of the data.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { data, files } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(data);
        for file in files {
            let PackedFile {
                name,
                offset,
                length,
            } = file;
            if self.content(file).is_none() {
                return Err(w
                    .unexpected(
                        "offset",
                        format!("bytes within {}", data.len()),
                        format!("{length} bytes at {offset:#x}"),
                    )
                    .in_entry(&file.path()));
            }
            w.count("name length", name.len())?;
            w.bytes(name);
            w.u32(*offset);
            w.u32(*length);
        }
        w.count("file count", files.len())?;
        w.count("directory offset", data.len())?;
        w.u8(VERSION);
        Ok(w.finish())
    }

    /// The bytes of the file of that path; `None` if there is none. Case and kind of slash do not matter; of several
    /// the first.
    pub fn open(&self, path: &str) -> Option<&[u8]> {
        let folded = |name: &str| name.replace('\\', "/").to_ascii_lowercase();
        let requested = folded(path);
        let mut files = self.files.iter();
        self.content(files.find(|file| folded(&file.path()) == requested)?)
    }

    fn content(&self, file: &PackedFile) -> Option<&[u8]> {
        let start = file.offset as usize;
        self.data
            .get(start..start.checked_add(file.length as usize)?)
    }
}
