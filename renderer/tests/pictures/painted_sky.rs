//! Skies that a level paints itself.

use glam::Vec3;
use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState};
use ironlands_scene::{
    DayCycle, FlareSpot, FogColor, HourColors, HourWindow, LensFlare, Lighting, N_COMPASS,
    N_SKY_RINGS, PaintedColors, PaintedKey, PaintedSky, Pass, Scene, SkyBody, SkyPicture,
    SpriteFrame,
};

use crate::stage::*;

const GREEN: [u8; 4] = [0, 255, 0, 255];

/// One color all over, that hides as much as `alpha` says, before ambient blue.
fn sky(color: [f32; 3], alpha: f32) -> PaintedSky {
    let [r, g, b] = color;
    let colors = PaintedColors {
        apex: [r, g, b, alpha],
        rings: [[[r, g, b, alpha]; N_COMPASS]; N_SKY_RINGS],
        clouds: [1.0; 3],
        sun: [0.25; 3],
        ambient: [0.0, 0.0, 1.0],
        body_half_size: [0.1; 2],
        flare: 1.0,
        fog_range: [10.0, 20.0],
        ..PaintedColors::default()
    };
    PaintedSky {
        keys: vec![PaintedKey { hour: 0.0, colors }],
        span_rad: std::f32::consts::FRAC_PI_4,
        ..PaintedSky::default()
    }
}

fn under(painted: PaintedSky, scene: Scene) -> Scene {
    Scene {
        days: vec![DayCycle {
            name: "test".to_owned(),
            hours: [HourColors::default(); 24],
            start_hour: 0.0,
            fog_color: FogColor::OfSky,
            day_secs: None,
            dome: None,
            painted: Some(painted),
        }],
        ..scene
    }
}

fn seen(forward: Vec3) -> FrameState {
    let mut state = state();
    state.switches.sky = true;
    state.camera = Camera {
        yaw_rad: forward.y.atan2(forward.x),
        pitch_rad: forward.z.asin(),
        ..state.camera
    };
    state
}

fn picture(texture: ironlands_scene::TextureIdx) -> SkyPicture {
    SkyPicture {
        texture,
        repeats: 1.0,
        sinks: 0.0,
        fog_range: None,
    }
}

/// Off the middle of a picture, for each tangent of an angle.
fn pixels_per_tangent() -> f32 {
    0.5 * SIZE[0] as f32 / (0.5 * Camera::default().horizontal_fov_rad).tan()
}

fn is_near(picture: &RgbaImage, place: [u32; 2], color: [u8; 3]) {
    assert_pixel(picture, place, color, 2);
}

#[test]
fn colors_cover_the_backdrop_and_that_covers_the_light_from_around() {
    let forward = Vec3::new(0.6, 0.0, 0.8);
    let shown = |alpha, backdrop: Option<[u8; 4]>| {
        let mut scene = empty();
        let mut sky = sky([1.0, 0.0, 0.0], alpha);
        sky.backdrop = backdrop.map(|color| picture(solid(&mut scene, color)));
        shoot(&under(sky, scene), &seen(forward))
    };
    is_near(&shown(1.0, Some(GREEN)), CENTER, [255, 0, 0]);
    is_near(&shown(0.0, Some(GREEN)), CENTER, [0, 255, 0]);
    is_near(&shown(0.0, None), CENTER, [0, 0, 255]);
    is_near(&shown(0.5, Some(GREEN)), CENTER, [128, 128, 0]);
    // Half of the picture, of which half is hidden.
    is_near(&shown(0.5, Some([0, 255, 0, 128])), CENTER, [128, 64, 64]);
}

#[test]
fn rings_have_colors_by_height_and_direction() {
    let mut painted = sky([0.0; 3], 1.0);
    let colors = &mut painted.keys[0].colors;
    colors.apex = [1.0, 1.0, 1.0, 1.0];
    // Toward +y, +x, -y and -x.
    colors.rings[N_SKY_RINGS - 1] = [
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 1.0],
        [1.0, 1.0, 0.0, 1.0],
    ];
    let scene = under(painted, empty());
    for (forward, color) in [
        (Vec3::Y, [255, 0, 0]),
        (Vec3::X, [0, 255, 0]),
        (Vec3::NEG_Y, [0, 0, 255]),
        (Vec3::NEG_X, [255, 255, 0]),
        (Vec3::new(0.0, 0.1, 1.0).normalize(), [255, 255, 255]),
    ] {
        is_near(&shoot(&scene, &seen(forward)), CENTER, color);
    }
    // A dome of half a quarter turn: the second ring is 36 degrees from the center's zenith, and so at a sine of 0.24.
    let ring: f32 = (0.4 * std::f32::consts::FRAC_PI_4).cos();
    let rim = std::f32::consts::FRAC_PI_4.cos();
    let outward = (0.4 * std::f32::consts::FRAC_PI_4).sin();
    let second = Vec3::new(outward, 0.0, ring - rim).normalize();
    is_near(&shoot(&scene, &seen(second)), CENTER, [0, 0, 0]);
}

#[test]
fn clouds_lie_before_the_colors_and_fade_into_the_horizon() {
    let mut scene = empty();
    let mut painted = sky([1.0, 0.0, 0.0], 1.0);
    painted.clouds = Some(SkyPicture {
        sinks: 0.14,
        fog_range: Some([0.14, 1.0 / 3.0]),
        ..picture(solid(&mut scene, [0, 200, 0, 255]))
    });
    painted.keys[0].colors.clouds = [1.0, 0.5, 1.0];
    let scene = under(painted, scene);
    let up = Vec3::new(0.01, 0.0, 1.0).normalize();
    let zenith = shoot(&scene, &seen(up));
    let [r, g, _, _] = zenith.get_pixel(CENTER[0], CENTER[1]).0;
    assert!(r < 16 && (90..=100).contains(&g), "half as bright: {r} {g}");
    is_near(&shoot(&scene, &seen(Vec3::X)), CENTER, [255, 0, 0]);
}

/// A green body 45 degrees up, in the direction of +x.
fn with_body(mut painted: PaintedSky, scene: &mut Scene) -> (PaintedSky, Vec3) {
    painted.bodies = vec![SkyBody {
        frame: SpriteFrame::whole(solid(scene, GREEN)),
        hours: HourWindow {
            from: 0.0,
            to: 12.0,
        },
        arc: [[0.0, -1.0, 0.0], [0.6, 0.0, 0.8]],
        angles_rad: [std::f32::consts::FRAC_PI_2; 2],
    }];
    (painted, Vec3::new(0.6, 0.0, 0.8))
}

#[test]
fn a_body_is_a_picture_with_its_sides_along_the_frame() {
    let mut scene = empty();
    let (painted, toward) = with_body(sky([1.0, 0.0, 0.0], 1.0), &mut scene);
    let scene = under(painted, scene);
    let picture = shoot(&scene, &seen(toward));
    is_near(&picture, CENTER, [0, 255, 0]);
    let edge = (0.1 * pixels_per_tangent()) as u32;
    for [dx, dy] in [[1, 1], [-1, 1], [1, -1], [-1, -1]] {
        let at = |from: u32, side: i32, by: u32| (from as i32 + side * by as i32) as u32;
        let inside = [at(CENTER[0], dx, edge - 2), at(CENTER[1], dy, edge - 2)];
        is_near(&picture, inside, [0, 255, 0]);
        let outside = [at(CENTER[0], dx, edge + 2), at(CENTER[1], dy, edge + 2)];
        is_near(&picture, outside, [255, 0, 0]);
    }
    let evening = FrameState {
        hour: Some(13.0),
        ..seen(toward)
    };
    is_near(&shoot(&scene, &evening), CENTER, [255, 0, 0]);
    is_near(&shoot(&scene, &seen(-toward)), CENTER, [255, 0, 0]);
}

#[test]
fn a_flare_is_added_where_the_camera_looks_at_the_light() {
    let mut scene = empty();
    let (mut painted, toward) = with_body(sky([0.0; 3], 1.0), &mut scene);
    painted.flare = Some(LensFlare {
        spots: vec![FlareSpot {
            place: -1.0,
            half_size: 0.1,
            color: [1.0, 0.0, 0.5, 0.5],
            frame: SpriteFrame::default(),
        }],
        reach_rad: 1.0,
        heights: [0.0, 0.5],
        least: 0.1,
    });
    let scene = under(painted, scene);
    // The body stands above the middle, the spot as far below it.
    let lower = Vec3::new(0.8, 0.0, 0.6);
    let picture = shoot(&scene, &seen(lower));
    let off = lower.angle_between(toward);
    let strength = (1.0 - off).powi(2);
    let down = off.tan() * pixels_per_tangent();
    let spot = [CENTER[0], CENTER[1] + down as u32];
    let level = |share: f32| (255.0 * share * strength) as u8;
    is_near(&picture, spot, [level(0.5), 0, level(0.25)]);
    is_near(&picture, CENTER, [0, 0, 0]);
    let behind_land = FrameState {
        light_is_hidden: true,
        ..seen(lower)
    };
    is_near(&shoot(&scene, &behind_land), spot, [0, 0, 0]);
    let away = shoot(&scene, &seen(Vec3::new(-0.8, 0.0, 0.6)));
    assert!(away.pixels().all(|pixel| pixel.0[0] == 0), "no flare");
}

#[test]
fn surfaces_are_lit_from_both_sides_and_fogged_in_the_color_of_the_horizon_ahead() {
    let lit = |counter: f32, normal_is_away: bool| {
        let mut scene = empty();
        scene.sun.ambient = [0.0; 3];
        let (mut painted, _) = with_body(sky([0.0; 3], 1.0), &mut scene);
        painted.bodies[0].arc = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0]];
        let colors = &mut painted.keys[0].colors;
        colors.ambient = [0.0; 3];
        colors.counter = [counter; 3];
        let white = Pass {
            lighting: Lighting::Display,
            ..unlit(&mut scene, [255; 4])
        };
        let white = material(&mut scene, vec![white]);
        add_wall(&mut scene, 5.0, white);
        if normal_is_away {
            scene.meshes[0].normals = vec![[1.0, 0.0, 0.0]; 4];
        }
        shoot(&under(painted, scene), &seen(Vec3::X))
    };
    // The wall's front looks away from the light ahead, at a quarter of white.
    is_near(&lit(0.5, false), CENTER, [128; 3]);
    is_near(&lit(0.0, false), CENTER, [0; 3]);
    is_near(&lit(0.5, true), CENTER, [64; 3]);

    let mut scene = empty();
    scene.fog = Some(ironlands_scene::Fog {
        color: [0.0; 3],
        start: 1.0,
        end: 2.0,
        falloff: ironlands_scene::FogFalloff::Linear,
        density: 1.0,
        layer: None,
    });
    let mut painted = sky([0.0; 3], 1.0);
    // White only ahead.
    painted.keys[0].colors.rings[N_SKY_RINGS - 1][1] = [1.0; 4];
    let black = unlit(&mut scene, [0, 0, 0, 255]);
    let black = material(&mut scene, vec![black]);
    // Halfway from 10 to 20, the range of the hour.
    add_wall(&mut scene, 15.0, black);
    is_near(
        &shoot(&under(painted, scene), &seen(Vec3::X)),
        CENTER,
        [128; 3],
    );
}
