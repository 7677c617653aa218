//! What cells hide, and the backdrop behind the level.

use glam::Vec3;
use ironlands_renderer::FrameState;
use ironlands_scene::{
    Affine, AreaPortal, Areas, Backdrop, Fog, FogFalloff, Occluder, Scene, VisNode, Visibility,
};

use crate::models::{add_instance, add_model, at, plate};
use crate::stage::*;

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// Cell 0 up to x = 5, cell 1 up to x = 500, no cell up to x = 900, cell 2 beyond. Each of them sees itself alone.
fn cells() -> Visibility {
    let node = |x, children| VisNode {
        plane: [1.0, 0.0, 0.0, x],
        children,
    };
    Visibility {
        nodes: vec![
            node(5.0, [1, -1]),
            node(500.0, [2, -2]),
            node(900.0, [-4, -3]),
        ],
        leaf_cells: vec![Some(0), Some(1), None, Some(2)],
        rows: vec![Some(0), Some(1), Some(2)],
        coded: vec![0b001, 0b010, 0b100],
    }
}

fn add_colored(scene: &mut Scene, [r, g, b]: [u8; 3], corners: [[f32; 3]; 4], cells: &[u32]) {
    let pass = unlit(scene, [r, g, b, 255]);
    let material = material(scene, vec![pass]);
    add_quad(scene, corners, [-1.0, 0.0, 0.0], material);
    let mesh = scene.meshes.last_mut().expect("just added");
    mesh.clusters[0].cells = cells.to_vec();
}

/// A red wall of cell 1 before a green one of cell 0.
fn two_walls() -> Scene {
    let mut scene = empty();
    scene.visibility = Some(cells());
    add_colored(&mut scene, RED, wall_corners(10.0), &[1]);
    add_colored(&mut scene, GREEN, wall_corners(20.0), &[0]);
    scene
}

fn standing_at(x: f32) -> FrameState {
    let mut state = state();
    state.camera.position.x = x;
    state
}

#[test]
fn what_the_cameras_cell_does_not_see_is_not_drawn() {
    let scene = two_walls();
    let (picture, stats) = shoot_with(&scene, &standing_at(0.0), 1, None);
    assert_pixel(&picture, CENTER, GREEN, 0);
    assert_eq!(
        (stats.clusters_drawn, stats.triangles, stats.draw_calls),
        (1, 2, 1)
    );
    assert_eq!(stats.clusters_without_visibility, 2);
    assert_eq!(stats.triangles_without_visibility, 4);
    assert_pixel(&shoot(&scene, &standing_at(7.0)), CENTER, RED, 0);

    let mut all = standing_at(0.0);
    all.switches.visibility = false;
    let (picture, stats) = shoot_with(&scene, &all, 1, None);
    assert_pixel(&picture, CENTER, RED, 0);
    assert_eq!(
        (stats.clusters_drawn, stats.clusters_without_visibility),
        (2, 2)
    );
    assert_eq!(
        (stats.triangles, stats.triangles_without_visibility),
        (4, 4)
    );
}

#[test]
fn from_no_cell_and_of_no_cell_everything_is_seen() {
    let mut scene = two_walls();
    add_colored(&mut scene, BLUE, wall_corners(8.0), &[]);
    assert_pixel(&shoot(&scene, &standing_at(0.0)), CENTER, BLUE, 0);
    let mut scene = two_walls();
    let moved = wall_corners(10.0).map(|[x, y, z]| [x + 600.0, y, z]);
    scene.meshes[0].positions = moved.to_vec();
    scene.meshes[0].clusters[0].bounds = ironlands_scene::Aabb::around(&moved).expect("corners");
    assert_pixel(&shoot(&scene, &standing_at(600.0)), CENTER, RED, 0);
}

#[test]
fn a_locked_cell_goes_on_deciding() {
    let scene = two_walls();
    let locked = FrameState {
        visible_from: Some(Vec3::X * 100.0),
        ..standing_at(0.0)
    };
    assert_pixel(&shoot(&scene, &locked), CENTER, RED, 0);
    let culled_from_there = FrameState {
        culling_camera: Some(standing_at(7.0).camera),
        ..standing_at(0.0)
    };
    assert_pixel(&shoot(&scene, &culled_from_there), CENTER, RED, 0);
}

#[test]
fn instances_are_hidden_by_their_cells() {
    let mut scene = empty();
    scene.visibility = Some(cells());
    let model = plate(&mut scene, RED);
    let model = add_model(&mut scene, model);
    add_instance(&mut scene, model, at(3.0, 0.0, 0.0));
    for (cells, is_seen) in [(vec![], true), (vec![1], false), (vec![1, 0], true)] {
        scene.instances[0].cells = cells;
        let (picture, stats) = shoot_with(&scene, &state(), 1, None);
        assert_pixel(&picture, CENTER, if is_seen { RED } else { BACKGROUND }, 0);
        let drawn = usize::from(is_seen);
        assert_eq!((stats.instances_drawn, stats.pieces_drawn), (drawn, drawn));
        assert_eq!(stats.instances_without_visibility, 1);
        assert_eq!(
            (stats.triangles, stats.triangles_without_visibility),
            (2 * drawn as u64, 2)
        );
    }
}

/// The two walls, each in an area of its own whose cells see all, and a portal between them at a place.
fn two_areas(x: f32) -> Scene {
    let mut scene = two_walls();
    let visibility = scene.visibility.as_mut().expect("cells");
    visibility.coded = vec![0b111; 3];
    let corner = |y, z| [x, y, z];
    scene.areas = Areas {
        of_cells: vec![Some(1), Some(2), None],
        portals: vec![AreaPortal {
            areas: [1, 2],
            corners: vec![
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ],
            is_open: true,
            max_distance: f32::INFINITY,
        }],
    };
    scene
}

#[test]
fn areas_are_drawn_where_a_portal_shows_them() {
    let ahead = two_areas(5.0);
    assert_pixel(&shoot(&ahead, &standing_at(0.0)), CENTER, RED, 0);
    let behind = two_areas(-5.0);
    let (picture, stats) = shoot_with(&behind, &standing_at(0.0), 1, None);
    assert_pixel(&picture, CENTER, GREEN, 0);
    assert_eq!(
        (stats.clusters_drawn, stats.clusters_without_visibility),
        (1, 2)
    );
    let mut closed = standing_at(0.0);
    closed.culling.open_portals = vec![false];
    assert_pixel(&shoot(&ahead, &closed), CENTER, GREEN, 0);
    let mut all = closed.clone();
    all.switches.visibility = false;
    assert_pixel(&shoot(&ahead, &all), CENTER, RED, 0);
    // From elsewhere than the eye a portal is not where the picture has it.
    let locked = FrameState {
        visible_from: Some(Vec3::ZERO),
        ..standing_at(-3.0)
    };
    assert_pixel(&shoot(&behind, &locked), CENTER, RED, 0);
}

#[test]
fn occluders_hide_instances_behind_them() {
    let mut scene = empty();
    let model = plate(&mut scene, RED);
    let model = add_model(&mut scene, model);
    add_instance(&mut scene, model, at(30.0, 0.0, 0.0));
    let wall = |x: f32, half: f32| {
        let corners = wall_corners(half).map(|[_, y, z]| [x, y, z]);
        Occluder {
            polygons: vec![corners.to_vec()],
            is_active: true,
        }
    };
    for (name, occluders, is_seen) in [
        ("none", vec![], true),
        ("before it", vec![wall(10.0, 40.0)], false),
        ("behind it", vec![wall(60.0, 400.0)], true),
        ("too small", vec![wall(10.0, 0.01)], true),
        ("the second", vec![wall(60.0, 9.0), wall(10.0, 40.0)], false),
    ] {
        scene.occluders = occluders;
        let (picture, stats) = shoot_with(&scene, &state(), 1, None);
        assert_pixel(&picture, CENTER, if is_seen { RED } else { BACKGROUND }, 0);
        let drawn = usize::from(is_seen);
        assert_eq!(stats.instances_drawn, drawn, "{name}");
        assert_eq!(stats.instances_without_visibility, 1, "{name}");
    }
    let mut off = state();
    off.culling.active_occluders = vec![false, false];
    assert_pixel(&shoot(&scene, &off), CENTER, RED, 0);
}

/// A blue wall one unit wide and high, 5 before (1000, 0, 0), ten times as large for who stands in the level.
pub fn far_wall() -> Scene {
    let mut scene = empty();
    scene.visibility = Some(cells());
    let corners = wall_corners(0.5).map(|[_, y, z]| [1005.0, y, z]);
    add_colored(&mut scene, BLUE, corners, &[2]);
    scene.backdrop = Some(Backdrop {
        origin: [1000.0, 0.0, 0.0],
        scale: 10.0,
        fog: None,
        cells: vec![2],
    });
    scene
}

pub fn with_backdrop(x: f32) -> FrameState {
    let mut state = standing_at(x);
    // The sky's dome differs from the wall not by a color of its own, but in that it is no pure blue.
    state.switches.sky = true;
    state
}

/// How many pixels of the middle row are blue.
fn width_of_wall(scene: &Scene, state: &FrameState) -> usize {
    let picture = shoot(scene, state);
    let row = (0..SIZE[0]).map(|x| picture.get_pixel(x, CENTER[1]).0);
    row.filter(|pixel| pixel[..3] == BLUE).count()
}

#[test]
fn a_backdrop_is_as_many_times_larger_and_farther_as_it_says() {
    let scene = far_wall();
    // Half a unit at a distance of 5 and, 25 units of the level nearer, of 2.5; 36 pixels are tan(0.65).
    for (x, distance) in [(0.0, 5.0), (25.0, 2.5), (-50.0, 10.0)] {
        let pixels = 2.0 * 36.0 * 0.5 / distance / 0.65f64.tan();
        let found = width_of_wall(&scene, &with_backdrop(x));
        assert!(
            (found as f64 - pixels).abs() <= 1.0,
            "{x}: {found} of {pixels}"
        );
    }
    let mut without = with_backdrop(0.0);
    without.switches.sky = false;
    assert_eq!(width_of_wall(&scene, &without), 0);
}

#[test]
fn the_level_hides_a_backdrop_that_is_nearer() {
    let mut scene = far_wall();
    // 600 ahead, where the backdrop looks as if it were 50 ahead; the left half of the picture.
    let corners = wall_corners(600.0).map(|[x, y, z]| [x, y.max(0.0), z]);
    add_colored(&mut scene, GREEN, corners, &[0]);
    let picture = shoot(&scene, &with_backdrop(0.0));
    assert_pixel(&picture, [CENTER[0] - 2, CENTER[1]], GREEN, 0);
    assert_pixel(&picture, [CENTER[0] + 1, CENTER[1]], BLUE, 0);
}

#[test]
fn a_backdrop_has_its_own_fog_at_the_levels_distances() {
    let mut scene = far_wall();
    let fog = Fog {
        color: [1.0, 1.0, 0.0],
        start: 0.0,
        end: 100.0,
        falloff: FogFalloff::Linear,
        density: 1.0,
        layer: None,
    };
    scene.fog = Some(Fog { end: 1.0, ..fog });
    let backdrop = scene.backdrop.as_mut().expect("it has one");
    backdrop.fog = Some(fog);
    let picture = shoot(&scene, &with_backdrop(0.0));
    assert_pixel(&picture, CENTER, [128, 128, 128], 2);
}

#[test]
fn who_stands_in_the_backdrop_sees_it_as_it_is() {
    let scene = far_wall();
    let pixels = 2.0 * 36.0 * 0.5 / 5.0 / 0.65f64.tan();
    let found = width_of_wall(&scene, &with_backdrop(1000.0));
    assert!((found as f64 - pixels).abs() <= 1.0, "{found} of {pixels}");
    let mut without_sky = standing_at(1000.0);
    without_sky.switches.sky = false;
    assert_pixel(&shoot(&scene, &without_sky), CENTER, BLUE, 0);
    // From the level it is no part of the level.
    assert_pixel(
        &shoot(&scene, &standing_at(990.0 - 100.0)),
        CENTER,
        BACKGROUND,
        0,
    );
}

#[test]
fn models_stand_in_the_backdrop_too() {
    let mut scene = far_wall();
    let model = plate(&mut scene, RED);
    let model = add_model(&mut scene, model);
    let small = Affine([
        [0.1, 0.0, 0.0, 1004.0],
        [0.0, 0.1, 0.0, 0.0],
        [0.0, 0.0, 0.1, 0.0],
    ]);
    add_instance(&mut scene, model, small);
    scene.instances[0].cells = vec![2];
    let (picture, stats) = shoot_with(&scene, &with_backdrop(0.0), 1, None);
    assert_pixel(&picture, CENTER, RED, 0);
    assert_eq!((stats.instances_drawn, stats.instances_total), (1, 1));
    assert_eq!((stats.clusters_drawn, stats.clusters_total), (1, 1));
    assert_eq!((stats.triangles, stats.draw_calls), (4, 2));
}
