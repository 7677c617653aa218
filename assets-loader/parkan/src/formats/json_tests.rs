//! What goes to JSON comes back as it was, also what no one understands.

use std::path::Path;

use crate::bas::Bas;
use crate::behavior_vars::BehaviorVars;
use crate::ctld::Ctld;
use crate::ctpt::Ctpt;
use crate::dscr::Description;
use crate::expl::Expl;
use crate::fxid::Header;
use crate::fxid::tests::smoking;
use crate::mat0::{Mat0, Phase, Track, TrackKey};
use crate::mission::{Clan, Mission, Object, Property};
use crate::ndpr::Ndpr;
use crate::registry::{ObjectRef, Prototype};
use crate::scr::Scr;
use crate::texm::{MipChain, Texm, TexmFormat};
use crate::trf::ResearchTree;
use crate::unit_dat::{UnitDat, UnitRecord};
use crate::wear::Wear;
use ironlands_assets_core::format::{ConversionOptions, ConversionRequest, Format};

const NO_CHOICE: &ConversionOptions = &ConversionOptions {
    code_page: ironlands_assets_core::text::CodePage::Cp1251,
    pixel_format: None,
    is_single_level: false,
    base: None,
    base_file: None,
    frames_per_sec: None,
    state: None,
    lod: None,
    assets: Vec::new(),
    textures: Vec::new(),
    shape: None,
};

fn request(options: &ConversionOptions) -> ConversionRequest<'_> {
    ConversionRequest {
        file: Path::new("x"),
        interchange: Path::new("x.json"),
        options,
    }
}

/// The text of a file, from which the file is made again.
fn round_trip<F: Format>(data: &[u8]) -> String {
    let [json] = F::conversions() else {
        panic!("one way, JSON");
    };
    let request = request(NO_CHOICE);
    let exported = (json.export.unwrap())(data, &request).unwrap();
    let (_, text) = &exported.files[0];
    assert_eq!((json.import.unwrap())(text, &request).unwrap(), data);
    String::from_utf8(text.clone()).unwrap()
}

fn material() -> Mat0 {
    Mat0 {
        version: 6,
        class: 5,
        unknown_05: 7,
        speed_factor: 0.1,
        damage_per_sec: -0.0,
        phases: vec![Phase {
            ambient: [1, 2, 3, 100],
            diffuse: [4, 5, 6, 7],
            specular: [8, 9, 10, 11],
            emissive: [12, 13, 14, 15],
            power: 3,
            cell: -1,
            // Bytes behind the NUL are kept.
            texture: *b"GRASS.0\0garbage!",
        }],
        tracks: vec![Track {
            head: 9,
            keys: vec![TrackKey {
                phase: 0,
                end_ms: 500,
                unknown_4: 3,
            }],
        }],
    }
}

#[test]
fn materials_come_back_from_json() {
    let text = round_trip::<Mat0>(&material().write().unwrap());
    assert!(text.contains("\"speed_factor\": 0.1"), "{text}");
    assert!(text.contains("\"unknown_4\": 3"), "{text}");
}

#[test]
fn tables_come_back_from_json() {
    let text =
        round_trip::<Wear>(b"2\r\n0 GRASS\r\n1 \xC4\xCE\xCC\r\n\r\nLIGHTMAPS\r\n1\r\n0 LM\r\n");
    assert!(text.contains("\u{414}\u{41E}\u{41C}"), "{text}");
}

#[test]
fn missions_come_back_from_json() {
    let mission = Mission {
        clans: vec![Clan {
            name: b"\xCA\xEB\xE0\xED".to_vec(),
            groups: vec![vec![[1.0, 2.5, -3.0, 4.0, 5.0]]],
            ..Clan::default()
        }],
        objects: vec![Object {
            resource: b"UNITS\\A.dat".to_vec(),
            unknown_word: 77,
            properties: vec![Property {
                type_word: 1,
                words: [1, 2, 3],
                name: b"MaximumOre".to_vec(),
            }],
            ..Object::default()
        }],
        // No CP1251 text has this byte.
        description: vec![0x98, 1, 2],
        ..Mission::default()
    };
    let text = round_trip::<Mission>(&mission.write().unwrap());
    assert!(text.contains("\u{41A}\u{43B}\u{430}\u{43D}"), "{text}");
}

#[test]
fn units_prototypes_and_effects_come_back_from_json() {
    let mut description_field = [0xFF; 32];
    description_field[3] = 0;
    let mut archive_field = [0; 32];
    archive_field[..9].copy_from_slice(b"bases.rlb");
    let unit = UnitDat {
        unknown_02: [1, 2],
        scheme: 3,
        records: vec![UnitRecord {
            archive_field,
            resource_field: [b'x'; 32],
            kind: 1,
            attach_idx: -1,
            description_field,
            component_word: 4,
            n_children: 0,
        }],
    };
    let text = round_trip::<UnitDat>(&unit.write().unwrap());
    assert!(text.contains("\"archive_field\": \"bases.rlb\""), "{text}");
    let prototype = Prototype {
        refs: vec![ObjectRef::new("bases.rlb", "TANK.msh").unwrap()],
    };
    round_trip::<Prototype>(&prototype.write().unwrap());
    round_trip::<crate::fxid::Fxid>(&smoking(Header::default()).write().unwrap());
}

#[test]
fn unknown_words_in_json_are_refused() {
    let [json] = Mat0::conversions() else {
        panic!("one way, JSON");
    };
    let request = request(NO_CHOICE);
    let data = material().write().unwrap();
    let exported = (json.export.unwrap())(&data, &request).unwrap();
    let text = String::from_utf8(exported.files[0].1.clone()).unwrap();
    let misspelled = text.replace("speed_factor", "speed");
    let error = (json.import.unwrap())(misspelled.as_bytes(), &request).unwrap_err();
    assert!(error.to_string().contains("`speed`"), "{error}");
}

#[test]
fn numbers_that_json_lacks_are_refused() {
    let [json] = Mat0::conversions() else {
        panic!("one way, JSON");
    };
    let mut material = material();
    material.speed_factor = f32::NAN;
    let data = material.write().unwrap();
    assert!((json.export.unwrap())(&data, &request(NO_CHOICE)).is_err());
}

#[test]
fn textures_come_back_from_png_with_what_their_base_has() {
    let rgba: Vec<u8> = (0..8 * 8)
        .flat_map(|k| [k * 4, 255 - k * 4, 128, 255])
        .collect();
    let mut texture = Texm::from_rgba8(TexmFormat::Rgb888, 8, 8, &rgba, MipChain::Full).unwrap();
    texture.flags5 = 0x0400_0000;
    let data = texture.write().unwrap();
    let [png, _] = Texm::conversions() else {
        panic!("one way, PNG");
    };
    let exported = (png.export.unwrap())(&data, &request(NO_CHOICE)).unwrap();
    let (_, picture) = &exported.files[0];
    let with_base = ConversionOptions {
        base: Some(data.clone()),
        ..NO_CHOICE.clone()
    };
    let import = png.import.unwrap();
    assert_eq!(import(picture, &request(&with_base)).unwrap(), data);
    let alone = Texm::read(&import(picture, &request(NO_CHOICE)).unwrap()).unwrap();
    assert_eq!((alone.flags5, alone.format), (0, TexmFormat::Rgb888));
    let indexed = ConversionOptions {
        pixel_format: Some("indexed".to_owned()),
        is_single_level: true,
        ..NO_CHOICE.clone()
    };
    let indexed = Texm::read(&import(picture, &request(&indexed)).unwrap()).unwrap();
    assert_eq!(
        (indexed.format, indexed.mips.len()),
        (TexmFormat::Indexed8, 1)
    );
    // 64 colors fit a palette.
    assert_eq!(indexed.to_rgba8(0).unwrap(), rgba);
}

#[test]
fn scripts_basements_and_node_damage_are_the_same_again() {
    let script = round_trip::<Scr>(&crate::scr::tests::bytes());
    for expected in ["\"at_least\"", "\"goto\"", "\"Init\"", "\"function\": 2"] {
        assert!(script.contains(expected), "{expected} is not in {script}");
    }
    let basement = round_trip::<Bas>(&crate::bas::tests::bytes());
    assert!(basement.contains("\"outer\""), "{basement}");
    let variables = round_trip::<BehaviorVars>(&crate::behavior_vars::tests::bytes());
    assert!(variables.contains("\"ChassisType\""), "{variables}");
    let damage = round_trip::<Ndpr>(&crate::ndpr::tests::bytes());
    assert!(damage.contains("\"e.exp\""), "{damage}");
}

#[test]
fn control_points_explosions_and_research_are_the_same_again() {
    for control in [
        crate::ctld::tests::small_bytes(),
        crate::ctld::tests::later().1,
    ] {
        let text = round_trip::<Ctld>(&control);
        assert!(text.contains("\"engine_factor\": 84.0"), "{text}");
    }
    let points = round_trip::<Ctpt>(&crate::ctpt::tests::bytes());
    assert!(points.contains("\"carried_node\""), "{points}");
    let blast = round_trip::<Expl>(&crate::expl::tests::bytes());
    assert!(blast.contains("\"splash\""), "{blast}");
    let tree = round_trip::<ResearchTree>(&crate::trf::tests::hand_typed_file());
    assert!(tree.contains("\"type_name\": \"TRFB\""), "{tree}");
    let description = round_trip::<Description>(crate::dscr::tests::CANNON);
    assert!(description.contains("#2Large Cannon"), "{description}");
}
