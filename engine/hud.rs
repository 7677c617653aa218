//! What is painted over the picture: the panel, the crosshair, the list of keys.
//!
//! In: figures of the frame ([`HudView`]). Changed in place: the [`ViewOptions`] behind the switches.

use egui::{Align2, Color32, CornerRadius, Frame, Grid, Pos2, Rect, RichText, Stroke, vec2};
use ironlands::assets_loader::bytes::Severity;
use ironlands::camera::{Mode, Pose};
use ironlands::frame_times::{FrameTimes, millis};
use ironlands::renderer::FrameStats;
use ironlands::sim::world::Fact;

use crate::findings::sentence;
use crate::input::{Command, HelpLine, help_lines, key_of};
use crate::level::LoadedLevel;
use crate::view_options::{Feature, ViewOptions};

/// Width of the panel's content in logical points.
const PANEL_WIDTH: f32 = 270.0;
/// Findings beyond this many are counted, not listed.
const N_FINDINGS_LISTED: usize = 200;

/// What the panel tells about the frame.
pub struct HudView<'a> {
    pub level: &'a LoadedLevel,
    /// Name of the graphics adapter.
    pub adapter: &'a str,
    pub frame_times: &'a FrameTimes,
    pub pose: Pose,
    pub mode: Mode,
    /// Units per second.
    pub speed: f32,
    pub is_mouse_held: bool,
    /// What is picked, or else under the crosshair; nothing over the sky.
    pub facts: &'a [Fact],
    /// Whether `facts` are those of the picked face.
    pub is_picked: bool,
    /// Of the frame before.
    pub stats: FrameStats,
    /// Something to tell, such as where a screenshot went.
    pub message: Option<&'a str>,
}

/// Lays out all that `options` shows; the switches in it change `options`.
pub fn show(ctx: &egui::Context, view: &HudView<'_>, options: &mut ViewOptions) {
    if options.crosshair {
        paint_crosshair(ctx);
    }
    if options.panel {
        show_panel(ctx, view, options);
    }
    if options.help {
        show_help(ctx, &mut options.help);
    }
    show_bottom_line(ctx, view, options);
}

fn show_panel(ctx: &egui::Context, view: &HudView<'_>, options: &mut ViewOptions) {
    egui::Window::new(view.level.name())
        .id(egui::Id::unique("panel"))
        .anchor(Align2::LEFT_TOP, vec2(8.0, 8.0))
        .auto_sized()
        .frame(window_frame(ctx))
        .show(ctx, |ui| {
            ui.set_width(PANEL_WIDTH);
            scroll_area(ctx).show(ui, |ui| {
                show_frame_times(ui, view);
                ui.separator();
                show_camera(ui, view);
                ui.separator();
                show_facts(ui, view);
                ui.separator();
                show_switches(ui, options);
                show_overlays(ui, view, options);
                show_findings(ui, view);
            });
        });
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
            instances_total,
            instances_drawn,
            pieces_drawn,
            triangles,
            draw_calls,
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
        row(
            ui,
            "clusters",
            format!("{clusters_drawn} of {clusters_total}"),
        );
        row(
            ui,
            "models",
            format!("{instances_drawn} of {instances_total}, in {pieces_drawn} pieces"),
        );
        row(ui, "adapter", view.adapter.to_owned());
    });
}

/// One bar per frame, newest on the right; the line is 1/60 s.
fn paint_frame_graph(ui: &mut egui::Ui, times: &FrameTimes, median_ms: f64) {
    const SIXTIETH_MS: f64 = 1000.0 / 60.0;
    let (rect, _) = ui.allocate_exact_size(vec2(PANEL_WIDTH, 48.0), egui::Sense::hover());
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
    } = view.pose;
    Grid::new("camera").num_columns(2).show(ui, |ui| {
        row(
            ui,
            "position",
            format!("{:.1}, {:.1}, {:.1}", position.x, position.y, position.z),
        );
        row(
            ui,
            "yaw / pitch",
            format!(
                "{:.0}° / {:.0}°",
                yaw_rad.to_degrees(),
                pitch_rad.to_degrees()
            ),
        );
        let mode = match view.mode {
            Mode::Fly => "flying",
            Mode::Walk => "walking",
        };
        row(ui, mode, format!("{:.1} units a second", view.speed));
    });
}

fn show_facts(ui: &mut egui::Ui, view: &HudView<'_>) {
    let title = if view.is_picked {
        "Picked"
    } else {
        "Under the crosshair"
    };
    ui.label(RichText::new(title).strong());
    if view.facts.is_empty() {
        ui.weak("nothing");
    }
    Grid::new("facts").num_columns(2).show(ui, |ui| {
        for fact in view.facts {
            row(ui, &fact.label, fact.value.clone());
        }
    });
}

fn show_switches(ui: &mut egui::Ui, options: &mut ViewOptions) {
    ui.collapsing("Picture", |ui| {
        for feature in Feature::ALL {
            let text = with_key(feature.label(), Command::Toggle(feature));
            ui.checkbox(feature.switch(&mut options.switches), text);
        }
        let text = with_key("frozen culling", Command::ToggleFrozenCulling);
        ui.checkbox(&mut options.frozen_culling, text);
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

fn show_help(ctx: &egui::Context, is_open: &mut bool) {
    let lines = help_lines();
    // Two columns, parted between groups: one would be higher than a small window.
    let first_half: &[HelpLine] = &lines[..lines.len() / 2];
    let last_group = first_half.last().map(|line| line.group);
    let n_left = lines
        .iter()
        .rposition(|line| Some(line.group) == last_group)
        .map_or(0, |index| index + 1);
    let (left, right) = lines.split_at(n_left);
    egui::Window::new("Keys")
        .open(is_open)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .auto_sized()
        .collapsible(false)
        .frame(window_frame(ctx).fill(Color32::from_rgb(24, 27, 32)))
        .show(ctx, |ui| {
            scroll_area(ctx).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    show_key_column(ui, "left keys", left);
                    ui.add_space(24.0);
                    show_key_column(ui, "right keys", right);
                });
            });
        });
}

fn show_key_column(ui: &mut egui::Ui, id: &str, lines: &[HelpLine]) {
    Grid::new(id).num_columns(2).striped(true).show(ui, |ui| {
        let mut group = "";
        for line in lines {
            if line.group != group {
                group = line.group;
                ui.label(RichText::new(group).strong());
                ui.end_row();
            }
            ui.monospace(&line.keys);
            ui.label(line.help);
            ui.end_row();
        }
    });
}

/// A message if there is one; otherwise what a newcomer needs to know.
fn show_bottom_line(ctx: &egui::Context, view: &HudView<'_>, options: &ViewOptions) {
    let hint = match (options.panel && !options.help, view.is_mouse_held) {
        (false, _) => None,
        (true, false) => Some("Click to look around, WASD to move, F1 for all keys"),
        (true, true) => Some("Esc lets the mouse go, F1 shows all keys"),
    };
    let Some(text) = view.message.or(hint) else {
        return;
    };
    egui::Area::new(egui::Id::unique("bottom line"))
        .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -12.0))
        .interactable(false)
        .show(ctx, |ui| {
            window_frame(ctx).show(ui, |ui| {
                ui.add(egui::Label::new(text).extend());
            });
        });
}

fn paint_crosshair(ctx: &egui::Context) {
    const ARM: f32 = 8.0;
    const GAP: f32 = 3.0;
    let center = ctx.content_rect().center();
    let painter = ctx.layer_painter(egui::LayerId::background());
    // A dark line below a light one is seen on snow and in shadow.
    for (width, color) in [
        (3.0, Color32::from_black_alpha(140)),
        (1.0, Color32::from_white_alpha(220)),
    ] {
        for arm in [
            vec2(1.0, 0.0),
            vec2(-1.0, 0.0),
            vec2(0.0, 1.0),
            vec2(0.0, -1.0),
        ] {
            let ends = [center + arm * GAP, center + arm * ARM];
            painter.line_segment(ends, Stroke::new(width, color));
        }
    }
}

fn row(ui: &mut egui::Ui, label: &str, value: String) {
    ui.weak(label);
    ui.add(egui::Label::new(value).wrap());
    ui.end_row();
}

fn with_key(label: &str, command: Command) -> String {
    match key_of(command) {
        Some(key) => format!("{label}  [{key}]"),
        None => label.to_owned(),
    }
}

/// As high as its content, up to what the window has room for.
fn scroll_area(ctx: &egui::Context) -> egui::ScrollArea {
    /// Title bar, margins, and some air.
    const TAKEN: f32 = 72.0;
    let height = (ctx.content_rect().height() - TAKEN).max(64.0);
    egui::ScrollArea::vertical()
        .min_scrolled_height(height)
        .max_height(height)
}

fn window_frame(ctx: &egui::Context) -> Frame {
    Frame::window(&ctx.global_style())
        .fill(Color32::from_rgba_unmultiplied(18, 20, 24, 215))
        .shadow(egui::Shadow::NONE)
}
