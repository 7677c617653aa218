//! The start screen: levels to choose from, with pictures.
//!
//! In: what the library offers. Out: what the user wants ([`StartReply`]).

mod card;
mod pictures;
mod side;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{CentralPanel, Frame, Margin, Panel, RichText, ScrollArea, Sense, TextEdit, Ui, vec2};

pub use self::pictures::Pictures;
use super::theme::{LIST_FILL, SIDE_FILL};
use crate::library::{Entry, Shelf};
use crate::words::{marked, tr, tr_with};

/// Between cards, in logical points.
const GAP: f32 = 12.0;
/// Height of a shelf's title.
const TITLE_HEIGHT: f32 = 30.0;

/// What the start screen remembers between frames.
pub struct StartScreen {
    /// Only levels with this in their name, world or folder are shown.
    pub search: String,
    pub choice: Choice,
    /// A path that is being typed.
    typed_path: String,
    pub pictures: Pictures,
}

/// Which levels are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    All,
    /// Those of one folder.
    Shelf(PathBuf),
}

/// What the start screen shows.
pub struct StartView<'a> {
    pub shelves: &'a [Shelf],
    /// Levels that were opened last.
    pub recent: &'a [Entry],
    /// Whether more is to come.
    pub is_searching: bool,
    /// The level that was left, if it can be gone back to.
    pub back_to: Option<&'a str>,
    /// Whether a level to compare that one with is chosen.
    pub chooses_second: bool,
}

/// What the user wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartReply {
    Open(PathBuf),
    ChooseFile,
    ChooseFolder,
    /// A remembered folder is to be forgotten.
    Forget(PathBuf),
    /// All files of a folder or archive.
    Browse(PathBuf),
    /// Back to the level that was left.
    Back,
}

/// A line of the list.
enum Row<'a> {
    Title(&'a str, usize),
    Cards(&'a [&'a Entry]),
}

impl StartScreen {
    /// All levels, as their pictures come.
    pub fn new(pictures: Pictures) -> Self {
        Self {
            search: String::new(),
            choice: Choice::All,
            typed_path: String::new(),
            pictures,
        }
    }

    /// Shows the levels of one folder.
    pub fn choose(&mut self, path: &Path) {
        self.search.clear();
        self.choice = Choice::Shelf(path.to_owned());
    }

    /// How long the level at a path took to open, if that is known.
    pub fn opening_time(&self, path: &Path) -> Option<Duration> {
        self.pictures.opening_time(path)
    }

    /// Lays it all out.
    pub fn show(&mut self, ui: &mut Ui, view: &StartView<'_>) -> Option<StartReply> {
        self.pictures.begin_frame(ui.ctx());
        let margin = Margin::same(10);
        let side = Frame::new().fill(SIDE_FILL).inner_margin(margin);
        let of_side = Panel::left("places")
            .exact_size(side::width(ui.ctx().content_rect().width()))
            .resizable(false)
            .frame(side)
            .show(ui, |ui| side::show(ui, self, view))
            .inner;
        let of_list = CentralPanel::default()
            .frame(Frame::new().fill(LIST_FILL).inner_margin(margin))
            .show(ui, |ui| self.show_list(ui, view))
            .inner;
        self.pictures.end_frame();
        of_side.or(of_list)
    }

    fn show_list(&mut self, ui: &mut Ui, view: &StartView<'_>) -> Option<StartReply> {
        if let Some(name) = view.back_to.filter(|_| view.chooses_second) {
            let text = tr_with(
                "Choose a level to compare {name} with",
                &[("name", name.into())],
            );
            ui.label(RichText::new(text).strong().size(16.0));
            ui.add_space(6.0);
        }
        let search = TextEdit::singleline(&mut self.search)
            .hint_text(tr("Search levels, games and folders"))
            .desired_width(f32::INFINITY);
        ui.add(search);
        ui.add_space(6.0);
        let shelves = shown_shelves(view, &self.choice, &self.search);
        if shelves.iter().all(|(_, entries)| entries.is_empty()) {
            ui.label(self.why_nothing(view));
            return None;
        }
        // The bar of the list takes some, too.
        let room = ui.available_width() - ui.spacing().scroll.allocated_width() + GAP;
        let n_columns = (room / (card::WIDTH + GAP)).round().max(1.0);
        let card_width = room / n_columns - GAP;
        let mut opened = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(GAP, GAP);
            for row in rows(&shelves, n_columns as usize) {
                opened = self.show_row(ui, &row, card_width).or(opened.take());
            }
        });
        opened.map(StartReply::Open)
    }

    /// Lays out a row; what is scrolled away takes only its room.
    fn show_row(&mut self, ui: &mut Ui, row: &Row<'_>, card_width: f32) -> Option<PathBuf> {
        let height = match row {
            Row::Title(..) => TITLE_HEIGHT,
            Row::Cards(_) => card::size(card_width).y,
        };
        let width = ui.available_width();
        let (place, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        if !ui.is_rect_visible(place) {
            return None;
        }
        match row {
            Row::Title(title, n_levels) => {
                let text = RichText::new(tr(title)).strong().size(16.0);
                let at = egui::Rect::from_min_size(place.min, vec2(width, height));
                ui.scope_builder(egui::UiBuilder::new().max_rect(at), |ui| {
                    ui.horizontal_centered(|ui| {
                        ui.label(text);
                        ui.weak(n_levels.to_string());
                    });
                });
                None
            }
            Row::Cards(entries) => {
                let mut opened = None;
                for (column, entry) in entries.iter().enumerate() {
                    let shift = vec2(column as f32 * (card_width + GAP), 0.0);
                    let picture = self.pictures.of(&entry.path);
                    if card::show(ui, (place.min + shift, card_width), entry, picture) {
                        opened = Some(entry.path.clone());
                    }
                }
                opened
            }
        }
    }

    fn why_nothing(&self, view: &StartView<'_>) -> String {
        if view.is_searching {
            tr("Looking for levels ...")
        } else if self.search.trim().is_empty() {
            tr(
                "No levels yet. Add the folder of a game, or drop a level, folder, archive or ZIP file on this window.",
            )
        } else {
            tr("No level has this in its name, game or folder.")
        }
    }
}

/// The titles that are shown, each with the levels that are searched for.
fn shown_shelves<'a>(
    view: &StartView<'a>,
    choice: &Choice,
    search: &str,
) -> Vec<(&'a str, Vec<&'a Entry>)> {
    let search = search.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&search);
    let is_found =
        |entry: &&Entry| has(&entry.name) || has(entry.world) || has(&entry.path.to_string_lossy());
    let of =
        |title: &'a str, entries: &'a [Entry]| (title, entries.iter().filter(is_found).collect());
    let recent = (*choice == Choice::All).then(|| of(marked("Recent"), view.recent));
    let is_chosen = |shelf: &&Shelf| match choice {
        Choice::All => true,
        Choice::Shelf(path) => shelf.path == *path,
    };
    let shelves = view.shelves.iter().filter(is_chosen);
    let shelves = shelves.map(|shelf| of(&shelf.title, &shelf.entries));
    recent.into_iter().chain(shelves).collect()
}

fn rows<'a>(shelves: &'a [(&'a str, Vec<&'a Entry>)], n_columns: usize) -> Vec<Row<'a>> {
    let filled = shelves.iter().filter(|(_, entries)| !entries.is_empty());
    let of_shelf = |(title, entries): &'a (&'a str, Vec<&'a Entry>)| {
        let cards = entries.chunks(n_columns).map(Row::Cards);
        [Row::Title(title, entries.len())].into_iter().chain(cards)
    };
    filled.flat_map(of_shelf).collect()
}
