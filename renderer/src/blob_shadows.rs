//! Which round shadows a frame shows below its models. Plain arithmetic, no GPU.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ironlands_scene::{Aabb, Affine, Model};

use crate::{
    cull::{Frustum, Inside},
    motion::Placement,
    scene_upload::GpuModels,
    viewpoint::Viewpoint,
};

/// Larger models have none, such as houses; in radii of ambient occlusion.
const LARGEST_RADIUS: f32 = 5.0;
/// Around the box of a shadow, in radii of it; the box is that of `blob_shadow.wgsl`.
const BALL_RADIUS: f32 = 3.4;
/// A shadow reaches beyond its model, which would hide it otherwise: its radius as a share of the model's.
const SPREAD: f32 = 1.5;
/// What is smaller on the screen is left out: its radius as a share of the distance.
const SMALLEST_ANGLE: f32 = 0.002;

/// An instance of `blob_shadow.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct BlobVertex {
    /// Below the middle of its model, as high as the model's lowest point.
    pub foot_in_eye: [f32; 3],
    pub radius: f32,
}

/// Adds the shadows that may be in view. `occlusion_radius` is that of the scene.
pub(crate) fn list_blobs(
    models: &GpuModels,
    placement: Placement<'_>,
    viewpoint: &Viewpoint,
    aspect: f32,
    occlusion_radius: f32,
    blobs: &mut Vec<BlobVertex>,
) {
    let frustum = Frustum::new(&viewpoint.camera, aspect);
    let eye = viewpoint.camera.position;
    for instance in &models.instances {
        let Some(footprint) = models.models[instance.model].footprint else {
            continue;
        };
        let root = &placement.frame.poses[instance.first_node];
        let (foot, radius) = footprint.placed(root);
        let distance = foot.distance(eye);
        let is_shown = radius <= LARGEST_RADIUS * occlusion_radius
            && radius > SMALLEST_ANGLE * distance
            && frustum.holds_ball(foot, BALL_RADIUS * radius) != Inside::Nothing;
        if is_shown {
            blobs.push(BlobVertex {
                foot_in_eye: (foot - eye).into(),
                radius,
            });
        }
    }
}

/// What of a model stands on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Footprint {
    /// The middle of the model at rest, in the space of its first node.
    center_in_root: Vec3,
    /// Half of its height, and the mean of half its width and half its depth.
    half_height: f32,
    radius: f32,
}

impl Footprint {
    /// Of what a model shows at its finest in its first state; none if that is nothing.
    pub fn new(model: &Model, root_from_model: &Affine) -> Option<Self> {
        let mut model_from_nodes = Vec::new();
        model.rest_pose(&Affine::IDENTITY, &mut model_from_nodes);
        let mesh = &model.mesh;
        let first_state = model.pieces.iter().map(|piece| piece.state).min()?;
        let shown = model.pieces.iter().filter(|it| it.state == first_state);
        let points = shown.flat_map(|piece| {
            // The vertices of a skin are where the model has them at rest.
            let model_from_piece = match model.joints.is_empty() {
                true => model_from_nodes[piece.node as usize],
                false => Affine::IDENTITY,
            };
            let batches = piece.lods.first().into_iter();
            let batches = batches.flat_map(|lod| lod.batches.clone());
            let indices = batches.flat_map(|batch| {
                let batch = &mesh.batches[batch as usize];
                &mesh.indices[batch.first_index as usize..][..batch.n_indices as usize]
            });
            indices
                .map(move |index| model_from_piece.transform_point(mesh.positions[*index as usize]))
        });
        let points: Vec<[f32; 3]> = points.collect();
        let bounds = Aabb::around(&points)?;
        let half = 0.5 * (Vec3::from(bounds.max) - Vec3::from(bounds.min));
        let scale = root_from_model.max_scale();
        Some(Self {
            center_in_root: root_from_model.transform_point(bounds.center()).into(),
            half_height: half.z * scale,
            radius: 0.5 * (half.x + half.y) * scale,
        })
    }

    /// The foot and the radius of the shadow in the world; not finite if the node is not.
    fn placed(&self, world_from_root: &Affine) -> (Vec3, f32) {
        let center = world_from_root.transform_point(self.center_in_root.into());
        let scale = world_from_root.max_scale();
        let foot = Vec3::from(center) - Vec3::Z * (self.half_height * scale);
        (foot, SPREAD * self.radius * scale)
    }
}
