//! A gun emplacement of three files: a base, a turret that sweeps, and a cannon that nods.
//!
//! Node 0 of turret and cannon stands for the node that carries them and has no geometry.

use super::body::{Body, Part, Pose, part};
use super::shape::{Mapping, Shape};
use super::turn::Turn;
use super::{Archive, DemoModel};
use crate::vector::Vec3;

/// Rows of the material tables of all three; the third is the turret's lamp, or the base's ruin.
const HULL: u8 = 0;
const STEEL: u8 = 1;
const LAMP: u8 = 2;
const WRECK: u8 = 2;
const MATERIALS: &[&str] = &["TR_HULL", "FR_STEEL"];
const MATERIALS_WITH_WRECK: &[&str] = &["TR_HULL", "FR_STEEL", "WRECK"];
const MATERIALS_WITH_LAMP: &[&str] = &["TR_HULL", "FR_STEEL", "WK_LAMP"];

const PLATES: Mapping = Mapping::Repeats(0.25);

/// Node of the base that carries the turret.
pub const TURRET_SOCKET: usize = 2;
/// Node of the turret that carries the cannon.
pub const CANNON_SOCKET: usize = 2;

/// Frames of a sweep in both directions.
pub const SWEEP_FRAMES: u32 = 120;

/// The base: an eight-sided bunker with a ring on top.
pub fn base() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("base", None, [0.0; 3]);
    let wall = Shape::lathe(
        &[[5.4, -2.5], [5.2, 0.4], [4.1, 2.6], [3.6, 3.0]],
        8,
        4.0,
        0.125,
    );
    let hatch = Shape::tapered([0.3, 2.3], [[0.5, 0.95], [0.35, 0.8]], [-0.35, 0.0], PLATES)
        .moved([4.55, 0.0, 0.0]);
    body.piece(root, 0, 0, vec![part(HULL, flat(wall).with(hatch))]);
    let stump = Shape::lathe(
        &[[5.4, -2.5], [5.2, 0.4], [4.6, 1.5], [3.2, 0.9], [0.0, 0.7]],
        8,
        4.0,
        0.125,
    );
    body.piece(root, 1, 0, vec![part(WRECK, flat(stump))]);
    let rim = body.still("rim", Some(root), [0.0, 0.0, 3.0]);
    let ring = Shape::lathe(&[[2.3, -0.1], [2.3, 0.35], [1.9, 0.5]], 14, 8.0, 0.25);
    let bolts = (0..8).map(|k| {
        Shape::lathe(&[[0.16, 0.0], [0.14, 0.3]], 6, 1.0, 0.5)
            .moved([2.8, 0.0, 0.0])
            .turned(Turn::degrees(2, 45.0 * f64::from(k)))
    });
    body.piece(rim, 0, 0, vec![part(STEEL, bolts.fold(ring, Shape::with))]);
    body.still("turret socket", Some(rim), [0.0, 0.0, 0.5]);
    DemoModel {
        materials: MATERIALS_WITH_WRECK,
        ..model(Archive::Fortif, "FR_GUN", body)
    }
}

/// The turret: a low wedge with room for the cannon in front.
pub fn turret() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("root", None, [0.0; 3]);
    let sweep = [
        (0, 0.0),
        (25, 55.0),
        (35, 55.0),
        (85, -55.0),
        (95, -55.0),
        (120, 0.0),
    ];
    let head = body.moving("turret", Some(root), turns(2, [0.0; 3], &sweep));
    body.piece(head, 0, 0, turret_parts());
    body.still("cannon socket", Some(head), [1.35, 0.0, 1.05]);
    DemoModel {
        materials: MATERIALS_WITH_LAMP,
        ..model(Archive::Turrets, "TR_HEAD", body)
    }
}

fn turret_parts() -> Vec<Part> {
    let neck = Shape::lathe(&[[1.7, 0.0], [1.6, 0.35]], 14, 6.0, 0.25);
    let hull = Shape::hexahedron(
        [
            [-2.1, -1.5, 0.3],
            [1.5, -1.5, 0.3],
            [1.5, 1.5, 0.3],
            [-2.1, 1.5, 0.3],
        ],
        [
            [-2.4, -1.8, 0.95],
            [1.9, -1.2, 0.95],
            [1.9, 1.2, 0.95],
            [-2.4, 1.8, 0.95],
        ],
        PLATES,
    );
    let roof = Shape::hexahedron(
        [
            [-2.4, -1.8, 0.95],
            [1.9, -1.2, 0.95],
            [1.9, 1.2, 0.95],
            [-2.4, 1.8, 0.95],
        ],
        [
            [-1.9, -1.1, 2.0],
            [0.7, -0.8, 1.85],
            [0.7, 0.8, 1.85],
            [-1.9, 1.1, 2.0],
        ],
        PLATES,
    );
    let hatch =
        Shape::lathe(&[[0.5, 1.8], [0.5, 2.1], [0.3, 2.25]], 10, 3.0, 0.5).moved([-0.9, 0.45, 0.0]);
    let sight = Shape::block([0.0, -0.85, 1.7], [0.7, -0.4, 2.3], PLATES);
    let eye = Shape::rod(
        [0.6, -0.62, 2.05],
        [0.78, -0.62, 2.05],
        [0.14, 0.14],
        8,
        0.5,
    );
    let collar = Shape::rod([1.35, -0.75, 1.05], [1.35, 0.75, 1.05], [0.5, 0.5], 9, 0.5);
    vec![
        part(HULL, hull.with(roof).with(sight)),
        part(STEEL, neck.with(hatch).with(collar)),
        part(LAMP, eye),
    ]
}

/// The cannon: two long barrels in a mantlet.
pub fn cannon() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("root", None, [0.0; 3]);
    let nod = [(0, 0.0), (30, -14.0), (60, 4.0), (90, -10.0), (120, 0.0)];
    let gun = body.moving("cannon", Some(root), turns(1, [0.0; 3], &nod));
    let mantlet = Shape::tapered(
        [-0.45, 0.5],
        [[0.5, 0.62], [0.42, 0.55]],
        [0.05, 0.0],
        PLATES,
    )
    .moved([0.35, 0.0, 0.0]);
    let barrel = Shape::rod([0.5, 0.32, 0.05], [4.2, 0.32, 0.05], [0.2, 0.14], 9, 0.5)
        .with(Shape::rod(
            [1.0, 0.32, 0.05],
            [2.2, 0.32, 0.05],
            [0.26, 0.24],
            9,
            0.5,
        ))
        .with(Shape::rod(
            [3.9, 0.32, 0.05],
            [4.7, 0.32, 0.05],
            [0.22, 0.22],
            9,
            0.5,
        ));
    let both = barrel.clone().with(barrel.mirrored());
    body.piece(gun, 0, 0, vec![part(HULL, mantlet), part(STEEL, both)]);
    model(Archive::Guns, "GN_TWIN", body)
}

fn turns(axis: usize, position: Vec3, degrees: &[(u32, f64)]) -> Vec<Pose> {
    let pose = |(frame, degrees): &(u32, f64)| Pose {
        frame: *frame,
        position,
        turn: Turn::degrees(axis, *degrees),
    };
    degrees.iter().map(pose).collect()
}

/// The same shape with the normals of its faces.
fn flat(mut shape: Shape) -> Shape {
    for triangle in &mut shape.triangles {
        let [a, b, c] = triangle.map(|corner| corner.position);
        let normal = Shape::polygon(&[a, b, c], PLATES).triangles[0][0].normal;
        for corner in triangle {
            corner.normal = normal;
        }
    }
    shape
}

fn model(archive: Archive, stem: &'static str, body: Body) -> DemoModel {
    DemoModel {
        archive,
        stem,
        draft: body.into_draft(),
        materials: MATERIALS,
        lightmap: None,
    }
}
