//! What a folder or archive has in it, listed on other threads.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::tree::{Shape, Tree};
use crate::assets::format::{
    AnyFormat, Archive, ArchiveError, ArchiveOptions, FileKind, HEAD_BYTES, Input,
};
use crate::assets::report::{Depth, Report, Scope};
use crate::assets::vfs;
use crate::kind::Registry;

/// Members of archives that are unpacked to see what they are: bytes of them together.
const MAX_UNPACKED: usize = 512 << 20;
/// Members that are looked up in their archive, each of which takes a walk over it.
const MAX_LOOKED_UP: usize = 4000;

/// What is in a folder, in the order of its paths, but for links to folders, which could lead in circles.
pub fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = folder.read_dir()?.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths
        .filter(|path| !(path.is_symlink() && path.is_dir()))
        .collect();
    paths.sort();
    Ok(paths)
}

/// A file, folder or member.
#[derive(Debug, Clone)]
pub struct Item {
    /// Of a member, its path in the archive, with `/`.
    pub name: String,
    pub shape: Shape,
    pub size: Option<u64>,
    pub format: Option<&'static dyn AnyFormat>,
    pub kind: FileKind,
}

/// What a member of an archive is.
#[derive(Debug, Clone)]
pub struct Kind {
    pub shape: Shape,
    pub format: Option<&'static dyn AnyFormat>,
    pub kind: FileKind,
    pub size: Option<u64>,
    pub detail: String,
}

/// What a thread found.
pub enum Listed {
    Items(Vec<Item>),
    /// By the paths of members.
    Kinds(HashMap<PathBuf, Kind>),
    Failed(String),
}

/// A folder or archive to be listed.
pub struct Job {
    path: PathBuf,
    shape: Shape,
    registry: Registry,
}

impl Item {
    /// What is at a path on disk.
    pub fn from_path(path: &Path, registry: &Registry) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        if path.is_dir() {
            return Self::folder(&name);
        }
        let size = vfs::file_len(path).ok();
        let head = vfs::read_head(path, HEAD_BYTES).unwrap_or_default();
        let formats = registry.formats();
        let format = formats.recognize(path, &head, size.unwrap_or(0));
        Self::file(name, size, format, registry)
    }

    /// A file or member of some format.
    fn file(
        name: String,
        size: Option<u64>,
        format: Option<&'static dyn AnyFormat>,
        registry: &Registry,
    ) -> Self {
        let (shape, kind) = looks_of(&name, format, registry);
        Self {
            name,
            shape,
            size,
            format,
            kind,
        }
    }

    /// A folder.
    pub fn folder(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            shape: Shape::Folder,
            size: None,
            format: None,
            kind: FileKind::Other,
        }
    }
}

impl Job {
    pub fn new(tree: &Tree, node: usize, registry: &Registry) -> Self {
        let node = tree.node(node);
        Self {
            path: node.path.clone(),
            shape: node.shape,
            registry: registry.clone(),
        }
    }

    /// The names in it.
    pub fn list(&self) -> Listed {
        let listed = match self.shape {
            Shape::Folder => self.list_folder(),
            Shape::Archive | Shape::File => self.list_archive(),
        };
        match listed {
            Ok(items) => Listed::Items(items),
            Err(problem) => Listed::Failed(problem),
        }
    }

    fn list_folder(&self) -> Result<Vec<Item>, String> {
        let paths = paths_in(&self.path).map_err(|error| error.to_string())?;
        Ok(paths
            .into_iter()
            .map(|path| Item::from_path(&path, &self.registry))
            .collect())
    }

    fn list_archive(&self) -> Result<Vec<Item>, String> {
        let (archive, prefix) = self.open()?;
        let formats = self.registry.formats();
        let entries = archive.entries().iter();
        let paths = entries.filter_map(|entry| entry.path.as_deref().ok());
        let items = paths.filter_map(|path| {
            let name = path.strip_prefix(&*prefix)?;
            // Without its bytes only its name says what it is.
            let format = formats.recognize(Path::new(name), &[], u64::MAX);
            Some(Item::file(name.to_owned(), None, format, &self.registry))
        });
        Ok(items.collect())
    }

    /// What the members of an archive are.
    pub fn kinds(&self) -> Listed {
        let Ok((archive, prefix)) = self.open() else {
            // Its names were listed a moment ago.
            return Listed::Kinds(HashMap::new());
        };
        let data = vfs::read(&self.path).unwrap_or_default();
        let rows = self.rows(&data);
        let mut kinds = HashMap::new();
        let formats = self.registry.formats();
        let (mut n_unpacked, mut n_looked_up) = (0, 0);
        for (index, entry) in archive.entries().iter().enumerate() {
            let Ok(path) = &entry.path else { continue };
            let Some(name) = path.strip_prefix(&*prefix) else {
                continue;
            };
            let row = rows.get(&entry.name);
            let mut kind = Kind {
                shape: Shape::File,
                kind: FileKind::Other,
                format: row.and_then(|(type_name, ..)| self.format_of_type(type_name)),
                size: row.map(|(_, size, _)| *size),
                detail: row.map(|(.., detail)| detail.clone()).unwrap_or_default(),
            };
            let by_name = formats.recognize(Path::new(path), &[], u64::MAX);
            let mut is_open = kind.format.or(by_name).is_none() || kind.size.is_none();
            if is_open && n_looked_up < MAX_LOOKED_UP && !data.is_empty() {
                n_looked_up += 1;
                let found = formats.recognize_member(&self.path, &data, &entry.name);
                kind.format = found.or(kind.format);
                is_open = kind.format.is_none() || kind.size.is_none();
            }
            if is_open
                && n_unpacked < MAX_UNPACKED
                && let Ok(bytes) = archive.unpack(index)
            {
                n_unpacked += bytes.len();
                kind.size = Some(bytes.len() as u64);
                let found = formats.recognize_whole(Path::new(path), &bytes);
                kind.format = kind.format.or(found);
            }
            let format = kind.format.or(by_name);
            (kind.shape, kind.kind) = looks_of(name, format, &self.registry);
            kinds.insert(self.path.join(name), kind);
        }
        Listed::Kinds(kinds)
    }

    /// The archive, and what the names of its members begin with: for an archive in an archive, its own name in that.
    fn open(&self) -> Result<(Archive, String), String> {
        let text = |error: ArchiveError| error.to_string();
        let formats = self.registry.formats();
        match vfs::path_in_archive(&self.path) {
            None => {
                let archive = formats.open_archive(&self.path, ArchiveOptions::default());
                Ok((archive.map_err(text)?, String::new()))
            }
            Some((file, inner)) => {
                let options = ArchiveOptions { nested: true };
                let archive = formats.open_archive(file, options);
                let prefix = inner.to_string_lossy().replace('\\', "/");
                Ok((archive.map_err(text)?, format!("{prefix}/")))
            }
        }
    }

    /// What the archive's report says of its entries: type, bytes and words, by their names as stored.
    fn rows(&self, data: &[u8]) -> HashMap<String, (String, u64, String)> {
        let Some(format) = self.registry.formats().recognize_whole(&self.path, data) else {
            return HashMap::new();
        };
        let input = Input {
            path: &self.path,
            data,
            depth: Depth::Facts,
        };
        let mut report = Report::new(&self.path, Scope::File, format.name());
        // What a broken archive does not say is missing.
        let _ = format.inspect(&input, &mut report);
        let rows = report.entries.into_iter();
        rows.map(|row| (row.name, (row.type_name, row.size, row.detail)))
            .collect()
    }

    /// The format of a type that an archive names.
    fn format_of_type(&self, type_name: &str) -> Option<&'static dyn AnyFormat> {
        let mut formats = self.registry.formats().all();
        formats.find(|format| format.name().eq_ignore_ascii_case(type_name))
    }
}

/// Whether a file has members to look at, and what it is for.
fn looks_of(
    name: &str,
    format: Option<&'static dyn AnyFormat>,
    registry: &Registry,
) -> (Shape, FileKind) {
    let file_name = name.rsplit('/').next().unwrap_or(name);
    // A model may be an archive of its parts.
    let is_level = format.is_some_and(|format| format.kind() == FileKind::Level);
    if !is_level && registry.kinds().any(|kind| kind.is_model_name(file_name)) {
        return (Shape::File, FileKind::Model);
    }
    match format {
        Some(format) if format.archive_label().is_some() => (Shape::Archive, format.kind()),
        Some(format) => (Shape::File, format.kind()),
        None => (Shape::File, FileKind::Other),
    }
}
