//! `ironlands import FILE --to MODEL.msh`: makes a model of glTF or OBJ.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use clap::Args;
use ironlands::exchange::{ImportOptions, Imported, read_gltf, read_obj};
use ironlands::output::{Existing, check_writable, write_files};

use crate::Verdict;
use crate::error::AppError;

const EXAMPLES: &str = "\
Examples:
  ironlands import walker.glb --to walker.msh
          Make a model of it, and walker.wea of the names of its materials.
  ironlands import house.obj --to house.msh --force
          The same of an OBJ; each group becomes a node. Replaces house.msh and house.wea.

A model has rigid nodes, one animation in whole frames, and names of materials. What else the file holds (skins,
morph targets, textures, cameras, ...) is named on stderr and left out. Scale goes into the vertices.

The names of materials become the rows of OUT.wea beside the model; without materials there is none. The game
looks them up in its Material.lib.

Both formats have +Y up. A `.gltf` may name files in its own folder and below. Files that are there are kept
without --force.";

/// What `ironlands import` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ImportArgs {
    /// File to read: .glb, .gltf or .obj.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Model to write, as in walker.msh; walker.wea is written beside it if the file names materials.
    #[arg(long, value_name = "MODEL.msh")]
    to: PathBuf,

    /// Frames to make of a second of animation; else as many as the file was written with, or 15.
    #[arg(long, value_name = "FRAMES", allow_negative_numbers = true)]
    rate: Option<f32>,

    /// Replace files that are there.
    #[arg(long)]
    force: bool,
}

/// Writes the model and its material table, and prints what was written.
///
/// # Errors
/// If the file cannot be read or is no model, if the model's name is not one of a model, or if files are in the way.
pub fn run(args: &ImportArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    args.check_name()?;
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    check_writable(&args.to, existing)?;
    let imported = args.read()?;
    for finding in &imported.findings {
        log::warn!("{}: {finding}", args.file.display());
    }
    let files = args.files(&imported)?;
    write_files(&files, existing)?;
    for (path, bytes) in &files {
        writeln!(answer, "{}: {} bytes", path.display(), bytes.len())?;
    }
    Ok(Verdict::Done)
}

impl ImportArgs {
    /// The source and the table have other names than the model, so that none of them takes another's place.
    fn check_name(&self) -> Result<(), AppError> {
        let extension = self.to.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("msh") {
            return Ok(());
        }
        Err(AppError::NotExchanged {
            path: self.to.clone(),
            expected: ".msh",
        })
    }

    /// The model and its table.
    fn files(&self, imported: &Imported) -> Result<Vec<(PathBuf, Vec<u8>)>, AppError> {
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
        let data = fs::read(&self.file).map_err(|source| AppError::Read {
            path: self.file.clone(),
            source,
        })?;
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
    fs::read(folder.join(name))
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
