//! Walls, roofs and masonry.

use super::{blend, scaled, within};
use crate::evil_islands::figures::wall;
use crate::noise::{fbm, hash2, mix, smoothstep, unit};
use crate::source_map::textures::{stone, wood};
use crate::textures::{Canvas, Rgb};

const SIZE: usize = 256;

/// Noise over a picture that need not repeat.
fn free(seed: u32, u: f64, v: f64, cells: f64, octaves: u32) -> f64 {
    fbm(seed, u * cells, v * cells, octaves, 1 << 20)
}

/// Half-timbered walls of pale plaster.
pub fn walls() -> Canvas {
    painted([222.0, 206.0, 172.0], [92.0, 66.0, 46.0])
}

/// The same with ochre plaster and darker beams.
pub fn red_walls() -> Canvas {
    painted([206.0, 160.0, 112.0], [70.0, 50.0, 38.0])
}

fn painted(plaster: Rgb, timber: Rgb) -> Canvas {
    let masonry = masonry();
    let stone_at = |s: f64, t: f64| {
        let at = |c: f64, repeats: f64| ((c * repeats).fract() * masonry.n as f64) as usize;
        masonry.rgb[at(t, 0.75) * masonry.n + at(s, 1.5)]
    };
    Canvas::paint(SIZE, |u, v| {
        if let Some([s, t]) = within(wall::FLOOR, u, v) {
            wall_floor(plaster, timber, s, t)
        } else if let Some([s, t]) = within(wall::DOOR, u, v) {
            door(timber, s, t)
        } else if let Some([s, t]) = within(wall::WINDOW, u, v) {
            window(timber, s, t)
        } else if let Some([s, t]) = within(wall::STONE, u, v) {
            stone_at(s, t)
        } else if let Some([s, t]) = within(wall::GABLE, u, v) {
            gable(plaster, timber, s, t)
        } else {
            beam(timber, u, v)
        }
    })
}

fn beam(timber: Rgb, u: f64, v: f64) -> Rgb {
    let grain = fbm(0x201, u * 10.0, v * 60.0, 3, 1 << 20);
    scaled(timber, 1.0 + 0.32 * grain)
}

fn plastered(plaster: Rgb, s: f64, t: f64) -> Rgb {
    let stain = free(0x211, s, t, 5.0, 4);
    let grain = free(0x212, s, t, 60.0, 2);
    scaled(plaster, 0.97 + 0.10 * stain + 0.06 * grain)
}

/// Beams at the edges, posts between them, and slanting braces beside the ends.
fn wall_floor(plaster: Rgb, timber: Rgb, s: f64, t: f64) -> Rgb {
    let wobble = 0.006 * free(0x221, s, t, 9.0, 2);
    let post = (0..=6)
        .map(|k| (s - f64::from(k) / 6.0 + wobble).abs() - 0.017)
        .fold(1.0, f64::min);
    let sill = [0.02, 0.52, 0.97]
        .into_iter()
        .map(|at| 0.5 * ((t - at + 2.0 * wobble).abs() - 0.045))
        .fold(1.0, f64::min);
    let brace = |from: f64, to: f64| {
        let at = mix(from, to, t);
        if (s - from.min(to)) * (s - from.max(to)) <= 0.0 {
            (s - at).abs() - 0.02
        } else {
            1.0
        }
    };
    let braces = brace(1.0 / 6.0, 0.0).min(brace(5.0 / 6.0, 1.0));
    let edge = post.min(sill).min(braces);
    let is_wood = smoothstep(0.003, -0.003, edge);
    let wood = beam(
        timber,
        if post < sill { t } else { s },
        if post < sill { s } else { t },
    );
    let shade = 1.0 - 0.22 * smoothstep(0.035, 0.0, edge) - 0.12 * smoothstep(0.75, 1.0, t);
    let dirt = scaled(plastered(plaster, s, t), shade);
    blend(dirt, wood, is_wood)
}

/// The triangle under the roof: a king post and two slanting beams.
fn gable(plaster: Rgb, timber: Rgb, s: f64, t: f64) -> Rgb {
    let side = (s - 0.5).abs();
    let rafter = (0.5 * t - side) / 1.12 - 0.03;
    let post = side - 0.02;
    let tie = 0.5 * ((t - 0.55).abs() - 0.05);
    let foot = 0.5 * (0.94 - t);
    let edge = rafter.min(post).min(tie).min(foot);
    let wood = beam(timber, s, t);
    blend(
        plastered(plaster, s, t),
        wood,
        smoothstep(0.004, -0.004, edge),
    )
}

/// Boards with iron bands and a ring.
fn door(timber: Rgb, s: f64, t: f64) -> Rgb {
    let board = (s * 5.0).floor();
    let across = (s * 5.0).fract();
    let tone = 0.9 + 0.25 * unit(hash2(0x231, board as i32, 0));
    let grain = fbm(0x232, s * 40.0, t * 6.0 + board, 3, 1 << 20);
    let gap = smoothstep(0.07, 0.02, across.min(1.0 - across));
    let wood = scaled(
        scaled(timber, 1.25),
        (tone + 0.3 * grain) * (1.0 - 0.6 * gap),
    );
    let band = [0.18, 0.8]
        .into_iter()
        .map(|at| (t - at).abs())
        .fold(1.0, f64::min);
    let iron = scaled([62.0, 60.0, 60.0], 1.0 + 0.3 * free(0x233, s, t, 24.0, 2));
    let color = blend(wood, iron, smoothstep(0.035, 0.028, band));
    let (x, y) = ((s - 0.84) * 1.0, (t - 0.52) * 2.0);
    let ring = ((x * x + y * y).sqrt() - 0.065).abs();
    blend(color, [150.0, 140.0, 120.0], smoothstep(0.02, 0.012, ring))
}

/// Panes in lead, a frame around them; a little light is on.
fn window(timber: Rgb, s: f64, t: f64) -> Rgb {
    let frame = s.min(1.0 - s).min(t).min(1.0 - t);
    let cross = (s - 0.5).abs().min((t - 0.5).abs());
    let (a, b) = ((s + t) * 5.0, (s - t) * 5.0);
    let lead = (a.fract().abs() - 0.5)
        .abs()
        .max((b.rem_euclid(1.0) - 0.5).abs());
    let sheen = smoothstep(-0.2, 0.9, s - t + 0.4 * free(0x241, s, t, 4.0, 2));
    let glass = blend([52.0, 62.0, 72.0], [150.0, 168.0, 172.0], sheen);
    let glass = blend(glass, [226.0, 186.0, 112.0], 0.35 * smoothstep(0.9, 0.2, t));
    let glass = blend(
        glass,
        [40.0, 40.0, 42.0],
        0.8 * smoothstep(0.42, 0.47, lead),
    );
    let wood = beam(timber, t, s);
    let is_wood = smoothstep(0.10, 0.09, frame).max(smoothstep(0.045, 0.035, cross));
    blend(glass, wood, is_wood)
}

/// Straw in courses; v runs down the roof, whose lower end shows the cut ends.
pub fn thatch() -> Canvas {
    let mut canvas = Canvas::paint(SIZE / 2, |u, v| {
        let straw = fbm(0x251, u * 48.0, v * 6.0, 4, 48);
        let cloud = fbm(0x252, u * 4.0, v * 4.0, 4, 4);
        let course = (v * 4.0 + 0.06 * fbm(0x253, u * 12.0, v * 4.0, 2, 4)).rem_euclid(1.0);
        let edge =
            0.72 + 0.34 * smoothstep(0.0, 0.35, course) - 0.12 * smoothstep(0.85, 1.0, course);
        let color = blend(
            [150.0, 120.0, 68.0],
            [196.0, 166.0, 104.0],
            0.5 + 0.7 * cloud,
        );
        let moss = smoothstep(0.22, 0.5, fbm(0x254, u * 3.0, v * 3.0, 4, 3));
        let color = blend(color, [104.0, 112.0, 56.0], 0.55 * moss);
        scaled(color, edge * (1.0 + 0.42 * straw))
    });
    canvas.emboss(0.05, |u, v| 2.0 * fbm(0x255, u * 32.0, v * 8.0, 3, 8));
    canvas
}

/// Rows of wooden shingles.
pub fn shingles() -> Canvas {
    let at = |u: f64, v: f64| {
        let row = (v * 8.0).floor();
        let across = u * 12.0 + 0.5 * (row % 2.0);
        let id = hash2(0x261, across.floor().rem_euclid(12.0) as i32, row as i32);
        (across.fract(), v * 8.0 - row, id)
    };
    let mut canvas = Canvas::paint(SIZE / 2, |u, v| {
        let (across, along, id) = at(u, v);
        let color = blend([104.0, 74.0, 58.0], [146.0, 112.0, 88.0], unit(id));
        let gray = blend(color, [128.0, 124.0, 116.0], 0.5 * unit(id.rotate_left(7)));
        let grain = fbm(0x262, u * 64.0, v * 8.0, 2, 8);
        let gap = smoothstep(0.09, 0.03, across.min(1.0 - across));
        let shadow = mix(0.55, 1.06, smoothstep(0.0, 0.3, along));
        scaled(gray, shadow * (1.0 + 0.3 * grain) * (1.0 - 0.5 * gap))
    });
    canvas.emboss(0.05, |u, v| 2.0 * at(u, v).1);
    canvas
}

/// Squared stones of many sizes.
pub fn masonry() -> Canvas {
    let stone = stone::wall().halved();
    let timber = wood::timber();
    // A trace of brown takes the edge off the gray.
    let mut canvas = stone.with_mean([146.0, 138.0, 124.0]);
    for (i, color) in canvas.rgb.iter_mut().enumerate() {
        let brown = timber.rgb[i % timber.rgb.len()];
        *color = blend(*color, brown, 0.08);
    }
    canvas
}
