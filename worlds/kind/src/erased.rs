//! Kinds of worlds as values: what a registry is made of.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches};
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::FormatSet;
use ironlands_assets_core::report::Report;
use ironlands_exchange::conversion::{LevelExport, ModelExport, ModelImport};
use ironlands_exchange::write_gltf::Glb;
use ironlands_scene::CameraPath;

use crate::{
    CommandError, CommandLine, Example, LevelPlace, OpenError, OpenOptions, Opened, Recognized,
    WorldKind,
};

/// A [`WorldKind`] whose type is not known. See there for the methods.
pub trait AnyWorldKind: Sync {
    /// [`WorldKind::NAME`].
    fn name(&self) -> &'static str;

    /// [`WorldKind::EXPECTED`].
    fn expected(&self) -> &'static str;

    /// [`WorldKind::FORMATS`].
    fn formats(&self) -> FormatSet;

    /// [`WorldKind::INSTALL_FOLDERS`].
    fn install_folders(&self) -> &'static [&'static str];

    /// [`WorldKind::USES_ASSETS`].
    fn uses_assets(&self) -> bool;

    /// [`WorldKind::LEVEL_OPTIONS`].
    fn level_options(&self) -> &'static [&'static str];

    /// [`WorldKind::MODEL_OPTIONS`].
    fn model_options(&self) -> &'static [&'static str];

    /// [`WorldKind::EXAMPLES`].
    fn examples(&self) -> &'static [Example];

    /// [`WorldKind::level_place`].
    fn level_place(&self, name: &str) -> Option<LevelPlace>;

    /// [`WorldKind::is_model_name`].
    fn is_model_name(&self, name: &str) -> bool;

    /// [`WorldKind::recognize`].
    ///
    /// # Errors
    /// The system does not let it look.
    fn recognize(&self, path: &Path) -> io::Result<Option<Recognized>>;

    /// A command that also takes the [options](WorldKind::Options) of this world.
    fn add_options(&self, command: clap::Command) -> clap::Command;

    /// Takes the options of this world from a command line that has them by [`add_options`](Self::add_options).
    ///
    /// # Errors
    /// A value that its option does not take.
    fn read_options(
        &self,
        matches: &ArgMatches,
        options: OpenOptions,
    ) -> Result<OpenOptions, clap::Error>;

    /// The options of this world that a command line has, with their dashes.
    fn given_options(&self, matches: &ArgMatches) -> Vec<String>;

    /// [`WorldKind::open`].
    ///
    /// # Errors
    /// See [`OpenError`].
    fn open(&self, path: &Path, options: &OpenOptions) -> Result<Opened, OpenError>;

    /// [`WorldKind::open_model`].
    ///
    /// # Errors
    /// See [`OpenError`].
    fn open_model(&self, path: &Path, options: &OpenOptions) -> Result<Option<Opened>, OpenError>;

    /// [`WorldKind::level_of_options`].
    ///
    /// # Errors
    /// See [`OpenError`].
    fn level_of_options(&self, options: &OpenOptions) -> Result<Option<PathBuf>, OpenError>;

    /// [`WorldKind::export_glb`].
    ///
    /// # Errors
    /// See [`OpenError`].
    fn export_glb(&self, path: &Path, options: &OpenOptions) -> Result<Option<Glb>, OpenError>;

    /// [`WorldKind::level_exports`].
    fn level_exports(&self) -> &'static [LevelExport];

    /// [`WorldKind::model_exports`].
    fn model_exports(&self) -> &'static [ModelExport];

    /// [`WorldKind::model_imports`].
    fn model_imports(&self) -> &'static [ModelImport];

    /// [`WorldKind::CAMERA_PATHS`].
    fn camera_paths(&self) -> &'static [&'static str];

    /// [`WorldKind::camera_path`].
    ///
    /// # Errors
    /// The file breaks a rule of its format.
    fn camera_path(
        &self,
        data: &[u8],
        name: &str,
        options: &OpenOptions,
    ) -> Result<Option<(CameraPath, Vec<Finding>)>, FormatError>;

    /// [`WorldKind::write_camera_path`].
    fn write_camera_path(&self, path: &CameraPath) -> Option<(&'static str, Vec<u8>)>;

    /// [`WorldKind::commands`].
    fn commands(&self) -> Vec<CommandLine>;

    /// [`WorldKind::describe`].
    ///
    /// # Errors
    /// See [`CommandError`].
    fn describe(&self, reports: &[Report], out: &mut dyn Write) -> Result<(), CommandError>;
}

impl std::fmt::Debug for dyn AnyWorldKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl<K: WorldKind> AnyWorldKind for K {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn expected(&self) -> &'static str {
        K::EXPECTED
    }

    fn formats(&self) -> FormatSet {
        K::FORMATS
    }

    fn install_folders(&self) -> &'static [&'static str] {
        K::INSTALL_FOLDERS
    }

    fn uses_assets(&self) -> bool {
        K::USES_ASSETS
    }

    fn level_options(&self) -> &'static [&'static str] {
        K::LEVEL_OPTIONS
    }

    fn model_options(&self) -> &'static [&'static str] {
        K::MODEL_OPTIONS
    }

    fn examples(&self) -> &'static [Example] {
        K::EXAMPLES
    }

    fn level_place(&self, name: &str) -> Option<LevelPlace> {
        K::level_place(name)
    }

    fn is_model_name(&self, name: &str) -> bool {
        K::is_model_name(name)
    }

    fn recognize(&self, path: &Path) -> io::Result<Option<Recognized>> {
        K::recognize(path)
    }

    fn add_options(&self, command: clap::Command) -> clap::Command {
        K::Options::augment_args(command)
    }

    fn read_options(
        &self,
        matches: &ArgMatches,
        options: OpenOptions,
    ) -> Result<OpenOptions, clap::Error> {
        Ok(options.with(K::Options::from_arg_matches(matches)?))
    }

    fn given_options(&self, matches: &ArgMatches) -> Vec<String> {
        let own = K::Options::augment_args(clap::Command::new(K::NAME));
        let is_given = |argument: &&clap::Arg| {
            matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let given = own.get_arguments().filter(is_given);
        given
            .filter_map(|argument| Some(format!("--{}", argument.get_long()?)))
            .collect()
    }

    fn open(&self, path: &Path, options: &OpenOptions) -> Result<Opened, OpenError> {
        K::open(path, &options.assets, &options.for_world())
    }

    fn open_model(&self, path: &Path, options: &OpenOptions) -> Result<Option<Opened>, OpenError> {
        K::open_model(path, &options.assets, &options.for_world())
    }

    fn level_of_options(&self, options: &OpenOptions) -> Result<Option<PathBuf>, OpenError> {
        K::level_of_options(&options.for_world())
    }

    fn export_glb(&self, path: &Path, options: &OpenOptions) -> Result<Option<Glb>, OpenError> {
        K::export_glb(path, &options.assets, &options.for_world())
    }

    fn level_exports(&self) -> &'static [LevelExport] {
        K::level_exports()
    }

    fn model_exports(&self) -> &'static [ModelExport] {
        K::model_exports()
    }

    fn model_imports(&self) -> &'static [ModelImport] {
        K::model_imports()
    }

    fn camera_paths(&self) -> &'static [&'static str] {
        K::CAMERA_PATHS
    }

    fn camera_path(
        &self,
        data: &[u8],
        name: &str,
        options: &OpenOptions,
    ) -> Result<Option<(CameraPath, Vec<Finding>)>, FormatError> {
        K::camera_path(data, name, &options.for_world())
    }

    fn write_camera_path(&self, path: &CameraPath) -> Option<(&'static str, Vec<u8>)> {
        K::write_camera_path(path)
    }

    fn commands(&self) -> Vec<CommandLine> {
        K::commands()
    }

    fn describe(&self, reports: &[Report], out: &mut dyn Write) -> Result<(), CommandError> {
        K::describe(reports, out)
    }
}
