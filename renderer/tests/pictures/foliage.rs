//! Grass and what fades with the distance.

use ironlands_renderer::{FrameState, Switches};
use ironlands_scene::{
    Foliage, FoliagePatch, FoliageSprite, Scene, SpriteFacing, SpriteFrame, ViewRange,
};

use crate::baked::display;
use crate::models::{add_instance, add_model, at, plate};
use crate::stage::*;

/// A sprite 10 ahead, 4 wide and 2 high, that shows one half of a texture: left red, right green.
fn meadow(frame: u32, light: [f32; 3]) -> Scene {
    let mut scene = empty();
    let texture = texture(
        &mut scene,
        [4, 1],
        [[255, 0, 0, 255], [0, 255, 0, 255]]
            .iter()
            .flat_map(|it| it.repeat(2))
            .collect(),
    );
    let half = |from: f32| SpriteFrame {
        min: [from, 0.0],
        max: [from + 0.5, 1.0],
        ..SpriteFrame::whole(texture)
    };
    let sprite = FoliageSprite {
        position: [10.0, 0.0, -1.0],
        min: [-2.0, 0.0],
        max: [2.0, 2.0],
        facing: SpriteFacing::Upright,
        frame,
        light,
        styled_lights: 0..0,
        sway: 0.0,
    };
    scene.foliage = Some(Foliage {
        frames: vec![half(0.0), half(0.5)],
        patches: vec![FoliagePatch {
            bounds: sprite.bounds(),
            sprites: 0..1,
            cells: Vec::new(),
        }],
        sprites: vec![sprite],
        range: ViewRange {
            far: [20.0, 40.0],
            ..ViewRange::ALL
        },
        ..Foliage::default()
    });
    scene
}

#[test]
fn sprites_show_their_part_of_a_texture_in_their_light() {
    for (frame, channel) in [(0, 0), (1, 1)] {
        let scene = meadow(frame, [0.25; 3]);
        let (picture, stats) = shoot_with(&scene, &state(), 1, None);
        let mut expected = [0; 3];
        expected[channel] = display(0.25);
        assert_pixel(&picture, CENTER, expected, 1);
        // 4.74 pixels to a unit; no neighbor in the texture shows at its edges.
        let is_sprite = |x: u32, y: u32| {
            let pixel = picture.get_pixel(x, y).0;
            [0, 1, 2]
                .iter()
                .all(|c: &usize| pixel[*c].abs_diff(expected[*c]) <= 1)
        };
        let n_wide = (0..SIZE[0]).filter(|x| is_sprite(*x, CENTER[1])).count();
        let n_high = (0..SIZE[1]).filter(|y| is_sprite(CENTER[0], *y)).count();
        assert!((18..=20).contains(&n_wide), "{n_wide}");
        assert!((9..=10).contains(&n_high), "{n_high}");
        assert_eq!(stats.particles_drawn, 1);
    }
}

#[test]
fn sprites_are_gone_from_afar_and_where_they_are_switched_off() {
    let mut scene = meadow(0, [1.0; 3]);
    let off = FrameState {
        switches: Switches {
            foliage: false,
            ..state().switches
        },
        ..state()
    };
    assert_pixel(&shoot(&scene, &off), CENTER, BACKGROUND, 0);
    // Half gone at 30.
    let foliage = scene.foliage.as_mut().expect("a meadow");
    foliage.sprites[0].position[0] = 30.0;
    foliage.patches[0].bounds = foliage.sprites[0].bounds();
    let half = [153, 0, 51];
    assert_pixel(&shoot(&scene, &state()), CENTER, half, 1);
    let foliage = scene.foliage.as_mut().expect("a meadow");
    foliage.sprites[0].position[0] = 41.0;
    foliage.patches[0].bounds = foliage.sprites[0].bounds();
    let (picture, stats) = shoot_with(&scene, &state(), 1, None);
    assert_pixel(&picture, CENTER, BACKGROUND, 0);
    assert_eq!(stats.particles_drawn, 0);
}

#[test]
fn instances_lose_pixels_as_they_fade_until_they_are_gone() {
    let n_red = |far: [f32; 2]| {
        let mut scene = empty();
        let plate = plate(&mut scene, [255, 0, 0]);
        let model = add_model(&mut scene, plate);
        add_instance(&mut scene, model, at(4.0, 0.0, 0.0));
        scene.instances[0].range = ViewRange {
            far,
            ..ViewRange::ALL
        };
        let (picture, stats) = shoot_with(&scene, &state(), 1, None);
        let n_red = picture
            .pixels()
            .filter(|it| it.0 == [255, 0, 0, 255])
            .count();
        assert_eq!(stats.instances_drawn, usize::from(n_red > 0));
        n_red as f32
    };
    let all = n_red([5.0, 6.0]);
    assert!(all > 400.0, "{all}");
    for (far, share) in [([3.0, 5.0], 0.5), ([0.0, 16.0], 0.75), ([3.0, 4.1], 0.09)] {
        let share_shown = n_red(far) / all;
        // The pattern has no exact share on so few pixels.
        assert!((share_shown - share).abs() < 0.06, "{far:?}: {share_shown}");
    }
    assert_eq!(n_red([2.0, 4.0]), 0.0);
}
