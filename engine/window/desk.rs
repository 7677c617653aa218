//! What the start screen and every flight share: what can be opened, what is being opened, and the user's settings.

use std::path::{Path, PathBuf};

use super::opening::Opening;
use super::screen::ScreenOptions;
use super::{Loaded, Means};
use crate::browser::Browser;
use crate::dialogs::{DialogKind, Dialogs};
use crate::error::AppError;
use crate::gamepad::Gamepads;
use crate::hud::{BrowserScreen, Pictures, Refusal, StartScreen};
use crate::input::load_keymap;
use crate::kind::Registry;
use crate::library::{Entry, Library};
use crate::settings::Settings;
use crate::thumbnails::Thumbnails;

/// As long as the window.
pub struct Desk {
    pub registry: Registry,
    pub library: Library,
    pub start: StartScreen,
    pub opening: Opening,
    /// Whether the next level is shown beside the one that was left, rather than flown.
    pub chooses_second: bool,
    /// What was browsed last.
    pub browser: Option<Browser>,
    pub browser_screen: BrowserScreen,
    pub dialogs: Dialogs,
    pub gamepads: Gamepads,
    /// Why the last path could not be opened, until that was read.
    pub refusal: Option<Refusal>,
    /// The settings of the moment.
    pub settings: Settings,
    /// The settings as they are kept.
    kept_settings: Settings,
    pub screen_options: ScreenOptions,
}

impl Desk {
    /// Nothing is opened yet.
    pub fn new(means: Means) -> Self {
        let Means {
            open,
            photograph,
            registry,
            screen,
            settings,
        } = means;
        load_keymap();
        settings.set_language();
        Self {
            library: Library::open(&registry),
            registry,
            start: StartScreen::new(Pictures::new(Thumbnails::new(photograph))),
            opening: Opening::new(open),
            chooses_second: false,
            browser: None,
            browser_screen: BrowserScreen::default(),
            dialogs: Dialogs::default(),
            gamepads: Gamepads::default(),
            refusal: None,
            settings,
            kept_settings: settings,
            screen_options: screen,
        }
    }

    /// Opens a path in the background; what is shown continues until that is done.
    pub fn open(&mut self, path: PathBuf) {
        self.refusal = None;
        let expected = self.start.opening_time(&path);
        self.opening.begin(path, self.settings, expected);
    }

    /// Does with a path what its dialog is for, once one is chosen.
    pub fn take_chosen(&mut self) {
        match self.dialogs.fetch() {
            Some((DialogKind::File, path)) => self.open(path),
            Some((DialogKind::Folder, path)) => {
                self.library.remember(&path);
                self.start.choose(&path);
            }
            Some((DialogKind::ExportFolder, path)) => self.browser_screen.set_export_folder(path),
            None => {}
        }
    }

    /// Browses files from now on; those that were browsed before as they were left.
    pub fn browse(&mut self, root: &Path, wanted: Option<PathBuf>) {
        match &mut self.browser {
            Some(browser) if browser.root() == root => {
                if let Some(wanted) = wanted {
                    browser.go_to(&wanted);
                    self.browser_screen.forget_file();
                }
            }
            _ => {
                self.browser = Some(Browser::new(root, wanted, &self.registry));
                self.browser_screen.forget_file();
            }
        }
    }

    /// Says why something cannot be opened.
    pub fn refuse(&mut self, refusal: Refusal) {
        log::error!("{}", refusal.text);
        self.refusal = Some(refusal);
    }

    /// Offers the levels that were found at a path.
    pub fn offer(&mut self, path: &Path, entries: Vec<Entry>) {
        self.library.show(path, entries);
        self.start.choose(path);
    }

    /// A level is flown from now on.
    pub fn note_opened(&mut self, loaded: &Loaded) {
        self.library.note_opened(&loaded.level.path);
        self.start.pictures.pause();
    }

    /// Writes the settings if they have changed.
    ///
    /// # Errors
    /// They cannot be written; that is reported once.
    pub fn keep_settings(&mut self) -> Result<(), AppError> {
        if self.settings == self.kept_settings {
            return Ok(());
        }
        self.kept_settings = self.settings;
        if let Some(path) = self.kept_settings.save()? {
            log::info!("settings kept in {}", path.display());
        }
        Ok(())
    }
}
