//! Instances of shapes: a second level above triangle indices, refitted as things move.
//!
//! In: shapes, which are [`TriangleIndex`]es that any number of instances share, and instances, each a shape under a
//! transform; new transforms per tick. Out: the same results as from one index over all triangles in the world.
//!
//! The top level is a bounding volume hierarchy over the instances' bounds in the world, four boxes a node of 128
//! bytes (`tree.rs`); the bottom levels are the shapes' own. A ray goes into the space of a shape in f64 and is
//! rounded there to f32, near the shape, so that a level's size costs no precision (`placement.rs`).
//!
//! Deliberately absent: what moves and why, animation, contacts between instances.

mod cast_ray;
mod gather;
mod placement;

pub use self::cast_ray::{InstanceFilter, InstanceHit};

use std::sync::Arc;

use rayon::prelude::*;

use self::placement::{ShapeBox, bounds_in_world};
use crate::RowMatrix;
use crate::bvh::{Bounds, Bvh};
use crate::triangles::TriangleIndex;

/// Instances that an index can hold.
const MAX_INSTANCES: usize = 1 << 24;

/// Instances that one rayon task moves at least; below it the task costs more than the work.
const MIN_INSTANCES_PER_TASK: usize = 512;

/// The BVH is rebuilt when the sum of the areas of its boxes has grown by more than this factor since it was
/// built: rays then hit more boxes by about the same factor.
const MAX_AREA_GROWTH: f64 = 2.0;

/// A shape in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// Position of the shape among those of the index.
    pub shape: u32,
    /// What [`InstanceFilter::instances`] looks at; its meaning is the caller's own.
    pub mask: u32,
    /// A word that hits carry; its meaning is the caller's own.
    pub id: u32,
    /// Three rows of an affine transform; the fourth is taken as 0 0 0 1. Scaling, shearing and mirroring are
    /// allowed. An instance whose transform is not finite, or is singular as far as f64 can decide, is not there
    /// until it gets another.
    pub world_from_local: RowMatrix,
}

/// Instances of triangle indices, ready for queries. `Sync`: queries take no lock and allocate nothing.
///
/// An instance is called by its position in the slice that the index was built from. An instance of a shape without
/// faces is there, but is found by nothing.
#[derive(Debug, Clone)]
pub struct InstanceIndex {
    shapes: Arc<[TriangleIndex]>,
    /// One a shape.
    shape_boxes: Vec<ShapeBox>,
    instances: Vec<Instance>,
    /// One an instance.
    bounds: Vec<Bounds>,
    bvh: Bvh,
}

/// What became of the tree when instances moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refit {
    /// No instance moved: nothing was to be done.
    Unmoved,
    /// Its boxes were fitted to the instances.
    Fitted,
    /// Its boxes had grown too much: it was rebuilt.
    Rebuilt,
}

/// Why instances cannot become an index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InstanceError {
    /// An instance names a shape that is not there.
    #[error("instance {instance} names shape {shape} of {n_shapes}")]
    ShapeOutOfRange {
        /// Position of the instance.
        instance: usize,
        /// The shape that it names.
        shape: u32,
        /// Shapes that there are.
        n_shapes: usize,
    },
    /// More instances than an index can hold.
    #[error("{n_instances} instances, more than {MAX_INSTANCES}")]
    TooManyInstances {
        /// Instances given.
        n_instances: usize,
    },
}

impl InstanceIndex {
    /// Indexes instances of shapes. Costs O(n log n), on all threads.
    ///
    /// # Errors
    /// If an instance names a shape that is not there, or there are too many.
    pub fn new(
        shapes: Arc<[TriangleIndex]>,
        instances: &[Instance],
    ) -> Result<Self, InstanceError> {
        let mut index = Self {
            shape_boxes: shapes.iter().map(ShapeBox::from_shape).collect(),
            shapes,
            instances: Vec::new(),
            bounds: Vec::new(),
            bvh: Bvh::default(),
        };
        index.rebuild(instances)?;
        Ok(index)
    }

    /// Replaces all instances, for when some come or go; the shapes stay. Costs as much as [`new`](Self::new).
    ///
    /// # Errors
    /// As [`new`](Self::new); the index then is as it was.
    pub fn rebuild(&mut self, instances: &[Instance]) -> Result<(), InstanceError> {
        let n_instances = instances.len();
        if n_instances > MAX_INSTANCES {
            return Err(InstanceError::TooManyInstances { n_instances });
        }
        let n_shapes = self.shapes.len();
        for (instance, &Instance { shape, .. }) in instances.iter().enumerate() {
            if shape as usize >= n_shapes {
                return Err(InstanceError::ShapeOutOfRange {
                    instance,
                    shape,
                    n_shapes,
                });
            }
        }
        self.instances.clear();
        self.instances.extend_from_slice(instances);
        self.bounds.resize(n_instances, Bounds::EMPTY);
        let boxes = &self.shape_boxes;
        (&self.instances, &mut self.bounds)
            .into_par_iter()
            .with_min_len(MIN_INSTANCES_PER_TASK)
            .for_each(|(instance, bounds)| *bounds = bounds_of(instance, boxes));
        self.bvh.build(&self.bounds);
        Ok(())
    }

    /// Moves all instances: one transform for each, in their order. Results are those of a new index, to
    /// the bit, whatever the number of threads.
    ///
    /// Costs O(n) on all threads, less for those that have not moved, and allocates nothing, except when the tree
    /// is to be rebuilt: when the sum of the areas of its boxes is more than twice that of the last build.
    ///
    /// # Panics
    /// If there is not one transform for each instance.
    pub fn refit(&mut self, world_from_locals: &[RowMatrix]) -> Refit {
        let n_instances = self.instances.len();
        assert_eq!(world_from_locals.len(), n_instances, "one for each");
        let boxes = &self.shape_boxes;
        let is_any_moved = (&mut self.instances, &mut self.bounds, world_from_locals)
            .into_par_iter()
            .with_min_len(MIN_INSTANCES_PER_TASK)
            .map(|(instance, bounds, world_from_local)| {
                let is_moved = instance.world_from_local != *world_from_local;
                if is_moved {
                    instance.world_from_local = *world_from_local;
                    *bounds = bounds_of(instance, boxes);
                }
                is_moved
            })
            .reduce(|| false, |a, b| a | b);
        if !is_any_moved {
            return Refit::Unmoved;
        }
        self.bvh.refit(&self.bounds);
        if self.bvh.area_growth() > MAX_AREA_GROWTH {
            self.bvh.build(&self.bounds);
            return Refit::Rebuilt;
        }
        Refit::Fitted
    }

    /// The instances as they are now, in order.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The shapes that instances name.
    pub fn shapes(&self) -> &Arc<[TriangleIndex]> {
        &self.shapes
    }
}

fn bounds_of(instance: &Instance, boxes: &[ShapeBox]) -> Bounds {
    bounds_in_world(&instance.world_from_local, &boxes[instance.shape as usize])
}
