//! `ironlands pack DIR --to FILE`: puts the files of a folder into a Source map or a RES archive.

mod res;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ironlands::assets_loader::bytes::FormatError;
use ironlands::assets_loader::source::bsp::{BspFile, LumpId};
use ironlands::assets_loader::source::pakfile::{Comment, Pakfile};
use ironlands::assets_loader::vfs;
use ironlands::output::{Existing, TEMPORARY_PREFIX, check_writable, write_file};

use crate::Verdict;
use crate::cli::input_path;
use crate::error::AppError;
use crate::headless::{check_interrupt, watch_for_interrupt};
use crate::plain;

const EXAMPLES: &str = "\
Examples:
  ironlands pack files --map de_map.bsp --to de_map_packed.bsp
          The map with the files of the folder in its pakfile, beside those that it carries already. Where both have a
          file of one name, that of the folder counts.
  ironlands pack files --map de_map.bsp --replace-all --to de_map_packed.bsp
          The map with the files of the folder and no others. Lists each file that the map loses.
  ironlands pack files --to mine.res
          A RES archive of Evil Islands; .mpr, .mq, .mod, .bon and .anm are such archives as well. Folders in the
          folder that end so become archives in it, and files in them lose the extension that `extract` gave them.
  ironlands pack files --archive figures.res --to figures_new.res
          The archive with the files of the folder in it, beside its own; --replace-all leaves only those of the folder.
          What does not differ stays as it is, byte for byte where nothing does.

Files get the names that they have below the folder, as in materials/maps/de_map/floor.vmt. Everything else of a map
stays byte for byte as it is. The file that --to names is kept without --force; it may be the one that is read.";

/// Folders in folders beyond this are not entered.
const MAX_DEPTH: usize = 32;

/// What `ironlands pack` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct PackArgs {
    /// Folder whose files are put in, with all below it.
    #[arg(value_name = "DIR", value_parser = input_path())]
    folder: PathBuf,

    /// A Source map that the files are put into.
    #[arg(long, value_name = "MAP.bsp", value_parser = input_path(), conflicts_with_all = ["archive", "names", "share"])]
    map: Option<PathBuf>,

    /// A RES archive that the files are put into; a new one where none is named.
    #[arg(long, value_name = "FILE.res")]
    archive: Option<PathBuf>,

    /// File to write.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Remove the files that the map or archive has and the folder has not, and list them; else they are kept.
    #[arg(long)]
    replace_all: bool,

    /// What is done without it, too: scripts ask for it from when they had to.
    #[arg(long, hide = true, conflicts_with = "replace_all")]
    keep: bool,

    /// Order of names in a new RES archive. Both are found in the wild.
    #[arg(long, value_enum, default_value_t, conflicts_with = "archive")]
    names: Names,

    /// Store equal files of a RES archive once.
    #[arg(long)]
    share: bool,

    /// Replace the file that is there.
    #[arg(long)]
    force: bool,
}

/// Order of names, as [`NamesOrder`](ironlands::assets_loader::evil_islands::res::NamesOrder).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Names {
    /// As the files are put in.
    #[default]
    Insertion,
    /// As they stand in the table.
    Slots,
}

/// Writes the map or archive and prints what it holds.
///
/// # Errors
/// If the map or archive is broken, a name is not allowed, or a file is in the way.
pub fn run(args: &PackArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    watch_for_interrupt();
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    check_writable(&args.to, existing)?;
    let Some(map_path) = &args.map else {
        return res::run(args, existing, answer);
    };
    let broken = |source| broken(map_path, source);
    let mut map = BspFile::read(&read(map_path)?).map_err(broken)?;
    let files = files_below(&args.folder)?;
    let before = match map.lump(LumpId::Pakfile) {
        [] => None,
        lump => Some(Pakfile::read(lump).map_err(broken)?),
    };
    let pakfile = args.pakfile(before.as_ref(), &files).map_err(broken)?;
    let version = map.lump_version(LumpId::Pakfile);
    map.set_lump(LumpId::Pakfile, version, pakfile.write());
    check_interrupt()?;
    write_file(&args.to, existing, &map.write().map_err(broken)?)?;
    let names_before = before.iter().flat_map(Pakfile::names);
    let removed = names_before.filter(|name| pakfile.find(name).is_none());
    let n_removed = print_removed(removed, answer)?;
    let n_all = pakfile.entries().len();
    let content = format!("{n_all} files in its pakfile, {} of them", files.len());
    print_sum(args, &content, n_removed, answer)?;
    Ok(Verdict::Done)
}

/// Lists the files that are gone, and counts them.
fn print_removed<'a>(
    names: impl Iterator<Item = &'a str>,
    answer: &mut dyn Write,
) -> Result<usize, AppError> {
    let mut n_removed = 0;
    for name in names {
        writeln!(answer, "removed {}", plain::plain(name))?;
        n_removed += 1;
    }
    Ok(n_removed)
}

/// What the map or archive holds now, and what it has lost.
fn print_sum(
    args: &PackArgs,
    content: &str,
    n_removed: usize,
    answer: &mut dyn Write,
) -> Result<(), AppError> {
    let [to, folder] = [&args.to, &args.folder].map(|path| plain::path(path));
    write!(answer, "{to}: {content} from {folder}")?;
    match args.replace_all {
        true => writeln!(answer, "; {n_removed} other files removed")?,
        false => writeln!(answer)?,
    }
    Ok(())
}

type Files = Vec<(String, Vec<u8>)>;

fn broken(path: &Path, source: FormatError) -> AppError {
    AppError::Pack {
        path: path.to_owned(),
        source: Box::new(source),
    }
}

fn files_below(folder: &Path) -> Result<Files, AppError> {
    let mut files = Vec::new();
    add_files(folder, "", 0, &mut files)?;
    Ok(files)
}

impl PackArgs {
    fn pakfile(&self, before: Option<&Pakfile>, files: &Files) -> Result<Pakfile, FormatError> {
        let files: Vec<_> = files
            .iter()
            .map(|(name, bytes)| (&**name, &**bytes))
            .collect();
        match before {
            Some(before) if !self.replace_all => {
                let mut pakfile = before.clone();
                pakfile.put_files(&files)?;
                Ok(pakfile)
            }
            Some(before) if before.comment().is_empty() => Pakfile::draft(&files, Comment::None),
            _ => Pakfile::draft(&files, Comment::Xzp1),
        }
    }
}

/// Files below a folder with their names from there, in the order of names. Links to folders are not followed.
fn add_files(folder: &Path, prefix: &str, depth: usize, files: &mut Files) -> Result<(), AppError> {
    let failed = |source| AppError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        check_interrupt()?;
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else {
            return Err(AppError::NotText { path });
        };
        if name.starts_with(TEMPORARY_PREFIX) {
            log::warn!(
                "{} is what a run left that was ended, and is left out",
                path.display()
            );
            continue;
        }
        let name = format!("{prefix}{name}");
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() && depth < MAX_DEPTH {
            add_files(&path, &format!("{name}/"), depth + 1, files)?;
        } else if path.is_file() {
            files.push((name, read(&path)?));
        } else {
            log::warn!("{} is no plain file and left out", path.display());
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, AppError> {
    vfs::read(path).map_err(|source| AppError::Read {
        path: path.to_owned(),
        source,
    })
}
