//! RES archives of Evil Islands: new ones, and files put into those that are there.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use ironlands::assets_loader::evil_islands::res::{
    NamesOrder, NestedArchives, Others, ResArchive, Tolerance, is_archive_name,
};
use ironlands::output::{Existing, write_file};

use super::{Names, PackArgs, broken, files_below, print_removed, print_sum, read};
use crate::Verdict;
use crate::error::AppError;
use crate::headless::check_interrupt;

/// Writes the archive and prints what it holds.
///
/// # Errors
/// If the archive that is read is broken, or a name cannot be in one.
pub(super) fn run(
    args: &PackArgs,
    existing: Existing,
    answer: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let shape = args.archive.as_deref().unwrap_or(&args.to);
    let name = shape.file_name().unwrap_or_default().to_string_lossy();
    if args.archive.is_none() && !is_archive_name(&name) {
        return Err(AppError::NotExchanged {
            path: args.to.clone(),
            expected: ".res, .mpr, .mq, .mod, .bon or .anm where neither --map nor --archive is given",
        });
    }
    if args.replace_all && args.archive.is_none() {
        return Err(AppError::StrayOption(
            "--replace-all needs --map or --archive: a new archive has nothing to replace",
        ));
    }
    let mut archive = args.base()?;
    let names_before = names_in(&archive, &name);
    let files = files_below(&args.folder)?;
    let others = match args.replace_all {
        true => Others::Remove,
        false => Others::Keep,
    };
    let failed = |source| broken(shape, source);
    archive.put_files(&name, &files, others).map_err(failed)?;
    if args.share {
        archive.share_equal_data();
    }
    check_interrupt()?;
    let bytes = archive.write().map_err(failed)?;
    write_file(&args.to, existing, &bytes)?;
    let names_after = names_in(&archive, &name);
    let removed = names_before.difference(&names_after).map(String::as_str);
    let n_removed = print_removed(removed, answer)?;
    let content = format!("{} entries, {} files", archive.entries.len(), files.len());
    print_sum(args, &content, n_removed, answer)?;
    Ok(Verdict::Done)
}

/// Names of all files, also of those in archives in the archive.
fn names_in(archive: &ResArchive, file_name: &str) -> BTreeSet<String> {
    let files = archive.files(file_name, NestedArchives::Unpack);
    files.into_iter().map(|file| file.name).collect()
}

impl PackArgs {
    /// The archive that files are put into.
    fn base(&self) -> Result<ResArchive, AppError> {
        if let Some(path) = &self.archive {
            return open(path);
        }
        let names = match self.names {
            Names::Insertion => NamesOrder::Insertion,
            Names::Slots => NamesOrder::Slots,
        };
        Ok(ResArchive::draft(Vec::new(), names))
    }
}

fn open(path: &Path) -> Result<ResArchive, AppError> {
    ResArchive::read_with(&read(path)?, Tolerance::all()).map_err(|source| broken(path, source))
}
