//! Textures and materials of the yard, and its table of colors.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_source::color_lookup::ColorLookup;

use super::random_unit;
use crate::noise::{mix, smoothstep};
use crate::source_map::textures::stone::{blend, tiled};
use crate::source_map::textures::vtf;
use crate::textures::{Canvas, Rgb};

/// Material of detail sprites.
pub const DETAIL: &str = "garden/grass";
/// Path of the table of colors.
pub const TABLE: &str = "materials/correction/evening.raw";

const SIDE: usize = 64;
const ATLAS_SIDE: usize = 128;
/// Blades of a tuft.
const N_BLADES: usize = 11;

/// All files by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let opaque = |color: fn(f64, f64) -> Rgb| (Canvas::paint(SIDE, color), true);
    let pictures: [(&str, (Canvas, bool), &str); 6] = [
        ("ground", opaque(ground), "LightmappedGeneric"),
        ("wall", opaque(wall), "LightmappedGeneric"),
        ("rope", (Canvas::paint(16, rope), true), "Cable"),
        ("grass", painted(ATLAS_SIDE, grass), "UnlitGeneric"),
        ("arrow", painted(SIDE, arrow), "LightmappedGeneric"),
        ("glow", (Canvas::paint(SIDE, glow), true), "Sprite"),
    ];
    let mut files = Vec::new();
    for (name, (canvas, as_blocks), shader) in pictures {
        let more = match name {
            "grass" => "\t\"$alphatest\" \"1\"\n\t\"$vertexcolor\" \"1\"\n",
            "arrow" => "\t\"$translucent\" \"1\"\n\t\"$decal\" \"1\"\n\t\"$decalscale\" \".75\"\n",
            "glow" => "\t\"$additive\" \"1\"\n",
            _ => "",
        };
        let text = format!("\"{shader}\"\n{{\n\t\"$basetexture\" \"garden/{name}\"\n{more}}}\n");
        files.push((
            format!("materials/garden/{name}.vtf"),
            vtf::repeating(&canvas, as_blocks)?,
        ));
        files.push((format!("materials/garden/{name}.vmt"), text.into_bytes()));
    }
    files.push((TABLE.to_owned(), ColorLookup::draft(evening).write()?));
    Ok(files)
}

/// Warm light and blue shadows: by how bright a color is, toward orange or violet.
fn evening([r, g, b]: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = [r, g, b].map(|it| f64::from(it) / 255.0);
    let luma = 0.3 * r + 0.59 * g + 0.11 * b;
    let tint = [0, 1, 2].map(|k: usize| mix([0.30, 0.20, 0.42][k], [1.0, 0.78, 0.46][k], luma));
    let color = [r, g, b];
    [0, 1, 2].map(|k: usize| {
        let toned = mix(color[k], tint[k] * (0.25 + 0.9 * luma), 0.75);
        (toned.clamp(0.0, 1.0) * 255.0 + 0.5).floor() as u8
    })
}

fn painted(side: usize, color: fn(f64, f64) -> ([f64; 3], f64)) -> (Canvas, bool) {
    let mut canvas = Canvas::paint(side, |u, v| color(u, v).0);
    let alpha = Canvas::paint(side, |u, v| [color(u, v).1; 3]);
    canvas.alpha = alpha.rgb.iter().map(|[it, ..]| *it).collect();
    (canvas, false)
}

fn ground(u: f64, v: f64) -> Rgb {
    let share = 0.5 + tiled(401, u, v, 4, 4);
    blend([88.0, 92.0, 50.0], [124.0, 112.0, 72.0], share)
}

fn wall(u: f64, v: f64) -> Rgb {
    let share = 0.5 + tiled(402, u, v, 4, 4);
    blend([170.0, 160.0, 146.0], [190.0, 182.0, 166.0], share)
}

/// Strands that run around it.
fn rope(u: f64, v: f64) -> Rgb {
    let strand = ((u + v) * 2.0).fract();
    let edge = smoothstep(0.0, 0.3, strand) * smoothstep(1.0, 0.7, strand);
    blend([74.0, 58.0, 40.0], [176.0, 146.0, 104.0], edge)
}

/// Four tufts: tall grass, short grass, flowers, and a fern.
fn grass(u: f64, v: f64) -> ([f64; 3], f64) {
    let [column, row] = [u, v].map(|it| usize::from(it >= 0.5));
    let picture = column + 2 * row;
    let [x, y] = [u, v].map(|it| (it * 2.0).fract());
    let up = 1.0 - y;
    let (dark, light) = [
        ([44.0, 70.0, 22.0], [142.0, 168.0, 62.0]),
        ([76.0, 78.0, 28.0], [190.0, 178.0, 88.0]),
        ([40.0, 74.0, 30.0], [110.0, 150.0, 60.0]),
        ([30.0, 62.0, 34.0], [92.0, 150.0, 82.0]),
    ][picture];
    let mut cover = 0.0_f64;
    let mut shade = 0.5;
    let mut color = None;
    for blade in 0..N_BLADES {
        let random = |n: u32| random_unit(500 + n + 10 * picture as u32, blade as i32, 7);
        let foot = 0.5 + 0.5 * ((blade as f64 + 0.5) / N_BLADES as f64 - 0.5);
        let height = 0.55 + 0.42 * random(1);
        let lean = 1.1 * (foot - 0.5) + 0.25 * (random(2) - 0.5);
        if up > height {
            continue;
        }
        let share = up / height;
        let middle = foot + lean * share * share;
        let width = [0.035, 0.04, 0.02, 0.06][picture] * (1.0 - 0.85 * share);
        let inside = smoothstep(width, 0.6 * width, (x - middle).abs());
        if inside > cover {
            (cover, shade) = (inside, 0.25 * random(3) + 0.75 * share);
        }
        // Blossoms at the ends.
        let top = [x - foot - lean, up - height + 0.03];
        if picture == 2 && blade % 3 == 0 && top[0] * top[0] + top[1] * top[1] < 0.003 {
            (cover, color) = (1.0, Some([236.0, 150.0 + 80.0 * random(4), 70.0]));
        }
    }
    (color.unwrap_or_else(|| blend(dark, light, shade)), cover)
}

/// An arrow that points up, in a ring.
fn arrow(u: f64, v: f64) -> ([f64; 3], f64) {
    let [x, y] = [u - 0.5, 0.5 - v];
    let r = 2.0 * (x * x + y * y).sqrt();
    let ring = smoothstep(0.74, 0.8, r) * smoothstep(0.98, 0.92, r);
    let shaft = f64::from(u8::from(x.abs() < 0.06 && y > -0.28 && y < 0.1));
    let head = f64::from(u8::from(y > 0.04 && y < 0.3 && x.abs() < 0.7 * (0.3 - y)));
    ([200.0, 40.0, 30.0], ring.max(shaft).max(head))
}

fn glow(u: f64, v: f64) -> Rgb {
    let [x, y] = [u - 0.5, v - 0.5];
    let r = 2.0 * (x * x + y * y).sqrt();
    let light = smoothstep(1.0, 0.0, r);
    [255.0 * light * light; 3]
}
