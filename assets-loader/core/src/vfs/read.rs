//! Bytes of files on disk: the one place of the project that opens a file for reading (`tests/tidy.rs` holds this).
//!
//! Only regular files are read. A FIFO would be waited for, and a device, or a link to one, may never end.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Deref;
use std::path::Path;

use super::{VfsError, io_error};

/// All formats here count bytes in 32 bits.
const MAX_FILE_SIZE: u64 = u32::MAX as u64;

/// The bytes of a regular file.
///
/// # Errors
/// Nothing is there, it is not a regular file, it has 4 GiB or more, or the system refuses.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_into(path, &mut bytes)?;
    Ok(bytes)
}

/// As [`read`], into a buffer whose memory is used again.
///
/// # Errors
/// As [`read`].
pub fn read_into(path: &Path, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    let (file, metadata) = open(path)?;
    if metadata.len() > MAX_FILE_SIZE {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    bytes.reserve(usize::try_from(metadata.len()).unwrap_or(0));
    // Another program may be writing to it.
    file.take(MAX_FILE_SIZE).read_to_end(bytes).map(drop)
}

/// As [`read`], with the error of the virtual file system.
pub fn read_file(path: &Path) -> Result<Vec<u8>, VfsError> {
    read(path).map_err(|error| io_error(path, error))
}

/// The first bytes of a regular file, at most `len`.
pub fn read_head(path: &Path, len: u64) -> Result<Vec<u8>, VfsError> {
    read_range(path, 0, len)
}

/// Bytes of a regular file from `start` on, `len` of them; fewer, if the file ends before.
pub fn read_range(path: &Path, start: u64, len: u64) -> Result<Vec<u8>, VfsError> {
    let mut data = Vec::new();
    let mut read = || {
        let (mut file, _) = open(path)?;
        if start > 0 {
            file.seek(SeekFrom::Start(start))?;
        }
        file.take(len).read_to_end(&mut data)
    };
    read().map_err(|error| io_error(path, error))?;
    Ok(data)
}

/// A regular file, for readers that go to and fro in it.
///
/// # Errors
/// Nothing is there, it is not a regular file, or the system refuses.
pub fn open_file(path: &Path) -> io::Result<File> {
    open(path).map(|(file, _)| file)
}

/// How many bytes a regular file has.
pub fn file_len(path: &Path) -> Result<u64, VfsError> {
    let metadata = path.metadata().and_then(regular);
    Ok(metadata.map_err(|error| io_error(path, error))?.len())
}

/// A whole file as bytes that come from the disk only where they are looked at: for our own files alone, which only ever
/// appear complete under their name. What others made is read.
///
/// `unsafe` for what a map saves: `sim/README.md`, "Zones on disk".
#[derive(Debug)]
pub struct MappedFile(memmap2::Mmap);

impl MappedFile {
    /// Maps a file, which must not be cut or changed in place as long as this lives. Readers of it must take any bytes:
    /// they are those of the file at the moment of looking.
    ///
    /// # Errors
    /// Nothing is there, it is empty or not a regular file, or the system refuses.
    #[expect(
        unsafe_code,
        reason = "a map is the only way to have a file without reading it"
    )]
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file, _) = open(path)?;
        // SAFETY: the bytes are only read, as plain `u8`, of which every value is valid. Our writers never change such a
        // file in place: a new one replaces the name, and this map keeps the old one. Another program that cuts the
        // file ends this one by SIGBUS, which does not corrupt anything; one that writes into it changes bytes that
        // are bounds-checked where they are used and copied before anything relies on them.
        let map = unsafe { memmap2::Mmap::map(&file) }?;
        match map.is_empty() {
            true => Err(io::Error::other("an empty file")),
            false => Ok(Self(map)),
        }
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Opens a file that is regular before and after: to open a FIFO is to wait for its writer.
fn open(path: &Path) -> io::Result<(File, Metadata)> {
    regular(path.metadata()?)?;
    let file = File::open(path)?;
    let metadata = regular(file.metadata()?)?;
    Ok((file, metadata))
}

fn regular(metadata: Metadata) -> io::Result<Metadata> {
    if metadata.is_file() {
        return Ok(metadata);
    }
    let what = match metadata.is_dir() {
        true => "a folder, not a file",
        false => "not a regular file",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_whole_or_in_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, b"0123456789").unwrap();
        assert_eq!(read(&path).unwrap(), b"0123456789");
        assert_eq!(read_head(&path, 3).unwrap(), b"012");
        assert_eq!(read_range(&path, 8, 8).unwrap(), b"89");
        assert_eq!(file_len(&path).unwrap(), 10);
        let mut bytes = vec![1, 2, 3];
        read_into(&path, &mut bytes).unwrap();
        assert_eq!(bytes, b"0123456789");
        let missing = read(&folder.path().join("b")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let refused = read(folder.path()).unwrap_err();
        assert_eq!(refused.to_string(), "a folder, not a file");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_fifos_are_refused_unopened() {
        let folder = tempfile::tempdir().unwrap();
        let [zero, fifo] = ["zero", "fifo"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        for path in [zero, fifo] {
            let refused = read(&path).unwrap_err();
            assert_eq!(refused.to_string(), "not a regular file");
            assert!(read_head(&path, 8).is_err());
            assert!(read_range(&path, 1, 8).is_err());
            assert!(file_len(&path).is_err());
        }
    }

    #[test]
    fn a_map_outlives_the_name_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        std::fs::write(&path, b"old").unwrap();
        let map = MappedFile::open(&path).unwrap();
        let new = folder.path().join("new");
        std::fs::write(&new, b"something new").unwrap();
        // As our writers replace a file. Windows keeps one that is mapped.
        if cfg!(unix) {
            std::fs::rename(&new, &path).unwrap();
            assert_eq!(&*MappedFile::open(&path).unwrap(), b"something new");
        }
        assert_eq!(&*map, b"old");
    }

    #[test]
    fn only_plain_files_are_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let empty = folder.path().join("empty");
        std::fs::write(&empty, b"").unwrap();
        assert!(MappedFile::open(&empty).is_err());
        assert!(MappedFile::open(folder.path()).is_err());
        assert!(MappedFile::open(&folder.path().join("nothing")).is_err());
    }
}
