//! Each screen of the window, drawn without one.

use image::RgbaImage;
use ironlands::screens::{Screen, picture_of_screen};
use ironlands::worlds::registry;

use super::compare::compare_with_golden;
use super::studio::root;

const SIZE: [u32; 2] = [960, 540];

#[test]
fn each_screen_looks_as_it_did() {
    let at = |path: &str| root().join(path);
    let screens = [
        ("screen_start", Screen::Start(at("DATA"))),
        (
            "screen_files_texture",
            Screen::Files {
                root: at("DATA/Textures.lib"),
                wanted: at("DATA/Textures.lib/GRASS.0"),
            },
        ),
        (
            "screen_files_bytes",
            Screen::Files {
                root: at("DATA/MAPS"),
                wanted: at("DATA/MAPS/Map01/Land.map"),
            },
        ),
        (
            "screen_files_model",
            Screen::Files {
                root: at("DATA/EVIL_ISLANDS/Res/figures.res"),
                wanted: at("DATA/EVIL_ISLANDS/Res/figures.res/unhuma.mod"),
            },
        ),
        (
            "screen_level",
            Screen::Level {
                path: at("DATA/MAPS/Map01"),
                has_keys: false,
                has_map: false,
            },
        ),
        (
            "screen_keys",
            Screen::Level {
                path: at("DATA/MAPS/Map01"),
                has_keys: true,
                has_map: false,
            },
        ),
        (
            "screen_map",
            Screen::Level {
                path: at("DATA/MAPS/Map02"),
                has_keys: false,
                has_map: true,
            },
        ),
        ("screen_settings", Screen::Settings),
    ];
    let mut failures = Vec::new();
    for (name, screen) in screens {
        let picture = picture_of_screen(&screen, SIZE, &registry()).expect(name);
        failures.extend(compare_with_golden(name, &picture, n_subject(&picture)).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Pixels that are not as the one before: letters and edges, which a change of a text moves.
fn n_subject(picture: &RgbaImage) -> usize {
    let pixels = picture.pixels().zip(picture.pixels().skip(1));
    pixels.filter(|(before, pixel)| before != pixel).count()
}
