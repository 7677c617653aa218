//! Surfaces that bend what is behind them.

use ironlands_renderer::{FrameState, Style};
use ironlands_scene::{Blend, Lighting, Pass, PassKind, Refraction, Scene};

use crate::stage::*;

/// To the left of the line of sight, and to its right.
const LEFT: [u8; 4] = [200, 100, 0, 255];
const RIGHT: [u8; 4] = [0, 100, 200, 255];
/// What is behind times the tint of the pane.
const BENT_LEFT: [u8; 3] = [200, 50, 0];
const BENT_RIGHT: [u8; 3] = [0, 50, 200];
/// A little to the left of the middle.
const HERE: [u32; 2] = [CENTER[0] - 3, CENTER[1]];

/// A wall of two colors behind a pane whose normals all lean to the right.
fn pane(bend: f32) -> Scene {
    let mut scene = empty();
    for (color, y) in [(LEFT, [0.0, 60.0]), (RIGHT, [-60.0, 0.0])] {
        let pass = unlit(&mut scene, color);
        let wall = material(&mut scene, vec![pass]);
        add_quad(&mut scene, facing(20.0, y), [-1.0, 0.0, 0.0], wall);
    }
    let normals = texture(&mut scene, [1, 1], vec![255, 128, 128, 255]);
    let pass = Pass {
        kind: PassKind::Refracting,
        refraction: Some(Refraction { normals, bend }),
        diffuse: [1.0, 0.5, 1.0, 1.0],
        lighting: Lighting::Unlit,
        blend: Some(Blend::MODULATE),
        depth_write: false,
        ..Pass::default()
    };
    let glass = material(&mut scene, vec![pass]);
    add_quad(
        &mut scene,
        facing(10.0, [-30.0, 30.0]),
        [-1.0, 0.0, 0.0],
        glass,
    );
    scene
}

/// Across the line of sight.
fn facing(x: f32, [right, left]: [f32; 2]) -> [[f32; 3]; 4] {
    [
        [x, left, -40.0],
        [x, right, -40.0],
        [x, right, 40.0],
        [x, left, 40.0],
    ]
}

fn states() -> [FrameState; 2] {
    [Style::Faithful, Style::Enhanced].map(|style| FrameState { style, ..state() })
}

#[test]
fn a_pane_shows_what_is_behind_it_tinted_and_moved() {
    for state in states() {
        for (bend, expected) in [(0.0, BENT_LEFT), (0.25, BENT_RIGHT), (-0.25, BENT_LEFT)] {
            assert_pixel(&shoot(&pane(bend), &state), HERE, expected, 2);
        }
    }
}

#[test]
fn what_is_in_front_of_a_pane_is_not_seen_through_it() {
    for state in states() {
        let mut scene = pane(0.25);
        let pass = unlit(&mut scene, [255, 255, 255, 255]);
        let near = material(&mut scene, vec![pass]);
        // Just to the right of what is looked at, as far as the picture reaches.
        add_quad(
            &mut scene,
            facing(5.0, [-30.0, 0.0]),
            [-1.0, 0.0, 0.0],
            near,
        );
        assert_pixel(&shoot(&scene, &state), HERE, BENT_LEFT, 2);
    }
}

#[test]
fn water_is_seen_through_a_pane_where_it_is_plain() {
    let mut scene = pane(0.25);
    let water = Pass {
        kind: PassKind::Water,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        ..unlit(&mut scene, [0, 200, 0, 128])
    };
    let water = material(&mut scene, vec![water]);
    add_quad(
        &mut scene,
        facing(15.0, [-30.0, 30.0]),
        [-1.0, 0.0, 0.0],
        water,
    );
    let mut state = states()[0].clone();
    state.switches.water_reflection = false;
    // Half of green over the right side, times the tint.
    assert_pixel(&shoot(&scene, &state), HERE, [0, 75, 100], 2);
}
