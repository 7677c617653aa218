//! One model with the material table beside it: a loose `*.msh`, or an entry of an archive (dossier sections 1.5,
//! 7.1 and 10.4).

use std::path::{Path, PathBuf};

use ironlands_scene::Affine;

use super::inhabitants::{Inhabitants, LevelComponent, LevelModel, LevelObject};
use super::model_scene::FirstNode;
use super::msh::Msh;
use super::wear::Wear;
use crate::bytes::Finding;
use crate::vfs::VfsError;

/// A model, and what its materials are.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFile {
    /// Name without its extension.
    pub name: String,
    /// The file, or the archive and the entry in it, as in `bases.rlb/WALKER.MSH`.
    pub path: PathBuf,
    /// The model.
    pub msh: Msh,
    /// The material table of the same name beside it.
    pub wear: Option<Wear>,
    /// What it had to do without, and what was tolerated.
    pub findings: Vec<Finding>,
}

impl ModelFile {
    /// Opens a model: a file, or a path that leads through an archive into it.
    ///
    /// # Errors
    /// There is no such file or entry, or it is broken beyond all tolerance.
    pub fn open(path: &Path) -> Result<Self, VfsError> {
        let _ = path;
        todo!()
    }

    /// The model as the only thing that stands in a level, at the origin.
    pub fn inhabitants(&self) -> Inhabitants {
        Inhabitants {
            models: vec![LevelModel {
                name: self.name.clone(),
                msh: self.msh.clone(),
                first_node: FirstNode::Own,
            }],
            objects: vec![LevelObject {
                name: self.name.clone(),
                world_from_object: Affine::IDENTITY,
                components: vec![LevelComponent {
                    model: 0,
                    attached_to: None,
                }],
                movement: None,
            }],
        }
    }
}
