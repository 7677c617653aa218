//! Editing of a level while it is shown.

use std::error::Error;
use std::ops::RangeInclusive;

use ironlands_scene::{OverlayVertex, TileShape};
use ironlands_sim_world::WorldHit;

/// Edits the level that it was opened with; its [`World`](ironlands_sim_world::World) follows every edit at once.
///
/// A stroke is what the mouse does from pressing to releasing its button; it makes one edit. Edits are kept where a crash
/// does not lose them, and reach the level's files when they are saved.
pub trait LevelEditor: Send {
    /// The tool and its settings, in the order to show them. Which there are depends on those before them.
    fn fields(&mut self) -> Vec<EditField<'_>>;

    /// Begins a stroke, or takes it on to another place.
    fn stroke(&mut self, at: &WorldHit);

    /// Ends the stroke, and returns what it did.
    ///
    /// # Errors
    /// If the edit cannot be made. Nothing has changed then.
    fn end_stroke(&mut self) -> EditReply;

    /// Drops the stroke, and what earlier strokes began; whether there was any.
    fn cancel(&mut self) -> bool;

    /// What the stroke would change, or one that begins at a place; and what differs from the files. On land as tiles of
    /// a shape show it.
    fn preview(&mut self, at: Option<&WorldHit>, shape: TileShape) -> EditPreview;

    /// Takes the last edit back.
    ///
    /// # Errors
    /// If there is none, or that cannot be kept.
    fn undo(&mut self) -> EditReply;

    /// Makes the last edit again that was taken back.
    ///
    /// # Errors
    /// If there is none, or that cannot be kept.
    fn redo(&mut self) -> EditReply;

    /// Writes the files that differ.
    ///
    /// # Errors
    /// If one cannot be written. Edits stay unsaved then.
    fn save(&mut self) -> EditReply;

    /// How far it is.
    fn status(&self) -> EditStatus;

    /// What the user has to decide.
    fn decision(&self) -> Option<EditDecision>;

    /// Takes what the user decided, by its place among the choices.
    ///
    /// # Errors
    /// If what was decided cannot be done.
    fn decide(&mut self, index: usize) -> EditReply;

    /// Looks whether the level's files changed. To call every frame; returns what to report.
    fn poll(&mut self) -> Option<String>;
}

/// What was done, in words; or why not.
pub type EditReply = Result<String, Box<dyn Error + Send + Sync>>;

/// A setting of an editor's tool.
#[derive(Debug)]
pub enum EditField<'a> {
    /// One of several.
    Choice {
        /// What it is.
        label: &'static str,
        /// Their names.
        names: Vec<&'a str>,
        /// The place of the chosen one.
        chosen: &'a mut usize,
    },
    /// A whole number.
    Number {
        /// What it is, with its unit.
        label: &'static str,
        /// The number.
        value: &'a mut i32,
        /// Its limits.
        range: RangeInclusive<i32>,
    },
    /// On or off.
    Switch {
        /// What it is.
        label: &'static str,
        /// Whether it is on.
        is_on: &'a mut bool,
    },
}

/// What a frame shows of edits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EditPreview {
    /// Triangles of what would change.
    pub highlight: Vec<[glam::Vec3; 3]>,
    /// Pairs of end points.
    pub lines: Vec<OverlayVertex>,
}

/// How far an editor is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditStatus {
    /// Edits that can be taken back.
    pub n_done: usize,
    /// Edits that can be made again.
    pub n_undone: usize,
    /// What the stroke would change, in words; empty without one.
    pub stroke: String,
    /// What saving would change, in words; empty if nothing.
    pub unsaved: String,
}

/// A decision that an editor needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditDecision {
    /// What it is about.
    pub text: String,
    /// The choices, in a few words each.
    pub choices: &'static [&'static str],
}
