//! What the program is offered: figures to GLB and back, by their paths.

use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{ConversionOption, ConversionOptions, Exported};
use ironlands_assets_core::vfs;
use ironlands_assets_evil_islands::figure::Figure;
use ironlands_assets_evil_islands::figure_file::FigureFile;
use ironlands_exchange::ExchangeFinding;
use ironlands_exchange::conversion::{
    AnyError, Imported, ModelExport, ModelImport, ModelImportError,
};

use super::{FigureSource, ImportedFigure, read_figure_glb, write_figure_glb};

/// What findings call the interchange format.
const GLB: &str = "glb";

/// What figures are written as. A figure's animations have frames per second of their own.
pub const MODEL_EXPORTS: &[ModelExport] = &[ModelExport {
    extension: GLB,
    options: &[
        ConversionOption::Assets,
        ConversionOption::Textures,
        ConversionOption::Shape,
    ],
    export: export_glb,
}];

/// What figures are made of. A `.bon`, and an `.anm` and an `.adb` if there is anything to put into them, come with the
/// `.mod`.
pub const MODEL_IMPORTS: &[ModelImport] = &[ModelImport {
    name: "figure",
    to_extension: "mod",
    to_file: None,
    from_extensions: &[GLB],
    options: &[ConversionOption::BaseFile],
    import: import_figure,
}];

/// All states and animations; the options choose what the figure wears and the state that it is shown in.
fn export_glb(path: &Path, to: &Path, options: &ConversionOptions) -> Result<Exported, AnyError> {
    let file = FigureFile::open(path, &options.assets, &options.textures, options.shape)?;
    let (scene, scene_findings) = file.to_scene();
    scene.validate()?;
    let source = FigureSource {
        figure: &file.figure,
        primary: scene.textures.first(),
        secondary: scene.textures.get(1),
        complection: file.complection,
    };
    let glb = write_figure_glb(&source)?;
    let mut findings = file.findings;
    findings.extend(scene_findings);
    findings.extend(in_glb(&glb.findings));
    Ok(Exported {
        files: vec![(to.to_owned(), glb.bytes)],
        findings,
    })
}

fn import_figure(
    from: &Path,
    to: &Path,
    options: &ConversionOptions,
) -> Result<Imported, ModelImportError> {
    let data = vfs::read(from).map_err(|source| ModelImportError::Read {
        path: from.to_owned(),
        source,
    })?;
    let mut imported = read_figure_glb(&data).map_err(|source| ModelImportError::Import {
        path: from.to_owned(),
        source,
    })?;
    if let Some(base) = &options.base_file {
        take_over(&mut imported, base).map_err(|source| ModelImportError::Base {
            path: base.clone(),
            source,
        })?;
    }
    let files =
        FigureFiles::from_figure(&imported.figure).map_err(|source| ModelImportError::Build {
            path: from.to_owned(),
            source: source.into(),
        })?;
    let mut findings: Vec<Finding> = in_glb(&imported.findings).collect();
    let read = files.read(to);
    let read = read.map_err(|source| ModelImportError::Unreadable {
        path: to.to_owned(),
        source: Box::new(source),
    })?;
    findings.extend(read.findings);
    Ok(Imported {
        files: files.into_list(to),
        findings,
    })
}

fn take_over(imported: &mut ImportedFigure, base: &Path) -> Result<(), AnyError> {
    imported.take_over(&Figure::open(base)?)?;
    Ok(())
}

/// The bytes of a figure's files.
struct FigureFiles {
    model: Vec<u8>,
    bon: Vec<u8>,
    anm: Option<Vec<u8>>,
    adb: Option<Vec<u8>>,
}

impl FigureFiles {
    fn from_figure(figure: &Figure) -> Result<Self, FormatError> {
        Ok(Self {
            bon: figure.write_bon()?,
            anm: figure.write_anm()?,
            adb: figure.adb.as_ref().map(|adb| adb.write()).transpose()?,
            model: figure.write_mod()?,
        })
    }

    /// As any other figure: a figure is more than the archive of its meshes.
    fn read(&self, to: &Path) -> Result<Figure, FormatError> {
        let name = to.file_stem().unwrap_or_default().to_string_lossy();
        let (anm, adb) = (self.anm.as_deref(), self.adb.as_deref());
        Figure::read(&name, &self.model, &self.bon, anm, adb)
    }

    /// The meshes last: when they are there, what belongs to them is there.
    fn into_list(self, to: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let beside = |extension: &str| to.with_extension(extension);
        let mut files = vec![(beside("bon"), self.bon)];
        files.extend(self.anm.map(|anm| (beside("anm"), anm)));
        files.extend(self.adb.map(|adb| (beside("adb"), adb)));
        files.push((to.to_owned(), self.model));
        files
    }
}

fn in_glb(findings: &[ExchangeFinding]) -> impl Iterator<Item = Finding> + '_ {
    findings.iter().map(|finding| finding.in_format(GLB))
}
