//! Entities that notice, count, choose and switch, by their classes.

use glam::DVec3;
use ironlands_assets_source::entities::Entity;
use ironlands_assets_source::level_scene::{
    AREA_PORTAL, CONTROLLER, CONTROLS, CORRECTION, EMITTERS, OCCLUDER, PARTICLE_SYSTEM, SOUNDSCAPE,
    SPEAKER, full_weight, starts_active, starts_on, starts_open,
};
use ironlands_sim_entities::{
    AutoStart, Branch, Breakable, Case, Compare, Connection, Counter, Effect, Fader, Gate, Kind,
    Relay, Settings, Switch, SwitchedLight, Timer, Trigger, TriggerEffect,
};

use super::keys::{direction, has_flag, is_set, number, number_or};
use super::{Names, speakers};

/// Outputs of `logic_auto` that fire when a level begins, in the order of the game.
const AUTO_OUTPUTS: [&str; 2] = ["OnMapSpawn", "OnNewGame"];
/// Seconds after which they do.
const AUTO_SECS: f64 = 0.2;
/// Values that a `logic_case` has at most.
const N_CASES: usize = 16;
/// Styles from here on are switches.
const FIRST_SWITCH: f64 = 32.0;

/// Inputs of portals between areas, of soundscapes and of occluders.
const PORTAL_INPUTS: [&str; 3] = ["Open", "Close", "Toggle"];
const SCAPE_INPUTS: [&str; 3] = ["Enable", "Disable", "ToggleEnabled"];
const OCCLUDER_INPUTS: [&str; 3] = ["Activate", "Deactivate", "Toggle"];

/// Bits of `spawnflags` of triggers: what they notice.
const NOTICES_PLAYERS: u32 = 1;
const NOTICES_EVERYTHING: u32 = 64;
/// Bits of `spawnflags` of relays.
const RELAY_ONCE: u32 = 1;
const RELAY_REFIRES: u32 = 2;

/// What a class does; `None` for other classes.
pub(super) fn kind(
    entity: &Entity,
    class: &str,
    connections: &[Connection],
    names: &Names,
) -> Option<Kind> {
    let is_enabled = !is_set(entity, "StartDisabled");
    Some(match class {
        "logic_relay" => Kind::Relay(relay(entity, connections)),
        "math_counter" => Kind::Counter(counter(entity)),
        "logic_timer" => Kind::Timer(timer(entity)),
        "logic_branch" => Kind::Branch(Branch {
            value: is_set(entity, "InitialValue"),
        }),
        "logic_case" => Kind::Case(case(entity, connections)),
        "logic_compare" => Kind::Compare(Compare {
            value: number(entity, "InitialValue"),
            with: number(entity, "CompareValue"),
        }),
        "logic_auto" => {
            let outputs = AUTO_OUTPUTS.map(str::to_owned);
            Kind::Auto(AutoStart::new(AUTO_SECS, outputs.into()))
        }
        "light" | "light_spot" | "light_dynamic" => light(entity)?,
        "func_breakable" | "func_breakable_surf" | "func_physbox" => Kind::Breakable(Breakable {
            health: number(entity, "health"),
        }),
        _ if class.starts_with(SOUNDSCAPE) => Kind::Gate(Gate::new(is_enabled, &SCAPE_INPUTS)),
        SPEAKER => Kind::Speaker(speakers::speaker(entity)),
        CONTROLLER => Kind::Settings(Settings::new(&CONTROLS)),
        "func_brush" => Kind::Switch(brush(entity, is_enabled)),
        "func_wall_toggle" => Kind::Switch(Switch {
            is_solid_when_on: true,
            ..Switch::new(!has_flag(entity, 1))
        }),
        "func_illusionary" => Kind::Switch(Switch::new(true)),
        AREA_PORTAL => Kind::Gate(Gate::new(starts_open(entity), &PORTAL_INPUTS)),
        OCCLUDER => Kind::Gate(Gate::new(starts_active(entity), &OCCLUDER_INPUTS)),
        PARTICLE_SYSTEM => Kind::Effect(Effect::new(starts_on(entity))),
        _ if EMITTERS.contains(&class) => Kind::Switch(Switch::new(starts_on(entity))),
        "prop_dynamic" | "prop_dynamic_override" => Kind::Switch(Switch::new(is_enabled)),
        _ if class.starts_with(CORRECTION) => Kind::Fader(correction(entity, is_enabled)),
        _ if class.starts_with("trigger_") => Kind::Trigger(trigger(entity, class, names)?),
        _ => return None,
    })
}

fn relay(entity: &Entity, connections: &[Connection]) -> Relay {
    let mut relay = Relay::new(!is_set(entity, "StartDisabled"));
    relay.is_once = has_flag(entity, RELAY_ONCE);
    if !has_flag(entity, RELAY_REFIRES) {
        let own = connections.iter();
        let own = own.filter(|it| it.output.eq_ignore_ascii_case("OnTrigger"));
        let longest = own.map(|it| it.delay_secs).fold(0.0, f64::max);
        relay.refire_secs = Some(longest + 0.001);
    }
    relay
}

fn counter(entity: &Entity) -> Counter {
    let limits = [number(entity, "min"), number(entity, "max")];
    let mut counter = Counter::new(number(entity, "startvalue"), limits);
    counter.is_enabled = !is_set(entity, "StartDisabled");
    counter
}

fn timer(entity: &Entity) -> Timer {
    let refire_secs = number(entity, "RefireTime");
    let between_secs = match is_set(entity, "UseRandomTime") {
        true => [
            number(entity, "LowerRandomBound"),
            number(entity, "UpperRandomBound"),
        ],
        false => [refire_secs; 2],
    };
    let mut timer = Timer::new(between_secs, !is_set(entity, "StartDisabled"));
    timer.is_oscillator = has_flag(entity, 1);
    timer
}

fn case(entity: &Entity, connections: &[Connection]) -> Case {
    let values = (1..=N_CASES).map(|case| {
        let value = entity.get(&format!("Case{case:02}"));
        value.unwrap_or_default().into_owned()
    });
    let is_connected = |case: &usize| {
        let output = format!("OnCase{:02}", case.saturating_add(1));
        let mut connections = connections.iter();
        connections.any(|it| it.output.eq_ignore_ascii_case(&output))
    };
    Case::new(
        values.collect(),
        (0..N_CASES).filter(is_connected).collect(),
    )
}

/// Only lamps with a style of their own can be switched.
fn light(entity: &Entity) -> Option<Kind> {
    let style = number(entity, "style");
    let is_switch = (FIRST_SWITCH..256.0).contains(&style) && style.fract() == 0.0;
    is_switch.then(|| {
        Kind::Light(SwitchedLight {
            style: style as usize,
            is_on: !has_flag(entity, 1),
            pattern: entity.get("pattern").unwrap_or_default().into_owned(),
        })
    })
}

/// Colors that come and go.
fn correction(entity: &Entity, is_enabled: bool) -> Fader {
    let mut fader = Fader::new(is_enabled, full_weight(entity).into());
    // A volume has one time for both.
    let both = number(entity, "fadeDuration");
    fader.fade_secs =
        ["fadeInDuration", "fadeOutDuration"].map(|key| number_or(entity, key, both).max(0.0));
    fader
}

/// `Solidity` is 0 while it is enabled, 1 never, 2 always.
fn brush(entity: &Entity, is_enabled: bool) -> Switch {
    let solidity = number(entity, "Solidity");
    Switch {
        is_solid_when_on: solidity != 1.0,
        is_solid_when_off: solidity == 2.0,
        ..Switch::new(is_enabled)
    }
}

/// Those that notice walkers, and what they do. Others, which only games know, are none.
fn trigger(entity: &Entity, class: &str, names: &Names) -> Option<Trigger> {
    let effect = match class {
        "trigger_teleport" => TriggerEffect::Teleport {
            target: entity.get("target").unwrap_or_default().into_owned(),
        },
        "trigger_push" => TriggerEffect::Push {
            velocity: push_direction(entity) * number_or(entity, "speed", 100.0),
        },
        "trigger_once"
        | "trigger_multiple"
        | "trigger_hurt"
        | "trigger_proximity"
        | "trigger_look"
        | "trigger_gravity"
        | "trigger_playermovement"
        | "trigger_transition"
        | "trigger_soundscape" => TriggerEffect::Nothing,
        _ => return None,
    };
    let wait_secs = match (class, number_or(entity, "wait", 0.2)) {
        ("trigger_once", _) => -1.0,
        (_, 0.0) => 0.2,
        (_, wait_secs) => wait_secs,
    };
    let mut trigger = Trigger::new(!is_set(entity, "StartDisabled"), wait_secs, effect);
    let notices = has_flag(entity, NOTICES_PLAYERS | NOTICES_EVERYTHING);
    trigger.notices_body = notices && names.passes_player(entity);
    Some(trigger)
}

fn push_direction(entity: &Entity) -> DVec3 {
    match entity.get("pushdir") {
        Some(_) => direction(entity, "pushdir"),
        None => direction(entity, "angles"),
    }
}
