use super::*;
use crate::mob::view::MapObject;
use crate::res::{NamesOrder, ResArchive};
use crate::sec::{LiquidLayer, Liquids, Sec, Tile, Vertex};
use crate::test_zone::{TestZone, tile_at, vertex_at};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_proof::{Damage, Fact, Truncations, hex, proof, prove_tolerantly_read};
use proptest::prelude::*;

proof! {
    ZoneArchive {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_archive(),
        growth: 40,
        runs: 1_000,
        of_bytes: prove_tolerantly_read::<ZoneArchive>,
    }
}

/// `zone9.mp` alone, with one byte: its slot, its data at 16, its name.
const HEADER_ALONE: &str = "
    3C E2 9C 01 01 00 00 00 20 00 00 00 08 00 00 00
    07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    FF FF FF FF 01 00 00 00 10 00 00 00 80 43 6D 38 08 00 00 00 00 00
    7A 6F 6E 65 39 2E 6D 70";

fn of_files(files: Vec<(Vec<u8>, Vec<u8>)>) -> ZoneArchive {
    let archive = ResArchive::draft(files, NamesOrder::Insertion);
    ZoneArchive { archive }
}

fn facts() -> Vec<Fact<ZoneArchive>> {
    let header = of_files(vec![(b"zone9.mp".to_vec(), vec![7])]);
    let none = hex("3C E2 9C 01 00 00 00 00 10 00 00 00 00 00 00 00");
    vec![
        Fact::new("a header alone", header, hex(HEADER_ALONE)),
        Fact::new("empty", ZoneArchive::default(), none),
    ]
}

fn damage() -> Vec<Damage> {
    let rows = [
        ("another magic", 0, "magic", 0),
        ("a table elsewhere", 8, "table offset", 8),
        ("more data than there is", 0x26, "data offset", 0x28),
        ("a chain outside", 0x20, "next slot", 0x20),
    ];
    let rows = rows.map(|(name, at, field, offset)| {
        let mut bad = hex(HEADER_ALONE);
        bad[at] ^= 0x7F;
        Damage::new(name, bad, field, offset)
    });
    rows.to_vec()
}

fn any_archive() -> impl Strategy<Value = ZoneArchive> {
    // No file says in which order empty files come back.
    let data = prop::collection::vec(any::<u8>(), 1..40);
    let files = prop::collection::btree_map("[a-e]{1,3}\\.(mp|sec)", data, 0..12);
    files.prop_map(|files| {
        let files = files.into_iter();
        let files = files.map(|(name, data)| (name.into_bytes(), data));
        of_files(files.collect())
    })
}

/// Whether a finding at least so grave says this.
fn has_finding(findings: &[Finding], severity: Severity, words: &str) -> bool {
    let is_it = |it: &Finding| it.severity >= severity && it.message.contains(words);
    findings.iter().any(is_it)
}

#[test]
fn a_whole_zone_opens_without_a_finding() {
    let zone = TestZone::new().open();
    assert_eq!(zone.findings, []);
    assert_eq!(zone.check(), []);
    assert_eq!((zone.name(), &*zone.stem), ("Zone9".to_owned(), "zone9"));
    assert_eq!(zone.sectors.iter().flatten().count(), 4);
    assert_eq!(zone.atlases.iter().flatten().count(), 2);
    assert!(
        zone.sectors[1].as_ref().unwrap().liquid_layer().is_some(),
        "column before row"
    );
    assert!(zone.mob.is_some());
}

#[test]
fn what_is_in_an_archive_may_be_named_after_something_else() {
    let mut test_zone = TestZone::new();
    test_zone.file_stem = "zone9lmp";
    assert_eq!(test_zone.open().findings, []);
    // Some sectors are named like the archive instead, and so is an atlas.
    let sector = test_zone.sectors.remove(&[1, 1]).unwrap();
    test_zone.others = vec![("ZONE9LMP001001.SEC".to_owned(), sector.write().unwrap())];
    let zone = test_zone.open();
    assert_eq!(zone.findings, []);
    assert_eq!(zone.stem, "zone9");
    assert_eq!(*zone.sectors[3].as_deref().unwrap(), sector);
}

#[test]
fn missing_and_broken_sectors_leave_holes() {
    let mut test_zone = TestZone::new();
    test_zone.sectors.remove(&[0, 1]);
    let broken = test_zone.sectors.remove(&[1, 1]).unwrap().write().unwrap();
    test_zone.others = vec![
        ("zone9001001.sec".to_owned(), broken[..100].to_vec()),
        ("zone9002000.sec".to_owned(), broken.clone()),
        ("zone8000000.sec".to_owned(), broken),
        ("readme.txt".to_owned(), Vec::new()),
    ];
    let zone = test_zone.open();
    let findings = &zone.findings;
    assert!(has_finding(
        findings,
        Severity::Error,
        "the sector zone9000001.sec is missing"
    ));
    assert!(has_finding(
        findings,
        Severity::Error,
        "sec (entry zone9001001.sec): byte 0x4"
    ));
    assert!(
        !has_finding(findings, Severity::Note, "zone9001001.sec is missing"),
        "reported once"
    );
    assert!(has_finding(
        findings,
        Severity::Note,
        "zone9002000.sec lies beyond the zone"
    ));
    assert!(has_finding(
        findings,
        Severity::Note,
        "zone8000000.sec is no sector of zone9"
    ));
    assert!(has_finding(
        findings,
        Severity::Note,
        "readme.txt is neither header nor sector"
    ));
    assert_eq!(findings.len(), 5);
    assert_eq!(zone.sectors.iter().flatten().count(), 2);
}

#[test]
fn marks_that_contradict_lengths_are_read_by_length_and_reported() {
    let mut test_zone = TestZone::new();
    let mut dry = test_zone.sectors.remove(&[0, 0]).unwrap().write().unwrap();
    dry[4] = 3;
    test_zone.others = vec![("zone9000000.sec".to_owned(), dry)];
    let zone = test_zone.open();
    assert_eq!(zone.sectors.iter().flatten().count(), 4);
    assert!(has_finding(
        &zone.findings,
        Severity::Warning,
        "zone9000000.sec: liquids are announced by 3"
    ));
}

#[test]
fn what_no_zone_can_do_without_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    let path = TestZone::new().write(root.path());
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..8]).unwrap();
    let error = Zone::open(&path, &[]).unwrap_err();
    assert!(matches!(error, VfsError::Invalid { .. }), "{error}");

    let mut test_zone = TestZone::new();
    test_zone.stem = "other";
    test_zone.mp.x_sectors = 1001;
    let path = test_zone.write(root.path());
    let error = Zone::open(&path, &[]).unwrap_err().to_string();
    let reported = "mp (entry other.mp): byte 0x8, sectors in x: expected at most 1000, found 1001";
    assert!(error.ends_with(reported), "{error}");

    let archive = ResArchive::default();
    std::fs::write(&path, archive.write().unwrap()).unwrap();
    let error = Zone::open(&path, &[]).unwrap_err();
    assert!(
        error.to_string().ends_with("no entry \"Zone9.mp\""),
        "{error}"
    );
}

#[test]
fn what_else_is_missing_is_reported() {
    let mut test_zone = TestZone::new();
    test_zone.objects = None;
    test_zone.atlases.pop();
    let zone = test_zone.open();
    assert!(has_finding(
        &zone.findings,
        Severity::Warning,
        "there is no Zone9.mob beside it"
    ));
    assert!(has_finding(
        &zone.findings,
        Severity::Error,
        "the atlas zone9001.mmp is missing"
    ));
    assert_eq!(zone.findings.len(), 2);

    let mut test_zone = TestZone::new();
    test_zone.objects = Some(vec![MapObject {
        nid: 1,
        template: "UnHuMa".to_owned(),
        primary_texture: "Skin".to_owned(),
        secondary_texture: "none".to_owned(),
        ..MapObject::default()
    }]);
    let zone = test_zone.open();
    assert!(has_finding(
        &zone.findings,
        Severity::Warning,
        "the model unhuma is missing"
    ));
    assert!(has_finding(
        &zone.findings,
        Severity::Warning,
        "the texture skin.mmp is missing"
    ));
    assert_eq!(
        zone.findings.len(),
        2,
        "none is no texture: {:?}",
        zone.findings
    );
}

#[test]
fn models_and_textures_are_found_whatever_their_case() {
    let mut object = MapObject {
        nid: 1,
        template: "pyramid".to_owned(),
        primary_texture: "SKIN".to_owned(),
        ..MapObject::default()
    };
    let mut test_zone = TestZone::with_object(object.clone());
    object.template = "PYRAMID".to_owned();
    test_zone.objects = Some(vec![object.clone()]);
    let zone = test_zone.open();
    assert_eq!(zone.findings, []);
    assert_eq!(zone.figure_of(&object).unwrap().parts.len(), 1);
    assert!(zone.textures["skin"].width == 8 && zone.textures.len() == 2);
}

#[test]
fn contradictions_between_files_are_checked() {
    let mut test_zone = TestZone::new();
    let bad_tile = |row, col| match (row, col) {
        (2, 3) => Tile::new(0, 2, 0),
        _ => tile_at(row, col),
    };
    let liquid = LiquidLayer::draft(
        |_, _| Vertex::default(),
        |row, col| (row == 1 && col == 1).then_some((Tile::new(0, 77, 0), 1)),
    );
    let sector = Sec::draft(vertex_at([0, 0]), bad_tile, Liquids::Layer(liquid));
    test_zone.sectors.insert([0, 0], sector);
    test_zone.mp.texture_size = 256;
    test_zone.mp.tile_size = 32;
    // One vertex of the border to the right, one of the corner.
    let mut moved = Sec::draft(vertex_at([1, 0]), tile_at, Liquids::None);
    moved.vertices[7 * 33].altitude += 1;
    moved.vertices[32 * 33].shift[0] += 1;
    test_zone.sectors.insert([1, 0], moved);
    let findings = test_zone.open().check();
    for words in [
        "tile 35 of sector 0 0 is of atlas 2; there are 2",
        "liquid tile 17 of sector 0 0 is of atlas 77; there are 2",
        "liquid tile 17 of sector 0 0 is of material 1; there are 1",
        "2 vertices of sector 0 0 are elsewhere in its neighbor along x",
        "1 vertices of sector 1 0 are elsewhere in its neighbor along y",
        "atlas 0 has 512 by 512 pixels, the header says 256",
    ] {
        assert!(
            has_finding(&findings, Severity::Warning, words),
            "{words}: {findings:#?}"
        );
    }
    assert_eq!(findings.len(), 7, "{findings:#?}");
}
