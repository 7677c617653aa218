//! Numbers that follow from others, ages at birth, and births along a path.

use super::*;

fn modulation(attribute: Attribute, source: ModulationSource) -> Modulation {
    Modulation {
        attribute,
        source,
        input: [0.0, 1.0],
        output: [0.0, 1.0],
        strength: [1.0; 2],
        mode: ModulationMode::Set,
        ages: [0.0, 1.0],
    }
}

/// Twenty particles that are thrown in all directions and live for ten seconds.
fn cloud(modulations: &[Modulation]) -> Emitter {
    Emitter {
        modulations: modulations.to_vec(),
        size: Curve::constant([2.0, 3.0]),
        color: Curve::constant([0.5, 0.5, 0.5, 0.5]),
        ..one_burst(
            20,
            thrown(Throw {
                spread_rad: 3.0,
                speed: [1.0, 5.0],
                ..Throw::default()
            }),
        )
    }
}

fn cloud_at(modulations: &[Modulation], secs: f64) -> Vec<Particle> {
    particles(&cloud(modulations), &at(secs))
}

#[test]
fn attributes_are_set_multiplied_and_added_to() {
    let half = |attribute, mode| Modulation {
        output: [0.0, 3.0],
        mode,
        ..modulation(attribute, ModulationSource::Age)
    };
    use ModulationMode::{Add, Multiply, Set};
    // At five of ten seconds the output is 1.5.
    let of = |attribute, mode| cloud_at(&[half(attribute, mode)], 5.0)[0];
    assert_eq!(of(Attribute::Size, Set).size, [1.5, 1.5]);
    assert_eq!(of(Attribute::Size, Multiply).size, [3.0, 4.5]);
    assert_eq!(of(Attribute::Size, Add).size, [3.5, 4.5]);
    assert_eq!(of(Attribute::Width, Multiply).size, [3.0, 3.0]);
    assert_eq!(of(Attribute::Red, Add).color, [2.0, 0.5, 0.5, 0.5]);
    assert_eq!(of(Attribute::Green, Multiply).color, [0.5, 0.75, 0.5, 0.5]);
    assert_eq!(of(Attribute::Blue, Set).color, [0.5, 0.5, 1.5, 0.5]);
    assert_eq!(of(Attribute::Alpha, Set).color, [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(of(Attribute::Angle, Add).angle_rad, 1.5);
    assert_eq!(of(Attribute::Stretch, Multiply).stretch, 1.5);
    let framed = Emitter {
        frames: vec![SpriteFrame::default(); 4],
        ..cloud(&[Modulation {
            output: [0.0, 12.0],
            ..modulation(Attribute::Frame, ModulationSource::Age)
        }])
    };
    assert_eq!(particles(&framed, &at(5.0))[0].frame, 6 % 4);
}

#[test]
fn attributes_are_led_to_an_output_and_held_between_two() {
    let led = Modulation {
        output: [100.0, 5.0],
        mode: ModulationMode::Blend,
        input: [0.25, 0.75],
        ..modulation(Attribute::Size, ModulationSource::Age)
    };
    // The first output counts for nothing.
    for (secs, expected) in [(2.0, [2.0, 3.0]), (5.0, [3.5, 4.0]), (8.0, [5.0; 2])] {
        assert_eq!(cloud_at(&[led], secs)[0].size, expected);
    }
    for output in [[2.5, 2.75], [2.75, 2.5]] {
        let held = Modulation {
            output,
            mode: ModulationMode::Clamp,
            ..modulation(Attribute::Size, ModulationSource::Random)
        };
        assert_eq!(cloud_at(&[held], 5.0)[0].size, [2.5, 2.75]);
    }
}

#[test]
fn attributes_follow_from_others_and_from_where_a_particle_flies() {
    let angle = Modulation {
        input: [-4.0, 4.0],
        output: [-4.0, 4.0],
        ..modulation(Attribute::Angle, ModulationSource::Heading)
    };
    let doubled = Modulation {
        input: [-8.0, 8.0],
        output: [-16.0, 16.0],
        ..modulation(
            Attribute::Red,
            ModulationSource::Attribute(Attribute::Angle),
        )
    };
    for particle in cloud_at(&[angle, doubled], 3.0) {
        let [x, y, _] = particle.velocity;
        let (sin, cos) = particle.angle_rad.sin_cos();
        let length = x.hypot(y);
        assert!((x - length * cos).abs() < 1e-4 && (y - length * sin).abs() < 1e-4);
        let expected = (2.0 * particle.angle_rad).max(0.0);
        assert!((particle.color[0] - expected).abs() < 1e-4);
    }
    // From the origin all of them fly straight away.
    let bearing = Modulation {
        source: ModulationSource::Bearing { from: [0.0; 3] },
        ..angle
    };
    for particle in cloud_at(&[bearing], 3.0) {
        let [x, y, _] = particle.velocity;
        assert!((particle.angle_rad - y.atan2(x)).abs() < 1e-4);
    }
    let sources = [
        (Attribute::Size, 2.0),
        (Attribute::Width, 2.0),
        (Attribute::Green, 0.5),
        (Attribute::Blue, 0.5),
        (Attribute::Alpha, 0.5),
        (Attribute::Stretch, 1.0),
        (Attribute::Frame, 0.0),
    ];
    for (attribute, value) in sources {
        let copied = Modulation {
            input: [0.0, 4.0],
            output: [0.0, 4.0],
            ..modulation(Attribute::Red, ModulationSource::Attribute(attribute))
        };
        assert_eq!(cloud_at(&[copied], 1.0)[0].color[0], value, "{attribute:?}");
    }
}

#[test]
fn one_after_the_other_and_within_their_ages() {
    let add = Modulation {
        mode: ModulationMode::Add,
        input: [0.0; 2],
        ..modulation(Attribute::Size, ModulationSource::Age)
    };
    let double = Modulation {
        mode: ModulationMode::Multiply,
        output: [2.0; 2],
        ages: [0.4, 0.6],
        ..add
    };
    let size = |all: &[Modulation], secs| cloud_at(all, secs)[0].size;
    assert_eq!(size(&[add, double], 5.0), [6.0, 8.0]);
    assert_eq!(size(&[double, add], 5.0), [5.0, 7.0]);
    assert_eq!(size(&[double, add], 7.0), [3.0, 4.0]);
}

#[test]
fn sources_are_what_they_say() {
    let wide = |source| Modulation {
        input: [-100.0, 100.0],
        output: [-100.0, 100.0],
        ..modulation(Attribute::Angle, source)
    };
    let of = |source, secs| cloud_at(&[wide(source)], secs);
    for particle in of(ModulationSource::Secs, 2.5) {
        assert!((particle.angle_rad - 2.5).abs() < 1e-4);
    }
    for particle in of(ModulationSource::BirthSecs, 2.5) {
        assert!(particle.angle_rad.abs() < 1e-4);
    }
    for particle in of(ModulationSource::Speed, 2.5) {
        assert!((particle.angle_rad - length(particle.velocity)).abs() < 1e-4);
    }
    let to = [1.0, 2.0, 3.0];
    let distance = |at_birth| ModulationSource::Distance { to, at_birth };
    for particle in of(distance(false), 2.5) {
        let expected = difference(particle.position, to);
        assert!((particle.angle_rad - expected).abs() < 1e-4);
    }
    for particle in of(distance(true), 2.5) {
        assert!((particle.angle_rad - length(to)).abs() < 1e-4);
    }
    let wave = ModulationSource::Wave {
        cycles: [0.5; 2],
        in_life: false,
        phase: 0.25,
    };
    for particle in of(wave, 0.5) {
        let expected = (0.5 * std::f32::consts::TAU).sin();
        assert!((particle.angle_rad - expected).abs() < 1e-4);
    }
    let noise = |at_birth| ModulationSource::Noise {
        scale: 0.7,
        per_sec: 1.0,
        at_birth,
    };
    let values = of(noise(false), 2.5).into_iter().map(|it| it.angle_rad);
    let values: Vec<_> = values.collect();
    assert!(values.iter().all(|it| (-1.0..=1.0).contains(it)));
    assert!(values.windows(2).any(|it| (it[0] - it[1]).abs() > 0.1));
    // All were born at one place and time.
    let [first, second] = [2.5, 3.5].map(|secs| of(noise(true), secs)[0].angle_rad);
    assert!((first - second).abs() < 1e-3, "{first} {second}");
}

#[test]
fn random_numbers_stay_with_their_particle() {
    let by_random = Modulation {
        strength: [2.0, 4.0],
        ..modulation(Attribute::Angle, ModulationSource::Random)
    };
    let angles = |secs| -> Vec<f32> {
        let all = cloud_at(&[by_random], secs).into_iter();
        all.map(|it| it.angle_rad).collect()
    };
    assert_eq!(angles(1.0), angles(7.0));
    let mut sorted = angles(1.0);
    sorted.sort_by(f32::total_cmp);
    sorted.dedup();
    assert_eq!(sorted.len(), 20);
    assert!(sorted.iter().all(|it| (0.0..4.0).contains(it)));
    // A step: those below a share have one output, the others another.
    let step = Modulation {
        input: [0.5; 2],
        output: [-1.0, 1.0],
        mode: ModulationMode::Multiply,
        ..modulation(Attribute::Width, ModulationSource::Random)
    };
    let mirrored = cloud_at(&[step], 1.0);
    assert!(mirrored.iter().all(|it| it.size[0].abs() == 2.0));
    let n_mirrored = mirrored.iter().filter(|it| it.size[0] < 0.0).count();
    assert!((3..17).contains(&n_mirrored), "{n_mirrored}");
}

#[test]
fn particles_that_are_born_old_die_soon() {
    let old = Emitter {
        start_age: [0.4, 0.8],
        ..cloud(&[modulation(Attribute::Angle, ModulationSource::Age)])
    };
    let born = particles(&old, &at(0.0));
    assert!(born.iter().all(|it| (0.4..0.8).contains(&it.angle_rad)));
    for (secs, alive) in [(1.9, 20..21), (4.0, 1..20), (6.1, 0..1)] {
        let n_alive = particles(&old, &at(secs)).len();
        assert!(alive.contains(&n_alive), "{n_alive} at {secs}");
    }
}

#[test]
fn where_there_are_always_as_many_each_old_one_is_followed_by_the_next() {
    let steady = Emitter {
        emission: Emission::Steady { count: 50 },
        start_age: [0.5, 0.9],
        ..cloud(&[modulation(Attribute::Angle, ModulationSource::Age)])
    };
    for secs in [0.0, 3.3, 17.0] {
        let found = particles(&steady, &at(secs));
        assert_eq!(found.len(), 50, "at {secs}");
        assert!(found.iter().all(|it| (0.5..=1.0).contains(&it.angle_rad)));
    }
}

#[test]
fn births_lie_along_their_path() {
    let path = BirthPath {
        points: [[0.0; 3], [4.0, 8.0, 0.0], [8.0, 0.0, 0.0]],
        radius: 0.0,
        count: 5,
    };
    let along = |path: BirthPath| -> Vec<[f32; 3]> {
        let emitter = Emitter {
            birthplace: Birthplace::Path(path),
            ..one_burst(11, thrown(Throw::default()))
        };
        let all = particles(&emitter, &at(1.0)).into_iter();
        all.map(|it| it.position).collect()
    };
    let places = along(path);
    // A parabola: y = 2 x (8 - x) / 8.
    let expected = [
        [0.0, 0.0, 0.0],
        [2.0, 3.0, 0.0],
        [4.0, 4.0, 0.0],
        [6.0, 3.0, 0.0],
        [8.0, 0.0, 0.0],
    ];
    for (index, place) in places.iter().enumerate() {
        assert!(difference(*place, expected[index % 5]) < 1e-5, "{place:?}");
    }
    let anywhere = along(BirthPath {
        radius: 0.5,
        count: 0,
        ..path
    });
    let nearest = |place: [f32; 3]| {
        let on = (0..=1000).map(|step| {
            let x = step as f32 * 0.008;
            difference(place, [x, x * (8.0 - x) / 4.0, 0.0])
        });
        on.fold(f32::INFINITY, f32::min)
    };
    assert!(anywhere.iter().all(|it| nearest(*it) < 0.51));
    assert!(anywhere.iter().any(|it| nearest(*it) > 0.1));
}
