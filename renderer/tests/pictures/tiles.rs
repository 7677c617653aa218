//! Land in tiles: what is drawn of facets, and which tiles are kept.

use glam::Vec3;
use image::RgbaImage;
use ironlands_renderer::{
    Camera, FrameState, FrameStats, OffscreenTarget, RenderSettings, Renderer, Style, SurfaceView,
    TileView, capture,
};
use ironlands_scene::{
    Blend, ColorBy, Facet, FacetProperty, Facing, Light, Liquid, OverlayVertex, Pass, PassKind,
    RampColor, Scene, Sun, Tile, TileKey, TileTree,
};

use crate::stage::*;

const LOW: [u8; 3] = [0, 102, 0];
const HIGH: [u8; 3] = [204, 204, 204];
const LOOK: [u8; 3] = [0, 0, 255];
/// Above the middle of a step.
const EYE: [f32; 3] = [8.5, 8.5, 6.0];

fn unit(color: [u8; 3]) -> [f32; 3] {
    color.map(|channel| f32::from(channel) / 255.0)
}

/// Tiles of 16 x 16 steps of one unit, two levels; green at 0, gray at 10. No shade anywhere.
fn land() -> Scene {
    let key = TileKey {
        level: 1,
        x: 0,
        y: 0,
    };
    let [r, g, b] = unit(LOOK);
    Scene {
        sun: Sun {
            direction_to_sun: [0.0, 0.0, 1.0],
            color: [0.0; 3],
            ambient: [1.0; 3],
            counter: [0.0; 3],
        },
        tiles: Some(TileTree {
            corner: [0.0; 2],
            step: 1.0,
            steps_per_tile: 16,
            n_levels: 2,
            z_unit: 0.5,
            z_range: [-100.0, 100.0],
            land: vec![key],
            ramp: vec![
                RampColor {
                    z: 0.0,
                    color: unit(LOW),
                },
                RampColor {
                    z: 10.0,
                    color: unit(HIGH),
                },
            ],
            color_by: vec![ColorBy {
                legend: Vec::new(),
                name: "marks".to_owned(),
                property: FacetProperty::Mark,
                colors: vec![[0.0; 4], [r, g, b, 1.0]],
            }],
        }),
        ..empty()
    }
}

fn looking_down() -> FrameState {
    FrameState {
        camera: Camera {
            position: Vec3::from(EYE),
            pitch_rad: -std::f32::consts::FRAC_PI_2,
            ..Camera::default()
        },
        tiles: TileView {
            max_step_px: 1000.0,
            ..TileView::default()
        },
        ..state()
    }
}

/// Level ground over the whole tile, in halves of units.
fn ground(z: i16) -> Facet {
    Facet {
        at: [0, 0],
        size: [16, 16],
        z: [z; 4],
        open_sides: 15,
        ..Facet::default()
    }
}

/// The root tile with these facets.
fn shoot_facets(facets: Vec<Facet>, state: &FrameState) -> RgbaImage {
    let n_facets = facets.len() as u64;
    let (picture, stats) = shoot_in(&land(), facets, state);
    assert_eq!(stats.tile_facets, n_facets);
    assert_eq!(stats.triangles, 2 * stats.tile_facets);
    assert_eq!((stats.tiles_drawn, stats.draw_calls), (1, 1));
    picture
}

/// The same in a scene with that land.
fn shoot_in(scene: &Scene, facets: Vec<Facet>, state: &FrameState) -> (RgbaImage, FrameStats) {
    let gpu = gpu();
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let mut scene = renderer.upload(gpu, scene).expect("a valid scene");
    scene.choose_tiles(state, SIZE);
    let [key] = *scene.wanted_tiles() else {
        panic!("the tile that shows all, and nothing else");
    };
    let tile = Tile {
        key,
        z_range: [-10.0, 10.0],
        facets,
    };
    scene.add_tile(gpu, &tile).expect("room for a tile");
    scene.choose_tiles(state, SIZE);
    let stats = renderer.draw(gpu, &scene, state, target.view(), None);
    let stats = stats.expect("a frame");
    (capture(gpu, &target).expect("a picture"), stats)
}

#[test]
fn ground_has_the_color_of_its_height() {
    let at = |z| shoot_facets(vec![ground(z)], &looking_down());
    assert_pixel(&at(0), CENTER, LOW, 1);
    assert_pixel(&at(-200), CENTER, LOW, 1);
    assert_pixel(&at(10), CENTER, [102, 153, 102], 1);
    let from_below = FrameState {
        camera: Camera {
            position: Vec3::new(8.5, 8.5, -6.0),
            pitch_rad: std::f32::consts::FRAC_PI_2,
            ..Camera::default()
        },
        ..looking_down()
    };
    assert_pixel(&shoot_facets(vec![ground(0)], &from_below), CENTER, LOW, 1);
}

#[test]
fn ground_rises_along_x_and_y_where_its_corners_say_so() {
    // 16 units higher at the far end of x, 4 at that of y; the ramp ends at 10.
    let slope = Facet {
        z: [-16, 16, -8, 24],
        ..ground(0)
    };
    let state = FrameState {
        camera: Camera {
            position: Vec3::new(16.0, 16.0, 40.0),
            ..looking_down().camera
        },
        ..looking_down()
    };
    let picture = shoot_facets(vec![slope], &state);
    // Looking down, x is up in the picture and y to the left.
    let brightness = |x, y| picture.get_pixel(x, y).0[0];
    let middle = brightness(36, 24);
    assert!(brightness(36, 18) > middle && brightness(36, 30) < middle);
    assert!(brightness(30, 24) > middle && brightness(42, 24) < middle);
    let along_x = brightness(36, 18).abs_diff(brightness(36, 30));
    let along_y = brightness(30, 24).abs_diff(brightness(42, 24));
    assert!(along_x > 2 * along_y, "{along_x} {along_y}");
}

#[test]
fn walls_stand_where_they_are_put_and_may_be_askew() {
    // At x = 10 across the view, from 0 up to 4 on the left (y = 16) and 8 on the right (y = 0).
    let wall = Facet {
        at: [5, 0],
        size: [0, 16],
        z: [0, 0, 16, 8],
        facing: Facing::West,
        ..Facet::default()
    };
    let state = FrameState {
        camera: Camera {
            position: Vec3::new(0.0, 16.0, 2.0),
            ..Camera::default()
        },
        ..looking_down()
    };
    let picture = shoot_facets(vec![wall], &state);
    let height_of = |x: u32| {
        (0..48)
            .filter(|y| picture.get_pixel(x, *y).0[..3] != BACKGROUND)
            .count()
    };
    let [left, right] = [height_of(10), height_of(62)];
    assert!(left > 4 && right > left + 4, "{left} {right}");
    let foot_of = |x: u32| (0..48).rfind(|y| picture.get_pixel(x, *y).0[..3] != BACKGROUND);
    assert_eq!(foot_of(10), foot_of(62), "it stands level");
}

#[test]
fn facets_are_colored_by_mark() {
    let marked = |mark| {
        let facet = Facet { mark, ..ground(0) };
        let mut state = looking_down();
        state.tiles.color_by = Some(0);
        shoot_facets(vec![facet], &state)
    };
    assert_pixel(&marked(0), CENTER, LOW, 1);
    assert_pixel(&marked(1), CENTER, LOOK, 1);
    assert_pixel(&marked(200), CENTER, LOOK, 1);
}

#[test]
fn land_shows_its_normals_its_steps_and_how_much_lies_over_each_other() {
    let shown = |view, facets: Vec<Facet>| {
        let state = FrameState {
            view,
            ..looking_down()
        };
        shoot_facets(facets, &state)
    };
    let slope = Facet {
        // 32 units up along sixteen steps of two units: a normal of (-1, 0, 1), times the square root of one half.
        z: [-64, 0, -64, 0],
        ..ground(0)
    };
    let normals = |facet| shown(SurfaceView::Normals, vec![facet]);
    assert_pixel(&normals(ground(0)), CENTER, [128, 128, 255], 1);
    assert_pixel(&normals(slope), CENTER, [37, 128, 218], 1);
    // 4.25 steps of the eight of a pattern along each axis, give or take half a pixel; a square whose numbers add up to an
    // even one is light.
    let steps = shown(SurfaceView::TextureCoordinates, vec![ground(0)]);
    assert_pixel(&steps, CENTER, [135, 135, 191], 3);
    let overdraw = |facets| shown(SurfaceView::Overdraw, facets);
    let center = |picture: RgbaImage| picture.get_pixel(CENTER[0], CENTER[1]).0[0];
    let one = center(overdraw(vec![ground(0)]));
    let three = center(overdraw(vec![ground(0), ground(2), ground(-2)]));
    assert_eq!(three - one, 2 * 41, "hidden ones count, too");
}

#[test]
fn layers_and_heights_can_be_left_out() {
    let roof = Facet {
        layer: 1,
        ..ground(8)
    };
    let shown = |view: TileView| {
        let state = FrameState {
            tiles: TileView {
                max_step_px: 1000.0,
                ..view
            },
            ..looking_down()
        };
        let picture = shoot_facets(vec![ground(0), roof], &state);
        picture.get_pixel(CENTER[0], CENTER[1]).0[0] > 20
    };
    let plain = TileView::default();
    let of_layer = |layer| TileView {
        layer: Some(layer),
        ..plain
    };
    let below = |z| TileView {
        hidden_above: Some(z),
        ..plain
    };
    assert!(shown(plain), "the roof hides the ground");
    assert!(shown(of_layer(1)) && !shown(of_layer(0)));
    assert!(shown(below(4.5)) && !shown(below(3.5)));
}

#[test]
fn lamps_light_land() {
    let mut scene = land();
    scene.sun.ambient = [0.0; 3];
    scene.lights = vec![Light {
        position: [8.5, 8.5, 2.0],
        range: 4.0,
        ..Light::default()
    }];
    let enhanced = FrameState {
        style: Style::Enhanced,
        ..looking_down()
    };
    let (picture, _) = shoot_in(&scene, vec![ground(0)], &enhanced);
    // The lamp shines from half its range.
    let below = LOW.map(|channel| (f32::from(channel) * 0.5625).round() as u8);
    assert_pixel(&picture, CENTER, below, 2);
    assert_pixel(&picture, [2, 24], [0; 3], 0);
    let (faithful, _) = shoot_in(&scene, vec![ground(0)], &looking_down());
    assert_pixel(&faithful, CENTER, [0; 3], 0);
}

/// Where a wall across the land stands, and how high it is, in units.
const WALL_X: u32 = 28;
const WALL_HEIGHT: i16 = 24;

/// White land of 64 x 64 units on three levels, with the sun 45 degrees high in the west.
fn land_with_wall() -> Scene {
    let mut scene = land();
    scene.sun = Sun {
        direction_to_sun: Vec3::new(-1.0, 0.0, 1.0).normalize().to_array(),
        color: [0.6 * 2.0f32.sqrt(); 3],
        ambient: [0.2; 3],
        counter: [0.0; 3],
    };
    let tree = scene.tiles.as_mut().expect("land");
    tree.n_levels = 3;
    tree.land = vec![tree.root()];
    for color in &mut tree.ramp {
        color.color = [1.0; 3];
    }
    scene
}

/// Level ground, with the part of the wall that stands in the tile.
fn tile_with_wall(key: TileKey) -> Tile {
    let side = 16 << key.level;
    let mut facets = vec![ground(0)];
    if key.x == WALL_X / side {
        facets.push(Facet {
            at: [((WALL_X % side) >> key.level) as u8, 0],
            size: [0, 16],
            // In halves of units.
            z: [0, 0, 2 * WALL_HEIGHT, 2 * WALL_HEIGHT],
            facing: Facing::West,
            ..Facet::default()
        });
    }
    Tile {
        key,
        z_range: [0.0, WALL_HEIGHT.into()],
        facets,
    }
}

#[test]
fn land_behind_the_camera_throws_its_shadow_into_view() {
    let gpu = gpu();
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let mut scene = renderer
        .upload(gpu, &land_with_wall())
        .expect("a valid scene");
    // The tiles of the wall are behind the eye; its shadow reaches to x = 52, past the middle of the picture.
    let mut state = FrameState {
        style: Style::Enhanced,
        ..looking_down()
    };
    state.camera.position = Vec3::new(40.0, 30.0, 4.0);
    state.camera = state.camera.looking_at(Vec3::new(48.0, 30.0, 0.0));
    state.tiles.max_step_px = 20.0;
    let mut shoot = |state: &FrameState| {
        loop {
            scene.choose_tiles(state, SIZE);
            let wanted = scene.wanted_tiles().to_vec();
            if wanted.is_empty() {
                break;
            }
            for key in wanted {
                let added = scene.add_tile(gpu, &tile_with_wall(key));
                added.expect("room for a tile");
            }
        }
        let stats = renderer.draw(gpu, &scene, state, target.view(), None);
        let tiles_drawn = stats.expect("a frame").tiles_drawn;
        (capture(gpu, &target).expect("a picture"), tiles_drawn)
    };
    let (picture, tiles_drawn) = shoot(&state);
    assert_pixel(&picture, CENTER, [51; 3], 4);
    assert_pixel(&picture, [CENTER[0], 12], [204; 3], 4);
    state.switches.sun_shadows = false;
    let (without, drawn_without) = shoot(&state);
    assert_pixel(&without, CENTER, [204; 3], 4);
    assert_eq!(tiles_drawn, drawn_without, "it is not drawn in the picture");
}

#[test]
fn land_is_mirrored_in_clear_water() {
    let mut scene = land();
    let water = Pass {
        kind: PassKind::Water,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        liquid: Some(Liquid {
            color: [0.0; 3],
            waves: 0.0,
            depth: 10.0,
            ..Liquid::default()
        }),
        ..unlit(&mut scene, [0, 0, 0, 128])
    };
    let water = material(&mut scene, vec![water]);
    let corners = [[0.0, 0.0], [14.0, 0.0], [14.0, 16.0], [0.0, 16.0]];
    add_quad(
        &mut scene,
        corners.map(|[x, y]| [x, y, 0.0]),
        [0.0, 0.0, 1.0],
        water,
    );
    let wall = Facet {
        at: [14, 0],
        size: [0, 16],
        z: [-2, -2, 16, 16],
        facing: Facing::West,
        ..Facet::default()
    };
    // At a grazing angle, so that most of what is seen of the water is mirrored.
    let mut state = FrameState {
        style: Style::Enhanced,
        ..looking_down()
    };
    state.camera.position = Vec3::new(0.5, 8.0, 1.0);
    state.camera = state.camera.looking_at(Vec3::new(11.0, 8.0, 0.0));
    let green = |state: &FrameState| {
        let (picture, _) = shoot_in(&scene, vec![wall], state);
        picture.get_pixel(CENTER[0], CENTER[1]).0[1]
    };
    let mirrored = green(&state);
    state.switches.mirrors = false;
    let sky_alone = green(&state);
    assert!(mirrored > sky_alone + 20, "{mirrored} {sky_alone}");
}

#[test]
fn closed_sides_have_bars() {
    // The step below the eye reaches nearly over the whole picture.
    let state = FrameState {
        camera: Camera {
            position: Vec3::new(9.0, 9.0, 1.8),
            ..looking_down().camera
        },
        tiles: TileView {
            sides: true,
            ..looking_down().tiles
        },
        ..looking_down()
    };
    let red = |open_sides, [x, y]: [u32; 2]| {
        let facet = Facet {
            open_sides,
            ..ground(0)
        };
        shoot_facets(vec![facet], &state).get_pixel(x, y).0[0] > 150
    };
    // In the picture, +x is up and +y left; a step is 2 x 2 units, the eye over its middle.
    let places = [[36, 1], [36, 46], [58, 24], [13, 24]];
    for (side, place) in places.into_iter().enumerate() {
        assert!(!red(15, place));
        for closed in 0..4 {
            let found = red(15 & !(1 << closed), place);
            assert_eq!(found, closed == side, "side {closed} at {place:?}");
        }
    }
}

#[test]
fn lines_of_a_frame_are_drawn_in_it() {
    let mut state = looking_down();
    let end = |y: f32| OverlayVertex {
        position: [EYE[0], y, 1.0],
        color: [255, 0, 0, 255],
    };
    state.lines = vec![end(0.0), end(16.0)];
    let picture = shoot_facets(vec![ground(0)], &state);
    assert_pixel(&picture, CENTER, [255, 0, 0], 1);
    let red = picture.pixels().filter(|it| it.0 == [255, 0, 0, 255]);
    assert!(red.count() >= 70);
}

#[test]
fn tiles_stay_within_their_budget() {
    const BUDGET: u64 = 1 << 20;
    let gpu = gpu();
    let settings = RenderSettings::new(1, 1).and_then(|it| it.with_tile_budget(BUDGET));
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let settings = settings.expect("can be had");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let mut scene = land();
    let tree = scene.tiles.as_mut().expect("land");
    tree.n_levels = 8;
    tree.land = vec![TileKey {
        level: 7,
        x: 0,
        y: 0,
    }];
    let mut scene = renderer.upload(gpu, &scene).expect("a valid scene");
    let side = 16.0 * 128.0;
    for step in 0..40 {
        let place = side * (step as f32 + 0.5) / 40.0;
        let mut state = looking_down();
        state.camera.position = Vec3::new(place, side - place, 30.0);
        state.tiles.max_step_px = 2.0;
        let mut n_rounds = 0;
        loop {
            scene.choose_tiles(&state, SIZE);
            let wanted = scene.wanted_tiles().to_vec();
            if wanted.is_empty() {
                break;
            }
            for key in wanted {
                // 48 KB each: some twenty of them fit.
                let tile = Tile {
                    key,
                    z_range: [0.0; 2],
                    facets: vec![ground(0); 3000],
                };
                scene.add_tile(gpu, &tile).expect("room for a tile");
            }
            n_rounds += 1;
            assert!(n_rounds < 100, "what is in view is here at last");
        }
        let memory = scene.tile_memory().expect("land");
        assert!(memory.bytes <= BUDGET, "{memory:?}");
        assert!(memory.n_shown > 0);
    }
}
