//! Bloom, around a small lamp before a dark wall.

use ironlands_renderer::{FrameState, Style, Switches};
use ironlands_scene::{Pass, Scene};

use super::stage::{
    CENTER, add_quad, add_wall, assert_pixel, empty, gray, material, shoot_with, state, unlit,
};

const DARK: u8 = 20;
/// Beside the lamp, and far from it.
const BESIDE: [u32; 2] = [44, 24];
const FAR: [u32; 2] = [70, 2];

/// A lamp at a distance, before or behind a dark wall 10 ahead.
fn scene(x: f32, glows: bool) -> Scene {
    let mut scene = empty();
    let dark = unlit(&mut scene, gray(DARK));
    let dark = material(&mut scene, vec![dark]);
    add_wall(&mut scene, 10.0, dark);
    let lamp = Pass {
        glows,
        ..unlit(&mut scene, gray(255))
    };
    let lamp = material(&mut scene, vec![lamp]);
    let half = x * 0.08;
    let corners = [[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]
        .map(|[right, down]| [x, -right * half, -down * half]);
    add_quad(&mut scene, corners, [-1.0, 0.0, 0.0], lamp);
    scene
}

fn enhanced() -> FrameState {
    FrameState {
        style: Style::Enhanced,
        ..state()
    }
}

fn brightness(scene: &Scene, state: &FrameState, at: [u32; 2]) -> [u8; 2] {
    [1, 4].map(|n_samples| {
        let (picture, _) = shoot_with(scene, state, n_samples, None);
        picture.get_pixel(at[0], at[1]).0[0]
    })
}

#[test]
fn light_spreads_around_what_glows() {
    let lamp = scene(5.0, true);
    for beside in brightness(&lamp, &enhanced(), BESIDE) {
        assert!(
            (DARK + 8..160).contains(&beside),
            "{beside} beside the lamp"
        );
    }
    for far in brightness(&lamp, &enhanced(), FAR) {
        assert!(far < DARK + 12, "{far} far from it");
    }
    let (picture, _) = shoot_with(&lamp, &enhanced(), 1, None);
    assert_pixel(&picture, CENTER, [255; 3], 0);
}

#[test]
fn what_is_only_bright_or_hidden_or_switched_off_does_not_bloom() {
    let off = FrameState {
        switches: Switches {
            bloom: false,
            ..state().switches
        },
        ..enhanced()
    };
    for (scene, state) in [
        (scene(5.0, false), enhanced()),
        (scene(12.0, true), enhanced()),
        (scene(5.0, true), off),
        (scene(5.0, true), state()),
    ] {
        assert_eq!(brightness(&scene, &state, BESIDE), [DARK; 2]);
    }
}
