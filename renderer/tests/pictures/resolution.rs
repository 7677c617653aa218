//! Pictures that are drawn smaller than their target.

use std::time::Duration;

use image::RgbaImage;
use ironlands_renderer::{
    FrameState, OffscreenTarget, RenderSettings, Renderer, ResolutionScale, Style,
};
use ironlands_scene::Scene;

use super::stage::*;

/// The part of the picture that is white, in pixels: left, right, top and bottom, each a multiple of 4.
const WHITE: [u32; 4] = [24, 44, 12, 28];

/// A dark wall, and a white sign before it that covers [`WHITE`].
fn scene() -> Scene {
    let mut scene = empty();
    let dark = unlit(&mut scene, gray(40));
    let dark = material(&mut scene, vec![dark]);
    add_wall(&mut scene, 10.0, dark);
    let white = unlit(&mut scene, gray(240));
    let white = material(&mut scene, vec![white]);
    let half = FrameState::default()
        .camera
        .half_extent(SIZE[0] as f32 / SIZE[1] as f32);
    let [left, right, top, bottom] = WHITE.map(|it| it as f32);
    let place = |x: f32, y: f32| {
        let [x, y] = [x / SIZE[0] as f32, y / SIZE[1] as f32].map(|it| it * 2.0 - 1.0);
        [5.0, -5.0 * half.x * x, -5.0 * half.y * y]
    };
    let corners = [
        place(left, bottom),
        place(right, bottom),
        place(right, top),
        place(left, top),
    ];
    add_quad(&mut scene, corners, [-1.0, 0.0, 0.0], white);
    scene
}

fn at_scale(share: f32) -> FrameState {
    FrameState {
        style: Style::Enhanced,
        resolution: ResolutionScale::new(share).expect("from a half to one"),
        ..state()
    }
}

/// Whether each pixel is white, of those that are at least `margin` pixels away from the sign's edge.
#[track_caller]
fn assert_sign(picture: &RgbaImage, margin: i64) {
    let [left, right, top, bottom] = WHITE.map(i64::from);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [x, y] = [x, y].map(i64::from);
        let inside = (x - left)
            .min(right - 1 - x)
            .min(y - top)
            .min(bottom - 1 - y);
        let expected = if inside >= margin {
            240
        } else if inside < -margin {
            40
        } else {
            continue;
        };
        let [r, g, b, a] = pixel.0;
        let is_near = [r, g, b].iter().all(|it| it.abs_diff(expected) <= 1);
        assert!(
            is_near && a == 255,
            "({x}, {y}) is {:?}, not {expected}",
            pixel.0
        );
    }
}

#[test]
fn a_smaller_picture_fills_the_target_and_everything_keeps_its_place() {
    let scene = scene();
    assert_sign(&shoot(&scene, &at_scale(1.0)), 0);
    for share in [0.5, 0.625, 0.75, 0.875] {
        for n_samples in [1, 4] {
            let (picture, _) = shoot_with(&scene, &at_scale(share), n_samples, None);
            // As far as a pixel of the smaller picture reaches, and its neighbor.
            assert_sign(&picture, 3);
        }
    }
}

#[test]
fn an_enlarged_edge_has_no_halo_and_is_no_wider_than_two_pixels() {
    let picture = shoot(&scene(), &at_scale(0.5));
    let row: Vec<_> = (0..SIZE[0])
        .map(|x| picture.get_pixel(x, 20).0[0])
        .collect();
    assert!(row.iter().all(|it| (40..=240).contains(it)), "{row:?}");
    let n_between = row.iter().filter(|it| (60..220).contains(*it)).count();
    // At each of the two edges, which lie between pixels of the smaller picture.
    assert!(n_between <= 4, "{n_between}: {row:?}");
}

#[test]
fn the_faithful_style_is_drawn_at_full_size() {
    let faithful = |share| FrameState {
        style: Style::Faithful,
        ..at_scale(share)
    };
    let scene = scene();
    assert_eq!(
        shoot(&scene, &faithful(0.5)).as_raw(),
        shoot(&scene, &faithful(1.0)).as_raw()
    );
    assert_ne!(
        shoot(&scene, &at_scale(0.5)).as_raw(),
        shoot(&scene, &at_scale(1.0)).as_raw(),
        "the enhanced style is not"
    );
}

#[test]
fn frames_of_different_sizes_follow_each_other() {
    let scene = scene();
    let states = [1.0, 0.5, 1.0, 0.75, 0.5].map(at_scale);
    let pictures = shoot_each(&scene, &states);
    for (state, picture) in states.iter().zip(&pictures) {
        assert_eq!(picture.as_raw(), shoot(&scene, state).as_raw());
    }
}

#[test]
fn frames_are_measured_from_when_it_is_requested_and_each_once() {
    let gpu = gpu();
    if !gpu.caps().has_timestamps {
        return;
    }
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let scene = renderer.upload(gpu, &scene()).expect("a valid scene");
    let draw = |renderer: &mut Renderer| {
        renderer
            .draw(gpu, &scene, &state(), target.view(), None)
            .expect("a frame");
        gpu.wait().expect("it is drawn");
        renderer.frame_time()
    };
    assert_eq!(draw(&mut renderer), None);
    renderer.measure_frames(gpu, true).expect("it can");
    for _ in 0..10 {
        let time = draw(&mut renderer).expect("a measured frame");
        assert!(
            time > Duration::ZERO && time < Duration::from_secs(60),
            "{time:?}"
        );
        assert_eq!(renderer.frame_time(), None, "a second time");
    }
    renderer.measure_frames(gpu, false).expect("it can");
    assert_eq!(draw(&mut renderer), None);
}
