//! Seed corpora for the fuzz targets: every file below a folder, and every entry of its archives, goes to the corpus of
//! its format.
//!
//! `cargo run --example seed_corpora -- DATA fuzz/corpus` prints how many seeds each format has, also those that have
//! none: what is part of other files starts from nothing.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ironlands::assets::format::ArchiveOptions;
use ironlands::assets::formats::Formats;
use ironlands::worlds::registry;

/// Larger seeds slow the fuzzer down more than they teach it.
const MAX_BYTES: usize = 4 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [data, corpora] = &args[..] else {
        return Err("usage: seed_corpora DATA CORPORA".into());
    };
    let registry = registry();
    let formats = registry.formats();
    let names = formats.all().map(|format| (format.name(), Vec::new()));
    let mut seeds = Seeds {
        formats,
        by_format: names.collect(),
    };
    seeds.add_folder(data)?;
    for (target, inputs) in &seeds.by_format {
        let folder = corpora.join(target);
        fs::create_dir_all(&folder)?;
        for (number, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:04}")), input)?;
        }
        print_count(target, inputs.len());
    }
    Ok(())
}

/// Inputs by the name of their format.
struct Seeds<'a> {
    formats: &'a Formats,
    by_format: BTreeMap<&'static str, Vec<Vec<u8>>>,
}

impl Seeds<'_> {
    fn add_folder(&mut self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        let mut paths: Vec<PathBuf> = entries.collect::<Result<_, std::io::Error>>()?;
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.add_folder(&path)?;
                continue;
            }
            self.add(&path, fs::read(&path)?);
            let archive = self
                .formats
                .open_archive(&path, ArchiveOptions { nested: true });
            let Ok(archive) = archive else {
                continue;
            };
            for (index, entry) in archive.entries().iter().enumerate() {
                self.add(Path::new(&entry.name), archive.unpack(index)?);
            }
        }
        Ok(())
    }

    /// Adds a file to the corpus of its format.
    fn add(&mut self, name: &Path, bytes: Vec<u8>) {
        if bytes.len() > MAX_BYTES {
            return;
        }
        if let Some(format) = self.formats.recognize_whole(name, &bytes) {
            self.by_format.entry(format.name()).or_default().push(bytes);
        }
    }
}

#[expect(clippy::print_stdout, reason = "the output of the example")]
fn print_count(target: &str, n_seeds: usize) {
    println!("{target}: {n_seeds}");
}
