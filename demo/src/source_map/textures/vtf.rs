//! `VTF` files of canvases.
//!
//! They are put together here rather than drafted: mips are those of the canvas, which are the same on every machine.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::vtf::{ImageFormat, TextureFlags, Vtf};

use super::{dxt1, reflectivity};
use crate::textures::Canvas;

/// A texture that repeats, with all mips.
pub fn repeating(canvas: &Canvas, as_blocks: bool) -> Result<Vec<u8>, FormatError> {
    let mut levels = vec![canvas.clone()];
    while let Some(last) = levels.last().filter(|level| level.n > 1) {
        levels.push(last.halved());
    }
    let (format, flags) = if as_blocks {
        (ImageFormat::Dxt1, TextureFlags::empty())
    } else {
        (ImageFormat::Bgra8888, TextureFlags::EIGHT_BIT_ALPHA)
    };
    let store = |level: &Canvas| {
        if as_blocks {
            dxt1::blocks(level)
        } else {
            bgra(level)
        }
    };
    let body = levels.iter().rev().flat_map(store).collect();
    file(canvas, format, flags, levels.len() as u8, body)
}

/// A face of the sky, whose edges do not repeat.
pub fn clamped(canvas: &Canvas) -> Result<Vec<u8>, FormatError> {
    let flags = TextureFlags::CLAMP_S
        | TextureFlags::CLAMP_T
        | TextureFlags::NO_MIPS
        | TextureFlags::NO_LOD;
    let byte = |c: f64| (c.clamp(0.0, 255.0) + 0.5).floor() as u8;
    let body = canvas
        .rgb
        .iter()
        .flat_map(|[r, g, b]| [byte(*b), byte(*g), byte(*r)])
        .collect();
    file(canvas, ImageFormat::Bgr888, flags, 1, body)
}

fn bgra(canvas: &Canvas) -> Vec<u8> {
    let byte = |c: f64| (c.clamp(0.0, 255.0) + 0.5).floor() as u8;
    let pixels = canvas.rgb.iter().zip(&canvas.alpha);
    pixels
        .flat_map(|([r, g, b], alpha)| [byte(*b), byte(*g), byte(*r), byte(alpha * 255.0)])
        .collect()
}

fn file(
    canvas: &Canvas,
    format: ImageFormat,
    flags: TextureFlags,
    n_mips: u8,
    body: Vec<u8>,
) -> Result<Vec<u8>, FormatError> {
    let vtf = Vtf {
        version: 2,
        width: canvas.n as u16,
        height: canvas.n as u16,
        flags,
        n_frames: 1,
        first_frame: 0,
        unknown_1c: [0; 4],
        reflectivity: reflectivity(canvas).map(|c| c as f32),
        unknown_2c: [0; 4],
        bump_scale: 1.0,
        format,
        n_mips,
        thumbnail_format: None,
        thumbnail_size: [0; 2],
        depth: 1,
        unknown_41: ([0; 3], [0; 8]),
        resources: Vec::new(),
        header_tail: vec![0; 15],
        body,
    };
    vtf.write()
}
