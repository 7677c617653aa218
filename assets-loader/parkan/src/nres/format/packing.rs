//! Files put into NRes archives. What a file is called is how an entry is found; the words of its row, which no file
//! has, are those of the entry that it replaces, or of an entry of its kind.

use std::path::Path;

use super::super::contents::{Content, Library};
use super::super::{Entry, NRes, Tolerance};
use crate::archive::{self, Replaced};
use crate::mat0::{self, MaterialVersion};
use crate::texm;
use ironlands_assets_core::format::{ConversionError, PackRequest, Packed};

/// The archive with the files in it. Entries that are not replaced, and gaps between them, stay as they are.
///
/// A file may have the ending of its format, as an import writes it (`GRASS.mat0`); that is no part of the entry's name.
pub(super) fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
    archive::refuse_options(request)?;
    let library = Library::named(Path::new(request.file_name));
    let mut archive = match request.base {
        Some(base) => NRes::read_with(base, Tolerance::all())?,
        None => NRes::new(),
    };
    let mut replaced = Replaced::new(archive.entries.iter().map(Entry::name_text));
    for (file, data) in request.files {
        let (name, content) = Content::from_file(file, library);
        match replaced
            .find(name)
            .and_then(|idx| archive.entries.get_mut(idx))
        {
            Some(entry) => data.clone_into(&mut entry.data),
            None => {
                let type_id = match data.starts_with(b"Texm") {
                    true => Some(texm::TYPE_ID),
                    false => content.and_then(Content::type_id),
                };
                let entry = new_entry(&archive, name, type_id, data)?;
                archive.entries.push(entry);
            }
        }
    }
    let removed = replaced.remove_others(request, &mut archive.entries, Entry::name_text);
    let n_entries = archive.entries.len();
    Ok(archive::packed(
        archive.write()?,
        n_entries,
        request,
        removed,
    ))
}

/// An entry of a known type has the attributes of the first of that type; another all words of the first whose name ends
/// alike, or of the first at all where all entries are of one type.
fn new_entry(
    archive: &NRes,
    name: &str,
    type_id: Option<u32>,
    data: &[u8],
) -> Result<Entry, ConversionError> {
    let first_of = |type_id| {
        archive
            .find_type(type_id)
            .and_then(|idx| archive.entries.get(idx))
    };
    let ending = |name: &str| Some(name.rsplit_once('.')?.1.to_lowercase());
    let own_ending = ending(name);
    let ends_alike =
        |entry: &&Entry| own_ending.is_some() && ending(&entry.name_text()) == own_ending;
    let first = archive.entries.first();
    let is_one = |it: &&Entry| {
        archive
            .entries
            .iter()
            .all(|entry| entry.type_id == it.type_id)
    };
    let like = match type_id {
        Some(type_id) => first_of(type_id),
        None => (archive.entries.iter().find(ends_alike)).or(first.filter(is_one)),
    };
    let Some(type_id) = type_id.or(like.map(|like| like.type_id)) else {
        return Err(ConversionError::other(format!(
            "{name}: nothing says of what type it is, and no entry of the archive is named alike"
        )));
    };
    let [attr1, attr2, attr3] = match like {
        // How another material blends is no concern of this one.
        Some(like) if type_id == mat0::TYPE_ID => [0, like.attr2, like.attr3],
        Some(like) => [like.attr1, like.attr2, like.attr3],
        None if type_id == mat0::TYPE_ID => [0, MaterialVersion::default().0, 0],
        None => [0; 3],
    };
    Ok(Entry::new(
        type_id,
        attr1,
        attr2,
        attr3,
        name,
        data.to_vec(),
    )?)
}
