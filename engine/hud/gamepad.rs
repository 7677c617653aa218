//! The settings of gamepads: speeds, and what each button does.

use egui::{ComboBox, Grid, Slider, Ui};

use crate::gamepad::{Button, PadAction, PadSettings};
use crate::settings::{DEAD_ZONES, PAD_SPEEDS};
use crate::words::tr;

/// Lays them out as a part of the settings; what is changed here is kept for the next time.
pub fn show(ui: &mut Ui, settings: &mut PadSettings) {
    ui.collapsing(tr("Gamepad"), |ui| {
        let [slowest, fastest] = PAD_SPEEDS;
        ui.add(
            Slider::new(&mut settings.look_speed, slowest..=fastest)
                .logarithmic(true)
                .text(tr("speed of the right stick")),
        );
        let [least, most] = DEAD_ZONES;
        ui.add(Slider::new(&mut settings.dead_zone, least..=most).text(tr("dead zone")));
        ui.checkbox(&mut settings.invert, tr("stick up looks down"));
        Grid::new("buttons of the gamepad")
            .num_columns(2)
            .show(ui, |ui| {
                for (button, action) in Button::ALL.into_iter().zip(&mut settings.actions) {
                    ui.label(tr(button.label()));
                    show_choice(ui, button, action);
                    ui.end_row();
                }
            });
        if ui.button(tr("all as they were")).clicked() {
            *settings = PadSettings::default();
        }
    });
}

fn show_choice(ui: &mut Ui, button: Button, chosen: &mut PadAction) {
    ComboBox::from_id_salt(button.key())
        .selected_text(tr(chosen.label()))
        .show_ui(ui, |ui| {
            for action in PadAction::ALL {
                ui.selectable_value(chosen, action, tr(action.label()));
            }
        });
}
