//! The tree of a directory file: extensions, in them folders, in them files.

use super::{FORMAT, IN_DIRECTORY};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

const TERMINATOR: u16 = 0xFFFF;
/// Longest extension, folder or name: the game's longest path. All files of a folder repeat its name in their paths.
const MAX_TEXT_LEN: usize = 260;
/// What an extension or folder is called that is none.
const NONE: &[u8] = b" ";

/// Which files there are, in file order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VpkTree {
    /// Files by extension.
    pub extensions: Vec<VpkExtension>,
}

/// Files of one extension.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VpkExtension {
    /// The extension without its dot; a single space is none.
    pub name: Vec<u8>,
    /// Files by folder.
    pub folders: Vec<VpkFolder>,
}

/// Files of one extension in one folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VpkFolder {
    /// Path of the folder, split by `/`; a single space is none.
    pub name: Vec<u8>,
    /// The files.
    pub files: Vec<VpkEntry>,
}

/// One file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VpkEntry {
    /// Its name without folder and extension.
    pub name: Vec<u8>,
    /// Checksum of the whole file.
    pub crc32: u32,
    /// Number of the archive that its rest lies in; [`IN_DIRECTORY`] for the directory file itself.
    pub archive: u16,
    /// Where the rest begins: in bytes from the start of the archive, or of the directory file's data.
    pub offset: u32,
    /// Bytes of the rest.
    pub length: u32,
    /// The file's first bytes.
    pub preload: Vec<u8>,
}

impl VpkEntry {
    /// Bytes of the whole file.
    pub fn size(&self) -> u64 {
        u64::from(self.length).saturating_add(self.preload.len() as u64)
    }
}

impl VpkTree {
    /// Reads a tree of `size` bytes that `r` stands at.
    ///
    /// # Errors
    /// Text or an entry that reaches beyond the tree, a wrong terminator, an empty name, a tree that ends early.
    pub fn read_from(r: &mut Reader<'_>, size: u32) -> Result<Self, FormatError> {
        let position = r.position();
        let mut tree = r.sub("tree", position, size as usize)?;
        r.bytes("tree", size as usize)?;
        let mut extensions = Vec::new();
        while let Some(name) = text(&mut tree, "extension")? {
            let mut folders = Vec::new();
            while let Some(name) = text(&mut tree, "folder")? {
                let mut files = Vec::new();
                while let Some(name) = text(&mut tree, "file name")? {
                    files.push(VpkEntry::read(&mut tree, name)?);
                }
                folders.push(VpkFolder { name, files });
            }
            extensions.push(VpkExtension { name, folders });
        }
        tree.finish("after the last extension")?;
        Ok(Self { extensions })
    }

    /// Writes the tree.
    ///
    /// # Errors
    /// A name that is empty or holds a NUL, more than 65,535 preloaded bytes.
    pub(super) fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        for VpkExtension { name, folders } in &self.extensions {
            put_text(&mut w, "extension", name)?;
            for VpkFolder { name, files } in folders {
                put_text(&mut w, "folder", name)?;
                for file in files {
                    file.write(&mut w)?;
                }
                w.u8(0);
            }
            w.u8(0);
        }
        w.u8(0);
        Ok(w.finish())
    }

    /// All files with their paths, in file order.
    pub fn files(&self) -> impl Iterator<Item = (String, &VpkEntry)> {
        self.extensions.iter().flat_map(|extension| {
            extension.folders.iter().flat_map(move |folder| {
                let path = move |file| path(&extension.name, &folder.name, file);
                folder
                    .files
                    .iter()
                    .map(move |file| (path(&file.name), file))
            })
        })
    }

    /// The file of that path; case of ASCII letters and kind of slash do not matter. Of several the first.
    ///
    /// Looks through the names of extensions, folders and files one at a time; for many queries make a table of
    /// [`files`](Self::files).
    pub fn find(&self, path: &str) -> Option<&VpkEntry> {
        let path = path.replace('\\', "/");
        let [folder, name, extension] = parts(&path);
        let same =
            |stored: &[u8], requested: &str| stored.eq_ignore_ascii_case(requested.as_bytes());
        let extensions = self.extensions.iter().filter(|e| same(&e.name, extension));
        let folders = extensions
            .flat_map(|e| &e.folders)
            .filter(|f| same(&f.name, folder));
        let mut files = folders
            .flat_map(|f| &f.files)
            .filter(|file| same(&file.name, name));
        files.next()
    }
}

impl VpkEntry {
    fn read(r: &mut Reader<'_>, name: Vec<u8>) -> Result<Self, FormatError> {
        let crc32 = r.u32("checksum")?;
        let n_preload = r.u16("preload size")?;
        let archive = r.u16("archive")?;
        let offset = r.u32("offset")?;
        let length = r.u32("length")?;
        let at_terminator = r.clone();
        let terminator = r.u16("terminator")?;
        if terminator != TERMINATOR {
            let found = format!("{terminator:#06x}");
            return Err(at_terminator.unexpected("terminator", "0xffff", found));
        }
        Ok(Self {
            name,
            crc32,
            archive,
            offset,
            length,
            preload: r.bytes("preload", n_preload.into())?.to_vec(),
        })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            name,
            crc32,
            archive,
            offset,
            length,
            preload,
        } = self;
        put_text(w, "file name", name)?;
        w.u32(*crc32);
        w.count_u16("preload size", preload.len())?;
        w.u16(*archive);
        w.u32(*offset);
        w.u32(*length);
        w.u16(TERMINATOR);
        w.bytes(preload);
        Ok(())
    }

    /// Whether the rest lies in the directory file.
    pub fn is_in_directory(&self) -> bool {
        self.archive == IN_DIRECTORY
    }
}

/// A text up to its NUL; `None` for an empty one, which ends a list.
fn text(r: &mut Reader<'_>, field: &'static str) -> Result<Option<Vec<u8>>, FormatError> {
    let mut rest = r.clone();
    let bytes = rest.bytes(field, rest.remaining())?;
    let Some(len) = bytes.iter().position(|byte| *byte == 0) else {
        return Err(r.unexpected(field, "a text that ends with NUL", "none"));
    };
    if len > MAX_TEXT_LEN {
        let expected = format!("at most {MAX_TEXT_LEN} bytes");
        return Err(r.unexpected(field, expected, len));
    }
    let text = r.bytes(field, len)?.to_vec();
    r.u8(field)?;
    Ok((!text.is_empty()).then_some(text))
}

fn put_text(w: &mut Writer, field: &'static str, text: &[u8]) -> Result<(), FormatError> {
    if text.is_empty() || text.contains(&0) {
        return Err(w.unexpected(
            field,
            "a name without NUL",
            format!("\"{}\"", text.escape_ascii()),
        ));
    }
    w.bytes(text);
    w.u8(0);
    Ok(())
}

/// Folder, name and extension of a path that is split by `/`.
pub(super) fn parts(path: &str) -> [&str; 3] {
    let (folder, file) = path.rsplit_once('/').unwrap_or((" ", path));
    let split = file.rsplit_once('.');
    let split = split.filter(|(name, extension)| !name.is_empty() && !extension.is_empty());
    let (name, extension) = split.unwrap_or((file, " "));
    [folder, name, extension]
}

fn path(extension: &[u8], folder: &[u8], file: &[u8]) -> String {
    let mut path = Vec::new();
    if folder != NONE {
        path.extend_from_slice(folder);
        path.push(b'/');
    }
    path.extend_from_slice(file);
    if extension != NONE {
        path.push(b'.');
        path.extend_from_slice(extension);
    }
    String::from_utf8_lossy(&path).into_owned()
}
