//! `ironlands export MODEL --to FILE`: writes a model as glTF or OBJ.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ironlands::assets_loader::level::open_model_file;
use ironlands::assets_loader::parkan::texm::PixelOptions;
use ironlands::exchange::{
    ExchangeFinding, ExportError, GlbOptions, ModelLook, ModelSource, ObjOptions, write_glb,
    write_obj,
};
use ironlands::output::{Existing, check_writable, write_files};

use crate::Verdict;
use crate::cast::{Cast, Named};
use crate::error::AppError;
use crate::findings::log_findings;

const EXAMPLES: &str = "\
Examples:
  ironlands export bases.rlb/WALKER.MSH --to walker.glb
          Everything in one file: nodes, pieces, materials, pictures, and all frames as one animation.
  ironlands export tank.msh --to tank.obj --state 1
          What the destroyed tank looks like, with tank.mtl and its pictures beside it.

A GLB opens on the whole model at its finest; its other scenes are the other states and levels of detail. What
glTF has no place for stands in its `extras`, so that `ironlands import` brings the model back.

Both formats have +Y up. What the file does not hold of the model is named on stderr. Files that are there are kept
without --force.";

/// What `ironlands export` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExportArgs {
    /// A model file, or an archive and the model in it, as in bases.rlb/WALKER.MSH.
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// File to write; its name ends in .glb or .obj.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Frames of animation that go by in a second, for GLB; 15 unless told otherwise.
    #[arg(long, value_name = "FRAMES", allow_negative_numbers = true)]
    rate: Option<f32>,

    /// State to show, for OBJ: 0 whole, 1 destroyed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    state: Option<u8>,

    /// Level of detail to show, for OBJ: 0 is the finest.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=4))]
    lod: Option<u8>,

    /// Replace files that are there.
    #[arg(long)]
    force: bool,
}

/// Writes the model and prints what was written.
///
/// # Errors
/// If the model cannot be opened or has numbers that the format cannot hold, if an option is of the other format,
/// or if files are in the way.
pub fn run(args: &ExportArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    let format = Format::of(&args.to)?;
    args.check_options(format)?;
    check_writable(&args.to, args.existing())?;
    let file = open_model_file(&args.model).map_err(AppError::OpenModel)?;
    log_findings(&file.findings);
    let look = ModelLook::of(&file, PixelOptions::default());
    let files = match format {
        Format::Glb => args.glb(&look.source(&file))?,
        Format::Obj => {
            let cast = Cast::of(&file.to_scene(PixelOptions::default()), Named::Nodes);
            cast.known_state(args.state)?;
            cast.known_lod(args.lod)?;
            args.obj(&look.source(&file))?
        }
    };
    write_files(&files, args.existing())?;
    for (path, bytes) in &files {
        writeln!(answer, "{}: {} bytes", path.display(), bytes.len())?;
    }
    Ok(Verdict::Done)
}

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Glb,
    Obj,
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
        Err(AppError::NotExchanged {
            path: path.to_owned(),
            expected: ".glb or .obj",
        })
    }
}

type Files = Vec<(PathBuf, Vec<u8>)>;

impl ExportArgs {
    fn existing(&self) -> Existing {
        match self.force {
            true => Existing::Replace,
            false => Existing::Keep,
        }
    }

    fn check_options(&self, format: Format) -> Result<(), AppError> {
        let stray = match format {
            Format::Glb if self.state.is_some() || self.lod.is_some() => {
                "--state and --lod are for OBJ; a GLB holds all states and levels of detail"
            }
            Format::Obj if self.rate.is_some() => "--rate is for GLB; an OBJ does not move",
            Format::Glb | Format::Obj => return Ok(()),
        };
        Err(AppError::StrayOption(stray))
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
            log::warn!("{}: {finding}", self.model.display());
        }
    }

    fn export_error(&self, source: ExportError) -> AppError {
        AppError::Export {
            path: self.model.clone(),
            source: Box::new(source),
        }
    }
}
