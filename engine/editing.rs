//! Editing a level with the mouse: strokes over what it points at, and commands of keys and buttons.
//!
//! In: places that the mouse points at, from frame to frame. Out: what its [`LevelEditor`] makes of them. Deliberately
//! absent: what tools do, which each world's editor knows.

use std::sync::{Mutex, PoisonError};

use crate::console::error_chain;
use crate::kind::{EditDecision, EditField, EditReply, EditStatus, LevelEditor};
use crate::renderer::FrameState;
use crate::scene::TileShape;
use crate::sim::world::WorldHit;

/// An editor that is there until a window takes it.
pub type UntakenEditor = Mutex<Option<Box<dyn LevelEditor>>>;

/// Takes the editor of a level, which only one window has.
pub fn take_editor(untaken: &UntakenEditor) -> Option<Editing> {
    let editor = untaken
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    editor.map(Editing::new)
}

/// An editor, and what the mouse does with it.
pub struct Editing {
    editor: Box<dyn LevelEditor>,
    /// Whether the mouse edits rather than picks.
    pub is_on: bool,
    /// Whether its button is held.
    is_pressed: bool,
    /// What the panel wants; taken by the window.
    pub wish: Option<EditWish>,
}

/// What keys do with an editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditCommand {
    /// The mouse edits, or picks again.
    Toggle,
    /// Takes the last edit back.
    Undo,
    /// Makes it again.
    Redo,
    /// Writes the files.
    Save,
}

/// What buttons of the panel want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditWish {
    /// What a key would do.
    Command(EditCommand),
    /// What the user decided, by its place among the choices.
    Decide(usize),
}

impl Editing {
    /// The mouse picks at first.
    pub fn new(editor: Box<dyn LevelEditor>) -> Self {
        Self {
            editor,
            is_on: false,
            is_pressed: false,
            wish: None,
        }
    }

    /// The tool and its settings.
    pub fn fields(&mut self) -> Vec<EditField<'_>> {
        self.editor.fields()
    }

    /// How far it is.
    pub fn status(&self) -> EditStatus {
        self.editor.status()
    }

    /// What the user has to decide.
    pub fn decision(&self) -> Option<EditDecision> {
        self.editor.decision()
    }

    /// Grants what the panel wants, or obeys a key; returns what to report.
    pub fn grant(&mut self, wish: EditWish) -> String {
        let reply = match wish {
            EditWish::Command(EditCommand::Toggle) => Ok(self.toggle().to_owned()),
            EditWish::Command(EditCommand::Undo) => self.editor.undo(),
            EditWish::Command(EditCommand::Redo) => self.editor.redo(),
            EditWish::Command(EditCommand::Save) => self.editor.save(),
            EditWish::Decide(index) => self.editor.decide(index),
        };
        text_of(reply)
    }

    fn toggle(&mut self) -> &'static str {
        self.is_on = !self.is_on;
        self.cancel();
        match self.is_on {
            true => "the mouse edits: left click or drag; right click looks around",
            false => "the mouse picks",
        }
    }

    /// The button was pressed where something is.
    pub fn press(&mut self, at: &WorldHit) {
        self.is_pressed = true;
        self.editor.stroke(at);
    }

    /// The button was released; returns what to report.
    pub fn release(&mut self) -> Option<String> {
        let was_pressed = std::mem::take(&mut self.is_pressed);
        let text = was_pressed.then(|| text_of(self.editor.end_stroke()));
        text.filter(|text| !text.is_empty())
    }

    /// Drops the stroke; whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.is_pressed = false;
        self.editor.cancel()
    }

    /// Before a frame: takes a stroke on to where the mouse points, and adds to the frame what would change and what has
    /// changed. `at` is that place, if the mouse edits.
    pub fn update(&mut self, at: Option<&WorldHit>, shape: TileShape, state: &mut FrameState) {
        if !self.is_on {
            return;
        }
        if let Some(at) = at.filter(|_| self.is_pressed) {
            self.editor.stroke(at);
        }
        let preview = self.editor.preview(at, shape);
        state.highlight.extend(preview.highlight);
        state.lines.extend(preview.lines);
    }

    /// Looks after the level's files; returns what to report.
    pub fn poll(&mut self) -> Option<String> {
        self.editor.poll()
    }
}

fn text_of(reply: EditReply) -> String {
    reply.unwrap_or_else(|error| error_chain(&*error))
}

#[cfg(test)]
pub mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::kind::EditPreview;

    /// The calls of an editor, in order.
    pub type Calls = Arc<Mutex<Vec<String>>>;

    /// An editor that only notes its calls.
    #[derive(Default)]
    pub struct TestEditor {
        pub calls: Calls,
        pub tool: usize,
        pub size: i32,
        pub has_decision: bool,
    }

    impl TestEditor {
        fn note(&self, call: &str) -> EditReply {
            self.calls.lock().unwrap().push(call.to_owned());
            match call {
                "redo" => Err("nothing to redo".into()),
                _ => Ok(format!("did {call}")),
            }
        }
    }

    impl LevelEditor for TestEditor {
        fn fields(&mut self) -> Vec<EditField<'_>> {
            let tool = EditField::Choice {
                label: "tool",
                names: vec!["dig", "build"],
                chosen: &mut self.tool,
            };
            let size = EditField::Number {
                label: "size",
                value: &mut self.size,
                range: 0..=9,
            };
            vec![tool, size]
        }

        fn stroke(&mut self, at: &WorldHit) {
            let _ = self.note(&format!("stroke {}", at.position.x));
        }

        fn end_stroke(&mut self) -> EditReply {
            self.note("end")
        }

        fn cancel(&mut self) -> bool {
            self.note("cancel").is_err()
        }

        fn preview(&mut self, at: Option<&WorldHit>, _: TileShape) -> EditPreview {
            EditPreview {
                highlight: at.map(|at| [at.position; 3]).into_iter().collect(),
                lines: Vec::new(),
            }
        }

        fn undo(&mut self) -> EditReply {
            self.note("undo")
        }

        fn redo(&mut self) -> EditReply {
            self.note("redo")
        }

        fn save(&mut self) -> EditReply {
            self.note("save")
        }

        fn status(&self) -> EditStatus {
            EditStatus {
                n_done: 3,
                n_undone: 0,
                stroke: String::new(),
                unsaved: "12 cells".to_owned(),
            }
        }

        fn decision(&self) -> Option<EditDecision> {
            self.has_decision.then(|| EditDecision {
                text: "What now?".to_owned(),
                choices: &["go on", "stop"],
            })
        }

        fn decide(&mut self, index: usize) -> EditReply {
            self.note(&format!("decide {index}"))
        }

        fn poll(&mut self) -> Option<String> {
            None
        }
    }

    fn hit(x: f32) -> WorldHit {
        WorldHit {
            element: 0,
            t: 1.0,
            position: Vec3::new(x, 0.0, 0.0),
            normal: Vec3::Z,
        }
    }

    #[test]
    fn a_stroke_lasts_from_pressing_to_releasing_and_its_place_is_shown() {
        let editor = TestEditor::default();
        let calls = Arc::clone(&editor.calls);
        let mut editing = Editing::new(Box::new(editor));
        let mut state = FrameState::default();
        let taken = || std::mem::take(&mut *calls.lock().unwrap());
        editing.update(Some(&hit(1.0)), TileShape::Slopes, &mut state);
        assert!(state.highlight.is_empty(), "the mouse picks");
        editing.grant(EditWish::Command(EditCommand::Toggle));
        taken();
        editing.update(Some(&hit(1.0)), TileShape::Slopes, &mut state);
        assert_eq!((state.highlight.len(), taken().len()), (1, 0));
        editing.press(&hit(1.0));
        for at in [Some(hit(2.0)), None, Some(hit(3.0))] {
            editing.update(at.as_ref(), TileShape::Slopes, &mut state);
        }
        assert_eq!(editing.release().as_deref(), Some("did end"));
        assert_eq!(editing.release(), None);
        editing.update(Some(&hit(4.0)), TileShape::Slopes, &mut state);
        assert_eq!(taken(), ["stroke 1", "stroke 2", "stroke 3", "end"]);
        editing.press(&hit(5.0));
        editing.cancel();
        assert_eq!(editing.release(), None, "it was dropped");
        assert_eq!(taken(), ["stroke 5", "cancel"]);
    }

    #[test]
    fn commands_reach_the_editor_and_refusals_are_reported() {
        let mut editing = Editing::new(Box::new(TestEditor::default()));
        for (wish, text) in [
            (EditWish::Command(EditCommand::Undo), "did undo"),
            (EditWish::Command(EditCommand::Redo), "nothing to redo"),
            (EditWish::Command(EditCommand::Save), "did save"),
            (EditWish::Decide(1), "did decide 1"),
        ] {
            assert_eq!(editing.grant(wish), text);
        }
        let untaken: UntakenEditor = Mutex::new(Some(Box::new(TestEditor::default())));
        assert!(take_editor(&untaken).is_some());
        assert!(take_editor(&untaken).is_none(), "another window has it");
    }
}
