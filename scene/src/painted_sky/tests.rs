use std::f32::consts::PI;

use super::*;

/// A sun from 4:00 to 16:00 over the east, a moon from 20:00 to 2:00 over the south.
fn sky() -> PaintedSky {
    let body = |hours, arc, angles_rad| SkyBody {
        frame: SpriteFrame::default(),
        hours,
        arc,
        angles_rad,
    };
    let key = |hour, level: f32| PaintedKey {
        hour,
        colors: PaintedColors {
            rings: [[[level; 4]; N_COMPASS]; N_SKY_RINGS],
            sun: [level; 3],
            flare: 0.5,
            fog_range: [level, 10.0 + level],
            ..PaintedColors::default()
        },
    };
    let hours = |from, to| HourWindow { from, to };
    PaintedSky {
        keys: vec![key(6.0, 0.0), key(18.0, 1.0)],
        span_rad: 0.75,
        bodies: vec![
            body(
                hours(4.0, 16.0),
                [[0.0, -1.0, 0.0], [0.6, 0.0, 0.8]],
                [0.0, PI],
            ),
            body(
                hours(20.0, 2.0),
                [[-1.0, 0.0, 0.0], [0.0, -0.6, 0.8]],
                [-0.1 * PI, 1.1 * PI],
            ),
        ],
        flare: Some(LensFlare {
            spots: Vec::new(),
            reach_rad: 0.25,
            heights: [0.4, 0.8],
            least: 0.1,
        }),
        ..PaintedSky::default()
    }
}

fn is_near(found: [f32; 3], expected: [f32; 3]) -> bool {
    found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() < 1e-5)
}

#[test]
fn colors_lie_between_those_of_two_hours_also_around_midnight() {
    for (hour, level) in [
        (6.0, 0.0),
        (9.0, 0.25),
        (18.0, 1.0),
        (21.0, 0.75),
        (3.0, 0.25),
    ] {
        let colors = sky().at(hour);
        assert!(is_near(colors.sun, [level; 3]), "{hour}: {colors:?}");
        assert!((colors.fog_range[1] - 10.0 - level).abs() < 1e-5, "{hour}");
    }
}

#[test]
fn light_comes_from_the_body_in_the_sky_or_from_where_the_last_has_gone() {
    let at = |hour| sky().direction_to_light(hour);
    assert!(is_near(at(4.0), [0.0, -1.0, 0.0]), "it rises");
    assert!(is_near(at(10.0), [0.6, 0.0, 0.8]), "highest");
    assert!(is_near(at(23.0), [0.0, -0.6, 0.8]), "the moon");
    // Nothing from 16:00 to 20:00 and from 2:00 to 4:00.
    assert!(is_near(at(18.0), [0.0, 1.0, 0.0]), "where the sun has set");
    let set = at(3.0);
    assert!(set[2] < -0.2, "the moon is below the horizon: {set:?}");
    let empty = PaintedSky {
        bodies: Vec::new(),
        ..sky()
    };
    assert_eq!(empty.direction_to_light(3.0), [0.0, 0.0, 1.0]);
}

#[test]
fn the_horizon_has_a_color_for_each_direction() {
    let mut colors = PaintedColors::default();
    colors.rings[N_SKY_RINGS - 1] = std::array::from_fn(|i| [i as f32, 0.0, 0.0, 1.0]);
    for (forward, red) in [
        ([0.0, 1.0, 0.0], 0.0),
        ([1.0, 0.0, -0.5], 1.0),
        ([0.0, -1.0, 0.0], 2.0),
        ([-1.0, 0.0, 0.0], 3.0),
        ([1.0, 1.0, 0.0], 0.5),
        // From the last to the first.
        ([-1.0, 1.0, 0.0], 1.5),
    ] {
        let [found, ..] = colors.horizon_toward(forward);
        assert!((found - red).abs() < 1e-5, "{forward:?}: {found}");
    }
    assert_eq!(colors.mean_horizon(), [1.5, 0.0, 0.0]);
}

#[test]
fn a_camera_that_looks_at_a_high_sun_is_dazzled() {
    let toward = sky().direction_to_light(10.0);
    assert!((sky().flare_strength(10.0, toward) - 0.5).abs() < 1e-5);
    // Half of the reach off the axis: a quarter of it, which is above the least.
    let (sin, cos) = 0.125f32.sin_cos();
    let beside = [toward[0] * cos, sin, toward[2] * cos];
    assert!((sky().flare_strength(10.0, beside) - 0.125).abs() < 1e-4);
    let (sin, cos) = 0.2f32.sin_cos();
    let far_off = [toward[0] * cos, sin, toward[2] * cos];
    assert_eq!(sky().flare_strength(10.0, far_off), 0.0, "too weak");
    let low = sky().direction_to_light(5.0);
    assert!(low[2] < 0.4);
    assert_eq!(sky().flare_strength(5.0, low), 0.0, "too low");
    let own = Atmosphere {
        sun: Sun::default(),
        sky: Sky::default(),
        fog: None,
    };
    let plain = sky().atmosphere(&own, 10.0);
    let seen = sky().seen_along(plain, 10.0, toward);
    assert!((seen.sun.color[0] - 3.0 * plain.sun.color[0]).abs() < 1e-5);
    let away = sky().seen_along(plain, 10.0, toward.map(|it| -it));
    assert_eq!(away.sun, plain.sun);
}
