//! What is wrong with a map, or worth knowing.
//!
//! Document: Evil Islands dossier, sections 11.1, 11.3, 11.7 and 11.10.

use std::collections::{BTreeMap, BTreeSet};

use super::edit::node_name;
use super::node_id::{
    AIGRAPH, DIPLOMATION_PL_NAMES, LIGHT_COLOR, NID, OBJ_PARENT_ID, OBJ_PLAYER, OBJECTDBFILE,
    OBJECTSECTION, OBJPOSITION, OBJROTATION, OBJTEMPLATE, OBJTYPE, PARTICL_TYPE, SS_TEXT,
    SS_TEXT_OLD, UNIT_LOGIC_AGRESSION_MODE, UNIT_LOGIC_MODEL, WORLD_SET,
};
use super::outline::ScriptOutline;
use super::unit_stats::StatValue;
use super::value::PLAYERS;
use super::view::{MapObject, ObjectKind, View, particle_type_name};
use super::{FORMAT, Mob, Node, Value, codec};
use crate::ai_graph::CELLS_PER_SECTOR;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// How far the length of a rotation may be from 1.
const ROTATION_TOLERANCE: f32 = 1e-3;
/// Behaviors that the editor gives each unit.
const LOGICS_PER_UNIT: usize = 5;

/// A node and where it stands.
struct Found<'a> {
    node: &'a Node,
    offset: Option<u64>,
}

impl Found<'_> {
    fn report(&self, what: &str) -> (Option<u64>, String) {
        (self.offset, format!("{} {what}", self.node.name()))
    }
}

pub(super) fn check(mob: &Mob) -> Vec<Finding> {
    let mut findings = Findings::new(FORMAT);
    let offsets = match codec::offsets(mob) {
        Ok(offsets) => offsets,
        Err(error) => {
            let broken = [(
                Some(error.offset),
                format!("the map cannot be written: {error}"),
            )];
            findings.rule(Severity::Error, broken);
            Vec::new()
        }
    };
    let nodes = preorder(mob, &offsets);
    check_shape(mob, &nodes, &mut findings);
    check_values(&nodes, &mut findings);
    check_numbering(mob, &nodes, &mut findings);
    check_objects(&nodes, &mut findings);
    check_tables(mob, &nodes, &mut findings);
    if let Some(script) = mob.script() {
        // A line is within the text, which may be encrypted: the place in the file is that of the section.
        let [section, older] =
            [SS_TEXT, SS_TEXT_OLD].map(|id| nodes.iter().find(|it| it.node.id == id));
        let offset = section.or(older).and_then(|it| it.offset);
        let of_script = ScriptOutline::from_text(&script).check().into_iter();
        findings.extend(of_script.map(|finding| Finding { offset, ..finding }));
    }
    findings.into_list()
}

/// All nodes, each before its children. Without recursion, for a tree that a caller made may be of any depth.
fn preorder<'a>(mob: &'a Mob, offsets: &[u64]) -> Vec<Found<'a>> {
    let mut found = Vec::new();
    let mut offsets = offsets.iter().copied();
    let mut waiting: Vec<&Node> = mob.roots.iter().rev().collect();
    while let Some(node) = waiting.pop() {
        let offset = offsets.next();
        found.push(Found { node, offset });
        waiting.extend(node.children().iter().rev());
    }
    found
}

/// Sections, markers, and what is no node.
fn check_shape(mob: &Mob, nodes: &[Found<'_>], findings: &mut Findings) {
    let mut rule = |severity, is_broken: bool, message: &str| {
        findings.rule(severity, is_broken.then(|| (None, message.to_owned())));
    };
    let n_roots = mob
        .roots
        .iter()
        .filter(|node| node.id == OBJECTDBFILE)
        .count();
    rule(Severity::Error, n_roots == 0, "there is no OBJECTDBFILE");
    rule(
        Severity::Warning,
        n_roots > 1,
        "there is more than one OBJECTDBFILE",
    );
    let has_objects = mob.sections(OBJECTSECTION).next().is_some();
    rule(Severity::Warning, !has_objects, "there is no OBJECTSECTION");
    let [is_base, is_quest] = mob.markers();
    rule(
        Severity::Warning,
        !is_base && !is_quest,
        "nothing marks the map as a base map or a quest map",
    );
    rule(
        Severity::Warning,
        is_base && is_quest,
        "the map is marked as a base map and as a quest map",
    );
    let has_settings = mob.sections(WORLD_SET).next().is_some();
    rule(
        Severity::Note,
        is_base && !has_settings,
        "a base map without settings of the world",
    );
    rule(
        Severity::Note,
        is_quest && has_settings,
        "a quest map with settings of the world, which base maps have",
    );
    rule(
        Severity::Warning,
        !mob.trailing.is_empty(),
        "bytes after the last node are none",
    );
    let n_graphs = nodes.iter().filter(|it| it.node.id == AIGRAPH).count();
    rule(
        Severity::Warning,
        n_graphs > 1,
        "there is more than one movement graph",
    );

    let unknown = nodes.iter().filter(|it| it.node.kind().is_none());
    findings.rule(Severity::Note, unknown.map(|it| it.report("is not known")));
    let is_raw = |it: &&Found<'_>| {
        matches!(it.node.value, Value::Raw(_))
            && it
                .node
                .kind()
                .is_some_and(|kind| kind.value_type != super::ValueType::Raw)
    };
    let raw = nodes.iter().filter(is_raw);
    findings.rule(
        Severity::Error,
        raw.map(|it| it.report("is not of the size that its type takes")),
    );
    let odd = |it: &&Found<'_>| it.node.odd.is_some();
    findings.rule(
        Severity::Error,
        nodes
            .iter()
            .filter(odd)
            .map(|it| it.report("does not fit what is around it")),
    );
}

/// Numbers, rotations, and values out of their lists.
fn check_values(nodes: &[Found<'_>], findings: &mut Findings) {
    let not_finite = nodes
        .iter()
        .filter(|it| !floats(&it.node.value).all(f32::is_finite));
    findings.rule(
        Severity::Error,
        not_finite.map(|it| it.report("holds what is no finite number")),
    );
    let turned = nodes.iter().filter_map(|it| {
        let rotation = it
            .node
            .value
            .as_quaternion()
            .filter(|_| it.node.id == OBJROTATION)?;
        let length = rotation.iter().map(|v| v * v).sum::<f32>().sqrt();
        // What is not finite has been reported.
        let is_off = length.is_finite() && (length - 1.0).abs() > ROTATION_TOLERANCE;
        is_off.then(|| it.report(&format!("is of length {length}, not 1")))
    });
    findings.rule(Severity::Warning, turned);
    let beyond = |id: u32, limit: u32| {
        nodes.iter().filter_map(move |it| {
            let number = it
                .node
                .value
                .as_dword()
                .or(it.node.value.as_byte().map(u32::from));
            let number = number.filter(|number| it.node.id == id && *number > limit)?;
            Some(it.report(&format!("is {number}, beyond {limit}")))
        })
    };
    let last_player = u32::try_from(PLAYERS).unwrap_or_default().saturating_sub(1);
    for (id, limit) in [
        (UNIT_LOGIC_MODEL, 5),
        (UNIT_LOGIC_AGRESSION_MODE, 3),
        (OBJ_PLAYER, last_player),
    ] {
        findings.rule(Severity::Warning, beyond(id, limit));
    }
    let of_id = |id: u32| nodes.iter().filter(move |it| it.node.id == id);
    let unnamed = of_id(PARTICL_TYPE).filter_map(|it| {
        let number = it
            .node
            .value
            .as_dword()
            .filter(|number| particle_type_name(*number).is_none())?;
        Some(it.report(&format!("{number} has no name")))
    });
    findings.rule(Severity::Note, unnamed);
    let unknown = of_id(OBJTYPE).filter_map(|it| {
        let number = it.node.value.as_dword()?;
        let is_known = [50, 51, 52, 54, 58, 59, 60].contains(&number);
        (!is_known).then(|| it.report(&format!("{number} is not known")))
    });
    findings.rule(Severity::Note, unknown);
    let bright = of_id(LIGHT_COLOR).filter(|it| {
        let color = it.node.value.as_plot().unwrap_or_default();
        color.iter().any(|part| *part < 0.0 || *part > 1.0)
    });
    findings.rule(
        Severity::Note,
        bright.map(|it| it.report("is not within 0 to 1")),
    );
    let strange = nodes.iter().filter(|it| match &it.node.value {
        Value::StringArray(items) => items.iter().any(|item| item.id != it.node.id),
        _ => false,
    });
    findings.rule(
        Severity::Note,
        strange.map(|it| it.report("has strings of other ids than its own")),
    );
}

/// All floats of a value.
fn floats(value: &Value) -> Box<dyn Iterator<Item = f32> + '_> {
    match value {
        Value::Float(number) => Box::new([*number].into_iter()),
        Value::Plot(numbers) => Box::new(numbers.iter().copied()),
        Value::Quaternion(numbers) => Box::new(numbers.iter().copied()),
        Value::AreaArray(areas) => Box::new(areas.iter().flat_map(|area| {
            let [x, y] = area.center;
            [x, y, area.radius]
        })),
        Value::PointArray(points) => Box::new(points.as_flattened().iter().copied()),
        Value::UnitStats(stats) => {
            Box::new(
                stats
                    .fields()
                    .into_iter()
                    .filter_map(|(_, value)| match value {
                        StatValue::Float(number) => Some(number),
                        StatValue::Whole(_) => None,
                    }),
            )
        }
        _ => Box::new(std::iter::empty()),
    }
}

/// Numbers of objects: unique, in a range, and those that parents name.
fn check_numbering(mob: &Mob, nodes: &[Found<'_>], findings: &mut Findings) {
    let mut n_with = BTreeMap::<u32, usize>::new();
    let numbered = nodes.iter().filter(|it| it.node.id == NID);
    let numbered: Vec<(u32, &Found<'_>)> = numbered
        .filter_map(|it| Some((it.node.value.as_dword()?, it)))
        .collect();
    for (nid, _) in &numbered {
        let n = n_with.entry(*nid).or_default();
        *n = n.saturating_add(1);
    }
    let again = numbered
        .iter()
        .filter(|(nid, _)| n_with.get(nid).is_some_and(|n| *n > 1));
    findings.rule(
        Severity::Error,
        again.map(|(nid, it)| {
            it.report(&format!(
                "{nid} is given more than once, which the game does not survive"
            ))
        }),
    );

    let ranges = mob.id_ranges();
    let empty = ranges.iter().filter(|range| range.min > range.max);
    findings.rule(
        Severity::Warning,
        empty.map(|range| {
            (
                None,
                format!(
                    "a range from {} to {} holds no number",
                    range.min, range.max
                ),
            )
        }),
    );
    if ranges.is_empty() {
        if !numbered.is_empty() {
            findings.rule(
                Severity::Warning,
                [(
                    None,
                    "there is no range for the numbers of objects".to_owned(),
                )],
            );
        }
    } else {
        let merged = merged(ranges.iter().map(|range| (range.min, range.max)).collect());
        let outside = numbered.iter().filter(|(nid, _)| {
            let before = merged.partition_point(|(min, _)| min <= nid);
            let range = before.checked_sub(1).and_then(|idx| merged.get(idx));
            range.is_none_or(|(_, max)| nid > max)
        });
        findings.rule(
            Severity::Warning,
            outside.map(|(nid, it)| it.report(&format!("{nid} lies in no range"))),
        );
    }
    let orphans = nodes.iter().filter_map(|it| {
        let parent = it
            .node
            .value
            .as_dword()
            .filter(|id| it.node.id == OBJ_PARENT_ID && *id != u32::MAX)?;
        (!n_with.contains_key(&parent))
            .then(|| it.report(&format!("{parent} is the number of no object")))
    });
    findings.rule(Severity::Note, orphans);
}

/// Ranges in order, without those that lie in others.
fn merged(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.retain(|(min, max)| min <= max);
    ranges.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (min, max) in ranges {
        match merged.last_mut() {
            Some((_, last)) if min <= *last => *last = max.max(*last),
            _ => merged.push((min, max)),
        }
    }
    merged
}

/// What each object should have.
fn check_objects(nodes: &[Found<'_>], findings: &mut Findings) {
    let objects = nodes
        .iter()
        .filter_map(|it| Some((it, MapObject::from_node(it.node)?)));
    let objects: Vec<(&Found<'_>, MapObject)> = objects.collect();
    for id in [NID, OBJPOSITION, OBJTEMPLATE] {
        let lacking = objects.iter().filter(|(it, _)| it.node.child(id).is_none());
        let what = format!("has no {}", node_name(id));
        findings.rule(Severity::Warning, lacking.map(|(it, _)| it.report(&what)));
    }
    let few = objects
        .iter()
        .filter_map(|(it, object)| match &object.kind {
            ObjectKind::Unit(unit) if unit.logics.len() != LOGICS_PER_UNIT => Some(it.report(
                &format!("has {} behaviors, not {LOGICS_PER_UNIT}", unit.logics.len()),
            )),
            _ => None,
        });
    findings.rule(Severity::Note, few);
    let states = objects
        .iter()
        .filter_map(|(it, object)| match &object.kind {
            ObjectKind::Lever(lever) if lever.current_state >= lever.total_states => {
                Some(it.report(&format!(
                    "is in state {} of {}",
                    lever.current_state, lever.total_states
                )))
            }
            _ => None,
        });
    findings.rule(Severity::Warning, states);
    let radii = objects.iter().filter(|(_, object)| match &object.kind {
        ObjectKind::MagicTrap(trap) => trap.areas.iter().any(|area| area.radius <= 0.0),
        _ => false,
    });
    findings.rule(
        Severity::Warning,
        radii.map(|(it, _)| it.report("has an area without a radius")),
    );
}

/// Relations, names of players and the movement graph.
fn check_tables(mob: &Mob, nodes: &[Found<'_>], findings: &mut Findings) {
    let names = nodes.iter().filter(|it| it.node.id == DIPLOMATION_PL_NAMES);
    let wrong = names.filter_map(|it| match &it.node.value {
        Value::StringArray(items) if items.len() != PLAYERS => {
            Some(it.report(&format!("names {} players, not {PLAYERS}", items.len())))
        }
        _ => None,
    });
    findings.rule(Severity::Warning, wrong);
    let sides = mob
        .ai_graph()
        .map(|graph| BTreeSet::from([graph.width(), graph.height()]));
    let is_partial = sides
        .iter()
        .flatten()
        .any(|side| side.checked_rem(CELLS_PER_SECTOR) != Some(0));
    let message = format!("the movement graph is no whole sectors of {CELLS_PER_SECTOR} cells");
    findings.rule(Severity::Warning, is_partial.then_some((None, message)));
}
