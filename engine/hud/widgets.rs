//! What the parts of the HUD share.

use crate::renderer::Switches;
use crate::scene::LegendEntry;
use egui::{Color32, Frame};

use super::theme::PANEL_FILL;
use crate::input::{Command, key_of};
use crate::view_options::Feature;
use crate::words::{label, tr};

/// A line of a grid of two columns.
pub fn row(ui: &mut egui::Ui, label: &str, value: String) {
    ui.weak(tr(label));
    ui.add(egui::Label::new(value).wrap());
    ui.end_row();
}

/// The label with the key that does the same.
pub fn with_key(label: &str, command: Command) -> String {
    let label = tr(label);
    match key_of(command) {
        Some(key) => format!("{label}  [{key}]"),
        None => label,
    }
}

/// A switch for a part of the picture.
pub fn feature_switch(ui: &mut egui::Ui, feature: Feature, switches: &mut Switches) {
    let text = with_key(feature.label(), Command::Toggle(feature));
    ui.checkbox(feature.switch(switches), text);
}

/// What colors mean, a line each.
pub fn legend(ui: &mut egui::Ui, entries: &[LegendEntry]) {
    const SIDE: f32 = 10.0;
    for LegendEntry { color, text } in entries {
        ui.horizontal(|ui| {
            ui.add_space(2.0 * SIDE);
            let (place, _) = ui.allocate_exact_size(egui::vec2(SIDE, SIDE), egui::Sense::hover());
            let [r, g, b] = *color;
            ui.painter()
                .rect_filled(place, 2.0, Color32::from_rgb(r, g, b));
            ui.weak(label(text));
        });
    }
}

/// As high as its content, up to what the window has room for.
pub fn scroll_area(ctx: &egui::Context) -> egui::ScrollArea {
    let height = scroll_height(ctx);
    egui::ScrollArea::vertical()
        .min_scrolled_height(height)
        .max_height(height)
}

/// What the window has room for below the title of a panel.
pub fn scroll_height(ctx: &egui::Context) -> f32 {
    /// Title bar, margins, and some air.
    const TAKEN: f32 = 72.0;
    (ctx.content_rect().height() - TAKEN).max(64.0)
}

/// Dark and nearly opaque.
pub fn window_frame(ctx: &egui::Context) -> Frame {
    Frame::window(&ctx.global_style())
        .fill(PANEL_FILL)
        .shadow(egui::Shadow::NONE)
}
