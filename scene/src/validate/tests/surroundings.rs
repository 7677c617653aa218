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
fn a_painted_sky_has_keys_pictures_and_bodies_that_can_be_drawn() {
    assert_refused(&[
        ("an endless day", "day", 0, |it| {
            day(it).day_secs = Some(0.0)
        }),
        ("no key", "day.painted.keys", 0, |it| {
            painted_of(it).keys.clear()
        }),
        ("keys that fall", "day.painted.keys", 0, |it| {
            painted_of(it).keys.reverse()
        }),
        ("a color below black", "day.painted.keys", 1, |it| {
            painted_of(it).keys[1].colors.rings[2][3][0] = -0.5
        }),
        ("fog that ends at once", "day.painted.keys", 0, |it| {
            painted_of(it).keys[0].colors.fog_range = [2.0; 2]
        }),
        ("a dome that is a ball", "day.painted", 0, |it| {
            painted_of(it).span_rad = 1.6
        }),
        ("a picture that never repeats", "day.painted", 0, |it| {
            let clouds = painted_of(it).clouds.as_mut();
            clouds.expect("the sky has clouds").repeats = 0.0;
        }),
        ("a picture that is missing", "day.painted", 0, |it| {
            let backdrop = painted_of(it).backdrop.as_mut();
            backdrop.expect("the sky has one").texture = TextureIdx(99);
        }),
        ("an arc of another length", "day.painted.bodies", 0, |it| {
            painted_of(it).bodies[0].arc[1] = [0.6, 0.0, 0.9]
        }),
        ("an hour that is none", "day.painted.bodies", 0, |it| {
            painted_of(it).bodies[0].hours.to = 24.5
        }),
        ("too many spots", "day.painted.flare", 0, |it| {
            let flare = painted_of(it).flare.as_mut();
            let spots = &mut flare.expect("the sky has a flare").spots;
            let spot = spots[0];
            spots.resize(17, spot);
        }),
        ("a missing texture", "day.painted.frames", 0, |it| {
            painted_of(it).bodies[0].frame.texture = Some(TextureIdx(99))
        }),
        ("a corner beyond", "day.painted.frames", 1, |it| {
            let flare = painted_of(it).flare.as_mut();
            flare.expect("the sky has a flare").spots[0].frame.max = [1.5, 1.0];
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
