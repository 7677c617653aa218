//! The island in `DATA/EVIL_ISLANDS` keeps the rules of its formats, holds what a newcomer should see, and its ground has
//! no seams.

#[path = "evil_islands/figures.rs"]
mod figures;
#[path = "evil_islands/ground.rs"]
mod ground;
#[path = "evil_islands/map.rs"]
mod map;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_evil_islands::adb::Adb;
use ironlands_assets_evil_islands::cam::Cam;
use ironlands_assets_evil_islands::db::{Db, DbKind};
use ironlands_assets_evil_islands::game_texts::GameTexts;
use ironlands_assets_evil_islands::mmp::{Mmp, MmpFormat};
use ironlands_assets_evil_islands::reg::Reg;
use ironlands_assets_evil_islands::res::ResArchive;
use ironlands_assets_evil_islands::zone::Zone;

/// The folder that stands for the game's.
fn game() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA/EVIL_ISLANDS")
}

fn read(path: &str) -> Vec<u8> {
    fs::read(game().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Names and bytes of the files of an archive, which is written back as it was read.
fn members(path: &str) -> Vec<(String, Vec<u8>)> {
    let bytes = read(path);
    let archive = ResArchive::read(&bytes).unwrap();
    assert!(archive.check().is_empty(), "{path}: {:#?}", archive.check());
    assert_eq!(archive.write().unwrap(), bytes, "{path}");
    archive
        .entries
        .iter()
        .map(|entry| (entry.name_text().into_owned(), entry.data.to_vec()))
        .collect()
}

fn zone() -> &'static Zone {
    static ZONE: OnceLock<Zone> = OnceLock::new();
    ZONE.get_or_init(|| Zone::open(&game().join("Maps/zone1.mpr"), &[]).unwrap())
}

#[test]
fn zone_opens_without_a_finding() {
    let zone = zone();
    // No file of the game says which region's light a zone has; who reads it has to choose.
    let is_choice = |it: &Finding| {
        it.severity == Severity::Note && it.message.contains("does not say its region")
    };
    assert!(zone.check().iter().all(is_choice), "{:#?}", zone.check());
    assert_eq!([zone.mp.x_sectors, zone.mp.y_sectors], [4, 4]);
    assert!(zone.mp.check().is_empty(), "{:#?}", zone.mp.check());
    for sector in zone.sectors.iter().flatten() {
        assert!(sector.check().is_empty(), "{:#?}", sector.check());
    }
    let mob = zone.mob.as_ref().unwrap();
    assert!(mob.check().is_empty(), "{:#?}", mob.check());
    for object in &zone.objects {
        assert!(zone.figure_of(object).is_some(), "{}", object.template);
    }
}

#[test]
fn every_texture_opens_in_many_formats() {
    let mut formats = Vec::new();
    for archive in ["Res/textures.res", "Res/menus.res"] {
        for (name, bytes) in members(archive) {
            if !name.ends_with(".mmp") {
                continue;
            }
            let texture = Mmp::read(&bytes).unwrap();
            assert!(texture.check().is_empty(), "{name}: {:#?}", texture.check());
            assert_eq!(texture.write().unwrap(), bytes, "{name}");
            let pixels = texture.level_rgba(0).unwrap();
            assert!(hides_black(&texture, &pixels), "{name}");
            formats.push(texture.format);
        }
    }
    for format in [
        MmpFormat::Dxt1,
        MmpFormat::Dxt3,
        MmpFormat::Pnt3,
        MmpFormat::Rgb565,
        MmpFormat::Argb1555,
        MmpFormat::Argb4444,
        MmpFormat::Argb8888,
    ] {
        assert!(formats.contains(&format), "{format}");
    }
}

/// Whether what is wholly clear is black, as the game wants it. Four by four pixels that are stored as a block share
/// their colors, so there it holds for those that are all clear.
fn hides_black(texture: &Mmp, pixels: &[u8]) -> bool {
    let side = match texture.format {
        MmpFormat::Dxt1 | MmpFormat::Dxt3 => 4,
        _ => 1,
    };
    let width = texture.width as usize;
    let pixels = pixels.as_chunks::<4>().0;
    (0..texture.height as usize / side).all(|row| {
        (0..width / side).all(|column| {
            let block = (0..side * side)
                .map(|k| pixels[(row * side + k / side) * width + column * side + k % side]);
            let is_clear = block.clone().all(|[.., a]| a == 0);
            !is_clear || block.clone().all(|pixel| pixel == [0; 4])
        })
    })
}

#[test]
fn tables_texts_and_paths_open() {
    for (name, bytes) in members("Res/database.res") {
        let findings = match DbKind::from_file_name(&name) {
            Some(kind) => {
                let db = Db::read(&bytes, kind).unwrap();
                assert_eq!(db.write().unwrap(), bytes, "{name}");
                db.check()
            }
            None => {
                let adb = Adb::read(&bytes).unwrap();
                assert_eq!(adb.write().unwrap(), bytes, "{name}");
                assert_eq!(adb.unit_name_text(), "unhuma");
                adb.check()
            }
        };
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    }
    let texts = GameTexts::open(&read("Res/texts.res")).unwrap();
    assert!(texts.check().is_empty(), "{:#?}", texts.check());
    assert_eq!(texts.get("zone ZONE1").as_deref(), Some("The Island"));
    let packed: Vec<(String, Vec<u8>)> = members("Res/aiinfo.res")
        .into_iter()
        .chain(members("Res/menus.res"))
        .filter(|(name, _)| name.ends_with(".reg"))
        .chain([("music.reg".to_owned(), read("Res/music.reg"))])
        .collect();
    assert_eq!(packed.len(), 3);
    for (name, bytes) in packed {
        let reg = Reg::read(&bytes).unwrap();
        assert!(reg.check().is_empty(), "{name}: {:#?}", reg.check());
        assert_eq!(reg.write().unwrap(), bytes, "{name}");
    }
    let flight = Cam::read(&read("Cameras/flight.cam")).unwrap();
    assert!(flight.check().is_empty(), "{:#?}", flight.check());
    assert_eq!(flight.records.len(), 65);
}
