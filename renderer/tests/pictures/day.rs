//! The same scene at different hours.

use ironlands_renderer::{FrameState, Gpu, OffscreenTarget, RenderSettings, Renderer, capture};
use ironlands_scene::{
    AmbientCube, Backdrop, DayCycle, Fog, FogColor, FogFalloff, HourColors, Lighting, Pass, Scene,
    Sky, Sun, VisNode, Visibility,
};

use crate::models;
use crate::stage::*;

const RED: [f32; 3] = [0.8, 0.0, 0.0];
const BLUE: [f32; 3] = [0.0, 0.2, 0.4];

/// Dark and blue but at 12:00, when the sky is red, little light comes from around and much from the sun.
fn day(fog_color: FogColor) -> DayCycle {
    let night = HourColors {
        sky: BLUE,
        ambient: [0.2, 0.2, 0.4],
        sun: [0.0; 3],
    };
    let mut hours = [night; 24];
    hours[12] = HourColors {
        sky: RED,
        ambient: [0.2, 0.0, 0.0],
        sun: [0.4, 0.6, 0.0],
    };
    DayCycle {
        name: "test".to_owned(),
        hours,
        start_hour: 3.0,
        fog_color,
        day_secs: None,
        dome: None,
        painted: None,
    }
}

fn at(hour: f32) -> FrameState {
    FrameState {
        hour: Some(hour),
        ..state()
    }
}

/// A white wall, lit from the front, before which there is as much fog as air.
fn lit_wall(fog: Option<Fog>) -> Scene {
    let mut scene = Scene {
        sun: Sun {
            direction_to_sun: [-1.0, 0.0, 0.0],
            ..Sun::default()
        },
        fog,
        days: vec![day(FogColor::OfSky)],
        ..empty()
    };
    let white = Pass {
        lighting: Lighting::Display,
        ..unlit(&mut scene, [255; 4])
    };
    let white = material(&mut scene, vec![white]);
    add_wall(&mut scene, 10.0, white);
    scene
}

fn fog(color: [f32; 3]) -> Fog {
    Fog {
        color,
        start: 0.0,
        end: 20.0,
        falloff: FogFalloff::Linear,
        density: 1.0,
        layer: None,
    }
}

#[test]
fn light_is_that_of_the_hour() {
    let scene = lit_wall(None);
    for (hour, color) in [
        (0.0, [51, 51, 102]),
        // 0.2 from around and 0.4 from the sun; 0 and 0.6; nothing.
        (12.0, [153, 153, 0]),
        // Half of each.
        (11.5, [102, 102, 51]),
        (12.5, [102, 102, 51]),
        (36.0, [153, 153, 0]),
    ] {
        assert_pixel(&shoot(&scene, &at(hour)), CENTER, color, 1);
    }
    let at_start = shoot(&scene, &state());
    assert_eq!(at_start, shoot(&scene, &at(3.0)));
}

#[test]
fn the_background_and_the_dome_are_the_sky_of_the_hour() {
    let scene = Scene {
        sky: Sky {
            sun_disc: [0.0; 3],
            ..empty().sky
        },
        days: vec![day(FogColor::OfSky)],
        ..empty()
    };
    for has_dome in [false, true] {
        for (hour, color) in [(12.0, [204, 0, 0]), (0.0, [0, 51, 102])] {
            let mut state = at(hour);
            state.switches.sky = has_dome;
            let picture = shoot(&scene, &state);
            for place in [[0, 0], CENTER, [71, 47]] {
                assert_pixel(&picture, place, color, 1);
            }
        }
    }
}

#[test]
fn fog_has_the_color_of_the_sky_or_its_own() {
    let mut scene = lit_wall(Some(fog([0.0, 1.0, 0.0])));
    // Half of the wall as above, half of the fog.
    let halves = |wall: [u8; 3], fog: [u8; 3]| -> [u8; 3] {
        std::array::from_fn(|i| wall[i].midpoint(fog[i]))
    };
    let noon = shoot(&scene, &at(12.0));
    assert_pixel(&noon, CENTER, halves([153, 153, 0], [204, 0, 0]), 2);
    let night = shoot(&scene, &at(0.0));
    assert_pixel(&night, CENTER, halves([51, 51, 102], [0, 51, 102]), 2);
    scene.days = vec![day(FogColor::Own)];
    let noon = shoot(&scene, &at(12.0));
    assert_pixel(&noon, CENTER, halves([153, 153, 0], [0, 255, 0]), 2);
}

#[test]
fn the_backdrop_is_lit_and_fogged_as_the_level() {
    let mut scene = lit_wall(None);
    // The wall is all of the backdrop, one unit of which stands for two: it is seen 20 away.
    scene.meshes[0].clusters[0].cells = vec![1];
    scene.visibility = Some(Visibility {
        nodes: vec![VisNode {
            plane: [0.0, 0.0, 1.0, 500.0],
            children: [-2, -1],
        }],
        leaf_cells: vec![Some(0), Some(1)],
        rows: vec![None, None],
        coded: Vec::new(),
    });
    scene.backdrop = Some(Backdrop {
        origin: [0.0; 3],
        scale: 2.0,
        fog: Some(Fog {
            end: 40.0,
            ..fog([0.0; 3])
        }),
        cells: vec![1],
    });
    let seen = |hour| {
        let mut state = at(hour);
        state.switches.sky = true;
        shoot(&scene, &state)
    };
    assert_pixel(&seen(12.0), CENTER, [178, 76, 0], 2);
    assert_pixel(&seen(0.0), CENTER, [25, 51, 102], 2);
}

#[test]
fn models_without_light_of_their_own_are_lit_from_around_by_the_hour() {
    let scene = |light: Option<AmbientCube>| {
        let mut scene = models::red_plate(models::at(4.0, 0.0, 0.0));
        for pass in &mut scene.materials[0].passes {
            pass.lighting = Lighting::Ambient;
        }
        scene.instances[0].light = light;
        scene.days = vec![day(FogColor::OfSky)];
        scene
    };
    let red = |scene: &Scene, hour| shoot(scene, &at(hour)).get_pixel(CENTER[0], CENTER[1]).0[0];
    let of_scene = scene(None);
    let mut brighter = of_scene.clone();
    let day = brighter.days.first_mut().expect("the scene has a day");
    day.hours[12].ambient = [0.8; 3];
    assert!(red(&brighter, 12.0) > red(&of_scene, 12.0) + 50);
    assert_eq!(red(&brighter, 0.0), red(&of_scene, 0.0));
    let own = scene(Some(AmbientCube([[0.25; 3]; 6])));
    assert_eq!(red(&own, 12.0), red(&own, 0.0), "light of its own stays");
}

#[test]
fn a_scene_without_a_day_looks_the_same_at_all_hours() {
    let mut scene = lit_wall(Some(fog([0.5, 0.25, 0.0])));
    scene.days.clear();
    let plain = shoot(&scene, &state());
    for hour in [0.0, 12.0] {
        assert_eq!(shoot(&scene, &at(hour)), plain);
    }
}

#[test]
fn hours_come_and_go_while_a_scene_stays_on_the_device() {
    let gpu: &Gpu = gpu();
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let scene = lit_wall(Some(fog([0.0; 3])));
    let uploaded = renderer.upload(gpu, &scene).expect("a valid scene");
    for state in [at(12.0), at(0.0), state(), at(12.0)] {
        renderer
            .draw(gpu, &uploaded, &state, target.view(), None)
            .expect("a frame");
        let picture = capture(gpu, &target).expect("a picture");
        assert_eq!(picture, shoot(&scene, &state), "{:?}", state.hour);
    }
}

#[test]
fn the_chosen_day_lights_the_scene() {
    let mut scene = lit_wall(None);
    let mut cave = day(FogColor::OfSky);
    cave.hours = [cave.hours[12]; 24];
    scene.days.push(cave);
    let of_day = |index| FrameState {
        day: index,
        ..at(0.0)
    };
    assert_pixel(&shoot(&scene, &of_day(0)), CENTER, [51, 51, 102], 1);
    assert_pixel(&shoot(&scene, &of_day(1)), CENTER, [153, 153, 0], 1);
}
