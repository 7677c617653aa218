//! The panel's part about remembered places.

use egui::{TextEdit, Ui};

use crate::camera::Pose;
use crate::view_options::ViewOptions;

/// Lays it out, with the camera at a pose.
pub fn show(ui: &mut Ui, pose: Pose, options: &mut ViewOptions) {
    let bookmarks = &mut options.bookmarks;
    ui.collapsing("Bookmarks", |ui| {
        ui.weak("Ctrl+1 to 9 remember a place, 1 to 9 go there");
        for index in 0..bookmarks.places.len() {
            let mut is_kept = true;
            if let Some(place) = &mut bookmarks.places[index] {
                ui.horizontal(|ui| {
                    if ui
                        .button((index + 1).to_string())
                        .on_hover_text("go there")
                        .clicked()
                    {
                        options.camera_text.go_to = Some(place.pose);
                    }
                    is_kept = !ui.small_button("x").on_hover_text("forget it").clicked();
                    let name = TextEdit::singleline(&mut place.name).hint_text("name");
                    bookmarks.is_changed |= ui.add(name).lost_focus();
                });
            }
            if !is_kept {
                bookmarks.places[index] = None;
                bookmarks.is_changed = true;
            }
        }
        let free = bookmarks.places.iter().position(Option::is_none);
        if let Some(index) = free
            && ui.button("remember this place").clicked()
        {
            bookmarks.store(index, pose);
        }
    });
}
