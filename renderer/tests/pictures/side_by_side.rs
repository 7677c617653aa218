//! Pictures of two scenes side by side in one target.

use image::RgbaImage;
use ironlands_renderer::{OffscreenTarget, RenderSettings, Renderer, capture};
use ironlands_scene::Scene;

use super::stage::*;

const HEIGHT: u32 = SIZE[1];
const WIDTHS: [u32; 2] = [29, 43];

/// A small sign before a wall, off the middle, so that no two columns of its picture are alike by chance.
fn scene(wall: u8, sign: u8) -> Scene {
    let mut scene = empty();
    let dark = unlit(&mut scene, gray(wall));
    let dark = material(&mut scene, vec![dark]);
    add_wall(&mut scene, 10.0, dark);
    let bright = unlit(&mut scene, gray(sign));
    let bright = material(&mut scene, vec![bright]);
    let corners = [[0.5, -0.2], [-0.1, -0.2], [-0.1, 0.6], [0.5, 0.3]];
    let corners = corners.map(|[y, z]| [2.0, y, z]);
    add_quad(&mut scene, corners, [-1.0, 0.0, 0.0], bright);
    scene
}

/// The picture that a renderer of its own draws of a scene.
fn alone(scene: &Scene, width: u32) -> RgbaImage {
    let target = OffscreenTarget::new(gpu(), [width, HEIGHT]).expect("a small picture");
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let mut renderer = Renderer::new(gpu(), target.format(), settings).expect("a renderer");
    let scene = renderer.upload(gpu(), scene).expect("a valid scene");
    let drawn = renderer.draw(gpu(), &scene, &state(), target.view(), None);
    drawn.expect("a frame");
    capture(gpu(), &target).expect("a picture")
}

#[test]
fn each_half_is_the_picture_that_its_own_renderer_draws_pixel_by_pixel() {
    let scenes = [scene(40, 240), scene(90, 10)];
    let target = OffscreenTarget::new(gpu(), SIZE).expect("a small picture");
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let renderer = || Renderer::new(gpu(), target.format(), settings).expect("a renderer");
    let mut renderers = [renderer(), renderer()];
    let pictures = WIDTHS.map(|width| {
        let picture = renderers[0].side_picture(gpu(), [width, HEIGHT]);
        picture.expect("a small picture")
    });
    for ((renderer, scene), picture) in renderers.iter_mut().zip(&scenes).zip(&pictures) {
        let scene = renderer.upload(gpu(), scene).expect("a valid scene");
        let drawn = renderer.draw(gpu(), &scene, &state(), picture.view(), None);
        drawn.expect("a frame");
    }
    let [first, second] = &pictures;
    let [of_window, _] = &mut renderers;
    let placed = of_window.place_side_by_side(gpu(), [first, second], target.view(), None);
    placed.expect("a frame");
    let placed = capture(gpu(), &target).expect("a picture");
    let [left, right] = [alone(&scenes[0], WIDTHS[0]), alone(&scenes[1], WIDTHS[1])];
    assert_ne!(left.get_pixel(14, 24), right.get_pixel(21, 24));
    for (x, y, pixel) in placed.enumerate_pixels() {
        let expected = match x.checked_sub(WIDTHS[0]) {
            None => left.get_pixel(x, y),
            Some(x) => right.get_pixel(x, y),
        };
        assert_eq!(pixel, expected, "({x}, {y})");
    }
}

#[test]
fn a_side_without_pixels_is_refused() {
    let target = OffscreenTarget::new(gpu(), SIZE).expect("a small picture");
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let mut renderer = Renderer::new(gpu(), target.format(), settings).expect("a renderer");
    let refused = renderer.side_picture(gpu(), [0, 9]).err();
    let refused = refused.map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("0 x 9"), "{refused}");
}
