//! A small model, and its files.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::new_without_default,
    reason = "fixtures say by their names what they are"
)]

use super::*;

/// Two triangles with a common edge, in two materials.
pub fn sample() -> StudioDraft {
    let mesh = |material, x: f32| DraftMesh {
        material,
        positions: vec![
            [x, 0.0, 0.0],
            [x + 1.0, 0.0, 0.0],
            [x, 1.0, 0.0],
            [x + 1.0, 1.0, 2.0],
        ],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        uvs: vec![[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]],
        indices: vec![0, 1, 2, 2, 1, 3],
        bone: 0,
    };
    StudioDraft {
        name: "props/crate.mdl".into(),
        textures: vec!["Crate".into(), "lid".into()],
        texture_folders: vec!["models\\Props\\".into(), "models/shared/".into()],
        more_skins: vec![vec![1, 0]],
        surface_property: "wood".into(),
        mass: 12.5,
        meshes: vec![mesh(1, 0.0), mesh(0, 10.0)],
        ..StudioDraft::default()
    }
}

pub fn sample_files() -> StudioFiles {
    StudioModel::draft(&sample()).unwrap()
}
