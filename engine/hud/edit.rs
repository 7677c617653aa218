//! The panel's part about editing the level.

use egui::{ComboBox, DragValue, RichText, Ui, WidgetInfo};

use super::widgets::with_key;
use crate::editing::{EditCommand, EditWish, Editing};
use crate::input::Command;
use crate::kind::EditField;
use crate::words::{marked, tr, tr_with};

/// Lays it out.
pub fn show(ui: &mut Ui, editing: &mut Editing) {
    egui::CollapsingHeader::new(tr("Edit"))
        .default_open(editing.decision().is_some())
        .show(ui, |ui| {
            show_decision(ui, editing);
            let text = with_key("edit with the mouse", Command::Edit(EditCommand::Toggle));
            let mut is_on = editing.is_on;
            if ui.checkbox(&mut is_on, text).clicked() {
                editing.wish = Some(EditWish::Command(EditCommand::Toggle));
            }
            if editing.is_on {
                for field in editing.fields() {
                    show_field(ui, field);
                }
            }
            show_status(ui, editing);
        });
}

fn show_decision(ui: &mut Ui, editing: &mut Editing) {
    let Some(decision) = editing.decision() else {
        return;
    };
    let color = ui.visuals().warn_fg_color;
    ui.label(RichText::new(&decision.text).color(color));
    ui.horizontal(|ui| {
        for (index, choice) in decision.choices.iter().enumerate() {
            if ui.button(*choice).clicked() {
                editing.wish = Some(EditWish::Decide(index));
            }
        }
    });
}

fn show_field(ui: &mut Ui, field: EditField<'_>) {
    match field {
        EditField::Choice {
            label,
            names,
            chosen,
        } => {
            let shown = names.get(*chosen).copied().unwrap_or_default();
            ComboBox::from_label(label)
                .selected_text(shown)
                .show_ui(ui, |ui| {
                    for (index, name) in names.iter().enumerate() {
                        ui.selectable_value(chosen, index, *name);
                    }
                });
        }
        EditField::Number {
            label,
            value,
            range,
        } => {
            ui.horizontal(|ui| {
                let number = ui.add(DragValue::new(&mut *value).range(range));
                number.widget_info(|| WidgetInfo {
                    label: Some(label.to_owned()),
                    ..WidgetInfo::drag_value(true, f64::from(*value))
                });
                ui.label(label);
            });
        }
        EditField::Switch { label, is_on } => {
            ui.checkbox(is_on, label);
        }
    }
}

fn show_status(ui: &mut Ui, editing: &mut Editing) {
    let status = editing.status();
    let mut wish = None;
    let mut button = |ui: &mut Ui, label: &str, command, is_enabled| {
        let text = with_key(label, Command::Edit(command));
        if ui
            .add_enabled(is_enabled, egui::Button::new(text))
            .clicked()
        {
            wish = Some(EditWish::Command(command));
        }
    };
    ui.horizontal(|ui| {
        let label = tr_with("undo ({n})", &[("n", status.n_done.into())]);
        button(ui, &label, EditCommand::Undo, status.n_done > 0);
        let label = tr_with("redo ({n})", &[("n", status.n_undone.into())]);
        button(ui, &label, EditCommand::Redo, status.n_undone > 0);
    });
    if !status.stroke.is_empty() {
        let what = status.stroke.as_str().into();
        ui.label(tr_with("would change {what}", &[("what", what)]));
    }
    match status.unsaved.is_empty() {
        true => ui.weak(tr("nothing is unsaved")),
        false => {
            let what = status.unsaved.as_str().into();
            ui.label(tr_with("unsaved: {what}", &[("what", what)]))
        }
    };
    button(
        ui,
        marked("save"),
        EditCommand::Save,
        !status.unsaved.is_empty(),
    );
    editing.wish = wish.or(editing.wish);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;
    use crate::editing::tests::TestEditor;

    /// The part in a panel, whose wishes are granted after each frame as the window does.
    fn harness(editor: TestEditor) -> Harness<'static, Editing> {
        let mut harness = Harness::new_ui_state(
            |ui, editing: &mut Editing| {
                show(ui, editing);
                if let Some(wish) = editing.wish.take() {
                    editing.grant(wish);
                }
            },
            Editing::new(Box::new(editor)),
        );
        harness.run();
        harness
    }

    fn click(harness: &mut Harness<'_, Editing>, label: &str) {
        harness.get_by_label_contains(label).click();
        harness.run();
    }

    #[test]
    fn buttons_and_fields_reach_the_editor() {
        let editor = TestEditor::default();
        let calls = Arc::clone(&editor.calls);
        let mut harness = harness(editor);
        click(&mut harness, "Edit");
        assert!(harness.query_all_by_label("size").next().is_none());
        click(&mut harness, "edit with the mouse");
        assert!(harness.state().is_on);
        click(&mut harness, "tool");
        click(&mut harness, "build");
        let fields = harness.state_mut().fields();
        let is_chosen = |field: &EditField<'_>| matches!(field, EditField::Choice { chosen, .. } if **chosen == 1);
        assert!(fields.iter().any(is_chosen), "{fields:?}");
        assert!(harness.query_by_label("unsaved: 12 cells").is_some());
        for label in ["undo (3)", "save  ["] {
            click(&mut harness, label);
        }
        // There is nothing to redo: the button does nothing.
        click(&mut harness, "redo (0)");
        assert_eq!(*calls.lock().unwrap(), ["cancel", "undo", "save"]);
    }

    #[test]
    fn a_decision_is_open_at_once_and_made_by_a_button() {
        let editor = TestEditor {
            has_decision: true,
            ..TestEditor::default()
        };
        let calls = Arc::clone(&editor.calls);
        let mut harness = harness(editor);
        assert!(harness.query_by_label("What now?").is_some());
        click(&mut harness, "stop");
        assert_eq!(*calls.lock().unwrap(), ["decide 1"]);
    }
}
