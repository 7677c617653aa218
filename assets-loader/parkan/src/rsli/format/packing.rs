//! Files put into RsLi libraries. The original finds names in capitals only, so new ones are.

use std::collections::HashSet;

use super::super::{Entry, Method, RsLi, Tolerance};
use crate::archive;
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
    let paths = archive::paths_of(library.entries.iter().map(Entry::name_text));
    let n_before = library.entries.len();
    let first = library.entries.first().and_then(Entry::method);
    let mut put = HashSet::new();
    for (name, data) in request.files {
        let index = paths.get(&name.to_lowercase()).copied();
        match index.and_then(|index| library.entries.get_mut(index)) {
            Some(entry) => {
                put.extend(index);
                replace(entry, data)?;
            }
            None => {
                let method = first.unwrap_or(Method::Lzss);
                let entry = Entry::new(&name.to_ascii_uppercase(), method, data)?;
                library.entries.push(entry);
            }
        }
    }
    let mut removed = Vec::new();
    if request.replace_all {
        let mut index = 0usize;
        library.entries.retain(|entry| {
            let stays = put.contains(&index) || index >= n_before;
            index = index.saturating_add(1);
            if !stays {
                removed.push(entry.name_text().into_owned());
            }
            stays
        });
    }
    let n_entries = library.entries.len();
    Ok(archive::packed(library.write()?, n_entries, request, removed))
}

fn replace(entry: &mut Entry, data: &[u8]) -> Result<(), FormatError> {
    if entry.unpack_tolerantly().is_ok_and(|known| known == data) {
        return Ok(());
    }
    let method = entry.method().unwrap_or(Method::Stored);
    let packed = Entry::new(&entry.name_text(), method, data)?;
    // Other bits of the flags stay, which no one reads.
    *entry = Entry {
        name: entry.name,
        service: entry.service,
        flags: entry.flags,
        ..packed
    };
    Ok(())
}
