//! Rays against posed figures: exact, with every vertex where its weights have moved it.

use glam::Vec3;
use ironlands_scene::{Mesh, ModelPiece, MorphWeight};

use super::crowd::{ActorModel, Crowd, Placed};
use ironlands_sim_core::Ray;
use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::ray_triangle::ShearedRay;
use ironlands_sim_world::{ModelHit, Poses};

impl Crowd {
    /// The nearest triangle of any figure that a ray hits, from either side, with all posed as given.
    ///
    /// `t` counts in lengths of the direction, `0.0..=t_max`. Of triangles at one distance the first in the order of
    /// actors counts. A ray that is not finite meets nothing, and so does any ray if `poses` is no pose of this crowd.
    /// Visits every piece's ball, and every triangle of those that the ray goes through.
    pub fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<ModelHit> {
        let sheared = ShearedRay::new(ray)?;
        let mut nearest: Option<(f64, usize, [Vec3; 3], bool)> = None;
        self.each_piece_near(ray, poses, |node, corners| {
            for triangle in corners {
                let Some(crossing) = sheared.cross(&triangle.map(|it| it.to_array())) else {
                    continue;
                };
                let limit = nearest.as_ref().map_or(f64::from(t_max), |(t, ..)| *t);
                let is_nearer = crossing.t < limit || (nearest.is_none() && crossing.t <= limit);
                if crossing.t >= 0.0 && is_nearer {
                    nearest = Some((crossing.t, node, triangle, crossing.front));
                }
            }
        });
        let (t, node, [a, b, c], front) = nearest?;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        Some(ModelHit {
            node,
            t: t as f32,
            position: ray.at(t as f32),
            normal: if front { normal } else { -normal },
            material: None,
        })
    }

    /// Is any figure between two points? Else as [`cast_ray`](Self::cast_ray); both ends are included.
    pub fn cast_segment(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        let ray = Ray {
            origin: a,
            direction: b - a,
        };
        self.cast_ray(&ray, 1.0, poses).is_some()
    }

    /// The triangles of a node, posed as given; none for a node that is not there.
    pub fn node_triangles(&self, node: usize, poses: &Poses) -> Vec<[Vec3; 3]> {
        let Some((placed, part)) = self.part_at(node).filter(|_| self.is_posed(poses)) else {
            return Vec::new();
        };
        let actor = self
            .actors
            .iter()
            .position(|it| it.first_node == placed.first_node);
        let (Some(actor), Some(actor_model), Some(world_from_node)) = (
            actor,
            self.models.get(placed.model),
            poses.world_from_nodes().get(node),
        ) else {
            return Vec::new();
        };
        let weights = poses.morphs().of(actor);
        let mut triangles = Vec::new();
        for piece in shown_pieces(placed, actor_model).filter(|it| it.1.node as usize == part) {
            triangles.extend(triangles_of(actor_model, piece.1, weights, world_from_node));
        }
        triangles
    }

    /// The smallest and largest corner of what is shown, posed as given; `None` where nothing is.
    pub fn bounds(&self, poses: &Poses) -> Option<(Vec3, Vec3)> {
        let nodes = 0..self.n_nodes();
        let corners = nodes
            .flat_map(|node| self.node_triangles(node, poses))
            .flatten();
        corners.fold(None, |bounds, corner| {
            let (min, max) = bounds.unwrap_or((corner, corner));
            Some((min.min(corner), max.max(corner)))
        })
    }

    fn is_posed(&self, poses: &Poses) -> bool {
        poses.world_from_nodes().len() == self.n_nodes()
            && poses.morphs().len() == self.actors.len()
    }

    fn each_piece_near(
        &self,
        ray: &Ray,
        poses: &Poses,
        mut take: impl FnMut(usize, &mut dyn Iterator<Item = [Vec3; 3]>),
    ) {
        if !self.is_posed(poses) {
            return;
        }
        for (index, placed) in self.actors.iter().enumerate() {
            let Some(actor_model) = self.models.get(placed.model) else {
                continue;
            };
            let weights = poses.morphs().of(index);
            for (piece_idx, piece) in shown_pieces(placed, actor_model) {
                let node = placed.first_node.saturating_add(piece.node as usize);
                let (Some(world_from_node), Some(moves), Some(lod)) = (
                    poses.world_from_nodes().get(node),
                    actor_model.moves.get(piece_idx),
                    piece.lods.first(),
                ) else {
                    continue;
                };
                let ball = moves.grown(&lod.bounds, weights);
                let world_from_local = world_from_node.to_mat4();
                let center = world_from_local.transform_point3(ball.center.into());
                // Figures are turned and moved, never scaled. A little more for what rounding takes.
                let radius = ball.radius * 1.001 + 1e-4 * (1.0 + center.length());
                if may_meet(ray, center, radius) {
                    let mut triangles = triangles_of(actor_model, piece, weights, world_from_node);
                    take(node, &mut triangles);
                }
            }
        }
    }
}

/// Whether the line of a ray goes through a ball.
fn may_meet(ray: &Ray, center: Vec3, radius: f32) -> bool {
    let to_center = center - ray.origin;
    let along = ray.direction.length_squared();
    let off = to_center.cross(ray.direction).length_squared();
    let is_off = off > radius * radius * along;
    // Also where numbers are too large to compare.
    !is_off
}

fn shown_pieces<'a>(
    placed: &'a Placed,
    actor_model: &'a ActorModel,
) -> impl Iterator<Item = (usize, &'a ModelPiece)> {
    let pieces = placed.shown_pieces.iter();
    pieces.filter_map(|index| Some((*index, actor_model.model.pieces.get(*index)?)))
}

/// In the world, with every vertex moved.
fn triangles_of<'a>(
    actor_model: &'a ActorModel,
    piece: &'a ModelPiece,
    weights: &'a [MorphWeight],
    world_from_node: &RowMatrix,
) -> impl Iterator<Item = [Vec3; 3]> + 'a {
    let mesh = &actor_model.model.mesh;
    let world_from_node = world_from_node.to_mat4();
    let finest = piece.lods.first().map(|lod| &lod.batches);
    let batches = finest.and_then(|it| mesh.batches.get(it.start as usize..it.end as usize));
    let triangles = batches.into_iter().flatten().flat_map(|batch| {
        let first = batch.first_index as usize;
        let end = first.saturating_add(batch.n_indices as usize);
        let indices = mesh.indices.get(first..end).unwrap_or_default();
        indices.as_chunks::<3>().0
    });
    triangles.filter_map(move |corners| {
        let [a, b, c] = corners.map(|corner| moved(mesh, corner, weights));
        Some([a?, b?, c?].map(|corner| world_from_node.transform_point3(corner)))
    })
}

/// `None` for a vertex that is not there.
fn moved(mesh: &Mesh, vertex: u32, weights: &[MorphWeight]) -> Option<Vec3> {
    let mut position = Vec3::from(*mesh.positions.get(vertex as usize)?);
    for MorphWeight { target, weight } in weights {
        let target = mesh.morph_targets.get(*target as usize);
        let offset = target.and_then(|target| {
            let at = vertex.checked_sub(target.first_vertex)?;
            target.offsets.get(at as usize)
        });
        position += offset.map_or(Vec3::ZERO, |offset| *weight * Vec3::from(*offset));
    }
    Some(position)
}
