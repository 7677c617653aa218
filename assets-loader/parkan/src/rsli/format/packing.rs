//! Files put into RsLi libraries. The original finds names in capitals only, so new ones are.

use super::super::{Entry, Method, RsLi, Tolerance};
use crate::archive::{self, Replaced};
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::format::{ConversionError, PackRequest, Packed};

/// The library with the files in it. A file that its entry holds already leaves the entry as it is packed; another is
/// packed by the entry's method, and a new one by that of the first entry.
pub(super) fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
    archive::refuse_options(request)?;
    let mut library = match request.base {
        Some(base) => RsLi::read_with(base, Tolerance::all())?,
        None => RsLi::default(),
    };
    let mut replaced = Replaced::new(library.entries.iter().map(Entry::name_text));
    let first = library.entries.first().and_then(Entry::method);
    for (name, data) in request.files {
        match replaced
            .find(name)
            .and_then(|idx| library.entries.get_mut(idx))
        {
            Some(entry) => replace(entry, data)?,
            None => {
                let method = first.unwrap_or(Method::Lzss);
                let entry = Entry::new(&name.to_ascii_uppercase(), method, data)?;
                library.entries.push(entry);
            }
        }
    }
    let removed = replaced.remove_others(request, &mut library.entries, Entry::name_text);
    let n_entries = library.entries.len();
    Ok(archive::packed(
        library.write()?,
        n_entries,
        request,
        removed,
    ))
}

fn replace(entry: &mut Entry, data: &[u8]) -> Result<(), FormatError> {
    if entry.unpack_tolerantly().is_ok_and(|known| known == data) {
        return Ok(());
    }
    let method = entry.method().unwrap_or(Method::Stored);
    let packed = Entry::new(&entry.name_text(), method, data)?;
    entry.unpacked_size = packed.unpacked_size;
    entry.packed = packed.packed;
    Ok(())
}
