//! What `check` calls sound opens: of every format of Parkan, files with a few changed bytes either have an error that
//! `check` finds, or the level and its models open, become worlds and are exported.

use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::formats::Formats;
use ironlands_assets_core::inspect::inspect;
use ironlands_assets_parkan::build_dat::{BuildDat, Category, Section};
use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::formats::FORMATS;
use ironlands_assets_parkan::land_map::{Areal, EdgeLink, LandMap};
use ironlands_assets_parkan::land_msh::{self, Face, FaceKey, LandMsh, NONE, Node};
use ironlands_assets_parkan::mat0::{self, Mat0, Phase, Track, TrackKey};
use ironlands_assets_parkan::mission::{Mission, NO_CLAN, Object, Path as Way};
use ironlands_assets_parkan::msh::{
    self, DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft, Slot, SlotHeader,
    model_entries,
};
use ironlands_assets_parkan::nres::{self, Entry, NRes};
use ironlands_assets_parkan::registry::{ObjectRef, Prototype};
use ironlands_assets_parkan::rsli::{self, Method, RsLi};
use ironlands_assets_parkan::texm::{self, MipChain, PixelOptions, Texm, TexmFormat};
use ironlands_assets_parkan::unit_dat::{ComponentType, UnitDat, UnitRecord};
use ironlands_assets_parkan::wear::{self, Wear, WearRow};
use ironlands_assets_proof::{Rng, put_file};
use ironlands_exchange::write_scene_glb;
use ironlands_world_parkan::exchange::{GlbOptions, ModelAppearance, write_glb};
use ironlands_world_parkan::{self as parkan, ModelWorld, ParkanOptions, world_of};
use tempfile::TempDir;

/// Mutants of each file.
const N_MUTANTS: u32 = 48;
/// Mutants of each file in the long run.
const N_MANY_MUTANTS: u32 = 4000;

const LEVEL: &str = "DATA/MAPS/Map01";

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("DATA/MAPS/Map01/Land.msh", terrain().write().unwrap()),
        ("DATA/MAPS/Map01/Land.map", areals().write().unwrap()),
        ("DATA/MAPS/Map01/Land1.wea", table(&["PATH"])),
        ("DATA/MAPS/Map01/Land2.wea", table(&["GRASS", "PATH"])),
        ("Material.lib", materials()),
        ("Textures.lib", textures(&["GRASS.0", "PATH.0"])),
        ("LightMap.lib", textures(&["LIGHT.0"])),
        ("BuildDat.lst", build_dat()),
        ("objects.rlb", prototypes()),
        ("static.rlb", models()),
        ("sprites.lib", sprites()),
        ("loose/hull.msh", model("hull")),
        ("loose/hull.wea", table(&["GRASS"])),
        ("MISSIONS/single.01/data.tma", mission().write().unwrap()),
        ("UNITS/UNITS/WALKER.dat", unit()),
        ("UNITS/BUILDS/a.dat", unit()),
    ]
}

/// A game on disk; the folder goes when this is dropped.
struct Game {
    dir: TempDir,
}

impl Game {
    fn new() -> Self {
        let game = Self {
            dir: TempDir::new().unwrap(),
        };
        for (name, data) in files() {
            game.put(name, &data);
        }
        game
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn put(&self, name: &str, data: &[u8]) {
        put_file(self.dir.path(), name, data);
    }

    /// What `check` calls an error.
    fn errors(&self) -> Vec<String> {
        let inspection = inspect(self.dir.path(), &Formats::new([FORMATS])).unwrap();
        let reports = inspection.reports.into_iter();
        let findings = reports.flat_map(|report| report.findings);
        let errors = findings.filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.message).collect()
    }

    /// Opens and exports everything, or says what did not go.
    fn use_all(&self) -> Result<(), String> {
        open_level(&self.path(LEVEL))?;
        open_model(&self.path("loose/hull.msh"))?;
        let archive = self.path("static.rlb");
        let data = fs::read(&archive).map_err(in_words)?;
        let entries = NRes::read_with(&data, nres::Tolerance::all()).map_err(in_words)?;
        for idx in model_entries(&entries) {
            let name = entries.entries[idx].name_text().into_owned();
            // No path can spell other names.
            if (name.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte)) {
                open_model(&archive.join(name))?;
            }
        }
        let data = fs::read(self.path("sprites.lib")).map_err(in_words)?;
        let library = RsLi::read_with(&data, rsli::Tolerance::all()).map_err(in_words)?;
        for entry in &library.entries {
            entry.unpack().map_err(in_words)?;
        }
        Ok(())
    }
}

fn in_words(error: impl std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        words += &format!(": {error}");
        source = error.source();
    }
    words
}

fn open_level(folder: &Path) -> Result<(), String> {
    let level = parkan::open_level(folder, &ParkanOptions::default()).map_err(in_words)?;
    write_scene_glb(&level.scene).map_err(in_words)?;
    world_of(&level.files).map(drop).map_err(in_words)
}

fn open_model(path: &Path) -> Result<(), String> {
    let opened = parkan::open_model(path, &ParkanOptions::default()).map_err(in_words)?;
    write_scene_glb(&opened.scene).map_err(in_words)?;
    let file = opened.files;
    ModelWorld::new(&file.level_objects()).map_err(in_words)?;
    let look = ModelAppearance::new(&file, PixelOptions::default());
    let source = look.source(&file);
    write_glb(&source, &GlbOptions::default()).map_err(in_words)?;
    Ok(())
}

/// One to three changes: a bit, a byte, a word, a float that is no number or huge, a piece from elsewhere, a cut.
fn mutant(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    const WORDS: [u32; 10] = [
        0,
        1,
        2,
        0x7F,
        0xFFFF,
        0x1_0000,
        u32::MAX,
        0x7FC0_0000,
        0x7F7F_FFFF,
        0x6000_0000,
    ];
    let mut data = data.to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(data.len());
        match rng.below(7) {
            0 => data[at] ^= 1 << rng.below(8),
            1 => data[at] = rng.next_u64() as u8,
            2 | 3 => {
                let word = rng.pick(&WORDS).to_le_bytes();
                let at = at & !1;
                for (target, byte) in data[at..].iter_mut().zip(word) {
                    *target = byte;
                }
            }
            4 => data[at] = rng.pick(&[0x00, 0x01, 0xFF, 0x7F]),
            5 => {
                let len = rng.below(16).min(data.len() - at);
                let from = rng.below(data.len() - len + 1);
                data.copy_within(from..from + len, at);
            }
            _ if rng.below(8) == 0 => data.truncate(at.max(1)),
            // The last rows of a directory: type words, attributes, names.
            _ => {
                let at = data.len() - 1 - rng.below(data.len().min(512));
                data[at] = rng.next_u64() as u8;
            }
        }
    }
    data
}

fn what_check_calls_sound_opens(n_mutants: u32) {
    let game = Game::new();
    assert_eq!(game.errors(), [""; 0], "the game itself is valid");
    assert_eq!(game.use_all(), Ok(()));
    let mut problems = Vec::new();
    for (number, (name, data)) in files().into_iter().enumerate() {
        let mut n_sound = 0;
        for k in 0..n_mutants {
            let seed = (number as u64) << 32 | u64::from(k);
            game.put(name, &mutant(&data, &mut Rng::new(seed)));
            if game.errors().is_empty() {
                n_sound += 1;
                if let Err(why) = game.use_all() {
                    problems.push(format!("{name}, mutant {k}: {why}"));
                }
            }
        }
        game.put(name, &data);
        assert!(
            n_sound > 0,
            "no mutant of {name} is valid: nothing is proven"
        );
    }
    assert!(problems.is_empty(), "{:#?}", problems);
}

#[test]
fn mutants_that_check_calls_sound_open_and_are_exported() {
    what_check_calls_sound_opens(N_MUTANTS);
}

#[test]
#[ignore = "long: 64,000 mutants"]
fn many_mutants_that_check_calls_sound_open_and_are_exported() {
    what_check_calls_sound_opens(N_MANY_MUTANTS);
}

/// Every entry of the game's archives with another type word: it is still checked as what it is loaded as.
#[test]
fn a_damaged_type_word_hides_nothing_from_check() {
    let game = Game::new();
    let mut n_broken = 0;
    for (name, data) in files() {
        let Ok(archive) = NRes::read(&data) else {
            continue;
        };
        for idx in 0..archive.entries.len() {
            let mut damaged = archive.clone();
            let entry = &mut damaged.entries[idx];
            entry.type_id ^= 0x20;
            game.put(name, &damaged.write().unwrap());
            if game.errors().is_empty() {
                assert_eq!(game.use_all(), Ok(()), "{name}, entry {idx}");
            }
            // Its content is damaged, too: loading it by name fails, and so does check.
            let entry = &mut damaged.entries[idx];
            entry.data.truncate(entry.data.len() / 2);
            let is_found_by_name = name != "DATA/MAPS/Map01/Land.map" && !name.ends_with(".msh");
            if is_found_by_name && !entry.data.is_empty() && name != "objects.rlb" {
                game.put(name, &damaged.write().unwrap());
                let errors = game.errors();
                n_broken += usize::from(!errors.is_empty());
                let is_text = damaged.entries[idx].name_text().ends_with("wea");
                assert!(is_text || !errors.is_empty(), "{name}, entry {idx}");
            }
        }
        game.put(name, &data);
    }
    assert!(n_broken > 5, "{n_broken}");
}

/// One tile of two faces.
fn terrain() -> LandMsh {
    let (min, max) = ([0.0; 3], [8.0, 8.0, 1.0]);
    let face = |vertices, neighbors, second_material| Face {
        flags: FaceFlags::empty(),
        first_material: 0,
        second_material,
        unknown_06: 0xFFFF,
        vertices,
        neighbors,
        normal: [0, 0, 32767],
        edge_class: 0x3F,
        unknown_1b: 0,
    };
    let mut slots = [NONE; 15];
    slots[0] = 0;
    LandMsh {
        cells_x: 1,
        nodes: vec![Node {
            header: [0, NONE, NONE, NONE],
            slots,
        }],
        header: SlotHeader::from_box(min, max),
        slots: vec![Slot::from_box(0, 2, min, max)],
        positions: vec![min, [8.0, 0.0, 0.0], max, [0.0, 8.0, 0.0]],
        normals: vec![[0, 0, 127, 0]; 4],
        uv0: vec![[0; 2]; 4],
        micro_uv: vec![[0; 2]; 4],
        second_weights: Some(vec![1.0; 4]),
        face_keys: (0..2)
            .map(|face| FaceKey {
                face,
                flags: land_msh::KEY_FLAGS_BATCH_START,
                unknown_3: 0,
            })
            .collect(),
        faces: vec![
            face([0, 1, 2], [NONE, NONE, 1], 0),
            face([0, 2, 3], [0, NONE, NONE], 0xFF),
        ],
        container: LandMsh::new_container(),
    }
}

fn areals() -> LandMap {
    let areal = |x: f32, link| Areal {
        anchor: [x + 2.0, 4.0, 0.0],
        reserved_0c: 0.0,
        area_metric: 32.0,
        normal: [0.0, 0.0, 1.0],
        logic_flag: 1,
        reserved_24: 0,
        class_id: 0,
        reserved_2c: 0,
        vertices: vec![
            [x, 0.0, 0.0],
            [x + 4.0, 0.0, 0.0],
            [x + 4.0, 8.0, 0.0],
            [x, 8.0, 0.0],
        ],
        edge_links: link,
        polygons: Vec::new(),
    };
    let link = |areal, edge| EdgeLink { areal, edge };
    let none = EdgeLink::NONE;
    LandMap {
        areals: vec![
            areal(0.0, vec![none, link(1, 3), none, none]),
            areal(4.0, vec![none, none, none, link(0, 1)]),
        ],
        cells_x: 2,
        cells_y: 1,
        cells: vec![vec![0], vec![0, 1]],
        container: LandMap::new_container(),
    }
}

fn row(name: &str) -> WearRow {
    WearRow {
        legacy_id: 0,
        name: name.as_bytes().to_vec(),
    }
}

fn table(names: &[&str]) -> Vec<u8> {
    let rows = names.iter().map(|name| row(name)).collect();
    let lightmaps = Some(vec![row("LIGHT.0")]);
    Wear::new(rows, lightmaps).write().unwrap()
}

fn materials() -> Vec<u8> {
    let material = |name: &str, texture: &str| {
        let mut field = [0; 16];
        field[..texture.len()].copy_from_slice(texture.as_bytes());
        let phase = Phase {
            ambient: [255; 4],
            diffuse: [255; 4],
            specular: [0; 4],
            emissive: [0; 4],
            power: 0,
            cell: -1,
            texture: field,
        };
        let key = |phase, end_ms| TrackKey {
            phase,
            end_ms,
            unknown_4: 0,
        };
        let value = Mat0 {
            version: 6,
            class: 0xFF,
            unknown_05: 0xFF,
            speed_factor: 1.0,
            damage_per_sec: 0.0,
            phases: vec![phase, phase],
            tracks: vec![Track {
                head: 0,
                keys: vec![key(0, 100), key(1, 200)],
            }],
        };
        Entry::new(mat0::TYPE_ID, 0, 6, 0, name, value.write().unwrap()).unwrap()
    };
    let rows = [("DEFAULT", ""), ("GRASS", "GRASS.0"), ("PATH", "PATH.0")];
    archive(rows.map(|(name, texture)| material(name, texture)).to_vec())
}

fn textures(names: &[&str]) -> Vec<u8> {
    let texture = |name: &&str| {
        let pixels = [0x80; 4 * 4 * 4];
        let value = Texm::from_rgba8(TexmFormat::Rgb565, 4, 4, &pixels, MipChain::Full).unwrap();
        Entry::new(texm::TYPE_ID, 0, 0, 0, name, value.write().unwrap()).unwrap()
    };
    archive(names.iter().map(texture).collect())
}

fn archive(entries: Vec<Entry>) -> Vec<u8> {
    NRes::from_entries(entries).write().unwrap()
}

fn build_dat() -> Vec<u8> {
    let section = |category| Section {
        category,
        paths: vec![r"UNITS\BUILDS\a.dat".to_owned()],
    };
    let list = BuildDat::new(Category::ALL.map(section).to_vec());
    list.write().unwrap()
}

fn prototypes() -> Vec<u8> {
    let prototype = Prototype {
        refs: vec![ObjectRef::new("static.rlb", "crate.msh").unwrap()],
    };
    let data = prototype.write().unwrap();
    archive(vec![Entry::new(0, 0, 0, 0, "crate", data).unwrap()])
}

/// A base that stands and an arm that moves on it, lit by a lightmap in part.
fn model(name: &str) -> Vec<u8> {
    let corner = |x: f32, y: f32| DraftVertex {
        position: [x, y, 0.25],
        normal: [0.0, 0.0, 1.0],
        uv: [x, y],
        lightmap_uv: [y, x],
    };
    let piece = |flags, state| DraftPiece {
        state,
        lod: 0,
        batches: vec![DraftBatch {
            flags,
            triangles: vec![[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]],
            ..DraftBatch::default()
        }],
    };
    let key = |time: f32| DraftKey {
        time,
        position: [0.0, time, 1.0],
        rotation: [1.0, 0.0, 0.0, 0.0],
    };
    let lit = msh::BatchFlags::LIGHTMAP;
    let draft = ModelDraft {
        name: name.as_bytes().to_vec(),
        nodes: vec![
            DraftNode {
                name: b"base".to_vec(),
                keys: vec![key(0.0)],
                pieces: vec![piece(lit, 0), piece(lit, 1)],
                ..DraftNode::default()
            },
            DraftNode {
                name: b"arm".to_vec(),
                parent: Some(0),
                keys: vec![key(0.0), key(2.0), key(5.0)],
                pieces: vec![piece(msh::BatchFlags::TWO_SIDED, 0)],
                ..DraftNode::default()
            },
        ],
    };
    draft.build().unwrap().write().unwrap()
}

fn models() -> Vec<u8> {
    let entry = |type_id, name: &str, data| Entry::new(type_id, 0, 0, 1, name, data).unwrap();
    archive(vec![
        entry(msh::TYPE_ID, "crate.msh", model("crate")),
        entry(wear::TYPE_ID, "crate.wea", table(&["GRASS", "PATH"])),
        entry(msh::TYPE_ID, "walker.msh", model("walker")),
        entry(wear::TYPE_ID, "walker.wea", table(&["PATH"])),
    ])
}

fn sprites() -> Vec<u8> {
    let entry = |name, method| rsli::Entry::new(name, method, b"a sprite, a sprite, a sprite");
    let entries = [
        entry("STORED", Method::Stored).unwrap(),
        entry("LZSS", Method::Lzss).unwrap(),
        entry("DEFLATE", Method::Deflate).unwrap(),
    ];
    RsLi::from_entries(entries.to_vec()).write().unwrap()
}

fn unit() -> Vec<u8> {
    let record = UnitRecord::new("static.rlb", "walker.msh", ComponentType::Chassis).unwrap();
    let unit = UnitDat {
        unknown_02: [0; 2],
        scheme: 0x0100_8000,
        records: vec![record],
    };
    unit.write().unwrap()
}

fn mission() -> Mission {
    let object = |resource: &[u8], x: f32| Object {
        resource: resource.to_vec(),
        clan_idx: NO_CLAN,
        position: [x, 2.0, 0.5],
        scale: [1.0; 3],
        ..Object::default()
    };
    Mission {
        land_base: b"DATA\\MAPS\\Map01\\land".to_vec(),
        paths: vec![Way {
            id: 1,
            points: vec![[1.0, 1.0, 0.0], [7.0, 1.0, 0.0]],
        }],
        objects: vec![
            object(b"crate", 2.0),
            object(b"UNITS\\UNITS\\WALKER.dat", 5.0),
        ],
        ..Mission::default()
    }
}
