//! Numbers that are led to others, held, and follow from other numbers and from directions.

use std::f32::consts::PI;

use ironlands_scene::{Attribute, ModulationMode, ModulationSource};

use super::scalars::{modulations, one};
use super::*;
use ModulationMode::{Blend, Clamp, Multiply};

#[test]
fn numbers_follow_from_numbers_of_the_particle() {
    let radius = one(
        Operators,
        "Remap Scalar",
        &[
            ("input field", Int(3)),
            ("input minimum", Float(2.0)),
            ("input maximum", Float(5.0)),
            ("output field", Int(7)),
        ],
    );
    // A radius is half a side.
    let source = ModulationSource::Attribute(Attribute::Size);
    assert_eq!((radius.source, radius.input), (source, [4.0, 10.0]));
    let angle = one(
        Initializers,
        "Remap Initial Scalar",
        &[("input field", Int(4)), ("input maximum", Float(180.0))],
    );
    let source = ModulationSource::Attribute(Attribute::Angle);
    assert_eq!((angle.source, angle.input), (source, [0.0, PI]));
    assert_eq!(
        (angle.attribute, angle.output),
        (Attribute::Size, [0.0, 2.0])
    );
    let alpha = one(Operators, "Remap Scalar", &[]);
    assert_eq!(alpha.source, ModulationSource::Attribute(Attribute::Alpha));
    let colors = modulations(&[function(
        Initializers,
        "Remap Scalar to Vector",
        &[
            ("input maximum", Float(3.0)),
            ("output field", Int(6)),
            ("output maximum", Vec3([0.25, 0.5, 1.0])),
        ],
    )]);
    let parts: Vec<_> = colors
        .iter()
        .map(|it| (it.attribute, it.input, it.output))
        .collect();
    assert_eq!(
        parts,
        [
            (Attribute::Red, [0.0, 3.0], [0.0, 0.25]),
            (Attribute::Green, [0.0, 3.0], [0.0, 0.5]),
            (Attribute::Blue, [0.0, 3.0], [0.0, 1.0]),
        ]
    );
    assert_eq!(colors[0].source, ModulationSource::BirthSecs);
}

#[test]
fn numbers_are_led_to_a_value_and_held_between_two() {
    let led = one(
        Operators,
        "Lerp Initial Scalar",
        &[
            ("start time", Float(0.25)),
            ("end time", Float(0.5)),
            ("value to lerp to", Float(6.0)),
        ],
    );
    assert_eq!((led.source, led.mode), (ModulationSource::Age, Blend));
    assert_eq!((led.input, led.output), ([0.25, 0.5], [12.0; 2]));
    let held = one(
        Operators,
        "Clamp Scalar",
        &[
            ("output field", Int(4)),
            ("output minimum", Float(90.0)),
            ("output maximum", Float(180.0)),
        ],
    );
    assert_eq!((held.attribute, held.mode), (Attribute::Angle, Clamp));
    assert_eq!(held.output, [0.5 * PI, PI]);
    for (name, key, mode, output) in [
        ("Clamp Vector", "output maximum", Clamp, [0.0, 0.5]),
        ("Lerp Initial Vector", "value to lerp to", Blend, [0.5; 2]),
    ] {
        let parameters = [("output field", Int(6)), (key, Vec3([0.25, 0.5, 1.0]))];
        let functions = [
            basic(),
            vec![DraftFunction {
                list: Operators,
                name,
                parameters: &parameters,
            }],
        ]
        .concat();
        let [emitter] = <[_; 1]>::try_from(emitters_of(&functions, &[])).expect("one emitter");
        let green = emitter.modulations[1];
        assert_eq!(emitter.modulations.len(), 3, "{name}");
        assert_eq!(green.attribute, Attribute::Green);
        assert_eq!((green.mode, green.output), (mode, output));
    }
}

#[test]
fn particles_end_by_their_numbers() {
    let faint = one(
        Operators,
        "Lifespan Minimum Alpha Decay",
        &[("minimum alpha", Float(0.25))],
    );
    assert_eq!(faint.source, ModulationSource::Attribute(Attribute::Alpha));
    assert_eq!((faint.input, faint.output), ([0.25; 2], [0.0, 1.0]));
    assert_eq!((faint.attribute, faint.mode), (Attribute::Alpha, Multiply));
    let small = one(
        Operators,
        "Lifespan Minimum Radius Decay",
        &[("minimum radius", Float(3.0))],
    );
    assert_eq!(small.source, ModulationSource::Attribute(Attribute::Size));
    assert_eq!(small.input, [6.0; 2]);
}

#[test]
fn pictures_are_turned_to_where_particles_fly_and_lie() {
    let flown = one(
        Operators,
        "Rotation Orient to 2D Direction",
        &[("Rotation Offset", Float(90.0))],
    );
    assert_eq!(
        (flown.attribute, flown.source),
        (Attribute::Angle, ModulationSource::Heading)
    );
    assert_eq!(flown.input, [-PI, PI]);
    assert_eq!(flown.output, [-0.5 * PI, 1.5 * PI]);
    let lain = one(Operators, "Rotation Orient Relative to CP", &[]);
    let from = [0.0; 3];
    assert_eq!(lain.source, ModulationSource::Bearing { from });
    assert_eq!(lain.output, lain.input);
    let spun = emitter_of(
        &[function(
            Operators,
            "Rotation Spin Yaw",
            &[("yaw_rate_degrees", Float(90.0))],
        )],
        &[("radius", Float(5.0))],
    );
    let mut n_particles = 0;
    spun.for_each_particle(&at(4.0), |particle| {
        n_particles += 1;
        let expected = 10.0 * (0.5 * PI * particle.secs).cos();
        assert!((particle.size[0] - expected).abs() < 1e-3);
        assert_eq!(particle.size[1], 10.0);
    });
    assert!(n_particles > 10);
}

#[test]
fn control_points_are_where_a_system_puts_them_also_for_its_children() {
    let parameters: Parameters = &[
        ("output field", Int(7)),
        ("starting control point", Int(3)),
        ("ending control point", Int(4)),
        ("percentage maximum", Float(0.5)),
    ];
    let share = "Remap Percentage Between Two Control Points to Scalar";
    let place: Parameters = &[
        ("Third Control Point Location", Vec3([0.0, 3.0, 0.0])),
        ("Fourth Control Point Location", Vec3([4.0, 0.0, 0.0])),
    ];
    let own = function(Operators, share, parameters);
    let places = function(Operators, "Set Control Point Positions", place);
    let check = |found: &Emitter| {
        let to = [0.0, 3.0, 0.0];
        let at_birth = false;
        let modulation = found.modulations[0];
        assert_eq!(
            modulation.source,
            ModulationSource::Distance { to, at_birth }
        );
        // Half of the way of five.
        assert_eq!(modulation.input, [0.0, 2.5]);
    };
    check(&emitter_of(&[own, places], &[]));
    let parent = [places];
    let child = [basic(), vec![own]].concat();
    let systems = [
        DraftSystem {
            name: "a",
            parameters: &[],
            functions: &parent,
            children: &[(1, 0.0)],
        },
        DraftSystem {
            name: "b",
            parameters: &[],
            functions: &child,
            children: &[],
        },
    ];
    let keys = "\"effect_name\" \"a\"\n\"start_active\" \"1\"";
    check(&scene_with(&systems, keys).0.emitters[0]);
    // In axes of the world it is far from the entity, which is at 8 16 24.
    let in_world: Parameters = &[
        ("Set positions in world space", Flag(true)),
        ("Third Control Point Location", Vec3([8.0, 16.0, 34.0])),
    ];
    let late: Parameters = &[("operator end cap state", Int(1))];
    let functions = [
        own,
        function(Operators, "Set Control Point Positions", in_world),
        function(Operators, "Set Control Point Positions", late),
    ];
    let found = emitter_of(&functions, &[]).modulations[0].source;
    let (to, at_birth) = ([0.0, 0.0, 10.0], false);
    assert_eq!(found, ModulationSource::Distance { to, at_birth });
}

#[test]
fn control_points_that_look_the_same_way_are_a_number() {
    let parameters: Parameters = &[
        ("output field", Int(7)),
        ("second input control point", Int(1)),
        ("output maximum", Float(0.8)),
    ];
    let dot = function(Operators, "Remap Dot Product to Scalar", parameters);
    let found = modulations(std::slice::from_ref(&dot));
    assert_eq!(found[0].output, [0.8; 2], "both are the entity's");
    let of_speed: Parameters = &[("use particle velocity for first input", Flag(true))];
    let functions = [
        basic(),
        vec![function(Operators, "Remap Dot Product to Scalar", of_speed)],
    ]
    .concat();
    let (emitters, notes) = emitters_and_notes(&functions, &[]);
    assert_eq!(emitters[0].modulations, []);
    assert!(
        notes
            .iter()
            .any(|it| it.contains("Remap Dot Product to Scalar"))
    );
}

#[test]
fn a_system_stops_and_counts_from_a_time_on() {
    let stop = function(
        Operators,
        "Stop Effect after Duration",
        &[("Duration at which to Stop", Float(1.5))],
    );
    let stream = emitter_of(std::slice::from_ref(&stop), &[]);
    let window = |start_secs, duration_secs| {
        Some(EmitterWindow {
            start_secs,
            duration_secs,
            period_secs: None,
        })
    };
    assert_eq!(stream.window, window(0.0, 1.5));
    let count = |parameters| function(Emitters, "emit to maintain count", parameters);
    let with = |emitter: DraftFunction<'static>| {
        let functions = [&basic()[..3], &[emitter, stop]].concat();
        emitters_of(&functions, &[])
    };
    let [counted] = <[_; 1]>::try_from(with(count(&[
        ("count to maintain", Int(7)),
        ("emission start time", Float(0.5)),
    ])))
    .expect("one emitter");
    assert_eq!(counted.emission, Emission::Steady { count: 7 });
    assert_eq!(counted.window, window(0.5, 1.0));
    let late: Parameters = &[("emission_start_time", Float(2.0))];
    assert_eq!(with(function(Emitters, "emit_continuously", late)), []);
    assert_eq!(with(function(Emitters, "emit_instantaneously", late)), []);
}

#[test]
fn what_acts_only_after_a_stop_does_not_act() {
    let lives = |state: i32| {
        let parameters = [
            ("lifetime_min", Float(0.5)),
            ("lifetime_max", Float(0.5)),
            ("operator end cap state", Int(state)),
        ];
        let functions = [
            basic(),
            vec![DraftFunction {
                list: Initializers,
                name: "Lifetime Random",
                parameters: &parameters,
            }],
        ]
        .concat();
        emitters_of(&functions, &[])[0].life_secs
    };
    assert_eq!(
        [lives(-1), lives(0), lives(1)],
        [[0.5; 2], [0.5; 2], [2.0, 4.0]]
    );
}

#[test]
fn a_life_is_as_long_as_a_sequence() {
    // The disc that stands for a missing material is one frame.
    let emitter = emitter_of(
        &[function(
            Initializers,
            "Lifetime From Sequence",
            &[("Frames Per Second", Float(4.0))],
        )],
        &[],
    );
    assert_eq!(emitter.life_secs, [0.25; 2]);
}
