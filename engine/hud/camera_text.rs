//! The camera as text, shown and taken: what `--camera` takes.

use egui::{Key, TextEdit, Ui};

use crate::camera::Pose;
use crate::cli::CameraArg;
use crate::words::tr;

/// The text field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CameraText {
    /// Its text while it has the focus.
    typed: Option<String>,
    /// Where the camera is to be.
    pub go_to: Option<Pose>,
}

/// Lays out the field, with the camera at a pose.
pub fn show(ui: &mut Ui, pose: Pose, text: &mut CameraText) {
    let shown = CameraArg(pose).to_string();
    ui.horizontal(|ui| {
        ui.weak(tr("camera"));
        let mut line = text.typed.take().unwrap_or(shown);
        let field = TextEdit::singleline(&mut line).desired_width(f32::INFINITY);
        let field = ui
            .add(field)
            .on_hover_text(tr("--camera; Enter goes there"));
        let typed: Result<CameraArg, _> = line.parse();
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            text.go_to = typed.ok().map(|CameraArg(pose)| pose);
        } else if field.has_focus() {
            if let Err(expected) = typed {
                field.show_tooltip_text(expected);
            }
            text.typed = Some(line);
        }
    });
}
