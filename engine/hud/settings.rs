//! The settings that last.

use egui::{Slider, Ui};

use crate::renderer::Style;
use crate::settings::{FIELDS_OF_VIEW_DEG, FLY_SPEEDS, MOUSE_SPEEDS, UI_SCALES, VOLUMES};
use crate::view_options::ViewOptions;

/// Steps of the scale: a slider would move under the pointer.
const SCALES: [f32; 5] = [0.75, 1.0, 1.25, 1.5, 2.0];
const _: () = assert!(UI_SCALES[0] <= SCALES[0] && SCALES[4] <= UI_SCALES[1]);

/// Lays them out; what is changed here is kept for the next time.
pub fn show(ui: &mut Ui, options: &mut ViewOptions) {
    let settings = &mut options.settings;
    ui.collapsing("Settings", |ui| {
        let [slowest, fastest] = MOUSE_SPEEDS;
        ui.add(
            Slider::new(&mut settings.mouse_speed, slowest..=fastest)
                .logarithmic(true)
                .text("mouse speed"),
        );
        ui.checkbox(&mut settings.invert_mouse, "mouse up looks down");
        let [narrowest, widest] = FIELDS_OF_VIEW_DEG;
        let field = Slider::new(&mut settings.field_of_view_deg, narrowest..=widest)
            .text("field of view")
            .suffix("°");
        if ui.add(field).changed() {
            options.fov_rad = settings.field_of_view_deg.to_radians();
        }
        let [slowest, fastest] = FLY_SPEEDS;
        ui.add(
            Slider::new(&mut settings.fly_speed, slowest..=fastest)
                .logarithmic(true)
                .text("flying speed"),
        );
        let [silent, loudest] = VOLUMES;
        ui.add(Slider::new(&mut settings.volume, silent..=loudest).text("volume"));
        ui.checkbox(&mut options.is_muted, "mute");
        ui.horizontal_wrapped(|ui| {
            ui.label("levels open");
            ui.selectable_value(&mut settings.style, None, "as they say");
            for style in Style::ALL {
                ui.selectable_value(&mut settings.style, Some(style), style.name());
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.label("size of the panel");
            for scale in SCALES {
                let percent = format!("{:.0}%", scale * 100.0);
                ui.selectable_value(&mut settings.ui_scale, scale, percent);
            }
        });
    });
}
