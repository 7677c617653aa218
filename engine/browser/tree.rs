//! The tree of a browser: what was listed, and the rows that are shown of it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::listing::{Item, Kind};
use crate::assets::format::{AnyFormat, FileKind};
use crate::kind::Registry;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Folder,
    /// A file that has members.
    Archive,
    File,
}

/// Whether the children of a node are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    Unread,
    /// Another thread is at it.
    Now,
    Done,
    /// It cannot be listed.
    Failed(String),
}

/// A folder, archive, file or member.
#[derive(Debug, Clone)]
pub struct Node {
    pub name: String,
    /// On disk, or through an archive.
    pub path: PathBuf,
    pub shape: Shape,
    pub size: Option<u64>,
    pub format: Option<&'static dyn AnyFormat>,
    /// What it is for.
    pub kind: FileKind,
    /// What its archive says of it, in words.
    pub detail: String,
    pub depth: usize,
    pub is_open: bool,
    pub reading: Reading,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The path below the root in small letters, for searches.
    folded: String,
}

/// Which files are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    words: Vec<String>,
    kind: Option<FileKind>,
}

impl Filter {
    /// Files that have every word in their path, and are of a kind.
    pub fn new(search: &str, kind: Option<FileKind>) -> Self {
        let words = search.split_whitespace().map(str::to_lowercase);
        Self {
            words: words.collect(),
            kind,
        }
    }

    fn is_none(&self) -> bool {
        self.words.is_empty() && self.kind.is_none()
    }

    fn fits(&self, node: &Node) -> bool {
        let is_of_kind = self
            .kind
            .is_none_or(|kind| node.kind == kind && node.shape != Shape::Folder);
        let mut words = self.words.iter();
        is_of_kind && words.all(|word| node.folded.contains(&**word))
    }
}

/// All that was listed.
pub struct Tree {
    nodes: Vec<Node>,
    /// The nodes that are shown, from top to bottom.
    rows: Vec<usize>,
    /// What the rows were laid out for; `None` if something has changed since.
    laid_out: Option<Filter>,
    /// Nodes before this one were looked at for [`next_unread`](Self::next_unread).
    n_searched: usize,
}

impl Tree {
    /// The node of what is browsed.
    pub const ROOT: usize = 0;

    /// The root alone.
    pub fn new(root: &Path, registry: &Registry) -> Self {
        let item = Item::from_path(root, registry);
        let mut tree = Self {
            nodes: Vec::new(),
            rows: Vec::new(),
            laid_out: None,
            n_searched: 0,
        };
        tree.add(None, root, item);
        tree
    }

    pub fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    /// How many nodes are known.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The rows that are shown.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Whether the node is an archive, or a folder in one.
    pub fn archive_of(&self, node: usize) -> bool {
        self.nodes[node].shape == Shape::Archive
    }

    /// Marks what is about to be listed; false if it is no folder or archive, or was listed.
    pub fn begin_reading(&mut self, node: usize) -> bool {
        let it = &mut self.nodes[node];
        let is_unread = it.shape != Shape::File && it.reading == Reading::Unread;
        if is_unread {
            it.reading = Reading::Now;
        }
        is_unread
    }

    pub fn open(&mut self, node: usize) {
        if self.nodes[node].shape != Shape::File {
            self.nodes[node].is_open = true;
            self.laid_out = None;
        }
    }

    pub fn close(&mut self, node: usize) {
        self.nodes[node].is_open = false;
        self.laid_out = None;
    }

    /// Opens all that a node lies in.
    pub fn reveal(&mut self, node: usize) {
        let mut above = self.nodes[node].parent;
        while let Some(node) = above {
            self.open(node);
            above = self.nodes[node].parent;
        }
    }

    /// Takes what a folder or archive has in it. Names of members may lead through folders.
    pub fn fill(&mut self, node: usize, items: Vec<Item>) {
        let mut folders: HashMap<String, usize> = HashMap::new();
        for item in items {
            let mut parent = node;
            let mut path = self.nodes[node].path.clone();
            let name = item.name.clone();
            let (folder, file) = name.rsplit_once('/').unwrap_or(("", &name));
            let mut walked = String::new();
            for part in folder.split('/').filter(|part| !part.is_empty()) {
                path.push(part);
                walked = format!("{walked}/{}", part.to_lowercase());
                parent = match folders.get(&walked) {
                    Some(known) => *known,
                    None => {
                        let new = self.add(Some(parent), &path, Item::folder(part));
                        self.nodes[new].reading = Reading::Done;
                        folders.insert(walked.clone(), new);
                        new
                    }
                };
            }
            path.push(file);
            let item = Item {
                name: file.to_owned(),
                ..item
            };
            self.add(Some(parent), &path, item);
        }
        let parents = folders.into_values().chain([node]);
        for parent in parents.collect::<Vec<_>>() {
            let mut children = std::mem::take(&mut self.nodes[parent].children);
            children.sort_by_cached_key(|child| {
                let Node {
                    shape, ref folded, ..
                } = self.nodes[*child];
                (shape != Shape::Folder, folded.clone())
            });
            self.nodes[parent].children = children;
        }
        self.nodes[node].reading = Reading::Done;
        self.laid_out = None;
    }

    /// Takes what the members of an archive are.
    pub fn set_kinds(&mut self, archive: usize, kinds: HashMap<PathBuf, Kind>) {
        let mut below = self.nodes[archive].children.clone();
        while let Some(node) = below.pop() {
            let it = &mut self.nodes[node];
            below.extend(&it.children);
            let Some(kind) = kinds.get(&it.path) else {
                continue;
            };
            it.format = kind.format.or(it.format);
            it.size = kind.size.or(it.size);
            it.kind = kind.kind;
            if it.shape != Shape::Folder {
                it.shape = kind.shape;
            }
            it.detail.clone_from(&kind.detail);
        }
        self.laid_out = None;
    }

    /// It cannot be listed.
    pub fn fail(&mut self, node: usize, problem: String) {
        self.nodes[node].reading = Reading::Failed(problem);
        self.laid_out = None;
    }

    /// The next folder or archive that was not listed, each once.
    pub fn next_unread(&mut self) -> Option<usize> {
        while self.n_searched < self.nodes.len() {
            let node = self.n_searched;
            self.n_searched += 1;
            let it = &self.nodes[node];
            if it.shape != Shape::File && it.reading == Reading::Unread {
                return Some(node);
            }
        }
        None
    }

    /// The node of a path, or the nearest above it that is known.
    pub fn nearest(&self, path: &Path) -> usize {
        let mut at = Self::ROOT;
        loop {
            let mut children = self.nodes[at].children.iter();
            match children.find(|child| lies_in(path, &self.nodes[**child].path)) {
                Some(child) => at = *child,
                None => return at,
            }
        }
    }

    /// Whether a node is what a path means, whatever the case.
    pub fn is_at(&self, node: usize, path: &Path) -> bool {
        let own = &self.nodes[node].path;
        lies_in(path, own) && lies_in(own, path)
    }

    /// The nodes of the rows between two, both included.
    pub fn rows_between(&self, from: Option<usize>, to: usize) -> Option<Vec<usize>> {
        let row_of = |node: usize| self.rows.iter().position(|it| *it == node);
        let (from, to) = (row_of(from?)?, row_of(to)?);
        Some(self.rows[from.min(to)..=from.max(to)].to_vec())
    }

    /// The node of the row this many after that of another, within the rows; the first without another.
    pub fn row_after(&self, node: Option<usize>, rows: isize) -> Option<usize> {
        let last = self.rows.len().checked_sub(1)?;
        let row = node.and_then(|node| self.rows.iter().position(|it| *it == node));
        let wanted = row.map_or(0, |row| row.saturating_add_signed(rows).min(last));
        Some(self.rows[wanted])
    }

    /// Lays out the rows, if anything has changed.
    pub fn lay_out(&mut self, filter: &Filter) {
        if self.laid_out.as_ref() == Some(filter) {
            return;
        }
        let mut rows = Vec::new();
        let mut waiting: Vec<usize> = vec![Self::ROOT];
        let shown = (!filter.is_none()).then(|| self.fitting(filter));
        while let Some(node) = waiting.pop() {
            let it = &self.nodes[node];
            let is_shown = shown.as_ref().is_none_or(|shown| shown[node]);
            if !is_shown {
                continue;
            }
            rows.push(node);
            if it.is_open || shown.is_some() {
                waiting.extend(it.children.iter().rev());
            }
        }
        self.rows = rows;
        self.laid_out = Some(filter.clone());
    }

    /// For each node, whether it or something below it passes a filter.
    fn fitting(&self, filter: &Filter) -> Vec<bool> {
        let mut fits: Vec<bool> = self.nodes.iter().map(|node| filter.fits(node)).collect();
        // Children come after their parents.
        for node in (0..self.nodes.len()).rev() {
            if fits[node]
                && let Some(parent) = self.nodes[node].parent
            {
                fits[parent] = true;
            }
        }
        fits
    }

    fn add(&mut self, parent: Option<usize>, path: &Path, item: Item) -> usize {
        let node = self.nodes.len();
        let (depth, above) = match parent {
            Some(parent) => (self.nodes[parent].depth + 1, &*self.nodes[parent].folded),
            None => (0, ""),
        };
        let folded = match parent {
            Some(_) => format!("{above}/{}", item.name.to_lowercase()),
            // What everything lies in is nothing to search for.
            None => String::new(),
        };
        self.nodes.push(Node {
            name: item.name,
            path: path.to_owned(),
            shape: item.shape,
            size: item.size,
            format: item.format,
            kind: item.kind,
            detail: String::new(),
            depth,
            is_open: false,
            reading: Reading::Unread,
            parent,
            children: Vec::new(),
            folded,
        });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(node);
        }
        node
    }
}

/// Whether a path is another one or leads on from there; games do not mind the case of names.
fn lies_in(path: &Path, above: &Path) -> bool {
    let mut parts = path.components();
    above.components().all(|part| {
        let own = parts.next();
        own.is_some_and(|own| own.as_os_str().eq_ignore_ascii_case(part.as_os_str()))
    })
}
