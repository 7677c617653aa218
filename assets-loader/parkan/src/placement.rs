//! The placements of a mission, by name (dossier sections 10.2 to 10.5 and 7.13).
//!
//! In: a [`Mission`] and the files of the game. Out: for each object a transform, and the meshes that it is put
//! together from. A resource that ends in `.dat` is a unit file with a component for each record; any other is
//! the name of a prototype. Whatever is missing or broken is one finding, however many objects need it, and
//! everything else continues.
//!
//! Deliberately absent: models (none is read), the ground (heights are those of the file).

mod level_mission;
#[cfg(test)]
mod tests;
mod transform;

use std::collections::HashMap;
use std::sync::Arc;

use ironlands_scene::Affine;

pub use self::level_mission::MISSIONS;
pub use self::level_mission::{LevelMission, mission_file};
pub use self::transform::world_from_object;
use super::findings::Findings;
use super::mission::{Mission, Object, ObjectKind};
use super::registry::{ARCHIVE, BasementRef, MeshRef, Registry, ResolveCause, ResolveError};
use super::unit_dat::{ComponentType, UnitDat, UnitRecord};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// What findings of this module name as their format.
const FORMAT: &str = "placement";
/// What resources that are unit files end in.
const UNIT_ENDING: &[u8] = b".dat";

/// The placements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Placements {
    /// In the order of the mission, without those that stand nowhere.
    pub objects: Vec<PlacedObject>,
    /// What is missing or broken.
    pub findings: Vec<Finding>,
}

/// An object and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedObject {
    /// Which object of the mission.
    pub object_idx: usize,
    /// Its own name, or that of its resource if it has none.
    pub name: String,
    /// From the root of the object to the world; finite.
    pub world_from_object: Affine,
    /// Shared by all objects of one resource. None for an object without geometry, as a sun, and for one
    /// whose resource is missing.
    pub components: Arc<[Component]>,
    /// What the land gives way to, for a building.
    pub basement: Option<BasementRef>,
}

/// One mesh of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The mesh and its material table, both known to be there.
    pub mesh: MeshRef,
    /// What the unit file says that it is; `None` for a prototype that stands alone.
    pub component_type: Option<ComponentType>,
    /// The component that it is attached to, which stands before it.
    pub parent: Option<usize>,
    /// The node of the parent's mesh that it sits on; without one it sits at the parent's root. Whether the
    /// parent has that node is not known before it is read (Q-W4).
    pub attach_piece: Option<u32>,
}

impl Component {
    /// Whether its node 0, geometry and pose, gives way to where it is attached (section 7.13, Q-K7).
    pub const fn is_attached(&self) -> bool {
        self.parent.is_some()
    }
}

impl Placements {
    /// Places all objects of a mission. Each archive is opened once, each unit file read once.
    pub fn from_mission(mission: &Mission, vfs: &Vfs) -> Self {
        let mut expander = Expander::new(vfs);
        let (mut objects, mut nowhere) = (Vec::new(), Vec::new());
        for (object_idx, object) in mission.objects.iter().enumerate() {
            let world_from_object = world_from_object(object);
            if !world_from_object.is_finite() {
                let message = format!("object {object_idx}: a number of its place is not finite");
                nowhere.push((None, message));
                continue;
            }
            let is_building = object.kind() == Some(ObjectKind::Building);
            objects.push(PlacedObject {
                object_idx,
                name: name_of(object),
                world_from_object,
                components: expander.components(object_idx, &object.resource),
                basement: is_building
                    .then(|| expander.basement(&object.resource))
                    .flatten(),
            });
        }
        let mut findings = Findings::new(FORMAT);
        findings.rule(Severity::Error, nowhere);
        findings.extend(expander.into_findings());
        Self {
            objects,
            findings: findings.into_list(),
        }
    }
}

/// An object's own name, or that of its resource if it has none.
pub fn name_of(object: &Object) -> String {
    let name = match &object.instance_name[..] {
        [] => &object.resource,
        name => name,
    };
    decode_cp1251(name).into_owned()
}

/// Expands resources, each once, and counts what they lack.
struct Expander<'a> {
    vfs: &'a Vfs,
    registry: Registry<'a>,
    /// By resource in lower case.
    known: HashMap<Vec<u8>, Expanded>,
    lacks: Vec<Lack>,
    /// Position in `lacks`, by cause in lower case, for so names compare.
    lack_of_cause: HashMap<String, usize>,
    /// By resource in lower case.
    basements: HashMap<Vec<u8>, Option<BasementRef>>,
}

/// What a resource is put together from.
#[derive(Debug, Clone)]
struct Expanded {
    components: Arc<[Component]>,
    /// Positions in the list of all lacks.
    lacks: Arc<[usize]>,
}

/// Something that is missing or broken.
struct Lack {
    severity: Severity,
    /// What is missing, and which object was the first to need it.
    message: String,
    first_object_idx: usize,
    n_objects: usize,
}

impl<'a> Expander<'a> {
    fn new(vfs: &'a Vfs) -> Self {
        Self {
            vfs,
            registry: Registry::new(vfs),
            known: HashMap::new(),
            lacks: Vec::new(),
            lack_of_cause: HashMap::new(),
            basements: HashMap::new(),
        }
    }

    fn components(&mut self, object_idx: usize, resource: &[u8]) -> Arc<[Component]> {
        let key = resource.to_ascii_lowercase();
        let expanded = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => {
                let is_unit = key.ends_with(UNIT_ENDING);
                let (components, mut lacks) = if is_unit {
                    self.expand_unit(&decode_cp1251(resource))
                } else {
                    self.expand_prototype(resource)
                };
                lacks.sort_unstable();
                lacks.dedup();
                let expanded = Expanded {
                    components: components.into(),
                    lacks: lacks.into(),
                };
                self.known.insert(key, expanded.clone());
                expanded
            }
        };
        self.note_need(&expanded.lacks, object_idx);
        expanded.components
    }

    /// The first basement of what a resource is put together from.
    fn basement(&mut self, resource: &[u8]) -> Option<BasementRef> {
        let key = resource.to_ascii_lowercase();
        if let Some(known) = self.basements.get(&key) {
            return known.clone();
        }
        let found = if key.ends_with(UNIT_ENDING) {
            let unit = (self.vfs).open_as(&decode_cp1251(resource), UnitDat::read);
            let records = unit.map(|unit| unit.records).unwrap_or_default();
            let mut records = records.iter();
            records.find_map(|it| self.registry.basement(it.archive(), it.resource()))
        } else {
            self.registry.basement(ARCHIVE.as_bytes(), resource)
        };
        self.basements.insert(key, found.clone());
        found
    }

    fn expand_prototype(&mut self, name: &[u8]) -> (Vec<Component>, Vec<usize>) {
        let mut lacks = Vec::new();
        let resolved = self.registry.resolve(name);
        let mesh = self.mesh(resolved, "", &mut lacks);
        let component = mesh.map(|mesh| Component {
            mesh,
            component_type: None,
            parent: None,
            attach_piece: None,
        });
        (component.into_iter().collect(), lacks)
    }

    fn expand_unit(&mut self, name: &str) -> (Vec<Component>, Vec<usize>) {
        let read = self.vfs.open_as(name, |data| {
            let unit = UnitDat::read(data)?;
            let parents = unit.parents()?;
            Ok((unit, parents))
        });
        let (unit, parents) = match read {
            Ok(unit) => unit,
            Err(error) => {
                let lack = self.lack(severity_of(&error), &error.to_string(), "");
                return (Vec::new(), vec![lack]);
            }
        };
        let requested_by = format!(", requested by unit {name}");
        let (mut components, mut lacks) = (Vec::new(), Vec::new());
        let mut seats: Vec<Option<Seat>> = Vec::with_capacity(parents.len());
        for (record, parent) in unit.records.iter().zip(parents) {
            let parent_seat = parent.and_then(|parent| *seats.get(parent)?);
            let resolved = self
                .registry
                .resolve_ref(record.archive(), record.resource());
            let Some(mesh) = self.mesh(resolved, &requested_by, &mut lacks) else {
                seats.push(parent_seat.map(Seat::through_no_mesh));
                continue;
            };
            let attach_piece = match parent_seat.map(|seat| seat.piece(record)) {
                None | Some(Ok(None)) => None,
                Some(Ok(piece)) => piece,
                Some(Err(problem)) => {
                    lacks.push(self.lack(Severity::Warning, &problem, &requested_by));
                    None
                }
            };
            seats.push(Some(Seat {
                component_idx: components.len(),
                has_own_mesh: true,
            }));
            components.push(Component {
                mesh,
                component_type: record.component_type(),
                parent: parent_seat.map(|seat| seat.component_idx),
                attach_piece,
            });
        }
        (components, lacks)
    }

    /// The mesh, if there is one and it is not lacking.
    fn mesh(
        &mut self,
        resolved: Result<Option<MeshRef>, ResolveError>,
        requested_by: &str,
        lacks: &mut Vec<usize>,
    ) -> Option<MeshRef> {
        match resolved {
            Ok(mesh) => {
                if let Some(mesh) = mesh.as_ref().filter(|mesh| mesh.wear_entry.is_none()) {
                    let name = decode_cp1251(&mesh.mesh_entry);
                    let cause = format!("{}: \"{name}\" has no material table", mesh.archive);
                    lacks.push(self.lack(Severity::Warning, &cause, requested_by));
                }
                mesh
            }
            Err(error) => {
                let severity = match &error.cause {
                    ResolveCause::File(error) => severity_of(error),
                    ResolveCause::Cycle { .. }
                    | ResolveCause::TooDeep
                    | ResolveCause::TooManyRefs => Severity::Error,
                };
                // One missing thing is one lack, whichever way leads to it.
                let cause = error.cause.to_string();
                let way = error.to_string();
                let way = way.strip_prefix(&cause).unwrap_or_default();
                lacks.push(self.lack(severity, &cause, &format!("{way}{requested_by}")));
                None
            }
        }
    }

    /// Position of the lack; it is listed at its first mention, with what needs it.
    fn lack(&mut self, severity: Severity, cause: &str, requested_by: &str) -> usize {
        let lacks = &mut self.lacks;
        let key = cause.to_ascii_lowercase();
        *self.lack_of_cause.entry(key).or_insert_with(|| {
            let new = lacks.len();
            lacks.push(Lack {
                severity,
                message: format!("{cause}{requested_by}"),
                first_object_idx: 0,
                n_objects: 0,
            });
            new
        })
    }

    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "lacks are listed before objects need them"
    )]
    fn note_need(&mut self, lacks: &[usize], object_idx: usize) {
        for lack in lacks {
            let lack = &mut self.lacks[*lack];
            if lack.n_objects == 0 {
                lack.first_object_idx = object_idx;
            }
            lack.n_objects += 1;
        }
    }

    fn into_findings(self) -> Vec<Finding> {
        let finding = |lack: Lack| {
            let askers = match lack.n_objects {
                1 => format!("object {} needs it", lack.first_object_idx),
                n => format!("{n} objects need it, {} first", lack.first_object_idx),
            };
            let message = format!("{}; {askers}", lack.message);
            Finding::new(lack.severity, FORMAT, message)
        };
        self.lacks.into_iter().map(finding).collect()
    }
}

/// What the children of a record are attached to.
#[derive(Debug, Clone, Copy)]
struct Seat {
    /// The nearest component up the tree.
    component_idx: usize,
    /// Whether it is that of the record itself: only then the children's pieces are its nodes.
    has_own_mesh: bool,
}

impl Seat {
    fn through_no_mesh(self) -> Self {
        Self {
            has_own_mesh: false,
            ..self
        }
    }

    /// The node that a child sits on; items have a slot of the control data instead, which is no node.
    fn piece(self, child: &UnitRecord) -> Result<Option<u32>, String> {
        let sits_on_piece = matches!(
            child.component_type(),
            Some(ComponentType::Turret | ComponentType::Cannon)
        );
        if !sits_on_piece || !self.has_own_mesh {
            return Ok(None);
        }
        u32::try_from(child.attach_idx).map(Some).map_err(|_| {
            let name = decode_cp1251(child.resource());
            let piece = child.attach_idx;
            format!("\"{name}\" sits on piece {piece} of its parent and is put at its root")
        })
    }
}

/// What is not there may be missing on purpose; what exists and cannot be used is an error.
fn severity_of(error: &VfsError) -> Severity {
    match error {
        VfsError::FileMissing { .. } | VfsError::EntryMissing { .. } => Severity::Warning,
        VfsError::PathRefused { .. }
        | VfsError::EntryEmpty { .. }
        | VfsError::Invalid { .. }
        | VfsError::Io { .. } => Severity::Error,
    }
}
