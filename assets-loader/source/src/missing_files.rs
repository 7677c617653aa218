//! Files that a map names and that are neither in its archive nor in the folders of its game.

use std::collections::BTreeMap;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::report::MISSING_FILES;

/// What a missing file would have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MissingKind {
    /// A model, or one of the files that belong to it.
    Model,
    /// A material of a surface.
    Material,
    /// A material of water.
    Water,
    /// A material of a side of the sky.
    Sky,
    /// A texture.
    Texture,
    /// A recording, or what a sound is named by.
    Sound,
}

/// Missing files by their paths, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingFiles(BTreeMap<String, MissingKind>);

impl MissingFiles {
    /// Adds a file; what it would have been replaces what was known of it.
    pub fn add(&mut self, path: impl Into<String>, kind: MissingKind) {
        self.0.insert(path.into(), kind);
    }

    /// Adds others.
    pub fn extend(&mut self, others: &Self) {
        let others = others.0.iter().map(|(path, kind)| (path.clone(), *kind));
        self.0.extend(others);
    }

    /// One warning with the number of files of each kind, and a note for each file; nothing if none is missing.
    pub fn findings(&self) -> Vec<Finding> {
        let Some(summary) = self.summary() else {
            return Vec::new();
        };
        let mut findings = vec![Finding::new(Severity::Warning, MISSING_FILES, summary)];
        let mut files: Vec<_> = self.0.iter().map(|(path, kind)| (kind, path)).collect();
        files.sort();
        for (kind, path) in files {
            let message = format!("{path} is missing: {}", kind.consequence());
            findings.push(Finding::new(Severity::Note, MISSING_FILES, message));
        }
        findings
    }

    fn summary(&self) -> Option<String> {
        let counts = MissingKind::ALL.iter().filter_map(|kind| {
            let n_files = self.0.values().filter(|it| *it == kind).count();
            let [one, many] = kind.names();
            match n_files {
                0 => None,
                1 => Some(format!("1 {one}")),
                _ => Some(format!("{n_files} {many}")),
            }
        });
        let counts: Vec<String> = counts.collect();
        let verb = if self.0.len() == 1 {
            "file of the game is missing"
        } else {
            "files of the game are missing"
        };
        let n_files = self.0.len();
        (n_files > 0).then(|| format!("{n_files} {verb}: {}", counts.join(", ")))
    }
}

impl MissingKind {
    const ALL: [Self; 6] = [
        Self::Model,
        Self::Material,
        Self::Water,
        Self::Sky,
        Self::Texture,
        Self::Sound,
    ];

    /// Of one file and of several.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Model => ["model", "models"],
            Self::Material => ["material", "materials"],
            Self::Water => ["water material", "water materials"],
            Self::Sky => ["sky material", "sky materials"],
            Self::Texture => ["texture", "textures"],
            Self::Sound => ["sound", "sounds"],
        }
    }

    /// What is shown instead.
    fn consequence(self) -> &'static str {
        match self {
            Self::Model => "what shows the model is left out",
            Self::Material => "the surface has the average color of its texture",
            Self::Water => {
                "the water has the average color of its texture and the light of its place"
            }
            Self::Sky => "that side of the sky has the color of the map's light",
            Self::Texture => "its material goes without it",
            Self::Sound => "it is not heard",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_warning_counts_by_kind_and_notes_list_each_file() {
        let mut missing = MissingFiles::default();
        assert_eq!(missing.findings(), []);
        missing.add("materials/a.vmt", MissingKind::Material);
        missing.add("materials/lake.vmt", MissingKind::Material);
        missing.add("materials/lake.vmt", MissingKind::Water);
        let mut others = MissingFiles::default();
        others.add("models/b.mdl", MissingKind::Model);
        others.add("models/c.mdl", MissingKind::Model);
        missing.extend(&others);
        let findings = missing.findings();
        let (summary, notes) = findings.split_first().unwrap();
        assert_eq!(summary.severity, Severity::Warning);
        assert_eq!(
            summary.message,
            "4 files of the game are missing: 2 models, 1 material, 1 water material"
        );
        assert_eq!(notes.len(), 4);
        assert!(notes.iter().all(|it| it.severity == Severity::Note));
        assert!(notes[0].message.starts_with("models/b.mdl is missing"));
        assert!(notes[3].message.contains("the light of its place"));
    }
}
