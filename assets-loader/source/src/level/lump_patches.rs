//! Lumps that stand in for those of the map beside them. Dossier section 1.8.

use std::path::Path;

use super::FORMAT;
use crate::bsp::{BspFile, PatchFile};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::vfs::read_file;

/// Most patches of one map.
const MAX_PATCHES: u32 = 64;

/// Puts in what the patches beside a map hold, in their order.
pub(super) fn apply_all(map: &Path, file: &mut BspFile, findings: &mut Vec<Finding>) {
    let stem = map.file_stem().unwrap_or_default().to_string_lossy();
    for number in 0..MAX_PATCHES {
        let path = map.with_file_name(format!("{stem}_l_{number}.lmp"));
        if !path.is_file() {
            return;
        }
        let patch = match read_file(&path) {
            Ok(data) => PatchFile::read(&data).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let lump = patch.as_ref().map_or(0, |patch| patch.id.index());
        let applied = patch.and_then(|it| file.apply(it).map_err(|error| error.to_string()));
        let (severity, message) = match applied {
            Ok(()) => (Severity::Note, format!("stands in for lump {lump}")),
            Err(error) => (Severity::Warning, format!("is left out: {error}")),
        };
        let message = format!("{}: {message}", path.display());
        findings.push(Finding::new(severity, FORMAT, message));
    }
}
