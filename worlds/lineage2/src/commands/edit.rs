//! `ironlands geodata edit PATH --apply EDITS`: changes cells of regions, by lines of JSON.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ironlands_assets_core::vfs;
use ironlands_assets_lineage2::{RegionId, RegionPath, Tolerance};
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::interrupt::{check_interrupt, watch_for_interrupt};
use ironlands_world_kind::console::output::{
    OutputError, check_writable, make_folder_of, write_file,
};
use ironlands_world_kind::console::plain;

use super::map::existing;
use super::source::SourceArgs;
use crate::Lineage2Error;
use crate::edit::{Backup, EditLine, EditSession, Journal, bytes_of, save_region};

const HELP: &str = "\
Examples:
  ironlands geodata edit geodata --apply edits.jsonl --dry-run
          Count the regions, blocks and cells that edits would change.
  ironlands geodata edit geodata --apply edits.jsonl
          Change the files; each keeps a backup beside it, with .bak after its name.
  ironlands geodata edit geodata --apply edits.jsonl --to edited
          Write the changed regions to another folder.
  ironlands geodata patch geodata --apply changes.jsonl
          Make the changes that `ironlands geodata diff --patch` wrote; patch is another name of this command.
  ironlands geodata edit geodata --recover
          Complete an edit that a crash interrupted.

An edit is a JSON object on a line of its own, with the member \"edit\":
  {\"edit\":\"raise\",\"rectangle\":[83200,147900,83600,148200],\"by\":16,\"z\":-3400}
          raise, lower: \"by\"; level: \"height\"; smooth
  {\"edit\":\"close\",\"path\":[[83200,147900],[83600,148200]],\"width\":32,\"sides\":\"NS\"}
          open, close: \"sides\", of the letters N, S, W and E
  {\"edit\":\"add_layer\",\"brush\":[83400,148000],\"radius\":200,\"height\":-3200}
          add_layer: \"height\", \"sides\" (NSWE); remove_layer, which leaves the last layer of a cell
  {\"edit\":\"paste\",\"rectangle\":[83200,147900,83600,148200],\"to\":[10000,20000]}
          paste: copies all layers; \"to\" is the corner with the lowest x and y
  {\"edit\":\"level\",\"fill\":[83400,148000,-3400],\"step\":16,\"height\":-3392}
          changes the layers that are connected to a point
  {\"edit\":\"patch\",\"region\":[22,22],\"block\":35712,\"before\":...,\"after\":...}
          a line of `ironlands geodata diff --patch`; the block must be what it was before, or what it is after
  {\"edit\":\"undo\"}, {\"edit\":\"redo\"}
An edit changes the cells of a \"rectangle\" (two corners), a \"brush\" (a center and \"radius\") or a \"path\" (points and
\"width\"), in points of the world. With \"z\" it changes the layer of each cell that is nearest to it and not farther than
\"reach\" (48), otherwise all layers. A \"fill\" is the layers that are connected to the one at a point: it ends at closed
sides and where neighbors differ by more than \"step\" (16), and is refused if it has more than \"limit\" (100000) layers.
Heights become multiples of 8.

Only blocks that change are written differently; the rest of a file stays byte for byte. A flat block that changes
becomes a complex one with its upper height. While the command works, a journal beside the regions has all changes.";

/// What `ironlands geodata edit` takes.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct EditArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// File of edits, one JSON object per line.
    #[arg(long, value_name = "FILE", value_parser = input_path(), required_unless_present_any = ["recover", "discard"])]
    apply: Option<PathBuf>,

    /// Write changed regions to this folder instead; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,

    /// Only count what would change.
    #[arg(long)]
    dry_run: bool,

    /// Keep no backups of changed files.
    #[arg(long, conflicts_with = "to")]
    no_backup: bool,

    /// Overwrite existing files in the folder of --to.
    #[arg(long, requires = "to")]
    force: bool,

    /// Make the changes of an edit that was interrupted.
    #[arg(long, conflicts_with_all = ["apply", "discard", "to"])]
    recover: bool,

    /// Discard the changes of an edit that was interrupted; files that it saved stay as they are.
    #[arg(long, conflicts_with_all = ["apply", "to", "dry_run"])]
    discard: bool,
}

/// Makes all edits, and saves what they changed.
///
/// # Errors
/// If a line is no edit, an edit cannot be made, a journal is there, or a file cannot be read or written. Unless it is
/// the last, nothing was changed.
pub fn run(args: &EditArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    watch_for_interrupt();
    let files = args.source.files()?;
    let journal_path = Journal::path_of_level(&args.source.path);
    if args.discard {
        Journal::remove(&journal_path)?;
        return Ok(Verdict::Done);
    }
    let lines = args.apply.as_deref().map(read_edits).transpose()?;
    let records = match args.recover {
        true => Journal::read(&journal_path)?,
        false => Vec::new(),
    };
    // A journal that is recovered stays until its changes are saved.
    let journal = match args.dry_run || args.recover {
        true => None,
        false => Some(Journal::new(&journal_path)?),
    };
    let has_new_journal = journal.is_some();
    let load = |id: RegionId| {
        let file = files.iter().find(|file| file.name.id == id);
        file.map(|file| file.open(Tolerance::STRICT)).transpose()
    };
    let mut session = EditSession::new(load, journal);
    session.recover(&records)?;
    if let Err(error) = make_edits(&mut session, lines.unwrap_or_default(), args) {
        // Nothing was saved.
        if has_new_journal {
            Journal::remove(&journal_path)?;
        }
        return Err(error);
    }
    if let Err(error) = args.refuse_existing(&session, &files) {
        if has_new_journal {
            Journal::remove(&journal_path)?;
        }
        return Err(error);
    }
    let counts = session.counts();
    writeln!(
        out,
        "{}: {} cells in {} blocks of {} regions",
        match args.dry_run {
            true => "would change",
            false => "changed",
        },
        counts.n_cells,
        counts.n_blocks,
        counts.n_regions
    )?;
    if !args.dry_run {
        args.save(&session, &files, out)?;
        Journal::remove(&journal_path)?;
    }
    Ok(Verdict::Done)
}

fn make_edits(
    session: &mut EditSession<'_>,
    lines: Vec<(usize, EditLine)>,
    args: &EditArgs,
) -> Result<(), Lineage2Error> {
    for (number, line) in lines {
        check_interrupt()?;
        let made = match line {
            EditLine::Edit(edit) => session.apply(&edit).map(drop),
            EditLine::Patch(patch) => session.patch(&patch).map(drop),
            EditLine::Undo => session.undo(),
            EditLine::Redo => session.redo(),
        };
        made.map_err(|source| Lineage2Error::EditLine {
            path: args.apply.clone().unwrap_or_default(),
            line: number,
            source: Box::new(source),
        })?;
    }
    Ok(())
}

/// All edits of a file with the numbers of their lines.
fn read_edits(path: &Path) -> Result<Vec<(usize, EditLine)>, Lineage2Error> {
    let bytes = vfs::read(path).map_err(|source| Lineage2Error::Read {
        path: path.to_owned(),
        source,
    })?;
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let lines = lines.map(|(number, line)| (number, line.trim_ascii()));
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines
        .map(|(number, line)| match EditLine::read(line) {
            Ok(edit) => Ok((number, edit)),
            Err(source) => Err(Lineage2Error::EditLine {
                path: path.to_owned(),
                line: number,
                source: Box::new(source),
            }),
        })
        .collect()
}

impl EditArgs {
    /// Before anything is written.
    fn refuse_existing(
        &self,
        session: &EditSession<'_>,
        files: &[RegionPath],
    ) -> Result<(), Lineage2Error> {
        let Some(folder) = self.to.as_deref().filter(|_| !self.force) else {
            return Ok(());
        };
        for (id, _) in session.changed_files() {
            let file = files.iter().find(|file| file.name.id == id);
            let name = file.and_then(|file| file.path.file_name());
            let path = folder.join(name.unwrap_or_default());
            if path.symlink_metadata().is_ok() {
                return Err(OutputError::Exists { path }.into());
            }
        }
        Ok(())
    }

    fn save(
        &self,
        session: &EditSession<'_>,
        files: &[RegionPath],
        out: &mut dyn Write,
    ) -> Result<(), Lineage2Error> {
        let target = |id: RegionId| {
            let file = files.iter().find(|file| file.name.id == id);
            let path = &file.expect("a file that was loaded").path;
            match (&self.to, path.file_name()) {
                (Some(folder), Some(name)) => folder.join(name),
                _ => path.clone(),
            }
        };
        if self.to.is_some() {
            for (id, _) in session.changed_files() {
                make_folder_of(&target(id))?;
                check_writable(&target(id), existing(self.force))?;
            }
        }
        for (id, file) in session.changed_files() {
            let path = target(id);
            let n_bytes = match (&self.to, self.no_backup) {
                (Some(_), _) => {
                    let bytes = bytes_of(&path, file)?;
                    write_file(&path, existing(self.force), &bytes)?;
                    bytes.len()
                }
                (None, true) => save_region(&path, file, Backup::None)?,
                (None, false) => save_region(&path, file, Backup::Keep)?,
            };
            writeln!(out, "{}: {n_bytes} bytes", plain::path(&path))?;
        }
        Ok(())
    }
}
