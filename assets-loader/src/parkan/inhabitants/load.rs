//! From places by name to models.

use std::collections::HashMap;

use super::{Attachment, FORMAT, Inhabitants, LevelComponent, LevelModel, LevelObject, Movement};
use crate::bytes::{Finding, Severity};
use crate::parkan::material_table::MaterialResolver;
use crate::parkan::mission::Mission;
use crate::parkan::model_scene::{FirstNode, check_rows};
use crate::parkan::open::{open_model, open_wear, optional};
use crate::parkan::placement::{Component, PlacedObject, Placements};
use crate::parkan::registry::MeshRef;
use crate::parkan::text::decode_cp1251;
use crate::parkan::unit_dat::ComponentType;
use crate::vfs::Vfs;

/// Most models that stand in a level; the largest known mission has a few thousand. A small file can name far
/// more, since objects share what they are made of.
const MAX_COMPONENTS: usize = 1 << 18;

impl Inhabitants {
    /// Loads what a mission places; its materials are resolved into the level's own table.
    pub(in crate::parkan) fn load(
        mission: &Mission,
        vfs: &Vfs,
        resolver: &mut MaterialResolver<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let placements = Placements::of_mission(mission, vfs);
        findings.extend(placements.findings);
        let mut loader = Loader {
            vfs,
            resolver,
            findings,
            known: HashMap::new(),
            models: Vec::new(),
        };
        let mut objects = Vec::new();
        let mut n_components = 0;
        for placed in &placements.objects {
            n_components += placed.components.len();
            if n_components > MAX_COMPONENTS {
                let message = format!("more than {MAX_COMPONENTS} models; the rest is left out");
                let finding = Finding::new(Severity::Error, FORMAT, message);
                loader.findings.push(finding);
                break;
            }
            objects.extend(loader.object(placed, mission));
        }
        Self {
            models: loader.models,
            objects,
        }
    }
}

/// Whether it lies in a slot of control data that no one reads (dossier section 10.3): where it would be seen, if
/// anywhere, is not known.
fn is_item(component: &Component) -> bool {
    use ComponentType::{Ammunition, Armour, Part};
    matches!(component.component_type, Some(Armour | Part | Ammunition))
}

struct Loader<'a, 'v> {
    vfs: &'a Vfs,
    resolver: &'a mut MaterialResolver<'v>,
    findings: &'a mut Vec<Finding>,
    /// Index of each model that was asked for; `None` for one that could not be opened, which has been said.
    known: HashMap<(String, Vec<u8>, FirstNode), Option<usize>>,
    models: Vec<LevelModel>,
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
                let attached_to = self.attachment(component, &places, &components);
                components.push(LevelComponent { model, attached_to });
            }
        }
        let object = mission.objects.get(placed.object_idx)?;
        (!components.is_empty()).then(|| LevelObject {
            name: placed.name.clone(),
            world_from_object: placed.world_from_object,
            components,
            movement: Movement::of_object(object, mission, self.findings),
        })
    }

    /// Where a component hangs. What hangs on a model that is missing stands at the object's origin.
    fn attachment(
        &mut self,
        component: &Component,
        places: &[Option<usize>],
        components: &[LevelComponent],
    ) -> Option<Attachment> {
        let parent = *places.get(component.parent?)?;
        let parent = parent?;
        let model = components.get(parent).map(|it| it.model)?;
        let n_nodes = self.models.get(model)?.msh.nodes.as_slice().len();
        let node = component.attach_piece.map(|piece| piece as usize);
        let exists = node.is_some_and(|node| node < n_nodes);
        if let Some(node) = node.filter(|_| !exists) {
            let name = &self.models[model].name;
            let message = format!(
                "a model hangs on node {node} of {name}, which has {n_nodes}; it stands at its origin"
            );
            let finding = Finding::new(Severity::Warning, FORMAT, message);
            if !self.findings.contains(&finding) {
                self.findings.push(finding);
            }
        }
        Some(Attachment {
            component: parent,
            node: node.filter(|_| exists),
        })
    }

    fn model(&mut self, mesh: &MeshRef, first_node: FirstNode) -> Option<usize> {
        let MeshRef {
            archive,
            mesh_entry,
            wear_entry,
        } = mesh;
        let key = (archive.clone(), mesh_entry.to_ascii_lowercase(), first_node);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let name = format!("{archive}/{}", decode_cp1251(mesh_entry));
        let msh = open_model(self.vfs, &name, self.findings);
        let model = optional(msh, self.findings).map(|msh| {
            let wear = wear_entry.as_ref().and_then(|entry| {
                let name = format!("{archive}/{}", decode_cp1251(entry));
                let wear = open_wear(self.vfs, &name, self.findings);
                optional(wear, self.findings)
            });
            let n_rows = wear.as_ref().map_or(0, |wear| wear.materials.len());
            self.findings.extend(check_rows(&name, &msh, n_rows));
            let rows = wear.map(|wear| self.resolver.wear(&wear));
            self.models.push(LevelModel {
                name,
                msh,
                rows: rows.unwrap_or_default(),
                first_node,
            });
            self.models.len() - 1
        });
        self.known.insert(key, model);
        model
    }
}
