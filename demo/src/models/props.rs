//! Small things that stand around a base: crates and a beacon.

use super::body::{Body, halo, part};
use super::shape::{Mapping, Shape, WHOLE};
use super::{Archive, DemoModel};

/// A crate: one node, one material.
pub fn crate_box() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("crate", None, [0.0; 3]);
    let side = |z0: f64, z1: f64, half: f64| {
        Shape::tapered([z0, z1], [[half, half], [half, half]], [0.0; 2], WHOLE)
    };
    let case = side(0.08, 1.92, 0.92);
    let strip = Mapping::Fit([0.0, 0.0, 1.0, 0.12]);
    let frame =
        |z0: f64, z1: f64| Shape::tapered([z0, z1], [[1.0, 1.0], [1.0, 1.0]], [0.0; 2], strip);
    let mut edges = frame(0.0, 0.2).with(frame(1.8, 2.0));
    for (x, y) in [(0.9, 0.9), (-0.9, 0.9), (-0.9, -0.9), (0.9, -0.9)] {
        let post = Shape::tapered([0.2, 1.8], [[0.1, 0.1], [0.1, 0.1]], [0.0; 2], strip);
        edges.add(post.moved([x, y, 0.0]));
    }
    // The lid shows the side's picture, inside the frame.
    let lid = Shape::polygon(
        &[
            [-0.92, -0.92, 2.005],
            [0.92, -0.92, 2.005],
            [0.92, 0.92, 2.005],
            [-0.92, 0.92, 2.005],
        ],
        WHOLE,
    );
    body.piece(root, 0, 0, vec![part(0, case.with(edges).with(lid))]);
    DemoModel {
        archive: Archive::Static,
        stem: "CRATE",
        draft: body.into_draft(),
        materials: &["CRATE"],
        lightmap: None,
    }
}

/// A landing beacon: a post whose light swells and fades.
pub fn beacon() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("beacon", None, [0.0; 3]);
    let foot = Shape::lathe(
        &[
            [0.9, -0.5],
            [0.9, 0.15],
            [0.5, 0.4],
            [0.18, 0.6],
            [0.14, 3.2],
            [0.4, 3.35],
        ],
        8,
        2.0,
        0.25,
    );
    let cage = |around: f64| {
        Shape::rod([0.36, 0.0, 3.3], [0.2, 0.0, 4.3], [0.04, 0.04], 4, 0.5)
            .turned(super::turn::Turn::degrees(2, around))
    };
    let bars = (0..4).map(|k| cage(90.0 * f64::from(k)));
    let lamp = Shape::lathe(
        &[[0.26, 3.36], [0.3, 3.7], [0.2, 4.1], [0.0, 4.2]],
        8,
        1.0,
        0.5,
    );
    let light = |around: f64| {
        let h = 0.95;
        Shape::polygon(
            &[[-h, 0.0, -h], [h, 0.0, -h], [h, 0.0, h], [-h, 0.0, h]],
            WHOLE,
        )
        .moved([0.0, 0.0, 3.8])
        .turned(super::turn::Turn::degrees(2, around))
    };
    let lights = light(0.0).with(light(60.0)).with(light(120.0));
    body.piece(
        root,
        0,
        0,
        vec![
            part(0, bars.fold(foot, Shape::with)),
            part(1, lamp),
            halo(2, lights),
        ],
    );
    DemoModel {
        archive: Archive::Static,
        stem: "BEACON",
        draft: body.into_draft(),
        materials: &["FR_STEEL", "BEACON", "BEACON_G"],
        lightmap: None,
    }
}
