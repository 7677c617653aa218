//! `ironlands import FILE --to FILE`: makes a model of glTF or OBJ, and single files of Evil Islands of open forms.

mod read_back;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};
use ironlands::assets_loader::bytes::FormatError;
use ironlands::assets_loader::evil_islands::figure::Figure;
use ironlands::assets_loader::format::{
    AnyFormat, ConversionOption, ConversionOptions, ConversionRequest,
};
use ironlands::assets_loader::formats::convertible;
use ironlands::assets_loader::parkan::nres::MAX_NAME_LEN;
use ironlands::assets_loader::text::encode_cp1251;
use ironlands::assets_loader::vfs;
use ironlands::exchange::{ImportOptions, Imported, read_figure_glb, read_gltf, read_obj};
use ironlands::output::{Existing, check_writable, write_files};

use self::read_back::read_back;
use super::convert::{Files, conversion, extension, extensions_text, read, read_game_file};
use crate::Verdict;
use crate::cli::input_path;
use crate::error::AppError;
use crate::plain;

const EXAMPLES: &str = "\
Examples:
  ironlands import walker.glb --to walker.msh
          Create a model, and walker.wea with the names of its materials.
  ironlands import house.obj --to house.msh --force
          Create a model from an OBJ; each group becomes a node. Overwrites house.msh and house.wea.

  ironlands import wood01.png --to wood01.mmp --pixels dxt3
          Create an Evil Islands texture from a picture, with all mip levels.
  ironlands import unhufe.glb --to unhufe.mod
          Create an Evil Islands figure, with unhufe.bon and unhufe.anm, from a GLB that `ironlands export` wrote.
  ironlands import unhufe.glb --to unhufe.mod --base figures.res/unhufe.mod
          The same, with unhufe.adb; animation tracks that are unchanged in the GLB are copied from the base bit for bit.
  ironlands import zone1.json --to Maps/zone1.mob --force
          Create the objects and the script of a zone from JSON that `ironlands export` wrote.
  ironlands import items.csv --to new.idb --base items.idb
          Create a database from base tables and the tables beside items.csv: items.TABLE.csv.

Evil Islands files and their interchange formats: .reg from .ini; .idb .ldb .pdb .sdb .udb .qdb acks.db prints.db from
.json or .csv; .mob and .cam from .json; .mmp from .png or .dds.

A model has rigid nodes, one animation with whole frames, and material names. Anything else in the input (skins, morph
targets, textures, cameras, ...) is reported on stderr and ignored. Scale is baked into the vertices.

Material names are written to OUT.wea beside the model, if there are any. The game looks them up in its Material.lib.

Both formats have +Y up. A `.gltf` may name files in its own folder and below. Files that are there are kept
without --force.";

/// What `ironlands import` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ImportArgs {
    /// Input file: .glb, .gltf or .obj; for Evil Islands also .ini, .json, .csv, .png or .dds.
    #[arg(value_name = "FILE", value_parser = input_path())]
    file: PathBuf,

    /// Output file: a model such as walker.msh, with walker.wea beside it if there are materials; or an Evil Islands
    /// file.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Animation frames per second; by default the rate that the file was exported with, or 15.
    #[arg(long, value_name = "FRAMES", allow_negative_numbers = true)]
    rate: Option<f32>,

    /// Original file, for what the input does not contain: for .csv the database that provides all other tables; for a
    /// figure the exported .mod that provides unchanged animation tracks and the animation table (.adb).
    #[arg(long, value_name = "FILE", value_parser = input_path())]
    base: Option<PathBuf>,

    /// Pixel format of a texture, for .png; by default dxt3 if any pixel is translucent, else dxt1.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pixels: Option<PixelsArg>,

    /// Do not generate mip levels, for .png.
    #[arg(long)]
    no_mips: bool,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

/// How pixels of a texture are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PixelsArg {
    /// DXT1 blocks, 1-bit alpha.
    Dxt1,
    /// DXT3 blocks, 4-bit alpha.
    Dxt3,
    /// Compressed 32-bit pixels, without mip levels.
    Pnt3,
    /// 16 bits, no alpha.
    #[value(name = "565")]
    Rgb565,
    /// 16 bits, 1-bit alpha.
    #[value(name = "1555")]
    Argb1555,
    /// 16 bits, 4-bit alpha.
    #[value(name = "4444")]
    Argb4444,
    /// 32 bits, top row first.
    #[value(name = "8888")]
    Argb8888,
}

/// Writes the model and its material table, and prints what was written.
///
/// # Errors
/// If the file cannot be read or is no model, if the model's name is not one of a model, or if files are in the way.
pub fn run(args: &ImportArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    let format = convertible(&args.to);
    args.check(format)?;
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    check_writable(&args.to, existing)?;
    let files = match format {
        Some(format) => vec![(args.to.clone(), args.game_file(format)?)],
        None if args.is_figure() => args.figure()?,
        None => args.model()?,
    };
    read_back(&files)?;
    write_files(&files, existing)?;
    for (path, bytes) in &files {
        writeln!(answer, "{}: {} bytes", plain::path(path), bytes.len())?;
    }
    Ok(Verdict::Done)
}

impl ImportArgs {
    /// Refuses names and options that do not go together, before anything is read.
    fn check(&self, format: Option<&dyn AnyFormat>) -> Result<(), AppError> {
        let takes_base = extension(&self.file) == "csv" || self.is_figure();
        let is_png = extension(&self.file) == "png";
        let stray = if self.base.is_some() && !takes_base {
            "--base is for tables of a database, FILE.csv, and for figures, FILE.mod"
        } else if (self.pixels.is_some() || self.no_mips) && !is_png {
            "--pixels and --no-mips are for a texture of a picture, FILE.png"
        } else if self.rate.is_some() && (format.is_some() || self.is_figure()) {
            "--rate is for models of Parkan"
        } else {
            return self.check_names(format);
        };
        Err(AppError::StrayOption(stray))
    }

    /// A model's source and table have other names than the model, so that none of them takes another's place.
    fn check_names(&self, format: Option<&dyn AnyFormat>) -> Result<(), AppError> {
        match format {
            Some(format) if conversion(format, &self.file).is_some() => Ok(()),
            Some(format) => Err(AppError::NoGameForm {
                path: self.file.clone(),
                what: format.name(),
                possible: extensions_text(format),
                to: self.to.clone(),
            }),
            None if self.is_figure() && extension(&self.file) != "glb" => {
                Err(AppError::NoGameForm {
                    path: self.file.clone(),
                    what: "figure",
                    possible: ".glb".to_owned(),
                    to: self.to.clone(),
                })
            }
            None if self.is_figure() || extension(&self.to) == "msh" => Ok(()),
            None => Err(AppError::NotExchanged {
                path: self.to.clone(),
                expected: ".msh for a model, or as a file of Evil Islands does: .mod, .reg, .idb, .ldb, .pdb, .sdb, .udb, \
                           .qdb, .mob, .cam or .mmp",
            }),
        }
    }

    fn is_figure(&self) -> bool {
        extension(&self.to) == "mod"
    }

    /// The figure's meshes last: when they are there, what belongs to them is there.
    fn figure(&self) -> Result<Files, AppError> {
        let mut imported =
            read_figure_glb(&read(&self.file)?).map_err(|source| AppError::Import {
                path: self.file.clone(),
                source: Box::new(source),
            })?;
        if let Some(base) = &self.base {
            let unusable = |source: Box<dyn Error + Send + Sync>| AppError::FigureBase {
                path: base.clone(),
                source,
            };
            let figure = Figure::open(base).map_err(|it| unusable(it.into()))?;
            let taken_over = imported.take_over(&figure);
            taken_over.map_err(|it| unusable(it.into()))?;
        }
        for finding in &imported.findings {
            log::warn!("{}: {finding}", self.file.display());
        }
        let unmade = |source: FormatError| AppError::BuildModel {
            path: self.file.clone(),
            source: source.into(),
        };
        let figure = imported.figure;
        let mut files = vec![(
            self.to.with_extension("bon"),
            figure.write_bon().map_err(unmade)?,
        )];
        if let Some(anm) = figure.write_anm().map_err(unmade)? {
            files.push((self.to.with_extension("anm"), anm));
        }
        if let Some(adb) = &figure.adb {
            let adb = adb.write().map_err(unmade)?;
            files.push((self.to.with_extension("adb"), adb));
        }
        files.push((self.to.clone(), figure.write_mod().map_err(unmade)?));
        Ok(files)
    }

    fn game_file(&self, format: &dyn AnyFormat) -> Result<Vec<u8>, AppError> {
        let no_import = || AppError::NoGameForm {
            path: self.file.clone(),
            what: format.name(),
            possible: extensions_text(format),
            to: self.to.clone(),
        };
        let conversion = conversion(format, &self.file).ok_or_else(no_import)?;
        let import = conversion.import.ok_or_else(no_import)?;
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
        let options = ConversionOptions {
            pixel_format: self.pixels.and_then(|pixels| {
                let value = pixels.to_possible_value()?;
                Some(value.get_name().to_owned())
            }),
            is_single_level: self.no_mips,
            base: self.base.as_deref().map(read_game_file).transpose()?,
            ..ConversionOptions::default()
        };
        let request = ConversionRequest {
            file: &self.to,
            interchange: &self.file,
            options: &options,
        };
        import(&data, &request).map_err(|source| AppError::Convert {
            path: self.file.clone(),
            source: Box::new(source),
        })
    }

    fn model(&self) -> Result<Files, AppError> {
        let mut imported = self.read()?;
        imported.draft.name = model_name(&self.to);
        for finding in &imported.findings {
            log::warn!("{}: {finding}", self.file.display());
        }
        self.files(&imported)
    }

    /// The model and its table.
    fn files(&self, imported: &Imported) -> Result<Files, AppError> {
        let unmade = |source: Box<dyn Error + Send + Sync>| AppError::BuildModel {
            path: self.file.clone(),
            source,
        };
        let model = imported.draft.build().map_err(|it| unmade(it.into()))?;
        let model = model.write().map_err(|it| unmade(it.into()))?;
        let mut files = vec![(self.to.clone(), model)];
        if let Some(wear) = imported.wear() {
            let path = self.to.with_extension("wea");
            let wear = wear.write().map_err(|it| unmade(it.into()))?;
            // The table first: when the model is there, its materials are.
            files.insert(0, (path, wear));
        }
        Ok(files)
    }

    fn read(&self) -> Result<Imported, AppError> {
        let extension = self.file.extension().unwrap_or_default();
        let is = |known: &str| extension.eq_ignore_ascii_case(known);
        if !is("glb") && !is("gltf") && !is("obj") {
            return Err(AppError::NotExchanged {
                path: self.file.clone(),
                expected: ".glb, .gltf or .obj",
            });
        }
        let data = read(&self.file)?;
        let imported = if is("obj") {
            read_obj(&data)
        } else {
            let options = ImportOptions {
                frames_per_sec: self.rate,
            };
            let folder = self.file.parent().unwrap_or(Path::new(""));
            read_gltf(&data, &options, &mut |uri| read_beside(folder, uri))
        };
        imported.map_err(|source| AppError::Import {
            path: self.file.clone(),
            source: Box::new(source),
        })
    }
}

/// The name of a model's file without its extension, as chunks can bear it.
fn model_name(file: &Path) -> Vec<u8> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = encode_cp1251(&stem).unwrap_or_default();
    name.truncate(MAX_NAME_LEN);
    name
}

/// A file that another names, in its folder or below.
fn read_beside(folder: &Path, uri: &str) -> io::Result<Vec<u8>> {
    let name = percent_decoded(uri)
        .ok_or_else(|| io::Error::other("its name is not spelled as a URI spells names"))?;
    let name = Path::new(&name);
    let is_below =
        (name.components()).all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_below || uri.contains([':', '\\']) {
        return Err(io::Error::other(
            "only files in the same folder or below are read",
        ));
    }
    vfs::read(&folder.join(name))
}

/// `%20` and the like as what they stand for.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_are_decoded_and_kept_to_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        fs::write(folder.path().join("in/a b.bin"), b"x").unwrap();
        fs::write(folder.path().join("secret"), b"y").unwrap();
        let inner = folder.path().join("in");
        assert_eq!(read_beside(&inner, "a%20b.bin").unwrap(), b"x");
        assert_eq!(read_beside(&inner, "./a b.bin").unwrap(), b"x");
        let absolute = folder.path().join("secret");
        for refused in [
            "../secret",
            "%2e%2e/secret",
            absolute.to_str().unwrap(),
            "file:a b.bin",
            "a%2",
            "a%zzb",
        ] {
            assert!(read_beside(&inner, refused).is_err(), "{refused}");
        }
    }
}
