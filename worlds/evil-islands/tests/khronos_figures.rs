//! The Khronos glTF validator over written figures.

#[path = "common/figure.rs"]
mod figure;
#[path = "../../../exchange/tests/common/khronos.rs"]
mod khronos;

use std::process::ExitCode;

use ironlands_world_evil_islands::exchange::{FigureSource, write_figure_glb};

const TRIAL: khronos::Validated = ("khronos_figure", figure_glb);

fn main() -> ExitCode {
    khronos::run([TRIAL])
}

/// A figure with and without a texture.
fn figure_glb() -> Vec<Vec<u8>> {
    let (figure, texture) = (figure::figure(), figure::texture());
    let glb = |primary| {
        let source = FigureSource {
            figure: &figure,
            primary,
            secondary: None,
            complection: [0.25, 0.5, 0.75],
        };
        let glb = write_figure_glb(&source).expect("a sound figure");
        glb.bytes
    };
    vec![glb(Some(&texture)), glb(None)]
}
