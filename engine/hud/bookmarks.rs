//! The panel's part about remembered places.

use std::path::Path;

use egui::{ColorImage, Context, Id, TextEdit, TextureHandle, TextureOptions, Ui, Vec2, vec2};

use crate::assets::vfs;
use crate::camera::Pose;
use crate::view_options::ViewOptions;
use crate::words::{tr, tr_with};

/// Sizes of a picture in the list and under the pointer, in logical points.
const SMALL: Vec2 = vec2(48.0, 27.0);
const LARGE: Vec2 = vec2(320.0, 180.0);

/// Lays it out, with the camera at a pose.
pub fn show(ui: &mut Ui, pose: Pose, options: &mut ViewOptions) {
    let bookmarks = &mut options.bookmarks;
    ui.collapsing(tr("Bookmarks"), |ui| {
        ui.weak(tr("Ctrl+1 to 9 remember a place, 1 to 9 go there"));
        for index in 0..bookmarks.places.len() {
            let mut is_kept = true;
            let path = bookmarks.picture_path(index);
            let texture = path
                .filter(|_| bookmarks.places[index].is_some())
                .and_then(|path| texture_of(ui.ctx(), &path, bookmarks.n_taken));
            if let Some(place) = &mut bookmarks.places[index] {
                ui.horizontal(|ui| {
                    let button = match &texture {
                        Some(texture) => ui.add(egui::Button::image((texture.id(), SMALL))),
                        None => ui.button((index + 1).to_string()),
                    };
                    let button = button.on_hover_ui(|ui| {
                        let n = index + 1;
                        ui.label(tr_with("{n}: go there", &[("n", n.into())]));
                        if let Some(texture) = &texture {
                            ui.image((texture.id(), LARGE));
                        }
                    });
                    if button.clicked() {
                        options.camera_text.go_to = Some(place.pose);
                    }
                    is_kept = !ui
                        .small_button("x")
                        .on_hover_text(tr("forget it"))
                        .clicked();
                    let name = TextEdit::singleline(&mut place.name).hint_text(tr("name"));
                    bookmarks.is_changed |= ui.add(name).lost_focus();
                });
            }
            if !is_kept {
                bookmarks.forget(index);
            }
        }
        let free = bookmarks.places.iter().position(Option::is_none);
        if let Some(index) = free
            && ui.button(tr("remember this place")).clicked()
        {
            bookmarks.store(index, pose);
        }
    });
}

/// The picture of a place on the device, read once after `n_taken` pictures were taken; `None` if there is none.
fn texture_of(ctx: &Context, path: &Path, n_taken: usize) -> Option<TextureHandle> {
    let id = Id::unique((path, n_taken));
    if let Some(known) = ctx.data(|data| data.get_temp::<Option<TextureHandle>>(id)) {
        return known;
    }
    let bytes = vfs::read(path).ok();
    let image = bytes.and_then(|bytes| image::load_from_memory(&bytes).ok());
    let texture = image.map(|image| {
        let image = image.into_rgba8();
        let size = [image.width(), image.height()].map(|side| side as usize);
        let image = ColorImage::from_rgba_unmultiplied(size, image.as_raw());
        ctx.load_texture("picture of a place", image, TextureOptions::LINEAR)
    });
    ctx.data_mut(|data| data.insert_temp(id, texture.clone()));
    texture
}
