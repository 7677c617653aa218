//! What a path is, as a world sees it.

/// Where a level is that a file's name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelPlace {
    /// The file itself.
    File,
    /// The folder that the file is in.
    Folder,
}

/// What a path is to a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognized {
    /// What opens it.
    pub opener: Opener,
    /// What it is, with an article: `a Source engine level (VBSP version 20)`.
    pub description: String,
}

/// What opens a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opener {
    /// It is a level: `--level`.
    Level,
    /// It is a model: `--model`.
    Model,
    /// An option of its world, with its dashes.
    Option(&'static str),
    /// Nothing, though it is known what it is.
    Nothing,
}

impl Opener {
    /// The option that opens it.
    pub fn option(self) -> Option<&'static str> {
        match self {
            Self::Level => Some("--level"),
            Self::Model => Some("--model"),
            Self::Option(option) => Some(option),
            Self::Nothing => None,
        }
    }
}

impl Recognized {
    /// Something that is opened by `opener`, described with an article.
    pub fn new(opener: Opener, description: impl Into<String>) -> Self {
        Self {
            opener,
            description: description.into(),
        }
    }
}

/// A command line that the help shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Beginning with the program's name.
    pub line: &'static str,
    /// What it does, in sentences; further lines are indented.
    pub effect: &'static str,
}

impl Example {
    /// A command line and what it does.
    pub const fn new(line: &'static str, effect: &'static str) -> Self {
        Self { line, effect }
    }

    /// Whether the help of a command shows it; that of the viewer, which "" names, shows lines of options alone.
    pub fn is_of(&self, command: &str) -> bool {
        let second = self.line.split(' ').nth(1).unwrap_or_default();
        match command {
            "" => second.starts_with('-'),
            command => second == command,
        }
    }
}
