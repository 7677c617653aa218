//! Things that effects come from: a brazier, a fountain, a teleport's pad, and what is left of a machine.

use super::body::{Body, part};
use super::shape::{Mapping, Shape};
use super::turn::Turn;
use super::{Archive, DemoModel};

const STEEL: Mapping = Mapping::Repeats(0.5);

fn model(stem: &'static str, materials: &'static [&'static str], shapes: Vec<Shape>) -> DemoModel {
    let mut body = Body::default();
    let root = body.still("root", None, [0.0; 3]);
    let parts = (0..).zip(shapes).map(|(row, shape)| part(row, shape));
    body.piece(root, 0, 0, parts.collect());
    DemoModel {
        archive: Archive::Static,
        stem,
        draft: body.into_draft(),
        materials,
        lightmap: None,
    }
}

/// A bowl on three legs.
pub fn brazier() -> DemoModel {
    let bowl = Shape::lathe(
        &[
            [0.2, 0.95],
            [0.55, 1.1],
            [0.75, 1.45],
            [0.62, 1.4],
            [0.0, 1.25],
        ],
        10,
        3.0,
        0.5,
    );
    let leg = |around: f64| {
        Shape::rod([0.75, 0.0, -0.4], [0.3, 0.0, 1.15], [0.09, 0.07], 5, 0.5)
            .turned(Turn::degrees(2, around))
    };
    let legs = (0..3).map(|k| leg(120.0 * f64::from(k)));
    model("BRAZIER", &["FR_STEEL"], vec![legs.fold(bowl, Shape::with)])
}

/// A basin with a column in its middle.
pub fn fountain() -> DemoModel {
    let basin = Shape::lathe(
        &[[2.9, -0.5], [2.9, 0.7], [2.55, 0.7], [2.4, 0.3], [0.0, 0.3]],
        16,
        6.0,
        0.25,
    );
    let column = Shape::lathe(
        &[[0.5, 0.2], [0.28, 0.6], [0.22, 1.1], [0.4, 1.3], [0.0, 1.3]],
        10,
        2.0,
        0.5,
    );
    model("FOUNTAIN", &["BOULDER"], vec![basin.with(column)])
}

/// A round plate with four posts.
pub fn portal() -> DemoModel {
    let plate = Shape::lathe(
        &[[2.9, -0.5], [2.9, 0.15], [2.5, 0.32], [0.0, 0.32]],
        16,
        6.0,
        0.25,
    );
    let post = |around: f64| {
        Shape::tapered([0.0, 2.1], [[0.26, 0.26], [0.14, 0.14]], [-0.5, 0.0], STEEL)
            .moved([2.6, 0.0, 0.0])
            .turned(Turn::degrees(2, around))
    };
    let posts = (0..4).map(|k| post(45.0 + 90.0 * f64::from(k)));
    model(
        "PORTAL",
        &["FR_WALL", "FR_STEEL"],
        vec![plate, posts.fold(Shape::default(), Shape::with)],
    )
}

/// A hull that has burned out, half in the ground.
pub fn scrap() -> DemoModel {
    let hull = Shape::tapered(
        [-0.6, 1.1],
        [[1.9, 1.3], [1.2, 0.9]],
        [0.3, -0.1],
        Mapping::Repeats(0.25),
    )
    .turned(Turn::degrees(0, 14.0));
    let rib =
        |x: f64, lean: f64| Shape::rod([x, 0.9, 0.4], [x + lean, 0.3, 2.1], [0.1, 0.06], 5, 0.5);
    let shapes = hull
        .with(rib(0.9, 0.1))
        .with(rib(-0.6, -0.4))
        .with(rib(0.1, 0.3));
    model("SCRAP", &["WRECK"], vec![shapes])
}
