//! What stands in a level: the models of a mission's objects, loaded once each, and where they stand.
//!
//! In: a mission, and the game's archives. Out: typed models, and objects made of them (dossier sections 7.13 and
//! 10.1 to 10.5). A missing or broken reference is a finding by its name; the object goes without it.
//!
//! Deliberately absent: poses (`sim`), looks ([`super::model_scene`]).

use ironlands_scene::Affine;

use super::material_table::WearRows;
use super::model_scene::FirstNode;
use super::msh::Msh;

/// What stands in a level.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inhabitants {
    /// Models, each once.
    pub models: Vec<LevelModel>,
    /// Objects in the order of the mission, as far as something of them can be shown.
    pub objects: Vec<LevelObject>,
}

/// A model as objects name it.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelModel {
    /// Archive and entry, as in `bases.rlb/WALKER.MSH`.
    pub name: String,
    /// The model.
    pub msh: Msh,
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
    /// Index into [`Inhabitants::models`].
    pub model: usize,
    /// What it hangs on; `None` for the object itself.
    pub attached_to: Option<Attachment>,
}

/// A node of an earlier component of the same object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attachment {
    /// Index into [`LevelObject::components`].
    pub component: usize,
    /// Index of the node.
    pub node: usize,
}

/// Motion by our own convention (`docs/missions.md`): no known file of the game has such properties.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Movement {
    /// Frames that are played in a loop.
    pub clip: Option<Clip>,
    /// The way that it goes.
    pub walk: Option<Walk>,
}

/// A run of frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// First frame.
    pub first: f32,
    /// Last frame, which looks like the first where the loop closes.
    pub last: f32,
    /// Frames per second.
    pub rate: f32,
}

/// A closed way, walked at an even speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// Corners of the way in world units; from the last it goes back to the first. At least two.
    pub points: Vec<[f32; 3]>,
    /// World units per second.
    pub speed: f32,
    /// Distance along the way at the start.
    pub start: f32,
}

impl Inhabitants {
    /// All components of all objects in order: what instances of the scene and poses are numbered by.
    pub fn components(&self) -> impl Iterator<Item = (&LevelObject, &LevelComponent)> {
        let objects = self.objects.iter();
        objects.flat_map(|object| object.components.iter().map(move |it| (object, it)))
    }
}
