//! What is left of lights, by numbers from the dossier's formulas.

use super::*;

fn lamp(kind: i32) -> WorldLight {
    WorldLight {
        kind,
        origin: [0.0, 0.0, 100.0],
        normal: [0.0, 0.0, -1.0],
        intensity: [1000.0, 2000.0, 4000.0],
        ..WorldLight::default()
    }
}

/// Of the first channel, at a place; 0 for none.
fn left(light: &WorldLight, place: [f32; 3]) -> f32 {
    let found = unhidden(light, place.into());
    found.map_or(0.0, |it| it.color.x)
}

#[test]
fn each_kind_falls_off_by_its_own_rule() {
    let below = [0.0; 3];
    let slanted = [100.0, 0.0, 0.0];
    let half = 0.5f32.sqrt();
    let attenuated = |attenuation| WorldLight {
        attenuation,
        ..lamp(POINT)
    };
    let spot = |exponent| WorldLight {
        stop_dots: [0.9, 0.5],
        exponent,
        ..lamp(SPOT)
    };
    let quake = WorldLight {
        attenuation: [0.0, 150.0, 0.0],
        ..lamp(QUAKE)
    };
    let ended = |radius| WorldLight {
        radius,
        ..lamp(POINT)
    };
    let edge = (half - 0.5) / 0.4;
    for (name, light, place, expected) in [
        ("surface, straight", lamp(SURFACE), below, 0.1),
        ("surface, slanted", lamp(SURFACE), slanted, half * 0.05),
        ("surface, behind", lamp(SURFACE), [0.0, 0.0, 200.0], 0.0),
        ("point, old file", lamp(POINT), below, 0.1),
        ("point, constant", attenuated([4.0, 0.0, 0.0]), below, 250.0),
        ("point, linear", attenuated([0.0, 2.0, 0.0]), below, 5.0),
        (
            "point, all",
            attenuated([100.0, 1.0, 0.01]),
            below,
            1000.0 / 300.0,
        ),
        ("point, within its radius", ended(101.0), below, 0.1),
        ("point, beyond it", ended(99.0), below, 0.0),
        (
            "point, nearer than a unit",
            lamp(POINT),
            [0.0, 0.0, 99.5],
            1000.0,
        ),
        ("spot, straight", spot(1.0), below, 0.1),
        ("spot, at its edge", spot(1.0), slanted, 0.05 * edge * half),
        (
            "spot, steeper",
            spot(2.0),
            slanted,
            0.05 * edge * edge * half,
        ),
        ("spot, old file", spot(0.0), slanted, 0.05 * edge * half),
        ("spot, outside", spot(1.0), [300.0, 0.0, 0.0], 0.0),
        ("quake", quake, below, 50_000.0),
        ("quake, beyond", quake, [0.0, 0.0, -60.0], 0.0),
        ("sun", lamp(SUN), below, 1000.0),
        ("light of all of the sky", lamp(5), below, 0.0),
    ] {
        let found = left(&light, place);
        assert!(
            (found - expected).abs() <= 1e-5 * expected,
            "{name}: {found}, {expected}"
        );
    }
}

#[test]
fn a_light_at_the_place_itself_or_nowhere_gives_none() {
    assert_eq!(unhidden(&lamp(POINT), Vec3::new(0.0, 0.0, 100.0)), None);
    for broken in [f32::NAN, f32::INFINITY] {
        let mut light = lamp(POINT);
        light.origin[0] = broken;
        assert_eq!(unhidden(&light, Vec3::ZERO), None);
        let mut light = lamp(POINT);
        light.intensity[1] = broken;
        assert_eq!(unhidden(&light, Vec3::ZERO), None);
    }
    let dark = WorldLight {
        intensity: [-5.0; 3],
        ..lamp(POINT)
    };
    assert_eq!(left(&dark, [0.0; 3]), 0.0);
}

#[test]
fn the_sun_is_looked_for_against_its_direction_and_lamps_where_they_are() {
    let sun = unhidden(&lamp(SUN), Vec3::new(5.0, 0.0, 0.0)).unwrap();
    assert_eq!(sun.direction_to_light, Vec3::Z);
    assert_eq!(sun.origin, Vec3::new(5.0, 0.0, SUN_DISTANCE));
    assert_eq!(sun.reaches_past, LightPath::Sky);
    let point = unhidden(&lamp(POINT), Vec3::ZERO).unwrap();
    assert_eq!(point.origin, Vec3::new(0.0, 0.0, 100.0));
    assert_eq!(point.reaches_past, LightPath::Free);
}

#[test]
fn a_weak_light_is_in_the_sides_that_face_it() {
    let mut cube = AmbientCube([[0.5; 3]; 6]);
    let light = DirectLight {
        direction_to_light: [0.6, 0.0, -0.8],
        color: [1.0, 2.0, 0.0],
        style: None,
    };
    add(&mut cube, &light);
    let AmbientCube([east, west, north, south, up, down]) = cube;
    assert_eq!([west, north, south, up], [[0.5; 3]; 4]);
    let expected = [[1.1, 1.7, 0.5], [1.3, 2.1, 0.5]];
    for (found, expected) in [east, down]
        .as_flattened()
        .iter()
        .zip(expected.as_flattened())
    {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

#[test]
fn styles_are_those_that_the_scene_has() {
    for (style, expected) in [
        (0, None),
        (1, Some(1)),
        (63, Some(63)),
        (64, None),
        (-1, None),
    ] {
        let light = WorldLight {
            style,
            ..lamp(POINT)
        };
        let found = unhidden(&light, Vec3::ZERO).unwrap().light(64);
        assert_eq!(found.style, expected, "{style}");
    }
}
