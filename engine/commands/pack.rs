//! `ironlands pack DIR --map MAP --to FILE`: puts the files of a folder into a Source map.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ironlands::assets_loader::bytes::FormatError;
use ironlands::assets_loader::source::bsp::{BspFile, LumpId};
use ironlands::assets_loader::source::pakfile::{Comment, Pakfile};
use ironlands::output::{Existing, check_writable, write_file};

use crate::Verdict;
use crate::error::AppError;
use crate::headless::{check_interrupt, watch_for_interrupt};

const EXAMPLES: &str = "\
Examples:
  ironlands pack files --map de_map.bsp --to de_map_packed.bsp
          A map whose pakfile holds the files of the folder, and no others.
  ironlands pack files --map de_map.bsp --keep --to de_map_packed.bsp
          The same, beside those that the map brings along already; of one name that of the folder counts.

Files get the names that they have below the folder, as in materials/maps/de_map/floor.vmt. Everything else of the map
stays byte for byte as it is. The file that --to names is kept without --force; --map and --to may be the same.";

/// Folders in folders beyond this are not entered.
const MAX_DEPTH: usize = 32;

/// What `ironlands pack` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct PackArgs {
    /// Folder whose files are put into the map, with all below it.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The map.
    #[arg(long, value_name = "MAP.bsp")]
    map: PathBuf,

    /// File to write.
    #[arg(long, value_name = "FILE.bsp")]
    to: PathBuf,

    /// Keep the files that the map has and the folder has not.
    #[arg(long)]
    keep: bool,

    /// Replace the file that is there.
    #[arg(long)]
    force: bool,
}

/// Writes the map with its new pakfile and prints what it holds.
///
/// # Errors
/// If the map is broken, a name is not allowed, or a file is in the way.
pub fn run(args: &PackArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    watch_for_interrupt()?;
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    check_writable(&args.to, existing)?;
    let broken = |source: FormatError| AppError::Pack {
        path: args.map.clone(),
        source: Box::new(source),
    };
    let mut map = BspFile::read(&read(&args.map)?).map_err(broken)?;
    let mut files = Vec::new();
    add_files(&args.folder, "", 0, &mut files)?;
    let pakfile = args.pakfile(&map, &files).map_err(broken)?;
    let version = map.lump_version(LumpId::Pakfile);
    map.set_lump(LumpId::Pakfile, version, pakfile.write());
    check_interrupt()?;
    write_file(&args.to, existing, &map.write().map_err(broken)?)?;
    writeln!(
        answer,
        "{}: {} files in its pakfile, {} of them from {}",
        args.to.display(),
        pakfile.entries().len(),
        files.len(),
        args.folder.display()
    )?;
    Ok(Verdict::Done)
}

type Files = Vec<(String, Vec<u8>)>;

impl PackArgs {
    fn pakfile(&self, map: &BspFile, files: &Files) -> Result<Pakfile, FormatError> {
        let before = match map.lump(LumpId::Pakfile) {
            [] => None,
            lump => Some(Pakfile::read(lump)?),
        };
        if let Some(mut pakfile) = before.clone().filter(|_| self.keep) {
            for (name, bytes) in files {
                pakfile.replace(name, bytes)?;
            }
            return Ok(pakfile);
        }
        let comment = match before {
            Some(pakfile) if pakfile.comment().is_empty() => Comment::None,
            _ => Comment::Xzp1,
        };
        let files: Vec<_> = files
            .iter()
            .map(|(name, bytes)| (&**name, &**bytes))
            .collect();
        Pakfile::draft(&files, comment)
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
    fs::read(path).map_err(|source| AppError::Read {
        path: path.to_owned(),
        source,
    })
}
