//! What is unusual or contradictory in a mission, though readable.

use std::collections::BTreeSet;

use super::{
    CLAN_VERSION, Clan, ClanType, FORMAT, KNOWN_FLAGS, Mission, NO_CLAN, OBJECT_VERSION, Object,
    Property, SCHEMA,
};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::{Findings, shown};

impl Mission {
    /// Values that no known file has, and references that lead nowhere.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        self.check_head(&mut findings);
        self.check_clans(&mut findings);
        self.check_objects(&mut findings);
        self.check_properties(&mut findings);
        self.check_positions(&mut findings);
        findings.into_list()
    }

    fn check_head(&self, findings: &mut Findings) {
        let mut find = |severity, broken: Option<String>| {
            findings.rule(severity, broken.map(|message| (None, message)));
        };
        let version = self.clan_version;
        let message = format!("clan version {version} is none of 1 to {CLAN_VERSION}");
        let is_known = (1..=CLAN_VERSION).contains(&version);
        find(Severity::Warning, (!is_known).then_some(message));
        let version = self.object_version;
        let message = format!("object version {version} is none of 1 to {OBJECT_VERSION}");
        let is_known = (1..=OBJECT_VERSION).contains(&version);
        find(Severity::Warning, (!is_known).then_some(message));
        let message = format!(
            "the word before the extras is {}, not 1",
            self.extras_schema
        );
        let is_known = self.extras_schema == SCHEMA;
        find(Severity::Note, (!is_known).then_some(message));
        let land = shown(&self.land_base);
        let message = format!("the land base path \"{land}\" names no folder");
        find(
            Severity::Warning,
            self.land_folder().is_none().then_some(message),
        );
        let mut ids = BTreeSet::new();
        let repeated = self.paths.iter().filter(|path| !ids.insert(path.id));
        findings.rule_of(Severity::Warning, repeated, |path| {
            (None, format!("path id {} is there more than once", path.id))
        });
    }

    fn check_clans(&self, findings: &mut Findings) {
        let clans = || self.clans.iter().enumerate();
        let about = |(idx, clan): (usize, &Clan)| format!("clan {idx} \"{}\"", shown(&clan.name));
        let unknown = clans().filter(|(_, clan)| clan.clan_type().is_none());
        let message =
            |at: (usize, &Clan)| format!("{}: unknown type {}", about(at), at.1.type_word);
        findings.rule_of(Severity::Warning, unknown, |at| (None, message(at)));
        // Another reading of the clans' layout agrees with this one only as long as this holds.
        let grouped = clans().filter(|(_, clan)| {
            clan.clan_type() != Some(ClanType::Environment) && !clan.groups.is_empty()
        });
        let message = |at: (usize, &Clan)| {
            let n_groups = at.1.groups.len();
            format!(
                "{}: {n_groups} groups, only the environment has any",
                about(at)
            )
        };
        findings.rule_of(Severity::Warning, grouped, |at| (None, message(at)));
        let odd_groups = clans().filter(|(_, clan)| clan.groups.iter().any(|g| g.len() != 1));
        let message = |at| format!("{}: a group that does not hold one item", about(at));
        findings.rule_of(Severity::Note, odd_groups, |at| (None, message(at)));
        let names: BTreeSet<_> = self.clans.iter().map(|clan| folded(&clan.name)).collect();
        let strangers = clans().flat_map(|(idx, clan)| {
            let relations = clan.relations.iter();
            let strangers = relations.filter(|to| !names.contains(&folded(&to.clan)));
            strangers.map(move |to| ((idx, clan), to))
        });
        findings.rule_of(Severity::Warning, strangers, |(at, to)| {
            let stranger = shown(&to.clan);
            (None, format!("{}: no clan \"{stranger}\"", about(at)))
        });
    }

    fn check_objects(&self, findings: &mut Findings) {
        let objects = || self.objects.iter().enumerate();
        let unknown = objects().filter(|(_, object)| object.kind().is_none());
        let message =
            |at: (usize, &Object)| format!("{}: unknown kind {}", about(at), at.1.kind_word);
        findings.rule_of(Severity::Warning, unknown, |at| (None, message(at)));
        let flagged = objects().filter(|(_, object)| object.flags != KNOWN_FLAGS);
        let message = |at: (usize, &Object)| format!("{}: flags {:#x}", about(at), at.1.flags);
        findings.rule_of(Severity::Note, flagged, |at| (None, message(at)));
        let unnamed = objects().filter(|(_, object)| object.resource.is_empty());
        let message = |at| format!("{}: no resource", about(at));
        findings.rule_of(Severity::Warning, unnamed, |at| (None, message(at)));
        let n_clans = self.clans.len();
        let has_clan = |object: &Object| match usize::try_from(object.clan_idx) {
            Ok(clan) => clan < n_clans,
            Err(_) => object.clan_idx == NO_CLAN,
        };
        let orphaned = objects().filter(|(_, object)| !has_clan(object));
        let message =
            |at: (usize, &Object)| format!("{}: clan {} of {n_clans}", about(at), at.1.clan_idx);
        findings.rule_of(Severity::Warning, orphaned, |at| (None, message(at)));
        let other_schema = objects().filter(|(_, object)| object.property_schema != SCHEMA);
        let message = |at: (usize, &Object)| {
            let schema = at.1.property_schema;
            format!("{}: property schema {schema}, not 1", about(at))
        };
        findings.rule_of(Severity::Note, other_schema, |at| (None, message(at)));
    }

    fn check_properties(&self, findings: &mut Findings) {
        let of_unknown_type = self.objects.iter().enumerate().flat_map(|at| {
            let properties = at.1.properties.iter();
            let unknown = properties.filter(|property| property.property_type().is_none());
            unknown.map(move |property| (at, property))
        });
        findings.rule_of(
            Severity::Warning,
            of_unknown_type,
            |(at, property): (_, &Property)| {
                let name = shown(&property.name);
                let type_word = property.type_word;
                let message = format!("{}: property \"{name}\" of type {type_word}", about(at));
                (None, message)
            },
        );
    }

    fn check_positions(&self, findings: &mut Findings) {
        // What cannot be written has no places.
        let written = self.write_with_offsets();
        let offsets = written.map(|(_, offsets)| offsets).unwrap_or_default();
        let objects = self.objects.iter().enumerate();
        let objects = objects.filter(|(_, object)| !is_placed(object));
        findings.rule_of(Severity::Error, objects, |at| {
            let message = format!("{}: stands nowhere, a number is not finite", about(at));
            (offsets.objects.get(at.0).copied(), message)
        });
        let clans = self.clans.iter().enumerate();
        let clans = clans.filter(|(_, clan)| !are_finite(&clan.position));
        findings.rule_of(Severity::Error, clans, |(idx, _)| {
            let message = format!("clan {idx}: its position is not finite");
            (offsets.clans.get(idx).copied(), message)
        });
        let paths = self.paths.iter().enumerate();
        let paths = paths.filter(|(_, path)| !are_finite(path.points.as_flattened()));
        findings.rule_of(Severity::Error, paths, |(idx, path)| {
            let message = format!("path {}: a point is not finite", path.id);
            (offsets.paths.get(idx).copied(), message)
        });
        let extras = self.extras.iter().enumerate();
        let extras = extras.filter(|(_, extra)| !are_finite(&extra.position));
        findings.rule_of(Severity::Error, extras, |(idx, _)| {
            let message = format!("extra {idx}: its position is not finite");
            (offsets.extras.get(idx).copied(), message)
        });
    }
}

fn about((idx, object): (usize, &Object)) -> String {
    let resource = shown(&object.resource);
    format!("object {idx} \"{resource}\"")
}

fn is_placed(object: &Object) -> bool {
    let Object {
        position,
        orientation,
        scale,
        ..
    } = object;
    are_finite([*position, *orientation, *scale].as_flattened())
}

fn are_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

/// A name as the original compares it.
fn folded(name: &[u8]) -> Vec<u8> {
    name.to_ascii_lowercase()
}
