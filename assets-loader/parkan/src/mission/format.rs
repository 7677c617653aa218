//! What tools need to know of missions.

use std::path::Path;

use super::{FORMAT, Mission, Object, ObjectKind};
use crate::game_files;
use crate::json;
use crate::placement::{MISSIONS, Placements};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{
    Conversion, Fidelity, FileKind, Format, Input, Match, Reference, inherent_methods,
};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// Missions are known by this ending: their first bytes are too common to identify them.
const ENDING: &str = ".tma";

impl Format for Mission {
    type Context = ();

    const NAME: &'static str = "mission";
    const EXTENSIONS: &'static [&'static str] = &["tma"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(ENDING).then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("land", decode_cp1251(&self.land_base));
        report.fact("paths", self.paths.len());
        let clans: Vec<_> = self
            .clans
            .iter()
            .map(|clan| decode_cp1251(&clan.name))
            .collect();
        report.fact("clans", clans.join(", "));
        report.fact("objects", self.objects.len());
        let n_of_kind = |kind: ObjectKind| {
            let is_of_kind = |object: &&Object| object.kind() == Some(kind);
            self.objects.iter().filter(is_of_kind).count()
        };
        report.fact("buildings", n_of_kind(ObjectKind::Building));
        report.fact("warbots", n_of_kind(ObjectKind::Warbot));
        report.fact("environment", n_of_kind(ObjectKind::Environment));
        report.fact("stones", n_of_kind(ObjectKind::Stone));
        report.fact("extras", self.extras.len());
    }

    /// Whether the game has what the objects are put together from.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        let resources = mission_resources(input.path, self);
        report.findings.extend(resources);
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }

    fn references(&self, _: &Path) -> Vec<Reference> {
        let base = decode_cp1251(&self.land_base).replace('\\', "/");
        // The path begins at the game's root, whatever that is called.
        let level = base.split_once('/').map_or(&*base, |(_, rest)| rest);
        let land = Reference::new(FileKind::Level, format!("{level}.msh"));
        let resource = |object: &Object| {
            let name = decode_cp1251(&object.resource);
            Reference::new(FileKind::Model, name)
        };
        let objects = self.objects.iter().map(resource);
        [land].into_iter().chain(objects).collect()
    }
}

/// What the game lacks of what the mission's objects are put together from. The original does not load a mission
/// that lacks any of it (dossier section 9.6).
fn mission_resources(path: &Path, mission: &Mission) -> Vec<Finding> {
    let root = match game_above(path) {
        Ok(Some(root)) => root,
        Ok(None) => {
            let message = "no game root above it: what its objects are is not checked";
            return vec![Finding::new(Severity::Note, FORMAT, message)];
        }
        Err(error) => {
            let message = error.to_string();
            return vec![Finding::new(Severity::Error, FORMAT, message)];
        }
    };
    let findings = Placements::from_mission(mission, &root)
        .findings
        .into_iter();
    let strict = findings.map(|finding| match finding.severity {
        Severity::Warning | Severity::Error => Finding {
            severity: Severity::Error,
            ..finding
        },
        Severity::Note => finding,
    });
    strict.collect()
}

/// The game that a mission belongs to: its root lies above the folder of missions, however deep the mission lies
/// below that; `None` if there is no root.
fn game_above(mission: &Path) -> Result<Option<Vfs>, VfsError> {
    let mission = mission
        .canonicalize()
        .unwrap_or_else(|_| mission.to_owned());
    let missions = mission.ancestors().find(|folder| {
        let name = folder.file_name();
        name.is_some_and(|name| name.eq_ignore_ascii_case(MISSIONS))
    });
    let game = game_files::of_level(missions.unwrap_or(&mission))?;
    let has_root = game.layers().len() > 1;
    Ok(has_root.then_some(game))
}
