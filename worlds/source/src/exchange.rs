//! Maps to the format of their editor, models to glTF.

mod model;

use std::path::Path;

use ironlands_assets_core::format::{ConversionOption, ConversionOptions, Exported};
use ironlands_assets_source::decompile::to_vmf;
use ironlands_assets_source::level::SourceLevel;
use ironlands_exchange::conversion::{AnyError, LevelExport, ModelExport};

pub use self::model::{export_model, motions_of};

/// What maps are written as, beside the glTF of their scenes.
pub const LEVEL_EXPORTS: &[LevelExport] = &[LevelExport {
    of_file: None,
    extension: "vmf",
    options: &[ConversionOption::Assets],
    export: export_vmf,
}];

/// What models are written as.
pub const MODEL_EXPORTS: &[ModelExport] = &[ModelExport {
    extension: "glb",
    options: &[ConversionOption::Assets],
    export: export_model,
}];

/// The map with all brushes, displacements, entities and props; findings are those of opening it, then what could not be
/// brought back.
fn export_vmf(path: &Path, to: &Path, options: &ConversionOptions) -> Result<Exported, AnyError> {
    let mut level = SourceLevel::open(path, &options.assets, None)?;
    let (vmf, lost) = to_vmf(&level.map, &level.entities, &level.static_props);
    let mut findings = std::mem::take(&mut level.findings);
    findings.extend(level.missing.findings());
    findings.extend(lost);
    Ok(Exported {
        files: vec![(to.to_owned(), vmf.write()?)],
        findings,
    })
}
