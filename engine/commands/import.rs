//! `ironlands import FILE --to FILE`: makes models and single files of interchange formats.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::convert::{Files, ImportOptions, conversion, extensions_text, read};
use crate::assets::bytes::Severity;
use crate::assets::format::{AnyFormat, ConversionOption, ConversionRequest};
use crate::assets::inspect::inspect_bytes;
use crate::console::findings::log_findings;
use crate::console::output::{Existing, check_writable, write_files};
use crate::console::{input_path, plain};
use crate::error::AppError;
use crate::exchange::conversion::ModelImport;
use crate::kind::{Registry, Verdict};

/// Examples of the help that name no world.
pub const EXAMPLES: &str = "\
";

/// What the help says after them.
pub const NOTES: &str = "\
A model has rigid nodes, one animation with whole frames, and material names. Anything else in the input (skins, morph
targets, textures, cameras, ...) is reported on stderr and ignored. Scale is baked into the vertices.

glTF and OBJ have +Y up. A `.gltf` may refer to files in its folder and subfolders. Existing files are overwritten
only with --force.";

/// What `ironlands import` takes.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Input file: .glb, .gltf or .obj for models, .glb or .gltf for the land of a Parkan level; .ini, .json, .csv, .png
    /// or .dds for single files.
    #[arg(value_name = "FILE", value_parser = input_path())]
    file: PathBuf,

    /// Output file: a model such as walker.msh, with walker.wea beside it if there are materials; or a single file.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    #[command(flatten)]
    conversion: ImportOptions,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

/// Writes the model and what belongs to it, or the file, and prints what was written.
///
/// # Errors
/// If the file cannot be read or holds none, if the name is not one of a model or known file, or if files are in the
/// way.
pub fn run(
    args: &ImportArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    let files = match args.single_format(registry) {
        Some(format) => args.single_file(format, registry, existing)?,
        None => args.model(registry, existing)?,
    };
    read_back(&files, registry)?;
    write_files(&files, existing)?;
    for (path, bytes) in &files {
        writeln!(out, "{}: {} bytes", plain::path(path), bytes.len())?;
    }
    Ok(Verdict::Done)
}

impl ImportArgs {
    /// The format of a single file; `None` where the interchange file is one that models and levels are made from.
    fn single_format(&self, registry: &Registry) -> Option<&'static dyn AnyFormat> {
        let format = registry.formats().convertible(&self.to)?;
        let is_meant = conversion(format, &self.file).is_some();
        let is_made = imports(registry).any(|it| it.makes(&self.to) && it.reads(&self.file));
        (is_meant || !is_made).then_some(format)
    }

    fn single_file(
        &self,
        format: &dyn AnyFormat,
        registry: &Registry,
        existing: Existing,
    ) -> Result<Files, AppError> {
        let no_import = || self.no_import(format.name(), extensions_text(format));
        let conversion = conversion(format, &self.file).ok_or_else(no_import)?;
        let import = conversion.import.ok_or_else(no_import)?;
        let options = self
            .conversion
            .taken_by(conversion.options, registry.formats())?;
        check_writable(&self.to, existing)?;
        let data = match read(&self.file) {
            // Tables lie beside the name that was given, which none of them needs to have.
            Err(AppError::Read { source, .. })
                if source.kind() == io::ErrorKind::NotFound
                    && conversion.options.contains(&ConversionOption::Base) =>
            {
                Vec::new()
            }
            read => read?,
        };
        let request = ConversionRequest {
            file: &self.to,
            interchange: &self.file,
            options: &options,
        };
        let made = import(&data, &request).map_err(|source| AppError::Convert {
            path: self.file.clone(),
            source: source.into(),
        })?;
        Ok(vec![(self.to.clone(), made)])
    }

    fn model(&self, registry: &Registry, existing: Existing) -> Result<Files, AppError> {
        // A file of a level is known by its name, before the models that end like it.
        let mut made: Vec<_> = imports(registry).filter(|it| it.makes(&self.to)).collect();
        made.sort_by_key(|it| it.to_file.is_none());
        let Some(import) = made.first() else {
            let models = imports(registry).map(|import| import.to_extension);
            let files = registry.formats().all();
            let files = files.filter(|format| !format.conversions().is_empty());
            let files = files.flat_map(|format| format.extensions()).copied();
            let mut seen = HashSet::new();
            let endings = models.chain(files).filter(|ending| seen.insert(*ending));
            let expected = endings.map(|extension| format!(".{extension}"));
            return Err(AppError::NotExchanged {
                path: self.to.clone(),
                expected: expected.collect::<Vec<_>>().join(", "),
            });
        };
        self.made_by(import, registry, existing)
    }

    fn made_by(
        &self,
        import: &ModelImport,
        registry: &Registry,
        existing: Existing,
    ) -> Result<Files, AppError> {
        if !import.reads(&self.file) {
            let possible = import.from_extensions.iter();
            let possible: Vec<_> = possible.map(|it| format!(".{it}")).collect();
            return Err(self.no_import(import.name, possible.join(" or ")));
        }
        let options = self
            .conversion
            .taken_by(import.options, registry.formats())?;
        check_writable(&self.to, existing)?;
        let made = (import.import)(&self.file, &self.to, &options);
        let made = made.map_err(AppError::ImportModel)?;
        log_findings(&made.findings);
        Ok(made.files)
    }

    fn no_import(&self, what: &'static str, possible: String) -> AppError {
        AppError::NoGameForm {
            path: self.file.clone(),
            what,
            possible,
            to: self.to.clone(),
        }
    }
}

/// What models and files of levels are made by, in all worlds.
fn imports(registry: &Registry) -> impl Iterator<Item = &'static ModelImport> + '_ {
    registry.kinds().flat_map(|kind| kind.model_imports())
}

/// The last look before files get their names: what was made is read as any other file.
///
/// # Errors
/// If one of them cannot be read; then none should be written. What else `check` would report as an error is logged: a
/// file of the game may have come with it.
fn read_back(files: &Files, registry: &Registry) -> Result<(), AppError> {
    for (path, bytes) in files {
        let findings = inspect_bytes(path, bytes, registry.formats());
        let findings = findings.map_err(|source| AppError::MadeUnreadable {
            path: path.clone(),
            source: Box::new(source),
        })?;
        for finding in findings {
            if finding.severity == Severity::Error {
                log::warn!("{}: {}", path.display(), finding.message);
            }
        }
    }
    Ok(())
}
