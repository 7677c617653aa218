//! Exporting what is selected in a browser: into a folder, in one form, and files are replaced only if that is wanted.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::listing::paths_in;
use crate::assets::format::{AnyFormat, ArchiveOptions};
use crate::assets::vfs;
use crate::background::Background;
use crate::commands::{export_files, read_game_file};
use crate::console::error_chain;
use crate::console::output::{Existing, make_folder_of, write_files};
use crate::kind::Registry;
use crate::library::is_level;

/// Problems that are listed; further ones are counted.
const MAX_PROBLEMS: usize = 100;

/// What is to be exported.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    /// Files and members; of folders and archives all that is in them.
    pub paths: Vec<PathBuf>,
    /// What the paths below the output folder begin after.
    pub root: PathBuf,
    /// Extension of the form; `None` for the bytes themselves.
    pub form: Option<&'static str>,
    pub to: PathBuf,
    pub existing: Existing,
}

/// How far an export is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    pub n_done: usize,
    pub n_all: usize,
}

/// What an export did.
#[derive(Debug, Clone, Default)]
struct Outcome {
    n_written: usize,
    /// Files that do not come in this form.
    n_other: usize,
    n_failed: usize,
    problems: Vec<String>,
}

/// An export, running or done.
pub struct ExportJob {
    pub request: ExportRequest,
    n_done: Arc<AtomicUsize>,
    n_all: Arc<AtomicUsize>,
    work: Background<Outcome>,
    outcome: Option<Outcome>,
}

/// Extensions of what a file, model or level can be exported as, beside its own bytes.
pub fn forms_of(
    path: &Path,
    format: Option<&'static dyn AnyFormat>,
    registry: &Registry,
) -> Vec<&'static str> {
    let mut forms: Vec<&'static str> = Vec::new();
    let conversions = format.map_or(&[][..], |format| format.conversions());
    let exported = conversions.iter().filter(|it| it.export.is_some());
    forms.extend(exported.map(|conversion| conversion.extension));
    if is_level(path, registry) {
        forms.push("glb");
        if let Ok((kind, _)) = registry.find_level(path) {
            let exports = kind.level_exports().iter().filter(|it| it.is_of(path));
            forms.extend(exports.map(|it| it.extension));
        }
    } else if !path.is_dir()
        && let Ok(kind) = registry.find_model(path)
    {
        forms.extend(kind.model_exports().iter().map(|it| it.extension));
    }
    let mut seen = HashSet::new();
    forms.retain(|form| seen.insert(*form));
    forms
}

impl ExportJob {
    /// Begins to export on another thread.
    pub fn begin(request: ExportRequest, registry: &Registry) -> Self {
        let [n_done, n_all] = [(); 2].map(|()| Arc::<AtomicUsize>::default());
        let mut work = Background::default();
        let job = Worker {
            request: request.clone(),
            registry: registry.clone(),
            n_done: Arc::clone(&n_done),
            n_all: Arc::clone(&n_all),
        };
        work.spawn(move |is_unwanted| job.run(is_unwanted));
        Self {
            request,
            n_done,
            n_all,
            work,
            outcome: None,
        }
    }

    /// Takes the outcome, once there is one.
    pub fn update(&mut self) {
        if let Some(outcome) = self.work.fetch() {
            self.outcome = Some(outcome);
        }
    }

    pub fn is_done(&self) -> bool {
        self.outcome.is_some()
    }

    pub fn progress(&self) -> Progress {
        Progress {
            n_done: self.n_done.load(Ordering::Relaxed),
            n_all: self.n_all.load(Ordering::Relaxed),
        }
    }

    /// What it did, in a sentence.
    pub fn result(&self) -> Option<String> {
        let outcome = self.outcome.as_ref()?;
        let mut text = format!(
            "{} files written to {}",
            outcome.n_written,
            self.request.to.display()
        );
        if outcome.n_other > 0 {
            text = format!("{text}; {} do not come in this form", outcome.n_other);
        }
        if outcome.n_failed > 0 {
            text = format!("{text}; {} failed", outcome.n_failed);
        }
        Some(text)
    }

    /// What went wrong, the first of it.
    pub fn problems(&self) -> &[String] {
        self.outcome
            .as_ref()
            .map_or(&[], |outcome| &outcome.problems)
    }
}

/// What runs on the other thread.
struct Worker {
    request: ExportRequest,
    registry: Registry,
    n_done: Arc<AtomicUsize>,
    n_all: Arc<AtomicUsize>,
}

impl Worker {
    fn run(&self, is_unwanted: &AtomicBool) -> Outcome {
        let paths = self.all_paths();
        self.n_all.store(paths.len(), Ordering::Relaxed);
        let mut outcome = Outcome::default();
        for path in &paths {
            if is_unwanted.load(Ordering::Relaxed) {
                break;
            }
            match self.export(path) {
                Ok(0) => outcome.n_other += 1,
                Ok(n_files) => outcome.n_written += n_files,
                Err(problem) => {
                    outcome.n_failed += 1;
                    if outcome.problems.len() < MAX_PROBLEMS {
                        outcome.problems.push(problem);
                    }
                }
            }
            self.n_done.fetch_add(1, Ordering::Relaxed);
        }
        outcome
    }

    /// The files and members that are meant.
    fn all_paths(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        for path in &self.request.paths {
            self.add_below(path, &mut all);
        }
        all
    }

    fn add_below(&self, path: &Path, all: &mut Vec<PathBuf>) {
        let is_exported_whole = self.request.form.is_some() && is_level(path, &self.registry);
        if is_exported_whole {
            return all.push(path.to_owned());
        }
        if path.is_dir() {
            for path in paths_in(path).unwrap_or_default() {
                self.add_below(&path, all);
            }
            return;
        }
        let formats = self.registry.formats();
        let is_chosen_alone = self.request.paths.len() == 1 && self.request.form.is_none();
        // Chosen alone and as it is, an archive is one file.
        let archive = (path.is_file() && !is_chosen_alone)
            .then(|| formats.open_archive(path, ArchiveOptions::default()));
        match archive {
            Some(Ok(archive)) => {
                let entries = archive.entries().iter();
                let names = entries.filter_map(|entry| entry.path.as_deref().ok());
                all.extend(names.map(|name| path.join(name)));
            }
            _ if path.exists() || vfs::path_in_archive(path).is_some() => {
                self.add_member_or_file(path, all);
            }
            _ => {}
        }
    }

    /// A member, or all members below a folder in an archive.
    fn add_member_or_file(&self, path: &Path, all: &mut Vec<PathBuf>) {
        let in_archive = vfs::path_in_archive(path);
        let Some((file, inner)) = in_archive else {
            return all.push(path.to_owned());
        };
        let formats = self.registry.formats();
        let Ok(archive) = formats.open_archive(file, ArchiveOptions::default()) else {
            return all.push(path.to_owned());
        };
        let inner = inner.to_string_lossy().replace('\\', "/");
        let folder = format!("{inner}/");
        let entries = archive.entries().iter();
        let names = entries.filter_map(|entry| entry.path.as_deref().ok());
        let below: Vec<_> = names.filter(|name| name.starts_with(&folder)).collect();
        match below.as_slice() {
            [] => all.push(path.to_owned()),
            below => all.extend(below.iter().map(|name| file.join(name))),
        }
    }

    /// Writes one file in the form; 0 if it does not come in it.
    fn export(&self, path: &Path) -> Result<usize, String> {
        let Some(to) = self.output_path(path) else {
            return Err(format!("{} has no name to write", path.display()));
        };
        let formats = self.registry.formats();
        let files = match self.request.form {
            None => {
                let data = read_game_file(path, formats).map_err(|error| error.chain())?;
                vec![(to, data)]
            }
            Some(form) => {
                let head = vfs::read_head(path, 8).unwrap_or_default();
                let format = formats
                    .recognize_entry(path)
                    .or_else(|| formats.recognize(path, &head, u64::MAX))
                    .or_else(|| formats.convertible(path));
                if !forms_of(path, format, &self.registry).contains(&form) {
                    return Ok(0);
                }
                make_folder_of(&to).map_err(|error| error.to_string())?;
                let files = export_files(path, &to, self.request.existing, &self.registry);
                files.map_err(|error| error.chain())?
            }
        };
        if let Some((first, _)) = files.first() {
            make_folder_of(first).map_err(|error| error.to_string())?;
        }
        let written = write_files(&files, self.request.existing);
        written.map_err(|error| error_chain(&error))?;
        Ok(files.len())
    }

    /// Below the output folder as below the root, with the form's extension behind the name.
    fn output_path(&self, path: &Path) -> Option<PathBuf> {
        let below = path.strip_prefix(&self.request.root).ok()?;
        let below = match below.as_os_str().is_empty() {
            true => Path::new(path.file_name()?),
            false => below,
        };
        let mut to = self.request.to.join(below);
        if let Some(form) = self.request.form {
            let mut name = to.file_name()?.to_owned();
            name.push(".");
            name.push(form);
            to.set_file_name(name);
        }
        Some(to)
    }
}
