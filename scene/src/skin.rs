//! Vertices that up to four joints carry together: skeletal skinning.

use std::ops::Range;

use crate::{Affine, Model, MorphWeight, PieceLod, Sphere};

/// A joint that carries vertices of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Joint {
    /// Index into `Model::nodes`: what moves it.
    pub node: u32,
    /// Where the vertices of the mesh are on the node, while the model has the pose that it was modeled in.
    pub node_from_mesh: Affine,
}

/// Which joints carry a vertex, and how much each of them does.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SkinVertex {
    /// Indices into `Model::joints`.
    pub joints: [u16; 4],
    /// At least 0, 1 together; a joint with weight 0 carries nothing.
    pub weights: [f32; 4],
}

/// Around the vertices of a piece, joint by joint: bounds that hold in every pose.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PieceSkin {
    /// Around those that a joint carries at all, in the space of its node; joints rise.
    balls: Vec<(u16, Sphere)>,
    /// How far it is at most to the farthest vertex that any target can reach with weight 1, for each target.
    morph_reach: Vec<f32>,
}

impl Joint {
    /// Where vertices that it carries alone are, given where the nodes of its model are.
    pub fn world_from_mesh(&self, world_from_nodes: &[Affine]) -> Affine {
        world_from_nodes[self.node as usize].times(&self.node_from_mesh)
    }
}

impl SkinVertex {
    /// Carried by one joint alone.
    pub fn rigid(joint: u16) -> Self {
        Self {
            joints: [joint, 0, 0, 0],
            weights: [1.0, 0.0, 0.0, 0.0],
        }
    }

    /// The joints that carry it, each with its weight.
    pub fn carriers(&self) -> impl Iterator<Item = (u16, f32)> {
        let pairs = self.joints.into_iter().zip(self.weights);
        pairs.filter(|(_, weight)| *weight != 0.0)
    }
}

impl Model {
    /// Where the vertices of a skinned mesh are in the world; morph weights move them before the joints do. Nothing for
    /// a mesh without a skin.
    pub fn skinned_positions(
        &self,
        world_from_nodes: &[Affine],
        morph: &[MorphWeight],
    ) -> Vec<[f32; 3]> {
        let joints = self.joints.iter();
        let world_from_mesh: Vec<_> = joints
            .map(|joint| joint.world_from_mesh(world_from_nodes))
            .collect();
        let positions = self.mesh.morphed(morph);
        let vertices = positions.iter().zip(&self.mesh.skin);
        vertices
            .map(|(position, skin)| {
                let mut sum = [0.0; 3];
                for (joint, weight) in skin.carriers() {
                    let carried = world_from_mesh[joint as usize].transform_point(*position);
                    sum = [0, 1, 2].map(|axis| sum[axis] + weight * carried[axis]);
                }
                sum
            })
            .collect()
    }
}

impl PieceSkin {
    /// Looks at every vertex of a level of detail, once; nothing for a mesh without a skin.
    pub fn new(model: &Model, lod: &PieceLod) -> Self {
        if model.mesh.skin.is_empty() {
            return Self::default();
        }
        let mut points: Vec<Vec<[f32; 3]>> = vec![Vec::new(); model.joints.len()];
        let Range { start, end } = lod.batches;
        for batch in &model.mesh.batches[start as usize..end as usize] {
            let first = batch.first_index as usize;
            for vertex in &model.mesh.indices[first..first + batch.n_indices as usize] {
                let position = model.mesh.positions[*vertex as usize];
                for (joint, _) in model.mesh.skin[*vertex as usize].carriers() {
                    let node_from_mesh = &model.joints[joint as usize].node_from_mesh;
                    points[joint as usize].push(node_from_mesh.transform_point(position));
                }
            }
        }
        let balls = (0..).zip(&points).filter_map(|(joint, points)| {
            let ball = Sphere::around(points)?;
            Some((joint, ball))
        });
        let reach = |offset: &[f32; 3]| offset.iter().map(|part| part * part).sum::<f32>().sqrt();
        let targets = model.mesh.morph_targets.iter();
        Self {
            balls: balls.collect(),
            morph_reach: targets
                .map(|target| target.offsets.iter().map(reach).fold(0.0, f32::max))
                .collect(),
        }
    }

    /// A ball around all vertices in a pose; none where nothing carries any.
    ///
    /// A vertex is between the places where each of its joints alone would carry it, so it is in the ball around the
    /// balls of all joints.
    #[inline]
    pub fn bounds(
        &self,
        model_joints: &[Joint],
        world_from_nodes: &[Affine],
        morph: &[MorphWeight],
    ) -> Option<Sphere> {
        if self.balls.is_empty() {
            return None;
        }
        let moved: f32 = morph
            .iter()
            .map(|it| it.weight.abs() * self.morph_reach.get(it.target as usize).unwrap_or(&0.0))
            .sum();
        let placed = self.balls.iter().map(|(joint, ball)| {
            let joint = &model_joints[*joint as usize];
            let world_from_node = &world_from_nodes[joint.node as usize];
            let stretch = joint.node_from_mesh.max_scale();
            Sphere {
                center: world_from_node.transform_point(ball.center),
                radius: (ball.radius + moved * stretch) * world_from_node.max_scale(),
            }
        });
        placed.reduce(|all, ball| all.with(&ball))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, MaterialIdx, Mesh, ModelNode, MorphTarget};

    fn moved(by: [f32; 3]) -> Affine {
        let [x, y, z] = by;
        Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
    }

    /// A quarter turn about z at a place.
    fn turned(by: [f32; 3]) -> Affine {
        let [x, y, z] = by;
        Affine([[0.0, -1.0, 0.0, x], [1.0, 0.0, 0.0, y], [0.0, 0.0, 1.0, z]])
    }

    /// An arm of two bones along x, each 2 long, with vertices at 0, 1, 2, 3 and 4; that at the elbow belongs to both.
    fn arm() -> Model {
        let node = |parent, x| ModelNode {
            parent,
            parent_from_node: moved([x, 0.0, 0.0]),
            ..ModelNode::default()
        };
        let half = SkinVertex {
            joints: [0, 1, 0, 0],
            weights: [0.5, 0.5, 0.0, 0.0],
        };
        Model {
            nodes: vec![node(None, 0.0), node(Some(0), 2.0)],
            joints: vec![
                Joint {
                    node: 0,
                    node_from_mesh: Affine::IDENTITY,
                },
                Joint {
                    node: 1,
                    node_from_mesh: moved([-2.0, 0.0, 0.0]),
                },
            ],
            mesh: Mesh {
                positions: (0..5).map(|x| [x as f32, 0.0, 0.0]).collect(),
                skin: vec![
                    SkinVertex::rigid(0),
                    SkinVertex::rigid(0),
                    half,
                    SkinVertex::rigid(1),
                    SkinVertex::rigid(1),
                ],
                indices: vec![0, 1, 2, 2, 3, 4],
                batches: vec![Batch {
                    first_index: 0,
                    n_indices: 6,
                    material: MaterialIdx(0),
                }],
                morph_targets: vec![MorphTarget {
                    name: String::new(),
                    first_vertex: 4,
                    offsets: vec![[0.0, 0.0, 3.0]],
                }],
                ..Mesh::default()
            },
            ..Model::default()
        }
    }

    fn lod() -> PieceLod {
        PieceLod {
            bounds: Sphere::default(),
            batches: 0..1,
        }
    }

    #[test]
    fn at_rest_vertices_are_where_they_were_modeled() {
        let model = arm();
        let mut rest = Vec::new();
        model.rest_pose(&moved([10.0, 0.0, 0.0]), &mut rest);
        let found = model.skinned_positions(&rest, &[]);
        let expected: Vec<_> = (0..5).map(|x| [x as f32 + 10.0, 0.0, 0.0]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_bent_elbow_carries_what_belongs_to_both_halfway() {
        let model = arm();
        // The forearm turned about the elbow, and shifted by 1 in z, so that the elbow is torn apart.
        let bent = [Affine::IDENTITY, turned([2.0, 0.0, 1.0])];
        let weights = [MorphWeight {
            target: 0,
            weight: 0.5,
        }];
        let found = model.skinned_positions(&bent, &weights);
        let expected = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 0.5],
            [2.0, 1.0, 1.0],
            [2.0, 2.0, 2.5],
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn bounds_hold_every_vertex_in_any_pose() {
        let model = arm();
        let skin = PieceSkin::new(&model, &lod());
        for step in 0..500i16 {
            let number = |factor: f32| (f32::from(step) * factor).sin();
            let (sin, cos) = (f32::from(step) * 0.1).sin_cos();
            let pose = [
                Affine([
                    [cos, -sin, 0.0, 5.0],
                    [sin, cos, 0.0, 0.0],
                    [0.0, 0.0, 1.0, 0.0],
                ]),
                Affine([
                    [1.5, 0.0, 0.0, 9.0 * number(0.7)],
                    [0.0, cos, sin, 9.0 * number(1.3)],
                    [0.0, -sin, cos, 9.0 * number(2.9)],
                ]),
            ];
            let weights = [MorphWeight {
                target: 0,
                weight: 2.0 * number(3.7),
            }];
            let ball = skin
                .bounds(&model.joints, &pose, &weights)
                .expect("it has vertices");
            for position in model.skinned_positions(&pose, &weights) {
                let squares = [0, 1, 2].map(|axis| (position[axis] - ball.center[axis]).powi(2));
                let distance = squares.iter().sum::<f32>().sqrt();
                // Sums of a few numbers below 20 in f32.
                assert!(distance <= ball.radius + 1e-4, "{distance} {ball:?}");
            }
        }
        let rigid = Model {
            mesh: Mesh::default(),
            ..arm()
        };
        let none = PieceSkin::new(
            &rigid,
            &PieceLod {
                batches: 0..0,
                ..lod()
            },
        );
        assert_eq!(none.bounds(&rigid.joints, &[], &[]), None);
    }

    #[test]
    fn bounds_of_a_pose_are_no_larger_than_what_joints_can_reach() {
        let model = arm();
        let skin = PieceSkin::new(&model, &lod());
        let mut rest = Vec::new();
        model.rest_pose(&Affine::IDENTITY, &mut rest);
        let ball = skin
            .bounds(&model.joints, &rest, &[])
            .expect("it has vertices");
        assert_eq!((ball.center, ball.radius), ([2.0, 0.0, 0.0], 2.0));
    }
}
