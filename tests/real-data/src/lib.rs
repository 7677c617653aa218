//! Real files, which are not ours and not in the repository: where they lie, and trials over them.
//!
//! They are looked for in the folder that `IRONLANDS_DATA` names, else in `../shared/data` beside the checkout. Where
//! they are absent, trials are listed as *ignored*.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};

/// Where a file or folder lies below the folder of real data; `None` if it is not there.
///
/// If `IRONLANDS_DATA` is set, what it lacks is a mistake: its path is returned, so that reading it fails.
pub fn find(name: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("IRONLANDS_DATA") {
        return Some(Path::new(&folder).join(name));
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    Some(data.join(name)).filter(|path| path.exists())
}

/// A trial that is listed as ignored where the file or folder that it needs is not there.
pub fn trial(
    name: impl Into<String>,
    needs: &str,
    run: impl FnOnce(&Path) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    match find(needs) {
        Some(path) => Trial::test(name, move || run(&path)),
        None => Trial::test(name, || Ok(()))
            .with_kind(format!("no {needs} under IRONLANDS_DATA or ../shared/data"))
            .with_ignored_flag(true),
    }
}

/// Runs trials with the arguments of the command line.
pub fn run(trials: impl IntoIterator<Item = Trial>) -> ExitCode {
    let trials = trials.into_iter().collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A check of an opened file, with its name.
pub type Check<S> = (&'static str, fn(&S) -> Result<(), Failed>);

/// Runs every check on every file of a folder; each file is opened once.
pub fn run_checks<E: Sync, S: Send + Sync + 'static>(
    folder: &'static str,
    files: &'static [E],
    name_of: fn(&E) -> &'static str,
    open: fn(&'static E, &Path) -> Result<S, String>,
    checks: &'static [Check<S>],
) -> ExitCode {
    run(files.iter().flat_map(|file| {
        let subject = Arc::new(OnceLock::new());
        checks.iter().map(move |(check_name, check)| {
            let subject = Arc::clone(&subject);
            let name = format!("{}::{check_name}", name_of(file));
            trial(name, folder, move |folder| {
                let subject = subject.get_or_init(|| open(file, &folder.join(name_of(file))));
                check(subject.as_ref().map_err(Failed::from)?)
            })
        })
    }))
}
