//! `ironlands extract ARCHIVE --to DIR`: extracts files from an archive.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::assets::format::{ArchiveEntry, ArchiveOptions};
use crate::console::output::{Existing, OutputError, make_folder_of, write_one_of_many};
use clap::Args;
use rayon::prelude::*;

use crate::console::input_path;
use crate::console::plain;
use crate::console::progress;
use crate::error::AppError;
use crate::headless::{check_interrupt, watch_for_interrupt};
use crate::kind::{Registry, Verdict};

/// Examples of the help that name no world.
pub const EXAMPLES: &str = "\
";

/// What the help says after them.
pub const NOTES: &str = "\
`ironlands info ARCHIVE` lists the names; case is ignored. An entry whose name leads outside of the output folder is
skipped and reported. If an output file exists, nothing is written without --force.

A broken entry is skipped and reported (only the first 16 without -vv); the others are written.

Exit codes: 0 done, 1 entries were skipped because of their names, 2 the command failed for at least one entry.";

/// Broken entries that are named without -vv.
const MAX_BROKEN_NAMED: usize = 16;
/// Files that are written at once, and bytes of them: enough for all threads, and a moment's work.
const MAX_WAITING: usize = 256;
const MAX_WAITING_BYTES: usize = 16 << 20;

/// What `ironlands extract` takes.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// Archive, such as Textures.lib, the _dir file of a VPK, or a Source map.
    #[arg(value_name = "ARCHIVE", value_parser = input_path())]
    archive: PathBuf,

    /// Entries or folders to extract; by default all.
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Output folder; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,

    /// Extract archives nested in an archive as folders, at every depth.
    #[arg(long)]
    nested: bool,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

/// Writes the entries as files and prints how many.
///
/// # Errors
/// If the archive is broken, if an entry is (then all others are written), if nothing bears a name, or if files are in the way.
pub fn run(
    args: &ExtractArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    watch_for_interrupt();
    let options = ArchiveOptions {
        nested: args.nested,
    };
    let archive = registry.formats().open_archive(&args.archive, options);
    let archive = archive.map_err(AppError::Archive)?;
    let entries = archive.entries();
    let wanted = args.wanted(entries)?;
    let (named, refused): (Vec<usize>, Vec<usize>) =
        (wanted.into_iter()).partition(|index| entries[*index].path.is_ok());
    for index in &refused {
        let ArchiveEntry { name, path } = &entries[*index];
        if let Err(reason) = path {
            log::warn!("{name:?} is left out: {reason}");
        }
    }
    let files: Vec<(usize, PathBuf)> = (named.into_iter())
        .filter_map(|index| Some((index, args.to.join(entries[index].path.as_ref().ok()?))))
        .collect();
    args.refuse_what_is_there(&files)?;
    archive.take_files(files.len()).map_err(AppError::Archive)?;

    let bar = progress::bar(files.len());
    let mut n_broken = 0;
    let mut writer = Writer::new(args, files.len());
    for (index, path) in &files {
        bar.inc(1);
        let bytes = match archive.unpack(*index) {
            Ok(bytes) => bytes,
            Err(error) => {
                n_broken += 1;
                // The last line counts them all.
                let level = match n_broken <= MAX_BROKEN_NAMED {
                    true => log::Level::Error,
                    false => log::Level::Debug,
                };
                log::log!(level, "{:?} is left out: {error}", entries[*index].name);
                continue;
            }
        };
        writer.write(path, bytes)?;
    }
    writer.flush()?;
    bar.finish_and_clear();
    let Writer {
        n_written, n_bytes, ..
    } = writer;
    writeln!(
        out,
        "{}: {n_written} files, {n_bytes} bytes",
        plain::path(&args.to),
    )?;
    if n_broken > 0 {
        return Err(AppError::PartlyUnpacked {
            folder: args.to.clone(),
            n_written,
            n_files: files.len(),
            n_broken,
        });
    }
    Ok(match refused.as_slice() {
        [] => Verdict::Done,
        _ => Verdict::No,
    })
}

/// Writes files in parallel, since the system takes long for each.
struct Writer<'a> {
    args: &'a ExtractArgs,
    n_files: usize,
    n_written: usize,
    /// Of the files that are written.
    n_bytes: usize,
    /// Files that wait, and their bytes together.
    waiting: Vec<(&'a Path, Vec<u8>)>,
    n_waiting_bytes: usize,
    /// Folders that are there.
    folders: HashSet<&'a Path>,
}

impl<'a> Writer<'a> {
    fn new(args: &'a ExtractArgs, n_files: usize) -> Self {
        Self {
            args,
            n_files,
            n_written: 0,
            n_bytes: 0,
            waiting: Vec::new(),
            n_waiting_bytes: 0,
            folders: HashSet::new(),
        }
    }

    /// Takes a file, and writes those that wait if they are enough.
    fn write(&mut self, path: &'a Path, bytes: Vec<u8>) -> Result<(), AppError> {
        self.n_waiting_bytes += bytes.len();
        self.waiting.push((path, bytes));
        match self.waiting.len() >= MAX_WAITING || self.n_waiting_bytes >= MAX_WAITING_BYTES {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Writes what waits, on all threads.
    fn flush(&mut self) -> Result<(), AppError> {
        let written = self.make_folders().map(|()| self.write_waiting());
        let failed = written.unwrap_or_else(Some);
        self.waiting.clear();
        self.n_waiting_bytes = 0;
        match failed {
            Some(error) => Err(error.after_some(&self.args.to, self.n_written, self.n_files)),
            None => Ok(()),
        }
    }

    fn make_folders(&mut self) -> Result<(), AppError> {
        check_interrupt()?;
        for (path, _) in &self.waiting {
            let folder = path.parent().unwrap_or(Path::new(""));
            if self.folders.insert(folder) {
                make_folder_of(path)?;
            }
        }
        Ok(())
    }

    /// The first error, if there is one; the others are written all the same.
    fn write_waiting(&mut self) -> Option<AppError> {
        let existing = self.args.existing();
        let written: Vec<Result<usize, OutputError>> = (self.waiting.par_iter())
            .map(|(path, bytes)| write_one_of_many(path, existing, bytes).map(|()| bytes.len()))
            .collect();
        let mut failed = None;
        for file in written {
            match file {
                Ok(n_bytes) => {
                    self.n_written += 1;
                    self.n_bytes += n_bytes;
                }
                Err(error) => failed = failed.or(Some(error.into())),
            }
        }
        failed
    }
}

impl ExtractArgs {
    fn existing(&self) -> Existing {
        match self.force {
            true => Existing::Replace,
            false => Existing::Keep,
        }
    }

    /// Indices of the requested entries.
    fn wanted(&self, entries: &[ArchiveEntry]) -> Result<Vec<usize>, AppError> {
        for name in &self.names {
            if !entries.iter().any(|entry| is_named(entry, name)) {
                return Err(AppError::NoEntry {
                    archive: self.archive.clone(),
                    name: name.clone(),
                });
            }
        }
        let is_wanted = |entry: &ArchiveEntry| {
            self.names.is_empty() || self.names.iter().any(|name| is_named(entry, name))
        };
        let indices = 0..entries.len();
        Ok(indices
            .filter(|index| is_wanted(&entries[*index]))
            .collect())
    }

    /// Before anything is written: half of an archive among the user's own files is worse than none.
    fn refuse_what_is_there(&self, files: &[(usize, PathBuf)]) -> Result<(), AppError> {
        if self.force {
            return Ok(());
        }
        let there = files
            .iter()
            .find(|(_, path)| path.symlink_metadata().is_ok());
        match there {
            Some((_, path)) => Err(OutputError::Exists { path: path.clone() }.into()),
            None => Ok(()),
        }
    }
}

/// Whether an entry has that name, or lies in a folder of that name; case and kind of slash do not matter.
fn is_named(entry: &ArchiveEntry, name: &str) -> bool {
    let fold = |text: &str| text.replace('\\', "/").to_lowercase();
    let [entry, name] = [fold(&entry.name), fold(name)];
    let folder = name.strip_suffix('/').unwrap_or(&name);
    match entry.strip_prefix(folder) {
        Some("") => true,
        Some(rest) => rest.starts_with('/'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_entries_or_folders_of_them() {
        let entry = ArchiveEntry {
            name: "Materials\\maps/a.VMT".to_owned(),
            path: Ok("Materials/maps/a.VMT".to_owned()),
        };
        for (name, expected) in [
            ("materials/maps/a.vmt", true),
            ("materials", true),
            ("materials/", true),
            ("MATERIALS\\MAPS", true),
            ("mater", false),
            ("materials/maps/a", false),
            ("a.vmt", false),
        ] {
            assert_eq!(is_named(&entry, name), expected, "{name}");
        }
    }
}
