//! A human of sixteen parts, which carries a sword, a helmet and a cape if its object wants it to.

use super::loft::{Ring, loft, ring, sheet};
use super::{Build, CUT_OUT, FigurePlan, OPAQUE_UNIT, PartPlan, motion, root};
use crate::models::shape::{Mapping, Shape};
use crate::noise::mix;
use crate::vector::Vec3;

/// Name of the figure's files.
pub const HUMAN: &str = "unhuma";
/// Rows and columns of the cape's points.
pub const CAPE: [usize; 2] = [7, 5];

/// Parts of the skin (left, top, right, bottom) that parts of the body show.
pub mod skin {
    pub const HEAD: [f64; 4] = [0.0, 0.0, 1.0, 0.375];
    pub const TORSO: [f64; 4] = [0.0, 0.375, 0.5, 0.6875];
    pub const HIPS: [f64; 4] = [0.5, 0.375, 1.0, 0.6875];
    pub const ARM: [f64; 4] = [0.0, 0.6875, 0.25, 1.0];
    pub const LEG: [f64; 4] = [0.25, 0.6875, 0.5, 1.0];
    pub const CAPE: [f64; 4] = [0.5, 0.6875, 0.75, 1.0];
    pub const HAIR: [f64; 4] = [0.75, 0.6875, 1.0, 1.0];
}

/// Parts of the picture of arms: blade and fittings, helmet.
pub mod arms {
    pub const BLADE: [f64; 4] = [0.0, 0.0, 1.0, 0.25];
    pub const GRIP: [f64; 4] = [0.0, 0.25, 0.5, 0.5];
    pub const BRASS: [f64; 4] = [0.5, 0.25, 1.0, 0.5];
    pub const HELMET: [f64; 4] = [0.0, 0.5, 1.0, 1.0];
}

/// Lengths of the middle build, which animations are made for.
pub mod bones {
    pub const HIP: f64 = 0.94;
    pub const THIGH: f64 = 0.45;
    pub const SHIN: f64 = 0.41;
    pub const FOOT: f64 = 0.08;
    pub const UPPER_ARM: f64 = 0.29;
    pub const FOREARM: f64 = 0.26;
    pub const CHEST: f64 = 0.50;
}

/// Share of the middle build's lengths that the lowest and the tallest have.
pub const HEIGHTS: [f64; 2] = [0.76, 1.24];

/// Lengths along the body: a share of those of the middle build.
fn tall(build: Build) -> f64 {
    build.by_height(HEIGHTS[0], HEIGHTS[1])
}

/// Thickness of limbs and chest.
fn girth(build: Build) -> f64 {
    build.by_strength(0.84, 1.24) * build.by_height(0.86, 1.08)
}

/// Width of the waist, and how far the belly stands out.
fn waist(build: Build) -> [f64; 2] {
    let grown = build.by_height(0.86, 1.08) * build.by_strength(0.92, 1.1);
    [
        build.by_dexterity(1.18, 0.9) * grown,
        build.by_dexterity(1.34, 0.92) * grown,
    ]
}

/// From the middle of the body to a shoulder.
fn shoulder(build: Build) -> f64 {
    build.by_strength(0.165, 0.215) * build.by_height(0.82, 1.12) * build.by_dexterity(0.97, 1.03)
}

/// Size of the head: it grows less than the body does.
fn head_size(build: Build) -> f64 {
    build.by_height(0.93, 1.06)
}

/// Rings with their lengths along the body stretched.
fn stretched(rings: &[Ring], along: f64) -> Vec<Ring> {
    let stretch = |ring: &Ring| {
        let [x, y, z] = ring.middle;
        Ring {
            middle: [x, y, along * z],
            ..*ring
        }
    };
    rings.iter().map(stretch).collect()
}

fn hips(build: Build) -> Shape {
    let [wide, deep] = waist(build);
    let g = girth(build);
    let rings = [
        ring(-0.20, 0.205 * g, 0.165 * g, 0.0),
        ring(-0.10, 0.178 * g, 0.142 * g, 0.0),
        ring(0.0, 0.160 * mix(g, wide, 0.5), 0.124 * deep, -0.004),
        ring(0.07, 0.150 * wide, 0.116 * deep, -0.008 * deep),
        ring(0.125, 0.149 * wide, 0.116 * deep, -0.010 * deep),
    ];
    let t = tall(build);
    loft(
        &stretched(&rings, t),
        [-0.19 * t, 0.135 * t],
        12,
        skin::HIPS,
    )
}

fn torso(build: Build) -> Shape {
    let [wide, deep] = waist(build);
    let (g, s) = (girth(build), shoulder(build));
    let rings = [
        ring(-0.02, 0.122 * wide, 0.088 * deep, -0.010 * deep),
        ring(0.08, 0.141 * wide, 0.107 * deep, -0.014 * deep),
        ring(
            0.20,
            0.155 * mix(g, wide, 0.5),
            0.114 * mix(g, deep, 0.4),
            -0.008,
        ),
        ring(0.31, 0.174 * g, 0.120 * g, 0.0),
        ring(0.40, 0.95 * s, 0.104 * g, 0.008),
        ring(0.45, 0.84 * s, 0.084 * g, 0.012),
        ring(0.485, 0.56 * s, 0.066 * g, 0.010),
        ring(0.52, 0.056 * g, 0.056 * g, 0.004),
    ];
    let t = tall(build);
    loft(
        &stretched(&rings, t),
        [-0.025 * t, 0.535 * t],
        12,
        skin::TORSO,
    )
}

fn head(build: Build) -> Shape {
    let rings = [
        ring(-0.05, 0.052, 0.054, 0.004),
        ring(0.02, 0.050, 0.054, 0.002),
        ring(0.045, 0.048, 0.072, -0.022),
        ring(0.075, 0.064, 0.090, -0.018),
        ring(0.115, 0.075, 0.100, -0.010),
        ring(0.16, 0.080, 0.104, -0.004),
        ring(0.205, 0.081, 0.104, 0.0),
        ring(0.245, 0.070, 0.092, 0.004),
        ring(0.275, 0.044, 0.060, 0.006),
    ];
    // A nose, and ears.
    let nose = |x: f64, y: f64, z: f64| [x, y, z];
    let tip = nose(0.0, -0.132, 0.108);
    let (bridge, left, right) = (
        nose(0.0, -0.103, 0.158),
        nose(0.017, -0.104, 0.098),
        nose(-0.017, -0.104, 0.098),
    );
    let flesh = Mapping::Fit([0.47, 0.25, 0.53, 0.27]);
    let mut shape = loft(&rings, [-0.055, 0.287], 16, skin::HEAD);
    for triangle in [
        [bridge, right, tip],
        [bridge, tip, left],
        [right, left, tip],
    ] {
        shape.add(Shape::polygon(&triangle, flesh));
    }
    for side in [1.0, -1.0] {
        let ear = Shape::tapered(
            [0.105, 0.165],
            [[0.008, 0.016], [0.012, 0.024]],
            [0.0; 2],
            flesh,
        );
        shape.add(ear.moved([0.08 * side, 0.005, 0.0]));
    }
    let s = head_size(build);
    shape.stretched([s, s, s])
}

fn hair(build: Build) -> Shape {
    let rings = [
        ring(0.045, 0.064, 0.056, 0.052),
        ring(0.10, 0.084, 0.080, 0.038),
        ring(0.16, 0.091, 0.098, 0.024),
        ring(0.21, 0.091, 0.107, 0.012),
        ring(0.25, 0.079, 0.103, 0.002),
        ring(0.285, 0.050, 0.068, 0.006),
    ];
    let s = head_size(build);
    loft(&rings, [0.04, 0.303], 14, skin::HAIR).stretched([s, s, s])
}

fn helmet(build: Build) -> Shape {
    let rings = [
        ring(0.165, 0.106, 0.124, 0.004),
        ring(0.18, 0.104, 0.122, 0.004),
        ring(0.186, 0.097, 0.115, 0.004),
        ring(0.24, 0.092, 0.108, 0.004),
        ring(0.285, 0.064, 0.076, 0.006),
        ring(0.315, 0.022, 0.026, 0.006),
    ];
    let guard = Shape::tapered(
        [0.095, 0.18],
        [[0.009, 0.006], [0.014, 0.008]],
        [0.0; 2],
        Mapping::Fit([0.1, 0.8, 0.2, 0.9]),
    );
    let s = head_size(build);
    loft(&rings, [0.16, 0.345], 14, arms::HELMET)
        .with(guard.moved([0.0, -0.124, 0.0]))
        .stretched([s, s, s])
}

/// A third of the picture of a limb, from the top.
fn third(of: [f64; 4], k: f64) -> [f64; 4] {
    let [u0, v0, u1, v1] = of;
    [u0, mix(v0, v1, k / 3.0), u1, mix(v0, v1, (k + 1.0) / 3.0)]
}

fn upper_arm(build: Build) -> Shape {
    let (g, t) = (girth(build), tall(build));
    let rings = [
        ring(-0.29, 0.044 * g, 0.046 * g, 0.0),
        ring(-0.16, 0.052 * g, 0.058 * g, 0.0),
        ring(-0.06, 0.057 * g, 0.063 * g, 0.0),
        ring(0.015, 0.054 * g, 0.060 * g, 0.0),
        ring(0.045, 0.038 * g, 0.044 * g, 0.0),
    ];
    loft(
        &stretched(&rings, t),
        [-0.32 * t, 0.06 * t],
        8,
        third(skin::ARM, 0.0),
    )
}

fn forearm(build: Build) -> Shape {
    let (g, t) = (girth(build), tall(build));
    let rings = [
        ring(-0.255, 0.028 * g, 0.034 * g, 0.0),
        ring(-0.16, 0.038 * g, 0.043 * g, 0.0),
        ring(-0.06, 0.046 * g, 0.050 * g, 0.0),
        ring(0.01, 0.042 * g, 0.046 * g, 0.0),
    ];
    loft(
        &stretched(&rings, t),
        [-0.27 * t, 0.035 * t],
        8,
        third(skin::ARM, 1.0),
    )
}

fn hand(build: Build) -> Shape {
    let (g, t) = (girth(build), tall(build));
    let rings = [
        ring(-0.165, 0.016 * g, 0.026 * g, -0.012),
        ring(-0.12, 0.022 * g, 0.040 * g, -0.008),
        ring(-0.05, 0.024 * g, 0.042 * g, -0.004),
        ring(0.01, 0.025 * g, 0.030 * g, 0.0),
    ];
    loft(
        &stretched(&rings, t),
        [-0.18 * t, 0.02 * t],
        8,
        third(skin::ARM, 2.0),
    )
}

fn thigh(build: Build) -> Shape {
    let (g, t) = (girth(build), tall(build));
    let rings = [
        ring(-0.45, 0.054 * g, 0.058 * g, 0.0),
        ring(-0.30, 0.068 * g, 0.074 * g, 0.0),
        ring(-0.12, 0.084 * g, 0.092 * g, 0.0),
        ring(0.02, 0.084 * g, 0.094 * g, 0.0),
    ];
    loft(
        &stretched(&rings, t),
        [-0.49 * t, 0.07 * t],
        8,
        third(skin::LEG, 0.0),
    )
}

fn shin(build: Build) -> Shape {
    let (g, t) = (girth(build), tall(build));
    let rings = [
        ring(-0.40, 0.038 * g, 0.042 * g, 0.004),
        ring(-0.24, 0.049 * g, 0.054 * g, 0.012),
        ring(-0.10, 0.058 * g, 0.064 * g, 0.014),
        ring(0.01, 0.054 * g, 0.056 * g, 0.0),
    ];
    loft(
        &stretched(&rings, t),
        [-0.42 * t, 0.04 * t],
        8,
        third(skin::LEG, 1.0),
    )
}

fn foot(build: Build) -> Shape {
    let (g, t) = (girth(build), tall(build));
    let long = build.by_height(0.82, 1.1);
    let rings = [
        ring(-0.078, 0.050 * g, 0.122 * long, -0.058 * long),
        ring(-0.060, 0.053 * g, 0.126 * long, -0.058 * long),
        ring(-0.035, 0.048 * g, 0.096 * long, -0.036 * long),
        ring(0.0, 0.046 * g, 0.060 * g, -0.006),
        ring(0.05, 0.046 * g, 0.052 * g, 0.003),
        ring(0.10, 0.052 * g, 0.058 * g, 0.006),
    ];
    loft(
        &stretched(&rings, t),
        [-bones::FOOT * t, 0.115 * t],
        10,
        third(skin::LEG, 2.0),
    )
}

fn sword(build: Build) -> Shape {
    let fit = |[u0, v0, u1, v1]: [f64; 4]| Mapping::Fit([u0, v0, u1, v1]);
    let long = build.by_strength(0.72, 0.98) * build.by_height(0.85, 1.1);
    // Along -Y from the hand: a blade with a ridge, a guard, a grip and a pommel.
    let near = [
        [0.0, 0.0, 0.032],
        [0.009, 0.0, 0.0],
        [0.0, 0.0, -0.032],
        [-0.009, 0.0, 0.0],
    ];
    let far = near.map(|[x, _, z]| [0.7 * x, -long, 0.72 * z]);
    let near = near.map(|[x, _, z]| [x, -0.075, z]);
    let tip = [0.0, -long - 0.09, 0.0];
    let [u0, v0, u1, v1] = arms::BLADE;
    let mut shape = Shape::default();
    for k in 0..4 {
        let l = (k + 1) % 4;
        let side = [near[l], near[k], far[k], far[l]];
        shape.add(Shape::polygon(&side, Mapping::Fit([u0, v0, u1, v1])));
        shape.add(Shape::polygon(
            &[far[l], far[k], tip],
            Mapping::Fit([u0, v0, u1, v1]),
        ));
    }
    shape.add(Shape::block(
        [-0.016, -0.083, -0.095],
        [0.016, -0.062, 0.095],
        fit(arms::BRASS),
    ));
    shape.add(Shape::block(
        [-0.013, -0.064, -0.015],
        [0.013, 0.055, 0.015],
        fit(arms::GRIP),
    ));
    shape.add(Shape::block(
        [-0.022, 0.05, -0.022],
        [0.022, 0.085, 0.022],
        fit(arms::BRASS),
    ));
    shape
}

/// A place on the cape, 0 to 1 from the shoulders down and from its right to its left.
fn on_cape(build: Build, down: f64, across: f64) -> Vec3 {
    let (g, t, s) = (girth(build), tall(build), shoulder(build));
    let half = mix(0.92 * s, 1.55 * s, down);
    let x = (2.0 * across - 1.0) * half;
    let round = 1.0 - (2.0 * across - 1.0) * (2.0 * across - 1.0);
    let back = 0.075 * g + 0.05 * round + 0.16 * down * down + 0.05 * down;
    [x, back, t * mix(0.455, -0.62, down)]
}

fn cape(build: Build) -> Shape {
    let [n_rows, n_columns] = CAPE;
    let rows: Vec<Vec<Vec3>> = (0..n_rows)
        .map(|i| {
            let down = i as f64 / (n_rows - 1) as f64;
            (0..n_columns)
                .map(|k| on_cape(build, down, k as f64 / (n_columns - 1) as f64))
                .collect()
        })
        .collect();
    sheet(&rows, skin::CAPE)
}

/// Which point of the cape this is: row after row.
fn point_of_cape(point: Vec3) -> u16 {
    let [n_rows, n_columns] = CAPE;
    let squared = |k: &usize| {
        let (i, j) = (k / n_columns, k % n_columns);
        let (down, across) = (
            i as f64 / (n_rows - 1) as f64,
            j as f64 / (n_columns - 1) as f64,
        );
        let at = on_cape(Build::state(0), down, across);
        (0..3)
            .map(|axis| (at[axis] - point[axis]) * (at[axis] - point[axis]))
            .sum::<f64>()
    };
    let nearest = (0..n_rows * n_columns).min_by(|a, b| squared(a).total_cmp(&squared(b)));
    nearest.unwrap_or(0) as u16
}

/// A part of the body.
fn part(
    name: &'static str,
    parent: &'static str,
    offset: fn(Build) -> Vec3,
    shape: fn(Build) -> Shape,
) -> PartPlan {
    root(name, shape, OPAQUE_UNIT).on(parent, offset)
}

/// The figure.
pub fn human() -> FigurePlan {
    let mut parts = vec![
        PartPlan {
            offset: |b| [0.0, 0.0, bones::HIP * tall(b)],
            ..root("hp", hips, OPAQUE_UNIT)
        },
        part("bd", "hp", |b| [0.0, 0.0, 0.10 * tall(b)], torso),
        part("hd", "bd", |b| [0.0, 0.0, bones::CHEST * tall(b)], head),
        part("hr.01", "hd", |_| [0.0; 3], hair),
        part("hd.armor01", "hd", |_| [0.0; 3], helmet).with_second_texture(),
        part("lh1", "bd", |b| shoulder_at(b, 1.0), upper_arm),
        part(
            "lh2",
            "lh1",
            |b| [0.0, 0.0, -bones::UPPER_ARM * tall(b)],
            forearm,
        ),
        part(
            "lh3",
            "lh2",
            |b| [0.0, 0.0, -bones::FOREARM * tall(b)],
            hand,
        ),
        part("rh1", "bd", |b| shoulder_at(b, -1.0), upper_arm),
        part(
            "rh2",
            "rh1",
            |b| [0.0, 0.0, -bones::UPPER_ARM * tall(b)],
            forearm,
        ),
        part(
            "rh3",
            "rh2",
            |b| [0.0, 0.0, -bones::FOREARM * tall(b)],
            hand,
        ),
        part(
            "rh3.sword",
            "rh3",
            |b| [0.0, -0.012, -0.095 * tall(b)],
            sword,
        )
        .with_second_texture(),
        part("bd.cape", "bd", |_| [0.0; 3], cape),
        part("ll1", "hp", |b| [0.092 * girth(b), 0.0, 0.0], thigh),
        part("ll2", "ll1", |b| [0.0, 0.0, -bones::THIGH * tall(b)], shin),
        part("ll3", "ll2", |b| [0.0, 0.0, -bones::SHIN * tall(b)], foot),
        part("rl1", "hp", |b| [-0.092 * girth(b), 0.0, 0.0], thigh),
        part("rl2", "rl1", |b| [0.0, 0.0, -bones::THIGH * tall(b)], shin),
        part("rl3", "rl2", |b| [0.0, 0.0, -bones::SHIN * tall(b)], foot),
    ];
    for part in &mut parts {
        match part.name {
            "bd.cape" => part.morph = Some(point_of_cape),
            "rh3.sword" => part.group = CUT_OUT,
            _ => {}
        }
    }
    FigurePlan {
        name: HUMAN,
        parts,
        motions: motion::all(),
    }
}

/// Where an arm hangs: `side` is 1 for the left.
fn shoulder_at(build: Build, side: f64) -> Vec3 {
    [side * 0.95 * shoulder(build), 0.008, 0.395 * tall(build)]
}
