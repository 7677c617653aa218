//! What could not be opened, and why.

use egui::{Align2, Vec2};

use super::widgets::window_frame;
use crate::console::plain;
use crate::error::AppError;
use crate::words::{line, tr};

/// Width of the text, in logical points.
const TEXT_WIDTH: f32 = 420.0;

/// Why something was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub text: String,
}

impl Refusal {
    /// The error with all its causes.
    pub fn new(error: &AppError) -> Self {
        Self {
            text: plain::line(&error.chain()).into_owned(),
        }
    }

    /// Lays it out over all else; true if it is read.
    pub fn show(&self, ctx: &egui::Context) -> bool {
        let mut is_read = false;
        egui::Window::new(tr("Not opened"))
            .id(egui::Id::unique("refusal"))
            .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
            .collapsible(false)
            .auto_sized()
            .frame(window_frame(ctx))
            .show(ctx, |ui| {
                ui.set_width(TEXT_WIDTH.min(ctx.content_rect().width() * 0.8));
                ui.label(line(&self.text));
                is_read = ui.button(tr("Close (Esc)")).clicked();
            });
        is_read
    }
}
