//! The plug-in interface of worlds: what a kind of world gives the engine, and what its commands find there.
//!
//! In: one [`WorldKind`] for each game whose levels are opened. Out: a [`Registry`] that recognizes and opens levels and
//! models of all of them, knows their file formats, and hands their options and commands to the command line.
//!
//! Deliberately absent: any world; drawing. `worlds/registry` lists the worlds of this repository; a program that brings
//! another one adds it to that list with [`Registry::with`].

mod command;
pub mod console;
mod editor;
mod effect_world;
mod erased;
mod error;
mod level;
mod options;
mod recognized;
mod registry;

pub use command::{CommandError, CommandLine, Verdict};
pub use editor::{EditDecision, EditField, EditPreview, EditReply, EditStatus, LevelEditor};
pub use effect_world::{EffectDrive, EffectWorld, SameClock};
pub use erased::AnyWorldKind;
pub use error::OpenError;
pub use level::{AnimationSheet, Level, ModelSheet, Opened, Slider, validated};
pub use options::{NoOptions, OpenOptions};
pub use recognized::{Example, LevelPlace, Opener, Recognized};
pub use registry::Registry;

use std::io;
use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::FormatSet;
use ironlands_exchange::conversion::{LevelExport, ModelExport, ModelImport};
use ironlands_exchange::write_gltf::Glb;
use ironlands_scene::CameraPath;

/// A kind of world: all that the engine knows of one game and its files.
///
/// Implemented by a unit struct in the crate of the world. Everything but the name, the formats, recognition and opening
/// has a default, so that a simple world says little.
pub trait WorldKind: Sync + 'static {
    /// Options of its own on the command line, for opening its levels and models. Each has a default, and a name that no
    /// other world and no option of the engine has.
    type Options: clap::Args + Clone + Default + Send + Sync;

    /// Whose levels these are, as in "it is for ...": `Source maps`.
    const NAME: &'static str;

    /// Paths that it opens, as in "expected ...": `a Source map (*.bsp)`.
    const EXPECTED: &'static str;

    /// Its file formats.
    const FORMATS: FormatSet;

    /// Names of folders that the game is usually installed in, such as `Half-Life 2`, in any case. The start screen looks
    /// for them where programs and stores install games, and on discs.
    const INSTALL_FOLDERS: &'static [&'static str] = &[];

    /// Whether its levels or models look files up in the folders of `--assets`.
    const USES_ASSETS: bool = false;

    /// Those of its options, with their dashes, that mean nothing to a model by itself.
    const LEVEL_OPTIONS: &'static [&'static str] = &[];

    /// Those of its options, with their dashes, that mean nothing to a level.
    const MODEL_OPTIONS: &'static [&'static str] = &[];

    /// Command lines that the help shows.
    const EXAMPLES: &'static [Example] = &[];

    /// Whether the name of a file says that it is a level, or that its folder is one. For searching folders; no file is
    /// read.
    fn level_place(name: &str) -> Option<LevelPlace>;

    /// Whether the name of an archive's entry says that [`open_model`](Self::open_model) opens it. For lists of archives;
    /// no entry is read.
    fn is_model_name(_name: &str) -> bool {
        false
    }

    /// What a file or folder is to this world; `None` if nothing. Folders are listed, files are read only as far as
    /// needed.
    ///
    /// # Errors
    /// The system does not let it look.
    fn recognize(path: &Path) -> io::Result<Option<Recognized>>;

    /// Opens a level that was [recognized](Self::recognize). `assets` are folders and archives of the game, for what the
    /// level names and does not bring.
    ///
    /// # Errors
    /// See [`OpenError`]. What the level can do without is no error but a finding.
    fn open(path: &Path, assets: &[PathBuf], options: &Self::Options) -> Result<Opened, OpenError>;

    /// Opens one model by itself: a file, an entry of an archive, or a name that is looked up in `assets`. `None` if the
    /// path is no model of this world.
    ///
    /// # Errors
    /// See [`OpenError`].
    fn open_model(
        _path: &Path,
        _assets: &[PathBuf],
        _options: &Self::Options,
    ) -> Result<Option<Opened>, OpenError> {
        Ok(None)
    }

    /// The level that the options name where none is named beside them, as a mission does.
    ///
    /// # Errors
    /// See [`OpenError`].
    fn level_of_options(_options: &Self::Options) -> Result<Option<PathBuf>, OpenError> {
        Ok(None)
    }

    /// A level as binary glTF, where that is not made of the scene that is drawn.
    ///
    /// # Errors
    /// See [`OpenError`].
    fn export_glb(
        _path: &Path,
        _assets: &[PathBuf],
        _options: &Self::Options,
    ) -> Result<Option<Glb>, OpenError> {
        Ok(None)
    }

    /// Formats that levels are exported to beside glTF, which all levels are.
    fn level_exports() -> &'static [LevelExport] {
        &[]
    }

    /// Formats that models are exported to.
    fn model_exports() -> &'static [ModelExport] {
        &[]
    }

    /// Formats that models are made from.
    fn model_imports() -> &'static [ModelImport] {
        &[]
    }

    /// Extensions of its camera paths in lowercase, without the dot.
    const CAMERA_PATHS: &'static [&'static str] = &[];

    /// Reads a camera path.
    ///
    /// # Errors
    /// The file breaks a rule of its format.
    fn camera_path(
        _data: &[u8],
        _name: &str,
        _options: &Self::Options,
    ) -> Result<Option<(CameraPath, Vec<Finding>)>, FormatError> {
        Ok(None)
    }

    /// A camera path as a file of this world, with its extension; `None` where it has no such files.
    fn write_camera_path(_path: &CameraPath) -> Option<(&'static str, Vec<u8>)> {
        None
    }

    /// Commands of its own.
    fn commands() -> Vec<CommandLine> {
        Vec::new()
    }

    /// Prints what `info` says of a path after the reports on its files, such as the memory that a set of files takes.
    ///
    /// # Errors
    /// See [`CommandError`].
    fn describe(
        _reports: &[ironlands_assets_core::report::Report],
        _out: &mut dyn io::Write,
    ) -> Result<(), CommandError> {
        Ok(())
    }
}
