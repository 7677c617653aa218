//! The settings' part about keys: what each does, and another one for it.

use egui::{Grid, ScrollArea, Ui};

use crate::input::{Binding, keymap, trigger_name};
use crate::view_options::ViewOptions;
use crate::words::tr;

/// Height of the list in logical points.
const LIST_HEIGHT: f32 = 220.0;

/// What the user wants of the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeyChoice {
    /// The binding, by its index, that gets the key that is pressed next.
    pub awaited: Option<usize>,
    /// Whether all keys are to be as they were; taken by the window.
    pub wants_reset: bool,
}

/// Lays it out.
pub fn show(ui: &mut Ui, options: &mut ViewOptions) {
    let choice = &mut options.key_choice;
    let keymap = keymap();
    ui.collapsing(tr("Keys"), |ui| {
        ui.weak(tr(
            "Click a key, then press another one for it; Esc keeps it",
        ));
        ScrollArea::vertical()
            .max_height(LIST_HEIGHT)
            .show(ui, |ui| {
                Grid::new("keys")
                    .num_columns(2)
                    .striped(true)
                    .show(ui, |ui| {
                        for (index, Binding { trigger, help, .. }) in
                            keymap.bindings().iter().enumerate()
                        {
                            if !keymap.is_changeable(index) {
                                continue;
                            }
                            let is_awaited = choice.awaited == Some(index);
                            let text = match is_awaited {
                                true => "press a key".to_owned(),
                                false => trigger_name(*trigger),
                            };
                            if ui.selectable_label(is_awaited, text).clicked() {
                                choice.awaited = (!is_awaited).then_some(index);
                            }
                            ui.add(egui::Label::new(*help).wrap());
                            ui.end_row();
                        }
                    });
            });
        choice.wants_reset |= ui.button(tr("all as they were")).clicked();
    });
}
