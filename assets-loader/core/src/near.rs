//! What a user may have meant by a path that does not exist.

use std::path::Path;

/// Most names that are suggested.
const MAX_NAMES: usize = 5;

/// Existing paths beside the first missing part of `path`, nearest first.
///
/// They are looked for in the deepest folder of the path that exists: names that differ in case only, and
/// names within a few letters.
pub fn near_paths(path: &Path) -> Vec<String> {
    let parents = path.ancestors().zip(path.ancestors().skip(1));
    let Some((missing, folder)) = parents
        .map(|(child, parent)| match parent.as_os_str().is_empty() {
            true => (child, Path::new(".")),
            false => (child, parent),
        })
        .find(|(_, parent)| parent.is_dir())
    else {
        return Vec::new();
    };
    let wanted = missing.file_name().unwrap_or_default();
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    nearest(&wanted.to_string_lossy(), names)
        .into_iter()
        .map(|name| missing.with_file_name(name).display().to_string())
        .collect()
}

/// The end of a sentence that says what is missing.
pub fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; near it: {}", near.join(", ")),
    }
}

/// Those of the names that differ from `wanted` in case only or by a few letters, nearest first.
pub fn nearest(wanted: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut near: Vec<(usize, String)> = names
        .filter_map(|name| {
            let distance = edit_distance(&wanted, &name.to_lowercase());
            let is_near = distance <= (wanted.chars().count() / 3).max(1);
            is_near.then_some((distance, name))
        })
        .collect();
    near.sort();
    near.truncate(MAX_NAMES);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Least number of letters to insert, delete or change (Levenshtein).
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "counts of letters of names; the row has one element more than `b` has letters"
)]
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (b, above) in b.iter().zip(row.iter_mut().skip(1)) {
            let cost = diagonal + usize::from(a != *b);
            diagonal = *above;
            left = cost.min(left + 1).min(*above + 1);
            *above = left;
        }
        row[0] = i + 1;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distances_count_letters() {
        for (a, b, distance) in [
            ("", "", 0),
            ("map01", "map01", 0),
            ("map1", "map01", 1),
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("ab", "ba", 2),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn names_in_the_deepest_existing_folder_are_near() {
        let root = tempfile::tempdir().unwrap();
        let maps = root.path().join("DATA/MAPS");
        for name in ["Map01", "Map02", "Tutorial"] {
            std::fs::create_dir_all(maps.join(name)).unwrap();
        }
        let near = |path: &str| near_paths(&root.path().join(path));
        let shown = |path: &str| root.path().join(path).display().to_string();
        assert_eq!(
            near("DATA/MAPS/map01"),
            [shown("DATA/MAPS/Map01"), shown("DATA/MAPS/Map02")]
        );
        assert_eq!(near("data/MAPS/Map01"), [shown("DATA")]);
        assert_eq!(near("DATA/MAPS/Autodemo"), [""; 0]);
    }
}
