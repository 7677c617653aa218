//! The panel's part about living entities: the outputs that fired, and inputs that are sent by hand.

use crate::sim::world::{FiredOutput, LivingEntities};
use crate::words::{tr, tr_with};
use egui::{CollapsingHeader, ComboBox, ScrollArea, TextEdit, Ui};

use super::HudView;

/// Outputs that are listed.
const N_LISTED: usize = 40;
/// Height of the list in logical points.
const LIST_HEIGHT: f32 = 120.0;

/// An input that is to be sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputChoice {
    /// Its name; one that an entity does not know is none.
    pub input: String,
    /// What is sent with it.
    pub parameter: String,
}

/// Lays out the outputs that fired; nothing where no entity lives.
pub fn show(ui: &mut Ui, view: &HudView<'_>) {
    let Some(living) = view.level.world.living_entities() else {
        return;
    };
    CollapsingHeader::new(tr("Outputs"))
        .id_salt("outputs")
        .show(ui, |ui| {
            let fired = living.fired(N_LISTED);
            if fired.is_empty() {
                ui.weak(tr("none has fired"));
            }
            ScrollArea::vertical()
                .id_salt("output list")
                .max_height(LIST_HEIGHT)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    for output in &fired {
                        ui.small(line(output));
                    }
                });
        });
}

/// Lays out what an entity does and how an input is sent to it.
pub fn show_entity(
    ui: &mut Ui,
    living: &dyn LivingEntities,
    entity: usize,
    choice: &mut InputChoice,
) {
    let state = living.state_of(entity);
    if !state.is_empty() {
        ui.label(tr_with("It is {state}.", &[("state", state.into())]));
    }
    let inputs = living.inputs_of(entity);
    let Some(first) = inputs.first() else {
        return;
    };
    let chosen = inputs.iter().find(|it| **it == choice.input);
    let mut chosen = *chosen.unwrap_or(first);
    ui.horizontal(|ui| {
        ComboBox::from_id_salt("input")
            .selected_text(chosen)
            .show_ui(ui, |ui| {
                for input in &inputs {
                    ui.selectable_value(&mut chosen, input, *input);
                }
            });
        let field = TextEdit::singleline(&mut choice.parameter)
            .hint_text(tr("parameter"))
            .desired_width(70.0);
        ui.add(field);
        if ui.button(tr("send")).clicked() {
            living.send(entity, chosen, &choice.parameter);
        }
    });
    chosen.clone_into(&mut choice.input);
}

/// `12.3 s  door OnOpen -> lamp TurnOn, in 1.5 s`.
fn line(output: &FiredOutput) -> String {
    let FiredOutput {
        time_secs,
        source,
        sent,
        delay_secs,
    } = output;
    let source = match source.as_str() {
        "" => "by hand",
        source => source,
    };
    let delay = match delay_secs {
        0.0 => String::new(),
        secs => format!(", in {secs} s"),
    };
    format!("{time_secs:.2} s  {source} -> {sent}{delay}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_when_what_fired_and_what_it_sends() {
        let output = |source: &str, delay_secs: f64| FiredOutput {
            time_secs: 1.5,
            source: source.into(),
            sent: "lamp TurnOn".into(),
            delay_secs,
        };
        assert_eq!(
            line(&output("door OnOpen", 0.25)),
            "1.50 s  door OnOpen -> lamp TurnOn, in 0.25 s"
        );
        assert_eq!(line(&output("", 0.0)), "1.50 s  by hand -> lamp TurnOn");
    }
}
