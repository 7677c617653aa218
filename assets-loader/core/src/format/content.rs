//! What a file is for, what it shows, and what it refers to: for browsers and indexes.

use std::path::Path;

/// What files of a format are for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// A level, or a part of one.
    Level,
    /// A model, or a part of one: its skin, skeleton or shape.
    Model,
    /// What moves a model, or a camera.
    Animation,
    /// How a surface is drawn.
    Material,
    /// Pixels.
    Texture,
    /// Particles and light of an event.
    Effect,
    /// Something to hear.
    Sound,
    /// Rows of values, scripts and settings.
    Table,
    /// Words for people.
    Text,
    /// Files in a file.
    Archive,
    /// Anything else.
    #[default]
    Other,
}

impl FileKind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Level,
        Self::Model,
        Self::Animation,
        Self::Material,
        Self::Texture,
        Self::Effect,
        Self::Sound,
        Self::Table,
        Self::Text,
        Self::Archive,
        Self::Other,
    ];

    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Model => "model",
            Self::Animation => "animation",
            Self::Material => "material",
            Self::Texture => "texture",
            Self::Effect => "effect",
            Self::Sound => "sound",
            Self::Table => "table",
            Self::Text => "text",
            Self::Archive => "archive",
            Self::Other => "other",
        }
    }
}

/// One of the pictures that a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureInfo {
    /// Which it is, such as `mip 0`.
    pub label: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// A name by which a file refers to another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// What it refers to.
    pub kind: FileKind,
    /// The end of that file's path, with `/`, in any case.
    pub name: String,
    /// What may follow the name in that path, with its dot; nothing if there are none.
    pub extensions: &'static [&'static str],
}

impl Reference {
    /// A reference to a file whose path ends with a name; slashes of either kind.
    pub fn new(kind: FileKind, name: impl AsRef<str>) -> Self {
        Self {
            kind,
            name: name.as_ref().replace('\\', "/"),
            extensions: &[],
        }
    }

    /// The same where the name lacks the extension, which is one of these with their dots.
    #[must_use]
    pub fn with_extensions(mut self, extensions: &'static [&'static str]) -> Self {
        self.extensions = extensions;
        self
    }

    /// Whether it may refer to the file at a path, which has `/` or `\\` in it.
    pub fn fits(&self, path: &str) -> bool {
        let fold = |text: &str| text.replace('\\', "/").to_lowercase();
        let path = fold(path);
        let name = fold(&self.name);
        let is_end = |end: &str| match path.strip_suffix(end) {
            Some(rest) => rest.is_empty() || rest.ends_with('/'),
            None => false,
        };
        match self.extensions {
            [] => is_end(&name),
            extensions => extensions
                .iter()
                .any(|extension| is_end(&format!("{name}{extension}"))),
        }
    }
}

/// The name of a file without its last extension, for what belongs together by name.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_fit_the_ends_of_paths_in_any_case() {
        let plain = Reference::new(FileKind::Texture, "Wood.0");
        let bare = Reference::new(FileKind::Material, "maps\\wall").with_extensions(&[".vmt"]);
        for (reference, path, expected) in [
            (&plain, "Textures.lib/WOOD.0", true),
            (&plain, "WOOD.0", true),
            (&plain, "Textures.lib/PLYWOOD.0", false),
            (&plain, "Textures.lib/WOOD.0.2", false),
            (&bare, "materials\\Maps\\Wall.vmt", true),
            (&bare, "materials/maps/wall.vtf", false),
            (&bare, "materials/maps/wall", false),
        ] {
            assert_eq!(reference.fits(path), expected, "{path}");
        }
    }
}
