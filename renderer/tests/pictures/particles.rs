//! Particles: where and how large they are, in which order they are drawn, and what hides them.

use ironlands_renderer::{
    FrameState, OffscreenTarget, RenderError, RenderSettings, Renderer, Style, Switches,
};
use ironlands_scene::{
    Anchor, Beam, Blend, Burst, Curve, Emission, Emitter, EmitterState, FramePlay, ParticleBlend,
    ParticleForm, Pass, PassKind, Scene, SpriteFrame,
};

use crate::models::{add_instance, add_model, at, plate, plate_of, scaled_at};
use crate::stage::*;

/// One particle for ever: `color` is red, green, blue and alpha, 0 to 255.
fn lone(place: [f32; 3], size: [f32; 2], color: [u8; 4]) -> Emitter {
    Emitter {
        anchor: Anchor::Place(at(place[0], place[1], place[2])),
        emission: Emission::Bursts(vec![Burst {
            at_secs: 0.0,
            count: 1,
        }]),
        life_secs: [1e6; 2],
        size: Curve::constant(size),
        color: Curve::constant(color.map(|channel| f32::from(channel) / 255.0)),
        ..Emitter::default()
    }
}

/// A scene of nothing but these.
fn emitting(emitters: Vec<Emitter>) -> Scene {
    Scene {
        emitters,
        ..empty()
    }
}

/// What is half covered by a color.
fn half_over(behind: [u8; 3], over: [u8; 3]) -> [u8; 3] {
    [0, 1, 2].map(|c| ((u32::from(behind[c]) * 127 + u32::from(over[c]) * 128 + 127) / 255) as u8)
}

#[test]
fn a_sprite_is_as_large_as_it_says_from_every_side() {
    let scene = emitting(vec![lone([10.0, 0.0, 0.0], [4.0, 2.0], [255, 0, 0, 255])]);
    for yaw_rad in [0.0, 1.0, 4.0] {
        let mut state = state();
        state.camera.yaw_rad = yaw_rad;
        state.camera.position = away_from_it(yaw_rad);
        let (picture, stats) = shoot_with(&scene, &state, 1, None);
        let is_red = |x: u32, y: u32| picture.get_pixel(x, y).0 == [255, 0, 0, 255];
        // 4.74 pixels to a unit.
        let n_wide = (0..SIZE[0]).filter(|x| is_red(*x, CENTER[1])).count();
        let n_high = (0..SIZE[1]).filter(|y| is_red(CENTER[0], *y)).count();
        assert!((18..=20).contains(&n_wide), "{n_wide}");
        assert!((9..=10).contains(&n_high), "{n_high}");
        assert_eq!(stats.particles_drawn, 1);
    }
}

/// 10 from the sprite, and looking at it.
fn away_from_it(yaw_rad: f32) -> glam::Vec3 {
    glam::Vec3::new(10.0 - 10.0 * yaw_rad.cos(), -10.0 * yaw_rad.sin(), 0.0)
}

#[test]
fn particles_and_panes_are_drawn_far_to_near() {
    let [red, green, blue] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];
    let mut scene = passes_on_wall(&[(PassKind::Base, gray(100), None)]);
    let mut pane = |x: f32, [r, g, b]: [u8; 3]| {
        let pass = Pass {
            kind: PassKind::Translucent,
            blend: Some(Blend::ALPHA),
            depth_write: false,
            ..unlit(&mut scene, [r, g, b, 128])
        };
        let pass = material(&mut scene, vec![pass]);
        let model = add_model(&mut scene, plate_of(pass));
        add_instance(&mut scene, model, scaled_at([1.0, x, x], [x, 0.0, 0.0]));
    };
    pane(6.0, green);
    pane(2.0, green);
    // Two copies of the same thing, between which something stands.
    scene.instances[1].model = scene.instances[0].model;
    for (x, [r, g, b]) in [(8.0, red), (4.0, blue), (1.5, red)] {
        scene
            .emitters
            .push(lone([x, 0.0, 0.0], [x; 2], [r, g, b, 128]));
    }
    let expected = [red, green, blue, green, red]
        .into_iter()
        .fold([100; 3], half_over);
    for emitter in &mut scene.emitters {
        emitter.softness = 1e-3;
    }
    for samples in [1, 4] {
        // In two passes and in one.
        for soft_particles in [true, false] {
            let mut state = state();
            state.style = Style::Enhanced;
            state.switches.soft_particles = soft_particles;
            let picture = shoot_with(&scene, &state, samples, None).0;
            assert_pixel(&picture, CENTER, expected, 2);
        }
    }
}

#[test]
fn what_adds_and_what_covers_share_one_order() {
    let glow = |x| Emitter {
        blend: ParticleBlend::Add,
        ..lone([x, 0.0, 0.0], [4.0; 2], [0, 100, 0, 255])
    };
    let cover = lone([5.0, 0.0, 0.0], [4.0; 2], [200, 0, 0, 128]);
    let shown = |emitters| shoot(&emitting(emitters), &state());
    let near = shown(vec![glow(3.0), cover.clone()]);
    let covered = half_over(BACKGROUND, [200, 0, 0]);
    let added = [covered[0], covered[1] + 100, covered[2]];
    assert_pixel(&near, CENTER, added, 1);
    let far = shown(vec![glow(8.0), cover]);
    let lit = [BACKGROUND[0], BACKGROUND[1] + 100, BACKGROUND[2]];
    assert_pixel(&far, CENTER, half_over(lit, [200, 0, 0]), 1);
}

#[test]
fn walls_hide_particles_and_soft_ones_fade_before_them() {
    let mut scene = passes_on_wall(&[(PassKind::Base, [0, 0, 200, 255], None)]);
    let red = [255, 0, 0, 255];
    scene.emitters = vec![lone([10.5, 0.0, 0.0], [4.0; 2], red)];
    for samples in [1, 4] {
        let shown = |scene: &Scene, soft_particles| {
            let mut state = state();
            state.style = Style::Enhanced;
            state.switches.soft_particles = soft_particles;
            shoot_with(scene, &state, samples, None).0
        };
        scene.emitters[0] = lone([10.5, 0.0, 0.0], [4.0; 2], red);
        assert_pixel(&shown(&scene, true), CENTER, [0, 0, 200], 0);
        // Half of the softness before the wall.
        scene.emitters[0] = Emitter {
            softness: 2.0,
            ..lone([9.0, 0.0, 0.0], [4.0; 2], red)
        };
        assert_pixel(&shown(&scene, true), CENTER, [128, 0, 100], 2);
        assert_pixel(&shown(&scene, false), CENTER, [255, 0, 0], 0);
        // Farther from the wall than that.
        scene.emitters[0].anchor = Anchor::Place(at(7.0, 0.0, 0.0));
        assert_pixel(&shown(&scene, true), CENTER, [255, 0, 0], 0);
    }
}

#[test]
fn a_switch_turns_particles_off() {
    let scene = emitting(vec![lone([10.0, 0.0, 0.0], [4.0; 2], [255, 0, 0, 255])]);
    let mut state = state();
    state.switches.particles = false;
    let (picture, stats) = shoot_with(&scene, &state, 1, None);
    assert_pixel(&picture, CENTER, BACKGROUND, 0);
    assert_eq!(stats.particles_drawn, 0);
}

#[test]
fn an_emitter_follows_its_node_or_what_the_frame_says() {
    let mut scene = empty();
    let model = plate(&mut scene, [0, 255, 0]);
    let model = add_model(&mut scene, model);
    add_instance(&mut scene, model, at(10.0, 0.0, -50.0));
    scene.emitters = vec![Emitter {
        anchor: Anchor::Node {
            instance: 0,
            node: 0,
            node_from_emitter: at(0.0, 0.0, 50.0),
        },
        ..lone([0.0; 3], [2.0; 2], [255, 0, 0, 255])
    }];
    let red = [255, 0, 0];
    let at_rest = shoot(&scene, &state());
    assert_pixel(&at_rest, CENTER, red, 0);
    // 4.74 pixels to a unit, -Y to the right.
    let right = [CENTER[0] + 14, CENTER[1]];
    let posed = FrameState {
        poses: vec![at(10.0, -3.0, -50.0)],
        ..state()
    };
    let picture = shoot(&scene, &posed);
    assert_pixel(&picture, right, red, 0);
    assert_pixel(&picture, CENTER, BACKGROUND, 0);
    let moment = EmitterState {
        world_from_emitter: Some(at(10.0, 3.0, 0.0)),
        ..EmitterState::default()
    };
    let shown = |moment| FrameState {
        emitters: vec![moment],
        ..posed.clone()
    };
    let left = [CENTER[0] - 14, CENTER[1]];
    assert_pixel(&shoot(&scene, &shown(moment)), left, red, 0);
    let off = EmitterState {
        is_on: false,
        ..moment
    };
    assert_pixel(&shoot(&scene, &shown(off)), left, BACKGROUND, 0);
    let before = EmitterState {
        clock_secs: -1.0,
        ..moment
    };
    assert_pixel(&shoot(&scene, &shown(before)), left, BACKGROUND, 0);
}

#[test]
fn moments_of_other_emitters_are_an_error() {
    let gpu = gpu();
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let scene = emitting(vec![Emitter::default()]);
    let scene = renderer.upload(gpu, &scene).expect("the scene is valid");
    let state = FrameState {
        emitters: vec![EmitterState::default(); 2],
        ..state()
    };
    let drawn = renderer.draw(gpu, &scene, &state, target.view(), None);
    let Err(RenderError::Emitters { given, needed }) = drawn else {
        panic!("{drawn:?}");
    };
    assert_eq!((given, needed), (2, 1));
}

#[test]
fn frames_show_their_part_of_their_texture() {
    let mut scene = empty();
    let small = texture(&mut scene, [1, 1], vec![9, 9, 9, 255]);
    // Four cells of 8 x 8 pixels, so that they do not mix in the middle of one.
    let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]];
    let pixels = (0..16 * 16).flat_map(|at| {
        let [r, g, b] = colors[at / 128 * 2 + at % 16 / 8];
        [r, g, b, 255]
    });
    let cells = texture(&mut scene, [16, 16], pixels.collect());
    let mut frames = SpriteFrame::grid(cells, 2, 2);
    frames.push(SpriteFrame::whole(small));
    scene.emitters = vec![Emitter {
        frames,
        play: FramePlay::PerSecond { rate: 1.0 },
        ..lone([10.0, 0.0, 0.0], [4.0; 2], [255; 4])
    }];
    for (secs, color) in (0..).zip(colors.into_iter().chain([[9; 3]])) {
        let state = FrameState {
            time_secs: secs as f32 + 0.5,
            ..state()
        };
        assert_pixel(&shoot(&scene, &state), CENTER, color, 1);
    }
}

/// Columns and rows of the box around all pixels that are not the background.
fn extent_of(picture: &image::RgbaImage) -> [[u32; 2]; 2] {
    let drawn = picture
        .enumerate_pixels()
        .filter(|(_, _, pixel)| pixel.0[..3] != BACKGROUND);
    let mut extent = [[u32::MAX, 0]; 2];
    for (x, y, _) in drawn {
        for (range, at) in extent.iter_mut().zip([x, y]) {
            *range = [range[0].min(at), range[1].max(at)];
        }
    }
    extent
}

#[test]
fn domes_and_beams_cover_what_they_span() {
    let white = [255; 4];
    let dome = Emitter {
        form: ParticleForm::Dome {
            segments: 24,
            rings: 9,
        },
        ..lone([10.0, 0.0, 0.0], [6.0, 8.0], white)
    };
    let picture = shoot(&emitting(vec![dome]), &state());
    let [columns, rows] = extent_of(&picture);
    // 3 to both sides and 4 up, a little nearer than 10: 4.74 pixels to a unit there.
    assert!(
        columns[0].abs_diff(21) <= 1 && columns[1].abs_diff(50) <= 1,
        "{columns:?}"
    );
    assert!(
        rows[0].abs_diff(5) <= 1 && rows[1].abs_diff(24) <= 2,
        "{rows:?}"
    );

    let beam = Emitter {
        form: ParticleForm::Beam(Beam {
            to: [0.0, -4.0, 3.0],
            end_width: 0.3,
            segments: 3,
            noise: 0.0,
            jumps_per_sec: 0.0,
        }),
        ..lone([10.0, 0.0, 0.0], [1.0; 2], white)
    };
    let picture = shoot(&emitting(vec![beam]), &state());
    let [columns, rows] = extent_of(&picture);
    assert!(
        columns[0].abs_diff(35) <= 1 && columns[1].abs_diff(54) <= 1,
        "{columns:?}"
    );
    assert!(
        rows[0].abs_diff(10) <= 1 && rows[1].abs_diff(25) <= 1,
        "{rows:?}"
    );
    let n_lit = |x: u32| {
        let column = (0..SIZE[1]).filter(|y| picture.get_pixel(x, *y).0[0] == 255);
        column.count()
    };
    assert!(n_lit(38) > n_lit(52), "it tapers");
}

#[test]
fn particles_are_lit_and_fogged_as_they_say() {
    let mut scene = emitting(vec![Emitter {
        is_lit: true,
        ..lone([10.0, 0.0, 0.0], [8.0; 2], [200, 200, 200, 255])
    }]);
    scene.sun.direction_to_sun = [0.0, 0.0, 1.0];
    scene.sun.color = [0.5; 3];
    scene.sun.ambient = [0.25; 3];
    let picture = shoot(&scene, &state());
    let shade = |y: u32| picture.get_pixel(CENTER[0], y).0[0];
    assert!(shade(10) > shade(24) && shade(24) > shade(38));
    // In the middle the sun is half wrapped around.
    assert!(shade(24).abs_diff(100) <= 3, "{}", shade(24));

    scene.fog = Some(ironlands_scene::Fog {
        color: [1.0, 0.0, 0.0],
        start: 0.0,
        end: 20.0,
        falloff: ironlands_scene::FogFalloff::Linear,
        density: 1.0,
        layer: None,
    });
    scene.emitters[0].is_lit = false;
    let halved = shoot(&scene, &state());
    assert_pixel(&halved, CENTER, [228, 100, 100], 2);
    scene.emitters[0].is_fogged = false;
    assert_pixel(&shoot(&scene, &state()), CENTER, [200; 3], 1);
    let no_fog = FrameState {
        switches: Switches {
            fog: false,
            ..state().switches
        },
        ..state()
    };
    scene.emitters[0].is_fogged = true;
    assert_pixel(&shoot(&scene, &no_fog), CENTER, [200; 3], 1);
}

#[test]
fn ten_thousand_particles_are_one_call() {
    let cloud = Emitter {
        emission: Emission::Steady { count: 10_000 },
        anchor: Anchor::Eye {
            half_extent: [20.0; 3],
            within: None,
        },
        ..Emitter::default()
    };
    let glow = lone([10.0, 0.0, 0.0], [4.0; 2], [255, 0, 0, 128]);
    let (_, stats) = shoot_with(&emitting(vec![cloud, glow]), &state(), 1, None);
    // Those behind the camera are left out.
    assert!((4000..6500).contains(&stats.particles_drawn), "{stats:?}");
    assert_eq!(stats.draw_calls, 1);
}
