//! RES archives: new ones, and files put into those that are there.

use std::collections::BTreeSet;

use ironlands_assets_core::format::{ConversionError, PackRequest, Packed};

use crate::res::{NamesOrder, NestedArchives, Others, ResArchive, Tolerance};

/// The archive with the files in it.
pub(super) fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
    let name = request.file_name;
    let mut archive = match request.base {
        Some(base) => ResArchive::read_with(base, Tolerance::all())?,
        None => ResArchive::draft(Vec::new(), names_order(request.options.order.as_deref())?),
    };
    let names_before = names_in(&archive, name);
    let others = match request.replace_all {
        true => Others::Remove,
        false => Others::Keep,
    };
    archive.put_files(name, request.files, others)?;
    if request.options.share {
        archive.share_equal_data();
    }
    let names_after = names_in(&archive, name);
    Ok(Packed {
        bytes: archive.write()?,
        content: format!(
            "{} entries, {} files",
            archive.entries.len(),
            request.files.len()
        ),
        removed: names_before.difference(&names_after).cloned().collect(),
    })
}

fn names_order(word: Option<&str>) -> Result<NamesOrder, ConversionError> {
    match word {
        None | Some("insertion") => Ok(NamesOrder::Insertion),
        Some("slots") => Ok(NamesOrder::Slots),
        Some(other) => Err(ConversionError::other(format!(
            "{other} is no order of names; expected insertion or slots"
        ))),
    }
}

/// Names of all files, also of those in archives in the archive.
fn names_in(archive: &ResArchive, file_name: &str) -> BTreeSet<String> {
    let files = archive.files(file_name, NestedArchives::Unpack);
    files.into_iter().map(|file| file.name).collect()
}
