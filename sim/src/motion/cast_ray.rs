//! Rays against posed models (dossier section 12.3).

use std::ops::Range;

use glam::{Mat4, Vec3};
use ironlands_scene::{Model, PieceLod, Sphere};

use super::Motion;
use crate::Ray;
use crate::animation::RowMatrix;
use crate::ray_triangle::ShearedRay;

/// What can be hit of a model: its whole state at its finest, by node.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    nodes: Vec<NodeShape>,
    /// Three a triangle, in the space of their node.
    corners: Vec<[f32; 3]>,
}

#[derive(Debug, Clone, Default)]
struct NodeShape {
    bounds: Sphere,
    corners: Range<usize>,
}

/// Where a ray meets a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelHit {
    /// Place of the node in a pose.
    pub node: usize,
    /// Distance in lengths of the ray's direction.
    pub t: f32,
    /// The point, world units.
    pub position: Vec3,
    /// Unit normal of the triangle, on the side that the ray came from.
    pub normal: Vec3,
}

impl Shape {
    pub(super) fn of_model(model: &Model) -> Self {
        let mut shape = Self {
            nodes: vec![NodeShape::default(); model.nodes.len()],
            corners: Vec::new(),
        };
        for piece in model.pieces.iter().filter(|piece| piece.state == 0) {
            let PieceLod { bounds, batches } = &piece.lods[0];
            let first = shape.corners.len();
            for batch in &model.mesh.batches[batches.start as usize..batches.end as usize] {
                let indices = batch.first_index as usize..;
                let indices = &model.mesh.indices[indices][..batch.n_indices as usize];
                let corners = indices.iter().map(|i| model.mesh.positions[*i as usize]);
                shape.corners.extend(corners);
            }
            shape.nodes[piece.node as usize] = NodeShape {
                bounds: *bounds,
                corners: first..shape.corners.len(),
            };
        }
        shape
    }

    fn triangles(&self, node: usize) -> impl Iterator<Item = [Vec3; 3]> {
        let corners = &self.corners[self.nodes[node].corners.clone()];
        let triangles = corners.chunks_exact(3);
        triangles.map(|corners| std::array::from_fn(|i| Vec3::from(corners[i])))
    }
}

impl Motion {
    /// The nearest triangle of any model that a ray meets, from either side, with all nodes posed as given.
    ///
    /// `t` counts in lengths of the direction, `0.0..=t_max`. Of triangles at one distance the first in the order of
    /// nodes counts. A ray that is not finite meets nothing, and so does any ray if `world_from_nodes` is no pose of
    /// this level. The cost grows with the nodes, and with the triangles of those whose bounds the ray meets.
    pub fn cast_ray(
        &self,
        ray: &Ray,
        t_max: f32,
        world_from_nodes: &[RowMatrix],
    ) -> Option<ModelHit> {
        // A NaN t_max fails the comparison too.
        let is_reaching = t_max >= 0.0;
        if world_from_nodes.len() != self.n_nodes || !is_reaching {
            return None;
        }
        let sheared = ShearedRay::new(ray)?;
        let mut nearest: Option<ModelHit> = None;
        for (first_node, shape) in self.shapes_in_order() {
            for (idx, node) in shape.nodes.iter().enumerate() {
                let world_from_node = world_from_nodes[first_node + idx].to_mat4();
                if node.corners.is_empty() || !may_meet(ray, &node.bounds, &world_from_node) {
                    continue;
                }
                for triangle in shape.triangles(idx) {
                    let corners = triangle.map(|v| world_from_node.transform_point3(v));
                    let Some(crossing) = sheared.cross(&corners.map(|v| v.to_array())) else {
                        continue;
                    };
                    let t = crossing.t as f32;
                    let limit = nearest.map_or(t_max.min(f32::MAX), |hit| hit.t.next_down());
                    if (0.0..=limit).contains(&t) {
                        let [a, b, c] = corners;
                        let normal = (b - a).cross(c - a).normalize_or_zero();
                        nearest = Some(ModelHit {
                            node: first_node + idx,
                            t,
                            position: ray.at(t),
                            normal: if crossing.front { normal } else { -normal },
                        });
                    }
                }
            }
        }
        nearest
    }

    /// The triangles of a node, posed as given; none for a node that is not there.
    pub fn node_triangles(&self, node: usize, world_from_nodes: &[RowMatrix]) -> Vec<[Vec3; 3]> {
        let Some(world_from_node) = world_from_nodes.get(node).map(RowMatrix::to_mat4) else {
            return Vec::new();
        };
        let mut shapes = self.shapes_in_order();
        let found =
            shapes.find(|(first, shape)| (*first..first + shape.nodes.len()).contains(&node));
        let Some((first, shape)) = found else {
            return Vec::new();
        };
        let triangles = shape.triangles(node - first);
        triangles
            .map(|corners| corners.map(|v| world_from_node.transform_point3(v)))
            .collect()
    }

    /// The shape of each component of each object, and the place of its first node in a pose.
    fn shapes_in_order(&self) -> impl Iterator<Item = (usize, &Shape)> {
        let components = self.objects.iter().flat_map(|object| &object.components);
        components.scan(0, |next, component| {
            let shape = &self.models[component.model].shape;
            let first = *next;
            *next += shape.nodes.len();
            Some((first, shape))
        })
    }
}

/// Whether a ray comes near a ball: false only if it misses it.
fn may_meet(ray: &Ray, bounds: &Sphere, world_from_node: &Mat4) -> bool {
    let center = world_from_node.transform_point3(Vec3::from(bounds.center));
    let axes = [
        world_from_node.x_axis,
        world_from_node.y_axis,
        world_from_node.z_axis,
    ];
    let scale = axes
        .map(|axis| axis.length())
        .into_iter()
        .fold(0.0, f32::max);
    // What is lost to rounding far from the origin must not lose a hit.
    let slack = 1.0e-5 * (center.abs().max_element() + ray.origin.abs().max_element());
    let radius = bounds.radius * scale + slack;
    let to_center = center - ray.origin;
    let direction = ray.direction.normalize_or_zero();
    let along = to_center.dot(direction);
    let beside = to_center - direction * along;
    // Written so that a NaN, of numbers too large to square, rejects nothing.
    let misses = beside.length() > radius || along < -radius;
    !misses
}
