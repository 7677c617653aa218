//! Ground of two layers: weights of vertices, detail textures, light with a floor, and cells of textures.

use ironlands_scene::{
    Blend, Fog, FogFalloff, LayerEdge, LayerFade, Lighting, Pass, PassKind, Scene, Sun, TextureCell,
};

use crate::stage::*;

/// A wall whose first layer is red; the second is green, blended by this weight at all vertices.
fn two_layers(weight: f32) -> Scene {
    let mut scene = empty();
    let first = unlit(&mut scene, [200, 0, 0, 255]);
    let second = Pass {
        kind: PassKind::Decal,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        fade: Some(LayerFade::default()),
        ..unlit(&mut scene, [0, 200, 0, 255])
    };
    let material = material(&mut scene, vec![first, second]);
    add_wall(&mut scene, 10.0, material);
    let n_vertices = scene.meshes[0].positions.len();
    scene.meshes[0].colors = vec![[0.0, 0.0, 0.0, weight]; n_vertices];
    scene
}

#[test]
fn a_second_layer_is_as_opaque_as_the_weights_of_its_vertices() {
    for (weight, [red, green]) in [(0.0, [200, 0]), (0.25, [150, 50]), (1.0, [0, 200])] {
        let picture = shoot(&two_layers(weight), &state());
        assert_pixel(&picture, CENTER, [red, green, 0], 1);
    }
    let mut without_weights = two_layers(1.0);
    without_weights.meshes[0].colors.clear();
    assert_pixel(&shoot(&without_weights, &state()), CENTER, [200, 0, 0], 1);
}

#[test]
fn bright_parts_of_a_layer_reach_over_its_edge() {
    // Green of 200 has a luminance of 0.7152 * 0.578 = 0.413, black none.
    let edge = |luminance, weight| LayerEdge { luminance, weight };
    for (layer, weight, edge, share) in [
        // 2 * 0.4 = 0.8 is beyond the edge; of black, 0.4 is before it.
        // The alpha of its texture does not count.
        ([0, 200, 0, 60], 0.4, edge([0.0, 0.4], [0.5, 0.7]), 1.0),
        ([0, 0, 0, 255], 0.4, edge([0.0, 0.4], [0.5, 0.7]), 0.0),
        // In the middle of the edge: 0.4 of 0.3 to 0.5.
        ([0, 0, 0, 255], 0.4, edge([0.5, 0.9], [0.3, 0.5]), 0.5),
        // Three quarters of it: 3 * 0.5625 - 2 * 0.421875.
        ([0, 0, 0, 255], 0.45, edge([0.5, 0.9], [0.3, 0.5]), 0.84375),
        // No edge at all is a step.
        ([0, 0, 0, 255], 0.41, edge([0.5, 0.9], [0.4, 0.4]), 1.0),
    ] {
        let mut scene = two_layers(weight);
        let second = unlit(&mut scene, layer).texture;
        let pass = &mut scene.materials[0].passes[1];
        pass.texture = second;
        pass.fade = Some(LayerFade {
            edge: Some(edge),
            ..LayerFade::default()
        });
        let mixed = |first: f32, second: u8| {
            (first * (1.0 - share) + f32::from(second) * share).round() as u8
        };
        let expected = [mixed(200.0, layer[0]), mixed(0.0, layer[1]), 0];
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
    }
}

/// A wall lit by a sun straight before it, with this light and floor.
fn floored(sun: f32, floor: f32, texel: [u8; 4], detail: Option<u8>) -> Scene {
    let mut scene = empty();
    scene.sun = Sun {
        direction_to_sun: [-1.0, 0.0, 0.0],
        color: [sun; 3],
        ambient: [floor; 3],
        counter: [0.0; 3],
    };
    let detail = detail.map(|light| solid(&mut scene, gray(light)));
    let pass = Pass {
        lighting: Lighting::DisplayFloor,
        detail,
        ..unlit(&mut scene, texel)
    };
    let material = material(&mut scene, vec![pass]);
    add_wall(&mut scene, 10.0, material);
    scene
}

#[test]
fn ambient_light_is_a_floor_and_light_above_one_brightens_beyond_the_texture() {
    // max(sun, floor); what is above 1 adds 0.8 of it after the texture.
    for (sun, floor, expected) in [
        (0.5, 0.2, 50),
        (0.1, 0.3, 30),
        (1.0, 0.35, 100),
        (1.25, 0.35, 151),
        (2.0, 0.0, 255),
    ] {
        let picture = shoot(&floored(sun, floor, gray(100), None), &state());
        assert_pixel(&picture, CENTER, [expected; 3], 1);
    }
}

#[test]
fn a_detail_texture_multiplies_twice_before_what_is_added() {
    // texture * detail * 2 * light + 0.8 * (light - 1)
    for (detail, sun, expected) in [
        (128, 1.0, 100),
        (64, 1.0, 50),
        (192, 0.5, 75),
        (64, 1.25, 101),
        (255, 2.0, 255),
    ] {
        let scene = floored(sun, 0.0, gray(100), Some(detail));
        assert_pixel(&shoot(&scene, &state()), CENTER, [expected; 3], 1);
        let mut plain = state();
        plain.switches.detail = false;
        let without = shoot(&floored(sun, 0.0, gray(100), None), &state());
        assert_eq!(shoot(&scene, &plain), without, "switched off");
    }
}

#[test]
fn squared_fog_thickens_with_the_square_of_the_distance() {
    // A wall 10 ahead; from 6 to 14: (100 - 36) / (196 - 36) = 0.4 of it.
    let fog = |falloff| Fog {
        color: [0.0, 0.0, 1.0],
        start: 6.0,
        end: 14.0,
        falloff,
        density: 1.0,
        layer: None,
    };
    for (falloff, [own, blue]) in [
        (FogFalloff::Linear, [100, 228]),
        (FogFalloff::Squared, [120, 222]),
    ] {
        let mut scene = empty();
        let pass = unlit(&mut scene, gray(200));
        let material = material(&mut scene, vec![pass]);
        add_wall(&mut scene, 10.0, material);
        scene.fog = Some(fog(falloff));
        assert_pixel(&shoot(&scene, &state()), CENTER, [own, own, blue], 1);
    }
}

#[test]
fn a_cell_shows_its_part_of_the_texture_alone() {
    let mut scene = empty();
    // Four quarters, the lower right one blue.
    let quarters = [
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [255, 255, 0, 255],
        [0, 0, 255, 255],
    ];
    let pixels: Vec<u8> = (0..64)
        .flat_map(|i| quarters[(i % 8) / 4 + i / 32 * 2])
        .collect();
    let sheet = texture(&mut scene, [8, 8], pixels);
    let pass = Pass {
        texture: Some(sheet),
        cell: TextureCell {
            min: [0.625, 0.625],
            size: [0.25, 0.25],
        },
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    let material = material(&mut scene, vec![pass]);
    add_wall(&mut scene, 10.0, material);
    let picture = shoot(&scene, &state());
    for place in [CENTER, [8, 8], [60, 40]] {
        assert_pixel(&picture, place, [0, 0, 255], 0);
    }
}
