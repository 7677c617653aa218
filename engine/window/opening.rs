//! Opening a level or model in the background, while another one is flown or the start screen is shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::background::Background;
use crate::error::AppError;
use crate::flight::Flight;
use crate::hud::{Progress, Refusal};
use crate::level::LoadedLevel;
use crate::library::Entry;
use crate::settings::Settings;

/// A level or model, and how it is flown at first.
pub struct Loaded {
    pub level: LoadedLevel,
    pub flight: Flight,
}

/// What a path was opened as.
pub enum Opened {
    /// A level or model.
    One(Box<Loaded>),
    /// Several of them to choose from, at this path.
    Several(PathBuf, Vec<Entry>),
    /// Files to be browsed, with the one that is to be looked at.
    Files {
        root: PathBuf,
        wanted: Option<PathBuf>,
    },
}

/// Opens a path with the settings of the moment, on whatever thread; ends early once its flag is set.
pub type Open =
    Arc<dyn Fn(&Path, &Settings, &AtomicBool) -> Result<Opened, AppError> + Send + Sync>;

/// What is being opened.
pub struct Opening {
    open: Open,
    begun: Option<Begun>,
    work: Background<Result<Opened, Refusal>>,
}

struct Begun {
    path: PathBuf,
    since: Instant,
    /// How long it took before, if that is known.
    expected: Option<Duration>,
}

impl Opening {
    /// Nothing is opened yet; `open` is how it will be.
    pub fn new(open: Open) -> Self {
        Self {
            open,
            begun: None,
            work: Background::default(),
        }
    }

    /// Another one that opens in the same way.
    pub fn sibling(&self) -> Self {
        Self::new(Arc::clone(&self.open))
    }

    /// Begins to open a path, instead of what is being opened now.
    pub fn begin(&mut self, path: PathBuf, settings: Settings, expected: Option<Duration>) {
        let open = Arc::clone(&self.open);
        self.begun = Some(Begun {
            path: path.clone(),
            since: Instant::now(),
            expected,
        });
        self.work = Background::default();
        self.work.spawn(move |is_unwanted| {
            open(&path, &settings, is_unwanted).map_err(|error| Refusal::new(&error))
        });
    }

    /// Opens nothing any more; false if nothing was being opened.
    pub fn stop(&mut self) -> bool {
        self.work = Background::default();
        self.begun.take().is_some()
    }

    /// What was opened, or why it was not, once that is known.
    pub fn fetch(&mut self) -> Option<Result<Opened, Refusal>> {
        let result = self.work.fetch()?;
        self.begun = None;
        Some(result)
    }

    /// What is being opened, and how far that is.
    pub fn progress(&self) -> Option<Progress> {
        let begun = self.begun.as_ref()?;
        let name = begun.path.file_name().unwrap_or(begun.path.as_os_str());
        let since = begun.since.elapsed();
        Some(Progress {
            name: name.to_string_lossy().into_owned(),
            since,
            share: (begun.expected)
                .map(|expected| since.as_secs_f32() / expected.as_secs_f32().max(0.001)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening() -> Opening {
        Opening::new(Arc::new(|path: &Path, _: &Settings, _: &AtomicBool| {
            Err(AppError::Unread {
                path: path.to_owned(),
            })
        }))
    }

    #[test]
    fn the_last_of_several_is_opened() {
        let mut opening = opening();
        assert!(opening.progress().is_none() && opening.fetch().is_none());
        opening.begin("maps/first".into(), Settings::default(), None);
        let second = "maps/second";
        opening.begin(
            second.into(),
            Settings::default(),
            Some(Duration::from_secs(1_000_000)),
        );
        let progress = opening.progress().expect("it has begun");
        assert_eq!(progress.name, "second");
        assert!(
            progress.share.is_some_and(|share| share < 0.01),
            "{progress:?}"
        );
        let result = opening.work.wait().expect("one result");
        let refusal = result.err().expect("it is refused");
        assert!(refusal.text.contains(second), "{}", refusal.text);
        assert!(opening.work.wait().is_none(), "the first is discarded");
    }

    #[test]
    fn what_is_stopped_gives_no_result() {
        let mut opening = opening();
        assert!(!opening.stop());
        opening.begin("maps/first".into(), Settings::default(), None);
        assert!(opening.stop());
        assert!(opening.work.wait().is_none() && opening.progress().is_none());
    }
}
