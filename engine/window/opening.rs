//! Opening another level or model while one is flown, in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::background::Background;
use crate::error::AppError;
use crate::flight::Flight;
use crate::hud::Refusal;
use crate::level::LoadedLevel;
use crate::settings::Settings;

/// A level or model, and how it is flown at first.
pub struct Loaded {
    pub level: LoadedLevel,
    pub flight: Flight,
}

/// Opens a path as a level or model with the settings of the moment, on whatever thread.
pub type Open = Arc<dyn Fn(&Path, &Settings) -> Result<Loaded, AppError> + Send + Sync>;

/// What is being opened.
pub struct Opening {
    open: Open,
    /// The path, and since when.
    path: Option<(PathBuf, Instant)>,
    work: Background<Result<Box<Loaded>, Refusal>>,
}

impl Opening {
    /// Nothing is opened yet; `open` is how it will be.
    pub fn new(open: Open) -> Self {
        Self {
            open,
            path: None,
            work: Background::default(),
        }
    }

    /// How paths are opened.
    pub fn how(&self) -> Open {
        Arc::clone(&self.open)
    }

    /// Begins to open a path, instead of what is being opened now.
    pub fn begin(&mut self, path: PathBuf, settings: Settings) {
        let open = self.how();
        self.path = Some((path.clone(), Instant::now()));
        self.work = Background::default();
        self.work.spawn(move |_| match open(&path, &settings) {
            Ok(loaded) => Ok(Box::new(loaded)),
            Err(error) => Err(Refusal::new(&error)),
        });
    }

    /// What was opened, or why it was not, once that is known.
    pub fn fetch(&mut self) -> Option<Result<Box<Loaded>, Refusal>> {
        let result = self.work.fetch()?;
        self.path = None;
        Some(result)
    }

    /// What is being opened, for how long.
    pub fn text(&self) -> Option<String> {
        let (path, since) = self.path.as_ref()?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        let secs = since.elapsed().as_secs();
        Some(format!("Opening {} ({secs} s)", name.to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening() -> Opening {
        Opening::new(Arc::new(|path: &Path, _: &Settings| {
            Err(AppError::Unread {
                path: path.to_owned(),
            })
        }))
    }

    #[test]
    fn the_last_of_several_is_opened() {
        let mut opening = opening();
        assert!(opening.text().is_none() && opening.fetch().is_none());
        opening.begin("maps/first".into(), Settings::default());
        opening.begin("maps/second".into(), Settings::default());
        let text = opening.text().unwrap_or_default();
        assert!(text.starts_with("Opening second"), "{text}");
        let result = opening.work.wait().expect("one result");
        let refusal = result.err().expect("it is refused");
        assert!(refusal.text.contains("maps/second"), "{}", refusal.text);
        assert!(opening.work.wait().is_none(), "the first is discarded");
    }
}
