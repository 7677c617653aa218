//! The walker: a hull on two bird's legs, with a cannon, a box of rockets, a radar and an antenna.
//!
//! It looks along +X and stands on z = 0. Frames 0 to 24 walk, 25 to 48 look around.

mod gait;

pub use gait::STRIDE;

use gait::{
    FIRST_SCAN_FRAME, HOCK, LAST_SCAN_FRAME, LAST_WALK_FRAME, LegPoses, SHIN, THIGH, TOE_Z, leg,
    pelvis, upper,
};

use super::body::{Body, Part, part};
use super::shape::{Mapping, Shape, WHOLE};
use super::turn::Turn;
use super::{Archive, DemoModel};
use crate::noise::wave;
use crate::vector::Vec3;

/// First and last frame of the walk, which is the first one's pose again.
pub const WALK_FRAMES: [u32; 2] = [0, LAST_WALK_FRAME];
/// The same of looking around.
pub const SCAN_FRAMES: [u32; 2] = [FIRST_SCAN_FRAME, LAST_SCAN_FRAME];

/// Rows of its material table.
const HULL: u8 = 0;
const STEEL: u8 = 1;
const GLASS: u8 = 2;
const LAMP: u8 = 3;
const WRECK: u8 = 4;

/// A texture covers four units of hull.
const PLATES: Mapping = Mapping::Repeats(0.25);
const BARE: Mapping = Mapping::Repeats(0.5);

pub fn walker() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("walker", None, [0.0; 3]);
    body.piece(root, 1, 0, vec![part(WRECK, broken_legs())]);
    let hips = body.moving("pelvis", Some(root), pelvis());
    body.piece(hips, 0, 0, pelvis_parts());
    upper_body(&mut body, hips);
    for (side, phase) in [(1.0, 0.0), (-1.0, 0.5)] {
        add_leg(&mut body, hips, side, leg(side, phase));
    }
    DemoModel {
        archive: Archive::Bases,
        stem: "WALKER",
        draft: body.into_draft(),
        materials: &["WK_HULL", "WK_STEEL", "WK_GLASS", "WK_LAMP", "WRECK"],
        lightmap: None,
    }
}

fn pelvis_parts() -> Vec<Part> {
    let block = Shape::tapered([-0.55, 0.35], [[0.55, 0.6], [0.8, 0.85]], [0.0; 2], PLATES);
    let axle = Shape::rod([0.0, -1.0, -0.1], [0.0, 1.0, -0.1], [0.34, 0.34], 8, 0.5);
    let collar = Shape::lathe(&[[0.75, 0.3], [0.75, 0.55], [0.6, 0.65]], 10, 3.0, 0.5);
    vec![part(HULL, block), part(STEEL, axle.with(collar))]
}

/// Torso and what it carries.
fn upper_body(body: &mut Body, hips: usize) {
    let sway = |round: f64| {
        Turn::degrees(2, 3.5 * wave(round)).times(Turn::degrees(0, 2.2 * wave(round + 0.2)))
    };
    let look = [
        (25, 0.0),
        (30, 42.0),
        (34, 42.0),
        (41, -42.0),
        (45, -42.0),
        (48, 0.0),
    ];
    let torso = body.moving(
        "central torso",
        Some(hips),
        upper([0.0, 0.0, 0.6], sway, 2, &look),
    );
    body.piece(torso, 0, 0, torso_parts());
    body.piece(torso, 1, 0, wrecked_torso());

    let nod = |round: f64| Turn::degrees(1, 1.8 * wave(2.0 * round + 0.3));
    let peer = [
        (25, 0.0),
        (31, 10.0),
        (34, -6.0),
        (42, 12.0),
        (45, 0.0),
        (48, 0.0),
    ];
    let cockpit = upper([1.45, 0.0, 0.95], nod, 1, &peer);
    let cockpit = body.moving("cockpit", Some(torso), cockpit);
    body.piece(cockpit, 0, 0, cockpit_parts());

    let pod_l = |round: f64| Turn::degrees(1, 2.5 * wave(2.0 * round));
    let aim = [(25, 0.0), (29, -14.0), (36, 8.0), (43, -10.0), (48, 0.0)];
    let gun = upper([0.1, 1.65, 1.05], pod_l, 1, &aim);
    let gun = body.moving("gun arm", Some(torso), gun);
    body.piece(gun, 0, 0, gun_parts());
    let barrels = body.still("barrels", Some(gun), [1.0, 0.42, -0.05]);
    body.piece(barrels, 0, 0, barrel_parts());

    let pod_r = |round: f64| Turn::degrees(1, 2.5 * wave(2.0 * round + 0.5));
    let raise = [(25, 0.0), (30, -22.0), (38, -22.0), (44, 0.0), (48, 0.0)];
    let pod = upper([0.1, -1.65, 1.05], pod_r, 1, &raise);
    let pod = body.moving("rocket pod", Some(torso), pod);
    body.piece(pod, 0, 0, pod_parts());

    let spin = |round: f64| Turn::degrees(2, 360.0 * round);
    let turns: Vec<(u32, f64)> = (25..=47)
        .step_by(2)
        .map(|f| (f, f64::from(f - 25) * 15.0))
        .chain([(48, 360.0)])
        .collect();
    let radar = upper([-0.75, -0.55, 2.15], spin, 2, &turns);
    let radar = body.moving("radar", Some(torso), radar);
    body.piece(radar, 0, 0, radar_parts());
    let whip = |round: f64| Turn::degrees(1, 5.0 * wave(2.0 * round + 0.6));
    let still = [(25, 0.0), (30, -4.0), (34, 3.0), (48, 0.0)];
    let antenna = upper([-1.1, 0.75, 1.9], whip, 0, &still);
    let antenna = body.moving("antenna", Some(torso), antenna);
    body.piece(antenna, 0, 0, antenna_parts());
}

fn torso_parts() -> Vec<Part> {
    // Side view: a wedge that is high behind and slopes down to the cockpit.
    let hull = Shape::hexahedron(
        [
            [-1.5, -1.05, 0.0],
            [1.35, -0.85, 0.1],
            [1.35, 0.85, 0.1],
            [-1.5, 1.05, 0.0],
        ],
        [
            [-1.75, -1.25, 1.25],
            [1.55, -0.95, 0.95],
            [1.55, 0.95, 0.95],
            [-1.75, 1.25, 1.25],
        ],
        PLATES,
    );
    let roof = Shape::hexahedron(
        [
            [-1.75, -1.25, 1.25],
            [1.55, -0.95, 0.95],
            [1.55, 0.95, 0.95],
            [-1.75, 1.25, 1.25],
        ],
        [
            [-1.35, -0.85, 1.95],
            [0.55, -0.65, 1.75],
            [0.55, 0.65, 1.75],
            [-1.35, 0.85, 1.95],
        ],
        PLATES,
    );
    let pack = Shape::tapered([0.25, 1.35], [[0.45, 0.7], [0.35, 0.6]], [0.0; 2], PLATES)
        .moved([-1.95, 0.0, 0.0]);
    let pipe = Shape::rod([-2.1, 0.4, 1.1], [-2.45, 0.4, 1.85], [0.17, 0.22], 7, 0.5);
    let pipes = pipe.clone().with(pipe.mirrored());
    let ring = Shape::lathe(&[[0.62, -0.1], [0.7, 0.05]], 10, 3.0, 0.5);
    let shoulder = Shape::rod([0.1, 0.9, 1.05], [0.1, 1.5, 1.05], [0.36, 0.36], 8, 0.5);
    let shoulders = shoulder.clone().with(shoulder.mirrored());
    let skirt = Shape::tapered([0.0, 0.35], [[0.28, 0.5], [0.3, 0.62]], [0.1, 0.0], PLATES)
        .moved([1.25, 0.0, -0.1]);
    vec![
        part(HULL, hull.with(roof).with(pack).with(skirt)),
        part(STEEL, pipes.with(ring).with(shoulders)),
        part(
            LAMP,
            lamp([1.58, 0.62, 0.42]).with(lamp([1.58, -0.62, 0.42])),
        ),
    ]
}

/// A round lamp that looks forwards.
fn lamp(at: Vec3) -> Shape {
    Shape::lathe(&[[0.15, -0.1], [0.15, 0.06], [0.1, 0.1]], 8, 1.0, 1.0)
        .turned(Turn::degrees(1, 90.0))
        .moved(at)
}

fn cockpit_parts() -> Vec<Part> {
    let lower = Shape::hexahedron(
        [
            [-0.2, -0.6, -0.5],
            [1.0, -0.38, -0.42],
            [1.0, 0.38, -0.42],
            [-0.2, 0.6, -0.5],
        ],
        [
            [-0.2, -0.75, 0.0],
            [1.35, -0.5, -0.12],
            [1.35, 0.5, -0.12],
            [-0.2, 0.75, 0.0],
        ],
        PLATES,
    );
    let canopy = Shape::hexahedron(
        [
            [-0.2, -0.75, 0.0],
            [1.35, -0.5, -0.12],
            [1.35, 0.5, -0.12],
            [-0.2, 0.75, 0.0],
        ],
        [
            [-0.3, -0.52, 0.62],
            [0.55, -0.38, 0.5],
            [0.55, 0.38, 0.5],
            [-0.3, 0.52, 0.62],
        ],
        WHOLE,
    );
    let brow = Shape::block([-0.35, -0.12, 0.5], [0.6, 0.12, 0.68], PLATES);
    let sill = Shape::tapered([-0.2, -0.1], [[0.5, 0.56], [0.52, 0.58]], [0.0; 2], BARE)
        .stretched([1.0, 0.9, 1.0])
        .moved([0.9, 0.0, 0.0]);
    vec![
        part(HULL, lower.with(brow)),
        part(GLASS, canopy),
        part(STEEL, sill),
    ]
}

fn gun_parts() -> Vec<Part> {
    let case = Shape::hexahedron(
        [
            [-0.8, 0.05, -0.4],
            [0.9, 0.05, -0.45],
            [0.9, 0.75, -0.45],
            [-0.8, 0.75, -0.3],
        ],
        [
            [-0.9, 0.0, 0.4],
            [0.8, 0.0, 0.35],
            [0.8, 0.7, 0.35],
            [-0.9, 0.7, 0.3],
        ],
        PLATES,
    );
    let drum = Shape::rod(
        [-0.35, 0.38, -0.95],
        [-0.35, 0.38, -0.3],
        [0.36, 0.36],
        9,
        0.5,
    );
    let hub = Shape::rod([0.0, -0.25, 0.0], [0.0, 0.1, 0.0], [0.3, 0.3], 8, 0.5);
    vec![part(HULL, case), part(STEEL, drum.with(hub))]
}

fn barrel_parts() -> Vec<Part> {
    let barrel = |y: f64, z: f64| {
        Shape::rod([-0.2, y, z], [1.45, y, z], [0.1, 0.085], 7, 0.5).with(Shape::rod(
            [1.25, y, z],
            [1.7, y, z],
            [0.14, 0.14],
            7,
            0.5,
        ))
    };
    let clamp = Shape::block([0.45, -0.2, -0.32], [0.62, 0.2, 0.24], BARE);
    let barrels = barrel(0.0, 0.1).with(barrel(0.0, -0.2));
    vec![part(STEEL, barrels.with(clamp))]
}

fn pod_parts() -> Vec<Part> {
    let case = Shape::hexahedron(
        [
            [-0.75, -0.95, -0.45],
            [0.85, -0.95, -0.45],
            [0.85, 0.0, -0.45],
            [-0.75, 0.0, -0.45],
        ],
        [
            [-0.65, -0.85, 0.5],
            [0.95, -0.85, 0.5],
            [0.95, -0.05, 0.5],
            [-0.65, -0.05, 0.5],
        ],
        PLATES,
    );
    let mut tubes = Shape::default();
    for row in 0..2 {
        for column in 0..3 {
            let (y, z) = (
                -0.75 + 0.29 * f64::from(column),
                -0.2 + 0.44 * f64::from(row),
            );
            tubes.add(Shape::rod([0.7, y, z], [1.05, y, z], [0.13, 0.13], 7, 0.5));
        }
    }
    let hub = Shape::rod([0.0, 0.25, 0.0], [0.0, -0.1, 0.0], [0.3, 0.3], 8, 0.5);
    vec![part(HULL, case), part(STEEL, tubes.with(hub))]
}

fn radar_parts() -> Vec<Part> {
    let mast = Shape::lathe(&[[0.1, -0.35], [0.08, 0.3]], 6, 1.0, 0.5);
    let dish = Shape::lathe(
        &[[0.12, -0.1], [0.5, 0.06], [0.56, 0.16], [0.0, 0.02]],
        10,
        3.0,
        0.5,
    )
    .turned(Turn::degrees(1, 74.0))
    .moved([0.05, 0.0, 0.42]);
    vec![part(STEEL, mast.with(dish))]
}

fn antenna_parts() -> Vec<Part> {
    let whip = Shape::rod([0.0; 3], [-0.25, 0.0, 2.3], [0.055, 0.02], 5, 0.5);
    let tip = Shape::lathe(&[[0.0, -0.07], [0.07, 0.0], [0.0, 0.07]], 6, 1.0, 1.0)
        .moved([-0.25, 0.0, 2.32]);
    vec![part(STEEL, whip), part(LAMP, tip)]
}

fn add_leg(body: &mut Body, hips: usize, side: f64, poses: LegPoses) {
    let name = |joint: &str| format!("{joint} {}", if side > 0.0 { "left" } else { "right" });
    let own = |shape: Shape| if side > 0.0 { shape } else { shape.mirrored() };
    let own_parts = |parts: Vec<Part>| -> Vec<Part> {
        let side_of = |p: Part| Part {
            shape: own(p.shape),
            ..p
        };
        parts.into_iter().map(side_of).collect()
    };
    let thigh = body.moving(&name("thigh"), Some(hips), poses.thigh);
    body.piece(thigh, 0, 0, own_parts(thigh_parts()));
    let shin = body.moving(&name("shin"), Some(thigh), poses.shin);
    body.piece(shin, 0, 0, own_parts(shin_parts()));
    let hock = body.moving(&name("hock"), Some(shin), poses.hock);
    body.piece(hock, 0, 0, own_parts(hock_parts()));
    let foot = body.moving(&name("foot"), Some(hock), poses.foot);
    body.piece(foot, 0, 0, own_parts(foot_parts()));
}

/// A round joint across the leg.
fn joint(radius: f64, half: f64) -> Shape {
    Shape::rod(
        [0.0, -half, 0.0],
        [0.0, half, 0.0],
        [radius, radius],
        9,
        0.5,
    )
}

fn thigh_parts() -> Vec<Part> {
    let bone = Shape::tapered([-THIGH, -0.1], [[0.2, 0.24], [0.3, 0.3]], [0.0; 2], PLATES);
    let guard = Shape::hexahedron(
        [
            [0.05, 0.1, -1.45],
            [0.42, 0.12, -1.5],
            [0.42, 0.48, -1.5],
            [0.05, 0.5, -1.45],
        ],
        [
            [-0.35, 0.1, 0.3],
            [0.5, 0.1, 0.35],
            [0.5, 0.55, 0.35],
            [-0.35, 0.55, 0.3],
        ],
        PLATES,
    );
    let ram = Shape::rod([-0.3, 0.0, -0.25], [-0.28, 0.0, -1.5], [0.09, 0.07], 6, 0.5);
    vec![
        part(HULL, bone.with(guard)),
        part(STEEL, joint(0.42, 0.36).with(ram)),
    ]
}

fn shin_parts() -> Vec<Part> {
    let bone = Shape::tapered([-SHIN, 0.0], [[0.17, 0.18], [0.24, 0.22]], [0.0; 2], PLATES);
    let plate = Shape::hexahedron(
        [
            [-0.1, -0.26, -1.7],
            [0.22, -0.22, -1.75],
            [0.22, 0.22, -1.75],
            [-0.1, 0.26, -1.7],
        ],
        [
            [0.0, -0.36, 0.12],
            [0.42, -0.28, 0.2],
            [0.42, 0.28, 0.2],
            [0.0, 0.36, 0.12],
        ],
        PLATES,
    );
    let ram = Shape::rod(
        [-0.26, 0.0, -0.35],
        [-0.22, 0.0, -1.75],
        [0.08, 0.06],
        6,
        0.5,
    );
    vec![
        part(HULL, bone.with(plate)),
        part(STEEL, joint(0.32, 0.32).with(ram)),
    ]
}

fn hock_parts() -> Vec<Part> {
    let bone = Shape::tapered([-HOCK, 0.0], [[0.17, 0.2], [0.2, 0.2]], [0.0; 2], PLATES);
    let spur = Shape::tapered(
        [-0.9, 0.15],
        [[0.06, 0.14], [0.16, 0.2]],
        [-0.1, 0.0],
        PLATES,
    )
    .moved([-0.2, 0.0, 0.0]);
    vec![part(HULL, bone.with(spur)), part(STEEL, joint(0.28, 0.28))]
}

fn foot_parts() -> Vec<Part> {
    let sole = -TOE_Z;
    let pad = Shape::tapered(
        [sole, -0.05],
        [[0.62, 0.46], [0.36, 0.32]],
        [-0.05, 0.0],
        PLATES,
    );
    let toe = Shape::hexahedron(
        [
            [0.4, -0.17, sole],
            [1.15, -0.12, sole],
            [1.15, 0.12, sole],
            [0.4, 0.17, sole],
        ],
        [
            [0.2, -0.15, -0.08],
            [1.0, -0.08, -0.25],
            [1.0, 0.08, -0.25],
            [0.2, 0.15, -0.08],
        ],
        PLATES,
    );
    let spread = |degrees| toe.clone().turned(Turn::degrees(2, degrees));
    let heel = toe
        .clone()
        .stretched([0.8, 1.0, 1.0])
        .turned(Turn::degrees(2, 180.0));
    let toes = spread(24.0).with(spread(-24.0)).with(heel);
    vec![part(HULL, pad.with(toes)), part(STEEL, joint(0.3, 0.26))]
}

/// What is left of the legs: stumps on the ground, in the space of the walker.
fn broken_legs() -> Shape {
    let foot = foot_parts()
        .into_iter()
        .fold(Shape::default(), |s, p| s.with(p.shape));
    let stump = Shape::rod([0.0; 3], [-0.5, 0.3, 1.6], [0.25, 0.17], 7, 0.5);
    let stands = foot.with(stump).moved([0.6, 1.6, TOE_Z]);
    let lies = Shape::tapered([-2.0, 0.0], [[0.2, 0.22], [0.28, 0.28]], [0.2, 0.0], PLATES)
        .turned(Turn::degrees(1, 84.0))
        .turned(Turn::degrees(2, 35.0))
        .moved([1.3, -2.2, 0.3]);
    let plate = Shape::tapered([0.0, 0.12], [[0.7, 0.5], [0.6, 0.45]], [0.1, 0.1], PLATES)
        .turned(Turn::degrees(0, 12.0))
        .moved([-1.8, 1.9, 0.1]);
    stands.with(lies).with(plate)
}

/// The hull, fallen on its side with its nose in the ground, in the space of the torso at rest.
fn wrecked_torso() -> Vec<Part> {
    let fallen = |shape: Shape| {
        shape
            .turned(Turn::degrees(1, 16.0))
            .turned(Turn::degrees(0, -28.0))
            .moved([-0.2, 0.1, -4.35])
    };
    let parts = torso_parts()
        .into_iter()
        .chain(cockpit_parts().into_iter().map(|p| Part {
            shape: p.shape.moved([1.45, 0.0, 0.95]),
            ..p
        }));
    let hull = parts.fold(Shape::default(), |all, p| all.with(p.shape));
    vec![part(WRECK, fallen(hull))]
}
