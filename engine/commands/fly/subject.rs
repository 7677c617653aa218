//! What is to be opened: a level, or a model alone.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use crate::console::input_path;
use crate::error::AppError;
use crate::kind::{OpenOptions, Registry};
use crate::level::Subject;

/// What is to be opened. Options of worlds that name a level join the group.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("subject").required(true).multiple(true)))]
pub struct SubjectArgs {
    /// Level to open, such as DATA/MAPS/Map01.
    #[arg(long, value_name = "PATH", value_parser = input_path(), group = "subject")]
    level: Option<PathBuf>,

    /// Model to view by itself: a file, an archive entry such as bases.rlb/WALKER.MSH or figures.res/unhufe.mod, or the
    /// name of a figure in --assets or in the demo, such as unhuma.
    #[arg(long, value_name = "FILE", value_parser = input_path(), group = "subject", conflicts_with_all = ["level", "mode"])]
    model: Option<PathBuf>,

    /// Game folder with files that a level or model refers to but does not contain; its archives are searched too. Can
    /// be given several times; the first folder that has a file is used.
    #[arg(long, value_name = "DIR", value_parser = input_path())]
    assets: Vec<PathBuf>,
}

impl SubjectArgs {
    /// Whether a model is to be opened.
    pub fn is_model(&self) -> bool {
        self.model.is_some()
    }

    /// The level that is named.
    pub fn level(&self) -> Option<&Path> {
        self.level.as_deref()
    }

    /// How to open it, as far as all worlds share that.
    pub fn options(&self) -> OpenOptions {
        OpenOptions::from_assets(self.assets.clone())
    }

    /// What to open.
    ///
    /// # Errors
    /// If an option of a world names a level that is not found.
    pub fn subject(&self, registry: &Registry, options: &OpenOptions) -> Result<Subject, AppError> {
        if let Some(model) = &self.model {
            return Ok(Subject::Model(model.clone()));
        }
        // Also where a level is named: an option may be wrong.
        let of_options = registry.level_of_options(options);
        let of_options = of_options.map_err(AppError::LevelOfOptions);
        let level = match &self.level {
            Some(level) => level.clone(),
            None => of_options?.expect("the command line requires one of them"),
        };
        Ok(Subject::Level(level))
    }
}
