//! What tools need to know of maps: how they are recognized, and what they place.

use std::collections::BTreeSet;
use std::path::Path;

use super::conversion::CONVERSIONS;
use super::outline::ScriptOutline;
use super::{Mob, Tolerance, node_id};
use crate::sec;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{Conversion, FileKind, Format, Match, Reference};
use ironlands_assets_core::report::Report;

/// How an object says that it has no texture.
const NO_TEXTURE: &str = "none";

/// What maps place, by the ids of the records.
const PLACED: [(&str, u32); 8] = [
    ("objects", node_id::OBJECT),
    ("units", node_id::UNIT),
    ("levers", node_id::LEVER),
    ("torches", node_id::TORCH),
    ("magic traps", node_id::MAGIC_TRAP),
    ("lights", node_id::LIGHT),
    ("sounds", node_id::SOUND),
    ("sources of particles", node_id::PARTICL),
];

impl Format for Mob {
    type Context = ();

    const NAME: &'static str = "mob";
    const EXTENSIONS: &'static [&'static str] = &["mob"];
    const KIND: FileKind = FileKind::Level;

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        // The magic number of a sector outweighs a name.
        let is_map = name.ends_with(".mob") && !head.starts_with(&sec::MAGIC);
        is_map.then_some(Match::Name)
    }

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        Self::read(data)
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Self::read_with(data, Tolerance::all())
    }

    ironlands_assets_core::inherent_methods!(write, check);

    /// What it places by kind, its script and its settings.
    fn describe(&self, report: &mut Report) {
        let role = match self.markers() {
            [true, false] => "base map",
            [false, true] => "quest map",
            [false, false] => "unmarked",
            [true, true] => "base map and quest map",
        };
        report.fact("role", role);
        for (name, id) in PLACED {
            let n = self.placed().filter(|node| node.id == id).count();
            report.fact(name, n);
        }
        if let Some(settings) = self.world_settings() {
            report.fact("time of day", settings.time);
            report.fact("ambient", settings.ambient);
            report.fact("sun light", settings.sun_light);
            report.fact("wind", settings.wind_strength);
        }
        if let Some(script) = self.script() {
            let outline = ScriptOutline::from_text(&script);
            report.fact("script lines", script.lines().count());
            report.fact("scripts", outline.bodies.len());
            report.fact("global variables", outline.globals.len());
        }
        if let Some(graph) = self.ai_graph() {
            let cells = format!("{} x {} cells", graph.width(), graph.height());
            report.fact("movement graph", cells);
        }
        report.fact("folders", self.folders().len());
        for range in self.id_ranges() {
            report.fact(
                "range of numbers",
                format!("{} to {}", range.min, range.max),
            );
        }
    }

    fn conversions() -> &'static [Conversion] {
        CONVERSIONS
    }

    /// Models and textures of the objects that it places.
    fn references(&self, _: &Path) -> Vec<Reference> {
        let mut references = BTreeSet::new();
        for object in self.objects() {
            let textures = [&object.primary_texture, &object.secondary_texture];
            let textures = textures.map(|name| (FileKind::Texture, &**name, ".mmp"));
            let model = (FileKind::Model, &*object.template, ".mod");
            for (kind, name, extension) in [model].into_iter().chain(textures) {
                if !name.is_empty() && !name.eq_ignore_ascii_case(NO_TEXTURE) {
                    references.insert(Reference::new(kind, format!("{name}{extension}")));
                }
            }
        }
        references.into_iter().collect()
    }
}
