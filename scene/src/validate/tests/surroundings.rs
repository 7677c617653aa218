//! Sky, fog, days and lights that make no sense.

use super::*;

#[test]
fn sky_backdrop_and_fog_are_within_their_bounds() {
    assert_refused(&[
        ("scale 0", "backdrop", 0, |it| backdrop(it).scale = 0.0),
        ("no scale", "backdrop", 0, |it| {
            backdrop(it).scale = f32::INFINITY
        }),
        ("nowhere", "backdrop", 0, |it| {
            backdrop(it).origin[2] = f32::NAN
        }),
        ("a missing cell", "backdrop", 0, |it| {
            backdrop(it).cells = vec![2]
        }),
        ("falling cells", "backdrop", 0, |it| {
            backdrop(it).cells = vec![1, 0]
        }),
        ("the same cell", "backdrop", 0, |it| {
            backdrop(it).cells = vec![1, 1]
        }),
        ("its fog", "backdrop.fog", 0, |it| {
            backdrop(it).fog = Some(Fog { end: 0.0, ..fog() });
        }),
        ("dense fog", "fog", 0, |it| {
            it.fog = Some(Fog {
                density: 1.5,
                ..fog()
            });
        }),
        ("a layer upside down", "fog", 0, |it| {
            it.fog = Some(fog_up_to(20.0, 10.0));
        }),
        ("a layer without an end", "fog", 0, |it| {
            it.fog = Some(fog_up_to(20.0, f32::INFINITY));
        }),
        ("a face", "sky_box.faces", 5, |it| {
            let sky_box = it.sky_box.as_mut().expect("the scene has one");
            sky_box.faces[5] = Some(SkyFace {
                texture: TextureIdx(2),
                uv_scale: [1.0; 2],
            });
        }),
        ("a scale", "sky_box.faces", 0, |it| {
            let sky_box = it.sky_box.as_mut().expect("the scene has one");
            sky_box.faces[0] = Some(SkyFace {
                texture: TextureIdx(0),
                uv_scale: [f32::NAN, 1.0],
            });
        }),
    ]);
}

#[test]
fn a_day_starts_within_itself_and_its_colors_are_amounts() {
    assert_refused(&[
        ("after the last hour", "day", 0, |it| {
            day(it).start_hour = 24.0
        }),
        ("before the first", "day", 0, |it| day(it).start_hour = -0.5),
        ("at no hour", "day", 0, |it| day(it).start_hour = f32::NAN),
        ("a dark sky", "day.hours", 23, |it| {
            day(it).hours[23].sky[2] = -0.1
        }),
        ("no light", "day.hours", 5, |it| {
            day(it).hours[5].ambient[0] = f32::NAN
        }),
        ("endless light", "day.hours", 0, |it| {
            day(it).hours[0].sun[1] = f32::INFINITY
        }),
    ]);
}

#[test]
fn skies_and_clouds_make_sense() {
    assert_refused(&[
        ("no key", "day.dome.keys", 0, |it| dome(it).keys.clear()),
        ("keys that fall", "day.dome.keys", 0, |it| {
            dome(it).keys.reverse()
        }),
        ("an hour beyond the day", "day.dome.keys", 0, |it| {
            dome(it).keys[1].hour = 24.0
        }),
        ("a day without a night", "day.dome.sun_path", 0, |it| {
            dome(it).sun_path.set_hour = 6.0
        }),
        ("a sun below the horizon", "day.dome.sun_path", 0, |it| {
            dome(it).sun_path.noon = [0.0, 0.6, -0.8]
        }),
        ("three layers", "clouds", 3, |it| {
            it.clouds.push(CloudLayer::FAIR[0])
        }),
        ("more than all covered", "clouds", 1, |it| {
            it.clouds[1].cover = 1.5
        }),
        ("clouds without size", "clouds", 0, |it| {
            it.clouds[0].size = 0.0
        }),
        ("endless drift", "clouds", 0, |it| {
            it.clouds[0].drift_per_sec[1] = f32::INFINITY
        }),
        ("haze that ends before it begins", "haze", 0, |it| {
            it.haze.as_mut().expect("the scene has haze").end = 0.0
        }),
    ]);
}

#[test]
fn lights_are_somewhere_and_shine() {
    fn cone(scene: &mut Scene) -> &mut LightCone {
        scene.lights[0].cone.as_mut().expect("the light has one")
    }
    assert_refused(&[
        ("nowhere", "lights", 0, |it| {
            it.lights[0].position[1] = f32::NAN;
        }),
        ("a dark color", "lights", 0, |it| {
            it.lights[0].color[0] = -0.1;
        }),
        ("no range", "lights", 0, |it| it.lights[0].range = 0.0),
        ("an endless range", "lights", 0, |it| {
            it.lights[0].range = f32::INFINITY;
        }),
        ("a long direction", "lights", 0, |it| {
            cone(it).direction = [0.0, 1.0, 1.0];
        }),
        ("a cone without an edge", "lights", 0, |it| {
            cone(it).cos_outer = 0.9;
        }),
        ("no cosine", "lights", 0, |it| cone(it).cos_inner = 1.5),
        ("no share", "lights", 0, |it| {
            it.lights[0].flicker.share = 1.25;
        }),
        ("no rate", "lights", 0, |it| {
            it.lights[0].flicker.per_sec = f32::NAN;
        }),
        ("a missing style", "lights", 0, |it| {
            it.lights[0].style = Some(9);
        }),
    ]);
}
