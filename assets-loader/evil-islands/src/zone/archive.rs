//! `*.mpr`: the archive of a zone's land as a file, which tools describe with all that it names.

use std::path::Path;

use super::{LAND_EXTENSION, Zone};
use crate::land::{Layer, atlas_name};
use crate::mp::{self, MAX_TEXTURES, Mp};
use crate::res::{ResArchive, open_archive};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{
    Archive, ArchiveError, ArchiveOptions, FileKind, Format, Input, Match, Reference, stem,
};
use ironlands_assets_core::report::{Report, Scope};
use ironlands_assets_core::vfs::VfsError;

/// The archive of a zone's land: a header, and sectors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ZoneArchive {
    /// The archive itself; [`Zone::open`] reads what is in it.
    pub archive: ResArchive,
}

impl Format for ZoneArchive {
    type Context = ();

    const NAME: &'static str = "zone";
    const EXTENSIONS: &'static [&'static str] = &[LAND_EXTENSION];
    const KIND: FileKind = FileKind::Level;

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(".mpr").then_some(Match::Name)
    }

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        let archive = ResArchive::read(data)?;
        Ok(Self { archive })
    }

    fn read_tolerant(data: &[u8], context: &()) -> Result<(Self, Vec<Finding>), FormatError> {
        let (archive, findings) = ResArchive::read_tolerant(data, context)?;
        Ok((Self { archive }, findings))
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        self.archive.write()
    }

    fn check(&self) -> Vec<Finding> {
        self.archive.check()
    }

    /// Opens the zone with the map beside it and what both name: facts, and where its files contradict each other.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        let mut archive = Report::new(input.path, Scope::File, ResArchive::NAME);
        // The zone reports what is wrong with the archive itself.
        if ResArchive::inspect(input, &mut archive).is_ok() {
            report.entries = archive.entries;
        }
        match Zone::open(input.path, &[]) {
            Ok(zone) => describe(&zone, report),
            // What the archive refuses is reported at its place, anything else as it is.
            Err(VfsError::Invalid { error, .. }) => return Err(*error),
            Err(error) => {
                let finding = Finding::new(Severity::Error, Self::NAME, error.to_string());
                report.findings.push(finding);
            }
        }
        Ok(())
    }

    fn open_archive(path: &Path, options: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(open_archive(path, options))
    }

    /// The map of its name, and an atlas for each number that its header counts.
    fn references(&self, path: &Path) -> Vec<Reference> {
        let name = stem(path);
        let map = Reference::new(FileKind::Level, format!("{name}.mob"));
        let header = self.archive.find(&format!("{name}.mp"));
        let header = header.and_then(|entry| Mp::read_with(&entry.data, mp::Tolerance::all()).ok());
        let n_atlases = header.map_or(0, |header| header.n_textures);
        let atlases = (0..n_atlases.min(MAX_TEXTURES)).map(|number| {
            let atlas = format!("{}.mmp", atlas_name(&name, number));
            Reference::new(FileKind::Texture, atlas)
        });
        [map].into_iter().chain(atlases).collect()
    }
}

fn describe(zone: &Zone, report: &mut Report) {
    zone.mp.describe(report);
    let land = zone.land();
    report.fact("sectors that are there", land.sectors().count());
    let liquid_tiles = land
        .sectors()
        .map(|sector| sector.tiles(Layer::Liquid).count());
    report.fact("liquid tiles", liquid_tiles.sum::<usize>());
    report.fact(
        "atlases that are there",
        zone.atlases.iter().flatten().count(),
    );
    report.fact("objects", zone.objects.len());
    report.fact("models", zone.figures.len());
    report.fact("textures of objects", zone.textures.len());
    let mut regions: Vec<_> = zone
        .lights
        .iter()
        .map(|(region, _)| region.name())
        .collect();
    if regions.is_empty() {
        regions.push("none");
    }
    report.fact("light", regions.join(", "));
    report.findings.extend(zone.check());
}
