//! Files that change on the disk while their regions are open: they are read again, unless edits of them are unsaved.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use ironlands_assets_lineage2::{FolderError, RegionId, RegionPath, Tolerance};
use ironlands_sim_geodata::{PackBuilder, RegionPack};
use ironlands_world_kind::EditDecision;
use ironlands_world_kind::console::error_chain;

use super::GeodataEditor;
use super::watch::FileWatch;
use crate::Lineage2Error;

/// Files that are watched, and those that are read again.
pub struct Reload {
    pub(super) watch: FileWatch,
    /// Regions that changed on the disk and have unsaved edits.
    conflicts: VecDeque<RegionId>,
    send: Sender<Loaded>,
    loaded: Receiver<Loaded>,
}

type Loaded = (RegionId, Result<RegionPack, FolderError>);

impl Reload {
    /// Takes the files as they are.
    pub fn new(files: &[RegionPath]) -> Self {
        let (send, loaded) = channel();
        Self {
            watch: FileWatch::new(files),
            conflicts: VecDeque::new(),
            send,
            loaded,
        }
    }

    /// The path of a region's file.
    pub fn path(&self, id: RegionId) -> Option<&Path> {
        self.watch.file(id).map(|file| &*file.path)
    }

    /// A file was written here.
    pub fn note_written(&mut self, id: RegionId) {
        self.watch.note_written(id);
        self.conflicts.retain(|conflict| *conflict != id);
    }

    /// What becomes of unsaved edits of a file that is another one now.
    pub fn decision(&self) -> Option<EditDecision> {
        let id = *self.conflicts.front()?;
        Some(EditDecision {
            text: format!(
                "{} changed on the disk, and has unsaved edits here.",
                self.name(id)
            ),
            choices: &["keep the edits", "take the file"],
        })
    }

    /// Reads a region again, on another thread.
    fn begin(&self, id: RegionId) {
        let Some(file) = self.watch.file(id).cloned() else {
            return;
        };
        let send = self.send.clone();
        rayon::spawn(move || {
            let mut builder = PackBuilder::default();
            let read = file.visit(Tolerance::STRICT, &mut Vec::new(), |block| {
                builder.add(block)
            });
            // A closed level has no receiver any more.
            let _ = send.send((id, read.map(|()| builder.finish())));
        });
    }

    fn name(&self, id: RegionId) -> String {
        let name = self.path(id).and_then(Path::file_name).unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

impl GeodataEditor {
    /// Looks at the files once a second, and takes on what was read.
    pub(super) fn poll_files(&mut self) -> Option<String> {
        let changed = self.reload.watch.poll();
        self.take_changed(&changed)
    }

    /// Does what is to be done about files that changed, and takes on what was read.
    pub(super) fn take_changed(&mut self, changed: &[RegionId]) -> Option<String> {
        let conflict = self.note_changed(changed);
        let (id, read) = match self.reload.loaded.try_recv() {
            Ok(loaded) => loaded,
            Err(_) => return conflict,
        };
        Some(self.take_read(id, read))
    }

    /// Reads regions again whose files changed; says so of one that has unsaved edits.
    fn note_changed(&mut self, changed: &[RegionId]) -> Option<String> {
        let mut message = None;
        for id in changed {
            match self.session.is_changed(*id) {
                true => message = self.add_conflict(*id),
                false => self.reload.begin(*id),
            }
        }
        message
    }

    fn add_conflict(&mut self, id: RegionId) -> Option<String> {
        if !self.reload.conflicts.contains(&id) {
            self.reload.conflicts.push_back(id);
        }
        self.reload.decision().map(|decision| decision.text)
    }

    fn take_read(&mut self, id: RegionId, read: Result<RegionPack, FolderError>) -> String {
        let name = self.reload.name(id);
        let pack = match read {
            Ok(pack) => pack,
            Err(error) => {
                let why = error_chain(&error);
                return format!("{name} changed on the disk, but cannot be read: {why}");
            }
        };
        // It may have been edited meanwhile.
        if self.session.is_changed(id) {
            return self.add_conflict(id).unwrap_or_default();
        }
        if let Err(error) = self.session.forget(id) {
            return error_chain(&error);
        }
        self.world.change_region(id, pack, &self.doors);
        self.recount();
        format!("{name} changed on the disk and was read again")
    }

    /// Unsaved edits stay, over what the file was.
    pub(super) fn keep_edits(&mut self) -> String {
        let kept = self.reload.conflicts.pop_front();
        let name = kept.map(|id| self.reload.name(id)).unwrap_or_default();
        format!("edits of {name} are kept; saving replaces the file on the disk")
    }

    /// Unsaved edits of a region go, and its file is read.
    pub(super) fn take_file(&mut self) -> Result<String, Lineage2Error> {
        let Some(id) = self.reload.conflicts.front().copied() else {
            return Ok(String::new());
        };
        self.session.forget(id)?;
        self.reload.conflicts.pop_front();
        self.recount();
        self.reload.begin(id);
        Ok(format!("edits of {} are dropped", self.reload.name(id)))
    }
}
