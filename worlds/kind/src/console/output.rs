//! Files that appear under their name only when complete, and never over existing ones. One of thousands of new files is
//! the exception: it has its name at once, and an interrupt removes it if it is not complete.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};
use thiserror::Error;

use crate::CommandError;

/// What happens to a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays; writing is refused.
    Keep,
    /// The complete new file takes its place.
    Replace,
}

/// Why a file was not written. What was there before is unharmed.
#[derive(Debug, Error)]
pub enum OutputError {
    /// There is one, and it was to be kept.
    #[error("{} is there already and is kept; --force replaces it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The folder to write in is not there.
    #[error("there is no folder {} to write {} in", folder.display(), name.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// The file's name.
        name: PathBuf,
    },
    /// A folder bears the name.
    #[error("{} is a folder", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// A link, a device or the like bears the name.
    #[error("{} is not a regular file and is kept", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{} cannot be written", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Its folder cannot be made.
    #[error("cannot make the folder {}", folder.display())]
    MakeFolder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The picture does not fit its format.
    #[error("{} cannot be encoded", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// What the encoder said.
        source: image::ImageError,
    },
}

/// Makes the folder that a file is to be written in, if it is not there.
///
/// # Errors
/// [`OutputError::MakeFolder`].
pub fn make_folder_of(path: &Path) -> Result<(), OutputError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|error| OutputError::MakeFolder {
        folder: folder.to_owned(),
        error,
    })
}

/// Refuses a picture that could not be written in the end, before anything is opened.
///
/// # Errors
/// A name that does not end in `.png`, and what [`check_writable`] says.
pub fn check_picture_path(path: &Path, existing: Existing) -> Result<(), CommandError> {
    let extension = path.extension().unwrap_or_default();
    if !extension.eq_ignore_ascii_case("png") {
        return Err(CommandError::Arguments(format!(
            "pictures are written as PNG, so the name must end in .png: {}",
            path.display()
        )));
    }
    Ok(check_writable(path, existing)?)
}

/// Refuses early what [`write_file`] would refuse at the end, before long work is done for nothing.
///
/// # Errors
/// [`OutputError::Exists`], [`OutputError::NoFolder`], [`OutputError::Folder`] and [`OutputError::NotAFile`].
pub fn check_writable(path: &Path, existing: Existing) -> Result<(), OutputError> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(OutputError::NoFolder {
            folder: folder.to_owned(),
            name: path.file_name().unwrap_or_default().into(),
        });
    }
    let Ok(there) = path.symlink_metadata() else {
        return Ok(());
    };
    let path = path.to_owned();
    if existing == Existing::Keep {
        return Err(OutputError::Exists { path });
    }
    if path.is_dir() {
        return Err(OutputError::Folder { path });
    }
    // The new file would take the place of a link or of a device, not go where it leads.
    match there.is_file() {
        true => Ok(()),
        false => Err(OutputError::NotAFile { path }),
    }
}

/// Writes a file in the same folder under a temporary name, then gives it its own.
///
/// # Errors
/// Any [`OutputError`] but `Encode`; then nothing is left behind.
pub fn write_file(path: &Path, existing: Existing, bytes: &[u8]) -> Result<(), OutputError> {
    check_writable(path, existing)?;
    Staged::write(path, bytes)?.appear(existing)
}

/// As [`write_file`], for one of thousands in a folder that is there: does not wait until it is on the disk, which takes
/// milliseconds each. A new file has its name from the first byte on, since giving it another costs as much as making it.
///
/// # Errors
/// As [`write_file`].
pub fn write_one_of_many(path: &Path, existing: Existing, bytes: &[u8]) -> Result<(), OutputError> {
    if existing == Existing::Replace {
        check_writable(path, existing)?;
        return Staged::put(path, bytes)?.appear(existing);
    }
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => OutputError::Exists {
            path: path.to_owned(),
        },
        _ => OutputError::Io {
            path: path.to_owned(),
            source,
        },
    };
    // Only what is ours is removed by an interrupt; while its names are held, nothing begins.
    let (mut file, _known) = {
        let mut names = temporary();
        let file = File::create_new(path).map_err(failed)?;
        names.insert(path.to_owned());
        (file, Known(path.to_owned()))
    };
    let written = file.write_all(bytes).map_err(failed);
    if written.is_err() {
        // Nothing more can be done about one that stays.
        let _ = fs::remove_file(path);
    }
    written
}

/// Writes files that belong together: none gets its name before all are complete. They get them in their order.
///
/// # Errors
/// As [`write_file`]; then nothing new is left behind. Files that were replaced before the system refused another
/// its name stay replaced.
pub fn write_files(files: &[(PathBuf, Vec<u8>)], existing: Existing) -> Result<(), OutputError> {
    for (path, _) in files {
        check_writable(path, existing)?;
    }
    let staged: Vec<Staged<'_>> = (files.iter())
        .map(|(path, bytes)| Staged::write(path, bytes))
        .collect::<Result<_, _>>()?;
    for (index, file) in staged.into_iter().enumerate() {
        let Err(error) = file.appear(existing) else {
            continue;
        };
        if existing == Existing::Keep {
            for (path, _) in &files[..index] {
                // It is ours and a moment old; the first error is the one to report.
                let _ = fs::remove_file(path);
            }
        }
        return Err(error);
    }
    Ok(())
}

/// What the names of files begin with that are not complete.
pub const TEMPORARY_PREFIX: &str = ".ironlands-";

/// Files that are not complete, for [`remove_temporary_files`].
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes what is not complete, because the process is about to end in the midst of it. Files that are still written
/// by other threads fail to get their names, and no thread can begin another.
pub fn remove_temporary_files() {
    let names = temporary();
    remove(&names);
    std::mem::forget(names);
}

fn remove(paths: &BTreeSet<PathBuf>) {
    for path in paths {
        // Nothing more can be done about one that stays.
        let _ = fs::remove_file(path);
    }
}

fn temporary() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A complete file that has not got its name yet; without it, it is gone with this.
struct Staged<'a> {
    path: &'a Path,
    file: tempfile::NamedTempFile,
    _known: Known,
}

/// A name in [`TEMPORARY`] for as long as the file has no other.
struct Known(PathBuf);

impl Known {
    fn new(path: &Path) -> Self {
        temporary().insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        temporary().remove(&self.0);
    }
}

impl<'a> Staged<'a> {
    /// A file that is on the disk.
    fn write(path: &'a Path, bytes: &[u8]) -> Result<Self, OutputError> {
        let staged = Self::put(path, bytes)?;
        let synced = staged.file.as_file().sync_all();
        synced.map_err(|source| OutputError::Io {
            path: path.to_owned(),
            source,
        })?;
        Ok(staged)
    }

    /// A file that the system will put on the disk.
    fn put(path: &'a Path, bytes: &[u8]) -> Result<Self, OutputError> {
        let failed = |source| OutputError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = temporary_beside(path).map_err(failed)?;
        let known = Known::new(file.path());
        file.write_all(bytes).map_err(failed)?;
        Ok(Self {
            path,
            file,
            _known: known,
        })
    }

    fn appear(self, existing: Existing) -> Result<(), OutputError> {
        let Self { path, file, .. } = self;
        let named = match existing {
            Existing::Keep => file.persist_noclobber(path),
            Existing::Replace => file.persist(path),
        };
        match named {
            Ok(_) => Ok(()),
            // Another program made it in the meantime.
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(OutputError::Exists {
                    path: path.to_owned(),
                })
            }
            Err(error) => Err(OutputError::Io {
                path: path.to_owned(),
                source: error.error,
            }),
        }
    }
}

/// Writes a picture as PNG without its alpha channel.
///
/// # Errors
/// Any [`OutputError`]; then nothing is left behind.
pub fn write_png(path: &Path, existing: Existing, image: RgbaImage) -> Result<(), OutputError> {
    write_file(path, existing, &encode_png(path, image)?)
}

/// Writes a picture as `STEM.png` in `folder`, or as `STEM-1.png`, `STEM-2.png`, ... where that is taken.
/// Returns the path that it got.
///
/// # Errors
/// [`OutputError::Io`], [`OutputError::NoFolder`] and [`OutputError::Encode`]; then nothing is left behind.
pub fn write_numbered_png(
    folder: &Path,
    stem: &str,
    image: RgbaImage,
) -> Result<PathBuf, OutputError> {
    let bytes = encode_png(&folder.join(stem), image)?;
    let mut path = folder.join(format!("{stem}.png"));
    for number in 1_u64.. {
        match write_file(&path, Existing::Keep, &bytes) {
            Err(OutputError::Exists { .. }) => {
                path = folder.join(format!("{stem}-{number}.png"));
            }
            Err(error) => return Err(error),
            Ok(()) => break,
        }
    }
    Ok(path)
}

/// The alpha of a captured frame means nothing to a viewer of pictures, so it is left out.
fn encode_png(path: &Path, image: RgbaImage) -> Result<Vec<u8>, OutputError> {
    let mut bytes = Vec::new();
    DynamicImage::from(without_alpha(image))
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .map_err(|source| OutputError::Encode {
            path: path.to_owned(),
            source,
        })?;
    Ok(bytes)
}

/// Within the picture's own memory: large pictures fill much of a machine.
fn without_alpha(image: RgbaImage) -> RgbImage {
    let (width, height) = image.dimensions();
    let mut pixels = image.into_raw();
    let n_pixels = pixels.len() / 4;
    for index in 0..n_pixels {
        pixels.copy_within(index * 4..index * 4 + 3, index * 3);
    }
    pixels.truncate(n_pixels * 3);
    RgbImage::from_raw(width, height, pixels).expect("three bytes of every pixel are left")
}

fn temporary_beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the process's umask takes away what it always takes away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn an_existing_file_is_kept_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        write_file(&path, Existing::Keep, b"mine").unwrap();
        let refused = write_file(&path, Existing::Keep, b"theirs");
        assert!(matches!(refused, Err(OutputError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        write_file(&path, Existing::Replace, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names_in(folder.path()), ["a.bin"]);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("not/there.png");
        let error = write_file(&path, Existing::Keep, b"").unwrap_err();
        let OutputError::NoFolder { name, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(name, Path::new("there.png"));
    }

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(write_file(&taken, Existing::Replace, b"x").is_err());
        assert_eq!(names_in(folder.path()), ["taken"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [link, device, target] =
            ["link", "null", "target"].map(|name| folder.path().join(name));
        fs::write(&target, b"mine").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        for path in [&link, &device, Path::new("/dev/null")] {
            let refused = check_writable(path, Existing::Replace);
            assert!(
                matches!(refused, Err(OutputError::NotAFile { .. })),
                "{refused:?}"
            );
        }
        assert!(write_file(&link, Existing::Replace, b"x").is_err());
        assert_eq!(fs::read(&target).unwrap(), b"mine");
        assert!(link.is_symlink() && device.is_symlink());
        assert_eq!(names_in(folder.path()), ["link", "null", "target"]);
    }

    #[test]
    fn an_unfinished_file_is_known_until_it_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        // Other tests of this process have files of their own.
        let known = || -> BTreeSet<PathBuf> {
            let ours = |path: &&PathBuf| path.starts_with(folder.path());
            temporary().iter().filter(ours).cloned().collect()
        };
        let staged = Staged::write(&path, b"x").unwrap();
        assert!(names_in(folder.path())[0].starts_with(TEMPORARY_PREFIX));
        remove(&known());
        assert!(names_in(folder.path()).is_empty());
        assert!(staged.appear(Existing::Keep).is_err());
        write_file(&path, Existing::Keep, b"y").unwrap();
        assert!(known().is_empty());
        assert_eq!(names_in(folder.path()), ["a"]);
    }

    #[test]
    fn files_that_belong_together_appear_together() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| (folder.path().join(name), b"new".to_vec());
        fs::write(folder.path().join("b"), b"mine").unwrap();
        fs::create_dir(folder.path().join("c")).unwrap();
        for (files, existing) in [
            ([file("a"), file("b")], Existing::Keep),
            // The same name twice: the second is taken only when the first is there.
            ([file("a"), file("a")], Existing::Keep),
            ([file("a"), file("c")], Existing::Replace),
        ] {
            assert!(write_files(&files, existing).is_err(), "{files:?}");
            assert_eq!(names_in(folder.path()), ["b", "c"], "{files:?}");
        }
        write_files(&[file("a"), file("b")], Existing::Replace).unwrap();
        assert_eq!(names_in(folder.path()), ["a", "b", "c"]);
        assert_eq!(fs::read(folder.path().join("b")).unwrap(), b"new");
    }

    #[test]
    fn numbered_pictures_go_round_taken_names() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("shot-1.png"), b"mine").unwrap();
        let image = || RgbaImage::from_pixel(3, 2, image::Rgba([200, 100, 50, 7]));
        let paths: Vec<_> = (0..3)
            .map(|_| write_numbered_png(folder.path(), "shot", image()).unwrap())
            .collect();
        let names = ["shot.png", "shot-2.png", "shot-3.png"];
        assert_eq!(paths, names.map(|name| folder.path().join(name)));
        assert_eq!(fs::read(folder.path().join("shot-1.png")).unwrap(), b"mine");
        let read = image::open(&paths[0]).unwrap();
        assert_eq!(read.color(), image::ColorType::Rgb8);
        assert_eq!(read.to_rgb8().get_pixel(2, 1).0, [200, 100, 50]);
    }

    #[cfg(unix)]
    #[test]
    fn a_written_file_can_be_read_by_others_as_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        let [ours, plain] = ["ours", "plain"].map(|name| folder.path().join(name));
        write_file(&ours, Existing::Keep, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
