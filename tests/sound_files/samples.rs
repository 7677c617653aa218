//! Small good files of every kind: those of the demo and of its archives, and some that it has none of.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ironlands::assets::format::AnyFormat;
use ironlands::assets::format::ArchiveOptions;
use ironlands::worlds::lineage2::formats::convert::{ConvertOptions, convert};
use ironlands::worlds::lineage2::formats::{
    CELLS_PER_BLOCK, GeodataFormat, N_BLOCKS, RegionFile, RegionFileName, Tolerance,
};
use ironlands::worlds::parkan::formats::rsli::{Entry, Method, RsLi};
use ironlands::worlds::registry;

/// Files that are shorter say little.
const SHORTEST: usize = 200;
/// Endings of files that make one thing with another file of the same name: a figure, a model.
const TOGETHER: [(&str, &[&str]); 2] = [
    ("mod", &["bon", "anm", "adb"]),
    ("mdl", &["vvd", "dx90.vtx", "phy"]),
];

/// A file, and those that it needs beside it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// What it is.
    pub format: &'static dyn AnyFormat,
    /// Names and bytes: the file itself, then the others.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Sample {
    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.files[0].0
    }

    fn new(name: &str, data: Vec<u8>) -> Self {
        let format = registry().formats().recognize_whole(Path::new(name), &data);
        Self {
            format: format.unwrap_or_else(|| panic!("{name} is of no known format")),
            files: vec![(name.to_owned(), data)],
        }
    }
}

/// The smallest file of each kind and ending that is no trifle, of some files and folders of the demo.
pub fn of_demo(paths: &[&str]) -> Vec<Sample> {
    let mut found = Found::default();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA");
    for path in paths {
        found.add_all(&demo.join(path));
    }
    let mut smallest: BTreeMap<(&str, String), &(String, Vec<u8>)> = BTreeMap::new();
    for file in &found.files {
        let Some(format) = registry()
            .formats()
            .recognize_whole(Path::new(&file.0), &file.1)
        else {
            continue;
        };
        let key = (format.name(), endings(&file.0));
        let rank = |data: &[u8]| (data.len() < SHORTEST, data.len());
        let known = smallest.entry(key).or_insert(file);
        if rank(&file.1) < rank(&known.1) {
            *known = file;
        }
    }
    let samples = smallest.into_values().map(|(name, data)| {
        let mut sample = Sample::new(name, data.clone());
        sample.files.extend(found.beside(name));
        sample
    });
    samples.collect()
}

/// A library of packed entries: the demo has none.
pub fn packed_library() -> Sample {
    let entry = |name, method| Entry::new(name, method, b"a sprite, a sprite, a sprite").unwrap();
    let entries = [
        entry("STORED", Method::Stored),
        entry("LZSS", Method::Lzss),
        entry("DEFLATE", Method::Deflate),
    ];
    let library = RsLi::from_entries(entries.to_vec());
    Sample::new("sprites.lib", library.write().unwrap())
}

/// Formats of regions, but for the one that only its owner writes, and texts: those of a region are hundreds of
/// mebibytes, and have tests of their own.
pub fn region_formats() -> impl Iterator<Item = GeodataFormat> {
    let is_used =
        |format: &GeodataFormat| !matches!(format, GeodataFormat::L2s | GeodataFormat::PathTxt);
    GeodataFormat::ALL.into_iter().filter(is_used)
}

/// A region in every such format: flat, with some blocks of each kind.
pub fn regions() -> Vec<Sample> {
    let flat = [0, 0x10, 0x00];
    let mut l2j = Vec::new();
    for block in 0..N_BLOCKS {
        match block {
            5 => l2j.extend([[1].as_slice(), &[0x0F, 0x01].repeat(CELLS_PER_BLOCK)].concat()),
            9 => {
                let cell = [2, 0x0F, 0x10, 0xFF, 0x00];
                l2j.extend([[2].as_slice(), &cell.repeat(CELLS_PER_BLOCK)].concat());
            }
            _ => l2j.extend(flat),
        }
    }
    let name = RegionFileName::parse("22_16.l2j").unwrap();
    let region = RegionFile::read(name.format, name.id, &l2j, Tolerance::STRICT).unwrap();
    let samples = region_formats().map(|format| {
        let converted = convert(&region, format, &ConvertOptions::default()).unwrap();
        let name = RegionFileName {
            format,
            ..name.clone()
        };
        Sample::new(&name.to_string(), converted.file.write().unwrap())
    });
    samples.collect()
}

/// All that follows the first dot of a name, in small letters.
fn endings(name: &str) -> String {
    let endings = name.split_once('.').map(|(_, endings)| endings);
    endings.unwrap_or_default().to_ascii_lowercase()
}

#[derive(Default)]
struct Found {
    files: Vec<(String, Vec<u8>)>,
}

impl Found {
    /// A file and what it holds, or all files below a folder.
    fn add_all(&mut self, path: &Path) {
        if path.is_dir() {
            let entries = fs::read_dir(path).unwrap();
            let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            return paths.iter().for_each(|path| self.add_all(path));
        }
        self.add(&path.to_string_lossy(), fs::read(path).unwrap());
        for nested in [false, true] {
            let Ok(archive) = registry()
                .formats()
                .open_archive(path, ArchiveOptions { nested })
            else {
                continue;
            };
            for (index, entry) in archive.entries().iter().enumerate() {
                let name = entry.path.as_ref().unwrap_or(&entry.name);
                self.add(name, archive.unpack(index).unwrap());
            }
        }
    }

    fn add(&mut self, path: &str, data: Vec<u8>) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        self.files.push((name.to_owned(), data));
    }

    /// The other files of what a file is part of.
    fn beside(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let together = TOGETHER.iter().find(|(first, _)| *first == ending);
        let others = together.map_or(&[][..], |(_, others)| others);
        let named = |other: &&str| {
            let wanted = format!("{stem}.{other}");
            let mut files = self.files.iter();
            files.find(|(name, _)| *name == wanted).cloned()
        };
        others.iter().filter_map(named).collect()
    }
}
