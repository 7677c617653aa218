//! A level as the program holds it: what to draw, whom to ask, and where to start.

use std::path::Path;

use glam::Vec3;
use ironlands::assets_loader::bytes::{Finding, Severity};
use ironlands::assets_loader::level::{self, Level, LevelFiles, OpenOptions};
use ironlands::camera::Pose;
use ironlands::renderer::{Gpu, Renderer, SceneGpu};
use ironlands::scene::{Scene, Spawn};
use ironlands::sim::world::{ModelWorld, ParkanWorld, World};

use crate::error::AppError;
use crate::findings::sentence;

/// An opened level.
pub struct LoadedLevel {
    pub scene: Scene,
    pub world: Box<dyn World>,
    /// What it had to do without.
    pub findings: Vec<Finding>,
}

impl LoadedLevel {
    /// Opens the level at a path and tells the log what it had to do without.
    ///
    /// # Errors
    /// If it is no level, or broken.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self, AppError> {
        let Level {
            scene,
            files,
            findings,
        } = level::open(path, options).map_err(AppError::OpenLevel)?;
        let world = world_of(&files).map_err(|source| AppError::IndexLevel {
            path: path.to_owned(),
            source,
        })?;
        let level = Self {
            scene,
            world,
            findings,
        };
        level.log();
        Ok(level)
    }

    /// Name for titles and files.
    pub fn name(&self) -> &str {
        &self.scene.name
    }

    /// Where to start: the level's first spawn, or above one corner looking at its middle.
    pub fn start(&self) -> Pose {
        match self.scene.spawns.first() {
            Some(spawn) => pose_of(spawn),
            None => self.overview(),
        }
    }

    /// A flying speed that crosses the level in about half a minute, in units per second.
    pub fn fly_speed(&self) -> f32 {
        let (min, max) = self.world.bounds();
        ((max - min).truncate().max_element() / 30.0).clamp(5.0, 200.0)
    }

    /// Height of the ground for who is at a point.
    pub fn ground_below(&self, at: Vec3) -> Option<f32> {
        self.world.ground_below(at.x, at.y, at.z)
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

    fn log(&self) {
        for finding in &self.findings {
            match finding.severity {
                Severity::Note => log::info!("{}", sentence(finding)),
                Severity::Warning | Severity::Error => log::warn!("{}", sentence(finding)),
            }
        }
        let n_faces: usize = self
            .scene
            .meshes
            .iter()
            .map(|mesh| mesh.indices.len() / 3)
            .sum();
        log::info!(
            "{}: {n_faces} faces, {} materials, {} textures, {} overlays",
            self.name(),
            self.scene.materials.len(),
            self.scene.textures.len(),
            self.scene.overlays.len(),
        );
    }
}

fn world_of(
    files: &LevelFiles,
) -> Result<Box<dyn World>, Box<dyn std::error::Error + Send + Sync>> {
    match files {
        LevelFiles::Parkan(level) => {
            let world = ParkanWorld::new(
                &level.land_msh,
                level.land_map.as_ref(),
                level.overlay_wear.as_ref(),
                level.base_wear.as_ref(),
            )?;
            Ok(Box::new(world.with_inhabitants(&level.inhabitants)?))
        }
        LevelFiles::ParkanModel(model) => Ok(Box::new(ModelWorld::new(&model.inhabitants())?)),
    }
}

fn pose_of(spawn: &Spawn) -> Pose {
    Pose::new(Vec3::from(spawn.position), spawn.yaw_rad, spawn.pitch_rad)
}
