//! Zones that are kept beside the regions that they were made from.

use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::zone_file::ZoneTile;
use ironlands_assets_lineage2::{FlatRule, RegionPath};
use ironlands_sim_geodata::path::{NavGraph, StoredZones};
use ironlands_sim_geodata::test_world::{Ground, random, roof};
use ironlands_sim_geodata::{Geodata, Profile, RegionPack};
use ironlands_world_lineage2::{ZoneStore, ZoneStoreError, checksums, zone_file};
use std::path::{Path, PathBuf};

/// Writes regions and the file of their zones; returns the regions, the path of that file, and the graph.
fn stored(
    folder: &Path,
    drawings: &[Ground],
    profile: &Profile,
) -> (Vec<RegionPath>, PathBuf, NavGraph) {
    let files: Vec<RegionPath> = drawings
        .iter()
        .map(|drawing| {
            let path = folder.join(format!("{}.l2j", drawing.region.id));
            let file = L2j::from_region(&drawing.region, FlatRule::Max);
            std::fs::write(&path, file.write().unwrap()).unwrap();
            RegionPath::new(&path).unwrap()
        })
        .collect();
    let packs = drawings
        .iter()
        .map(|it| (it.region.id, RegionPack::new(&it.region)));
    let graph = NavGraph::new(&Geodata::new(packs), profile);
    let file = zone_file(&graph, checksums(&files).unwrap());
    let path = ZoneStore::path(folder, profile).unwrap();
    std::fs::write(&path, file.write().unwrap()).unwrap();
    (files, path, graph)
}

#[test]
fn zones_from_a_file_are_those_of_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::ACIS;
    let (files, path, graph) = stored(folder.path(), &[random(5)], &profile);
    let store = ZoneStore::open(&path, &profile, &files).unwrap();
    let mut n_tiles = 0;
    for (number, tile) in graph.zone_tiles() {
        assert_eq!(store.tile(number).unwrap().unwrap(), tile, "{number}");
        n_tiles += 1;
    }
    assert_eq!(n_tiles, 256, "tiles of a region");
    let classes = graph.zone_classes();
    assert!(!classes.is_empty());
    for (number, class) in (0..).zip(classes) {
        assert_eq!(store.class(number), Some(*class));
    }
    assert_eq!(store.class(classes.len() as u32), None);
    assert!(store.tile(0).is_none(), "no region is there");
}

#[test]
fn a_damaged_tile_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::ACIS;
    let (files, path, graph) = stored(folder.path(), &[random(4)], &profile);
    let mut bytes = std::fs::read(&path).unwrap();
    // The tiles that are drawn on come first, behind the header.
    let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    bytes[header + 40] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let store = ZoneStore::open(&path, &profile, &files).unwrap();
    let tiles: Vec<(u32, ZoneTile)> = graph.zone_tiles().collect();
    let is_damaged = |(number, _): &&(u32, ZoneTile)| store.tile(*number).unwrap().is_err();
    let damaged: Vec<u32> = tiles.iter().filter(is_damaged).map(|it| it.0).collect();
    assert_eq!(damaged, [tiles[0].0]);
}

#[test]
fn zones_of_other_regions_are_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::ACIS;
    let (files, path, _) = stored(folder.path(), &[roof()], &profile);
    assert!(ZoneStore::open(&path, &profile, &files).is_ok());
    let is_stale = |profile: &Profile, files: &[RegionPath]| {
        let opened = ZoneStore::open(&path, profile, files);
        matches!(opened, Err(ZoneStoreError::Stale { .. }))
    };
    assert!(is_stale(&Profile::LOOSE, &files), "another rule");
    assert!(is_stale(&profile, &[]), "a region is gone");
    // The same size, other ground.
    let mut other = roof();
    other.flat(9, 9, 400, 400);
    let bytes = L2j::from_region(&other.region, FlatRule::Max)
        .write()
        .unwrap();
    std::fs::write(&files[0].path, bytes).unwrap();
    assert!(is_stale(&profile, &files), "another checksum");
    let cut = std::fs::read(&path).unwrap();
    std::fs::write(&path, &cut[..cut.len() - 1]).unwrap();
    let opened = ZoneStore::open(&path, &profile, &files);
    assert!(matches!(opened, Err(ZoneStoreError::Format { .. })));
}
