//! What the panel and the bottom line show about the camera path.

use egui::{RichText, Slider, Ui};

use super::widgets::with_key;
use crate::input::{Command, key_of};
use crate::path_flight::{PathFlight, SPEEDS};
use crate::view_options::ViewOptions;
use crate::words::{tr, tr_with};

/// Lays out the part; nothing where there is no path.
pub fn show(ui: &mut Ui, options: &mut ViewOptions) {
    let Some(path) = &mut options.path else {
        return;
    };
    ui.separator();
    let title = tr_with("Camera path {name}", &[("name", path.name().into())]);
    ui.label(RichText::new(title).strong());
    ui.horizontal(|ui| {
        let text = match path.is_followed() {
            true => "leave it",
            false => "follow it",
        };
        if ui.button(with_key(text, Command::TogglePath)).clicked() {
            match path.is_followed() {
                true => path.leave(),
                false => path.follow(),
            }
        }
        ui.checkbox(&mut path.is_looped, tr("loop"));
        ui.add_enabled_ui(path.is_followed(), |ui| {
            ui.checkbox(&mut path.is_paused, tr("stop"));
        });
    });
    let mut wanted = path.time_secs();
    let end_secs = path.end_secs();
    let slider = Slider::new(&mut wanted, 0.0..=end_secs)
        .fixed_decimals(1)
        .suffix(" s")
        .text(tr_with(
            "of {secs} s",
            &[("secs", format!("{end_secs:.1}").into())],
        ));
    // The slider rounds what it is given: it must not touch the time while it moves by itself.
    let response = ui.add(slider);
    if response.dragged() || response.changed() {
        path.seek(wanted);
    }
    let [slowest, fastest] = SPEEDS;
    let speed = Slider::new(&mut path.speed, slowest..=fastest)
        .logarithmic(true)
        .fixed_decimals(1)
        .text(tr("times as fast"));
    ui.add(speed);
}

/// The progress of the camera along the path, and how to leave it.
pub fn line(path: &PathFlight) -> String {
    let key = key_of(Command::Release).unwrap_or_default();
    format!(
        "Camera path {}, {}. Space or {key}: fly freely from here",
        path.name(),
        path.progress()
    )
}
