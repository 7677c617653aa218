//! New directory files.

use std::collections::BTreeMap;

use super::tree::parts;
use super::{FORMAT, IN_DIRECTORY, VpkDirectory, VpkEntry, VpkExtension, VpkFolder, VpkTree};
use ironlands_assets_core::bytes::{FormatError, Writer};
use ironlands_assets_core::vfs::path;

/// Files of an extension by folder.
type Folders = BTreeMap<String, Vec<VpkEntry>>;

impl VpkDirectory {
    /// A new directory file of version 1 with the contents of all files in it, sorted by extension and folder. The same
    /// files make the same bytes everywhere.
    ///
    /// # Errors
    /// A path that breaks the path policy of [`vfs`](ironlands_assets_core::vfs); more bytes than 32 bits count.
    pub fn draft(files: &[(&str, &[u8])]) -> Result<Self, FormatError> {
        let mut extensions: BTreeMap<String, Folders> = BTreeMap::new();
        let mut file_data = Vec::new();
        for (path, data) in files {
            let w = Writer::new(FORMAT);
            if path::components(path).is_err() {
                return Err(w.unexpected(
                    "file name",
                    "a path within the archive",
                    format!("\"{}\"", path.escape_debug()),
                ));
            }
            let path = path.replace('\\', "/").to_ascii_lowercase();
            let [folder, name, extension] = parts(&path);
            let number = |field, value: usize| {
                let too_large = |_| w.too_large(field, value as u64, u64::from(u32::MAX));
                u32::try_from(value).map_err(too_large)
            };
            let entry = VpkEntry {
                name: name.as_bytes().to_vec(),
                crc32: crc32fast::hash(data),
                archive: IN_DIRECTORY,
                offset: number("offset", file_data.len())?,
                length: number("length", data.len())?,
                preload: Vec::new(),
            };
            file_data.extend_from_slice(data);
            let folders = extensions.entry(extension.to_owned()).or_default();
            folders.entry(folder.to_owned()).or_default().push(entry);
        }
        let folder = |(name, files): (String, _)| VpkFolder {
            name: name.into_bytes(),
            files,
        };
        let extension = |(name, folders): (String, Folders)| VpkExtension {
            name: name.into_bytes(),
            folders: folders.into_iter().map(folder).collect(),
        };
        Ok(Self {
            tree: VpkTree {
                extensions: extensions.into_iter().map(extension).collect(),
            },
            file_data,
            sections: None,
        })
    }
}
