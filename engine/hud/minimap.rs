//! The map of the level in a corner, with the camera on it; a click flies there.

use std::sync::Arc;

use egui::{
    Align2, Area, Color32, ColorImage, Id, Pos2, Rect, Sense, Shape, Stroke, TextureHandle,
    TextureOptions, pos2, vec2,
};
use glam::Vec2;
use image::RgbaImage;

use super::widgets::window_frame;
use crate::camera::Pose;
use crate::minimap::{MapArea, Minimap};
use crate::words::tr;

/// Side of the map in logical points, and at most this part of the window's smaller side.
const SIDE: f32 = 220.0;
const MAX_PART: f32 = 0.4;
/// Length of the arrow that the camera is, in logical points.
const ARROW: f32 = 11.0;

/// Lays it out, if it is shown.
pub fn show(ctx: &egui::Context, pose: &Pose, area: &MapArea, map: &mut Minimap) {
    if !map.is_shown {
        return;
    }
    let side = SIDE.min(ctx.content_rect().size().min_elem() * MAX_PART);
    Area::new(Id::unique("minimap"))
        .anchor(Align2::RIGHT_BOTTOM, vec2(-8.0, -8.0))
        .show(ctx, |ui| {
            window_frame(ctx).inner_margin(4.0).show(ui, |ui| {
                let (place, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
                let painter = ui.painter_at(place);
                match &map.picture {
                    Some(picture) => {
                        let texture = texture_of(ctx, picture);
                        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                        painter.image(texture.id(), place, whole, Color32::WHITE);
                    }
                    None => drop(painter.rect_filled(place, 0.0, Color32::BLACK)),
                }
                let at = area.on_map(pose.position.truncate());
                let heading = pose.forward().truncate().normalize_or(Vec2::Y);
                painter.add(arrow(place.min + vec2(at.x, at.y) * side, heading));
                let response = response.on_hover_text(tr("A click flies there"));
                if response.clicked()
                    && let Some(pointer) = response.interact_pointer_pos()
                {
                    let on_map = (pointer - place.min) / side;
                    map.go_to = Some(area.place(Vec2::new(on_map.x, on_map.y)));
                }
            });
        });
}

/// Where the camera is and whither it looks; kept within the map by its painter.
fn arrow(at: Pos2, heading: Vec2) -> Shape {
    let ahead = vec2(heading.x, -heading.y);
    let aside = ahead.rot90();
    let corners = [
        at + ahead * ARROW,
        at - ahead * ARROW * 0.5 + aside * ARROW * 0.55,
        at - ahead * ARROW * 0.5 - aside * ARROW * 0.55,
    ];
    let fill = Color32::from_rgb(255, 220, 60);
    Shape::convex_polygon(corners.to_vec(), fill, Stroke::new(1.5, Color32::BLACK))
}

/// The picture on the device, made once.
fn texture_of(ctx: &egui::Context, picture: &Arc<RgbaImage>) -> TextureHandle {
    let id = Id::unique(("map of the level", Arc::as_ptr(picture).addr()));
    if let Some(texture) = ctx.data(|data| data.get_temp::<TextureHandle>(id)) {
        return texture;
    }
    let size = [picture.width(), picture.height()].map(|side| side as usize);
    let image = ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
    let texture = ctx.load_texture("map of the level", image, TextureOptions::LINEAR);
    ctx.data_mut(|data| data.insert_temp(id, texture.clone()));
    texture
}
