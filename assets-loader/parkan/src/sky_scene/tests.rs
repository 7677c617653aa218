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
            ..SkySection::default()
        }],
        start: SkyTime::at(8, 30),
        ..Ske::default()
    }
}

#[test]
fn colors_lie_between_the_keyframes_of_an_hour() {
    let day = day_of(&sky()).unwrap();
    assert_eq!(day.start_hour, 8.5);
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    // Halfway from 4:00 to noon.
    let colors = day.at(8.0);
    assert!(
        near(colors.sky, [0.5; 3]) && near(colors.ambient, [0.5, 0.0, 0.0]),
        "{colors:?}"
    );
    assert!(
        near(colors.sun, [0.0, 1.0, 0.0]),
        "the factor of the light: {colors:?}"
    );
    let dome = day.dome.as_ref().unwrap();
    let sky = dome.at(8.0);
    assert!(
        near(sky.zenith, [0.0, 0.0, 0.5]) && (sky.stars - 0.5).abs() < 1e-5,
        "{sky:?}"
    );
}

#[test]
fn the_sun_is_above_the_horizon_for_all_but_a_sixth_of_its_time() {
    let day = day_of(&sky()).unwrap();
    let SunPath {
        rise_hour,
        set_hour,
        noon,
    } = day.dome.unwrap().sun_path;
    assert!((rise_hour - 5.0).abs() < 1e-5 && (set_hour - 15.0).abs() < 1e-5);
    assert_eq!(noon, NOON);
}

#[test]
fn weather_lasts_from_its_beginning_to_its_end() {
    let weather = weather(&sky(), WeatherFrames::default());
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
        days: day_of(&sky()).into_iter().collect(),
        emitters: weather,
        ..Default::default()
    };
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn a_sky_that_makes_no_day_is_none() {
    assert_eq!(day_of(&Ske::default()), None);
    let mut endless = sky();
    endless.sections[0].keyframes[3].numbers[0] = f32::NAN;
    assert_eq!(day_of(&endless), None);
    let mut foggy = sky();
    foggy.sections[0].keyframes[3].slots.fog_end = 0.0;
    assert_eq!(day_of(&foggy), None);
}
