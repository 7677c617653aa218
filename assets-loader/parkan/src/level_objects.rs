//! The objects of a level: the models of a mission's objects, loaded once each, and their places.
//!
//! In: a mission, and the game's archives. Out: typed models, and objects made of them (dossier sections 7.13 and
//! 10.1 to 10.5). A missing or broken reference is a finding by its name; the object goes without it.
//!
//! Deliberately absent: poses (`sim`), looks ([`super::model_scene`]).

mod load;
mod movement;
mod problems;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ironlands_scene::{Affine, Model};

pub use self::movement::{Clip, Movement, Walk};
use super::foundations::{Basement, CutLand, Foundations};
use super::land_msh::LandMsh;
use super::material_table::WearRows;
use super::model_scene::FirstNode;
use super::msh::Msh;
use ironlands_assets_core::bytes::Finding;

/// What findings of this module name as their format.
const FORMAT: &str = "parkan mission";

/// The objects of a level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelObjects {
    /// Models, each once.
    pub models: Vec<LevelModel>,
    /// Objects in the order of the mission, as far as something of them can be shown. At rest all their nodes stand
    /// at finite places.
    pub objects: Vec<LevelObject>,
    /// What the land gives way to, and which of the objects it belongs to.
    pub basements: Vec<(usize, Basement)>,
}

/// A model as objects name it.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelModel {
    /// Archive and entry, as in `bases.rlb/WALKER.MSH`.
    pub name: String,
    /// The model; shared by those that differ in their first node only.
    pub msh: Arc<Msh>,
    /// Which of the level's materials the rows of its table name.
    pub rows: WearRows,
    /// Whether its first node is its own.
    pub first_node: FirstNode,
}

/// An object: models that hang on each other.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelObject {
    /// Name for reports.
    pub name: String,
    /// Where it stands (section 10.2).
    pub world_from_object: Affine,
    /// What it is made of; parents before what hangs on them.
    pub components: Vec<LevelComponent>,
    /// How it moves, if the mission says so.
    pub movement: Option<Movement>,
}

/// A model of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelComponent {
    /// Index into [`LevelObjects::models`].
    pub model: usize,
    /// What it hangs on; `None` for the object itself.
    pub attached_to: Option<Attachment>,
}

/// A place on an earlier component of the same object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attachment {
    /// Index into [`LevelObject::components`].
    pub component: usize,
    /// Index of the node; `None` for the origin of the component (Q-W4).
    pub node: Option<usize>,
}

impl LevelObjects {
    /// Lets the buildings cut a terrain. Those that stand at the height of the land around them move there.
    pub(super) fn cut_land(
        &mut self,
        land: &LandMsh,
        findings: &mut Vec<Finding>,
    ) -> Option<CutLand> {
        let basements: Vec<Basement> = self.basements.iter().map(|(_, it)| it.clone()).collect();
        let foundations = Foundations::new(land, &basements);
        findings.extend(foundations.findings);
        for ((object, _), rise) in self.basements.iter().zip(foundations.rises) {
            if let Some(object) = self.objects.get_mut(*object) {
                let Affine([_, _, [.., z]]) = &mut object.world_from_object;
                *z += rise;
            }
        }
        foundations.cut
    }

    /// All components of all objects in order: what instances of the scene and poses are numbered by.
    pub fn components(&self) -> impl Iterator<Item = (&LevelObject, &LevelComponent)> {
        let objects = self.objects.iter();
        objects.flat_map(|object| object.components.iter().map(move |it| (object, it)))
    }
}

/// Where a component stands.
pub(super) struct Place {
    pub(super) world_from_model: Affine,
    pub(super) world_from_nodes: Vec<Affine>,
}

impl LevelObject {
    /// Where its components stand at rest, by the nodes of the level's models.
    #[expect(
        clippy::indexing_slicing,
        reason = "components name earlier ones, and models that were loaded with them"
    )]
    pub(super) fn at_rest(&self, models: &[Model]) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(self.components.len());
        for component in &self.components {
            let world_from_model = match component.attached_to {
                None => self.world_from_object,
                Some(Attachment { component, node }) => {
                    let parent = &places[component];
                    node.map_or(parent.world_from_model, |node| {
                        parent.world_from_nodes[node]
                    })
                }
            };
            let mut world_from_nodes = Vec::new();
            models[component.model].rest_pose(&world_from_model, &mut world_from_nodes);
            places.push(Place {
                world_from_model,
                world_from_nodes,
            });
        }
        places
    }
}
