//! What tools need to know of terrain.

use std::path::Path;

use super::{LandMsh, Tolerance};
use crate::archive;
use crate::land_draft::LAND_CONVERSIONS;
use crate::nres::inspect_with_entries;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{
    Archive, ArchiveError, ArchiveOptions, Conversion, FileKind, Format, Input, Match, Reference,
    inherent_methods,
};
use ironlands_assets_core::report::Report;

/// The file of each level.
const FILE_NAME: &str = "land.msh";

impl Format for LandMsh {
    type Context = ();

    const NAME: &'static str = "land_msh";
    const EXTENSIONS: &'static [&'static str] = &["msh"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        (name == FILE_NAME).then_some(Match::Name)
    }

    /// By its name alone any other `.msh` is a model.
    fn context(path: &Path) -> Result<(), Finding> {
        let name = path.file_name().unwrap_or_default();
        let is_land = name.eq_ignore_ascii_case(FILE_NAME);
        let message = "a file of another name is a model, as far as its name says";
        is_land
            .then_some(())
            .ok_or_else(|| Finding::new(Severity::Note, Self::NAME, message))
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Self::read_with(data, Tolerance::all())
    }

    fn describe(&self, report: &mut Report) {
        report.fact("tiles", format!("{} x {}", self.cells_x, self.cells_y()));
        report.fact("slots", self.slots.len());
        report.fact("vertices", self.positions.len());
        report.fact("faces", self.faces.len());
        report.fact(
            "faces at the finest level",
            self.lod0_face_indices().count(),
        );
        if let Some((min, max)) = extent(&self.positions) {
            report.fact("smallest corner", triple(min));
            report.fact("largest corner", triple(max));
        }
        report.fact("water level", self.water_level());
        let borders = self.material_borders();
        report.fact(
            "edges where two materials meet one",
            format!(
                "{}: {} meet the second, {} the first, {} neither",
                borders.total(),
                borders.n_second,
                borders.n_first,
                borders.n_other
            ),
        );
        self.add_fits(report);
    }

    /// The chunks come before the findings, as in an archive.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        inspect_with_entries::<Self>(input, report)
    }

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archive::open(path))
    }

    fn conversions() -> &'static [Conversion] {
        LAND_CONVERSIONS
    }

    fn references(&self, _: &Path) -> Vec<Reference> {
        ["Land1.wea", "Land2.wea"]
            .map(|table| Reference::new(FileKind::Material, table))
            .into()
    }
}

fn extent(positions: &[[f32; 3]]) -> Option<([f32; 3], [f32; 3])> {
    let first = *positions.first()?;
    let grow = |(min, max): ([f32; 3], [f32; 3]), point: &[f32; 3]| {
        let each = |pick: fn(f32, f32) -> f32, a: [f32; 3]| {
            let [[ax, ay, az], [bx, by, bz]] = [a, *point];
            [pick(ax, bx), pick(ay, by), pick(az, bz)]
        };
        (each(f32::min, min), each(f32::max, max))
    };
    Some(positions.iter().fold((first, first), grow))
}

fn triple([x, y, z]: [f32; 3]) -> String {
    format!("{x} {y} {z}")
}
