//! Particles stay in the bounds of their emitter.

use super::*;

fn wider(attribute: Attribute) -> Modulation {
    Modulation {
        attribute,
        source: ModulationSource::Random,
        input: [0.0, 1.0],
        output: [-1.0, 2.0],
        strength: [0.5, 1.5],
        mode: ModulationMode::Multiply,
        ages: [0.0, 1.0],
    }
}

#[test]
fn nothing_is_drawn_outside_of_the_bounds() {
    let mut random = Random::new(7, [0, 0]);
    let mut n_found = 0;
    for round in 0..200 {
        let mut vector = |size: f32| [0; 3].map(|_| random.signed() * size);
        let [gravity, wind, sway, travel] = [9.0, 4.0, 0.5, 8.0].map(&mut vector);
        let [jitter, to, half, axis] = [2.0, 6.0, 2.0, 1.0].map(&mut vector);
        let [extra, offset] = [3.0, 2.0].map(&mut vector);
        let direction = axis.map(|part| part / length(axis));
        let half_extent = half.map(f32::abs);
        let throw = Throw {
            direction,
            spread_rad: random.between([0.0, 3.0]),
            speed: [0.0, 6.0],
            outward_speed: [-1.0, 3.0],
            extra_velocity: [extra, [0.0; 3]],
            gravity,
            drag_per_sec: random.between([0.0, 3.0]).max(1.0) - 1.0,
            wind,
            sway,
            sways_per_sec: 0.5,
        };
        let motion = match round % 3 {
            0 => thrown(throw),
            1 => Motion::Stepped(Stepped {
                throw,
                step_secs: 1.0 / 30.0,
                forces: vec![Force::Pull {
                    to,
                    strength: 40.0,
                    falloff: 1.0,
                }],
                constraints: Vec::new(),
                reach: 9.0,
            }),
            _ => Motion::Eased {
                travel,
                jitter: jitter.map(f32::abs),
                ease: random.between([0.0, 3.0]),
            },
        };
        let forms = [
            ParticleForm::Sprite,
            ParticleForm::Streak { secs: 0.5 },
            ParticleForm::Beam(Beam {
                to,
                end_width: 0.5,
                segments: 4,
                noise: 0.2,
                jumps_per_sec: 2.0,
            }),
        ];
        let emitter = Emitter {
            emission: Emission::Stream { per_sec: 9.0 },
            life_secs: [0.5, 3.0],
            birthplace: match round % 4 {
                0 => Birthplace::Ball {
                    radius: 2.0,
                    is_hollow: true,
                },
                1 => Birthplace::Box { half_extent },
                2 => Birthplace::Shell(Shell {
                    radii: [1.0, 2.0],
                    bias: direction,
                    is_half: [false, true, false],
                    offset: [offset, [0.0; 3]],
                }),
                _ => Birthplace::Disc {
                    radius: 3.0,
                    is_hollow: false,
                },
            },
            motion,
            size: Curve::line([0.5, 1.0], [2.0, 0.25]),
            size_spread: 0.5,
            leaves_trail: round % 5 == 0,
            form: forms[round / 3 % 3],
            modulations: match round % 4 {
                0 => vec![wider(Attribute::Size), wider(Attribute::Stretch)],
                _ => Vec::new(),
            },
            ..Emitter::default()
        };
        let moment = EmitterAt {
            world_from_emitter: Affine([
                [0.0, -1.5, 0.0, 5.0],
                [1.5, 0.0, 0.0, 6.0],
                [0.0, 0.0, 1.5, 7.0],
            ]),
            velocity: [1.0, 2.0, 0.0],
            ..at(f64::from(round as u32) * 0.77)
        };
        let bounds = emitter.bounds(&moment);
        for it in particles(&emitter, &moment) {
            let half = 0.5 * it.size[0].hypot(it.size[1]);
            let back = match emitter.form {
                ParticleForm::Streak { secs } => (secs * it.stretch).min(it.secs),
                _ => 0.0,
            };
            let tail = [0, 1, 2].map(|axis| it.position[axis] - it.velocity[axis] * back);
            for point in [it.position, tail] {
                let reach = difference(point, bounds.center) + half;
                assert!(reach <= bounds.radius, "{reach} of {bounds:?}: {emitter:?}");
            }
            n_found += 1;
        }
    }
    assert!(n_found > 2000, "only {n_found}");
}

#[test]
fn lives_without_end_are_too_many_and_no_overflow() {
    let endless = |emission| Emitter {
        emission,
        life_secs: [f32::MAX; 2],
        window: Some(EmitterWindow {
            start_secs: 0.0,
            duration_secs: 0.0,
            period_secs: Some(f32::MIN_POSITIVE),
        }),
        ..Emitter::default()
    };
    for emission in [
        Emission::Stream { per_sec: 1.0 },
        Emission::Bursts(vec![Burst {
            at_secs: 0.0,
            count: 1,
        }]),
    ] {
        assert_eq!(endless(emission).max_live(), u64::MAX);
    }
}
