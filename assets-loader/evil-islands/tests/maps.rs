//! Real maps of Evil Islands: all files `*.mob` that are found.
//!
//! They are not ours and are not in the repository. They are looked for in `evil-islands` below `IRONLANDS_DATA`, else in
//! `../shared/data/evil-islands` beside the checkout; where there are none, one trial is listed as *ignored*.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ironlands_assets_evil_islands::mob::{Mob, Tolerance};
use ironlands_real_data as real_data;
use libtest_mimic::{Failed, Trial};

/// Folders in folders beyond this are not entered.
const MAX_DEPTH: usize = 8;

fn main() -> ExitCode {
    let mut maps = Vec::new();
    if let Some(folder) = real_data::find("evil-islands") {
        find_maps(&folder, 0, &mut maps);
    }
    type Check = fn(&[u8]) -> Result<(), Failed>;
    let checks: [(&str, Check); 2] = [("rewritten", rewritten), ("through JSON", through_json)];
    let trial = |path: &PathBuf, (name, check): (&str, Check)| {
        let path = path.clone();
        let name = format!("{}: {name}", path.display());
        Trial::test(name, move || check(&std::fs::read(&path)?))
    };
    let trials = maps
        .iter()
        .flat_map(|path| checks.map(|check| trial(path, check)));
    let mut trials: Vec<Trial> = trials.collect();
    if trials.is_empty() {
        let absent = Trial::test("maps", || Ok(()))
            .with_kind("no map under IRONLANDS_DATA or ../shared/data")
            .with_ignored_flag(true);
        trials.push(absent);
    }
    real_data::run(trials)
}

fn find_maps(folder: &Path, depth: usize, maps: &mut Vec<PathBuf>) {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && depth < MAX_DEPTH {
            find_maps(&path, depth + 1, maps);
        } else if path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("mob"))
        {
            maps.push(path);
        }
    }
}

/// The original editor may write sizes that do not fit, so all that the dossier tolerates is.
fn read(bytes: &[u8]) -> Result<Mob, Failed> {
    let tolerance = Tolerance::all() - Tolerance::OTHER_ROOT - Tolerance::DEEP;
    let (mob, _) = Mob::read_with(bytes, tolerance)?;
    Ok(mob)
}

fn rewritten(bytes: &[u8]) -> Result<(), Failed> {
    same(&read(bytes)?.write()?, bytes)
}

fn through_json(bytes: &[u8]) -> Result<(), Failed> {
    let json = read(bytes)?.to_json()?;
    same(&Mob::from_json(&json)?.write()?, bytes)
}

fn same(written: &[u8], bytes: &[u8]) -> Result<(), Failed> {
    match written == bytes {
        true => Ok(()),
        false => Err("the written bytes differ".into()),
    }
}
