//! ZIP archives of levels and games: unpacked once into the cache folder, and opened from there.
//!
//! Names that lead out of the folder are left out, and the unpack limit holds as for all archives.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::UNIX_EPOCH;
use std::{env, fs};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::assets::unpack::Budget;
use crate::assets::vfs::{self, path::components};
use crate::console::output::{Existing, make_folder_of, write_one_of_many};
use crate::error::AppError;
use crate::user_folders::cache_folder;

/// What is in the folder of an archive that is unpacked completely.
const DONE: &str = ".complete";
/// What a file costs of the budget, be it empty.
const FILE_COST: u64 = 8 << 10;

/// Whether a path is a ZIP archive by its name and its first bytes.
pub fn is_zip(path: &Path) -> bool {
    let is_named =
        (path.extension()).is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    is_named && path.is_file() && vfs::read_head(path, 2).is_ok_and(|head| head == b"PK")
}

/// The folder with the files of an archive, which is unpacked if it was not before.
///
/// # Errors
/// It is broken, exceeds the unpack limit, or cannot be written.
pub fn unpack(path: &Path, is_unwanted: &AtomicBool) -> Result<PathBuf, AppError> {
    let cache = cache_folder().unwrap_or_else(|| env::temp_dir().join("ironlands"));
    let folder = cache.join("unpacked").join(folder_name(path));
    if !folder.join(DONE).exists() {
        unpack_into(path, &folder, is_unwanted)?;
        write_one_of_many(&folder.join(DONE), Existing::Replace, b"")?;
    }
    Ok(folder)
}

/// Another one for each file and each time that it was written.
fn folder_name(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    path.canonicalize()
        .unwrap_or_else(|_| path.to_owned())
        .hash(&mut hasher);
    if let Ok(metadata) = fs::metadata(path) {
        metadata.len().hash(&mut hasher);
        let written = metadata.modified().ok();
        let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        written.hash(&mut hasher);
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem}-{:08x}", hasher.finish() as u32)
}

fn unpack_into(path: &Path, folder: &Path, is_unwanted: &AtomicBool) -> Result<(), AppError> {
    let broken = |source: ZipError| AppError::Unzip {
        path: path.to_owned(),
        source,
    };
    let file = vfs::open_file(path).map_err(|error| broken(error.into()))?;
    let len = file.metadata().map_or(0, |metadata| metadata.len());
    let budget = Budget::from_file_size(usize::try_from(len).unwrap_or(usize::MAX));
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    for index in 0..archive.len() {
        if is_unwanted.load(Ordering::Relaxed) {
            return Err(AppError::Stopped);
        }
        let entry = archive.by_index(index).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        let parts = match components(&name) {
            Ok(parts) if entry.is_file() => parts,
            Ok(_) => continue,
            Err(_) if entry.is_dir() => continue,
            Err(error) => {
                log::warn!("{}: {error}", path.display());
                continue;
            }
        };
        let too_large = |_| broken(ZipError::Io(io::ErrorKind::FileTooLarge.into()));
        budget
            .take(FILE_COST.saturating_add(entry.size()))
            .map_err(too_large)?;
        let mut bytes = Vec::new();
        // To the end, where the checksum is compared; what is longer than it says is not unpacked any further.
        let size = entry.size();
        let read = entry.take(size.saturating_add(1)).read_to_end(&mut bytes);
        let read = read.map_err(|error| broken(error.into()))?;
        if read as u64 > size {
            return Err(broken(ZipError::Io(io::ErrorKind::InvalidData.into())));
        }
        let to = parts
            .iter()
            .fold(folder.to_owned(), |path, part| path.join(part));
        make_folder_of(&to)?;
        write_one_of_many(&to, Existing::Replace, &bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    fn zip_of(path: &Path, files: &[(&str, &[u8])]) {
        let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
        for (name, bytes) in files {
            let method = match bytes.len() {
                ..100 => CompressionMethod::Stored,
                _ => CompressionMethod::Deflated,
            };
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap();
    }

    #[test]
    fn files_come_out_where_their_names_say_and_nowhere_else() {
        let root = tempfile::tempdir().unwrap();
        let [archive, folder] = ["level.ZIP", "out"].map(|name| root.path().join(name));
        let long = [7; 100_000];
        zip_of(
            &archive,
            &[
                ("a/Level.map", &long),
                ("../evil", b"x"),
                ("b\\c.txt", b"text"),
            ],
        );
        assert!(is_zip(&archive));
        let go_on = AtomicBool::new(false);
        unpack_into(&archive, &folder, &go_on).unwrap();
        assert_eq!(fs::read(folder.join("a/Level.map")).unwrap(), long);
        assert_eq!(fs::read(folder.join("b/c.txt")).unwrap(), b"text");
        assert!(!root.path().join("evil").exists());
        let stopped = unpack_into(&archive, &folder, &AtomicBool::new(true));
        assert!(matches!(stopped, Err(AppError::Stopped)));
    }

    #[test]
    fn what_is_broken_is_an_error_and_other_files_are_none() {
        let root = tempfile::tempdir().unwrap();
        let archive = root.path().join("level.zip");
        zip_of(&archive, &[("a", b"some text that is long enough")]);
        let mut bytes = fs::read(&archive).unwrap();
        let text = bytes.windows(4).position(|it| it == b"text");
        bytes[text.unwrap()] ^= 1;
        fs::write(&archive, &bytes).unwrap();
        let go_on = AtomicBool::new(false);
        let refused = unpack_into(&archive, &root.path().join("out"), &go_on);
        assert!(
            matches!(refused, Err(AppError::Unzip { .. })),
            "{refused:?}"
        );
        bytes.truncate(30);
        fs::write(&archive, &bytes).unwrap();
        assert!(unpack_into(&archive, &root.path().join("out"), &go_on).is_err());
        fs::write(&archive, "MZ").unwrap();
        assert!(!is_zip(&archive) && !is_zip(root.path()));
    }

    #[test]
    fn a_file_that_unpacks_to_far_more_than_it_may_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let archive = root.path().join("bomb.zip");
        let zeros = vec![0; 100 << 20];
        zip_of(&archive, &[("zeros", &zeros)]);
        let folder = root.path().join("out");
        let refused = unpack_into(&archive, &folder, &AtomicBool::new(false));
        assert!(
            matches!(refused, Err(AppError::Unzip { .. })),
            "{refused:?}"
        );
        assert!(!folder.join("zeros").exists());
    }
}
