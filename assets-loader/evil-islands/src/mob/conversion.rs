//! Maps as JSON.

use super::{Mob, Tolerance};
use crate::interchange::one_text;
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionRequest, Exported, Fidelity, text,
};

pub(super) const CONVERSIONS: &[Conversion] = &[Conversion {
    extension: "json",
    fidelity: Fidelity::SameBytes,
    options: &[],
    export: Some(export),
    import: Some(import),
}];

fn export(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let (file, findings) = Mob::read_with(data, Tolerance::all())?;
    if file.roots.is_empty() {
        // Nothing but bytes that are no node: the strict reader says why.
        Mob::read(data)?;
    }
    let json = file.to_json().map_err(ConversionError::other)?;
    Ok(one_text(request, json, findings))
}

fn import(data: &[u8], _request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let file = Mob::from_json(text(data)?).map_err(ConversionError::other)?;
    Ok(file.write()?)
}
