//! Files that a document names, in its own folder and below.

use std::io;
use std::path::{Component, Path};

use ironlands_assets_core::vfs;

/// Reads a file that a document in `folder` names by a URI, percent-encoded or not.
///
/// # Errors
/// A URI that leads out of the folder or is none of a file, and what the system says.
pub fn read_beside(folder: &Path, uri: &str) -> io::Result<Vec<u8>> {
    let name = percent_decoded(uri)
        .ok_or_else(|| io::Error::other("its name is not spelled as a URI spells names"))?;
    let name = Path::new(&name);
    let is_below =
        (name.components()).all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_below || uri.contains([':', '\\']) {
        return Err(io::Error::other(
            "only files in the same folder or below are read",
        ));
    }
    vfs::read(&folder.join(name))
}

/// `%20` and the like as what they stand for.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_are_decoded_and_kept_to_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        fs::write(folder.path().join("in/a b.bin"), b"x").unwrap();
        fs::write(folder.path().join("secret"), b"y").unwrap();
        let inner = folder.path().join("in");
        assert_eq!(read_beside(&inner, "a%20b.bin").unwrap(), b"x");
        assert_eq!(read_beside(&inner, "./a b.bin").unwrap(), b"x");
        let absolute = folder.path().join("secret");
        for refused in [
            "../secret",
            "%2e%2e/secret",
            absolute.to_str().unwrap(),
            "file:a b.bin",
            "a%2",
            "a%zzb",
        ] {
            assert!(read_beside(&inner, refused).is_err(), "{refused}");
        }
    }
}
