//! Textures that are no ground of their own: the stand-in, microtextures and light maps.

use ironlands_assets_parkan::texm::{PageRect, Texm};

use super::canvas::{Canvas, PixelKind};
use crate::noise::{bump, fbm, gradient, smoothstep};

/// Flag of light maps in the fifth header word.
const LIGHTMAP_FLAGS5: u32 = 0x0080_0000;

/// What is shown where a material is missing: a gray chequer. Its page names the four squares.
pub fn checker() -> Texm {
    const SIZE: i16 = 64;
    let canvas = Canvas::paint(SIZE as usize, |u, v| {
        let light = if (u < 0.5) == (v < 0.5) { 150.0 } else { 110.0 };
        [light, light, light * 1.03]
    });
    let mut texm = canvas.to_texm(PixelKind::Rgb888);
    let half = SIZE / 2;
    let squares = [(0, 0), (half, 0), (0, half), (half, half)];
    texm.page = Some(
        squares
            .map(|(x, y)| PageRect {
                x,
                w: half,
                y,
                h: half,
            })
            .to_vec(),
    );
    texm
}

/// The fine shapes of a ground's own texture, around mid gray, with fine grain.
pub fn microtexture(ground: &Canvas) -> Texm {
    const SIZE: usize = 128;
    // Larger shapes would show how often it repeats.
    const SHAPES: usize = 16;
    let ground = ground.shrunk_to(SIZE);
    let shapes = ground.shrunk_to(SHAPES);
    let light = |canvas: &Canvas, u: f64, v: f64| {
        let at = |t: f64| (t * canvas.n as f64) as usize;
        canvas.rgb[at(v) * canvas.n + at(u)].iter().sum::<f64>() / 3.0
    };
    let canvas = Canvas::paint(SIZE, |u, v| {
        let stands_out = light(&ground, u, v) - light(&shapes, u, v);
        let grain = fbm(101, u * 24.0, v * 24.0, 2, 24);
        let speck = gradient(103, u * 64.0, v * 64.0, 64);
        let gray = 128.0 + 1.2 * stands_out + 24.0 * grain + 12.0 * speck;
        [gray.clamp(48.0, 208.0); 3]
    });
    canvas.with_mean([128.0; 3]).to_texm(PixelKind::Rgb888)
}

/// Light maps for buildings, by name: one level each.
pub fn lightmaps() -> Vec<(String, Texm)> {
    const SIZE: usize = 32;
    let warm = |light: f64| [255.0 * light, 232.0 * light, 190.0 * light];
    let lamp = |u: f64, v: f64| {
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        warm(0.25 + 0.75 * bump((x * x + y * y).sqrt().min(1.0)))
    };
    let window = |u: f64, v: f64| {
        let pane = |t: f64| bump(((2.0 * t).fract() * 2.0 - 1.0).abs().min(1.0));
        warm(0.35 + 0.65 * pane(u) * pane(v))
    };
    let gutter = |_: f64, v: f64| [230.0 * (0.35 + 0.65 * smoothstep(0.0, 0.6, v)); 3];
    [
        ("LM_LAMP.0", Canvas::paint(SIZE, lamp)),
        ("LM_WINDOW.0", Canvas::paint(SIZE, window)),
        ("LM_GUTTER.0", Canvas::paint(SIZE, gutter)),
    ]
    .map(|(name, canvas)| (name.to_owned(), lightmap_texm(canvas)))
    .to_vec()
}

/// A light map as the retail files have it: one level.
pub fn lightmap_texm(canvas: Canvas) -> Texm {
    let mut texm = canvas.to_texm(PixelKind::Rgb565);
    texm.mips.truncate(1);
    texm.flags5 = LIGHTMAP_FLAGS5;
    texm
}
