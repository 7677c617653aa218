//! Particle systems of a game by their names.
//!
//! In: `particles/particles_manifest.txt`, that of the map, and the files that they list. Source: Valve's developer wiki,
//! page `Particle System Overview`.

use std::collections::HashMap;

use ironlands_assets_core::bytes::{Finding, Severity};

use crate::game_files::GameFiles;
use crate::key_values::Entry;
use crate::pcf::{ParticleSystem, Pcf};
use crate::sound_scripts::TableReader;

const FORMAT: &str = "particle manifest";
const MANIFEST: &str = "particles/particles_manifest.txt";
/// Most files that manifests list.
const MAX_FILES: usize = 1024;

/// All particle systems of a game and of a map.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ParticleFiles {
    files: Vec<Pcf>,
    /// In which file a system is, by its name in lower case; of files the last counts.
    by_name: HashMap<String, usize>,
}

impl ParticleFiles {
    /// The files of a game and of a map; of files that have a system of a name the last counts. What is missing has none;
    /// what cannot be read is a finding.
    pub fn open(files: &GameFiles, map_name: &str, findings: &mut Vec<Finding>) -> Self {
        let own = format!("maps/{map_name}_particles.txt");
        let mut paths: Vec<String> = Vec::new();
        let mut reader = TableReader {
            format: FORMAT,
            files,
            findings,
        };
        for manifest in [MANIFEST, &own] {
            let manifest = reader.read(manifest);
            let listed = manifest.entries.iter().flat_map(Entry::entries);
            // The mark of those that are loaded ahead.
            let listed = listed.filter_map(|it| Some(it.as_text()?.trim_start_matches('!')));
            for path in listed {
                if !paths.iter().any(|it| it.eq_ignore_ascii_case(path)) {
                    paths.push(path.to_owned());
                }
            }
        }
        let mut opened = Self::default();
        for path in paths.iter().take(MAX_FILES) {
            match files.open(path).map_err(|error| error.to_string()) {
                Ok(Some(data)) => match Pcf::read(&data) {
                    Ok(file) => opened.add(file),
                    Err(error) => findings.push(warning(path, &error.to_string())),
                },
                Ok(None) => {}
                Err(error) => findings.push(warning(path, &error)),
            }
        }
        opened
    }

    fn add(&mut self, file: Pcf) {
        let index = self.files.len();
        let names = file.systems().map(|it| (it.name().to_lowercase(), index));
        self.by_name.extend(names);
        self.files.push(file);
    }

    /// A system by its name, whatever the case.
    pub fn system(&self, name: &str) -> Option<ParticleSystem<'_>> {
        let index = *self.by_name.get(&name.trim().to_lowercase())?;
        self.files.get(index)?.system(name.trim())
    }
}

fn warning(path: &str, error: &str) -> Finding {
    Finding::new(Severity::Warning, FORMAT, format!("{path}: {error}"))
}
