//! The panel's figures: how long frames take, what they draw, and where the camera is.

use crate::camera::{Mode, Pose};
use crate::frame_times::{FrameTimes, millis};
use crate::renderer::{FrameStats, Style};
use crate::words::{tr, tr_with};
use egui::{CollapsingHeader, Color32, CornerRadius, Grid, Pos2, Rect, RichText, Stroke, Ui, vec2};
use glam::Vec3;

use super::widgets::row;
use super::{HudView, land, panel::depth_below_ground};

/// Lays them out, folded under how many frames there are in a second.
pub fn show(ui: &mut Ui, view: &HudView<'_>) {
    let summary = view.frame_times.summary();
    let per_sec = summary.map_or(0.0, |summary| summary.frames_per_sec());
    let per_sec = format!("{per_sec:.0}");
    let title = tr_with("{n} frames a second", &[("n", per_sec.into())]);
    CollapsingHeader::new(title)
        .id_salt("figures")
        .show(ui, |ui| {
            show_frame_times(ui, view);
            show_camera(ui, view);
        });
}

fn show_frame_times(ui: &mut Ui, view: &HudView<'_>) {
    let Some(summary) = view.frame_times.summary() else {
        return;
    };
    paint_frame_graph(ui, view.frame_times, millis(summary.median));
    Grid::new("frame times").num_columns(2).show(ui, |ui| {
        let FrameStats {
            clusters_total,
            clusters_drawn,
            clusters_without_visibility,
            instances_total,
            instances_drawn,
            instances_without_visibility,
            pieces_drawn,
            particles_drawn,
            triangles,
            triangles_without_visibility,
            draw_calls,
            picture_copies: _,
            tiles_drawn,
            tile_facets,
            written_bytes,
        } = view.stats;
        row(
            ui,
            "min / median / p99",
            format!(
                "{:.1} / {:.1} / {:.1} ms",
                millis(summary.min),
                millis(summary.median),
                millis(summary.p99)
            ),
        );
        show_budget(ui, view);
        row(ui, "triangles", triangles.to_string());
        row(ui, "draw calls", draw_calls.to_string());
        let kib = written_bytes.div_ceil(1024);
        row(ui, "uploads", format!("{kib} KiB"));
        if clusters_total > 0 {
            let values = [("n", clusters_drawn.into()), ("all", clusters_total.into())];
            let text = tr_with("{n} of {all}", &values);
            row(ui, "clusters", text);
        }
        if instances_total > 0 {
            let values = [
                ("n", instances_drawn.into()),
                ("all", instances_total.into()),
                ("pieces", pieces_drawn.into()),
            ];
            let text = tr_with("{n} of {all}, in {pieces} pieces", &values);
            row(ui, "models", text);
        }
        if !view.level.scene.emitters.is_empty() {
            row(ui, "particles", particles_drawn.to_string());
        }
        if view.level.scene.visibility.is_some() {
            let text = format!(
                "{triangles_without_visibility} triangles, {clusters_without_visibility} clusters, \
                 {instances_without_visibility} models"
            );
            row(ui, "without cells", text);
        }
        if let Some(memory) = view.tile_memory {
            row(
                ui,
                "land",
                land::tiles_text(tiles_drawn, tile_facets, memory),
            );
        }
        row(ui, "adapter", view.adapter.to_owned());
    });
}

/// At which part of its size the picture is drawn, and how long the device draws it, where that has a budget.
fn show_budget(ui: &mut Ui, view: &HudView<'_>) {
    let percent = view.frame.resolution.share() * 100.0;
    if let Some(budget) = view.frame_budget.budget() {
        let measured = view.frame_budget.measured();
        let measured = measured.map_or_else(|| "-".to_owned(), |it| format!("{:.1}", millis(it)));
        let budget = millis(budget);
        row(
            ui,
            "drawn in",
            format!("{measured} of {budget:.1} ms, at {percent:.0}%"),
        );
    } else if view.frame.style == Style::Enhanced && percent < 100.0 {
        row(ui, "drawn at", format!("{percent:.0}%"));
    }
}

/// One bar per frame, newest on the right; the line is 1/60 s.
fn paint_frame_graph(ui: &mut Ui, times: &FrameTimes, median_ms: f64) {
    const SIXTIETH_MS: f64 = 1000.0 / 60.0;
    let size = vec2(ui.available_width(), 48.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, CornerRadius::ZERO, Color32::from_black_alpha(120));
    let full_ms = (median_ms * 2.5).max(SIXTIETH_MS * 1.5);
    let y_of = |ms: f64| rect.bottom() - rect.height() * (ms / full_ms).min(1.0) as f32;
    let bar_width = rect.width() / times.iter().len().max(120) as f32;
    for (age, time) in times.iter().rev().enumerate() {
        let right = rect.right() - age as f32 * bar_width;
        let top = Pos2::new(right - bar_width, y_of(millis(time)));
        let bar = Rect::from_min_max(top, Pos2::new(right, rect.bottom()));
        let color = if millis(time) <= SIXTIETH_MS * 1.05 {
            Color32::from_rgb(110, 190, 120)
        } else {
            Color32::from_rgb(220, 160, 80)
        };
        painter.rect_filled(bar, CornerRadius::ZERO, color);
    }
    let line = Stroke::new(1.0, Color32::from_white_alpha(90));
    painter.hline(rect.x_range(), y_of(SIXTIETH_MS), line);
}

fn show_camera(ui: &mut Ui, view: &HudView<'_>) {
    let Pose {
        position,
        yaw_rad,
        pitch_rad,
    } = view.eye.pose();
    // As for picks, so that one place has one y.
    let Vec3 { x, y, z } = view.level.world.in_game_axes(position);
    Grid::new("camera").num_columns(2).show(ui, |ui| {
        row(ui, "position", format!("{x:.1}, {y:.1}, {z:.1}"));
        row(
            ui,
            "yaw / pitch",
            format!(
                "{:.0}° / {:.0}°",
                yaw_rad.to_degrees(),
                pitch_rad.to_degrees()
            ),
        );
        if let Some(depth) = depth_below_ground(view, position) {
            let color = ui.visuals().warn_fg_color;
            ui.weak(tr("below the ground"));
            let depth = format!("{depth:.1}");
            let text = tr_with("by {depth} units", &[("depth", depth.into())]);
            ui.label(RichText::new(text).color(color));
            ui.end_row();
        }
        let rig = view.eye.rig();
        let speed = format!("{:.1}", rig.speed());
        let speed = tr_with("{speed} units a second", &[("speed", speed.into())]);
        match (view.eye.orbit(), rig.mode()) {
            (Some(orbit), _) => {
                let distance = format!("{:.2}", orbit.distance());
                let values = [("distance", distance.into())];
                row(ui, "turning", tr_with("{distance} units away", &values));
            }
            (None, Mode::Fly) => row(ui, "flying", speed),
            (None, Mode::Walk) => row(ui, "walking", speed),
        }
    });
}
