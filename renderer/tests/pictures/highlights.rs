//! Light of lamps on models with effects: normals, highlights, rims and warps, against the same computed here in 64 bits.

use glam::DVec3;
use image::RgbaImage;
use ironlands_scene::{
    AmbientCube, DirectLight, Highlight, HighlightMask, Instance, Lighting, NormalMap, Pass,
    PassEffects, Rim, Scene,
};

use crate::baked::display;
use crate::effects::to_eye;
use crate::models::{add_instance, add_model, at, plate_of};
use crate::stage::*;

/// A plate ahead in a cube of light and in that of one lamp, white and with these effects.
fn plate(effects: PassEffects, lamp: DVec3, around: AmbientCube) -> RgbaImage {
    let scene = plate_scene(empty(), effects, lamp, around);
    shoot(&scene, &state())
}

fn plate_scene(mut scene: Scene, effects: PassEffects, lamp: DVec3, around: AmbientCube) -> Scene {
    let pass = Pass {
        texture: Some(solid(&mut scene, gray(255))),
        lighting: Lighting::Ambient,
        effects: Some(Box::new(effects)),
        ..Pass::default()
    };
    let material = material(&mut scene, vec![pass]);
    let model = add_model(&mut scene, plate_of(material));
    add_instance(&mut scene, model, at(3.0, 0.0, 0.0));
    let last = scene.instances.last_mut().expect("it was added");
    *last = Instance {
        light: Some(around),
        direct_lights: vec![DirectLight {
            direction_to_light: lamp.normalize().as_vec3().to_array(),
            color: LAMP,
            style: None,
        }],
        ..last.clone()
    };
    scene
}

const LAMP: [f32; 3] = [0.5, 0.4, 0.3];
const DARK: AmbientCube = AmbientCube([[0.0; 3]; 6]);
const PLATE_NORMAL: DVec3 = DVec3::new(-1.0, 0.0, 0.0);

fn of_lamp(share: f64) -> [u8; 3] {
    LAMP.map(|c| display(f64::from(c) * share))
}

#[test]
fn normals_of_models_turn_toward_lamps_and_to_the_light_around() {
    let mut scene = empty();
    let bent = [218, 128, 218, 255];
    let texture = solid(&mut scene, bent);
    let effects = PassEffects {
        normal_map: Some(NormalMap {
            texture,
            is_self_shadowed: false,
        }),
        ..PassEffects::default()
    };
    let lamp = DVec3::new(-0.3, -0.9, 0.2);
    let around = AmbientCube([
        [0.0; 3],
        [0.1, 0.0, 0.0],
        [0.0; 3],
        [0.0, 0.2, 0.0],
        [0.9; 3],
        [0.9; 3],
    ]);
    let scene = plate_scene(scene, effects, lamp, around);
    let picture = shoot(&scene, &state());
    let [x, y, z] = [bent[0], bent[1], bent[2]].map(|c: u8| f64::from(c) / 127.5 - 1.0);
    // u runs to the right, which is -Y, and v down.
    let normal = DVec3::new(-z, -x, -y).normalize();
    let share = normal.dot(lamp.normalize());
    let squares = normal * normal;
    let up = squares.z * 0.9;
    let expected = [
        f64::from(LAMP[0]) * share + squares.x * 0.1 + up,
        f64::from(LAMP[1]) * share + squares.y * 0.2 + up,
        f64::from(LAMP[2]) * share + up,
    ];
    assert_pixel(&picture, CENTER, expected.map(display), 1);
}

#[test]
fn half_lambert_and_warps_bring_light_around_to_the_dark_side() {
    let lamp = DVec3::new(0.4, 0.0, 0.9);
    let cosine = PLATE_NORMAL.dot(lamp.normalize());
    assert!(cosine < 0.0, "the lamp stands behind the plate");
    let plain = plate(PassEffects::default(), lamp, DARK);
    assert_pixel(&plain, CENTER, [0; 3], 0);
    let wrapped = cosine * 0.5 + 0.5;
    let half_lambert = PassEffects {
        half_lambert: true,
        ..PassEffects::default()
    };
    let picture = plate(half_lambert.clone(), lamp, DARK);
    assert_pixel(&picture, CENTER, of_lamp(wrapped * wrapped), 1);
    let mut scene = empty();
    let ramp = [[51, 0, 0, 255], [51, 102, 0, 255]].concat();
    let warp = texture(&mut scene, [2, 1], ramp);
    let effects = PassEffects {
        light_warp: Some(warp),
        ..half_lambert
    };
    let scene = plate_scene(scene, effects, lamp, DARK);
    // Between the middles of both texels.
    let green = 0.4 * ((wrapped - 0.25) * 2.0).clamp(0.0, 1.0);
    let expected = [
        0.4 * f64::from(LAMP[0]),
        2.0 * green * f64::from(LAMP[1]),
        0.0,
    ];
    assert_pixel(&shoot(&scene, &state()), CENTER, expected.map(display), 2);
}

#[test]
fn highlights_stand_where_lamps_are_mirrored_and_fade_as_they_should() {
    let highlight = Highlight {
        exponent: 6.0,
        map: None,
        is_tinted_by_texture: false,
        tint: [0.5, 1.0, 2.0],
        fresnel: [0.3, 0.6, 1.0],
        mask: HighlightMask::None,
        rim: None,
    };
    let lamp = DVec3::new(-1.0, 0.25, 0.2);
    let effects = PassEffects {
        highlight: Some(highlight.clone()),
        ..PassEffects::default()
    };
    let picture = plate(effects, lamp, DARK);
    for pixel in [CENTER, [30, 20], [40, 30]] {
        let expected = shine(
            &highlight,
            PLATE_NORMAL,
            lamp.normalize(),
            to_eye(pixel),
            &DARK,
        );
        assert_pixel(&picture, pixel, expected.map(display), 1);
    }
}

/// Light of the lamp and its highlight on a plate.
fn shine(
    highlight: &Highlight,
    normal: DVec3,
    lamp: DVec3,
    to_eye: DVec3,
    around: &AmbientCube,
) -> [f64; 3] {
    let cosine = normal.dot(lamp).max(0.0);
    let away = (1.0 - normal.dot(to_eye)).clamp(0.0, 1.0).powi(2);
    let [low, middle, high] = highlight.fresnel.map(f64::from);
    let fresnel = match away > 0.5 {
        true => middle + (high - middle) * (2.0 * away - 1.0),
        false => low + (middle - low) * 2.0 * away,
    };
    let mirrored = 2.0 * normal * normal.dot(to_eye) - to_eye;
    let toward = mirrored.dot(lamp).max(0.0);
    // Light from around on what faces a direction toward -X and +Z.
    let from = |direction: DVec3, c: usize| {
        let squares = direction * direction;
        squares.x * f64::from(around.0[1][c]) + squares.z * f64::from(around.0[4][c])
    };
    [0, 1, 2].map(|c| {
        let light = f64::from(LAMP[c]) * cosine;
        let tint = f64::from(highlight.tint[c]);
        let mut shine = light * toward.powf(f64::from(highlight.exponent)) * tint * fresnel;
        if let Some(rim) = highlight.rim {
            let outline = away * away;
            shine = shine.max(light * toward.powf(f64::from(rim.exponent)) * outline);
            shine += from(to_eye, c) * f64::from(rim.boost) * outline * normal.z;
        }
        light + from(normal, c) + shine
    })
}

#[test]
fn a_rim_lights_the_outline_from_around_and_by_lamps() {
    let highlight = Highlight {
        exponent: 50.0,
        map: None,
        is_tinted_by_texture: false,
        tint: [1.0; 3],
        fresnel: [0.0, 0.0, 0.2],
        mask: HighlightMask::None,
        rim: Some(Rim {
            exponent: 2.0,
            boost: 1.5,
            is_masked: false,
        }),
    };
    let effects = PassEffects {
        highlight: Some(highlight.clone()),
        ..PassEffects::default()
    };
    let lamp = DVec3::new(0.9, 0.0, 0.5).normalize();
    let mut around = DARK;
    around.0[1] = [0.2, 0.3, 0.1];
    around.0[4] = [0.05, 0.1, 0.3];
    let mut scene = plate_scene(empty(), effects, lamp, around);
    // Leaned back until it is seen at a grazing angle.
    let (sin, cos) = 80f32.to_radians().sin_cos();
    scene.instances[0].world_from_model = ironlands_scene::Affine([
        [cos, 0.0, sin, 3.0],
        [0.0, 1.0, 0.0, 0.0],
        [-sin, 0.0, cos, -0.1],
    ]);
    let normal = DVec3::new(-f64::from(cos), 0.0, f64::from(sin));
    let picture = shoot(&scene, &state());
    let pixel = [CENTER[0], CENTER[1] + 1];
    let expected = shine(&highlight, normal, lamp, to_eye(pixel), &around);
    assert_pixel(&picture, pixel, expected.map(display), 2);
}

#[test]
fn a_map_says_how_narrow_a_highlight_is_and_masks_where() {
    let mut scene = empty();
    let map = solid(&mut scene, [20, 255, 0, 255]);
    let normals = solid(&mut scene, [128, 128, 255, 102]);
    let narrow = Highlight {
        exponent: 1.0 + 149.0 * 20.0 / 255.0,
        map: Some(map),
        is_tinted_by_texture: false,
        tint: [1.0; 3],
        fresnel: [1.0; 3],
        mask: HighlightMask::NormalAlpha,
        rim: Some(Rim {
            exponent: 4.0,
            boost: 1.0,
            is_masked: true,
        }),
    };
    let lamp = DVec3::new(-1.0, 0.2, 0.0);
    let effects = PassEffects {
        normal_map: Some(NormalMap {
            texture: normals,
            is_self_shadowed: false,
        }),
        highlight: Some(narrow.clone()),
        ..PassEffects::default()
    };
    let picture = shoot(&plate_scene(scene, effects, lamp, DARK), &state());
    let masked = Highlight {
        tint: [0.4; 3],
        rim: None,
        ..narrow
    };
    let expected = shine(
        &masked,
        PLATE_NORMAL,
        lamp.normalize(),
        to_eye(CENTER),
        &DARK,
    );
    assert_pixel(&picture, CENTER, expected.map(display), 2);
}
