//! The panel's part about models: what plays, which of their looks are shown, and what they are made of.

use crate::scene::Model;
use egui::{CollapsingHeader, ComboBox, DragValue, Grid, RichText, ScrollArea, Slider, Ui};

use super::widgets::{feature_switch, row, with_key};
use super::{HudView, figure};
use crate::input::Command;
use crate::model_options::{ModelCommand, ModelOptions};
use crate::playback::{FrameLoop, LevelPlay, Playback, RATES, What};
use crate::view_options::{Feature, ViewOptions};
use crate::words::{marked, tr, tr_with};

/// Height of the list of nodes in logical points.
const NODES_HEIGHT: f32 = 180.0;
/// A node stands this much farther in than the one that carries it, in logical points.
const INDENT: f32 = 10.0;

/// Lays out the part; nothing where there are no models.
pub fn show(ui: &mut Ui, view: &HudView<'_>, options: &mut ViewOptions) {
    if view.level.contents.is_empty() {
        return;
    }
    let single = view
        .level
        .model_bounds
        .and_then(|_| view.level.scene.models.first());
    CollapsingHeader::new(tr("Models"))
        .default_open(single.is_some())
        .show(ui, |ui| {
            for feature in [Feature::Models, Feature::Lightmap] {
                feature_switch(ui, feature, &mut options.switches);
            }
            let options = &mut options.models;
            let sheet = view.level.model.as_ref();
            let last_frame = match (sheet, &options.playback.what) {
                (Some(sheet), What::Figure(play)) => sheet.last_frame(play.animation),
                _ => view.level.world.last_frame(),
            };
            show_playback(ui, &mut options.playback, last_frame);
            if let Some((sheet, model)) = sheet.zip(single) {
                figure::show(ui, sheet, options);
                let own = view.level.scene.instances.first().map(|it| it.state);
                let state = options.state.or(own).unwrap_or(0);
                figure::show_parts(ui, (model, state), &mut options.hidden_pieces);
            }
            show_looks(ui, view, options);
            if let Some(model) = single {
                show_nodes(ui, model, &mut options.selected_node);
            }
            CollapsingHeader::new(tr("Contents"))
                .default_open(single.is_some())
                .show(ui, |ui| show_counts(ui, view));
        });
}

fn show_playback(ui: &mut Ui, playback: &mut Playback, last_frame: f32) {
    ui.horizontal(|ui| {
        let text = match playback.is_paused {
            true => marked("resume"),
            false => marked("pause"),
        };
        let text = with_key(text, models(ModelCommand::TogglePause));
        if ui.button(text).clicked() {
            playback.is_paused = !playback.is_paused;
        }
        if let What::Level(play) = &mut playback.what {
            for choice in LevelPlay::ALL {
                let label = ui.selectable_value(play, choice, tr(choice.name()));
                label.on_hover_text(tr(choice.label()));
            }
        }
    });
    if let Some(frames) = playback.what.frames() {
        playback.is_paused |= show_frames(ui, frames, last_frame);
    }
    let [slowest, fastest] = RATES;
    let rate = Slider::new(&mut playback.rate, slowest..=fastest)
        .logarithmic(true)
        .fixed_decimals(1)
        .text(tr("frames / s"));
    ui.add(rate);
}

/// Returns whether a frame was chosen.
fn show_frames(ui: &mut Ui, frames: &mut FrameLoop, last_frame: f32) -> bool {
    if last_frame <= 0.0 {
        ui.weak(tr("one frame only"));
        return false;
    }
    // The slider rounds what it is given: it must not touch the frame while that plays.
    let mut wanted = frames.frame;
    let slider = Slider::new(&mut wanted, 0.0..=last_frame)
        .fixed_decimals(1)
        .text(tr("frame"));
    let response = ui.add(slider);
    let is_chosen = response.dragged() || response.clicked();
    if is_chosen {
        frames.frame = wanted;
    }
    ui.horizontal(|ui| {
        ui.weak(tr("loop from"));
        ui.add(
            DragValue::new(&mut frames.first)
                .range(0.0..=frames.last)
                .fixed_decimals(0),
        );
        ui.weak(tr("to"));
        ui.add(
            DragValue::new(&mut frames.last)
                .range(frames.first..=last_frame)
                .fixed_decimals(0),
        );
        let last = format!("{last_frame:.0}");
        ui.weak(tr_with("of {n}", &[("n", last.into())]));
    });
    is_chosen
}

fn show_looks(ui: &mut Ui, view: &HudView<'_>, options: &mut ModelOptions) {
    let contents = &view.level.contents;
    let names = view.level.model.as_ref().map(|sheet| &sheet.states);
    match names.filter(|names| !names.is_empty()) {
        Some(names) => show_named_states(ui, names, view, &mut options.state),
        None => show_choice(
            ui,
            marked("state"),
            marked("own"),
            &contents.states,
            &mut options.state,
        ),
    }
    show_choice(
        ui,
        marked("detail"),
        marked("auto"),
        &contents.lods(),
        &mut options.lod,
    );
    let names = with_key("names", models(ModelCommand::ToggleNames));
    ui.checkbox(&mut options.names, names);
    let bones = with_key("bones", models(ModelCommand::ToggleBones));
    ui.checkbox(&mut options.bones, bones);
}

/// A list of states that have names, in place of the model's own.
fn show_named_states(ui: &mut Ui, names: &[String], view: &HudView<'_>, chosen: &mut Option<u8>) {
    let own = view.level.scene.instances.first().map(|it| it.state);
    let name_of = |state: u8| names.get(usize::from(state)).map_or("", String::as_str);
    let shown = chosen.or(own).unwrap_or(0);
    ComboBox::from_id_salt("states")
        .selected_text(name_of(shown))
        .width(ui.available_width() * 0.9)
        .show_ui(ui, |ui| {
            for state in &view.level.contents.states {
                if ui
                    .selectable_label(*state == shown, name_of(*state))
                    .clicked()
                {
                    *chosen = Some(*state);
                }
            }
        });
}

/// A button for none and for each of the choices.
fn show_choice(ui: &mut Ui, label: &str, none: &str, choices: &[u8], chosen: &mut Option<u8>) {
    ui.horizontal(|ui| {
        ui.weak(tr(label));
        ui.selectable_value(chosen, None, tr(none));
        for choice in choices {
            ui.selectable_value(chosen, Some(*choice), choice.to_string());
        }
    });
}

fn show_nodes(ui: &mut Ui, model: &Model, selected: &mut Option<usize>) {
    ui.label(RichText::new(tr("Nodes")).strong());
    ScrollArea::vertical()
        .id_salt("nodes")
        .max_height(NODES_HEIGHT)
        .show(ui, |ui| {
            for (index, node) in model.nodes.iter().enumerate() {
                ui.horizontal(|ui| {
                    ui.add_space(INDENT * depth(model, index) as f32);
                    let is_selected = *selected == Some(index);
                    let text = format!("{index} {}", node.name);
                    if ui.selectable_label(is_selected, text).clicked() {
                        *selected = (!is_selected).then_some(index);
                    }
                });
            }
            ui.set_min_width(ui.available_width());
        });
}

/// How many nodes carry the node, one another.
fn depth(model: &Model, node: usize) -> usize {
    let parent = |node: &usize| model.nodes[*node].parent.map(|parent| parent as usize);
    std::iter::successors(parent(&node), parent).count()
}

fn show_counts(ui: &mut Ui, view: &HudView<'_>) {
    Grid::new("model counts").num_columns(2).show(ui, |ui| {
        for (label, count) in &view.level.contents.counts {
            row(ui, label, count.to_string());
        }
    });
}

fn models(command: ModelCommand) -> Command {
    Command::Models(command)
}

#[cfg(test)]
mod tests {
    use crate::scene::ModelNode;

    use super::*;

    #[test]
    fn a_nodes_depth_counts_who_carries_it() {
        let node = |parent| ModelNode {
            parent,
            ..ModelNode::default()
        };
        let model = Model {
            nodes: vec![node(None), node(Some(0)), node(Some(1)), node(None)],
            ..Model::default()
        };
        assert_eq!([0, 1, 2, 3].map(|index| depth(&model, index)), [0, 1, 2, 0]);
    }
}
