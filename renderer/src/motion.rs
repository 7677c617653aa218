//! What moves of a scene's models, found once a frame for all viewpoints of that frame.

use ironlands_scene::{Affine, MorphWeight};

use crate::scene_upload::{FrameContext, GpuModels};

/// Where models are in a frame, and which of them move; kept between frames.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    /// [`crate::SceneGpu::id`]; 0 before the first frame.
    scene: u64,
    /// For each instance x, y, z and radius of a ball around all that it can show; not finite if it shows nothing.
    balls: Vec<[f32; 4]>,
    /// For each instance whether it has ever been elsewhere than in the frame before.
    is_moving: Vec<bool>,
    /// Indices of those, in no order.
    moving: Vec<u32>,
    /// Rises whenever the models that stand still are others.
    generation: u64,
    /// Rises whenever any model is elsewhere than in the frame before.
    revision: u64,
    was_at_rest: bool,
    had_morphs_at_rest: bool,
    /// Of the frame before.
    poses: Vec<Affine>,
    weights: Vec<Vec<MorphWeight>>,
}

impl Motion {
    /// Takes the poses of the next frame.
    pub fn update(&mut self, scene: u64, models: &GpuModels, frame: FrameContext<'_>) {
        if self.scene != scene {
            return self.begin(scene, models, frame);
        }
        if frame.is_at_rest && self.was_at_rest {
            return;
        }
        self.was_at_rest = frame.is_at_rest;
        let had_morphs_at_rest = self.had_morphs_at_rest;
        self.had_morphs_at_rest = frame.has_morphs_at_rest();
        let may_morph = !(had_morphs_at_rest && self.had_morphs_at_rest);
        let mut has_changed = false;
        for (index, place) in models.places.iter().enumerate() {
            let weights = || frame.weights_of(index, &models.instances[index]);
            let poses = &frame.poses[place.nodes()];
            let known_poses = &mut self.poses[place.nodes()];
            let is_posed = !are_same(known_poses, poses);
            let is_morphed = may_morph && self.weights[index] != weights();
            if !is_posed && !is_morphed {
                continue;
            }
            if is_posed {
                known_poses.copy_from_slice(poses);
            }
            if is_morphed {
                self.weights[index].clear();
                self.weights[index].extend_from_slice(weights());
            }
            self.balls[index] = models.ball_of(*place, poses, weights);
            has_changed = true;
            if !std::mem::replace(&mut self.is_moving[index], true) {
                self.moving.push(index as u32);
                self.generation += 1;
            }
        }
        self.revision += u64::from(has_changed);
    }

    /// Nothing is known to move in the first frame of a scene.
    fn begin(&mut self, scene: u64, models: &GpuModels, frame: FrameContext<'_>) {
        let weights = |index: usize| frame.weights_of(index, &models.instances[index]);
        let places = models.places.iter().enumerate();
        let balls = places.map(|(index, place)| {
            let poses = &frame.poses[place.nodes()];
            models.ball_of(*place, poses, || weights(index))
        });
        let n_instances = models.instances.len();
        *self = Self {
            scene,
            balls: balls.collect(),
            is_moving: vec![false; n_instances],
            moving: Vec::new(),
            generation: self.generation + 1,
            revision: self.revision + 1,
            was_at_rest: frame.is_at_rest,
            had_morphs_at_rest: frame.has_morphs_at_rest(),
            poses: frame.poses.to_vec(),
            weights: (0..n_instances).map(|it| weights(it).to_vec()).collect(),
        };
    }

    /// Around all that an instance can show in this frame.
    pub fn ball_of(&self, instance: usize) -> [f32; 4] {
        self.balls[instance]
    }

    /// Whether a list of some of the models has this instance.
    pub fn is_listed(&self, instance: usize, which: Which) -> bool {
        match which {
            Which::All => true,
            Which::Still => !self.is_moving[instance],
            Which::Moving => self.is_moving[instance],
        }
    }

    /// The instances that do not stand still, in no order.
    pub fn moving(&self) -> &[u32] {
        &self.moving
    }

    /// Distinguishes one set of models that stand still from the next.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether there are models that do not stand still.
    pub fn is_any_moving(&self) -> bool {
        !self.moving.is_empty()
    }

    /// Distinguishes one placement of the models from the next.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// Whether matrices have the same bits: without a branch for each number, and with no number unlike itself.
#[inline]
fn are_same(a: &[Affine], b: &[Affine]) -> bool {
    let differing = |a: &Affine, b: &Affine| {
        let numbers = a.0.as_flattened().iter().zip(b.0.as_flattened());
        numbers.fold(0, |sum, (a, b)| sum | (a.to_bits() ^ b.to_bits()))
    };
    a.iter().zip(b).all(|(a, b)| differing(a, b) == 0)
}

/// Where everything is in a frame, and which of it moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement<'a> {
    pub frame: FrameContext<'a>,
    pub motion: &'a Motion,
}

/// Models that a list is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    /// Those that have been in one place since the first frame.
    Still,
    /// The others.
    Moving,
}
