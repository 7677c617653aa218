//! A level on the start screen: its picture, its name and its game.

use egui::{
    Align2, Color32, CornerRadius, FontId, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use super::pictures::Picture;
use crate::console::plain;
use crate::library::Entry;

/// Width of a card in logical points, where that fills the list; else a little more or less.
pub const WIDTH: f32 = 220.0;
/// Height of its picture, as a part of its width.
const PICTURE_PART: f32 = 0.5625;
/// Height of what is written below.
const TEXT_HEIGHT: f32 = 44.0;
const MARGIN: f32 = 8.0;
const ROUNDING: CornerRadius = CornerRadius::same(4);

/// How large a card of a width is.
pub fn size(width: f32) -> Vec2 {
    vec2(width, width * PICTURE_PART + TEXT_HEIGHT)
}

/// Lays a card of a width out with its corner at a point; true if its level is to be opened.
pub fn show(ui: &mut Ui, (corner, width): (Pos2, f32), entry: &Entry, picture: &Picture) -> bool {
    let place = Rect::from_min_size(corner, size(width));
    let response = ui.interact(
        place,
        ui.scope_id().with(&entry.path).with(corner.y as i32),
        Sense::click(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &entry.name));
    let style = ui.style().interact(&response);
    let (fill, line) = (style.weak_bg_fill, style.bg_stroke);
    let [strong, weak] = [
        ui.visuals().strong_text_color(),
        ui.visuals().weak_text_color(),
    ];
    let painter = ui.painter_at(place);
    painter.rect_filled(place, ROUNDING, fill);
    let of_picture = Rect::from_min_size(corner, vec2(width, width * PICTURE_PART));
    match picture {
        Picture::There(texture, _) => {
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), of_picture, all, Color32::WHITE);
        }
        Picture::Awaited | Picture::None => {
            painter.rect_filled(of_picture, ROUNDING, ui.visuals().extreme_bg_color);
            let text = match picture {
                Picture::None => "cannot be shown",
                _ => "...",
            };
            let font = FontId::proportional(13.0);
            painter.text(of_picture.center(), Align2::CENTER_CENTER, text, font, weak);
        }
    }
    let below = of_picture.left_bottom() + vec2(MARGIN, 5.0);
    let line_of = |text: &str, size, color, shift: f32| {
        let text = plain::line(text);
        let at = below + vec2(0.0, shift);
        let font = FontId::proportional(size);
        painter.text(at, Align2::LEFT_TOP, text, font, color);
    };
    line_of(&entry.name, 14.0, strong, 0.0);
    line_of(entry.world, 12.0, weak, 18.0);
    if response.hovered() || response.has_focus() {
        let line = Stroke::new(2.0, line.color.gamma_multiply(2.0));
        ui.painter()
            .rect_stroke(place, ROUNDING, line, StrokeKind::Inside);
    }
    let response = response.on_hover_text(plain::path(&entry.path));
    response.clicked()
}
