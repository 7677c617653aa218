//! The list of keys.

use egui::{Align2, Color32, Grid, RichText, vec2};

use super::widgets::{scroll_area, window_frame};
use crate::input::{HelpLine, help_lines};

/// Lays out the list; its closing button changes `is_open`.
pub fn show(ctx: &egui::Context, is_open: &mut bool) {
    let lines = help_lines();
    // Two columns, parted between groups: one would be higher than a small window.
    let first_half: &[HelpLine] = &lines[..lines.len() / 2];
    let last_group = first_half.last().map(|line| line.group);
    let n_left = lines
        .iter()
        .rposition(|line| Some(line.group) == last_group)
        .map_or(0, |index| index + 1);
    let (left, right) = lines.split_at(n_left);
    egui::Window::new("Keys")
        .open(is_open)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .auto_sized()
        .collapsible(false)
        .frame(window_frame(ctx).fill(Color32::from_rgb(24, 27, 32)))
        .show(ctx, |ui| {
            scroll_area(ctx).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    show_key_column(ui, "left keys", left);
                    ui.add_space(24.0);
                    show_key_column(ui, "right keys", right);
                });
            });
        });
}

fn show_key_column(ui: &mut egui::Ui, id: &str, lines: &[HelpLine]) {
    Grid::new(id).num_columns(2).striped(true).show(ui, |ui| {
        let mut group = "";
        for line in lines {
            if line.group != group {
                group = line.group;
                ui.label(RichText::new(group).strong());
                ui.end_row();
            }
            ui.monospace(&line.keys);
            ui.label(line.help);
            ui.end_row();
        }
    });
}
