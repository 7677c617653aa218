//! Edges of leaves and fences: blended ones, and those of holes.

use image::RgbaImage;
use ironlands_renderer::{FrameState, Style};
use ironlands_scene::{Blend, Lighting, Pass, PassKind, Scene};

use crate::stage::*;

/// As leaves are drawn.
fn soft(scene: &mut Scene, color: [u8; 4]) -> Pass {
    Pass {
        kind: PassKind::SoftEdged,
        blend: Some(Blend::ALPHA),
        alpha_test: Some(0.5 / 255.0),
        ..unlit(scene, color)
    }
}

#[test]
fn edges_show_the_leaves_behind_them_whatever_is_drawn_first() {
    for is_near_first in [true, false] {
        let mut scene = empty();
        let mut walls = [(5.0, [255, 0, 0, 102]), (10.0, [0, 255, 0, 255])];
        if !is_near_first {
            walls.reverse();
        }
        for (x, color) in walls {
            let pass = soft(&mut scene, color);
            let leaves = material(&mut scene, vec![pass]);
            add_wall(&mut scene, x, leaves);
        }
        for samples in [1, 4] {
            let picture = shoot_with(&scene, &state(), samples, None).0;
            // 102 of 255 parts of red, the others green.
            assert_pixel(&picture, CENTER, [102, 153, 0], 1);
        }
    }
}

#[test]
fn soft_edges_hide_what_is_drawn_after_them() {
    let mut scene = empty();
    let pass = soft(&mut scene, [255, 0, 0, 102]);
    let leaves = material(&mut scene, vec![pass]);
    add_wall(&mut scene, 5.0, leaves);
    let water = Pass {
        kind: PassKind::Water,
        ..unlit(&mut scene, [0, 0, 255, 255])
    };
    let water = material(&mut scene, vec![water]);
    add_wall(&mut scene, 10.0, water);
    let [r, g, b] = BACKGROUND.map(|it| f32::from(it) * 0.6);
    let expected = [r + 102.0, g, b].map(|it| it.round() as u8);
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
}

/// A red plate with alpha from nothing at the left to everything at the right, tested for 0.43.
fn plate_with_edge() -> Scene {
    let mut scene = empty();
    let pixels = [[255, 0, 0, 0], [255, 0, 0, 255]].concat();
    let pass = Pass {
        texture: Some(texture(&mut scene, [2, 1], pixels)),
        lighting: Lighting::Unlit,
        alpha_test: Some(0.43),
        ..Pass::default()
    };
    let plate = material(&mut scene, vec![pass]);
    add_wall(&mut scene, 10.0, plate);
    scene
}

/// Pixels of neither the plate nor what is behind it.
fn n_mixed(picture: &RgbaImage) -> usize {
    let [red, _, _] = BACKGROUND;
    let is_mixed = |red_here: u8| red_here > red + 10 && red_here < 245;
    picture.pixels().filter(|it| is_mixed(it.0[0])).count()
}

#[test]
fn edges_of_holes_cover_pixels_in_part_in_the_enhanced_style() {
    let scene = plate_with_edge();
    let enhanced = FrameState {
        style: Style::Enhanced,
        ..state()
    };
    let plain = state();
    let mut jagged = enhanced.clone();
    jagged.switches.smooth_cutouts = false;
    for (state, samples, expected) in [
        // A column of pixels lies on the edge.
        (&enhanced, 4, SIZE[1] as usize),
        (&enhanced, 1, 0),
        (&jagged, 4, 0),
        (&plain, 4, 0),
    ] {
        let picture = shoot_with(&scene, state, samples, None).0;
        assert_eq!(n_mixed(&picture), expected, "{:?}, {samples}", state.style);
        assert_pixel(&picture, [SIZE[0] - 1, 5], [255, 0, 0], 0);
        assert_pixel(&picture, [0, 5], BACKGROUND, 0);
    }
}
