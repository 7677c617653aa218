//! `VTF` files of canvases.
//!
//! They are put together here rather than drafted: mips are those of the canvas, which are the same on every machine.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::vtf::{
    ImageFormat, SheetFrame, SheetSequence, SpriteSheet, TextureFlags, Vtf,
};

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

/// Pictures of sprites in equal cells, row after row: one sequence of all of them, a second long.
pub fn sheet(canvas: &Canvas, cells: u32) -> Result<Vec<u8>, FormatError> {
    let frame = |at: u32| {
        let corner =
            |by: u32| [at % cells + by, at / cells + by].map(|it| it as f32 / cells as f32);
        let ([left, upper], [right, lower]) = (corner(0), corner(1));
        SheetFrame {
            time: 1.0 / (cells * cells) as f32,
            pictures: vec![[left, upper, right, lower]],
        }
    };
    let sequence = SheetSequence {
        number: 0,
        clamps: 0,
        total_time: 1.0,
        frames: (0..cells * cells).map(frame).collect(),
    };
    let sheet = SpriteSheet {
        version: 0,
        sequences: vec![sequence],
    };
    let texture = Vtf::read(&repeating(canvas, true)?)?;
    texture.with_sheet(&sheet)?.write()
}

/// A face of the sky, whose edges do not repeat.
pub fn clamped(canvas: &Canvas) -> Result<Vec<u8>, FormatError> {
    let flags = TextureFlags::CLAMP_S
        | TextureFlags::CLAMP_T
        | TextureFlags::NO_MIPS
        | TextureFlags::NO_LOD;
    file(canvas, ImageFormat::Bgr888, flags, 1, bgr(canvas))
}

fn bgra(canvas: &Canvas) -> Vec<u8> {
    let byte = |c: f64| (c.clamp(0.0, 255.0) + 0.5).floor() as u8;
    let pixels = canvas.rgb.iter().zip(&canvas.alpha);
    pixels
        .flat_map(|([r, g, b], alpha)| [byte(*b), byte(*g), byte(*r), byte(alpha * 255.0)])
        .collect()
}

/// A picture of brightness alone, `size` wide and high, with all mips.
pub fn gray(size: [usize; 2], pixels: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut levels = vec![(size, pixels.to_vec())];
    while let Some(([width, height], last)) = levels.last().filter(|(size, _)| *size != [1, 1]) {
        let half = [width / 2, height / 2].map(|side| side.max(1));
        let at = |x: usize, y: usize| u32::from(last[y.min(height - 1) * width + x.min(width - 1)]);
        let mean = |i: usize| {
            let (x, y) = (i % half[0] * 2, i / half[0] * 2);
            let sum = at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1);
            ((sum + 2) / 4) as u8
        };
        levels.push((half, (0..half[0] * half[1]).map(mean).collect()));
    }
    let n_mips = levels.len() as u8;
    let body = levels.into_iter().rev().flat_map(|(_, level)| level);
    let vtf = Vtf {
        width: size[0] as u16,
        height: size[1] as u16,
        n_mips,
        ..vtf(ImageFormat::I8, TextureFlags::empty(), body.collect())
    };
    vtf.write()
}

/// A cubemap of six faces, without mips.
pub fn cubemap(faces: &[Canvas; 6]) -> Result<Vec<u8>, FormatError> {
    let flags = TextureFlags::CUBEMAP | TextureFlags::NO_MIPS | TextureFlags::NO_LOD;
    let side = faces[0].n as u16;
    let vtf = Vtf {
        width: side,
        height: side,
        // Of this version a cubemap has a sphere map too, unless it begins with no frame.
        first_frame: u16::MAX,
        ..vtf(
            ImageFormat::Bgr888,
            flags,
            faces.iter().flat_map(bgr).collect(),
        )
    };
    vtf.write()
}

fn bgr(canvas: &Canvas) -> Vec<u8> {
    let byte = |c: f64| (c.clamp(0.0, 255.0) + 0.5).floor() as u8;
    let pixels = canvas.rgb.iter();
    pixels
        .flat_map(|[r, g, b]| [byte(*b), byte(*g), byte(*r)])
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
        width: canvas.n as u16,
        height: canvas.n as u16,
        reflectivity: reflectivity(canvas).map(|c| c as f32),
        n_mips,
        ..vtf(format, flags, body)
    };
    vtf.write()
}

/// A texture of one pixel and one mip.
fn vtf(format: ImageFormat, flags: TextureFlags, body: Vec<u8>) -> Vtf {
    Vtf {
        version: 2,
        width: 1,
        height: 1,
        flags,
        n_frames: 1,
        first_frame: 0,
        unknown_1c: [0; 4],
        reflectivity: [0.2; 3],
        unknown_2c: [0; 4],
        bump_scale: 1.0,
        format,
        n_mips: 1,
        thumbnail_format: None,
        thumbnail_size: [0; 2],
        depth: 1,
        unknown_41: ([0; 3], [0; 8]),
        resources: Vec::new(),
        header_tail: vec![0; 15],
        body,
    }
}
