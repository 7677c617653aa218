//! Light that was computed beforehand, blend textures, and textures of linear light.

use half::f16;
use ironlands_renderer::FrameState;
use ironlands_scene::{
    AmbientCube, Blend, BlendTexture, LightStyle, Lighting, Lightmap, MaterialIdx, NormalMap, Pass,
    PassKind, PixelFormat, Scene, Texture, TextureIdx,
};

use crate::models::{add_instance, add_model, at, plate_of};
use crate::stage::*;

pub const BASE: [u8; 4] = [200, 128, 64, 255];

/// Where the directions of lightmaps point.
fn directions() -> [[f64; 3]; 3] {
    let [third, half, sixth] = [3.0f64, 2.0, 6.0].map(|n| (1.0 / n).sqrt());
    [
        [(2.0f64 / 3.0).sqrt(), 0.0, third],
        [-sixth, half, third],
        [-sixth, -half, third],
    ]
}

pub fn linear(display: u8) -> f64 {
    let display = f64::from(display) / 255.0;
    if display <= 0.04045 {
        display / 12.92
    } else {
        ((display + 0.055) / 1.055).powf(2.4)
    }
}

pub fn display(linear: f64) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let display = if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (display * 255.0).round() as u8
}

/// What a display-space texel shows under light.
pub fn lit(texel: [u8; 4], light: [f64; 3]) -> [u8; 3] {
    [0, 1, 2].map(|c| display(linear(texel[c]) * light[c]))
}

/// A texture of one pixel of linear light in each layer.
pub fn light_texture(scene: &mut Scene, layers: &[[f32; 3]]) -> TextureIdx {
    let values = layers.iter().flat_map(|[r, g, b]| [*r, *g, *b, 1.0]);
    let bytes = values.flat_map(|value| f16::from_f32(value).to_le_bytes());
    scene.textures.push(Texture {
        name: "light".to_owned(),
        width: 1,
        height: 1,
        format: PixelFormat::Rgba16Float,
        n_layers: layers.len() as u32,
        mips: vec![bytes.collect()],
        ..Texture::default()
    });
    TextureIdx(scene.textures.len() as u32 - 1)
}

pub fn lightmapped_pass(scene: &mut Scene, styles: &[u16], layers: &[[f32; 3]]) -> Pass {
    Pass {
        texture: Some(solid(scene, BASE)),
        lighting: Lighting::Lightmap,
        lightmap: Some(Lightmap {
            texture: light_texture(scene, layers),
            styles: styles.to_vec(),
            normal_map: None,
        }),
        ..Pass::default()
    }
}

pub fn wall_of(mut scene: Scene, passes: Vec<Pass>) -> Scene {
    let material = material(&mut scene, passes);
    add_wall(&mut scene, 10.0, material);
    scene
}

fn lightmapped_wall(styles: &[u16], layers: &[[f32; 3]]) -> Scene {
    let mut scene = empty();
    let pass = lightmapped_pass(&mut scene, styles, layers);
    wall_of(scene, vec![pass])
}

#[test]
fn a_lightmap_multiplies_in_linear_light_and_ends_in_white() {
    let scene = lightmapped_wall(&[0], &[[0.5, 0.25, 4.0]]);
    let expected = lit(BASE, [0.5, 0.25, 4.0]);
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
    let bright = lightmapped_wall(&[0], &[[2.0, 8.0, 100.0]]);
    assert_pixel(&shoot(&bright, &state()), CENTER, [255; 3], 0);
}

#[test]
fn a_passs_own_colors_tint_a_lightmap_and_shine_without_it() {
    let mut scene = lightmapped_wall(&[0], &[[0.5; 3]]);
    let pass = &mut scene.materials[0].passes[0];
    pass.diffuse = [1.0, 128.0 / 255.0, 0.0, 1.0];
    pass.emissive = [0.0, 0.0, 128.0 / 255.0];
    let expected = lit(BASE, [0.5, 0.5 * linear(128), linear(128)]);
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
}

#[test]
fn light_is_shown_brighter_by_powers_of_two() {
    let scene = lightmapped_wall(&[0], &[[0.5; 3]]);
    for (exposure_stops, factor) in [(-1.0, 0.25), (0.0, 0.5), (1.0, 1.0)] {
        let state = FrameState {
            exposure_stops,
            ..state()
        };
        assert_pixel(&shoot(&scene, &state), CENTER, lit(BASE, [factor; 3]), 1);
    }
}

#[test]
fn without_a_lightmap_a_surface_is_fully_lit() {
    let mut state = state();
    state.switches.lightmap = false;
    let scene = lightmapped_wall(&[0], &[[0.1; 3]]);
    let [r, g, b, _] = BASE;
    assert_pixel(&shoot(&scene, &state), CENTER, [r, g, b], 1);
}

#[test]
fn styles_are_added_up_as_they_are_at_the_time() {
    let mut scene = lightmapped_wall(&[0, 2], &[[0.25; 3], [0.5, 0.125, 0.0]]);
    let factors = |factors: &[f32]| LightStyle {
        factors: factors.to_vec(),
        factors_per_sec: 10.0,
    };
    scene.light_styles = vec![factors(&[1.0]), factors(&[9.0]), factors(&[0.0, 2.0])];
    for (time_secs, factor) in [(0.05, 0.0), (0.15, 2.0), (0.25, 0.0)] {
        let state = FrameState {
            time_secs,
            ..state()
        };
        let light = [0.25 + 0.5 * factor, 0.25 + 0.125 * factor, 0.25];
        assert_pixel(&shoot(&scene, &state), CENTER, lit(BASE, light), 1);
    }
}

#[test]
fn a_lightmap_of_display_space_pixels_is_decoded() {
    let mut scene = lightmapped_wall(&[0], &[[0.0; 3]]);
    let light = solid(&mut scene, [188, 64, 255, 255]);
    let lightmap = scene.materials[0].passes[0].lightmap.as_mut();
    lightmap.expect("it has").texture = light;
    let expected = lit(BASE, [linear(188), linear(64), 1.0]);
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
}

/// A wall whose light came from three directions.
fn bumped_wall(normal: [u8; 4], is_self_shadowed: bool) -> Scene {
    let layers = [[0.9; 3], [0.8, 0.1, 0.2], [0.1, 0.4, 0.2], [0.05, 0.2, 0.6]];
    let mut scene = lightmapped_wall(&[0], &layers);
    let texture = solid(&mut scene, normal);
    let lightmap = scene.materials[0].passes[0].lightmap.as_mut();
    lightmap.expect("it has").normal_map = Some(NormalMap {
        texture,
        is_self_shadowed,
    });
    scene
}

fn light_of(shares: [f64; 3]) -> [f64; 3] {
    let layers = [[0.8, 0.1, 0.2], [0.1, 0.4, 0.2], [0.05, 0.2, 0.6]];
    [0, 1, 2].map(|c| (0..3).map(|i| shares[i] * layers[i][c]).sum())
}

#[test]
fn a_tilted_normal_takes_its_share_of_each_direction() {
    for normal in [
        [128, 128, 255],
        [232, 128, 201],
        [75, 218, 201],
        [60, 60, 160],
        [200, 40, 140],
    ] {
        let n = normal.map(|channel: u8| f64::from(channel) / 127.5 - 1.0);
        let squares =
            directions().map(|b| (0..3).map(|i| n[i] * b[i]).sum::<f64>().max(0.0).powi(2));
        let sum: f64 = squares.iter().sum();
        let expected = lit(BASE, light_of(squares.map(|square| square / sum)));
        let [x, y, z] = normal;
        let scene = bumped_wall([x, y, z, 255], false);
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
    }
}

#[test]
fn a_self_shadowed_map_says_the_shares_itself() {
    let scene = bumped_wall([51, 102, 204, 255], true);
    let expected = lit(BASE, light_of([0.2, 0.4, 0.8]));
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
}

/// White, fading to black with this weight on all corners.
fn blended_wall(weight: f32, transition: Option<[u8; 4]>) -> Scene {
    let mut scene = empty();
    let pass = Pass {
        blend_texture: Some(BlendTexture {
            texture: solid(&mut scene, [0, 0, 255, 255]),
            transition: transition.map(|texel| solid(&mut scene, texel)),
        }),
        ..unlit(&mut scene, gray(255))
    };
    let mut scene = wall_of(scene, vec![pass]);
    scene.meshes[0].colors = vec![[0.0, 0.0, 0.0, weight]; 4];
    scene
}

#[test]
fn a_blend_texture_is_mixed_in_linear_light_by_vertex() {
    for weight in [0.0, 0.25, 0.5, 1.0] {
        let dark = display(1.0 - f64::from(weight));
        let picture = shoot(&blended_wall(weight, None), &state());
        assert_pixel(&picture, CENTER, [dark, dark, 255], 1);
    }
    let mut scene = blended_wall(0.0, None);
    scene.meshes[0].colors.clear();
    assert_pixel(&shoot(&scene, &state()), CENTER, [255; 3], 0);
}

#[test]
fn a_transition_sharpens_weights() {
    let [radius, middle] = [51u8, 128].map(|channel| f64::from(channel) / 255.0);
    for weight in [0.2, 0.4, 0.5, 0.6, 0.8] {
        let share = ((f64::from(weight) - (middle - radius)) / (2.0 * radius)).clamp(0.0, 1.0);
        let share = share * share * (3.0 - 2.0 * share);
        let dark = display(1.0 - share);
        let picture = shoot(&blended_wall(weight, Some([51, 128, 0, 255])), &state());
        assert_pixel(&picture, CENTER, [dark, dark, 255], 2);
    }
    // An edge without a width is an edge.
    for (weight, dark) in [(0.4, 255), (0.6, 0)] {
        let picture = shoot(&blended_wall(weight, Some([0, 128, 0, 255])), &state());
        assert_pixel(&picture, CENTER, [dark, dark, 255], 0);
    }
}

#[test]
fn a_texture_of_linear_light_is_shown_as_display_space() {
    let mut scene = empty();
    let texture = light_texture(&mut scene, &[[0.5, 0.25, 2.0]]);
    let pass = Pass {
        texture: Some(texture),
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    let scene = wall_of(scene, vec![pass]);
    let expected = [display(0.5), display(0.25), 255];
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
}

#[test]
fn later_passes_find_the_depth_of_lightmaps_and_holes_stay_holes() {
    let mut scene = empty();
    let mut base = lightmapped_pass(&mut scene, &[0], &[[1.0; 3]]);
    let holed = [BASE, [0, 0, 0, 0]].concat();
    base.texture = Some(texture(&mut scene, [2, 1], holed));
    base.alpha_test = Some(0.5);
    let detail = Pass {
        kind: PassKind::Detail,
        blend: Some(Blend::MODULATE),
        ..unlit(&mut scene, gray(128))
    };
    let picture = shoot(&wall_of(scene, vec![base]), &state());
    let [r, g, b, _] = BASE;
    assert_pixel(&picture, [8, CENTER[1]], [r, g, b], 1);
    assert_pixel(&picture, [64, CENTER[1]], BACKGROUND, 0);

    let mut scene = empty();
    let base = lightmapped_pass(&mut scene, &[0], &[[1.0; 3]]);
    let detail = Pass {
        texture: Some(solid(&mut scene, gray(128))),
        ..detail
    };
    let picture = shoot(&wall_of(scene, vec![base, detail]), &state());
    let half = |channel: u8| (f64::from(channel) * 128.0 / 255.0).round() as u8;
    assert_pixel(&picture, CENTER, [r, g, b].map(half), 1);
}

#[test]
fn the_lightmap_of_a_model_is_that_of_a_mesh() {
    let mut scene = empty();
    let pass = lightmapped_pass(&mut scene, &[0], &[[0.5, 0.25, 1.0]]);
    let material = material(&mut scene, vec![pass]);
    let model = add_model(&mut scene, plate_of(material));
    add_instance(&mut scene, model, at(3.0, 0.0, 0.0));
    let expected = lit(BASE, [0.5, 0.25, 1.0]);
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
}

/// Two plates side by side, left and right of the middle, in ambient light.
fn plates(normal: [f32; 3]) -> Scene {
    let mut scene = empty();
    let pass = Pass {
        texture: Some(solid(&mut scene, BASE)),
        lighting: Lighting::Ambient,
        ..Pass::default()
    };
    let material = material(&mut scene, vec![pass]);
    let mut plate = plate_of(material);
    plate.mesh.normals = vec![normal; 4];
    let model = add_model(&mut scene, plate);
    add_instance(&mut scene, model, at(3.0, 1.0, 0.0));
    add_instance(&mut scene, model, at(3.0, -1.0, 0.0));
    scene
}

const LEFT: [u32; 2] = [28, CENTER[1]];
const RIGHT: [u32; 2] = [44, CENTER[1]];

#[test]
fn an_ambient_cube_lights_each_axis_from_the_side_that_faces_it() {
    let cube = [
        [0.9, 0.0, 0.0],
        [0.5, 0.1, 0.2],
        [0.0, 0.9, 0.0],
        [0.1, 0.4, 0.0],
        [0.2, 0.3, 0.8],
        [0.0, 0.0, 0.9],
    ];
    for (normal, sides) in [
        ([-1.0, 0.0, 0.0], [1, 2, 4]),
        ([1.0, 0.0, 0.0], [0, 2, 4]),
        ([0.0, -1.0, 0.0], [0, 3, 4]),
        ([0.0, 0.0, 1.0], [0, 2, 4]),
        ([-0.6, 0.0, 0.8], [1, 2, 4]),
        ([-0.6, 0.0, -0.8], [1, 2, 5]),
        ([0.48, -0.64, 0.6], [0, 3, 4]),
        ([0.48, 0.64, -0.6], [0, 2, 5]),
    ] {
        let mut scene = plates(normal);
        scene.instances[1].light = Some(AmbientCube(cube));
        scene.sun.ambient = [1.0, 128.0 / 255.0, 0.0];
        let light = [0, 1, 2].map(|c| {
            let of_axis = |axis: usize| f64::from(cube[sides[axis]][c] * normal[axis].powi(2));
            (0..3).map(of_axis).sum()
        });
        let picture = shoot(&scene, &state());
        assert_pixel(&picture, RIGHT, lit(BASE, light), 1);
        let ambient = lit(BASE, [1.0, linear(128), 0.0]);
        assert_pixel(&picture, LEFT, ambient, 1);
    }
}

#[test]
fn without_a_cube_anywhere_models_are_in_the_scenes_ambient_light() {
    let mut scene = plates([-1.0, 0.0, 0.0]);
    scene.sun.ambient = [188.0 / 255.0; 3];
    let picture = shoot(&scene, &state());
    for place in [LEFT, RIGHT] {
        assert_pixel(&picture, place, lit(BASE, [linear(188); 3]), 1);
    }
}

#[test]
fn light_of_vertices_is_added_to_that_from_around() {
    let mut scene = plates([-1.0, 0.0, 0.0]);
    scene.sun.ambient = [0.0; 3];
    scene.instances[0].light = Some(AmbientCube([[0.125; 3]; 6]));
    scene.models[0].mesh.colors = vec![[0.25, 0.5, 0.0, 0.0]; 4];
    let picture = shoot(&scene, &state());
    assert_pixel(&picture, LEFT, lit(BASE, [0.375, 0.625, 0.125]), 1);
    assert_pixel(&picture, RIGHT, lit(BASE, [0.25, 0.5, 0.0]), 1);

    let mut scene = empty();
    scene.sun.ambient = [0.0; 3];
    let pass = Pass {
        texture: Some(solid(&mut scene, BASE)),
        lighting: Lighting::Ambient,
        ..Pass::default()
    };
    let mut scene = wall_of(scene, vec![pass]);
    scene.meshes[0].colors = vec![[0.25, 0.5, 1.0, 0.0]; 4];
    let expected = lit(BASE, [0.25, 0.5, 1.0]);
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
}

/// 565 colors, the greater first, and for each row four indices of two bits.
fn bc1_block(colors: [u16; 2], rows: [u8; 4]) -> Vec<u8> {
    let colors = colors.map(u16::to_le_bytes).concat();
    [&colors[..], &rows].concat()
}

#[test]
fn blocks_are_shown_as_their_pixels() {
    // Red and blue, and a third of the way between them; each column of four pixels is one of them.
    let block = bc1_block([0xF800, 0x001F], [0b11_10_01_00; 4]);
    let colors = [[255, 0, 0], [0, 0, 255], [170, 0, 85], [85, 0, 170]];
    for width in [4, 8, 6] {
        let mut scene = empty();
        let n_blocks = 2 - usize::from(width == 4);
        scene.textures.push(Texture {
            width,
            height: 4,
            format: PixelFormat::Bc1,
            n_layers: 1,
            mips: vec![block.repeat(n_blocks)],
            ..Texture::default()
        });
        let pass = Pass {
            texture: Some(TextureIdx(0)),
            lighting: Lighting::Unlit,
            ..Pass::default()
        };
        let mut scene = wall_of(scene, vec![pass]);
        for (x, color) in colors.into_iter().enumerate() {
            // The middle of a texel over the whole wall.
            let uv = [(x as f32 + 0.5) / width as f32, 0.5];
            scene.meshes[0].uv_sets[0] = vec![uv; 4];
            assert_pixel(&shoot(&scene, &state()), CENTER, color, 1);
        }
    }
}

#[test]
fn the_smallest_stored_level_serves_for_all_smaller_ones() {
    let mut scene = empty();
    let [red, blue] = [0xF800, 0x001F].map(|color| bc1_block([color, 0], [0; 4]));
    scene.textures.push(Texture {
        width: 8,
        height: 8,
        format: PixelFormat::Bc1,
        n_layers: 1,
        // The last has 2 x 2 pixels, fewer than a block.
        mips: vec![red.repeat(4), red, blue],
        ..Texture::default()
    });
    let pass = Pass {
        texture: Some(TextureIdx(0)),
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    let mut scene = wall_of(scene, vec![pass]);
    assert_pixel(&shoot(&scene, &state()), CENTER, [255, 0, 0], 0);
    let repeats = 2000.0;
    let corners = [[0.0, repeats], [repeats, repeats], [repeats, 0.0], [0.0; 2]];
    scene.meshes[0].uv_sets[0] = corners.to_vec();
    assert_pixel(&shoot(&scene, &state()), CENTER, [0, 0, 255], 0);
}

#[test]
fn a_sea_of_a_material_with_a_lightmap_is_drawn() {
    let mut scene = empty();
    let mut pass = lightmapped_pass(&mut scene, &[0], &[[0.5; 3]]);
    pass.kind = PassKind::Water;
    let mut scene = wall_of(scene, vec![pass]);
    scene.sun.ambient = [1.0; 3];
    scene.sun.color = [0.0; 3];
    scene.water = Some(ironlands_scene::Water {
        level: -5.0,
        material: MaterialIdx(0),
        uv_per_unit: 0.1,
        level_min: [-10.0; 2],
        level_max: [-9.0; 2],
        bed: None,
    });
    scene.meshes.clear();
    let mut state = state();
    state.switches.water_reflection = false;
    state.switches.fog = false;
    let [r, g, b, _] = BASE;
    assert_pixel(&shoot(&scene, &state), [CENTER[0], 46], [r, g, b], 1);
}
