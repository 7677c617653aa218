//! Pictures of the objects on the island, and the atlases of its ground, as the files of `textures.res`.
//!
//! Pictures are painted upright, their first row the highest. What is wholly clear is black, as the game wants it, as far
//! as formats of blocks can hold it; the rim of what is cut out keeps its color under an opacity too low to be seen, so
//! that filters find no black beside it.

mod house;
mod icons;
mod skin;
mod things;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_evil_islands::mmp::{MipChain, Mmp, MmpDraft, MmpFormat, PixelRows};
use rayon::prelude::*;

use super::ZONE;
use super::tiles::atlases;
use crate::landscape::Class;
use crate::noise::mix;
use crate::source_map::textures::wood;
use crate::textures::objects::plants;
use crate::textures::{Canvas, Rgb, of_class};

/// How a texture gets its smaller levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Levels {
    /// None.
    One,
    /// Means.
    Mean,
    /// Means of the colors of what is seen, cut out again.
    CutOut,
}

type Recipe = (&'static str, fn() -> Canvas, MmpFormat, Levels);

const RECIPES: [Recipe; 19] = [
    ("human00", skin::villager, MmpFormat::Dxt1, Levels::Mean),
    ("human01", skin::guard, MmpFormat::Dxt1, Levels::Mean),
    ("human02", skin::child, MmpFormat::Dxt1, Levels::Mean),
    ("arms00", things::arms, MmpFormat::Rgb565, Levels::Mean),
    ("bark00", plants::bark, MmpFormat::Rgb565, Levels::Mean),
    ("oak00", plants::oak_leaves, MmpFormat::Dxt3, Levels::CutOut),
    ("fir00", plants::pine_bough, MmpFormat::Dxt3, Levels::CutOut),
    ("oak01", autumn_leaves, MmpFormat::Dxt3, Levels::CutOut),
    ("walls00", house::walls, MmpFormat::Dxt1, Levels::Mean),
    ("walls01", house::red_walls, MmpFormat::Dxt1, Levels::Mean),
    ("roof00", house::thatch, MmpFormat::Dxt1, Levels::Mean),
    ("roof01", house::shingles, MmpFormat::Dxt1, Levels::Mean),
    ("wood00", wooden, MmpFormat::Dxt1, Levels::Mean),
    ("stone00", stones, MmpFormat::Dxt1, Levels::Mean),
    ("masonry00", house::masonry, MmpFormat::Dxt1, Levels::Mean),
    ("chest00", things::chest, MmpFormat::Argb1555, Levels::Mean),
    ("flame00", things::flame, MmpFormat::Argb4444, Levels::Mean),
    ("rune00", things::rune, MmpFormat::Argb4444, Levels::CutOut),
    // What the game falls back to fits its people.
    ("default0", skin::guard, MmpFormat::Dxt1, Levels::Mean),
];

/// All files of `textures.res`: names with extension, and bytes.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let painted: Vec<Result<_, FormatError>> = RECIPES
        .par_iter()
        .map(|(name, paint, format, levels)| {
            let canvas = paint();
            let texture = stored(&canvas, *format, *levels, PixelRows::Upright)?;
            Ok((format!("{name}.mmp"), texture.write()?))
        })
        .collect();
    let mut files = painted.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (number, atlas) in atlases().iter().enumerate() {
        let format = match atlas.has_alpha {
            true => MmpFormat::Dxt3,
            false => MmpFormat::Dxt1,
        };
        let texture = stored(&atlas.canvas, format, Levels::Mean, PixelRows::Stored)?;
        files.push((format!("{ZONE}{number:03}.mmp"), texture.write()?));
    }
    let sword = stored(
        &icons::sword(),
        MmpFormat::Pnt3,
        Levels::One,
        PixelRows::Upright,
    )?;
    files.push(("initwesw01.mmp".to_owned(), sword.write()?));
    Ok(files)
}

/// The map that the game shows in its corner, for `menus.res`.
pub fn mini_map(color: impl Fn(f64, f64) -> Rgb) -> Result<Vec<u8>, FormatError> {
    let canvas = Canvas::paint(128, |u, v| color(u, 1.0 - v));
    stored(
        &canvas,
        MmpFormat::Argb8888,
        Levels::One,
        PixelRows::Upright,
    )?
    .write()
}

/// A texture with all its levels.
fn stored(
    canvas: &Canvas,
    format: MmpFormat,
    levels: Levels,
    rows: PixelRows,
) -> Result<Mmp, FormatError> {
    let chain = match levels {
        Levels::One => vec![canvas.clone()],
        Levels::Mean => canvas.levels(),
        Levels::CutOut => canvas.cut_out_levels().iter().map(rimmed).collect(),
    };
    let mut all: Vec<Mmp> = Vec::new();
    for level in &chain {
        let draft = MmpDraft {
            width: level.n as u32,
            height: level.n as u32,
            format,
            mips: MipChain::LevelZero,
            rgba: &rgba(level),
            rows,
        };
        all.push(Mmp::encode(&draft)?);
    }
    let smaller: Vec<Vec<u8>> = all.drain(1..).flat_map(|level| level.levels).collect();
    let mut texture = all.swap_remove(0);
    if !smaller.is_empty() {
        texture.levels.extend(smaller);
        texture.level_word = texture.levels.len() as u32;
    }
    Ok(texture)
}

/// Bytes R, G, B, A; what is wholly clear is black.
fn rgba(canvas: &Canvas) -> Vec<u8> {
    let byte = |c: f64| (c.clamp(0.0, 255.0) + 0.5).floor() as u8;
    let pixels = canvas.rgb.iter().zip(&canvas.alpha);
    pixels
        .flat_map(|(color, alpha)| match byte(alpha * 255.0) {
            // Four bits take up to 8 for nothing.
            0..=8 => [0; 4],
            alpha => {
                let [r, g, b] = color.map(byte);
                [r, g, b, alpha]
            }
        })
        .collect()
}

/// The picture with a rim of low opacity, two pixels wide, around what is seen.
fn rimmed(canvas: &Canvas) -> Canvas {
    let (n, reach) = (canvas.n as i64, 2);
    let mut rimmed = canvas.clone();
    for (i, alpha) in rimmed.alpha.iter_mut().enumerate() {
        let (x, y) = (i as i64 % n, i as i64 / n);
        let around = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| [dx, dy]));
        let is_near = around
            .map(|[dx, dy]| ((y + dy).rem_euclid(n) * n + (x + dx).rem_euclid(n)) as usize)
            .any(|other| canvas.alpha[other] >= 0.5);
        // A fifteenth: the least above zero that four bits hold.
        *alpha = if *alpha >= 0.5 {
            1.0
        } else if is_near {
            1.0 / 15.0
        } else {
            0.0
        };
    }
    rimmed
}

/// Leaves that have begun to turn.
fn autumn_leaves() -> Canvas {
    let mut canvas = plants::oak_leaves();
    for color in &mut canvas.rgb {
        let [r, g, b] = *color;
        *color = [1.75 * r, 1.02 * g, 0.6 * b];
    }
    canvas
}

fn wooden() -> Canvas {
    wood::planks().halved().with_mean([126.0, 100.0, 72.0])
}

fn stones() -> Canvas {
    of_class(Class::Rock)
        .halved()
        .with_mean([128.0, 124.0, 116.0])
}

/// A mix of two colors.
fn blend(a: Rgb, b: Rgb, t: f64) -> Rgb {
    [0, 1, 2].map(|k| mix(a[k], b[k], t.clamp(0.0, 1.0)))
}

fn scaled(color: Rgb, by: f64) -> Rgb {
    color.map(|c| c * by)
}

/// The place in a part (left, top, right, bottom) of a picture, if it lies there: 0 to 1 from its left and top.
fn within([u0, v0, u1, v1]: [f64; 4], u: f64, v: f64) -> Option<[f64; 2]> {
    let at = [(u - u0) / (u1 - u0), (v - v0) / (v1 - v0)];
    at.iter().all(|c| (0.0..1.0).contains(c)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_clear_is_black_and_rims_keep_their_color() {
        let mut canvas = Canvas::paint(16, |_, _| [40.0, 90.0, 20.0]);
        for (i, alpha) in canvas.alpha.iter_mut().enumerate() {
            *alpha = if i % 16 < 4 { 1.0 } else { 0.0 };
        }
        let pixels = rgba(&rimmed(&canvas));
        let pixel = |x: usize| &pixels[(16 * 8 + x) * 4..][..4];
        assert_eq!(pixel(3), [40, 90, 20, 255]);
        assert_eq!(pixel(5), [40, 90, 20, 17]);
        assert_eq!(pixel(9), [0, 0, 0, 0]);
    }
}
