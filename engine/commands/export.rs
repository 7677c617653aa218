//! `ironlands export PATH --to FILE`: writes models, levels and single files in interchange formats.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::convert::{
    ExportOptions, Files, conversion, extension, extensions_text, read_game_file,
};
use crate::assets::format::{AnyFormat, ConversionRequest, Exported};
use crate::console::findings::log_findings;
use crate::console::input_path;
use crate::console::output::{Existing, check_writable, write_files};
use crate::console::plain;
use crate::error::AppError;
use crate::exchange::conversion::LevelExport;
use crate::exchange::write_gltf::Glb;
use crate::exchange::write_scene_glb;
use crate::kind::{AnyWorldKind, OpenError, OpenOptions, Registry, Verdict};

/// Examples of the help that name no world.
pub const EXAMPLES: &str = "\
  ironlands export DATA/MAPS/Map01 --to map01.glb
          Export a level: land, objects, materials, textures and lightmaps (extension MOZ_lightmap).
";

/// What the help says after them.
pub const NOTES: &str = "\
The default scene of a model's GLB is the intact model at its finest level of detail; its other scenes are the other
states and levels. What glTF cannot express is stored in `extras`, so that `ironlands import` can restore the model.

glTF and OBJ have +Y up. What the output cannot represent is reported on stderr. Existing files are
overwritten only with --force.";

/// The one format that every level is exported to.
const GLB: &str = "glb";

/// What `ironlands export` takes.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Model file, archive entry such as bases.rlb/WALKER.MSH, level (also a geodata region or a folder of regions),
    /// or a single file, which may be in an archive.
    #[arg(value_name = "PATH", value_parser = input_path())]
    path: PathBuf,

    /// Output file; its extension chooses the format: .glb for models and levels, .obj for models, .vmf for Source
    /// maps, .ini, .json, .csv, .png or .dds for single files.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    #[command(flatten)]
    conversion: ExportOptions,

    /// Game folder with files that a level or model refers to but does not contain; its archives are searched too. Can
    /// be given several times; the first folder that has a file is used.
    #[arg(long, value_name = "DIR", value_parser = input_path())]
    pub assets: Vec<PathBuf>,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,

    /// How levels and models are opened.
    #[arg(skip)]
    pub options: OpenOptions,

    /// The options of worlds that were given, with their dashes.
    #[arg(skip)]
    pub given: Vec<(&'static dyn AnyWorldKind, Vec<String>)>,
}

/// Writes the model, level or file and prints what was written.
///
/// # Errors
/// If it cannot be opened or has numbers that the format cannot hold, if an option is of another format, or if files are
/// in the way.
pub fn run(
    args: &ExportArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let files = args.files(registry)?;
    write_files(&files, args.existing())?;
    for (path, bytes) in &files {
        writeln!(out, "{}: {} bytes", plain::path(path), bytes.len())?;
    }
    Ok(Verdict::Done)
}

/// The files that a game's file, model or level becomes, of which `to` is the last, with the options that are usual.
/// Nothing is written.
///
/// # Errors
/// As [`run`].
pub fn files_of(
    path: &Path,
    to: &Path,
    existing: Existing,
    registry: &Registry,
) -> Result<Files, AppError> {
    let args = ExportArgs {
        path: path.to_owned(),
        to: to.to_owned(),
        conversion: ExportOptions::default(),
        assets: Vec::new(),
        force: existing == Existing::Replace,
        options: OpenOptions::default(),
        given: Vec::new(),
    };
    args.files(registry)
}

impl ExportArgs {
    fn files(&self, registry: &Registry) -> Result<Files, AppError> {
        match self.single_format(registry) {
            Some(format) => self.single_file(format, registry),
            None => self.model_or_level(registry),
        }
    }

    fn existing(&self) -> Existing {
        match self.force {
            true => Existing::Replace,
            false => Existing::Keep,
        }
    }

    /// The format of a single file; `None` for a level whose name ends like one, unless the output is what only that
    /// format is exported to.
    fn single_format(&self, registry: &Registry) -> Option<&'static dyn AnyFormat> {
        let formats = registry.formats();
        let named = formats.convertible(&self.path);
        let format = named.or_else(|| formats.convertible_entry(&self.path))?;
        let is_meant = conversion(format, &self.to).is_some();
        (is_meant || registry.find_level(&self.path).is_err()).then_some(format)
    }

    fn single_file(&self, format: &dyn AnyFormat, registry: &Registry) -> Result<Files, AppError> {
        let known = conversion(format, &self.to);
        let Some((conversion, export)) = known.and_then(|it| Some((it, it.export?))) else {
            return Err(AppError::NoOpenForm {
                path: self.path.clone(),
                what: format.name(),
                possible: extensions_text(format),
                to: self.to.clone(),
            });
        };
        let options = self.conversion.taken_by(conversion.options, &self.assets)?;
        let data = read_game_file(&self.path, registry.formats())?;
        let request = ConversionRequest {
            file: &self.path,
            interchange: &self.to,
            options: &options,
        };
        let exported = export(&data, &request);
        let exported = exported.map_err(|source| AppError::Convert {
            path: self.path.clone(),
            source: source.into(),
        })?;
        log_findings(&exported.findings);
        Ok(exported.files)
    }

    fn model_or_level(&self, registry: &Registry) -> Result<Files, AppError> {
        check_writable(&self.to, self.existing())?;
        match registry.find_level(&self.path) {
            Ok((kind, level)) => self.level(kind, &level),
            Err(error @ OpenError::SeveralLevels { .. }) => Err(AppError::OpenLevel(error)),
            Err(_) => self.model(registry),
        }
    }

    fn level(&self, kind: &dyn AnyWorldKind, level: &Path) -> Result<Files, AppError> {
        self.refuse_options_of_others(kind)?;
        let extension = extension(&self.to);
        let mut exports = kind.level_exports().iter();
        let is_meant = |it: &&LevelExport| it.extension == extension && it.is_of(&self.path);
        if let Some(export) = exports.find(is_meant) {
            let options = self.conversion.taken_by(export.options, &self.assets)?;
            let exported = (export.export)(level, &self.to, &options);
            return self.converted(exported);
        }
        if extension != GLB {
            return Err(AppError::NotForLevel {
                path: self.path.clone(),
                extension,
            });
        }
        self.conversion.taken_by(&[], &[])?;
        let exported = kind.export_glb(level, &self.options);
        let glb = match exported.map_err(AppError::OpenLevel)? {
            Some(glb) => glb,
            None => self.scene(kind, level)?,
        };
        for finding in &glb.findings {
            log::warn!("{}: {finding}", self.path.display());
        }
        Ok(vec![(self.to.clone(), glb.bytes)])
    }

    /// What is drawn of a level.
    fn scene(&self, kind: &dyn AnyWorldKind, level: &Path) -> Result<Glb, AppError> {
        let opened = kind.open(level, &self.options);
        let opened = opened.map_err(AppError::OpenLevel)?;
        log_findings(&opened.findings);
        write_scene_glb(&opened.scene).map_err(|source| AppError::Convert {
            path: self.path.clone(),
            source: source.into(),
        })
    }

    fn model(&self, registry: &Registry) -> Result<Files, AppError> {
        let found = registry.find_model(&self.path);
        let kind = found.map_err(AppError::OpenModel)?;
        self.refuse_options_of_others(kind)?;
        let extension = extension(&self.to);
        let exports = kind.model_exports();
        let Some(export) = exports.iter().find(|export| export.extension == extension) else {
            let extensions = exports
                .iter()
                .map(|export| format!(".{}", export.extension));
            return Err(AppError::NotExchanged {
                path: self.to.clone(),
                expected: extensions.collect::<Vec<_>>().join(" or "),
            });
        };
        let options = self.conversion.taken_by(export.options, &self.assets)?;
        self.converted((export.export)(&self.path, &self.to, &options))
    }

    fn converted(
        &self,
        exported: Result<Exported, Box<dyn Error + Send + Sync>>,
    ) -> Result<Files, AppError> {
        let exported = exported.map_err(|source| AppError::Convert {
            path: self.path.clone(),
            source,
        })?;
        log_findings(&exported.findings);
        Ok(exported.files)
    }

    /// Options of other worlds than the one whose level or model it is.
    fn refuse_options_of_others(&self, kind: &dyn AnyWorldKind) -> Result<(), AppError> {
        let mut others = self
            .given
            .iter()
            .filter(|(other, _)| other.name() != kind.name());
        let misplaced = others.find_map(|(other, options)| Some((other, options.first()?)));
        match misplaced {
            Some((other, option)) => Err(AppError::OptionOfOthers {
                option: option.clone(),
                what: other.name(),
            }),
            None => Ok(()),
        }
    }
}
