//! Pictures of the sky.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use half::f16;
use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState};
use ironlands_scene::{PixelFormat, Scene, SkyBox, SkyFace, Texture, TextureIdx};

use crate::stage::*;

/// Yaw and pitch for a look at each face, so that it stands upright in the picture.
const LOOKS: [[f32; 2]; 6] = [
    [0.0, 0.0],
    [PI, 0.0],
    [FRAC_PI_2, 0.0],
    [-FRAC_PI_2, 0.0],
    [0.0, FRAC_PI_2],
    [0.0, -FRAC_PI_2],
];

fn look([yaw_rad, pitch_rad]: [f32; 2]) -> FrameState {
    let mut state = state();
    state.switches.sky = true;
    state.camera = Camera {
        yaw_rad,
        pitch_rad,
        ..Camera::default()
    };
    state
}

fn with_faces(textures: Vec<Texture>, faces: [Option<u32>; 6], uv_scale: [f32; 2]) -> Scene {
    Scene {
        textures,
        sky_box: Some(SkyBox {
            faces: faces.map(|face| {
                face.map(|texture| SkyFace {
                    texture: TextureIdx(texture),
                    uv_scale,
                })
            }),
            color: [0.0, 1.0, 0.0],
        }),
        ..empty()
    }
}

fn picture(size: [u32; 2], pixels: &[[u8; 4]]) -> Texture {
    Texture {
        width: size[0],
        height: size[1],
        n_layers: 1,
        mips: vec![pixels.concat()],
        ..Texture::default()
    }
}

/// The middles of the four quarters, row by row.
fn quarters(picture: &RgbaImage) -> [[u8; 3]; 4] {
    [[9, 6], [62, 6], [9, 41], [62, 41]].map(|[x, y]| {
        let [r, g, b, _] = picture.get_pixel(x, y).0;
        [r, g, b]
    })
}

#[test]
fn each_face_is_seen_along_its_axis() {
    let color = |face: u8| [face * 40 + 10, 255 - face * 40, face, 255];
    let textures = (0..6).map(|face| picture([1, 1], &[color(face)])).collect();
    let faces = [0, 1, 2, 3, 4, 5].map(Some);
    let scene = with_faces(textures, faces, [1.0; 2]);
    for (face, looks) in (0..).zip(LOOKS) {
        let [r, g, b, _] = color(face);
        assert_pixel(&shoot(&scene, &look(looks)), CENTER, [r, g, b], 0);
    }
}

#[test]
fn faces_stand_upright() {
    let [red, blue, white] = [[255, 0, 0, 255], [0, 0, 255, 255], [255; 4]];
    let yellow = [255, 255, 0, 255];
    // Sharp: each quarter is 16 texels wide.
    let pixels: Vec<_> = (0..32 * 32)
        .map(|i| match (i % 32 < 16, i / 32 < 16) {
            (true, true) => red,
            (false, true) => blue,
            (true, false) => white,
            (false, false) => yellow,
        })
        .collect();
    let scene = with_faces(vec![picture([32, 32], &pixels)], [Some(0); 6], [1.0; 2]);
    let expected = [red, blue, white, yellow].map(|[r, g, b, _]| [r, g, b]);
    for (face, looks) in LOOKS.into_iter().enumerate() {
        let found = quarters(&shoot(&scene, &look(looks)));
        assert_eq!(found, expected, "face {face}");
    }
}

#[test]
fn the_last_row_of_a_half_picture_goes_on_below() {
    let texture = picture([1, 2], &[[255, 0, 0, 255], [0, 0, 255, 255]]);
    let scene = with_faces(vec![texture], [Some(0); 6], [1.0, 2.0]);
    let shown = shoot(&scene, &look([0.0, 0.0]));
    for y in [24, 30, 47] {
        assert_pixel(&shown, [CENTER[0], y], [0, 0, 255], 0);
    }
    // Between the middles of the rows, as far as v is between 0 and 1.
    let y = 6u32;
    let tangent = (1.0 - (f64::from(y) + 0.5) / 24.0) * 0.65f64.tan() * 48.0 / 72.0;
    let blue = ((1.0 - tangent) * 255.0).round() as u8;
    assert_pixel(&shown, [CENTER[0], y], [255 - blue, 0, blue], 2);
}

#[test]
fn there_is_no_seam_at_edges_and_corners() {
    let texture = picture([2, 2], &[[90, 140, 200, 255]; 4]);
    let scene = with_faces(vec![texture], [Some(0); 6], [1.0; 2]);
    for looks in [
        [FRAC_PI_4, 0.0],
        [FRAC_PI_4, 0.6],
        [0.0, -FRAC_PI_4],
        [-2.5, -0.6],
    ] {
        let shown = shoot(&scene, &look(looks));
        let is_sky = |pixel: &image::Rgba<u8>| pixel.0 == [90, 140, 200, 255];
        assert!(shown.pixels().all(is_sky), "{looks:?}");
    }
}

#[test]
fn a_face_without_a_picture_has_the_color_and_bright_ones_are_toned() {
    let bytes = [0.5, 4.0, 0.0, 1.0].map(|value| f16::from_f32(value).to_le_bytes());
    let bright = Texture {
        width: 1,
        height: 1,
        format: PixelFormat::Rgba16Float,
        n_layers: 1,
        mips: vec![bytes.concat()],
        ..Texture::default()
    };
    let faces = [Some(0), None, None, None, None, None];
    let scene = with_faces(vec![bright], faces, [1.0; 2]);
    assert_pixel(&shoot(&scene, &look(LOOKS[1])), CENTER, [0, 255, 0], 0);
    // 1.055 * 0.5 ^ (1 / 2.4) - 0.055 = 0.7354.
    assert_pixel(&shoot(&scene, &look(LOOKS[0])), CENTER, [188, 255, 0], 1);
    let brighter = FrameState {
        exposure_stops: 1.0,
        ..look(LOOKS[0])
    };
    assert_pixel(&shoot(&scene, &brighter), CENTER, [255, 255, 0], 1);
    let mut without = look(LOOKS[0]);
    without.switches.sky = false;
    assert_pixel(&shoot(&scene, &without), CENTER, BACKGROUND, 0);
}
