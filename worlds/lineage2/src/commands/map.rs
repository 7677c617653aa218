//! `ironlands geodata map PATH --to FILE.png`: regions from above.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::LeftOut;
use clap::{Args, ValueEnum};
use image::RgbaImage;
use ironlands_assets_lineage2::picture::{Coloring, Picture, PictureOptions, ShownLayer};
use ironlands_assets_lineage2::{CELLS_PER_REGION_SIDE, Region, RegionId, RegionPath, Tolerance};
use ironlands_world_kind::console::output::{Existing, write_png};
use rayon::prelude::*;

use super::source::SourceArgs;
use crate::Lineage2Error;
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::interrupt::{check_interrupt, watch_for_interrupt};
use ironlands_world_kind::console::output::check_picture_path;
use ironlands_world_kind::console::plain;
use ironlands_world_kind::console::progress;

/// Most pixels of a picture: 256 MiB of them.
const MAX_PIXELS: usize = 1 << 26;
/// Pixels along a side of a region by default, if there are several.
const DEFAULT_SIDE_OF_MANY: usize = 256;

const EXAMPLES: &str = "\
Examples:
  ironlands geodata map 22_22.l2j --to giran.png
          Render one region, one pixel per cell, colored by height.
  ironlands geodata map geodata --to world.png
          Render all regions, 256 x 256 pixels each.
  ironlands geodata map 22_22.l2j --show nswe --surface lowest --to under-roofs.png
          Show the ground under bridges and roofs, with closed sides in red.
  ironlands geodata map geodata --show blocks --scale 16 --to blocks.png
          Flat blocks green, complex ones blue, multilayer ones orange; a pixel is 16 x 16 cells.

North is up, light comes from the northwest, and places without a region are black. Lines separate regions, whose numbers
are in their northwest corners; regions of 512 pixels or more also have grid lines every 2048 points, labeled from 1024
pixels on. --no-grid removes lines and labels.";

/// What `ironlands geodata map` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct MapArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// Output picture.
    #[arg(long, value_name = "FILE.png")]
    to: PathBuf,

    #[command(flatten)]
    look: LookArgs,

    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// How regions are drawn.
#[derive(Debug, Args)]
pub struct LookArgs {
    /// Surface to show where there are several layers.
    #[arg(long, value_enum, default_value = "highest", alias = "layer")]
    surface: SurfaceArg,

    /// Property to color by.
    #[arg(long, value_enum, default_value = "height")]
    show: ShowArg,

    /// Cells per pixel along each axis: 1, 2, 4, ... 2048; by default 1 for one region, 8 for several.
    #[arg(long, value_name = "CELLS", value_parser = parse_scale)]
    scale: Option<usize>,

    /// Draw no grid lines, region numbers and coordinates.
    #[arg(long)]
    no_grid: bool,
}

/// Whether a map has lines and names over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grid {
    /// It has.
    Drawn,
    /// It shows the ground alone.
    Absent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SurfaceArg {
    /// The surface seen from above.
    Highest,
    /// The ground under bridges and roofs.
    Lowest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShowArg {
    /// Height of the ground.
    Height,
    /// Height, with closed sides in red.
    Nswe,
    /// Block type: flat, complex or multilayer.
    Blocks,
}

impl LookArgs {
    /// Whether lines and names are drawn.
    pub fn grid(&self) -> Grid {
        match self.no_grid {
            true => Grid::Absent,
            false => Grid::Drawn,
        }
    }

    /// Options for a picture of a number of regions.
    pub fn options(&self, n_regions: usize) -> PictureOptions {
        let default = match n_regions {
            1 => 1,
            _ => CELLS_PER_REGION_SIDE / DEFAULT_SIDE_OF_MANY,
        };
        PictureOptions {
            layer: match self.surface {
                SurfaceArg::Highest => ShownLayer::Highest,
                SurfaceArg::Lowest => ShownLayer::Lowest,
            },
            coloring: match self.show {
                ShowArg::Height => Coloring::Height,
                ShowArg::Nswe => Coloring::Nswe,
                ShowArg::Blocks => Coloring::Blocks,
            },
            cells_per_pixel: self.scale.unwrap_or(default),
        }
    }
}

/// Draws and writes the picture, and prints its size.
///
/// # Errors
/// If there are no regions, one is broken and none may be left out or there is no other, the picture would be too
/// large, or it cannot be written.
pub fn run(args: &MapArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    watch_for_interrupt();
    let files = args.source.files()?;
    let existing = existing(args.force);
    check_picture_path(&args.to, existing)?;
    let options = args.look.options(files.len());
    let ids: Vec<RegionId> = files.iter().map(|file| file.name.id).collect();
    check_size(&ids, &options)?;
    let bar = progress::bar(files.len());
    let draw = |file: &RegionPath| -> Result<Result<_, LeftOut>, Lineage2Error> {
        check_interrupt()?;
        let id = file.name.id;
        let region = file.open(Tolerance::STRICT).map(Region::from);
        bar.inc(1);
        Ok(match region {
            Ok(region) => {
                let tile = Picture::from_region(&region, &options).expect("the scale was checked");
                Ok((id, tile))
            }
            Err(error) => Err(LeftOut { id, error }),
        })
    };
    let drawn: Vec<Result<_, _>> = (files.par_iter())
        .with_max_len(1)
        .map(draw)
        .collect::<Result<_, Lineage2Error>>()?;
    bar.finish_and_clear();
    let (mut tiles, mut broken) = (Vec::new(), Vec::new());
    for region in drawn {
        match region {
            Ok(tile) => tiles.push(tile),
            Err(error) => broken.push(error),
        }
    }
    let left_out = match broken.len() {
        0 => String::new(),
        n => format!(" ({n} broken and left out)"),
    };
    args.source.broken_regions().log(broken, files.len())?;
    let (width, height) = write_mosaic(&tiles, &options, args.look.grid(), (&args.to, existing))?;
    writeln!(
        out,
        "{}: {width} x {height} pixels, {} regions{left_out}, a pixel is {} cells wide",
        plain::path(&args.to),
        tiles.len(),
        options.cells_per_pixel
    )?;
    Ok(Verdict::Done)
}

/// What happens to a file that is there.
pub fn existing(force: bool) -> Existing {
    match force {
        true => Existing::Replace,
        false => Existing::Keep,
    }
}

/// Refuses a picture that is too large for memory, and names a scale that is not.
///
/// # Errors
/// [`Lineage2Error::MapTooLarge`].
pub fn check_size(ids: &[RegionId], options: &PictureOptions) -> Result<(), Lineage2Error> {
    let n_along = |of: fn(RegionId) -> u8| {
        let places = || ids.iter().map(|id| usize::from(of(*id)));
        places().max().unwrap_or(0) - places().min().unwrap_or(0) + 1
    };
    let (across, down) = (n_along(RegionId::x), n_along(RegionId::y));
    let size = |scale: usize| {
        let side = CELLS_PER_REGION_SIDE / scale;
        (across * side, down * side)
    };
    let fits = |scale: &usize| {
        let (width, height) = size(*scale);
        width * height <= MAX_PIXELS
    };
    if fits(&options.cells_per_pixel) {
        return Ok(());
    }
    let (width, height) = size(options.cells_per_pixel);
    let mut scales = (0..=11).map(|power| 1 << power);
    Err(Lineage2Error::MapTooLarge {
        width,
        height,
        scale: scales.find(fits).unwrap_or(CELLS_PER_REGION_SIDE),
    })
}

/// Puts tiles together and writes them; width and height.
///
/// # Errors
/// If the picture cannot be written.
pub fn write_mosaic(
    tiles: &[(RegionId, Picture)],
    options: &PictureOptions,
    grid: Grid,
    (path, existing): (&Path, Existing),
) -> Result<(usize, usize), Lineage2Error> {
    let side = CELLS_PER_REGION_SIDE / options.cells_per_pixel;
    let mut map = Picture::mosaic(tiles.iter().map(|(id, tile)| (*id, tile)), side);
    if let (Some(map), Grid::Drawn) = (&mut map, grid) {
        let ids: Vec<RegionId> = tiles.iter().map(|(id, _)| *id).collect();
        map.label(&ids, side);
    }
    let Picture {
        width,
        height,
        rgba,
    } = map.expect("there is a region");
    // A map has at most 32 x 2048 pixels a side.
    let image =
        RgbaImage::from_raw(width as u32, height as u32, rgba).expect("four bytes of every pixel");
    write_png(path, existing, image)?;
    Ok((width, height))
}

fn parse_scale(text: &str) -> Result<usize, &'static str> {
    text.parse::<usize>()
        .ok()
        .filter(|scale| scale.is_power_of_two() && *scale <= CELLS_PER_REGION_SIDE)
        .ok_or("write a power of two from 1 to 2048")
}
