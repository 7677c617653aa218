//! Textures of the features.

use ironlands_assets_core::bytes::FormatError;

use crate::noise::{mix, smoothstep};
use crate::source_map::textures::stone::{blend, tiled};
use crate::source_map::textures::vtf;
use crate::textures::{Canvas, Rgb};

const SIDE: usize = 64;
/// Studs along either side.
const N_STUDS: f64 = 4.0;

/// All textures by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let opaque = |color: fn(f64, f64) -> Rgb| (Canvas::paint(SIDE, color), true);
    let pictures: [(&str, (Canvas, bool)); 14] = [
        ("tiles", opaque(tiles)),
        ("dark", opaque(|u, v| tiles(u, v).map(|c| c * 0.28))),
        (
            "floor",
            opaque(|u, v| {
                blend(
                    [128.0, 118.0, 100.0],
                    [152.0, 142.0, 122.0],
                    0.5 + tiled(301, u, v, 4, 4),
                )
            }),
        ),
        (
            "wall",
            opaque(|u, v| {
                blend(
                    [168.0, 160.0, 146.0],
                    [184.0, 176.0, 162.0],
                    0.5 + tiled(302, u, v, 4, 4),
                )
            }),
        ),
        ("clay", opaque(|_, _| [196.0, 170.0, 146.0])),
        ("ring", opaque(|u, v| [255.0 * ring(u, v); 3])),
        ("warp", opaque(warp)),
        (
            "exponent",
            opaque(|u, _| {
                [
                    if (u * 4.0) as i32 % 2 == 0 { 8.0 } else { 90.0 },
                    0.0,
                    255.0,
                ]
            }),
        ),
        (
            "flat",
            (Canvas::paint(SIDE, |_, _| [128.0, 128.0, 255.0]), true),
        ),
        ("disc", with_alpha(tiles, disc)),
        (
            "glass",
            with_alpha(|_, _| [150.0, 190.0, 200.0], |u, v| 0.25 + 0.5 * ring(u, v)),
        ),
        (
            "stripes",
            with_alpha(stripes, |u, v| if stripe(u, v) { 0.9 } else { 0.1 }),
        ),
        ("studs", with_alpha(stud_normal, |u, v| stud(u, v)[2])),
        ("studs_ssbump", (Canvas::paint(SIDE, stud_shares), false)),
    ];
    let file = |(name, (canvas, as_blocks)): (&str, (Canvas, bool))| {
        let path = format!("materials/shading/{name}.vtf");
        Ok((path, vtf::repeating(&canvas, as_blocks)?))
    };
    pictures.into_iter().map(file).collect()
}

fn with_alpha(color: fn(f64, f64) -> Rgb, alpha: fn(f64, f64) -> f64) -> (Canvas, bool) {
    let mut canvas = Canvas::paint(SIDE, color);
    canvas.alpha = Canvas::paint(SIDE, |u, v| [alpha(u, v); 3])
        .rgb
        .iter()
        .map(|[it, ..]| *it)
        .collect();
    (canvas, false)
}

/// Four tiles in two shades with joints.
fn tiles(u: f64, v: f64) -> Rgb {
    let is_odd = (u < 0.5) != (v < 0.5);
    let color = if is_odd {
        [182.0, 120.0, 82.0]
    } else {
        [206.0, 178.0, 132.0]
    };
    let joint = [u, v].map(|c| ((c * 2.0).fract() - 0.5).abs());
    let joint = smoothstep(0.44, 0.48, joint[0].max(joint[1]));
    blend(color, [96.0, 84.0, 74.0], joint).map(|c| c * (1.0 + 0.1 * tiled(303, u, v, 8, 3)))
}

/// Distance from the middle, 1 at the sides.
fn radius(u: f64, v: f64) -> f64 {
    2.0 * ((u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5)).sqrt()
}

fn disc(u: f64, v: f64) -> f64 {
    smoothstep(0.62, 0.56, radius(u, v))
}

fn ring(u: f64, v: f64) -> f64 {
    let r = radius(u, v);
    smoothstep(0.34, 0.4, r) * smoothstep(0.8, 0.74, r)
}

fn stripe(u: f64, v: f64) -> bool {
    ((u + v) * 4.0).fract() < 0.5
}

fn stripes(u: f64, v: f64) -> Rgb {
    if stripe(u, v) {
        [70.0, 110.0, 200.0]
    } else {
        [200.0, 206.0, 120.0]
    }
}

/// Light that turns from blue over red to yellow as it falls more directly.
fn warp(u: f64, _: f64) -> Rgb {
    let edge = smoothstep(0.4, 0.6, u);
    [0, 1, 2].map(|k| {
        let dark = [24.0, 24.0, 70.0][k];
        let bright = [150.0, 132.0, 92.0][k];
        let rim = [150.0, 30.0, 20.0][k];
        mix(dark, bright, edge) + rim * 4.0 * edge * (1.0 - edge)
    })
}

/// Where a place lies on the nearest stud, from -1 to 1, and whether it is on it.
fn stud(u: f64, v: f64) -> [f64; 3] {
    let [x, y] = [u, v].map(|c| ((c * N_STUDS).fract() - 0.5) * 2.6);
    let is_on = f64::from(u8::from(x * x + y * y < 1.0));
    [x, y, is_on]
}

/// Unit normal: x along u, y along v, z out.
fn normal(u: f64, v: f64) -> [f64; 3] {
    let [x, y, is_on] = stud(u, v);
    let (x, y) = (0.8 * x * is_on, 0.8 * y * is_on);
    [x, y, (1.0 - x * x - y * y).sqrt()]
}

fn stud_normal(u: f64, v: f64) -> Rgb {
    normal(u, v).map(|c| 127.5 + 127.5 * c)
}

/// How much light from each of the three directions falls on a stud; those next to it keep some from its foot.
fn stud_shares(u: f64, v: f64) -> Rgb {
    let n = normal(u, v);
    let [third, half, sixth] = [3.0, 2.0, 6.0_f64].map(|n| (1.0 / n).sqrt());
    let directions = [
        [(2.0_f64 / 3.0).sqrt(), 0.0, third],
        [-sixth, half, third],
        [-sixth, -half, third],
    ];
    let squares = directions.map(|b| {
        let cosine = (n[0] * b[0] + n[1] * b[1] + n[2] * b[2]).max(0.0);
        cosine * cosine
    });
    let [x, y, is_on] = stud(u, v);
    let foot = (1.0 - is_on) * smoothstep(1.5, 1.0, (x * x + y * y).sqrt());
    let sum: f64 = squares.iter().sum();
    squares.map(|it| 255.0 * it / sum * (1.0 - 0.7 * foot))
}
