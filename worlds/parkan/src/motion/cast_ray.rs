//! Rays against posed models (dossier section 12.3).

use glam::Vec3;
use ironlands_scene::{Mesh, Model, ModelPiece};

use super::Motion;
use ironlands_sim_core::Ray;
use ironlands_sim_core::instances::InstanceFilter;
use ironlands_sim_core::triangles::{Face, TriangleIndex};
use ironlands_sim_world::{ModelHit, Poses};

/// What can be hit of each node of a model, in the space of the node: its whole state at its finest.
pub(super) fn shapes_of(model: &Model) -> Vec<TriangleIndex> {
    let mut faces_of_nodes = vec![Vec::new(); model.nodes.len()];
    for piece in model.pieces.iter().filter(|piece| piece.state == 0) {
        if let Some(faces) = faces_of_nodes.get_mut(piece.node as usize) {
            *faces = finest_triangles(&model.mesh, piece).collect();
        }
    }
    let shapes = faces_of_nodes.iter().map(|faces| {
        // Vertices of their own: those of the whole model would be searched for every node.
        let corners = faces.iter().flat_map(|(corners, _)| *corners);
        // A face with a missing corner is never hit.
        let position = |corner: u32| model.mesh.positions.get(corner as usize).copied();
        let positions: Vec<_> = corners
            .map(|corner| position(corner).unwrap_or([f32::NAN; 3]))
            .collect();
        let faces = faces.iter().zip(0..).map(|((_, material), face)| {
            let first = u32::saturating_mul(face, 3);
            Some(Face {
                corners: [0, 1, 2].map(|corner| first.saturating_add(corner)),
                mask: 0,
                material: *material,
            })
        });
        let faces: Vec<_> = faces.collect();
        index_or_nothing(&positions, &faces)
    });
    shapes.collect()
}

/// Corners and material rows of the triangles of a piece at its finest.
fn finest_triangles<'a>(
    mesh: &'a Mesh,
    piece: &ModelPiece,
) -> impl Iterator<Item = ([u32; 3], u16)> + use<'a> {
    let finest = piece.lods.first().map(|lod| &lod.batches);
    let batches = finest.and_then(|it| mesh.batches.get(it.start as usize..it.end as usize));
    batches.into_iter().flatten().flat_map(|batch| {
        let first = batch.first_index as usize;
        let end = first.saturating_add(batch.n_indices as usize);
        let indices = mesh.indices.get(first..end).unwrap_or_default();
        let (triangles, _) = indices.as_chunks::<3>();
        triangles
            .iter()
            .map(|corners| (*corners, batch.material.0 as u16))
    })
}

/// Of more faces than an index holds none is hit.
fn index_or_nothing(positions: &[[f32; 3]], faces: &[Option<Face>]) -> TriangleIndex {
    let index = TriangleIndex::new(positions, faces);
    index.unwrap_or_else(|_| TriangleIndex::new(&[], &[]).expect("nothing is not too much"))
}

impl Motion {
    /// The nearest triangle of any model that a ray hits, from either side, with all nodes posed as given.
    ///
    /// `t` counts in lengths of the direction, `0.0..=t_max`. Of triangles at one distance the first in the order of
    /// nodes counts. A ray that is not finite meets nothing, and so does any ray if `poses` is no pose of this level.
    /// Rounding and cost are those of [`InstanceIndex`](ironlands_sim_core::instances::InstanceIndex::cast_ray).
    pub fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<ModelHit> {
        let instances = self.instances_of(poses)?;
        let hit = instances.cast_ray(ray, t_max, InstanceFilter::ALL)?;
        Some(ModelHit {
            node: hit.instance as usize,
            t: hit.t,
            position: hit.position,
            normal: if hit.front { hit.normal } else { -hit.normal },
            material: Some(hit.material),
        })
    }

    /// Is any model between two points? Else as [`cast_ray`](Self::cast_ray); both ends are included.
    pub fn cast_segment(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        let instances = self.instances_of(poses);
        instances.is_some_and(|instances| instances.cast_segment(a, b, InstanceFilter::ALL))
    }

    /// The triangles of a node, posed as given, in the order of the file; none for a node that is not there.
    pub fn node_triangles(&self, node: usize, poses: &Poses) -> Vec<[Vec3; 3]> {
        let instances = self.instances_of(poses);
        let Some(instance) = instances.and_then(|index| index.instances().get(node)) else {
            return Vec::new();
        };
        let Some(shape) = self.shapes.get(instance.shape as usize) else {
            return Vec::new();
        };
        let world_from_node = instance.world_from_local.to_mat4();
        let triangles = shape.faces().filter_map(|face| shape.face_corners(face));
        triangles
            .map(|corners| corners.map(|v| world_from_node.transform_point3(v)))
            .collect()
    }
}
