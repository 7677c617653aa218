//! What hides what, what is left out, and what is refused.

use ironlands_renderer::{
    Camera, FrameState, OffscreenTarget, RenderError, RenderSettings, Renderer,
};
use ironlands_scene::{
    Aabb, Batch, Blend, Cluster, Cull, LodGrid, Material, MaterialIdx, Mesh, Pass, PassKind,
};

use crate::stage::*;

#[test]
fn passes_are_drawn_by_kind_whatever_the_order_of_meshes() {
    let build = |water_first: bool| {
        let mut scene = empty();
        let base = unlit(&mut scene, gray(100));
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

#[test]
fn culling_leaves_out_what_is_clockwise_on_the_screen() {
    for (reversed, cull, drawn) in [
        (false, Cull::Back, true),
        (true, Cull::Back, false),
        (true, Cull::None, true),
    ] {
        let mut scene = passes_on_wall(&[(PassKind::Base, gray(90), None)]);
        scene.materials[0].passes[0].cull = cull;
        if reversed {
            scene.meshes[0].indices.reverse();
        }
        let expected = if drawn { [90; 3] } else { BACKGROUND };
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 0);
    }
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
    mesh.batches.push(Batch {
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
    let mut scene = passes_on_wall(&[
        (PassKind::Base, gray(100), None),
        (PassKind::Decal, gray(128), Some(Blend::ALPHA)),
    ]);
    add_wall(&mut scene, -10.0, MaterialIdx(0));
    let (_, stats) = shoot_with(&scene, &state(), 1, None);
    assert_eq!((stats.clusters_drawn, stats.clusters_total), (1, 2));
    assert_eq!((stats.triangles, stats.draw_calls), (4, 2));
}

#[test]
fn culling_follows_its_own_camera_when_there_is_one() {
    let scene = passes_on_wall(&[(PassKind::Base, gray(100), None)]);
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
    let mut scene = passes_on_wall(&[(PassKind::Base, gray(100), None)]);
    scene.meshes[0].indices[3] = 4;
    let gpu = gpu();
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer =
        Renderer::new(gpu, target.format(), RenderSettings::default()).expect("a renderer");
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
        let error = OffscreenTarget::new(gpu(), size).expect_err("no such picture");
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
            cells: Vec::new(),
        }],
        batches: vec![Batch {
            first_index: 0,
            n_indices: 0,
            material: MaterialIdx(0),
        }],
        ..Mesh::default()
    });
    assert_pixel(&shoot(&scene, &state()), CENTER, BACKGROUND, 0);
}
