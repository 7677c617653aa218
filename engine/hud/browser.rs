//! The browser of files: a tree on the left, one file in the middle, what is known of it on the right.
//!
//! In: the [`Browser`], and what the window plays and shows of the file. Out: what the user wants ([`BrowserReply`]), and
//! where the model that the window draws is to be seen ([`Hole`]).

mod bytes;
mod exports;
mod facts;
mod picture;
mod rows;
mod sound;
#[cfg(test)]
mod tests;
mod texts;

use std::path::PathBuf;

use egui::{CentralPanel, Frame, Key, Margin, Panel, Rect, Sense, Ui, Vec2, vec2};

use self::bytes::BytesView;
use self::exports::ExportChoice;
use self::picture::PictureView;
use super::theme::{LIST_FILL, SIDE_FILL};
use crate::browser::{Browser, Preview};
use crate::words::{marked, tr};

/// Widths of the left and the right part in logical points, and at most this part of the window each.
const TREE_WIDTH: f32 = 300.0;
const FACTS_WIDTH: f32 = 280.0;
const MAX_PART: f32 = 0.3;

/// What the browser remembers between frames.
#[derive(Default)]
pub struct BrowserScreen {
    tab: Option<Tab>,
    picture: PictureView,
    bytes: BytesView,
    export: ExportChoice,
    /// The row that is to be scrolled to.
    scrolls_to_focus: bool,
    /// What was looked at last.
    focus: Option<usize>,
}

/// Ways to look at a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Model,
    Picture,
    Sound,
    /// One of its texts.
    Text(usize),
    Bytes,
}

/// What the window does for the browser.
#[derive(Debug, Default)]
pub struct WindowView<'a> {
    /// Whether the model of the file is drawn.
    pub is_model_shown: bool,
    /// Why it is not, or that it will be.
    pub model_note: Option<&'a str>,
    /// Animations of that model, and which of them plays.
    pub animations: &'a [String],
    pub animation: Option<usize>,
    /// How much of the sound was heard, while it plays.
    pub heard_secs: Option<f64>,
    /// What one goes back to.
    pub back_to: &'a str,
    /// Whether keys go to a field.
    pub is_typing: bool,
}

/// What the user wants.
#[derive(Debug, Clone, PartialEq)]
pub enum BrowserReply {
    Back,
    /// Fly a level, or look at a model with all panels.
    Open(PathBuf),
    /// Play the sound of the file from its beginning, or stop it.
    Play,
    Stop,
    /// Choose where exports go.
    ChooseFolder,
    /// Turn the model by pixels, or go nearer by notches of the wheel.
    Turn(Vec2),
    Near(f32),
    /// Play another animation; `None` is rest.
    Animate(Option<usize>),
}

/// The part of the window in which the model is to be seen, in logical points; nothing where none is wanted.
pub type Hole = Option<Rect>;

impl BrowserScreen {
    /// Where exports go, once chosen.
    pub fn set_export_folder(&mut self, folder: PathBuf) {
        self.export.set_folder(folder);
    }

    /// Another file is looked at than before.
    pub fn forget_file(&mut self) {
        self.tab = None;
        self.picture.forget();
        self.bytes.forget();
        self.scrolls_to_focus = true;
    }

    /// Another file may be looked at than in the frame before.
    fn notice_focus(&mut self, browser: &Browser) {
        let focus = browser.focus();
        if std::mem::replace(&mut self.focus, focus) != focus {
            self.forget_file();
        }
    }

    /// Lays it all out.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        browser: &mut Browser,
        window: &WindowView<'_>,
    ) -> (Option<BrowserReply>, Hole) {
        self.notice_focus(browser);
        let width = |wanted: f32| wanted.min(ui.ctx().content_rect().width() * MAX_PART);
        let (tree_width, facts_width) = (width(TREE_WIDTH), width(FACTS_WIDTH));
        let margin = Margin::same(8);
        let side = Frame::new().fill(SIDE_FILL).inner_margin(margin);
        let mut reply = None;
        Panel::left("files")
            .exact_size(tree_width)
            .resizable(false)
            .frame(side)
            .show(ui, |ui| {
                reply = rows::show(ui, browser, window, &mut self.scrolls_to_focus);
            });
        Panel::right("facts of the file")
            .exact_size(facts_width)
            .resizable(false)
            .frame(side)
            .show(ui, |ui| {
                let of_facts = facts::show(ui, browser, &mut self.export);
                reply = reply.take().or(of_facts);
            });
        let tab = self.tab(browser);
        if let (Some(preview), Some(tab)) = (browser.preview(), tab) {
            let behind = Frame::new().fill(LIST_FILL).inner_margin(margin);
            Panel::top("ways to look at the file")
                .resizable(false)
                .frame(behind)
                .show(ui, |ui| self.show_tabs(ui, preview, tab));
        }
        let fill = match tab {
            Some(Tab::Model) if window.is_model_shown => Frame::new(),
            _ => Frame::new().fill(LIST_FILL),
        };
        let hole = CentralPanel::default()
            .frame(fill.inner_margin(margin))
            .show(ui, |ui| {
                let (of_file, hole) = self.show_file(ui, browser, tab, window);
                reply = reply.take().or(of_file);
                hole
            })
            .inner;
        if !window.is_typing {
            take_keys(ui, browser, &mut self.scrolls_to_focus);
        }
        (reply, hole)
    }

    /// The way in which the file is looked at: as chosen, else the first that there is.
    fn tab(&self, browser: &Browser) -> Option<Tab> {
        let tabs = tabs_of(browser.preview()?);
        let chosen = self.tab.filter(|tab| tabs.iter().any(|(it, _)| it == tab));
        chosen.or(tabs.first().map(|(tab, _)| *tab))
    }

    fn show_tabs(&mut self, ui: &mut Ui, preview: &Preview, shown: Tab) {
        ui.horizontal_wrapped(|ui| {
            for (tab, label) in tabs_of(preview) {
                if ui.selectable_label(tab == shown, label).clicked() {
                    self.tab = Some(tab);
                }
            }
        });
    }

    fn show_file(
        &mut self,
        ui: &mut Ui,
        browser: &mut Browser,
        tab: Option<Tab>,
        window: &WindowView<'_>,
    ) -> (Option<BrowserReply>, Hole) {
        let (Some(preview), Some(tab)) = (browser.preview(), tab) else {
            let text = match browser.focus() {
                Some(_) if browser.preview().is_none() => marked("Reading ..."),
                Some(_) => marked("A folder: what is known of it is on the right."),
                None => {
                    marked("Choose a file on the left. Ctrl and Shift choose several to export.")
                }
            };
            ui.weak(tr(text));
            return (None, None);
        };
        match tab {
            Tab::Model => show_model(ui, window),
            Tab::Picture => {
                if let Some(index) = self.picture.show(ui, browser) {
                    browser.show_picture(index);
                }
                (None, None)
            }
            Tab::Sound => (sound::show(ui, preview, window), None),
            Tab::Text(index) => {
                texts::show(ui, &preview.texts[index]);
                (None, None)
            }
            Tab::Bytes => {
                self.bytes.show(ui, preview);
                (None, None)
            }
        }
    }
}

/// The ways in which a file can be looked at, the best first.
fn tabs_of(preview: &Preview) -> Vec<(Tab, String)> {
    let mut tabs = Vec::new();
    if preview.is_model() {
        tabs.push((Tab::Model, tr("model")));
    }
    if !preview.pictures.is_empty() {
        tabs.push((Tab::Picture, tr("picture")));
    }
    if preview.wave.is_some() {
        tabs.push((Tab::Sound, tr("sound")));
    }
    let texts = preview.texts.iter().enumerate();
    tabs.extend(texts.map(|(index, text)| (Tab::Text(index), tr(text.label))));
    if !preview.data.is_empty() {
        tabs.push((Tab::Bytes, tr("bytes")));
    }
    tabs
}

/// The part of the window that the model is drawn in, with its animations above.
fn show_model(ui: &mut Ui, window: &WindowView<'_>) -> (Option<BrowserReply>, Hole) {
    if let Some(note) = window.model_note {
        ui.label(tr(note));
        return (None, None);
    }
    let mut reply = None;
    if !window.animations.is_empty() {
        let rest = tr("rest");
        let name = |animation: Option<usize>| match animation {
            Some(index) => &*window.animations[index],
            None => &rest,
        };
        // The sky behind may be bright.
        let behind = Frame::new().fill(LIST_FILL).inner_margin(4.0);
        behind.show(ui, |ui| {
            egui::ComboBox::from_label(tr("Animations"))
                .selected_text(name(window.animation))
                .show_ui(ui, |ui| {
                    let all = (0..window.animations.len()).map(Some);
                    for animation in [None].into_iter().chain(all) {
                        let is_chosen = animation == window.animation;
                        if ui.selectable_label(is_chosen, name(animation)).clicked() {
                            reply = Some(BrowserReply::Animate(animation));
                        }
                    }
                });
        });
    }
    let size = ui.available_size().max(vec2(16.0, 16.0));
    let (place, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    if response.dragged() {
        let pixels = response.drag_delta() * ui.ctx().pixels_per_point();
        reply = Some(BrowserReply::Turn(pixels));
    }
    if response.hovered() {
        let notches = ui.input(|input| input.smooth_scroll_delta().y) / 50.0;
        if notches != 0.0 {
            reply = Some(BrowserReply::Near(notches));
        }
    }
    (reply, Some(place))
}

/// Arrows walk through the rows, Enter and the arrows to the sides open and close them.
fn take_keys(ui: &Ui, browser: &mut Browser, scrolls_to_focus: &mut bool) {
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    let page = 20;
    for (key, rows) in [
        (Key::ArrowDown, 1),
        (Key::ArrowUp, -1),
        (Key::PageDown, page),
        (Key::PageUp, -page),
    ] {
        if pressed(key) {
            browser.step(rows);
            *scrolls_to_focus = true;
        }
    }
    let Some(focus) = browser.focus() else {
        return;
    };
    let is_open = browser.tree.node(focus).is_open;
    if pressed(Key::Enter)
        || (pressed(Key::ArrowRight) && !is_open)
        || (pressed(Key::ArrowLeft) && is_open)
    {
        browser.toggle(focus);
    }
}
