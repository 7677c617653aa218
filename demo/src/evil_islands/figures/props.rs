//! Small things: stones, a chest whose lid strength lifts, a torch, a lever and the gate that it opens, and the mark of
//! a trap.

use super::{BLENDED, Build, CUT_OUT, FigurePlan, OPAQUE, PartPlan, root};
use crate::models::plants::boulder;
use crate::models::shape::{Mapping, Shape, WHOLE};
use crate::models::turn::Turn;
use crate::vector::Vec3;

/// Wood whose picture repeats.
const WOOD: Mapping = Mapping::Repeats(0.9);
/// Parts of the picture of a chest.
pub mod chest {
    pub const BOARDS: [f64; 4] = [0.0, 0.0, 1.0, 0.5];
    pub const LID: [f64; 4] = [0.0, 0.5, 1.0, 0.75];
    pub const INSIDE: [f64; 4] = [0.0, 0.75, 0.5, 1.0];
    pub const GOLD: [f64; 4] = [0.5, 0.75, 1.0, 1.0];
}

/// A boulder: wide by dexterity, deep by strength, high by height.
fn stone(b: Build) -> Shape {
    boulder(2).stretched([
        b.by_dexterity(0.28, 0.85),
        b.by_strength(0.3, 0.9),
        b.by_height(0.25, 1.0),
    ])
}

fn chest_half(b: Build) -> f64 {
    b.by_dexterity(0.34, 0.62)
}

fn chest_box(b: Build) -> Shape {
    let w = chest_half(b);
    let high = b.by_height(0.34, 0.52);
    let mut shape = Shape::default();
    let fit = Mapping::Fit(chest::BOARDS);
    let walls: [[Vec3; 2]; 4] = [
        [[-w, -0.3, 0.0], [w, -0.3, 0.0]],
        [[w, -0.3, 0.0], [w, 0.3, 0.0]],
        [[w, 0.3, 0.0], [-w, 0.3, 0.0]],
        [[-w, 0.3, 0.0], [-w, -0.3, 0.0]],
    ];
    for [from, to] in walls {
        let up = |[x, y, _]: Vec3, z: f64| [x, y, z];
        let inner = |[x, y, _]: Vec3, z: f64| [x - 0.04 * x.signum(), y - 0.04 * y.signum(), z];
        shape.add(Shape::polygon(
            &[up(from, -0.1), up(to, -0.1), up(to, high), up(from, high)],
            fit,
        ));
        shape.add(Shape::polygon(
            &[
                up(from, high),
                up(to, high),
                inner(to, high),
                inner(from, high),
            ],
            Mapping::Fit(chest::INSIDE),
        ));
        shape.add(Shape::polygon(
            &[
                inner(to, 0.05),
                inner(from, 0.05),
                inner(from, high),
                inner(to, high),
            ],
            Mapping::Fit(chest::INSIDE),
        ));
    }
    let z = 0.6 * high;
    let gold = [
        [-w + 0.04, -0.26, z],
        [w - 0.04, -0.26, z],
        [w - 0.04, 0.26, z],
        [-w + 0.04, 0.26, z],
    ];
    shape.add(Shape::polygon(&gold, Mapping::Fit(chest::GOLD)));
    shape
}

/// The lid around its hinge, which lies behind: closed if weak, open if strong.
fn chest_lid(b: Build) -> Shape {
    let w = chest_half(b) + 0.02;
    let deep = 0.62;
    let profile = [
        [0.0, 0.0],
        [0.0, 0.08],
        [-0.16, 0.19],
        [-0.46, 0.19],
        [-deep, 0.08],
        [-deep, 0.0],
    ];
    let mut shape = Shape::default();
    let at = |x: f64, [y, z]: [f64; 2]| [x, y, z];
    for ends in profile.windows(2) {
        let top = [
            at(w, ends[0]),
            at(-w, ends[0]),
            at(-w, ends[1]),
            at(w, ends[1]),
        ];
        shape.add(Shape::polygon(&top, Mapping::Fit(chest::LID)));
        let inner = |[y, z]: [f64; 2]| [y * 0.94 - 0.018, z * 0.82];
        let [a, c] = [inner(ends[0]), inner(ends[1])];
        let below = [
            at(w - 0.03, c),
            at(-w + 0.03, c),
            at(-w + 0.03, a),
            at(w - 0.03, a),
        ];
        shape.add(Shape::polygon(&below, Mapping::Fit(chest::INSIDE)));
    }
    for side in [1.0, -1.0] {
        let outline: Vec<Vec3> = profile.iter().map(|p| at(side * w, *p)).collect();
        let outline: Vec<Vec3> = match side > 0.0 {
            true => outline,
            false => outline.into_iter().rev().collect(),
        };
        shape.add(Shape::polygon(&outline, Mapping::Fit(chest::BOARDS)));
        let reversed: Vec<Vec3> = outline
            .iter()
            .rev()
            .map(|[x, y, z]| [x - 0.03 * side, *y, *z])
            .collect();
        shape.add(Shape::polygon(&reversed, Mapping::Fit(chest::INSIDE)));
    }
    let lock = Shape::block(
        [-0.06, -deep - 0.03, -0.08],
        [0.06, -deep + 0.02, 0.07],
        Mapping::Fit(chest::GOLD),
    );
    shape
        .with(lock)
        .turned(Turn::degrees(0, b.by_strength(0.0, -105.0)))
}

/// A post with a bowl of embers.
fn torch_post(b: Build) -> Shape {
    let high = b.by_height(1.4, 2.1);
    let thick = b.by_strength(0.04, 0.07);
    let post = Shape::tapered(
        [-0.6, high],
        [[thick, thick], [0.8 * thick, 0.8 * thick]],
        [0.0; 2],
        WOOD,
    );
    let bowl = Shape::lathe(
        &[
            [0.05, high - 0.06],
            [0.16, high + 0.08],
            [0.2, high + 0.24],
            [0.15, high + 0.2],
        ],
        9,
        2.0,
        1.2,
    );
    post.with(bowl)
}

/// Crossed pictures of a flame.
fn flame(b: Build) -> Shape {
    let (h, w) = (b.by_strength(0.5, 0.8), b.by_strength(0.2, 0.32));
    let mut shape = Shape::default();
    for degrees in [0.0, 60.0, 120.0] {
        let corners = [
            [-w, 0.0, 0.0],
            [w, 0.0, 0.0],
            [w, 0.0, 2.0 * w + h],
            [-w, 0.0, 2.0 * w + h],
        ];
        shape.add(Shape::polygon(&corners, WHOLE).turned(Turn::degrees(2, degrees)));
    }
    shape
}

fn lever_base(_: Build) -> Shape {
    let plinth = Shape::tapered(
        [-0.5, 0.55],
        [[0.34, 0.3], [0.26, 0.22]],
        [0.0; 2],
        Mapping::Repeats(0.7),
    );
    let cheek = |x: f64| {
        Shape::block(
            [x - 0.05, -0.14, 0.5],
            [x + 0.05, 0.14, 0.8],
            Mapping::Repeats(0.7),
        )
    };
    plinth.with(cheek(0.12)).with(cheek(-0.12))
}

/// The handle leans back if weak, forwards if strong.
fn lever_handle(b: Build) -> Shape {
    let rod = Shape::rod([0.0, 0.0, -0.1], [0.0, 0.0, 0.85], [0.035, 0.028], 6, 0.9);
    let knob = Shape::lathe(
        &[[0.0, 0.8], [0.07, 0.85], [0.07, 0.93], [0.0, 0.98]],
        8,
        1.0,
        0.9,
    );
    rod.with(knob)
        .turned(Turn::degrees(0, b.by_strength(-42.0, 42.0)))
}

/// Two posts and a beam.
fn gate_frame(b: Build) -> Shape {
    let (half, high) = (gate_half(b), b.by_height(2.4, 3.0));
    let mut shape = Shape::default();
    for side in [1.0, -1.0] {
        let post = Shape::tapered([-0.8, high], [[0.18, 0.18], [0.15, 0.15]], [0.0; 2], WOOD);
        shape.add(post.moved([side * (half + 0.2), 0.0, 0.0]));
    }
    shape.add(Shape::block(
        [-half - 0.6, -0.12, high - 0.05],
        [half + 0.6, 0.12, high + 0.2],
        WOOD,
    ));
    shape
}

fn gate_half(b: Build) -> f64 {
    b.by_dexterity(0.9, 1.4)
}

/// The wing around its hinge on the left: closed if weak, open if strong.
fn gate_wing(b: Build) -> Shape {
    let (wide, high) = (2.0 * gate_half(b), b.by_height(1.7, 2.2));
    let n = 7;
    let mut shape = Shape::default();
    for k in 0..n {
        let edge = |k: i32| -wide * f64::from(k) / f64::from(n);
        let top = high + 0.06 * f64::from(k % 2);
        shape.add(Shape::block(
            [edge(k + 1) + 0.01, -0.04, 0.1],
            [edge(k) - 0.01, 0.04, top],
            WOOD,
        ));
    }
    for z in [0.4, high - 0.35] {
        shape.add(Shape::block(
            [-wide, -0.09, z - 0.08],
            [0.0, 0.09, z + 0.08],
            WOOD,
        ));
    }
    shape.turned(Turn::degrees(2, b.by_strength(0.0, 96.0)))
}

/// A circle of signs that lies on the ground.
fn rune(b: Build) -> Shape {
    let r = b.by_dexterity(0.8, 1.6);
    let corners = [[-r, -r, 0.06], [r, -r, 0.06], [r, r, 0.06], [-r, r, 0.06]];
    Shape::polygon(&corners, WHOLE)
}

/// All of them.
pub fn all() -> Vec<FigurePlan> {
    let figure = |name, parts: Vec<PartPlan>| FigurePlan {
        name,
        parts,
        motions: Vec::new(),
    };
    let lid_at: fn(Build) -> Vec3 = |b| [0.0, 0.31, b.by_height(0.34, 0.52)];
    vec![
        figure("nast01", vec![root("stone", stone, OPAQUE)]),
        figure(
            "stst01",
            vec![
                root("box", chest_box, OPAQUE),
                root("lid", chest_lid, OPAQUE).on("box", lid_at),
            ],
        ),
        figure(
            "stto01",
            vec![
                root("post", torch_post, OPAQUE),
                root("flame", flame, BLENDED)
                    .on("post", |b| [0.0, 0.0, b.by_height(1.4, 2.1) + 0.1])
                    .with_second_texture(),
            ],
        ),
        figure(
            "stsi01",
            vec![
                root("base", lever_base, OPAQUE),
                root("handle", lever_handle, OPAQUE)
                    .on("base", |_| [0.0, 0.0, 0.66])
                    .with_second_texture(),
            ],
        ),
        figure(
            "stga01",
            vec![
                root("frame", gate_frame, OPAQUE),
                root("wing", gate_wing, OPAQUE).on("frame", |b| [gate_half(b), 0.0, 0.0]),
            ],
        ),
        figure("efcu0", vec![root("rune", rune, CUT_OUT)]),
    ]
}
