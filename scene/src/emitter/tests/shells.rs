//! Births between two balls, tints, and times of birth.

use super::*;

fn emitter(shell: Shell, throw: Throw) -> Emitter {
    Emitter {
        emission: Emission::Steady { count: 2000 },
        birthplace: Birthplace::Shell(shell),
        motion: Motion::Thrown(throw),
        ..Emitter::default()
    }
}

const SHELL: Shell = Shell {
    radii: [3.0, 5.0],
    bias: [1.0; 3],
    is_half: [false; 3],
    offset: [[0.0; 3]; 2],
};

/// Where each is, how fast, and how long it has lived.
fn all(emitter: &Emitter) -> Vec<Particle> {
    let found = particles(emitter, &at(7.7));
    assert_eq!(found.len(), 2000);
    found
}

#[test]
fn births_fill_the_room_between_two_balls_evenly() {
    let radii = all(&emitter(SHELL, Throw::default())).into_iter();
    let radii: Vec<_> = radii.map(|it| length(it.position)).collect();
    assert!(radii.iter().all(|it| (2.999..5.001).contains(it)));
    // Half of the room lies within the radius whose third power is the mean of theirs.
    let middle = ((27.0 + 125.0) / 2.0_f32).cbrt();
    let inside = radii.iter().filter(|it| **it < middle).count();
    assert!((900..1100).contains(&inside), "{inside}");
}

#[test]
fn biased_births_lie_where_the_bias_leaves_them() {
    let flat = Shell {
        bias: [1.0, 1.0, 0.0],
        is_half: [true, false, false],
        ..SHELL
    };
    for particle in all(&emitter(flat, Throw::default())) {
        let [x, _, z] = particle.position;
        assert!(x >= 0.0 && z == 0.0);
        assert!((2.999..5.001).contains(&length(particle.position)));
    }
}

#[test]
fn what_leaves_a_shell_flies_outward_from_its_middle_and_not_from_where_it_was_moved() {
    let moved = Shell {
        radii: [0.0; 2],
        offset: [[10.0, 0.0, 0.0], [20.0, 0.0, 0.0]],
        ..SHELL
    };
    let throw = Throw {
        outward_speed: [4.0; 2],
        extra_velocity: [[0.0, 0.0, 100.0], [0.0, 0.0, 104.0]],
        ..Throw::default()
    };
    let emitter = emitter(moved, throw);
    let bounds = emitter.bounds(&at(7.7));
    let mut sides = [0, 0];
    for particle in all(&emitter) {
        let [x, y, z] = particle.velocity;
        assert!((96.0..108.0).contains(&z));
        assert!(x.abs() <= 4.001 && y.abs() <= 4.001);
        sides[usize::from(x > 0.0)] += 1;
        let born =
            [0, 1, 2].map(|i: usize| particle.position[i] - particle.velocity[i] * particle.secs);
        assert!((9.999..20.001).contains(&born[0]), "{born:?}");
        let from_center = [0, 1, 2].map(|i: usize| particle.position[i] - bounds.center[i]);
        assert!(length(from_center) <= bounds.radius);
    }
    assert!(sides.iter().all(|it| *it > 800), "{sides:?}");
}

#[test]
fn tints_mix_colors_together_and_alpha_apart() {
    let emitter = Emitter {
        color: Curve::constant([1.0, 0.5, 1.0, 0.5]),
        tints: [[0.0, 0.0, 1.0, 0.2], [1.0, 1.0, 0.0, 1.0]],
        ..emitter(SHELL, Throw::default())
    };
    let mut apart = 0.0_f32;
    for particle in all(&emitter) {
        let [r, g, b, alpha] = particle.color;
        assert!((2.0 * g - r).abs() < 1e-6 && (1.0 - b - r).abs() < 1e-6);
        assert!((0.0999..0.5001).contains(&alpha));
        apart = apart.max((r - (alpha - 0.1) / 0.4).abs());
    }
    assert!(apart > 0.5, "alpha does not follow the color");
    let plain = Emitter {
        tints: Emitter::UNTINTED,
        ..emitter
    };
    assert!(
        all(&plain)
            .iter()
            .all(|it| it.color == [1.0, 0.5, 1.0, 0.5])
    );
}

#[test]
fn births_before_and_after_their_times_do_not_happen() {
    let stream = Emitter {
        emission: Emission::Stream { per_sec: 10.0 },
        life_secs: [4.0; 2],
        ..Emitter::default()
    };
    let born = |born_secs| {
        let at = EmitterAt {
            born_secs,
            ..at(10.0)
        };
        let found = particles(&stream, &at);
        let times = found.iter().map(|it| 10.0 - it.secs);
        let mut times: Vec<_> = times.map(|secs| (secs * 10.0).round() as i32).collect();
        times.sort_unstable();
        times
    };
    assert_eq!(born(EmitterState::EVER), (61..=100).collect::<Vec<_>>());
    assert_eq!(born([8.0, f32::INFINITY]), (80..=100).collect::<Vec<_>>());
    assert_eq!(born([8.0, 9.0]), (80..=90).collect::<Vec<_>>());
    assert_eq!(born([0.0, 5.0]), [] as [i32; 0]);
}
