//! Exposure that follows the picture, bloom around what is bright, and tables of colors.

use ironlands_renderer::{FrameState, Style, Switches};
use ironlands_scene::{
    AutoExposure, ColorCorrection, ColorTable, CorrectionPlace, Lighting, Lightmap, Pass, PassKind,
    Scene,
};

use crate::baked::{display, light_texture, linear, wall_of};
use crate::stage::*;

const EXPOSURE: AutoExposure = AutoExposure {
    min: 0.5,
    max: 2.0,
    bright_share: 0.02,
    bright_target: 0.6,
    min_mean: 0.03,
    rate: 1.0,
    fall_factor: 3.0,
    bloom: 0.0,
};
/// Brightness is counted in 256 steps, and what is bright is anywhere in its step: exposure settles to within one.
const COUNTED: u8 = 2;

/// A white wall under some light.
fn lit_wall(light: f32) -> Scene {
    let mut scene = empty();
    let pass = Pass {
        texture: Some(solid(&mut scene, gray(255))),
        lighting: Lighting::Lightmap,
        lightmap: Some(Lightmap {
            texture: light_texture(&mut scene, &[[light; 3]]),
            styles: vec![0],
            normal_map: None,
        }),
        ..Pass::default()
    };
    Scene {
        auto_exposure: Some(EXPOSURE),
        ..wall_of(scene, vec![pass])
    }
}

fn shown(light: f64) -> [u8; 3] {
    [display(light); 3]
}

#[test]
fn exposure_settles_where_what_is_bright_has_its_target() {
    for (light, expected) in [
        (0.6, 0.6),
        (0.4, 0.6),
        // Within its bounds.
        (0.1, 0.2),
        (0.8, 0.6),
        // Whiter than white at first.
        (1.1, 0.6),
        (1.5, 0.75),
    ] {
        let scene = lit_wall(light);
        for samples in [1, 4] {
            let (picture, _) = shoot_with(&scene, &state(), samples, None);
            assert_pixel(&picture, CENTER, shown(expected), COUNTED);
        }
    }
}

#[test]
fn exposure_follows_nothing_where_it_is_switched_off() {
    let off = FrameState {
        switches: Switches {
            auto_exposure: false,
            ..state().switches
        },
        ..state()
    };
    assert_pixel(&shoot(&lit_wall(0.1), &off), CENTER, shown(0.1), 1);
}

#[test]
fn exposure_gets_used_to_what_it_sees_in_time() {
    let scene = lit_wall(3.0);
    let frame = |lightmap, exposure_secs| FrameState {
        exposure_secs,
        switches: Switches {
            lightmap,
            ..state().switches
        },
        ..state()
    };
    // Three times as bright as white needs 0.5, the least. Then the light is that of white, which needs 0.6: a part of
    // the way after each frame, in which it is shown as before.
    let states = [
        frame(true, Some(0.5)),
        frame(false, Some(0.5)),
        frame(false, Some(1e9)),
        frame(false, Some(0.5)),
    ];
    let pictures = shoot_each(&scene, &states);
    let part = 1.0 - (-0.5f64).exp();
    let expected = [1.0, 0.5, 0.5 + 0.1 * part, 0.6];
    for (picture, light) in pictures.iter().zip(expected) {
        assert_pixel(picture, CENTER, shown(light), COUNTED);
    }
}

#[test]
fn colors_without_light_of_their_own_follow_exposure_and_multipliers_do_not() {
    let twice = AutoExposure {
        min: 2.0,
        max: 2.0,
        ..EXPOSURE
    };
    let mut scene = passes_on_wall(&[(PassKind::Base, [60, 90, 30, 255], None)]);
    let plain = shoot(&scene, &state());
    assert_pixel(&plain, CENTER, [60, 90, 30], 0);
    scene.auto_exposure = Some(twice);
    let brighter = [60, 90, 30].map(|c| display(2.0 * linear(c)));
    assert_pixel(&shoot(&scene, &state()), CENTER, brighter, 1);
    // Half of it, by a layer that multiplies.
    let mut scene = passes_on_wall(&[
        (PassKind::Base, [60, 90, 30, 255], None),
        (
            PassKind::Decal,
            gray(64),
            Some(ironlands_scene::Blend::MODULATE_2X),
        ),
    ]);
    scene.auto_exposure = Some(twice);
    let halved = brighter.map(|c| (f32::from(c) * 128.0 / 255.0).round() as u8);
    assert_pixel(&shoot(&scene, &state()), CENTER, halved, 1);
}

#[test]
fn what_is_bright_blooms_in_any_style() {
    // A bright wall to the left, and a dark one behind everything.
    let scene = |bloom| {
        let mut scene = passes_on_wall(&[(PassKind::Base, gray(20), None)]);
        let bright = unlit(&mut scene, gray(255));
        let bright = material(&mut scene, vec![bright]);
        let corners = [
            [5.0, 9.0, -9.0],
            [5.0, 1.0, -9.0],
            [5.0, 1.0, 9.0],
            [5.0, 9.0, 9.0],
        ];
        add_quad(&mut scene, corners, [-1.0, 0.0, 0.0], bright);
        scene.auto_exposure = Some(AutoExposure {
            min: 1.0,
            max: 1.0,
            bloom,
            ..EXPOSURE
        });
        scene
    };
    for style in [Style::Faithful, Style::Enhanced] {
        let state = FrameState { style, ..state() };
        let beside = |scene: &Scene| shoot(scene, &state).get_pixel(CENTER[0], CENTER[1]).0[0];
        assert_eq!(beside(&scene(0.0)), 20);
        let [once, twice] = [1.0, 2.0].map(|bloom| beside(&scene(bloom)));
        assert!(once > 22 && twice > once + 2, "{style:?}: {once} {twice}");
    }
}

/// Each color becomes what is missing of it to white.
fn negative() -> ColorTable {
    let mut table = ColorTable::identity(32);
    for color in table.entries.as_flattened_mut() {
        *color = 255 - *color;
    }
    table
}

fn corrected(place: CorrectionPlace, weight: f32) -> Scene {
    let mut scene = passes_on_wall(&[(PassKind::Base, [200, 120, 10, 255], None)]);
    scene.color_tables = vec![ColorTable::identity(4), negative()];
    scene.color_corrections = vec![ColorCorrection {
        table: 1,
        weight,
        place,
        is_exclusive: false,
    }];
    scene
}

#[test]
fn tables_change_colors_as_far_as_they_have_a_weight() {
    let ball = CorrectionPlace::Ball {
        center: [0.0, 30.0, 0.0],
        full_within: 20.0,
        none_beyond: 40.0,
    };
    let away = CorrectionPlace::Ball {
        center: [0.0, 90.0, 0.0],
        full_within: 20.0,
        none_beyond: 40.0,
    };
    for (place, weight, expected) in [
        (CorrectionPlace::Everywhere, 1.0, [55, 135, 245]),
        (CorrectionPlace::Everywhere, 0.25, [164, 124, 69]),
        // Half of its weight.
        (ball, 1.0, [128, 128, 128]),
        (away, 1.0, [200, 120, 10]),
    ] {
        let scene = corrected(place, weight);
        for samples in [1, 4] {
            let (picture, _) = shoot_with(&scene, &state(), samples, None);
            assert_pixel(&picture, CENTER, expected, 1);
        }
    }
    let off = FrameState {
        switches: Switches {
            color_correction: false,
            ..state().switches
        },
        ..state()
    };
    let scene = corrected(CorrectionPlace::Everywhere, 1.0);
    assert_pixel(&shoot(&scene, &off), CENTER, [200, 120, 10], 0);
}

#[test]
fn frames_that_are_enlarged_are_graded_too() {
    let state = FrameState {
        style: Style::Enhanced,
        resolution: ironlands_renderer::ResolutionScale::LEAST,
        ..state()
    };
    let scene = corrected(CorrectionPlace::Everywhere, 1.0);
    assert_pixel(&shoot(&scene, &state), CENTER, [55, 135, 245], 1);
}
