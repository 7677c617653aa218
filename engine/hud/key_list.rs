//! The list of keys.

use egui::{Align2, Color32, FontId, Label, Rect, RichText, ScrollArea, Ui, vec2};

use super::widgets::{scroll_height, window_frame};
use crate::input::HelpLine;
use crate::words::tr;

/// Most of the window's width that the list takes, in logical points and as a part.
const MAX_WIDTH: f32 = 1000.0;
const MAX_PART: f32 = 0.94;
/// Narrower than this it is one column.
const TWO_COLUMNS_WIDTH: f32 = 520.0;
/// Less high windows have no room for a title.
const TITLE_FROM_HEIGHT: f32 = 480.0;
/// What the edges of the list take then.
const EDGES: f32 = 24.0;
/// Between the columns, and beside keys.
const GAP: f32 = 16.0;
/// Between lines.
const LINE_GAP: f32 = 0.25;
/// Sizes of the text, of which the largest is taken that fits the window.
const SIZES: [f32; 5] = [14.0, 12.5, 11.0, 10.0, 9.0];
/// Height of a group's name with its gap, in sizes of the text.
const HEADING_HEIGHT: f32 = 1.4;
/// Width of the keys of a column, in sizes of the text.
const KEYS_WIDTH: f32 = 7.8;

/// Lays out the list; its closing button changes `is_open`. Returns where it is.
pub fn show(ctx: &egui::Context, lines: &[HelpLine], is_open: &mut bool) -> Option<Rect> {
    let width = (ctx.content_rect().width() * MAX_PART - GAP).min(MAX_WIDTH);
    let n_columns = if width < TWO_COLUMNS_WIDTH { 1 } else { 2 };
    let column_width = (width - GAP) / n_columns as f32;
    let height = ctx.content_rect().height();
    let has_title = height >= TITLE_FROM_HEIGHT;
    let room = if has_title {
        scroll_height(ctx)
    } else {
        height - EDGES
    };
    let (n_left, size, _) = best_layout(ctx, lines, n_columns, [column_width, room]);
    // A group that is parted stands under its name in both.
    let columns = [&lines[..n_left], &lines[n_left..]];
    let shown = egui::Window::new(tr("Keys"))
        .open(is_open)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .auto_sized()
        .collapsible(false)
        .title_bar(has_title)
        .frame(window_frame(ctx).fill(Color32::from_rgb(24, 27, 32)))
        .show(ctx, |ui| {
            ui.set_width(width);
            let area = ScrollArea::vertical()
                .min_scrolled_height(room)
                .max_height(room);
            area.show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = LINE_GAP;
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    for (index, column) in columns.iter().take(n_columns).enumerate() {
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

/// How many lines stand left, the largest size of text with which no column needs scrolling, or the smallest where there is
/// none, and how high the columns are then.
fn best_layout(
    ctx: &egui::Context,
    lines: &[HelpLine],
    n_columns: usize,
    [width, room]: [f32; 2],
) -> (usize, f32, f32) {
    let layouts = SIZES.map(|size| {
        let heights = line_heights(ctx, lines, width, size);
        let heading = size * HEADING_HEIGHT;
        let height = |range: std::ops::Range<usize>| {
            let groups = lines[range.clone()].chunk_by(|a, b| a.group == b.group);
            heights[range].iter().sum::<f32>() + groups.count() as f32 * heading
        };
        let higher = |n_left: usize| height(0..n_left).max(height(n_left..lines.len()));
        let n_left = match n_columns {
            1 => lines.len(),
            _ => (0..=lines.len())
                .min_by(|a, b| higher(*a).total_cmp(&higher(*b)))
                .unwrap_or(0),
        };
        (n_left, size, higher(n_left))
    });
    let [.., smallest] = layouts;
    let fitting = layouts.into_iter().find(|(_, _, height)| *height <= room);
    fitting.unwrap_or(smallest)
}

/// How high each line is in a column.
fn line_heights(ctx: &egui::Context, lines: &[HelpLine], width: f32, size: f32) -> Vec<f32> {
    let keys_width = KEYS_WIDTH * size;
    let height = |text: &str, font: FontId, width: f32| {
        let text = text.to_owned();
        let galley = ctx.fonts_mut(|fonts| fonts.layout(text, font, Color32::WHITE, width));
        galley.size().y
    };
    let of_line = |line: &HelpLine| {
        let keys = height(&line.keys, FontId::monospace(size), keys_width);
        let help = height(
            &tr(line.help),
            FontId::proportional(size),
            width - keys_width,
        );
        keys.max(help) + LINE_GAP
    };
    lines.iter().map(of_line).collect()
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
                ui.label(RichText::new(tr(group)).strong().size(size));
            }
            ui.horizontal_top(|ui| {
                in_width(ui, keys_width, RichText::new(&line.keys).monospace());
                in_width(ui, width - keys_width, RichText::new(tr(line.help)));
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
    fn a_usual_level_needs_no_scrolling_in_a_small_window() {
        let lines = help_lines(&Relevance::USUAL);
        let ctx = egui::Context::default();
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(640.0, 400.0));
        let input = RawInput {
            screen_rect: Some(screen),
            ..RawInput::default()
        };
        let room = 400.0 - EDGES;
        let mut found = None;
        let mut output = ctx.run_pass(input, |ctx| {
            found = Some(best_layout(ctx, &lines, 2, [290.0, room]));
        });
        output.textures_delta.clear();
        let (n_left, _, height) = found.expect("laid out");
        assert!(height <= room, "{height} in {room}");
        assert!((lines.len() / 4..lines.len()).contains(&n_left), "{n_left}");
    }

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
