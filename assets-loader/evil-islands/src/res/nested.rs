//! Archives in archives as folders in folders, and back (dossier section 1.3).
//!
//! Below the extensions `.mod`, `.bon` and `.anm` files have no extension of their own: one is appended to what goes
//! to disk, and taken off what comes back. An archive inside of another becomes a folder where its name says that it
//! is one, or where it lies in an `.anm`; any other stays a file, so that a folder is never mistaken for an archive on
//! the way back.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

use super::{NamesOrder, ResArchive, ResData, ResEntry, Tolerance};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::text::encode_cp1251;

const ARCHIVE_EXTENSIONS: [&str; 6] = ["res", "mpr", "mq", "mod", "bon", "anm"];
/// What meshes begin with.
const MESH_MAGICS: [&[u8]; 2] = [b"FIG8", b"FIG1"];
/// Longest names of the archives around a file. The game's come to 40 bytes.
const MAX_PREFIX_LEN: usize = 260;
/// What a file without a name is called on disk.
pub const UNNAMED: &str = "unnamed";
/// Archives in archives beyond this stay files. The game has four.
const MAX_DEPTH: usize = 8;

/// A file of an archive, or of an archive in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NestedFile {
    /// Names from the outermost archive inward, `/` between them.
    pub name: String,
    /// Where it is put on disk, `/` between folders. Not yet checked to stay in its folder.
    pub path: String,
    /// Content.
    pub data: ResData,
}

/// How files of an archive are named on disk: by the extension of the archive, or of the one around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// As they are.
    Plain,
    /// Of a model: `.fig`, or `.lnk` for what is no mesh.
    Model,
    /// Of rest positions: `.bon`.
    Bones,
    /// Of animations: `.anm`, and archives without extension.
    Animations,
}

impl Leaves {
    fn from_archive_name(archive_name: &str) -> Option<Self> {
        let extension = extension(archive_name)?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "mod" => Self::Model,
            "bon" => Self::Bones,
            "anm" => Self::Animations,
            other if ARCHIVE_EXTENSIONS.contains(&other) => Self::Plain,
            _ => return None,
        })
    }

    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Plain => &[],
            Self::Model => &["fig", "lnk"],
            Self::Bones => &["bon"],
            Self::Animations => &["anm"],
        }
    }

    /// The extension that a file gets on disk.
    fn extension_for(self, data: &[u8]) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Model if MESH_MAGICS.iter().any(|magic| data.starts_with(magic)) => Some("fig"),
            Self::Model => Some("lnk"),
            Self::Bones => Some("bon"),
            Self::Animations => Some("anm"),
        }
    }

    /// Whether [`Self::without_extension`] would take something off a name.
    fn takes_off(self, name: &str) -> bool {
        let is_ours =
            |it: &&str| extension(name).is_some_and(|found| found.eq_ignore_ascii_case(it));
        self.extensions().iter().any(is_ours)
    }

    /// The name of a file that lies on disk under this one.
    fn without_extension(self, name: &str) -> &str {
        match (self.takes_off(name), name.rsplit_once('.')) {
            (true, Some((stem, _))) => stem,
            _ => name,
        }
    }

    /// The leaves of an archive in this one, if its name makes it one.
    fn inside(self, name: &str) -> Option<Self> {
        match Self::from_archive_name(name) {
            None if self == Self::Animations => Some(self),
            inner => inner,
        }
    }
}

impl ResArchive {
    /// Files of the archive as they go to disk; `file_name` is that of the archive. With `NestedArchives::Unpack`,
    /// those of archives in it as well. One that cannot be read stays a file, and so does one that shares its bytes
    /// with another, or whose name is very long: a small archive could hold any number of files.
    pub fn files(&self, file_name: &str, nested: NestedArchives) -> Vec<NestedFile> {
        let leaves = Leaves::from_archive_name(file_name).unwrap_or(Leaves::Plain);
        let depth = match nested {
            NestedArchives::Keep => MAX_DEPTH,
            NestedArchives::Unpack => 0,
        };
        let mut files = Vec::new();
        add_files(self, leaves, depth, ["", ""], &mut files);
        files
    }

    /// Puts files from disk into the archive and into archives in it; those that are not there yet are made. `paths`
    /// are as [`Self::files`] gives them, `file_name` is that of the archive. What does not differ stays as it is.
    /// With `Others::Remove`, files that are not among them are taken out.
    ///
    /// # Errors
    /// A name that CP1251 cannot spell, a file in the place of an archive, an archive that cannot be read or written.
    pub fn put_files(
        &mut self,
        file_name: &str,
        files: &[(String, Vec<u8>)],
        others: Others,
    ) -> Result<(), FormatError> {
        let leaves = Leaves::from_archive_name(file_name).unwrap_or(Leaves::Plain);
        let files = files.iter().map(|(path, data)| (&path[..], &data[..]));
        put_files(self, leaves, 0, files.collect(), others)
    }
}

/// What becomes of archives in archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestedArchives {
    /// They stay files.
    Keep,
    /// They become folders.
    Unpack,
}

/// What becomes of files that are not put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// They stay.
    Keep,
    /// They are taken out.
    Remove,
}

/// Whether a file of that name is an archive by its extension.
pub fn is_archive_name(name: &str) -> bool {
    Leaves::from_archive_name(name).is_some()
}

fn add_files(
    archive: &ResArchive,
    leaves: Leaves,
    depth: usize,
    [names, paths]: [&str; 2],
    files: &mut Vec<NestedFile>,
) {
    let mut entered = HashSet::new();
    for entry in &archive.entries {
        let name = entry.name_text().replace('\\', "/");
        // Each of the files inside bears the names of all archives around it.
        let is_short = names.len().saturating_add(name.len()) < MAX_PREFIX_LEN;
        let inside = leaves.inside(&name);
        let inside = inside.filter(|_| depth < MAX_DEPTH && is_short);
        let inside = inside.filter(|_| entry.is_archive() && entered.insert(entry.data.key()));
        if let Some(inside) = inside
            && let Ok(inner) = ResArchive::read_with(&entry.data, Tolerance::all())
        {
            let names = format!("{names}{name}/");
            let paths = format!("{paths}{name}/");
            let depth = depth.saturating_add(1);
            add_files(&inner, inside, depth, [&names, &paths], files);
            continue;
        }
        let is_bare = extension(&name).is_none() || leaves.takes_off(&name);
        let path = match leaves.extension_for(&entry.data).filter(|_| is_bare) {
            Some(extension) => format!("{paths}{name}.{extension}"),
            // A file without a name lies in a folder all the same.
            None if name.is_empty() => format!("{paths}{UNNAMED}"),
            None => format!("{paths}{name}"),
        };
        files.push(NestedFile {
            name: format!("{names}{name}"),
            path,
            data: entry.data.clone(),
        });
    }
}

/// A member that is to be put in.
enum Member<'f> {
    File(&'f [u8]),
    Archive(Leaves, Vec<(&'f str, &'f [u8])>),
}

fn put_files(
    archive: &mut ResArchive,
    leaves: Leaves,
    depth: usize,
    files: Vec<(&str, &[u8])>,
    others: Others,
) -> Result<(), FormatError> {
    let mut order: Vec<String> = Vec::new();
    let mut members: BTreeMap<String, Member<'_>> = BTreeMap::new();
    for (path, data) in files {
        let (name, member) = member_of(leaves, depth, path, data);
        let key = name.to_ascii_lowercase();
        match (members.get_mut(&key), member) {
            (None, member) => {
                order.push(name);
                members.insert(key, member);
            }
            (Some(Member::Archive(_, known)), Member::Archive(_, more)) => known.extend(more),
            _ => {
                return Err(problem(
                    &name,
                    "one file of that name",
                    "several, or a folder as well",
                ));
            }
        }
    }
    if others == Others::Remove {
        archive.entries.retain(|entry| {
            let name = entry.name_text().replace('\\', "/");
            members.contains_key(&name.to_ascii_lowercase())
        });
    }
    // A name is stored as it is, with either separator.
    let mut stored_names: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in &archive.entries {
        let key = entry.name_text().replace('\\', "/").to_ascii_lowercase();
        stored_names
            .entry(key)
            .or_insert_with(|| entry.name.clone());
    }
    for name in order {
        let stored_name = stored_names.remove(&name.to_ascii_lowercase());
        let Some(member) = members.remove(&name.to_ascii_lowercase()) else {
            continue;
        };
        let new_name = || encode_cp1251(&name.replace('/', "\\"));
        let Some(bytes) = stored_name.or_else(new_name) else {
            return Err(problem(&name, "a name of CP1251 characters", "others"));
        };
        let known = archive
            .find_bytes(&bytes)
            .and_then(|it| archive.entries.get(it));
        let data = match member {
            Member::File(data) => data.to_vec(),
            Member::Archive(inside, files) => {
                let depth = depth.saturating_add(1);
                packed(known, inside, depth, files, others)
                    .map_err(|error| error.in_entry(&name))?
            }
        };
        if known.is_none_or(|entry| *entry.data != *data) {
            archive.put(&bytes, data);
        }
    }
    Ok(())
}

/// The bytes of an archive in another, with the files put in.
fn packed(
    known: Option<&ResEntry>,
    leaves: Leaves,
    depth: usize,
    files: Vec<(&str, &[u8])>,
    others: Others,
) -> Result<Vec<u8>, FormatError> {
    let mut inner = match known {
        Some(entry) => ResArchive::read_with(&entry.data, Tolerance::all())?,
        None => ResArchive::draft(Vec::new(), NamesOrder::Insertion),
    };
    put_files(&mut inner, leaves, depth, files, others)?;
    inner.write()
}

/// Which member a file on disk belongs to: the first folder that is an archive, else the file itself.
fn member_of<'f>(
    leaves: Leaves,
    depth: usize,
    path: &'f str,
    data: &'f [u8],
) -> (String, Member<'f>) {
    let folders = path.match_indices('/').filter(|_| depth < MAX_DEPTH);
    for (end, _) in folders {
        let (Some(folder), Some(rest)) = (path.get(..end), path.get(end.saturating_add(1)..))
        else {
            continue;
        };
        if let Some(inside) = leaves.inside(folder) {
            return (
                folder.to_owned(),
                Member::Archive(inside, vec![(rest, data)]),
            );
        }
    }
    let name = leaves.without_extension(path);
    (name.to_owned(), Member::File(data))
}

/// What follows the last point of the last component.
fn extension(name: &str) -> Option<&str> {
    let last = name.rsplit(['/', '\\']).next()?;
    let (stem, extension) = last.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}

fn problem(name: &str, expected: &'static str, found: &str) -> FormatError {
    Reader::new(super::FORMAT, &[])
        .unexpected("name", expected, found)
        .in_entry(name)
}
