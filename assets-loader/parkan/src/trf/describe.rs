//! A research tree in words, for `info`.

use super::{Item, ResearchTree, text_at};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

/// What items are, by kind.
const KINDS: [(u8, &str); 5] = [
    (8, "building"),
    (9, "chassis"),
    (10, "ammunition"),
    (11, "device"),
    (12, "weapon"),
];
/// What the bits of a state say.
const STATES: [(u8, &str); 3] = [(4, "in the tree"), (2, "researched"), (1, "available")];

/// Adds the numbers of everything, and each item with what it needs.
pub(super) fn describe(tree: &ResearchTree, report: &mut Report) {
    report.fact("items", tree.items.len());
    report.fact("parts", tree.parts.len());
    report.fact("prerequisites", tree.prerequisites.n_counted());
    for (bit, name) in STATES {
        let n = tree.states.iter().filter(|state| *state & bit != 0).count();
        report.fact("items by state", format!("{n} {name}"));
    }
    let needs = tree.prerequisites.iter().chain(std::iter::repeat(&[][..]));
    for ((idx, item), needs) in tree.items.iter().enumerate().zip(needs) {
        report.fact("item", format!("{idx}: {}", of_item(tree, item, needs)));
    }
}

fn of_item(tree: &ResearchTree, item: &Item, needs: &[u32]) -> String {
    let Item {
        research_costs: [research_energy, research_ore],
        build_costs: [build_energy, build_ore],
        kind,
        ..
    } = item;
    let kind = KINDS.iter().find(|(it, _)| it == kind);
    let kind = kind.map_or_else(|| format!("kind {}", item.kind), |(_, it)| (*it).to_owned());
    let name = name_of(tree, item);
    let needed = needs.iter().map(|idx| {
        let item = tree.items.get(*idx as usize);
        item.map_or_else(|| idx.to_string(), |item| name_of(tree, item))
    });
    let needed: Vec<String> = needed.collect();
    let needs = match needed.is_empty() {
        true => String::new(),
        false => format!(", needs {}", needed.join(" and ")),
    };
    format!(
        "{name}, {kind}, research {research_energy} energy {research_ore} ore, build {build_energy} energy {build_ore} \
         ore{needs}"
    )
}

fn name_of(tree: &ResearchTree, item: &Item) -> String {
    let name = text_at(&tree.names, item.name as usize);
    decode_cp1251(name.unwrap_or_default()).into_owned()
}
