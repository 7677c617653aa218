//! Two levels side by side: where they are, what they are called, and what the panel does with them.

use egui::{Align2, Color32, FontId, LayerId, Rect, Stroke, Ui, pos2, vec2};

use super::HudView;
use super::widgets::with_key;
use crate::comparison::Side;
use crate::input::Command;
use crate::level::LoadedLevel;
use crate::renderer::FrameState;
use crate::view_options::ViewOptions;
use crate::words::{tr, tr_with};

/// What is compared with.
pub struct SecondView<'a> {
    pub level: &'a LoadedLevel,
    pub frame: &'a FrameState,
    /// Where the first and the second level are.
    pub sides: [Side; 2],
}

/// What the panel wants of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareWish {
    /// Choose a level to compare with.
    Choose,
    Swap,
    /// By steps to the right.
    Move(i8),
    End,
}

/// Where each level is, in logical points: the first, and the second if there is one.
pub fn areas(ctx: &egui::Context, second: Option<&SecondView<'_>>) -> Vec<Rect> {
    let Some(second) = second else {
        return vec![ctx.content_rect()];
    };
    let points = |pixels: u32| pixels as f32 / ctx.pixels_per_point();
    let area = |side: &Side| {
        let [width, height] = side.size.map(points);
        Rect::from_min_size(pos2(points(side.left), 0.0), vec2(width, height))
    };
    second.sides.iter().map(area).collect()
}

/// Paints the names of both levels over them, and a line between them.
pub fn paint(ctx: &egui::Context, names: [&str; 2], areas: &[Rect]) {
    let painter = ctx.layer_painter(LayerId::background());
    for (area, name) in areas.iter().zip(names) {
        let at = pos2(area.center().x, area.top() + 10.0);
        let color = Color32::from_rgb(235, 238, 242);
        let galley = painter.layout_no_wrap(name.to_owned(), FontId::proportional(14.0), color);
        let frame = Align2::CENTER_TOP.anchor_size(at, galley.size());
        painter.rect_filled(frame.expand(5.0), 3.0, Color32::from_black_alpha(150));
        painter.galley(frame.min, galley, color);
        if area.left() > 0.0 {
            let line = Stroke::new(2.0, Color32::from_black_alpha(200));
            painter.vline(area.left(), area.y_range(), line);
        }
    }
}

/// Lays out the part of the panel.
pub fn show(ui: &mut Ui, view: &HudView<'_>, options: &mut ViewOptions) {
    let wish = &mut options.compare_wish;
    let Some(second) = &view.second else {
        if ui.button(tr("compare with ...")).clicked() {
            *wish = Some(CompareWish::Choose);
        }
        return;
    };
    let values = [("name", second.level.name().into())];
    ui.label(tr_with("Compared with {name}", &values));
    ui.horizontal_wrapped(|ui| {
        for (text, wanted) in [
            (with_key("swap", Command::SwapSides), CompareWish::Swap),
            (
                with_key("left", Command::MoveSplit(-1)),
                CompareWish::Move(-1),
            ),
            (
                with_key("right", Command::MoveSplit(1)),
                CompareWish::Move(1),
            ),
            (tr("another ..."), CompareWish::Choose),
            (tr("end"), CompareWish::End),
        ] {
            if ui.button(text).clicked() {
                *wish = Some(wanted);
            }
        }
    });
}
