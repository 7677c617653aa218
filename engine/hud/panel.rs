//! The panel: what can be changed first, then what is under the crosshair, then figures.

use crate::assets::bytes::Severity;
use crate::renderer::{Style, SurfaceView};
use crate::scene::Scene;
use crate::sim::world::Fact;
use egui::{Align2, Grid, Rect, RichText, ScrollArea, vec2};
use glam::Vec3;

use super::widgets::{feature_switch, legend, row, scroll_area, window_frame, with_key};
use super::{
    HudView, bookmarks, camera_text, compare, day, edit, figures, keys, land, living, models,
    objects, path, path_draft, photo, settings,
};
use crate::console::findings::sentence;
use crate::editing::Editing;
use crate::input::Command;
use crate::view_options::{Feature, ViewOptions};
use crate::words::{marked, tr, tr_with};

/// Width of the panel's content in logical points, ...
const PANEL_WIDTH: f32 = 270.0;
/// ... and in a small window at most this part of it.
const MAX_PANEL_PART: f32 = 0.33;
/// Height of what is said of the place under the crosshair, in logical points.
const FACTS_HEIGHT: f32 = 132.0;
/// Findings beyond this many are counted, not listed.
const N_FINDINGS_LISTED: usize = 200;

/// Lays out the panel; the switches in it change `options`. Returns where it is.
pub fn show(
    ctx: &egui::Context,
    view: &HudView<'_>,
    options: &mut ViewOptions,
    editing: Option<&mut Editing>,
) -> Option<Rect> {
    let shown = egui::Window::new(view.level.name())
        .id(egui::Id::unique("panel"))
        .anchor(Align2::LEFT_TOP, vec2(8.0, 8.0))
        .auto_sized()
        .frame(window_frame(ctx))
        .show(ctx, |ui| {
            ui.set_width(panel_width(ctx.content_rect().width()));
            scroll_area(ctx).show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    let text = with_key("all levels", Command::ShowStart);
                    options.wants_start |= ui.button(text).clicked();
                    options.wants_files |= ui.button(tr("files of this level")).clicked();
                });
                compare::show(ui, view, options);
                camera_text::show(ui, view.eye.pose(), &mut options.camera_text);
                if view.level.model_bounds.is_none() {
                    bookmarks::show(ui, view.eye.pose(), options);
                }
                path::show(ui, options);
                if view.level.model_bounds.is_none() {
                    path_draft::show(ui, view.eye.pose(), options);
                }
                day::show(ui, options, &view.level.scene.days);
                ui.separator();
                if let Some(editing) = editing {
                    edit::show(ui, editing);
                }
                land::show(ui, view, options);
                models::show(ui, view, options);
                objects::show(ui, view, options);
                living::show(ui, view);
                show_overlays(ui, view, options);
                show_switches(ui, &view.level.scene, options);
                photo::show(ui, options);
                settings::show(ui, options);
                keys::show(ui, options);
                if view.eye.orbit().is_none() {
                    ui.separator();
                    show_facts(ui, view);
                }
                ui.separator();
                figures::show(ui, view);
                show_findings(ui, view);
            });
        });
    shown.map(|shown| shown.response.rect)
}

fn panel_width(window_width: f32) -> f32 {
    PANEL_WIDTH.min(window_width * MAX_PANEL_PART)
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
        marked("Picked")
    } else {
        marked("Under the crosshair")
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new(tr(title)).strong());
        if let Some(text) = view.place_text {
            let button = ui.small_button(with_key("copy place", Command::CopyPlace));
            if button.on_hover_text(text).clicked() {
                ui.ctx().copy_text(text.to_owned());
            }
        }
    });
    // What is below keeps its place while the crosshair moves over the level.
    ScrollArea::vertical()
        .id_salt("facts area")
        .min_scrolled_height(FACTS_HEIGHT)
        .max_height(FACTS_HEIGHT)
        .auto_shrink(false)
        .show(ui, |ui| {
            if view.facts.is_empty() {
                ui.weak(tr("nothing"));
            }
            show_fact_grid(ui, "facts", view.facts);
            if view.is_relating || !view.relation.is_empty() {
                ui.label(RichText::new(tr("From the pick before")).strong());
                if view.is_relating {
                    ui.weak(tr("looking for the way"));
                }
                show_fact_grid(ui, "relation", view.relation);
            }
        });
}

fn show_fact_grid(ui: &mut egui::Ui, id: &str, facts: &[Fact]) {
    Grid::new(id).num_columns(2).show(ui, |ui| {
        for fact in facts {
            row(ui, &fact.label, fact.value.clone());
        }
    });
}

fn show_switches(ui: &mut egui::Ui, scene: &Scene, options: &mut ViewOptions) {
    ui.collapsing(tr("Picture"), |ui| {
        ui.horizontal(|ui| {
            ui.label(with_key("style", Command::ToggleStyle));
            for style in Style::ALL {
                ui.selectable_value(&mut options.style, style, style.name());
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.label(with_key("surfaces", Command::NextSurfaceView));
            for view in SurfaceView::ALL {
                ui.selectable_value(&mut options.surfaces, view, tr(view.name()));
            }
        });
        for feature in Feature::ALL.into_iter().filter(|it| it.may_be_in(scene)) {
            feature_switch(ui, feature, &mut options.switches);
        }
        let text = with_key("map in a corner", Command::ToggleMinimap);
        ui.checkbox(&mut options.minimap.is_shown, text);
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
    ui.collapsing(tr("Overlays"), |ui| {
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
        0 => tr("No findings"),
        n => tr_with("{n} findings", &[("n", n.into())]),
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
                let n = findings.len() - N_FINDINGS_LISTED;
                ui.weak(tr_with("and {n} more", &[("n", n.into())]));
            }
        });
}
