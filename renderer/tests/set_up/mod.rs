//! A scene on the software adapter with what draws it, and what plain scenes are made of.

use ironlands_renderer::{
    FrameState, FrameStats, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, SceneGpu,
};
use ironlands_scene::{
    Aabb, Batch, Cluster, MaterialIdx, Mesh, Model, ModelNode, ModelPiece, PieceLod, Scene, Sphere,
};

pub struct Stage {
    pub gpu: Gpu,
    pub target: OffscreenTarget,
    pub renderer: Renderer,
    pub scene: SceneGpu,
}

impl Stage {
    pub fn open(scene: &Scene, size: [u32; 2], settings: RenderSettings) -> Self {
        let options = GpuOptions {
            force_software: true,
        };
        let gpu = Gpu::offscreen(&options).expect("these tests draw");
        let target = OffscreenTarget::new(&gpu, size).expect("a small picture");
        let mut renderer = Renderer::new(&gpu, target.format(), settings).expect("a renderer");
        Self {
            scene: renderer.upload(&gpu, scene).expect("a sound scene"),
            gpu,
            target,
            renderer,
        }
    }

    pub fn draw(&mut self, state: &FrameState) -> FrameStats {
        let Self {
            gpu,
            target,
            renderer,
            scene,
        } = self;
        let drawn = renderer.draw(gpu, scene, state, target.view(), None);
        drawn.expect("a frame")
    }
}

/// Level triangles of one material.
pub fn level_mesh(positions: &[[f32; 3]], indices: &[u32], material: MaterialIdx) -> Mesh {
    let n_vertices = positions.len();
    Mesh {
        positions: positions.into(),
        normals: vec![[0.0, 0.0, 1.0]; n_vertices],
        uv_sets: [vec![[0.0; 2]; n_vertices], vec![[0.0; 2]; n_vertices]],
        indices: indices.into(),
        batches: vec![Batch {
            first_index: 0,
            n_indices: indices.len() as u32,
            material,
        }],
        ..Mesh::default()
    }
}

/// The mesh as a part of the level, within a square around the origin at a height.
pub fn as_ground(mesh: Mesh, half: f32, z: f32) -> Mesh {
    Mesh {
        clusters: vec![Cluster {
            bounds: Aabb {
                min: [-half, -half, z],
                max: [half, half, z],
            },
            cell: [0; 2],
            lods: std::iter::once(0..1).collect(),
            cells: Vec::new(),
        }],
        ..mesh
    }
}

/// The mesh as a model of one piece, within a ball around the origin.
pub fn as_model(mesh: Mesh, radius: f32) -> Model {
    Model {
        nodes: vec![ModelNode::default()],
        mesh,
        pieces: vec![ModelPiece {
            node: 0,
            state: 0,
            lods: vec![PieceLod {
                bounds: Sphere {
                    center: [0.0; 3],
                    radius,
                },
                batches: 0..1,
            }],
        }],
        ..Model::default()
    }
}
