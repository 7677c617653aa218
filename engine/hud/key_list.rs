//! The list of keys.

use egui::{Align2, Color32, Label, Rect, RichText, Ui, vec2};

use super::widgets::{scroll_area, window_frame};
use crate::input::{HelpLine, help_lines};

/// Most of the window's width that the list takes, in logical points and as a part.
const MAX_WIDTH: f32 = 1000.0;
const MAX_PART: f32 = 0.92;
/// Narrower than this it is one column.
const TWO_COLUMNS_WIDTH: f32 = 640.0;
/// Between the columns, and beside keys.
const GAP: f32 = 24.0;
/// Width of the keys of a column.
const KEYS_WIDTH: f32 = 96.0;

/// Lays out the list; its closing button changes `is_open`. Returns where it is.
pub fn show(ctx: &egui::Context, is_open: &mut bool) -> Option<Rect> {
    let lines = help_lines();
    let width = (ctx.content_rect().width() * MAX_PART - GAP).min(MAX_WIDTH);
    let shown = egui::Window::new("Keys")
        .open(is_open)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .auto_sized()
        .collapsible(false)
        .frame(window_frame(ctx).fill(Color32::from_rgb(24, 27, 32)))
        .show(ctx, |ui| {
            ui.set_width(width);
            scroll_area(ctx).show(ui, |ui| {
                if width < TWO_COLUMNS_WIDTH {
                    return show_key_column(ui, &lines, width);
                }
                let (left, right) = lines.split_at(n_left(&lines));
                let column_width = (width - GAP) / 2.0;
                ui.horizontal_top(|ui| {
                    show_key_column(ui, left, column_width);
                    ui.add_space(GAP);
                    show_key_column(ui, right, column_width);
                });
            });
        });
    shown.map(|shown| shown.response.rect)
}

/// How many lines stand left of two columns, which are parted between groups.
fn n_left(lines: &[HelpLine]) -> usize {
    let first_half = &lines[..lines.len() / 2];
    let last_group = first_half.last().map(|line| line.group);
    let last = lines
        .iter()
        .rposition(|line| Some(line.group) == last_group);
    last.map_or(0, |index| index + 1)
}

fn show_key_column(ui: &mut Ui, lines: &[HelpLine], width: f32) {
    let in_width = |ui: &mut Ui, width: f32, text: RichText| {
        ui.vertical(|ui| {
            ui.set_width(width);
            ui.add(Label::new(text).wrap());
        });
    };
    ui.vertical(|ui| {
        ui.set_width(width);
        let mut group = "";
        for line in lines {
            if line.group != group {
                group = line.group;
                ui.label(RichText::new(group).strong());
            }
            ui.horizontal_top(|ui| {
                in_width(ui, KEYS_WIDTH, RichText::new(&line.keys).monospace());
                in_width(ui, width - KEYS_WIDTH - GAP, RichText::new(line.help));
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use egui::{Pos2, RawInput};

    use super::*;

    #[test]
    fn the_list_lies_within_small_and_large_windows() {
        for size in [
            [480.0, 270.0],
            [640.0, 360.0],
            [960.0, 540.0],
            [1920.0, 1080.0],
        ] {
            let ctx = egui::Context::default();
            let screen = Rect::from_min_size(Pos2::ZERO, size.into());
            let mut shown = None;
            // A window finds its size in a frame or two.
            for _ in 0..4 {
                let input = RawInput {
                    screen_rect: Some(screen),
                    ..RawInput::default()
                };
                let mut output = ctx.run_pass(input, |ctx| shown = show(ctx, &mut true));
                output.textures_delta.clear();
            }
            let shown = shown.expect("it is open");
            assert!(screen.contains_rect(shown), "{shown:?} in {size:?}");
            assert!(shown.width() > 0.5 * size[0].min(MAX_WIDTH), "{shown:?}");
        }
    }
}
