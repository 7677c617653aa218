//! The levels that the start screen offers: those of the demo, of folders that the user gave, and of games that were
//! found on this machine.
//!
//! In: folders. Out: shelves of levels, which fill while other threads look for them. Deliberately absent: pictures,
//! opening.

mod look;
mod memory;
mod places;

use std::env;
use std::path::{Path, PathBuf};

use self::look::entries_of;
pub use self::look::{Entry, Found, is_level, look_at};
use self::memory::Memory;
use crate::background::Background;
use crate::kind::Registry;
use crate::level_defaults;

/// Folder of the demo levels.
const DEMO_FOLDER: &str = "DATA";

/// Why a folder is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It has the demo levels.
    Demo,
    /// It was opened in this session.
    Opened,
    /// The user gave it to be remembered.
    Remembered,
    /// A game is usually there.
    Usual,
}

/// A folder with its levels, or an archive with its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    pub title: String,
    pub path: PathBuf,
    pub origin: Origin,
    pub entries: Vec<Entry>,
    /// Whether its levels are still looked for.
    pub is_searched: bool,
}

/// All that is offered.
pub struct Library {
    registry: Registry,
    memory: Memory,
    shelves: Vec<Shelf>,
    recent: Vec<Entry>,
    work: Background<Search>,
}

/// What another thread found.
enum Search {
    Games(Vec<PathBuf>),
    Levels(PathBuf, Vec<Entry>),
    Recent(Vec<Entry>),
}

impl Library {
    /// The demo levels and what is remembered; levels are looked for from now on.
    pub fn open(registry: &Registry) -> Self {
        let mut library = Self::new(registry, Memory::load());
        if let Some(demo) = demo_folder() {
            library.add(&demo, Origin::Demo);
        }
        for folder in library.memory.folders.clone() {
            library.add(&folder, Origin::Remembered);
        }
        library.look_for_games();
        library
    }

    /// The levels of one folder, and nothing that is remembered or found on this machine.
    pub fn from_folder(registry: &Registry, folder: &Path) -> Self {
        let mut library = Self::new(registry, Memory::default());
        library.add(folder, Origin::Demo);
        library
    }

    fn new(registry: &Registry, memory: Memory) -> Self {
        let mut library = Self {
            registry: registry.clone(),
            memory,
            shelves: Vec::new(),
            recent: Vec::new(),
            work: Background::default(),
        };
        library.look_at_recent();
        library
    }

    /// In the order in which they are shown.
    pub fn shelves(&self) -> &[Shelf] {
        &self.shelves
    }

    /// The levels that were opened last, as far as they are still there.
    pub fn recent(&self) -> &[Entry] {
        &self.recent
    }

    /// Takes what other threads found since.
    pub fn update(&mut self) {
        while let Some(found) = self.work.fetch() {
            match found {
                Search::Games(folders) => {
                    for folder in folders {
                        self.add(&folder, Origin::Usual);
                    }
                }
                Search::Recent(entries) => self.recent = entries,
                Search::Levels(path, entries) => {
                    // Where a game was but for its levels, nothing is shown.
                    let is_empty = entries.is_empty();
                    self.shelves
                        .retain(|it| !(it.path == path && it.origin == Origin::Usual && is_empty));
                    if let Some(shelf) = self.shelf_mut(&path) {
                        shelf.entries = entries;
                        shelf.is_searched = false;
                    }
                }
            }
        }
    }

    /// Whether anything is still looked for.
    pub fn is_searching(&self) -> bool {
        self.work.is_busy()
    }

    /// Shows a folder from now on, and in later sessions.
    pub fn remember(&mut self, folder: &Path) {
        self.memory.add_folder(folder);
        self.save();
        self.add(folder, Origin::Remembered);
        if let Some(shelf) = self.shelf_mut(folder)
            && shelf.origin != Origin::Demo
        {
            shelf.origin = Origin::Remembered;
        }
    }

    /// Shows a folder no longer. What is found where games usually are comes back the next time.
    pub fn forget(&mut self, folder: &Path) {
        self.memory.folders.retain(|known| known != folder);
        self.shelves.retain(|shelf| shelf.path != folder);
        self.save();
    }

    /// Shows levels that were found already.
    pub fn show(&mut self, path: &Path, entries: Vec<Entry>) {
        self.shelves
            .retain(|shelf| !(shelf.path == path && shelf.origin == Origin::Opened));
        if self.shelf_mut(path).is_none() {
            self.shelves.insert(
                0,
                Shelf {
                    title: title_of(path),
                    path: path.to_owned(),
                    origin: Origin::Opened,
                    entries,
                    is_searched: false,
                },
            );
        }
    }

    /// Remembers that a level was opened.
    pub fn note_opened(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.memory.add_recent(&path);
        self.save();
        self.look_at_recent();
    }

    fn save(&self) {
        if let Err(error) = self.memory.save() {
            log::warn!("{}", error.chain());
        }
    }

    /// Shows a folder, unless it is shown.
    fn add(&mut self, folder: &Path, origin: Origin) {
        if self.shelf_mut(folder).is_some() {
            return;
        }
        self.shelves.push(Shelf {
            title: match origin {
                Origin::Demo => "Demo levels".to_owned(),
                _ => title_of(folder),
            },
            path: folder.to_owned(),
            origin,
            entries: Vec::new(),
            is_searched: true,
        });
        let (registry, folder) = (self.registry.clone(), folder.to_owned());
        self.work.spawn(move |is_unwanted| {
            let entries = entries_of(&folder, &registry, is_unwanted);
            Search::Levels(folder, entries)
        });
    }

    fn shelf_mut(&mut self, path: &Path) -> Option<&mut Shelf> {
        self.shelves.iter_mut().find(|shelf| shelf.path == path)
    }

    fn look_for_games(&mut self) {
        let kinds = self.registry.kinds();
        let names: Vec<_> = kinds
            .flat_map(|kind| kind.install_folders().iter().copied())
            .collect();
        self.work
            .spawn(move |_| Search::Games(places::games_in(&places::usual_bases(), &names)));
    }

    fn look_at_recent(&mut self) {
        let (registry, paths) = (self.registry.clone(), self.memory.recent.clone());
        self.work.spawn(move |_| {
            let entries = paths
                .iter()
                .filter_map(|path| Entry::recognize(path, &registry));
            Search::Recent(entries.collect())
        });
    }
}

fn title_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The demo levels: in the current folder, or beside the program or above it.
fn demo_folder() -> Option<PathBuf> {
    let program = env::current_exe().unwrap_or_default();
    let folders = [env::current_dir().unwrap_or_default()];
    let folders = folders
        .iter()
        .map(PathBuf::as_path)
        .chain(program.ancestors().skip(1));
    let demos = folders.map(|folder| folder.join(DEMO_FOLDER));
    demos
        .into_iter()
        .find(|demo| demo.join(level_defaults::FILE_NAME).is_file())
}

#[cfg(test)]
mod tests;
