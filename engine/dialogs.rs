//! The system's dialogs for opening files and folders, which are open while the window continues.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rfd::AsyncFileDialog;
use winit::window::Window;

use crate::words::tr;

/// What is to be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialogKind {
    /// A level, model or archive to open.
    File,
    /// The folder of a game, to be remembered.
    Folder,
    /// The folder that files are exported to.
    ExportFolder,
}

/// The dialog that is open, if one is.
#[derive(Debug, Default)]
pub struct Dialogs {
    open: Option<(DialogKind, Receiver<Option<PathBuf>>)>,
}

impl Dialogs {
    /// Opens a dialog, unless one is open.
    pub fn open(&mut self, kind: DialogKind, window: &Window) {
        if self.open.is_some() {
            return;
        }
        let dialog = AsyncFileDialog::new().set_parent(window);
        // Some systems open dialogs on this thread alone, while all let others wait for them.
        let chosen: std::pin::Pin<Box<dyn Future<Output = _> + Send>> = match kind {
            DialogKind::File => Box::pin(
                dialog
                    .set_title(tr("Open a level, model or archive"))
                    .pick_file(),
            ),
            DialogKind::Folder => Box::pin(
                dialog
                    .set_title(tr("Add the folder of a game"))
                    .pick_folder(),
            ),
            DialogKind::ExportFolder => {
                Box::pin(dialog.set_title(tr("Export into a folder")).pick_folder())
            }
        };
        let (send, receive) = channel();
        thread::spawn(move || {
            let chosen = pollster::block_on(chosen);
            // The program may end with the dialog open.
            let _ = send.send(chosen.map(|file| file.path().to_owned()));
        });
        self.open = Some((kind, receive));
    }

    /// What was chosen, once.
    pub fn fetch(&mut self) -> Option<(DialogKind, PathBuf)> {
        let (kind, receive) = self.open.as_ref()?;
        let kind = *kind;
        match receive.try_recv() {
            Err(std::sync::mpsc::TryRecvError::Empty) => None,
            chosen => {
                self.open = None;
                Some((kind, chosen.ok()??))
            }
        }
    }

    /// Whether a dialog is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}
