//! What could not be opened, and why; and which levels could be instead.

use std::path::PathBuf;

use egui::{Align2, Vec2};

use super::widgets::window_frame;
use crate::console::plain;
use crate::error::AppError;

/// Width of the text, in logical points.
const TEXT_WIDTH: f32 = 420.0;
/// Height that the list of levels takes at most.
const LIST_HEIGHT: f32 = 220.0;

/// Why something was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub text: String,
    /// Levels of which one can be opened in its place.
    pub choices: Vec<PathBuf>,
}

/// What is to be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalReply {
    Close,
    Open(PathBuf),
}

impl Refusal {
    /// The error with all its causes.
    pub fn new(error: &AppError) -> Self {
        Self {
            text: plain::line(&error.chain()).into_owned(),
            choices: error.choices().to_vec(),
        }
    }

    /// Lays it out over all else.
    pub fn show(&self, ctx: &egui::Context) -> Option<RefusalReply> {
        let title = match self.choices.is_empty() {
            true => "Not opened",
            false => "Which level?",
        };
        let mut reply = None;
        egui::Window::new(title)
            .id(egui::Id::unique("refusal"))
            .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
            .collapsible(false)
            .auto_sized()
            .frame(window_frame(ctx))
            .show(ctx, |ui| {
                ui.set_width(TEXT_WIDTH.min(ctx.content_rect().width() * 0.8));
                ui.label(&self.text);
                egui::ScrollArea::vertical()
                    .max_height(LIST_HEIGHT)
                    .show(ui, |ui| {
                        for path in &self.choices {
                            if ui.button(plain::path(path)).clicked() {
                                reply = Some(RefusalReply::Open(path.clone()));
                            }
                        }
                    });
                if ui.button("Close (Esc)").clicked() {
                    reply = Some(RefusalReply::Close);
                }
            });
        reply
    }
}
