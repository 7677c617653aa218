//! What is in a picture, from the scene's own numbers. Tolerances of 1 are for rounding to 8 bits.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "levels of detail are lists of ranges"
)]

mod common;

use common::*;
use glam::Vec3;
use ironlands_renderer::{Camera, FrameState, RenderError, Switches};
use ironlands_scene::{
    Aabb, Blend, BlendFactor, Cluster, Cull, Fog, Lighting, LodGrid, Material, MaterialIdx, Mesh,
    Pass, PassKind, Scene, Sun,
};

fn added(passes: &[(PassKind, [u8; 4], Option<Blend>)]) -> Scene {
    let mut scene = empty();
    let passes = passes
        .iter()
        .map(|(kind, color, blend)| Pass {
            kind: *kind,
            blend: *blend,
            depth_write: blend.is_none(),
            ..unlit(&mut scene, *color)
        })
        .collect();
    let material = material(&mut scene, passes);
    add_wall(&mut scene, 10.0, material);
    scene
}

/// Ground around the camera at height `z`, its front upwards.
fn add_ground(scene: &mut Scene, z: f32, half: f32, material: MaterialIdx) {
    let corners = [
        [-half, -half, z],
        [half, -half, z],
        [half, half, z],
        [-half, half, z],
    ];
    add_quad(scene, corners, [0.0, 0.0, 1.0], material);
}

fn grey(value: u8) -> [u8; 4] {
    [value, value, value, 255]
}

#[test]
fn an_empty_scene_is_the_background() {
    let picture = shoot(&empty(), &state());
    assert!(
        picture
            .pixels()
            .all(|pixel| pixel.0[..3] == BACKGROUND && pixel.0[3] == 255)
    );
}

#[test]
fn sky_covers_the_top_rows_and_ground_the_bottom_ones() {
    let mut scene = empty();
    let green = unlit(&mut scene, [20, 200, 20, 255]);
    let green = material(&mut scene, vec![green]);
    add_ground(&mut scene, -2.0, 1000.0, green);
    let mut state = state();
    state.switches.sky = true;
    let picture = shoot(&scene, &state);
    for x in 0..SIZE[0] {
        let [r, _, b, _] = picture.get_pixel(x, 0).0;
        assert!(b > r, "sky is blue up there");
        assert_ne!(picture.get_pixel(x, 0).0[..3], BACKGROUND);
        assert_pixel(&picture, [x, SIZE[1] - 1], [20, 200, 20], 0);
    }
}

#[test]
fn the_sun_stands_where_its_direction_says() {
    let mut scene = empty();
    scene.sky.sun_disc = [1.0; 3];
    let up_left = Vec3::new(1.0, 0.45, 0.3).normalize();
    scene.sun.direction_to_sun = up_left.to_array();
    let mut state = state();
    state.switches.sky = true;
    let picture = shoot(&scene, &state);
    let brightness =
        |pixel: &image::Rgba<u8>| pixel.0[..3].iter().map(|c| u32::from(*c)).sum::<u32>();
    let (x, y, _) = picture
        .enumerate_pixels()
        .max_by_key(|(_, _, pixel)| brightness(pixel))
        .expect("there are pixels");
    // The tangent of half the field of view, 0.65 rad, is 0.76: 36 - 36 * 0.45 / 0.76 and 24 - 36 * 0.3 / 0.76.
    assert!(x.abs_diff(15) <= 1 && y.abs_diff(10) <= 1, "({x}, {y})");
}

fn lit_wall(lighting: Lighting) -> Scene {
    let mut scene = empty();
    // The wall faces -X; 60 degrees from there the sun gives it half its light.
    scene.sun = Sun {
        direction_to_sun: [-0.5, 0.0, 0.75f32.sqrt()],
        ..Sun::default()
    };
    let pass = Pass {
        lighting,
        ..unlit(&mut scene, grey(200))
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
fn material_colours_weigh_sun_ambient_and_own_light() {
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
    let scene = added(&[
        (PassKind::Base, grey(100), None),
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
    let mut scene = added(&[
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
fn middle_grey_detail_leaves_the_base_and_darker_detail_darkens_it() {
    for (detail, expected) in [(128, 100), (64, 50), (192, 151)] {
        let scene = added(&[
            (PassKind::Base, grey(100), None),
            (PassKind::Detail, grey(detail), Some(Blend::MODULATE_2X)),
        ]);
        assert_pixel(&shoot(&scene, &state()), CENTER, [expected; 3], 1);
    }
}

#[test]
fn passes_are_drawn_by_kind_whatever_the_order_of_meshes() {
    let build = |water_first: bool| {
        let mut scene = empty();
        let base = unlit(&mut scene, grey(100));
        let ground = material(&mut scene, vec![base]);
        let water = Pass {
            kind: PassKind::Water,
            blend: Some(Blend::ALPHA),
            depth_write: false,
            ..unlit(&mut scene, [0, 0, 255, 128])
        };
        let water = material(&mut scene, vec![water]);
        let walls = [(10.0, ground), (5.0, water)];
        for wall in if water_first { [1, 0] } else { [0, 1] } {
            let (x, material) = walls[wall];
            add_wall(&mut scene, x, material);
        }
        scene
    };
    let mut state = state();
    state.switches.water_reflection = false;
    for water_first in [false, true] {
        assert_pixel(
            &shoot(&build(water_first), &state),
            CENTER,
            [50, 50, 178],
            1,
        );
    }
    state.switches.water = false;
    assert_pixel(&shoot(&build(true), &state), CENTER, [100; 3], 0);
}

#[test]
fn the_nearer_wall_hides_the_farther_even_far_away() {
    for (near, far) in [(5.0, 10.0), (5000.0, 5010.0), (1.0, 100_000.0)] {
        for order in [[near, far], [far, near]] {
            let mut scene = empty();
            for x in order {
                let color = if x == near {
                    [255, 0, 0, 255]
                } else {
                    [0, 255, 0, 255]
                };
                let pass = unlit(&mut scene, color);
                let material = material(&mut scene, vec![pass]);
                add_wall(&mut scene, x, material);
            }
            assert_pixel(&shoot(&scene, &state()), CENTER, [255, 0, 0], 0);
        }
    }
}

/// A wall 100 ahead and fog from 50 to 150.
fn half_fogged(passes: &[(PassKind, [u8; 4], Option<Blend>)]) -> Scene {
    let mut scene = added(passes);
    scene.meshes.clear();
    add_wall(&mut scene, 100.0, MaterialIdx(0));
    scene.fog = Some(Fog {
        color: [0.0, 0.0, 1.0],
        start: 50.0,
        end: 150.0,
    });
    scene
}

#[test]
fn fog_is_half_way_between_its_start_and_end() {
    let scene = half_fogged(&[(PassKind::Base, grey(200), None)]);
    assert_pixel(&shoot(&scene, &state()), CENTER, [100, 100, 228], 1);
    let mut clear = state();
    clear.switches.fog = false;
    assert_pixel(&shoot(&scene, &clear), CENTER, [200; 3], 0);
}

#[test]
fn fog_is_measured_from_the_eye_not_along_the_view() {
    let scene = half_fogged(&[(PassKind::Base, grey(200), None)]);
    let picture = shoot(&scene, &state());
    let red = |x| picture.get_pixel(x, CENTER[1]).0[0];
    // At the picture's edge the wall is 100 * sqrt(1 + 0.76^2) = 125.6 away: 0.756 of fog leave 49.
    assert!(red(0).abs_diff(49) <= 2, "{}", red(0));
    assert!(red(0) < red(CENTER[0]));
}

#[test]
fn every_blend_in_full_fog_leaves_the_fog_colour() {
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
            (PassKind::Base, grey(200), None),
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
        let mut scene = added(&[(PassKind::Base, [10, 20, 30, alpha], None)]);
        scene.materials[0].passes[0].alpha_test = Some(128.0 / 255.0);
        let expected = if drawn { [10, 20, 30] } else { BACKGROUND };
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 0);
    }
}

#[test]
fn culling_leaves_out_what_is_clockwise_on_the_screen() {
    for (reversed, cull, drawn) in [
        (false, Cull::Back, true),
        (true, Cull::Back, false),
        (true, Cull::None, true),
    ] {
        let mut scene = added(&[(PassKind::Base, grey(90), None)]);
        scene.materials[0].passes[0].cull = cull;
        if reversed {
            scene.meshes[0].indices.reverse();
        }
        let expected = if drawn { [90; 3] } else { BACKGROUND };
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 0);
    }
}

/// Red, green over blue, white.
fn four_colours() -> Scene {
    let mut scene = empty();
    let pixels = [
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 255, 255],
        grey(255),
    ]
    .concat();
    let pass = Pass {
        texture: Some(texture(&mut scene, [2, 2], pixels)),
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    let material = material(&mut scene, vec![pass]);
    // Three times as wide as far: the picture's corners are well inside the four colours.
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
    let picture = shoot(&four_colours(), &state());
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
    let mut scene = four_colours();
    scene.materials[0].passes[0].uv_set = 1;
    // All corners have (0.5, 0.5) there: the mean of the four colours, everywhere.
    let picture = shoot(&scene, &state());
    for pixel in [[0, 0], CENTER] {
        assert_pixel(&picture, pixel, [128; 3], 2);
    }
}

#[test]
fn textures_scroll_with_time() {
    let mut scene = four_colours();
    scene.textures[0].addressing = ironlands_scene::Addressing::Repeat;
    scene.materials[0].passes[0].uv_scroll_per_sec = [0.25, 0.0];
    let mut state = state();
    state.time_secs = 2.0;
    // Half a texture to the left: what was at the right is at the left.
    let picture = shoot(&scene, &state);
    assert_pixel(&picture, [15, 0], [0, 255, 0], 60);
}

#[test]
fn multisampling_softens_edges_and_nothing_else() {
    let mut scene = added(&[(PassKind::Base, grey(255), None)]);
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

#[test]
fn far_clusters_are_drawn_coarse_unless_switched_off() {
    let mut scene = empty();
    let [fine, coarse] = [[255, 0, 0, 255], [0, 255, 0, 255]].map(|color| {
        let pass = unlit(&mut scene, color);
        material(&mut scene, vec![pass])
    });
    add_wall(&mut scene, 95.0, fine);
    let mesh = &mut scene.meshes[0];
    mesh.batches.push(ironlands_scene::Batch {
        material: coarse,
        ..mesh.batches[0]
    });
    mesh.clusters[0].lods = vec![0..1, 1..2];
    mesh.clusters[0].cell = [9, 0];
    mesh.lod_grid = Some(LodGrid {
        origin: [0.0, 0.0],
        cell_size: [10.0, 10.0],
        coarse_beyond_sq: 8,
    });
    assert_pixel(&shoot(&scene, &state()), CENTER, [0, 255, 0], 0);
    let mut finest = state();
    finest.switches.lod = false;
    assert_pixel(&shoot(&scene, &finest), CENTER, [255, 0, 0], 0);
    let mut close = state();
    close.camera.position.x = 75.0;
    assert_pixel(&shoot(&scene, &close), CENTER, [255, 0, 0], 0);
}

#[test]
fn statistics_count_what_was_drawn() {
    let mut scene = added(&[
        (PassKind::Base, grey(100), None),
        (PassKind::Decal, grey(128), Some(Blend::ALPHA)),
    ]);
    add_wall(&mut scene, -10.0, MaterialIdx(0));
    let (_, stats) = shoot_with(&scene, &state(), 1, None);
    assert_eq!((stats.clusters_drawn, stats.clusters_total), (1, 2));
    assert_eq!((stats.triangles, stats.draw_calls), (4, 2));
}

#[test]
fn culling_follows_its_own_camera_when_there_is_one() {
    let scene = added(&[(PassKind::Base, grey(100), None)]);
    let turned_away = Camera {
        yaw_rad: std::f32::consts::PI,
        ..Camera::default()
    };
    let state = FrameState {
        culling_camera: Some(turned_away),
        ..state()
    };
    let (picture, stats) = shoot_with(&scene, &state, 1, None);
    assert_pixel(&picture, CENTER, BACKGROUND, 0);
    assert_eq!(stats.clusters_drawn, 0);
}

#[test]
fn a_broken_scene_is_refused() {
    let mut scene = added(&[(PassKind::Base, grey(100), None)]);
    scene.meshes[0].indices[3] = 4;
    let gpu = gpu();
    let target = ironlands_renderer::OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = ironlands_renderer::Renderer::new(
        gpu,
        target.format(),
        ironlands_renderer::RenderSettings::default(),
    );
    let error = renderer
        .upload(gpu, &scene)
        .expect_err("an index names a missing vertex");
    assert!(
        matches!(error, RenderError::Scene(error) if error.array == "meshes[0].indices" && error.index == 3)
    );
}

#[test]
fn a_picture_without_pixels_is_refused() {
    for size in [[0, 10], [10, 0], [1 << 20, 10]] {
        let error =
            ironlands_renderer::OffscreenTarget::new(gpu(), size).expect_err("no such picture");
        assert!(
            matches!(error, RenderError::TargetSize { width, height, .. } if [width, height] == size)
        );
    }
}

#[test]
fn a_mesh_without_triangles_draws_nothing() {
    let mut scene = empty();
    scene.materials.push(Material::default());
    scene.meshes.push(Mesh {
        clusters: vec![Cluster {
            bounds: Aabb {
                min: [-1.0; 3],
                max: [1.0; 3],
            },
            cell: [0, 0],
            lods: vec![0..1],
        }],
        batches: vec![ironlands_scene::Batch {
            first_index: 0,
            n_indices: 0,
            material: MaterialIdx(0),
        }],
        ..Mesh::default()
    });
    assert_pixel(&shoot(&scene, &state()), CENTER, BACKGROUND, 0);
}

#[test]
fn clouds_come_only_on_request() {
    let with = |clouds| {
        let state = FrameState {
            camera: Camera {
                pitch_rad: 0.6,
                ..Camera::default()
            },
            switches: Switches {
                clouds,
                ..Switches::default()
            },
            ..FrameState::default()
        };
        shoot(&Scene::default(), &state)
    };
    assert_eq!(
        with(false),
        shoot(
            &Scene::default(),
            &FrameState {
                camera: Camera {
                    pitch_rad: 0.6,
                    ..Camera::default()
                },
                ..FrameState::default()
            }
        )
    );
    assert_ne!(with(false), with(true));
}
