//! Balls, one for each feature of models.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::studio_model::{DraftMesh, StudioDraft, StudioModel};

use super::{BALL_RADIUS, features};

/// Rows from pole to pole, and columns around.
const N_ROWS: usize = 16;
const N_COLUMNS: usize = 24;

/// Path of the model of a feature.
pub fn path(feature: &str) -> String {
    format!("models/{}.mdl", base(feature))
}

fn base(feature: &str) -> String {
    format!("shading/{}", feature.to_ascii_lowercase().replace(' ', "_"))
}

/// Files of all balls, by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let mut files = Vec::new();
    for feature in features::balls() {
        let base = base(feature.name);
        let material = feature.material();
        let draft = StudioDraft {
            name: format!("{base}.mdl"),
            textures: vec![material.trim_start_matches("shading/").to_owned()],
            texture_folders: vec!["shading/".to_owned()],
            surface_property: "pottery".to_owned(),
            mass: 20.0,
            meshes: vec![ball()],
            ..StudioDraft::default()
        };
        let parts = StudioModel::draft(&draft)?;
        files.extend([
            (format!("models/{base}.mdl"), parts.mdl),
            (format!("models/{base}.vvd"), parts.vvd),
            (format!("models/{base}.dx90.vtx"), parts.vtx),
        ]);
    }
    Ok(files)
}

/// A ball whose texture lies around it three times, and once from pole to pole, v down.
fn ball() -> DraftMesh {
    let mut mesh = DraftMesh::default();
    for row in 0..=N_ROWS {
        let down = row as f64 / N_ROWS as f64;
        let tilt = std::f64::consts::PI * down;
        for column in 0..=N_COLUMNS {
            let around = column as f64 / N_COLUMNS as f64;
            // The seam looks north.
            let turn = 2.0 * std::f64::consts::PI * (around + 0.25);
            let normal = [
                libm::sin(tilt) * libm::cos(turn),
                libm::sin(tilt) * libm::sin(turn),
                libm::cos(tilt),
            ];
            mesh.positions
                .push(normal.map(|c| (c * BALL_RADIUS) as f32));
            mesh.normals.push(normal.map(|c| c as f32));
            mesh.uvs.push([(3.0 * around) as f32, (1.5 * down) as f32]);
        }
    }
    let per_row = N_COLUMNS as u32 + 1;
    for row in 0..N_ROWS as u32 {
        for column in 0..N_COLUMNS as u32 {
            let a = row * per_row + column;
            let (b, c, d) = (a + 1, a + per_row, a + per_row + 1);
            // At either pole one of the two is a line.
            if row > 0 {
                mesh.indices.extend([a, d, b]);
            }
            if row + 1 < N_ROWS as u32 {
                mesh.indices.extend([a, c, d]);
            }
        }
    }
    mesh
}
