//! The land of a level (`Land.msh`) to glTF 2.0 and back.
//!
//! Each tile is a mesh at each of two levels of detail: the finest are the default scene, the coarse ones a second. A
//! material stands for all faces with the same two rows of `Land1.wea` and the same flags; the weight of the second is the
//! alpha of `COLOR_0`, the coordinates of the microtexture are `TEXCOORD_1`. Vertices come back bit for bit, and the faces
//! in the order of the file.
//!
//! Back, faces are cut along the borders of tiles where they have been moved across, and all that follows from them is
//! made again by [`LandDraft`](ironlands_assets_parkan::land_draft::LandDraft). With the old file as the base, what
//! has not been changed is as it was.

mod base;
mod extras;
mod left_out;
#[expect(clippy::indexing_slicing, reason = "axes; corners of a triangle")]
mod read;
mod surfaces;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "vertices of faces, which the reader has compared with the streams"
)]
mod write;

use std::path::Path;

use ironlands_assets_core::format::{ConversionOption, ConversionOptions, Exported};
use ironlands_assets_core::vfs;
use ironlands_assets_parkan::land_msh::{self, LandMsh};
use ironlands_exchange::conversion::{
    AnyError, Imported, LevelExport, ModelImport, ModelImportError,
};
use ironlands_exchange::read_gltf::{self as gltf, read_beside};

pub use self::read::{ImportedLand, read_land};
pub use self::write::{LandAppearance, write_land};
use super::conversions::joined;
use crate::kind::open_bare_level;

/// Names of the files, in lowercase.
const LAND: &str = "land.msh";
const AREALS: &str = "land.map";

/// What the land of a level is written as when its own file is named.
pub const LAND_EXPORTS: &[LevelExport] = &[LevelExport {
    of_file: Some(LAND),
    extension: "glb",
    options: &[],
    export: export_land,
}];

/// What land is made of, and the areals on it.
pub const LAND_IMPORTS: [ModelImport; 2] = [
    ModelImport {
        name: "land",
        to_extension: "msh",
        to_file: Some(LAND),
        from_extensions: &["glb", "gltf"],
        options: &[ConversionOption::BaseFile],
        import: import_land,
    },
    ModelImport {
        name: "areals",
        to_extension: "map",
        to_file: Some(AREALS),
        from_extensions: &["glb", "gltf"],
        options: &[],
        import: import_areals,
    },
];

fn export_land(path: &Path, to: &Path, _: &ConversionOptions) -> Result<Exported, AnyError> {
    let level = open_bare_level(path)?;
    let look = LandAppearance::new(&level);
    let glb = write_land(&level.name(), &level.land_msh, &look)?;
    Ok(Exported {
        files: vec![(to.to_owned(), glb.bytes)],
        findings: joined(level.findings, &glb.findings, "glb"),
    })
}

fn import_land(
    from: &Path,
    to: &Path,
    options: &ConversionOptions,
) -> Result<Imported, ModelImportError> {
    let build = |source: AnyError| ModelImportError::Build {
        path: from.to_owned(),
        source,
    };
    let old = options.base_file.as_deref().map(read_base).transpose()?;
    let imported = read_file(from, old.as_ref())?;
    let made = match &old {
        Some(old) => imported.land_on(old),
        None => imported.land(),
    };
    let bytes = made.map_err(|error| build(error.into()))?;
    let bytes = bytes.write().map_err(|error| build(error.into()))?;
    Ok(Imported {
        files: vec![(to.to_owned(), bytes)],
        findings: joined(Vec::new(), &imported.findings, gltf::FORMAT),
    })
}

fn import_areals(
    from: &Path,
    to: &Path,
    _: &ConversionOptions,
) -> Result<Imported, ModelImportError> {
    let imported = read_file(from, None)?;
    let build = |source: AnyError| ModelImportError::Build {
        path: from.to_owned(),
        source,
    };
    let map = imported.draft.land_map(&imported.grid);
    let map = map.map_err(|error| build(error.into()))?;
    let bytes = map.write().map_err(|error| build(error.into()))?;
    Ok(Imported {
        files: vec![(to.to_owned(), bytes)],
        findings: joined(Vec::new(), &imported.findings, gltf::FORMAT),
    })
}

fn read_file(from: &Path, base: Option<&LandMsh>) -> Result<ImportedLand, ModelImportError> {
    let data = vfs::read(from).map_err(|source| ModelImportError::Read {
        path: from.to_owned(),
        source,
    })?;
    let folder = from.parent().unwrap_or(Path::new(""));
    let imported = read_land(&data, base, &mut |uri| read_beside(folder, uri));
    imported.map_err(|source| ModelImportError::Import {
        path: from.to_owned(),
        source,
    })
}

fn read_base(path: &Path) -> Result<LandMsh, ModelImportError> {
    let base_error = |source: AnyError| ModelImportError::Base {
        path: path.to_owned(),
        source,
    };
    let data = vfs::read(path).map_err(|error| base_error(error.into()))?;
    let read = LandMsh::read_with(&data, land_msh::Tolerance::all());
    let (land, _) = read.map_err(|error| base_error(error.into()))?;
    Ok(land)
}
