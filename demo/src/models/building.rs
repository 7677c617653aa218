//! The command post: a hall with a tower, at three levels of detail, with a light map that is computed here.
//!
//! Its front looks along +X; it stands on z = 0 with its foundation below.

use ironlands_assets_parkan::msh::BatchFlags;
use ironlands_assets_parkan::texm::Texm;

use super::bake::{Lamp, LitWalls};
use super::body::{Body, Part, halo, part, two_sided};
use super::shape::{Corner, Mapping, Shape, WHOLE};
use super::turn::Turn;
use super::{Archive, DemoModel};
use crate::textures::lightmap_texm;
use crate::vector::Vec3;

/// Rows of its material table.
const WALL: u8 = 0;
const STEEL: u8 = 1;
const WINDOWS: u8 = 2;
const GLASS: u8 = 3;
const GLOW: u8 = 4;
const BLINK: u8 = 5;
const DOOR: u8 = 6;
const WRECK: u8 = 7;

/// Name of its light map.
const LIGHTMAP: &str = "LM_POST.0";

const BARE: Mapping = Mapping::Repeats(0.25);

/// Lamps over the door and on the tower.
const LAMPS: [Lamp; 4] = [
    Lamp {
        at: [10.3, 0.0, 4.45],
        reach: 7.0,
    },
    Lamp {
        at: [8.2, 5.3, 5.25],
        reach: 5.0,
    },
    Lamp {
        at: [8.2, -5.3, 5.25],
        reach: 5.0,
    },
    Lamp {
        at: [-1.2, -9.0, 3.6],
        reach: 6.0,
    },
];

pub fn building() -> DemoModel {
    let mut body = Body::default();
    let root = body.still("central post", None, [0.0; 3]);
    let walls = walls();
    for lod in 0..3 {
        let mut parts = vec![Part {
            row: WALL,
            flags: BatchFlags::LIGHTMAP | BatchFlags::TWO_SIDED,
            shape: walls.shape(2 - lod),
        }];
        parts.extend(fittings(2 - lod));
        body.piece(root, 0, lod, parts);
    }
    let ruin = ruin(walls.shape(0));
    body.piece(root, 1, 0, vec![part(WRECK, ruin)]);
    DemoModel {
        archive: Archive::Fortif,
        stem: "FR_POST",
        draft: body.into_draft(),
        materials: &[
            "FR_WALL", "FR_STEEL", "FR_WIN", "FR_GLASS", "FR_GLOW", "FR_BLINK", "FR_DOOR", "WRECK",
        ],
        lightmap: Some(LIGHTMAP),
    }
}

/// The light map by name.
pub fn lightmap() -> (String, Texm) {
    (LIGHTMAP.to_owned(), lightmap_texm(walls().bake(&LAMPS)))
}

/// All that has a light map: blocks, each from the level of detail on where it is dropped.
fn walls() -> LitWalls {
    let mut walls = LitWalls::default();
    let mut block =
        |rank: u8, z: [f64; 2], halves: [[f64; 2]; 2], shift: [f64; 2], at: [f64; 2]| {
            walls.add_block(rank, z, halves, shift, at);
        };
    // Foundation, hall and the hall's roof.
    block(
        0,
        [-3.0, 0.7],
        [[11.6, 8.6], [10.8, 7.8]],
        [0.0; 2],
        [0.0, 0.0],
    );
    block(
        0,
        [0.7, 6.2],
        [[9.4, 6.6], [8.4, 5.8]],
        [0.0; 2],
        [-0.6, 0.0],
    );
    block(
        0,
        [6.2, 7.4],
        [[8.4, 5.8], [6.6, 4.2]],
        [-0.4, 0.0],
        [-0.6, 0.0],
    );
    // Tower with an overhanging cabin.
    block(
        0,
        [0.7, 12.6],
        [[2.9, 2.9], [2.1, 2.1]],
        [0.0; 2],
        [-5.6, 3.4],
    );
    block(
        0,
        [12.6, 13.6],
        [[2.1, 2.1], [3.3, 3.3]],
        [0.0; 2],
        [-5.6, 3.4],
    );
    block(
        0,
        [15.0, 15.7],
        [[3.0, 3.0], [2.2, 2.2]],
        [0.0; 2],
        [-5.6, 3.4],
    );
    // Porch and side wing.
    block(
        1,
        [0.7, 4.6],
        [[1.5, 2.7], [1.2, 2.4]],
        [-0.3, 0.0],
        [9.3, 0.0],
    );
    block(
        1,
        [0.7, 4.0],
        [[3.6, 2.0], [3.3, 1.6]],
        [0.0, 0.2],
        [-1.2, -7.2],
    );
    // Buttresses along both long sides, and machinery on the roof.
    for x in [-6.0, -0.6, 4.8] {
        block(
            2,
            [0.7, 5.2],
            [[0.55, 0.9], [0.45, 0.35]],
            [0.0, -0.55],
            [x, 6.9],
        );
    }
    block(
        1,
        [7.0, 8.5],
        [[1.5, 1.3], [1.3, 1.1]],
        [0.0; 2],
        [2.6, -0.6],
    );
    walls
}

/// What has no light map, as far as a rank is shown.
fn fittings(rank: u8) -> Vec<Part> {
    let cabin = Shape::tapered([13.6, 15.0], [[3.1, 3.1], [2.8, 2.8]], [0.0; 2], WHOLE)
        .moved([-5.6, 3.4, 0.0]);
    let mut parts = vec![two_sided(GLASS, cabin), part(WINDOWS, window_bands())];
    parts.push(part(STEEL, cabin_inside()));
    if rank >= 1 {
        parts.push(part(STEEL, tanks()));
        parts.push(part(DOOR, door()));
        parts.push(part(BLINK, beacon([-5.6, 3.4, 19.6])));
        parts.push(part(STEEL, mast()));
    }
    if rank >= 2 {
        parts.push(part(STEEL, pipes().with(railings())));
        let lamps = LAMPS.iter().map(|lamp| lamp_housing(lamp.at));
        parts.push(part(STEEL, lamps.fold(Shape::default(), Shape::with)));
        let glows = LAMPS.iter().map(|lamp| glow(lamp.at, 0.9));
        let glows = glows.fold(glow([-5.6, 3.4, 19.6], 1.1), Shape::with);
        parts.push(halo(GLOW, glows));
    }
    parts
}

/// What is seen through the cabin's glass: a desk all around the core, and the ceiling.
fn cabin_inside() -> Shape {
    let core = Shape::block([-0.7, -0.7, 13.6], [0.7, 0.7, 15.0], BARE);
    let desk = Shape::tapered([13.6, 14.2], [[2.2, 2.2], [2.4, 2.4]], [0.0; 2], BARE);
    let ceiling = Shape::block([-2.9, -2.9, 14.9], [2.9, 2.9, 15.02], BARE);
    core.with(desk).with(ceiling).moved([-5.6, 3.4, 0.0])
}

/// A wall's quad from four corners, counter-clockwise from the left bottom, mapped to part of a texture.
fn panel(corners: [Vec3; 4], uv: [f64; 4]) -> Shape {
    Shape::polygon(&corners, Mapping::Fit(uv))
}

/// Rows of windows just before the walls of hall and wing.
fn window_bands() -> Shape {
    // The hall's walls lean in by 0.8 to 1 over 5.5 units.
    let side = |y_sign: f64, x0: f64, x1: f64| {
        let lean = |z: f64| 6.64 - (z - 0.7) * (0.8 / 5.5);
        let at = |x: f64, z: f64| [x, y_sign * lean(z), z];
        let corners = match y_sign > 0.0 {
            true => [at(x1, 3.6), at(x0, 3.6), at(x0, 5.0), at(x1, 5.0)],
            false => [at(x0, 3.6), at(x1, 3.6), at(x1, 5.0), at(x0, 5.0)],
        };
        panel(corners, [0.0, 0.0, (x1 - x0) / 5.6, 1.0])
    };
    let front = |y0: f64, y1: f64| {
        let lean = |z: f64| 8.84 - (z - 0.7) * (1.0 / 5.5);
        let at = |y: f64, z: f64| [lean(z), y, z];
        let corners = [at(y0, 3.9), at(y1, 3.9), at(y1, 5.1), at(y0, 5.1)];
        panel(corners, [0.0, 0.0, (y1 - y0) / 5.6, 1.0])
    };
    let sides = side(1.0, -5.2, -1.4).with(side(1.0, 0.2, 4.0));
    let other = side(-1.0, 3.0, 6.8);
    let wing = panel(
        [
            [-3.6, -9.13, 1.9],
            [1.2, -9.13, 1.9],
            [1.2, -9.02, 3.1],
            [-3.6, -9.02, 3.1],
        ],
        [0.0, 0.0, 0.86, 1.0],
    );
    let fronts = front(-5.4, -2.9).with(front(2.9, 5.4));
    sides.with(other).with(wing).with(fronts)
}

fn door() -> Shape {
    panel(
        [
            [10.83, -1.6, 0.72],
            [10.83, 1.6, 0.72],
            [10.42, 1.6, 3.9],
            [10.42, -1.6, 3.9],
        ],
        [0.0, 0.0, 1.0, 1.0],
    )
}

/// Two tanks that stand beside the wing.
fn tanks() -> Shape {
    let tank = Shape::lathe(
        &[
            [1.45, 0.4],
            [1.45, 4.2],
            [1.1, 4.9],
            [0.35, 5.2],
            [0.35, 5.5],
        ],
        12,
        4.0,
        0.25,
    );
    let near = tank.clone().moved([5.2, -6.9, 0.3]);
    near.with(tank.stretched([1.0, 1.0, 0.8]).moved([8.2, -6.3, 0.3]))
}

fn mast() -> Shape {
    let pole = Shape::lathe(&[[0.28, 15.6], [0.12, 19.4]], 6, 1.0, 0.25).moved([-5.6, 3.4, 0.0]);
    let dish = Shape::lathe(
        &[[0.2, -0.2], [0.9, 0.2], [1.0, 0.4], [0.0, 0.1]],
        10,
        3.0,
        0.25,
    )
    .turned(Turn::degrees(1, 62.0))
    .moved([-4.9, 3.4, 17.2]);
    let stay = |x: f64, y: f64| {
        Shape::rod(
            [x - 5.6, y + 3.4, 15.6],
            [-5.6, 3.4, 18.4],
            [0.05, 0.05],
            4,
            0.25,
        )
    };
    pole.with(dish).with(stay(-1.4, 1.4)).with(stay(-1.4, -1.4))
}

fn beacon(at: Vec3) -> Shape {
    Shape::lathe(
        &[[0.3, -0.3], [0.34, 0.1], [0.2, 0.35], [0.0, 0.45]],
        8,
        1.0,
        1.0,
    )
    .moved(at)
}

fn pipes() -> Shape {
    let run = |z: f64, y: f64| {
        Shape::rod([5.2, -6.9, z], [5.2, y, z], [0.22, 0.22], 7, 0.25).with(Shape::rod(
            [5.2, y, z - 0.2],
            [5.2, y, 0.2],
            [0.22, 0.22],
            7,
            0.25,
        ))
    };
    let duct = Shape::rod([2.6, -0.6, 8.4], [2.6, -0.6, 9.6], [0.5, 0.42], 9, 0.25);
    let duct_2 = Shape::rod([0.2, 1.6, 7.2], [0.2, 1.6, 9.0], [0.36, 0.3], 9, 0.25);
    run(2.6, -9.2).with(duct).with(duct_2)
}

/// A railing around the front of the foundation.
fn railings() -> Shape {
    let posts = [[10.6, 7.4], [10.6, 4.4], [10.6, -4.4], [10.6, -7.4]];
    let mut shape = Shape::default();
    for [x, y] in posts {
        shape.add(Shape::rod([x, y, 0.6], [x, y, 1.9], [0.08, 0.08], 4, 0.5));
    }
    for (from, to) in [(7.4, 4.4), (-4.4, -7.4)] {
        for z in [1.25, 1.85] {
            shape.add(Shape::rod(
                [10.6, from, z],
                [10.6, to, z],
                [0.06, 0.06],
                4,
                0.5,
            ));
        }
    }
    shape
}

fn lamp_housing([x, y, z]: Vec3) -> Shape {
    Shape::tapered([0.05, 0.4], [[0.32, 0.32], [0.14, 0.14]], [0.0; 2], BARE).moved([x, y, z])
}

/// Three crossed squares of light.
fn glow([x, y, z]: Vec3, half: f64) -> Shape {
    let h = half;
    let squares = [
        [[-h, 0.0, -h], [h, 0.0, -h], [h, 0.0, h], [-h, 0.0, h]],
        [[0.0, -h, -h], [0.0, h, -h], [0.0, h, h], [0.0, -h, h]],
        [[-h, -h, 0.0], [h, -h, 0.0], [h, h, 0.0], [-h, h, 0.0]],
    ];
    let squares = squares.map(|corners| Shape::polygon(&corners, WHOLE));
    let all = squares.into_iter().fold(Shape::default(), Shape::with);
    all.moved([x, y, z])
}

/// The walls, sunk and leaning: what is left of it.
fn ruin(mut walls: Shape) -> Shape {
    // The cabin has come down altogether.
    let stands = |corner: &Corner| corner.position[2] <= 12.6;
    walls
        .triangles
        .retain(|triangle| triangle.iter().all(stands));
    walls.each(|corner| {
        let [x, y, z] = corner.position;
        // Points far up sink most, each to a height of its own.
        let ragged = 0.22 + 0.16 * crate::noise::wave(0.31 * x + 0.17 * y);
        let z = if z > 0.7 { 0.7 + (z - 0.7) * ragged } else { z };
        Corner {
            position: [x, y, z],
            ..corner
        }
    })
}
