//! What the program is offered: models to files and back, by their paths.

use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::Finding;
use ironlands_assets_core::format::{ConversionOption, ConversionOptions, Exported};
use ironlands_assets_core::text::encode_cp1251;
use ironlands_assets_core::vfs;
use ironlands_assets_parkan::model_file::ModelFile;
use ironlands_assets_parkan::model_scene::{FirstNode, to_model};
use ironlands_assets_parkan::msh::Msh;
use ironlands_assets_parkan::nres::MAX_NAME_LEN;
use ironlands_assets_parkan::texm::PixelOptions;
use ironlands_assets_parkan::wear::Wear;
use ironlands_exchange::conversion::{
    AnyError, Imported, ModelExport, ModelImport, ModelImportError,
};
use ironlands_exchange::read_gltf::{self as gltf, read_beside};
use ironlands_exchange::{ExchangeFinding, Findings, ImportError, obj};
use ironlands_scene::MaterialIdx;
use thiserror::Error;

use super::base::Base;
use super::land::LAND_IMPORTS;
use super::{
    GlbOptions, ImportOptions, ImportedModel, ModelAppearance, ObjFiles, ObjOptions, read_gltf,
    read_obj, write_glb, write_obj,
};

/// What models are written as. A GLB holds all states and levels of detail with the animation; an OBJ holds one state at
/// one level of detail, at rest.
pub const MODEL_EXPORTS: &[ModelExport] = &[
    ModelExport {
        extension: "glb",
        options: &[ConversionOption::FramesPerSec],
        export: export_glb,
    },
    ModelExport {
        extension: "obj",
        options: &[ConversionOption::State, ConversionOption::Lod],
        export: export_obj,
    },
];

/// What models are made of, and the files of levels. The names of a model's materials go to a `.wea` beside it, if there
/// are any.
pub const MODEL_IMPORTS: &[ModelImport] = &[MODEL_IMPORT, LAND_IMPORTS[0], LAND_IMPORTS[1]];

const MODEL_IMPORT: ModelImport = ModelImport {
    name: "model",
    to_extension: "msh",
    to_file: None,
    from_extensions: &["glb", "gltf", "obj"],
    options: &[ConversionOption::FramesPerSec, ConversionOption::BaseFile],
    import: import_model,
};

/// An OBJ shows one state at one level of detail, and the model has not got it.
#[derive(Debug, Error)]
#[error("no model has {what} {wanted}; there are {known}")]
pub struct ExportChoiceError {
    /// "state" or "level of detail".
    pub what: &'static str,
    /// The requested number.
    pub wanted: u8,
    /// The choices in words.
    pub known: String,
}

fn export_glb(path: &Path, to: &Path, options: &ConversionOptions) -> Result<Exported, AnyError> {
    let file = ModelFile::open(path)?;
    let look = ModelAppearance::new(&file, PixelOptions::default());
    let mut glb_options = GlbOptions::default();
    if let Some(rate) = options.frames_per_sec {
        glb_options.frames_per_sec = rate;
    }
    let glb = write_glb(&look.source(&file), &glb_options)?;
    Ok(Exported {
        files: vec![(to.to_owned(), glb.bytes)],
        findings: joined(file.findings, &glb.findings, "glb"),
    })
}

/// The OBJ last: when it is there, what it names is there.
fn export_obj(path: &Path, to: &Path, options: &ConversionOptions) -> Result<Exported, AnyError> {
    let file = ModelFile::open(path)?;
    let look = ModelAppearance::new(&file, PixelOptions::default());
    check_choice(&file.msh, options.state, options.lod)?;
    let obj_options = ObjOptions {
        state: options.state.unwrap_or(0),
        lod: options.lod.unwrap_or(0),
        stem: stem_of(to),
    };
    let written = write_obj(&look.source(&file), &obj_options)?;
    let ObjFiles {
        obj,
        mtl,
        mtl_name,
        pngs,
        findings,
    } = written;
    let pngs = pngs.into_iter();
    let mut files: Vec<(PathBuf, Vec<u8>)> = pngs
        .map(|(name, bytes)| (to.with_file_name(name), bytes))
        .collect();
    files.push((to.with_file_name(mtl_name), mtl.into_bytes()));
    files.push((to.to_owned(), obj.into_bytes()));
    Ok(Exported {
        files,
        findings: joined(file.findings, &findings, obj::FORMAT),
    })
}

fn import_model(
    from: &Path,
    to: &Path,
    options: &ConversionOptions,
) -> Result<Imported, ModelImportError> {
    let data = vfs::read(from).map_err(|source| ModelImportError::Read {
        path: from.to_owned(),
        source,
    })?;
    let is_obj = from
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("obj"));
    let (format, imported) = match is_obj {
        true => (obj::FORMAT, read_obj(&data)),
        false => (gltf::FORMAT, read_gltf_at(from, &data, options)),
    };
    let mut imported = imported.map_err(|source| ModelImportError::Import {
        path: from.to_owned(),
        source,
    })?;
    imported.draft.name = chunk_name(to);
    let base = options.base_file.as_deref().map(open_base).transpose()?;
    let files = match &base {
        Some(base) => files_on(base, &mut imported, to),
        None => files_of(&imported, to),
    };
    let files = files.map_err(|source| ModelImportError::Build {
        path: from.to_owned(),
        source,
    })?;
    Ok(Imported {
        files,
        findings: joined(Vec::new(), &imported.findings, format),
    })
}

fn read_gltf_at(
    from: &Path,
    data: &[u8],
    options: &ConversionOptions,
) -> Result<ImportedModel, ImportError> {
    let options = ImportOptions {
        frames_per_sec: options.frames_per_sec,
    };
    let folder = from.parent().unwrap_or(Path::new(""));
    read_gltf(data, &options, &mut |uri| read_beside(folder, uri))
}

fn open_base(path: &Path) -> Result<Base, ModelImportError> {
    Base::open(path).map_err(|source| ModelImportError::Base {
        path: path.to_owned(),
        source,
    })
}

fn files_of(imported: &ImportedModel, to: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, AnyError> {
    files_with(imported.wear(), &imported.draft.build()?, to)
}

/// With what the base has and the interchange file has not.
fn files_on(
    base: &Base,
    imported: &mut ImportedModel,
    to: &Path,
) -> Result<Vec<(PathBuf, Vec<u8>)>, AnyError> {
    if base.is_unchanged(imported) {
        return files_with(base.file.wear.clone(), &base.file.msh, to);
    }
    let mut findings = Findings::default();
    let mut model = imported.draft.build()?;
    base.complete(&imported.draft, &mut model, &mut findings);
    imported.findings.extend(findings.into_list());
    files_with(imported.wear(), &model, to)
}

/// The table of materials first: when the model is there, its materials are.
fn files_with(
    wear: Option<Wear>,
    model: &Msh,
    to: &Path,
) -> Result<Vec<(PathBuf, Vec<u8>)>, AnyError> {
    let model = model.write()?;
    let mut files = Vec::new();
    if let Some(wear) = wear {
        files.push((to.with_extension("wea"), wear.write()?));
    }
    files.push((to.to_owned(), model));
    Ok(files)
}

/// The name of a model's file without its extension, as chunks can bear it.
fn chunk_name(file: &Path) -> Vec<u8> {
    let mut name = encode_cp1251(&stem_of(file)).unwrap_or_default();
    name.truncate(MAX_NAME_LEN);
    name
}

fn stem_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Refuses a state that no node shows anything in, and a level of detail that none has.
fn check_choice(msh: &Msh, state: Option<u8>, lod: Option<u8>) -> Result<(), ExportChoiceError> {
    let model = to_model("", msh, FirstNode::Own, &mut |_| MaterialIdx(0));
    let mut states: Vec<u8> = model.pieces.iter().map(|piece| piece.state).collect();
    states.sort_unstable();
    states.dedup();
    let n_lods = model.pieces.iter().map(|piece| piece.lods.len()).max();
    let lods: Vec<u8> = (0..=u8::MAX).take(n_lods.unwrap_or(0)).collect();
    for (what, wanted, choices) in [("state", state, states), ("level of detail", lod, lods)] {
        if let Some(wanted) = wanted.filter(|wanted| !choices.contains(wanted)) {
            let known: Vec<String> = choices.iter().map(u8::to_string).collect();
            return Err(ExportChoiceError {
                what,
                wanted,
                known: match known.is_empty() {
                    true => "none".to_owned(),
                    false => known.join(", "),
                },
            });
        }
    }
    Ok(())
}

/// What opening found, then what the other file does not hold.
pub(super) fn joined(
    mut opened: Vec<Finding>,
    left_out: &[ExchangeFinding],
    format: &'static str,
) -> Vec<Finding> {
    opened.extend(left_out.iter().map(|finding| finding.in_format(format)));
    opened
}
