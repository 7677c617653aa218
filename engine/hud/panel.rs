//! The panel: figures of the frame, and switches.

use crate::assets::bytes::Severity;
use crate::camera::{Mode, Pose};
use crate::frame_times::{FrameTimes, millis};
use crate::renderer::{FrameStats, Style};
use crate::sim::world::Fact;
use egui::{Align2, Color32, CornerRadius, Grid, Pos2, Rect, RichText, Stroke, vec2};
use glam::Vec3;

use super::widgets::{feature_switch, legend, row, scroll_area, window_frame, with_key};
use super::{HudView, camera_text, day, entities, land, models, path, settings};
use crate::console::findings::sentence;
use crate::input::Command;
use crate::view_options::{Feature, ViewOptions};

/// Width of the panel's content in logical points, ...
const PANEL_WIDTH: f32 = 270.0;
/// ... and in a small window at most this part of it.
const MAX_PANEL_PART: f32 = 0.33;
/// Findings beyond this many are counted, not listed.
const N_FINDINGS_LISTED: usize = 200;

/// Lays out the panel; the switches in it change `options`. Returns where it is.
pub fn show(ctx: &egui::Context, view: &HudView<'_>, options: &mut ViewOptions) -> Option<Rect> {
    let shown = egui::Window::new(view.level.name())
        .id(egui::Id::unique("panel"))
        .anchor(Align2::LEFT_TOP, vec2(8.0, 8.0))
        .auto_sized()
        .frame(window_frame(ctx))
        .show(ctx, |ui| {
            ui.set_width(panel_width(ctx.content_rect().width()));
            scroll_area(ctx).show(ui, |ui| {
                if view.level.model_bounds.is_some() {
                    models::show(ui, view, options);
                    show_frame_times(ui, view);
                    show_camera(ui, view);
                    camera_text::show(ui, view.eye.pose(), &mut options.camera_text);
                    ui.separator();
                    if view.eye.orbit().is_none() {
                        show_facts(ui, view);
                        ui.separator();
                    }
                } else {
                    show_frame_times(ui, view);
                    ui.separator();
                    show_camera(ui, view);
                    camera_text::show(ui, view.eye.pose(), &mut options.camera_text);
                    path::show(ui, options);
                    day::show(ui, options, &view.level.scene.days);
                    ui.separator();
                    show_facts(ui, view);
                    ui.separator();
                    land::show(ui, view, options);
                    models::show(ui, view, options);
                    entities::show(ui, view, options);
                }
                show_switches(ui, options);
                show_overlays(ui, view, options);
                show_findings(ui, view);
                settings::show(ui, options);
            });
        });
    shown.map(|shown| shown.response.rect)
}

fn panel_width(window_width: f32) -> f32 {
    PANEL_WIDTH.min(window_width * MAX_PANEL_PART)
}

fn show_frame_times(ui: &mut egui::Ui, view: &HudView<'_>) {
    let Some(summary) = view.frame_times.summary() else {
        return;
    };
    ui.label(RichText::new(format!("{:.0} frames a second", summary.frames_per_sec())).strong());
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
            tiles_drawn,
            tile_facets,
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
        row(ui, "triangles", triangles.to_string());
        row(ui, "draw calls", draw_calls.to_string());
        if clusters_total > 0 {
            let text = format!("{clusters_drawn} of {clusters_total}");
            row(ui, "clusters", text);
        }
        if instances_total > 0 {
            let text = format!("{instances_drawn} of {instances_total}, in {pieces_drawn} pieces");
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

/// One bar per frame, newest on the right; the line is 1/60 s.
fn paint_frame_graph(ui: &mut egui::Ui, times: &FrameTimes, median_ms: f64) {
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

fn show_camera(ui: &mut egui::Ui, view: &HudView<'_>) {
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
            ui.weak("below the ground");
            ui.label(RichText::new(format!("by {depth:.1} units")).color(color));
            ui.end_row();
        }
        let rig = view.eye.rig();
        let speed = format!("{:.1} units a second", rig.speed());
        match (view.eye.orbit(), rig.mode()) {
            (Some(orbit), _) => row(ui, "turning", format!("{:.2} units away", orbit.distance())),
            (None, Mode::Fly) => row(ui, "flying", speed),
            (None, Mode::Walk) => row(ui, "walking", speed),
        }
    });
}

/// How far the eye is inside the land, or under a floor that has nothing below it.
pub fn depth_below_ground(view: &HudView<'_>, position: Vec3) -> Option<f32> {
    let is_level = view.level.model_bounds.is_none();
    let Vec3 { x, y, z } = position;
    let ground = view
        .level
        .world
        .ground_below(x, y, z)
        .filter(|_| is_level)?;
    Some(ground - z).filter(|depth| *depth > 0.0)
}

fn show_facts(ui: &mut egui::Ui, view: &HudView<'_>) {
    let title = if view.is_picked {
        "Picked"
    } else {
        "Under the crosshair"
    };
    if view.is_relating || !view.relation.is_empty() {
        ui.label(RichText::new("From the pick before").strong());
        if view.is_relating {
            ui.weak("looking for the way");
        }
        show_fact_grid(ui, "relation", view.relation);
    }
    ui.label(RichText::new(title).strong());
    if view.facts.is_empty() {
        ui.weak("nothing");
    }
    show_fact_grid(ui, "facts", view.facts);
}

fn show_fact_grid(ui: &mut egui::Ui, id: &str, facts: &[Fact]) {
    Grid::new(id).num_columns(2).show(ui, |ui| {
        for fact in facts {
            row(ui, &fact.label, fact.value.clone());
        }
    });
}

fn show_switches(ui: &mut egui::Ui, options: &mut ViewOptions) {
    ui.collapsing("Picture", |ui| {
        ui.horizontal(|ui| {
            ui.label(with_key("style", Command::ToggleStyle));
            for style in Style::ALL {
                ui.selectable_value(&mut options.style, style, style.name());
            }
        });
        for feature in Feature::ALL {
            feature_switch(ui, feature, &mut options.switches);
        }
        let text = with_key("frozen culling", Command::ToggleFrozenCulling);
        ui.checkbox(&mut options.frozen_culling, text);
        let text = with_key("locked cell", Command::ToggleLockedVisibility);
        ui.checkbox(&mut options.locked_visibility, text);
        let text = with_key("wait for the display", Command::ToggleVsync);
        ui.checkbox(&mut options.vsync, text);
    });
}

fn show_overlays(ui: &mut egui::Ui, view: &HudView<'_>, options: &mut ViewOptions) {
    if view.level.scene.overlays.is_empty() {
        return;
    }
    ui.collapsing("Overlays", |ui| {
        let overlays = view.level.scene.overlays.iter().zip(&mut options.overlays);
        for (index, (overlay, is_shown)) in overlays.enumerate() {
            ui.checkbox(
                is_shown,
                with_key(&overlay.name, Command::ToggleOverlay(index)),
            );
            if *is_shown {
                legend(ui, &overlay.legend);
            }
        }
    });
}

fn show_findings(ui: &mut egui::Ui, view: &HudView<'_>) {
    let findings = &view.level.findings;
    let title = match findings.len() {
        0 => "No findings".to_owned(),
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    };
    egui::CollapsingHeader::new(title)
        .id_salt("findings")
        .show(ui, |ui| {
            for finding in findings.iter().take(N_FINDINGS_LISTED) {
                let color = match finding.severity {
                    Severity::Note => ui.visuals().weak_text_color(),
                    Severity::Warning => ui.visuals().warn_fg_color,
                    Severity::Error => ui.visuals().error_fg_color,
                };
                ui.label(RichText::new(sentence(finding)).color(color).small());
            }
            if findings.len() > N_FINDINGS_LISTED {
                ui.weak(format!("and {} more", findings.len() - N_FINDINGS_LISTED));
            }
        });
}
