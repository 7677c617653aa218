use super::*;
use crate::sample_level::{SampleLevel, library, material, table, terrain};

fn findings(level: &SampleLevel) -> Vec<(Severity, String)> {
    let check = LevelCheck::from_folder(&level.folder());
    let reported = check.findings.into_iter().map(|f| (f.severity, f.message));
    reported.collect()
}

#[test]
fn a_level_whose_files_fit_has_no_findings() {
    let level = SampleLevel::new();
    assert!(is_level_folder(&level.folder()));
    assert!(!is_level_folder(level.root()));
    let check = LevelCheck::from_folder(&level.folder());
    assert_eq!(check.findings, []);
    let facts: Vec<_> = check
        .facts
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    assert_eq!(
        facts,
        [
            ("Land1.wea", "2 of 3 rows used"),
            ("Land2.wea", "0 of 1 rows used"),
            ("materials", "3"),
            ("textures", "3"),
        ]
    );
}

/// What is done to the level, and the one finding that it must give.
#[test]
fn each_problem_between_files_is_found() {
    type Damage = (&'static str, fn(&SampleLevel), Severity, &'static str);
    let damages: [Damage; 14] = [
        (
            "no areal map",
            |level| level.remove("DATA/MAPS/Map01/Land.map"),
            Severity::Error,
            "file \"Land.map\" is not in",
        ),
        (
            "no terrain",
            |level| level.remove("DATA/MAPS/Map01/Land.msh"),
            Severity::Error,
            "file \"Land.msh\" is not in",
        ),
        (
            "terrain cut short",
            |level| level.put("DATA/MAPS/Map01/Land.msh", b"NRes"),
            Severity::Error,
            "nres: byte 0x4, version",
        ),
        (
            "no table of materials",
            |level| level.remove("DATA/MAPS/Map01/Land1.wea"),
            Severity::Error,
            "file \"Land1.wea\" is not in",
        ),
        (
            "row beyond the table",
            |level| {
                let mut land = terrain();
                land.faces[0].first_material = 3;
                level.put("DATA/MAPS/Map01/Land.msh", &land.write().unwrap());
            },
            Severity::Error,
            "faces use row 3 of Land1.wea, which has 3 rows",
        ),
        (
            "used material missing",
            |level| {
                let data = table(&["GRASS", "SNOW", "ROCK"], Some("LIGHT.0"));
                level.put("DATA/MAPS/Map01/Land1.wea", &data);
            },
            Severity::Error,
            "Land1.wea: Material SNOW not found; DEFAULT is drawn instead",
        ),
        (
            "unused material missing",
            |level| {
                let data = table(&["GRASS", "SNOW"], None);
                level.put("DATA/MAPS/Map01/Land2.wea", &data);
            },
            Severity::Note,
            "Land2.wea: Material SNOW not found",
        ),
        (
            "material invalid",
            |level| {
                let mut entries = ["DEFAULT", "GRASS", "PATH", "ROCK"].map(|n| material(n, ""));
                entries[1].data.pop();
                level.put("Material.lib", &library(&entries));
            },
            Severity::Error,
            "Land1.wea: Material GRASS is broken: mat0: byte 0x",
        ),
        (
            "texture missing",
            |level| {
                let names = ["DEFAULT", "GRASS", "PATH", "ROCK"];
                let entries = names.map(|n| material(n, if n == "PATH" { "SNOW.0" } else { "" }));
                level.put("Material.lib", &library(&entries));
            },
            Severity::Error,
            "Texture SNOW.0 of material PATH not found",
        ),
        (
            "texture of an unused material missing",
            |level| {
                let names = ["DEFAULT", "GRASS", "PATH", "ROCK"];
                let entries = names.map(|n| material(n, if n == "ROCK" { "SNOW.0" } else { "" }));
                level.put("Material.lib", &library(&entries));
            },
            Severity::Note,
            "Texture SNOW.0 of material ROCK not found",
        ),
        (
            "texture name without a dot",
            |level| {
                let names = ["DEFAULT", "GRASS", "PATH", "ROCK"];
                let entries = names.map(|n| material(n, if n == "PATH" { "PATH" } else { "" }));
                level.put("Material.lib", &library(&entries));
            },
            Severity::Error,
            "Material PATH: Bad texture name",
        ),
        (
            "lightmap missing",
            |level| level.put("LightMap.lib", &library(&[])),
            Severity::Warning,
            "LightMap LIGHT.0 not found",
        ),
        (
            "no textures",
            |level| level.remove("Textures.lib"),
            Severity::Warning,
            "file \"Textures.lib\" is not in",
        ),
        (
            "library broken",
            |level| level.put("LightMap.lib", b"NRes"),
            Severity::Error,
            "LightMap.lib: nres: byte 0x4, version",
        ),
    ];
    for (name, damage, severity, message) in damages {
        let level = SampleLevel::new();
        damage(&level);
        let reported = findings(&level);
        assert_eq!(reported.len(), 1, "{name}: {reported:?}");
        assert_eq!(reported[0].0, severity, "{name}");
        assert!(reported[0].1.contains(message), "{name}: {}", reported[0].1);
    }
}

#[test]
fn a_texture_that_a_used_and_an_unused_material_lack_is_an_error() {
    let level = SampleLevel::new();
    let entries = ["DEFAULT", "GRASS", "PATH", "ROCK"].map(|name| material(name, "SNOW.0"));
    level.put("Material.lib", &library(&entries));
    // The unused row comes first.
    let mut land = terrain();
    land.faces[0].first_material = 1;
    land.faces[1].first_material = 1;
    land.faces[0].second_material = 2;
    level.put("DATA/MAPS/Map01/Land.msh", &land.write().unwrap());
    let data = table(&["ROCK", "PATH", "GRASS"], None);
    level.put("DATA/MAPS/Map01/Land1.wea", &data);
    let reported: Vec<Severity> = findings(&level)
        .into_iter()
        .map(|(severity, _)| severity)
        .collect();
    assert_eq!(reported, [Severity::Error], "once, as bad as its worst use");
}

#[test]
fn a_level_alone_is_checked_as_far_as_it_goes() {
    let level = SampleLevel::new();
    for name in [
        "Material.lib",
        "Textures.lib",
        "LightMap.lib",
        "BuildDat.lst",
    ] {
        level.remove(name);
    }
    let reported = findings(&level);
    // No material, so that no name leads to a texture.
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported
            .iter()
            .all(|(severity, _)| *severity == Severity::Warning)
    );
}
