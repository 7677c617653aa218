//! Motion in steps, against closed forms and against other integrators with far smaller steps.

use glam::DVec3;

use super::*;

const STEP_SECS: f32 = 1.0 / 64.0;

fn stepped(throw: Throw, forces: Vec<Force>, constraints: Vec<Constraint>) -> Motion {
    Motion::Stepped(Stepped {
        throw,
        step_secs: STEP_SECS,
        forces,
        constraints,
        reach: 1.0e4,
    })
}

/// One particle that is born at a place, and leaves it with a velocity.
fn one_from(place: [f32; 3], velocity: [f32; 3], motion: impl Fn(Throw) -> Motion) -> Emitter {
    let throw = Throw {
        extra_velocity: [velocity; 2],
        ..Throw::default()
    };
    Emitter {
        birthplace: Birthplace::Shell(Shell {
            radii: [0.0; 2],
            bias: [1.0; 3],
            is_half: [false; 3],
            offset: [place; 2],
        }),
        ..one_burst(1, motion(throw))
    }
}

fn the_one(emitter: &Emitter, secs: f64) -> Particle {
    particles(emitter, &at(secs))[0]
}

#[test]
fn without_forces_steps_lead_where_a_throw_leads() {
    for (drag_per_sec, tolerance) in [(0.0, 2e-3), (0.8, 2e-3)] {
        let throw = Throw {
            speed: [2.0, 8.0],
            spread_rad: 1.0,
            gravity: [1.0, 2.0, -9.8],
            drag_per_sec,
            sway: [0.5, 0.0, 0.2],
            sways_per_sec: 0.7,
            ..Throw::default()
        };
        let turned = EmitterAt {
            world_from_emitter: Affine([
                [0.0, -2.0, 0.0, 5.0],
                [2.0, 0.0, 0.0, 6.0],
                [0.0, 0.0, 2.0, 7.0],
            ]),
            ..at(2.3)
        };
        let plain = particles(&one_burst(20, thrown(throw)), &turned);
        let stepped = particles(&one_burst(20, stepped(throw, vec![], vec![])), &turned);
        assert_eq!((plain.len(), stepped.len()), (20, 20));
        for (plain, stepped) in plain.iter().zip(&stepped) {
            let off = difference(plain.position, stepped.position);
            assert!(off < tolerance, "drag {drag_per_sec}: {off}");
            let off = difference(plain.velocity, stepped.velocity);
            // Of a step, and not of its end.
            assert!(off < 0.5, "drag {drag_per_sec}: {off}");
        }
    }
}

/// Where an acceleration leads that depends on the place alone: Runge and Kutta's method, 4096 steps a second.
fn integrated(place: [f32; 3], velocity: [f32; 3], secs: u32, a: impl Fn(DVec3) -> DVec3) -> DVec3 {
    let step = 1.0 / 4096.0;
    let wide = |it: [f32; 3]| DVec3::from(it.map(f64::from));
    let (mut x, mut v) = (wide(place), wide(velocity));
    for _ in 0..secs * 4096 {
        let (k1, l1) = (v, a(x));
        let (k2, l2) = (v + l1 * step / 2.0, a(x + k1 * step / 2.0));
        let (k3, l3) = (v + l2 * step / 2.0, a(x + k2 * step / 2.0));
        let (k4, l4) = (v + l3 * step, a(x + k3 * step));
        x += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * step / 6.0;
        v += (l1 + l2 * 2.0 + l3 * 2.0 + l4) * step / 6.0;
    }
    x
}

#[test]
fn forces_lead_where_small_steps_lead() {
    let (place, velocity) = ([8.0, 1.0, 2.0], [0.0, 3.0, 0.5]);
    let center = [1.0, 0.5, 0.0];
    let middle = DVec3::new(1.0, 0.5, 0.0);
    let pull = |falloff: i32| {
        move |x: DVec3| {
            let way = middle - x;
            way.normalize() * 40.0 / way.length().powi(falloff)
        }
    };
    let check = |force: Force, a: &dyn Fn(DVec3) -> DVec3, tolerance: f64| {
        let emitter = one_from(place, velocity, |throw| stepped(throw, vec![force], vec![]));
        let found = the_one(&emitter, 3.0).position.map(f64::from);
        let expected = integrated(place, velocity, 3, a);
        let off = DVec3::from(found).distance(expected);
        assert!(off < tolerance, "{force:?}: {found:?}, {expected}");
    };
    for falloff in [0, 1, 2] {
        let force = Force::Pull {
            to: center,
            strength: 40.0,
            falloff: falloff as f32,
        };
        // Without a falloff it turns around at the middle, where the force jumps.
        check(force, &pull(falloff), if falloff == 0 { 3.0 } else { 0.1 });
    }
    let twist = Force::Twist {
        center,
        axis: [0.0, 0.6, 0.8],
        strength: 4.0,
    };
    let axis = DVec3::new(0.0, 0.6, 0.8);
    check(twist, &|x| axis.cross(x - middle).normalize() * 4.0, 0.1);
    let layered = Force::Layered {
        point: center,
        normal: [1.0, 0.0, 0.0],
        distances: [2.0, 10.0],
        accelerations: [[0.0, 0.0, 4.0], [-2.0, 0.0, 0.0]],
    };
    let by_layer = |x: DVec3| {
        let share = (((x.x - 1.0).abs() - 2.0) / 8.0).clamp(0.0, 1.0);
        DVec3::new(-2.0 * share, 0.0, 4.0 * (1.0 - share))
    };
    check(layered, &by_layer, 0.1);
}

#[test]
fn a_force_of_its_time_is_that_of_the_window() {
    let force = Force::Timed {
        secs: [1.0, 1.0],
        accelerations: [[0.0; 3], [0.0, 0.0, 2.0]],
    };
    let emitter = Emitter {
        window: Some(EmitterWindow {
            start_secs: 5.0,
            duration_secs: 0.0,
            period_secs: None,
        }),
        ..one_from([0.0; 3], [0.0; 3], |throw| {
            stepped(throw, vec![force], vec![])
        })
    };
    assert_eq!(the_one(&emitter, 5.9).position, [0.0; 3]);
    let [_, _, z] = the_one(&emitter, 8.0).position;
    // Two seconds at 2; it may begin a step late.
    assert!((z - 4.0).abs() < 4.0 * STEP_SECS, "{z}");
}

#[test]
fn forces_at_random_differ_and_repeat() {
    let force = Force::Random {
        least: [-50.0, 0.0, 4.0],
        greatest: [50.0, 0.0, 4.0],
    };
    let emitter = one_burst(400, stepped(Throw::default(), vec![force], vec![]));
    let found = particles(&emitter, &at(2.0));
    assert_eq!(found, particles(&emitter, &at(2.0)));
    let mut places: Vec<_> = found.iter().map(|it| it.position[0]).collect();
    for particle in &found {
        let [_, y, z] = particle.position;
        assert!(
            y == 0.0 && (z - 8.0).abs() < 1e-3,
            "{:?}",
            particle.position
        );
    }
    // 128 steps of variance (100^2 / 12) h^4, each of which leads on for the steps that are left.
    let one: f64 = 1.0e4 / 12.0 * f64::from(STEP_SECS).powi(4);
    let variance: f64 = (1..=128).map(|left| one * f64::from(left * left)).sum();
    let measured = places.iter().map(|x| f64::from(x * x)).sum::<f64>() / 400.0;
    assert!(
        (0.8..1.25).contains(&(measured / variance)),
        "{measured} {variance}"
    );
    places.dedup();
    assert_eq!(places.len(), 400);
}

#[test]
fn turbulence_is_smooth_and_bounded() {
    let noise_at = |x: f32| random::noise(glam::Vec3::new(x, 0.3, -7.7));
    let mut previous = noise_at(-3.0);
    let (mut least, mut greatest) = (0.0f32, 0.0f32);
    for index in 1..=60_000 {
        let now = noise_at(-3.0 + index as f32 * 1e-3);
        // The steepest of a smooth step between -1 and 1.
        assert!((now - previous).abs() <= 3.1e-3, "at {index}");
        (least, greatest) = (least.min(now), greatest.max(now));
        previous = now;
    }
    assert!((-1.0..-0.5).contains(&least) && (0.5..=1.0).contains(&greatest));
    let force = Force::Turbulence {
        scale: 0.5,
        strength: [8.0; 3],
    };
    let flown = particles(
        &Emitter {
            birthplace: Birthplace::Box {
                half_extent: [20.0; 3],
            },
            ..one_burst(50, stepped(Throw::default(), vec![force], vec![]))
        },
        &at(1.0),
    );
    assert!(
        flown
            .iter()
            .all(|it| length(it.velocity) <= 8.0 * 3f32.sqrt())
    );
    let moved = flown.iter().filter(|it| length(it.velocity) > 0.5).count();
    assert!(moved > 40, "{moved}");
}

#[test]
fn constraints_hold() {
    let cloud = |constraint: Constraint| Emitter {
        birthplace: Birthplace::Ball {
            radius: 3.0,
            is_hollow: false,
        },
        ..one_burst(
            100,
            stepped(
                Throw {
                    spread_rad: 3.0,
                    speed: [2.0, 9.0],
                    gravity: [0.0, 0.0, -6.0],
                    ..Throw::default()
                },
                vec![],
                vec![constraint],
            ),
        )
    };
    let ends = [[0.0, 0.0, 1.0], [4.0, 0.0, 1.0]];
    let from_segment = |[x, y, z]: [f32; 3]| {
        let nearest = x.clamp(0.0, 4.0);
        length([x - nearest, y, z - 1.0])
    };
    let plane = |kept: [f32; 2]| Constraint::Plane {
        point: [0.0, 0.0, -4.0],
        normal: [0.0, 0.0, 1.0],
        kept,
        is_deadly: false,
    };
    type Holds<'a> = &'a dyn Fn(&Particle) -> bool;
    let cases: [(Constraint, Holds<'_>); 4] = [
        (Constraint::Speed { most: 3.0 }, &|it| {
            length(it.velocity) < 3.001
        }),
        (
            Constraint::Distance {
                ends,
                range: [1.0, 5.0],
            },
            // Between two steps it is on the straight line from one to the other.
            &|it| (0.95..5.001).contains(&from_segment(it.position)),
        ),
        (plane([0.5, 0.9]), &|it| it.position[2] > -4.001),
        (plane([0.0, 1.0]), &|it| it.position[2] > -4.001),
    ];
    for (constraint, holds) in cases {
        let emitter = cloud(constraint);
        for secs in [0.1, 0.7, 1.5, 3.0] {
            let found = particles(&emitter, &at(secs));
            assert_eq!(found.len(), 100);
            // The first step of what is born outside leads inside.
            let wrong = found.iter().find(|it| !holds(it));
            assert!(wrong.is_none(), "{constraint:?} at {secs}: {wrong:?}");
        }
    }
    let deadly = Constraint::Plane {
        point: [0.0, 0.0, -4.0],
        normal: [0.0, 0.0, 1.0],
        kept: [0.0; 2],
        is_deadly: true,
    };
    let left = |secs| particles(&cloud(deadly), &at(secs)).len();
    assert!(left(0.0) == 100 && (1..100).contains(&left(1.5)) && left(6.0) == 0);
}

#[test]
fn a_plane_returns_what_it_keeps() {
    let bouncing = one_from([0.0, 0.0, 2.0], [3.0, 0.0, -4.0], |throw| {
        let plane = Constraint::Plane {
            point: [0.0; 3],
            normal: [0.0, 0.0, 1.0],
            kept: [0.5, 0.25],
            is_deadly: false,
        };
        stepped(throw, vec![], vec![plane])
    });
    assert_eq!(the_one(&bouncing, 0.25).velocity, [3.0, 0.0, -4.0]);
    let off = difference(the_one(&bouncing, 1.0).velocity, [0.75, 0.0, 2.0]);
    assert!(off < 1e-3, "{off}");
}

#[test]
fn turns_and_slow_places() {
    let turned = one_from([3.0, 0.0, 1.0], [0.0; 3], |throw| {
        let turn = Constraint::Turn {
            center: [1.0, 0.0, 0.0],
            axis: [0.0, 0.0, 1.0],
            rad_per_sec: 2.0,
        };
        stepped(throw, vec![], vec![turn])
    });
    let (sin, cos) = 3f32.sin_cos();
    let off = difference(
        the_one(&turned, 1.5).position,
        [1.0 + 2.0 * cos, 2.0 * sin, 1.0],
    );
    assert!(off < 1e-3, "{off}");
    let slowed = one_from([4.0, 0.0, 0.0], [-2.0, 0.0, 0.0], |throw| {
        let slow = Constraint::Slow {
            center: [0.0; 3],
            radius: 4.0,
        };
        stepped(throw, vec![], vec![slow])
    });
    let (mut expected, mut way) = (4.0, -2.0 / 64.0);
    for _ in 0..192 {
        way *= (expected + way) / 4.0;
        expected += way;
    }
    let [x, _, _] = the_one(&slowed, 3.0).position;
    assert!((f64::from(x) - expected).abs() < 1e-3, "{x} {expected}");
}

#[test]
fn what_is_out_of_reach_is_not_shown() {
    let far = |reach: f32| {
        let mut emitter = one_from([0.0; 3], [10.0, 0.0, 0.0], |throw| {
            stepped(throw, vec![], vec![])
        });
        if let Motion::Stepped(stepped) = &mut emitter.motion {
            stepped.reach = reach;
        }
        particles(&emitter, &at(2.0)).len()
    };
    assert_eq!((far(19.9), far(20.1)), (0, 1));
}

#[test]
fn old_particles_stay_where_they_are() {
    let emitter = Emitter {
        life_secs: [1.0e5; 2],
        ..one_from([0.0; 3], [1.0, 0.0, 0.0], |throw| {
            stepped(throw, vec![], vec![])
        })
    };
    let end = Stepped::MAX_STEPS as f32 * STEP_SECS;
    for secs in [f64::from(end) + 1.0, 9.0e4] {
        let [x, _, _] = the_one(&emitter, secs).position;
        assert!((x - end).abs() < 0.05, "{x}");
    }
    assert_eq!(the_one(&emitter, 9.0e4).velocity, [0.0; 3]);
    let steps = u64::from(Stepped::MAX_STEPS) + 1;
    assert_eq!(emitter.step_cost(), steps);
}
