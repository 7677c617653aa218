//! `ironlands geodata diff A B`: which cells of two regions or sets differ.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use crate::LeftOut;
use clap::{ArgGroup, Args};
use ironlands_assets_lineage2::diff::{Change, ChangedCell, DiffOptions, RegionDiff, diff};
use ironlands_assets_lineage2::picture::{Picture, PictureOptions};
use ironlands_assets_lineage2::{
    FolderError, GeoCell, GeodataFormat, Region, RegionId, RegionPath, Tolerance,
};
use rayon::prelude::*;

use super::broken::BrokenRegions;
use super::map::{LookArgs, check_size, existing, write_mosaic};
use super::source::{format_parser, region_files};
use crate::Lineage2Error;
use crate::edit::BlockPatch;
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::interrupt::{check_interrupt, watch_for_interrupt};
use ironlands_world_kind::console::output::{check_picture_path, check_writable, write_file};
use ironlands_world_kind::console::plain;
use ironlands_world_kind::console::progress;

const EXAMPLES: &str = "\
Examples:
  ironlands geodata diff 22_22.l2j edited/22_22.l2j
          List the cells of a region that were edited.
  ironlands geodata diff old new --picture changes.png
          Compare two sets region by region, with a picture of the differences.
  ironlands geodata diff geodata other --from-a conv.dat --from-b l2j --limit 0
          Compare regions of two formats and print totals only.
  ironlands geodata diff old new --tolerance 16 --box 83200,147900,83600,148200
          Compare a part of two sets, and ignore heights that differ by 16 or less.
  ironlands geodata diff old new --patch changes.jsonl
          Write the blocks that differ, for `ironlands geodata patch old --apply changes.jsonl`.

Layers are compared from high to low, regardless of block type; diagonals are ignored. In the picture, red marks added
or removed layers, yellow changed heights, blue changed sides. A region that cannot be read in either set is skipped and
reported; --strict makes it an error.

Exit codes: 0 no differences, 1 differences found, 2 the command failed for at least one region.";

/// What `ironlands geodata diff` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
#[command(group = ArgGroup::new("written").args(["picture", "patch"]).multiple(true))]
pub struct DiffArgs {
    /// Old region, or folder of regions.
    #[arg(value_name = "A", value_parser = input_path())]
    a: PathBuf,

    /// New region, or folder of regions.
    #[arg(value_name = "B", value_parser = input_path())]
    b: PathBuf,

    /// Format to read if A has several.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    from_a: Option<GeodataFormat>,

    /// Format to read if B has several.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    from_b: Option<GeodataFormat>,

    /// Maximum number of cells to list per region; totals count all.
    #[arg(long, value_name = "CELLS", default_value_t = 20)]
    limit: usize,

    /// Ignore heights that differ by this or less.
    #[arg(long, value_name = "POINTS", default_value_t = 0)]
    tolerance: u16,

    /// Compare only the cells of a rectangle, given by two corners.
    #[arg(long = "box", value_name = "X,Y,X,Y", allow_hyphen_values = true)]
    area: Option<BoxArg>,

    /// Picture of the differences to write.
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,

    /// File of edits to write that turn A into B, for `ironlands geodata patch`.
    #[arg(long, value_name = "FILE.jsonl")]
    patch: Option<PathBuf>,

    /// Fail if a region cannot be read, instead of skipping it.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    look: LookArgs,

    /// Overwrite an existing picture or patch.
    #[arg(long, requires = "written")]
    force: bool,
}

/// Two corners of a rectangle, written as x,y,x,y in the game's numbers; the cells of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxArg(pub GeoCell, pub GeoCell);

impl FromStr for BoxArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split(',').map(|number| number.trim().parse().ok());
        let numbers: Option<Vec<i32>> = numbers.collect();
        let Some(&[ax, ay, bx, by]) = numbers.as_deref() else {
            return Err("write four whole numbers x,y,x,y".to_owned());
        };
        let cell = |x, y| GeoCell::from_point(x, y).map_err(|error| error.to_string());
        Ok(Self(
            cell(ax.min(bx), ay.min(by))?,
            cell(ax.max(bx), ay.max(by))?,
        ))
    }
}

/// How a region differs, without the cells that are not listed.
struct Difference {
    id: RegionId,
    listed: Vec<ChangedCell>,
    n_cells: usize,
    n_blocks: usize,
    n_kinds: usize,
    /// Cells by what changed, in the order of [`CHANGES`].
    n_by_change: [usize; 4],
    max_step: u16,
    tile: Option<Picture>,
    patch: Vec<BlockPatch>,
}

const CHANGES: [(Change, &str); 4] = [
    (Change::LAYERS, "layers"),
    (Change::HEIGHT, "height"),
    (Change::NSWE, "sides"),
    (Change::FLAT_LOW, "lower flat height"),
];

/// Lists changed cells and totals, and draws them on request.
///
/// # Errors
/// If there are no regions, regions are broken (then all others are reported, unless none may be left out), or the picture
/// cannot be written.
pub fn run(args: &DiffArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    watch_for_interrupt();
    let by_id = |path, from| -> Result<BTreeMap<RegionId, RegionPath>, Lineage2Error> {
        let files = region_files(path, from)?.into_iter();
        Ok(files.map(|file| (file.name.id, file)).collect())
    };
    let (a, b) = (by_id(&args.a, args.from_a)?, by_id(&args.b, args.from_b)?);
    let both: Vec<(&RegionPath, &RegionPath)> = (a.iter())
        .filter_map(|(id, in_a)| Some((in_a, b.get(id)?)))
        .collect();
    let options = args.look.options(both.len());
    if let Some(path) = &args.picture {
        check_picture_path(path, existing(args.force))?;
        if both.is_empty() {
            return Err(Lineage2Error::NothingInBoth);
        }
        let ids: Vec<RegionId> = both.iter().map(|(file, _)| file.name.id).collect();
        check_size(&ids, &options)?;
    }
    if let Some(path) = &args.patch {
        check_writable(path, existing(args.force))?;
    }
    let broken_regions = BrokenRegions::from_strict(args.strict);
    let (differences, broken) = args.compare_all(&both, &options)?;
    let n_broken = broken.len();
    broken_regions.log(broken, both.len())?;

    let mut n_alone = 0;
    for (path, ours, theirs) in [(&args.a, &a, &b), (&args.b, &b, &a)] {
        for id in ours.keys().filter(|id| !theirs.contains_key(id)) {
            writeln!(out, "{id}: only in {}", plain::path(path))?;
            n_alone += 1;
        }
    }
    for difference in &differences {
        difference.print(out)?;
    }
    let n_cells: usize = differences.iter().map(|it| it.n_cells).sum();
    let n_changed = differences.iter().filter(|it| it.n_cells > 0).count();
    let left_out = match n_broken {
        0 => String::new(),
        n => format!(" ({n} broken and left out)"),
    };
    writeln!(
        out,
        "regions in both {}{left_out}, changed {n_changed}, only in one {n_alone}: {n_cells} cells differ",
        both.len()
    )?;
    if let Some(path) = &args.patch {
        let patches = differences.iter().flat_map(|it| &it.patch);
        let lines: String = patches.map(|patch| patch.line() + "\n").collect();
        write_file(path, existing(args.force), lines.as_bytes())?;
    }
    if let Some(path) = &args.picture {
        let tiles: Vec<(RegionId, Picture)> = (differences.into_iter())
            .filter_map(|it| Some((it.id, it.tile?)))
            .collect();
        let to = (&**path, existing(args.force));
        write_mosaic(&tiles, &options, args.look.grid(), to)?;
    }
    // Whether what was left out differs is not known.
    if n_broken > 0 {
        return Err(Lineage2Error::Uncompared {
            n_broken,
            n_regions: both.len(),
        });
    }
    Ok(match (n_cells, n_alone) {
        (0, 0) => Verdict::Done,
        _ => Verdict::No,
    })
}

impl DiffArgs {
    fn diff_options(&self) -> DiffOptions {
        DiffOptions {
            tolerance: self.tolerance,
            area: self.area.map(|BoxArg(first, last)| (first, last)),
        }
    }

    /// Compares on all threads; also the regions that cannot be read.
    fn compare_all(
        &self,
        both: &[(&RegionPath, &RegionPath)],
        options: &PictureOptions,
    ) -> Result<(Vec<Difference>, Vec<LeftOut>), Lineage2Error> {
        let bar = progress::bar(both.len());
        let compared: Vec<Result<Difference, LeftOut>> = (both.par_iter())
            .with_max_len(1)
            .map(|(in_a, in_b)| {
                check_interrupt()?;
                let id = in_a.name.id;
                let difference = self.compare(in_a, in_b, options);
                bar.inc(1);
                match difference {
                    Err(error) if self.strict => Err(Lineage2Error::Geodata(error)),
                    difference => Ok(difference.map_err(|error| LeftOut { id, error })),
                }
            })
            .collect::<Result<_, Lineage2Error>>()?;
        bar.finish_and_clear();
        let (mut differences, mut broken) = (Vec::new(), Vec::new());
        for region in compared {
            match region {
                Ok(difference) => differences.push(difference),
                Err(left_out) => broken.push(left_out),
            }
        }
        Ok((differences, broken))
    }

    fn compare(
        &self,
        a: &RegionPath,
        b: &RegionPath,
        options: &PictureOptions,
    ) -> Result<Difference, FolderError> {
        let [a, b] = [a, b].map(|file| file.open(Tolerance::STRICT));
        let (a, b) = (Region::from(a?), Region::from(b?));
        let found = diff(&a, &b, &self.diff_options());
        let tile = self.picture.as_ref().map(|_| {
            let mut tile = Picture::from_region(&b, options).expect("the scale was checked");
            tile.fade();
            tile.mark(&found, options.cells_per_pixel);
            tile
        });
        let is_part = self.tolerance > 0 || self.area.is_some();
        let patch = match (&self.patch, is_part) {
            (None, _) => Vec::new(),
            (Some(_), false) => BlockPatch::from_regions(&a, &b),
            (Some(_), true) => BlockPatch::from_diff(&a, &b, &found),
        };
        Ok(Difference {
            patch,
            ..Difference::new(b.id, found, self.limit, tile)
        })
    }
}

impl Difference {
    fn new(id: RegionId, found: RegionDiff, limit: usize, tile: Option<Picture>) -> Self {
        let RegionDiff {
            mut cells,
            n_blocks,
            n_kinds,
        } = found;
        let n_with = |change| {
            let with = cells.iter().filter(|cell| cell.change.contains(change));
            with.count()
        };
        let n_by_change = CHANGES.map(|(change, _)| n_with(change));
        let n_cells = cells.len();
        let max_step = cells.iter().map(|cell| cell.max_step).max().unwrap_or(0);
        cells.truncate(limit);
        cells.shrink_to_fit();
        Self {
            id,
            listed: cells,
            n_cells,
            n_blocks,
            n_kinds,
            n_by_change,
            max_step,
            tile,
            patch: Vec::new(),
        }
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Lineage2Error> {
        let Self { id, n_cells, .. } = self;
        if *n_cells == 0 {
            if self.n_kinds > 0 {
                writeln!(
                    out,
                    "{id}: the same cells, {} blocks of another kind",
                    self.n_kinds
                )?;
            }
            return Ok(());
        }
        let kinds = CHANGES.iter().zip(self.n_by_change);
        let words: Vec<String> = kinds
            .filter(|(_, n)| *n > 0)
            .map(|((_, word), n)| format!("{word} {n}"))
            .collect();
        writeln!(
            out,
            "{id}: {n_cells} cells in {} blocks: {}; largest step {}, blocks of another kind {}",
            self.n_blocks,
            words.join(", "),
            self.max_step,
            self.n_kinds
        )?;
        for changed in &self.listed {
            print_cell(changed, out)?;
        }
        let n_left = n_cells - self.listed.len();
        if n_left > 0 && !self.listed.is_empty() {
            writeln!(out, "  ... and {n_left} more")?;
        }
        Ok(())
    }
}

fn print_cell(changed: &ChangedCell, out: &mut dyn Write) -> Result<(), Lineage2Error> {
    let ChangedCell {
        cell,
        change,
        max_step,
    } = changed;
    let words: Vec<&str> = CHANGES
        .iter()
        .filter(|(kind, _)| change.contains(*kind))
        .map(|(_, word)| *word)
        .collect();
    let ((x, y), block, at) = (cell.center(), cell.block(), cell.cell());
    writeln!(
        out,
        "  {x},{y} block {},{} cell {},{}: {}{}",
        block.0,
        block.1,
        at.0,
        at.1,
        words.join(", "),
        match max_step {
            0 => String::new(),
            step => format!(" by {step}"),
        }
    )?;
    Ok(())
}
