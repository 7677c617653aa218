//! `ironlands geodata merge A B --to DIR`: one set of regions from two.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ironlands_assets_core::vfs;
use ironlands_assets_lineage2::{Block, RegionFile, RegionId, RegionPath, Tolerance};
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::interrupt::{check_interrupt, watch_for_interrupt};
use ironlands_world_kind::console::output::{check_writable, make_folder_of, write_file};
use ironlands_world_kind::console::plain;

use super::map::existing;
use super::source::region_files;
use crate::Lineage2Error;

const HELP: &str = "\
Examples:
  ironlands geodata merge ours theirs --to merged
          Take regions of both sets; those that differ are listed and left out.
  ironlands geodata merge ours theirs --base old --to merged
          Take the changes that each set made to the blocks of a third.
  ironlands geodata merge ours theirs --base old --prefer b --to merged
          The same, and the second set's blocks where both changed them.

A region that only one set has, or that is the same in both, is copied byte for byte. With --base, a block that only one
set changed is that set's; the file keeps the name and format of the first set unless only the second changed it. Blocks
that both changed in different ways are conflicts: they are listed, and their region is left out unless --prefer decides.

Exit codes: 0 merged, 1 regions with conflicts are left out, 2 the command failed.";

/// What `ironlands geodata merge` takes.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct MergeArgs {
    /// First set, or a region.
    #[arg(value_name = "A", value_parser = input_path())]
    a: PathBuf,

    /// Second set, or a region.
    #[arg(value_name = "B", value_parser = input_path())]
    b: PathBuf,

    /// Set that both were made from.
    #[arg(long, value_name = "DIR", value_parser = input_path())]
    base: Option<PathBuf>,

    /// Set that decides where both changed a block, or where there is no base.
    #[arg(long, value_enum)]
    prefer: Option<Preferred>,

    /// Folder to write to; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Preferred {
    /// The first set.
    A,
    /// The second set.
    B,
}

/// What becomes of a region.
enum Merged {
    /// A file as it is.
    Copied(RegionPath),
    /// The file of the first set, with blocks of the second.
    Mixed(RegionPath, Vec<u8>, usize),
    /// Blocks that both changed; none is known without a base.
    Conflict(usize),
}

/// Merges all regions.
///
/// # Errors
/// If a region cannot be read or written, or a file is there. Before that, whole files are written.
pub fn run(args: &MergeArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    watch_for_interrupt();
    let by_id = |path: &PathBuf| -> Result<BTreeMap<RegionId, RegionPath>, Lineage2Error> {
        let files = region_files(path, None)?.into_iter();
        Ok(files.map(|file| (file.name.id, file)).collect())
    };
    let (a, b) = (by_id(&args.a)?, by_id(&args.b)?);
    let base = args.base.as_ref().map(by_id).transpose()?;
    let ids: BTreeSet<RegionId> = a.keys().chain(b.keys()).copied().collect();
    let mut n_conflicts = 0;
    for id in ids {
        check_interrupt()?;
        let of_base = base.as_ref().and_then(|base| base.get(&id));
        let merged = match (a.get(&id), b.get(&id)) {
            (Some(a), Some(b)) => args.merge(a, b, of_base)?,
            (Some(one), None) | (None, Some(one)) => Merged::Copied(one.clone()),
            (None, None) => continue,
        };
        let (file, bytes, how) = match merged {
            Merged::Copied(file) => {
                let bytes = read(&file)?;
                let from = plain::path(&file.path).to_string();
                (file, bytes, format!("from {from}"))
            }
            Merged::Mixed(file, bytes, n_blocks) => {
                (file, bytes, format!("{n_blocks} blocks of the second set"))
            }
            Merged::Conflict(n_blocks) => {
                let blocks = match n_blocks {
                    0 => "differs".to_owned(),
                    n => format!("{n} blocks changed in both"),
                };
                writeln!(out, "{id}: {blocks}; left out")?;
                n_conflicts += 1;
                continue;
            }
        };
        let path = args.to.join(file.path.file_name().unwrap_or_default());
        make_folder_of(&path)?;
        check_writable(&path, existing(args.force))?;
        write_file(&path, existing(args.force), &bytes)?;
        writeln!(out, "{id}: {how}")?;
    }
    Ok(match n_conflicts {
        0 => Verdict::Done,
        _ => Verdict::No,
    })
}

impl MergeArgs {
    fn merge(
        &self,
        a: &RegionPath,
        b: &RegionPath,
        base: Option<&RegionPath>,
    ) -> Result<Merged, Lineage2Error> {
        if read(a)? == read(b)? {
            return Ok(Merged::Copied(a.clone()));
        }
        let Some(base) = base else {
            return Ok(match self.prefer {
                Some(Preferred::A) => Merged::Copied(a.clone()),
                Some(Preferred::B) => Merged::Copied(b.clone()),
                None => Merged::Conflict(0),
            });
        };
        let open = |file: &RegionPath| file.open(Tolerance::STRICT).map_err(Lineage2Error::Geodata);
        let (mut of_a, of_b, of_base) = (open(a)?, open(b)?, open(base)?);
        let theirs = |index: u16| &of_b.region().blocks()[usize::from(index)];
        let (changed_a, changed_b) = (changed(&of_base, &of_a), changed(&of_base, &of_b));
        if changed_a.is_empty() {
            return Ok(Merged::Copied(b.clone()));
        }
        let in_both = changed_a.intersection(&changed_b);
        let is_other =
            |index: &&u16| of_a.region().blocks()[usize::from(**index)] != *theirs(**index);
        let conflicts: BTreeSet<u16> = in_both.filter(is_other).copied().collect();
        if !conflicts.is_empty() && self.prefer.is_none() {
            return Ok(Merged::Conflict(conflicts.len()));
        }
        let is_taken = |index: &&u16| {
            !changed_a.contains(index)
                || conflicts.contains(index) && self.prefer == Some(Preferred::B)
        };
        let taken: Vec<u16> = changed_b.iter().filter(is_taken).copied().collect();
        if taken.is_empty() {
            return Ok(Merged::Copied(a.clone()));
        }
        for index in &taken {
            let block: Block = theirs(*index).clone();
            of_a.set_block(*index, block);
        }
        let bytes = of_a
            .write()
            .map_err(|source| Lineage2Error::ConvertRegion {
                path: a.path.clone(),
                source: Box::new(source),
            })?;
        Ok(Merged::Mixed(a.clone(), bytes, taken.len()))
    }
}

/// The blocks that are not the same in two files.
fn changed(a: &RegionFile, b: &RegionFile) -> BTreeSet<u16> {
    let blocks = a.region().blocks().iter().zip(b.region().blocks());
    let numbered = (0_u16..=u16::MAX).zip(blocks);
    let changed = numbered.filter(|(_, (a, b))| a != b);
    changed.map(|(index, _)| index).collect()
}

fn read(file: &RegionPath) -> Result<Vec<u8>, Lineage2Error> {
    vfs::read(&file.path).map_err(|source| Lineage2Error::Read {
        path: file.path.clone(),
        source,
    })
}
