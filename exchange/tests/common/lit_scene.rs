//! A small scene that has something of everything.

use ironlands_scene::{
    Aabb, Addressing, Affine, Batch, Cluster, Instance, LightStyle, Lighting, Lightmap, Material,
    MaterialIdx, Mesh, Model, ModelIdx, ModelNode, ModelPiece, NormalMap, Overlay, Pass, PieceLod,
    PixelFormat, Scene, Sphere, Texture, TextureIdx,
};

/// A floor of two triangles: one lit by a lightmap of two styles, one not lit; and two lamps of one model.
pub fn lit_scene() -> Scene {
    let material = |name: &str, pass| Material {
        name: name.to_owned(),
        passes: vec![pass],
    };
    let lit = Pass {
        texture: Some(TextureIdx(0)),
        lighting: Lighting::Lightmap,
        lightmap: Some(Lightmap {
            texture: TextureIdx(1),
            styles: vec![0, 1],
            normal_map: Some(NormalMap {
                texture: TextureIdx(0),
                is_self_shadowed: false,
            }),
        }),
        ..Pass::default()
    };
    let unlit = Pass {
        lighting: Lighting::Unlit,
        ..Pass::default()
    };
    Scene {
        name: "lit".to_owned(),
        textures: vec![red_blocks(), light()],
        materials: vec![material("stone", lit), material("screen", unlit)],
        meshes: vec![floor()],
        models: vec![lamp()],
        instances: vec![
            standing("lamp 1", [1.0, 2.0, 3.0]),
            standing("lamp 2", [7.0, 8.0, 9.0]),
        ],
        light_styles: vec![
            LightStyle {
                factors: vec![1.0],
                factors_per_sec: 0.0,
            },
            LightStyle {
                factors: vec![0.5, 1.0],
                factors_per_sec: 10.0,
            },
        ],
        overlays: vec![Overlay::default()],
        ..Scene::default()
    }
}

fn red_blocks() -> Texture {
    Texture {
        name: "red".to_owned(),
        width: 4,
        height: 4,
        format: PixelFormat::Bc1,
        n_layers: 1,
        mips: vec![vec![0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0]],
        addressing: Addressing::Repeat,
    }
}

/// Two pixels, two styles of four layers; only the flat ones are not dark.
fn light() -> Texture {
    const DARK: [[f32; 4]; 2] = [[0.0; 4]; 2];
    let flat = [[2.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]];
    let flickering = [[4.0, 2.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]];
    let layers = [flat, DARK, DARK, DARK, flickering, DARK, DARK, DARK];
    let halves = layers.as_flattened().as_flattened().iter();
    let bytes = halves.flat_map(|value| half::f16::from_f32(*value).to_le_bytes());
    Texture {
        name: "light".to_owned(),
        width: 2,
        height: 1,
        format: PixelFormat::Rgba16Float,
        n_layers: 8,
        mips: vec![bytes.collect()],
        addressing: Addressing::Clamp,
    }
}

fn floor() -> Mesh {
    let positions = vec![
        [9.0, 9.0, 5.0],
        [0.0, 0.0, 5.0],
        [4.0, 0.0, 5.0],
        [4.0, 3.0, 5.0],
        [0.0, 3.0, 5.0],
    ];
    let uvs = |of: fn(&[f32; 3]) -> [f32; 2]| positions.iter().map(of).collect();
    let batch = |first_index, material| Batch {
        first_index,
        n_indices: 3,
        material: MaterialIdx(material),
    };
    Mesh {
        name: "floor".to_owned(),
        normals: vec![[0.0, 0.0, 1.0]; 5],
        uv_sets: [
            uvs(|[x, y, _]| [*x, *y]),
            uvs(|[x, y, _]| [(x + 2.0) / 8.0, y / 6.0]),
        ],
        indices: vec![1, 2, 3, 1, 3, 4, 1, 2, 0],
        batches: vec![batch(0, 0), batch(3, 1), batch(6, 0)],
        clusters: vec![Cluster {
            bounds: Aabb {
                min: [0.0; 3],
                max: [9.0; 3],
            },
            cell: [0, 0],
            lods: vec![0..2, 2..3],
            cells: Vec::new(),
        }],
        positions,
        ..Mesh::default()
    }
}

fn lamp() -> Model {
    let ball = Sphere {
        center: [0.0; 3],
        radius: 2.0,
    };
    Model {
        name: "lamp".to_owned(),
        nodes: vec![ModelNode {
            name: "post".to_owned(),
            ..ModelNode::default()
        }],
        mesh: Mesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]; 3],
            uv_sets: [vec![[0.0; 2]; 3], vec![[0.0; 2]; 3]],
            indices: vec![0, 1, 2],
            batches: vec![Batch {
                first_index: 0,
                n_indices: 3,
                material: MaterialIdx(1),
            }],
            ..Mesh::default()
        },
        pieces: vec![ModelPiece {
            node: 0,
            state: 0,
            lods: vec![PieceLod {
                bounds: ball,
                batches: 0..1,
            }],
        }],
        bounds: ball,
        ..Model::default()
    }
}

fn standing(name: &str, [x, y, z]: [f32; 3]) -> Instance {
    Instance {
        name: name.to_owned(),
        model: ModelIdx(0),
        world_from_model: Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]),
        ..Instance::default()
    }
}
