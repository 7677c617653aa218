//! Trees and rocks: what the wilderness is made of. Each stands on z = 0 with its foot a little below.

use super::body::{Body, Pose, part, two_sided};
use super::shape::{Mapping, Shape, WHOLE};
use super::turn::Turn;
use super::{Archive, DemoModel};
use crate::noise::{hash2, unit as unit_of};
use crate::vector::{Vec3, add, normalized};

/// Rows of a tree's material table.
const BARK: u8 = 0;
const LEAVES: u8 = 1;
const FAR: u8 = 2;

/// Frames in which a crown sways once.
pub const SWAY_FRAMES: u32 = 60;

/// A number `-1.0..1.0` that belongs to a place in a list.
fn scatter(seed: u32, k: usize) -> f64 {
    2.0 * unit_of(hash2(seed, k as i32, 0x7EE)) - 1.0
}

/// A crown that leans a little to and fro, twice as fast across as along.
fn sway(position: Vec3, degrees: f64) -> Vec<Pose> {
    let lean = [(0.0, 0.0), (1.0, 0.6), (0.0, 0.0), (-1.0, 0.6), (0.0, 0.0)];
    let pose = |(k, (x, y)): (usize, (f64, f64))| Pose {
        frame: k as u32 * SWAY_FRAMES / 4,
        position,
        turn: Turn::degrees(0, degrees * x).times(Turn::degrees(1, degrees * y)),
    };
    lean.into_iter().enumerate().map(pose).collect()
}

/// A pine: boughs in tiers around a straight trunk.
pub fn pine() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("pine", None, [0.0; 3]);
    let crown = body.moving("crown", Some(root), sway([0.0, 0.0, 1.5], 0.9));
    let trunk = Shape::lathe(
        &[[0.52, -0.8], [0.4, 0.3], [0.3, 3.0], [0.05, 12.2]],
        7,
        2.0,
        0.25,
    );
    body.piece(root, 0, 0, vec![part(BARK, trunk)]);
    body.piece(
        crown,
        0,
        0,
        vec![two_sided(LEAVES, boughs().moved([0.0, 0.0, -1.5]))],
    );
    let stem = Shape::lathe(&[[0.55, -0.8], [0.25, 4.0]], 5, 2.0, 0.25);
    body.piece(root, 0, 1, vec![part(BARK, stem)]);
    let far = far_pine().moved([0.0, 0.0, -1.5]);
    body.piece(crown, 0, 1, vec![two_sided(FAR, far)]);
    DemoModel {
        archive: Archive::Static,
        stem: "PINE",
        draft: body.into_draft(),
        materials: &["BARK", "PINE_TW", "PINE_FAR"],
        lightmap: None,
    }
}

/// Tiers of boughs, narrower upward, each bough a card that droops; upper ones reach up.
pub fn boughs() -> Shape {
    const TIERS: i32 = 11;
    let mut shape = Shape::default();
    for tier in 0..TIERS {
        let t = f64::from(tier) / f64::from(TIERS - 1);
        let (z, reach) = (2.3 + 8.9 * t, 3.7 - 2.7 * t);
        let n = 7 - tier / 3;
        for k in 0..n {
            let seed = (tier * 16 + k) as usize;
            let around = 360.0 * f64::from(k) / f64::from(n) + 47.0 * f64::from(tier);
            let length = reach * (1.0 + 0.18 * scatter(1, seed));
            let droop = 30.0 + 12.0 * scatter(2, seed) - 22.0 * t;
            shape.add(
                bough(length)
                    .turned(Turn::degrees(1, droop))
                    .turned(Turn::degrees(2, around + 12.0 * scatter(3, seed)))
                    .moved([0.0, 0.0, z + 0.3 * scatter(4, seed)]),
            );
        }
    }
    shape.add(crossed([0.0, 0.0, 11.6], 0.85, 1.5));
    lit_from_above(shape)
}

/// A pine from far: as high as its boughs, and as low as they hang.
fn far_pine() -> Shape {
    lit_from_above(crossed([0.0, 0.0, 6.5], 3.5, 6.4))
}

/// A card along +X, folded along its middle like a roof.
fn bough(length: f64) -> Shape {
    let (half, fall) = (0.46 * length, 0.3 * length);
    let middle = |x: f64| [x, 0.0, 0.0];
    let left = |x: f64| [x, half, -fall];
    let right = |x: f64| [x, -half, -fall];
    // The texture's bottom is at the trunk.
    let near = Shape::polygon(
        &[middle(0.0), middle(length), left(length), left(0.0)],
        WHOLE,
    );
    let far = Shape::polygon(
        &[right(0.0), right(length), middle(length), middle(0.0)],
        WHOLE,
    );
    let along = |[u, v]: [f64; 2], low: f64| [low + 0.5 * v, 1.0 - u];
    near.mapped(move |uv| along([uv[0], 1.0 - uv[1]], 0.5))
        .with(far.mapped(move |uv| along([uv[0], 1.0 - uv[1]], 0.0)))
}

/// Upright cards crossed at the middle of a tree.
fn crossed(middle: Vec3, half_width: f64, half_height: f64) -> Shape {
    let mut shape = Shape::default();
    for around in [0.0, 60.0, 120.0] {
        let (w, h) = (half_width, half_height);
        let corners = [[-w, 0.0, -h], [w, 0.0, -h], [w, 0.0, h], [-w, 0.0, h]];
        let card = Shape::polygon(&corners, WHOLE);
        shape.add(card.turned(Turn::degrees(2, around)));
    }
    shape.moved(middle)
}

/// Normals as if the leaves of a tree were the skin of a ball around its foot: cards all lit alike would show that
/// they are flat. None points down, where it is night, and all levels of detail are lit alike.
fn lit_from_above(shape: Shape) -> Shape {
    shape.each(|corner| {
        let [x, y, z] = corner.position;
        let normal = normalized(add(normalized([x, y, z.max(0.01)]), [0.0, 0.0, 0.6]));
        super::shape::Corner { normal, ..corner }
    })
}

/// A broad tree: a forked trunk under clouds of leaves.
pub fn oak() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("oak", None, [0.0; 3]);
    let crown = body.moving("crown", Some(root), sway([0.0, 0.0, 3.0], 0.7));
    let trunk = Shape::lathe(&[[0.75, -0.8], [0.52, 0.4], [0.4, 3.2]], 8, 2.0, 0.25);
    let branch =
        |to: Vec3, radius: f64| Shape::rod([0.0, 0.0, 2.7], to, [radius, 0.5 * radius], 6, 0.25);
    let fork = branch([1.5, 0.6, 5.4], 0.3)
        .with(branch([-1.2, 1.1, 5.8], 0.28))
        .with(branch([-0.2, -1.5, 5.6], 0.28));
    body.piece(root, 0, 0, vec![part(BARK, trunk.with(fork))]);
    let clouds = leaf_clouds().moved([0.0, 0.0, -3.0]);
    body.piece(crown, 0, 0, vec![two_sided(LEAVES, clouds)]);
    let stem = Shape::lathe(&[[0.6, -0.8], [0.3, 4.5]], 5, 2.0, 0.25);
    body.piece(root, 0, 1, vec![part(BARK, stem)]);
    let far = far_oak().moved([0.0, 0.0, -3.0]);
    body.piece(crown, 0, 1, vec![two_sided(FAR, far)]);
    DemoModel {
        archive: Archive::Static,
        stem: "OAK",
        draft: body.into_draft(),
        materials: &["BARK", "OAK_LEAF", "OAK_FAR"],
        lightmap: None,
    }
}

/// An oak's crown from far.
fn far_oak() -> Shape {
    // Seen from above, upright cards alone would be lines.
    let lying = |z: f64, h: f64| {
        let corners = [[-h, -h, z], [h, -h, z], [h, h, z], [-h, h, z]];
        Shape::polygon(&corners, WHOLE)
    };
    let upright = crossed([0.0, 0.0, 6.9], 4.0, 3.3);
    lit_from_above(upright.with(lying(6.0, 3.4)).with(lying(8.0, 2.8)))
}

/// Seven clouds of crossed cards.
pub fn leaf_clouds() -> Shape {
    let clouds: [(Vec3, f64); 7] = [
        ([0.1, 0.0, 7.9], 2.1),
        ([1.9, 0.8, 6.3], 1.9),
        ([-1.6, 1.5, 6.5], 1.9),
        ([-0.3, -2.0, 6.2], 1.9),
        ([1.6, -1.4, 7.0], 1.6),
        ([-1.9, -0.5, 7.0], 1.6),
        ([0.3, 1.9, 7.3], 1.5),
    ];
    let mut shape = Shape::default();
    for (k, (middle, radius)) in clouds.into_iter().enumerate() {
        for card in 0..4 {
            let seed = 8 * k + card;
            let h = radius * (1.0 + 0.12 * scatter(11, seed));
            let corners = [[-h, 0.0, -h], [h, 0.0, -h], [h, 0.0, h], [-h, 0.0, h]];
            let turn = Turn::degrees(2, 45.0 * card as f64 + 20.0 * scatter(12, seed))
                .times(Turn::degrees(0, 35.0 * scatter(13, seed)));
            shape.add(Shape::polygon(&corners, WHOLE).turned(turn).moved(middle));
        }
    }
    lit_from_above(shape)
}

/// A boulder: a ball of triangles, dented by noise, flat on its faces.
pub fn rock() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("rock", None, [0.0; 3]);
    body.piece(root, 0, 0, vec![part(0, boulder(2))]);
    body.piece(root, 0, 1, vec![part(0, boulder(1))]);
    DemoModel {
        archive: Archive::Static,
        stem: "ROCK_1",
        draft: body.into_draft(),
        materials: &["BOULDER"],
        lightmap: None,
    }
}

/// The corners of all faces of a boulder that look down, at any level of detail.
pub fn boulder_underside() -> Vec<Vec3> {
    let faces = [1, 2].map(|n| boulder(n).triangles);
    let downward = faces
        .iter()
        .flatten()
        .filter(|face| face[0].normal[2] < 0.0);
    downward.flatten().map(|corner| corner.position).collect()
}

/// An octahedron, split `n` times.
pub fn boulder(n: u32) -> Shape {
    let axis = |k: usize, sign: f64| {
        let mut v = [0.0; 3];
        v[k] = sign;
        v
    };
    let mut faces: Vec<[Vec3; 3]> = Vec::new();
    for (sx, sy, sz) in [
        (1.0, 1.0, 1.0),
        (-1.0, 1.0, 1.0),
        (-1.0, -1.0, 1.0),
        (1.0, -1.0, 1.0),
    ] {
        let (x, y, z) = (axis(0, sx), axis(1, sy), axis(2, sz));
        let up = if sx * sy > 0.0 { [x, y, z] } else { [y, x, z] };
        faces.push(up);
        let z = axis(2, -sz);
        faces.push([up[1], up[0], z]);
    }
    for _ in 0..n {
        faces = faces.into_iter().flat_map(split).collect();
    }
    let mut shape = Shape::default();
    for face in faces {
        shape.add(Shape::polygon(&face.map(dented), Mapping::Repeats(0.25)));
    }
    shape
}

fn split([a, b, c]: [Vec3; 3]) -> [[Vec3; 3]; 4] {
    let middle = |p: Vec3, q: Vec3| normalized(add(p, q));
    let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

/// A point of the unit ball, where the boulder has it.
fn dented(p: Vec3) -> Vec3 {
    let rough = |seed: u32, scale: f64| {
        let at = |a: usize, b: usize| {
            crate::noise::gradient(seed, scale * p[a] + 7.0, scale * p[b] + 3.0, 1 << 20)
        };
        at(0, 1) + at(1, 2) + at(2, 0)
    };
    let r = 1.0 + 0.22 * rough(61, 1.3) + 0.1 * rough(62, 3.1);
    [2.3 * r * p[0], 1.7 * r * p[1], 0.15 + 1.6 * r * p[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_leaf_looks_down() {
        for (name, shape) in [
            ("pine", boughs()),
            ("pine from far", far_pine()),
            ("oak", leaf_clouds()),
            ("oak from far", far_oak()),
        ] {
            let corners = shape.triangles.as_flattened().iter();
            let lowest = corners.map(|corner| corner.normal[2]).fold(1.0, f64::min);
            assert!(lowest > 0.4, "{name}: {lowest}");
        }
    }

    #[test]
    fn crowns_are_as_high_and_as_low_from_far() {
        for (name, near, far) in [
            ("pine", boughs(), far_pine()),
            ("oak", leaf_clouds(), far_oak()),
        ] {
            let ends = |shape: &Shape| {
                let heights = shape.triangles.as_flattened().iter();
                heights.fold([f64::MAX, f64::MIN], |[low, high], corner| {
                    [low.min(corner.position[2]), high.max(corner.position[2])]
                })
            };
            // The ground hides what hangs below it.
            let [near, far] = [near, far].map(|shape| ends(&shape).map(|z| z.max(0.0)));
            for (near, far) in near.into_iter().zip(far) {
                assert!((near - far).abs() < 0.6, "{name}: {near} and {far}");
            }
        }
    }
}
