//! What `check` calls sound opens: damaged copies of the demo's map, of the files that it carries, and of an archive of a
//! game, each either refused by `check` at some place or taken by everything else.

use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::format::ArchiveOptions;
use ironlands_assets_core::formats::Formats;
use ironlands_assets_core::inspect::{Depth, Inspection, inspect, inspect_to};
use ironlands_assets_source::bsp::{BspFile, LumpId};
use ironlands_assets_source::decompile::to_vmf;
use ironlands_assets_source::formats::FORMATS;
use ironlands_assets_source::game_files::DiskArchive;
use ironlands_assets_source::pakfile::{Comment, Pakfile};
use ironlands_assets_source::vmf::Vmf;
use ironlands_assets_source::vpk::VpkDirectory;
use ironlands_exchange::write_scene_glb;
use ironlands_world_source::{SourceOptions, SourceWorld, open_level, prop_hulls};

/// Files of the map that are longer are left out, so that a run takes a fraction of the time.
const LONGEST_FILE: usize = 25_000;

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Changes a byte or a word to something hostile or to anything.
fn damage(data: &mut [u8], rng: &mut Rng) {
    if data.is_empty() {
        return;
    }
    let at = rng.below(data.len());
    if rng.below(3) == 0 {
        data[at] = rng.pick(&[0, 1, b'"', b'\\', 0x7F, 0x80, 0xFF, rng.0 as u8]);
        return;
    }
    let words = [
        0,
        1,
        3,
        u32::MAX,
        0x7FFF_FFFF,
        0x8000_0000,
        3.0e38_f32.to_bits(),
        (-3.0e38_f32).to_bits(),
        1.0e30_f32.to_bits(),
        f32::NAN.to_bits(),
        f32::INFINITY.to_bits(),
        1.0e-30_f32.to_bits(),
        rng.next() as u32,
        rng.next() as u32 & 0xFFFF,
    ];
    let word = rng.pick(&words).to_le_bytes();
    let at = at & !3;
    for (target, byte) in data.iter_mut().skip(at).zip(word) {
        *target = byte;
    }
}

/// The demo's map, and the files that it carries.
struct Demo {
    map: BspFile,
    files: Vec<(String, Vec<u8>)>,
}

impl Demo {
    /// With short files only.
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/demo.bsp");
        let mut map = BspFile::read(&fs::read(path).unwrap()).unwrap();
        let pakfile = Pakfile::read(map.lump(LumpId::Pakfile)).unwrap();
        let files = pakfile.entries().iter().map(|entry| {
            let data = pakfile.unpack(entry).unwrap();
            (entry.name().to_owned(), data)
        });
        let files: Vec<_> = files
            .filter(|(_, data)| data.len() <= LONGEST_FILE)
            .collect();
        assert!(files.iter().any(|(name, _)| name.ends_with(".vvd")));
        assert!(files.iter().any(|(name, _)| name.ends_with(".vmt")));
        map.set_lump(LumpId::Pakfile, 0, pakfile_of(&files));
        // As if it had been read, so that offsets are those of a file.
        let map = BspFile::read(&map.write().unwrap()).unwrap();
        Self { map, files }
    }

    fn with_lump(&self, id: LumpId, data: Vec<u8>) -> Vec<u8> {
        let mut map = self.map.clone();
        map.set_lump(id, map.lump_version(id), data);
        map.write().unwrap()
    }
}

fn pakfile_of(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, data)| (&**name, &**data))
        .collect();
    Pakfile::draft(&files, Comment::None).unwrap().write()
}

/// What came of some mutants.
#[derive(Debug, Default)]
struct Outcome {
    n_refused: usize,
    n_sound: usize,
}

impl Outcome {
    /// Neither all mutants are refused nor all taken: the test tries both.
    fn assert_tries_both(&self) {
        assert!(self.n_refused > 0 && self.n_sound > 0, "{self:?}");
    }
}

/// A folder that mutants are written to.
struct Bench {
    folder: tempfile::TempDir,
    outcome: Outcome,
}

impl Bench {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            outcome: Outcome::default(),
        }
    }

    /// Writes a file, creating folders.
    fn put(&self, name: &str, data: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, data).unwrap();
        path
    }

    /// Whether `check` finds no error; the errors that it finds are located.
    fn is_sound(&mut self, path: &Path, name: &str) -> bool {
        let inspection =
            inspect(path, &formats()).unwrap_or_else(|error| panic!("{name}: {error}"));
        inspect_to(path, Depth::Facts, &formats())
            .unwrap_or_else(|error| panic!("{name}: info: {error}"));
        let is_sound = inspection.count(Severity::Error) == 0;
        if is_sound {
            self.outcome.n_sound += 1;
        } else {
            self.outcome.n_refused += 1;
            assert!(is_located(&inspection), "{name}: {inspection:#?}");
        }
        is_sound
    }

    fn hold_map(&mut self, name: &str, map: &[u8]) {
        let path = self.put("mutant.bsp", map);
        if self.is_sound(&path, name) {
            assert_opens(&path, &[], name);
            assert_goes_out(&path, name);
            assert_packs(map, name);
        }
    }
}

fn formats() -> Formats {
    Formats::new([FORMATS])
}

/// Whether some error has an offset, or names a file.
fn is_located(inspection: &Inspection) -> bool {
    let findings = inspection.reports.iter().flat_map(|it| &it.findings);
    let mut errors = findings.filter(|it| it.severity == Severity::Error);
    errors.any(|it| it.offset.is_some() || it.message.contains("is missing"))
}

/// Drawn, queried, and exported for the editor and as glTF.
fn assert_opens(path: &Path, assets: &[PathBuf], name: &str) {
    let level = open_level(path, assets, &SourceOptions::default());
    let level = level.unwrap_or_else(|error| panic!("{name}: {error}"));
    let files = &level.files;
    let world = SourceWorld::new(&files.map, &files.entities, &prop_hulls(files));
    world.unwrap_or_else(|error| panic!("{name}: {error}"));
    let (vmf, _) = to_vmf(&files.map, &files.entities, &files.static_props);
    let text = vmf
        .write()
        .unwrap_or_else(|error| panic!("{name}: export: {error}"));
    Vmf::read(&text).unwrap_or_else(|error| panic!("{name}: the exported map: {error}"));
    write_scene_glb(&level.scene).unwrap_or_else(|error| panic!("{name}: glTF: {error}"));
}

/// All files that the map carries come out.
fn assert_goes_out(path: &Path, name: &str) {
    let archive = formats().open_archive(path, ArchiveOptions::default());
    let archive = archive.unwrap_or_else(|error| panic!("{name}: extract: {error}"));
    for (index, entry) in archive.entries().iter().enumerate() {
        assert!(entry.path.is_ok(), "{name}: extract: {}", entry.name);
        let data = archive.unpack(index);
        data.unwrap_or_else(|error| panic!("{name}: extract: {error}"));
    }
}

/// A file more goes in, and the map is still one.
fn assert_packs(map: &[u8], name: &str) {
    let mut map = BspFile::read(map).unwrap();
    let mut pakfile = match map.lump(LumpId::Pakfile) {
        [] => Pakfile::draft(&[], Comment::None).unwrap(),
        lump => Pakfile::read(lump).unwrap_or_else(|error| panic!("{name}: pack: {error}")),
    };
    let put = pakfile.put_files(&[("note.txt", b"a note")]);
    put.unwrap_or_else(|error| panic!("{name}: pack: {error}"));
    map.set_lump(
        LumpId::Pakfile,
        map.lump_version(LumpId::Pakfile),
        pakfile.write(),
    );
    let packed = map
        .write()
        .unwrap_or_else(|error| panic!("{name}: pack: {error}"));
    BspFile::read(&packed).unwrap_or_else(|error| panic!("{name}: the packed map: {error}"));
}

/// Damaged lumps, but for the pakfile.
fn hold_lumps(mutants: impl Iterator<Item = u64>) {
    let demo = Demo::new();
    let is_used = |id: &LumpId| !demo.map.lump(*id).is_empty() && *id != LumpId::Pakfile;
    let lumps: Vec<LumpId> = LumpId::ALL.into_iter().filter(is_used).collect();
    let mut bench = Bench::new();
    bench.hold_map("undamaged", &demo.map.write().unwrap());
    assert_eq!(bench.outcome.n_sound, 1);
    for mutant in mutants {
        let mut rng = Rng(mutant);
        let id = rng.pick(&lumps);
        let mut data = demo.map.lump(id).to_vec();
        damage(&mut data, &mut rng);
        bench.hold_map(
            &format!("mutant {mutant} of {id:?}"),
            &demo.with_lump(id, data),
        );
    }
    bench.outcome.assert_tries_both();
}

/// Damaged files in the pakfile, their checksums mended.
fn hold_members(n_mutants: u64) {
    let demo = Demo::new();
    let mut bench = Bench::new();
    for mutant in 0..n_mutants {
        let mut rng = Rng(mutant);
        let mut files = demo.files.clone();
        let number = rng.below(files.len());
        let (name, data) = &mut files[number];
        match rng.below(4) {
            0 => data.truncate(rng.below(data.len())),
            _ => (0..=rng.below(3)).for_each(|_| damage(data, &mut rng)),
        }
        let name = format!("mutant {mutant} of {name}");
        bench.hold_map(&name, &demo.with_lump(LumpId::Pakfile, pakfile_of(&files)));
    }
    bench.outcome.assert_tries_both();
}

/// A damaged pakfile.
fn hold_pakfiles(n_mutants: u64) {
    let demo = Demo::new();
    let mut bench = Bench::new();
    let sound = pakfile_of(&demo.files);
    for mutant in 0..n_mutants {
        let mut data = sound.clone();
        damage(&mut data, &mut Rng(mutant));
        let name = format!("mutant {mutant} of the pakfile");
        bench.hold_map(&name, &demo.with_lump(LumpId::Pakfile, data));
    }
    // Every byte of a stored file counts for its checksum: little can be damaged unseen.
    assert!(bench.outcome.n_refused > 0, "{:?}", bench.outcome);
}

/// A damaged archive of the game that a map lies in.
fn hold_archives(n_mutants: u64) {
    let demo = Demo::new();
    let files: Vec<(&str, &[u8])> = demo
        .files
        .iter()
        .map(|(name, data)| (&**name, &**data))
        .collect();
    let sound = VpkDirectory::draft(&files).unwrap().write().unwrap();
    let map = demo.with_lump(LumpId::Pakfile, Vec::new());
    let mut bench = Bench::new();
    let map = bench.put("maps/demo.bsp", &map);
    let assets = [bench.folder.path().to_owned()];
    for mutant in 0..n_mutants {
        let mut data = sound.clone();
        let mut rng = Rng(mutant);
        if mutant > 0 {
            damage(&mut data, &mut rng);
        }
        let archive = bench.put("pak01_dir.vpk", &data);
        let name = format!("mutant {mutant} of the archive");
        if bench.is_sound(&archive, &name) {
            let opened = DiskArchive::open(&archive).unwrap();
            for (index, path) in opened.paths().enumerate() {
                let data = opened.read_at(index);
                data.unwrap_or_else(|error| panic!("{name}: {path}: {error}"));
            }
            assert_opens(&map, &assets, &name);
            assert_goes_out(&archive, &name);
        }
    }
    bench.outcome.assert_tries_both();
}

/// Mutants of lumps that were once called sound and could not be exported: a NUL in a value of an entity.
const FOUND: [u64; 1] = [107];

#[test]
fn a_map_that_check_calls_sound_opens() {
    hold_lumps((0..40).chain(FOUND));
}

#[test]
fn a_map_whose_files_check_calls_sound_opens() {
    hold_members(16);
}

#[test]
fn a_map_whose_pakfile_check_calls_sound_opens() {
    hold_pakfiles(16);
}

#[test]
fn an_archive_that_check_calls_sound_opens() {
    hold_archives(16);
}

#[test]
#[ignore = "long: 1,600 mutants"]
fn what_check_calls_sound_opens_at_length() {
    hold_lumps(0..1_000);
    hold_members(300);
    hold_pakfiles(200);
    hold_archives(100);
}
