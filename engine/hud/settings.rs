//! The settings that last.

use egui::{DragValue, Slider, Ui};

use super::gamepad;
use crate::renderer::Style;
use crate::settings::{
    FIELDS_OF_VIEW_DEG, FLY_SPEEDS, FRAME_BUDGETS_MS, MOUSE_SPEEDS, UI_SCALES, VOLUMES,
};
use crate::view_options::ViewOptions;
use crate::words::{Language, request_language, tr};

/// Steps of the scale: a slider would move under the pointer.
const SCALES: [f32; 5] = [0.75, 1.0, 1.25, 1.5, 2.0];
/// What a frame is given first: sixty frames a second.
const FIRST_BUDGET_MS: f32 = 1000.0 / 60.0;
const _: () = assert!(UI_SCALES[0] <= SCALES[0] && SCALES[4] <= UI_SCALES[1]);

/// Lays them out as a part of the panel.
pub fn show(ui: &mut Ui, options: &mut ViewOptions) {
    ui.collapsing(tr("Settings"), |ui| show_all(ui, options));
}

/// Lays them out; what is changed here is kept for the next time.
pub fn show_all(ui: &mut Ui, options: &mut ViewOptions) {
    let settings = &mut options.settings;
    let [slowest, fastest] = MOUSE_SPEEDS;
    ui.add(
        Slider::new(&mut settings.mouse_speed, slowest..=fastest)
            .logarithmic(true)
            .text(tr("mouse speed")),
    );
    ui.checkbox(&mut settings.invert_mouse, tr("mouse up looks down"));
    let [narrowest, widest] = FIELDS_OF_VIEW_DEG;
    let field = Slider::new(&mut settings.field_of_view_deg, narrowest..=widest)
        .text(tr("field of view"))
        .suffix("°");
    if ui.add(field).changed() {
        options.fov_rad = settings.field_of_view_deg.to_radians();
    }
    let [slowest, fastest] = FLY_SPEEDS;
    ui.add(
        Slider::new(&mut settings.fly_speed, slowest..=fastest)
            .logarithmic(true)
            .text(tr("flying speed")),
    );
    let [silent, loudest] = VOLUMES;
    ui.add(Slider::new(&mut settings.volume, silent..=loudest).text(tr("volume")));
    ui.checkbox(&mut options.is_muted, tr("mute"));
    ui.horizontal_wrapped(|ui| {
        ui.label(tr("levels open"));
        ui.selectable_value(&mut settings.style, None, tr("as they say"));
        for style in Style::ALL {
            ui.selectable_value(&mut settings.style, Some(style), style.name());
        }
    });
    show_frame_budget(ui, options);
    let settings = &mut options.settings;
    let language_before = settings.language;
    ui.horizontal_wrapped(|ui| {
        ui.label(tr("language"));
        ui.selectable_value(&mut settings.language, None, tr("as the system"));
        for language in Language::ALL {
            ui.selectable_value(&mut settings.language, Some(language), language.name());
        }
    });
    if settings.language != language_before {
        request_language(None);
    }
    gamepad::show(ui, &mut settings.pad);
    ui.horizontal_wrapped(|ui| {
        ui.label(tr("size of the panel"));
        for scale in SCALES {
            let percent = format!("{:.0}%", scale * 100.0);
            ui.selectable_value(&mut settings.ui_scale, scale, percent);
        }
    });
}

/// How long frames may take; what is changed here holds at once.
fn show_frame_budget(ui: &mut Ui, options: &mut ViewOptions) {
    let [shortest, longest] = FRAME_BUDGETS_MS;
    let budget_ms = &mut options.settings.frame_budget_ms;
    let before = *budget_ms;
    let mut is_kept = budget_ms.is_some();
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut is_kept, tr("smaller picture where frames take long"));
        *budget_ms = is_kept.then(|| budget_ms.unwrap_or(FIRST_BUDGET_MS));
        if let Some(ms) = budget_ms {
            let value = DragValue::new(ms).range(shortest..=longest);
            ui.add(value.max_decimals(1).suffix(" ms"));
        }
    });
    if *budget_ms != before {
        options.frame_budget_ms = *budget_ms;
    }
}
