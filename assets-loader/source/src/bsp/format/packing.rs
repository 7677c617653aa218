//! Files put into the pakfile of a map. The rest of the map stays as it is.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::format::{ConversionError, PackRequest, Packed};

use crate::bsp::{BspFile, LumpId};
use crate::pakfile::{Comment, Pakfile};

/// The map with the files in its pakfile.
pub(super) fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
    if request.options.order.is_some() || request.options.share {
        let what = "--names and --share are not for Source maps";
        return Err(ConversionError::other(what));
    }
    let mut map = BspFile::read(request.base.unwrap_or_default())?;
    let before = match map.lump(LumpId::Pakfile) {
        [] => None,
        lump => Some(Pakfile::read(lump)?),
    };
    let pakfile = pakfile(before.as_ref(), request)?;
    let version = map.lump_version(LumpId::Pakfile);
    map.set_lump(LumpId::Pakfile, version, pakfile.write());
    let names_before = before.iter().flat_map(Pakfile::names);
    let removed = names_before.filter(|name| pakfile.find(name).is_none());
    Ok(Packed {
        bytes: map.write()?,
        content: format!(
            "{} files in its pakfile, {} of them",
            pakfile.entries().len(),
            request.files.len()
        ),
        removed: removed.map(str::to_owned).collect(),
    })
}

fn pakfile(before: Option<&Pakfile>, request: &PackRequest<'_>) -> Result<Pakfile, FormatError> {
    let files = request.files.iter();
    let files: Vec<_> = files.map(|(name, bytes)| (&**name, &**bytes)).collect();
    match before {
        Some(before) if !request.replace_all => {
            let mut pakfile = before.clone();
            pakfile.put_files(&files)?;
            Ok(pakfile)
        }
        Some(before) if before.comment().is_empty() => Pakfile::draft(&files, Comment::None),
        _ => Pakfile::draft(&files, Comment::Xzp1),
    }
}
