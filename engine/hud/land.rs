//! The panel's part about land that comes in tiles.

use crate::renderer::TileMemory;
use crate::scene::TileShape;
use egui::{Slider, Ui};

use super::HudView;
use super::widgets::{legend, with_key};
use crate::input::Command;
use crate::land_options::LandCommand;
use crate::view_options::ViewOptions;
use crate::words::{label, tr, tr_with};

/// Steps on the screen that the slider offers, in pixels.
const STEPS_PX: [f32; 2] = [1.0, 16.0];

/// Lays out the part; nothing where a level's land does not come in tiles.
pub fn show(ui: &mut Ui, view: &HudView<'_>, options: &mut ViewOptions) {
    let (Some(land), Some(tree)) = (&mut options.land, &view.level.scene.tiles) else {
        return;
    };
    let key = |label: &str, command| with_key(label, Command::Land(command));
    let shown = &mut land.view;
    egui::CollapsingHeader::new(tr("Land"))
        .default_open(true)
        .show(ui, |ui| {
            let name = match shown.color_by {
                Some(idx) => label(&tree.color_by[idx].name),
                None => tr("height"),
            };
            egui::ComboBox::from_label(key("color", LandCommand::NextColorBy))
                .selected_text(name)
                .show_ui(ui, |ui| {
                    ui.selectable_value(&mut shown.color_by, None, tr("height"));
                    for (index, color_by) in tree.color_by.iter().enumerate() {
                        let name = label(&color_by.name);
                        ui.selectable_value(&mut shown.color_by, Some(index), name);
                    }
                });
            if let Some(color_by) = shown.color_by.and_then(|it| tree.color_by.get(it)) {
                legend(ui, &color_by.legend);
            }
            let mut is_cells = land.shape == TileShape::Plateaus;
            if ui
                .checkbox(
                    &mut is_cells,
                    key("each cell level", LandCommand::ToggleShape),
                )
                .changed()
            {
                land.shape = match is_cells {
                    true => TileShape::Plateaus,
                    false => TileShape::Slopes,
                };
            }
            ui.checkbox(
                &mut shown.sides,
                key("closed sides", LandCommand::ToggleSides),
            );
            ui.checkbox(
                &mut shown.grid,
                key("cells and blocks", LandCommand::ToggleGrid),
            );
            let layer = shown.layer.map_or_else(|| tr("all"), |it| it.to_string());
            ui.label(format!("{}: {layer}", key("layer", LandCommand::NextLayer)));
            if let Some(z) = shown.hidden_above {
                let z = z.to_string();
                ui.label(tr_with(
                    "cut off above {z}  [Backspace]",
                    &[("z", z.into())],
                ));
            }
            let [finest, coarsest] = STEPS_PX;
            let detail = Slider::new(&mut shown.max_step_px, finest..=coarsest)
                .logarithmic(true)
                .text(tr("pixels a step"));
            ui.add(detail);
        });
}

/// What is drawn of the land and what it takes.
pub fn tiles_text(n_drawn: usize, n_facets: u64, memory: TileMemory) -> String {
    let TileMemory {
        n_tiles,
        bytes,
        budget_bytes,
        n_wanted,
        ..
    } = memory;
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let coming = match n_wanted {
        0 => String::new(),
        n => format!(", {n} to come"),
    };
    format!(
        "{n_drawn} tiles, {n_facets} faces; {n_tiles} in {:.0} of {:.0} MiB{coming}",
        mib(bytes),
        mib(budget_bytes)
    )
}
