//! What people built: a house, a fence, a well, and a bridge over the river.

use super::{Build, FigurePlan, OPAQUE, root};
use crate::models::shape::{Corner, Mapping, Shape};
use crate::models::turn::Turn;
use crate::vector::Vec3;

/// Parts of the picture of walls (left, top, right, bottom).
pub mod wall {
    /// A half-timbered floor, twice as wide as high.
    pub const FLOOR: [f64; 4] = [0.0, 0.0, 1.0, 0.5];
    pub const DOOR: [f64; 4] = [0.0, 0.5, 0.25, 0.96];
    pub const WINDOW: [f64; 4] = [0.25, 0.5, 0.5, 0.75];
    pub const STONE: [f64; 4] = [0.5, 0.5, 1.0, 0.75];
    pub const BEAM: [f64; 4] = [0.25, 0.75, 1.0, 0.875];
    pub const GABLE: [f64; 4] = [0.5, 0.875, 1.0, 1.0];
}

fn fit(uv: [f64; 4]) -> Mapping {
    Mapping::Fit(uv)
}

/// Half the house's width and length, the height of its eaves and how much higher the ridge is.
fn measures(b: Build) -> [f64; 4] {
    let wide = b.by_dexterity(2.2, 3.0);
    [
        wide,
        b.by_dexterity(2.9, 4.3),
        b.by_height(2.3, 3.4),
        wide * b.by_strength(0.75, 1.35),
    ]
}

/// The ground floor: stone below, half-timbered above, gables, a door and windows. The door looks along -Y.
fn house_walls(b: Build) -> Shape {
    let [w, l, eaves, ridge] = measures(b);
    let foot = 0.55;
    let mut shape = Shape::default();
    let sides: [([Vec3; 2], f64); 4] = [
        ([[-l, -w, 0.0], [l, -w, 0.0]], 1.0),
        ([[l, -w, 0.0], [l, w, 0.0]], 0.7),
        ([[l, w, 0.0], [-l, w, 0.0]], 1.0),
        ([[-l, w, 0.0], [-l, -w, 0.0]], 0.7),
    ];
    for ([from, to], share) in sides {
        let wall = |low: f64, high: f64, out: f64, uv: [f64; 4]| {
            let lift = |[x, y, _]: Vec3, z: f64| {
                let push = |c: f64, of: f64| {
                    if c.abs() == of {
                        c + c.signum() * out
                    } else {
                        c
                    }
                };
                [push(x, l), push(y, w), z]
            };
            let points = [
                lift(from, low),
                lift(to, low),
                lift(to, high),
                lift(from, high),
            ];
            Shape::polygon(&points, fit(uv))
        };
        let [u0, v0, u1, v1] = wall::FLOOR;
        shape.add(wall(foot, eaves, 0.0, [u0, v0, u0 + (u1 - u0) * share, v1]));
        shape.add(wall(-0.9, foot, 0.10, wall::STONE));
        // The ledge of the stones.
        let [su0, sv0, su1, _] = wall::STONE;
        let out = |[x, y, _]: Vec3, out: f64| [x + x.signum() * out, y + y.signum() * out, foot];
        let ledge = [out(from, 0.10), out(to, 0.10), out(to, 0.0), out(from, 0.0)];
        shape.add(Shape::polygon(&ledge, fit([su0, sv0, su1, sv0 + 0.03])));
    }
    for side in [1.0, -1.0] {
        let mut gable = [
            [side * l, -side * w, eaves],
            [side * l, side * w, eaves],
            [side * l, 0.0, eaves + ridge],
        ];
        gable[2][2] -= 0.02;
        let [u0, v0, u1, v1] = wall::GABLE;
        let mut face = Shape::polygon(&gable, fit([u0, v0, u1, v1]));
        for corner in face.triangles.as_flattened_mut() {
            let [_, y, z] = corner.position;
            corner.uv = [
                u0 + (u1 - u0) * (0.5 + 0.5 * side * y / w),
                v1 - (v1 - v0) * (z - eaves) / ridge,
            ];
        }
        shape.add(face);
    }
    shape.add(openings(w, l, eaves));
    shape
}

/// A door in front, windows beside it, behind and at the ends; each stands a little out of the wall.
fn openings(w: f64, l: f64, eaves: f64) -> Shape {
    let panel = |middle: f64, half: f64, low: f64, high: f64, uv: [f64; 4]| {
        let out = 0.05;
        let at = |x: f64, z: f64| [middle + x, -w - out, z];
        let points = [
            at(-half, low),
            at(half, low),
            at(half, high),
            at(-half, high),
        ];
        let mut shape = Shape::polygon(&points, fit(uv));
        let beam = |x0: f64, x1: f64, z0: f64, z1: f64| {
            Shape::block(
                [middle + x0, -w - 0.09, z0],
                [middle + x1, -w + 0.02, z1],
                fit(wall::BEAM),
            )
        };
        shape.add(beam(-half - 0.1, half + 0.1, high, high + 0.12));
        shape.add(beam(-half - 0.1, -half, low, high));
        shape.add(beam(half, half + 0.1, low, high));
        shape
    };
    let low = 0.55 + 0.32 * (eaves - 0.55);
    let high = 0.55 + 0.78 * (eaves - 0.55);
    let door = panel(0.0, 0.55, 0.02, 0.62 * eaves + 0.55, wall::DOOR);
    let window = |middle: f64| panel(middle, 0.42, low, high, wall::WINDOW);
    let sill = |middle: f64| {
        Shape::block(
            [middle - 0.55, -w - 0.16, low - 0.1],
            [middle + 0.55, -w + 0.02, low],
            fit(wall::BEAM),
        )
    };
    let side_window = window(0.0).with(sill(0.0)).moved([0.0, w - l, 0.0]);
    let mut shape = door;
    for middle in [-0.58 * l, 0.58 * l] {
        shape.add(window(middle).with(sill(middle)));
    }
    let step = Shape::block(
        [-0.8, -w - 0.75, -0.6],
        [0.8, -w - 0.05, 0.02],
        fit(wall::STONE),
    );
    shape.add(step);
    let back = window(-0.4 * l)
        .with(sill(-0.4 * l))
        .with(window(0.4 * l))
        .with(sill(0.4 * l));
    shape.add(back.turned(Turn::degrees(2, 180.0)));
    for degrees in [90.0, -90.0] {
        shape.add(side_window.clone().turned(Turn::degrees(2, degrees)));
    }
    shape
}

/// Two slopes with thickness, over the walls on all sides.
fn house_roof(b: Build) -> Shape {
    let [w, l, eaves, ridge] = measures(b);
    let (over, end, thick) = (0.55, 0.45, 0.16);
    let steep = ridge / w;
    let mut shape = Shape::default();
    let long = l + end;
    let at = |x: f64, y: f64, up: f64| [x, y, eaves + ridge - steep * y.abs() + up];
    for side in [1.0, -1.0] {
        let y = side * (w + over);
        let (from, to) = (-side * long, side * long);
        // From the front: the eaves from left to right, and up to the ridge. The texture repeats along them.
        let top = [
            at(to, y, thick),
            at(from, y, thick),
            at(from, 0.0, thick),
            at(to, 0.0, thick),
        ];
        let repeats = [0.0, 0.0, (long / 1.6).floor().max(2.0), 2.0];
        let slope = Shape::polygon(&top, fit(repeats));
        let below = [
            at(from, y, 0.0),
            at(to, y, 0.0),
            at(to, 0.0, 0.0),
            at(from, 0.0, 0.0),
        ];
        shape.add(slope);
        shape.add(Shape::polygon(&below, fit([0.0, 0.9, 1.0, 1.0])));
        let rim = [
            at(to, y, 0.0),
            at(from, y, 0.0),
            at(from, y, thick),
            at(to, y, thick),
        ];
        shape.add(Shape::polygon(&rim, fit([0.0, 0.94, 3.0, 1.0])));
        for x in [from, to] {
            let near_right = (x > 0.0) == (side > 0.0);
            let edge = match near_right {
                true => [
                    at(x, y, 0.0),
                    at(x, y, thick),
                    at(x, 0.0, thick),
                    at(x, 0.0, 0.0),
                ],
                false => [
                    at(x, y, 0.0),
                    at(x, 0.0, 0.0),
                    at(x, 0.0, thick),
                    at(x, y, thick),
                ],
            };
            shape.add(Shape::polygon(&edge, fit([0.0, 0.94, 1.0, 1.0])));
        }
    }
    let halves = [[long + 0.02, 0.14], [long + 0.02, 0.05]];
    let ridge_cap = Shape::tapered([0.0, 0.16], halves, [0.0; 2], fit([0.0, 0.9, 3.0, 1.0]));
    shape.add(ridge_cap.moved([0.0, 0.0, eaves + ridge + thick - 0.06]));
    shape
}

fn chimney(b: Build) -> Shape {
    let [_, _, _, ridge] = measures(b);
    let stack = Shape::tapered(
        [-1.2, 1.0 + 0.2 * ridge],
        [[0.36, 0.36], [0.33, 0.33]],
        [0.0; 2],
        fit(wall::STONE),
    );
    let cap = Shape::tapered(
        [1.0 + 0.2 * ridge, 1.16 + 0.2 * ridge],
        [[0.42, 0.42], [0.42, 0.42]],
        [0.0; 2],
        fit([0.5, 0.5, 1.0, 0.56]),
    );
    stack.with(cap)
}

fn house() -> FigurePlan {
    let chimney_at: fn(Build) -> Vec3 = |b| {
        let [w, l, eaves, ridge] = measures(b);
        [0.5 * l, 0.32 * w, eaves + 0.68 * ridge]
    };
    FigurePlan {
        name: "stbuho01",
        parts: vec![
            root("walls", house_walls, OPAQUE),
            root("roof", house_roof, OPAQUE)
                .on("walls", |_| [0.0; 3])
                .with_second_texture(),
            root("chimney", chimney, OPAQUE).on("walls", chimney_at),
        ],
        motions: Vec::new(),
    }
}

/// A length of fence along X: posts and rails. Dexterity makes it longer, strength thicker, height higher.
fn fence_posts(b: Build) -> Shape {
    let (half, thick, high) = (
        fence_half(b),
        b.by_strength(0.05, 0.1),
        b.by_height(0.8, 1.3),
    );
    let mut shape = Shape::default();
    for k in 0..3 {
        let x = half * (f64::from(k) - 1.0);
        let post = Shape::tapered(
            [-0.6, high],
            [[thick, thick], [0.85 * thick, 0.85 * thick]],
            [0.0; 2],
            WOOD,
        );
        let tip = Shape::tapered(
            [high, high + 1.6 * thick],
            [[0.85 * thick, 0.85 * thick], [0.1 * thick, 0.1 * thick]],
            [0.0; 2],
            WOOD,
        );
        shape.add(post.with(tip).moved([x, 0.0, 0.0]));
    }
    shape
}

/// Wood whose picture repeats.
const WOOD: Mapping = Mapping::Repeats(0.9);

fn fence_half(b: Build) -> f64 {
    b.by_dexterity(1.0, 1.5)
}

fn fence_rails(b: Build) -> Shape {
    let (half, thick, high) = (
        fence_half(b),
        b.by_strength(0.05, 0.1),
        b.by_height(0.8, 1.3),
    );
    let mut shape = Shape::default();
    for (share, tilt) in [(0.32, 0.03), (0.68, -0.02)] {
        let z = share * high;
        let rail = Shape::block(
            [-half - 0.12, -0.3 * thick, -0.8 * thick],
            [half + 0.12, 0.3 * thick, 0.8 * thick],
            WOOD,
        );
        let lean = Turn::degrees(1, 57.3 * tilt);
        shape.add(rail.turned(lean).moved([0.0, -1.15 * thick, z]));
    }
    shape
}

fn fence() -> FigurePlan {
    FigurePlan {
        name: "stwali01",
        parts: vec![
            root("posts", fence_posts, OPAQUE),
            root("rails", fence_rails, OPAQUE).on("posts", |_| [0.0; 3]),
        ],
        motions: Vec::new(),
    }
}

/// A well: a ring of stones with water in it, a small roof on two posts, a bucket. Height lifts the roof.
fn well_ring(b: Build) -> Shape {
    let r = b.by_dexterity(0.85, 1.2);
    let outer = [
        [r + 0.06, -0.7],
        [r, 0.0],
        [r - 0.03, 0.74],
        [r, 0.76],
        [r, 0.86],
        [r - 0.26, 0.88],
    ];
    let mut outside = Shape::lathe(&outer, 12, 4.0, 0.5);
    // The inside, seen from above.
    let mut inside = Shape::lathe(&[[r - 0.28, 0.2], [r - 0.26, 0.88]], 12, 4.0, 0.5);
    for triangle in &mut inside.triangles {
        triangle.swap(1, 2);
        for corner in triangle.iter_mut() {
            corner.normal = corner.normal.map(|c| -c);
        }
    }
    // The well is open: the discs that close the lathes at its mouth go.
    let is_mouth = |triangle: &[Corner; 3]| triangle.iter().all(|it| it.position[2] > 0.879);
    outside.triangles.retain(|triangle| !is_mouth(triangle));
    inside.triangles.retain(|triangle| !is_mouth(triangle));
    outside.with(inside)
}

fn well_frame(b: Build) -> Shape {
    let (r, high) = (b.by_dexterity(0.85, 1.2), b.by_height(2.1, 2.7));
    let mut shape = Shape::default();
    for side in [1.0, -1.0] {
        let post = Shape::tapered([0.0, high], [[0.09, 0.09], [0.08, 0.08]], [0.0; 2], WOOD);
        shape.add(post.moved([side * (r - 0.1), 0.0, 0.0]));
    }
    shape.add(Shape::rod(
        [-r - 0.1, 0.0, high - 0.75],
        [r + 0.25, 0.0, high - 0.75],
        [0.06, 0.06],
        6,
        0.9,
    ));
    shape.add(Shape::block(
        [-r - 0.25, -0.05, high - 0.1],
        [r + 0.25, 0.05, high],
        WOOD,
    ));
    shape
}

fn well_roof(b: Build) -> Shape {
    let (r, high) = (b.by_dexterity(0.85, 1.2), b.by_height(2.1, 2.7));
    let mut shape = Shape::default();
    for side in [1.0, -1.0] {
        let slope = |z: f64| {
            let at = |x: f64, y: f64| [x, y, high + 0.62 - 0.75 * y.abs() + z];
            let (y, from, to) = (side * (r + 0.1), -side * (r + 0.4), side * (r + 0.4));
            [at(to, y), at(from, y), at(from, 0.0), at(to, 0.0)]
        };
        shape.add(Shape::polygon(&slope(0.09), fit([0.0, 0.0, 1.0, 1.0])));
        let [a, b, c, d] = slope(0.0);
        shape.add(Shape::polygon(&[d, c, b, a], fit([0.0, 0.5, 1.0, 1.0])));
        let [e, f, ..] = slope(0.09);
        shape.add(Shape::polygon(&[a, b, f, e], fit([0.0, 0.9, 1.0, 1.0])));
    }
    shape
}

fn bucket(_: Build) -> Shape {
    let body = Shape::lathe(&[[0.13, 0.0], [0.17, 0.3]], 8, 2.0, 0.9);
    let rope = Shape::rod([0.0, 0.0, 0.3], [0.0, 0.0, 0.95], [0.015, 0.015], 4, 0.9);
    body.with(rope)
}

fn well() -> FigurePlan {
    let part = |name, shape: fn(Build) -> Shape| root(name, shape, OPAQUE);
    FigurePlan {
        name: "stwe01",
        parts: vec![
            part("ring", well_ring),
            part("frame", well_frame)
                .on("ring", |_| [0.0; 3])
                .with_second_texture(),
            part("roof", well_roof)
                .on("frame", |_| [0.0; 3])
                .with_second_texture(),
            part("bucket", bucket)
                .on("frame", |b| [0.12, 0.0, b.by_height(2.1, 2.7) - 1.72])
                .with_second_texture(),
        ],
        motions: Vec::new(),
    }
}

/// Half the bridge's length, how much its middle rises, and half its width.
fn span(b: Build) -> [f64; 3] {
    [
        b.by_dexterity(4.4, 7.4),
        b.by_strength(0.3, 0.9),
        b.by_height(1.1, 1.5),
    ]
}

/// Height of the deck along the bridge; 0 where it joins the banks.
fn deck(b: Build, x: f64) -> f64 {
    let [half, rise, _] = span(b);
    rise * (1.0 - (x / half) * (x / half))
}

/// Planks across beams, along X.
fn bridge_deck(b: Build) -> Shape {
    let [half, _, wide] = span(b);
    let n = 32;
    let mut shape = Shape::default();
    for k in 0..n {
        let edge = |k: i32| -half + 2.0 * half * f64::from(k) / f64::from(n);
        let (from, to) = (edge(k) + 0.015, edge(k + 1) - 0.015);
        let uneven = 0.03 * f64::from(k * 7 % 5 - 2);
        let low = |x: f64| deck(b, x) - 0.08;
        let corners = |z: f64| {
            [
                [from, -wide - uneven, low(from) + z],
                [to, -wide - uneven, low(to) + z],
                [to, wide - uneven, low(to) + z],
                [from, wide - uneven, low(from) + z],
            ]
        };
        let shift = 0.37 * f64::from(k % 8);
        let plank = Shape::hexahedron(corners(0.0), corners(0.1), Mapping::Repeats(0.5));
        shape.add(plank.mapped(move |[u, v]| [u + shift, v + 0.5 * shift]));
    }
    shape
}

/// Two arched beams, posts down to the bed, and a rail on both sides.
fn bridge_frame(b: Build) -> Shape {
    let [half, _, wide] = span(b);
    let n = 8;
    let mut shape = Shape::default();
    let at = |k: i32| -half + 2.0 * half * f64::from(k) / f64::from(n);
    for side in [1.0, -1.0] {
        let y = side * (wide - 0.08);
        for k in 0..n {
            let (from, to) = (at(k), at(k + 1));
            let beam = |low: f64, high: f64, thick: f64| {
                let corners = |z: f64| {
                    [
                        [from, y - thick, deck(b, from) + z],
                        [to, y - thick, deck(b, to) + z],
                        [to, y + thick, deck(b, to) + z],
                        [from, y + thick, deck(b, from) + z],
                    ]
                };
                Shape::hexahedron(corners(low), corners(high), WOOD)
            };
            shape.add(beam(-0.34, -0.08, 0.1));
            shape.add(beam(0.82, 0.93, 0.055));
            shape.add(beam(0.42, 0.5, 0.04));
        }
        for k in 0..=n / 2 {
            let x = at(2 * k);
            let post = Shape::tapered([-0.34, 1.0], [[0.07, 0.07], [0.06, 0.06]], [0.0; 2], WOOD);
            shape.add(post.moved([x, y, deck(b, x)]));
        }
        for x in [-0.42 * half, 0.42 * half] {
            let pile = Shape::tapered(
                [-3.2, deck(b, x) - 0.3],
                [[0.15, 0.15], [0.13, 0.13]],
                [0.0; 2],
                WOOD,
            );
            shape.add(pile.moved([x, y, 0.0]));
        }
    }
    for x in [-0.42 * half, 0.42 * half] {
        let z = deck(b, x) - 0.5;
        shape.add(Shape::block(
            [x - 0.1, -wide - 0.15, z - 0.12],
            [x + 0.1, wide + 0.15, z + 0.12],
            WOOD,
        ));
    }
    shape
}

fn bridge() -> FigurePlan {
    FigurePlan {
        name: "stbr01",
        parts: vec![
            root("deck", bridge_deck, OPAQUE),
            root("frame", bridge_frame, OPAQUE)
                .on("deck", |_| [0.0; 3])
                .with_second_texture(),
        ],
        motions: Vec::new(),
    }
}

/// All buildings.
pub fn all() -> Vec<FigurePlan> {
    vec![house(), fence(), well(), bridge()]
}
