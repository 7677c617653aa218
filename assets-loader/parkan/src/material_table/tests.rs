use crate::game_files;
use std::fs;
use std::path::Path;

use super::*;
use crate::sample_level::{library, material as material_entry};
use crate::test_level::{TestLevel, material, track, wear};

/// A game root with libraries; its level does not matter.
fn root(materials: &[Entry], lightmaps: Option<&[Entry]>) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    TestLevel::new().write(root.path());
    fs::write(root.path().join("Material.lib"), library(materials)).unwrap();
    if let Some(lightmaps) = lightmaps {
        fs::write(root.path().join("LightMap.lib"), library(lightmaps)).unwrap();
    }
    root
}

fn vfs(root: &tempfile::TempDir) -> Vfs {
    game_files::of_folder(root.path()).unwrap()
}

fn texture_entry(root: &Path, name: &str) -> Entry {
    let archive = NRes::read(&fs::read(root.join("Textures.lib")).unwrap()).unwrap();
    archive.entries[archive.find(name.as_bytes()).unwrap()].clone()
}

fn messages(findings: &[Finding]) -> Vec<&str> {
    let messages = findings.iter().map(|finding| finding.message.as_str());
    messages.collect()
}

fn mat0_entry(name: &str, attr1: u32, mat0: &Mat0) -> Entry {
    let data = mat0.write().unwrap();
    Entry::new(crate::mat0::TYPE_ID, attr1, 6, 0, name, data).unwrap()
}

#[test]
fn all_phases_lead_to_textures_and_each_is_there_once() {
    let mut mat0 = material("GRASS.0");
    let phase = |texture| material(texture).phases[0];
    mat0.phases = ["GRASS.0", "", "EDGE.0", "grass.0"].map(phase).to_vec();
    let root = root(&[mat0_entry("MANY", 0, &mat0)], None);
    let vfs = vfs(&root);
    let mut resolver = MaterialResolver::new(&vfs);
    let rows = resolver.rows(&wear(&["MANY", "many"]).materials);
    assert_eq!(rows, [0, 0]);
    let (table, findings) = resolver.finish();
    assert_eq!(findings, []);
    assert_eq!(
        table.materials[0].textures[..],
        [Some(0), None, Some(1), Some(0)]
    );
    let names: Vec<_> = table.textures.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["GRASS.0", "EDGE.0"]);
}

#[test]
fn the_blend_mode_is_in_bits_2_to_5_of_attr1() {
    let mat0 = material("");
    let types = [
        (0, Some(BlendMode::Opaque)),
        (0b100_0010, Some(BlendMode::Opaque)),
        (0b000_0100, Some(BlendMode::Alpha)),
        (0b000_0101, Some(BlendMode::Alpha)),
        (0b000_1000, Some(BlendMode::Add)),
        (0b000_1100, Some(BlendMode::Multiply)),
        (0b001_0000, Some(BlendMode::Modulate2x)),
        (0b011_1100, None),
    ];
    for (attr1, expected) in types {
        let root = root(&[mat0_entry("IT", attr1, &mat0)], None);
        let vfs = vfs(&root);
        let mut resolver = MaterialResolver::new(&vfs);
        let idx = resolver.material(b"IT");
        let material = &resolver.table.materials[idx];
        assert_eq!(material.attr1, attr1);
        assert_eq!(material.blend_mode(), expected, "{attr1:#b}");
    }
}

#[test]
fn lightmaps_are_found_by_their_own_library_only() {
    let root = root(&[material_entry("DEFAULT", "GRASS.0")], Some(&[]));
    let lightmaps = [texture_entry(root.path(), "GRASS.0")];
    fs::write(root.path().join("LightMap.lib"), library(&lightmaps)).unwrap();
    let vfs = vfs(&root);
    let mut resolver = MaterialResolver::new(&vfs);
    let mut table = wear(&["DEFAULT"]);
    table.lightmaps = Some(wear(&["GRASS.0", "EDGE.0", "edge.0"]).materials);
    let rows = resolver.wear(&table);
    // The texture and the lightmap of one name are two; EDGE.0 is a texture, and no lightmap.
    assert_eq!(rows.materials, [0]);
    assert_eq!(rows.lightmaps, [Some(1), None, None]);
    let (table, findings) = resolver.finish();
    let kinds: Vec<_> = table.textures.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [TextureKind::Surface, TextureKind::Lightmap]);
    assert_eq!(messages(&findings), ["LightMap EDGE.0 not found"]);
}

#[test]
fn stand_ins_are_default_then_the_first_then_white() {
    let broken = |name| {
        let mut entry = material_entry(name, "");
        entry.data = vec![0];
        entry
    };
    let first = material_entry("FIRST", "GRASS.0");
    let rows = [
        (
            vec![first.clone(), material_entry("DEFAULT", "EDGE.0")],
            "DEFAULT",
            Some("EDGE.0"),
        ),
        (
            vec![first.clone(), broken("DEFAULT")],
            "the first material",
            Some("GRASS.0"),
        ),
        (vec![first], "the first material", Some("GRASS.0")),
        (vec![broken("FIRST")], "plain white", None),
        (vec![], "plain white", None),
    ];
    for (materials, stand_in, texture) in rows {
        let root = root(&materials, None);
        let vfs = vfs(&root);
        let mut resolver = MaterialResolver::new(&vfs);
        let idx = resolver.material(b"LOST");
        let (table, findings) = resolver.finish();
        let expected = format!("Material LOST not found; {stand_in} is drawn instead");
        assert_eq!(messages(&findings), [expected.as_str()]);
        assert_eq!(findings[0].severity, Severity::Warning);
        let texture_idx = table.materials[idx].textures.first().copied().flatten();
        let found = texture_idx.map(|idx| table.textures[idx].name.as_str());
        assert_eq!(found, texture);
    }
}

#[test]
fn a_library_is_missed_when_a_name_leads_to_it() {
    let root = tempfile::tempdir().unwrap();
    let vfs = vfs(&root);
    let (_, findings) = MaterialResolver::new(&vfs).finish();
    assert_eq!(findings, []);
    let mut resolver = MaterialResolver::new(&vfs);
    assert_eq!(resolver.rows(&wear(&["A", "B"]).materials), [0, 1]);
    assert_eq!(resolver.lightmap(b"C"), None);
    assert_eq!(resolver.lightmap(b"D"), None);
    let (_, findings) = resolver.finish();
    assert_eq!(findings.len(), 2, "{findings:#?}");
    for (finding, library) in findings.iter().zip(["Material.lib", "LightMap.lib"]) {
        assert!(
            finding.message.contains(library) && finding.message.contains("is not in"),
            "{finding:?}"
        );
    }
}

#[test]
fn a_track_that_cannot_play_is_reported() {
    for (track, why) in [
        (track(0, &[]), "it has no keys"),
        (track(5, &[(0, 10)]), "mode 5 is unknown"),
        (track(0, &[(0, 10), (1, 20)]), "a key names phase 1 of 1"),
    ] {
        let mat0 = Mat0 {
            tracks: vec![track],
            ..material("")
        };
        let root = root(&[mat0_entry("IT", 0, &mat0)], None);
        let vfs = vfs(&root);
        let mut resolver = MaterialResolver::new(&vfs);
        resolver.material(b"IT");
        let (_, findings) = resolver.finish();
        let expected = format!("Material IT, track 0: {why}; it stands still");
        assert_eq!(messages(&findings), [expected.as_str()]);
    }
}

#[test]
fn all_that_is_missing_shares_one_stand_in() {
    let root = root(&[material_entry("DEFAULT", "GRASS.0")], None);
    let vfs = vfs(&root);
    let mut resolver = MaterialResolver::new(&vfs);
    let rows = resolver.rows(&wear(&["LOST", "GONE", "DEFAULT"]).materials);
    assert_eq!(rows, [0, 1, 2]);
    let (table, findings) = resolver.finish();
    let [lost, gone, default] = &table.materials[..] else {
        panic!("{table:?}");
    };
    assert!(Arc::ptr_eq(&lost.mat0, &gone.mat0));
    assert!(Arc::ptr_eq(&lost.textures, &gone.textures));
    assert_eq!(
        (&lost.mat0, &lost.textures),
        (&default.mat0, &default.textures)
    );
    // Each is missed by its name.
    let reported: Vec<_> = messages(&findings);
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].contains("LOST") && reported[1].contains("GONE"),
        "{reported:?}"
    );
}

#[test]
fn a_stand_in_is_checked_once() {
    let mut odd = material("GRASS.0");
    odd.class = 77;
    let root = root(&[mat0_entry("DEFAULT", 0, &odd)], None);
    let vfs = vfs(&root);
    let mut resolver = MaterialResolver::new(&vfs);
    resolver.rows(&wear(&["A", "B", "C"]).materials);
    let (table, _) = resolver.finish();
    let reported = table
        .check()
        .iter()
        .filter(|it| it.message.contains("class 77"))
        .count();
    assert_eq!(reported, 1, "{:#?}", table.check());
}
