//! The panel's part about the hour of a level's day.

use crate::scene::{DayCycle, HOURS_PER_DAY};
use egui::{ComboBox, Slider, Ui};

use super::widgets::with_key;
use crate::day_clock::{SPEEDS, clock_text, parse_hour};
use crate::input::Command;
use crate::view_options::ViewOptions;
use crate::words::tr;

/// Lays out the part; nothing where a level has no day.
pub fn show(ui: &mut Ui, options: &mut ViewOptions, days: &[DayCycle]) {
    let Some(day) = &mut options.day else {
        return;
    };
    ui.separator();
    if days.len() > 1 {
        let name = |index: usize| days.get(index).map_or("", |day| &*day.name);
        ComboBox::from_label("region of the light")
            .selected_text(name(options.day_idx))
            .show_index(ui, &mut options.day_idx, days.len(), name);
    }
    // The slider rounds what it is given: it must not touch the hour while it moves by itself.
    let mut wanted = day.hour();
    let slider = Slider::new(&mut wanted, 0.0..=HOURS_PER_DAY)
        .custom_formatter(|hour, _| clock_text(hour as f32))
        .custom_parser(|text| parse_hour(text).ok().map(f64::from))
        .text(tr("hour"));
    if ui.add(slider).changed() {
        day.set_hour(wanted);
    }
    let text = with_key("the day goes by", Command::ToggleDay);
    ui.checkbox(&mut day.is_running, text);
    if day.is_running {
        let [slowest, fastest] = SPEEDS;
        let speed = Slider::new(&mut day.speed, slowest..=fastest)
            .logarithmic(true)
            .text(tr("hours / s"));
        ui.add(speed);
    }
}
