//! `ironlands export PATH --to FILE`: writes a model as glTF or OBJ, a level as glTF or in its editor's format, and
//! single files of Evil Islands in open forms.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ironlands::assets_loader::evil_islands::figure_file::FigureFile;
use ironlands::assets_loader::format::{
    AnyFormat, ConversionOption, ConversionOptions, ConversionRequest,
};
use ironlands::assets_loader::formats::convertible;
use ironlands::assets_loader::level::{self, LevelFiles, OpenOptions, Sniffed, open_model_file};
use ironlands::assets_loader::lineage2::GeodataFormat;
use ironlands::assets_loader::parkan::texm::PixelOptions;
use ironlands::assets_loader::source::decompile::to_vmf;
use ironlands::assets_loader::text::CodePage;
use ironlands::exchange::{
    ExchangeFinding, ExportError, FigureSource, GlbOptions, ModelLook, ModelSource, ObjOptions,
    write_figure_glb, write_glb, write_obj, write_scene_glb,
};
use ironlands::output::{Existing, check_writable, write_files};

use super::convert::{Files, conversion, extensions_text, read_game_file};
use super::fly::SourceArgs;
use super::geodata::{BrokenRegions, format_parser, land_scene};
use crate::Verdict;
use crate::cast::{Cast, Named};
use crate::cli::input_path;
use crate::error::AppError;
use crate::findings::log_findings;
use crate::plain;
use crate::wrong_name::no_level;

const EXAMPLES: &str = "\
Examples:
  ironlands export bases.rlb/WALKER.MSH --to walker.glb
          Export a model as one file: nodes, meshes, materials, textures, and all frames as one animation.
  ironlands export tank.msh --to tank.obj --state 1
          Export the destroyed state of a tank; tank.mtl and its textures are written beside it.
  ironlands export DATA/MAPS/Map01 --to map01.glb
          Export a level: land, objects, materials, textures and lightmaps (extension MOZ_lightmap).
  ironlands export geodata/22_22.l2j --to giran.glb
          Export a geodata region: flat cells of all layers with walls between them, colored by height.
  ironlands export de_map.bsp --to de_map.vmf
          Decompile a Source map for its editor: brushes, displacements, entities with their outputs, props.
  ironlands export Res/textures.res/wood01.mmp --to wood01.png
          Export an Evil Islands texture from its archive; .dds keeps all mip levels and the stored blocks.
  ironlands export Res/figures.res/unhufe.mod --to unhufe.glb
          Export an Evil Islands figure: parts, their eight states as morph targets, animations, textures.
  ironlands export Maps/zone1.mob --to zone1.json
          Export the objects and the script of an Evil Islands zone as JSON.
  ironlands export database.res/items.idb --to items.csv
          Export a database as one file per table, items.TABLE.csv; --to items.json writes a single file.

Interchange formats of Evil Islands files: .reg as .ini; .idb .ldb .pdb .sdb .udb .qdb acks.db prints.db as .json or
.csv; .mob and .cam as .json; .mmp as .png or .dds. From .ini, .json and .dds, `ironlands import` recreates the
same file, identical byte for byte if the original was valid.

The default scene of a model's GLB is the intact model at its finest level of detail; its other scenes are the other
states and levels. What glTF cannot express is stored in `extras`, so that `ironlands import` can restore the model.

Both formats have +Y up. What the file does not hold of the model is named on stderr. Files that are there are kept
without --force.";

/// What `ironlands export` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExportArgs {
    /// Model file, archive entry such as bases.rlb/WALKER.MSH, level (also a geodata region or a folder of regions),
    /// or an Evil Islands file, which may be in an archive.
    #[arg(value_name = "PATH", value_parser = input_path())]
    path: PathBuf,

    /// Output file; its extension chooses the format: .glb for models and levels, .obj for models, .vmf for Source
    /// maps, .ini, .json, .csv, .png or .dds for Evil Islands files.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

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

    /// Geodata format to read if a folder has several.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    from: Option<GeodataFormat>,

    /// Fail if a geodata region cannot be read, instead of skipping it.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    source: SourceArgs,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

/// Writes the model or level and prints what was written.
///
/// # Errors
/// If it cannot be opened or has numbers that the format cannot hold, if an option is of the other format, or if
/// files are in the way.
pub fn run(args: &ExportArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    let files = match convertible(&args.path) {
        Some(format) => args.game_file(format)?,
        None => args.model_or_level()?,
    };
    write_files(&files, args.existing())?;
    for (path, bytes) in &files {
        writeln!(answer, "{}: {} bytes", plain::path(path), bytes.len())?;
    }
    Ok(Verdict::Done)
}

/// Whether a path is a level, rather than a model or nothing known.
fn is_level(path: &Path) -> bool {
    let levels = |kind: &Sniffed| {
        matches!(
            kind,
            Sniffed::ParkanLevel { .. }
                | Sniffed::SourceBsp { .. }
                | Sniffed::EvilIslandsZone { .. }
                | Sniffed::GeodataRegion
                | Sniffed::GeodataFolder { .. }
        ) || matches!(kind, Sniffed::OtherFolder { levels_below } if !levels_below.is_empty())
    };
    level::sniff(path).is_ok_and(|kind| levels(&kind))
}

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Glb,
    Obj,
    Vmf,
}

impl Format {
    fn of(path: &Path) -> Result<Self, AppError> {
        let extension = path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("glb") {
            return Ok(Self::Glb);
        }
        if extension.eq_ignore_ascii_case("obj") {
            return Ok(Self::Obj);
        }
        if extension.eq_ignore_ascii_case("vmf") {
            return Ok(Self::Vmf);
        }
        Err(AppError::NotExchanged {
            path: path.to_owned(),
            expected: ".glb, .obj or .vmf for models and levels",
        })
    }
}

/// Code pages, by the names that they go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CodePageArg {
    /// Windows code page 1251.
    Cp1251,
    /// DOS code page 866.
    Cp866,
}

impl ExportArgs {
    fn existing(&self) -> Existing {
        match self.force {
            true => Existing::Replace,
            false => Existing::Keep,
        }
    }

    fn game_file(&self, format: &dyn AnyFormat) -> Result<Files, AppError> {
        if self.has_model_option() {
            let what = "--rate, --state and --lod are for models";
            return Err(AppError::StrayOption(what));
        }
        let Some(conversion) = conversion(format, &self.to) else {
            return Err(AppError::NoOpenForm {
                path: self.path.clone(),
                what: format.name(),
                possible: extensions_text(format),
                to: self.to.clone(),
            });
        };
        let takes_code_page = conversion.options.contains(&ConversionOption::CodePage);
        if self.code_page.is_some() && !takes_code_page {
            return Err(AppError::StrayOption("--code-page is for .reg files"));
        }
        let data = read_game_file(&self.path)?;
        let options = ConversionOptions {
            code_page: match self.code_page {
                Some(CodePageArg::Cp866) => CodePage::Cp866,
                Some(CodePageArg::Cp1251) | None => CodePage::Cp1251,
            },
            ..ConversionOptions::default()
        };
        let request = ConversionRequest {
            file: &self.path,
            interchange: &self.to,
            options: &options,
        };
        let exported = (conversion.export)(&data, &request);
        let exported = exported.map_err(|source| AppError::Convert {
            path: self.path.clone(),
            source: Box::new(source),
        })?;
        log_findings(&exported.findings);
        Ok(exported.files)
    }

    fn model_or_level(&self) -> Result<Files, AppError> {
        let format = Format::of(&self.to)?;
        self.check_options(format)?;
        check_writable(&self.to, self.existing())?;
        match is_level(&self.path) {
            true => self.level(format),
            false => self.model(format),
        }
    }

    fn check_options(&self, format: Format) -> Result<(), AppError> {
        let stray = match format {
            Format::Glb if self.state.is_some() || self.lod.is_some() => {
                "--state and --lod are for OBJ; a GLB holds all states and levels of detail"
            }
            Format::Obj if self.rate.is_some() => "--rate is for GLB; an OBJ does not move",
            Format::Vmf if self.has_model_option() => "--rate, --state and --lod are for models",
            _ if self.code_page.is_some() => "--code-page is for .reg files",
            Format::Glb | Format::Obj | Format::Vmf => return Ok(()),
        };
        Err(AppError::StrayOption(stray))
    }

    fn has_model_option(&self) -> bool {
        self.rate.is_some() || self.state.is_some() || self.lod.is_some()
    }

    fn level(&self, format: Format) -> Result<Files, AppError> {
        if self.has_model_option() {
            let what = "--rate, --state and --lod are for models; a level is written as it stands";
            return Err(AppError::StrayOption(what));
        }
        let options = OpenOptions {
            geodata_format: self.from,
            ..self.source.options()
        };
        let mut level =
            level::open(&self.path, &options).map_err(|error| no_level(&self.path, error))?;
        self.refuse_what_is_for_geodata(&level.files)?;
        log_findings(&level.findings);
        let bytes = match format {
            Format::Glb => {
                if let LevelFiles::Geodata(regions) = &level.files {
                    let broken_regions = BrokenRegions::of_strict(self.strict);
                    level.scene = land_scene(regions, broken_regions)?;
                    log::warn!(
                        "{}: open sides and the lower heights of flat blocks are not in the file",
                        self.path.display()
                    );
                }
                let glb = write_scene_glb(&level.scene).map_err(|it| self.export_error(it))?;
                self.log(&glb.findings);
                glb.bytes
            }
            Format::Vmf => self.vmf(&level.files)?,
            Format::Obj => return Err(self.no_level_as(".obj")),
        };
        Ok(vec![(self.to.clone(), bytes)])
    }

    fn refuse_what_is_for_geodata(&self, files: &LevelFiles) -> Result<(), AppError> {
        let has_some = self.from.is_some() || self.strict;
        match files {
            LevelFiles::Geodata(_) => Ok(()),
            _ if has_some => Err(AppError::StrayOption("--from and --strict are for geodata")),
            _ => Ok(()),
        }
    }

    fn vmf(&self, files: &LevelFiles) -> Result<Vec<u8>, AppError> {
        let LevelFiles::Source(map) = files else {
            return Err(self.no_level_as(".vmf"));
        };
        let (vmf, findings) = to_vmf(&map.map, &map.entities, &map.static_props);
        log_findings(&findings);
        vmf.write().map_err(|source| AppError::Decompile {
            path: self.path.clone(),
            source: Box::new(source),
        })
    }

    fn no_level_as(&self, extension: &'static str) -> AppError {
        AppError::NotForLevel {
            path: self.path.clone(),
            extension,
        }
    }

    /// A figure of Evil Islands with all its states and animations.
    fn figure(&self, format: Format) -> Result<Files, AppError> {
        if format != Format::Glb {
            return Err(AppError::NotExchanged {
                path: self.to.clone(),
                expected: ".glb for a figure",
            });
        }
        if self.rate.is_some() {
            let what = "--rate is for models of Parkan; a figure's animations have their own";
            return Err(AppError::StrayOption(what));
        }
        let options = self.source.options();
        let opened = level::open_model(&self.path, &options).map_err(AppError::OpenModel)?;
        log_findings(&opened.findings);
        let LevelFiles::Figure(file) = &opened.files else {
            unreachable!("what is opened as a figure is one");
        };
        let source = FigureSource {
            figure: &file.figure,
            primary: opened.scene.textures.first(),
            secondary: opened.scene.textures.get(1),
            complection: file.complection,
        };
        let glb = write_figure_glb(&source).map_err(|it| self.export_error(it))?;
        self.log(&glb.findings);
        Ok(vec![(self.to.clone(), glb.bytes)])
    }

    fn model(&self, format: Format) -> Result<Files, AppError> {
        if FigureFile::is_figure(&self.path) {
            return self.figure(format);
        }
        let file = open_model_file(&self.path).map_err(AppError::OpenModel)?;
        log_findings(&file.findings);
        let look = ModelLook::of(&file, PixelOptions::default());
        match format {
            Format::Glb => self.glb(&look.source(&file)),
            Format::Obj => {
                let cast = Cast::of(&file.to_scene(PixelOptions::default()), Named::Nodes);
                cast.known_state(self.state)?;
                cast.known_lod(self.lod)?;
                self.obj(&look.source(&file))
            }
            Format::Vmf => Err(AppError::NotExchanged {
                path: self.to.clone(),
                expected: ".glb or .obj for a model",
            }),
        }
    }

    fn glb(&self, source: &ModelSource<'_>) -> Result<Files, AppError> {
        let mut options = GlbOptions::default();
        options.frames_per_sec = self.rate.unwrap_or(options.frames_per_sec);
        let glb = write_glb(source, &options).map_err(|source| self.export_error(source))?;
        self.log(&glb.findings);
        Ok(vec![(self.to.clone(), glb.bytes)])
    }

    /// The OBJ last: when it is there, what it names is there.
    fn obj(&self, source: &ModelSource<'_>) -> Result<Files, AppError> {
        let stem = self.to.file_stem().unwrap_or_default();
        let options = ObjOptions {
            state: self.state.unwrap_or(0),
            lod: self.lod.unwrap_or(0),
            stem: stem.to_string_lossy().into_owned(),
        };
        let files = write_obj(source, &options).map_err(|source| self.export_error(source))?;
        self.log(&files.findings);
        let beside = |name: &str| self.to.with_file_name(name);
        let mut written: Files = (files.pngs.into_iter())
            .map(|(name, bytes)| (beside(&name), bytes))
            .collect();
        written.push((beside(&files.mtl_name), files.mtl.into_bytes()));
        written.push((self.to.clone(), files.obj.into_bytes()));
        Ok(written)
    }

    /// Tells what is left out.
    fn log(&self, findings: &[ExchangeFinding]) {
        for finding in findings {
            log::warn!("{}: {finding}", self.path.display());
        }
    }

    fn export_error(&self, source: ExportError) -> AppError {
        AppError::Export {
            path: self.path.clone(),
            source: Box::new(source),
        }
    }
}
