//! Camera paths as JSON.

use super::{Cam, Tolerance};
use crate::interchange::{no_such_json, one_text};
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
    let file = Cam::read_with(data, Tolerance::all())?;
    let json = file.to_json().map_err(no_such_json)?;
    Ok(one_text(request, json, file.check()))
}

fn import(data: &[u8], _request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let file = Cam::from_json(text(data)?).map_err(no_such_json)?;
    Ok(file.write()?)
}
