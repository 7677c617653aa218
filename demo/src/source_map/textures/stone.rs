//! Stone, plaster and clay.

use crate::noise::{cellular, fbm, gradient, hash2, mix, smoothstep, unit};
use crate::textures::{Canvas, Rgb};

/// Noise that repeats over the texture: `cells` lattice cells along its side.
pub fn tiled(seed: u32, u: f64, v: f64, cells: i32, octaves: u32) -> f64 {
    let n = f64::from(cells);
    fbm(seed, u * n, v * n, octaves, cells)
}

/// A mix of two colors.
pub fn blend(a: Rgb, b: Rgb, t: f64) -> Rgb {
    [0, 1, 2].map(|k| mix(a[k], b[k], t.clamp(0.0, 1.0)))
}

fn shaded(color: Rgb, factor: f64) -> Rgb {
    color.map(|c| c * factor)
}

/// Blocks in courses: `size` blocks along u and v, every other course shifted by half a block. Distance to the nearest
/// joint in units of the texture, and a hash of the block.
fn courses(seed: u32, u: f64, v: f64, size: [i32; 2], shift: f64) -> (f64, u32) {
    let (nu, nv) = (f64::from(size[0]), f64::from(size[1]));
    let row = (v * nv).floor();
    let along = u * nu + if row as i64 % 2 == 0 { 0.0 } else { shift };
    let column = along.floor();
    let (fu, fv) = (along - column, v * nv - row);
    let joint = (fu.min(1.0 - fu) / nu).min(fv.min(1.0 - fv) / nv);
    let block = hash2(seed, (column as i32).rem_euclid(size[0]), row as i32);
    (joint, block)
}

/// Lime plaster with faint stains.
pub fn plaster() -> Canvas {
    let mut canvas = Canvas::paint(256, |u, v| {
        let stain = tiled(11, u, v, 3, 5);
        let grain = gradient(12, u * 96.0, v * 96.0, 96);
        let color = blend(
            [214.0, 200.0, 172.0],
            [232.0, 222.0, 200.0],
            0.5 + 0.7 * stain,
        );
        shaded(color, 1.0 + 0.012 * grain)
    });
    canvas.emboss(0.05, |u, v| tiled(13, u, v, 24, 3));
    canvas.with_mean([222.0, 210.0, 184.0])
}

/// Squared stone in courses.
pub fn wall() -> Canvas {
    let at = |u: f64, v: f64| {
        let wobble = 0.004 * tiled(21, u, v, 16, 2);
        courses(22, u + wobble, v + wobble, [4, 8], 0.5)
    };
    let mut canvas = Canvas::paint(256, |u, v| {
        let (joint, block) = at(u, v);
        let tone = unit(block);
        let warm = unit(block.rotate_left(11));
        let color = blend([138.0, 124.0, 102.0], [176.0, 160.0, 132.0], tone);
        let color = blend(color, [150.0, 146.0, 138.0], 0.5 * warm);
        let spots = 1.0 + 0.10 * tiled(23, u, v, 12, 4);
        let mortar = smoothstep(0.010, 0.004, joint);
        blend(shaded(color, spots), [112.0, 104.0, 92.0], mortar)
    });
    canvas.emboss(0.16, |u, v| {
        let (joint, _) = at(u, v);
        2.4 * smoothstep(0.002, 0.014, joint) + 0.7 * tiled(24, u, v, 32, 3)
    });
    canvas.with_mean([152.0, 139.0, 116.0])
}

/// Large slabs, worn at the joints.
pub fn flagstones() -> Canvas {
    let at = |u: f64, v: f64| {
        let wobble = 0.003 * tiled(31, u, v, 12, 2);
        courses(32, u + wobble, v + wobble, [3, 4], 0.42)
    };
    let mut canvas = Canvas::paint(256, |u, v| {
        let (joint, block) = at(u, v);
        let color = blend([132.0, 126.0, 114.0], [168.0, 160.0, 142.0], unit(block));
        let worn = 1.0 + 0.09 * tiled(33, u, v, 6, 5);
        let gap = smoothstep(0.008, 0.003, joint);
        let moss = smoothstep(0.1, 0.5, tiled(34, u, v, 4, 3));
        let soil = blend([84.0, 78.0, 66.0], [78.0, 88.0, 52.0], moss);
        blend(shaded(color, worn), soil, gap)
    });
    canvas.emboss(0.12, |u, v| {
        let (joint, _) = at(u, v);
        2.0 * smoothstep(0.001, 0.012, joint) + 0.6 * tiled(35, u, v, 28, 3)
    });
    canvas.with_mean([146.0, 138.0, 122.0])
}

/// Smooth limestone.
pub fn trim() -> Canvas {
    let mut canvas = Canvas::paint(128, |u, v| {
        let cloud = tiled(41, u, v, 3, 4);
        let grain = gradient(42, u * 64.0, v * 64.0, 64);
        let color = blend(
            [180.0, 168.0, 146.0],
            [204.0, 194.0, 174.0],
            0.5 + 0.6 * cloud,
        );
        shaded(color, 1.0 + 0.02 * grain)
    });
    canvas.emboss(0.05, |u, v| tiled(43, u, v, 16, 3));
    canvas.with_mean([192.0, 181.0, 158.0])
}

/// Rows of round clay tiles.
pub fn roof_tiles() -> Canvas {
    let at = |u: f64, v: f64| {
        let (row, column) = ((v * 4.0).floor(), (u * 8.0).floor());
        let tile = hash2(51, column as i32, row as i32);
        (u * 8.0 - column, v * 4.0 - row, tile)
    };
    let round = |across: f64| 4.0 * across * (1.0 - across);
    let mut canvas = Canvas::paint(128, |u, v| {
        let (across, along, tile) = at(u, v);
        let color = blend([150.0, 78.0, 52.0], [190.0, 108.0, 74.0], unit(tile));
        let dirt = 1.0 + 0.14 * tiled(52, u, v, 6, 4);
        // The edge of the row above throws a shadow.
        let shadow = mix(0.62, 1.0, smoothstep(0.0, 0.22, along));
        shaded(color, dirt * shadow * mix(0.6, 1.06, round(across)))
    });
    canvas.emboss(0.1, |u, v| round(at(u, v).0) * 1.5);
    canvas.with_mean([152.0, 88.0, 62.0])
}

/// Small glazed tiles.
pub fn pool_tiles() -> Canvas {
    let at = |u: f64, v: f64| courses(61, u, v, [8, 8], 0.0);
    let mut canvas = Canvas::paint(128, |u, v| {
        let (joint, tile) = at(u, v);
        let tone = unit(tile);
        let color = blend([84.0, 140.0, 146.0], [122.0, 178.0, 178.0], tone);
        let grout = smoothstep(0.012, 0.005, joint);
        blend(color, [188.0, 192.0, 184.0], grout)
    });
    canvas.emboss(0.06, |u, v| 1.6 * smoothstep(0.002, 0.016, at(u, v).0));
    canvas.with_mean([112.0, 160.0, 162.0])
}

/// Glazed clay with a band of ornament around its upper half; u runs around, v down.
pub fn glaze() -> Canvas {
    Canvas::paint(128, |u, v| {
        let (_, edge, _) = cellular(71, u * 24.0, v * 24.0, 24);
        let clay = blend(
            [172.0, 98.0, 62.0],
            [192.0, 118.0, 78.0],
            0.5 + 0.6 * tiled(72, u, v, 5, 4),
        );
        let clay = shaded(clay, 1.0 + 0.04 * (edge - 0.6));
        let band = smoothstep(0.24, 0.26, v) * smoothstep(0.46, 0.44, v);
        let zig = (u * 12.0 - (u * 12.0).floor() - 0.5).abs() * 2.0;
        let line = smoothstep(0.12, 0.07, ((v - 0.35) / 0.08 - (zig - 0.5)).abs() * 0.5);
        let color = blend(clay, [52.0, 78.0, 92.0], 0.85 * band);
        blend(color, [214.0, 196.0, 156.0], band * line)
    })
}
