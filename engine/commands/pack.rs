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
          Add the files of the folder to the pakfile of the map. If both have a file of the same name, the one in the
          folder is used.
  ironlands pack files --map de_map.bsp --replace-all --to de_map_packed.bsp
          Replace the pakfile of the map with the files of the folder. Lists every file that is removed.
  ironlands pack files --to mine.res
          Create an Evil Islands RES archive; .mpr, .mq, .mod, .bon and .anm are RES archives too. Subfolders whose names
          end in one of these become nested archives; their files lose the extensions that `extract` added.
  ironlands pack files --archive figures.res --to figures_new.res
          Add the files of the folder to an archive; --replace-all keeps only those of the folder. Unchanged entries are
          kept as they are; if nothing changes, the output is identical byte for byte.

Names are relative to the folder, such as materials/maps/de_map/floor.vmt. The rest of a map stays identical byte for
byte. An existing output file is overwritten only with --force; it may be the input file.";

/// Folders in folders beyond this are not entered.
const MAX_DEPTH: usize = 32;

/// What `ironlands pack` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct PackArgs {
    /// Folder to pack, including subfolders.
    #[arg(value_name = "DIR", value_parser = input_path())]
    folder: PathBuf,

    /// Source map to add the files to.
    #[arg(long, value_name = "MAP.bsp", value_parser = input_path(), conflicts_with_all = ["archive", "names", "share"])]
    map: Option<PathBuf>,

    /// RES archive to add the files to; without it, a new archive is created.
    #[arg(long, value_name = "FILE.res")]
    archive: Option<PathBuf>,

    /// Output file.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Remove files of the map or archive that are not in the folder, and list them; without it, they are kept.
    #[arg(long)]
    replace_all: bool,

    /// The default; accepted for scripts that were written when it was required.
    #[arg(long, hide = true, conflicts_with = "replace_all")]
    keep: bool,

    /// Order of names in a new RES archive; the games have archives of both kinds.
    #[arg(long, value_enum, default_value_t, conflicts_with = "archive")]
    names: Names,

    /// Store identical files of a RES archive only once.
    #[arg(long)]
    share: bool,

    /// Overwrite an existing output file.
    #[arg(long)]
    force: bool,
}

/// Order of names, as [`NamesOrder`](ironlands::assets_loader::evil_islands::res::NamesOrder).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Names {
    /// In the order in which files are added.
    #[default]
    Insertion,
    /// In the order of the hash table.
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
