//! What tools need to know of the list of buildings.

use std::path::Path;

use super::{BuildDat, BuildDatTolerance};
use crate::game_files;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{FileKind, Format, Input, Match, Reference, inherent_methods};
use ironlands_assets_core::report::Report;

/// The only file of its kind.
const FILE_NAME: &str = "builddat.lst";

impl Format for BuildDat {
    type Context = ();

    const NAME: &'static str = "build_dat";
    const EXTENSIONS: &'static [&'static str] = &["lst"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        (name == FILE_NAME).then_some(Match::Name)
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        let list = Self::read_with(data, BuildDatTolerance::FoldedNamesAndRepeats)?;
        Ok((list, Vec::new()))
    }

    fn describe(&self, report: &mut Report) {
        report.fact("categories", self.sections.len());
        let n_paths: usize = self
            .sections
            .iter()
            .map(|section| section.paths.len())
            .sum();
        report.fact("buildings", n_paths);
    }

    /// Whether the unit files are there: the list lies in the game's root.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        let root = input.path.parent().map(game_files::of_folder);
        if let Some(Ok(root)) = root {
            report.findings.extend(self.check_files(&root));
        }
    }

    fn references(&self, _: &Path) -> Vec<Reference> {
        let paths = self.sections.iter().flat_map(|section| &section.paths);
        paths
            .map(|path| Reference::new(FileKind::Model, path))
            .collect()
    }
}
