//! The list of keys.

use egui::{Align2, Color32, FontId, Label, Rect, RichText, Ui, vec2};

use super::widgets::{scroll_area, scroll_height, window_frame};
use crate::input::HelpLine;

/// Most of the window's width that the list takes, in logical points and as a part.
const MAX_WIDTH: f32 = 1000.0;
const MAX_PART: f32 = 0.94;
/// Narrower than this it is one column.
const TWO_COLUMNS_WIDTH: f32 = 520.0;
/// Between the columns, and beside keys.
const GAP: f32 = 16.0;
/// Between lines.
const LINE_GAP: f32 = 1.5;
/// Sizes of the text, of which the largest is taken that fits the window.
const SIZES: [f32; 5] = [14.0, 12.5, 11.0, 10.0, 9.0];
/// Width of the keys of a column, in sizes of the text.
const KEYS_WIDTH: f32 = 7.8;

/// Lays out the list; its closing button changes `is_open`. Returns where it is.
pub fn show(ctx: &egui::Context, lines: &[HelpLine], is_open: &mut bool) -> Option<Rect> {
    let width = (ctx.content_rect().width() * MAX_PART - GAP).min(MAX_WIDTH);
    let columns = match width < TWO_COLUMNS_WIDTH {
        true => vec![lines],
        false => {
            // A group that is parted stands under its name in both.
            let (left, right) = lines.split_at(lines.len().div_ceil(2));
            vec![left, right]
        }
    };
    let column_width = (width - GAP) / columns.len() as f32;
    let size = size_that_fits(ctx, &columns, column_width);
    let shown = egui::Window::new("Keys")
        .open(is_open)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .auto_sized()
        .collapsible(false)
        .frame(window_frame(ctx).fill(Color32::from_rgb(24, 27, 32)))
        .show(ctx, |ui| {
            ui.set_width(width);
            scroll_area(ctx).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = LINE_GAP;
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    for (index, column) in columns.iter().enumerate() {
                        if index > 0 {
                            ui.add_space(GAP);
                        }
                        show_key_column(ui, column, column_width, size);
                    }
                });
            });
        });
    shown.map(|shown| shown.response.rect)
}

/// The largest size of text with which the columns need no scrolling; the smallest where there is none.
fn size_that_fits(ctx: &egui::Context, columns: &[&[HelpLine]], width: f32) -> f32 {
    let room = scroll_height(ctx);
    let height = |text: &str, font: FontId, width: f32| {
        let text = text.to_owned();
        let galley = ctx.fonts_mut(|fonts| fonts.layout(text, font, Color32::WHITE, width));
        galley.size().y + LINE_GAP
    };
    let column_height = |lines: &[HelpLine], size: f32| {
        let keys_width = KEYS_WIDTH * size;
        let mut group = "";
        let lines = lines.iter().map(|line| {
            let heading = match line.group == group {
                true => 0.0,
                false => height(line.group, FontId::proportional(size), width),
            };
            group = line.group;
            let keys = height(&line.keys, FontId::monospace(size), keys_width);
            let help = height(line.help, FontId::proportional(size), width - keys_width);
            heading + keys.max(help)
        });
        lines.sum::<f32>()
    };
    let fits = |size: &f32| {
        columns
            .iter()
            .all(|lines| column_height(lines, *size) <= room)
    };
    let smallest = SIZES[SIZES.len() - 1];
    SIZES.into_iter().find(fits).unwrap_or(smallest)
}

fn show_key_column(ui: &mut Ui, lines: &[HelpLine], width: f32, size: f32) {
    let keys_width = KEYS_WIDTH * size;
    let in_width = |ui: &mut Ui, width: f32, text: RichText| {
        ui.vertical(|ui| {
            ui.set_width(width);
            ui.add(Label::new(text.size(size)).wrap());
        });
    };
    ui.vertical(|ui| {
        ui.set_width(width);
        let mut group = "";
        for line in lines {
            if line.group != group {
                group = line.group;
                ui.label(RichText::new(group).strong().size(size));
            }
            ui.horizontal_top(|ui| {
                in_width(ui, keys_width, RichText::new(&line.keys).monospace());
                in_width(ui, width - keys_width, RichText::new(line.help));
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use egui::{Pos2, RawInput};

    use super::*;
    use crate::input::{Relevance, help_lines};

    #[test]
    fn the_list_lies_within_small_and_large_windows() {
        let lines = help_lines(&Relevance::EVERYTHING);
        for size in [
            [480.0, 270.0],
            [640.0, 400.0],
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
                let mut output = ctx.run_pass(input, |ctx| shown = show(ctx, &lines, &mut true));
                output.textures_delta.clear();
            }
            let shown = shown.expect("it is open");
            assert!(screen.contains_rect(shown), "{shown:?} in {size:?}");
            assert!(shown.width() > 0.5 * size[0].min(MAX_WIDTH), "{shown:?}");
        }
    }
}
