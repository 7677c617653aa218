//! What the program does with a sound file of a kind, beside `check` and `info`.

use ironlands::assets_loader::inspect::Kind;

/// Something that ends with 0 for a sound file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// `export` to a file of this ending, and `import` of that.
    Form(&'static str, Back),
    /// `extract` of all that it holds, and `check` and `info` of each entry.
    Extract,
    /// `extract --nested`, and `pack` of the same files, which changes no byte.
    Repack,
    /// Opened with `--model`.
    Model,
    /// Opened with `--level`.
    Level,
    /// `convert` to every format, a map, a question.
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

/// What is done with a file of a kind. A kind that is new does not compile until that is told.
pub fn uses(kind: Kind) -> &'static [Use] {
    use Back::{Nothing, SameBytes, Sound};
    match kind {
        Kind::NRes | Kind::RsLi | Kind::Vpk | Kind::LandMsh | Kind::LandMap => &[Use::Extract],
        Kind::Msh => &[
            Use::Extract,
            Use::Model,
            Use::Form("glb", Sound),
            Use::Form("obj", Sound),
        ],
        Kind::Bsp => &[
            Use::Extract,
            Use::Level,
            Use::Form("glb", Nothing),
            Use::Form("vmf", Nothing),
        ],
        Kind::Zone => &[
            Use::Extract,
            Use::Repack,
            Use::Level,
            Use::Form("glb", Nothing),
        ],
        Kind::Res => &[Use::Extract, Use::Repack],
        Kind::Reg => &[Use::Form("ini", SameBytes)],
        Kind::Cam | Kind::Mob => &[Use::Form("json", SameBytes)],
        Kind::Db => &[Use::Form("json", SameBytes), Use::Form("csv", Sound)],
        // Packed pixels are packed anew; others have a test of their own.
        Kind::Mmp => &[Use::Form("dds", Sound), Use::Form("png", Sound)],
        Kind::Geodata => &[Use::Geodata, Use::Level],
        // Figures are archives of these.
        Kind::Fig | Kind::Lnk | Kind::Bon | Kind::Anm | Kind::Adb => &[],
        // What levels are made of is used with them (tests of `exchange`).
        Kind::Wear | Kind::BuildDat | Kind::Mission | Kind::UnitDat => &[],
        Kind::Vtf | Kind::Vmt | Kind::Mdl | Kind::Vvd | Kind::Vtx => &[],
        Kind::Phy | Kind::Ani | Kind::Vhv | Kind::Vmf => &[],
        Kind::Mp | Kind::Sec | Kind::LightsConfig => &[],
        // No files.
        Kind::Level | Kind::GeodataSet | Kind::Entry | Kind::Unreadable => &[],
    }
}
