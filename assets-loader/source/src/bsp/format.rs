//! What a map says of itself: its lumps, what is in them, the files of its pakfile, and what opening it finds.

mod opening;
mod packing;

use std::path::Path;

use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{
    Archive, ArchiveError, ArchiveOptions, ConversionError, FileKind, Format, Input, Match,
    PackRequest, Packed, Reference, inherent_methods,
};
use ironlands_assets_core::report::{Depth, Report, refusal};

use super::game_lump::{GameLump, StaticProps};
use super::{BspFile, LumpId, Map, PhysModel, ReusedLumps};
use crate::archives;
use crate::collision::Shape;
use crate::level::{brush_entities, read_entities, static_props};
use crate::members;
use crate::pakfile::Pakfile;

impl Format for BspFile {
    type Context = ();

    const NAME: &'static str = "bsp";
    const EXTENSIONS: &'static [&'static str] = &["bsp"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(Self::MAGIC) {
            return Some(Match::Content);
        }
        // A map of another engine, or a broken one: reading it says which.
        name.ends_with(".bsp").then_some(Match::Extension)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("version", self.version);
        report.fact("revision", self.map_revision);
        let is_used = |id: &&LumpId| !self.lump(**id).is_empty();
        report.fact("lumps", LumpId::ALL.iter().filter(is_used).count());
    }

    /// A broken part of a valid container is a finding, and the others are described.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        let map = Map::read(self);
        take(report, &map, |report, map| {
            describe_map(map, self.version, report);
        });
        let entities = read_entities(self);
        take(report, &entities, |report, entities| {
            entities.describe(report);
            report.findings.extend(entities.check());
        });
        if let (Ok(map), Ok(entities)) = (&map, &entities) {
            report.findings.extend(brush_entities(self, map, entities));
        }
        describe_solids(self, report);
        describe_props(self, report);
        describe_pakfile(self, input.depth, report);
        if input.depth == Depth::Contents && map.is_ok() && entities.is_ok() {
            opening::check(input.path, report);
        }
    }

    const ARCHIVE_LABEL: Option<&'static str> = Some("a Source map");

    fn packs(request: &PackRequest<'_>) -> bool {
        request.base.is_some_and(|base| base.starts_with(b"VBSP"))
    }

    fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
        packing::pack(request)
    }

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archives::open_map(path))
    }

    /// Materials of its faces, and models of its static props.
    fn references(&self, _: &Path) -> Vec<Reference> {
        let map = Map::read(self).ok();
        let materials = map.iter().flat_map(|map| {
            let indices = (0..).zip(&map.texdata);
            let names = indices.filter_map(|(index, _)| map.texdata_name(index));
            names.map(|name| {
                Reference::new(FileKind::Material, format!("materials/{name}"))
                    .with_extensions(&[".vmt"])
            })
        });
        let props = static_props(self).unwrap_or_default();
        let models = props.models.iter();
        let models = models.map(|model| Reference::new(FileKind::Model, model.path()));
        materials.chain(models).collect()
    }
}

/// Describes a part of a file, or says why it cannot be read.
fn take<T>(
    report: &mut Report,
    part: &Result<T, FormatError>,
    describe: impl FnOnce(&mut Report, &T),
) {
    match part {
        Ok(part) => describe(report, part),
        Err(error) => report.findings.push(refusal(error)),
    }
}

fn describe_map(map: &Map, version: u32, report: &mut Report) {
    report.fact("faces", map.faces.len());
    report.fact("vertices", map.vertices.len());
    report.fact("brushes", map.brushes.len());
    report.fact("leaves", map.leaves.len());
    let n_clusters = map.visibility.as_ref().map_or(0, |it| it.row_offsets.len());
    report.fact("clusters", n_clusters);
    report.fact("displacements", map.disp_infos.len());
    describe_uncertain(map, report);
    report.fact("overlays", map.overlays.len());
    report.fact("textures", map.texdata.len());
    let light = [
        (&map.lighting, "low range"),
        (&map.lighting_hdr, "high range"),
    ];
    let light: Vec<&str> = light
        .into_iter()
        .filter_map(|(lump, name)| (!lump.is_empty()).then_some(name))
        .collect();
    if !light.is_empty() {
        report.fact("light", light.join(", "));
    }
    report.findings.extend(map.check());
    report.findings.extend(map.check_limits(version));
}

/// What only some maps have, in lumps that games use in different ways.
fn describe_uncertain(map: &Map, report: &mut Report) {
    let hulls = map.disp_hulls.typed().and_then(|it| it.hulls.as_ref());
    let n_hulls = hulls.map_or(0, |it| it.iter().flatten().count());
    if n_hulls != 0 {
        report.fact("displacements with physics", n_hulls);
    }
    match map.reused_lumps.typed() {
        Some(ReusedLumps::Portals(it)) => report.fact("visibility portals", it.portals.len()),
        Some(ReusedLumps::PropCollision(it)) => report.fact("hulls of props", it.hulls.len()),
        Some(ReusedLumps::FaceBrushes(it)) => {
            report.fact("faces with known brushes", it.lists.len());
        }
        Some(ReusedLumps::Empty) | None => {}
    }
}

/// What physics collides with: nothing of it keeps a map from being shown.
fn describe_solids(file: &BspFile, report: &mut Report) {
    let models = PhysModel::read_all(file, LumpId::PhysCollide);
    take(report, &models, |report, models| {
        let models = models.iter().flatten();
        let shapes = models.clone().flat_map(PhysModel::shapes);
        let mut n_hulls = 0_usize;
        for shape in shapes {
            match shape {
                Ok(Shape::Hulls(hulls)) => n_hulls = n_hulls.saturating_add(hulls.len()),
                Ok(Shape::Terrain) => {}
                Err(error) => report.findings.push(refusal(&error)),
            }
        }
        report.fact("models with solids", models.count());
        report.fact("hulls of solids", n_hulls);
    });
}

fn describe_props(file: &BspFile, report: &mut Report) {
    let lump = file.lump(LumpId::GameLump);
    if lump.is_empty() {
        return;
    }
    let offset = u64::from(file.lump_offset(LumpId::GameLump));
    let props = GameLump::read_within(lump, offset, file.budget())
        .and_then(|lump| lump.static_props(file.version));
    take(report, &props, |report, props| match props {
        Some(props) => props.describe(report),
        None => StaticProps::default().describe(report),
    });
}

fn describe_pakfile(file: &BspFile, depth: Depth, report: &mut Report) {
    let lump = file.lump(LumpId::Pakfile);
    if lump.is_empty() {
        return;
    }
    let offset = u64::from(file.lump_offset(LumpId::Pakfile));
    let pakfile = Pakfile::read_within(lump, file.budget()).map_err(|mut error| {
        error.offset = error.offset.saturating_add(offset);
        error
    });
    take(report, &pakfile, |report, pakfile| {
        pakfile.describe(report);
        for row in &mut report.entries {
            row.offset = row.offset.saturating_add(offset);
        }
        let in_map = |finding: Finding| Finding {
            offset: finding.offset.map(|at| at.saturating_add(offset)),
            ..finding
        };
        let findings = pakfile.check().into_iter().map(in_map);
        report.findings.extend(findings);
        if depth == Depth::Contents {
            let Report {
                entries, findings, ..
            } = report;
            members::check_pakfile(pakfile, offset, entries, findings);
        }
    });
}
