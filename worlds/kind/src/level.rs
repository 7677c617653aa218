//! What opening a level or a model gives.

use std::path::Path;
use std::sync::Arc;

use ironlands_assets_core::bytes::Finding;
use ironlands_scene::Scene;
use ironlands_sim_world::World;

use crate::{LevelEditor, OpenError};

/// A level or a model with its typed files, for programs that know its world.
#[derive(Debug, Clone, PartialEq)]
pub struct Level<F> {
    /// What is drawn; it has passed [`Scene::validate`].
    pub scene: Scene,
    /// The files that it was made of.
    pub files: F,
    /// What it had to do without, of the files and of the scene.
    pub findings: Vec<Finding>,
}

impl<F> Level<F> {
    /// A level whose scene is valid, with the findings of its files and those of its scene.
    ///
    /// # Errors
    /// [`OpenError::InvalidScene`].
    pub fn new(
        path: &Path,
        files: F,
        of_files: &[Finding],
        (scene, of_scene): (Scene, Vec<Finding>),
    ) -> Result<Self, OpenError> {
        Ok(Self {
            scene: validated(path, scene)?,
            files,
            findings: of_files.iter().cloned().chain(of_scene).collect(),
        })
    }

    /// The level without its files, as the engine knows it.
    pub fn opened(self, world: Arc<dyn World>) -> Opened {
        Opened {
            scene: self.scene,
            world,
            findings: self.findings,
            model: None,
            editor: None,
        }
    }
}

/// A level or a model, as the engine knows it.
pub struct Opened {
    /// What is drawn; it has passed [`Scene::validate`].
    pub scene: Scene,
    /// What camera, picking and panels query.
    pub world: Arc<dyn World>,
    /// What it had to do without.
    pub findings: Vec<Finding>,
    /// What a model can be made to show beside its frames; `None` for levels and simple models.
    pub model: Option<ModelSheet>,
    /// Edits the level; `None` where its world has no editor.
    pub editor: Option<Box<dyn LevelEditor>>,
}

/// What a model can be made to show: its animations and the shape of its body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelSheet {
    /// In file order.
    pub animations: Vec<AnimationSheet>,
    /// The one that plays by default.
    pub idle: Option<usize>,
    /// What shapes it.
    pub sliders: Vec<Slider>,
    /// What its states are, in words; empty = they are known by their numbers.
    pub states: Vec<String>,
}

impl ModelSheet {
    /// The last frame of an animation; 0 at rest.
    pub fn last_frame(&self, animation: Option<usize>) -> f32 {
        let sheet = animation.and_then(|animation| self.animations.get(animation));
        sheet.map_or(0.0, |sheet| sheet.last_frame)
    }

    /// The animation of a name, in any case.
    pub fn animation(&self, name: &str) -> Option<usize> {
        let mut animations = self.animations.iter();
        animations.position(|it| it.name.eq_ignore_ascii_case(name))
    }

    /// Where the sliders begin.
    pub fn values(&self) -> Arc<[f32]> {
        self.sliders.iter().map(|slider| slider.value).collect()
    }
}

/// A number that shapes a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Slider {
    /// What it changes.
    pub label: String,
    /// Where it begins.
    pub value: f32,
    /// Its ends; what is typed may go beyond them.
    pub range: [f32; 2],
}

/// An animation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnimationSheet {
    /// As stored.
    pub name: String,
    /// Of a cycle the one that is its first again.
    pub last_frame: f32,
    /// Its length and whether it loops, in words.
    pub length: String,
    /// What else is known of it.
    pub facts: String,
}

/// The scene, if it is valid.
///
/// # Errors
/// [`OpenError::InvalidScene`].
pub fn validated(path: &Path, scene: Scene) -> Result<Scene, OpenError> {
    match scene.validate() {
        Ok(()) => Ok(scene),
        Err(error) => Err(OpenError::InvalidScene {
            path: path.to_owned(),
            error,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn animations_go_by_name_in_any_case() {
        let animation = |name: &str, last_frame| AnimationSheet {
            name: name.to_owned(),
            last_frame,
            ..AnimationSheet::default()
        };
        let sheet = ModelSheet {
            animations: vec![animation("uattack01", 9.0), animation("cidle", 24.0)],
            idle: Some(1),
            ..ModelSheet::default()
        };
        assert_eq!(sheet.animation("UAttack01"), Some(0));
        assert_eq!(sheet.animation("walk"), None);
        assert_eq!(sheet.last_frame(Some(1)), 24.0);
        assert_eq!(sheet.last_frame(None), 0.0);
    }
}
