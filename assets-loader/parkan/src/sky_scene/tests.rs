use super::*;
use crate::ske::SkyTime;

fn keyframe(hour: u32, opcode: u32, text: &[u8], level: u8) -> Keyframe {
    let gray = [level, level, level, 255];
    Keyframe {
        version: 3,
        time: SkyTime::at(hour, 0),
        opcode,
        slots: Slots {
            horizon: [gray; 4],
            apex: [level, 0, 0, 255 - level],
            fog_start: 0.1,
            fog_end: 1.0 - f32::from(level) / 510.0,
            sun: [0, level, 0, 0],
            scene: [0, 0, level, 0],
            ..Slots::default()
        },
        texts: [text.to_vec(), vec![], vec![], vec![], vec![], vec![]],
        numbers: [1.0, 1.0, 2.0, 0.5],
        sounds: Vec::new(),
    }
}

fn texture() -> ironlands_scene::Texture {
    ironlands_scene::Texture {
        name: "test".to_owned(),
        width: 1,
        height: 1,
        format: ironlands_scene::PixelFormat::Rgba8,
        n_layers: 1,
        mips: vec![vec![255; 4]],
        addressing: ironlands_scene::Addressing::Repeat,
    }
}

fn sky() -> Ske {
    Ske {
        sections: vec![SkySection {
            keyframes: vec![
                keyframe(0, 2, b"", 0),
                keyframe(4, 0, b"sun", 0),
                keyframe(12, 2, b"", 255),
                keyframe(13, 3, b"", 255),
                keyframe(15, 4, b"", 255),
                keyframe(16, 1, b"sun", 255),
                keyframe(22, 5, b"", 0),
            ],
            day: SkyTime::at(0, 15),
            ..SkySection::default()
        }],
        start: SkyTime::at(8, 30),
        ..Ske::default()
    }
}

/// Pictures of textures 0 to 5.
fn frames() -> SkyFrames {
    let frame = |idx| Some(SpriteFrame::whole(TextureIdx(idx)));
    SkyFrames {
        nebula: Some(TextureIdx(0)),
        clouds: Some(TextureIdx(1)),
        sun: frame(2),
        moon: frame(3),
        flares: [frame(4), frame(5)],
        snow: None,
        rain: None,
    }
}

fn is_near<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4)
}

fn painted(sky: &Ske) -> PaintedSky {
    day_of(sky, &frames()).unwrap().painted.unwrap()
}

#[test]
fn colors_lie_between_the_keyframes_of_an_hour() {
    let day = day_of(&sky(), &frames()).unwrap();
    assert_eq!(day.start_hour, 8.5);
    // Halfway from 4:00 to noon.
    let colors = painted(&sky()).at(8.0);
    assert!(is_near(colors.mean_horizon(), [0.5; 3]), "{colors:?}");
    assert!(is_near(colors.ambient, [0.5, 0.0, 0.0]), "{colors:?}");
    let factor = "the factor of the light";
    assert!(is_near(colors.sun, [0.0, 1.0, 0.0]), "{factor}: {colors:?}");
    assert!(is_near(colors.apex, [0.0, 0.0, 0.5, 0.5]), "{colors:?}");
    assert!(is_near(colors.fog_range, [70.0, 525.0]), "{colors:?}");
    assert_eq!(day.day_secs, Some(900.0));
}

#[test]
fn rings_are_by_compass_and_counter_light_flare_and_size_are_read() {
    let mut with_all = sky();
    let noon = &mut with_all.sections[0].keyframes[2];
    noon.slots.horizon = [1, 2, 3, 4].map(|blue| [51 * blue, 0, 0, 255]);
    noon.slots.ring_2 = [1, 2, 3, 4].map(|red| [0, 0, 51 * red, 51]);
    noon.slots.counter = [51, 102, 153, 0];
    noon.slots.flare = [0, 0, 0, 51];
    noon.slots.clouds = [0, 51, 204, 0];
    noon.numbers = [2.0, 3.0, 1.0, 0.0];
    let colors = painted(&with_all).at(12.0);
    // Slots 2, 3, 1, 4 toward +y, +x, -y, -x.
    let blue = colors.rings[2].map(|color| color[2]);
    assert!(is_near(blue, [0.4, 0.6, 0.2, 0.8]), "{blue:?}");
    let red = colors.rings[0].map(|color| color[0]);
    assert!(is_near(red, [0.4, 0.6, 0.2, 0.8]), "{red:?}");
    assert!(is_near(colors.rings[0][0], [0.4, 0.0, 0.0, 0.2]));
    assert!(is_near(colors.counter, [0.6, 0.4, 0.2]));
    assert!(is_near(colors.body_half_size, [0.325, 0.4875]));
    assert!((colors.flare - 0.2).abs() < 1e-5);
    // With the scene's color, which is red.
    assert!(is_near(colors.clouds, [1.0, 0.2, 0.0]));
}

#[test]
fn sun_and_moon_go_their_arcs_from_their_beginning_to_the_next_keyframe_of_either() {
    let mut two = sky();
    two.sections[0].keyframes.push(keyframe(20, 0, b"moon", 0));
    let PaintedSky { bodies, .. } = painted(&two);
    let hours: Vec<_> = bodies
        .iter()
        .map(|it| (it.hours.from, it.hours.to))
        .collect();
    assert_eq!(hours, [(4.0, 16.0), (20.0, 4.0)], "the moon until the sun");
    assert_eq!(bodies[1].frame, frames().moon.unwrap());
    let at = |body: usize, hour| bodies[body].direction(hour);
    assert!(is_near(at(0, 10.0), [0.5, 0.0, 0.866_03]), "60 degrees");
    assert!(
        is_near(at(1, 0.0), [0.0, -0.766_04, 0.642_79]),
        "40 degrees"
    );
    // The sun rises in -y, the moon in -x.
    assert!(at(0, 4.0)[1] < -0.9 && at(1, 20.0)[0] < -0.9);
    // Below the horizon: 15.5 and 11.5 degrees.
    for (body, hour, degrees) in [(0, 4.0, -15.5f32), (0, 15.9999, -15.5), (1, 20.0, -11.5)] {
        let [.., z] = at(body, hour);
        assert!(
            (z - degrees.to_radians().sin()).abs() < 2e-3,
            "{body} {hour}: {z}"
        );
    }
}

#[test]
fn twelve_spots_make_a_flare_unless_their_pictures_are_missing() {
    let flare = painted(&sky()).flare.unwrap();
    assert_eq!(flare.spots.len(), 12);
    let FlareSpot {
        place,
        half_size,
        color,
        frame,
    } = flare.spots[2];
    assert_eq!(
        (place, half_size, Some(frame)),
        (0.5, 0.05, frames().flares[1])
    );
    assert!(is_near(
        color,
        [48.0 / 255.0, 190.0 / 255.0, 82.0 / 255.0, 150.0 / 255.0]
    ));
    let without = SkyFrames::default();
    let bare = day_of(&sky(), &without).unwrap().painted.unwrap();
    assert_eq!(
        (bare.flare, bare.bodies, bare.backdrop),
        (None, vec![], None)
    );
}

#[test]
fn rain_sounds_as_strong_as_it_is() {
    let mut rainy = sky();
    rainy.sections[0].keyframes[3].sounds = vec![b"rain.wav".to_vec()];
    let clip = SoundClip {
        name: "rain.wav".to_owned(),
        file: [1u8, 2, 3][..].into(),
    };
    let heard = rain_sounds(&rainy, &[(b"rain.wav".to_vec(), clip.clone())]);
    assert_eq!((heard.clips, heard.sounds.len()), (vec![clip], 1));
    let [sound] = &heard.sounds[..] else {
        panic!("one sound")
    };
    // Half as strong: 100 (0.5^(1/16) - 1) = -4.2 dB.
    assert!((sound.gain - 0.6136).abs() < 1e-3, "{}", sound.gain);
    assert_eq!(sound.hours.map(|it| (it.from, it.to)), Some((13.0, 15.0)));
    assert_eq!(rain_sounds(&rainy, &[]), SceneSounds::default());
    assert_eq!((rain_gain(0.0), rain_gain(2.0)), (1e-5, 1.0));
}

#[test]
fn lightning_strikes_in_its_hours_above_the_land() {
    let land = crate::sample_level::terrain();
    let mut stormy = sky();
    let keyframes = &mut stormy.sections[0].keyframes;
    keyframes.push(keyframe(14, 8, b"", 0));
    keyframes.push(keyframe(15, 9, b"", 0));
    let strikes = strikes(&stormy, &land);
    assert_eq!(strikes.len(), 16);
    assert_eq!(strikes[0].at_secs, 6.0);
    let highest = land
        .positions
        .iter()
        .map(|it| it[2])
        .fold(f32::MIN, f32::max);
    for pair in strikes.windows(2) {
        let wait = pair[1].at_secs - pair[0].at_secs;
        // Half as strong: at most half a minute.
        assert!(wait > 0.0 && wait <= 30.0, "{wait}");
    }
    for strike in &strikes {
        let [[sx, .., x], [.., y], [_, _, sz, z]] = strike.world_from_effect.0;
        assert_eq!([sx, sz], [40.0, 600.0]);
        let is_above = land
            .positions
            .iter()
            .any(|it| it[0] == x && it[1] == y && it[2] + 300.0 == z);
        assert!(is_above && z <= highest + 300.0);
        assert_eq!((strike.hours.from, strike.hours.to), (14.0, 15.0));
        assert!(strike.at_secs < 6.0 + strike.period_secs);
    }
    assert_eq!(super::strikes(&sky(), &land), [], "no storm");
}

#[test]
fn weather_lasts_from_its_beginning_to_its_end() {
    let weather = weather(&sky(), &frames());
    let rows: Vec<_> = weather
        .iter()
        .map(|it| {
            (
                it.name.as_str(),
                it.hours.map(|it| (it.from, it.to)),
                it.emission.clone(),
            )
        })
        .collect();
    let count = Emission::Steady { count: 4 * 500 };
    let expected = [
        ("rain", Some((13.0, 15.0)), count.clone()),
        ("snow", Some((22.0, 24.0)), count),
    ];
    assert_eq!(rows, expected);
    // No darker than a third.
    assert_eq!(
        weather[1].color.at(0.0),
        [80.0 / 255.0, 80.0 / 255.0, 80.0 / 255.0, DROP_ALPHA]
    );
    let scene = ironlands_scene::Scene {
        textures: vec![texture(); 6],
        days: day_of(&sky(), &frames()).into_iter().collect(),
        emitters: weather,
        ..Default::default()
    };
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn a_sky_that_makes_no_day_is_none() {
    assert_eq!(day_of(&Ske::default(), &frames()), None);
    let mut endless = sky();
    endless.sections[0].keyframes[3].numbers[0] = f32::NAN;
    assert_eq!(day_of(&endless, &frames()), None);
    let mut foggy = sky();
    foggy.sections[0].keyframes[3].slots.fog_end = 0.0;
    assert_eq!(day_of(&foggy, &frames()), None);
}
