//! Options of conversions: which were given, and whether the conversion takes them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::read_game_file;
use crate::assets::format::{ConversionOption, ConversionOptions};
use crate::assets::formats::Formats;
use crate::assets::text::CodePage;
use crate::console::input_path;
use crate::error::AppError;

/// Options of exports.
#[derive(Debug, Default, Args)]
pub struct ExportOptions {
    /// Animation frames per second, for GLB; 15 by default.
    #[arg(long, value_name = "FRAMES", allow_negative_numbers = true)]
    rate: Option<f32>,

    /// State to export, for OBJ: 0 is intact, 1 destroyed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    state: Option<u8>,

    /// Level of detail to export, for OBJ: 0 is the finest.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=4))]
    lod: Option<u8>,

    /// Code page of strings in packed settings (.reg).
    #[arg(long, value_name = "PAGE", value_enum)]
    code_page: Option<CodePageArg>,
}

/// Options of imports.
#[derive(Debug, Args)]
pub struct ImportOptions {
    /// Animation frames per second; by default the rate that the file was exported with, or 15.
    #[arg(long, value_name = "FRAMES", allow_negative_numbers = true)]
    rate: Option<f32>,

    /// Original file, for what the input does not contain: for .csv the database that provides all other tables; for a
    /// figure the exported .mod that provides unchanged animation tracks and the animation table (.adb); for a model or
    /// land the exported .msh that provides what glTF has no place for.
    #[arg(long, value_name = "FILE", value_parser = input_path())]
    base: Option<PathBuf>,

    /// Pixel format of a texture, for .png: dxt1 (1-bit alpha), dxt3 (4-bit alpha), pnt3 (compressed 32-bit pixels,
    /// without mip levels), 565, 1555, 4444 or 8888; by default dxt3 if any pixel is translucent, else dxt1.
    #[arg(long, value_name = "FORMAT")]
    pixels: Option<String>,

    /// Do not generate mip levels, for .png.
    #[arg(long)]
    no_mips: bool,
}

/// Code pages, by the names that they go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CodePageArg {
    /// Windows code page 1251.
    Cp1251,
    /// DOS code page 866.
    Cp866,
}

impl ExportOptions {
    /// The options, all of which the conversion takes; `assets` are for whatever uses them.
    ///
    /// # Errors
    /// [`AppError::OptionOfOthers`].
    pub fn taken_by(
        &self,
        taken: &[ConversionOption],
        assets: &[PathBuf],
    ) -> Result<ConversionOptions, AppError> {
        let given = [
            (
                ConversionOption::FramesPerSec,
                "--rate",
                self.rate.is_some(),
            ),
            (ConversionOption::State, "--state", self.state.is_some()),
            (ConversionOption::Lod, "--lod", self.lod.is_some()),
            (
                ConversionOption::CodePage,
                "--code-page",
                self.code_page.is_some(),
            ),
        ];
        refuse_others(&given, taken)?;
        Ok(ConversionOptions {
            assets: assets.to_vec(),
            frames_per_sec: self.rate,
            state: self.state,
            lod: self.lod,
            code_page: match self.code_page {
                Some(CodePageArg::Cp866) => CodePage::Cp866,
                Some(CodePageArg::Cp1251) | None => CodePage::Cp1251,
            },
            ..ConversionOptions::default()
        })
    }
}

impl ImportOptions {
    /// The options, all of which the conversion takes.
    ///
    /// # Errors
    /// [`AppError::OptionOfOthers`], and for a base that cannot be read.
    pub fn taken_by(
        &self,
        taken: &[ConversionOption],
        formats: &Formats,
    ) -> Result<ConversionOptions, AppError> {
        let given = [
            (
                ConversionOption::FramesPerSec,
                "--rate",
                self.rate.is_some(),
            ),
            (
                ConversionOption::PixelFormat,
                "--pixels",
                self.pixels.is_some(),
            ),
            (ConversionOption::SingleLevel, "--no-mips", self.no_mips),
        ];
        refuse_others(&given, taken)?;
        let takes = |option| taken.contains(&option);
        let base = self.base.as_deref();
        if base.is_some() && !takes(ConversionOption::Base) && !takes(ConversionOption::BaseFile) {
            refuse_others(&[(ConversionOption::Base, "--base", true)], taken)?;
        }
        let of_file = base.filter(|_| takes(ConversionOption::Base));
        Ok(ConversionOptions {
            frames_per_sec: self.rate,
            base: of_file
                .map(|path| read_game_file(path, formats))
                .transpose()?,
            base_file: self.base.clone(),
            pixel_format: self.pixels.clone(),
            is_single_level: self.no_mips,
            ..ConversionOptions::default()
        })
    }
}

/// Refuses the first option that was given and is not taken.
fn refuse_others(
    given: &[(ConversionOption, &str, bool)],
    taken: &[ConversionOption],
) -> Result<(), AppError> {
    let mut given = given.iter().filter(|(.., is_given)| *is_given);
    match given.find(|(option, ..)| !taken.contains(option)) {
        Some((option, name, _)) => Err(AppError::OptionOfOthers {
            option: (*name).to_owned(),
            what: used_by(*option),
        }),
        None => Ok(()),
    }
}

/// Which conversions take an option.
fn used_by(option: ConversionOption) -> &'static str {
    match option {
        ConversionOption::CodePage => ".reg files",
        ConversionOption::PixelFormat | ConversionOption::SingleLevel => {
            "a texture of a picture, FILE.png"
        }
        ConversionOption::Base | ConversionOption::BaseFile => {
            "tables of a database, FILE.csv, and for models, FILE.mod or FILE.msh"
        }
        ConversionOption::FramesPerSec => "models that move, as glTF",
        ConversionOption::State | ConversionOption::Lod => {
            "models as OBJ; other formats hold all states and levels of detail"
        }
        _ => "conversions of some games",
    }
}
