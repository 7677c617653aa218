//! Small pictures of levels, taken on a thread of their own and kept on disk.
//!
//! In: the paths whose pictures are wanted now, those of the visible first. Out: pictures, one after the other. A picture
//! is taken again when its level changes.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use image::RgbaImage;

use crate::assets::vfs;
use crate::console::output::{Existing, make_folder_of, write_png};
use crate::error::AppError;
use crate::user_folders::cache_folder;

/// Width and height of a picture.
pub const SIZE: [u32; 2] = [320, 180];
/// Pictures of another version are taken again.
const VERSION: u32 = 1;
/// The oldest pictures beyond this many are removed from the disk.
const MAX_KEPT: usize = 2_000;

/// A picture of a level, and how long it took to open the level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thumbnail {
    pub image: RgbaImage,
    pub opening_time: Duration,
}

/// Takes the picture of a level.
pub type Photograph = Arc<dyn Fn(&Path) -> Result<Thumbnail, AppError> + Send + Sync>;

/// What a path's picture is; `None` if there can be none.
pub type Taken = (PathBuf, Option<Thumbnail>);

/// The thread that takes pictures.
pub struct Thumbnails {
    queue: Arc<Queue>,
    taken: Receiver<Taken>,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// In the order in which they are wanted.
    wanted: Vec<PathBuf>,
    /// Taken now, or not fetched yet.
    in_hand: HashSet<PathBuf>,
    is_over: bool,
}

impl Thumbnails {
    /// Nothing is wanted yet.
    pub fn new(photograph: Photograph) -> Self {
        let folder = cache_folder().map(|folder| folder.join("thumbnails"));
        Self::kept_in(folder, photograph)
    }

    /// The same, with pictures kept in another folder, or none.
    pub fn kept_in(folder: Option<PathBuf>, photograph: Photograph) -> Self {
        let queue = Arc::<Queue>::default();
        let (send, taken) = channel();
        let of_thread = Arc::clone(&queue);
        thread::spawn(move || {
            let kept = Kept::open(folder);
            of_thread.work(kept, &photograph, &send);
        });
        Self { queue, taken }
    }

    /// Takes these pictures next, and no others.
    pub fn want(&self, mut paths: Vec<PathBuf>) {
        let mut state = self.queue.lock();
        paths.retain(|path| !state.in_hand.contains(path));
        state.wanted = paths;
        drop(state);
        self.queue.changed.notify_one();
    }

    /// The next picture that is there, if any.
    pub fn fetch(&self) -> Option<Taken> {
        let taken = self.taken.try_recv().ok()?;
        self.queue.lock().in_hand.remove(&taken.0);
        Some(taken)
    }
}

impl Drop for Thumbnails {
    fn drop(&mut self) {
        self.queue.lock().is_over = true;
        self.queue.changed.notify_one();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A list of paths is whole whatever its thread did.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes pictures until it is over.
    fn work(&self, mut kept: Kept, photograph: &Photograph, send: &Sender<Taken>) {
        while let Some(path) = self.next(&kept) {
            let thumbnail = kept.load(&path).or_else(|| {
                let taken = photograph(&path);
                let taken = taken.inspect_err(|error| {
                    log::info!("no picture of {}: {}", path.display(), error.chain())
                });
                let taken = taken.ok()?;
                kept.save(&path, &taken);
                Some(taken)
            });
            if send.send((path, thumbnail)).is_err() {
                return;
            }
        }
    }

    /// The next wanted one, of those that are kept before all others; waits for it.
    fn next(&self, kept: &Kept) -> Option<PathBuf> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            if !state.wanted.is_empty() {
                let is_kept = |path: &PathBuf| kept.has(path);
                let index = state.wanted.iter().position(is_kept);
                let path = state.wanted.remove(index.unwrap_or(0));
                state.in_hand.insert(path.clone());
                return Some(path);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The pictures on disk. The name of each says of which level it is, and how many milliseconds opening that took.
struct Kept {
    folder: Option<PathBuf>,
    files: HashMap<u64, PathBuf>,
}

impl Kept {
    fn open(folder: Option<PathBuf>) -> Self {
        let entries = folder
            .iter()
            .flat_map(|folder| folder.read_dir().into_iter().flatten());
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        let age = |path: &PathBuf| {
            let written = path.metadata().and_then(|metadata| metadata.modified());
            written.unwrap_or(UNIX_EPOCH)
        };
        paths.sort_by_cached_key(|path| std::cmp::Reverse(age(path)));
        for path in paths.iter().skip(MAX_KEPT) {
            // Another start may have removed it.
            let _ = fs::remove_file(path);
        }
        paths.truncate(MAX_KEPT);
        let of_name = |path: PathBuf| Some((parse_name(&path)?.0, path));
        Self {
            folder,
            files: paths.into_iter().filter_map(of_name).collect(),
        }
    }

    fn has(&self, path: &Path) -> bool {
        self.files.contains_key(&key_of(path))
    }

    fn load(&self, path: &Path) -> Option<Thumbnail> {
        let file = self.files.get(&key_of(path))?;
        let (_, opening_time) = parse_name(file)?;
        let image = image::load_from_memory(&vfs::read(file).ok()?).ok()?;
        Some(Thumbnail {
            image: image.into_rgba8(),
            opening_time,
        })
    }

    fn save(&mut self, path: &Path, thumbnail: &Thumbnail) {
        let Some(folder) = &self.folder else {
            return;
        };
        let key = key_of(path);
        let millis = thumbnail.opening_time.as_millis();
        let file = folder.join(format!("{key:016x}-{millis}.png"));
        let image = thumbnail.image.clone();
        let written =
            make_folder_of(&file).and_then(|()| write_png(&file, Existing::Replace, image));
        match written {
            Ok(()) => drop(self.files.insert(key, file)),
            Err(error) => log::warn!("{error}"),
        }
    }
}

/// What the name of a picture says.
fn parse_name(path: &Path) -> Option<(u64, Duration)> {
    let (key, millis) = path.file_stem()?.to_str()?.split_once('-')?;
    let key = u64::from_str_radix(key, 16).ok()?;
    Some((key, Duration::from_millis(millis.parse().ok()?)))
}

/// Another one for each level and each time that it was changed, as far as the times of files say.
fn key_of(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    (VERSION, env!("CARGO_PKG_VERSION")).hash(&mut hasher);
    path.canonicalize()
        .unwrap_or_else(|_| path.to_owned())
        .hash(&mut hasher);
    // An entry of an archive changes with it.
    let on_disk = path.ancestors().find(|path| path.exists());
    changed(on_disk.unwrap_or(path)).hash(&mut hasher);
    hasher.finish()
}

/// When a file or the newest file of a folder was changed, and how large they are.
fn changed(path: &Path) -> (Option<Duration>, u64) {
    let of_one = |path: &Path| {
        let metadata = path.metadata().ok()?;
        let written: SystemTime = metadata.modified().ok()?;
        Some((written.duration_since(UNIX_EPOCH).ok()?, metadata.len()))
    };
    let entries = path.read_dir().into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).chain([path.to_owned()]);
    files
        .filter_map(|path| of_one(&path))
        .fold((None, 0), |(newest, sum), (time, len)| {
            (newest.max(Some(time)), sum.wrapping_add(len))
        })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Instant;

    use image::Rgba;

    use super::*;
    use crate::test_world::PATIENCE;

    /// Paints levels in one color, and counts that.
    fn painter() -> (Photograph, Arc<AtomicUsize>) {
        let n_taken = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&n_taken);
        let photograph: Photograph = Arc::new(move |path: &Path| {
            count.fetch_add(1, Ordering::Relaxed);
            if path.ends_with("broken") {
                return Err(AppError::Stopped);
            }
            Ok(Thumbnail {
                image: RgbaImage::from_pixel(32, 18, Rgba([10, 200, 30, 255])),
                opening_time: Duration::from_millis(1234),
            })
        });
        (photograph, n_taken)
    }

    #[test]
    fn pictures_are_taken_once_and_again_when_a_level_changes() {
        let root = tempfile::tempdir().unwrap();
        let [level, cache] = ["level", "cache"].map(|name| root.path().join(name));
        fs::write(&level, "a level").unwrap();
        let (photograph, n_taken) = painter();
        let picture = |expected_n| {
            let thumbnails = Thumbnails::kept_in(Some(cache.clone()), photograph.clone());
            thumbnails.want(vec![level.clone()]);
            let (path, taken) = thumbnails.taken.recv_timeout(PATIENCE).unwrap();
            assert_eq!(
                (path, n_taken.load(Ordering::Relaxed)),
                (level.clone(), expected_n)
            );
            taken.unwrap()
        };
        let first = picture(1);
        assert_eq!(picture(1), first, "from the disk, with its time");
        fs::write(&level, "another level").unwrap();
        picture(2);
    }

    #[test]
    fn what_cannot_be_opened_has_no_picture_and_what_is_kept_comes_first() {
        let root = tempfile::tempdir().unwrap();
        let [level, broken, cache] =
            ["level", "broken", "cache"].map(|name| root.path().join(name));
        fs::write(&level, "a level").unwrap();
        let (photograph, _) = painter();
        let thumbnails = Thumbnails::kept_in(Some(cache), photograph);
        let next = || {
            let since = Instant::now();
            loop {
                match thumbnails.fetch() {
                    Some(taken) => break taken,
                    None => assert!(since.elapsed() < PATIENCE),
                }
            }
        };
        thumbnails.want(vec![level.clone()]);
        assert!(next().1.is_some());
        thumbnails.want(vec![broken.clone(), level.clone()]);
        assert_eq!(next().0, level);
        assert_eq!(next(), (broken, None));
    }
}
