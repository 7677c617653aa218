//! What refers to what below a folder or in an archive: an index that another thread makes once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::listing::paths_in;
use crate::assets::format::{AnyFormat, ArchiveOptions, FileKind, Reference};
use crate::assets::vfs;
use crate::background::Background;
use crate::kind::Registry;

/// Files and members beyond this many are not looked into.
const MAX_FILES: usize = 500_000;

/// A file that refers to another, and by which name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefersTo {
    pub path: PathBuf,
    pub name: String,
}

/// Files by the last part of their paths, and references of those that have any.
#[derive(Debug, Default)]
pub struct ReferenceIndex {
    /// In small letters, without any extension.
    files: HashMap<String, Vec<PathBuf>>,
    /// By the last part of the name, likewise.
    references: HashMap<String, Vec<(PathBuf, Reference)>>,
    n_references: usize,
}

/// The making of an index.
pub struct Indexing {
    n_files: Arc<AtomicUsize>,
    work: Background<ReferenceIndex>,
}

impl Indexing {
    /// Begins on another thread.
    pub fn begin(root: &Path, registry: &Registry) -> Self {
        let n_files = Arc::<AtomicUsize>::default();
        let mut work = Background::default();
        let mut indexer = Indexer {
            registry: registry.clone(),
            n_files: Arc::clone(&n_files),
            index: ReferenceIndex::default(),
        };
        let root = root.to_owned();
        work.spawn(move |is_unwanted| {
            indexer.add(&root, is_unwanted);
            indexer.index
        });
        Self { n_files, work }
    }

    /// How many files were looked into.
    pub fn n_files(&self) -> usize {
        self.n_files.load(Ordering::Relaxed)
    }

    /// The index, once it is made.
    pub fn fetch(&mut self) -> Option<ReferenceIndex> {
        self.work.fetch()
    }
}

impl ReferenceIndex {
    /// The files that a reference may mean.
    pub fn find(&self, reference: &Reference) -> Vec<&Path> {
        let files = self.files.get(&key_of(&reference.name));
        let files = files.into_iter().flatten();
        let fits = |path: &&PathBuf| reference.fits(&path.to_string_lossy());
        files.filter(fits).map(PathBuf::as_path).collect()
    }

    /// What refers to a file.
    pub fn users_of(&self, path: &Path) -> Vec<RefersTo> {
        let text = path.to_string_lossy();
        let references = self.references.get(&key_of(&text)).into_iter().flatten();
        let users = references.filter(|(_, reference)| reference.fits(&text));
        let users = users.map(|(path, reference)| RefersTo {
            path: path.clone(),
            name: reference.name.clone(),
        });
        users.collect()
    }

    /// How many references were found.
    #[cfg(test)]
    pub fn n_references(&self) -> usize {
        self.n_references
    }

    fn add_file(&mut self, path: &Path) {
        let key = key_of(&path.to_string_lossy());
        self.files.entry(key).or_default().push(path.to_owned());
    }

    fn add_references(&mut self, path: &Path, references: Vec<Reference>) {
        self.n_references += references.len();
        for reference in references {
            let key = key_of(&reference.name);
            let of_key = self.references.entry(key).or_default();
            of_key.push((path.to_owned(), reference));
        }
    }
}

/// The last part of a path in small letters up to its first dot, so that a name with and one without extension meet.
fn key_of(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    stem.to_lowercase()
}

struct Indexer {
    registry: Registry,
    n_files: Arc<AtomicUsize>,
    index: ReferenceIndex,
}

impl Indexer {
    fn add(&mut self, path: &Path, is_unwanted: &AtomicBool) {
        if is_unwanted.load(Ordering::Relaxed) || self.n_files.load(Ordering::Relaxed) > MAX_FILES {
            return;
        }
        if path.is_dir() {
            for path in paths_in(path).unwrap_or_default() {
                self.add(&path, is_unwanted);
            }
            return;
        }
        self.n_files.fetch_add(1, Ordering::Relaxed);
        self.index.add_file(path);
        let formats = self.registry.formats().clone();
        let head = vfs::read_head(path, 8).unwrap_or_default();
        let len = vfs::file_len(path).unwrap_or(0);
        let Some(format) = formats.recognize(path, &head, len) else {
            return;
        };
        if has_references(format)
            && let Ok(data) = vfs::read(path)
        {
            let references = format.references(path, &data);
            self.index.add_references(path, references);
        }
        if format.archive_label().is_some() {
            self.add_members(path, is_unwanted);
        }
    }

    fn add_members(&mut self, file: &Path, is_unwanted: &AtomicBool) {
        let formats = self.registry.formats().clone();
        let Ok(archive) = formats.open_archive(file, ArchiveOptions::default()) else {
            return;
        };
        let data = vfs::read(file).unwrap_or_default();
        for (index, entry) in archive.entries().iter().enumerate() {
            if is_unwanted.load(Ordering::Relaxed) {
                return;
            }
            let Ok(name) = &entry.path else { continue };
            let path = file.join(name);
            self.n_files.fetch_add(1, Ordering::Relaxed);
            self.index.add_file(&path);
            // The archive knows better than the name, by which a model may be an archive.
            let of_archive = formats.recognize_member(file, &data, &entry.name);
            let format = of_archive.or_else(|| formats.recognize(Path::new(name), &[], u64::MAX));
            if let Some(format) = format.filter(|format| has_references(*format))
                && let Ok(bytes) = archive.unpack(index)
            {
                let references = format.references(&path, &bytes);
                self.index.add_references(&path, references);
            }
        }
    }
}

/// Whether files of a format may refer to others: pixels, sounds and texts do not.
fn has_references(format: &dyn AnyFormat) -> bool {
    matches!(
        format.kind(),
        FileKind::Level | FileKind::Model | FileKind::Material | FileKind::Effect | FileKind::Table
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_refers_to_a_file_is_found_by_its_name_in_any_case() {
        let mut index = ReferenceIndex::default();
        for path in ["a.lib/WOOD.0", "b.lib/wood.0", "a.lib/STONE.0"] {
            index.add_file(Path::new(path));
        }
        let wood = Reference::new(FileKind::Texture, "Wood.0");
        let user = Path::new("materials.lib/B_WOOD");
        index.add_references(user, vec![wood.clone()]);
        let found = index.find(&wood);
        assert_eq!(found, ["a.lib/WOOD.0", "b.lib/wood.0"].map(Path::new));
        let users = index.users_of(Path::new("a.lib/WOOD.0"));
        let expected = RefersTo {
            path: user.to_owned(),
            name: "Wood.0".to_owned(),
        };
        assert_eq!(users, [expected]);
        assert_eq!(index.users_of(Path::new("a.lib/STONE.0")), []);
        assert_eq!(index.n_references(), 1);
    }

    #[test]
    fn references_of_the_demo_lead_somewhere_in_each_world_that_has_any() {
        let mut indexer = Indexer {
            registry: crate::worlds::registry(),
            n_files: Arc::default(),
            index: ReferenceIndex::default(),
        };
        indexer.add(Path::new("DATA"), &AtomicBool::new(false));
        let index = indexer.index;
        // Parts of paths that only one world of the demo has.
        for (part, kinds) in [
            (".rlb", &[FileKind::Material, FileKind::Model][..]),
            ("Material.lib", &[FileKind::Texture]),
            ("MAPS", &[FileKind::Material]),
            ("MISSIONS", &[FileKind::Level]),
            (
                "demo.bsp",
                &[FileKind::Material, FileKind::Texture, FileKind::Model],
            ),
            ("Maps", &[FileKind::Texture, FileKind::Model]),
        ] {
            for kind in kinds {
                let all = index.references.values().flatten();
                let of_kind = all.filter(|(path, reference)| {
                    path.to_string_lossy().contains(part) && reference.kind == *kind
                });
                let found: Vec<bool> = of_kind
                    .map(|(_, reference)| !index.find(reference).is_empty())
                    .collect();
                let n_found = found.iter().filter(|found| **found).count();
                let n_all = found.len();
                assert!(n_found > 0, "{part}, {}: {n_found} of {n_all}", kind.name());
                // A model names each folder that its materials may lie in.
                assert!(
                    2 * n_found >= n_all,
                    "{part}, {}: {n_found} of {n_all}",
                    kind.name()
                );
            }
        }
    }
}
