//! What is done with a camera path of the user's own: playing, saving, loading.

use std::path::PathBuf;

use super::App;
use crate::console::output::{Existing, write_file};
use crate::error::AppError;
use crate::hud::DraftWish;
use crate::path_draft::PathDraft;
use crate::path_flight::PathFlight;

impl App {
    /// Does what is wanted of the path.
    pub(super) fn grant_draft_wish(&mut self) {
        match self.options.draft.wish.take() {
            None => {}
            Some(DraftWish::Play) => self.play_draft(),
            Some(DraftWish::Save) => {
                let text = match self.save_draft() {
                    Ok(paths) => format!("written: {}", paths.join(", ")),
                    Err(error) => error.chain(),
                };
                self.show_message(text);
            }
            Some(DraftWish::Load) => {
                let path = self.draft_file("json");
                match PathDraft::load(&path) {
                    Ok(draft) => self.options.draft.draft = draft,
                    Err(error) => self.show_message(error.chain()),
                }
            }
        }
    }

    fn play_draft(&mut self) {
        let panel = &self.options.draft;
        if let Some(path) = panel.draft.path(&panel.name) {
            self.options.path = Some(PathFlight::new(path));
        }
    }

    /// Writes the keys as JSON, and the path in every form that a world has for one. Existing files stay.
    fn save_draft(&self) -> Result<Vec<String>, AppError> {
        let panel = &self.options.draft;
        let mut files = vec![(self.draft_file("json"), panel.draft.to_json().into_bytes())];
        if let Some(path) = panel.draft.path(&panel.name) {
            let kinds = self.registry.kinds();
            let written = kinds.filter_map(|kind| kind.write_camera_path(&path));
            files.extend(written.map(|(extension, bytes)| (self.draft_file(extension), bytes)));
        }
        for (path, bytes) in &files {
            write_file(path, Existing::Keep, bytes)?;
        }
        Ok(files
            .iter()
            .map(|(path, _)| path.display().to_string())
            .collect())
    }

    fn draft_file(&self, extension: &str) -> PathBuf {
        PathBuf::from(format!("{}.{extension}", self.options.draft.name))
    }
}
