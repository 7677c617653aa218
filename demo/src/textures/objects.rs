//! Textures of models: plates of metal, concrete, plants, and lights.

mod lights;
mod metal;
pub mod plants;
mod walls;

use ironlands_assets_parkan::texm::Texm;
use rayon::prelude::*;

use super::canvas::{Canvas, PixelKind, Rgb};
use crate::noise::{fbm, hash2, mix, smoothstep, unit};

/// A texture's name, its painter and how it is stored.
type Recipe = (&'static str, fn() -> Canvas, PixelKind);

const RECIPES: [Recipe; 18] = [
    ("WK_HULL.0", metal::walker_hull, PixelKind::Rgb565),
    ("WK_STEEL.0", metal::dark_steel, PixelKind::Rgb565),
    ("WK_GLASS.0", lights::cockpit, PixelKind::Rgb565),
    ("WK_LAMP.0", lights::lamp, PixelKind::Rgb565),
    ("TR_HULL.0", metal::turret_hull, PixelKind::Rgb565),
    ("WRECK.0", metal::wreck, PixelKind::Rgb565),
    ("FR_WALL.0", walls::slabs, PixelKind::Rgb565),
    ("FR_STEEL.0", metal::gray_steel, PixelKind::Rgb565),
    ("FR_WIN.0", walls::windows, PixelKind::Rgb565),
    ("FR_GLASS.0", lights::glass, PixelKind::Argb4444),
    ("FR_DOOR.0", walls::door, PixelKind::Rgb565),
    ("GLOW.0", lights::glow, PixelKind::Rgb565),
    ("CRATE.0", walls::crate_side, PixelKind::Rgb565),
    ("BARK.0", plants::bark, PixelKind::Rgb565),
    ("PINE_TW.0", plants::pine_bough, PixelKind::Argb4444),
    ("PINE_FAR.0", plants::far_pine, PixelKind::Argb4444),
    ("OAK_LEAF.0", plants::oak_leaves, PixelKind::Argb4444),
    ("OAK_FAR.0", plants::far_oak, PixelKind::Argb4444),
];

/// All textures of models, by name.
pub fn library() -> Vec<(String, Texm)> {
    let painted = RECIPES.par_iter().map(|(name, paint, kind)| {
        let canvas = paint();
        let texm = match is_cut_out(name) {
            true => canvas.to_cut_out_texm(*kind),
            false => canvas.to_texm(*kind),
        };
        ((*name).to_owned(), texm)
    });
    painted.collect()
}

/// Whether alpha cuts holes: leaves, which are drawn where alpha is above one half.
fn is_cut_out(name: &str) -> bool {
    name.starts_with("PINE") || name.starts_with("OAK")
}

/// A place on plates that are laid in rows.
struct Plate {
    /// Number of the plate.
    id: u32,
    /// Distance to the nearest edge, in parts of the texture's side.
    edge: f64,
    /// Distance to the nearest rivet, likewise.
    rivet: f64,
}

/// Rows of plates: `rows` are their heights in parts of the side, each split by a number into plates of uneven width.
fn plate(rows: &[(f64, i32)], seed: u32, u: f64, v: f64) -> Plate {
    let mut top = 0.0;
    for (row, (height, n)) in rows.iter().enumerate() {
        if v >= top + height && row + 1 < rows.len() {
            top += height;
            continue;
        }
        let border = |k: i32| {
            let uneven = unit(hash2(seed, row as i32, k.rem_euclid(*n))) - 0.5;
            (f64::from(k) + 0.5 * uneven) / f64::from(*n)
        };
        let mut k = (u * f64::from(*n)).floor() as i32;
        if u < border(k) {
            k -= 1;
        } else if u >= border(k + 1) {
            k += 1;
        }
        let (x, y) = (u - border(k), v - top);
        let (w, h) = (border(k + 1) - border(k), *height);
        let (dx, dy) = (x.min(w - x), y.min(h - y));
        let inset = 0.025;
        let (rx, ry) = (dx - inset, dy - inset);
        return Plate {
            id: hash2(seed + 1, row as i32, k.rem_euclid(*n)),
            edge: dx.min(dy),
            rivet: (rx * rx + ry * ry).sqrt(),
        };
    }
    unreachable!("v lies within the texture, whose last row has no end")
}

fn blend(a: Rgb, b: Rgb, t: f64) -> Rgb {
    [0, 1, 2].map(|k| mix(a[k], b[k], t))
}

fn scaled(color: Rgb, by: f64) -> Rgb {
    color.map(|c| c * by)
}

/// Noise that repeats over the texture: `cells` lattice cells along its side.
fn tiled(seed: u32, u: f64, v: f64, cells: i32, octaves: u32) -> f64 {
    let n = f64::from(cells);
    fbm(seed, u * n, v * n, octaves, cells)
}

/// Dirt that has run down from the top of the texture.
fn streaks(seed: u32, u: f64, v: f64, cells: i32) -> f64 {
    let thin = fbm(seed, u * f64::from(cells), v * 4.0, 3, 4);
    smoothstep(0.05, 0.5, thin)
}
