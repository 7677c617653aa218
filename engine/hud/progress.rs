//! How far the opening of a level is.

use std::time::Duration;

use egui::{Align2, ProgressBar, vec2};

use super::widgets::window_frame;
use crate::words::tr_with;

/// Width of the bar in logical points.
const WIDTH: f32 = 320.0;
/// Where the bar stays while something takes longer than it did before.
const MOST: f32 = 0.97;
/// How long the bar takes once where no time is known.
const SWEEP_SECS: f32 = 2.0;

/// What is being opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    pub name: String,
    pub since: Duration,
    /// Of the time that it took before; `None` if that is not known.
    pub share: Option<f32>,
}

/// Lays it out over all else.
pub fn show(ctx: &egui::Context, progress: &Progress) {
    egui::Area::new(egui::Id::unique("progress"))
        .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -12.0))
        .order(egui::Order::Tooltip)
        .interactable(false)
        .show(ctx, |ui| {
            window_frame(ctx).show(ui, |ui| {
                ui.set_width(WIDTH.min(ctx.content_rect().width() * 0.8));
                let secs = progress.since.as_secs();
                let name = progress.name.as_str().into();
                let values = [("name", name), ("secs", secs.into())];
                ui.label(tr_with("Opening {name} ({secs} s), Esc stops it", &values));
                let bar = match progress.share {
                    Some(share) => ProgressBar::new(share.min(MOST)),
                    None => ProgressBar::new(progress.since.as_secs_f32() / SWEEP_SECS % 1.0),
                };
                ui.add(bar.desired_height(6.0));
            });
        });
}
