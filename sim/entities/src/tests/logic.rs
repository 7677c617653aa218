//! Counters, timers, relays and choices.

use std::sync::Arc;

use super::*;
use crate::{
    Animator, AutoStart, Branch, Case, Clip, Compare, Counter, Effect, Fader, Relay, Settings,
    Speaker, Switch, SwitchedLight, Timer,
};

fn run(entities: Vec<Entity>, n_ticks: u64) -> Vec<String> {
    let mut simulation = Simulation::new(entities, TICK);
    pass(&mut simulation, n_ticks, &mut Boxes::default());
    fired(&simulation)
}

#[test]
fn a_timer_counts_to_a_limit_and_what_that_sets_off_comes_in_the_same_tick() {
    let timer = Timer::new([0.5; 2], true);
    let counter = Counter::new(0.0, [0.0, 3.0]);
    let found = run(
        vec![
            entity("timer", Kind::Timer(timer), &["OnTimer count Add 1 0 -1"]),
            entity(
                "count",
                Kind::Counter(counter),
                &[
                    "OnHitMax timer Disable - 0 -1",
                    "OutValue lamp SetPattern - 0 -1",
                ],
            ),
            entity(
                "lamp",
                Kind::Light(SwitchedLight {
                    style: 32,
                    is_on: false,
                    pattern: String::new(),
                }),
                &[],
            ),
        ],
        400,
    );
    assert_eq!(
        found,
        [
            "32 timer.OnTimer count.Add(1)",
            "32 count.OutValue lamp.SetPattern(1)",
            "64 timer.OnTimer count.Add(1)",
            "64 count.OutValue lamp.SetPattern(2)",
            "96 timer.OnTimer count.Add(1)",
            "96 count.OnHitMax timer.Disable()",
            "96 count.OutValue lamp.SetPattern(3)",
        ]
    );
}

#[test]
fn a_level_begins_with_its_delays_and_parameters() {
    let auto = AutoStart::new(0.2, vec!["OnMapSpawn".to_owned()]);
    let found = run(
        vec![
            entity(
                "",
                Kind::Auto(auto),
                &[
                    "OnMapSpawn branch SetValueTest 1 0 -1",
                    "OnMapSpawn compare SetValueCompare 7 1 -1",
                    "OnMapSpawn case InValue two 2 -1",
                    "OnStart branch Test - 0 -1",
                ],
            ),
            entity(
                "branch",
                Kind::Branch(Branch { value: false }),
                &[
                    "OnTrue case InValue none 0 -1",
                    "OnFalse branch Test - 0 -1",
                ],
            ),
            entity(
                "compare",
                Kind::Compare(Compare {
                    value: 0.0,
                    with: 5.0,
                }),
                &[
                    "OnGreaterThan compare Compare - 0 1",
                    "OnLessThan x x - 0 1",
                ],
            ),
            entity(
                "case",
                Kind::Case(Case::new(vec!["one".into(), "two".into()], vec![])),
                &["OnCase02 x y - 0 -1", "OnDefault x z - 0 -1"],
            ),
        ],
        300,
    );
    // 0.2 seconds are 12.8 ticks.
    assert_eq!(
        found,
        [
            "13 .OnMapSpawn branch.SetValueTest(1)",
            "13 .OnMapSpawn compare.SetValueCompare(7)",
            "13 .OnMapSpawn case.InValue(two)",
            "13 branch.OnTrue case.InValue(none)",
            "13 case.OnDefault x.z(none)",
            "77 compare.OnGreaterThan compare.Compare(7)",
            "141 case.OnCase02 x.y()",
        ]
    );
}

#[test]
fn a_relay_waits_for_what_it_sent_and_can_take_it_back() {
    let mut relay = Relay::new(true);
    relay.refire_secs = Some(1.001);
    let mut simulation = Simulation::new(
        vec![
            entity(
                "relay",
                Kind::Relay(relay),
                &["OnTrigger wall Toggle - 1 -1"],
            ),
            Entity {
                is_solid: true,
                ..entity("wall", Kind::Switch(Switch::new(true)), &[])
            },
        ],
        TICK,
    );
    let mut shapes = Boxes::default();
    let is_shown = |it: &Simulation| it.entities()[1].is_drawn();
    simulation.send(0, "Trigger", "");
    simulation.send(0, "trigger", "");
    pass(&mut simulation, 64, &mut shapes);
    assert!(is_shown(&simulation));
    pass(&mut simulation, 1, &mut shapes);
    assert!(!is_shown(&simulation), "once only, a second after tick 1");
    pass(&mut simulation, 5, &mut shapes);
    simulation.send(0, "Trigger", "");
    pass(&mut simulation, 5, &mut shapes);
    simulation.send(0, "CancelPending", "");
    pass(&mut simulation, 200, &mut shapes);
    assert!(!is_shown(&simulation));
    assert_eq!(simulation.n_waiting(), 0);
}

#[test]
fn entities_that_set_each_other_off_without_end_do_not_stop_time() {
    let relay = |name: &str, other: &str| {
        let output = format!("OnTrigger {other} Trigger - 0 -1");
        entity(name, Kind::Relay(Relay::new(true)), &[&output])
    };
    let mut simulation = Simulation::new(vec![relay("a", "b"), relay("b", "a")], TICK);
    simulation.send(0, "Trigger", "");
    pass(&mut simulation, 3, &mut Boxes::default());
    assert_eq!(simulation.tick_number(), 3);
    assert_eq!(simulation.n_waiting(), 1);
}

#[test]
fn names_with_exclamation_marks_and_classes_are_targets() {
    let found = run(
        vec![
            entity(
                "auto",
                Kind::Auto(AutoStart::new(0.0, vec!["OnMapSpawn".into()])),
                &[
                    "OnMapSpawn THING FireUser2 - 0 -1",
                    "OnMapSpawn !self FireUser1 - 0 -1",
                    "OnUser1 !caller Kill - 0 -1",
                    "OnUser2 nothing x - 0 -1",
                ],
            ),
            entity("b", Kind::Other, &["OnUser2 !activator FireUser3 - 0 -1"]),
        ],
        5,
    );
    assert_eq!(
        found,
        [
            "1 auto.OnMapSpawn THING.FireUser2()",
            "1 auto.OnMapSpawn !self.FireUser1()",
            "1 auto.OnUser2 nothing.x()",
            "1 b.OnUser2 !activator.FireUser3()",
            "1 auto.OnUser1 !caller.Kill()",
        ]
    );
}

#[test]
fn every_input_that_a_kind_lists_is_received_without_harm() {
    let clip = Clip {
        name: "1".into(),
        length_secs: 1.0,
        loops: true,
    };
    let clips = Arc::new([clip]);
    let kinds = [
        Kind::Relay(Relay::new(true)),
        Kind::Counter(Counter::new(1.0, [0.0, 2.0])),
        Kind::Timer(Timer::new([0.0; 2], true)),
        Kind::Branch(Branch { value: true }),
        Kind::Case(Case::new(vec![String::new(); 3], vec![0, 2])),
        Kind::Switch(Switch::new(true)),
        Kind::Speaker(Speaker::new(true, true, crate::Modulation::new(100.0))),
        Kind::Fader(Fader::new(true, 1.0)),
        Kind::Effect(Effect::new(true)),
        Kind::Settings(Settings::new(&["SetMin"])),
        Kind::Animator(Animator::new(clips, 0, Switch::new(true))),
    ];
    for kind in kinds {
        let inputs = kind.inputs();
        for parameter in ["", "1", "-3.5", "inf", "nonsense"] {
            let mut simulation = Simulation::new(vec![entity("it", kind.clone(), &[])], TICK);
            for input in inputs {
                simulation.send(0, input, parameter);
            }
            pass(&mut simulation, 2, &mut Boxes::default());
            assert_eq!(simulation.tick_number(), 2);
        }
    }
}

#[test]
fn what_fades_takes_part_of_its_time_for_part_of_the_way() {
    let mut fader = Fader::new(false, 0.8);
    fader.fade_secs = [1.0, 2.0];
    let mut simulation = Simulation::new(vec![entity("veil", Kind::Fader(fader), &[])], TICK);
    let mut shapes = Boxes::default();
    let amount = |it: &Simulation| {
        let Kind::Fader(fader) = &it.entities()[0].kind else {
            panic!("it fades");
        };
        (fader.amount(it.tick_number(), TICK) * 1000.0).round() / 1000.0
    };
    assert_eq!(amount(&simulation), 0.0);
    simulation.send(0, "Enable", "");
    pass(&mut simulation, 1 + 48, &mut shapes);
    assert_eq!(amount(&simulation), 0.6);
    simulation.send(0, "Disable", "");
    // A tick later there is 0.6125 of it, and two seconds were for 0.8.
    pass(&mut simulation, 1 + 64, &mut shapes);
    assert_eq!(amount(&simulation), 0.213);
    pass(&mut simulation, 64, &mut shapes);
    assert_eq!(amount(&simulation), 0.0);
    simulation.send(0, "SetFadeInDuration", "0");
    simulation.send(0, "Enable", "");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(amount(&simulation), 0.8);
    // A full amount stays, however long it would take to come.
    simulation.send(0, "SetFadeInDuration", "100");
    pass(&mut simulation, 2, &mut shapes);
    assert_eq!(amount(&simulation), 0.8);
}

#[test]
fn particles_of_an_effect_are_born_from_its_start_until_it_is_stopped() {
    let effect = Kind::Effect(Effect::new(false));
    let mut simulation = Simulation::new(vec![entity("fire", effect, &[])], TICK);
    let mut shapes = Boxes::default();
    let mut after = |input: &str, ticks: u64| {
        simulation.send(0, input, "");
        pass(&mut simulation, ticks, &mut shapes);
        let Kind::Effect(effect) = &simulation.entities()[0].kind else {
            panic!("it is an effect");
        };
        let moment = effect.moment(TICK)?;
        Some([moment.since_secs, moment.until_secs].map(|it| it / TICK))
    };
    assert_eq!(after("Stop", 4), None, "it was not there");
    // What is sent after four ticks arrives in the fifth.
    let started = [5.0, f64::INFINITY];
    assert_eq!(after("Start", 4), Some(started));
    assert_eq!(after("Start", 4), Some(started), "it is on");
    assert_eq!(after("Stop", 4), Some([5.0, 13.0]), "its particles live on");
    assert_eq!(after("Stop", 4), Some([5.0, 13.0]));
    assert_eq!(
        after("Start", 4),
        Some([21.0, f64::INFINITY]),
        "it begins again"
    );
    assert_eq!(after("DestroyImmediately", 4), None);
}

#[test]
fn settings_are_remembered_in_the_order_in_which_they_were_made() {
    let settings = Settings::new(&["SetMin", "SetMax", "Reset"]);
    let mut simulation = Simulation::new(vec![entity("eye", Kind::Settings(settings), &[])], TICK);
    for (input, parameter) in [
        ("setmin", "1"),
        ("SetMax", "2"),
        ("SetMin", "3"),
        ("Other", "4"),
    ] {
        simulation.send(0, input, parameter);
    }
    pass(&mut simulation, 1, &mut Boxes::default());
    let Kind::Settings(settings) = &simulation.entities()[0].kind else {
        panic!("they are settings");
    };
    let sent: Vec<_> = settings.sent().collect();
    assert_eq!(sent, [("SetMax", "2"), ("SetMin", "3")]);
}
