//! The left of the start screen: what to open, and the folders that levels are shown of.

use egui::{Button, Key, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::{Choice, StartReply, StartScreen, StartView};
use crate::console::plain;
use crate::library::{Origin, Shelf};
use crate::words::{tr, tr_with};

/// Width in logical points, ...
const WIDTH: f32 = 230.0;
/// ... and in a small window at most this part of it.
const MAX_PART: f32 = 0.34;
/// Height of what is below the folders.
const BELOW: f32 = 42.0;

/// How wide it is in a window of a width.
pub fn width(window_width: f32) -> f32 {
    WIDTH.min(window_width * MAX_PART)
}

/// Lays it out.
pub fn show(ui: &mut Ui, screen: &mut StartScreen, view: &StartView<'_>) -> Option<StartReply> {
    let mut reply = None;
    ui.label(RichText::new(tr("Ironlands")).strong().size(22.0));
    ui.add_space(6.0);
    let mut wide = |ui: &mut Ui, text: &str, wanted: StartReply| {
        let button = Button::new(text)
            .min_size(vec2(ui.available_width(), 26.0))
            .truncate();
        if ui.add(button).clicked() {
            reply = Some(wanted);
        }
    };
    if let Some(name) = view.back_to {
        wide(
            ui,
            &tr_with("Back to {name} (Esc)", &[("name", name.into())]),
            StartReply::Back,
        );
    }
    wide(ui, &tr("Open file ... (Ctrl+O)"), StartReply::ChooseFile);
    wide(
        ui,
        &tr("Add folder of a game ..."),
        StartReply::ChooseFolder,
    );
    ui.separator();
    let height = (ui.available_height() - BELOW).max(40.0);
    ScrollArea::vertical()
        .max_height(height)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            let all: usize = view.shelves.iter().map(|shelf| shelf.entries.len()).sum();
            line(
                ui,
                screen,
                Choice::All,
                &tr_with("All levels ({n})", &[("n", all.into())]),
                "",
            );
            for shelf in view.shelves {
                ui.horizontal(|ui| {
                    let is_removable = matches!(shelf.origin, Origin::Remembered | Origin::Opened);
                    if is_removable
                        && ui
                            .small_button("x")
                            .on_hover_text(tr("Remove from this list"))
                            .clicked()
                    {
                        reply = Some(StartReply::Forget(shelf.path.clone()));
                    }
                    let files = ui.small_button(tr("files"));
                    if files.on_hover_text(tr("Look at all its files")).clicked() {
                        reply = Some(StartReply::Browse(shelf.path.clone()));
                    }
                    let choice = Choice::Shelf(shelf.path.clone());
                    line(
                        ui,
                        screen,
                        choice,
                        &shelf_text(shelf),
                        &plain::path(&shelf.path),
                    );
                });
            }
        });
    ui.separator();
    let field = TextEdit::singleline(&mut screen.typed_path)
        .hint_text(tr("or a path, Enter opens it"))
        .desired_width(f32::INFINITY);
    let field = ui.add(field);
    if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        let path = screen.typed_path.trim();
        reply = (!path.is_empty())
            .then(|| StartReply::Open(path.into()))
            .or(reply);
    }
    reply
}

fn line(ui: &mut Ui, screen: &mut StartScreen, choice: Choice, text: &str, hover: &str) {
    let button = Button::selectable(screen.choice == choice, text).truncate();
    let mut response = ui.add(button);
    if !hover.is_empty() {
        response = response.on_hover_text(hover);
    }
    if response.clicked() {
        screen.choice = choice;
    }
}

fn shelf_text(shelf: &Shelf) -> String {
    match shelf.is_searched {
        true => format!("{} ...", shelf.title),
        false => format!("{} ({})", shelf.title, shelf.entries.len()),
    }
}
