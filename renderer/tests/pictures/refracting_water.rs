//! Panes before water, under water, in mirrors and in backdrops.

use ironlands_renderer::{Camera, FrameState, Style};
use ironlands_scene::{Blend, Liquid, MirrorSheet, Pass, PassKind, Scene};

use crate::cells::{far_wall, with_backdrop};
use crate::refracting::{COLUMN_PX, ONE_COLUMN, ROW, add_pane, bending, draw, tinted};
use crate::stage::*;

/// Still water 40 x 40 at height 0 over a bed of two colors, and a wall 20 ahead.
fn pool(bed: [[u8; 4]; 2]) -> Scene {
    let mut scene = empty();
    scene.sky.sun_disc = [0.0; 3];
    for (color, y) in bed.into_iter().zip([[20.0, 0.0], [0.0, -20.0]]) {
        let pass = unlit(&mut scene, color);
        let bed = material(&mut scene, vec![pass]);
        add_quad(
            &mut scene,
            level(-4.0, [-20.0, 20.0], y),
            [0.0, 0.0, 1.0],
            bed,
        );
    }
    let water = Pass {
        kind: PassKind::Water,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        liquid: Some(Liquid {
            color: [0.0, 0.2, 0.8],
            clarity: 10.0,
            waves: 0.0,
            depth: 50.0,
            ..Liquid::default()
        }),
        ..unlit(&mut scene, [0, 80, 160, 128])
    };
    let water = material(&mut scene, vec![water]);
    add_quad(
        &mut scene,
        level(0.0, [-20.0, 20.0], [20.0, -20.0]),
        [0.0, 0.0, 1.0],
        water,
    );
    scene
}

/// The corners of a level rectangle, between two values of x and from the left to the right.
fn level(z: f32, [near, far]: [f32; 2], [left, right]: [f32; 2]) -> [[f32; 3]; 4] {
    [
        [near, left, z],
        [near, right, z],
        [far, right, z],
        [far, left, z],
    ]
}

/// Straight down at the pool, with +x up in the picture.
fn from_above(style: Style) -> FrameState {
    let mut state = FrameState {
        style,
        camera: Camera {
            position: [0.0, 0.0, 10.0].into(),
            ..Camera::default()
        }
        .looking_at([0.01, 0.0, 0.0].into()),
        ..state()
    };
    state.switches.mirrors = false;
    state.switches.water_reflection = false;
    state
}

const BED: [[u8; 4]; 2] = [[250, 120, 30, 255], [60, 240, 200, 255]];
const TINT: [f32; 3] = [1.0, 0.5, 0.25];

#[test]
fn a_pane_before_water_shows_the_water() {
    for style in [Style::Faithful, Style::Enhanced] {
        let state = from_above(style);
        let without = draw(&pool(BED), &state, 1).0;
        let mut scene = pool(BED);
        let pass = bending(&mut scene, ONE_COLUMN, TINT);
        add_pane(&mut scene, level(5.0, [-9.0, 9.0], [9.0, -9.0]), pass);
        for n_samples in [1, 4] {
            let (picture, stats) = draw(&scene, &state, n_samples);
            for x in [5, 12, 25, 40, 50] {
                let moved = [x + COLUMN_PX as u32, ROW];
                assert_pixel(&picture, [x, ROW], tinted(&without, moved, TINT), 2);
            }
            let is_deep = style == Style::Enhanced;
            assert_eq!(stats.picture_copies, 1 + usize::from(is_deep));
        }
    }
}

#[test]
fn a_pane_under_water_is_seen_through_the_water() {
    for style in [Style::Faithful, Style::Enhanced] {
        let state = from_above(style);
        let tinted_bed = BED.map(|[r, g, b, a]| {
            let [r, g, b] =
                [(r, 0), (g, 1), (b, 2)].map(|(c, i)| (f32::from(c) * TINT[i]).round() as u8);
            [r, g, b, a]
        });
        // The left half shows the right one.
        let expected = draw(&pool([tinted_bed[1]; 2]), &state, 1).0;
        let mut scene = pool(BED);
        let pass = bending(&mut scene, ONE_COLUMN, TINT);
        add_pane(&mut scene, level(-2.0, [-20.0, 20.0], [20.0, -20.0]), pass);
        for n_samples in [1, 4] {
            let (picture, stats) = draw(&scene, &state, n_samples);
            for x in [21, 25, 30, 34, 40, 50] {
                let [r, g, b, _] = expected.get_pixel(x, ROW).0;
                assert_pixel(&picture, [x, ROW], [r, g, b], 2);
            }
            let is_deep = style == Style::Enhanced;
            assert_eq!(stats.picture_copies, 1 + usize::from(is_deep));
        }
    }
}

#[test]
fn in_mirrors_a_pane_is_glass() {
    let mut scene = pool([[0, 0, 0, 255]; 2]);
    let red = unlit(&mut scene, [220, 40, 40, 255]);
    let red = material(&mut scene, vec![red]);
    let wall = |x: f32| {
        [
            [x, 20.0, 0.0],
            [x, -20.0, 0.0],
            [x, -20.0, 30.0],
            [x, 20.0, 30.0],
        ]
    };
    add_quad(&mut scene, wall(20.0), [-1.0, 0.0, 0.0], red);
    // A mirror and nothing else, in the style of its world.
    for liquid in (scene.materials.iter_mut().flat_map(|it| &mut it.passes))
        .filter_map(|it| it.liquid.as_mut())
    {
        liquid.sheet = Some(MirrorSheet {
            min: [-20.0; 2],
            max: [20.0; 2],
            repeats: 4.0,
            ripple: 0.0,
            period_secs: 10.0,
        });
    }
    let mut state = from_above(Style::Faithful);
    state.camera.position = [0.0, 0.0, 1.0].into();
    state.camera = state.camera.looking_at([20.0, 0.0, 0.0].into());
    state.switches.mirrors = true;
    state.switches.water_reflection = true;
    state.switches.ripples = false;
    let below_the_wall = [CENTER[0], CENTER[1] + 4];
    let without = draw(&scene, &state, 1).0;
    assert_pixel(&without, below_the_wall, [220, 40, 40], 2);
    let pass = bending(&mut scene, ONE_COLUMN, TINT);
    add_pane(&mut scene, wall(15.0), pass);
    let with = draw(&scene, &state, 1).0;
    assert_pixel(
        &with,
        below_the_wall,
        tinted(&without, below_the_wall, TINT),
        2,
    );
}

#[test]
fn in_a_backdrop_a_pane_is_glass() {
    let mut scene = far_wall();
    let state = with_backdrop(0.0);
    let without = draw(&scene, &state, 1).0;
    let pass = bending(&mut scene, ONE_COLUMN, [1.0, 1.0, 0.5]);
    let corners = wall_corners(0.5).map(|[_, y, z]| [1004.0, y, z]);
    add_pane(&mut scene, corners, pass);
    let clusters = scene.meshes.last_mut().map(|mesh| &mut mesh.clusters);
    clusters.expect("a pane")[0].cells = vec![2];
    let (picture, stats) = draw(&scene, &state, 1);
    assert_eq!(stats.picture_copies, 0);
    assert_pixel(
        &picture,
        CENTER,
        tinted(&without, CENTER, [1.0, 1.0, 0.5]),
        1,
    );
}
