//! `ironlands extract ARCHIVE --to DIR`: takes files out of an archive.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ironlands::assets_loader::archive::{Archive, ArchiveEntry};
use ironlands::assets_loader::evil_islands::res::NestedArchives;
use ironlands::output::{Existing, OutputError, write_one_of_many};

use super::make_folder_of;
use crate::Verdict;
use crate::cli::input_path;
use crate::error::AppError;
use crate::headless::{check_interrupt, watch_for_interrupt};
use crate::progress;

const EXAMPLES: &str = "\
Examples:
  ironlands extract de_map.bsp --to files
          The files that a Source map brings along (its pakfile).
  ironlands extract de_map.bsp materials/maps --to files
          Those of one folder of it.
  ironlands extract DATA/Textures.lib SAND.0 --to files
          One entry of an archive of Parkan.
  ironlands extract hl2_textures_dir.vpk --to files
          All files of a VPK; name its _dir file.
  ironlands extract Res/figures.res unhufe.mod unhufe.anm --nested --to files
          A model and its animations from a RES archive of Evil Islands, down to each mesh and each animation:
          archives in it become folders, and files without extension get one (.fig, .lnk, .bon, .anm).

Names are those that `ironlands info ARCHIVE` lists; case does not matter. An entry whose name leads out of the folder
is left out and told. Files that are there are kept without --force; then nothing is written.

A broken entry is left out and named, of many the first 16 (all with -vv); the others are written.

Exit codes: 0 done, 1 entries were left out because of their names, 2 it could not be done, or not for all entries.";

/// Broken entries that are named without -vv.
const MAX_BROKEN_NAMED: usize = 16;

/// What `ironlands extract` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExtractArgs {
    /// An NRes archive, an RsLi library, a RES archive, a VPK's _dir file, or a Source map.
    #[arg(value_name = "ARCHIVE", value_parser = input_path())]
    archive: PathBuf,

    /// Entries, or folders of entries; all where none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Folder to write in; made if it is not there.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,

    /// Make folders of the archives in a RES archive, and of those in them.
    #[arg(long)]
    nested: bool,

    /// Replace files that are there.
    #[arg(long)]
    force: bool,
}

/// Writes the entries as files and prints how many.
///
/// # Errors
/// If the archive is broken, if an entry is (then all others are written), if nothing bears a name, or if files are in the way.
pub fn run(args: &ExtractArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    watch_for_interrupt();
    let nested = match args.nested {
        true => NestedArchives::Unpack,
        false => NestedArchives::Keep,
    };
    let archive = Archive::open_with(&args.archive, nested).map_err(AppError::Archive)?;
    let entries = archive.entries();
    let wanted = args.wanted(entries)?;
    let (named, refused): (Vec<usize>, Vec<usize>) =
        (wanted.into_iter()).partition(|index| entries[*index].path.is_ok());
    for index in &refused {
        let ArchiveEntry { name, path } = &entries[*index];
        if let Err(fault) = path {
            log::warn!("{name:?} is left out: {fault}");
        }
    }
    let files: Vec<(usize, PathBuf)> = (named.into_iter())
        .filter_map(|index| Some((index, args.to.join(entries[index].path.as_ref().ok()?))))
        .collect();
    args.refuse_what_is_there(&files)?;

    let bar = progress::bar(files.len());
    let [mut n_written, mut n_broken, mut n_bytes] = [0; 3];
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
        let written = check_interrupt()
            .and_then(|()| make_folder_of(path))
            .and_then(|()| Ok(write_one_of_many(path, args.existing(), &bytes)?));
        written.map_err(|error| error.after_some(&args.to, n_written, files.len()))?;
        n_written += 1;
        n_bytes += bytes.len();
    }
    bar.finish_and_clear();
    writeln!(
        answer,
        "{}: {n_written} files, {n_bytes} bytes",
        args.to.display(),
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

impl ExtractArgs {
    fn existing(&self) -> Existing {
        match self.force {
            true => Existing::Replace,
            false => Existing::Keep,
        }
    }

    /// Indices of the entries that are asked for.
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

    /// Before anything is written: half of an archive among files of somebody's own is worse than none.
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
