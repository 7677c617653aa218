//! The left of the browser: search, and the rows of the tree, of which only the visible are laid out.

use egui::{Align, Button, ComboBox, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::{BrowserReply, WindowView};
use crate::assets::format::FileKind;
use crate::browser::{Browser, Node, Reading, Shape};
use crate::console::plain;
use crate::words::{tr, tr_with};

/// Height of a row and how much farther in the next level of folders is, in logical points.
const ROW_HEIGHT: f32 = 18.0;
const INDENT: f32 = 12.0;
/// What a scroll bar covers of a row.
const SCROLL_BAR_WIDTH: f32 = 10.0;

/// Lays it out.
pub fn show(
    ui: &mut Ui,
    browser: &mut Browser,
    window: &WindowView<'_>,
    scrolls_to_focus: &mut bool,
) -> Option<BrowserReply> {
    let mut reply = None;
    let back = Button::new(tr_with(
        "Back to {name} (Esc)",
        &[("name", window.back_to.into())],
    ))
    .min_size(vec2(ui.available_width(), 24.0))
    .truncate();
    if ui.add(back).clicked() {
        reply = Some(BrowserReply::Back);
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let width = ui.available_width() - 130.0;
        let search = TextEdit::singleline(&mut browser.search)
            .hint_text(tr("Search by name"))
            .desired_width(width.max(40.0));
        ui.add(search);
        let chosen = tr(browser.kind.map_or("all kinds", FileKind::name));
        ComboBox::from_label(tr("kind"))
            .width(84.0)
            .selected_text(chosen)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut browser.kind, None, tr("all kinds"));
                for kind in FileKind::ALL {
                    ui.selectable_value(&mut browser.kind, Some(kind), tr(kind.name()));
                }
            });
    });
    ui.horizontal(|ui| {
        let n_rows = browser.tree.rows().len();
        let n_known = browser.tree.len();
        let values = [("rows", n_rows.into()), ("known", n_known.into())];
        ui.weak(tr_with("{rows} rows, {known} known", &values));
        if browser.is_listing() {
            ui.weak(tr("reading ..."));
        }
    });
    show_rows(ui, browser, scrolls_to_focus);
    reply
}

fn show_rows(ui: &mut Ui, browser: &mut Browser, scrolls_to_focus: &mut bool) {
    let shown: &Browser = browser;
    let rows = shown.tree.rows();
    let focus_row = || rows.iter().position(|row| Some(*row) == shown.focus());
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if std::mem::take(scrolls_to_focus)
        && let Some(row) = focus_row()
    {
        let height = ROW_HEIGHT + ui.spacing().item_spacing.y;
        let middle = (ui.available_height() - height) / 2.0;
        area = area.vertical_scroll_offset((row as f32 * height - middle).max(0.0));
    }
    let (mut toggled, mut chosen) = (None, None);
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
        for node in &rows[range] {
            show_row(ui, shown, *node, &mut toggled, &mut chosen);
        }
    });
    if let Some(node) = toggled {
        browser.toggle(node);
    }
    if let Some((node, adds, extends)) = chosen {
        browser.choose(node, adds, extends);
    }
}

fn show_row(
    ui: &mut Ui,
    browser: &Browser,
    index: usize,
    toggled: &mut Option<usize>,
    chosen: &mut Option<(usize, bool, bool)>,
) {
    let node = browser.tree.node(index);
    ui.horizontal(|ui| {
        ui.set_height(ROW_HEIGHT);
        ui.add_space(INDENT * node.depth as f32);
        match node.shape {
            // As wide as the mark of a folder with what is around it.
            Shape::File => ui.add_space(INDENT + ui.spacing().item_spacing.x),
            Shape::Folder | Shape::Archive => {
                let mark = if node.is_open { "v" } else { ">" };
                let mark = Button::new(RichText::new(mark).monospace())
                    .frame(false)
                    .min_size(vec2(INDENT, ROW_HEIGHT));
                if ui.add(mark).clicked() {
                    *toggled = Some(index);
                }
            }
        }
        let name = plain::name(&node.name);
        let text = match node.shape {
            Shape::File => RichText::new(name),
            Shape::Folder | Shape::Archive => RichText::new(name).strong(),
        };
        let is_chosen = browser.is_selected(index) || browser.focus() == Some(index);
        let button = Button::selectable(is_chosen, text).truncate();
        let response = ui.add(button).on_hover_text(hover_text(node));
        if response.double_clicked() {
            *toggled = Some(index);
        } else if response.clicked() {
            let modifiers = ui.input(|input| input.modifiers);
            *chosen = Some((index, modifiers.command, modifiers.shift));
        }
        ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(SCROLL_BAR_WIDTH);
            ui.add(egui::Label::new(RichText::new(note(node)).weak().small()).truncate());
        });
    });
}

/// What is said of a row at its end.
fn note(node: &Node) -> String {
    match (&node.reading, node.shape) {
        (Reading::Now, _) => tr("reading ..."),
        (Reading::Failed(_), _) => tr("cannot be read"),
        (_, Shape::Folder) => String::new(),
        _ => match (node.kind, node.format) {
            (FileKind::Other, None) => String::new(),
            (FileKind::Other, Some(format)) => format.name().to_owned(),
            (kind, _) => tr(kind.name()),
        },
    }
}

fn hover_text(node: &Node) -> String {
    let mut lines = vec![plain::path(&node.path)];
    if let Some(size) = node.size {
        lines.push(tr_with("{n} bytes", &[("n", size.into())]));
    }
    if !node.detail.is_empty() {
        lines.push(plain::line(&node.detail).into_owned());
    }
    if let Reading::Failed(problem) = &node.reading {
        lines.push(plain::line(problem).into_owned());
    }
    lines.join("\n")
}
