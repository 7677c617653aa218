mod bounds;
mod modulations;
mod shells;
mod stepped;

use std::collections::HashMap;

use super::motion::{length, turned};
use super::random::Random;
use super::*;

/// At rest in the world, seen from its origin.
fn at(clock_secs: f64) -> EmitterAt {
    EmitterAt {
        clock_secs,
        world_from_emitter: Affine::IDENTITY,
        velocity: [0.0; 3],
        eye: [0.0; 3],
        born_secs: EmitterState::EVER,
    }
}

fn particles(emitter: &Emitter, at: &EmitterAt) -> Vec<Particle> {
    let mut found = Vec::new();
    emitter.for_each_particle(at, |particle| found.push(*particle));
    found
}

fn difference(a: [f32; 3], b: [f32; 3]) -> f32 {
    length([0, 1, 2].map(|axis| a[axis] - b[axis]))
}

fn one_burst(count: u32, motion: Motion) -> Emitter {
    Emitter {
        emission: Emission::Bursts(vec![Burst {
            at_secs: 0.0,
            count,
        }]),
        life_secs: [10.0; 2],
        motion,
        ..Emitter::default()
    }
}

fn thrown(throw: Throw) -> Motion {
    Motion::Thrown(throw)
}

#[test]
fn a_throw_leads_where_small_steps_lead() {
    for (drag_per_sec, gravity, wind) in [
        (0.0, [0.0, 0.0, -9.8], [0.0; 3]),
        (1e-6, [0.0, 0.0, -9.8], [5.0, 0.0, 0.0]),
        (0.02, [1.0, 2.0, 3.0], [0.0; 3]),
        (1.5, [0.0, 0.0, -4.0], [3.0, -2.0, 0.5]),
        (20.0, [0.0, 0.0, 6.0], [0.0, 1.0, 0.0]),
    ] {
        let emitter = one_burst(
            8,
            thrown(Throw {
                direction: [0.6, 0.0, 0.8],
                spread_rad: 1.0,
                speed: [2.0, 8.0],
                gravity,
                drag_per_sec,
                wind,
                ..Throw::default()
            }),
        );
        let mut steps = particles(&emitter, &at(0.0));
        let step = 1.0 / 4096.0;
        for index in 0..8192 {
            for it in &mut steps {
                for axis in 0..3 {
                    let pull = |v: f32| gravity[axis] - drag_per_sec * (v - wind[axis]);
                    let velocity = it.velocity[axis];
                    let middle = velocity + pull(velocity) * step * 0.5;
                    it.position[axis] += middle * step;
                    it.velocity[axis] += pull(middle) * step;
                }
            }
            if index % 1024 != 1023 {
                continue;
            }
            let secs = f64::from(index + 1) * f64::from(step);
            for (it, stepped) in particles(&emitter, &at(secs)).iter().zip(&steps) {
                // Sums of 8192 steps in f32 of lengths up to 20.
                let off = difference(it.position, stepped.position);
                assert!(off < 5e-3, "drag {drag_per_sec}, {secs} s: {off}");
                let off = difference(it.velocity, stepped.velocity);
                assert!(off < 5e-3, "drag {drag_per_sec}, {secs} s: {off}");
            }
        }
        assert_eq!(steps.len(), 8);
    }
}

#[test]
fn places_change_as_velocities_say() {
    let sway = Throw {
        speed: [1.0, 2.0],
        spread_rad: 3.0,
        outward_speed: [0.5, 1.0],
        drag_per_sec: 0.5,
        sway: [0.5, 0.25, 0.0],
        sways_per_sec: 0.7,
        ..Throw::default()
    };
    let eased = |ease| Motion::Eased {
        travel: [3.0, 0.0, 4.0],
        jitter: [1.0, 1.0, 0.0],
        ease,
    };
    let turned = Affine([
        [0.0, -2.0, 0.0, 5.0],
        [2.0, 0.0, 0.0, 6.0],
        [0.0, 0.0, 2.0, 7.0],
    ]);
    for motion in [thrown(sway), eased(1.0), eased(0.5), eased(3.0)] {
        let emitter = Emitter {
            birthplace: Birthplace::Ball {
                radius: 1.0,
                is_hollow: false,
            },
            ..one_burst(20, motion.clone())
        };
        let moment = |secs| EmitterAt {
            world_from_emitter: turned,
            ..at(secs)
        };
        let [before, now, after] = [1.99, 2.0, 2.01].map(|secs| particles(&emitter, &moment(secs)));
        for ((before, now), after) in before.iter().zip(&now).zip(&after) {
            let moved = [0, 1, 2].map(|axis| (after.position[axis] - before.position[axis]) / 0.02);
            let off = difference(moved, now.velocity);
            assert!(off < 0.01, "{motion:?}: {moved:?}, {:?}", now.velocity);
        }
        assert_eq!(now.len(), 20);
    }
}

/// All births of an emitter whose lives are equally long, the plain way: every one since long ago.
fn plainly_alive(emitter: &Emitter, now: f64) -> usize {
    let window = emitter.window;
    let mut births: Vec<f64> = Vec::new();
    match &emitter.emission {
        Emission::Stream { per_sec } => {
            births.extend((-4000..4000).map(|index| f64::from(index) / f64::from(*per_sec)));
        }
        Emission::Bursts(bursts) => {
            let start = window.map_or(0.0, |window| window.start_secs);
            let period = window.and_then(|window| window.period_secs);
            for burst in bursts {
                for repeat in 0..period.map_or(1, |_| 500) {
                    let at_secs = start + burst.at_secs + repeat as f32 * period.unwrap_or(0.0);
                    births.extend(vec![f64::from(at_secs); burst.count as usize]);
                }
            }
        }
        Emission::Steady { .. } => panic!("not plain"),
    }
    let is_open = |secs: f64| {
        window.is_none_or(|window| {
            let [start, length] = [window.start_secs, window.duration_secs].map(f64::from);
            (0..500).any(|repeat| {
                let begins =
                    start + f64::from(repeat) * f64::from(window.period_secs.unwrap_or(1e9));
                (begins..=begins + length).contains(&secs)
            })
        })
    };
    let life = f64::from(emitter.life_secs[0]);
    births.retain(|born| *born <= now && now - born < life && is_open(*born));
    births.len()
}

#[test]
fn as_many_are_alive_as_a_list_of_all_births_has() {
    let window = |start_secs, duration_secs, period_secs| EmitterWindow {
        start_secs,
        duration_secs,
        period_secs,
    };
    let bursts = vec![
        Burst {
            at_secs: 0.25,
            count: 3,
        },
        Burst {
            at_secs: 0.5,
            count: 5,
        },
    ];
    let mut n_alive = 0;
    for emission in [Emission::Stream { per_sec: 16.0 }, Emission::Bursts(bursts)] {
        for window in [
            None,
            Some(window(-1.0, 2.0, None)),
            Some(window(2.0, 1.0, Some(1.5))),
            Some(window(0.0, 0.5, Some(4.0))),
        ] {
            for life in [0.25, 2.5] {
                let emitter = Emitter {
                    emission: emission.clone(),
                    window,
                    life_secs: [life; 2],
                    ..Emitter::default()
                };
                // Between births, which are at multiples of 1/16.
                for tick in 0..400 {
                    let now = f64::from(tick) / 32.0 + 0.01;
                    let found = particles(&emitter, &at(now)).len();
                    assert_eq!(found, plainly_alive(&emitter, now), "{emitter:?} at {now}");
                    assert!(found as u64 <= emitter.max_live());
                    n_alive += found;
                }
            }
        }
    }
    assert!(n_alive > 10_000, "only {n_alive}");
}

#[test]
fn emitters_are_kept_up_to_what_a_scene_can_have() {
    let emitter = |count| Emitter {
        emission: Emission::Steady { count },
        form: ParticleForm::Dome {
            segments: 16,
            rings: 4,
        },
        ..Emitter::default()
    };
    // 2^14 domes of 64 rectangles fit.
    let mut emitters = [10_000, 7000, 6000, 1000].map(emitter).to_vec();
    assert_eq!(Emitter::keep_possible(&mut emitters), 2);
    assert_eq!(emitters, [10_000, 6000].map(emitter));
}

#[test]
fn steady_particles_are_always_as_many_and_no_two_lives_are_alike() {
    let emitter = Emitter {
        emission: Emission::Steady { count: 50 },
        birthplace: Birthplace::Box {
            half_extent: [5.0; 3],
        },
        life_secs: [0.5, 2.0],
        ..Emitter::default()
    };
    let mut places = HashMap::new();
    for tick in 0..1000 {
        let found = particles(&emitter, &at(f64::from(tick) * 0.01 - 3.0));
        assert_eq!(found.len(), 50);
        for it in found {
            places.insert(it.random, it.position);
        }
    }
    // 50 lives of 1.25 s on average in 10 s, and those at the beginning.
    assert!((400..600).contains(&places.len()), "{}", places.len());
}

#[test]
fn the_seed_alone_tells_equal_emitters_apart() {
    let emitter = Emitter {
        birthplace: Birthplace::Ball {
            radius: 3.0,
            is_hollow: false,
        },
        emission: Emission::Stream { per_sec: 50.0 },
        ..Emitter::default()
    };
    let other = Emitter {
        seed: 1,
        ..emitter.clone()
    };
    let shown = |emitter: &Emitter| particles(emitter, &at(7.5));
    assert_eq!(shown(&emitter), shown(&emitter.clone()));
    let places = shown(&emitter);
    for it in shown(&other) {
        assert!(places.iter().all(|known| known.position != it.position));
    }
}

#[test]
fn around_the_eye_particles_stay_in_the_world_when_the_eye_moves() {
    let half = [4.0, 6.0, 2.0];
    let within = Aabb {
        min: [-100.0, -100.0, -1.0],
        max: [100.0; 3],
    };
    let mut rain = Emitter {
        anchor: Anchor::Eye {
            half_extent: half,
            within: None,
        },
        emission: Emission::Steady { count: 500 },
        motion: thrown(Throw {
            speed: [30.0; 2],
            direction: [0.0, 0.0, -1.0],
            ..Throw::default()
        }),
        ..Emitter::default()
    };
    let seen_from = |rain: &Emitter, eye| {
        let found = particles(rain, &EmitterAt { eye, ..at(3.3) });
        found
            .iter()
            .map(|it| (it.random, it.position))
            .collect::<HashMap<_, _>>()
    };
    let [here, there] = [[0.0; 3], [1.0, 0.0, 0.5]].map(|eye| seen_from(&rain, eye));
    assert_eq!((here.len(), there.len()), (500, 500));
    let mut n_same = 0;
    for (random, place) in &here {
        for axis in 0..3 {
            assert!(place[axis].abs() <= half[axis] * 1.0001);
        }
        n_same += usize::from(difference(there[random], *place) < 1e-3);
    }
    // All but those in the slices that were left: 1 of 8 and 0.5 of 4.
    let share = n_same as f32 / 500.0;
    assert!((share - 7.0 / 8.0 * 3.5 / 4.0).abs() < 0.06, "{share}");

    rain.anchor = Anchor::Eye {
        half_extent: half,
        within: Some(within),
    };
    let inside = seen_from(&rain, [0.0; 3]);
    assert!(inside.len() > 300 && inside.len() < 450);
    assert!(inside.values().all(|place| place[2] >= -1.0));
}

#[test]
fn a_trail_stays_where_it_was_born() {
    let emitter = Emitter {
        emission: Emission::Stream { per_sec: 10.0 },
        life_secs: [2.0; 2],
        leaves_trail: true,
        ..Emitter::default()
    };
    // Along x at 3 units per second, at 0 at time 0.
    let moment = |secs: f64| EmitterAt {
        world_from_emitter: Affine([
            [1.0, 0.0, 0.0, 3.0 * secs as f32],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]),
        velocity: [3.0, 0.0, 0.0],
        ..at(secs)
    };
    let place_of = |secs| -> HashMap<u32, [f32; 3]> {
        let found = particles(&emitter, &moment(secs));
        found.iter().map(|it| (it.random, it.position)).collect()
    };
    let [early, late] = [5.0, 6.0].map(place_of);
    let both = early
        .iter()
        .filter_map(|(random, place)| Some((place, late.get(random)?)));
    let off: Vec<_> = both
        .map(|(early, late)| difference(*early, *late))
        .collect();
    assert!(off.len() >= 9 && off.iter().all(|it| *it < 1e-3), "{off:?}");
}

#[test]
fn turns_keep_lengths_and_lead_where_they_should() {
    let mut random = Random::new(3, [0, 0]);
    for _ in 0..200 {
        let [to, a, b] = [0; 3].map(|_| random.direction(-1.0));
        let dot = |a: [f32; 3], b: [f32; 3]| -> f32 { (0..3).map(|i| a[i] * b[i]).sum() };
        let [turned_a, turned_b] = [a, b].map(|it| turned(it, to));
        assert!((dot(a, b) - dot(turned_a, turned_b)).abs() < 1e-4, "{to:?}");
        assert!(difference(turned([0.0, 0.0, 1.0], to), to) < 1e-5);
    }
    assert_eq!(turned([1.0, 2.0, 3.0], [0.0; 3]), [1.0, 2.0, 3.0]);
    assert_eq!(turned([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]), [0.0, 0.0, -1.0]);
}

#[test]
fn throws_fill_their_cone_evenly() {
    let emitter = one_burst(
        4000,
        thrown(Throw {
            spread_rad: 0.5,
            speed: [1.0; 2],
            ..Throw::default()
        }),
    );
    let cosines: Vec<f32> = particles(&emitter, &at(0.0))
        .iter()
        .map(|it| it.velocity[2])
        .collect();
    let least = 0.5f32.cos();
    assert!(cosines.iter().all(|cosine| *cosine >= least - 1e-5));
    // The area of a cap grows evenly with the cosine: half of all are in the upper half of the range.
    let middle = (1.0 + least) / 2.0;
    let n_near = cosines.iter().filter(|cosine| **cosine > middle).count();
    // Five standard deviations of 4000 coins.
    assert!(n_near.abs_diff(2000) < 160, "{n_near}");
}

#[test]
fn curves_go_through_their_keys_and_stay_beyond_them() {
    let mut curve = Curve::through(&[(0.25, [1.0, 0.0]), (0.75, [3.0, 8.0])]);
    for (age, value) in [
        (0.0, [1.0, 0.0]),
        (0.25, [1.0, 0.0]),
        (0.5, [2.0, 4.0]),
        (0.75, [3.0, 8.0]),
        (1.0, [3.0, 8.0]),
    ] {
        assert_eq!(curve.at(age), value, "{age}");
    }
    curve.ease = 2.0;
    assert_eq!(curve.at(0.75), [2.25, 5.0], "as at 0.5625");
    curve.ease = 0.0;
    assert_eq!(curve.at(0.0), [3.0, 8.0], "the end at once");
}

#[test]
fn frames_go_on_over_the_life_or_by_the_clock() {
    let frames = SpriteFrame::grid(TextureIdx(0), 2, 2);
    assert_eq!((frames[1].min, frames[1].max), ([0.5, 0.0], [1.0, 0.5]));
    assert_eq!((frames[2].min, frames[2].max), ([0.0, 0.5], [0.5, 1.0]));
    let shown = |play, secs| {
        let emitter = Emitter {
            frames: frames.clone(),
            play,
            life_secs: [8.0; 2],
            ..one_burst(1, Motion::default())
        };
        particles(&emitter, &at(secs))[0].frame
    };
    let frames_of = |play| [0.5, 2.5, 4.5, 6.5, 7.999].map(|secs| shown(play, secs));
    assert_eq!(
        frames_of(FramePlay::OverLife { turns: 1.0 }),
        [0, 1, 2, 3, 3]
    );
    assert_eq!(
        frames_of(FramePlay::OverLife { turns: 2.0 }),
        [0, 2, 0, 2, 3]
    );
    assert_eq!(
        frames_of(FramePlay::PerSecond { rate: 1.0 }),
        [0, 2, 0, 2, 3]
    );
    let any = shown(FramePlay::AtRandom, 1.0);
    assert_eq!(frames_of(FramePlay::AtRandom), [any; 5], "chosen at birth");
}

#[test]
fn particles_fade_in_and_out_by_distance() {
    let range = ViewRange {
        near: [1.0, 3.0],
        far: [10.0, 20.0],
    };
    for (distance, share) in [
        (0.5, 0.0),
        (2.0, 0.5),
        (3.0, 1.0),
        (10.0, 1.0),
        (15.0, 0.5),
        (20.0, 0.0),
        (99.0, 0.0),
    ] {
        assert_eq!(range.share_at(distance), share, "{distance}");
        assert_eq!(ViewRange::ALL.share_at(distance), 1.0);
    }
    let far_off = EmitterAt {
        eye: [15.0, 0.0, 0.0],
        ..at(0.0)
    };
    let emitter = Emitter {
        range,
        full_age_distance: 30.0,
        color: Curve::line([0.0; 4], [1.0, 1.0, 1.0, 0.0]),
        ..one_burst(1, Motion::default())
    };
    let halfway = EmitterAt {
        clock_secs: 4.0,
        ..far_off
    };
    let [it] = particles(&emitter, &halfway)[..] else {
        panic!("one particle");
    };
    // Its age is 0.4, of which half counts at half of the distance.
    assert!((it.color[0] - 0.2).abs() < 1e-6, "{:?}", it.color);
    let gone = EmitterAt {
        eye: [20.0, 0.0, 0.0],
        ..at(4.0)
    };
    assert_eq!(particles(&emitter, &gone), []);
}

#[test]
fn hours_go_on_beyond_midnight() {
    let window = |from, to| HourWindow { from, to };
    for (window, inside, outside) in [
        (window(10.0, 14.5), [10.0, 14.25], [9.75, 14.5]),
        (window(22.0, 3.0), [22.0, 2.75], [21.75, 3.0]),
    ] {
        assert!(
            inside.iter().all(|hour| window.contains(*hour)),
            "{window:?}"
        );
        assert!(
            !outside.iter().any(|hour| window.contains(*hour)),
            "{window:?}"
        );
    }
}
