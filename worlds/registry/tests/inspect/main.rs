//! What `check` and `info` say of files and folders of all worlds.

mod sound_zones;

use std::path::Path;
use std::{fs, io};

use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::inspect::{
    self as inspection, InspectError, Inspection, MAX_DEPTH, Report,
};
use ironlands_assets_evil_islands::res::{NamesOrder, ResArchive};
use ironlands_assets_parkan::mission::{Mission, Object};
use ironlands_assets_parkan::nres::{Entry, NRes};
use ironlands_assets_parkan::rsli::{self, RsLi};
use ironlands_assets_parkan::sample_level::{SampleLevel, library, material, terrain};
use ironlands_assets_parkan::test_game::{prototypes, unit};
use ironlands_assets_parkan::test_level;
use ironlands_assets_parkan::unit_dat::ComponentType;
use ironlands_assets_proof::put_file;
use ironlands_assets_source::bsp::{BspFile, LumpId};
use ironlands_assets_source::pakfile::{Comment, Pakfile};
use ironlands_assets_source::vpk::VpkDirectory;

/// Inspects with the formats of all worlds.
fn inspect(path: &Path) -> Result<Inspection, InspectError> {
    inspection::inspect(path, ironlands_worlds::registry().formats())
}

fn kinds(inspection: &Inspection, root: &Path) -> Vec<(String, &'static str)> {
    let named = inspection.reports.iter().map(|report| {
        let below = report.path.strip_prefix(root).unwrap();
        (below.display().to_string(), report.format)
    });
    named.collect()
}

fn report_on(name: &str, data: &[u8]) -> Report {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, data).unwrap();
    let inspection = inspect(&path).unwrap();
    assert_eq!(inspection.skipped, [] as [&Path; 0]);
    inspection.reports.into_iter().next().unwrap()
}

#[test]
fn a_sound_game_folder_is_reported_in_order_and_without_findings() {
    let level = SampleLevel::new();
    level.put("readme.txt", b"nothing that is known");
    let inspection = inspect(level.root()).unwrap();
    let expected = [
        ("BuildDat.lst", "build_dat"),
        ("DATA/MAPS/Map01", "level"),
        ("DATA/MAPS/Map01/Land.map", "land_map"),
        ("DATA/MAPS/Map01/Land.msh", "land_msh"),
        ("DATA/MAPS/Map01/Land1.wea", "wear"),
        ("DATA/MAPS/Map01/Land2.wea", "wear"),
        ("LightMap.lib", "nres"),
        ("Material.lib", "nres"),
        ("Textures.lib", "nres"),
    ];
    let expected = expected.map(|(name, kind)| (name.to_owned(), kind));
    assert_eq!(kinds(&inspection, level.root()), expected);
    assert_eq!(inspection.skipped, [level.root().join("readme.txt")]);
    for severity in [Severity::Error, Severity::Warning] {
        assert_eq!(inspection.count(severity), 0, "{inspection:#?}");
    }
}

#[test]
fn facts_and_rows_show_what_a_file_holds() {
    let level = SampleLevel::new();
    let inspection = inspect(level.root()).unwrap();
    let report = |name: &str| {
        let found = inspection.reports.iter().find(|r| r.path.ends_with(name));
        found.unwrap()
    };
    let fact = |name: &str, fact: &str| {
        let facts = &report(name).facts;
        facts
            .iter()
            .find(|(known, _)| *known == fact)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(fact("Land.msh", "tiles"), "1 x 1");
    assert_eq!(fact("Land.msh", "faces"), "2");
    assert_eq!(fact("Land.msh", "largest corner"), "8 8 1");
    assert_eq!(fact("Land.map", "areals"), "1");
    assert_eq!(fact("Land.map", "area"), "64");
    assert_eq!(fact("Land2.wea", "materials"), "1");
    assert_eq!(fact("BuildDat.lst", "buildings"), "12");
    assert_eq!(fact("Material.lib", "types"), "4 MAT0");
    let rows = &report("Textures.lib").entries;
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (rows[0].name.as_str(), rows[0].type_name.as_str()),
        ("GRASS.0", "Texm")
    );
    assert_eq!(rows[0].offset, 16);
    assert_eq!(rows[0].detail, "8 x 8, 4 levels, Rgb565");
    let chunks = &report("Land.msh").entries;
    assert_eq!(chunks[0].type_name, "1");
    assert_eq!(chunks[0].size, 38);
}

#[test]
fn what_a_reader_refuses_is_an_error_where_it_stands() {
    for name in ["Land.msh", "Land.map", "Material.lib", "x.rlb"] {
        let report = report_on(name, b"NRes\x00\x02\x00\x00");
        assert_eq!(report.worst(), Some(Severity::Error), "{name}");
        assert_eq!(report.findings[0].offset, Some(4), "{name}");
    }
    let damaged = report_on("Textures.lib", b"nres");
    assert_eq!(damaged.findings[0].offset, Some(0));
    let cut = report_on("font.rlb", b"NL\x00\x01\x07\x00");
    assert_eq!((cut.format, cut.findings[0].offset), ("rsli", Some(6)));
    assert_eq!(
        report_on("Land1.wea", b"zero\r\n").worst(),
        Some(Severity::Error)
    );
    assert_eq!(
        report_on("BuildDat.lst", b"Nonsense\r\n").worst(),
        Some(Severity::Error)
    );
}

#[test]
fn a_file_that_only_the_tolerant_reader_reads_has_facts_and_the_refusal() {
    let gapless = b"1\r\n0 GRASS\r\nLIGHTMAPS\r\n1\r\n0 LIGHT.0\r\n";
    let report = report_on("Land1.wea", gapless);
    assert_eq!(report.worst(), Some(Severity::Error));
    assert!(report.facts.contains(&("lightmaps", "1".to_owned())));
}

#[test]
fn problems_of_entries_are_named_and_placed_in_the_file() {
    let mut broken = material("BROKEN", "A.0");
    broken.data.truncate(20);
    let texm = u32::from_le_bytes(*b"Texm");
    let not_a_texture = Entry::new(texm, 0, 0, 0, "JUNK.0", b"Tex!".to_vec()).unwrap();
    let report = report_on("parts.lib", &library(&[broken, not_a_texture]));
    let placed: Vec<_> = report
        .findings
        .iter()
        .map(|f| (f.format, f.offset))
        .collect();
    // Payloads begin at 16 and 40; the phases of the first one after its 14 bytes of head.
    assert_eq!(placed, [("mat0", Some(30)), ("texm", Some(40))]);
    assert!(report.findings[0].message.contains("entry BROKEN"));
    assert_eq!(report.entries.len(), 2);
}

/// The game finds entries by name: what the type word says does not matter to what is drawn.
#[test]
fn entries_are_checked_as_what_they_are_loaded_as() {
    let other = u32::from_le_bytes(*b"JUNK");
    let entry = |name: &str| Entry::new(other, 0, 6, 0, name, b"junk".to_vec()).unwrap();
    for (archive, name, format) in [
        ("static.rlb", "CRATE.MSH", "nres"),
        ("static.rlb", "CRATE.WEA", "wear"),
        ("Material.lib", "GRASS", "mat0"),
        ("Textures.lib", "GRASS.0", "texm"),
        ("LightMap.lib", "LIGHT.0", "texm"),
    ] {
        let report = report_on(archive, &library(&[entry(name)]));
        let found: Vec<_> = (report.findings.iter())
            .map(|it| (it.severity, it.format))
            .collect();
        let expected = [(Severity::Warning, "nres"), (Severity::Error, format)];
        assert_eq!(found, expected, "{archive}/{name}");
        let message = &report.findings[0].message;
        assert!(message.contains("its type is 0x4b4e554a"), "{message}");
    }
    let report = report_on("parts.lib", &library(&[entry("NOTES.TXT")]));
    assert_eq!(report.findings, []);
}

/// A model is one by its name: without a chunk that it needs, its chunks do not show it.
#[test]
fn a_loose_model_without_a_required_chunk_is_an_error() {
    let model = test_level::triangle().write().unwrap();
    let sound = report_on("hull.MSH", &model);
    assert_eq!(
        (sound.format, sound.worst()),
        ("msh", None),
        "{:?}",
        sound.findings
    );
    for missing in [1, 2, 3, 6, 13] {
        let mut archive = NRes::read(&model).unwrap();
        archive.entries.retain(|entry| entry.type_id != missing);
        let report = report_on("hull.MSH", &archive.write().unwrap());
        assert_eq!(report.format, "msh");
        assert_eq!(report.worst(), Some(Severity::Error), "without {missing}");
        let mut damaged = NRes::read(&model).unwrap();
        let chunk = damaged.find_type(missing).unwrap();
        damaged.entries[chunk].type_id = 0x0100_0000 | missing;
        let report = report_on("hull.msh", &damaged.write().unwrap());
        assert_eq!(report.worst(), Some(Severity::Error), "type of {missing}");
    }
    for name in ["hull.msh", "bases.rlb"] {
        let report = report_on(name, b"NReZ");
        assert_eq!(report.worst(), Some(Severity::Error), "{name}");
    }
}

#[test]
fn an_empty_list_of_buildings_is_an_error() {
    for text in [&b""[..], b"// nothing\r\n\r\n"] {
        let report = report_on("BuildDat.lst", text);
        assert_eq!(report.worst(), Some(Severity::Error));
        assert_eq!(report.findings[0].message, "the list has no section");
    }
}

#[test]
fn warnings_of_archives_and_models_come_through() {
    let mut unsorted = library(&[material("A", ""), material("B", "")]);
    let last = unsorted.len() - 4;
    unsorted[last] = 0;
    let report = report_on("x.lib", &unsorted);
    assert_eq!(report.worst(), Some(Severity::Warning));

    let mesh = u32::from_le_bytes(*b"MESH");
    let model = Entry::new(mesh, 0, 0, 0, "hunter.msh", unsorted).unwrap();
    let report = report_on(
        "bases.rlb",
        &NRes::from_entries(vec![model]).write().unwrap(),
    );
    assert_eq!(report.worst(), Some(Severity::Error));
    let message = &report.findings[0].message;
    assert!(message.starts_with("msh (entry hunter.msh)"), "{message}");

    let packed = rsli::Entry::new("FONT.TEX", rsli::Method::Lzss, b"aaaaaaaa").unwrap();
    let data = RsLi::from_entries(vec![packed]).write().unwrap();
    let report = report_on("gamefont.rlb", &data);
    assert_eq!(report.entries[0].type_name, "Lzss");
    assert_eq!((report.entries[0].size, report.entries[0].offset), (8, 64));
    assert_eq!(report.findings, []);
}

#[test]
fn a_missing_path_is_an_error_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    // A folder with the name of an archive is none.
    let folder = dir.path().join("textures.res");
    fs::create_dir(&folder).unwrap();
    for path in [dir.path().join("nowhere"), folder.join("nowhere")] {
        let error = inspect(&path).unwrap_err();
        assert_eq!(error.error.kind(), io::ErrorKind::NotFound);
    }
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_skipped_and_dead_links_are_errors() {
    use std::os::unix::fs::symlink;
    let level = SampleLevel::new();
    let n_sound = inspect(level.root()).unwrap().reports.len();
    symlink(level.root(), level.root().join("loop")).unwrap();
    symlink(level.root().join("nowhere"), level.root().join("dead.lib")).unwrap();
    let inspection = inspect(level.root()).unwrap();
    assert_eq!(inspection.skipped, [level.root().join("loop")]);
    assert_eq!(inspection.reports.len(), n_sound + 1);
    assert_eq!(inspection.count(Severity::Error), 1);
    assert_eq!(inspection.reports.last().unwrap().format, "unreadable");
}

#[test]
fn folders_beyond_the_depth_limit_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut deep = dir.path().to_owned();
    (0..=MAX_DEPTH).for_each(|_| deep.push("d"));
    fs::create_dir_all(&deep).unwrap();
    let inspection = inspect(dir.path()).unwrap();
    assert_eq!(inspection.reports.len(), 1);
    assert!(
        inspection.reports[0].findings[0]
            .message
            .contains("folders deep")
    );
}

#[test]
fn archives_are_known_by_their_chunks_whatever_their_names() {
    let mut land = terrain();
    let sound = report_on("isle.bin", &land.write().unwrap());
    assert_eq!((sound.format, sound.worst()), ("land_msh", None));
    land.positions[0][0] = f32::NAN;
    let broken = report_on("isle.bin", &land.write().unwrap());
    assert_eq!(broken.worst(), Some(Severity::Error));

    let chunk = |type_id| Entry::new(type_id, 0, 0, 0, "", Vec::new()).unwrap();
    let rows: [(&[u32], &'static str); 4] = [
        (&[12], "land_map"),
        (&[13, 6, 3, 2, 1], "msh"),
        (&[12, 1], "nres"),
        (&[1, 2, 3, 6], "nres"),
    ];
    for (types, kind) in rows {
        let chunks: Vec<_> = types.iter().copied().map(chunk).collect();
        let report = report_on("isle.bin", &library(&chunks));
        assert_eq!(report.format, kind, "{types:?}");
        if kind != "nres" {
            assert_eq!(report.worst(), Some(Severity::Error), "{types:?}");
        }
    }
}

#[test]
fn repairs_of_the_tolerant_reader_are_reported_once() {
    let mut data = terrain().write().unwrap();
    // attr1 of the first of nine chunks contradicts its size.
    let directory = data.len() - 9 * 64;
    data[directory + 4] ^= 1;
    let report = report_on("Land.msh", &data);
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    assert_eq!(report.findings[0].severity, Severity::Error);
    assert_eq!(report.findings[0].format, "land_msh");
}

#[test]
fn unknown_files_are_not_read_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("disc.img");
    // Longer than anything that is read whole; a file of holes takes no room.
    let file = fs::File::create(&path).unwrap();
    file.set_len(1 << 33).unwrap();
    let inspection = inspect(&path).unwrap();
    assert_eq!(inspection.skipped, [path]);
    assert_eq!(inspection.reports, []);
}

#[test]
fn unit_files_that_are_missing_are_warnings_where_there_are_units() {
    let level = SampleLevel::new();
    let reported = || {
        let report = inspect(&level.root().join("BuildDat.lst")).unwrap();
        let findings = report.reports.into_iter().flat_map(|r| r.findings);
        findings
            .map(|f| (f.severity, f.message))
            .collect::<Vec<_>>()
    };
    let note = "no UNITS folder: none of the 1 unit files is there";
    assert_eq!(reported(), [(Severity::Note, note.to_owned())]);
    fs::create_dir_all(level.root().join("units/Builds")).unwrap();
    let warnings = reported();
    assert_eq!(
        warnings.len(),
        1,
        "one file, twelve times named: {warnings:?}"
    );
    assert_eq!(warnings[0].0, Severity::Warning);
    assert!(warnings[0].1.contains("A.DAT"), "{warnings:?}");
    level.put("units/Builds/A.dat", b"");
    assert_eq!(reported(), []);
}

#[test]
fn missions_units_and_prototypes_are_reported() {
    let fact = |report: &Report, name: &str| {
        let mut facts = report.facts.iter();
        facts.find(|(known, _)| *known == name).unwrap().1.clone()
    };
    let mission = Mission {
        land_base: br"DATA\MAPS\Map01\land".to_vec(),
        objects: vec![Object {
            resource: b"tree_01".to_vec(),
            kind_word: 2,
            clan_idx: 3,
            ..Object::default()
        }],
        ..Mission::default()
    };
    let report = report_on("Data.TMA", &mission.write().unwrap());
    assert_eq!(report.format, "mission");
    assert_eq!(fact(&report, "environment"), "1");
    assert_eq!(fact(&report, "land"), r"DATA\MAPS\Map01\land");
    assert_eq!(report.worst(), Some(Severity::Warning), "no clan 3");
    assert_eq!(
        report_on("data.tma", b"\x02").worst(),
        Some(Severity::Error)
    );

    let data = unit(&[("a.rlb", "a.msh", ComponentType::Chassis, 0, 1)]);
    let report = report_on("a.dat", &data);
    assert_eq!(report.format, "unit_dat");
    assert_eq!(fact(&report, "scheme"), "Battleunit");
    assert_eq!(report.findings[0].offset, Some(8 + 108), "a missing child");

    let mut data = prototypes(&[("hut", &[("bases.rlb", "hut.msh"), ("bases.rlb", "hut.ctl")])]);
    let report = report_on("OBJECTS.RLB", &data);
    assert_eq!(
        report.entries[0].detail,
        "bases.rlb/hut.msh bases.rlb/hut.ctl"
    );
    assert_eq!(report.findings, []);
    data[0] = b'M';
    assert_eq!(
        report_on("objects.rlb", &data).worst(),
        Some(Severity::Error)
    );
}

#[test]
fn other_files_that_end_like_units_are_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("save.dat");
    fs::write(&path, b"\xF0\xF1\0\0\0\0\0\0").unwrap();
    assert_eq!(inspect(&path).unwrap().skipped, [path]);
}

#[test]
fn what_a_mission_needs_and_the_game_lacks_is_an_error() {
    let mission = Mission {
        objects: vec![Object {
            resource: b"nosuch".to_vec(),
            ..Object::default()
        }],
        ..Mission::default()
    };
    let data = mission.write().unwrap();
    let level = SampleLevel::new();
    let objects = prototypes(&[("tree", &[("static.rlb", "tree.msh")])]);
    level.put("objects.rlb", &objects);
    let path = "Missions/Campaign/CAMPAIGN.00/Mission.01/data.tma";
    let path = put_file(level.root(), path, &data);
    let reported = |path: &Path| {
        let reports = inspect(path).unwrap().reports;
        let findings = reports.into_iter().flat_map(|report| report.findings);
        let reported = findings.map(|it| (it.severity, it.message));
        reported
            .filter(|(_, message)| message.contains("nosuch") || message.contains("game root"))
            .collect::<Vec<_>>()
    };
    let found = reported(&path);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].0, Severity::Error);
    assert!(found[0].1.contains("\"nosuch\""), "{found:#?}");

    let alone = tempfile::tempdir().unwrap();
    let path = alone.path().join("data.tma");
    fs::write(&path, &data).unwrap();
    let found = reported(&path);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].0, Severity::Note);
}

#[test]
fn an_entry_of_an_archive_is_reported_alone() {
    let level = SampleLevel::new();
    let mut broken = material("GRASS", "A.0");
    broken.data.truncate(20);
    level.put("Material.lib", &library(&[material("ROCK", ""), broken]));
    let packed = rsli::Entry::new("FONT.TEX", rsli::Method::Lzss, b"aaaaaaaa").unwrap();
    let packed = RsLi::from_entries(vec![packed]).write().unwrap();
    level.put("gamefont.rlb", &packed);
    let at = |name: &str| inspect(&level.root().join(name));
    let rows = [
        ("Material.lib/rock", "MAT0", None),
        ("Material.lib/GRASS", "MAT0", Some(Severity::Error)),
        ("Textures.lib/GRASS.0", "Texm", None),
        ("gamefont.rlb/font.tex", "Lzss", None),
    ];
    for (name, type_name, worst) in rows {
        let reports = at(name).unwrap().reports;
        let [report] = &reports[..] else {
            panic!("{name}: {reports:#?}")
        };
        assert_eq!(report.path, level.root().join(name));
        assert_eq!((report.format, report.worst()), ("entry", worst));
        assert_eq!(report.entries.len(), 1, "{name}");
        assert_eq!(report.entries[0].type_name, type_name);
    }
    let error = at("Material.lib/GRUSS").unwrap_err();
    assert_eq!(error.error.kind(), io::ErrorKind::NotFound);
    assert!(error.to_string().ends_with("near it: GRASS"), "{error}");
    for name in ["BuildDat.lst/MINE", "none.lib/GRASS", "Material.lib/a/b"] {
        at(name).unwrap_err();
    }
    level.put("Textures.lib", b"NRes");
    let report = at("Textures.lib/GRASS.0").unwrap().reports.remove(0);
    assert_eq!(report.worst(), Some(Severity::Error));
}

#[test]
fn files_of_the_source_engine_are_recognized_by_their_first_bytes() {
    let mut map = BspFile::new(20);
    let pakfile = Pakfile::draft(&[("materials/a.vmt", b"x {}")], Comment::Xzp1).unwrap();
    map.set_lump(LumpId::Pakfile, 0, pakfile.write());
    let text = b"{\n\"classname\" \"worldspawn\"\n\"skyname\" \"dusk\"\n}\n\0";
    map.set_lump(LumpId::Entities, 0, text.to_vec());
    let map = map.write().unwrap();
    let report = report_on("map.bin", &map);
    assert_eq!(report.format, "bsp");
    let fact = |name: &str| {
        let found = report.facts.iter().find(|(label, _)| *label == name);
        found.map(|(_, value)| value.as_str())
    };
    assert_eq!(fact("version"), Some("20"));
    assert_eq!(fact("sky"), Some("dusk"));
    assert_eq!(fact("classes"), Some("1 worldspawn"));
    let [row] = &*report.entries else {
        panic!("{:?}", report.entries)
    };
    assert_eq!((&*row.name, row.size), ("materials/a.vmt", 4));
    let at = usize::try_from(row.offset).unwrap();
    assert_eq!(&map[at..at + 4], b"x {}");

    let broken = report_on("map.bsp", &map[..500]);
    assert_eq!(broken.worst(), Some(Severity::Error));
    let vpk = VpkDirectory::draft(&[("a/b.txt", b"12345")]).unwrap();
    let report = report_on("some_dir.vpk", &vpk.write().unwrap());
    assert_eq!(report.format, "vpk");
    assert_eq!(
        (&*report.entries[0].name, report.entries[0].size),
        ("a/b.txt", 5)
    );
    let report = report_on("wall.vmt", b"UnlitGeneric { $a 1 $b 2 }");
    assert_eq!(report.format, "vmt");
    assert!(
        report
            .facts
            .contains(&("shader", "UnlitGeneric".to_owned()))
    );
    assert!(report.facts.contains(&("parameters", "2".to_owned())));
}

#[test]
fn names_that_lead_out_of_a_folder_are_errors_at_their_entries() {
    let name = "..\\UP";
    let chunk = Entry::new(7, 0, 0, 0, name, b"one".to_vec()).unwrap();
    let packed = rsli::Entry::new(name, rsli::Method::Stored, b"one").unwrap();
    let res = |name: &str, data: Vec<u8>| {
        let files = vec![(name.as_bytes().to_vec(), data)];
        ResArchive::draft(files, NamesOrder::Insertion)
            .write()
            .unwrap()
    };
    let inner = res(name, b"one".to_vec());
    for (file, data) in [
        ("a.lib", NRes::from_entries(vec![chunk]).write().unwrap()),
        ("b.lib", RsLi::from_entries(vec![packed]).write().unwrap()),
        ("c.res", inner.clone()),
        ("d.res", res("e.res", inner)),
    ] {
        let report = report_on(file, &data);
        let mut findings = report.findings.iter();
        let refused = findings.find(|it| it.message.contains("a component of dots"));
        let refused = refused.unwrap_or_else(|| panic!("{file}: {:?}", report.findings));
        assert_eq!(refused.severity, Severity::Error, "{file}");
        let offset = refused.offset.unwrap() as usize;
        assert_eq!(&data[offset..offset + 3], b"one", "{file}");
    }
    let unnamed = Entry::new(7, 0, 0, 0, "", Vec::new()).unwrap();
    let archive = NRes::from_entries(vec![unnamed]).write().unwrap();
    // An entry without a name leads nowhere, and is reported.
    assert_eq!(
        report_on("a.lib", &archive).worst(),
        Some(Severity::Warning)
    );
}
