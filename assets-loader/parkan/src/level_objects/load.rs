//! From places by name to models.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use ironlands_scene::{Affine, Model};

use super::movement::Paths;
use super::problems::Problems;
use super::{Attachment, FORMAT, LevelComponent, LevelModel, LevelObject, LevelObjects};
use crate::bas::Bas;
use crate::foundations::Basement;
use crate::material_table::{MaterialResolver, WearRows};
use crate::mission::Mission;
use crate::model_scene::{FirstNode, check_rows, nodes_of};
use crate::msh::Msh;
use crate::msh_animation::QuaternionOrder;
use crate::open::{Source, open_model_at, open_wear_at, optional};
use crate::placement::{Component, PlacedObject, Placements};
use crate::registry::{BasementRef, MeshRef};
use crate::unit_dat::ComponentType;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::Vfs;

/// How much stands in a level at most. A small file can name far more, since objects share what they are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) n_components: usize,
    pub(super) n_nodes: usize,
}

/// The largest known mission has a few thousand models, of some ten nodes each.
const LIMITS: Limits = Limits {
    n_components: 1 << 18,
    n_nodes: 1 << 20,
};

impl LevelObjects {
    /// Loads what a mission places; its materials are resolved into the level's own table.
    pub(crate) fn load(
        mission: &Mission,
        quaternions: Option<QuaternionOrder>,
        vfs: &Vfs,
        resolver: &mut MaterialResolver<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        Self::load_within(LIMITS, mission, quaternions, vfs, resolver, findings)
    }

    /// As [`Self::load`], up to the first object that is beyond the limits.
    pub(super) fn load_within(
        limits: Limits,
        mission: &Mission,
        quaternions: Option<QuaternionOrder>,
        vfs: &Vfs,
        resolver: &mut MaterialResolver<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let Limits {
            n_components: max_components,
            n_nodes: max_nodes,
        } = limits;
        let placements = Placements::from_mission(mission, vfs);
        findings.extend(placements.findings);
        let mut loader = Loader {
            vfs,
            resolver,
            findings,
            quaternions,
            problems: Problems::default(),
            paths: Paths::from_mission(mission),
            read: HashMap::new(),
            models: Vec::new(),
            at_rest: Vec::new(),
            bases: HashMap::new(),
        };
        let (mut objects, mut basements) = (Vec::new(), Vec::new());
        let (mut n_components, mut n_nodes) = (0, 0);
        for placed in &placements.objects {
            n_components = placed.components.len().saturating_add(n_components);
            // Not even read if they are too many.
            let object = (n_components <= max_components).then(|| loader.object(placed, mission));
            let nodes = object.iter().flatten().map(|it| loader.n_nodes(it));
            n_nodes = nodes.fold(n_nodes, usize::saturating_add);
            if n_components > max_components || n_nodes > max_nodes {
                let message = format!(
                    "more than {max_components} models, or {max_nodes} nodes of them; the rest is left out"
                );
                let finding = Finding::new(Severity::Error, FORMAT, message);
                loader.findings.push(finding);
                break;
            }
            let object = object.flatten().filter(|it| loader.require_finite(it));
            if let Some(object) = object {
                let basement = loader.basement(placed, mission);
                basements.extend(basement.map(|it| (objects.len(), it)));
                objects.push(object);
            }
        }
        loader.findings.extend(loader.problems.into_findings());
        Self {
            models: loader.models,
            objects,
            basements,
        }
    }
}

/// Whether it lies in a slot of control data that no one reads (dossier section 10.3): where it would be seen, if
/// anywhere, is not known.
fn is_item(component: &Component) -> bool {
    use ComponentType::{Ammunition, Armor, Part};
    matches!(component.component_type, Some(Armor | Part | Ammunition))
}

struct Loader<'a, 'v> {
    vfs: &'a Vfs,
    resolver: &'a mut MaterialResolver<'v>,
    findings: &'a mut Vec<Finding>,
    /// For models that are read in another order than that which fits them.
    quaternions: Option<QuaternionOrder>,
    problems: Problems,
    paths: Paths,
    /// Models that were requested, by archive and entry in lower case; `None` for one that could not be opened,
    /// which has been said.
    read: HashMap<(String, Vec<u8>), Option<ReadModel>>,
    models: Vec<LevelModel>,
    /// The nodes of each of the models, and nothing else of them.
    at_rest: Vec<Model>,
    /// Basements that were requested, by archive and entry; `None` for one that could not be opened.
    bases: HashMap<(String, Vec<u8>), Option<Arc<Bas>>>,
}

/// A model that was read, whatever becomes of its first node.
struct ReadModel {
    name: String,
    msh: Arc<Msh>,
    rows: WearRows,
    /// Index among the models of the level, once it is there.
    with_own_node: Option<usize>,
    with_attach_root: Option<usize>,
}

impl Loader<'_, '_> {
    /// The object; `None` if nothing of it can be shown.
    fn object(&mut self, placed: &PlacedObject, mission: &Mission) -> Option<LevelObject> {
        let mut components = Vec::with_capacity(placed.components.len());
        // Where each component of the placement went.
        let mut places: Vec<Option<usize>> = Vec::with_capacity(placed.components.len());
        for component in placed.components.iter() {
            if is_item(component) {
                places.push(None);
                continue;
            }
            let first_node = match component.is_attached() {
                true => FirstNode::AttachRoot,
                false => FirstNode::Own,
            };
            let model = self.model(&component.mesh, first_node);
            places.push(model.map(|_| components.len()));
            if let Some(model) = model {
                let attached_to = self.attachment(&placed.name, component, &places, &components);
                components.push(LevelComponent { model, attached_to });
            }
        }
        let object = mission.objects.get(placed.object_idx)?;
        (!components.is_empty()).then(|| LevelObject {
            name: placed.name.clone(),
            world_from_object: placed.world_from_object,
            components,
            movement: self
                .paths
                .movement(object, &placed.name, &mut self.problems),
        })
    }

    /// What the land gives way to.
    fn basement(&mut self, placed: &PlacedObject, mission: &Mission) -> Option<Basement> {
        let BasementRef { archive, entry } = placed.basement.as_ref()?;
        let (vfs, findings) = (self.vfs, &mut *self.findings);
        let read = self.bases.entry((archive.clone(), entry.clone()));
        let bas = read.or_insert_with(|| {
            let bas = Source::Entry { archive, entry }.open_as(vfs, Bas::read);
            optional(bas, findings).map(Arc::new)
        });
        let object = mission.objects.get(placed.object_idx)?;
        Some(Basement {
            name: placed.name.clone(),
            bas: Arc::clone(bas.as_ref()?),
            world_from_object: placed.world_from_object,
            keeps_height: object.unknown_word != 0,
        })
    }

    /// Where a component hangs. What hangs on a model that is missing stands at the object's origin.
    fn attachment(
        &mut self,
        object_name: &str,
        component: &Component,
        places: &[Option<usize>],
        components: &[LevelComponent],
    ) -> Option<Attachment> {
        let parent = *places.get(component.parent?)?;
        let parent = parent?;
        let model = components.get(parent).map(|it| it.model)?;
        let model = self.models.get(model)?;
        let n_nodes = model.msh.nodes.as_slice().len();
        let node = component.attach_piece.map(|piece| piece as usize);
        let exists = node.is_some_and(|node| node < n_nodes);
        if let Some(node) = node.filter(|_| !exists) {
            let name = &model.name;
            let message = format!(
                "a model hangs on node {node} of {name}, which has {n_nodes}; it stands at its origin"
            );
            let kind = (Severity::Warning, "attachment");
            self.problems.add(kind, message, object_name);
        }
        Some(Attachment {
            component: parent,
            node: node.filter(|_| exists),
        })
    }

    fn model(&mut self, mesh: &MeshRef, first_node: FirstNode) -> Option<usize> {
        let key = (mesh.archive.clone(), mesh.mesh_entry.to_ascii_lowercase());
        let read = match self.read.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                let mut read = read_model(mesh, self.vfs, self.resolver, self.findings);
                if let Some(read) = &mut read {
                    Arc::make_mut(&mut read.msh).quaternions = self.quaternions;
                }
                vacant.insert(read)
            }
        };
        let ReadModel {
            name,
            msh,
            rows,
            with_own_node,
            with_attach_root,
        } = read.as_mut()?;
        let known = match first_node {
            FirstNode::Own => with_own_node,
            FirstNode::AttachRoot => with_attach_root,
        };
        Some(*known.get_or_insert_with(|| {
            let new = self.models.len();
            self.models.push(LevelModel {
                name: name.clone(),
                msh: Arc::clone(msh),
                rows: rows.clone(),
                first_node,
            });
            self.at_rest.push(Model {
                nodes: nodes_of(msh, first_node),
                ..Model::default()
            });
            new
        }))
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "components name models that were loaded"
    )]
    fn n_nodes(&self, object: &LevelObject) -> usize {
        let components = object.components.iter();
        components
            .map(|it| self.at_rest[it.model].nodes.len())
            .sum()
    }

    /// Whether all its nodes stand somewhere: large numbers times large numbers may be too large.
    fn require_finite(&mut self, object: &LevelObject) -> bool {
        let places = object.at_rest(&self.at_rest);
        let is_finite = places.iter().all(|it| {
            it.world_from_model.is_finite() && it.world_from_nodes.iter().all(Affine::is_finite)
        });
        if !is_finite {
            let message = "the places of its models are not finite; it is left out".to_owned();
            let kind = (Severity::Error, "place");
            self.problems.add(kind, message, &object.name);
        }
        is_finite
    }
}

fn read_model(
    mesh: &MeshRef,
    vfs: &Vfs,
    resolver: &mut MaterialResolver<'_>,
    findings: &mut Vec<Finding>,
) -> Option<ReadModel> {
    let MeshRef {
        archive,
        mesh_entry,
        wear_entry,
    } = mesh;
    let source = |entry| Source::Entry { archive, entry };
    let msh = open_model_at(vfs, source(mesh_entry), findings);
    let msh = optional(msh, findings)?;
    let wear = wear_entry.as_ref().and_then(|entry| {
        let wear = open_wear_at(vfs, source(entry), findings);
        optional(wear, findings)
    });
    let name = format!("{archive}/{}", decode_cp1251(mesh_entry));
    let n_rows = wear.as_ref().map_or(0, |wear| wear.materials.len());
    findings.extend(check_rows(&name, &msh, n_rows));
    Some(ReadModel {
        name,
        msh: Arc::new(msh),
        rows: wear.map(|wear| resolver.wear(&wear)).unwrap_or_default(),
        with_own_node: None,
        with_attach_root: None,
    })
}
