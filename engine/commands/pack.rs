//! `ironlands pack DIR --to FILE`: puts the files of a folder into an archive or map.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::assets::format::{PackOptions, PackRequest, Packed};
use crate::assets::vfs;
use crate::console::interrupt::{check_interrupt, watch_for_interrupt};
use crate::console::output::{Existing, TEMPORARY_PREFIX, check_writable, write_file};
use crate::console::{input_path, plain};
use crate::error::AppError;
use crate::kind::{Registry, Verdict};

/// Examples of the help that name no world.
pub const EXAMPLES: &str = "\
";

/// What the help says after them.
pub const NOTES: &str = "\
Names are relative to the folder, such as materials/maps/de_map/floor.vmt. An existing output file is overwritten only
with --force; it may be the input file.";

/// Folders in folders beyond this are not entered.
const MAX_DEPTH: usize = 32;

/// What `ironlands pack` takes.
#[derive(Debug, Args)]
pub struct PackArgs {
    /// Folder to pack, including subfolders.
    #[arg(value_name = "DIR", value_parser = input_path())]
    folder: PathBuf,

    /// Archive or map to add the files to; without it, a new archive is created.
    #[arg(long, value_name = "FILE", value_parser = input_path(), alias = "map")]
    archive: Option<PathBuf>,

    /// Output file.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Remove files of the archive that are not in the folder, and list them; without it, they are kept.
    #[arg(long)]
    replace_all: bool,

    /// The default; accepted for scripts that were written when it was required.
    #[arg(long, hide = true, conflicts_with = "replace_all")]
    keep: bool,

    /// Order of names in a new RES archive: insertion, as files are added (the default), or slots, as in the hash table;
    /// the games have archives of both kinds.
    #[arg(long, value_name = "ORDER", conflicts_with = "archive")]
    names: Option<String>,

    /// Store identical files of a RES archive only once.
    #[arg(long)]
    share: bool,

    /// Overwrite an existing output file.
    #[arg(long)]
    force: bool,
}

/// Writes the archive and prints what it holds.
///
/// # Errors
/// If the archive is broken or of a format that cannot be written, a name is not allowed, or a file is in the way.
pub fn run(args: &PackArgs, registry: &Registry, out: &mut dyn Write) -> Result<Verdict, AppError> {
    watch_for_interrupt();
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    check_writable(&args.to, existing)?;
    if args.replace_all && args.archive.is_none() {
        return Err(AppError::UnusedOption(
            "--replace-all needs --archive: a new archive has nothing to replace",
        ));
    }
    let packed = pack(args, registry)?;
    check_interrupt()?;
    write_file(&args.to, existing, &packed.bytes)?;
    print(args, &packed, out)?;
    Ok(Verdict::Done)
}

fn pack(args: &PackArgs, registry: &Registry) -> Result<Packed, AppError> {
    let shape = args.archive.as_deref().unwrap_or(&args.to);
    let base = args.archive.as_deref().map(read).transpose()?;
    let options = PackOptions {
        order: args.names.clone(),
        share: args.share,
    };
    let mut request = PackRequest {
        file_name: &shape.file_name().unwrap_or_default().to_string_lossy(),
        base: base.as_deref(),
        files: &[],
        replace_all: args.replace_all,
        options: &options,
    };
    // Before a large folder is read for nothing.
    let formats = registry.formats();
    let format = formats.all().find(|format| format.packs(&request));
    let Some(format) = format else {
        return Err(AppError::NoPacker {
            path: shape.to_owned(),
        });
    };
    let files = files_below(&args.folder)?;
    request.files = &files;
    format.pack(&request).map_err(|source| AppError::Pack {
        path: shape.to_owned(),
        source: Box::new(source),
    })
}

/// Lists the files that are gone, and says what the archive holds now.
fn print(args: &PackArgs, packed: &Packed, out: &mut dyn Write) -> Result<(), AppError> {
    for name in &packed.removed {
        writeln!(out, "removed {}", plain::plain(name))?;
    }
    let [to, folder] = [&args.to, &args.folder].map(|path| plain::path(path));
    write!(out, "{to}: {} from {folder}", packed.content)?;
    match args.replace_all {
        true => writeln!(out, "; {} other files removed", packed.removed.len())?,
        false => writeln!(out)?,
    }
    Ok(())
}

type Files = Vec<(String, Vec<u8>)>;

fn files_below(folder: &Path) -> Result<Files, AppError> {
    let mut files = Vec::new();
    add_files(folder, "", 0, &mut files)?;
    Ok(files)
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
