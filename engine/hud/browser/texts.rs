//! Text of a file, of which only the visible lines are laid out.

use egui::{RichText, ScrollArea, TextStyle, Ui};

use crate::browser::Text;
use crate::words::tr;

/// Lays it out.
pub fn show(ui: &mut Ui, text: &Text) {
    let n_lines = text.n_lines();
    ui.horizontal(|ui| {
        ui.weak(format!("{n_lines} lines"));
        if ui.small_button(tr("copy all")).clicked() {
            ui.ctx().copy_text(text.whole().to_owned());
        }
    });
    let height = ui.text_style_height(&TextStyle::Monospace);
    let n_digits = n_lines.max(1).ilog10() as usize + 1;
    ScrollArea::both()
        .auto_shrink(false)
        .show_rows(ui, height, n_lines, |ui, range| {
            for index in range {
                ui.horizontal(|ui| {
                    let number = format!("{:>n_digits$}", index + 1);
                    ui.weak(RichText::new(number).monospace());
                    let line = RichText::new(text.line(index)).monospace();
                    ui.add(egui::Label::new(line).extend());
                });
            }
        });
}
