//! What tools need to know of areal maps.

use std::path::Path;

use super::{LandMap, PolygonBlockLayout, Tolerance};
use crate::archive;
use crate::land_draft::AREAL_CONVERSIONS;
use crate::nres::inspect_with_entries;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{
    Archive, ArchiveError, ArchiveOptions, Conversion, FileKind, Format, Input, Match,
    inherent_methods,
};
use ironlands_assets_core::report::Report;

/// The file of each level.
const FILE_NAME: &str = "land.map";

impl Format for LandMap {
    type Context = PolygonBlockLayout;

    const NAME: &'static str = "land_map";
    const EXTENSIONS: &'static [&'static str] = &["map"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        (name == FILE_NAME).then_some(Match::Name)
    }

    fn contexts() -> Vec<PolygonBlockLayout> {
        vec![
            PolygonBlockLayout::CountInside,
            PolygonBlockLayout::CountBefore,
        ]
    }

    fn read(data: &[u8], layout: &PolygonBlockLayout) -> Result<Self, FormatError> {
        let (map, _) = Self::read_with(data, Tolerance::STRICT, *layout)?;
        Ok(map)
    }

    fn read_tolerant(
        data: &[u8],
        layout: &PolygonBlockLayout,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        Self::read_with(data, Tolerance::all(), *layout)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("areals", self.areals.len());
        let n_vertices: usize = self.areals.iter().map(|areal| areal.vertices.len()).sum();
        report.fact("outline vertices", n_vertices);
        report.fact("cells", format!("{} x {}", self.cells_x, self.cells_y));
        let areas = self.areals.iter().map(|areal| areal.area_metric);
        report.fact("area", areas.sum::<f32>());
    }

    /// The chunks come before the findings, as in an archive.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        inspect_with_entries::<Self>(input, report)
    }

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archive::open(path))
    }

    fn conversions() -> &'static [Conversion] {
        AREAL_CONVERSIONS
    }
}
