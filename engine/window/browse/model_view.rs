//! Follows the file that is looked at, and opens the model that it is.

use std::path::PathBuf;

use super::turning_model::TurningModel;
use crate::browser::Preview;
use crate::error::AppError;
use crate::settings::Settings;
use crate::window::opening::{Opened, Opening};
use crate::window::screen::Screen;
use crate::words::{line, marked, tr};

/// What is said until it is there.
const OPENING: &str = marked("Opening ...");

/// The model, if the file that is looked at is one.
pub struct ModelView {
    opening: Opening,
    /// What is shown, or is to be.
    path: Option<PathBuf>,
    shown: Option<TurningModel>,
    problem: Option<String>,
}

impl ModelView {
    /// Nothing is shown yet; `opening` is how it will be opened.
    pub fn new(opening: Opening) -> Self {
        Self {
            opening,
            path: None,
            shown: None,
            problem: None,
        }
    }

    /// Opens the file that is looked at, if it is a model.
    pub fn follow(&mut self, preview: Option<&Preview>, settings: Settings) {
        let model = preview.filter(|preview| preview.is_model());
        let path = model.map(|preview| &preview.path);
        if path == self.path.as_ref() {
            return;
        }
        self.path = path.cloned();
        (self.shown, self.problem) = (None, None);
        self.opening.stop();
        if let Some(path) = path {
            self.opening.begin(path.clone(), settings, None);
        }
    }

    /// Takes what was opened to the device.
    ///
    /// # Errors
    /// The device has no room for it.
    pub fn update(&mut self, screen: &mut Screen) -> Result<(), AppError> {
        match self.opening.fetch() {
            None => {}
            Some(Ok(Opened::One(loaded))) if loaded.level.model_bounds.is_some() => {
                screen.show_level(&loaded.level)?;
                self.shown = Some(TurningModel::new(loaded));
            }
            Some(Ok(_)) => self.problem = Some(tr("It is no single model.")),
            Some(Err(refusal)) => self.problem = Some(line(&refusal.text)),
        }
        if self.shown.is_none() {
            screen.put_level(None);
        }
        Ok(())
    }

    pub fn is_opening(&self) -> bool {
        self.opening.progress().is_some()
    }

    /// What is said in place of the model.
    pub fn note(&self) -> Option<&str> {
        match (&self.shown, &self.problem) {
            (Some(_), _) => None,
            (None, Some(problem)) => Some(problem),
            (None, None) => Some(OPENING),
        }
    }

    /// What is shown.
    pub fn shown(&self) -> Option<&TurningModel> {
        self.shown.as_ref()
    }

    /// Changes what is shown, if there is anything.
    pub fn change(&mut self, change: impl FnOnce(&mut TurningModel)) {
        if let Some(shown) = &mut self.shown {
            change(shown);
        }
    }
}
