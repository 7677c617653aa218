//! Packed INI files as INI files.

use super::{Reg, Tolerance};
use crate::interchange::one_file;
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionOption, ConversionRequest, Exported, Fidelity,
};

pub(super) const CONVERSIONS: &[Conversion] = &[Conversion {
    extension: "ini",
    fidelity: Fidelity::SameBytes,
    // On the way back the text says which it is in.
    options: &[ConversionOption::CodePage],
    export: Some(export),
    import: Some(import),
}];

fn export(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let file = Reg::read_with(data, Tolerance::all())?;
    let (ini, findings) = file.to_ini(request.options.code_page);
    Ok(one_file(request, ini.into_bytes(), findings))
}

fn import(data: &[u8], _request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    Ok(Reg::from_ini(data)?.write()?)
}
