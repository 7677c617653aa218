//! Materials with their patches applied and their conditions evaluated.

use std::collections::HashSet;

use thiserror::Error;

use super::conditions::{compares, holds_here, holds_on_this_platform};
use super::names::{material_path, original_name};
use super::{Look, Vmt};
use crate::game_files::{GameFiles, GameFilesError};
use crate::key_values::{Entry, Value};
use ironlands_assets_core::bytes::FormatError;

/// How many patches may lie over one material.
const MAX_PATCHES: usize = 8;
const PATCH: &str = "patch";

/// A material after all patches: a shader and its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedVmt {
    /// Name of the shader, as stored in the innermost file.
    pub shader: String,
    /// Parameters after `insert` and `replace`, conditional blocks still in them. Of duplicates the last counts.
    pub parameters: Vec<Entry>,
    /// Paths of the files that were read, the outermost patch first. If the first is not the one that was requested,
    /// that was missing and its original took its place.
    pub files: Vec<String>,
}

/// The range of light that conditional blocks are chosen for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LightRange {
    /// `ldr?`
    #[default]
    Ldr,
    /// `hdr?`
    Hdr,
}

/// Why a material could not be loaded.
#[derive(Debug, Error)]
pub enum VmtError {
    /// The material, or one that it is a patch of, is not in the game's files; nor is what it was made from.
    #[error("material \"{name}\" is missing")]
    Missing {
        /// Path of the missing file.
        name: String,
    },
    /// A file could not be opened.
    #[error(transparent)]
    Files(#[from] GameFilesError),
    /// A file is no material.
    #[error("{name}: {error}")]
    Invalid {
        /// Path of the file.
        name: String,
        /// What is wrong with it.
        error: Box<FormatError>,
    },
    /// A patch does not say what it includes.
    #[error("{name}: the patch includes nothing")]
    NothingIncluded {
        /// Path of the patch.
        name: String,
    },
    /// Patches of patches go on for too long, or in a circle.
    #[error("{name}: more than {limit} patches lie over each other")]
    TooDeep {
        /// Path of the requested material.
        name: String,
        /// How many there may be.
        limit: usize,
    },
}

impl Vmt {
    /// Loads a material and whatever it patches, by its name as texdata has it, or by its path.
    ///
    /// A name that the map compiler made and that is missing stands for its original.
    ///
    /// # Errors
    /// See [`VmtError`].
    pub fn load(files: &GameFiles, name: &str) -> Result<ResolvedVmt, VmtError> {
        let requested = material_path(name);
        let mut patches = Vec::new();
        let mut read_files = Vec::new();
        let mut path = requested.clone();
        loop {
            let (found, vmt) = open(files, &path)?;
            read_files.push(found.clone());
            if !vmt.shader().eq_ignore_ascii_case(PATCH) {
                let mut parameters = vmt.parameters().to_vec();
                for patch in patches.iter().rev() {
                    apply(patch, &mut parameters);
                }
                return Ok(ResolvedVmt {
                    shader: vmt.shader().to_owned(),
                    parameters,
                    files: read_files,
                });
            }
            if patches.len() == MAX_PATCHES {
                return Err(VmtError::TooDeep {
                    name: requested,
                    limit: MAX_PATCHES,
                });
            }
            let Some(included) = vmt.get("include") else {
                return Err(VmtError::NothingIncluded { name: found });
            };
            path = material_path(included);
            patches.push(vmt);
        }
    }
}

impl ResolvedVmt {
    /// A material that stands by itself: no patch is looked up.
    pub fn from_vmt(vmt: &Vmt) -> Self {
        Self {
            shader: vmt.shader().to_owned(),
            parameters: vmt.parameters().to_vec(),
            files: Vec::new(),
        }
    }

    /// The parameters with their types, on a machine of DirectX 9 or later that is no console.
    pub fn look(&self, range: LightRange) -> Look {
        Look::from_shader(&self.shader, &self.flattened(range))
    }

    /// The parameters with what belongs to the machine and the range of light taken out of conditional blocks, in
    /// file order. Of duplicate keys the last counts, except inside of `Proxies`.
    pub fn flattened(&self, range: LightRange) -> Vec<Entry> {
        let mut flat = Vec::new();
        flatten(&self.parameters, range, &mut flat);
        flat
    }
}

/// The file of that path, or where a name made by the compiler is missing, of its original.
fn open(files: &GameFiles, path: &str) -> Result<(String, Vmt), VmtError> {
    let name = path.strip_prefix("materials/").unwrap_or(path);
    let name = name.strip_suffix(".vmt").unwrap_or(name);
    let candidates = [
        Some(path.to_owned()),
        original_name(name).map(material_path),
    ];
    for candidate in candidates.into_iter().flatten() {
        let Some(data) = files.open(&candidate)? else {
            continue;
        };
        return match Vmt::read(&data) {
            Ok(vmt) => Ok((candidate, vmt)),
            Err(error) => Err(VmtError::Invalid {
                name: candidate,
                error: Box::new(error),
            }),
        };
    }
    Err(VmtError::Missing {
        name: path.to_owned(),
    })
}

/// `insert` sets, `replace` sets only existing keys. Set means added after the rest: of duplicates the last counts.
fn apply(patch: &Vmt, parameters: &mut Vec<Entry>) {
    for part in patch.parameters() {
        if part.is("insert") {
            parameters.extend_from_slice(part.entries());
        } else if part.is("replace") {
            let folded = |entry: &Entry| entry.key.to_ascii_lowercase();
            let there: HashSet<String> = parameters.iter().map(folded).collect();
            let known = part
                .entries()
                .iter()
                .filter(|entry| there.contains(&folded(entry)));
            parameters.extend(known.cloned());
        }
    }
}

fn flatten(entries: &[Entry], range: LightRange, flat: &mut Vec<Entry>) {
    for entry in entries {
        if !entry
            .condition
            .as_deref()
            .is_none_or(holds_on_this_platform)
        {
            continue;
        }
        if let Some((condition, key)) = entry.key.split_once('?') {
            if holds_here(condition, range) {
                flat.push(Entry::new(key, entry.value.clone()));
            }
            continue;
        }
        match (&entry.value, compares(&entry.key)) {
            (Value::Block(inner), Some(true)) => flatten(inner, range, flat),
            (Value::Block(_), Some(false)) => {}
            _ => flat.push(entry.clone()),
        }
    }
}
