//! Control data in words, for `info`.

use super::{Action, ChannelRecord, Component, Ctld, State};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

/// What devices are, by class from 1 on; empty where no document says.
const CLASSES: [&str; 30] = [
    "turret",
    "gun",
    "wheel",
    "camera",
    "engine",
    "",
    "",
    "radar",
    "fight shield",
    "detection shield",
    "elevator",
    "door",
    "computer",
    "",
    "repair",
    "",
    "seeker",
    "",
    "battery",
    "",
    "deflector",
    "",
    "",
    "arm",
    "",
    "building efficiency",
    "armor",
    "",
    "",
    "builder's beam",
];

/// When the game calls hooks; empty for those that it does not.
const HOOKS: [&str; super::N_HOOKS] = [
    "on load",
    "",
    "when hit",
    "at the map's edge",
    "at the end of its range",
    "",
    "when it becomes critical",
    "when it recovers",
    "",
    "on message 12",
    "on snow",
    "on stone",
    "on grass",
    "on class 3",
    "on ice",
    "on metal",
    "on leaves",
    "on water",
    "on a teleport",
    "on an animal",
    "on a shield",
];

/// What actions do; empty where no document says.
const ACTIONS: [&str; 0x30] = [
    "stop the body",
    "mark as central (0x200)",
    "mark as central (0x201)",
    "effect on a node",
    "effect on control points",
    "effect on the construction sphere",
    "",
    "kill a node",
    "delete an effect",
    "load an item's resource",
    "start an effect",
    "restart an effect at its end",
    "push the body",
    "push the body",
    "time of an effect by a node",
    "remove the object",
    "",
    "kill the object",
    "effect on",
    "effect off",
    "place the building",
    "kill units in its sphere",
    "spawn an object",
    "act on an item",
    "set an item's flag",
    "clear an item's flag",
    "",
    "explode a node",
    "",
    "query the ceiling",
    "act on an item",
    "set the transform",
    "",
    "",
    "",
    "distribute damage",
    "",
    "",
    "",
    "",
    "queue the path to a state",
    "queue the path to a state",
    "set a network flag",
    "clear a network flag",
    "",
    "",
    "",
    "network mode",
];

/// Adds how it moves, its states, channels, devices, and what happens when.
pub(super) fn describe(control: &Ctld, report: &mut Report) {
    let parameters = &control.parameters;
    report.fact("top speed, units per second", axes(parameters.top_speed));
    report.fact("turn rate, radians per second", axes(parameters.turn_rate));
    report.fact("steepest slope, radians", parameters.slope_rad);
    for (idx, state) in control.states.iter().enumerate() {
        report.fact("state", format!("{idx}: {}", of_state(state)));
    }
    for (idx, channel) in control.channels.iter().enumerate() {
        report.fact("channel", format!("{idx}: {}", of_channel(channel)));
    }
    for (idx, component) in control.components.iter().enumerate() {
        report.fact("component", format!("{idx}: {}", of_component(component)));
    }
    for (name, group) in HOOKS.iter().zip(control.hooks) {
        if group >= 0 {
            let name = if name.is_empty() { "never" } else { name };
            report.fact("hook", format!("{name}: group {group}"));
        }
    }
    for (idx, actions) in control.groups.iter().enumerate() {
        for action in actions {
            report.fact("action", format!("group {idx}: {}", of_action(action)));
        }
    }
}

fn axes([x, y, z]: [f32; 3]) -> String {
    format!("{x} {y} {z}")
}

fn of_state(state: &State) -> String {
    let record = &state.record;
    let [first, last, second_first, second_last] = record.frame_words.map(f32::from_bits);
    let anchor = match record.flags & 1 {
        0 => "",
        _ => ", an anchor",
    };
    let contacts: Vec<String> = (state.contacts.iter())
        .map(|contact| contact.point.to_string())
        .collect();
    let contacts = match contacts.is_empty() {
        true => String::new(),
        false => format!(", on the points {}", contacts.join(" ")),
    };
    format!("frames {first} to {last} and {second_first} to {second_last}{anchor}{contacts}")
}

fn of_channel(channel: &ChannelRecord) -> String {
    let ChannelRecord {
        node,
        frames: [first, last],
        initial,
        rate,
        ..
    } = channel;
    format!("node {node}, frames {first} to {last}, at first {initial}, {rate} per second")
}

fn of_component(component: &Component) -> String {
    let record = &component.record;
    let class = usize::try_from(record.class).ok();
    let name = class.and_then(|it| CLASSES.get(it.checked_sub(1)?));
    let name = match name.filter(|name| !name.is_empty()) {
        Some(name) => (*name).to_owned(),
        None => format!("class {}", record.class),
    };
    let emits = decode_cp1251(record.emits.resource());
    let emits = match &*emits {
        "" => String::new(),
        emits => format!(", sends out {emits}"),
    };
    let (node, mass, power) = (record.node, record.mass_kg, record.power);
    format!("{name} on node {node}, {mass} kg, power {power}{emits}")
}

fn of_action(action: &Action) -> String {
    let known = usize::try_from(action.action).ok();
    let name = known.and_then(|it| ACTIONS.get(it));
    let name = match name.filter(|name| !name.is_empty()) {
        Some(name) => (*name).to_owned(),
        None => format!("action {}", action.action),
    };
    let values = action.values.map(|value| value.to_string()).join(" ");
    let resource = decode_cp1251(action.resource.resource());
    let resource = match &*resource {
        "" => String::new(),
        resource => format!(", {resource}"),
    };
    let condition = match action.condition_mask {
        0 => String::new(),
        mask => format!(", if {mask:#x}"),
    };
    format!("{name} ({values}){resource}{condition}")
}
