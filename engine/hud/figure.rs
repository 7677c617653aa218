//! The panel's part about a figure alone: its build, its animations, and which of its parts are shown.

use std::sync::Arc;

use crate::scene::Model;
use egui::{CollapsingHeader, Grid, RichText, ScrollArea, Slider, SliderClamping, Ui};

use crate::kind::ModelSheet;
use crate::model_options::ModelOptions;
use crate::playback::{FigurePlay, FrameLoop, What};
use crate::words::{tr, tr_with};

/// Height of the lists in logical points.
const LIST_HEIGHT: f32 = 180.0;

/// Lays out the sliders and the list of animations.
pub fn show(ui: &mut Ui, sheet: &ModelSheet, options: &mut ModelOptions) {
    let What::Figure(play) = &mut options.playback.what else {
        return;
    };
    if !sheet.sliders.is_empty() {
        shape(ui, sheet, play);
    }
    ui.label(RichText::new(tr("Animations")).strong());
    ScrollArea::vertical()
        .id_salt("animations")
        .max_height(LIST_HEIGHT)
        .show(ui, |ui| {
            choose(ui, sheet, play, None);
            for animation in 0..sheet.animations.len() {
                choose(ui, sheet, play, Some(animation));
            }
            ui.set_min_width(ui.available_width());
        });
}

/// The sliders of a body or a face.
fn shape(ui: &mut Ui, sheet: &ModelSheet, play: &mut FigurePlay) {
    ui.label(RichText::new(tr("Shape")).strong());
    let list = ScrollArea::vertical()
        .id_salt("sliders")
        .max_height(LIST_HEIGHT);
    list.show(ui, |ui| {
        for (index, slider) in sheet.sliders.iter().enumerate() {
            let Some(value) = play.sliders.get(index) else {
                continue;
            };
            let mut wanted = *value;
            let [least, most] = slider.range;
            let bar = Slider::new(&mut wanted, least..=most)
                .clamping(SliderClamping::Never)
                .fixed_decimals(2)
                .text(&*slider.label);
            if ui.add(bar).changed() {
                Arc::make_mut(&mut play.sliders)[index] = wanted;
            }
        }
        ui.set_min_width(ui.available_width());
    });
    if ui.small_button(tr("as at the beginning")).clicked() {
        play.sliders = sheet.values();
    }
}

/// An animation to choose; `None` is rest.
fn choose(ui: &mut Ui, sheet: &ModelSheet, play: &mut FigurePlay, animation: Option<usize>) {
    let known = animation.and_then(|animation| sheet.animations.get(animation));
    let rest = tr("at rest");
    let name = known.map_or(&*rest, |it| &*it.name);
    ui.horizontal(|ui| {
        let mut label = ui.selectable_label(play.animation == animation, name);
        if let Some(sheet) = known {
            label = label.on_hover_text(&sheet.facts);
            ui.weak(&sheet.length);
        }
        if label.clicked() {
            play.animation = animation;
            play.frames = FrameLoop::new(sheet.last_frame(animation));
        }
    });
}

/// Lays out a switch for each part that a state shows.
pub fn show_parts(ui: &mut Ui, (model, state): (&Model, u8), hidden_pieces: &mut Vec<u32>) {
    CollapsingHeader::new(tr("Parts")).show(ui, |ui| {
        ui.horizontal(|ui| {
            if ui.small_button(tr("all")).clicked() {
                hidden_pieces.clear();
            }
            if ui.small_button(tr("none")).clicked() {
                *hidden_pieces = (0..).take(model.pieces.len()).collect();
            }
        });
        ScrollArea::vertical()
            .id_salt("parts")
            .max_height(LIST_HEIGHT)
            .show(ui, |ui| {
                Grid::new("parts").num_columns(2).show(ui, |ui| {
                    let pieces = (0..).zip(&model.pieces);
                    for (piece_idx, piece) in pieces.filter(|(_, it)| it.state == state) {
                        let name = &*model.nodes[piece.node as usize].name;
                        let mut is_shown = !hidden_pieces.contains(&piece_idx);
                        if ui.checkbox(&mut is_shown, name).changed() {
                            switch(hidden_pieces, piece_idx, is_shown);
                        }
                        let n = n_triangles(model, piece_idx);
                        ui.weak(tr_with("{n} triangles", &[("n", n.into())]));
                        ui.end_row();
                    }
                });
            });
    });
}

fn switch(hidden_pieces: &mut Vec<u32>, piece_idx: u32, is_shown: bool) {
    hidden_pieces.retain(|hidden| *hidden != piece_idx);
    if !is_shown {
        hidden_pieces.push(piece_idx);
    }
}

fn n_triangles(model: &Model, piece_idx: u32) -> u32 {
    let batches = model.pieces[piece_idx as usize].lods[0].batches.clone();
    let batches = &model.mesh.batches[batches.start as usize..batches.end as usize];
    batches.iter().map(|batch| batch.n_indices / 3).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_hidden_once_and_comes_back() {
        let mut hidden = vec![4, 2];
        switch(&mut hidden, 2, false);
        assert_eq!(hidden, [4, 2]);
        switch(&mut hidden, 4, true);
        assert_eq!(hidden, [2]);
        switch(&mut hidden, 2, true);
        assert_eq!(hidden, [0u32; 0]);
    }
}
