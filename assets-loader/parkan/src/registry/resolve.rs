//! From the name of a prototype to its mesh and material table (dossier section 10.4).

#[cfg(test)]
mod tests;

use crate::game_files;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::{ARCHIVE, ObjectRef, Prototype};
use crate::msh;
use crate::nres::{Entry, NRes};
use ironlands_assets_core::text::{cmp_names, decode_cp1251};
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// Most prototypes that inherit from each other in a row.
const MAX_DEPTH: usize = 32;
/// Most references in all prototypes that one name leads through, far beyond what known files need: a hostile
/// registry costs no more than this for each name.
const MAX_REFS: usize = 1 << 12;
const MESH_ENDING: &[u8] = b"msh";
const WEAR_ENDING: &[u8] = b"wea";
const BASEMENT_ENDING: &[u8] = b"bas";
/// Endings of references to invisible parts: basements, control data, control points, damage pieces.
const SIDE_ENDINGS: [&[u8]; 4] = [b"bas", b"ctl", b"cpt", b"ndp"];

/// A mesh that is there, by name, and its material table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeshRef {
    /// Archive that holds both, in lower case.
    pub archive: String,
    /// The model, as the archive spells it.
    pub mesh_entry: Vec<u8>,
    /// The material table, as the archive spells it: same stem, ending `.wea`. `None` if there is none.
    pub wear_entry: Option<Vec<u8>>,
}

/// A basement that is there, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasementRef {
    /// Archive that holds it, in lower case.
    pub archive: String,
    /// The entry, as the archive spells it.
    pub entry: Vec<u8>,
}

/// Resolves names of prototypes; what was resolved once is remembered.
#[derive(Debug)]
pub struct Registry<'a> {
    vfs: &'a Vfs,
    /// Archives by name in lower case. A broken one is not read again for each name in it.
    archives: HashMap<String, Result<Arc<NRes>, Arc<VfsError>>>,
    /// What entries of `objects.rlb` led to.
    known: HashMap<usize, Result<Followed, Failure>>,
}

/// Why an entry leads nowhere.
#[derive(Debug, Clone)]
struct Failure {
    cause: ResolveCause,
    /// The prototypes from that entry to the one with the error.
    chain: Arc<[(usize, String)]>,
}

/// What a reference leads to.
#[derive(Debug, Clone)]
struct Followed {
    mesh: Option<MeshRef>,
    /// Most prototypes in a row on the way.
    n_deep: usize,
}

/// Why a name cannot be resolved, and what requested it.
#[derive(Debug, Error)]
#[error("{cause}{}", RequestedBy(chain))]
pub struct ResolveError {
    /// What is missing or wrong.
    pub cause: ResolveCause,
    /// The prototypes that led there, the requested one first.
    pub chain: Vec<String>,
}

/// What a name cannot be resolved for.
#[derive(Debug, Clone, Error)]
pub enum ResolveCause {
    /// A file or entry is missing, empty or invalid: four different errors.
    #[error(transparent)]
    File(Arc<VfsError>),
    /// Prototypes inherit from each other in a circle.
    #[error("{ARCHIVE}: prototype \"{name}\" inherits from itself")]
    Cycle {
        /// The prototype that comes again.
        name: String,
    },
    /// More prototypes inherit from each other than the original follows.
    #[error("{ARCHIVE}: more than {MAX_DEPTH} prototypes inherit from each other")]
    TooDeep,
    /// More references than a sound registry could have.
    #[error("{ARCHIVE}: more than {MAX_REFS} references to follow")]
    TooManyRefs,
}

impl From<VfsError> for ResolveCause {
    fn from(error: VfsError) -> Self {
        Self::File(Arc::new(error))
    }
}

/// The chain from the requested name to the current one.
#[derive(Debug, Default)]
struct Way {
    /// Prototypes in a row, each the parent of the one before.
    chain: Vec<(usize, String)>,
    /// References of all prototypes that were read.
    n_refs: usize,
}

impl<'a> Registry<'a> {
    /// A registry over the archives of a game. Nothing is opened yet.
    pub fn new(vfs: &'a Vfs) -> Self {
        Self {
            vfs,
            archives: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// The mesh of a prototype; `None` if neither it nor those that it inherits from have one, as a sun.
    ///
    /// References are followed in file order; the first that leads to a mesh counts. One to `objects.rlb` is
    /// a prototype that this one inherits from. One to another archive is a mesh if its entry ends in `.msh`,
    /// or if that archive has a model of the same stem. No model is read.
    ///
    /// # Errors
    /// A file or entry on the way is missing, empty or invalid, or the inheritance has no end.
    pub fn resolve(&mut self, name: &[u8]) -> Result<Option<MeshRef>, ResolveError> {
        let mut way = Way::default();
        match self.follow(name, &mut way) {
            Ok(followed) => Ok(followed.mesh),
            Err(cause) => Err(self.fail(way, cause)),
        }
    }

    /// The mesh behind a reference: through [`Registry::resolve`] if it leads to `objects.rlb`.
    ///
    /// # Errors
    /// As [`Registry::resolve`].
    pub fn resolve_ref(
        &mut self,
        archive: &[u8],
        resource: &[u8],
    ) -> Result<Option<MeshRef>, ResolveError> {
        let mut way = Way::default();
        match self.follow_ref(archive, resource, &mut way) {
            Ok(followed) => Ok(followed.mesh),
            Err(cause) => Err(self.fail(way, cause)),
        }
    }

    /// The first basement that a reference leads to, itself or through prototypes: one that it names, or that has the
    /// stem of what it names. `None` also where something on the way is missing, which [`Registry::resolve_ref`] reports.
    pub fn basement(&mut self, archive: &[u8], resource: &[u8]) -> Option<BasementRef> {
        let mut seen = HashSet::new();
        let mut n_left = MAX_REFS;
        let mut open = vec![(archive.to_vec(), resource.to_vec())];
        while let Some((archive, resource)) = open.pop() {
            n_left = n_left.checked_sub(1)?;
            let archive = decode_cp1251(&archive).to_ascii_lowercase();
            let Ok(entries) = self.archive(&archive) else {
                continue;
            };
            let find = |name: &[u8]| {
                let idx = entries.find(name)?;
                Some((idx, entries.entries.get(idx)?))
            };
            if archive != ARCHIVE {
                let (stem, _) = split(&resource);
                if let Some((_, entry)) = find(&with_ending(stem, BASEMENT_ENDING)) {
                    let entry = entry.name_bytes().to_vec();
                    return Some(BasementRef { archive, entry });
                }
                continue;
            }
            let Some((_, entry)) = find(&resource).filter(|(idx, _)| seen.insert(*idx)) else {
                continue;
            };
            if let (Ok(prototype), true) = (Prototype::read(&entry.data), open.len() < n_left) {
                let refs = prototype.refs.iter().rev();
                open.extend(refs.map(|it| (it.archive().to_vec(), it.resource().to_vec())));
            }
        }
        None
    }

    /// Caches failures, since names are requested again.
    fn fail(&mut self, way: Way, cause: ResolveCause) -> ResolveError {
        // Prototypes further on may be within the limits if they are requested themselves.
        let n_failed = match cause {
            ResolveCause::TooDeep | ResolveCause::TooManyRefs => 1,
            ResolveCause::File(_) | ResolveCause::Cycle { .. } => way.chain.len(),
        };
        for (start, (idx, _)) in way.chain.iter().enumerate().take(n_failed) {
            let chain = way.chain.iter().skip(start).cloned().collect();
            let cause = cause.clone();
            self.known
                .entry(*idx)
                .or_insert(Err(Failure { cause, chain }));
        }
        way.end(cause)
    }

    /// On failure the chain says where; on success it is unchanged.
    fn follow(&mut self, name: &[u8], way: &mut Way) -> Result<Followed, ResolveCause> {
        let prototypes = self.archive(ARCHIVE)?;
        let (idx, entry) = self.entry(&prototypes, ARCHIVE, name)?;
        match self.known.get(&idx) {
            Some(Ok(known)) => {
                way.require_depth(known.n_deep)?;
                return Ok(known.clone());
            }
            Some(Err(Failure { cause, chain })) => {
                way.require_depth(chain.len())?;
                way.chain.extend(chain.iter().cloned());
                return Err(cause.clone());
            }
            None => {}
        }
        let name = entry.name_text().into_owned();
        if way.chain.iter().any(|(earlier, _)| *earlier == idx) {
            return Err(ResolveCause::Cycle { name });
        }
        way.require_depth(1)?;
        way.chain.push((idx, name));
        way.require_refs(entry.data.len())?;
        let mut followed = Followed {
            mesh: None,
            n_deep: 1,
        };
        for it in self.prototype(entry)?.refs {
            let next = self.follow_ref(it.archive(), it.resource(), way)?;
            followed.n_deep = followed.n_deep.max(next.n_deep.saturating_add(1));
            if next.mesh.is_some() {
                followed.mesh = next.mesh;
                break;
            }
        }
        way.chain.pop();
        self.known.insert(idx, Ok(followed.clone()));
        Ok(followed)
    }

    fn follow_ref(
        &mut self,
        archive: &[u8],
        resource: &[u8],
        way: &mut Way,
    ) -> Result<Followed, ResolveCause> {
        if cmp_names(archive, ARCHIVE.as_bytes()).is_eq() {
            return self.follow(resource, way);
        }
        let mesh = self.mesh(archive, resource)?;
        Ok(Followed { mesh, n_deep: 0 })
    }

    /// The mesh that a reference to any other archive means.
    fn mesh(&mut self, archive: &[u8], resource: &[u8]) -> Result<Option<MeshRef>, ResolveCause> {
        let (stem, ending) = split(resource);
        let is_side = SIDE_ENDINGS.iter().any(|side| is_ending(ending, side));
        if resource.is_empty() || is_side {
            return Ok(None);
        }
        let archive = decode_cp1251(archive).to_ascii_lowercase();
        let models = match self.archive(&archive) {
            Ok(models) => models,
            // Whatever it names, it is no model and not needed here.
            Err(_) if ending.is_some_and(|e| !is_ending(Some(e), MESH_ENDING)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mesh = if is_ending(ending, MESH_ENDING) {
            Some(self.entry(&models, &archive, resource)?.1)
        } else {
            mesh_of_stem(&models, resource, stem)
        };
        Ok(mesh.map(|mesh| mesh_ref(&models, archive, mesh)))
    }

    fn archive(&mut self, name: &str) -> Result<Arc<NRes>, ResolveCause> {
        let known = match self.archives.get(name) {
            Some(known) => known.clone(),
            None => {
                let archive = game_files::nres(self.vfs, name).map_err(Arc::new);
                self.archives.insert(name.to_owned(), archive.clone());
                archive
            }
        };
        known.map_err(ResolveCause::File)
    }

    /// An entry that is there and not empty.
    fn entry<'n>(
        &self,
        archive: &'n NRes,
        archive_name: &str,
        name: &[u8],
    ) -> Result<(usize, &'n Entry), ResolveCause> {
        let found = archive.find(name);
        let found = found.and_then(|idx| Some((idx, archive.entries.get(idx)?)));
        let error = match found {
            Some((_, entry)) if entry.data.is_empty() => VfsError::EntryEmpty {
                archive: self.vfs.find_file(archive_name)?,
                entry: entry.name_text().into_owned(),
            },
            Some(found) => return Ok(found),
            None => VfsError::EntryMissing {
                archive: self.vfs.find_file(archive_name)?,
                entry: decode_cp1251(name).into_owned(),
            },
        };
        Err(error.into())
    }

    fn prototype(&self, entry: &Entry) -> Result<Prototype, ResolveCause> {
        match Prototype::read(&entry.data) {
            Ok(prototype) => Ok(prototype),
            Err(mut error) => {
                error.offset = error.offset.saturating_add(entry.offset());
                let error = VfsError::Invalid {
                    file: self.vfs.find_file(ARCHIVE)?,
                    error: Box::new(error.in_entry(&entry.name_text())),
                };
                Err(error.into())
            }
        }
    }
}

impl Way {
    /// There must be room for this many more prototypes in a row.
    fn require_depth(&self, n_more: usize) -> Result<(), ResolveCause> {
        if self.chain.len().saturating_add(n_more) > MAX_DEPTH {
            return Err(ResolveCause::TooDeep);
        }
        Ok(())
    }

    /// There must be room for the references of a payload of this size.
    fn require_refs(&mut self, payload_size: usize) -> Result<(), ResolveCause> {
        let n_refs = payload_size.checked_div(ObjectRef::SIZE).unwrap_or(0);
        self.n_refs = self.n_refs.saturating_add(n_refs);
        if self.n_refs > MAX_REFS {
            return Err(ResolveCause::TooManyRefs);
        }
        Ok(())
    }

    fn end(self, cause: ResolveCause) -> ResolveError {
        ResolveError {
            cause,
            chain: self.chain.into_iter().map(|(_, name)| name).collect(),
        }
    }
}

/// Prints the prototypes, the last one first, for it made the request.
struct RequestedBy<'a>(&'a [String]);

impl fmt::Display for RequestedBy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = self.0.iter().rev();
        if let Some(name) = names.next() {
            write!(f, ", requested by prototype \"{name}\"")?;
        }
        names.try_for_each(|name| write!(f, ", which \"{name}\" inherits from"))
    }
}

/// The model that an entry without the ending of models stands for, if there is one.
fn mesh_of_stem<'n>(models: &'n NRes, resource: &[u8], stem: &[u8]) -> Option<&'n Entry> {
    let find = |name: &[u8]| models.entries.get(models.find(name)?);
    let itself = find(resource).filter(|entry| entry.type_id == msh::TYPE_ID);
    itself
        .or_else(|| find(&with_ending(resource, MESH_ENDING)))
        .or_else(|| find(&with_ending(stem, MESH_ENDING)))
        .filter(|entry| !entry.data.is_empty())
}

fn mesh_ref(models: &NRes, archive: String, mesh: &Entry) -> MeshRef {
    let mesh_entry = mesh.name_bytes().to_vec();
    let wear_name = with_ending(split(&mesh_entry).0, WEAR_ENDING);
    let wear = models
        .find(&wear_name)
        .and_then(|idx| models.entries.get(idx));
    MeshRef {
        archive,
        wear_entry: wear.map(|entry| entry.name_bytes().to_vec()),
        mesh_entry,
    }
}

/// A name before its last dot, and the part behind the dot.
fn split(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    match name.iter().rposition(|byte| *byte == b'.') {
        None => (name, None),
        Some(dot) => {
            let ending = name.get(dot.saturating_add(1)..);
            (name.get(..dot).unwrap_or_default(), ending)
        }
    }
}

fn is_ending(ending: Option<&[u8]>, known: &[u8]) -> bool {
    ending.is_some_and(|ending| cmp_names(ending, known).is_eq())
}

fn with_ending(stem: &[u8], ending: &[u8]) -> Vec<u8> {
    [stem, b".", ending].concat()
}
