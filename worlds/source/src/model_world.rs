//! A model alone, to be looked at from all sides. An element is a bone.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use ironlands_assets_source::model_file::{Face, ModelFile};
use ironlands_assets_source::studio_motion::StudioMotion;
use ironlands_scene::{Affine, Instance, Model, Scene, TileShape};
use ironlands_sim_core::{Ray, RowMatrix};
use ironlands_sim_world::{Clock, Fact, Play, Poses, SkinnedModel, World, WorldHit};
use ironlands_world_kind::{AnimationSheet, ModelSheet, Slider};

/// Nothing but a model: there is no ground.
#[derive(Debug, Clone)]
pub struct ModelWorld {
    motion: Arc<StudioMotion>,
    face: Face,
    idle: Option<usize>,
    /// For each attachment the bone that carries it, and its place there.
    attachments: Vec<(usize, RowMatrix)>,
    /// The model and its instance; `None` if nothing of it is drawn.
    shown: Option<(SkinnedModel, Instance)>,
    bounds: (Vec3, Vec3),
}

impl ModelWorld {
    /// A world of the only instance of the scene of a model.
    pub fn new(file: &ModelFile, face: Face, scene: &Scene) -> Self {
        let shown = scene.models.first().zip(scene.instances.first());
        let shown = shown.map(|(model, instance)| (model.clone(), instance.clone()));
        let positions = shown.iter().flat_map(|(model, _)| &model.mesh.positions);
        let positions = positions.copied().map(Vec3::from);
        let bounds = positions.fold(None, |bounds: Option<(Vec3, Vec3)>, place| {
            let (min, max) = bounds.unwrap_or((place, place));
            Some((min.min(place), max.max(place)))
        });
        Self {
            idle: file.motion.idle(),
            motion: file.motion.clone(),
            face,
            attachments: (file.parts.attachments.iter())
                .map(|it| (it.bone, RowMatrix::from_rows(it.bone_from_attachment.0)))
                .collect(),
            shown: shown.map(|(model, instance)| (SkinnedModel::new(model), instance)),
            bounds: bounds.unwrap_or_default(),
        }
    }

    fn model(&self) -> Option<&Model> {
        self.shown.as_ref().map(|(model, _)| model.model())
    }
}

/// What a model can be made to play.
pub fn sheet_of(file: &ModelFile) -> ModelSheet {
    let motion = &file.motion;
    let animations = (0..motion.sequences.len()).filter_map(|index| {
        let sequence = motion.sequence(index)?;
        let last_frame = motion.last_frame(index);
        Some(AnimationSheet {
            name: sequence.name.clone(),
            last_frame,
            length: format!(
                "{} frames at {} a second",
                last_frame + 1.0,
                motion.fps(index)
            ),
            facts: motion.facts(index),
        })
    });
    ModelSheet {
        animations: animations.collect(),
        idle: motion.idle(),
        sliders: sliders(file),
        states: file.state_names(),
    }
}

/// The controllers of its face.
fn sliders(file: &ModelFile) -> Vec<Slider> {
    let values = file.flexes.values_at_rest();
    let controllers = file.flexes.controllers.iter().zip(values);
    let sliders = controllers.map(|(controller, value)| Slider {
        label: controller.name.clone(),
        value,
        range: [controller.min, controller.max],
    });
    sliders.collect()
}

impl World for ModelWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<WorldHit> {
        let (model, instance) = self.shown.as_ref()?;
        let nodes: Vec<Affine> = poses.world_from_nodes().iter().map(affine).collect();
        let hit = model.cast_ray(instance, &nodes, poses.morphs().of(0), ray, t_max)?;
        Some(hit.in_world(0))
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        let ray = Ray {
            origin: a,
            direction: b - a,
        };
        let is_there = a.is_finite() && b.is_finite();
        is_there && (a == b || self.cast_ray(&ray, 1.0, poses).is_none())
    }

    fn ground_below(&self, _x: f32, _y: f32, _z: f32) -> Option<f32> {
        None
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        let Some(model) = self.model() else {
            return Vec::new();
        };
        let bone = model.nodes.get(hit.element as usize);
        let bone = bone.map(|bone| Fact::new("bone", bone.name.clone()));
        let facts = [Some(Fact::new("model", model.name.clone())), bone];
        facts.into_iter().flatten().collect()
    }

    fn outline(&self, hit: &WorldHit, poses: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        let Some(model) = self.model() else {
            return Vec::new();
        };
        let nodes: Vec<Affine> = poses.world_from_nodes().iter().map(affine).collect();
        if nodes.len() != model.nodes.len() {
            return Vec::new();
        }
        // Triangles that the bone carries more than any other does.
        let is_carried = |vertex: &u32| {
            let skin = model.mesh.skin.get(*vertex as usize);
            let most = skin.and_then(|skin| skin.carriers().max_by(|a, b| a.1.total_cmp(&b.1)));
            most.is_some_and(|(joint, _)| u32::from(joint) == hit.element)
        };
        let positions = model.skinned_positions(&nodes, poses.morphs().of(0));
        let (triangles, _) = model.mesh.indices.as_chunks::<3>();
        let carried = triangles.iter().filter(|it| it.iter().any(is_carried));
        let corners = carried.filter_map(|triangle| {
            let [a, b, c] = triangle.map(|it| positions.get(it as usize).copied());
            Some([a?, b?, c?].map(Vec3::from))
        });
        corners.collect()
    }

    fn pose(&self, clock: &Clock, poses: &mut Poses) {
        let mut values: &[f32] = &[];
        let (sequence, frame) = match &clock.play {
            Play::Figure {
                animation,
                frame,
                sliders,
            } => {
                values = sliders;
                (*animation, *frame)
            }
            Play::Frame(frame) => (self.idle, *frame),
            Play::Still => (None, 0.0),
            Play::Level => (self.idle, 0.0),
            Play::All { rate } => {
                let last = self.idle.map_or(0.0, |idle| self.motion.last_frame(idle));
                let frames = clock.time_secs * f64::from(*rate);
                (
                    self.idle,
                    frames.rem_euclid(f64::from(last.max(1.0))) as f32,
                )
            }
        };
        let posed = sequence.map(|sequence| self.motion.pose(sequence, frame));
        // What could not be decoded is a finding; its frames are as at rest.
        let bones = match posed {
            Some(Ok(bones)) => bones,
            Some(Err(_)) | None => self.motion.at_rest(),
        };
        let (nodes, morphs, _) = poses.morphing();
        morphs.clear();
        nodes.clear();
        if self.shown.is_some() {
            nodes.extend(bones.into_iter().map(matrix));
            // A model of another file may have fewer bones.
            for (bone, place) in &self.attachments {
                let on_bone = nodes.get(*bone).map(|bone| bone.times(place));
                nodes.push(on_bone.unwrap_or(*place));
            }
            morphs.push(&self.face.weights(values));
        }
    }

    fn last_frame(&self) -> f32 {
        let sequences = 0..self.motion.sequences.len();
        sequences
            .map(|index| self.motion.last_frame(index))
            .fold(0.0, f32::max)
    }
}

fn matrix((turn, place): (Quat, Vec3)) -> RowMatrix {
    Mat4::from_rotation_translation(turn, place).into()
}

fn affine(matrix: &RowMatrix) -> Affine {
    Affine(matrix.upper_rows())
}
