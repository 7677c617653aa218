//! Edits of region files: what changes, undo and redo, and a journal from which a crash is recovered.
//!
//! In: regions as their files hold them, and edits as lines of JSON. Out: the same files, in which only blocks that
//! changed differ. An [`EditSession`] remembers every change, so that undo and redo have no end; with a [`Journal`] each
//! change is on the disk before it is made.
//!
//! Deliberately absent: commands and windows.

mod area;
mod fill;
mod journal;
mod line;
mod operation;
mod patch;
mod save;
mod session;

pub use area::{Area, AreaTooLarge, MAX_CELLS};
pub use fill::Fill;
pub use journal::{Journal, JournalError, JournalRecord};
pub use line::{EditLine, EditLineError};
pub use operation::{Edit, LayerChoice};
pub use patch::BlockPatch;
pub use save::{Backup, bytes_of, save_region};
pub use session::{BlockChange, EditCounts, EditError, EditSession};
