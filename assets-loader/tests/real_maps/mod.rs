//! Trials over real maps, which are not ours: where they are, and one trial for each check of each of them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};

/// A check of an opened file, with its name.
pub type Check<S> = (&'static str, fn(&S) -> Result<(), Failed>);

/// Runs every check on every Source map, as [`run_in`] does.
#[allow(dead_code, reason = "each world's tests use one of the two")]
pub fn run<E: Sync, S: Send + Sync + 'static>(
    files: &'static [E],
    name_of: fn(&E) -> &'static str,
    open: fn(&'static E, &Path) -> Result<S, String>,
    checks: &'static [Check<S>],
) -> ExitCode {
    run_in("source", files, name_of, open, checks)
}

/// Runs every check on every file of a world, which is opened once; all are listed as ignored where its folder of
/// real files is not there.
pub fn run_in<E: Sync, S: Send + Sync + 'static>(
    world: &'static str,
    files: &'static [E],
    name_of: fn(&E) -> &'static str,
    open: fn(&'static E, &Path) -> Result<S, String>,
    checks: &'static [Check<S>],
) -> ExitCode {
    let mut trials = Vec::new();
    for file in files {
        let subject = Arc::new(OnceLock::new());
        for (check_name, check) in checks {
            let subject = Arc::clone(&subject);
            let run = move || {
                let subject = subject.get_or_init(|| {
                    let folder = folder(world).ok_or("no data")?;
                    open(file, &folder.join(name_of(file)))
                });
                check(subject.as_ref().map_err(Failed::from)?)
            };
            let trial = Trial::test(format!("{}::{check_name}", name_of(file)), run);
            trials.push(match folder(world) {
                Some(_) => trial,
                None => trial
                    .with_kind("no such folder under IRONLANDS_DATA or ../shared/data")
                    .with_ignored_flag(true),
            });
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// `IRONLANDS_DATA` that names no such folder is a mistake, so it is returned and reading it fails.
fn folder(world: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("IRONLANDS_DATA") {
        return Some(Path::new(&folder).join(world));
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let beside = data.join(world);
    beside.is_dir().then_some(beside)
}
