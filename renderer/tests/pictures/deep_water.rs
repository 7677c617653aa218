//! Deep water: what is seen through it, what is mirrored in it, and the view from below.

use glam::Vec3;
use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState, Style};
use ironlands_scene::{Blend, Lighting, Liquid, MirrorSheet, Pass, PassKind, Scene, SeaBed, Water};

use crate::stage::*;

const RED: [u8; 4] = [220, 20, 20, 255];
const CLARITY: f32 = 10.0;

/// Still water 40 x 40 at height 0 over a white bed at `bed`, and a red wall that stands in it 20 ahead.
fn pool(bed: f32) -> Scene {
    let mut scene = empty();
    // It stands overhead, and would be seen in the water.
    scene.sky.sun_disc = [0.0; 3];
    let white = unlit(&mut scene, [255; 4]);
    let white = material(&mut scene, vec![white]);
    let red = unlit(&mut scene, RED);
    let red = material(&mut scene, vec![red]);
    let water = Pass {
        kind: PassKind::Water,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        liquid: Some(Liquid {
            color: [0.0, 0.2, 0.8],
            clarity: CLARITY,
            waves: 0.0,
            depth: 50.0,
            ..Liquid::default()
        }),
        ..unlit(&mut scene, [0, 80, 160, 128])
    };
    let water = material(&mut scene, vec![water]);
    let at = |z: f32| {
        [
            [-20.0, -20.0, z],
            [20.0, -20.0, z],
            [20.0, 20.0, z],
            [-20.0, 20.0, z],
        ]
    };
    add_quad(&mut scene, at(bed), [0.0, 0.0, 1.0], white);
    add_quad(&mut scene, at(0.0), [0.0, 0.0, 1.0], water);
    let wall = [
        [20.0, 20.0, bed],
        [20.0, -20.0, bed],
        [20.0, -20.0, 30.0],
        [20.0, 20.0, 30.0],
    ];
    add_quad(&mut scene, wall, [-1.0, 0.0, 0.0], red);
    scene
}

fn looking(from: [f32; 3], to: [f32; 3]) -> FrameState {
    let mut state = FrameState {
        camera: Camera {
            position: from.into(),
            ..Camera::default()
        }
        .looking_at(to.into()),
        ..state()
    };
    state.style = Style::Enhanced;
    state
}

fn from_above() -> FrameState {
    looking([0.0, 0.0, 10.0], [0.1, 0.0, 0.0])
}

#[test]
fn the_deeper_the_bed_the_less_is_seen_of_it() {
    let red_of = |bed| {
        shoot(&pool(bed), &from_above())
            .get_pixel(CENTER[0], CENTER[1])
            .0[0]
    };
    let reds = [-0.5, -2.0, -5.0, -30.0].map(red_of);
    assert!(reds.is_sorted_by(|a, b| a > b), "{reds:?}");
    assert!(reds[0] > 150 && reds[3] < 20, "{reds:?}");
}

#[test]
fn a_wall_stands_upside_down_in_its_mirror() {
    // The wall's foot is seen at the middle of the picture; below it is its mirror.
    let mut state = looking([0.0, 0.0, 1.0], [20.0, 0.0, 0.0]);
    let redness = |state: &FrameState| {
        let [r, _, b, _] = shoot(&pool(-30.0), state)
            .get_pixel(CENTER[0], CENTER[1] + 4)
            .0;
        i32::from(r) - i32::from(b)
    };
    let mirrored = redness(&state);
    state.switches.mirrors = false;
    let sky_only = redness(&state);
    assert!(mirrored > sky_only + 30, "{mirrored} and {sky_only}");
}

#[test]
fn each_color_is_mirrored_by_its_own_share() {
    let state = looking([0.0, 0.0, 1.0], [20.0, 0.0, 0.0]);
    let with = |reflectance: [f32; 3]| {
        let mut scene = pool(-30.0);
        let passes = scene.materials.iter_mut().flat_map(|it| &mut it.passes);
        for liquid in passes.filter_map(|it| it.liquid.as_mut()) {
            liquid.reflectance = reflectance;
        }
        shoot(&scene, &state).get_pixel(CENTER[0], CENTER[1] + 4).0
    };
    let [none, full, blue] = [[0.0; 3], [1.0; 3], [0.0, 0.0, 1.0]].map(with);
    assert!(full[0] > none[0] + 30, "{full:?} {none:?}");
    assert_eq!(blue, [none[0], none[1], full[2], 255]);
}

/// The pool in the style of its world: a mirror over its box, in half the light.
fn sheet(ripple: f32) -> Scene {
    let mut scene = pool(-30.0);
    let water = scene.meshes[1].batches[0].material;
    let pass = &mut scene.materials[water.0 as usize].passes[0];
    pass.diffuse = [0.5, 0.5, 0.5, 1.0];
    pass.lighting = Lighting::DisplayFloor;
    pass.emissive = [0.5; 3];
    let liquid = pass.liquid.as_mut().expect("the pool is water");
    liquid.sheet = Some(MirrorSheet {
        min: [-20.0; 2],
        max: [20.0; 2],
        repeats: 4.0,
        ripple,
        period_secs: 10.0,
    });
    scene.sun.color = [0.0; 3];
    scene
}

#[test]
fn a_faithful_mirror_shows_what_is_above_it_in_its_own_light() {
    let mut state = looking([0.0, 0.0, 1.0], [20.0, 0.0, 0.0]);
    state.style = Style::Faithful;
    let below_the_wall = [CENTER[0], CENTER[1] + 4];
    let half = [RED[0] / 2, RED[1] / 2, RED[2] / 2];
    assert_pixel(&shoot(&sheet(0.0), &state), below_the_wall, half, 2);
    // Plain, it has no color of its own.
    state.switches.ripples = false;
    let red = [RED[0], RED[1], RED[2]];
    assert_pixel(&shoot(&sheet(0.1), &state), below_the_wall, red, 2);
    // Flat, it is what its material says: no mirror.
    state.switches.mirrors = false;
    let mut flat = sheet(0.0);
    for pass in flat.materials.iter_mut().flat_map(|it| &mut it.passes) {
        pass.liquid = None;
    }
    assert_eq!(shoot(&sheet(0.0), &state), shoot(&flat, &state));
    // From below it is not there.
    state.switches.mirrors = true;
    let up = FrameState {
        style: Style::Faithful,
        ..looking([0.0, 0.0, -10.0], [20.0, 0.0, 8.0])
    };
    assert_pixel(&shoot(&sheet(0.0), &up), CENTER, red, 2);
}

#[test]
fn ripples_move_the_picture_in_a_mirror_and_go_on_with_time() {
    let mut state = looking([0.0, 0.0, 6.0], [20.0, 0.0, 0.0]);
    state.style = Style::Faithful;
    let still = shoot(&sheet(0.0), &state);
    let rippling = shoot(&sheet(0.05), &state);
    assert_ne!(still, rippling);
    state.time_secs = 2.5;
    let later = shoot(&sheet(0.05), &state);
    // After a quarter of the period all ripples have gone on by one.
    state.time_secs = 1.25;
    let half_way = shoot(&sheet(0.05), &state);
    assert_ne!(half_way, rippling);
    let differs = |a: &RgbaImage, b: &RgbaImage| {
        let pairs = a.pixels().zip(b.pixels());
        pairs
            .filter(|(a, b)| (0..3).any(|k| a.0[k].abs_diff(b.0[k]) > 3))
            .count()
    };
    assert_eq!(differs(&later, &rippling), 0);
}

#[test]
fn the_bed_of_the_sea_is_seen_as_that_of_the_level() {
    let mut scene = pool(-1.0);
    scene.sun.ambient = [1.0; 3];
    scene.water = Some(Water {
        level: 0.0,
        material: scene.meshes[1].batches[0].material,
        uv_per_unit: 0.1,
        level_min: [-20.0; 2],
        level_max: [20.0; 2],
        bed: Some(SeaBed {
            color: [1.0; 3],
            depth: 1.0,
        }),
    });
    let picture = shoot(&scene, &looking([0.0, -20.0, 30.0], [0.01, -20.0, 0.0]));
    // The edge of the level divides the left half from the right.
    for x in 0..CENTER[0] {
        let [r, g, b, _] = picture.get_pixel(x, CENTER[1]).0;
        assert!(r > 80, "the bed is seen: {r} {g} {b}");
        let right = [SIZE[0] - 1 - x, CENTER[1]];
        assert_pixel(&picture, right, [r, g, b], 3);
    }
    // A view through the level's edge that comes out below its bed meets the sea's.
    let picture = shoot(&scene, &looking([0.0, -26.0, 8.0], [0.01, -20.0, 0.0]));
    let dark = (0..SIZE[0]).find(|x| picture.get_pixel(*x, CENTER[1]).0[0] < 80);
    assert_eq!(dark, None, "all of the row shows a bed");
}

/// A sea in a breeze, seen straight down from 800 units up, with the sun behind the eye.
fn sea_below_the_sun(horizontal_fov_rad: f32) -> RgbaImage {
    let mut scene = pool(-30.0);
    scene.sky.sun_disc = [1.0; 3];
    scene.sun.direction_to_sun = [0.0, 0.0, 1.0];
    let water = scene.meshes[1].batches[0].material;
    let liquid = scene.materials[water.0 as usize].passes[0].liquid.as_mut();
    *liquid.expect("the pool is water") = Liquid::default();
    scene.meshes.clear();
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corners = corners.map(|[x, y]| [x * 5000.0, y * 5000.0, 0.0]);
    add_quad(&mut scene, corners, [0.0, 0.0, 1.0], water);
    let mut state = looking([0.0, 0.0, 800.0], [0.01, 0.0, 0.0]);
    state.camera.horizontal_fov_rad = horizontal_fov_rad;
    state.switches.mirrors = false;
    shoot(&scene, &state)
}

#[test]
fn the_sun_in_waves_is_no_grid_from_above() {
    let red = |picture: &RgbaImage, x: u32, y: u32| i32::from(picture.get_pixel(x, y).0[0]);
    // The longest waves are 50 pixels long with the first lens, and 10 with the last; the sun's image is wider.
    for fov_rad in [0.05, 0.1, 0.15, 0.25] {
        let picture = sea_below_the_sun(fov_rad);
        let red = |x, y| red(&picture, x, y);
        let middle = red(CENTER[0], CENTER[1]);
        assert!(middle > 60, "{fov_rad}: no sun in the sea, {middle}");
        for y in 3..SIZE[1] - 3 {
            for x in 3..SIZE[0] - 3 {
                let along_x = red(x - 3, y) + red(x + 3, y) - 2 * red(x, y);
                let along_y = red(x, y - 3) + red(x, y + 3) - 2 * red(x, y);
                // Rounding to whole numbers alone makes two of a smooth slope.
                let bend = along_x.abs().max(along_y.abs());
                assert!(bend <= 3, "{fov_rad}: {bend} at ({x}, {y})");
            }
        }
    }
    let near = sea_below_the_sun(0.004);
    let shades = (0..SIZE[0]).map(|x| red(&near, x, CENTER[1]));
    let darkest = shades.clone().min().expect("a row has pixels");
    let brightest = shades.max().expect("a row has pixels");
    assert!(
        brightest > darkest + 20,
        "{darkest} to {brightest}: waves are seen from near"
    );
}

/// The sea with waves of one normal everywhere, x along u, below a sun in a direction, seen straight down.
fn sea_of_normals(normal: Vec3, direction_to_sun: Vec3) -> RgbaImage {
    let mut scene = pool(-30.0);
    scene.sky.sun_disc = [1.0; 3];
    scene.sun.direction_to_sun = direction_to_sun.to_array();
    let [x, y, z] = (normal * 127.5 + 127.5).round().to_array();
    let normals = solid(&mut scene, [x as u8, y as u8, z as u8, 255]);
    let water = scene.meshes[1].batches[0].material;
    let pass = &mut scene.materials[water.0 as usize].passes[0];
    pass.texture = Some(normals);
    let liquid = pass.liquid.as_mut().expect("the pool is water");
    liquid.waves = 1.0;
    liquid.has_wave_texture = true;
    let n_corners = scene.meshes[1].positions.len();
    // u toward +y, v toward +x.
    for corner in 0..n_corners {
        let [x, y, _] = scene.meshes[1].positions[corner];
        scene.meshes[1].uv_sets[0][corner] = [y, x];
    }
    let mut state = from_above();
    state.switches.mirrors = false;
    shoot(&scene, &state)
}

#[test]
fn a_texture_turns_the_surface_of_water() {
    let tilt = 0.2_f32;
    let normal = Vec3::new(tilt.sin(), 0.0, tilt.cos());
    let red = |picture: &RgbaImage| picture.get_pixel(CENTER[0], CENTER[1]).0[0];
    // Straight down, the normal of u leans toward +y, and what comes from there at twice the angle is seen in it.
    let seen = Vec3::new(0.0, (2.0 * tilt).sin(), (2.0 * tilt).cos());
    let others = [
        Vec3::new(0.0, -seen.y, seen.z),
        Vec3::new(seen.y, 0.0, seen.z),
        Vec3::new(-seen.y, 0.0, seen.z),
    ];
    assert!(red(&sea_of_normals(normal, seen)) > 150);
    for other in others {
        assert!(red(&sea_of_normals(normal, other)) < 40, "{other}");
    }
    assert!(red(&sea_of_normals(Vec3::Z, Vec3::Z)) > 150);
    assert!(red(&sea_of_normals(Vec3::Z, seen)) < 40);
}

#[test]
fn several_samples_show_the_same_as_one() {
    let state = looking([0.0, 0.0, 3.0], [20.0, 0.0, 0.0]);
    let [one, four] = [1, 4].map(|samples| shoot_with(&pool(-4.0), &state, samples, None).0);
    for place in [CENTER, [10, 40], [60, 44], [36, 4]] {
        let [r, g, b, _] = one.get_pixel(place[0], place[1]).0;
        assert_pixel(&four, place, [r, g, b], 4);
    }
}

#[test]
fn an_eye_in_water_sees_no_farther_than_it_lets() {
    let red_of = |x: f32| {
        let state = looking([x, 0.0, -2.0], [20.0, 0.0, -2.0]);
        shoot(&pool(-30.0), &state)
            .get_pixel(CENTER[0], CENTER[1])
            .0[0]
    };
    // Within it the range of sight is 2.5 times that into it.
    let [near, far] = [19.0, 20.0 - 2.8 * CLARITY].map(red_of);
    assert!(near > 150 && far < 10, "{near} {far}");
    let below_the_bed = looking([5.0, 0.0, -60.0], [20.0, 0.0, -60.0]);
    assert_pixel(&shoot(&pool(-30.0), &below_the_bed), CENTER, BACKGROUND, 0);
}

#[test]
fn a_pass_without_a_liquid_stays_as_it_is() {
    let mut scene = pool(-3.0);
    for material in &mut scene.materials {
        material.passes[0].liquid = None;
    }
    let mut state = from_above();
    let requested = shoot(&scene, &state);
    state.switches.deep_water = false;
    assert_eq!(requested, shoot(&scene, &state));
}

#[test]
fn what_a_mirror_shows_is_not_counted_again() {
    let mut state = looking([0.0, 0.0, 1.0], [20.0, 0.0, 0.0]);
    let stats = |state: &FrameState| shoot_with(&pool(-30.0), state, 1, None).1;
    let mirrored = stats(&state);
    state.switches.mirrors = false;
    let plain = stats(&state);
    assert_eq!(mirrored.clusters_drawn, plain.clusters_drawn);
    assert!(mirrored.draw_calls > plain.draw_calls);
}
