//! A level, or a model alone, as the program holds it: what to draw, the world to query, and where to start.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use glam::Vec3;

use crate::assets::bytes::Finding;
use crate::camera::{Pose, Surroundings};
use crate::console::findings::log_findings;
use crate::editing::UntakenEditor;
use crate::error::AppError;
use crate::kind::{AnyWorldKind, ModelSheet, OpenOptions, Opened, Registry};
use crate::land_options::LandOptions;
use crate::level_defaults::LevelDefaults;
use crate::model_contents::{ModelContents, Named, box_at_rest};
use crate::model_stage;
use crate::objects::{LevelObject, objects_of};
use crate::renderer::{Gpu, Renderer, SceneGpu};
use crate::scene::{Aabb, Scene, Spawn};
use crate::sim::Ray;
use crate::sim::world::Poses;
use crate::sim::world::{Gait, WalkInput, Walker, World, WorldHit};

/// How far a pick reaches, in units: beyond any level.
const REACH: f32 = 1.0e7;
/// How high above streamed land one starts at least.
const START_ABOVE_GROUND: f32 = 1500.0;

/// What is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A level, by its path.
    Level(PathBuf),
    /// A model alone, by its path.
    Model(PathBuf),
}

/// An opened level, or a model alone.
pub struct LoadedLevel {
    /// What it was opened from.
    pub path: PathBuf,
    pub kind: &'static dyn AnyWorldKind,
    pub scene: Scene,
    pub world: Arc<dyn World>,
    /// What it had to do without.
    pub findings: Vec<Finding>,
    /// Its models, counted.
    pub contents: ModelContents,
    /// The objects of a level; empty for a model alone.
    pub objects: Vec<LevelObject>,
    /// Around a model that is looked at alone; `None` for a level.
    pub model_bounds: Option<Aabb>,
    /// What a model that is looked at alone can show beside its frames.
    pub model: Option<ModelSheet>,
    /// How it is first shown.
    pub defaults: LevelDefaults,
    /// Edits it, for the window that takes it.
    pub editor: UntakenEditor,
    /// Whether it can be edited.
    pub is_editable: bool,
}

impl LoadedLevel {
    /// Opens a level or model.
    ///
    /// # Errors
    /// If it is no such thing, or broken.
    pub fn open(
        subject: &Subject,
        registry: &Registry,
        options: &OpenOptions,
    ) -> Result<Self, AppError> {
        let (Subject::Level(path) | Subject::Model(path)) = subject;
        let (kind, opened, named) = match subject {
            Subject::Level(_) => {
                let level = registry.open(path, options).map_err(AppError::OpenLevel);
                let (kind, opened) = level?;
                (kind, opened, Named::Instances)
            }
            Subject::Model(_) => {
                let model = registry.open_model(path, options);
                let (kind, opened) = model.map_err(AppError::OpenModel)?;
                (kind, opened, Named::Nodes)
            }
        };
        let Opened {
            mut scene,
            world,
            findings,
            model,
            editor,
        } = opened;
        let model_bounds = match named {
            Named::Instances => None,
            // At rest, posed models may stand half in the ground: where they stand is part of what they play.
            Named::Nodes => {
                // What only emits particles has no vertices.
                let is_known_to_world = model.is_some() || scene.instances.is_empty();
                let bounds = is_known_to_world.then(|| bounds_of(&*world)).flatten();
                Some(set_up_model(&mut scene, bounds))
            }
        };
        Ok(Self {
            path: path.clone(),
            kind,
            contents: ModelContents::new(&scene, named),
            objects: match named {
                Named::Instances => objects_of(&scene, &*world),
                Named::Nodes => Vec::new(),
            },
            scene,
            world,
            findings,
            model_bounds,
            model,
            defaults: LevelDefaults::find(path),
            is_editable: editor.is_some(),
            editor: Mutex::new(editor),
        })
    }

    /// The nearest thing that a ray from the eye meets, of what is shown of the land.
    pub fn pick(&self, ray: &Ray, poses: &Poses, land: Option<&LandOptions>) -> Option<WorldHit> {
        let (ray, reach) = match land {
            Some(land) => land.shown_part(ray, REACH)?,
            None => (*ray, REACH),
        };
        let shape = land.map(|land| land.shape).unwrap_or_default();
        self.world.pick(&ray, reach, poses, shape)
    }

    /// Name for titles and files.
    pub fn name(&self) -> &str {
        &self.scene.name
    }

    /// What it is, in a word.
    pub fn noun(&self) -> &'static str {
        match self.model_bounds {
            Some(_) => "model",
            None => "level",
        }
    }

    /// Where to start: where the level's world sees something from, or above one corner looking at its middle.
    pub fn start(&self) -> Pose {
        match self.world.first_view(&self.scene.spawns) {
            Some(spawn) if self.scene.tiles.is_some() => self.above_ground(pose_of(&spawn)),
            Some(spawn) => pose_of(&spawn),
            None => self.overview(),
        }
    }

    /// A pose that was chosen before the land was read, high enough to look over it.
    fn above_ground(&self, pose: Pose) -> Pose {
        let Vec3 { x, y, z } = pose.position;
        let ground = self.world.ground_below(x, y, f32::MAX);
        let least = ground.map_or(z, |ground| ground + START_ABOVE_GROUND);
        Pose {
            position: Vec3::new(x, y, z.max(least)),
            ..pose
        }
    }

    /// A flying speed that crosses the level in about half a minute, in units per second; a hundred steps of land
    /// that comes in tiles, which may have no end in sight.
    pub fn fly_speed(&self) -> f32 {
        if let Some(tree) = &self.scene.tiles {
            return 100.0 * tree.step;
        }
        let (min, max) = self.world.bounds();
        ((max - min).truncate().max_element() / 30.0).clamp(5.0, 200.0)
    }

    /// Puts the level on a device.
    ///
    /// # Errors
    /// If the device has no room for it.
    pub fn upload(&self, gpu: &Gpu, renderer: &mut Renderer) -> Result<SceneGpu, AppError> {
        renderer
            .upload(gpu, &self.scene)
            .map_err(|source| AppError::Upload {
                level: self.name().to_owned(),
                source,
            })
    }

    fn overview(&self) -> Pose {
        let (min, max) = self.world.bounds();
        let middle = (min + max) * 0.5;
        let height = (max - min).truncate().length() * 0.25;
        let position = Vec3::new(min.x, min.y, max.z + height);
        let ahead = middle - position;
        Pose::new(
            position,
            ahead.y.atan2(ahead.x),
            ahead.z.atan2(ahead.truncate().length()),
        )
    }

    /// Says what it has and what is missing from it.
    pub fn log(&self) {
        log_findings(&self.findings);
        if let Some(tree) = &self.scene.tiles {
            let (name, n_squares) = (self.name(), tree.land.len());
            return log::info!("{name}: squares of land, made when they are seen: {n_squares}");
        }
        let n_faces: usize = self
            .scene
            .meshes
            .iter()
            .map(|mesh| mesh.indices.len() / 3)
            .sum();
        let counts = self.contents.counts.iter();
        let counts: Vec<_> = counts.map(|(what, n)| format!("{n} {what}")).collect();
        log::info!(
            "{}: {n_faces} faces of land, {}, {} overlays",
            self.name(),
            counts.join(", "),
            self.scene.overlays.len(),
        );
        // It queries the ground below every object.
        if log::log_enabled!(log::Level::Debug)
            && let Some(gap) = self.median_gap()
        {
            log::debug!("objects stand {gap:.2} units above the ground at the median");
        }
    }

    /// How far above the ground objects stand, at the median: which shows whether heights need a scale (Q-M1).
    fn median_gap(&self) -> Option<f32> {
        let objects = self.scene.instances.iter().filter(|it| !it.name.is_empty());
        let mut gaps: Vec<f32> = objects
            .filter_map(|object| {
                let place = Vec3::from(object.world_from_model.transform_point([0.0; 3]));
                Some(place.z - self.ground_below(place)?)
            })
            .collect();
        gaps.sort_unstable_by(f32::total_cmp);
        gaps.get(gaps.len() / 2).copied()
    }
}

impl Surroundings for LoadedLevel {
    fn ground_below(&self, at: Vec3) -> Option<f32> {
        self.world.ground_below(at.x, at.y, at.z)
    }

    fn slide(&self, a: Vec3, b: Vec3, radius: f32, motion: Vec3) -> Vec3 {
        self.world.slide(a, b, radius, motion)
    }

    fn walk(&self, walker: &mut Walker, wish: &WalkInput, step_secs: f32) -> bool {
        self.world.walk(walker, wish, step_secs)
    }

    fn gait(&self) -> Option<Gait> {
        self.world.gait()
    }
}

/// The box around everything in a world, if it is not empty.
fn bounds_of(world: &dyn World) -> Option<Aabb> {
    let (min, max) = world.bounds();
    (min != max).then(|| Aabb {
        min: min.to_array(),
        max: max.to_array(),
    })
}

/// Puts a model on its stage; returns the box around it, which is that at rest unless another is given.
fn set_up_model(scene: &mut Scene, bounds: Option<Aabb>) -> Aabb {
    // A model without a vertex is still a name with nodes.
    let bounds = bounds.or_else(|| box_at_rest(scene)).unwrap_or(Aabb {
        min: [-1.0; 3],
        max: [1.0; 3],
    });
    model_stage::add_to(scene, &bounds);
    bounds
}

fn pose_of(spawn: &Spawn) -> Pose {
    Pose::new(Vec3::from(spawn.position), spawn.yaw_rad, spawn.pitch_rad)
}
