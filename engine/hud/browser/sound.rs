//! The wave of a sound, and what of it was heard.

use egui::{Color32, Sense, Stroke, Ui, pos2, vec2};

use super::{BrowserReply, WindowView};
use crate::browser::Preview;
use crate::words::{marked, tr};

/// Height of the wave in logical points.
const HEIGHT: f32 = 180.0;
const WAVE: Color32 = Color32::from_rgb(110, 190, 235);
const BEHIND: Color32 = Color32::from_rgb(12, 14, 17);

/// Lays it out.
pub fn show(ui: &mut Ui, preview: &Preview, window: &WindowView<'_>) -> Option<BrowserReply> {
    let wave = preview.wave.as_ref()?;
    let mut reply = None;
    ui.horizontal(|ui| {
        let (text, wanted) = match window.heard_secs {
            Some(_) => (marked("Stop"), BrowserReply::Stop),
            None => (marked("Play"), BrowserReply::Play),
        };
        if ui.button(tr(text)).clicked() {
            reply = Some(wanted);
        }
        let heard = window.heard_secs.unwrap_or(0.0);
        ui.label(format!(
            "{heard:.2} of {:.2} s, {} samples / s",
            wave.secs, wave.sample_rate
        ));
    });
    let width = ui.available_width();
    let (place, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 4.0, BEHIND);
    let middle = place.center().y;
    let n_columns = place.width().max(1.0) as usize;
    let n_parts = wave.extremes.len();
    for column in 0..n_columns {
        let [start, end] = [column, column + 1].map(|it| it * n_parts / n_columns);
        let parts = &wave.extremes[start..end.max(start + 1).min(n_parts)];
        let [low, high] = parts.iter().fold([0.0_f32; 2], |[low, high], part| {
            [low.min(part[0]), high.max(part[1])]
        });
        let x = place.left() + column as f32 + 0.5;
        let y = |sample: f32| middle - sample.clamp(-1.0, 1.0) * HEIGHT * 0.5;
        // Silence is a line, not nothing.
        let ends = [pos2(x, y(high) - 0.5), pos2(x, y(low) + 0.5)];
        painter.line_segment(ends, Stroke::new(1.0, WAVE));
    }
    if let Some(heard) = window.heard_secs {
        let x = place.left() + (heard / wave.secs.max(1e-6)) as f32 * place.width();
        let ends = [pos2(x, place.top()), pos2(x, place.bottom())];
        painter.line_segment(ends, Stroke::new(2.0, Color32::WHITE));
    }
    reply
}
