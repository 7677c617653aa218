//! The panel's part about pictures that are taken.

use egui::{ComboBox, Ui};

use super::widgets::with_key;
use crate::input::{Command, key_of};
use crate::photo::{Photo, PhotoSize};
use crate::view_options::ViewOptions;
use crate::words::tr;

/// Lays it out.
pub fn show(ui: &mut Ui, options: &mut ViewOptions) {
    ui.collapsing(tr("Photo"), |ui| {
        let photo = &mut options.photo;
        ComboBox::from_label("size of pictures")
            .selected_text(photo.size.label())
            .show_ui(ui, |ui| {
                for size in PhotoSize::ALL {
                    ui.selectable_value(&mut photo.size, size, size.label());
                }
            });
        let text = with_key("photo mode", Command::TogglePhoto);
        if ui
            .button(text)
            .on_hover_text(tr("nothing over the picture, and time stands still"))
            .clicked()
        {
            photo.is_on = true;
        }
        let text = with_key("time stands still", Command::ToggleTime);
        ui.checkbox(&mut options.is_time_stopped, text);
    });
}

/// What is said when photo mode begins.
pub fn hint(photo: &Photo) -> String {
    let key = |command| key_of(command).unwrap_or_default();
    format!(
        "Photo mode: {} takes a picture ({}), {} leaves it",
        key(Command::Screenshot),
        photo.size.label(),
        key(Command::TogglePhoto)
    )
}
