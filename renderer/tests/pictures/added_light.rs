//! Light that the enhanced style adds: shadows of the sun, and lamps.

use glam::Vec3;
use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState, Style, Switches};
use ironlands_scene::{
    Flicker, Fog, FogFalloff, Light, LightCone, Lighting, MaterialIdx, MorphTarget, MorphWeight,
    Pass, Scene, Sun,
};

use crate::models::{add_instance, add_model, at, one, plate_of};
use crate::stage::*;

/// What white ground shows in the sun, in its shadow, and in neither sun nor lamps.
const SUNNY: [u8; 3] = [204; 3];
const SHADED: [u8; 3] = [51; 3];

/// White ground from 0 to 40 ahead and 20 to either side, 4 below the camera; the sun stands 45 degrees high behind
/// the camera, so that a shadow is as long as what throws it is high.
fn sunny_ground() -> (Scene, MaterialIdx) {
    let mut scene = empty();
    scene.sun = Sun {
        direction_to_sun: Vec3::new(-1.0, 0.0, 1.0).normalize().to_array(),
        // On ground that the sun meets at 45 degrees.
        color: [0.6 * 2.0f32.sqrt(); 3],
        ambient: [0.2; 3],
        counter: [0.0; 3],
    };
    let lit = lit_white(&mut scene);
    let corners = [
        [0.0, -20.0, -4.0],
        [40.0, -20.0, -4.0],
        [40.0, 20.0, -4.0],
        [0.0, 20.0, -4.0],
    ];
    add_quad(&mut scene, corners, [0.0, 0.0, 1.0], lit);
    (scene, lit)
}

fn lit_white(scene: &mut Scene) -> MaterialIdx {
    let pass = Pass {
        texture: Some(solid(scene, gray(255))),
        lighting: Lighting::Display,
        ..Pass::default()
    };
    material(scene, vec![pass])
}

fn enhanced() -> FrameState {
    FrameState {
        style: Style::Enhanced,
        ..state()
    }
}

/// The pixel that shows a place.
fn pixel_of(place: Vec3) -> [u32; 2] {
    let [width, height] = SIZE.map(|side| side as f32);
    let clip = Camera::default().clip_from_world(width / height) * place.extend(1.0);
    let [x, y] = [clip.x / clip.w, -clip.y / clip.w].map(|v| v * 0.5 + 0.5);
    [(x * width) as u32, (y * height) as u32]
}

fn on_ground(x: f32, y: f32) -> [u32; 2] {
    pixel_of(Vec3::new(x, y, -4.0))
}

#[track_caller]
fn assert_shade(picture: &RgbaImage, place: [u32; 2], expected: [u8; 3]) {
    // A little for slopes of filters, none of which reach half the way to the other shade.
    assert_pixel(picture, place, expected, 4);
}

/// A plate of 2 x 2 whose lower edge is 2 above the ground, 12 ahead: its shadow lies from 14 to 16.
fn with_plate() -> Scene {
    let (scene, lit) = sunny_ground();
    one(scene, plate_of(lit), at(12.0, 0.0, -1.0))
}

#[test]
fn the_sun_throws_the_shadow_of_a_model_where_geometry_puts_it() {
    let scene = with_plate();
    let picture = shoot(&scene, &enhanced());
    for (x, y, shade) in [
        (15.0, 0.0, SHADED),
        (15.0, 0.7, SHADED),
        (15.0, 1.6, SUNNY),
        (15.0, -1.6, SUNNY),
        (13.2, 0.0, SUNNY),
        (17.2, 0.0, SUNNY),
        (30.0, 8.0, SUNNY),
    ] {
        assert_shade(&picture, on_ground(x, y), shade);
    }
}

#[test]
fn the_faithful_style_and_the_switch_show_none() {
    let scene = with_plate();
    let faithful = shoot(&scene, &state());
    assert_shade(&faithful, on_ground(15.0, 0.0), SUNNY);
    let mut without = enhanced();
    without.switches = Switches {
        sun_shadows: false,
        ..without.switches
    };
    assert_eq!(shoot(&scene, &without), faithful);
}

#[test]
fn land_throws_shadows_as_models_do() {
    let (mut scene, lit) = sunny_ground();
    let plate = [
        [12.0, -1.0, -2.0],
        [12.0, 1.0, -2.0],
        [12.0, 1.0, 0.0],
        [12.0, -1.0, 0.0],
    ];
    add_quad(&mut scene, plate, [-1.0, 0.0, 0.0], lit);
    let picture = shoot(&scene, &enhanced());
    assert_shade(&picture, on_ground(15.0, 0.0), SHADED);
    assert_shade(&picture, on_ground(17.2, 0.0), SUNNY);
}

#[test]
fn lit_ground_and_the_lit_side_of_a_wall_do_not_shade_themselves() {
    let (mut scene, lit) = sunny_ground();
    // A wall that faces sun and camera, and a roof that the sun grazes.
    let wall = [
        [30.0, 10.0, -4.0],
        [30.0, -10.0, -4.0],
        [30.0, -10.0, 2.0],
        [30.0, 10.0, 2.0],
    ];
    add_quad(&mut scene, wall, [-1.0, 0.0, 0.0], lit);
    let picture = shoot(&scene, &enhanced());
    let faithful = shoot(&scene, &state());
    let differing = picture.enumerate_pixels().zip(faithful.pixels());
    let differing = differing.filter(|((_, _, found), expected)| found != expected);
    let differing: Vec<_> = differing.map(|((x, y, _), _)| [x, y]).collect();
    // Nothing stands between the sun and any of it.
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn no_light_leaks_below_a_thin_wall() {
    let (mut scene, lit) = sunny_ground();
    let wall = [
        [20.0, 20.0, -4.0],
        [20.0, -20.0, -4.0],
        [20.0, -20.0, 0.0],
        [20.0, 20.0, 0.0],
    ];
    add_quad(&mut scene, wall, [-1.0, 0.0, 0.0], lit);
    // From above, so that the foot of the wall is seen from its far side.
    let mut state = enhanced();
    state.camera = Camera {
        position: Vec3::new(25.0, 0.0, 6.0),
        yaw_rad: std::f32::consts::PI,
        pitch_rad: -1.1,
        ..Camera::default()
    };
    let picture = shoot(&scene, &state);
    // Four texels of the nearest map behind it: what is nearer is looked up on the other side.
    let ground = Vec3::new(20.3, 0.0, -4.0);
    let clip = state.camera.clip_from_world(1.5) * ground.extend(1.0);
    let [x, y] = [clip.x / clip.w, -clip.y / clip.w].map(|v| v * 0.5 + 0.5);
    let [x, y] = [(x * SIZE[0] as f32) as u32, (y * SIZE[1] as f32) as u32];
    assert_shade(&picture, [x, y], SHADED);
}

#[test]
fn holes_of_leaves_let_the_sun_through() {
    let (mut scene, _) = sunny_ground();
    let half = [gray(255), [255, 255, 255, 0]].concat();
    let pass = Pass {
        texture: Some(texture(&mut scene, [2, 1], half)),
        alpha_test: Some(0.5),
        ..Pass::default()
    };
    let leaves = material(&mut scene, vec![pass]);
    let scene = one(scene, plate_of(leaves), at(12.0, 0.0, -1.0));
    let picture = shoot(&scene, &enhanced());
    // u = 0 is on the left, +Y, which is opaque.
    assert_shade(&picture, on_ground(15.0, 0.6), SHADED);
    assert_shade(&picture, on_ground(15.0, -0.6), SUNNY);
}

#[test]
fn what_moves_takes_its_shadow_along() {
    let (scene, lit) = sunny_ground();
    let mut model = plate_of(lit);
    model.mesh.morph_targets = vec![MorphTarget {
        name: String::new(),
        first_vertex: 0,
        offsets: vec![[0.0, 6.0, 0.0]; 4],
    }];
    let mut scene = one(scene, model, at(12.0, 0.0, -1.0));
    scene.instances[0].morph = vec![MorphWeight {
        target: 0,
        weight: 1.0,
    }];
    let morphed = shoot(&scene, &enhanced());
    assert_shade(&morphed, on_ground(15.0, 0.0), SUNNY);
    assert_shade(&morphed, on_ground(15.0, 6.0), SHADED);

    // One renderer draws both moments: its maps must not outlive the first.
    let scene = with_plate();
    let moments = [at(12.0, 0.0, -1.0), at(12.0, 6.0, -1.0)].map(|pose| FrameState {
        poses: vec![pose],
        ..enhanced()
    });
    let pictures = shoot_each(&scene, &moments);
    assert_shade(&pictures[0], on_ground(15.0, 0.0), SHADED);
    assert_shade(&pictures[1], on_ground(15.0, 0.0), SUNNY);
    assert_shade(&pictures[1], on_ground(15.0, 6.0), SHADED);
}

#[test]
fn maps_of_what_moves_and_what_stands_still_are_those_of_one_frame_alone() {
    let mut scene = with_plate();
    let plate = scene.instances[0].clone();
    scene.instances.push(plate);
    let still = at(12.0, -6.0, -1.0);
    // To the side and back, at rest for a frame, seen from elsewhere, and far away.
    let moments = [
        (0.0, 0.0),
        (0.0, 6.0),
        (0.0, 6.0),
        (3.0, 0.0),
        (3.0, 3000.0),
        (3.0, 3000.0),
        (0.0, -3.0),
    ];
    let moments = moments.map(|(eye, y)| FrameState {
        camera: Camera {
            position: Vec3::new(0.0, eye, 0.0),
            ..Camera::default()
        },
        poses: vec![at(12.0, y, -1.0), still],
        ..enhanced()
    });
    let pictures = shoot_each(&scene, &moments);
    for (index, (picture, moment)) in pictures.iter().zip(&moments).enumerate() {
        assert!(*picture == shoot(&scene, moment), "moment {index}");
    }
}

#[test]
fn shadows_fade_out_far_away() {
    let (mut scene, lit) = sunny_ground();
    let far = 3000.0;
    let corners = [
        [0.0, -far, -4.0],
        [far, -far, -4.0],
        [far, far, -4.0],
        [0.0, far, -4.0],
    ];
    add_quad(&mut scene, corners, [0.0, 0.0, 1.0], lit);
    let model = add_model(&mut scene, plate_of(lit));
    for x in [100.0, 1690.0] {
        let mut place = at(x, 0.0, 300.0);
        for axis in 0..3 {
            place.0[axis][axis] = 100.0;
        }
        add_instance(&mut scene, model, place);
    }
    let mut state = enhanced();
    state.camera = Camera {
        position: Vec3::new(0.0, 0.0, 20.0),
        ..Camera::default()
    };
    let picture = shoot(&scene, &state);
    let at_distance = |x: f32| {
        let clip = state.camera.clip_from_world(1.5) * Vec3::new(x, 0.0, -4.0).extend(1.0);
        let y = -clip.y / clip.w * 0.5 + 0.5;
        [CENTER[0], (y * SIZE[1] as f32) as u32]
    };
    assert_shade(&picture, at_distance(404.0), SHADED);
    assert_shade(&picture, at_distance(1994.0), SUNNY);
}

/// Ground without sun and with a lamp 2 above it, 12 ahead.
fn lamp_over_ground(lamp: Light) -> Scene {
    let (mut scene, _) = sunny_ground();
    scene.sun = Sun {
        color: [0.0; 3],
        ambient: [0.0; 3],
        ..scene.sun
    };
    scene.lights = vec![Light {
        position: [12.0, 0.0, -2.0],
        range: 6.0,
        ..lamp
    }];
    scene
}

/// What white ground shows of a lamp, so far from the point below it.
fn lit_by_lamp(light: &Light, aside: f32) -> u8 {
    let distance = aside.hypot(2.0);
    let value = light.share_at(distance) * 2.0 / distance;
    (value.min(1.0) * 255.0).round() as u8
}

#[test]
fn a_lamp_lights_the_ground_around_it_as_far_as_it_reaches() {
    let scene = lamp_over_ground(Light::default());
    let picture = shoot(&scene, &enhanced());
    for aside in [0.0, 1.0, 3.0, 5.0, 6.5] {
        let expected = lit_by_lamp(&scene.lights[0], aside);
        // A pixel is up to half a unit of ground wide here.
        assert_pixel(&picture, on_ground(12.0, aside), [expected; 3], 14);
    }
    let dark = shoot(&scene, &state());
    assert_pixel(&dark, on_ground(12.0, 0.0), [0; 3], 0);
    let mut without = enhanced();
    without.switches.local_lights = false;
    assert_eq!(shoot(&scene, &without), dark);
}

#[test]
fn a_cone_lights_what_is_in_it_and_a_flicker_dims_for_a_time() {
    let cone = LightCone {
        direction: [0.0, 0.0, -1.0],
        cos_inner: 0.95,
        cos_outer: 0.9,
    };
    let scene = lamp_over_ground(Light {
        cone: Some(cone),
        ..Light::default()
    });
    let picture = shoot(&scene, &enhanced());
    let below = lit_by_lamp(&scene.lights[0], 0.0);
    assert_pixel(&picture, on_ground(12.0, 0.0), [below; 3], 6);
    assert_pixel(&picture, on_ground(12.0, 2.0), [0; 3], 0);

    let flicker = Flicker {
        share: 0.8,
        per_sec: 5.0,
        seed: 2,
    };
    let scene = lamp_over_ground(Light {
        flicker,
        ..Light::default()
    });
    for time_secs in [0.0, 0.3, 77.7] {
        let state = FrameState {
            time_secs,
            ..enhanced()
        };
        let expected = f32::from(below) * flicker.at(time_secs);
        let picture = shoot(&scene, &state);
        assert_pixel(&picture, on_ground(12.0, 0.0), [expected as u8; 3], 6);
    }
}

#[test]
fn hundreds_of_lamps_add_up() {
    let mut scene = lamp_over_ground(Light {
        color: [0.001, 0.002, 0.0],
        ..Light::default()
    });
    scene.lights = vec![scene.lights[0].clone(); 300];
    let elsewhere = Light {
        position: [30.0, 10.0, -2.0],
        color: [0.004, 0.0, 0.0],
        ..scene.lights[0].clone()
    };
    scene.lights.splice(..0, vec![elsewhere; 200]);
    let below = f32::from(lit_by_lamp(&scene.lights[0], 0.0));
    let expected = [0.3 * below, 0.6 * below, 0.0].map(|it| it.round() as u8);
    let picture = shoot(&scene, &enhanced());
    assert_pixel(&picture, on_ground(12.0, 0.0), expected, 5);
    // A pixel is more than half a unit of ground there: only that it is red and nothing else.
    let [x, y] = on_ground(30.0, 10.0);
    let [red, green, blue, _] = picture.get_pixel(x, y).0;
    assert!(red > 100 && [green, blue] == [0, 0], "{red} {green} {blue}");
}

#[test]
fn fog_lies_over_shadows_and_lamps() {
    let mut scene = with_plate();
    scene.fog = Some(Fog {
        color: [1.0, 0.0, 0.0],
        start: 0.0,
        end: 1.0,
        falloff: FogFalloff::Linear,
        density: 1.0,
        layer: None,
    });
    let picture = shoot(&scene, &enhanced());
    assert_pixel(&picture, on_ground(15.0, 0.0), [255, 0, 0], 0);
}
