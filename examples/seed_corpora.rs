//! Seed corpora for the fuzz targets: every file below a folder, and every entry of its archives, goes to the corpus of
//! the target that reads its kind.
//!
//! `cargo run --example seed_corpora -- DATA fuzz/corpus` prints how many seeds each target has. Targets whose input is no
//! whole file (a lump, a payload without its entry) get none and start from nothing.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ironlands::assets_loader::archive::Archive;
use ironlands::assets_loader::evil_islands::res::NestedArchives;
use ironlands::assets_loader::inspect::Kind;

/// Larger seeds slow the fuzzer down more than they teach it.
const MAX_BYTES: usize = 4 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [data, corpora] = &args[..] else {
        return Err("usage: seed_corpora DATA CORPORA".into());
    };
    let mut seeds = Seeds::default();
    seeds.add_folder(data)?;
    for (target, inputs) in &seeds.by_target {
        let folder = corpora.join(target);
        fs::create_dir_all(&folder)?;
        for (number, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:04}")), input)?;
        }
        print_count(target, inputs.len());
    }
    Ok(())
}

/// Inputs by the name of their target.
#[derive(Default)]
struct Seeds {
    by_target: BTreeMap<String, Vec<Vec<u8>>>,
}

impl Seeds {
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
            let Ok(archive) = Archive::open_with(&path, NestedArchives::Unpack) else {
                continue;
            };
            for (index, entry) in archive.entries().iter().enumerate() {
                self.add(Path::new(&entry.name), archive.unpack(index)?);
            }
        }
        Ok(())
    }

    /// Adds a file to the corpus of the target that is named like its kind; for geodata, like its format.
    fn add(&mut self, name: &Path, bytes: Vec<u8>) {
        let Some(kind) = Kind::of(name, &bytes).filter(|_| bytes.len() <= MAX_BYTES) else {
            return;
        };
        let target = match kind {
            Kind::Geodata if name.to_string_lossy().ends_with("_conv.dat") => "conv_dat".to_owned(),
            Kind::Geodata => {
                let ending = name.extension().unwrap_or_default();
                ending.to_string_lossy().to_lowercase()
            }
            kind => kind.name().to_owned(),
        };
        self.by_target.entry(target).or_default().push(bytes);
    }
}

#[expect(clippy::print_stdout, reason = "the answer of the example")]
fn print_count(target: &str, n_seeds: usize) {
    println!("{target}: {n_seeds}");
}
