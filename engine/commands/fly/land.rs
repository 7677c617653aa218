//! How land is shown that comes in tiles.

use clap::{Args, ValueEnum};

use super::numbers::parse_step_px;
use super::unused_options::UnusedOption;
use crate::console::finite_number;
use crate::error::AppError;
use crate::land_options::LandOptions;
use crate::level::LoadedLevel;
use crate::renderer::TileView;
use crate::scene::TileShape;

/// Memory of the land by default.
const DEFAULT_LAND_MEMORY_MIB: u64 = 256;

/// What these options are for.
const OF_TILES: &str = "land that comes in tiles";

/// How land is shown that comes in tiles.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tiled land")]
pub struct LandArgs {
    /// Surface between cells of different heights: slopes where a step is walkable, or walls everywhere, as in the
    /// files.
    #[arg(long, value_enum, default_value_t = ShapeArg::Slopes)]
    land: ShapeArg,

    /// Color the land by something other than its height; an unknown name lists all.
    #[arg(long, value_name = "NAME", alias = "look")]
    color_by: Option<String>,

    /// Draw bars along the closed sides of cells.
    #[arg(long)]
    sides: bool,

    /// Draw lines between cells, and thicker ones between blocks.
    #[arg(long)]
    grid: bool,

    /// Show only this layer; 0 is the lowest.
    #[arg(long, value_name = "N")]
    layer: Option<u8>,

    /// Hide everything above this height.
    #[arg(long, value_name = "Z", value_parser = finite_number, allow_negative_numbers = true)]
    cut_above: Option<f32>,

    /// Largest geometric error of the land on the screen, in pixels; less is finer and slower; 4 by default.
    #[arg(long, value_name = "PIXELS", value_parser = parse_step_px)]
    land_detail: Option<f32>,

    /// Maximum memory of the land on the graphics device, in MiB; 256 by default.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65536))]
    land_memory: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShapeArg {
    /// Slopes between cells of nearly the same height, walls elsewhere.
    Slopes,
    /// Flat cells, with walls wherever heights differ.
    Cells,
}

impl LandArgs {
    /// Most memory that the land takes on the graphics device.
    pub fn memory_mib(&self) -> u64 {
        self.land_memory.unwrap_or(DEFAULT_LAND_MEMORY_MIB)
    }

    /// Options that were given and change no picture of a level without such land.
    pub fn unused_options(&self, level: &LoadedLevel) -> Vec<UnusedOption> {
        let given = [
            ("--land-detail", self.land_detail.is_some()),
            ("--land-memory", self.land_memory.is_some()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        let unused = given.filter(|_| level.scene.tiles.is_none());
        unused
            .map(|(option, _)| UnusedOption::new(option, OF_TILES))
            .collect()
    }

    /// An option that was given and means nothing to a level without such land.
    fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.land != ShapeArg::Slopes, "--land"),
            (self.color_by.is_some(), "--color-by"),
            (self.sides, "--sides"),
            (self.grid, "--grid"),
            (self.layer.is_some(), "--layer"),
            (self.cut_above.is_some(), "--cut-above"),
        ];
        let first = given.iter().find(|(is_given, _)| *is_given);
        first.map(|(_, option)| *option)
    }

    /// What is shown at the start, with a warning if that is nothing; `None` for a level without such land.
    ///
    /// # Errors
    /// For a property that the land does not have, and for options without effect on to a level without such land.
    pub fn options(&self, level: &LoadedLevel) -> Result<Option<LandOptions>, AppError> {
        let Some(tree) = &level.scene.tiles else {
            return match self.first_given() {
                Some(option) => Err(AppError::OptionOfOthers {
                    option: option.to_owned(),
                    what: OF_TILES,
                }),
                None => Ok(None),
            };
        };
        let color_by = self.color_by.as_ref().map(|name| {
            let known = || tree.color_by.iter().map(|it| &*it.name);
            let index = known().position(|known| known == name);
            index.ok_or_else(|| AppError::NoColoring {
                name: name.clone(),
                known: known().collect::<Vec<_>>().join(", "),
            })
        });
        let n_layers = level.world.n_layers().unwrap_or(1);
        if let Some(warning) = self.layer.and_then(|layer| missing_layer(layer, n_layers)) {
            log::warn!("{warning}");
        }
        Ok(Some(LandOptions {
            n_layers,
            shape: match self.land {
                ShapeArg::Slopes => TileShape::Slopes,
                ShapeArg::Cells => TileShape::Plateaus,
            },
            view: TileView {
                max_step_px: self.land_detail.unwrap_or(TileView::default().max_step_px),
                color_by: color_by.transpose()?,
                sides: self.sides,
                grid: self.grid,
                layer: self.layer,
                hidden_above: self.cut_above,
            },
        }))
    }
}

/// What is said of a layer that the land does not have.
fn missing_layer(layer: u8, n_layers: u8) -> Option<String> {
    let last = n_layers.saturating_sub(1);
    (layer > last).then(|| match last {
        0 => format!("--layer {layer} shows nothing: this land has only layer 0"),
        _ => format!(
            "--layer {layer} shows nothing: this land has {n_layers} layers, numbered 0 to {last}"
        ),
    })
}
