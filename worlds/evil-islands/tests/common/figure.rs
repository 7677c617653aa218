//! A figure with everything that a file can hold: three parts, eight states that f32 cannot add up to, a part of one
//! state, turns, steps of the root, and vertices that move.

use ironlands_assets_evil_islands::anm::Anm;
use ironlands_assets_evil_islands::bon::Bon;
use ironlands_assets_evil_islands::fig::{DraftVertex, Fig, FigDraft};
use ironlands_assets_evil_islands::figure::{Figure, FigureAnimation, FigurePart};
use ironlands_scene::{PixelFormat, Texture};

/// Two triangles over five vertices and four points; `spread` makes states differ.
pub fn mesh(n_states: usize, spread: f32) -> Fig {
    let corners = [
        [0.1, 0.0, -0.0],
        [1.0, 0.2, 0.0],
        [1.3, 1.0, 0.7],
        [0.0, 1.0, 0.3],
    ];
    let state = |state: usize| {
        let grown = 1.0 + spread * state as f32;
        corners
            .map(|corner| corner.map(|v: f32| v * grown + 1e-4 * spread))
            .to_vec()
    };
    let vertex = |point, u| DraftVertex {
        point,
        normal: [0.0, 0.6, 0.8],
        texcoord: [u, 1.0 - u],
    };
    Fig::draft(&FigDraft {
        points: (0..n_states).map(state).collect(),
        vertices: vec![
            vertex(0, 0.1),
            vertex(1, 0.2),
            vertex(2, 0.3),
            vertex(3, 0.4),
            vertex(0, 0.5),
        ],
        triangles: vec![[0, 1, 2], [2, 3, 4]],
        group: 19,
        texture: 1,
        ..FigDraft::default()
    })
    .expect("sound geometry")
}

fn bon(z: f32) -> Bon {
    Bon {
        offsets: (0..8)
            .map(|state| [0.1, -0.2, z + 0.3 * state as f32])
            .collect(),
        tail: Vec::new(),
    }
}

pub fn figure() -> Figure {
    let part = |name: &str, parent, fig, z| FigurePart {
        name: name.to_owned(),
        parent,
        fig,
        bon: Some(bon(z)),
    };
    let turn = |angle: f32, axis: [f32; 3]| {
        let [x, y, z] = axis.map(|v| v * (angle / 2.0).sin());
        [(angle / 2.0).cos(), x, y, z]
    };
    let turns = |axis: [f32; 3]| {
        (0..4)
            .map(|frame| turn(0.5 * frame as f32, axis))
            .collect::<Vec<_>>()
    };
    let steps = (0..4)
        .map(|frame| [0.25 * frame as f32, 0.0, 1.5])
        .collect();
    let waves: Vec<_> = (0..4)
        .map(|frame| {
            (0..4)
                .map(|point| [0.0, 0.0, 0.1 * (frame * point) as f32])
                .collect()
        })
        .collect();
    let still = || vec![[0.0; 3]; 4];
    let root = Anm::draft(turns([0.0, 0.0, 1.0]), steps, &[]);
    let body = Anm::draft(turns([1.0, 0.0, 0.0]), still(), &[]);
    let head = Anm::draft(turns([0.0, 1.0, 0.0]), still(), &waves);
    let parts = [root, body, head].map(|anm| Some(anm.expect("as many of each")));
    Figure {
        name: "unhuma".to_owned(),
        parts: vec![
            part("hp", None, Some(mesh(8, 0.37)), 1.0),
            part("bd", Some(0), Some(mesh(1, 0.0)), 0.5),
            part("hd.armor01", Some(1), Some(mesh(8, 0.11)), 0.25),
            part("bone", Some(0), None, -1.0),
        ],
        animations: vec![FigureAnimation {
            name: "cidle".to_owned(),
            parts: parts.into_iter().chain([None]).collect(),
        }],
        adb: None,
        findings: Vec::new(),
    }
}

/// Red over blue, in stored order.
pub fn texture() -> Texture {
    Texture {
        name: "unhuma00".to_owned(),
        width: 1,
        height: 2,
        format: PixelFormat::Rgba8,
        n_layers: 1,
        mips: vec![vec![255, 0, 0, 255, 0, 0, 255, 128]],
        ..Texture::default()
    }
}
