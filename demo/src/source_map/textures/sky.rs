//! The sky: six faces of a clear day with fair-weather clouds, around the sun of the plan.

use ironlands_assets_core::bytes::FormatError;
use rayon::prelude::*;

use super::stone::blend;
use super::{block, line, vtf};
use crate::noise::{ENDLESS, fbm, smoothstep};
use crate::source_map::entities::Sun;
use crate::textures::{Canvas, Rgb};
use crate::vector::{Vec3, dot, normalized, scale};

/// Side of the faces that show sky.
pub const SIDE: usize = 256;
/// How much smaller the side of the face below the horizon is.
const BELOW: usize = 16;

/// How a face turns its s (right) and t (up) into a direction.
type Turn = fn(f64, f64) -> Vec3;

/// Faces, by how much each is smaller, and how they lie (section 11.7).
const FACES: [(&str, usize, Turn); 6] = [
    ("rt", 1, |s, t| [1.0, -s, t]),
    ("lf", 1, |s, t| [-1.0, s, t]),
    ("bk", 1, |s, t| [s, 1.0, t]),
    ("ft", 1, |s, t| [-s, -1.0, t]),
    ("up", 1, |s, t| [-t, -s, 1.0]),
    ("dn", BELOW, |s, t| [t, -s, -1.0]),
];

/// Textures and materials of all faces of a sky, around a sun.
pub fn files(sky: &str, sun: &Sun, side: usize) -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let to_sun = scale(sun.direction(), -1.0);
    let of_face = |(name, smaller, turn): &(&str, usize, Turn)| {
        let canvas = Canvas::paint(side / smaller, |u, v| {
            let direction = turn(2.0 * u - 1.0, 1.0 - 2.0 * v);
            color(normalized(direction), to_sun)
        });
        let texture = format!("skybox/{sky}{name}");
        let lines = [
            line("$basetexture", &texture),
            line("$nofog", "1"),
            line("$ignorez", "1"),
        ];
        Ok([
            (format!("materials/{texture}.vtf"), vtf::clamped(&canvas)?),
            (
                format!("materials/{texture}.vmt"),
                block("UnlitGeneric", &lines).into_bytes(),
            ),
        ])
    };
    let files: Result<Vec<_>, FormatError> = FACES.par_iter().map(of_face).collect();
    Ok(files?.into_iter().flatten().collect())
}

/// Color of the sky in a direction.
pub fn color(direction: Vec3, to_sun: Vec3) -> Rgb {
    let up = direction[2];
    let haze = [198.0, 212.0, 224.0];
    let clear = blend(
        [132.0, 176.0, 220.0],
        [62.0, 112.0, 178.0],
        smoothstep(0.05, 0.9, up),
    );
    let sky = blend(haze, clear, smoothstep(-0.02, 0.30, up));
    let toward = dot(direction, to_sun).max(0.0);
    let wide = toward * toward * toward * toward;
    let wide = wide * wide;
    let sky = blend(sky, [255.0, 240.0, 208.0], 0.45 * wide);
    let (cover, light) = clouds(direction, toward);
    let sky = blend(sky, light, cover);
    blend(
        sky,
        [255.0, 252.0, 238.0],
        smoothstep(0.9988, 0.9996, toward),
    )
}

/// How much of the sky clouds cover in a direction, and their color.
fn clouds(direction: Vec3, toward: f64) -> (f64, Rgb) {
    let up = direction[2];
    if up <= 0.02 {
        return (0.0, [0.0; 3]);
    }
    // A flat layer, less far away than it would be, so that it does not crowd at the horizon.
    let (x, y) = (direction[0] / (up + 0.18), direction[1] / (up + 0.18));
    let bank = fbm(131, x * 0.9 + 5.3, y * 0.9 + 2.1, 6, ENDLESS);
    let body = smoothstep(0.02, 0.42, bank);
    // The same clouds a little toward the light are what shades them.
    let depth = fbm(131, x * 0.9 + 5.36, y * 0.9 + 2.07, 4, ENDLESS);
    let shade = smoothstep(-0.1, 0.5, depth);
    let lit = blend([255.0, 252.0, 246.0], [190.0, 198.0, 212.0], 0.85 * shade);
    let lit = blend(lit, [255.0, 246.0, 226.0], 0.3 * toward * toward);
    (0.92 * body * smoothstep(0.02, 0.16, up), lit)
}
