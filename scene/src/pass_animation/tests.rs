use super::*;

/// Phase `n` has texture `n` and colors that identify phases and channels.
fn phase(n: u32) -> PassPhase {
    let color = |channel: u32| (n * 16 + channel) as f32 / 128.0;
    PassPhase {
        texture: Some(TextureIdx(n)),
        cell: TextureCell {
            min: [n as f32 / 4.0, 0.5],
            size: [0.25; 2],
        },
        diffuse: [color(0), color(1), color(2), color(3)],
        ambient: [color(4), color(5), color(6)],
        emissive: [color(7), color(8), color(9)],
    }
}

/// Keys of phase and duration, over phases 0 to 3; nothing glides.
fn animation(mode: PhaseMode, keys: &[(u32, u32)]) -> PassAnimation {
    let keys = keys
        .iter()
        .map(|&(phase, duration_ms)| PhaseKey { phase, duration_ms });
    PassAnimation {
        phases: (0..4).map(phase).collect(),
        keys: keys.collect(),
        mode,
        glides: Glides::default(),
    }
}

fn texture_at(animation: &PassAnimation, time_ms: u32) -> u32 {
    animation.at(time_ms).texture.unwrap().0
}

const ALL_GLIDE: Glides = Glides {
    diffuse: true,
    alpha: true,
    ambient: true,
    emissive: true,
};

#[test]
fn keys_are_shown_in_order_for_their_durations() {
    use PhaseMode::{Clamp, Loop, PingPong};
    const KEYS: [(u32, u32); 3] = [(2, 10), (0, 20), (1, 5)];
    // A cycle is 35 ms.
    let rows = [
        (Loop, 0, 2),
        (Loop, 9, 2),
        (Loop, 10, 0),
        (Loop, 29, 0),
        (Loop, 30, 1),
        (Loop, 34, 1),
        (Loop, 35, 2),
        (Loop, 35 * 1000 + 30, 1),
        (PingPong, 34, 1),
        (PingPong, 35, 1),
        (PingPong, 40, 1),
        (PingPong, 41, 0),
        (PingPong, 60, 0),
        (PingPong, 61, 2),
        (PingPong, 69, 2),
        (PingPong, 70, 2),
        (PingPong, 80, 0),
        (Clamp, 9, 2),
        (Clamp, 34, 1),
        (Clamp, 35, 1),
        (Clamp, u32::MAX, 1),
    ];
    for (mode, time_ms, expected) in rows {
        let animation = animation(mode, &KEYS);
        assert_eq!(
            texture_at(&animation, time_ms),
            expected,
            "{mode:?} at {time_ms}"
        );
    }
}

#[test]
fn only_what_glides_changes_between_keys() {
    let mut gliding = animation(PhaseMode::Loop, &[(0, 100), (1, 100)]);
    let nothing_glides = gliding.at(25);
    assert_eq!(nothing_glides, phase(0));

    gliding.glides.ambient = true;
    let look = gliding.at(25);
    // A quarter of the way from phase 0 to phase 1, whose colors are 16/128 further.
    let quarter = 0.25 * 16.0 / 128.0;
    let expected = phase(0).ambient.map(|channel| channel + quarter);
    assert_eq!(
        look,
        PassPhase {
            ambient: expected,
            ..phase(0)
        }
    );

    gliding.glides = ALL_GLIDE;
    let look = gliding.at(25);
    let [r, g, b, alpha] = phase(0).diffuse;
    assert_eq!(
        look.diffuse,
        [r + quarter, g + quarter, b + quarter, alpha + quarter]
    );
    assert_eq!(
        look.emissive,
        phase(0).emissive.map(|channel| channel + quarter)
    );
    assert_eq!((look.texture, look.cell), (phase(0).texture, phase(0).cell));
    gliding.glides.alpha = false;
    assert_eq!(gliding.at(25).diffuse[3], alpha, "the key's own");
}

#[test]
fn what_comes_after_the_last_key_depends_on_the_mode() {
    let ambient_at = |mode, time_ms| {
        let mut animation = animation(mode, &[(0, 100), (1, 100)]);
        animation.glides = ALL_GLIDE;
        animation.at(time_ms).ambient[0]
    };
    let [first, last] = [phase(0), phase(1)].map(|phase| phase.ambient[0]);
    let half = (first + last) / 2.0;
    assert_eq!(ambient_at(PhaseMode::Loop, 150), half, "on to the first");
    assert_eq!(ambient_at(PhaseMode::Clamp, 150), last);
    assert_eq!(ambient_at(PhaseMode::PingPong, 150), half, "to the first,");
    assert_eq!(
        ambient_at(PhaseMode::PingPong, 250),
        half,
        "back to the last,"
    );
    assert_eq!(
        ambient_at(PhaseMode::PingPong, 350),
        half,
        "and on backward"
    );
}

#[test]
fn a_cycle_without_length_shows_the_first_key() {
    use PhaseMode::{Clamp, Loop, PingPong, Random};
    for mode in [Loop, PingPong, Clamp, Random] {
        let mut still = animation(mode, &[(2, 0), (1, 0)]);
        still.glides = ALL_GLIDE;
        for time_ms in [0, 1, u32::MAX] {
            assert_eq!(still.at(time_ms), phase(2), "{mode:?} at {time_ms}");
        }
    }
}

#[test]
fn keys_without_duration_are_passed_over() {
    let skipping = animation(PhaseMode::Loop, &[(0, 0), (1, 10), (2, 0), (3, 10)]);
    assert_eq!(
        [0, 9, 10, 19, 20].map(|t| texture_at(&skipping, t)),
        [1, 1, 3, 3, 1]
    );
}

#[test]
fn the_longest_durations_do_not_overflow() {
    for mode in [PhaseMode::Loop, PhaseMode::PingPong, PhaseMode::Clamp] {
        let long = animation(mode, &[(0, u32::MAX), (1, u32::MAX), (2, u32::MAX)]);
        assert_eq!(texture_at(&long, u32::MAX - 1), 0, "{mode:?}");
        assert_eq!(texture_at(&long, u32::MAX), 1, "{mode:?}");
    }
}

#[test]
fn random_is_the_same_again_and_shows_all_keys() {
    let random = animation(PhaseMode::Random, &[(0, 25), (1, 50), (2, 25)]);
    let shown: Vec<u32> = (0..10_000).map(|t| texture_at(&random, t)).collect();
    let again: Vec<u32> = (0..10_000).map(|t| texture_at(&random, t)).collect();
    assert_eq!(shown, again);
    for (phase, expected) in [(0, 2_500), (1, 5_000), (2, 2_500)] {
        let n_shown = shown.iter().filter(|it| **it == phase).count();
        // Four standard deviations of that many fair draws are below 200.
        assert!(n_shown.abs_diff(expected) < 200, "phase {phase}: {n_shown}");
    }
    let n_changes = shown.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(n_changes > 5_000, "it flickers: {n_changes}");
}

/// A slow clock: all milliseconds of one cycle written down, then read one at a time, forward and backward.
fn looks_by_walking(animation: &PassAnimation, n_ms: usize) -> Vec<PassPhase> {
    let keys = &animation.keys;
    let phase_of = |key: &PhaseKey| animation.phases[key.phase as usize];
    let mut line = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        let next = match (keys.get(index + 1), animation.mode) {
            (Some(next), _) => next,
            (None, PhaseMode::Loop | PhaseMode::Random | PhaseMode::PingPong) => &keys[0],
            (None, PhaseMode::Clamp) => key,
        };
        for ms in 0..key.duration_ms {
            let part = f64::from(ms) / f64::from(key.duration_ms);
            line.push(mixed(
                animation.glides,
                &phase_of(key),
                &phase_of(next),
                part,
            ));
        }
    }
    let last = phase_of(&keys[keys.len() - 1]);
    if line.is_empty() {
        return vec![phase_of(&keys[0]); n_ms];
    }
    // The moment at which the last key is over; walkers turn or stop there.
    let turn = match animation.mode {
        PhaseMode::PingPong => mixed(animation.glides, &last, &phase_of(&keys[0]), 1.0),
        PhaseMode::Loop | PhaseMode::Random | PhaseMode::Clamp => last,
    };
    line.push(turn);
    let end = line.len() - 1;
    let (mut at, mut step) = (0usize, 1isize);
    let mut looks = Vec::new();
    for _ in 0..n_ms {
        looks.push(line[at]);
        match animation.mode {
            PhaseMode::Loop | PhaseMode::Random => at = if at + 1 == end { 0 } else { at + 1 },
            PhaseMode::Clamp => at = (at + 1).min(end),
            PhaseMode::PingPong => {
                if at == end {
                    step = -1;
                } else if at == 0 {
                    step = 1;
                }
                at = at.checked_add_signed(step).expect("it turns at 0");
            }
        }
    }
    looks
}

fn mixed(glides: Glides, from: &PassPhase, to: &PassPhase, part: f64) -> PassPhase {
    let mix = |glides: bool, from: f32, to: f32| {
        let mixed = f64::from(from) * (1.0 - part) + f64::from(to) * part;
        if glides { mixed as f32 } else { from }
    };
    let rgb = |glides, from: [f32; 3], to: [f32; 3]| {
        std::array::from_fn(|channel| mix(glides, from[channel], to[channel]))
    };
    let [r, g, b, alpha] = from.diffuse;
    let [to_r, to_g, to_b, to_alpha] = to.diffuse;
    let [r, g, b] = rgb(glides.diffuse, [r, g, b], [to_r, to_g, to_b]);
    PassPhase {
        texture: from.texture,
        cell: from.cell,
        diffuse: [r, g, b, mix(glides.alpha, alpha, to_alpha)],
        ambient: rgb(glides.ambient, from.ambient, to.ambient),
        emissive: rgb(glides.emissive, from.emissive, to.emissive),
    }
}

/// Colors are compared after 1e-6, since the slow clock computes in 64 bits.
fn is_same_look(a: &PassPhase, b: &PassPhase) -> bool {
    let channels = |look: &PassPhase| [&look.diffuse[..], &look.ambient, &look.emissive].concat();
    let (of_a, of_b) = (channels(a), channels(b));
    let mut pairs = of_a.iter().zip(&of_b);
    (a.texture, a.cell) == (b.texture, b.cell) && pairs.all(|(a, b)| (a - b).abs() < 1e-6)
}

#[test]
fn every_millisecond_is_that_of_a_slow_clock() {
    let key_lists: [&[(u32, u32)]; 7] = [
        &[(1, 7)],
        &[(0, 1), (1, 1)],
        &[(0, 10), (1, 20), (2, 5), (3, 13)],
        &[(3, 4), (3, 4), (0, 9)],
        &[(0, 0), (1, 6), (2, 0), (3, 0)],
        &[(2, 0), (1, 0)],
        &[(2, 5), (1, 0), (0, 3)],
    ];
    for mode in [PhaseMode::Loop, PhaseMode::PingPong, PhaseMode::Clamp] {
        for keys in key_lists {
            for bits in 0..16u8 {
                let mut animation = animation(mode, keys);
                animation.glides = Glides {
                    diffuse: bits & 1 != 0,
                    ambient: bits & 2 != 0,
                    emissive: bits & 4 != 0,
                    alpha: bits & 8 != 0,
                };
                let expected = looks_by_walking(&animation, 200);
                for (time_ms, expected) in (0..).zip(&expected) {
                    let look = animation.at(time_ms);
                    assert!(
                        is_same_look(&look, expected),
                        "{mode:?} {keys:?} at {time_ms}: {look:?}, not {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn random_moments_are_moments_of_the_loop() {
    let mut random = animation(PhaseMode::Random, &[(0, 10), (1, 20), (2, 5)]);
    random.glides = ALL_GLIDE;
    let cycle = looks_by_walking(&random, 35);
    for time_ms in (0..1_000).chain([u32::MAX]) {
        let look = random.at(time_ms);
        assert!(
            cycle.iter().any(|moment| is_same_look(moment, &look)),
            "at {time_ms}: {look:?}"
        );
    }
}
