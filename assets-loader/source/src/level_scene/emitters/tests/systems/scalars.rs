//! Numbers of particles that follow from others.

use ironlands_scene::{Attribute, Modulation, ModulationMode, ModulationSource};

use super::*;
use ModulationMode::{Add, Multiply, Set};

pub(super) fn modulations(functions: &[DraftFunction<'static>]) -> Vec<Modulation> {
    emitter_of(functions, &[]).modulations
}

pub(super) fn one(list: FunctionList, name: &'static str, parameters: Parameters) -> Modulation {
    let found = modulations(&[function(list, name, parameters)]);
    let [modulation] = <[_; 1]>::try_from(found).expect("one modulation");
    modulation
}

#[test]
fn a_radius_is_half_a_side_and_an_angle_is_in_degrees() {
    let found = one(
        Operators,
        "Remap Speed to Scalar",
        &[
            ("input maximum", Float(80.0)),
            ("output minimum", Float(2.0)),
            ("output maximum", Float(5.0)),
        ],
    );
    let expected = Modulation {
        attribute: Attribute::Size,
        source: ModulationSource::Speed,
        input: [0.0, 80.0],
        output: [4.0, 10.0],
        strength: [1.0; 2],
        mode: Set,
        ages: [0.0, 1.0],
    };
    assert_eq!(found, expected);
    let factor = one(
        Operators,
        "Remap Speed to Scalar",
        &[
            ("output maximum", Float(5.0)),
            ("output is scalar of initial random range", Flag(true)),
        ],
    );
    assert_eq!((factor.output, factor.mode), ([0.0, 5.0], Multiply));
    let turned = one(
        Initializers,
        "Scalar Random",
        &[
            ("output field", Int(4)),
            ("min", Float(90.0)),
            ("max", Float(180.0)),
        ],
    );
    let half_turn = std::f32::consts::PI;
    assert_eq!(turned.attribute, Attribute::Angle);
    assert!((turned.output[0] - 0.5 * half_turn).abs() < 1e-6);
    assert!((turned.output[1] - half_turn).abs() < 1e-6);
}

#[test]
fn distances_are_from_control_points_and_may_fall() {
    let parameters: Parameters = &[
        ("distance minimum", Float(100.0)),
        ("distance maximum", Float(20.0)),
        ("output field", Int(7)),
        ("output maximum", Float(0.5)),
    ];
    for (list, name, at_birth) in [
        (
            Operators,
            "Remap Distance to Control Point to Scalar",
            false,
        ),
        (
            Initializers,
            "Remap Initial Distance to Control Point to Scalar",
            true,
        ),
    ] {
        let found = one(list, name, parameters);
        let to = [0.0; 3];
        assert_eq!(found.source, ModulationSource::Distance { to, at_birth });
        // From 0.5 at 20 to 0 at 100.
        assert_eq!((found.input, found.output), ([20.0, 100.0], [0.5, 0.0]));
        assert_eq!(found.attribute, Attribute::Alpha);
    }
}

#[test]
fn noise_is_of_the_place_or_of_the_birth() {
    let noise = one(
        Operators,
        "Noise Scalar",
        &[
            ("output field", Int(7)),
            ("noise coordinate scale", Float(0.3)),
            ("additive", Flag(true)),
        ],
    );
    let source = ModulationSource::Noise {
        scale: 0.3,
        per_sec: 0.0,
        at_birth: false,
    };
    assert_eq!((noise.source, noise.mode), (source, Add));
    assert_eq!(noise.input, [-1.0, 1.0]);
    let born = one(
        Initializers,
        "Remap Noise to Scalar",
        &[
            ("absolute value", Flag(true)),
            ("invert absolute value", Flag(true)),
        ],
    );
    let source = ModulationSource::Noise {
        scale: 0.001,
        per_sec: 0.1,
        at_birth: true,
    };
    assert_eq!(born.source, source);
    assert_eq!((born.input, born.output), ([0.0, 1.0], [2.0, 0.0]));
    let colors = modulations(&[function(
        Operators,
        "Noise Vector",
        &[("output maximum", Vec3([0.25, 0.5, 1.0]))],
    )]);
    let parts: Vec<_> = colors.iter().map(|it| (it.attribute, it.output)).collect();
    assert_eq!(
        parts,
        [
            (Attribute::Red, [0.0, 0.25]),
            (Attribute::Green, [0.0, 0.5]),
            (Attribute::Blue, [0.0, 1.0]),
        ]
    );
}

#[test]
fn an_oscillation_is_what_its_speed_adds_up_to() {
    let emitter = Emitter {
        emission: Emission::Bursts(vec![Burst {
            at_secs: 0.0,
            count: 1,
        }]),
        ..emitter_of(
            &[function(
                Operators,
                "Oscillate Scalar",
                &[
                    ("oscillation field", Int(3)),
                    ("oscillation rate min", Float(6.0)),
                    ("oscillation rate max", Float(6.0)),
                    ("oscillation frequency min", Float(0.4)),
                    ("oscillation frequency max", Float(0.4)),
                    ("proportional 0/1", Flag(false)),
                ],
            )],
            &[("radius", Float(20.0))],
        )
    };
    let side_at = |clock_secs: f64| {
        let mut side = f32::NAN;
        emitter.for_each_particle(&at(clock_secs), |particle| side = particle.size[0]);
        f64::from(side)
    };
    // Speed 6 cos(0.8 pi t), as games add it up in steps.
    let (mut radius, step) = (20.0, 1e-4);
    for index in 0..19_000 {
        let secs = f64::from(index) * step;
        if index % 1900 == 0 {
            assert!((side_at(secs) - 2.0 * radius).abs() < 0.01, "{secs}");
        }
        radius += step * 6.0 * (0.8 * std::f64::consts::PI * secs).cos();
    }
}

#[test]
fn ramps_cover_a_part_of_a_life() {
    let ramp = one(
        Operators,
        "Ramp Scalar Linear Random",
        &[
            ("ramp rate min", Float(-1.0)),
            ("ramp rate max", Float(3.0)),
            ("start time min", Float(0.25)),
            ("start time max", Float(0.25)),
            ("end time min", Float(0.5)),
            ("end time max", Float(0.75)),
        ],
    );
    // From 0.25 to 0.625 of three seconds; a radius is half a side.
    assert_eq!((ramp.input, ramp.mode), ([0.25, 0.625], Add));
    assert_eq!((ramp.output, ramp.strength), ([0.0, 2.25], [-1.0, 3.0]));
    let simple = one(
        Operators,
        "Ramp Scalar Linear Simple",
        &[("ramp field", Int(7)), ("ramp rate", Float(-0.5))],
    );
    assert_eq!((simple.output, simple.strength), ([0.0, 3.0], [-0.5; 2]));
}

#[test]
fn particles_are_mirrored_born_old_lit_and_gone() {
    let flipped = one(
        Initializers,
        "Rotation Yaw Flip Random",
        &[("Flip Percentage", Float(0.25))],
    );
    assert_eq!(
        (flipped.attribute, flipped.mode),
        (Attribute::Width, Multiply)
    );
    assert_eq!((flipped.input, flipped.output), ([0.25; 2], [-1.0, 1.0]));
    let slow = one(
        Operators,
        "Lifespan Minimum Velocity Decay",
        &[("minimum velocity", Float(8.0))],
    );
    assert_eq!(
        (slow.source, slow.input),
        (ModulationSource::Speed, [8.0; 2])
    );
    assert_eq!(
        (slow.attribute, slow.output),
        (Attribute::Alpha, [0.0, 1.0])
    );
    let outside = one(
        Operators,
        "Cull when crossing sphere",
        &[("Cull Distance", Float(40.0))],
    );
    assert_eq!((outside.input, outside.output), ([40.0; 2], [1.0, 0.0]));
    let culled = one(
        Operators,
        "Cull Random",
        &[
            ("Cull Percentage", Float(0.75)),
            ("Cull Start Time", Float(0.5)),
        ],
    );
    assert_eq!((culled.input, culled.ages), ([0.75; 2], [0.75, 1.0]));
    let emitter = emitter_of(
        &[
            function(
                Initializers,
                "Lifetime Pre-Age Noise",
                &[
                    ("start age minimum", Float(0.1)),
                    ("start age maximum", Float(0.3)),
                ],
            ),
            function(Initializers, "Color Lit Per Particle", &[]),
        ],
        &[],
    );
    assert_eq!((emitter.start_age, emitter.is_lit), ([0.1, 0.3], true));
}

#[test]
fn trails_have_lengths_of_their_own() {
    let functions = [
        &basic()[1..],
        &[
            function(Renderers, "render_sprite_trail", &[]),
            function(
                Initializers,
                "Trail Length Random",
                &[("length_min", Float(0.1)), ("length_max", Float(0.3))],
            ),
            function(
                Operators,
                "Noise Scalar",
                &[("output field", Int(3)), ("output maximum", Float(4.0))],
            ),
        ],
    ]
    .concat();
    let [trail] = <[_; 1]>::try_from(emitters_of(&functions, &[])).expect("one emitter");
    let [width, stretch] = &trail.modulations[..] else {
        panic!("{:?}", trail.modulations);
    };
    // Its height is the way that it has come.
    assert_eq!(
        (width.attribute, width.output),
        (Attribute::Width, [0.0, 8.0])
    );
    assert_eq!(
        (stretch.attribute, stretch.mode),
        (Attribute::Stretch, Multiply)
    );
    let [least, most] = stretch.output;
    assert!((least - 0.5).abs() < 1e-5 && (most - 1.5).abs() < 1e-5);
}

#[test]
fn a_control_point_that_stays_is_a_number() {
    // The control point is the entity, at 8 16 24.
    let found = one(
        Operators,
        "Remap Control Point to Scalar",
        &[
            ("input field 0-2 X/Y/Z", Int(2)),
            ("input maximum", Float(48.0)),
            ("output maximum", Float(10.0)),
        ],
    );
    assert_eq!(found.output, [10.0; 2], "half of a radius of 10, as a side");
    // Control points that no entity is named for are where the first is.
    let apart = one(
        Operators,
        "Remap Distance Between Two Control Points to Scalar",
        &[
            ("output field", Int(7)),
            ("output minimum", Float(0.25)),
            ("output maximum", Float(1.0)),
        ],
    );
    assert_eq!(
        (apart.attribute, apart.output),
        (Attribute::Alpha, [0.25; 2])
    );
    let colors = modulations(&[function(
        Initializers,
        "Remap Control Point to Vector",
        &[
            ("output field", Int(6)),
            ("input maximum", Vec3([16.0, 16.0, 96.0])),
        ],
    )]);
    let parts: Vec<_> = colors.iter().map(|it| (it.attribute, it.output)).collect();
    assert_eq!(
        parts,
        [
            (Attribute::Red, [0.5; 2]),
            (Attribute::Green, [1.0; 2]),
            (Attribute::Blue, [0.25; 2]),
        ]
    );
    let late = one(
        Initializers,
        "Remap Initial Scalar",
        &[("input maximum", Float(2.0)), ("output field", Int(7))],
    );
    assert_eq!(
        (late.source, late.input),
        (ModulationSource::BirthSecs, [0.0, 2.0])
    );
}
