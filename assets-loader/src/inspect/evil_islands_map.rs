//! Maps of Evil Islands, and the light of their regions.

use super::Report;
use crate::bytes::FormatError;
use crate::evil_islands::lights_config::{HOURS, LightsConfig, LightsSection};
use crate::evil_islands::mob::outline::ScriptOutline;
use crate::evil_islands::mob::{Mob, Tolerance, node_id};
use crate::inspect::files::checked_or_repaired;

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

/// A map: what it places by kind, its script and its settings.
pub(super) fn tell_mob(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let tolerant = || Mob::read_with(data, Tolerance::all());
    let (mob, findings) = checked_or_repaired(Mob::read(data), tolerant, Mob::check)?;
    let role = match mob.markers() {
        [true, false] => "base map",
        [false, true] => "quest map",
        [false, false] => "not told",
        [true, true] => "base map and quest map",
    };
    report.fact("role", role);
    for (name, id) in PLACED {
        let n = mob.placed().filter(|node| node.id == id).count();
        report.fact(name, n);
    }
    if let Some(settings) = mob.world_settings() {
        report.fact("time of day", settings.time);
        report.fact("ambient", settings.ambient);
        report.fact("sun light", settings.sun_light);
        report.fact("wind", settings.wind_strength);
    }
    if let Some(script) = mob.script() {
        let outline = ScriptOutline::of_text(&script);
        report.fact("script lines", script.lines().count());
        report.fact("scripts", outline.bodies.len());
        report.fact("global variables", outline.globals.len());
    }
    if let Some(graph) = mob.ai_graph() {
        let cells = format!("{} x {} cells", graph.width(), graph.height());
        report.fact("movement graph", cells);
    }
    report.fact("folders", mob.folders().len());
    for range in mob.id_ranges() {
        report.fact(
            "range of numbers",
            format!("{} to {}", range.min, range.max),
        );
    }
    report.findings.extend(findings);
    Ok(())
}

/// The light of a region.
pub(super) fn tell_lights(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let config = LightsConfig::read(data)?;
    for section in LightsSection::ALL {
        let n = (0..HOURS)
            .filter(|hour| config.color(section, *hour).is_some())
            .count();
        report.fact(section.name(), format!("{n} of {HOURS} hours"));
    }
    report.findings.extend(config.check());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Severity;
    use crate::evil_islands::mob::draft::{MapRole, MobDraft};
    use crate::evil_islands::mob::view::{IdRange, MapObject, MapSound};
    use crate::inspect::{Kind, inspect};

    fn report_on(name: &str, data: &[u8]) -> Report {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, data).unwrap();
        let mut inspection = inspect(&path).unwrap();
        assert_eq!(inspection.skipped.len(), 0);
        inspection.reports.remove(0)
    }

    fn fact<'a>(report: &'a Report, name: &str) -> Option<&'a str> {
        let fact = report.facts.iter().find(|(label, _)| *label == name);
        fact.map(|(_, value)| value.as_str())
    }

    fn map() -> Vec<u8> {
        let object = MapObject {
            nid: 5,
            ..MapObject::default()
        };
        let draft = MobDraft {
            script: "GlobalVars ( a : float )\nWorldScript\n(\n)".to_owned(),
            ranges: vec![IdRange { min: 1, max: 9 }],
            objects: vec![object],
            sounds: vec![MapSound::default(); 2],
            ..MobDraft::new(MapRole::Quest)
        };
        draft.build().unwrap().write().unwrap()
    }

    #[test]
    fn maps_are_told_by_what_they_place() {
        let report = report_on("Zone1.MOB", &map());
        assert_eq!((report.kind, report.worst()), (Kind::Mob, None));
        let rows = [
            ("role", "quest map"),
            ("objects", "1"),
            ("units", "0"),
            ("sounds", "2"),
            ("script lines", "4"),
            ("global variables", "1"),
            ("range of numbers", "1 to 9"),
        ];
        for (name, value) in rows {
            assert_eq!(fact(&report, name), Some(value), "{name}");
        }
    }

    #[test]
    fn a_damaged_map_has_facts_and_repairs() {
        let mut data = map();
        data.extend([1, 2, 3]);
        let report = report_on("zone.mob", &data);
        assert_eq!(fact(&report, "objects"), Some("1"));
        assert_eq!(report.worst(), Some(Severity::Error));
        let none = report_on("zone.mob", b"");
        assert_eq!(none.findings[0].format, "mob");
    }

    #[test]
    fn the_light_of_a_region_is_known_by_its_name() {
        let report = report_on("LightsGipat.ini", b"[sky]\r\ntime00=1,2,3\r\n");
        assert_eq!(report.kind, Kind::LightsConfig);
        assert_eq!(fact(&report, "sky"), Some("1 of 24 hours"));
        assert_eq!(report.worst(), Some(Severity::Warning));
    }
}
