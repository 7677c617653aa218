//! What tools need to know of models.

use std::path::Path;

use super::{Msh, Tolerance};
use crate::archive;
use crate::nres::inspect_with_entries;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{
    Archive, ArchiveError, ArchiveOptions, FileKind, Format, Input, Reference, inherent_methods,
    stem,
};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

impl Format for Msh {
    type Context = ();

    const NAME: &'static str = "msh";
    const EXTENSIONS: &'static [&'static str] = &["msh"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Self::read_with(data, Tolerance::all())
    }

    fn describe(&self, report: &mut Report) {
        report.fact("nodes", self.nodes.len());
        report.fact("slots", self.slots.len());
        report.fact("vertices", self.positions.len());
        report.fact("batches", self.batches.len());
        if !self.animation.keys.is_empty() {
            let taken = self.quaternion_order();
            report.fact("quaternions", self.quaternion_fit().sentence(taken));
        }
        if let Some(hall_way) = self.hall_way() {
            report.fact("paths inside", hall_way.summary());
        }
        let long_names = self.long_node_names();
        for node in 0..self.nodes.len() {
            let label = self.node_name(node).unwrap_or_default();
            let long_name = decode_cp1251(long_names.get(node).copied().unwrap_or_default());
            let names = [label, long_name].map(|it| it.into_owned());
            let names: Vec<String> = names.into_iter().filter(|it| !it.is_empty()).collect();
            if !names.is_empty() {
                report.fact("node", format!("{node}: {}", names.join(", ")));
            }
        }
        self.add_fits(report);
    }

    /// The chunks come before the findings, as in an archive.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        inspect_with_entries::<Self>(input, report)
    }

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archive::open(path))
    }

    /// The material table is known by its name alone.
    fn references(&self, path: &Path) -> Vec<Reference> {
        let table = format!("{}.wea", stem(path));
        vec![Reference::new(FileKind::Material, table)]
    }
}
