//! Rays against posed models whose vertices joints carry.

use glam::Vec3;
use ironlands_scene::{Affine, Instance, Model, MorphWeight, PieceSkin, Sphere};
use ironlands_sim_core::Ray;
use ironlands_sim_core::ray_triangle::ShearedRay;

use crate::ModelHit;

/// What rounding may add to bounds, as a share of them and of how far they are from the origin.
const SLACK: [f32; 2] = [1e-3, 1e-4];

/// A model whose vertices joints carry, ready for rays. Its finest level of detail counts.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinnedModel {
    model: Model,
    /// One for each piece.
    skins: Vec<PieceSkin>,
}

impl SkinnedModel {
    /// Looks at every vertex once.
    pub fn new(model: Model) -> Self {
        let finest = model.pieces.iter().filter_map(|piece| piece.lods.first());
        let skins = finest.map(|lod| PieceSkin::new(&model, lod)).collect();
        Self { model, skins }
    }

    /// The model as it was given.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The nearest triangle that a ray hits of what an instance shows, from either side: `world_from_nodes` are where its
    /// nodes are, `morph` moves vertices before joints carry them.
    ///
    /// `t` counts in lengths of the direction, `0.0..=t_max`. A ray that is not finite hits nothing, and so does any ray
    /// where `world_from_nodes` is not one for each node. Moves all vertices of the model if the ray comes near a piece.
    pub fn cast_ray(
        &self,
        instance: &Instance,
        world_from_nodes: &[Affine],
        morph: &[MorphWeight],
        ray: &Ray,
        t_max: f32,
    ) -> Option<ModelHit> {
        let Self { model, skins } = self;
        if world_from_nodes.len() != model.nodes.len() {
            return None;
        }
        let sheared = ShearedRay::new(ray)?;
        let pieces = model.pieces.iter().zip(skins).enumerate();
        let near = pieces.filter(|(index, (piece, skin))| {
            let bounds = skin.bounds(&model.joints, world_from_nodes, morph);
            instance.shows(*index, piece) && bounds.is_some_and(|ball| may_meet(ray, &ball))
        });
        let mut positions = Vec::new();
        let mut nearest: Option<(f64, u32, [Vec3; 3], bool)> = None;
        for (_, (piece, _)) in near {
            if positions.is_empty() {
                positions = model.skinned_positions(world_from_nodes, morph);
            }
            for corners in finest_triangles(model, piece.lods.first()?) {
                let [a, b, c] = corners.map(|corner| positions.get(corner as usize));
                let triangle = [*a?, *b?, *c?];
                let Some(crossing) = sheared.cross(&triangle) else {
                    continue;
                };
                let is_in_reach = (0.0..=f64::from(t_max)).contains(&crossing.t);
                let is_nearer = nearest.as_ref().is_none_or(|(t, ..)| crossing.t < *t);
                if is_in_reach && is_nearer {
                    let triangle = triangle.map(Vec3::from);
                    nearest = Some((crossing.t, piece.node, triangle, crossing.front));
                }
            }
        }
        let (t, node, [a, b, c], front) = nearest?;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        Some(ModelHit {
            node: node as usize,
            t: t as f32,
            position: ray.at(t as f32),
            normal: if front { normal } else { -normal },
            material: None,
        })
    }
}

fn finest_triangles<'a>(
    model: &'a Model,
    lod: &ironlands_scene::PieceLod,
) -> impl Iterator<Item = [u32; 3]> + 'a {
    let range = lod.batches.start as usize..lod.batches.end as usize;
    let batches = model.mesh.batches.get(range).unwrap_or_default();
    batches.iter().flat_map(|batch| {
        let first = batch.first_index as usize;
        let end = first.saturating_add(batch.n_indices as usize);
        let indices = model.mesh.indices.get(first..end).unwrap_or_default();
        indices.as_chunks::<3>().0.iter().copied()
    })
}

/// Whether the line of a ray goes through a ball.
fn may_meet(ray: &Ray, ball: &Sphere) -> bool {
    let center = Vec3::from(ball.center);
    let radius = ball.radius * (1.0 + SLACK[0]) + SLACK[1] * (1.0 + center.length());
    let off = (center - ray.origin).cross(ray.direction).length_squared();
    let is_off = off > radius * radius * ray.direction.length_squared();
    // Also where numbers are too large to compare.
    !is_off
}

#[cfg(test)]
mod tests {
    use ironlands_scene::{
        Batch, Joint, MaterialIdx, Mesh, ModelNode, ModelPiece, PieceLod, SkinVertex,
    };

    use super::*;

    fn moved(by: [f32; 3]) -> Affine {
        let [x, y, z] = by;
        Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
    }

    /// A tube of eight rings of six vertices along x, two bones, whose shares go over from one to the other.
    fn tube() -> Model {
        let (n_rings, n_around) = (8u32, 6u32);
        let mut mesh = Mesh::default();
        for ring in 0..n_rings {
            let share = ring as f32 / (n_rings - 1) as f32;
            for step in 0..n_around {
                let (sin, cos) = (step as f32 * 1.047).sin_cos();
                mesh.positions.push([4.0 * share, cos, sin]);
                mesh.skin.push(SkinVertex {
                    joints: [0, 1, 0, 0],
                    weights: [1.0 - share, share, 0.0, 0.0],
                });
                if ring + 1 < n_rings {
                    let [a, b] = [step, (step + 1) % n_around].map(|it| ring * n_around + it);
                    let [c, d] = [a + n_around, b + n_around];
                    mesh.indices.extend([a, b, c, b, d, c]);
                }
            }
        }
        mesh.batches = vec![Batch {
            first_index: 0,
            n_indices: mesh.indices.len() as u32,
            material: MaterialIdx(0),
        }];
        let joint = |node: u32, x: f32| Joint {
            node,
            node_from_mesh: moved([-x, 0.0, 0.0]),
        };
        Model {
            nodes: vec![ModelNode::default(); 2],
            joints: vec![joint(0, 0.0), joint(1, 4.0)],
            mesh,
            pieces: vec![ModelPiece {
                node: 1,
                state: 0,
                lods: vec![PieceLod {
                    bounds: Sphere::default(),
                    batches: 0..1,
                }],
            }],
            ..Model::default()
        }
    }

    /// Möller and Trumbore's test in 64 bits.
    fn plain_t(ray: &Ray, corners: [[f32; 3]; 3]) -> Option<f64> {
        let [a, b, c] = corners.map(|it| Vec3::from(it).as_dvec3());
        let [origin, direction] = [ray.origin, ray.direction].map(Vec3::as_dvec3);
        let [ab, ac] = [b - a, c - a];
        let across = direction.cross(ac);
        let det = ab.dot(across);
        let from_a = origin - a;
        let u = from_a.dot(across) / det;
        let v = direction.dot(from_a.cross(ab)) / det;
        let t = ac.dot(from_a.cross(ab)) / det;
        (det != 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
    }

    #[test]
    fn rays_hit_a_bent_tube_where_plain_triangles_are() {
        let skinned = SkinnedModel::new(tube());
        let model = skinned.model();
        let instance = Instance::default();
        let (sin, cos) = 0.9f32.sin_cos();
        let pose = [
            moved([10.0, 0.0, 0.0]),
            Affine([
                [cos, 0.0, sin, 13.0],
                [0.0, 1.0, 0.0, 0.5],
                [-sin, 0.0, cos, 2.0],
            ]),
        ];
        let positions = model.skinned_positions(&pose, &[]);
        let triangles = model.mesh.indices.as_chunks::<3>().0;
        let mut n_hits = 0;
        for index in 0..4000u32 {
            let number = |factor: f32| (index as f32 * factor).sin();
            let ray = Ray {
                origin: Vec3::new(12.0 + 8.0 * number(0.7), 6.0, 1.0 + 4.0 * number(1.3)),
                direction: Vec3::new(0.5 * number(2.1), -1.0, 0.5 * number(3.7)),
            };
            let plain = triangles
                .iter()
                .filter_map(|it| plain_t(&ray, it.map(|corner| positions[corner as usize])))
                .fold(f64::INFINITY, f64::min);
            let found = skinned.cast_ray(&instance, &pose, &[], &ray, 1e3);
            let t = found.map_or(f64::INFINITY, |hit| hit.t.into());
            // Edges may count for either side.
            assert!(
                t == plain || (t - plain).abs() < 1e-4,
                "{t} {plain} {ray:?}"
            );
            n_hits += u32::from(found.is_some());
            if let Some(hit) = found {
                assert_eq!(hit.node, 1);
                assert!(
                    hit.normal.dot(ray.direction) < 0.0,
                    "the side that the ray came from"
                );
                let short = skinned.cast_ray(&instance, &pose, &[], &ray, hit.t * 0.99);
                assert_eq!(short, None);
            }
        }
        assert!((500..3500).contains(&n_hits), "{n_hits}");
    }

    #[test]
    fn what_is_not_shown_or_not_posed_is_not_hit() {
        let skinned = SkinnedModel::new(tube());
        let pose = [moved([0.0; 3]), moved([4.0, 0.0, 0.0])];
        let ray = Ray {
            origin: Vec3::new(2.0, 9.0, 0.1),
            direction: Vec3::NEG_Y,
        };
        let hit = |instance: &Instance, pose: &[Affine]| {
            skinned.cast_ray(instance, pose, &[], &ray, 100.0).is_some()
        };
        let shown = Instance::default();
        assert!(hit(&shown, &pose));
        assert!(!hit(&shown, &pose[..1]));
        let hidden = Instance {
            hidden_pieces: vec![0],
            ..Instance::default()
        };
        assert!(!hit(&hidden, &pose));
    }
}
