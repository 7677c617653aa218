//! The panel's part about the camera path that the user makes.

use egui::{DragValue, ScrollArea, TextEdit, Ui};

use super::widgets::with_key;
use crate::camera::Pose;
use crate::input::Command;
use crate::path_draft::{PathDraft, SECS};
use crate::view_options::ViewOptions;
use crate::words::tr;

/// Height of the list of keys in logical points.
const LIST_HEIGHT: f32 = 140.0;

/// The path that is made, and what is wanted of it.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftPanel {
    pub draft: PathDraft,
    /// Name of its files, without an extension.
    pub name: String,
    /// What is wanted; taken by the window.
    pub wish: Option<DraftWish>,
}

/// What is done with the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftWish {
    Play,
    Save,
    Load,
}

impl Default for DraftPanel {
    fn default() -> Self {
        Self {
            draft: PathDraft::default(),
            name: "path".to_owned(),
            wish: None,
        }
    }
}

/// Lays it out, with the camera at a pose.
pub fn show(ui: &mut Ui, pose: Pose, options: &mut ViewOptions) {
    let DraftPanel { draft, name, wish } = &mut options.draft;
    ui.collapsing(tr("Make a camera path"), |ui| {
        let text = with_key("add this place", Command::AddPathKey);
        if ui.button(text).clicked() {
            draft.add(pose);
        }
        let (mut go_to, mut removed) = (None, None);
        ScrollArea::vertical()
            .max_height(LIST_HEIGHT)
            .show(ui, |ui| {
                for (index, key) in draft.keys.iter_mut().enumerate() {
                    ui.horizontal(|ui| {
                        if ui
                            .button((index + 1).to_string())
                            .on_hover_text(tr("go there"))
                            .clicked()
                        {
                            go_to = Some(key.pose);
                        }
                        if ui
                            .small_button("here")
                            .on_hover_text(tr("move it to where the camera is"))
                            .clicked()
                        {
                            key.pose = pose;
                        }
                        if ui
                            .small_button("x")
                            .on_hover_text(tr("remove it"))
                            .clicked()
                        {
                            removed = Some(index);
                        }
                        if index > 0 {
                            let [least, most] = SECS;
                            ui.add(
                                DragValue::new(&mut key.secs)
                                    .range(least..=most)
                                    .speed(0.05)
                                    .prefix("after ")
                                    .suffix(" s"),
                            );
                        }
                    });
                }
            });
        if let Some(index) = removed {
            draft.keys.remove(index);
        }
        if go_to.is_some() {
            options.camera_text.go_to = go_to;
        }
        ui.checkbox(
            &mut draft.is_smooth,
            tr("smooth, with a slow beginning and end"),
        );
        ui.horizontal(|ui| {
            ui.add(
                TextEdit::singleline(name)
                    .hint_text(tr("name of its files"))
                    .desired_width(90.0),
            );
            let mut button = |ui: &mut Ui, text: &str, hint: &str, wanted| {
                if ui.button(text).on_hover_text(hint).clicked() {
                    *wish = Some(wanted);
                }
            };
            button(ui, "load", "reads its JSON file", DraftWish::Load);
            if !draft.keys.is_empty() {
                button(
                    ui,
                    "save",
                    "writes it as JSON and in the games' forms",
                    DraftWish::Save,
                );
                button(ui, "play", "the camera follows it", DraftWish::Play);
            }
        });
    });
}
