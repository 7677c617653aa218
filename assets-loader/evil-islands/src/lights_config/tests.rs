use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, Truncations, proof};

proof! {
    LightsConfig {
        facts: [Fact::from_bytes("two sections and another", FILE)],
        damage: [
            Damage::new("nothing", *b"", "colors", 0),
            Damage::new("a section alone", *b"[sky]\r\n", "colors", 0),
            Damage::new("another section", *b"[fog]\ntime00=1,2,3\n", "colors", 0),
        ],
        // Fewer colors make a file of their own, and none do not: `10, 20,3` is one already.
        truncations: Truncations::ValidIf(|cut| cut.windows(4).any(|it| it == b"20,3")),
        values: any_config(),
        growth: 64,
        runs: 2_000,
        of_bytes: |data, ()| {
            if let Ok(config) = LightsConfig::read(data) {
                can_be_set(config);
            }
        },
    }
}

const FILE: &[u8] = b"; of the region\r\n[Sky]\r\nTIME00 = 10, 20,30 ; midnight\r\ntime12=100,200,255\r\nclouds=5\r\n\r\n[fog]\r\ntime00=1,2,3\r\n[sunlight]\r\ntime23=0,0,255\r\ntime00=255,0,0";

fn config() -> LightsConfig {
    LightsConfig::read(FILE).unwrap()
}

/// The stored values, written by hand.
#[test]
fn colors_are_those_of_the_file() {
    use LightsSection::{Ambient, Sky, Sunlight};
    let config = config();
    let rows = [
        (Sky, 0, Some([10, 20, 30])),
        (Sky, 12, Some([100, 200, 255])),
        (Sky, 1, None),
        (Ambient, 0, None),
        (Sunlight, 23, Some([0, 0, 255])),
        (Sunlight, 0, Some([255, 0, 0])),
        (Sunlight, 24, None),
    ];
    for (section, hour, color) in rows {
        assert_eq!(config.color(section, hour), color, "{section:?} {hour}");
    }
    assert_eq!(config.write().as_deref(), Ok(FILE));
}

#[test]
fn colors_go_over_from_hour_to_hour() {
    use LightsSection::{Ambient, Sky, Sunlight};
    let config = config();
    let at = |section, time| {
        config
            .color_at(section, time)
            .map(|color| color.map(|part| (part * 255.0).round()))
    };
    let rows = [
        (Sunlight, 23.0, Some([0.0, 0.0, 255.0])),
        (Sunlight, 23.5, Some([128.0, 0.0, 128.0])),
        (Sunlight, 24.0, Some([255.0, 0.0, 0.0])),
        (Sunlight, -0.75, Some([64.0, 0.0, 191.0])),
        (Sunlight, 0.0, Some([255.0, 0.0, 0.0])),
        // Between noon and midnight no hour is stored.
        (Sky, 6.0, Some([55.0, 110.0, 143.0])),
        (Sky, 18.0, Some([55.0, 110.0, 143.0])),
        (Sky, 11.99, Some([100.0, 200.0, 255.0])),
        (Ambient, 5.0, None),
        (Sky, f32::NAN, None),
        (Sky, -1e-9, Some([10.0, 20.0, 30.0])),
    ];
    for (section, time, color) in rows {
        assert_eq!(at(section, time), color, "{section:?} {time}");
    }
}

#[test]
fn a_new_color_leaves_the_rest_of_its_file() {
    let mut config = config();
    config.set_color(LightsSection::Sky, 0, [1, 2, 3]);
    config.set_color(LightsSection::Sky, 13, [4, 5, 6]);
    config.set_color(LightsSection::Ambient, 7, [7, 8, 9]);
    config.set_color(LightsSection::Sky, 24, [0, 0, 0]);
    let expected = "; of the region\r\n[Sky]\r\nTIME00 = 1,2,3 ; midnight\r\ntime12=100,200,255\r\nclouds=5\r\ntime13=4,5,6\r\n\r\n[fog]\r\ntime00=1,2,3\r\n[sunlight]\r\ntime23=0,0,255\r\ntime00=255,0,0\r\n[ambient]\r\ntime07=7,8,9\r\n";
    let written = config.write().unwrap();
    assert_eq!(String::from_utf8_lossy(&written), expected);
    assert_eq!(LightsConfig::read(&written), Ok(config));
}

#[test]
fn a_fresh_file_has_all_hours() {
    let colors =
        std::array::from_fn(|section| std::array::from_fn(|hour| [section as u8, hour as u8, 9]));
    let config = LightsConfig::draft(&colors);
    assert_eq!(config.check(), []);
    let bytes = config.write().unwrap();
    assert!(bytes.starts_with(b"[sky]\r\ntime00=0,0,9\r\ntime01=0,1,9\r\n"));
    assert!(bytes.ends_with(b"time23=2,23,9\r\n"));
    assert_eq!(LightsConfig::read(&bytes), Ok(config));
}

#[test]
fn lines_without_meaning_are_reported() {
    let file = b"[sky]\ntime00=1,2,3\ntime00=4,5,6\ntime24=1,2,3\ntime1=1,2,3\ntime02=1,2\ntime03=1,2,256\nTime04\n";
    let config = LightsConfig::read(file).unwrap();
    assert_eq!(config.color(LightsSection::Sky, 0), Some([1, 2, 3]));
    let placed: Vec<_> = config
        .check()
        .into_iter()
        .filter(|it| it.offset.is_some())
        .collect();
    let offsets: Vec<_> = placed.iter().map(|it| it.offset.unwrap()).collect();
    assert_eq!(offsets, [19, 32, 45, 57, 68, 83]);
    assert_eq!(placed[0].message, "[sky] has time00 again");
    assert_eq!(placed[5].message, "a line means nothing here: Time04");
    // Three sections lack all hours but one.
    let missing = config
        .check()
        .iter()
        .filter(|it| it.message.contains("has no time"))
        .count();
    assert_eq!(missing, 16);
}

#[test]
fn regions_are_recognized_by_their_names() {
    let rows = [
        ("zonegipat1", Some(Region::Gipat)),
        ("CaveIngos", Some(Region::CaveIngos)),
        ("suslanger_cave", Some(Region::CaveSuslanger)),
        ("zone6lmp", None),
    ];
    for (name, region) in rows {
        assert_eq!(Region::from_name(name), region, "{name}");
    }
    for region in Region::ALL {
        assert_eq!(Region::from_name(&region.file_name()), Some(region));
    }
    assert_eq!(Region::CaveGipat.file_name(), "lightscavegipat.ini");
}

/// Any lines of which one is a color.
fn any_config() -> impl Strategy<Value = LightsConfig> {
    let line = "(\\[(sky|ambient|fog)\\]|time[0-2][0-9] ?= ?[0-9]{1,3},[0-9]{1,3},9|.{0,9})\r?\n";
    let lines = prop::collection::vec(line, 0..20);
    lines.prop_filter_map("no color", |lines| {
        LightsConfig::read(lines.concat().as_bytes()).ok()
    })
}

/// Whatever else is in a file: a color that is set is there, and still is in the written file.
fn can_be_set(mut config: LightsConfig) {
    config.check();
    for section in LightsSection::ALL {
        config.color_at(section, 12.5);
        config.set_color(section, 3, [1, 2, 3]);
        assert_eq!(config.color(section, 3), Some([1, 2, 3]));
    }
    let again = LightsConfig::read(&config.write().unwrap()).unwrap();
    assert_eq!(again.color(LightsSection::Sky, 3), Some([1, 2, 3]));
}
