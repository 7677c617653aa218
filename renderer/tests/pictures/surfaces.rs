//! Light, blending, fog, textures and edges of surfaces.

use ironlands_scene::{
    Addressing, Blend, BlendFactor, Fog, FogFalloff, FogLayer, Lighting, MaterialIdx, Pass,
    PassKind, Scene, Sun,
};

use crate::stage::*;

fn lit_wall(lighting: Lighting) -> Scene {
    let mut scene = empty();
    // The wall faces -X; 60 degrees from there the sun gives it half its light.
    scene.sun = Sun {
        direction_to_sun: [-0.5, 0.0, 0.75f32.sqrt()],
        ..Sun::default()
    };
    let pass = Pass {
        lighting,
        ..unlit(&mut scene, gray(200))
    };
    let material = material(&mut scene, vec![pass]);
    add_wall(&mut scene, 10.0, material);
    scene
}

#[test]
fn display_lighting_multiplies_display_values() {
    // 200 * (0.35 ambient + 0.65 sun * 0.5)
    assert_pixel(
        &shoot(&lit_wall(Lighting::Display), &state()),
        CENTER,
        [135; 3],
        1,
    );
}

#[test]
fn linear_lighting_multiplies_decoded_values() {
    // sRGB: 200 is 0.578 linear, 0.35 is 0.101, 0.65 is 0.380; 0.578 * (0.101 + 0.380 * 0.5) = 0.168 is 114.
    assert_pixel(
        &shoot(&lit_wall(Lighting::Linear), &state()),
        CENTER,
        [114; 3],
        1,
    );
}

#[test]
fn unlit_surfaces_ignore_the_sun() {
    assert_pixel(
        &shoot(&lit_wall(Lighting::Unlit), &state()),
        CENTER,
        [200; 3],
        0,
    );
}

#[test]
fn material_colors_weigh_sun_ambient_and_own_light() {
    let mut scene = lit_wall(Lighting::Display);
    let pass = &mut scene.materials[0].passes[0];
    pass.diffuse = [1.0, 0.0, 0.0, 1.0];
    pass.ambient = [0.0, 1.0, 0.0];
    pass.emissive = [0.0, 0.0, 0.5];
    // 200 * 0.325 sun, 200 * 0.35 ambient, 200 * 0.5 own light
    assert_pixel(&shoot(&scene, &state()), CENTER, [65, 70, 100], 1);
}

#[test]
fn light_beyond_white_is_cut_off() {
    let mut scene = lit_wall(Lighting::Display);
    scene.materials[0].passes[0].emissive = [5.0; 3];
    assert_pixel(&shoot(&scene, &state()), CENTER, [200; 3], 0);
}

#[test]
fn a_surface_turned_away_from_the_sun_has_ambient_light_only() {
    let mut scene = lit_wall(Lighting::Display);
    scene.sun.direction_to_sun = [1.0, 0.0, 0.0];
    assert_pixel(&shoot(&scene, &state()), CENTER, [70; 3], 1);
}

#[test]
fn a_decal_lies_over_its_base_by_its_alpha() {
    let scene = passes_on_wall(&[
        (PassKind::Base, gray(100), None),
        (PassKind::Decal, [200, 200, 200, 128], Some(Blend::ALPHA)),
    ]);
    // 100 + 100 * 128 / 255
    assert_pixel(&shoot(&scene, &state()), CENTER, [150; 3], 1);
    let mut without = state();
    without.switches.decal = false;
    assert_pixel(&shoot(&scene, &without), CENTER, [100; 3], 0);
}

#[test]
fn passes_over_a_slanted_surface_meet_at_every_pixel() {
    let mut scene = passes_on_wall(&[
        (PassKind::Base, [200, 0, 0, 255], None),
        (PassKind::Decal, [0, 200, 0, 255], Some(Blend::ALPHA)),
    ]);
    scene.meshes.clear();
    let corners = [
        [3.0, 9.0, -7.0],
        [5.0, -8.0, -6.0],
        [90.0, -77.0, 71.0],
        [60.0, 83.0, 67.0],
    ];
    add_quad(&mut scene, corners, [0.0, 0.0, 1.0], MaterialIdx(0));
    let picture = shoot(&scene, &state());
    let n_green = picture
        .pixels()
        .filter(|pixel| pixel.0 == [0, 200, 0, 255])
        .count();
    let n_red = picture.pixels().filter(|pixel| pixel.0[0] == 200).count();
    assert!(n_green > 1000, "the decal covers {n_green} pixels");
    assert_eq!(n_red, 0, "no pixel of the base is left uncovered");
}

#[test]
fn middle_gray_detail_leaves_the_base_and_darker_detail_darkens_it() {
    for (detail, expected) in [(128, 100), (64, 50), (192, 151)] {
        let scene = passes_on_wall(&[
            (PassKind::Base, gray(100), None),
            (PassKind::Detail, gray(detail), Some(Blend::MODULATE_2X)),
        ]);
        assert_pixel(&shoot(&scene, &state()), CENTER, [expected; 3], 1);
    }
}

/// A wall 100 ahead and fog from 50 to 150.
fn half_fogged(passes: &[(PassKind, [u8; 4], Option<Blend>)]) -> Scene {
    let mut scene = passes_on_wall(passes);
    scene.meshes.clear();
    add_wall(&mut scene, 100.0, MaterialIdx(0));
    scene.fog = Some(Fog {
        color: [0.0, 0.0, 1.0],
        start: 50.0,
        end: 150.0,
        falloff: FogFalloff::Linear,
        density: 1.0,
        layer: None,
    });
    scene
}

#[test]
fn fog_is_half_way_between_its_start_and_end() {
    let scene = half_fogged(&[(PassKind::Base, gray(200), None)]);
    assert_pixel(&shoot(&scene, &state()), CENTER, [100, 100, 228], 1);
    let mut thin = scene.clone();
    thin.fog.as_mut().expect("there is fog").density = 0.5;
    assert_pixel(&shoot(&thin, &state()), CENTER, [150, 150, 214], 1);
    let mut clear = state();
    clear.switches.fog = false;
    assert_pixel(&shoot(&scene, &clear), CENTER, [200; 3], 0);
}

#[test]
fn fog_is_measured_from_the_eye_not_along_the_view() {
    let scene = half_fogged(&[(PassKind::Base, gray(200), None)]);
    let picture = shoot(&scene, &state());
    let red = |x| picture.get_pixel(x, CENTER[1]).0[0];
    // At the picture's edge the wall is 100 * sqrt(1 + 0.76^2) = 125.6 away: 0.756 of fog leave 49.
    assert!(red(0).abs_diff(49) <= 2, "{}", red(0));
    assert!(red(0) < red(CENTER[0]));
}

#[test]
fn distance_counts_as_far_as_it_leads_through_the_layer_of_fog() {
    let mut down = half_fogged(&[(PassKind::Base, gray(200), None)]);
    down.meshes.clear();
    let floor = [[-99.0, 99.0], [-99.0, -99.0], [99.0, -99.0], [99.0, 99.0]];
    let floor = floor.map(|[x, y]| [x, y, -100.0]);
    add_quad(&mut down, floor, [0.0, 0.0, 1.0], MaterialIdx(0));
    let mut looking_down = state();
    looking_down.camera.pitch_rad = -std::f32::consts::FRAC_PI_2;
    let ahead = half_fogged(&[(PassKind::Base, gray(200), None)]);
    for (what, scene, state, [full_below, none_above], expected) in [
        (
            "eye and ground are in fog",
            &down,
            &looking_down,
            [0.0, 50.0],
            [100, 100, 228],
        ),
        // Of 100 down, 50 are in full fog and 20 in half of it.
        (
            "the eye is above",
            &down,
            &looking_down,
            [-50.0, -30.0],
            [180, 180, 206],
        ),
        (
            "fog is below the ground",
            &down,
            &looking_down,
            [-300.0, -200.0],
            [200; 3],
        ),
        (
            "the way is level, in half the fog",
            &ahead,
            &state(),
            [-1000.0, 1000.0],
            [200; 3],
        ),
        // 97.5 of 100.
        (
            "the way is level, in nearly all of it",
            &ahead,
            &state(),
            [-25.0, 975.0],
            [105, 105, 226],
        ),
    ] {
        let mut scene = scene.clone();
        scene.fog.as_mut().expect("there is fog").layer = Some(FogLayer {
            full_below,
            none_above,
        });
        let picture = shoot(&scene, state);
        assert_eq!(scene.validate(), Ok(()), "{what}");
        assert_pixel(&picture, CENTER, expected, 1);
    }
}

#[test]
fn every_blend_in_full_fog_leaves_the_fog_color() {
    let add = Blend {
        source: BlendFactor::One,
        destination: BlendFactor::One,
    };
    let multiply = Blend {
        source: BlendFactor::Zero,
        destination: BlendFactor::SourceColor,
    };
    let premultiplied = Blend {
        source: BlendFactor::One,
        destination: BlendFactor::InverseSourceAlpha,
    };
    for blend in [
        Blend::ALPHA,
        Blend::MODULATE_2X,
        add,
        multiply,
        premultiplied,
    ] {
        let mut scene = half_fogged(&[
            (PassKind::Base, gray(200), None),
            (PassKind::Detail, [30, 220, 90, 128], Some(blend)),
        ]);
        let fog = scene.fog.as_mut().expect("there is fog");
        (fog.start, fog.end) = (10.0, 90.0);
        fog.color = [0.2, 0.4, 0.6];
        assert_pixel(&shoot(&scene, &state()), CENTER, [51, 102, 153], 1);
    }
}

#[test]
fn alpha_test_drops_what_is_below_its_reference() {
    for (alpha, drawn) in [(127, false), (128, true)] {
        let mut scene = passes_on_wall(&[(PassKind::Base, [10, 20, 30, alpha], None)]);
        scene.materials[0].passes[0].alpha_test = Some(128.0 / 255.0);
        let expected = if drawn { [10, 20, 30] } else { BACKGROUND };
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 0);
    }
}

/// Red, green over blue, white.
fn four_colors() -> Scene {
    let mut scene = empty();
    let pixels = [
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 255, 255],
        gray(255),
    ]
    .concat();
    let pass = Pass {
        texture: Some(texture(&mut scene, [2, 2], pixels)),
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    let material = material(&mut scene, vec![pass]);
    // Three times as wide as far: the picture's corners are well inside the four colors.
    add_quad(
        &mut scene,
        wall_corners(3.0).map(|[_, y, z]| [3.5, y, z]),
        [-1.0, 0.0, 0.0],
        material,
    );
    scene
}

#[test]
fn a_texture_stands_upright_and_not_mirrored() {
    let picture = shoot(&four_colors(), &state());
    let [right, bottom] = SIZE.map(|side| side - 1);
    for (pixel, color) in [
        ([0, 0], [255, 0, 0]),
        ([right, 0], [0, 255, 0]),
        ([0, bottom], [0, 0, 255]),
        ([right, bottom], [255; 3]),
    ] {
        assert_pixel(&picture, pixel, color, 60);
    }
}

#[test]
fn a_pass_takes_the_uv_set_that_it_names() {
    let mut scene = four_colors();
    scene.materials[0].passes[0].uv_set = 1;
    // All corners have (0.5, 0.5) there: the mean of the four colors, everywhere.
    let picture = shoot(&scene, &state());
    for pixel in [[0, 0], CENTER] {
        assert_pixel(&picture, pixel, [128; 3], 2);
    }
}

#[test]
fn textures_scroll_with_time() {
    let mut scene = four_colors();
    scene.textures[0].addressing = Addressing::Repeat;
    scene.materials[0].passes[0].uv_scroll_per_sec = [0.25, 0.0];
    let mut state = state();
    state.time_secs = 2.0;
    // Half a texture to the left: what was at the right is at the left.
    let picture = shoot(&scene, &state);
    assert_pixel(&picture, [15, 0], [0, 255, 0], 60);
}

#[test]
fn a_texture_too_fine_for_the_picture_is_averaged() {
    let mut scene = empty();
    // A checkerboard of single pixels, repeated so often that one screen pixel covers many.
    let pixels = (0..64 * 64)
        .flat_map(|i| gray(if (i % 64 + i / 64) % 2 == 0 { 255 } else { 0 }))
        .collect();
    let checkered = texture(&mut scene, [64, 64], pixels);
    let pass = Pass {
        texture: Some(checkered),
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    let material = material(&mut scene, vec![pass]);
    add_wall(&mut scene, 10.0, material);
    scene.textures[0].addressing = Addressing::Repeat;
    for uv in &mut scene.meshes[0].uv_sets[0] {
        *uv = uv.map(|v| v * 16.0);
    }
    assert_pixel(&shoot(&scene, &state()), CENTER, [128; 3], 1);
    // Stored levels are taken as they are: here the smaller ones are black.
    let smaller = (1..=6).map(|level| vec![0; (64usize >> level).pow(2) * 4]);
    scene.textures[0].mips.extend(smaller);
    assert_pixel(&shoot(&scene, &state()), CENTER, [0; 3], 1);
}

#[test]
fn multisampling_softens_edges_and_nothing_else() {
    let mut scene = passes_on_wall(&[(PassKind::Base, gray(255), None)]);
    scene.sky.horizon = [0.0; 3];
    scene.meshes.clear();
    let slanted = [
        [10.0, 4.0, -3.0],
        [10.0, -4.0, -2.0],
        [10.0, -3.0, 3.0],
        [10.0, 3.0, 2.0],
    ];
    add_quad(&mut scene, slanted, [-1.0, 0.0, 0.0], MaterialIdx(0));
    let n_between = |samples| {
        let (picture, _) = shoot_with(&scene, &state(), samples, None);
        picture
            .pixels()
            .filter(|pixel| !matches!(pixel.0[0], 0 | 255))
            .count()
    };
    assert_eq!(n_between(1), 0);
    assert!((40..400).contains(&n_between(4)), "{}", n_between(4));
}
