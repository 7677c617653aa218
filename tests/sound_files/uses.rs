//! What the program does with a valid file of a format, beside `check` and `info`.

use std::path::Path;

use ironlands::assets::format::ArchiveOptions;
use ironlands::assets::format::{AnyFormat, Fidelity};
use ironlands::worlds::registry;

/// Something that ends with 0 for a valid file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// `export` to a file of this extension, and `import` of that.
    Form(&'static str, Back),
    /// `extract` of all that it holds.
    Extract,
    /// `extract --nested`, and `pack` of the same files, which changes no byte.
    Repack,
    /// Opened with `--model`.
    Model,
    /// Opened with `--level`.
    Level,
    /// `convert` to every format, a map.
    Geodata,
}

/// What comes back of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Back {
    /// The same file.
    SameBytes,
    /// A file that `check` calls sound.
    Sound,
    /// Nothing: it goes one way.
    Nothing,
}

/// What is done with a file: what its format offers, and what the program does with whole levels and models.
pub fn uses(path: &Path, format: &dyn AnyFormat) -> Vec<Use> {
    let conversions = format.conversions().iter();
    let mut uses: Vec<Use> = conversions
        .filter(|conversion| conversion.export.is_some())
        .map(|conversion| {
            let back = match (conversion.import, conversion.fidelity) {
                (None, _) => Back::Nothing,
                (Some(_), Fidelity::SameBytes) => Back::SameBytes,
                (Some(_), Fidelity::Valid) => Back::Sound,
            };
            Use::Form(conversion.extension, back)
        })
        .collect();
    if registry()
        .formats()
        .open_archive(path, ArchiveOptions::default())
        .is_ok()
    {
        uses.push(Use::Extract);
    }
    uses.extend_from_slice(of_whole(format.name()));
    uses
}

/// What is done with levels and models.
fn of_whole(format: &str) -> &'static [Use] {
    use Back::{Nothing, Sound};
    match format {
        "msh" => &[Use::Model, Use::Form("glb", Sound), Use::Form("obj", Sound)],
        "bsp" => &[
            Use::Level,
            Use::Form("glb", Nothing),
            Use::Form("vmf", Nothing),
        ],
        "zone" => &[Use::Repack, Use::Level, Use::Form("glb", Nothing)],
        "res" => &[Use::Repack],
        "geodata" => &[Use::Geodata, Use::Level],
        // Levels are made of all others, and are used with them (tests of `exchange`).
        _ => &[],
    }
}
