//! A folder or archive of any game, as a browser shows it: a tree of its files, one of which is looked at closely.
//!
//! In: a path, and what the worlds know of files. Out: rows of a tree, previews, and exported files, all of which other
//! threads make. Deliberately absent: drawing, and names of formats, which the lists of worlds have.

mod export;
mod listing;
mod preview;
mod references;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use self::export::{ExportJob, ExportRequest, Progress as ExportProgress};
use self::listing::Listed;
pub use self::preview::{Pixels, Preview, Text};
pub use self::references::{ReferenceIndex, RefersTo};
pub use self::tree::{Node, Reading, Shape, Tree};
use crate::assets::format::FileKind;
use crate::background::Background;
use crate::kind::Registry;

/// Folders and archives that are read ahead for a search, at once.
const MAX_READ_AHEAD: usize = 4;
/// A search does not look into more nodes than this.
const MAX_SEARCHED: usize = 400_000;

/// A browser of one folder or archive.
pub struct Browser {
    registry: Registry,
    pub tree: Tree,
    /// Only files with this in their path are shown.
    pub search: String,
    /// Only files of this kind are shown.
    pub kind: Option<FileKind>,
    /// The node that is looked at.
    focus: Option<usize>,
    /// The nodes that are exported together.
    selected: BTreeSet<usize>,
    /// Where a range of selected rows begins.
    anchor: Option<usize>,
    listing: Background<(usize, Listed)>,
    n_listing: usize,
    /// What is to be focused as soon as it is listed.
    wanted: Option<PathBuf>,
    preview: Option<Preview>,
    previewing: Background<Preview>,
    picture: Option<Pixels>,
    picturing: Background<Result<Pixels, String>>,
    pub picture_problem: Option<String>,
    index: Option<ReferenceIndex>,
    indexing: Option<references::Indexing>,
    pub export: Option<ExportJob>,
}

impl Browser {
    /// A browser of a folder or archive, which begins to be listed. `wanted` is looked at as soon as it is found.
    pub fn new(root: &Path, wanted: Option<PathBuf>, registry: &Registry) -> Self {
        let mut browser = Self {
            registry: registry.clone(),
            tree: Tree::new(root, registry),
            search: String::new(),
            kind: None,
            focus: None,
            selected: BTreeSet::new(),
            anchor: None,
            listing: Background::default(),
            n_listing: 0,
            wanted,
            preview: None,
            previewing: Background::default(),
            picture: None,
            picturing: Background::default(),
            picture_problem: None,
            index: None,
            indexing: None,
            export: None,
        };
        browser.open(Tree::ROOT);
        browser
    }

    /// What is browsed.
    pub fn root(&self) -> &Path {
        &self.tree.node(Tree::ROOT).path
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether a filter hides files.
    pub fn is_filtered(&self) -> bool {
        self.kind.is_some() || !self.search.trim().is_empty()
    }

    /// Whether other threads are at work for it.
    pub fn is_busy(&self) -> bool {
        self.n_listing > 0
            || self.previewing.is_busy()
            || self.picturing.is_busy()
            || self.indexing.is_some()
            || self.export.as_ref().is_some_and(|job| !job.is_done())
    }

    /// Whether folders are still looked into.
    pub fn is_listing(&self) -> bool {
        self.n_listing > 0
    }

    /// Takes what other threads brought, and begins what follows from it.
    pub fn update(&mut self) {
        while let Some((node, listed)) = self.listing.fetch() {
            self.n_listing -= 1;
            match listed {
                Listed::Items(items) => {
                    let archive = self.tree.archive_of(node);
                    self.tree.fill(node, items);
                    if archive {
                        self.read_kinds(node);
                    }
                }
                Listed::Kinds(kinds) => self.tree.set_kinds(node, kinds),
                Listed::Failed(problem) => self.tree.fail(node, problem),
            }
            self.reach_wanted();
        }
        if let Some(preview) = self.previewing.fetch() {
            self.picture_problem = None;
            self.picture = None;
            let has_pictures = !preview.pictures.is_empty();
            self.preview = Some(preview);
            if has_pictures {
                self.show_picture(0);
            }
        }
        match self.picturing.fetch() {
            Some(Ok(picture)) => self.picture = Some(picture),
            Some(Err(problem)) => self.picture_problem = Some(problem),
            None => {}
        }
        if let Some(indexing) = &mut self.indexing
            && let Some(index) = indexing.fetch()
        {
            self.index = Some(index);
            self.indexing = None;
        }
        if let Some(job) = &mut self.export {
            job.update();
        }
        self.read_ahead();
        let filter = tree::Filter::new(&self.search, self.kind);
        self.tree.lay_out(&filter);
    }

    /// Opens a folder or archive in the tree, or closes it.
    pub fn toggle(&mut self, node: usize) {
        match self.tree.node(node).is_open {
            true => self.tree.close(node),
            false => self.open(node),
        }
    }

    /// Opens a folder or archive in the tree.
    pub fn open(&mut self, node: usize) {
        self.tree.open(node);
        self.read(node);
    }

    /// The node that is looked at.
    pub fn focus(&self) -> Option<usize> {
        self.focus
    }

    /// Whether a node is exported with others.
    pub fn is_selected(&self, node: usize) -> bool {
        self.selected.contains(&node)
    }

    /// The nodes that are exported together.
    pub fn selected(&self) -> &BTreeSet<usize> {
        &self.selected
    }

    /// Looks at a node, and selects it alone; with `adds` beside others, with `extends` all rows up to it.
    pub fn choose(&mut self, node: usize, adds: bool, extends: bool) {
        if extends && let Some(range) = self.tree.rows_between(self.anchor, node) {
            self.selected.extend(range);
        } else if adds {
            if !self.selected.remove(&node) {
                self.selected.insert(node);
            }
            self.anchor = Some(node);
        } else {
            self.selected = BTreeSet::from([node]);
            self.anchor = Some(node);
        }
        self.look_at(node);
    }

    /// Looks at the row this many after the focused one.
    pub fn step(&mut self, rows: isize) {
        if let Some(node) = self.tree.row_after(self.focus, rows) {
            self.choose(node, false, false);
        }
    }

    /// What is known of the node that is looked at, once it is.
    pub fn preview(&self) -> Option<&Preview> {
        let focus = self.focus?;
        let path = &self.tree.node(focus).path;
        self.preview.as_ref().filter(|it| it.path == *path)
    }

    /// The picture that is shown of the file.
    pub fn picture(&self) -> Option<&Pixels> {
        self.picture.as_ref()
    }

    /// Decodes another of the file's pictures.
    pub fn show_picture(&mut self, index: usize) {
        let Some(preview) = &self.preview else {
            return;
        };
        let job = preview.picture_job(index);
        self.picturing = Background::default();
        self.picturing.spawn(move |_| job());
    }

    /// What refers to what below the root, once that is known.
    pub fn index(&self) -> Option<&ReferenceIndex> {
        self.index.as_ref()
    }

    /// How many files were looked into for that, while it is looked for.
    pub fn n_indexed(&self) -> Option<usize> {
        self.indexing.as_ref().map(references::Indexing::n_files)
    }

    /// Begins to look for what refers to what.
    pub fn find_references(&mut self) {
        if self.indexing.is_none() {
            let indexing = references::Indexing::begin(self.root(), &self.registry);
            self.indexing = Some(indexing);
        }
    }

    /// Looks at a file below the root, opening what it lies in.
    pub fn go_to(&mut self, path: &Path) {
        self.search.clear();
        self.kind = None;
        self.wanted = Some(path.to_owned());
        self.reach_wanted();
    }

    /// Begins to export what is selected.
    pub fn start_export(&mut self, request: ExportRequest) {
        self.export = Some(ExportJob::begin(request, &self.registry));
    }

    fn look_at(&mut self, node: usize) {
        if self.focus == Some(node) && self.preview().is_some() {
            return;
        }
        self.focus = Some(node);
        let (path, registry) = (self.tree.node(node).path.clone(), self.registry.clone());
        self.previewing = Background::default();
        self.previewing
            .spawn(move |_| Preview::load(&path, &registry));
    }

    /// Has a folder or archive listed, unless it was.
    fn read(&mut self, node: usize) {
        if !self.tree.begin_reading(node) {
            return;
        }
        let job = listing::Job::new(&self.tree, node, &self.registry);
        self.n_listing += 1;
        self.listing.spawn(move |_| (node, job.list()));
    }

    /// Has the members of an archive looked at, whose names do not say what they are.
    fn read_kinds(&mut self, node: usize) {
        let job = listing::Job::new(&self.tree, node, &self.registry);
        self.n_listing += 1;
        self.listing.spawn(move |_| (node, job.kinds()));
    }

    /// While something is searched for, everything is listed.
    fn read_ahead(&mut self) {
        if !self.is_filtered() || self.tree.len() > MAX_SEARCHED {
            return;
        }
        while self.n_listing < MAX_READ_AHEAD {
            let Some(unread) = self.tree.next_unread() else {
                return;
            };
            self.read(unread);
        }
    }

    /// Opens the way to what is wanted, as far as it is listed, and looks at it.
    fn reach_wanted(&mut self) {
        let Some(wanted) = self.wanted.clone() else {
            return;
        };
        let nearest = self.tree.nearest(&wanted);
        let node = self.tree.node(nearest);
        if self.tree.is_at(nearest, &wanted) {
            self.wanted = None;
            self.tree.reveal(nearest);
            self.choose(nearest, false, false);
        } else if matches!(node.reading, Reading::Unread) && node.shape != Shape::File {
            self.open(nearest);
        } else if !matches!(node.reading, Reading::Now) && self.n_listing == 0 {
            self.wanted = None;
        }
    }
}
